/* Core B: only releases T0. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    release_cores(RESET_BIT_T(0));
    return 0;
}
