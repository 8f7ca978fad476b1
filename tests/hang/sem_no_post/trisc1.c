/* T1: waits for a post. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    TT_SET_GPR(4, 1);
    TT(OP_SEMWAIT(STALL_SYNC, SEM_BIT(SEM_UNPACK_OPERAND_SYNC), STALL_ON_ZERO)); /* hangs here */
    TT(OP_SEMGET(SEM_BIT(SEM_UNPACK_OPERAND_SYNC)));
    tensix_sync();
    DONE = DONE_YES;
    return 0;
}
