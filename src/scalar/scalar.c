/*
 * scalar.c - Scalar Unit (ThCon).
 *
 * ISA pages: ScalarUnit, SETDMAREG, ADDDMAREG .. CMPDMAREG, REG2FLOP, FLUSHDMA, DMANOP (Wormhole);
 * the extra stage before execution is Blackhole's (tt-isa-documentation#58, tt-llk#1661).
 *
 *     gate --> stage (1 cycle, or until exec is free) --> exec (N cycles, one instruction of one thread at a time)
 *
 * Operands are read as execution starts, results written as it ends, so a chain of Scalar
 * instructions is always right; a WRCFG that slips in behind is right only if nothing delays what it
 * reads (docs/timing.md 4.8, 11), and is reported.
 *
 * Invariant: at most one instruction in stage and one in exec.
 *
 * Loads, stores and atomics are in scalar_memory.c.
 *
 * Inaccuracies: SETDMAREG in its special form knows no AllZeroFlags (zeros; reported where they are all it reads), and one
 * packer of four; All_pack_disable_zero_compress of a header is not looked at. Cycle counts on Blackhole are measured for SETDMAREG and arithmetic, else
 * Wormhole's.
 */
#include "scalar/scalar.h"

#include <string.h>

#include "base/bits.h"
#include "isa/cfg.h"
#include "isa/tensix.h"
#include "probe/probe.h"
#include "state/op.h"
#include "wait/wait.h"

void scalar_reset(struct scalar *s, const struct timing *t)
{
    memset(s, 0, sizeof *s);
    s->second_read = t->n.SCALAR_SECOND_READ;
    memcpy(s->op, t->op, sizeof s->op);
}

static bool scalar_is_arithmetic(uint8_t op)
{
    return op >= TENSIX_OP_ADDDMAREG && op <= TENSIX_OP_CMPDMAREG;
}

static bool scalar_is_memory(uint8_t op)
{
    return op == TENSIX_OP_LOADIND || (op >= TENSIX_OP_ATINCGET && op <= TENSIX_OP_LOADREG);
}

unsigned scalar_cycles(const struct scalar *s, const struct entry *e)
{
    unsigned cycles = s->op[e->op].issue;
    if (scalar_is_arithmetic(e->op)) {
        struct tensix_ADDDMAREG a = tensix_ADDDMAREG_decode(e->word);
        if (!a.op_b_is_const && a.op_a_reg_index / 4 != a.op_b_reg_index / 4)
            cycles += s->second_read;
    }
    return cycles;
}

/* Registers the instruction will write, for the hazard report: bit mask. */
static uint64_t scalar_targets(const struct entry *e)
{
    if (scalar_is_memory(e->op))
        return scalar_memory_targets(e);
    if (scalar_is_arithmetic(e->op))
        return UINT64_C(1) << tensix_ADDDMAREG_decode(e->word).result_reg_index;
    if (e->op == TENSIX_OP_SETDMAREG) {
        struct tensix_SETDMAREG a = tensix_SETDMAREG_decode(e->word);
        unsigned reg = a.reg_index_16b / 2;
        return a.set_signals_mode && a.payload_sig_sel_size >= 2 ? UINT64_C(15) << (reg & ~3u)
                                                                 : UINT64_C(1) << reg;
    }
    return 0;
}

/* A special form of SETDMAREG that reads what does not exist here. */
static void scalar_check(unsigned thread, const struct entry *e, struct probe *p)
{
    if (e->op == TENSIX_OP_SETDMAREG && tensix_SETDMAREG_decode(e->word).set_signals_mode &&
        bits_get(e->word, 11, 4) == 1)
        probe_diag(p, DIAG_NO_DATA_EFFECT, OWNER_T0 + thread, e->tag, e->word, 0);
}

