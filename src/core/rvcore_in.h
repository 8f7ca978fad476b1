/*
 * rvcore_in.h - what the files of the RISC-V core share; for rvcore*.c only.
 *
 * Functions that return bool return false when the instruction did not happen: the core is then
 * BLOCKED or STOPPED and pc stays on it. Or it has put its own core into reset (c->resets has changed).
 */
#ifndef WG_CORE_RVCORE_IN_H
#define WG_CORE_RVCORE_IN_H

#include "base/hot.h"
#include "core/rvcore.h"
#include "isa/rv32.h"
#include "state/l1_port.h"

/* ---- rvcode.c ---- */

/* Entries that are no instructions, and the forms of jumps that leave their page. */
enum {
    OWN_DECODE = RV_N_OPS,
    OWN_NEXT_PAGE,
    OWN_JAL_FAR,
    OWN_BEQ_FAR,
    OWN_BNE_FAR,
    OWN_BLT_FAR,
    OWN_BGE_FAR,
    OWN_BLTU_FAR,
    OWN_BGEU_FAR,
    N_ENTRIES
};

/* The page of an address; what was in its place is forgotten. */
struct rvinsn *rvcode_page(struct rvcode *code, uint32_t pc);
/* Makes entry e, which stands for pc, from L1. */
void rvcode_decode(const struct rvmem *m, struct rvinsn *e, uint32_t pc);

/* ---- little-endian memory ---- */

static inline uint32_t rvcore_get16(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static inline uint32_t rvcore_get32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint32_t rvcore_get(const uint8_t *p, unsigned size)
{
    return size == 4 ? rvcore_get32(p) : size == 2 ? rvcore_get16(p) : p[0];
}

static inline void rvcore_put32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
    p[2] = (uint8_t)(v >> 16);
    p[3] = (uint8_t)(v >> 24);
}

static inline void rvcore_put(uint8_t *p, unsigned size, uint32_t v)
{
    if (size == 4) {
        rvcore_put32(p, v);
        return;
    }
    p[0] = (uint8_t)v;
    if (size == 2)
        p[1] = (uint8_t)(v >> 8);
}

/* ---- rvcore_mem.c ---- */

/* Its way to write L1. */
static inline struct l1_port rvcore_port(const struct rvmem *m)
{
    return (struct l1_port){
        .bytes = m->l1, .size = m->l1_size, .code = m->code, .watch = m->watch, .ctx = m->ctx};
}

/* Tells the owner; true if the core now stands still. */
bool rvcore_mem_fault(struct rvcore *c, const struct rvmem *m, enum rv_fault kind, uint32_t pc,
                      uint32_t arg);
/* The address hardware uses; a fault the first time it differs. False if that stops the core. */
bool rvcore_mem_align(struct rvcore *c, const struct rvmem *m, uint32_t pc, unsigned size,
                      uint32_t *addr);
/* The L0 data cache: is it there (counts as a hit); what is there; bring it there; forget it. */
bool rvcore_mem_l0_hits(struct rvcore *c, uint32_t addr);
uint32_t rvcore_mem_l0_load(const struct rvcore *c, uint32_t addr, unsigned size);
uint32_t rvcore_mem_l0_fill(struct rvcore *c, const struct rvmem *m, uint32_t addr, unsigned size);
void rvcore_mem_l0_forget(struct rvcore *c, uint32_t addr);
/* Any address; through the L0 data cache where it is in L1. */
bool rvcore_mem_load_any(struct rvcore *c, const struct rvmem *m, uint32_t pc, uint32_t addr,
                         unsigned size, uint32_t *value);
bool rvcore_mem_store_any(struct rvcore *c, const struct rvmem *m, uint32_t pc, uint32_t addr,
                          unsigned size, uint32_t value);
bool rvcore_mem_amo(struct rvcore *c, const struct rvmem *m, uint32_t pc, const struct rvinsn *e);
/* What an atomic writes. */
uint32_t rvcore_mem_amo_result(unsigned op, uint32_t old, uint32_t with);
/* One .ttinsn, or n that go together. */
bool rvcore_mem_push(struct rvcore *c, const struct rvmem *m, uint32_t pc, const struct rvinsn *e,
                     unsigned n);

/* The way of a load to local memory, and to L1 when the L0 data cache has it or is off; false: all others, which go by
   call. */
HOT_INLINE bool rvcore_load_near(struct rvcore *c, const struct rvmem *m, uint32_t addr,
                                 unsigned size, uint32_t *value)
{
    uint32_t at = addr - RV_LOCAL_BASE;
    if (addr & (size - 1))
        return false;
    if (at < m->local_size) {
        *value = rvcore_get(m->local + at, size);
        return true;
    }
    if (addr < m->l1_size) {
        unsigned line = addr / RV_L0_LINE % RV_L0_LINES;
        if (c->l0_off && !c->ordered) {
            *value = rvcore_get(m->l1 + addr, size);
            return true;
        }
        if (c->l0_tag[line] == addr / RV_L0_LINE && c->l0_requests + 1 < RV_L0_REQUESTS_TO_FLUSH) {
            c->l0_requests++;
            *value = rvcore_get(c->l0_data[line] + addr % RV_L0_LINE, size);
            return true;
        }
    }
    return false;
}

