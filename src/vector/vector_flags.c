/*
 * vector_flags.c - the Vector Unit's lane flags and their stack, comparisons, and SFPCONFIG.
 *
 * ISA pages: SFPSETCC, SFPENCC, SFPCOMPC, SFPPUSHC, SFPPOPC, SFPLE, SFPGT, SFPCONFIG (Blackhole). Flags are words with
 * a bit per lane, so most of this is done for all lanes at once.
 *
 * Inaccuracies: undefined acts do the least: a push to a full stack is lost, so are changes of the top of an empty
 * one, and popping that gives (0, 0). ROW_MASK does not concern
 * SFPCONFIG.
 */
#include "probe/probe.h"
#include "vector/vector_in.h"
#include "wait/wait.h"

/* In `lanes`, the bits of b; elsewhere those of a. */
static uint32_t flags_mix(uint32_t a, uint32_t b, uint32_t lanes)
{
    return (a & ~lanes) | (b & lanes);
}

/* The stacks' tops; lanes with empty ones are not in `some`. */
struct flags_top {
    uint32_t flags, use, some;
};

/* All lanes' stacks have the same depth, as always but for lanes that the backdoor caught. */
static bool flags_level(const struct lanes *l)
{
    uint8_t other = 0;
    for (unsigned i = 1; i < LANES; i++)
        other |= l->depth[i] ^ l->depth[0];
    return !other;
}

static struct flags_top flags_peek(const struct lanes *l)
{
    struct flags_top t = {0};
    if (flags_level(l)) {
        unsigned n = l->depth[0];
        if (n)
            t = (struct flags_top){l->stack_flags[n - 1], l->stack_use[n - 1], UINT32_MAX};
        return t;
    }
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t bit = UINT32_C(1) << i, n = l->depth[i];
        if (!n)
            continue;
        t.some |= bit;
        t.flags |= l->stack_flags[n - 1] & bit;
        t.use |= l->stack_use[n - 1] & bit;
    }
    return t;
}

static void flags_poke_at(struct lanes *l, unsigned n, uint32_t flags, uint32_t use, uint32_t lanes)
{
    l->stack_flags[n] = flags_mix(l->stack_flags[n], flags, lanes);
    l->stack_use[n] = flags_mix(l->stack_use[n], use, lanes);
}

/* Replaces the tops in some lanes, none of them with an empty stack. */
static void flags_poke(struct lanes *l, uint32_t flags, uint32_t use, uint32_t lanes)
{
    if (flags_level(l)) {
        if (l->depth[0])
            flags_poke_at(l, l->depth[0] - 1u, flags, use, lanes);
        return;
    }
    for (unsigned i = 0; i < LANES; i++)
        if (lanes >> i & 1)
            flags_poke_at(l, l->depth[i] - 1u, flags, use, UINT32_C(1) << i);
}

static void flags_deeper(struct lanes *l, uint32_t lanes, int by)
{
    for (unsigned i = 0; i < LANES; i++)
        l->depth[i] = (uint8_t)(l->depth[i] + (lanes >> i & 1 ? by : 0));
}

static void flags_undefined(const struct vector_io *io, const struct vector_op *o, uint32_t lanes)
{
    if (lanes)
        vector_play_report(io, o, DIAG_SFP_STACK, lanes);
}

static uint32_t flags_boolean(unsigned op, uint32_t a, uint32_t b)
{
    switch (op) {
    case 1: return b;
    case 2: return ~b;
    case 3: return a & b;
    case 4: return a | b;
    case 5: return a & ~b;
    case 6: return a | ~b;
    case 7: return ~a & b;
    case 8: return ~a | b;
    case 9: return ~(a | b);
    case 10: return ~(a & b);
    case 11: return a ^ b;
    default: return ~(a ^ b);
    }
}

static void flags_push(const struct vector_io *io, const struct vector_op *o)
{
    struct lanes *l = io->lanes;
    uint32_t full = 0;
    for (unsigned i = 0; i < LANES; i++)
        full |= (uint32_t)(l->depth[i] >= LANES_STACK) << i;
    flags_undefined(io, o, full & o->open);
    flags_deeper(l, o->open & ~full, 1);
    flags_poke(l, l->flags, l->use, o->open & ~full);
}

void vector_sfppushc(const struct vector_io *io, const struct vector_op *o)
{
    struct lanes *l = io->lanes;
    unsigned mode = bits_get(o->word, 0, 4);
    if (!mode) {
        flags_push(io, o);
        return;
    }
    struct flags_top t = flags_peek(l);
    flags_undefined(io, o, o->open & ~t.some);
    if (mode == 13)
        l->flags ^= o->open;
    uint32_t use = mode >= 14 ? UINT32_MAX : l->use, flags;
    if (mode <= 12)
        flags = flags_boolean(mode, t.flags, l->flags);
    else if (mode == 13)
        flags = l->flags;
    else
        flags = mode == 14 ? UINT32_MAX : 0;
    flags_poke(l, flags, use, o->open & t.some);
}

void vector_sfppopc(const struct vector_io *io, const struct vector_op *o)
{
    struct lanes *l = io->lanes;
    unsigned mode = bits_get(o->word, 0, 4);
    struct flags_top t = flags_peek(l);
    uint32_t use = t.use, flags = t.flags;
    if (!mode) {
        flags_undefined(io, o, o->open & ~t.some);
        flags_deeper(l, o->open & t.some, -1);
    } else if (mode <= 12) {
        flags = flags_boolean(mode, l->flags, t.flags);
    } else if (mode == 13) {
        flags = ~l->flags;
        use = l->use;
    } else {
        flags = mode == 14 ? UINT32_MAX : 0;
        use = UINT32_MAX;
    }
    l->flags = flags_mix(l->flags, flags, o->open);
    l->use = flags_mix(l->use, use, o->open);
}

