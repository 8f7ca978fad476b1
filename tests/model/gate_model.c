/*
 * gate_model.c - see gate_model.h. Numbers in comments are rules of docs/timing.md.
 */
#include "model/gate_model.h"

#include <string.h>

#include "isa/tensix.h"
#include "isa/timing.h"
#include "model/gate_units.h"

#define OP(name) TENSIX_OP_##name

void gm_reset(struct gate_model *m)
{
    struct gm_thread *t = m->thread;
    for (unsigned i = 0; i < 3; i++)
        xm_reset(&t[i].front);
    memset(&m->sem, 0, sizeof *m - ((size_t)((char *)&m->sem - (char *)m)));
    for (unsigned i = 0; i < 3; i++) {
        memset(&t[i].latch, 0, sizeof t[i] - ((size_t)((char *)&t[i].latch - (char *)&t[i])));
        t[i].unpacr_go = GM_LONG_AGO;
        t[i].matrix_sent = t[i].vector_sent = GM_LONG_AGO;
        m->last_entry[i] = -1;
    }
    for (unsigned i = 0; i < 5; i++)
        m->mutex[i] = m->last_mutex[i] = -1;
    m->last_sync = m->last_unpack = m->last_matrix = m->last_pack = -1;
    m->last_vector = m->last_scalar = m->last_mover = m->scalar_thread = -1;
    m->stage_thread = -1;
    m->movd2a_go = m->movd2b_go = m->shiftxb_go = m->movx2d_go = GM_LONG_AGO;
    m->unpacr_go = m->swap_go = m->mad_go = GM_LONG_AGO;
    for (unsigned i = 0; i < 128; i++)
        m->dst_written[i] = GM_LONG_AGO;
    for (unsigned i = 0; i < 16; i++)
        m->gpr_write[i].at = GM_LONG_AGO;
    m->now = 1; /* cycle numbers only need to be ordered; 0 marks an unused flip */
}

/* ---- ports ---- */

void gm_sem_write(struct gate_model *m, unsigned core, unsigned sem, uint32_t value)
{
    m->core_sem[core] = true;
    m->core_sem_index[core] = sem;
    m->core_sem_value[core] = value;
}

static bool mmio(struct gate_model *m, unsigned core, struct gm_mmio access)
{
    if (m->mmio[core].pending)
        return false;
    access.pending = true;
    access.made = m->now;
    m->mmio[core] = access;
    return true;
}

bool gm_gpr_write(struct gate_model *m, unsigned core, unsigned reg, uint32_t value)
{
    struct gm_mmio a = {.index = reg, .value = value};
    return mmio(m, core, a);
}

bool gm_config_write(struct gate_model *m, unsigned core, unsigned bank, unsigned word,
                     uint32_t value)
{
    struct gm_mmio a = {.to_config = true, .bank = bank, .index = word, .value = value};
    return mmio(m, core, a);
}

/* ---- the latch ---- */

/* 3.7: does condition c still ask thread i to wait? */
static bool condition(const struct gate_model *m, unsigned i, unsigned c)
{
    const struct gm_thread *t = &m->thread[i];
    const struct gm_src *a = &m->src[0], *b = &m->src[1];
    switch (c) {
    case 0: return gm_scalar_busy(m, i);
    case 1: return gm_unpack_busy(m, 0, i);
    case 2: return gm_unpack_busy(m, 1, i);
    case 3: return m->now < t->pack_until;
    case 4: return gm_pipe_busy(m, &m->matrix) && t->matrix_sent >= m->matrix.last_empty;
    case 5: return a->matrix_owns[a->unpack_bank];
    case 6: return b->matrix_owns[b->unpack_bank];
    case 7: return !a->matrix_owns[a->matrix_bank];
    case 8: return !b->matrix_owns[b->matrix_bank];
    case 9: return m->now < m->mover_until || (m->now == m->mover_until && m->mover_asked);
    case 10: return m->mmio[i].pending && m->now > m->mmio[i].made;
    case 11: return gm_pipe_busy(m, &m->vector) && t->vector_sent >= m->vector.last_empty;
    case 12: return gm_config_occupied(m);
    default: return false;
    }
}

