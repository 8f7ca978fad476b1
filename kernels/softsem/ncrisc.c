/* Core NC: empties the ring, says that it has finished. See softsem.h. */
#include "softsem.h"

int main(void)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < ITEMS; i++) {
        soft_semaphore_wait_min(SEM_FILLED, i + 1); /* also forgets the ring's old words */
        sum += RING[i % SLOTS];
        soft_semaphore_add(SEM_EMPTIED, 1);
    }
    RESULT[1] = sum;
    soft_semaphore_set(SEM_FINISHED, 1);
    return 0;
}
