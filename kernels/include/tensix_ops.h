/*
 * tensix_ops.h - words of Tensix instructions, made from named constants. Fields are where docs/isa.md
 * puts them; operands are in the order of the assembler. A test compares every macro with the
 * project's instruction table, so this file needs nothing but stdint.h.
 */
#ifndef KERNELS_TENSIX_OPS_H
#define KERNELS_TENSIX_OPS_H

#include <stdint.h>

#define TENSIX_WORD(opcode, operands) ((uint32_t)(opcode) << 24 | (uint32_t)(operands))

/* A word as it stands in RISC-V code (.ttinsn): rotated left by two. */
#define TENSIX_TTINSN(word) ((uint32_t)(word) << 2 | (uint32_t)(word) >> 30)

/* ---- block bits, conditions, semaphores ---- */

#define STALL_TDMA   0x001
#define STALL_SYNC   0x002
#define STALL_PACK   0x004
#define STALL_UNPACK 0x008
#define STALL_XMOV   0x010
#define STALL_THCON  0x020
#define STALL_MATH   0x040
#define STALL_CFG    0x080
#define STALL_SFPU   0x100
#define STALL_THREAD 0x1FF

#define WAIT_THCON     0x0001
#define WAIT_UNPACK0   0x0002
#define WAIT_UNPACK1   0x0004
#define WAIT_PACK0     0x0008
#define WAIT_MATH      0x0010
#define WAIT_SRCA_CLR  0x0020
#define WAIT_SRCB_CLR  0x0040
#define WAIT_SRCA_VLD  0x0080
#define WAIT_SRCB_VLD  0x0100
#define WAIT_XMOV      0x0200
#define WAIT_TRISC_CFG 0x0400
#define WAIT_SFPU      0x0800
#define WAIT_CFGEXU    0x1000

#define STALL_ON_ZERO 1
#define STALL_ON_MAX  2

enum semaphore {
    SEM_FPU_SFPU = 0,
    SEM_MATH_PACK = 1,
    SEM_UNPACK_TO_DEST = 2,
    SEM_UNPACK_OPERAND_SYNC = 3,
    SEM_PACK_DONE = 4,
    SEM_UNPACK_SYNC = 5,
    SEM_UNPACK_MATH_DONE = 6,
    SEM_MATH_DONE = 7,
};
#define SEM_BIT(semaphore) (1U << (semaphore))

/* ---- front end ---- */

#define OP_MOP(type, count, mask)                                                                  \
    TENSIX_WORD(0x01, (uint32_t)(type) << 23 | (uint32_t)(count) << 16 | (mask))
#define OP_NOP                TENSIX_WORD(0x02, 0)
#define OP_MOP_CFG(mask_high) TENSIX_WORD(0x03, mask_high)
#define OP_REPLAY(start, len, execute, load)                                                       \
    TENSIX_WORD(0x04, (uint32_t)(start) << 14 | (uint32_t)(len) << 4 | (execute) << 1 | (load))
#define OP_RESOURCEDECL(linger, resources, op_class)                                               \
    TENSIX_WORD(0x05, (linger) << 13 | (resources) << 4 | (op_class))

/* ---- Sync Unit ---- */

#define OP_ATGETM(mutex)           TENSIX_WORD(0xA0, mutex)
#define OP_ATRELM(mutex)           TENSIX_WORD(0xA1, mutex)
#define OP_STALLWAIT(block, wait)  TENSIX_WORD(0xA2, (uint32_t)(block) << 15 | (wait))
#define OP_SEMINIT(max, init, sem) TENSIX_WORD(0xA3, (max) << 20 | (init) << 16 | (sem) << 2)
#define OP_SEMPOST(sem)            TENSIX_WORD(0xA4, (sem) << 2)
#define OP_SEMGET(sem)             TENSIX_WORD(0xA5, (sem) << 2)
#define OP_SEMWAIT(block, sem, condition)                                                          \
    TENSIX_WORD(0xA6, (uint32_t)(block) << 15 | (sem) << 2 | (condition))

/* ---- Scalar Unit ---- */

#define OP_DMAREG(opcode, is_const, sel, result, b, a)                                             \
    TENSIX_WORD(opcode, (uint32_t)(is_const) << 23 | (sel) << 18 | (result) << 12 | (b) << 6 | (a))
