/*
 * gate.c - latching and forgetting waits.
 *
 * ISA pages: WaitGate, STALLWAIT, SEMWAIT, STREAMWAIT. A latched wait is never overwritten: every
 * block bit holds the next wait instruction until the first is forgotten.
 *
 * Invariant: latched != GATE_OPEN implies block != 0.
 *
 * Inaccuracies: none known beyond the choices listed in docs/timing.md 3.
 */
#include "unit/gate.h"

#include <assert.h>
#include <string.h>

#include "base/bits.h"
#include "isa/tensix.h"
#include "probe/probe.h"
#include "unit/stream.h"
#include "wait/wait.h"

void gate_reset(struct gate *g)
{
    memset(g, 0, sizeof *g);
}

/*
 * Block bits of which at least one should stand next to a condition, or new instructions keep
 * flowing into what is waited for (notes of the STALLWAIT page); 0: no such advice.
 */
static const uint16_t gate_advice[GATE_CONDITIONS] = {
    [1] = TENSIX_B3 | TENSIX_B0,
    [2] = TENSIX_B3 | TENSIX_B0,
    [3] = TENSIX_B2 | TENSIX_B0,
    [4] = TENSIX_B6,
    [9] = TENSIX_B4 | TENSIX_B0,
    [11] = TENSIX_B8,
    [12] = TENSIX_B7,
};

static void gate_check_advice(const struct gate *g, unsigned thread, struct probe *p)
{
    for (uint32_t left = g->conditions & bits_mask(GATE_CONDITIONS); left; left &= left - 1) {
        unsigned i = bits_lowest(left);
        if (gate_advice[i] && !(g->block & gate_advice[i]))
            probe_diag(p, DIAG_BLOCK_MISMATCH, OWNER_T0 + thread, g->tag, g->word, i);
    }
}

static void gate_latch_stall(struct gate *g, uint32_t conditions)
{
    g->latched = GATE_STALLWAIT;
    g->conditions = (uint16_t)(conditions ? conditions : GATE_DEFAULT_CONDITIONS);
}

static void gate_latch_sem(struct gate *g, unsigned thread, const struct entry *e, struct probe *p)
{
    struct tensix_SEMWAIT a = tensix_SEMWAIT_decode(e->word);
    if (!a.wait_sem_cond) {
        probe_diag(p, DIAG_SEMWAIT_COND0, OWNER_T0 + thread, e->tag, e->word, 0);
        gate_latch_stall(g, 0);
        gate_check_advice(g, thread, p);
        return;
    }
    g->latched = GATE_SEMWAIT;
    g->sem_mask = (uint8_t)a.sem_sel;
    g->sem_cond = (uint8_t)a.wait_sem_cond;
    if (a.sem_sel >> 8)
        probe_diag(p, DIAG_SEMWAIT_MASK, OWNER_T0 + thread, e->tag, e->word, a.sem_sel & ~0xffu);
    if (!(a.sem_sel & 0xff))
        probe_diag(p, DIAG_SEMWAIT_NONE, OWNER_T0 + thread, e->tag, e->word, 0);
}

void gate_latch(struct gate *g, unsigned thread, const struct entry *e, uint64_t now,
                const uint16_t *stream_hi, struct probe *p)
{
    uint32_t block =
        tensix_STALLWAIT_decode(e->word).stall_res; /* at the same place in all three */
    assert(!g->latched);
    memset(g, 0, sizeof *g);
    g->block = (uint16_t)(block ? block : GATE_DEFAULT_BLOCK);
    g->tag = e->tag;
    g->word = e->word;
    g->since = now + 1;
    if (e->op == TENSIX_OP_STALLWAIT) {
        gate_latch_stall(g, tensix_STALLWAIT_decode(e->word).wait_res);
        gate_check_advice(g, thread, p);
    } else if (e->op == TENSIX_OP_SEMWAIT) {
        gate_latch_sem(g, thread, e, p);
    } else {
        struct tensix_STREAMWAIT a = tensix_STREAMWAIT_decode(e->word);
        g->latched = GATE_STREAMWAIT;
        g->stream_sel = (uint8_t)a.wait_stream_sel;
        g->stream_reg = a.target_sel ? STREAM_NUM_MSGS : STREAM_CURR_PHASE;
        g->target =
            (bits_get(stream_hi[a.target_sel], 0, a.target_sel ? 7 : 10) << 10) | a.target_value;
    }
    probe_event(p, EV_LATCH, OWNER_T0 + thread, g->tag, g->word, g->block);
}

void gate_unlatch(struct gate *g, unsigned thread, uint64_t now, struct probe *p)
{
    if (!g->held)
        probe_diag(p, DIAG_NEVER_HELD, OWNER_T0 + thread, g->tag, g->word, 0);
    probe_event(p, EV_UNLATCH, OWNER_T0 + thread, g->tag, g->word, (uint32_t)(now - g->since + 1));
    g->latched = GATE_OPEN;
}