static bool latch_waits(const struct gate_model *m, unsigned i)
{
    const struct gm_latch *l = &m->thread[i].latch;
    bool waits = false;
    for (unsigned c = 0; c < 13 && !l->on_semaphores; c++)
        if (l->cond >> c & 1)
            waits |= condition(m, i, c);
    for (unsigned s = 0; s < 8 && l->on_semaphores; s++) {
        if (!(l->sems >> s & 1))
            continue;
        waits |= (l->sem_cond & 1) && m->sem[s].value == 0;
        waits |= (l->sem_cond & 2) && m->sem[s].value >= m->sem[s].max;
    }
    return waits;
}

static bool caught(const struct gm_latch *l, enum gm_unit unit, unsigned block)
{
    if (!l->set)
        return false;
    if (unit == GM_NOTHING)
        return l->block == 0x1ff; /* 3.3 */
    return (l->block & block) != 0;
}

static void set_latch(struct gm_latch *l, uint32_t word)
{
    memset(l, 0, sizeof *l);
    l->set = true;
    l->block = gm_field(word, 15, 9) ? gm_field(word, 15, 9) : 1u << 6;
    if (gm_op(word) == OP(STALLWAIT)) {
        l->cond = gm_field(word, 0, 13) ? gm_field(word, 0, 13) : 0x0f;
    } else if (gm_op(word) == OP(SEMWAIT)) {
        l->sem_cond = gm_field(word, 0, 2);
        l->on_semaphores = l->sem_cond != 0;
        l->sems = gm_field(word, 2, 8);
        l->cond = 0x0f; /* 3.4, used if sem_cond is 0 */
    }                   /* STREAMWAIT: the tests only wait for what is already there */
}

/* ---- may it go? ---- */

/* Registers that the check of two-cycle results sees in the words that gate_program.c makes. */
static unsigned gm_vector_reads(uint32_t word)
{
    unsigned op = gm_op(word), mode = gm_field(word, 0, 4);
    if (op == OP(SFPSHFT2))
        return mode == 0 ? 0xe : mode == 1 ? 0xf : mode >= 5 ? 1 : 0;
    return op == OP(SFPMAD) || op == OP(SFPMUL) || op == OP(SFPMOV) || op == OP(SFPSTORE);
}

/* Everything but arbitration and CFGSHIFTMASK's look at stage -1. */
static bool may_go(const struct gate_model *m, unsigned i, uint32_t word, enum gm_unit unit)
{
    const struct gm_thread *t = &m->thread[i];
    unsigned op = gm_op(word), index;
    if (unit != GM_SCALAR && gm_scalar_holds(m, i))
        return false;
    if (m->now == t->unpacr_go + 1)
        return false; /* 4.12 */
    switch (unit) {
    case GM_MUTEX:
        index = gm_field(word, 0, 16);
        if (index == 1 || index > 4)
            return false;
        return op == OP(ATRELM) || m->mutex[index] < 0 || m->mutex[index] == (int)i;
    case GM_UNPACK: return gm_unpack_may_go(m, word);
    case GM_MATRIX: return gm_matrix_may_go(m, i, word);
    case GM_PACK: return gm_pack_may_go(m, word);
    case GM_VECTOR:
        if (m->now == m->mad_go + 1 && gm_vector_reads(word) >> m->mad_vd & 1)
            return false; /* 4.15 */
        return m->now > m->swap_go + T_SFPSWAP_WINDOW || op == OP(SFPNOP);
    case GM_SCALAR: return gm_scalar_free(m, i);
    case GM_CONFIG: return gm_config_may_enter(m, gm_config_entry(word));
    case GM_MOVER: return m->now >= m->mover_until;
    default: return true;
    }
}

struct request {
    bool wants;
    uint32_t word;
    enum gm_unit unit;
};

