/* macro_model.c - see macro_model.h. */
#include "unit/macro_model.h"

#include <string.h>

#include "num/sfpu.h"

static unsigned field(uint32_t word, unsigned low, unsigned n)
{
    return word >> low & ((1u << n) - 1);
}

unsigned model_sub_unit(unsigned op)
{
    switch (op) {
    case 0x70: /* SFPLOAD, SFPLOADI, SFPNOP, SFPLOADMACRO */
    case 0x71:
    case 0x8f:
    case 0x93: return M_LOAD;
    case 0x72: return M_STORE;
    case 0x73: /* SFPLUT, SFPMULI, SFPADDI, SFPMAD, SFPADD, SFPMUL, SFPLUTFP32, SFPMUL24 */
    case 0x74:
    case 0x75:
    case 0x84:
    case 0x85:
    case 0x86:
    case 0x95:
    case 0x98: return M_MAD;
    case 0x8e: /* SFPSTOCHRND, SFPSHFT2 */
    case 0x94: return M_ROUND;
    default: return M_SIMPLE;
    }
}

static bool has_vc(unsigned op)
{
    switch (op) {
    case 0x70:
    case 0x71:
    case 0x72:
    case 0x73:
    case 0x74:
    case 0x75:
    case 0x87:
    case 0x88:
    case 0x8a:
    case 0x8b:
    case 0x8c:
    case 0x8f:
    case 0x91:
    case 0x93:
    case 0x95: return false;
    default: return true;
    }
}

static bool has_vb(unsigned op)
{
    return op == 0x7e || op == 0x7f || (op >= 0x84 && op <= 0x86) || op == 0x8e || op == 0x94 ||
           op == 0x98 || op == 0x99;
}

static struct m_insn parse(uint32_t word)
{
    struct m_insn i = {.word = word, .op = word >> 24};
    bool high = i.op <= 0x73;
    i.vd = field(word, high ? 20 : 4, 4);
    i.vc = has_vc(i.op) ? field(word, 8, 4) : i.vd;
    i.vb = has_vb(i.op) ? field(word, 12, 4) : i.vd;
    i.va = field(word, 16, 4);
    i.mode = field(word, 16, 4);
    return i;
}

/* ---- writes ---- */

/* What comes from outside is later than what is scheduled. */
static unsigned order_of(const struct m_insn *i)
{
    return i->scheduled ? model_sub_unit(i->op) : 8;
}

static void put(struct macro_model *m, const struct m_insn *i, unsigned lane, unsigned reg,
                uint32_t value, unsigned latency)
{
    unsigned order = order_of(i);
    if (reg >= 8 && reg != 16)
        return;
    m->write[m->n_writes++] = (struct m_write){m->now + latency, m->now, lane, reg, order, value};
}

/* Writes that can be read from this cycle on; for one register, those of the latest instruction stay. */
void model_look(struct macro_model *m)
{
    const struct m_write *best[17][32] = {{0}};
    unsigned kept = 0;
    for (unsigned i = 0; i < m->n_writes; i++) {
        const struct m_write *w = &m->write[i], **b = &best[w->reg][w->lane];
        if (w->from > m->now)
            continue;
        if (!*b || w->issue > (*b)->issue || (w->issue == (*b)->issue && w->order >= (*b)->order))
            *b = w;
    }
    for (unsigned reg = 0; reg < 17; reg++)
        for (unsigned l = 0; l < 32; l++)
            if (best[reg][l])
                m->reg[reg][l] = best[reg][l]->value;
    for (unsigned i = 0; i < m->n_writes; i++)
        if (m->write[i].from > m->now)
            m->write[kept++] = m->write[i];
    m->n_writes = kept;
}

/* ---- what instructions do in one lane ---- */

struct m_flags {
    uint32_t flags, use;
};

