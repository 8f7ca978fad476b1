/* T1: math that waits for its SrcA bank. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    TT(OP_STALLWAIT(STALL_MATH, WAIT_SRCA_VLD)); /* hangs here */
    TT(OP_INCRWC(0, 1, 0, 0));
    tensix_sync();
    DONE = DONE_YES;
    return 0;
}
