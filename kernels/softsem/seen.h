/* seen.h - what all three T cores do: wait for the end, copy the sum, say so. See softsem.h. */
#ifndef KERNELS_SOFTSEM_SEEN_H
#define KERNELS_SOFTSEM_SEEN_H

#include "softsem.h"

static inline void wait_and_report(unsigned thread)
{
    soft_semaphore_wait(SEM_FINISHED, 1);
    RESULT[2 + thread] = RESULT[1] + thread;
    soft_semaphore_add(SEM_SEEN, 1U << (8 * thread));
}

#endif