static void simple(struct macro_model *m, const struct m_insn *i, unsigned l, struct m_flags *f)
{
    uint32_t c = m->reg[i->vc][l], b = m->reg[i->scheduled ? i->vb : i->vd][l], v, bit = 1u << l;
    unsigned mod = i->word & 15;
    int32_t imm = (int32_t)(i->word << 8) >> 20;
    bool on = !(m->use & bit) || m->flags & bit;
    if (i->op == 0x8a) { /* SFPENCC: lanes that are off, too */
        if (mod & 2)
            f->use = field(i->word, 12, 1) ? f->use | bit : f->use & ~bit;
        else if (mod & 1)
            f->use ^= bit;
        bool flag = mod & 8 ? field(i->word, 13, 1) : 1;
        f->flags = flag ? f->flags | bit : f->flags & ~bit;
        return;
    }
    if (!on && !(i->op == 0x7c && mod == 2))
        return;
    switch (i->op) {
    case 0x7c: v = mod & 1 ? c ^ 0x80000000 : c; break;
    case 0x80: v = ~c; break;
    case 0x8d: v = b ^ c; break;
    case 0x7e: v = m->reg[mod & 1 ? i->vb : i->vd][l] & c; break;
    case 0x7f: v = m->reg[mod & 1 ? i->vb : i->vd][l] | c; break;
    case 0x89: v = (c & 0x7fffffff) | (mod & 1 ? field(i->word, 12, 1) : b >> 31) << 31; break;
    case 0x79:
        v = mod & 1 ? c + (uint32_t)imm : mod & 2 ? c - b : c + b;
        if (i->vd < 8) {
            bool flag = mod & 4 ? f->flags >> l & 1 : v >> 31;
            flag ^= mod >> 3 & 1;
            f->flags = flag ? f->flags | bit : f->flags & ~bit;
        }
        break;
    case 0x7a: {
        int32_t n = mod & 1 ? imm : (int32_t)c;
        uint32_t x = mod & 1 && mod & 4 ? c : b;
        if (n >= 0)
            v = x << (n & 31);
        else if (mod & 2)
            v = (uint32_t)((int32_t)x >> ((0u - (uint32_t)n) & 31));
        else
            v = x >> ((0u - (uint32_t)n) & 31);
        break;
    }
    case 0x7b: { /* SFPSETCC */
        bool flag = mod & 8    ? 0
                    : mod & 1  ? field(i->word, 12, 1)
                    : mod == 0 ? c >> 31
                    : mod == 2 ? c != 0
                    : mod == 4 ? !(c >> 31)
                               : c == 0;
        flag = flag && m->use & bit;
        f->flags = flag ? f->flags | bit : f->flags & ~bit;
        return;
    }
    default: return;
    }
    put(m, i, l, i->vd, v, 1);
}

static bool smaller(uint32_t c, uint32_t d)
{
    int64_t x = c >> 31 ? -(int64_t)(c & 0x7fffffff) - 1 : (int64_t)c;
    int64_t y = d >> 31 ? -(int64_t)(d & 0x7fffffff) - 1 : (int64_t)d;
    return x < y;
}

/* First cycle of SFPSWAP. VB, where the page says VD: the same but for what is scheduled. */
static void swap(struct macro_model *m, const struct m_insn *i, unsigned l)
{
    static const uint32_t min[16] = {0,
                                     0xffffffff,
                                     0x0000ffff,
                                     0x00ff00ff,
                                     0xff0000ff,
                                     0x000000ff,
                                     0x0000ff00,
                                     0x00ff0000,
                                     0xff000000};
    unsigned mod = i->word & 15, d = i->scheduled ? i->vb : i->vd;
    bool less = smaller(m->reg[i->vc][l], m->reg[d][l]);
    if (mod && less != (min[mod] >> l & 1))
        return;
    m->swap[m->n_swaps++] = (struct m_swap){m->now + 1, l, i->vc, d};
}

