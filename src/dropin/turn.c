/*
 * turn.c - one thread of the host at a time, in the order in which they came.
 *
 * A mutex alone lets the thread that has just given it back take it again, before the one that sleeps at it has woken up:
 * a host whose one thread only calls libttsim_clock() would shut out its others. So each draws a number first.
 *
 * fork() waits for the turn. The child has its own copy of the chip, with nobody in a call, and starts with a new
 * lock: the threads that wait at the old one do not exist there.
 *
 * Inaccuracies: a signal handler that interrupts a call must not make another; it would wait for ever. As long as the
 * turn is waited for, a thread cannot be cancelled.
 */
#define _POSIX_C_SOURCE 200809L
#include "dropin/turn.h"

#include <pthread.h>
#include <stdatomic.h>

static struct {
    pthread_mutex_t lock; /* held while a thread has its turn */
    pthread_cond_t next;  /* served has changed, and somebody waits for that */
    atomic_uint_fast64_t asked;
    uint64_t served; /* number of the thread whose turn it is */
} turn = {.lock = PTHREAD_MUTEX_INITIALIZER, .next = PTHREAD_COND_INITIALIZER};

/* The lock is free, or held by somebody who came later and will find the same. */
static void turn_wait(uint64_t mine)
{
    int cancel;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    while (turn.served != mine)
        pthread_cond_wait(&turn.next, &turn.lock);
    pthread_setcancelstate(cancel, &cancel);
}

static void turn_forked(void)
{
    pthread_mutex_init(&turn.lock, NULL);
    pthread_cond_init(&turn.next, NULL);
    atomic_store(&turn.asked, 0);
    turn.served = 0;
}

static void turn_watch_forks(void)
{
    pthread_atfork(turn_take, turn_give, turn_forked);
}

void turn_take(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, turn_watch_forks);
    uint64_t mine = atomic_fetch_add(&turn.asked, 1);
    pthread_mutex_lock(&turn.lock);
    if (turn.served != mine)
        turn_wait(mine);
}

void turn_give(void)
{
    turn.served++;
    if (atomic_load(&turn.asked) != turn.served)
        pthread_cond_broadcast(&turn.next);
    pthread_mutex_unlock(&turn.lock);
}

uint64_t turn_asked(void)
{
    return atomic_load(&turn.asked);
}
