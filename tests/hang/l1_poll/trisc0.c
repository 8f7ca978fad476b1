/* T0: looks at a word of L1 until it is set. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    while (LOAD_L1(FLAG(0)) != 1) /* hangs here */
        ;
    DONE = DONE_YES;
    return 0;
}