/* Second cycle. */
static void finish_swaps(struct macro_model *m)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < m->n_swaps; i++) {
        struct m_swap s = m->swap[i];
        if (s.at != m->now) {
            m->swap[kept++] = s;
            continue;
        }
        for (unsigned k = 0; k < 2; k++) {
            unsigned to = k ? s.d : s.c, from = k ? s.c : s.d;
            if (to < 8)
                m->write[m->n_writes++] =
                    (struct m_write){m->now + 1, m->now - 1, s.lane, to, 0, m->reg[from][s.lane]};
        }
    }
    m->n_swaps = kept;
}

static void mad(struct macro_model *m, const struct m_insn *i, unsigned l)
{
    unsigned mod = i->word & 15, vd = i->vd;
    uint32_t index = m->reg[7][l] & 15, v;
    uint32_t imm = field(i->word, 8, 16) << 16;
    uint32_t own = m->reg[i->scheduled ? i->vc : i->vd][l] ^ (mod & 2) << 30;
    uint32_t a = m->reg[mod & 4 ? index : i->va][l], b = m->reg[i->vb][l], c = m->reg[i->vc][l];
    switch (i->op) {
    case 0x74: v = num_sfpu_mad(imm, own, 0); break;
    case 0x75: v = num_sfpu_mad(imm, 0x3f800000, own); break;
    case 0x98: v = num_sfpu_mul24_add(num_sfpu_mul24(a, b, mod & 1), c); break;
    default: v = num_sfpu_mad(a, b ^ (mod & 1) << 31, c ^ (mod & 2) << 30); break;
    }
    if (mod & 8 && vd != 16)
        vd = index;
    put(m, i, l, vd, v, 2);
}

static void round_(struct macro_model *m, const struct m_insn *i, unsigned l)
{
    unsigned mod = i->word & 15;
    uint32_t b = m->reg[i->vb][l];
    int32_t n = mod == 6 ? (int32_t)(i->word << 8) >> 20 : (int32_t)m->reg[i->vc][l];
    if (i->op == 0x8e) { /* to BF16, nearest */
        put(m, i, l, i->vd, num_sfpu_shorten(m->reg[i->vc][l], 16, NUM_SFPU_NEAREST), 1);
        return;
    }
    uint32_t left = m->reg[i->vc][l % 8 ? l - 1 : l + 7];
    if (mod <= 2) {
        unsigned t = mod == 2 ? 2 : 1;
        uint32_t last = mod == 0 ? 0 : mod == 1 ? (l < 24 ? m->reg[0][l + 8] : 0) : left;
        put(m, i, l, 0, m->reg[1][l], t);
        put(m, i, l, 1, m->reg[2][l], t);
        put(m, i, l, 2, m->reg[3][l], t);
        put(m, i, l, 3, last, t);
    } else if (mod == 3 || mod == 4) {
        put(m, i, l, i->vd, mod == 4 && l % 8 == 0 ? 0 : left, 2);
    } else if (mod == 5 || mod == 6) {
        put(m, i, l, i->vd, n >= 0 ? b << (n & 31) : b >> ((0u - (uint32_t)n) & 31), 1);
    }
}

static void load(struct macro_model *m, const struct m_insn *i, unsigned l)
{
    unsigned row = (i->address & ~3u) + l / 8, column = 2 * (l % 8) + (i->address >> 1 & 1);
    uint32_t imm = field(i->word, 0, 16);
    if (i->op == 0x71)
        put(m, i, l, i->vd, i->mode == 0 ? imm << 16 : imm, 1);
    else if (i->op != 0x8f)
        put(m, i, l, i->vd, m->dst[row % 512][column], 1);
}

/* FP32 (3) makes zeros of denormals, INT32 (4) does not. */
static void store(struct macro_model *m, const struct m_insn *i, unsigned l)
{
    unsigned row = (i->address & ~3u) + l / 8, column = 2 * (l % 8) + (i->address >> 1 & 1);
    uint32_t v = m->reg[i->vd][l];
    if (i->mode == 3 && !(v & 0x7f800000))
        v &= 0x80000000;
    m->dst[row % 512][column] = v;
}

/* ---- the check of two-cycle results ---- */

static uint32_t bit(unsigned reg)
{
    return 1u << reg;
}

