/*
 * gate_units.c - see gate_units.h. Numbers in comments are rules of docs/timing.md.
 */
#include "model/gate_units.h"

#include <string.h>

#include "isa/tensix.h"
#include "isa/timing.h"

#define OP(name) TENSIX_OP_##name

int64_t gm_issue(uint32_t word)
{
    return tensix_table[gm_op(word)].issue.typ;
}

int64_t gm_latency(uint32_t word)
{
    return tensix_table[gm_op(word)].latency.typ;
}

bool gm_pipe_busy(const struct gate_model *m, const struct gm_pipe *p)
{
    return m->now < p->busy_until;
}

/* ---- Scalar Unit ---- */

/* Cycles of execution, 4.7. */
static int64_t scalar_cycles(uint32_t word)
{
    unsigned op = gm_op(word);
    bool arithmetic = op == OP(ADDDMAREG) || op == OP(SUBDMAREG) || op == OP(MULDMAREG) ||
                      op == OP(BITWOPDMAREG) || op == OP(SHIFTDMAREG) || op == OP(CMPDMAREG);
    if (!arithmetic)
        return gm_issue(word);
    bool immediate = word >> 23 & 1;
    return !immediate && gm_field(word, 0, 6) / 4 != gm_field(word, 6, 6) / 4 ? 4 : 3;
}

/* This cycle is the last of what executes, or nothing does. */
static bool scalar_ends(const struct gate_model *m)
{
    return m->scalar_thread < 0 || (!m->flushing && m->now >= m->scalar_s + m->scalar_n);
}

/* 4.8: the stage is empty, and what executes ends now or is another thread's. */
bool gm_scalar_free(const struct gate_model *m, unsigned thread)
{
    return m->stage_thread < 0 && (scalar_ends(m) || m->scalar_thread != (int)thread);
}

static bool executes_for(const struct gate_model *m, unsigned thread)
{
    return m->scalar_thread == (int)thread && (m->flushing || m->now <= m->scalar_s + m->scalar_n);
}

bool gm_scalar_holds(const struct gate_model *m, unsigned thread)
{
    return executes_for(m, thread) && m->now >= m->scalar_s + 2;
}

bool gm_scalar_busy(const struct gate_model *m, unsigned thread)
{
    return executes_for(m, thread) || m->stage_thread == (int)thread ||
           m->now < m->thread[thread].memory_until;
}

/* 4.9: FLUSHDMA ends in the first cycle >= s+2 in which its conditions are met. */
void gm_scalar_resolve_flush(struct gate_model *m)
{
    if (!m->flushing || m->now < m->scalar_s + 2)
        return;
    unsigned i = (unsigned)m->scalar_thread;
    const struct gm_thread *t = &m->thread[i];
    bool waits = (m->flush_mask & 1 && m->now < t->memory_until) ||
                 (m->flush_mask & 2 && gm_unpack_busy(m, 0, i)) ||
                 (m->flush_mask & 4 && gm_unpack_busy(m, 1, i)) ||
                 (m->flush_mask & 8 && m->now < t->pack_until);
    if (waits)
        return;
    m->flushing = false;
    m->scalar_n = m->now - m->scalar_s;
}

static void write_gpr_later(struct gate_model *m, struct gm_gpr_write w)
{
    for (unsigned i = 0; i < 16; i++) {
        if (m->gpr_write[i].at >= m->now)
            continue;
        m->gpr_write[i] = w;
        return;
    }
}

bool gm_scalar_writes_gpr(const struct gate_model *m)
{
    for (unsigned i = 0; i < 16; i++)
        if (m->gpr_write[i].at == m->now)
            return true;
    return false;
}

void gm_scalar_go(struct gate_model *m, unsigned thread, uint32_t word)
{
    m->stage_thread = (int)thread;
    m->stage_word = word;
}

