/*
 * rv32.h - what is known about a RISC-V instruction word without running it.
 *
 * Everything here is made from rv32.def: opcode numbers, the table of encodings, formats,
 * extensions and classes, decoder, encoder and disassembler.
 */
#ifndef WG_ISA_RV32_H
#define WG_ISA_RV32_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One number per row, in the order of the table. */
enum rv_op {
#define RV(id, name, match, mask, format, extension, class, text) RV_OP_##id,
#include "isa/rv32.def"
    RV_N_ROWS,
    RV_OP_TTINSN = RV_N_ROWS, /* low two bits other than 3: a Tensix word rotated left by two */
    RV_OP_ILLEGAL,
    RV_N_OPS
};

/* Operands, as they are written. */
enum rv_fmt {
    RV_FMT_NONE,
    RV_FMT_R,     /* rd,rs1,rs2 */
    RV_FMT_R1,    /* rd,rs1 */
    RV_FMT_I,     /* rd,rs1,imm */
    RV_FMT_SHIFT, /* rd,rs1,amount */
    RV_FMT_U,     /* rd,imm20 */
    RV_FMT_J,     /* rd,target */
    RV_FMT_B,     /* rs1,rs2,target */
    RV_FMT_JALR,  /* rd,imm(rs1) */
    RV_FMT_LOAD,  /* rd,imm(rs1) */
    RV_FMT_STORE, /* rs2,imm(rs1) */
    RV_FMT_FENCE, /* pred,succ */
    RV_FMT_AMO,   /* rd,rs2,(rs1) */
    RV_FMT_CSR,   /* rd,csr,rs1 */
    RV_FMT_CSRI,  /* rd,csr,uimm */
    RV_FMT_FLOAD, /* fd,imm(rs1) */
    RV_FMT_FSTORE,
    RV_FMT_FR,   /* fd,fs1,fs2 */
    RV_FMT_FRM,  /* fd,fs1,fs2,rm */
    RV_FMT_F4,   /* fd,fs1,fs2,fs3,rm */
    RV_FMT_FCMP, /* rd,fs1,fs2 */
    RV_FMT_FX,   /* rd,fs1 */
    RV_FMT_FXRM, /* rd,fs1,rm */
    RV_FMT_XF,   /* fd,rs1 */
    RV_FMT_XFRM, /* fd,rs1,rm */
    RV_FMT_FF,   /* fd,fs1,rm */
    RV_FMT_FF0,  /* fd,fs1 */
    RV_FMT_VL,   /* vd,(rs1),vm */
    RV_FMT_VLM,  /* vd,(rs1) */
    RV_FMT_VLS,  /* vd,(rs1),rs2,vm */
    RV_FMT_VLX,  /* vd,(rs1),vs2,vm */
    RV_FMT_VV,   /* vd,vs2,vs1,vm */
    RV_FMT_VX,   /* vd,vs2,rs1,vm */
    RV_FMT_VI,   /* vd,vs2,simm5,vm */
    RV_FMT_VIU,  /* vd,vs2,uimm5,vm */
    RV_FMT_VF,   /* vd,vs2,fs1,vm */
    RV_FMT_VV3,  /* vd,vs1,vs2,vm */
    RV_FMT_VX3,  /* vd,rs1,vs2,vm */
    RV_FMT_VF3,  /* vd,fs1,vs2,vm */
    RV_FMT_VVM,  /* vd,vs2,vs1,v0 */
    RV_FMT_VXM,
    RV_FMT_VIM,
    RV_FMT_VFM,
    RV_FMT_VVN, /* vd,vs2,vs1, never masked */
    RV_FMT_VXN,
    RV_FMT_VIN,
    RV_FMT_V1,   /* vd,vs2,vm */
    RV_FMT_VR,   /* vd,vs2 */
    RV_FMT_VMVV, /* vd,vs1 */
    RV_FMT_VMVX, /* vd,rs1 */
    RV_FMT_VMVI, /* vd,simm5 */
    RV_FMT_VMVF, /* vd,fs1 */
    RV_FMT_VXS,  /* rd,vs2 */
    RV_FMT_VFS,  /* fd,vs2 */
    RV_FMT_VXSM, /* rd,vs2,vm */
    RV_FMT_VID,  /* vd,vm */
    RV_FMT_VSETVLI,
    RV_FMT_VSETIVLI,
    RV_FMT_TTINSN
};