#define OP_ADDDMAREG(is_const, result, b, a)         OP_DMAREG(0x58, is_const, 0, result, b, a)
#define OP_SUBDMAREG(is_const, result, b, a)         OP_DMAREG(0x59, is_const, 0, result, b, a)
#define OP_MULDMAREG(is_const, result, b, a)         OP_DMAREG(0x5A, is_const, 0, result, b, a)
#define OP_BITWOPDMAREG(is_const, sel, result, b, a) OP_DMAREG(0x5B, is_const, sel, result, b, a)
#define OP_SHIFTDMAREG(is_const, sel, result, b, a)  OP_DMAREG(0x5C, is_const, sel, result, b, a)
#define OP_CMPDMAREG(is_const, sel, result, b, a)    OP_DMAREG(0x5D, is_const, sel, result, b, a)

/* SETDMAREG: half 2n is the low, half 2n + 1 the high half of GPR n. */
#define OP_SETDMAREG(high2, low14, signals, half)                                                  \
    TENSIX_WORD(0x45, (uint32_t)(high2) << 22 | (low14) << 8 | (signals) << 7 | (half))
#define OP_SETDMAREG_HALF(half, value)                                                             \
    OP_SETDMAREG(((uint32_t)(value) >> 14) & 3, (value)&0x3FFF, 0, half)
#define OP_SETDMAREG_LO(gpr, value) OP_SETDMAREG_HALF(2 * (gpr), (value)&0xFFFF)
#define OP_SETDMAREG_HI(gpr, value) OP_SETDMAREG_HALF(2 * (gpr) + 1, ((uint32_t)(value) >> 16))

#define OP_FLUSHDMA(conditions)    TENSIX_WORD(0x46, conditions)
#define OP_DMANOP                  TENSIX_WORD(0x60, 0)
#define OP_STOREREG(gpr, reg_addr) TENSIX_WORD(0x67, (uint32_t)(gpr) << 18 | (reg_addr))
#define OP_LOADREG(gpr, reg_addr)  TENSIX_WORD(0x68, (uint32_t)(gpr) << 18 | (reg_addr))
#define OP_LOADIND(size, offset_half, increment, data, addr)                                       \
    TENSIX_WORD(0x49,                                                                              \
                (uint32_t)(size) << 22 | (offset_half) << 14 | (increment) << 12 | (data) << 6 |   \
                    (addr))
/* The form of STOREIND that goes to L1. */
#define OP_STOREIND_L1(size, offset_half, increment, data, addr)                                   \
    TENSIX_WORD(0x66,                                                                              \
                UINT32_C(1) << 23 | (uint32_t)(size) << 21 | (offset_half) << 14 |                 \
                    (increment) << 12 | (data) << 6 | (addr))
#define OP_ATINCGET(memory, wrap, word, data, addr)                                                \
    TENSIX_WORD(0x61, (uint32_t)(memory) << 23 | (wrap) << 14 | (word) << 12 | (data) << 6 | (addr))

/* ---- Configuration Unit ---- */

#define OP_WRCFG(gpr, wide, reg) TENSIX_WORD(0xB0, (uint32_t)(gpr) << 16 | (wide) << 15 | (reg))
#define OP_RDCFG(gpr, reg)       TENSIX_WORD(0xB1, (uint32_t)(gpr) << 16 | (reg))
#define OP_SETC16(reg, value)    TENSIX_WORD(0xB2, (uint32_t)(reg) << 16 | (value))
#define OP_RMWCIB(byte, mask, data, reg)                                                           \
    TENSIX_WORD(0xB3 + (byte), (uint32_t)(mask) << 16 | (data) << 8 | (reg))

/* ---- others that need no data ---- */

#define OP_SFPNOP                  TENSIX_WORD(0x8F, 0)
#define OP_SETDVALID(src)          TENSIX_WORD(0x57, src)
#define OP_CLEARDVALID(src, reset) TENSIX_WORD(0x36, (uint32_t)(src) << 22 | (reset))
#define OP_SETADC(counters, channel, dimension, value)                                             \
    TENSIX_WORD(0x50, (uint32_t)(counters) << 21 | (channel) << 20 | (dimension) << 18 | (value))
#define OP_SETRWC(clear, carry, d, b, a, mask)                                                     \
    TENSIX_WORD(                                                                                   \
        0x37, (uint32_t)(clear) << 22 | (carry) << 18 | (d) << 14 | (b) << 10 | (a) << 6 | (mask))