/* 4.8: what is in the stage starts to execute behind this cycle, s. */
void gm_scalar_clock(struct gate_model *m)
{
    if (m->stage_thread < 0 || !scalar_ends(m))
        return;
    uint32_t word = m->stage_word;
    struct gm_thread *t = &m->thread[m->stage_thread];
    unsigned op = gm_op(word);
    m->scalar_thread = m->stage_thread;
    m->stage_thread = -1;
    m->scalar_s = m->now;
    m->scalar_n = scalar_cycles(word);
    m->flushing = op == OP(FLUSHDMA);
    m->flush_mask = gm_field(word, 0, 4) ? gm_field(word, 0, 4) : 15;
    bool load = op == OP(LOADIND) || op == OP(LOADREG) || op == OP(ATINCGET);
    bool memory = load || op == OP(STOREIND) || op == OP(STOREREG) || op == OP(ATSWAP) ||
                  op == OP(ATCAS) || op == OP(ATINCGETPTR);
    if (memory && t->memory_until < m->now + gm_latency(word))
        t->memory_until = m->now + gm_latency(word);
    bool computes = m->scalar_n >= 3 && !memory && op != OP(FLUSHDMA);
    struct gm_gpr_write w = {.at = m->now + m->scalar_n, .thread = (unsigned)m->scalar_thread};
    if (op == OP(SETDMAREG)) {
        w.known = true;
        w.half = gm_field(word, 0, 7);
        w.value = gm_field(word, 8, 16);
        write_gpr_later(m, w);
    } else if (computes) {
        write_gpr_later(m, w); /* 4.5: the late results of loads do not take the port */
    }
}

/* ---- Config pipe ---- */

unsigned gm_config_entry(uint32_t word)
{
    unsigned op = gm_op(word);
    return op == OP(STREAMWRCFG) ? 0 : op == OP(WRCFG) ? 1 : 2;
}

static bool stage_used(const struct gate_model *m, int stage)
{
    for (unsigned i = 0; i < GM_CONFIG_SLOTS; i++)
        if (m->pipe[i].used && m->pipe[i].stage == stage)
            return true;
    return false;
}

/* The pipe already stands as it will in this cycle. */
bool gm_config_may_enter(const struct gate_model *m, unsigned entry)
{
    static const int stages[] = {-4, -1, 0};
    int e = stages[entry];
    if (stage_used(m, e))
        return false;
    for (int s = -3; s < e; s++)
        if (stage_used(m, s))
            return false;
    return true;
}

bool gm_config_occupied(const struct gate_model *m)
{
    for (unsigned i = 0; i < GM_CONFIG_SLOTS; i++)
        if (m->pipe[i].used)
            return true;
    return false;
}

static void write_word6(struct gate_model *m, unsigned bank, uint32_t value)
{
    m->config6[bank] = value;
}

void gm_config_go(struct gate_model *m, unsigned thread, uint32_t word)
{
    static const int stages[] = {-4, -1, 0};
    struct gm_thread *t = &m->thread[thread];
    unsigned slot = 0;
    while (m->pipe[slot].used && slot < GM_CONFIG_SLOTS - 1)
        slot++;
    struct gm_config *c = &m->pipe[slot];
    memset(c, 0, sizeof *c);
    c->used = true;
    c->thread = thread;
    c->word = word;
    c->op = gm_op(word);
    c->bank = t->config[0] & 1;
    c->stage = stages[gm_config_entry(word)];
    c->go = m->now;
    if (c->op == OP(WRCFG))
        c->value = t->gpr[gm_field(word, 16, 6)];
    if (c->op == OP(RDCFG))
        c->value = m->config6[c->bank];
}

/* An instruction leaves stage 0 or +1 at the end of this cycle. */
static void config_effect(struct gate_model *m, const struct gm_config *c)
{
    bool base = gm_field(c->word, 0, 11) == 6;
    if (c->op == OP(WRCFG) && base)
        write_word6(m, c->bank, c->value);
    if (c->op == OP(RDCFG) && base)
        m->thread[c->thread].gpr[gm_field(c->word, 16, 6)] = c->value;
    if (c->op >= OP(RMWCIB0) && c->op <= OP(RMWCIB3) && gm_field(c->word, 0, 8) == 6) {
        unsigned shift = 8 * (c->op - OP(RMWCIB0));
        uint32_t mask = (uint32_t)gm_field(c->word, 16, 8) << shift;
        uint32_t data = (uint32_t)gm_field(c->word, 8, 8) << shift;
        write_word6(m, c->bank, (m->config6[c->bank] & ~mask) | (data & mask));
    }
}

static void config_advance(struct gate_model *m, struct gm_config *c, bool gpr_port_taken)
{
    if (c->stage == 1 && gpr_port_taken)
        return;
    if (c->stage == 0 && c->op == OP(CFGSHIFTMASK) && !c->second) {
        c->second = true;
        return;
    }
    bool leaves = c->stage == 1 || (c->stage == 0 && c->op != OP(RDCFG));
    if (leaves) {
        config_effect(m, c);
        c->used = false;
    } else if (!stage_used(m, c->stage + 1)) {
        c->stage++;
    }
}

