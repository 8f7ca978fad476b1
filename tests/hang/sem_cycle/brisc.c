/* Core B: T0 and T1 start, each waits for a semaphore that the other posts later. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    push(0, OP_SEMINIT(1, 0, SEM_BIT(SEM_UNPACK_SYNC) | SEM_BIT(SEM_MATH_DONE)));
    release_cores(RESET_BIT_T(0) | RESET_BIT_T(1));
    return 0;
}
