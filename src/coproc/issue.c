/*
 * issue.c - the parts of issue.h that do not run in every cycle.
 *
 * Inaccuracies: see the units.
 */
#include "coproc/issue.h"

#include "isa/cfg.h"
#include "isa/tensix.h"

/* A register of it that somebody else still wrote when it went: RDCFG has another cycle less than the Scalar Unit. */
static void issue_settle_gpr(struct coproc *cp, const struct config_slot *s, unsigned i)
{
    const struct gpr *g = &cp->gpr;
    unsigned reg = config_wrcfg_gpr(s->word) + i, thread = s->thread;
    bool coming = (s->owed >> (4 + i)) & 1, lag = cp->config.read_lag && !coming;
    uint64_t due = cp->now;
    if (coming)
        due += g->pending_config[thread][reg] != 0;
    else if ((g->pending_scalar[thread] >> reg) & 1)
        due = scalar_due(&cp->scalar, thread, reg);
    int64_t margin = due == SCALAR_OPEN ? INT64_MIN : (int64_t)(cp->now - due) - !lag;
    probe_diag(&cp->probe,
               margin < 0 ? DIAG_STALE_GPR : DIAG_GPR_NO_WAIT,
               OWNER_T0 + thread,
               s->tag,
               s->word,
               probe_margin(reg, due == SCALAR_OPEN ? PROBE_MARGIN_OPEN : margin));
}

void issue_settle_wrcfg(struct coproc *cp)
{
    struct config_slot *s = config_late(&cp->config);
    for (unsigned i = 0; i < s->n; i++)
        if ((s->owed | s->owed >> 4) >> i & 1)
            issue_settle_gpr(cp, s, i);
    s->owed = 0;
    cp->config.late = false;
}

static void coproc_setdvalid(struct coproc *cp, unsigned thread, const struct entry *e)
{
    uint32_t which = tensix_SETDVALID_decode(e->word).setvalid;
    for (unsigned i = 0; i < 2; i++)
        if ((which >> i) & 1 && !unpack_give(&cp->src, &cp->config, thread, i))
            probe_diag(&cp->probe, DIAG_DVALID_UNOWNED, OWNER_T0 + thread, e->tag, e->word, i);
}

void issue_occupy_mover(struct coproc *cp, unsigned thread, uint32_t count, unsigned mode)
{
    uint64_t latency = cp->timing.op[TENSIX_OP_XMOV].latency;
    cp->mover.done_at = cp->now + latency + mover_cycles(count, mode);
    cp->mover.thread = (uint8_t)thread;
    issue_occupy(cp, OWNER_MOVER, cp->now, cp->mover.done_at);
}

/* XMOV: what to move stands in Config. */
void issue_start_mover(struct coproc *cp, unsigned thread)
{
    const uint32_t *c = cp->config.word[config_state_id(&cp->config, thread)];
    uint32_t count = cfg_get(c, CFG_MOVER_SIZE) & 0xffff;
    unsigned mode = cfg_get(c, CFG_MOVER_DIRECTION);
    issue_occupy_mover(cp, thread, count, mode);
    if (cp->l1.move)
        cp->l1.move(cp->l1.ctx,
                    cfg_get(c, CFG_MOVER_DESTINATION) << 4,
                    cfg_get(c, CFG_MOVER_SOURCE) << 4,
                    count << 4,
                    mode);
}

void issue_start_misc(struct coproc *cp, unsigned thread, const struct entry *e)
{
    struct probe *p = &cp->probe;
    if (e->op == TENSIX_OP_SETDVALID) {
        coproc_setdvalid(cp, thread, e);
        return;
    }
    if (op_table[e->op].unit != TENSIX_UNIT_MISC || e->op == TENSIX_OP_RSTDMA)
        return;
    unsigned targets = adc_targets(thread, e->word);
    adc_execute(&cp->adc, thread, e->word);
    bool foreign = targets != 1u << thread;
    bool together = cp->adc_at == cp->now + 1; /* after another thread in the same cycle */
    if (together && (foreign || cp->adc_foreign))
        probe_diag(p, DIAG_ADC_COLLISION, OWNER_T0 + thread, e->tag, e->word, 0);
    cp->adc_foreign = foreign || (together && cp->adc_foreign);
    cp->adc_at = cp->now + 1;
}

