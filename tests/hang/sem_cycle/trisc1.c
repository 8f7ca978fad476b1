/* T1: posts only when it got what T0 posts. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    TT(OP_SEMWAIT(STALL_SYNC, SEM_BIT(SEM_UNPACK_SYNC), STALL_ON_ZERO)); /* hangs here */
    TT(OP_SEMGET(SEM_BIT(SEM_UNPACK_SYNC)));
    TT(OP_SEMPOST(SEM_BIT(SEM_MATH_DONE)));
    return 0;
}
