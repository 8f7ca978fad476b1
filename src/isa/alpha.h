/*
 * alpha.h - what is known about an Alpha instruction word without running it.
 *
 * Everything here is made from alpha.def: operations, encodings, boxes, latencies, decoder and
 * disassembler.
 *
 * Registers have one numbering: 0..31 integer, 32..63 floating point. 31 and 63 read as 0 and are
 * never written: an instruction that names one as its destination has ALPHA_SINK there instead.
 * So a scheduler needs an array of ALPHA_N_REGS and no test: reg[i.d] = f(reg[i.a], reg[i.b]).
 */
#ifndef WG_ISA_ALPHA_H
#define WG_ISA_ALPHA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ALPHA_FP     32 /* first floating point register */
#define ALPHA_ZERO   31
#define ALPHA_FZERO  63
#define ALPHA_SINK   64 /* where writes to R31 and F31 go; never read */
#define ALPHA_N_REGS 65

/* The operations, in the order of the table; all qualifiers of one share a number. */
enum alpha_op {
#define ALPHA_OP(id, box, latency, size, flags, evidence, text) ALPHA_OP_##id,
#include "isa/alpha.def"
    ALPHA_N_OPS
};

/* The encodings, in the order of the table. */
enum {
    ALPHA_N_FORMS = 0
#define ALPHA_FORM(id, name, format, opcode, function) +1
#include "isa/alpha.def"
};

enum alpha_box { ALPHA_BOX_E, ALPHA_BOX_F, ALPHA_BOX_M, ALPHA_BOX_C, ALPHA_BOX_Pal };

enum alpha_latency {
#define ALPHA_LATENCY(name, cycles, evidence, source, text) ALPHA_LATENCY_##name,
#include "isa/alpha.def"
    ALPHA_N_LATENCIES
};

/* Flags of an operation. */
#define AF_LOAD    0x0001u /* reads memory */
#define AF_STORE   0x0002u /* writes memory */
#define AF_LOCKED  0x0004u /* LDx_L, STx_C */
#define AF_BRANCH  0x0008u /* conditional branch */
#define AF_JUMP    0x0010u /* always goes elsewhere */
#define AF_CMOV    0x0020u /* the old value of its destination is operand c */
#define AF_TRAP    0x0040u /* may raise an arithmetic trap */
#define AF_FPCR    0x0080u /* reads or writes FPCR */
#define AF_PAL     0x0100u /* CALL_PAL */
#define AF_MB      0x0200u
#define AF_WMB     0x0400u
#define AF_TRAPB   0x0800u
#define AF_EXCB    0x1000u
#define AF_COUNTER 0x2000u /* reads the cycle counter */
#define AF_FLAG    0x4000u /* reads and writes the interrupt flag */
#define AF_BARRIER (AF_MB | AF_WMB | AF_TRAPB | AF_EXCB)

struct alpha_op_info {
    const char *id;
    uint8_t box;     /* enum alpha_box */
    uint8_t latency; /* enum alpha_latency */
    uint8_t size;    /* bytes of the memory access, 0 if none */
    uint8_t evidence;
    uint16_t flags; /* AF_... */
    const char *text;
};

/* Latencies and the evidence for them. */
struct alpha_latency_info {
    const char *name;
    uint8_t cycles, evidence;
    const char *source, *text;
};