void scalar_start(struct scalar *s, struct gpr *g, unsigned thread, const struct entry *e,
                  struct probe *p)
{
    s->stage = (struct scalar_stage){.busy = true, .thread = (uint8_t)thread, .e = *e};
    g->pending_scalar[thread] |= scalar_targets(e);
    scalar_check(thread, e, p);
}

/* The last cycle at whose end the value of a load under way is written to a register; 0: there is none. */
static uint64_t scalar_load_due(const struct scalar *s, unsigned thread, unsigned reg)
{
    uint64_t due = 0;
    for (unsigned i = 0; i < s->n_loads; i++)
        if (s->load[i].thread == thread && reg - s->load[i].reg < s->load[i].n &&
            s->load[i].due > due)
            due = s->load[i].due;
    return due;
}

/* The last cycle of what executes, as far as that is known. */
static uint64_t scalar_ends(const struct scalar *s)
{
    const struct scalar_op *o = &s->exec;
    return o->waits || scalar_is_atomic(o) ? SCALAR_OPEN : o->end;
}

uint64_t scalar_due(const struct scalar *s, unsigned thread, unsigned reg)
{
    uint64_t due = scalar_load_due(s, thread, reg), ends = s->exec.busy ? scalar_ends(s) : 0;
    const struct entry *staged = &s->stage.e;
    if (s->exec.busy && s->exec.thread == thread && scalar_targets(&s->exec.e) >> reg & 1)
        due = s->exec.memory && scalar_memory_loads(&s->exec.e, reg) ? s->exec.until - 1 : ends;
    if (!s->stage.busy || s->stage.thread != thread || !(scalar_targets(staged) >> reg & 1))
        return due;
    if (ends == SCALAR_OPEN || staged->op == TENSIX_OP_ATINCGETPTR)
        return SCALAR_OPEN;
    bool loads = scalar_is_memory(staged->op) && scalar_memory_loads(staged, reg);
    return ends + (loads ? s->op[staged->op].latency - 1u : scalar_cycles(s, staged));
}

/* Brings up to date which registers of a thread the unit still owes. */
static void scalar_owe(const struct scalar *s, struct gpr *g, unsigned thread)
{
    uint64_t owed = 0;
    if (s->stage.busy && s->stage.thread == thread)
        owed |= scalar_targets(&s->stage.e);
    if (s->exec.busy && s->exec.thread == thread)
        owed |= scalar_targets(&s->exec.e);
    for (unsigned i = 0; i < s->n_loads; i++)
        if (s->load[i].thread == thread)
            owed |= bits_mask(s->load[i].n) * UINT64_C(1) << s->load[i].reg;
    g->pending_scalar[thread] = owed;
}

uint32_t scalar_read(const struct scalar *s, const struct scalar_io *io, unsigned reg)
{
    const struct scalar_op *o = &s->exec;
    uint64_t now = io->probe->now, due; /* it starts at the end of this cycle */
    enum diag_id id = DIAG_STALE_GPR;
    int64_t margin = 0;
    reg %= GPR_COUNT;
    if (io->gpr->pending_config[o->thread][reg])
        margin = -1;
    else if ((due = s->n_loads ? scalar_load_due(s, o->thread, reg) : 0))
        margin = (int64_t)(now - due);
    else if (gpr_fresh(io->gpr, o->thread, reg, now))
        id = DIAG_GPR_NO_WAIT;
    else
        return io->gpr->r[o->thread][reg];
    probe_diag(io->probe, id, OWNER_T0 + o->thread, o->e.tag, o->e.word, probe_margin(reg, margin));
    return io->gpr->r[o->thread][reg];
}

