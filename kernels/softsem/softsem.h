/*
 * softsem.h - semaphores in software: words in L1, sixteen bytes apart, at a place that a launch message
 * gives. B produces squares into a ring of four, NC adds them up, the T cores wait for the end.
 */
#ifndef KERNELS_SOFTSEM_H
#define KERNELS_SOFTSEM_H

#include "blackhole.h"

/* Written by the host before the start; index 0 is this kind of core. */
struct launch_message {
    uint32_t kernel_config_base[3];
    uint32_t sem_offset[3];
};
#define LAUNCH     ((const volatile struct launch_message *)0x1A000)
#define CORE_INDEX 0

enum { SEM_FILLED = 0, SEM_EMPTIED = 1, SEM_FINISHED = 2, SEM_SEEN = 3 };

#define ITEMS 10
#define SLOTS 4
#define RING  ((volatile uint32_t *)0x21000)

/* sem_l1_base = kernel_config_base + sem_offset; one slot is 16 bytes, of which four are used */
static inline volatile uint32_t *soft_semaphore(unsigned id)
{
    uint32_t base = LAUNCH->kernel_config_base[CORE_INDEX] + LAUNCH->sem_offset[CORE_INDEX];
    return (volatile uint32_t *)(base + 16 * id);
}

static inline void soft_semaphore_set(unsigned id, uint32_t value)
{
    *soft_semaphore(id) = value;
}

static inline void soft_semaphore_add(unsigned id, uint32_t value)
{
    l1_add(soft_semaphore(id), value);
}

static inline void soft_semaphore_wait(unsigned id, uint32_t value)
{
    volatile uint32_t *semaphore = soft_semaphore(id);
    do
        invalidate_l1_cache();
    while (*semaphore != value);
}

static inline void soft_semaphore_wait_min(unsigned id, uint32_t value)
{
    volatile uint32_t *semaphore = soft_semaphore(id);
    do
        invalidate_l1_cache();
    while (*semaphore < value);
}

#endif
