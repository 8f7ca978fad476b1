/*
 * sync.h - Sync Unit: eight semaphores, four mutexes, the cores' semaphore window.
 *
 * ISA pages: SyncUnit, SEMINIT, SEMPOST, SEMGET, ATGETM, ATRELM (Blackhole). Rules in time:
 * docs/timing.md 4.2, 4.3.
 */
#ifndef WG_FRONT_SYNC_H
#define WG_FRONT_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "state/queue.h"

#define SYNC_SEMAPHORES 8u
#define SYNC_MUTEXES    5u /* indices 0, 2, 3, 4; 1 does not exist */
#define SYNC_CORES      3u /* T0, T1, T2 see the window */

struct probe;

struct sync_semaphore {
    uint8_t value, max;
    uint8_t last_by;            /* who changed it last: enum wait_owner */
    uint64_t last_at;           /* and when */
    uint16_t last_tag;          /* by which instruction */
    uint32_t posted_by, got_by; /* bit per agent of the tile that ever did */
};

/* A write through a core's port, made in this cycle. */
struct sync_request {
    bool pending, taken;
    uint8_t sem;
    bool get;
    uint8_t by;   /* who made it: the core, or a host in its place */
    uint16_t tag; /* the instruction that did, 0: not known */
};

struct sync {
    struct sync_semaphore sem[SYNC_SEMAPHORES];
    uint8_t holder[SYNC_MUTEXES];     /* 0: free, else thread + 1 */
    uint16_t mutex_tag[SYNC_MUTEXES]; /* instruction that changed it last ... */
    uint64_t mutex_at[SYNC_MUTEXES];  /* ... and when */
    struct sync_request request[SYNC_CORES];
    uint8_t n_requests;
    uint8_t limit; /* SEM_LIMIT */
};

struct timing;
void sync_reset(struct sync *s, const struct timing *t);
/* Index of a mutex that exists? */
static inline bool sync_mutex_valid(uint32_t i)
{
    return i < SYNC_MUTEXES && i != 1;
}
/* ATGETM or ATRELM may go as far as the mutex is concerned: ledger key of the wait, 0 if it may. */
uint16_t sync_check_mutex(const struct sync *s, unsigned thread, const struct entry *e);
/* SEMINIT, SEMPOST, SEMGET, ATGETM, ATRELM go. */
void sync_start(struct sync *s, unsigned thread, const struct entry *e, uint64_t now,
                struct probe *p);
/* The write through the core's port gets the slot. */
void sync_serve(struct sync *s, unsigned core, uint64_t now, struct probe *p);
/* SEMWAIT's test: ledger key of the wait, 0 if nothing holds. */
uint16_t sync_test(const struct sync *s, unsigned mask, unsigned cond);

#endif