/* Operands: which register fields there are, what is fixed, how they are written. */
enum alpha_fmt {
    ALPHA_FMT_LDA,        /* ra,disp(rb) */
    ALPHA_FMT_LOAD,       /* ra,disp(rb) */
    ALPHA_FMT_STORE,      /* ra,disp(rb) */
    ALPHA_FMT_STORE_C,    /* ra,disp(rb); ra is data and result */
    ALPHA_FMT_FLOAD,      /* fa,disp(rb) */
    ALPHA_FMT_FSTORE,     /* fa,disp(rb) */
    ALPHA_FMT_BR,         /* ra,target; ra is the link */
    ALPHA_FMT_BRANCH,     /* ra,target */
    ALPHA_FMT_FBRANCH,    /* fa,target */
    ALPHA_FMT_JUMP,       /* ra,(rb),target hint */
    ALPHA_FMT_RET,        /* ra,(rb),hint */
    ALPHA_FMT_OPERATE,    /* ra,rb or literal,rc */
    ALPHA_FMT_OPERATE_N,  /* ra,rb,rc: no literal */
    ALPHA_FMT_OPERATE_B,  /* rb or literal,rc; ra is 31 */
    ALPHA_FMT_OPERATE_R,  /* rb,rc; ra is 31, no literal */
    ALPHA_FMT_SEXT,       /* rb,rc; ra is 31; a literal works, but assemblers do not write it */
    ALPHA_FMT_IMPLVER,    /* rc; ra is 31, literal 1 */
    ALPHA_FMT_CMOVE,      /* ra,rb or literal,rc; rc is read, too */
    ALPHA_FMT_FTOI,       /* fa,rc; rb is 31 */
    ALPHA_FMT_ITOF,       /* ra,fc; rb is 31 */
    ALPHA_FMT_FOPERATE,   /* fa,fb,fc */
    ALPHA_FMT_FOPERATE_B, /* fb,fc; fa is 31 */
    ALPHA_FMT_FCMOVE,     /* fa,fb,fc; fc is read, too */
    ALPHA_FMT_FPCR_R,     /* fa, three times the same */
    ALPHA_FMT_FPCR_W,     /* fa, three times the same */
    ALPHA_FMT_MISC,       /* nothing */
    ALPHA_FMT_MISC_A,     /* ra */
    ALPHA_FMT_MISC_B,     /* (rb) */
    ALPHA_FMT_MISC_AB,    /* ra,rb */
    ALPHA_FMT_PAL,        /* nothing */
    ALPHA_FMT_PAL_ANY     /* 26 bits */
};

struct alpha_form {
    const char *name;
    uint8_t op; /* enum alpha_op */
    uint8_t format;
    uint8_t opcode;
    uint16_t function;
};

extern const struct alpha_op_info alpha_ops[ALPHA_N_OPS];
extern const struct alpha_form alpha_forms[ALPHA_N_FORMS];
extern const struct alpha_latency_info alpha_latencies[ALPHA_N_LATENCIES];

/* Qualifiers of floating point operations, as they stand in the word (bits 10:6 of the function). */
#define ALPHA_QUAL_ROUND 0x03u /* 0 /c, 1 /m, 2 normal, 3 /d */
#define ALPHA_QUAL_U     0x04u /* /u or /v: underflow or integer overflow is reported */
#define ALPHA_QUAL_I     0x08u /* inexact is reported */
#define ALPHA_QUAL_S     0x10u /* software completion */

/* The row of `go` that takes b from imm; see alpha_insn.go. */
#define ALPHA_GO_LITERAL 0x100u

/*
 * A decoded instruction, 16 bytes. Operand values are reg[a]; go & ALPHA_GO_LITERAL ? imm : reg[b];
 * reg[c]. What an operation does not read is ALPHA_ZERO. The result goes to reg[d], ALPHA_SINK if
 * there is none.
 *   memory            b base, imm displacement (of LDAH already shifted), a data of a store
 *   STx_C             a data, d the success flag
 *   branches          a condition, d link (BR, BSR), imm distance in bytes from pc + 4
 *   jumps             b target, d link
 *   conditional moves a condition, b new value, c old value
 *   RDUNIQ, WRUNIQ    d is v0; a is a0
 *   GENTRAP           a is a0
 *   ILLEGAL, VAX, CALL_PAL, PALRES: no operands
 */
struct alpha_insn {
    uint16_t go; /* op, plus ALPHA_GO_LITERAL if b is imm; what schedulers dispatch on */
    uint8_t a, b, c, d;
    uint8_t op;   /* enum alpha_op */
    uint8_t qual; /* ALPHA_QUAL_... */
    int32_t imm;
    uint32_t word;
};

/* The form of a word, NULL if it is no instruction. */
const struct alpha_form *alpha_form_of(uint32_t word);
/* Never fails: what is no instruction becomes ALPHA_OP_ILLEGAL. */
struct alpha_insn alpha_decode(uint32_t word);

/* The registers an instruction reads besides ALPHA_ZERO and ALPHA_FZERO, as a mask by number. */
uint64_t alpha_reads(const struct alpha_insn *i);
/* The register it writes as a mask by number; 0 if none. */
uint64_t alpha_writes(const struct alpha_insn *i);

/* v0, t0, ... zero, then f0 ... f31. */
const char *alpha_reg_name(unsigned reg);

/*
 * Write the text of the word at address pc to buf (always ends in NUL if n > 0): the mnemonic, a
 * tab, the operands, as objdump does. Returns the length the whole text has, as snprintf does. What is
 * no instruction becomes ".long".
 */
int alpha_dis_text(uint32_t word, uint64_t pc, char *buf, size_t n);

#endif
