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
#include "front/gate.h"

#include <string.h>

#include "base/bits.h"
#include "state/stream.h"

void gate_reset(struct gate *g)
{
    memset(g, 0, sizeof *g);
}

/* Block bits that go with a condition. */
static const uint16_t gate_advice[GATE_CONDITIONS] = {
#define ADVICE(i, blocks) [i] = (blocks),
    GATE_ADVICE(ADVICE)};

HOT_APART void gate_check_advice(unsigned block, unsigned conditions, unsigned thread,
                                 const struct entry *e, struct probe *p)
{
    for (uint32_t left = conditions & GATE_ADVISED; left; left &= left - 1) {
        unsigned i = bits_lowest(left);
        if (!(block & gate_advice[i]))
            probe_diag(p, DIAG_BLOCK_MISMATCH, OWNER_T0 + thread, e->tag, e->word, i);
    }
}

HOT_APART void gate_latch_sem(struct gate *g, unsigned thread, const struct entry *e,
                              struct probe *p)
{
    struct tensix_SEMWAIT a = tensix_SEMWAIT_decode(e->word);
    if (!a.wait_sem_cond) {
        probe_diag(p, DIAG_SEMWAIT_COND0, OWNER_T0 + thread, e->tag, e->word, 0);
        g->latched = GATE_STALLWAIT;
        g->conditions = GATE_DEFAULT_CONDITIONS;
        gate_check_advice(g->block, g->conditions, thread, e, p);
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

HOT_APART void gate_latch_stream(struct gate *g, const struct entry *e, const uint16_t *stream_hi)
{
    struct tensix_STREAMWAIT a = tensix_STREAMWAIT_decode(e->word);
    g->latched = GATE_STREAMWAIT;
    g->stream_sel = (uint8_t)a.wait_stream_sel;
    g->stream_reg = a.target_sel ? STREAM_NUM_MSGS : STREAM_CURR_PHASE;
    g->target =
        (bits_get(stream_hi[a.target_sel], 0, a.target_sel ? 7 : 10) << 10) | a.target_value;
}

HOT_APART void gate_unlatch_tell(const struct gate *g, unsigned thread, uint64_t now,
                                 struct probe *p)
{
    if (!g->held)
        probe_diag(p, DIAG_NEVER_HELD, OWNER_T0 + thread, g->tag, g->word, 0);
    probe_event(p, EV_UNLATCH, OWNER_T0 + thread, g->tag, g->word, (uint32_t)(now - g->since + 1));
}
