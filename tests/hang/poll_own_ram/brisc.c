/* Core B: should write to the data RAM of T0, through the window onto it. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    release_cores(RESET_BIT_T(0));
    for (volatile unsigned i = 0; i < 3000; i++)
        ;
#ifdef TWIN
    REG32(0xFFB18000 + 0x800) = 7;
#endif
    return 0;
}
