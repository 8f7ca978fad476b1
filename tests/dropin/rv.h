/* rv.h - words of the few RISC-V instructions that the tests of the drop-in are written in. */
#ifndef WG_TESTS_DROPIN_RV_H
#define WG_TESTS_DROPIN_RV_H

#include <stdint.h>

static inline uint32_t rv_lui(uint32_t rd, uint32_t upper)
{
    return upper << 12 | rd << 7 | 0x37;
}

static inline uint32_t rv_addi(uint32_t rd, uint32_t rs1, int32_t imm)
{
    return (uint32_t)imm << 20 | rs1 << 15 | rd << 7 | 0x13;
}

static inline uint32_t rv_add(uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return rs2 << 20 | rs1 << 15 | rd << 7 | 0x33;
}

static inline uint32_t rv_xor(uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return rv_add(rd, rs1, rs2) | 4 << 12;
}

static inline uint32_t rv_lw(uint32_t rd, int32_t offset, uint32_t rs1)
{
    return (uint32_t)offset << 20 | rs1 << 15 | 2 << 12 | rd << 7 | 0x03;
}

static inline uint32_t rv_sw(uint32_t rs2, int32_t offset, uint32_t rs1)
{
    uint32_t imm = (uint32_t)offset & 0xfff;
    return imm >> 5 << 25 | rs2 << 20 | rs1 << 15 | 2 << 12 | (imm & 31) << 7 | 0x23;
}

static inline uint32_t rv_bne(uint32_t rs1, uint32_t rs2, int32_t offset)
{
    uint32_t imm = (uint32_t)offset;
    return (imm >> 12 & 1) << 31 | (imm >> 5 & 63) << 25 | rs2 << 20 | rs1 << 15 | 1 << 12 |
           (imm >> 1 & 15) << 8 | (imm >> 11 & 1) << 7 | 0x63;
}

static inline uint32_t rv_jal(uint32_t rd, int32_t offset)
{
    uint32_t imm = (uint32_t)offset;
    return (imm >> 20 & 1) << 31 | (imm >> 1 & 0x3ff) << 21 | (imm >> 11 & 1) << 20 |
           (imm >> 12 & 0xff) << 12 | rd << 7 | 0x6f;
}

#define RV_FENCE UINT32_C(0x0ff0000f)

#endif
