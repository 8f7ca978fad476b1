/*
 * rwc.h - the row counters of Matrix and Vector Unit, per thread, and the address modifiers that
 * advance them.
 *
 * ISA pages: RWCs, SETRWC, INCRWC. On Blackhole addr_mode has three bits and names one of eight
 * modifier sections of ThreadConfig directly.
 */
#ifndef WG_STATE_RWC_H
#define WG_STATE_RWC_H

#include <stdbool.h>
#include <stdint.h>

enum { RWC_DST_MASK = 1023, RWC_SRC_MASK = 63 };

struct rwc_thread {
    uint16_t dst, dst_cr;  /* 10 bits */
    uint8_t srca, srca_cr; /* 6 bits */
    uint8_t srcb, srcb_cr; /* 6 bits */
    uint8_t fidelity;      /* 2 bits */
    uint16_t sp;           /* 10 bits; the Vector Unit's stack pointer */
};

struct rwc {
    struct rwc_thread t[3];
};

void rwc_reset(struct rwc *r);
/* SETRWC and INCRWC; flips of SETRWC are the Matrix Unit's business. */
void rwc_set(struct rwc_thread *t, uint32_t word);
void rwc_inc(struct rwc_thread *t, uint32_t word);
#define RWC_MOD_AB  12u /* ADDR_MOD_AB_SEC0..7 in ThreadConfig */
#define RWC_MOD_DST 28u /* ADDR_MOD_DST_SEC0..7 */

void rwc_modify_by(struct rwc_thread *t, unsigned ab, unsigned dst, bool fidelity);

/* Applies modifier section i of this thread's ThreadConfig. Most of the time counters only move on; the rest is in rwc.c. */
#define RWC_AB_MORE  0xc0c0u /* clear, or go from where the carriage return is */
#define RWC_DST_MORE 0xfc00u /* the same, or change the fidelity phase */
static inline void rwc_modify(struct rwc_thread *t, const uint16_t *thread_config, unsigned i,
                              bool fidelity)
{
    unsigned ab = thread_config[RWC_MOD_AB + i], dst = thread_config[RWC_MOD_DST + i];
    if (!(ab | dst))
        return;
    if ((ab & RWC_AB_MORE) | (dst & RWC_DST_MORE)) {
        rwc_modify_by(t, ab, dst, fidelity);
        return;
    }
    t->srca = (uint8_t)((t->srca + ab) & RWC_SRC_MASK);
    t->srcb = (uint8_t)((t->srcb + (ab >> 8)) & RWC_SRC_MASK);
    t->dst = (uint16_t)((t->dst + dst) & RWC_DST_MASK);
}

#endif
