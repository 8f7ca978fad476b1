/* Core B: a loop in the loop that polls. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    release_cores(RESET_BIT_T(0));
    while (LOAD_L1(FLAG(0)) != 1) /* hangs here */
        for (int i = 0; i < 10; i++)
            __asm__ volatile("nop");
    DONE = DONE_YES;
    return 0;
}