static uint32_t scalar_alu(const struct scalar_io *io, const struct scalar_op *o, uint32_t x,
                           uint32_t y)
{
    uint32_t mode = tensix_CMPDMAREG_decode(o->e.word).op_sel;
    switch (o->e.op) {
    case TENSIX_OP_ADDDMAREG: return x + y;
    case TENSIX_OP_SUBDMAREG: return x - y;
    case TENSIX_OP_MULDMAREG: return (x & 0xffff) * (y & 0xffff);
    case TENSIX_OP_BITWOPDMAREG:
        if (mode < 3)
            return mode == 0 ? x & y : (mode == 1 ? x | y : x ^ y);
        break;
    case TENSIX_OP_SHIFTDMAREG:
        if (mode < 2)
            return mode == 0 ? x << (y & 31) : x >> (y & 31);
        break;
    default:
        if (mode < 3)
            return mode == 0 ? x > y : (mode == 1 ? x < y : x == y);
        break;
    }
    probe_diag(io->probe, DIAG_DMAREG_MODE, OWNER_T0 + o->thread, o->e.tag, o->e.word, mode);
    return 0;
}

/* 128 bits about the packer, for SETDMAREG's special form. */
static void scalar_packer_state(const struct scalar_io *io, const struct scalar_op *o,
                                uint32_t v[4])
{
    struct packmeta *m = io->meta;
    const uint32_t *w = io->config->word[config_state_id(io->config, o->thread)];
    unsigned source = bits_get(o->e.word, 11, 4), packers = bits_get(o->e.word, 15, 4);
    uint32_t last = packmeta_last(m, o->thread);
    memset(v, 0, 4 * sizeof *v);
    switch (source) {
    case 0: v[0] = (uint32_t)m->sum[o->thread] << 16 | last; break;
    case 2: /* a tile's header */
        v[0] = (last + 1) & 0xffff;
        v[1] =
            (cfg_get(w, CFG_PCK_OUT_DATA_FORMAT) | cfg_get(w, CFG_PCK_DISABLE_ZERO_COMPRESS) << 4)
            << 16;
        break;
    case 6:
    case 7:
        if (!(packers & 3))
            memcpy(v, &m->histogram.bin[16 * (source - 6)], 16);
        break;
    case 8:
        if (packers & 1)
            packmeta_reset_sums(m);
        break;
    case 9: v[0] = m->histogram.most; break;
    default: break;
    }
}

/* SETDMAREG: 16 bits of a register, or (special form) 16 to 128 bits of packer state. */
static void scalar_begin_setdmareg(const struct scalar_io *io, struct scalar_op *o)
{
    struct tensix_SETDMAREG a = tensix_SETDMAREG_decode(o->e.word);
    uint32_t v[4];
    struct scalar_half h = scalar_half(o->e.word);
    o->n = 1;
    o->reg = (uint8_t)h.reg;
    o->mask[0] = h.mask;
    o->value[0] = h.value;
    if (!a.set_signals_mode)
        return;
    unsigned half = a.reg_index_16b & 1, reg = h.reg;
    o->value[0] = 0;
    scalar_packer_state(io, o, v);
    uint32_t from = bits_get(a.payload_sig_sel, 0, 3);
    if (a.payload_sig_sel_size == 0)
        o->value[0] = (v[from / 2] >> 16 * (from & 1) & 0xffff) << (half ? 16 : 0);
    if (a.payload_sig_sel_size == 1) {
        o->mask[0] = UINT32_MAX;
        o->value[0] = v[from / 2];
    }
    if (a.payload_sig_sel_size < 2)
        return;
    o->n = 4;
    o->reg = (uint8_t)(reg & ~3u);
    bool keep = a.payload_sig_sel_size == 3; /* reserved fields of a tile header stay */
    static const uint32_t header[4] = {0xffff, 0x00ff0000, 0xffffffff, 0};
    for (unsigned i = 0; i < 4; i++) {
        o->mask[i] = keep ? header[i] : UINT32_MAX;
        o->value[i] = v[i];
    }
}