enum rv_ext {
    RV_EXT_I,
    RV_EXT_M,
    RV_EXT_ZICSR,
    RV_EXT_ZAAMO,
    RV_EXT_ZBA,
    RV_EXT_ZBB,
    RV_EXT_ZBKB,  /* pack and brev8 only */
    RV_EXT_GREVI, /* Bitmanip 0.94-draft */
    RV_EXT_F,
    RV_EXT_ZFH,
    RV_EXT_MRET, /* cores B and NC */
    RV_EXT_V,    /* core T2 */
    RV_EXT_TT
};

/* The way an instruction takes through the pipeline. */
enum rv_class {
    RV_CLASS_ALU,
    RV_CLASS_MUL,
    RV_CLASS_DIV,
    RV_CLASS_BRANCH,
    RV_CLASS_JUMP,
    RV_CLASS_LOAD,
    RV_CLASS_STORE,
    RV_CLASS_FENCE,
    RV_CLASS_AMO,
    RV_CLASS_CSR,
    RV_CLASS_SYSTEM,
    RV_CLASS_FMA, /* add, subtract, multiply and their fusions */
    RV_CLASS_FCVT,
    RV_CLASS_FMISC,
    RV_CLASS_VLOAD,
    RV_CLASS_VSTORE,
    RV_CLASS_VALU,  /* element by element */
    RV_CLASS_VMASK, /* of whole masks */
    RV_CLASS_VPERM, /* moves elements to other places */
    RV_CLASS_VRED,
    RV_CLASS_VCFG,
    RV_CLASS_TTINSN,
    RV_CLASS_ILLEGAL
};

struct rv32_insn {
    const char *name;
    uint32_t match, mask;
    uint8_t format, extension, class;
    const char *text;
};

/* The rows of the table, then .ttinsn and "illegal". */
extern const struct rv32_insn rv32_table[RV_N_OPS];

enum rv_op rv32_decode(uint32_t word);

/* The operands of a word. Registers are numbers whatever their file; what a format lacks is 0. */
struct rv32_args {
    uint8_t rd, rs1, rs2, rs3; /* vector: vd, vs1 or rs1 or fs1, vs2 */
    uint8_t vm;                /* vector: 1 = not masked */
    uint8_t rm;                /* rounding mode; of a fence fm, of an AMO aq and rl */
    uint16_t csr;
    /* immediate or byte offset of a target; U: the value shifted; vset: vtype; fence: pred, succ;
       .ttinsn: the Tensix word */
    int32_t imm;
};

struct rv32_args rv32_args_of(enum rv_op op, uint32_t word);
/* Values too wide for their field are cut to it. */
uint32_t rv32_encode(enum rv_op op, struct rv32_args a);

/* Does the format say that rd (rs1, rs2) is an integer register? For the timing model. */
bool rv32_writes_x(enum rv_op op);
bool rv32_reads_x1(enum rv_op op);
bool rv32_reads_x2(enum rv_op op);

#define RV32_DIS_NUMERIC 0x1u /* x10 and f10 instead of a0 and fa0 */

/*
 * Write the text of the word at address pc to buf (always ends in NUL if n > 0): the mnemonic, a
 * tab, the operands, as objdump -M no-aliases does. Returns the length the whole text has, as
 * snprintf does. What is no instruction becomes ".word".
 */
int rv32_dis_text(uint32_t word, uint32_t pc, unsigned flags, char *buf, size_t n);

/* The name of a CSR, NULL if the cores do not have it. */
const char *rv32_dis_csr_name(unsigned csr);

#endif
