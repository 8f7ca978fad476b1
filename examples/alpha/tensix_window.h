/*
 * tensix_window.h - a Tensix tile as a program for Alpha sees it under `waitgate alpha run --tile` (docs/alpha-tile.md).
 *
 * A store that the tile cannot take yet keeps the CPU waiting; so does TENSIX_SYNC. Nothing has to be polled.
 */
#ifndef TENSIX_WINDOW_H
#define TENSIX_WINDOW_H

#include <stdint.h>

#define TENSIX_BASE 0x8000000000UL

#define TENSIX_PUSH(thread)     (0x000 + 8 * (thread))
#define TENSIX_ROOM(thread)     (0x040 + 8 * (thread))
#define TENSIX_IDLE(thread)     (0x080 + 8 * (thread))
#define TENSIX_SYNC(thread)     (0x0C0 + 8 * (thread))
#define TENSIX_SEM(semaphore)   (0x100 + 8 * (semaphore))
#define TENSIX_CYCLE            0x180
#define TENSIX_GPR(thread, gpr) (0x1000 + 4 * (64 * (thread) + (gpr)))
#define TENSIX_L1               0x200000
#define TENSIX_L1_SIZE          0x180000

static inline volatile uint32_t *tensix_at(uint64_t offset)
{
    return (volatile uint32_t *)(TENSIX_BASE + offset);
}

/* Macros, so that reports name the line that uses them. */

/* Waits for room in the thread's queue. */
#define tensix_push(thread, word) (*tensix_at(TENSIX_PUSH(thread)) = (word))
/* Waits until the thread has nothing queued or in flight. */
#define tensix_sync(thread) ((void)*tensix_at(TENSIX_SYNC(thread)))
#define tensix_room(thread) (*tensix_at(TENSIX_ROOM(thread)))
#define tensix_idle(thread) (*tensix_at(TENSIX_IDLE(thread)))

#define tensix_post(semaphore)      (*tensix_at(TENSIX_SEM(semaphore)) = 0)
#define tensix_get(semaphore)       (*tensix_at(TENSIX_SEM(semaphore)) = 1)
#define tensix_semaphore(semaphore) (*tensix_at(TENSIX_SEM(semaphore)))

/* A write is on its way for some cycles: STALLWAIT with WAIT_TRISC_CFG makes the thread wait for it. */
#define tensix_gpr(thread, gpr) (*tensix_at(TENSIX_GPR(thread, gpr)))
/* A word of L1. */
#define tensix_l1(address) (*tensix_at(TENSIX_L1 + (address)))

#endif
