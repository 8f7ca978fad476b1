/* Ends while T0 waits for a semaphore that it should have posted. */
#include "tensix_ops.h"
#include "tensix_window.h"

int main(void)
{
    tensix_push(0, OP_SEMINIT(1, 0, SEM_BIT(SEM_PACK_DONE)));
    tensix_push(0, OP_SEMWAIT(STALL_THREAD, SEM_BIT(SEM_PACK_DONE), STALL_ON_ZERO)); /* wait */
    tensix_push(0, OP_NOP);                                                          /* held */
    return 0;
}
