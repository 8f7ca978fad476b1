/* Core B: looks at a word in the data RAM of T0. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    release_cores(RESET_BIT_T(0));
    while (LOAD(0xFFB18000 + 0x800) != 7) /* hangs here */
        ;
    DONE = DONE_YES;
    return 0;
}
