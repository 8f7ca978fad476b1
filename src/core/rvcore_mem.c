/*
 * rvcore_mem.c - how a baby RISC-V core reaches memory, and how it complains.
 *
 * Block: Load/Store Unit without its queues, L0 data cache. ISA pages: BabyRISCV/README (L0 Data Cache,
 * Memory map), MemoryOrdering, PushTensixInstruction, InstructionSet (Zaamo).
 *
 * Loads from L1 go through the L0 data cache, which nothing but this core's own stores, fences and
 * atomics ever empties: what somebody else writes to L1 stays unseen as long as its line stays
 * here. That is hardware's behaviour, and what the cache is modelled for.
 *
 * **Inaccuracies**: the cache is direct mapped by address bits 5:4 (GUESSED; the pages give its size
 * only). Hardware empties it at about every 128th hit, at random; here at every 128th, so that
 * runs can be repeated. Whether misaligned accesses are rounded down on Blackhole is known from
 * Wormhole only. An interrupt that arrives while a vector access is half done repeats it.
 */
#include <string.h>

#include "base/bits.h"
#include "core/rvcore.h"
#include "core/rvcore_in.h"
#include "isa/timing.h"

#define PUSH_ADDRESS UINT32_C(0xffe40000)

bool rvcore_mem_fault(struct rvcore *c, const struct rvmem *m, enum rv_fault kind, uint32_t pc,
                      uint32_t arg)
{
    if (m->bus && m->bus->fault)
        m->bus->fault(m->ctx, c->which, kind, pc, arg);
    if (kind != RV_FAULT_FETCH && !(c->stop_on >> kind & 1))
        return false;
    c->state = RV_STOPPED;
    c->stop = RV_STOP_FAULT;
    c->fault = (uint8_t)kind;
    return true;
}

static void block(struct rvcore *c, enum rv_access access, uint32_t addr)
{
    c->state = RV_BLOCKED;
    c->access = (uint8_t)access;
    c->block_addr = addr;
}

/* The address hardware uses; a fault the first time it differs. False if that stops the core. */
bool rvcore_mem_align(struct rvcore *c, const struct rvmem *m, uint32_t pc, unsigned size,
                      uint32_t *addr)
{
    uint32_t asked = *addr;
    *addr &= ~(uint32_t)(size - 1);
    if (*addr == asked || c->told_misaligned)
        return true;
    c->told_misaligned = 1;
    return !rvcore_mem_fault(c, m, RV_FAULT_MISALIGNED, pc, asked);
}

/* ---- L0 data cache ---- */

bool rvcore_mem_l0_hits(struct rvcore *c, uint32_t addr)
{
    uint32_t tag = addr / RV_L0_LINE;
    unsigned line = tag % RV_L0_LINES;
    if (c->l0_off || c->l0_tag[line] != tag)
        return false;
    if (++c->l0_requests < RV_L0_REQUESTS_TO_FLUSH)
        return true;
    c->l0_requests = 0;
    if (!(c->cfg0 & RV_CFG0_NO_L0_FLUSH))
        rvcore_l0_flush(c);
    return c->l0_tag[line] == tag;
}

uint32_t rvcore_mem_l0_load(const struct rvcore *c, uint32_t addr, unsigned size)
{
    return rvcore_get(c->l0_data[addr / RV_L0_LINE % RV_L0_LINES] + addr % RV_L0_LINE, size);
}

uint32_t rvcore_mem_l0_fill(struct rvcore *c, const struct rvmem *m, uint32_t addr, unsigned size)
{
    uint32_t tag = addr / RV_L0_LINE;
    unsigned line = tag % RV_L0_LINES;
    if (c->l0_off)
        return rvcore_get(m->l1 + addr, size);
    c->l0_tag[line] = tag;
    memcpy(c->l0_data[line], m->l1 + tag * RV_L0_LINE, RV_L0_LINE);
    return rvcore_mem_l0_load(c, addr, size);
}

void rvcore_mem_l0_forget(struct rvcore *c, uint32_t addr)
{
    uint32_t tag = addr / RV_L0_LINE;
    if (c->l0_tag[tag % RV_L0_LINES] == tag)
        c->l0_tag[tag % RV_L0_LINES] = RV_L0_EMPTY;
}

/* ---- loads and stores ---- */

/* What a core asks the bus for may put it into reset, and even out of it again: then nothing that the bus answers is for it. */

bool rvcore_mem_load_any(struct rvcore *c, const struct rvmem *m, uint32_t pc, uint32_t addr,
                         unsigned size, uint32_t *value)
{
    enum rv_status status = RV_FAULT;
    uint32_t resets = c->resets;
    if (!rvcore_mem_align(c, m, pc, size, &addr))
        return false;
    if (addr < m->l1_size) {
        if (rvcore_early(c, RV_L1_SLACK))
            return false;
        if (rvcore_mem_l0_hits(c, addr)) {
            *value = rvcore_mem_l0_load(c, addr, size);
            return true;
        }
        c->lead += TIMING_BEYOND_L1;
        *value = rvcore_mem_l0_fill(c, m, addr, size);
        return true;
    }
    if (addr - RV_LOCAL_BASE < m->local_size) {
        *value = rvcore_get(m->local + (addr - RV_LOCAL_BASE), size);
        return true;
    }
    *value = 0;
    if (rvcore_early(c, 0))
        return false;
    c->pc = pc; /* whoever answers may want to know */
    if (m->bus && m->bus->load)
        status = m->bus->load(m->ctx, c->which, addr, size, value);
    if (c->resets != resets)
        return false;
    if (status == RV_BLOCK) {
        block(c, RV_ACCESS_LOAD, addr);
        return false;
    }
    if (status == RV_EARLY)
        return false;
    *value &= bits_mask(size * 8);
    if (status == RV_OK)
        return true;
    if (status == RV_SAME)
        return !rvcore_poll_in_vain(c, m, pc, *value);
    *value = 0;
    return !rvcore_mem_fault(c, m, RV_FAULT_BUS, pc, addr);
}