/* What the check believes that an instruction reads: SFPMAD.md. */
static uint32_t believed(uint32_t word)
{
    struct m_insn i = parse(word);
    unsigned mod = word & 15;
    switch (i.op) {
    case 0x70:
    case 0x71:
    case 0x93:
    case 0x8f:
    case 0x8a:
    case 0x91: /* does not realise that SFPCONFIG reads LReg[0] */
    case 0x92: return 0;
    case 0x72: return bit(i.vd);
    case 0x84:
    case 0x85:
    case 0x86:
    case 0x98:
        return bit(i.vb) | bit(i.vc) | (mod & 4 ? 0xffff : bit(i.va)) | (mod & 8 ? bit(7) : 0);
    case 0x74:
    case 0x75: return bit(i.vd) | (mod & 8 ? bit(7) : 0);
    case 0x94:
        switch (mod) {
        case 0: return 0xe;
        case 1: return 0xf;
        case 5: return bit(i.vd) | bit(i.vc);
        case 6: return bit(i.vd);
        default: return 0;
        }
    case 0x79: /* does not realise that SFPIADD and SFPSHFT read VD */
    case 0x7a: return bit(i.vc);
    case 0x7e: /* always VD, never VB */
    case 0x7f:
    case 0x8d: return bit(i.vc) | bit(i.vd);
    case 0x89: return bit(i.vc) | (mod & 1 ? 0 : bit(i.vd));
    default: return bit(i.vc);
    }
}

bool model_may_go(const struct macro_model *m, uint32_t word)
{
    struct m_insn last = parse(m->last_word);
    unsigned mod = m->last_word & 15;
    if (!m->last_went)
        return true;
    if (last.op == 0x92 || (last.op == 0x94 && mod >= 2 && mod <= 4))
        return word >> 24 == 0x8f;
    if (model_sub_unit(last.op) != M_MAD || last.vd >= 12)
        return true;
    uint32_t writes = mod & 8 ? 0xffff : last.vd < 8 ? bit(last.vd) : 0;
    if (word >> 24 != 0x91 && word >> 24 != 0x93 && parse(word).vd >= 12)
        return true; /* not carried out */
    return !(believed(word) & writes);
}

/* ---- a cycle ---- */

static void carry_out(struct macro_model *m, const struct m_insn *i, unsigned l, struct m_flags *f)
{
    bool on = !(m->use >> l & 1) || m->flags >> l & 1;
    unsigned sub = model_sub_unit(i->op);
    if (i->op == 0x8f)
        return;
    if (!i->scheduled && i->op != 0x91 && i->op != 0x93 && i->vd >= 12) { /* backdoor */
        m->config[l].template_[i->vd - 12] = i->word;
        return;
    }
    if (i->op == 0x92) {
        if (on)
            swap(m, i, l);
    } else if (i->op == 0x91) { /* LReg 11-14 from row 0 */
        unsigned c = l % 8;
        if (!(m->use >> c & 1) || m->flags >> c & 1)
            m->write[m->n_writes++] =
                (struct m_write){m->now + 1, m->now, l, i->vd, order_of(i), m->reg[0][c]};
    } else if (sub == M_SIMPLE) {
        simple(m, i, l, f);
    } else if (on && sub == M_MAD) {
        mad(m, i, l);
    } else if (on && sub == M_ROUND) {
        round_(m, i, l);
    } else if (on && sub == M_STORE) {
        store(m, i, l);
    } else if (on) {
        load(m, i, l);
    }
}

