/*
 * rvcore_csr.c - the CSRs of a baby RISC-V core.
 *
 * Block: CSRs. ISA pages: BabyRISCV/CSRs (Blackhole), PIC. The list of them is isa/rv32_csr.def.
 *
 * **Inaccuracies**: without time mcycle counts steps. The hardware performance counters 3 and 4 do not count:
 * their events are not documented; they keep what is written to them. Which bits of fcsr, vxsat,
 * vxrm, vl and vtype can be set is taken from the RISC-V manuals. On T0..T2 the status CSRs read what
 * the tile says and drop what is written, unless cfg0 bit 29 freezes them. vl can be set beyond
 * VLMAX; vector instructions then work on VLMAX elements.
 */
#include "core/rvcore.h"
#include "core/rvcore_in.h"

#define MSTATUS UINT32_C(0x80006600)
#define MISA    UINT32_C(0x40201123)

void rvcore_csr_follow_cfg(struct rvcore *c)
{
    c->l0_off = (c->cfg0 & RV_CFG0_NO_L0) != 0 || ((c->pmacfg[0] | c->pmacfg[1]) & 1);
    if (c->l0_off)
        rvcore_l0_flush(c);
}

/* CSRs that are a word of storage; NULL: something else. mask: the bits that exist. */
static uint32_t *word_of(struct rvcore *c, unsigned csr, uint32_t *mask)
{
    *mask = UINT32_MAX;
    switch (csr) {
    case 0x003: *mask = 0xff; return &c->fcsr;
    case 0x009: *mask = 1; return &c->vxsat;
    case 0x00a: *mask = 3; return &c->vxrm;
    case 0x320: return &c->mcountinhibit;
    case 0x323:
    case 0x324: return &c->mhpmevent[csr - 0x323];
    case 0x7c0: return &c->cfg0;
    case 0x7c1:
    case 0x7c2: return &c->pmacfg[csr - 0x7c1];
    case 0x7c3:
    case 0x7c4:
    case 0x7c5:
    case 0x7c6: return &c->scratch[csr - 0x7c3];
    case 0xbca: return &c->intp_restore_pc;
    case 0xc20: return &c->vl;
    case 0xc21: *mask = 0xff; return &c->vtype;
    case 0xc22: return &c->vlenb;
    default: return NULL;
    }
}

/* The 64-bit counters: value, and what must be subtracted to make the offset that is stored. */
static uint64_t *counter_of(struct rvcore *c, unsigned csr, uint64_t *running)
{
    *running = 0;
    switch (csr & ~0x80u) {
    case 0xb00:
    case 0xc00: *running = c->steps + c->stalled; return &c->mcycle_offset;
    case 0xb02:
    case 0xc02: *running = c->steps + c->fused; return &c->minstret_offset;
    case 0xb03:
    case 0xb04: return &c->mhpmcounter[(csr & 7) - 3];
    default: return NULL;
    }
}

static bool is_status(unsigned csr)
{
    return csr >= 0xbc0 && csr <= 0xbc9;
}

/* Does hardware drive this status CSR now? On B and NC 0xBC2.. are scratch. */
static bool is_live(const struct rvcore *c, unsigned csr)
{
    bool scratch = csr >= 0xbc2 && (c->which == RV_B || c->which == RV_NC);
    return !scratch && !(c->cfg0 & RV_CFG0_STATUS_FROZEN);
}

/* What hardware shows now. What the core has pushed goes first; that may put the core into reset, which then sees nothing. */
static void live_status(struct rvcore *c, const struct rvmem *m, unsigned csr)
{
    uint32_t resets = c->resets;
    uint32_t value = m->bus && m->bus->status ? m->bus->status(m->ctx, c->which, csr) : 0;
    if (c->resets == resets)
        c->status[csr - 0xbc0] = value;
}

/* CSRs that always read the same. */
static bool csr_fixed(unsigned csr, uint32_t *value)
{
    switch (csr) {
    case 0x300: *value = MSTATUS; return true;
    case 0x301: *value = MISA; return true;
    case 0x008: /* vstart */
    case 0xf14: /* mhartid */ *value = 0; return true;
    default: return false;
    }
}

bool rvcore_csr_exists(struct rvcore *c, unsigned csr)
{
    uint32_t word;
    uint64_t running;
    return word_of(c, csr, &word) || counter_of(c, csr, &running) || is_status(csr) ||
           csr_fixed(csr, &word);
}

/* A hardware performance counter, while cfg0 says that reading empties it. */
static bool clears_on_read(const struct rvcore *c, unsigned csr)
{
    unsigned low = csr & ~0x80u;
    return c->cfg0 & RV_CFG0_PMC_CLEAR && (low == 0xb03 || low == 0xb04);
}