/* 5.2: a core's access enters stage 0, or reaches the GPRs. */
static void mmio_clock(struct gate_model *m, bool stage_0_open)
{
    for (unsigned i = 0; i < 3; i++) {
        struct gm_mmio *a = &m->mmio[i];
        if (!a->pending || m->now < a->made + T_RISC_MMIO_TRAVEL)
            continue;
        if (a->to_config && !stage_0_open)
            continue;
        if (!a->to_config)
            m->thread[i].gpr[a->index] = a->value;
        for (unsigned b = 0; a->to_config && a->index == 6 && b < 2; b++)
            if (a->bank == b || a->bank == 2)
                write_word6(m, b, a->value);
        a->pending = false;
    }
}

static void write_half(uint32_t *gpr, const struct gm_gpr_write *w)
{
    unsigned shift = w->half % 2 ? 16 : 0;
    *gpr = (*gpr & ~(UINT32_C(0xffff) << shift)) | w->value << shift;
}

void gm_config_clock(struct gate_model *m, bool stage_0_open)
{
    bool taken = gm_scalar_writes_gpr(m);
    mmio_clock(m, stage_0_open);
    for (int stage = 1; stage >= -4; stage--) {
        struct gm_config *c = NULL;
        for (unsigned i = 0; i < GM_CONFIG_SLOTS; i++)
            if (m->pipe[i].used && m->pipe[i].stage == stage)
                c = &m->pipe[i];
        if (c)
            config_advance(m, c, taken);
    }
    for (unsigned i = 0; i < 16; i++) {
        const struct gm_gpr_write *w = &m->gpr_write[i];
        if (w->at != m->now || !w->known)
            continue;
        write_half(&m->thread[w->thread].gpr[w->half / 2], w);
        for (unsigned k = 0; k < GM_CONFIG_SLOTS; k++) /* 4.5: a WRCFG that goes now gets it */
            if (m->pipe[k].used && m->pipe[k].op == OP(WRCFG) && m->pipe[k].go == m->now &&
                m->pipe[k].thread == w->thread && gm_field(m->pipe[k].word, 16, 6) == w->half / 2)
                write_half(&m->pipe[k].value, w);
    }
}

/* ---- Unpackers ---- */

bool gm_unpack_may_go(const struct gate_model *m, uint32_t word)
{
    return m->now != m->unpacr_go + 1 && m->n_inside[word >> 23 & 1] < T_UNPACK_DEPTH;
}

bool gm_unpack_busy(const struct gate_model *m, unsigned unpacker, unsigned thread)
{
    for (unsigned i = 0; i < m->n_inside[unpacker]; i++)
        if (m->inside[unpacker][i].thread == thread)
            return true;
    return false;
}

void gm_adc_go(struct gm_thread *t, uint32_t word)
{
    for (unsigned u = 0; u < 2; u++) {
        uint32_t *x = t->x[u];
        if (!gm_field(word, 21 + u, 1))
            continue;
        switch (gm_op(word)) {
        case OP(SETADCXX):
            x[0] = gm_field(word, 0, 10);
            x[1] = gm_field(word, 10, 10);
            break;
        case OP(SETADC):
            if (gm_field(word, 18, 2) == 0)
                x[gm_field(word, 20, 1)] = gm_field(word, 0, 16);
            break;
        case OP(SETADCXY):
            if (gm_field(word, 0, 1))
                x[0] = gm_field(word, 6, 3);
            if (gm_field(word, 2, 1))
                x[1] = gm_field(word, 12, 3);
            break;
        case OP(INCADCXY):
            x[0] += gm_field(word, 6, 3);
            x[1] += gm_field(word, 12, 3);
            break;
        default: break;
        }
    }
}

/* Bits of a datum of each format code. */
static const uint32_t datum_bits[16] = {32, 16, 8, 4, 32, 16, 8, 4, 32, 16, 8, 2, 32, 16, 8, 2};