/* An empty stack counts as one with everything on. */
void vector_sfpcompc(const struct vector_io *io, const struct vector_op *o)
{
    struct lanes *l = io->lanes;
    struct flags_top t = flags_peek(l);
    uint32_t top_flags = t.flags | ~t.some, top_use = t.use | ~t.some;
    l->flags = flags_mix(l->flags, top_use & l->use & top_flags & ~l->flags, o->open);
}

void vector_sfpencc(const struct vector_io *io, const struct vector_op *o)
{
    struct lanes *l = io->lanes;
    unsigned mode = bits_get(o->word, 0, 4), imm = bits_get(o->word, 12, 2);
    uint32_t use = l->use, flags = UINT32_MAX;
    if (mode & 2)
        use = imm & 1 ? UINT32_MAX : 0;
    else if (mode & 1)
        use = ~use;
    if (mode & 8)
        flags = imm & 2 ? UINT32_MAX : 0;
    l->use = flags_mix(l->use, use, o->open);
    l->flags = flags_mix(l->flags, flags, o->open);
}

/* In a lane that does not use its flag, the flag becomes 0. */
void vector_sfpsetcc(const struct vector_io *io, const struct vector_op *o)
{
    struct lanes *l = io->lanes;
    const uint32_t *c = l->r[o->vc];
    unsigned mode = bits_get(o->word, 0, 4);
    uint32_t t = 0;
    if (mode & 8)
        t = 0;
    else if (mode & 1)
        t = bits_get(o->word, 12, 1) ? UINT32_MAX : 0;
    else if (mode == 0 || mode == 4)
        t = vector_lanes(io)->negative(c) ^ (mode == 4 ? UINT32_MAX : 0);
    else
        t = vector_lanes(io)->zero(c) ^ (mode == 2 ? UINT32_MAX : 0);
    l->flags = flags_mix(l->flags, t & l->use, o->on);
}

/* Is VB > VC? Bit per lane. */
static uint32_t flags_greater(const struct vector_io *io, const struct vector_op *o)
{
    return vector_lanes(io)->greater(io->lanes->r[o->vb], io->lanes->r[o->vc]);
}

/* What SFPLE and SFPGT do with their result. */
static void flags_result(const struct vector_io *io, const struct vector_op *o, uint32_t t)
{
    struct lanes *l = io->lanes;
    unsigned mode = bits_get(o->word, 0, 4);
    if (mode & 8) {
        uint32_t v[LANES];
        for (unsigned i = 0; i < LANES; i++)
            v[i] = 0 - (t >> i & 1);
        vector_write(io, o, o->vd, v);
    }
    if (mode & 1)
        l->flags = flags_mix(l->flags, t, o->on);
    if (mode & 2) { /* enabled or not */
        struct flags_top top = flags_peek(l);
        uint32_t flags = mode & 4 ? top.flags | t : top.flags & t;
        flags_poke(l, flags, top.use, o->open & top.some);
    }
}

void vector_sfple(const struct vector_io *io, const struct vector_op *o)
{
    flags_result(io, o, ~flags_greater(io, o));
}

void vector_sfpgt(const struct vector_io *io, const struct vector_op *o)
{
    flags_result(io, o, flags_greater(io, o));
}

static uint32_t flags_combine(uint32_t old, uint32_t v, unsigned mode)
{
    switch (bits_get(mode, 1, 2)) {
    case 1: return old | v;
    case 2: return old & v;
    case 3: return old ^ v;
    default: return v;
    }
}

/* One lane; v: Imm16 or the column's LReg 0, column: that LReg 0 in any case. */
static void flags_config_lane(const struct vector_io *io, unsigned lane, unsigned vd, unsigned mode,
                              uint32_t v, uint32_t column)
{
    static const uint32_t constant[] = {0xbf800000, 0x37800000, 0xbf2cc4c7, 0xbeb08ff9};
    struct lanes *l = io->lanes;
    struct lanes_macro *m = &l->macro[lane];
    uint32_t old = l->config[lane];
    if (vd < 4) {
        m->template_[vd] = column;
    } else if (vd < 8) {
        m->sequence[vd - 4] = v;
    } else if (vd == 8) {
        m->misc = flags_combine(m->misc, v, mode) & 0xfff;
    } else if (vd >= 11 && vd <= 14) {
        io->out[vd][lane] = mode & 1 ? constant[vd - 11] : column;
    } else if (vd == 15) { /* an immediate does not reach bits 17:16 */
        v = flags_combine(old, v, mode) | (mode & 1 ? old & 0x30000 : 0);
        l->config[lane] = v & 0x3ffff;
    }
}

/* Row 0 speaks for all rows: its LReg 0 and its flags. */
void vector_sfpconfig(const struct vector_io *io, const struct vector_op *o)
{
    struct lanes *l = io->lanes;
    unsigned mode = bits_get(o->word, 0, 4);
    uint32_t imm = bits_get(o->word, 8, 16), columns = ~l->use | l->flags, from[8];
    memcpy(from, l->r[0], sizeof from);
    for (unsigned i = 0; i < LANES; i++) {
        unsigned c = i % 8;
        if ((mode & 8 && !(imm >> 2 * c & 1)) || !(columns >> c & o->open >> i & 1))
            continue;
        flags_config_lane(io, i, o->vd, mode, mode & 1 ? imm : from[c], from[c]);
    }
    if (o->vd == 15)
        lanes_configured(l);
}
