/*
 * rvcore_vec.c - vector instructions of core T2: vset*, loads, stores, and who does the rest.
 *
 * Block: EX1 to EX3 and the Load/Store Unit of T2. ISA page: BabyRISCV/InstructionSet (V).
 * VLEN is 128, elements have at most 32 bits, tail and masked-off elements keep their value.
 *
 * Memory is reached element by element. When the bus blocks, the elements before are done: the
 * core remembers how many (vec_done) and goes on there.
 *
 * **Inaccuracies**: the page names what is missing and not what is there; everything else of V 1.0
 * is here but halves in vectors and the widening floating point instructions. vtypes that V 1.0
 * would call ill, groups that do not begin at a multiple of their size, and elements of the wrong
 * size are RV_FAULT_UNSUPPORTED; overlaps that V 1.0 forbids are carried out element by element.
 * Fault-only-first loads are plain ones: nothing faults.
 */
#include "core/rvcore_vec.h"

#include "core/rvcore_in.h"

/* Registers of a group times 8; 0 if reserved. */
static unsigned lmul8_of(uint32_t vtype)
{
    static const uint8_t table[8] = {8, 16, 32, 64, 0, 1, 2, 4};
    return table[vtype & 7];
}

/* Elements of a group; 0 for a vtype that cannot be. */
static unsigned vlmax_of(uint32_t vtype)
{
    unsigned sew = bits_get(vtype, 3, 3), lmul8 = lmul8_of(vtype);
    if (sew > 2 || !lmul8 || vtype >> 8)
        return 0;
    /* at least one element of the greatest size must fit the fraction: SEW <= LMUL * ELEN */
    if ((1u << sew) * 8 > lmul8 * 4)
        return 0;
    return RV_VLENB * lmul8 / 8 >> sew;
}

static bool configure(struct rvcore *c, const struct rvinsn *e)
{
    uint32_t vtype, length;
    unsigned most;
    vtype = e->op == RV_OP_VSETVL ? c->x[e->rs2] : (uint32_t)e->imm;
    most = vlmax_of(vtype);
    if (!most)
        return false;
    if (e->op == RV_OP_VSETIVLI)
        length = e->rs1;
    else if (e->rs1)
        length = c->x[e->rs1];
    else
        length = e->rd != 32 ? UINT32_MAX : c->vl;
    c->vtype = vtype;
    c->vl = length < most ? length : most;
    c->x[e->rd] = c->vl;
    return true;
}

/* ---- loads and stores ---- */

enum how { UNIT, STRIDED, INDEXED };

struct transfer {
    bool store;
    enum how how;
    unsigned eew, index; /* bytes of an element, of an index */
    unsigned n;          /* elements */
    unsigned fields;     /* of a segment; each has registers of its own */
    unsigned regs;       /* from one field's first register to the next one's */
};

/* What a load or store moves; false: not possible. */
static bool plan(const struct vec *v, struct transfer *t)
{
    static const enum how hows[4] = {UNIT, INDEXED, STRIDED, INDEXED};
    static const uint8_t widths[8] = {1, 0, 0, 0, 0, 2, 4, 0};
    uint32_t w = v->e->word;
    unsigned width = widths[bits_get(w, 12, 3)], lumop = bits_get(w, 20, 5);
    t->store = rv32_table[v->e->op].class == RV_CLASS_VSTORE;
    t->how = hows[bits_get(w, 26, 2)];
    t->eew = t->how == INDEXED ? v->sew : width;
    t->index = width;
    t->n = v->vl;
    t->fields = bits_get(w, 29, 3) + 1;
    t->regs = 1;
    if (t->how == UNIT && lumop == 0x08) { /* whole registers */
        t->n = t->fields * RV_VLENB / width;
        t->regs = t->fields;
        t->fields = 1;
        return v->vd % t->regs == 0;
    }
    if (!v->vlmax)
        return false;
    if (t->how == UNIT && lumop == 0x0b) { /* a mask */
        t->n = (v->vl + 7) / 8;
        return true;
    }
    unsigned other8 = v->lmul8 * width / v->sew, data8 = t->how == INDEXED ? v->lmul8 : other8;
    t->regs = data8 > 8 ? data8 / 8 : 1;
    return rvcore_vec_group_ok(v->vd, data8) &&
           (t->how != INDEXED || rvcore_vec_group_ok(v->vs2, other8)) && t->regs * t->fields <= 8 &&
           v->vd + t->regs * t->fields <= 32;
}

