/* T1: an addition whose SrcA bank is there, but not its SrcB bank. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
#ifdef TWIN
    TT(OP_SETDVALID(3));
#else
    TT(OP_SETDVALID(1));
#endif
    TT(OP_ELWADD(3, 0, 0, 0, 0)); /* hangs here */
    tensix_sync();
    DONE = DONE_YES;
    return 0;
}
