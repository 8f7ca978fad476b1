/*
 * words.h - Alpha instructions as words, for tests that need only a handful.
 */
#ifndef WG_TESTS_ALPHA_WORDS_H
#define WG_TESTS_ALPHA_WORDS_H

#include <stdint.h>

#define AX_NOP   0x47ff041fu /* bis $31,$31,$31 */
#define AX_TRAPB 0x60000000u
#define AX_EXCB  0x60000400u
#define AX_MB    0x60004000u
#define AX_WMB   0x60004400u
#define AX_HALT  0x00000000u /* CALL_PAL 0: stops the CPU */

static inline uint32_t ax_memory(unsigned opcode, unsigned ra, int displacement, unsigned rb)
{
    return opcode << 26 | ra << 21 | rb << 16 | ((unsigned)displacement & 0xffff);
}

static inline uint32_t ax_operate(unsigned opcode, unsigned function, unsigned ra, unsigned rb,
                                  unsigned rc)
{
    return opcode << 26 | ra << 21 | rb << 16 | function << 5 | rc;
}

static inline uint32_t ax_lda(unsigned ra, int v, unsigned rb)
{
    return ax_memory(0x08, ra, v, rb);
}
static inline uint32_t ax_ldq(unsigned ra, int d, unsigned rb)
{
    return ax_memory(0x29, ra, d, rb);
}
static inline uint32_t ax_ldl(unsigned ra, int d, unsigned rb)
{
    return ax_memory(0x28, ra, d, rb);
}
static inline uint32_t ax_stq(unsigned ra, int d, unsigned rb)
{
    return ax_memory(0x2d, ra, d, rb);
}
static inline uint32_t ax_stl(unsigned ra, int d, unsigned rb)
{
    return ax_memory(0x2c, ra, d, rb);
}
static inline uint32_t ax_ldq_l(unsigned ra, int d, unsigned rb)
{
    return ax_memory(0x2b, ra, d, rb);
}
static inline uint32_t ax_stq_c(unsigned ra, int d, unsigned rb)
{
    return ax_memory(0x2f, ra, d, rb);
}
static inline uint32_t ax_addq(unsigned ra, unsigned rb, unsigned rc)
{
    return ax_operate(0x10, 0x20, ra, rb, rc);
}
static inline uint32_t ax_mulq(unsigned ra, unsigned rb, unsigned rc)
{
    return ax_operate(0x13, 0x20, ra, rb, rc);
}
static inline uint32_t ax_divt(unsigned fa, unsigned fb, unsigned fc)
{
    return ax_operate(0x16, 0x0a3, fa, fb, fc);
}
static inline uint32_t ax_addt(unsigned fa, unsigned fb, unsigned fc)
{
    return ax_operate(0x16, 0x0a0, fa, fb, fc);
}
static inline uint32_t ax_beq(unsigned ra, int words)
{
    return 0x39u << 26 | ra << 21 | ((unsigned)words & 0x1fffff);
}
static inline uint32_t ax_bne(unsigned ra, int words)
{
    return 0x3du << 26 | ra << 21 | ((unsigned)words & 0x1fffff);
}

#endif
