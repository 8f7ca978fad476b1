/* Core B: starts T1. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    release_cores(RESET_BIT_T(1));
    return 0;
}
