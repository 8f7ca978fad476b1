/* T0: looks at a word of its own data RAM. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    while (LOAD(0xFFB00000 + 0x800) != 7) /* hangs here */
        ;
    DONE = DONE_YES;
    return 0;
}