/* By number; 0: there is none. */
static const uint8_t csr_sources[4096] = {
#define CSR(number, name, custom, reads, text) [number] = RV_SOURCE_##reads + 1,
#include "isa/rv32_csr.def"
};

enum rv_source rvcore_csr_source(const struct rvcore *c, unsigned csr)
{
    if (is_status(csr) && !is_live(c, csr))
        return RV_SOURCE_CONSTANT;
    if (clears_on_read(c, csr))
        return RV_SOURCE_ACT;
    unsigned reads = csr_sources[csr % 4096];
    return reads ? (enum rv_source)(reads - 1) : RV_SOURCE_ACT; /* reported */
}

/* False: there is no such CSR. */
static bool csr_read(struct rvcore *c, const struct rvmem *m, unsigned csr, uint32_t *value)
{
    uint32_t mask;
    uint64_t running;
    const uint32_t *word = word_of(c, csr, &mask);
    uint64_t *counter;
    *value = 0;
    if (word) {
        *value = *word;
        return true;
    }
    counter = counter_of(c, csr, &running);
    if (counter) {
        uint64_t now = *counter + running;
        *value = (uint32_t)(csr & 0x80 ? now >> 32 : now);
        return true;
    }
    if (is_status(csr)) {
        if (is_live(c, csr))
            live_status(c, m, csr);
        *value = c->status[csr - 0xbc0];
        return true;
    }
    return csr_fixed(csr, value);
}

/* Freezing keeps what hardware showed last. */
static void freeze(struct rvcore *c, const struct rvmem *m)
{
    for (unsigned csr = 0xbc0; csr <= 0xbc9; csr++)
        if (is_live(c, csr))
            live_status(c, m, csr);
}

static void csr_write(struct rvcore *c, const struct rvmem *m, unsigned csr, uint32_t value)
{
    uint32_t mask;
    uint64_t running;
    uint32_t *word = word_of(c, csr, &mask);
    uint64_t *counter;
    if (word) {
        uint32_t resets = c->resets;
        if (csr == 0x7c0 && value & RV_CFG0_STATUS_FROZEN)
            freeze(c, m);
        if (c->resets != resets)
            return;
        *word = value & mask;
        rvcore_csr_follow_cfg(c);
        return;
    }
    counter = counter_of(c, csr, &running);
    if (counter) {
        uint64_t now = *counter + running;
        if (csr & 0x80)
            now = (now & UINT32_MAX) | (uint64_t)value << 32;
        else
            now = (now & ~(uint64_t)UINT32_MAX) | value;
        /* the next instruction reads what this one wrote */
        *counter = now - running - (csr % 128 < 3);
        return;
    }
    if (is_status(csr) && !is_live(c, csr))
        c->status[csr - 0xbc0] = value;
}

static void clear_on_read(struct rvcore *c, unsigned csr)
{
    if (clears_on_read(c, csr))
        c->mhpmcounter[(csr & 7) - 3] &= csr & 0x80 ? UINT32_MAX : ~(uint64_t)UINT32_MAX;
}

bool rvcore_csr(struct rvcore *c, const struct rvmem *m, uint32_t pc, const struct rvinsn *e)
{
    const unsigned op = e->op; /* what was pushed may overwrite code while a status is read */
    bool immediate = op >= RV_OP_CSRRWI, exchange;
    uint32_t with = immediate ? (uint32_t)e->imm : c->x[e->rs1], old, new;
    bool names_a_source = immediate ? e->imm != 0 : e->rs1 != 0;
    uint32_t resets = c->resets;

    if (!csr_read(c, m, e->csr, &old)) {
        if (rvcore_mem_fault(c, m, RV_FAULT_CSR, pc, e->csr))
            return false;
        c->x[e->rd] = 0;
        return true;
    }
    if (c->resets != resets)
        return false;
    exchange = op == RV_OP_CSRRW || op == RV_OP_CSRRWI;
    if (!exchange || e->rd != 32)
        clear_on_read(c, e->csr);
    switch (op) {
    case RV_OP_CSRRS:
    case RV_OP_CSRRSI: new = old | with; break;
    case RV_OP_CSRRC:
    case RV_OP_CSRRCI: new = old & ~with; break;
    default: new = with; break;
    }
    if (exchange || names_a_source) {
        if (!c->in_handler)
            csr_write(c, m, e->csr, new);
        else if (rvcore_mem_fault(c, m, RV_FAULT_CSR_WRITE, pc, e->csr))
            return false;
        if (c->resets != resets)
            return false;
    }
    c->x[e->rd] = old;
    return true;
}