/* The port an instruction asks for, as the place where the one served last is noted. */
static int *port_of(struct gate_model *m, const struct request *r)
{
    switch (r->unit) {
    case GM_WAIT:
    case GM_SEM: return &m->last_sync;
    case GM_MUTEX: return &m->last_mutex[gm_field(r->word, 0, 16)];
    case GM_UNPACK: return &m->last_unpack;
    case GM_MATRIX: return &m->last_matrix;
    case GM_PACK: return &m->last_pack;
    case GM_VECTOR: return &m->last_vector;
    case GM_SCALAR: return &m->last_scalar;
    case GM_MOVER: return &m->last_mover;
    case GM_CONFIG: return &m->last_entry[gm_config_entry(r->word)];
    default: return NULL; /* any number per cycle */
    }
}

/* 3.6. Requesters 0..2 are the threads, 3..5 the cores' window writes. */
static void arbitrate(struct gate_model *m, const struct request r[3], bool granted[6])
{
    int *port[6] = {NULL};
    for (unsigned i = 0; i < 3; i++) {
        port[i] = r[i].wants ? port_of(m, &r[i]) : NULL;
        granted[i] = r[i].wants && !port[i];
        port[3 + i] = m->core_sem[i] ? &m->last_sync : NULL;
        granted[3 + i] = false;
    }
    for (unsigned i = 0; i < 6; i++) {
        int *p = port[i];
        if (!p)
            continue;
        int k = *p; /* the first requester of this port after the one served last */
        do
            k = (k + 1) % 6;
        while (port[k] != p);
        granted[k] = true;
        *p = k;
        for (unsigned j = 0; j < 6; j++)
            port[j] = port[j] == p ? NULL : port[j];
    }
}

/* ---- it goes ---- */

static void semaphores_go(struct gate_model *m, uint32_t word)
{
    for (unsigned s = 0; s < 8; s++) {
        if (!(word >> (2 + s) & 1))
            continue;
        if (gm_op(word) == OP(SEMINIT)) {
            m->sem[s].value = gm_field(word, 16, 4);
            m->sem[s].max = gm_field(word, 20, 4);
        } else if (gm_op(word) == OP(SEMPOST)) {
            m->sem[s].value += m->sem[s].value < 15;
        } else {
            m->sem[s].value -= m->sem[s].value > 0;
        }
    }
}

static void mutex_go(struct gate_model *m, unsigned thread, uint32_t word)
{
    int *holder = &m->mutex[gm_field(word, 0, 16)];
    if (gm_op(word) == OP(ATGETM))
        *holder = (int)thread;
    else if (*holder == (int)thread)
        *holder = -1;
}

static void vector_go(struct gate_model *m, unsigned i, uint32_t word)
{
    unsigned op = gm_op(word), mode = gm_field(word, 0, 4);
    if (op == OP(SFPSWAP) || (op == OP(SFPSHFT2) && mode >= 2 && mode <= 4))
        m->swap_go = m->now;
    if (op == OP(SFPMAD) || op == OP(SFPMUL)) {
        m->mad_go = m->now;
        m->mad_vd = gm_field(word, 4, 4);
    }
    if (op == OP(SFPLOAD) || op == OP(SFPSTORE) || op == OP(SFPLOADMACRO))
        gm_apply_addr_mod(&m->thread[i], gm_field(word, 13, 3));
    if (m->vector.busy_until < m->now + gm_latency(word))
        m->vector.busy_until = m->now + gm_latency(word);
    m->thread[i].vector_sent = m->now;
}

