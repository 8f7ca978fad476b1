/*
 * rvcode.h - decoded RISC-V code: what an entry holds, and what must be forgotten when L1 is written.
 *
 * Block: none of the hardware's. See rvcode.c.
 */
#ifndef WG_STATE_RVCODE_H
#define WG_STATE_RVCODE_H

#include <stdbool.h>
#include <stdint.h>

#define RV_PAGE_SHIFT 8u /* a page is 256 bytes of code ... */
#define RV_PAGE_BYTES (1u << RV_PAGE_SHIFT)
#define RV_PAGE_INSNS (1u << (RV_PAGE_SHIFT - 2)) /* ... 64 instructions */
#define RV_CODE_PAGES 256u                        /* direct mapped */

/* One instruction, ready to run. */
struct rvinsn {
    uint16_t op; /* enum rv_op, or one of rvcore.c's own */
    uint8_t rd;  /* 32 instead of 0: the slot that takes writes to x0 */
    uint8_t rs1;
    uint8_t rs2;
    uint8_t rs3;  /* of an FMA; of a .ttinsn how many could go together */
    uint16_t csr; /* or the shift amount */
    int32_t
        imm; /* immediate; of pc-relative instructions the absolute value or target; of a .ttinsn
                     what it pushes */
    uint32_t word;
};

/* Registers by the number the pipeline gives them. */
enum {
    RV_USE_X = 0,
    RV_USE_F = 32,
    RV_USE_V = 64,
    RV_USE_SINK = 96, /* as a destination: none */
    RV_USE_NONE = 97, /* as a source: none */
    RV_USE_COUNT
};

/* What an instruction reads and writes, and its way through the pipeline (enum rv_class). */
struct rvuse {
    uint8_t class, d, s1, s2, s3;
    uint8_t lat;     /* cycles to its result; 0: see rvpipe.c */
    uint8_t special; /* more than two sources, or more than a cycle in EX1, or serialising */
};

/*
 * Decoded code, owned by the caller, shared by as many cores of one L1 as it likes (what differs
 * between cores is decided when an instruction runs). Whoever writes L1 forgets what was decoded from it: l1_port.h.
 */
struct rvcode {
    uint8_t latency[32]; /* with time: cycles to the result, by enum rv32_class; 0: it depends */
    uint32_t tag[RV_CODE_PAGES]; /* pc >> RV_PAGE_SHIFT; UINT32_MAX: none */
    struct rvinsn insn[RV_CODE_PAGES][RV_PAGE_INSNS + 1]; /* the last one leads to the next page */
    struct rvuse use[RV_CODE_PAGES][RV_PAGE_INSNS];       /* of the entry in the same place */
};

/* Forgets everything; must be called before the first use. */
void rvcode_flush(struct rvcode *code);
/* With time: how long instructions take. */
struct timing;
void rvcode_time(struct rvcode *code, const struct timing *t);
/* Any size; costs one comparison per 256 bytes where there is no code. */
void rvcode_invalidate(struct rvcode *code, uint32_t addr, uint32_t size);

/* May any of these bytes have been decoded? */
static inline bool rvcode_holds(const struct rvcode *code, uint32_t addr, uint32_t size)
{
    for (uint32_t page = addr >> RV_PAGE_SHIFT; page <= (addr + size - 1) >> RV_PAGE_SHIFT; page++)
        if (code->tag[page % RV_CODE_PAGES] == page)
            return true;
    return false;
}

#endif