#define OP_INCRWC(carry, d, b, a)                                                                  \
    TENSIX_WORD(0x38, (uint32_t)(carry) << 18 | (d) << 14 | (b) << 10 | (a) << 6)

/* ---- unpackers, Matrix Unit, packer: only the operands that the kernels use ---- */

/* Context and counters of the configuration, not of the thread (ovrd_thread_id); addr_mod: ch1 Y, ch1 Z,
   ch0 Y, ch0 Z, two bits each. */
#define OP_UNPACR(unpacker, addr_mod, dvalid)                                                      \
    TENSIX_WORD(0x42, (uint32_t)(unpacker) << 23 | (addr_mod) << 15 | 1 << 7 | (dvalid) << 6 | 1)
#define OP_UNPACR_NOP_CLEAR(unpacker, dvalid, wait, ones)                                          \
    TENSIX_WORD(0x43, (uint32_t)(unpacker) << 23 | (dvalid) << 8 | (wait) << 5 | (ones) << 2 | 1)
#define OP_SETADCXY(counters, ch1_y, ch1_x, ch0_y, ch0_x, mask)                                    \
    TENSIX_WORD(0x51,                                                                              \
                (uint32_t)(counters) << 21 | (ch1_y) << 15 | (ch1_x) << 12 | (ch0_y) << 9 |        \
                    (ch0_x) << 6 | (mask))
#define OP_SETADCZW(counters, ch1_w, ch1_z, ch0_w, ch0_z, mask)                                    \
    TENSIX_WORD(0x54,                                                                              \
                (uint32_t)(counters) << 21 | (ch1_w) << 15 | (ch1_z) << 12 | (ch0_w) << 9 |        \
                    (ch0_z) << 6 | (mask))
#define OP_SETADCXX(counters, x_end, x_start)                                                      \
    TENSIX_WORD(0x5E, (uint32_t)(counters) << 21 | (x_end) << 10 | (x_start))
#define OP_PACR(strided, addr_mod, interfaces, last)                                               \
    TENSIX_WORD(                                                                                   \
        0x41, (uint32_t)(strided) << 17 | (addr_mod) << 15 | (interfaces) << 8 | 1 << 4 | (last))

#define OP_MVMUL(clear, addr_mod, dst)                                                             \
    TENSIX_WORD(0x26, (uint32_t)(clear) << 22 | (addr_mod) << 14 | (dst))
#define OP_ELW(opcode, clear, accumulate, broadcast, addr_mod, dst)                                \
    TENSIX_WORD(opcode,                                                                            \
                (uint32_t)(clear) << 22 | (accumulate) << 21 | (broadcast) << 19 |                 \
                    (addr_mod) << 14 | (dst))
#define OP_ELWMUL(clear, broadcast, addr_mod, dst) OP_ELW(0x27, clear, 0, broadcast, addr_mod, dst)
#define OP_ELWADD(clear, accumulate, broadcast, addr_mod, dst)                                     \
    OP_ELW(0x28, clear, accumulate, broadcast, addr_mod, dst)
#define OP_ELWSUB(clear, accumulate, broadcast, addr_mod, dst)                                     \
    OP_ELW(0x30, clear, accumulate, broadcast, addr_mod, dst)
#define OP_POOL(opcode, clear, addr_mod, dst)                                                      \
    TENSIX_WORD(opcode, (uint32_t)(clear) << 22 | 1 << 19 | (addr_mod) << 15 | (dst))
#define OP_GMPOOL(clear, addr_mod, dst) OP_POOL(0x33, clear, addr_mod, dst)
#define OP_GAPOOL(clear, addr_mod, dst) OP_POOL(0x34, clear, addr_mod, dst)
/* Moves: low says that the low half of a 32-bit datum is meant. */
#define OP_MOVD2A(low, src, addr_mod, mode, dst)                                                   \
    TENSIX_WORD(0x08, (uint32_t)(low) << 23 | (src) << 17 | (addr_mod) << 14 | (mode) << 12 | (dst))
#define OP_MOVD2B(low, src, addr_mod, mode, dst)                                                   \
    TENSIX_WORD(0x0A, (uint32_t)(low) << 23 | (src) << 17 | (addr_mod) << 14 | (mode) << 12 | (dst))
