/* T2: the core itself looks at a semaphore until it is posted. */
#include "blackhole.h"
#include "hang.h"

int main(void)
{
    while (!LOAD(SEMAPHORES + 4 * SEM_MATH_PACK)) /* hangs here */
        ;
    semaphore_get(SEM_MATH_PACK);
    DONE = DONE_YES;
    return 0;
}
