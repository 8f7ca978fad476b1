/* T0: gets before it posts, as T1 does. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
#ifdef TWIN
    TT(OP_SEMPOST(SEM_BIT(SEM_UNPACK_SYNC)));
#endif
    TT(OP_SEMWAIT(STALL_SYNC, SEM_BIT(SEM_MATH_DONE), STALL_ON_ZERO)); /* hangs here */
    TT(OP_SEMGET(SEM_BIT(SEM_MATH_DONE)));
#ifndef TWIN
    TT(OP_SEMPOST(SEM_BIT(SEM_UNPACK_SYNC)));
#endif
    tensix_sync();
    DONE = DONE_YES;
    return 0;
}
