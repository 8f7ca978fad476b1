/*
 * queue.h - the words between front-end stages.
 *
 * A small ring. Whoever drives it keeps the two-phase rule (docs/timing.md 1.1, 2.2): consumers are
 * called before producers, and room is tested on the count of the previous cycle.
 */
#ifndef WG_STATE_QUEUE_H
#define WG_STATE_QUEUE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    ENTRY_RETIRES = 1, /* leaving the gate (or being swallowed) releases a tracking entry */
    ENTRY_FUSED = 2    /* was pushed as part of a fused bundle */
};

/* One instruction word on its way to the gate. */
struct entry {
    uint32_t word;
    uint16_t tag; /* source position */
    uint8_t op;   /* word >> 24 */
    uint8_t flags;
};

#define QUEUE_MAX 32u /* Q1; the others use less of it */

struct queue {
    uint8_t head, n;
    struct entry slot[QUEUE_MAX];
};

static inline struct entry *queue_head(struct queue *q)
{
    return &q->slot[q->head];
}

static inline void queue_pop(struct queue *q)
{
    assert(q->n);
    q->head = (uint8_t)((q->head + 1u) % QUEUE_MAX);
    q->n--;
}

/* Makes room at the end; the caller fills it. */
static inline struct entry *queue_back(struct queue *q)
{
    assert(q->n < QUEUE_MAX);
    return &q->slot[(q->head + q->n++) % QUEUE_MAX];
}

static inline void queue_push(struct queue *q, struct entry e)
{
    *queue_back(q) = e;
}

/* Moves the head of one queue to the end of another. */
static inline void queue_move(struct queue *from, struct queue *to)
{
    *queue_back(to) = *queue_head(from);
    queue_pop(from);
}

#endif
