/*
 * gate_matrix.c - Matrix Unit, Src banks and row counters of gate_model. Numbers in comments are
 * rules of docs/timing.md.
 */
#include "isa/tensix.h"
#include "isa/timing.h"
#include "model/gate_units.h"

#define OP(name) TENSIX_OP_##name

/* What an instruction does to Src and Dst. */
struct needs {
    bool src_a, src_b;          /* reads it, so waits for the bank */
    bool reads_dst, writes_dst; /* the block of dst_block() */
    bool flips;                 /* bits 22, 23 */
    int addr_mod;               /* bit of the address modifier field, or -1 */
};

static struct needs needs_of(uint32_t word)
{
    struct needs n = {.addr_mod = -1};
    switch (gm_op(word)) {
    case OP(MVMUL):
    case OP(DOTPV):
    case OP(ELWMUL): return (struct needs){true, true, true, true, true, 14};
    case OP(ELWADD):
    case OP(ELWSUB): return (struct needs){true, true, word >> 21 & 1, true, true, 14};
    case OP(GMPOOL):
    case OP(GAPOOL): return (struct needs){true, true, true, true, true, 15};
    case OP(MOVA2D): return (struct needs){true, false, false, true, false, 14};
    case OP(MOVDBGA2D): return (struct needs){false, false, false, true, false, 14};
    case OP(MOVB2D): return (struct needs){false, true, false, true, false, 14};
    case OP(MOVD2A):
    case OP(MOVD2B): return (struct needs){false, false, true, false, false, 14};
    case OP(MOVB2A): return (struct needs){false, true, false, false, false, 14};
    case OP(SHIFTXB): return (struct needs){false, true, false, false, false, 14};
    case OP(SHIFTXA): n.src_a = true; return n;
    case OP(TRNSPSRCB): n.src_b = true; return n;
    case OP(SETRWC):
    case OP(CLEARDVALID): n.flips = true; return n;
    case OP(ZEROACC): n.addr_mod = gm_field(word, 19, 2) < 2 ? 14 : -1; return n;
    default: return n;
    }
}

/* Moves of TF32 data (format 4), and moves to low halves, write 32-bit rows. */
static bool wide(const struct gate_model *m, uint32_t word)
{
    unsigned op = gm_op(word), side = op == OP(MOVB2D);
    if (op != OP(MOVA2D) && op != OP(MOVDBGA2D) && op != OP(MOVB2D))
        return false;
    return word >> 23 & 1 || m->src[side].format[m->src[side].next_bank] == 4;
}

/* The aligned block of eight physical rows that an instruction addresses. */
static unsigned dst_block(const struct gate_model *m, const struct gm_thread *t, uint32_t word)
{
    uint32_t row =
        gm_field(word, 0, 10) + t->rwc.dst + (t->config[1] & 0xfffu) + m->config6[t->config[0] & 1];
    unsigned block = row % 1024 / 8;
    /* of every sixteen rows the first eight hold high halves; 512 rows come round again */
    return wide(m, word) ? 2 * block % 128 | (block & 64) : block;
}

static bool within(int64_t now, int64_t go, int64_t cycles)
{
    return now > go && now <= go + cycles;
}

/* 4.19 */
bool gm_matrix_reaches_dst(uint32_t word)
{
    struct needs n = needs_of(word);
    return n.reads_dst || n.writes_dst;
}

bool gm_vector_reaches_dst(uint32_t word)
{
    unsigned op = gm_op(word);
    return op == OP(SFPLOAD) || op == OP(SFPSTORE) || op == OP(SFPLOADMACRO);
}

bool gm_vector_waits_for_dst(const struct gate_model *m, unsigned thread)
{
    const struct gm_thread *t = &m->thread[thread];
    return within(m->now, t->matrix_dst, T_DST_AFTER_MATRIX - 1) ||
           within(m->now, t->move_dst, T_DST_AFTER_MOVE - 1);
}

void gm_vector_reached_dst(struct gate_model *m, unsigned thread)
{
    struct gm_thread *t = &m->thread[thread];
    t->vector_dst[1] = t->vector_dst[0];
    m->vector_dst = t->vector_dst[0] = m->now;
}

static bool waits_for_vector(const struct gate_model *m, const struct gm_thread *t)
{
    for (unsigned i = 0; i < 2; i++)
        if (within(m->now, t->vector_dst[i] + 1, T_DST_AFTER_VECTOR - 2))
            return true; /* in the very next cycle it is not seen */
    return false;
}

bool gm_matrix_may_go(const struct gate_model *m, unsigned thread, uint32_t word)
{
    unsigned op = gm_op(word);
    struct needs n = needs_of(word);
    if (within(m->now, m->movd2a_go, T_MOVD2A_WINDOW) && op != OP(MOVD2A) && op != OP(MOVB2A))
        return false;
    if (within(m->now, m->movd2b_go, T_MOVD2B_WINDOW) && op != OP(MOVD2B))
        return false;
    if (within(m->now, m->shiftxb_go, T_SHIFTXB_WINDOW))
        return false;
    bool listed = op == OP(MOVD2A) || op == OP(MOVD2B) || op == OP(ELWMUL) || op == OP(MVMUL) ||
                  op == OP(DOTPV) || op == OP(GMPOOL) || op == OP(GAPOOL);
    if (within(m->now, m->movx2d_go, T_MOVX2D_WINDOW) && listed)
        return false;
    unsigned block = dst_block(m, &m->thread[thread], word);
    if (gm_matrix_reaches_dst(word) && waits_for_vector(m, &m->thread[thread]))
        return false;
    if (n.reads_dst && within(m->now, m->dst_written[block], T_DST_WINDOW))
        return false;
    if (n.src_a && !m->src[0].matrix_owns[m->src[0].next_bank])
        return false;
    if (n.src_b && !m->src[1].matrix_owns[m->src[1].next_bank])
        return false;
    return true;
}

