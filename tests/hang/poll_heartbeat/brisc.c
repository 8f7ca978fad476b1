/* Core B: shows that it is alive, in a word of its own, while it waits. */
#include "blackhole.h"
#include "hang.h"

static volatile uint32_t beat;

int main(void)
{
    release_cores(RESET_BIT_T(0));
    while (LOAD_L1(FLAG(0)) != 1) { /* hangs here */
        beat = 1;
        beat = 0;
    }
    DONE = DONE_YES;
    return 0;
}