/* REG2FLOP reads one register, or four for a 128-bit configuration write. */
static void scalar_begin_reg2flop(struct scalar *s, const struct scalar_io *io)
{
    struct scalar_op *o = &s->exec;
    struct tensix_REG2FLOP a = tensix_REG2FLOP_decode(o->e.word);
    bool wide = !(a.target_sel & 2) && !a.size_sel;
    unsigned n = wide ? 4 : 1, from = wide ? a.reg_index & ~3u : a.reg_index;
    for (unsigned i = 0; i < n; i++)
        o->value[i] = scalar_read(s, io, from + i);
}

/* What is in exec reads its operands and computes its result. */
static void scalar_compute(struct scalar *s, const struct scalar_io *io)
{
    struct scalar_op *o = &s->exec;
    if (o->e.op == TENSIX_OP_SETDMAREG) {
        scalar_begin_setdmareg(io, o);
    } else if (scalar_is_arithmetic(o->e.op)) {
        struct tensix_ADDDMAREG a = tensix_ADDDMAREG_decode(o->e.word);
        uint32_t x = scalar_read(s, io, a.op_a_reg_index);
        uint32_t y = a.op_b_is_const ? a.op_b_reg_index : scalar_read(s, io, a.op_b_reg_index);
        o->n = 1;
        o->reg = (uint8_t)a.result_reg_index;
        o->mask[0] = UINT32_MAX;
        o->value[0] = scalar_alu(io, o, x, y);
    } else if (o->e.op == TENSIX_OP_REG2FLOP) {
        scalar_begin_reg2flop(s, io);
    } else if (o->memory) {
        scalar_memory_begin(s, io);
    }
}

/* Execution starts. */
static void scalar_begin(struct scalar *s, const struct scalar_io *io, uint64_t now)
{
    struct scalar_op *o = &s->exec;
    o->busy = true;
    o->thread = s->stage.thread;
    o->e = s->stage.e;
    o->n = 0;
    o->memory = scalar_is_memory(o->e.op);
    o->waits = false;
    s->stage.busy = false;
    if (o->memory) {
        o->until = now + s->op[o->e.op].latency;
        if (o->until > s->memory_until[o->thread])
            s->memory_until[o->thread] = o->until;
    }
    o->start = now + 1;
    o->end = o->e.op == TENSIX_OP_FLUSHDMA ? SCALAR_OPEN : now + scalar_cycles(s, &o->e);
    scalar_compute(s, io);
}

/* REG2FLOP to an ADC counter: SizeSel and Shift8 choose which bits of the register. */
static void scalar_reg2flop_adc(const struct scalar_io *io, const struct scalar_op *o, uint32_t v)
{
    struct tensix_REG2FLOP a = tensix_REG2FLOP_decode(o->e.word);
    unsigned thread = a.target_sel & 1 ? a.context_id_2 : o->thread;
    unsigned user = bits_get(a.flop_index, 3, 2);
    switch (a.size_sel) {
    case 0: v = 0; break;
    case 1: v = a.byte_offset ? 0 : v; break;
    case 2: v = a.byte_offset == 0 ? v & 0xffff : (a.byte_offset == 2 ? v >> 16 : 0); break;
    default: v = (v >> (8 * a.byte_offset)) & 0xff; break;
    }
    if (thread < 3 && user < 3)
        adc_write(io->adc,
                  thread,
                  user,
                  bits_get(a.flop_index, 5, 1),
                  bits_get(a.flop_index, 0, 2),
                  bits_get(a.flop_index, 2, 1),
                  v);
}

static void scalar_reg2flop(const struct scalar_io *io, const struct scalar_op *o)
{
    struct tensix_REG2FLOP a = tensix_REG2FLOP_decode(o->e.word);
    if (a.target_sel & 2) {
        scalar_reg2flop_adc(io, o, o->value[0]);
        return;
    }
    unsigned bank = config_state_id(io->config, o->thread);
    if (a.flop_index >= CONFIG_GLOBAL_BASE - CONFIG_THCON_BASE) {
        probe_diag(io->probe,
                   DIAG_CFG_RANGE,
                   OWNER_T0 + o->thread,
                   o->e.tag,
                   o->e.word,
                   CONFIG_THCON_BASE + a.flop_index);
        return;
    }
    unsigned n = a.size_sel ? 1 : 4;
    unsigned to = CONFIG_THCON_BASE + (a.size_sel ? a.flop_index : a.flop_index & ~3u);
    for (unsigned i = 0; i < n; i++)
        config_write(io->config, bank, to + i, o->value[i], false);
}