/* What happens at the end of the cycle because this went. */
static void go(struct gate_model *m, unsigned i, const struct request *r)
{
    struct gm_thread *t = &m->thread[i];
    uint32_t word = r->word;
    switch (r->unit) {
    case GM_WAIT: set_latch(&t->latch, word); break;
    case GM_SEM: semaphores_go(m, word); break;
    case GM_MUTEX: mutex_go(m, i, word); break;
    case GM_UNPACK: gm_unpack_go(m, i, word); break;
    case GM_MATRIX: gm_matrix_go(m, i, word); break;
    case GM_VECTOR: vector_go(m, i, word); break;
    case GM_SCALAR: gm_scalar_go(m, i, word); break;
    case GM_CONFIG: gm_config_go(m, i, word); break;
    case GM_SETC16: t->config[gm_field(word, 16, 8)] = (uint16_t)(word & 0xffff); break;
    case GM_MOVER: m->mover_until = m->now + gm_latency(word); break;
    case GM_PACK: gm_pack_go(m, i, word); break;
    case GM_MISC:
        gm_adc_go(t, word);
        if (gm_op(word) == OP(SETADCXX) && word >> 23 & 1)
            t->pack_last = gm_field(word, 10, 10);
        for (unsigned side = 0; gm_op(word) == OP(SETDVALID) && side < 2; side++)
            if (word >> side & 1)
                gm_src_give(m, side);
        break;
    default: break;
    }
    m->went[i] = true;
    m->word[i] = word;
    xm_pop(&t->front);
}

/* ---- a cycle ---- */

static void ask(struct gate_model *m, struct request r[3])
{
    bool enters_at_minus_1 = false;
    for (unsigned i = 0; i < 3; i++) {
        struct gm_thread *t = &m->thread[i];
        unsigned block;
        memset(&r[i], 0, sizeof r[i]);
        if (!xm_head(&t->front, &r[i].word))
            continue;
        if (!gm_lookup(gm_op(r[i].word), &r[i].unit, &block)) { /* 2.17 */
            r[i].unit = GM_NOTHING;
            block = 0;
        }
        r[i].wants = !caught(&t->latch, r[i].unit, block) && may_go(m, i, r[i].word, r[i].unit);
        enters_at_minus_1 |= r[i].wants && gm_op(r[i].word) == OP(WRCFG);
    }
    for (unsigned i = 0; i < 3; i++) /* 4.5 */
        if (enters_at_minus_1 && gm_op(r[i].word) == OP(CFGSHIFTMASK))
            r[i].wants = false;
}

static void window_writes(struct gate_model *m, const bool granted[3])
{
    for (unsigned c = 0; c < 3; c++) {
        m->core_sem_taken[c] = granted[c];
        m->core_sem[c] = false;
        unsigned *value = &m->sem[m->core_sem_index[c]].value;
        if (granted[c] && m->core_sem_value[c] & 1)
            *value -= *value > 0;
        else if (granted[c])
            *value += *value < 15;
    }
}

void gm_step(struct gate_model *m)
{
    struct request r[3];
    bool granted[6], met[3];
    if (!gm_pipe_busy(m, &m->matrix))
        m->matrix.last_empty = m->now;
    if (!gm_pipe_busy(m, &m->vector))
        m->vector.last_empty = m->now;
    gm_scalar_resolve_flush(m);
    gm_unpack_start(m);
    ask(m, r);
    m->mover_asked = false;
    for (unsigned i = 0; i < 3; i++)
        m->mover_asked |= r[i].wants && r[i].unit == GM_MOVER;
    bool stage_0_open = gm_config_may_enter(m, 2);
    for (unsigned i = 0; i < 3; i++) {
        met[i] = m->thread[i].latch.set && !latch_waits(m, i);
        m->went[i] = false;
        stage_0_open &= !(r[i].wants && r[i].unit == GM_CONFIG && gm_config_entry(r[i].word) == 2);
    }
    arbitrate(m, r, granted);
    for (unsigned i = 0; i < 3; i++)
        if (met[i])
            m->thread[i].latch.set = false;
    gm_unpack_clock(m); /* before what goes now can change a bank's pointer */
    for (unsigned i = 0; i < 3; i++)
        if (granted[i])
            go(m, i, &r[i]);
    window_writes(m, &granted[3]);
    gm_src_clock(m);
    gm_config_clock(m, stage_0_open);
    gm_scalar_clock(m);
    for (unsigned i = 0; i < 3; i++)
        xm_clock(&m->thread[i].front);
    m->now++;
}