#define OP_MOVB2A(srca, addr_mod, mode, srcb)                                                      \
    TENSIX_WORD(0x0B, (uint32_t)(srca) << 17 | (addr_mod) << 14 | (mode) << 12 | (srcb))
#define OP_MOVA2D(low, src, addr_mod, mode, dst)                                                   \
    TENSIX_WORD(0x12, (uint32_t)(low) << 23 | (src) << 17 | (addr_mod) << 14 | (mode) << 12 | (dst))
#define OP_MOVB2D(low, src, addr_mod, mode, dst)                                                   \
    TENSIX_WORD(0x13, (uint32_t)(low) << 23 | (src) << 17 | (addr_mod) << 14 | (mode) << 11 | (dst))
#define OP_TRNSPSRCB TENSIX_WORD(0x16, 0)
/* Later instructions see Src as earlier ones leave it. */
#define OP_GATESRCRST(invalidate_b, invalidate_a)                                                  \
    TENSIX_WORD(0x35, (uint32_t)(invalidate_b) << 1 | (invalidate_a))
#define OP_ZEROACC(mode, wide, addr_mod, where)                                                    \
    TENSIX_WORD(0x10, (uint32_t)(mode) << 19 | (wide) << 18 | (addr_mod) << 14 | (where))
#define OP_ZEROSRC(write_mode, bank_mask, src_mask)                                                \
    TENSIX_WORD(0x11, (uint32_t)(write_mode) << 3 | (bank_mask) << 2 | (src_mask))

/* ---- Vector Unit: LRegs 0 to 15, mode is the modifier ---- */

/* Load and store: mode is the format in Dst, addr_mod a slot of address modifiers. */
#define OP_SFPLOAD(lreg, mode, addr_mod, dst)                                                      \
    TENSIX_WORD(0x70, (uint32_t)(lreg) << 20 | (mode) << 16 | (addr_mod) << 13 | (dst))
#define OP_SFPSTORE(lreg, mode, addr_mod, dst)                                                     \
    TENSIX_WORD(0x72, (uint32_t)(lreg) << 20 | (mode) << 16 | (addr_mod) << 13 | (dst))
#define OP_SFPLOADI(lreg, mode, imm16)                                                             \
    TENSIX_WORD(0x71, (uint32_t)(lreg) << 20 | (mode) << 16 | ((imm16)&0xFFFF))
#define OP_SFPLOADMACRO(macro, lreg, mode, addr_mod, dst)                                          \
    TENSIX_WORD(0x93,                                                                              \
                (uint32_t)(macro) << 22 | ((lreg)&3) << 20 | (mode) << 16 | (addr_mod) << 13 |     \
                    (dst) | (lreg) >> 2)
#define OP_SFPLUT(lreg, mode) TENSIX_WORD(0x73, (uint32_t)(lreg) << 20 | (mode) << 16)
/* An immediate of 16 bits */
#define OP_SFP_IMM16(opcode, imm16, vd, mode)                                                      \
    TENSIX_WORD(opcode, ((uint32_t)(imm16)&0xFFFF) << 8 | (vd) << 4 | (mode))
#define OP_SFPMULI(imm16, vd, mode)     OP_SFP_IMM16(0x74, imm16, vd, mode)
#define OP_SFPADDI(imm16, vd, mode)     OP_SFP_IMM16(0x75, imm16, vd, mode)
#define OP_SFPCONFIG(imm16, dest, mode) OP_SFP_IMM16(0x91, imm16, dest, mode)
/* VC, VD and an immediate of 12 bits, which may name VB */
#define OP_SFP_IMM12(opcode, imm12, vc, vd, mode)                                                  \
    TENSIX_WORD(opcode, ((uint32_t)(imm12)&0xFFF) << 12 | (vc) << 8 | (vd) << 4 | (mode))