/* Bits of a register are written; a WRCFG that has just gone may get them. */
static void scalar_set(const struct scalar_io *io, unsigned thread, unsigned reg, unsigned tag,
                       uint32_t mask, uint32_t value)
{
    uint32_t *r = &io->gpr->r[thread][reg];
    *r = (*r & ~mask) | (value & mask);
    if (io->config->late)
        config_forward(io->config, thread, reg, mask, value);
    probe_event(io->probe, EV_GPR, OWNER_T0 + thread, tag, *r, reg);
}

/* The result of what is in exec is written. */
static void scalar_write(const struct scalar_io *io, const struct scalar_op *o)
{
    for (unsigned i = 0; i < o->n; i++)
        scalar_set(io, o->thread, o->reg + i, o->e.tag, o->mask[i], o->value[i]);
    if (o->e.op == TENSIX_OP_REG2FLOP)
        scalar_reg2flop(io, o);
}

static void scalar_finish(struct scalar *s, const struct scalar_io *io)
{
    struct scalar_op *o = &s->exec;
    scalar_write(io, o);
    o->busy = false;
    scalar_owe(s, io->gpr, o->thread);
}

/* Values of loads that have come by the end of cycle now. */
static bool scalar_arrive(struct scalar *s, const struct scalar_io *io, uint64_t now)
{
    unsigned kept = 0, n = s->n_loads;
    for (unsigned k = 0; k < n; k++) {
        const struct scalar_load l = s->load[k];
        if (l.due > now) {
            s->load[kept++] = l;
            continue;
        }
        for (unsigned i = 0; i < l.n; i++) {
            scalar_set(io, l.thread, l.reg + i, l.tag, l.mask, l.value[i]);
            gpr_freshen(io->gpr, l.thread, l.reg + i, now);
        }
    }
    s->n_loads = kept;
    for (unsigned i = 0; i < 3 && kept != n; i++)
        scalar_owe(s, io->gpr, i);
    return kept != n;
}

uint64_t scalar_next_load(const struct scalar *s)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < s->n_loads; i++)
        next = s->load[i].due < next ? s->load[i].due : next;
    return next;
}

bool scalar_clock(struct scalar *s, const struct scalar_io *io, uint64_t now)
{
    bool moved = s->n_loads && scalar_arrive(s, io, now);
    if (s->exec.busy && s->exec.end <= now) {
        /* REG2FLOP loses the write port of THCON configuration to the Config Unit */
        bool taken = s->exec.e.op == TENSIX_OP_REG2FLOP && io->thcon_taken;
        bool refused = s->exec.memory && !scalar_memory_end(s, io, now);
        if (taken || refused)
            s->exec.end = now + 1;
        else
            scalar_finish(s, io);
        moved |= !refused;
        if (s->n_loads && scalar_arrive(s, io, now)) /* without time it may be here already */
            moved = true;
    }
    if (s->stage.busy && !s->exec.busy) {
        scalar_begin(s, io, now);
        moved = true;
    }
    return moved;
}

bool scalar_do(struct scalar *s, const struct scalar_io *io, unsigned thread, const struct entry *e)
{
    struct scalar_op *o = &s->exec;
    if (scalar_is_memory(e->op) || e->op == TENSIX_OP_FLUSHDMA || scalar_holds(s))
        return false;
    scalar_check(thread, e, io->probe);
    o->thread = (uint8_t)thread;
    o->e = *e;
    o->n = 0;
    o->memory = o->waits = false;
    scalar_compute(s, io);
    scalar_write(io, o);
    return true;
}
