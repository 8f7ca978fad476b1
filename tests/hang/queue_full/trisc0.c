/* T0: the core itself would post what its thread waits for, behind more words than the queue takes. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
#ifdef TWIN
    semaphore_post(SEM_PACK_DONE);
#endif
    TT(OP_SEMWAIT(STALL_THREAD, SEM_BIT(SEM_PACK_DONE), STALL_ON_ZERO)); /* waits here */
    for (unsigned i = 0; i < 80; i++)
        TT(OP_NOP); /* hangs here */
#ifndef TWIN
    semaphore_post(SEM_PACK_DONE);
#endif
    tensix_sync();
    DONE = DONE_YES;
    return 0;
}