#define OP_SFPDIVP2(imm12, vc, vd, mode)  OP_SFP_IMM12(0x76, imm12, vc, vd, mode)
#define OP_SFPEXEXP(vc, vd, mode)         OP_SFP_IMM12(0x77, 0, vc, vd, mode)
#define OP_SFPEXMAN(vc, vd, mode)         OP_SFP_IMM12(0x78, 0, vc, vd, mode)
#define OP_SFPIADD(imm12, vc, vd, mode)   OP_SFP_IMM12(0x79, imm12, vc, vd, mode)
#define OP_SFPSHFT(imm12, vc, vd, mode)   OP_SFP_IMM12(0x7A, imm12, vc, vd, mode)
#define OP_SFPSETCC(vc, mode)             OP_SFP_IMM12(0x7B, 0, vc, 0, mode)
#define OP_SFPMOV(vc, vd, mode)           OP_SFP_IMM12(0x7C, 0, vc, vd, mode)
#define OP_SFPABS(vc, vd, mode)           OP_SFP_IMM12(0x7D, 0, vc, vd, mode)
#define OP_SFPAND(vc, vd)                 OP_SFP_IMM12(0x7E, 0, vc, vd, 0)
#define OP_SFPOR(vc, vd)                  OP_SFP_IMM12(0x7F, 0, vc, vd, 0)
#define OP_SFPNOT(vc, vd)                 OP_SFP_IMM12(0x80, 0, vc, vd, 0)
#define OP_SFPLZ(vc, vd, mode)            OP_SFP_IMM12(0x81, 0, vc, vd, mode)
#define OP_SFPSETEXP(imm12, vc, vd, mode) OP_SFP_IMM12(0x82, imm12, vc, vd, mode)
#define OP_SFPSETMAN(imm12, vc, vd, mode) OP_SFP_IMM12(0x83, imm12, vc, vd, mode)
#define OP_SFPPUSHC(mode)                 OP_SFP_IMM12(0x87, 0, 0, 0, mode)
#define OP_SFPPOPC(mode)                  OP_SFP_IMM12(0x88, 0, 0, 0, mode)
#define OP_SFPSETSGN(imm12, vc, vd, mode) OP_SFP_IMM12(0x89, imm12, vc, vd, mode)
#define OP_SFPENCC(imm12, mode)           OP_SFP_IMM12(0x8A, imm12, 0, 0, mode)
#define OP_SFPCOMPC                       OP_SFP_IMM12(0x8B, 0, 0, 0, 0)
#define OP_SFPTRANSP                      OP_SFP_IMM12(0x8C, 0, 0, 0, 0)
#define OP_SFPXOR(vc, vd)                 OP_SFP_IMM12(0x8D, 0, vc, vd, 0)
#define OP_SFPCAST(vc, vd, mode)          OP_SFP_IMM12(0x90, 0, vc, vd, mode)
#define OP_SFPSWAP(vc, vd, mode)          OP_SFP_IMM12(0x92, 0, vc, vd, mode)
#define OP_SFPSHFT2(vb, vc, vd, mode)     OP_SFP_IMM12(0x94, vb, vc, vd, mode)
#define OP_SFPLE(vc, vd, mode)            OP_SFP_IMM12(0x96, 0, vc, vd, mode)
#define OP_SFPGT(vc, vd, mode)            OP_SFP_IMM12(0x97, 0, vc, vd, mode)
#define OP_SFPARECIP(vc, vd, mode)        OP_SFP_IMM12(0x99, 0, vc, vd, mode)
#define OP_SFPLUTFP32(vd, mode)           OP_SFP_IMM12(0x95, 0, 0, vd, mode)
#define OP_SFP_STOCH_RND(rounding, vc, vd, mode)                                                   \
    TENSIX_WORD(0x8E, (uint32_t)(rounding) << 21 | (vc) << 8 | (vd) << 4 | (mode))
/* The same for integers, which are divided by 2^imm5. */
#define OP_SFP_STOCH_RND_BY(rounding, imm5, vc, vd, mode)                                          \
    (OP_SFP_STOCH_RND(rounding, vc, vd, 8 | (mode)) | (uint32_t)(imm5) << 16)
/* VA * VB + VC to VD */
#define OP_SFP_ABC(opcode, va, vb, vc, vd, mode)                                                   \
    TENSIX_WORD(opcode, (uint32_t)(va) << 16 | (vb) << 12 | (vc) << 8 | (vd) << 4 | (mode))
#define OP_SFPMAD(va, vb, vc, vd, mode)   OP_SFP_ABC(0x84, va, vb, vc, vd, mode)
#define OP_SFPADD(va, vb, vc, vd, mode)   OP_SFP_ABC(0x85, va, vb, vc, vd, mode)
#define OP_SFPMUL(va, vb, vc, vd, mode)   OP_SFP_ABC(0x86, va, vb, vc, vd, mode)
#define OP_SFPMUL24(va, vb, vc, vd, mode) OP_SFP_ABC(0x98, va, vb, vc, vd, mode)

#endif
