/* T1: SETDMAREG leaves the gate, and cannot execute; tensix_sync waits for it. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    REG32(0xFFE40000) = 0x45000501; /* ttsetdmareg 0, 5, 0, 1 */
    REG32(0xFFE80004) = 0;
    (void)LOAD(0xFFE80004); /* hangs here */
    DONE = DONE_YES;
    return 0;
}