HOT_INLINE void rvcore_mem_l1_write(const struct rvmem *m, uint32_t pc, uint32_t addr,
                                    unsigned size, uint32_t value)
{
    const struct l1_port port = rvcore_port(m);
    l1_port_put_value(&port, (struct l1_writer){.owner = m->agent, .pc = pc}, addr, size, value);
}

bool rvcore_mem_store_any(struct rvcore *c, const struct rvmem *m, uint32_t pc, uint32_t addr,
                          unsigned size, uint32_t value)
{
    enum rv_status status = RV_FAULT;
    uint32_t resets = c->resets;
    if (!rvcore_mem_align(c, m, pc, size, &addr))
        return false;
    if (addr < m->l1_size) {
        if (rvcore_early(c, RV_L1_SLACK))
            return false;
        rvcore_mem_l0_forget(c, addr);
        rvcore_mem_l1_write(m, pc, addr, size, value);
        return true;
    }
    if (addr - RV_LOCAL_BASE < m->local_size) {
        rvcore_put(m->local + (addr - RV_LOCAL_BASE), size, value);
        return true;
    }
    if (rvcore_early(c, 0))
        return false;
    c->pc = pc;
    if (m->bus && m->bus->store)
        status = m->bus->store(m->ctx, c->which, addr, size, value & bits_mask(size * 8));
    if (c->resets != resets)
        return false;
    if (status == RV_BLOCK) {
        block(c, RV_ACCESS_STORE, addr);
        return false;
    }
    if (status == RV_EARLY)
        return false;
    return status == RV_OK || !rvcore_mem_fault(c, m, RV_FAULT_BUS, pc, addr);
}

/* ---- atomics ---- */

uint32_t rvcore_mem_amo_result(unsigned op, uint32_t old, uint32_t with)
{
    switch (op) {
    case RV_OP_AMOADD_W: return old + with;
    case RV_OP_AMOXOR_W: return old ^ with;
    case RV_OP_AMOOR_W: return old | with;
    case RV_OP_AMOAND_W: return old & with;
    case RV_OP_AMOMIN_W: return (int32_t)old < (int32_t)with ? old : with;
    case RV_OP_AMOMAX_W: return (int32_t)old > (int32_t)with ? old : with;
    case RV_OP_AMOMINU_W: return old < with ? old : with;
    case RV_OP_AMOMAXU_W: return old > with ? old : with;
    default: return with; /* amoswap.w */
    }
}

bool rvcore_mem_amo(struct rvcore *c, const struct rvmem *m, uint32_t pc, const struct rvinsn *e)
{
    uint32_t addr = c->x[e->rs1], old = 0, with = c->x[e->rs2];
    if (rvcore_early(c, RV_L1_SLACK) || !rvcore_mem_align(c, m, pc, 4, &addr))
        return false;
    rvcore_l0_flush(c);
    if (addr >= m->l1_size) {
        if (rvcore_mem_fault(c, m, RV_FAULT_AMO, pc, addr))
            return false;
    } else {
        old = rvcore_get32(m->l1 + addr);
        with = rvcore_mem_amo_result(e->op, old, with);
        if (with != old) /* who spins for a lock has not taken it */
            rvcore_mem_l1_write(m, pc, addr, 4, with);
    }
    c->x[e->rd] = old;
    return true;
}

/* ---- .ttinsn ---- */

bool rvcore_mem_push(struct rvcore *c, const struct rvmem *m, uint32_t pc, const struct rvinsn *e,
                     unsigned n)
{
    uint32_t words[4] = {(uint32_t)e->imm}, resets = c->resets;
    enum rv_status status = RV_FAULT;
    for (unsigned i = 1; i < n; i++)
        words[i] = bits_rotr(rvcore_get32(m->l1 + pc + 4 * i), 2);
    if (c->which == RV_NC)
        return !rvcore_mem_fault(c, m, RV_FAULT_PUSH, pc, words[0]);
    if (m->bus && m->bus->push)
        status = m->bus->push(m->ctx, c->which, words, n, pc);
    if (c->resets != resets)
        return false;
    if (status == RV_BLOCK) {
        block(c, RV_ACCESS_PUSH, PUSH_ADDRESS);
        return false;
    }
    if (status == RV_EARLY)
        return false;
    return status == RV_OK || !rvcore_mem_fault(c, m, RV_FAULT_BUS, pc, PUSH_ADDRESS);
}