/* The unit starts to be occupied after an idle stretch. */
void issue_occupy_again(struct coproc *cp, unsigned owner, uint64_t now)
{
    struct ledger *l = &cp->ledger[owner];
    if (cp->busy_to[owner] < now)
        wait_ledger_note(l, cp->busy_to[owner], wait_key(WAIT_IDLE, OWNER_NONE));
    wait_ledger_note(l, now, wait_key(WAIT_PROGRESS, OWNER_NONE));
}

/* Without time: the thread that uses the Vector Unit sends a word elsewhere. Where that may wait for what is scheduled,
   or let others see it, it is carried out first. */
void issue_vector_beside(struct coproc *cp, unsigned thread, unsigned unit)
{
    if (thread != cp->vector.thread)
        return;
    struct vector_io io = wires_vector(cp, thread);
    vector_beside(&cp->vector, &io, issue_beside_waits(unit));
}

/* Once per opcode: what the run cannot carry out. */
void issue_note_op(struct coproc *cp, unsigned thread, const struct op *op, const struct entry *e)
{
    struct probe *p = &cp->probe;
    unsigned agent = OWNER_T0 + thread;
    cp->noted[e->op] = true;
    if (!(op->flags & OP_KNOWN))
        probe_diag(p, DIAG_ILLEGAL_WORD, agent, e->tag, e->word, 0);
    else if (op->unit == TENSIX_UNIT_NONE)
        probe_diag(p, DIAG_EXPANDER_WORD, agent, e->tag, e->word, 0);
    else if (op->flags & OP_UNDESCRIBED)
        probe_diag(p, DIAG_UNDESCRIBED, agent, e->tag, e->word, 0);
    else if (matrix_traits[e->op] & MATRIX_NO_DATA)
        probe_diag(p, DIAG_NO_DATA_EFFECT, agent, e->tag, e->word, 0);
}

void issue_blame(struct coproc *cp, unsigned thread, uint16_t key, unsigned tag)
{
    if (cp->blamed[thread].key >> 8 > WAIT_DONE && cp->now > cp->blamed[thread].since)
        blame_add(&cp->blame,
                  OWNER_T0 + thread,
                  cp->blamed[thread].tag,
                  cp->blamed[thread].key,
                  cp->now - cp->blamed[thread].since);
    cp->blamed[thread].key = key;
    cp->blamed[thread].tag = (uint16_t)tag;
    cp->blamed[thread].since = cp->now;
}

/* A thread stands somewhere else than in the last cycle. */
void issue_note_change(struct coproc *cp, unsigned thread, const struct decision *d)
{
    if (cp->blame_on)
        issue_blame(cp, thread, d->key, d->e ? d->e->tag : 0);
    if (!d->e || d->key == KEY_GO)
        return;
    if (d->key >> 8 == WAIT_MUTEX_INVALID)
        probe_diag(&cp->probe,
                   DIAG_MUTEX_INVALID,
                   OWNER_T0 + thread,
                   d->e->tag,
                   d->e->word,
                   tensix_ATGETM_decode(d->e->word).mutex_index);
    if (probe_wants(&cp->probe, EV_HOLD)) {
        struct event e = {.kind = EV_HOLD,
                          .agent = (uint8_t)(OWNER_T0 + thread),
                          .cause = (uint8_t)(d->key >> 8),
                          .owner = (uint8_t)(d->key & 0xff),
                          .tag = d->e->tag,
                          .word = d->e->word};
        probe_send(&cp->probe, &e);
    }
}
