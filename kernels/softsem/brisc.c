/* Core B: fills the ring as NC empties it, waits until the T cores have seen the end. See softsem.h. */
#include "softsem.h"

int main(void)
{
    for (unsigned id = 0; id < 4; id++)
        soft_semaphore_set(id, 0);
    release_cores(RESET_BIT_T(0) | RESET_BIT_T(1) | RESET_BIT_T(2) | RESET_BIT_NC);

    for (uint32_t i = 0; i < ITEMS; i++) {
        if (i >= SLOTS)
            soft_semaphore_wait_min(SEM_EMPTIED, i - SLOTS + 1);
        RING[i % SLOTS] = (i + 1) * (i + 1);
        soft_semaphore_add(SEM_FILLED, 1);
    }
    soft_semaphore_wait(SEM_SEEN, 0x010101);
    RESULT[0] = (uint32_t)soft_semaphore(0);
    DONE = DONE_YES;
    return 0;
}