static uint32_t address(const struct vec *v, const struct transfer *t, unsigned i, unsigned field)
{
    uint32_t base = v->c->x[v->vs1] + field * t->eew;
    if (t->how == UNIT)
        return base + i * t->fields * t->eew;
    if (t->how == STRIDED)
        return base + i * v->c->x[v->vs2];
    return base + rvcore_vec_get(v, v->vs2, i, t->index);
}

/* All fields of all elements from vec_done on; false: blocked or stopped. */
static bool move(const struct vec *v, const struct rvmem *m, uint32_t pc, const struct transfer *t)
{
    struct rvcore *c = v->c;
    for (unsigned k = c->vec_done; k < t->n * t->fields; k++) {
        unsigned i = k / t->fields, field = k % t->fields, reg = v->vd + field * t->regs;
        uint32_t value, addr = address(v, t, i, field);
        bool ok;
        if (!rvcore_vec_active(v, i))
            continue;
        if (t->store) {
            ok = rvcore_store(c, m, pc, addr, t->eew, rvcore_vec_get(v, reg, i, t->eew));
        } else {
            ok = rvcore_load(c, m, pc, addr, t->eew, &value);
            if (ok)
                rvcore_vec_put(v, reg, i, t->eew, value);
        }
        if (!ok) { /* a core that was reset on the way is not BLOCKED */
            c->vec_done = c->state == RV_BLOCKED ? k : 0;
            return false;
        }
    }
    c->vec_done = 0;
    return true;
}

/* ---- dispatch ---- */

static struct vec vec_of(struct rvcore *c, const struct rvinsn *e)
{
    uint32_t w = e->word;
    struct vec v = {.c = c, .e = e, .kind = bits_get(w, 12, 3), .f6 = w >> 26};
    v.vd = bits_get(w, 7, 5);
    v.vs1 = bits_get(w, 15, 5);
    v.vs2 = bits_get(w, 20, 5);
    v.sew = 1u << (bits_get(c->vtype, 3, 3) & 3);
    v.lmul8 = lmul8_of(c->vtype);
    v.vlmax = vlmax_of(c->vtype);
    v.vl = c->vl < v.vlmax ? c->vl : v.vlmax;
    v.masked = !bits_get(w, 25, 1);
    return v;
}

bool rvcore_vec(struct rvcore *c, const struct rvmem *m, uint32_t pc, const struct rvinsn *e)
{
    unsigned class = rv32_table[e->op].class;
    struct vec v = vec_of(c, e);
    struct transfer t;
    bool ok;
    if (c->which != RV_T2)
        return !rvcore_mem_fault(c, m, RV_FAULT_ILLEGAL, pc, e->word);
    if (class == RV_CLASS_VCFG) {
        ok = configure(c, e);
    } else if (class == RV_CLASS_VLOAD || class == RV_CLASS_VSTORE) {
        ok = plan(&v, &t);
        if (ok)
            return move(&v, m, pc, &t);
    } else if (!v.vlmax && !(e->op >= RV_OP_VMV1R_V && e->op <= RV_OP_VMV8R_V)) {
        ok = false;
    } else if (rvcore_vec_perm_has(&v)) {
        ok = rvcore_vec_perm(&v);
    } else {
        ok = v.kind == OPFVV || v.kind == OPFVF ? rvcore_vec_fp(&v) : rvcore_vec_int(&v);
    }
    return ok || !rvcore_mem_fault(c, m, RV_FAULT_UNSUPPORTED, pc, e->word);
}