HOT_INLINE bool rvcore_load(struct rvcore *c, const struct rvmem *m, uint32_t pc, uint32_t addr,
                            unsigned size, uint32_t *value)
{
    return rvcore_load_near(c, m, addr, size, value) ||
           rvcore_mem_load_any(c, m, pc, addr, size, value);
}

/* The same for a store. */
HOT_INLINE bool rvcore_store_near(struct rvcore *c, const struct rvmem *m, uint32_t addr,
                                  unsigned size, uint32_t value)
{
    uint32_t at = addr - RV_LOCAL_BASE;
    (void)c;
    if ((addr & (size - 1)) || at >= m->local_size)
        return false;
    rvcore_put(m->local + at, size, value);
    return true;
}

HOT_INLINE bool rvcore_store(struct rvcore *c, const struct rvmem *m, uint32_t pc, uint32_t addr,
                             unsigned size, uint32_t value)
{
    return rvcore_store_near(c, m, addr, size, value) ||
           rvcore_mem_store_any(c, m, pc, addr, size, value);
}

/* Must others go before the core does something that they can see? slack: it may be later than its limit by so much. c->steps is
   up to date. */
HOT_INLINE bool rvcore_early(const struct rvcore *c, unsigned slack)
{
    return c->ordered && rvcore_time(c) > c->limit + slack;
}

#define RV_L1_SLACK 64u /* L1: words there are polled, and copied, by the thousand */

/* ---- rvcore_poll.c ---- */

/* A load was RV_SAME; c->steps is up to date. True if it is in vain: poll.round steps make a round. */
bool rvcore_poll_in_vain(struct rvcore *c, const struct rvmem *m, uint32_t pc, uint32_t value);

/* ---- rvcore_csr.c ---- */

bool rvcore_csr(struct rvcore *c, const struct rvmem *m, uint32_t pc, const struct rvinsn *e);
/* How can what a read of it finds change? */
enum rv_source rvcore_csr_source(const struct rvcore *c, unsigned csr);
/* Is there such a CSR? */
bool rvcore_csr_exists(struct rvcore *c, unsigned csr);
/* cfg0 or pmacfg changed. */
void rvcore_csr_follow_cfg(struct rvcore *c);

/* ---- rvcore_fp.c ---- */

void rvcore_fp(struct rvcore *c, const struct rvinsn *e);

/* Formats; BF16 takes the place of FP16 while cfg0 says so. */
enum rv_fp { RV_FP32, RV_FP16, RV_BF16 };

#define RV_FLAG_NX 1u
#define RV_FLAG_UF 2u
#define RV_FLAG_OF 4u
#define RV_FLAG_NV 16u

/* x * y + z as the hardware does it: see rvcore_fp.c. rne false: towards zero (BF16 only). */
uint32_t rvcore_fp_fma(enum rv_fp format, bool rne, uint32_t x, uint32_t y, uint32_t z,
                       uint32_t *flags);
uint32_t rvcore_fp_add(enum rv_fp format, bool rne, uint32_t x, uint32_t y, uint32_t *flags);
uint32_t rvcore_fp_mul(enum rv_fp format, bool rne, uint32_t x, uint32_t y, uint32_t *flags);
uint32_t rvcore_fp_minmax(enum rv_fp format, bool max, uint32_t x, uint32_t y, uint32_t *flags);
enum rv_fp_test { RV_FP_EQ, RV_FP_LT, RV_FP_LE };
bool rvcore_fp_compare(enum rv_fp format, enum rv_fp_test test, uint32_t x, uint32_t y,
                       uint32_t *flags);
uint32_t rvcore_fp_class(enum rv_fp format, uint32_t x);
enum rv_fp_round { RV_FP_RNE, RV_FP_RTZ };
uint32_t rvcore_fp_to_int(enum rv_fp format, enum rv_fp_round round, bool is_signed, uint32_t x,
                          uint32_t *flags);
uint32_t rvcore_fp_from_int(enum rv_fp format, bool rne, bool is_signed, uint32_t x,
                            uint32_t *flags);

static inline uint32_t rvcore_fp_sign(enum rv_fp format)
{
    return format == RV_FP32 ? UINT32_C(0x80000000) : UINT32_C(0x8000);
}

/* ---- rvcore_vec.c ---- */

bool rvcore_vec(struct rvcore *c, const struct rvmem *m, uint32_t pc, const struct rvinsn *e);

#endif
