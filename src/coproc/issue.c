/*
 * issue.c - the parts of issue.h that do not run in every cycle.
 *
 * Inaccuracies: see the units.
 */
#include "coproc/issue.h"

#include "isa/cfg.h"
#include "isa/tensix.h"

_Static_assert(WAIT_PROGRESS == 0 && OWNER_T0 == 0, "a check that returns 0 means: may go");

uint16_t coproc_check_config(const struct coproc *t, struct decision *d)
{
    unsigned stage = config_entry(d->e->op);
    if (stage == N_CONFIG_STAGES)
        return 0;
    d->port = (uint8_t)(PORT_CONFIG + stage);
    return config_can_enter(&t->config, stage) ? 0 : ledger_key(WAIT_CONFIG_PIPE, OWNER_CONFIG);
}

uint16_t coproc_check_sync(const struct coproc *t, unsigned thread, struct decision *d)
{
    if (d->e->op != TENSIX_OP_ATGETM && d->e->op != TENSIX_OP_ATRELM) {
        d->port = PORT_SYNC;
        return 0;
    }
    uint16_t key = sync_check_mutex(&t->sync, thread, d->e);
    if (!key)
        d->port = (uint8_t)(PORT_MUTEX + tensix_ATGETM_decode(d->e->word).mutex_index);
    return key;
}

static void coproc_setdvalid(struct coproc *t, unsigned thread, const struct entry *e)
{
    uint32_t which = tensix_SETDVALID_decode(e->word).setvalid;
    for (unsigned i = 0; i < 2; i++)
        if ((which >> i) & 1 && !unpack_give(&t->src, &t->config, thread, i))
            probe_diag(&t->probe, DIAG_DVALID_UNOWNED, OWNER_T0 + thread, e->tag, e->word, i);
}

void coproc_occupy_mover(struct coproc *t, unsigned thread, uint32_t count, unsigned mode)
{
    uint64_t latency = t->timing.op[TENSIX_OP_XMOV].latency;
    t->mover.done_at = t->now + latency + mover_cycles(count, mode);
    t->mover.thread = (uint8_t)thread;
    coproc_occupy(t, OWNER_MOVER, t->now, t->mover.done_at);
}

/* XMOV: what to move stands in Config. */
void coproc_start_mover(struct coproc *t, unsigned thread)
{
    const uint32_t *c = t->config.word[config_state_id(&t->config, thread)];
    uint32_t count = cfg_get(c, CFG_MOVER_SIZE) & 0xffff;
    unsigned mode = cfg_get(c, CFG_MOVER_DIRECTION);
    coproc_occupy_mover(t, thread, count, mode);
    if (t->l1.move)
        t->l1.move(t->l1.ctx,
                   cfg_get(c, CFG_MOVER_DESTINATION) << 4,
                   cfg_get(c, CFG_MOVER_SOURCE) << 4,
                   count << 4,
                   mode);
}

void coproc_start_misc(struct coproc *t, unsigned thread, const struct entry *e)
{
    struct probe *p = &t->probe;
    if (e->op == TENSIX_OP_SETDVALID) {
        coproc_setdvalid(t, thread, e);
        return;
    }
    if (op_table[e->op].unit != TENSIX_UNIT_MISC || e->op == TENSIX_OP_RSTDMA)
        return;
    unsigned targets = adc_targets(thread, e->word);
    adc_execute(&t->adc, thread, e->word);
    bool foreign = targets != 1u << thread;
    bool together = t->adc_at == t->now + 1; /* after another thread in the same cycle */
    if (together && (foreign || t->adc_foreign))
        probe_diag(p, DIAG_ADC_COLLISION, OWNER_T0 + thread, e->tag, e->word, 0);
    t->adc_foreign = foreign || (together && t->adc_foreign);
    t->adc_at = t->now + 1;
}

/* The unit starts to be occupied after an idle stretch. */
void coproc_occupy_again(struct coproc *t, unsigned owner, uint64_t now)
{
    struct ledger *l = &t->ledger[owner];
    if (t->busy_to[owner] < now)
        ledger_note(l, t->busy_to[owner], ledger_key(WAIT_IDLE, OWNER_NONE));
    ledger_note(l, now, ledger_key(WAIT_PROGRESS, OWNER_NONE));
}

/* Without time: the thread that uses the Vector Unit sends a word elsewhere. Where that may wait for what is scheduled,
   or let others see it, it is carried out first. */
void coproc_vector_beside(struct coproc *t, unsigned thread, unsigned unit)
{
    if (thread != t->vector.thread)
        return;
    struct vector_io io = coproc_vector_io(t, thread);
    vector_beside(&t->vector, &io, coproc_beside_waits(unit));
}

/* Once per opcode: what the run cannot carry out. */
void coproc_note_op(struct coproc *t, unsigned thread, const struct op *op, const struct entry *e)
{
    struct probe *p = &t->probe;
    unsigned agent = OWNER_T0 + thread;
    t->noted[e->op] = true;
    if (!(op->flags & OP_KNOWN))
        probe_diag(p, DIAG_ILLEGAL_WORD, agent, e->tag, e->word, 0);
    else if (op->unit == TENSIX_UNIT_NONE)
        probe_diag(p, DIAG_EXPANDER_WORD, agent, e->tag, e->word, 0);
    else if (op->flags & OP_UNDESCRIBED)
        probe_diag(p, DIAG_UNDESCRIBED, agent, e->tag, e->word, 0);
    else if (matrix_traits[e->op] & MATRIX_NO_DATA)
        probe_diag(p, DIAG_NO_DATA_EFFECT, agent, e->tag, e->word, 0);
}

void coproc_blame(struct coproc *t, unsigned thread, uint16_t key, unsigned tag)
{
    if (t->blamed[thread].key >> 8 > WAIT_DONE && t->now > t->blamed[thread].since)
        blame_add(&t->blame,
                  OWNER_T0 + thread,
                  t->blamed[thread].tag,
                  t->blamed[thread].key,
                  t->now - t->blamed[thread].since);
    t->blamed[thread].key = key;
    t->blamed[thread].tag = (uint16_t)tag;
    t->blamed[thread].since = t->now;
}

/* A thread stands somewhere else than in the last cycle. */
void coproc_note_change(struct coproc *t, unsigned thread, const struct decision *d)
{
    if (t->blame_on)
        coproc_blame(t, thread, d->key, d->e ? d->e->tag : 0);
    if (!d->e || d->key == KEY_GO)
        return;
    if (d->key >> 8 == WAIT_MUTEX_INVALID)
        probe_diag(&t->probe,
                   DIAG_MUTEX_INVALID,
                   OWNER_T0 + thread,
                   d->e->tag,
                   d->e->word,
                   tensix_ATGETM_decode(d->e->word).mutex_index);
    if (probe_wants(&t->probe, EV_HOLD)) {
        struct event e = {.kind = EV_HOLD,
                          .agent = (uint8_t)(OWNER_T0 + thread),
                          .cause = (uint8_t)(d->key >> 8),
                          .owner = (uint8_t)(d->key & 0xff),
                          .tag = d->e->tag,
                          .word = d->e->word};
        probe_send(&t->probe, &e);
    }
}