/* The rest of SFPLOADMACRO, for one lane. */
static void schedule(struct macro_model *m, uint32_t word, unsigned vd, unsigned address,
                     unsigned l)
{
    const struct m_config *c = &m->config[l];
    unsigned macro = field(word, 22, 2);
    for (unsigned i = 0; i < 4; i++) {
        uint8_t bits = (uint8_t)(c->sequence[macro] >> (i * 8));
        unsigned delay = bits >> 3 & 7, kept = 0;
        struct m_waiting *w = m->waiting[l][i];
        if (!(bits & 7))
            continue; /* before it forgets: see vector_macro.c */
        for (unsigned k = 0; delay != 7 && k < m->n_waiting[l][i]; k++)
            if (w[k].delay != delay)
                w[kept++] = w[k];
        if (delay != 7)
            m->n_waiting[l][i] = kept;
        struct m_insn insn;
        switch (bits & 7) {
        case 2: insn = parse(0x8f000000); break;
        case 3: insn = parse(0x72000000); break;
        default: insn = parse(c->template_[(bits & 7) - 4]); break;
        }
        if (i == M_STORE && insn.op != 0x72)
            continue; /* undefined */
        if (model_sub_unit(insn.op) != i)
            insn = parse(0x8f000000);
        insn.scheduled = true;
        if (i != M_STORE) {
            if (bits & 0x80)
                insn.vb = vd;
            else
                insn.vc = vd;
            insn.vd = bits & 0x40 ? 16 : vd;
        } else {
            insn.vd = bits & 0x40 ? 16 : bits & 0x80 ? insn.vd : vd;
            insn.mode = c->misc >> (4 + macro) & 1 ? field(word, 16, 4) : c->misc & 15;
            insn.address = address;
        }
        w[m->n_waiting[l][i]++] = (struct m_waiting){insn, delay, c->misc >> (8 + i) & 1};
    }
}

/* Counters go down: every cycle, or with every instruction if one counts those. */
static void count_down(struct macro_model *m, bool issued)
{
    bool by_instructions = false;
    for (unsigned l = 0; l < 32; l++)
        for (unsigned i = 0; i < 4; i++)
            for (unsigned k = 0; k < m->n_waiting[l][i]; k++)
                by_instructions |= m->waiting[l][i][k].by_instructions;
    if (by_instructions && !issued)
        return;
    for (unsigned l = 0; l < 32; l++)
        for (unsigned i = 0; i < 4; i++)
            for (unsigned k = 0; k < m->n_waiting[l][i]; k++)
                m->waiting[l][i][k].delay--;
}

/* Carries out what is due in this lane; returns the sub-units, as bits. */
static unsigned run_due(struct macro_model *m, unsigned l, struct m_flags *f)
{
    unsigned subs = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned kept = 0;
        struct m_waiting *w = m->waiting[l][i];
        for (unsigned k = 0; k < m->n_waiting[l][i]; k++) {
            if (w[k].delay) {
                w[kept++] = w[k];
                continue;
            }
            subs |= 1u << i;
            carry_out(m, &w[k].insn, l, f);
        }
        m->n_waiting[l][i] = kept;
    }
    return subs;
}

void model_cycle(struct macro_model *m, uint32_t word)
{
    struct m_insn regular = parse(word);
    struct m_flags f = {m->flags, m->use};
    unsigned sub = model_sub_unit(regular.op), gave_way = 0;
    bool macro = regular.op == 0x93, counts = macro || regular.op == 0x70 || regular.op == 0x72;
    regular.address = (field(word, 0, 10) + m->row) % 1024;
    if (macro)
        regular.vd = field(word, 0, 1) << 2 | field(word, 20, 2);
    model_look(m);
    finish_swaps(m);
    for (unsigned l = 0; l < 32; l++) {
        unsigned subs = run_due(m, l, &f);
        if (!word)
            continue;
        if (sub < M_LOAD && subs >> sub & 1)
            gave_way++;
        else
            carry_out(m, &regular, l, &f);
    }
    m->flags = f.flags;
    m->use = f.use;
    count_down(m, word);
    for (unsigned l = 0; macro && l < 32; l++)
        schedule(m, word, regular.vd, regular.address, l);
    if (word && counts && gave_way < 32 && field(word, 13, 3) == 1) /* address modifier 1 */
        m->row = (m->row + 4) % 1024;
    m->lost += gave_way != 0;
    m->last_word = word;
    m->last_went = word && gave_way < 32;
    m->now++;
}
