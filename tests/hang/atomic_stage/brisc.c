/* Core B: releases T0, and T1 when the atomic is under way. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    release_cores(RESET_BIT_T(0));
    while (!LOAD_L1(FLAG(4)))
        ;
    release_cores(RESET_BIT_T(1));
    return 0;
}