void gm_src_give(struct gate_model *m, unsigned side)
{
    struct gm_src *s = &m->src[side];
    s->matrix_owns[s->unpack_bank] = true;
    s->format[s->unpack_bank] = gm_field(m->unpack_config[72 + 48 * side], 0, 4);
    s->unpack_bank ^= 1;
}

/* 4.11: what is flipped in t is given back at the end of t+1. */
static void flip(struct gate_model *m, unsigned side, bool gives)
{
    struct gm_src *s = &m->src[side];
    unsigned i = 0;
    while (s->flip[i].at)
        i++;
    s->flip[i].at = m->now + T_SRC_RELEASE - 1;
    s->flip[i].gives = gives;
    s->flip[i].bank = s->next_bank;
    s->next_bank ^= 1;
}

void gm_src_clock(struct gate_model *m)
{
    for (unsigned side = 0; side < 2; side++) {
        struct gm_src *s = &m->src[side];
        for (unsigned i = 0; i < 4; i++) {
            if (s->flip[i].at != m->now)
                continue;
            if (s->flip[i].gives)
                s->matrix_owns[s->flip[i].bank] = false;
            s->matrix_bank ^= 1;
            s->flip[i].at = 0;
        }
    }
}

/* Adds to a counter, or to its carriage return value and starts again from there. */
static void step(unsigned *counter, unsigned *cr, unsigned add, bool from_cr, unsigned mask)
{
    if (from_cr) {
        *cr = (*cr + add) & mask;
        *counter = *cr;
    } else {
        *counter = (*counter + add) & mask;
    }
}

void gm_apply_addr_mod(struct gm_thread *t, unsigned index)
{
    struct gm_rwc *r = &t->rwc;
    unsigned ab = t->config[12 + index], dst = t->config[28 + index];
    if (ab >> 7 & 1)
        r->a = r->a_cr = 0;
    else
        step(&r->a, &r->a_cr, ab & 63, ab >> 6 & 1, 63);
    if (ab >> 15 & 1)
        r->b = r->b_cr = 0;
    else
        step(&r->b, &r->b_cr, ab >> 8 & 63, ab >> 14 & 1, 63);
    if (dst >> 11 & 1) {
        r->dst = r->dst_cr = 0;
    } else if (dst >> 12 & 1) {
        r->dst = (r->dst + (dst & 1023)) & 1023;
        r->dst_cr = r->dst;
    } else {
        step(&r->dst, &r->dst_cr, dst & 1023, dst >> 10 & 1, 1023);
    }
}

static void set_rwc(struct gm_rwc *r, uint32_t word)
{
    unsigned mask = gm_field(word, 0, 4), cr = gm_field(word, 18, 4);
    if (mask & 1)
        r->a = r->a_cr = (gm_field(word, 6, 4) + (cr & 1 ? r->a_cr : 0)) & 63;
    if (mask & 2)
        r->b = r->b_cr = (gm_field(word, 10, 4) + (cr & 2 ? r->b_cr : 0)) & 63;
    if (mask & 4 || cr & 8) {
        unsigned from = cr & 8 ? r->dst : cr & 4 ? r->dst_cr : 0;
        r->dst = r->dst_cr = (gm_field(word, 14, 4) + from) & 1023;
    }
}

static void increment_rwc(struct gm_rwc *r, uint32_t word)
{
    step(&r->a, &r->a_cr, gm_field(word, 6, 4), word >> 18 & 1, 63);
    step(&r->b, &r->b_cr, gm_field(word, 10, 4), word >> 19 & 1, 63);
    step(&r->dst, &r->dst_cr, gm_field(word, 14, 4), word >> 20 & 1, 1023);
}

void gm_matrix_go(struct gate_model *m, unsigned thread, uint32_t word)
{
    struct gm_thread *t = &m->thread[thread];
    struct needs n = needs_of(word);
    unsigned op = gm_op(word);
    if (op == OP(MOVD2A) || op == OP(MOVB2A))
        m->movd2a_go = m->now;
    if (op == OP(MOVD2B))
        m->movd2b_go = m->now;
    if (op == OP(SHIFTXB))
        m->shiftxb_go = m->now;
    if (op == OP(MOVA2D) || op == OP(MOVB2D) || op == OP(MOVDBGA2D))
        m->movx2d_go = m->now;
    if (gm_matrix_reaches_dst(word)) {
        t->matrix_dst = t->move_dst = GM_LONG_AGO;
        *(m->movx2d_go == m->now ? &t->move_dst : &t->matrix_dst) = m->now;
        m->matrix_dst = m->now;
    }
    if (n.writes_dst)
        m->dst_written[dst_block(m, t, word)] = m->now;
    for (unsigned side = 0; n.flips && side < 2; side++) {
        bool disabled = op != OP(CLEARDVALID) && (t->config[7] >> side & 1);
        if (word >> (22 + side) & 1)
            flip(m, side, !disabled);
    }
    if (op == OP(SETRWC))
        set_rwc(&t->rwc, word);
    if (op == OP(INCRWC))
        increment_rwc(&t->rwc, word);
    if (n.addr_mod >= 0)
        gm_apply_addr_mod(t, gm_field(word, (unsigned)n.addr_mod, 3));
    if (m->matrix.busy_until < m->now + gm_latency(word))
        m->matrix.busy_until = m->now + gm_latency(word);
    t->matrix_sent = m->now;
}