/* 4.12: bytes that are wanted per cycle. The rules that come later in the text win. */
static uint32_t wanted(const uint32_t *config, unsigned u)
{
    uint32_t bits = datum_bits[gm_field(config[64 + 48 * u], 0, 4)];
    bool compressed = !gm_field(config[64 + 48 * u], 4, 1);
    uint32_t mode = config[72 + 48 * u], up = gm_field(mode, 12, 2);
    bool to_dst = u == 0 && gm_field(mode, 11, 1);
    if (bits == 2 || compressed || up > 1)
        return 16;
    if (gm_field(mode, 9, 1)) /* tilizes */
        return bits >= 16 ? 128 : 64;
    uint32_t rate;
    if (!gm_field(config[70], 3, 1))
        rate = bits == 4 ? 64 : 128;
    else if (gm_field(mode, 4, 2) == 2 && bits >= 16)
        rate = 128;
    else
        rate = 16u << gm_field(mode, 4, 2);
    if ((up == 1 || (bits == 4 && to_dst)) && rate > 32)
        return 32;
    return rate;
}

void gm_unpack_start(struct gate_model *m)
{
    for (unsigned u = 0; u < 2; u++) {
        struct gm_unpack *i = &m->inside[u][0];
        const struct gm_src *s = &m->src[u];
        bool nop = gm_op(i->word) == OP(UNPACR_NOP);
        if (!m->n_inside[u] || i->start >= 0 ||
            m->now < i->go + (nop ? 1 : gm_issue(i->word) + T_UNPACK_PIPE))
            continue;
        bool wait_for_own = !nop || (gm_field(i->word, 0, 2) == 1 && (i->word >> 5 & 1));
        bool wait_for_other = nop && gm_field(i->word, 0, 2) == 1 && !(i->word >> 5 & 1);
        if (wait_for_own && s->matrix_owns[s->unpack_bank])
            continue;
        if (wait_for_other && s->matrix_owns[s->matrix_bank])
            continue;
        i->start = m->now;
    }
}

static bool fetches(const struct gate_model *m, unsigned u)
{
    const struct gm_unpack *i = &m->inside[u][0];
    return m->n_inside[u] && i->start >= 0 && gm_op(i->word) == OP(UNPACR);
}

void gm_unpack_clock(struct gate_model *m)
{
    bool shared =
        fetches(m, 0) && fetches(m, 1) && m->inside[0][0].rate > 16 && m->inside[1][0].rate > 16;
    for (unsigned u = 0; u < 2; u++) {
        struct gm_unpack *i = &m->inside[u][0];
        if (!m->n_inside[u] || i->start < 0)
            continue;
        uint32_t rate = shared ? i->rate / 2 : i->rate;
        if (gm_op(i->word) == OP(UNPACR) && i->bytes > rate) {
            i->bytes -= rate;
            continue;
        }
        bool nop = gm_op(i->word) == OP(UNPACR_NOP);
        if (nop ? gm_field(i->word, 8, 1) != 0 : gm_field(i->word, 6, 1) != 0)
            gm_src_give(m, u);
        m->n_inside[u]--;
        memmove(&m->inside[u][0], &m->inside[u][1], m->n_inside[u] * sizeof *i);
    }
}

void gm_unpack_go(struct gate_model *m, unsigned thread, uint32_t word)
{
    unsigned u = word >> 23 & 1;
    if (gm_op(word) == OP(UNPACR)) {
        m->unpacr_go = m->now;
        m->thread[thread].unpacr_go = m->now;
    }
    const uint32_t *x = m->thread[thread].x[u];
    uint32_t bits = datum_bits[gm_field(m->unpack_config[64 + 48 * u], 0, 4)];
    uint32_t datums = x[1] + 1 > x[0] ? x[1] + 1 - x[0] : 0;
    struct gm_unpack i = {.thread = thread,
                          .word = word,
                          .go = m->now,
                          .start = -1,
                          .bytes = (datums * bits + 7) / 8,
                          .rate = wanted(m->unpack_config, u)};
    m->inside[u][m->n_inside[u]++] = i;
}

/* ---- packer ---- */

/* 4.13. The programs leave the packer's configuration alone: it reads rows 0 to 3 of 16 bits, and its
   datums have four bytes. */
bool gm_pack_may_go(const struct gate_model *m, uint32_t word)
{
    if (m->now < m->pack_free)
        return false;
    return gm_op(word) != OP(PACR) || m->now > m->dst_written[0] + T_DST_WINDOW;
}

void gm_pack_go(struct gate_model *m, unsigned thread, uint32_t word)
{
    struct gm_thread *t = &m->thread[thread];
    int64_t rows = gm_op(word) == OP(PACR) && 4 * (t->pack_last + 1) > T_PACK_BYTES ? 2 : 1;
    m->pack_free = m->now + rows;
    if (t->pack_until < m->now + rows + T_PACK_PIPE)
        t->pack_until = m->now + rows + T_PACK_PIPE;
}
