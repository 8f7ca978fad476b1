/*
 * mailbox.h - FIFOs between the cores: 16 mailboxes among B, T0, T1, T2, and the PC buffers from B to
 * the T cores.
 *
 * ISA pages: Mailboxes, PCBufs (Blackhole: the same as Wormhole).
 *
 * Inaccuracies: a write that finds its FIFO full blocks the core at once; the shared buffers of the
 * memory subsystem that would take a few more are not modelled.
 */
#ifndef WG_TILE_MAILBOX_H
#define WG_TILE_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>

#define MAILBOX_CORES 4u /* B, T0, T1, T2 */
#define MAILBOX_DEPTH 4u /* also the sum over the four that one core writes */
#define PCBUF_DEPTH   16u

struct fifo {
    uint8_t head, n;
    uint32_t in, out; /* words so far */
    uint64_t out_at;  /* with time: cycle of the last word taken, which makes room in the next */
    uint32_t word[PCBUF_DEPTH];
};

static inline void mailbox_fifo_push(struct fifo *f, uint32_t word)
{
    f->word[(f->head + f->n++) % PCBUF_DEPTH] = word;
    f->in++;
}

static inline uint32_t mailbox_fifo_pop(struct fifo *f)
{
    uint32_t word = f->word[f->head];
    f->head = (uint8_t)((f->head + 1u) % PCBUF_DEPTH);
    f->n--;
    f->out++;
    return word;
}

struct mailbox {
    struct fifo box[MAILBOX_CORES][MAILBOX_CORES]; /* [from][to] */
};

/* Words that still take room in this cycle; 0: there are no cycles. */
static inline unsigned mailbox_fifo_fill(const struct fifo *f, uint64_t now)
{
    return f->n + (now && f->out_at == now ? 1u : 0u);
}

/* False: full, or the writer's four together are. */
static inline bool mailbox_write(struct mailbox *m, unsigned from, unsigned to, uint32_t word,
                                 uint64_t now)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < MAILBOX_CORES; i++)
        sum += mailbox_fifo_fill(&m->box[from][i], now);
    if (sum >= MAILBOX_DEPTH)
        return false;
    mailbox_fifo_push(&m->box[from][to], word);
    return true;
}

struct pcbuf {
    struct fifo to[3];
    bool reading[3];   /* the T core stands at a read of its empty buffer ... */
    uint64_t since[3]; /* ... with time: since this cycle */
};

#endif
