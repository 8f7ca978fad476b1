/* T0: the core waits until its thread is through; the thread waits for a post. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    TT(OP_SEMWAIT(STALL_THCON, SEM_BIT(SEM_UNPACK_MATH_DONE), STALL_ON_ZERO)); /* waits here */
    TT_SET_GPR(4, 7);
    REG32(TENSIX_SYNC) = 0;
    LOAD(TENSIX_SYNC); /* hangs here */
    l1_write(&RESULT[0], gpr_read(4));
    DONE = DONE_YES;
    return 0;
}
