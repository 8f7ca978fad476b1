/*
 * rv32_dis.c - RISC-V words as text.
 *
 * The text is that of GNU objdump -M no-aliases (2.40), with numeric or ABI register names; a
 * test compares them. The CSRs' names come from rv32_csr.def.
 */
#include <stdio.h>

#include "base/bits.h"
#include "isa/rv32.h"

static const char *const x_names[32] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                        "s0",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                        "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                        "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
static const char *const f_names[32] = {"ft0", "ft1", "ft2",  "ft3",  "ft4", "ft5", "ft6",  "ft7",
                                        "fs0", "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4",  "fa5",
                                        "fa6", "fa7", "fs2",  "fs3",  "fs4", "fs5", "fs6",  "fs7",
                                        "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};
static const char *const n_names[32] = {"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",
                                        "x8",  "x9",  "x10", "x11", "x12", "x13", "x14", "x15",
                                        "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23",
                                        "x24", "x25", "x26", "x27", "x28", "x29", "x30", "x31"};
static const char *const nf_names[32] = {"f0",  "f1",  "f2",  "f3",  "f4",  "f5",  "f6",  "f7",
                                         "f8",  "f9",  "f10", "f11", "f12", "f13", "f14", "f15",
                                         "f16", "f17", "f18", "f19", "f20", "f21", "f22", "f23",
                                         "f24", "f25", "f26", "f27", "f28", "f29", "f30", "f31"};
static const char *const rounding[8] = {
    "rne", "rtz", "rdn", "rup", "rmm", "unknown", "unknown", ""};

static const struct {
    uint16_t number;
    bool custom;
    const char *name;
} csrs[] = {
#define CSR(number, name, custom, reads, text) {number, custom, #name},
#include "isa/rv32_csr.def"
};

#define N_CSRS (sizeof csrs / sizeof csrs[0])

static size_t csr_index(unsigned csr)
{
    size_t i = 0;
    while (i < N_CSRS && csrs[i].number != csr)
        i++;
    return i;
}

const char *rv32_dis_csr_name(unsigned csr)
{
    size_t i = csr_index(csr);
    return i < N_CSRS ? csrs[i].name : NULL;
}

static void csr_text(unsigned csr, char out[24])
{
    size_t i = csr_index(csr);
    if (i == N_CSRS || csrs[i].custom)
        snprintf(out, 24, "0x%x", csr);
    else
        snprintf(out, 24, "%s", csrs[i].name);
}

static void fence_set(unsigned set, char out[8])
{
    static const char letters[] = "iorw";
    unsigned n = 0;
    for (unsigned i = 0; i < 4; i++)
        if (set & 8u >> i)
            out[n++] = letters[i];
    if (!n) {
        snprintf(out, 8, "unknown");
        return;
    }
    out[n] = '\0';
}

static void vtype_text(unsigned vtype, unsigned high, char out[32])
{
    static const char *const lmul[8] = {"m1", "m2", "m4", "m8", NULL, "mf8", "mf4", "mf2"};
    unsigned sew = bits_get(vtype, 3, 3);
    if (sew > 3 || !lmul[vtype & 7] || vtype >> 8 || high)
        snprintf(out, 32, "%u", vtype);
    else
        snprintf(out,
                 32,
                 "e%u,%s,%s,%s",
                 8u << sew,
                 lmul[vtype & 7],
                 vtype & 0x40 ? "ta" : "tu",
                 vtype & 0x80 ? "ma" : "mu");
}

/* A text under construction; knows how long it would have become. */
struct text {
    char *buf;
    size_t room, length;
};

static void say(struct text *t, const char *s)
{
    for (; *s; s++, t->length++)
        if (t->length + 1 < t->room)
            t->buf[t->length] = *s;
    if (t->room)
        t->buf[t->length < t->room ? t->length : t->room - 1] = '\0';
}

static void say_number(struct text *t, const char *format, long value)
{
    char s[24];
    /* the two formats used */
    if (format[1] == 'd')
        snprintf(s, sizeof s, "%ld", value);
    else
        snprintf(s, sizeof s, "0x%lx", (unsigned long)value);
    say(t, s);
}

/*
 * What a format looks like. Letters are operands, the rest is itself:
 *   d s t   integer rd, rs1, rs2        D S T R   floating point rd, rs1, rs2, rs3
 *   V W U   vector vd, vs1, vs2         m         ",v0.t" when masked
 *   i       immediate                   h         the same in hexadecimal
 *   u       upper immediate             p         target of a jump
 *   r       rounding mode unless dyn    c         CSR
 *   P       fence sets                  v y       vtype of vsetvli, of vsetivli
 *   z       rs1 as a number             q         aq and rl, behind the name
 */
static const char *shape_of(enum rv_fmt format)
{
    switch (format) {
    case RV_FMT_NONE: return "";
    case RV_FMT_R: return "\td,s,t";
    case RV_FMT_R1: return "\td,s";
    case RV_FMT_I: return "\td,s,i";
    case RV_FMT_SHIFT: return "\td,s,h";
    case RV_FMT_U: return "\td,u";
    case RV_FMT_J: return "\td,p";
    case RV_FMT_B: return "\ts,t,p";
    case RV_FMT_JALR:
    case RV_FMT_LOAD: return "\td,i(s)";
    case RV_FMT_STORE: return "\tt,i(s)";
    case RV_FMT_FENCE: return "\tP";
    case RV_FMT_AMO: return "q\td,t,(s)";
    case RV_FMT_CSR: return "\td,c,s";
    case RV_FMT_CSRI: return "\td,c,i";
    case RV_FMT_FLOAD: return "\tD,i(s)";
    case RV_FMT_FSTORE: return "\tT,i(s)";
    case RV_FMT_FR: return "\tD,S,T";
    case RV_FMT_FRM: return "\tD,S,Tr";
    case RV_FMT_F4: return "\tD,S,T,Rr";
    case RV_FMT_FCMP: return "\td,S,T";
    case RV_FMT_FX: return "\td,S";
    case RV_FMT_FXRM: return "\td,Sr";
    case RV_FMT_XF: return "\tD,s";
    case RV_FMT_XFRM: return "\tD,sr";
    case RV_FMT_FF: return "\tD,Sr";
    case RV_FMT_FF0: return "\tD,S";
    case RV_FMT_VL: return "\tV,(s)m";
    case RV_FMT_VLM: return "\tV,(s)";
    case RV_FMT_VLS: return "\tV,(s),tm";
    case RV_FMT_VLX: return "\tV,(s),Um";
    case RV_FMT_VV: return "\tV,U,Wm";
    case RV_FMT_VX: return "\tV,U,sm";
    case RV_FMT_VI:
    case RV_FMT_VIU: return "\tV,U,im";
    case RV_FMT_VF: return "\tV,U,Sm";
    case RV_FMT_VV3: return "\tV,W,Um";
    case RV_FMT_VX3: return "\tV,s,Um";
    case RV_FMT_VF3: return "\tV,S,Um";
    case RV_FMT_VVM: return "\tV,U,W,v0";
    case RV_FMT_VXM: return "\tV,U,s,v0";
    case RV_FMT_VIM: return "\tV,U,i,v0";
    case RV_FMT_VFM: return "\tV,U,S,v0";
    case RV_FMT_VVN: return "\tV,U,W";
    case RV_FMT_VXN: return "\tV,U,s";
    case RV_FMT_VIN: return "\tV,U,i";
    case RV_FMT_V1: return "\tV,Um";
    case RV_FMT_VR: return "\tV,U";
    case RV_FMT_VMVV: return "\tV,W";
    case RV_FMT_VMVX: return "\tV,s";
    case RV_FMT_VMVI: return "\tV,i";
    case RV_FMT_VMVF: return "\tV,S";
    case RV_FMT_VXS: return "\td,U";
    case RV_FMT_VFS: return "\tD,U";
    case RV_FMT_VXSM: return "\td,Um";
    case RV_FMT_VID: return "\tVm";
    case RV_FMT_VSETVLI: return "\td,s,v";
    case RV_FMT_VSETIVLI: return "\td,z,y";
    case RV_FMT_TTINSN: return "\th";
    }
    return "";
}

struct names {
    const char *const *x, *const *f;
};

static void say_vector(struct text *t, unsigned reg)
{
    char s[8];
    snprintf(s, sizeof s, "v%u", reg);
    say(t, s);
}

/* A register; false: the letter is something else. */
static bool say_register(struct text *t, char letter, const struct rv32_args *a, struct names n)
{
    switch (letter) {
    case 'd': say(t, n.x[a->rd]); return true;
    case 's': say(t, n.x[a->rs1]); return true;
    case 't': say(t, n.x[a->rs2]); return true;
    case 'D': say(t, n.f[a->rd]); return true;
    case 'S': say(t, n.f[a->rs1]); return true;
    case 'T': say(t, n.f[a->rs2]); return true;
    case 'R': say(t, n.f[a->rs3]); return true;
    case 'V': say_vector(t, a->rd); return true;
    case 'W': say_vector(t, a->rs1); return true;
    case 'U': say_vector(t, a->rs2); return true;
    default: return false;
    }
}

static void say_other(struct text *t, char letter, const struct rv32_args *a, uint32_t pc)
{
    static const char *const order[4] = {"", ".rl", ".aq", ".aqrl"};
    char s[32], s2[8];
    switch (letter) {
    case 'm': say(t, a->vm ? "" : ",v0.t"); break;
    case 'i': say_number(t, "%d", a->imm); break;
    case 'h': say_number(t, "%x", (long)(uint32_t)a->imm); break;
    case 'u': say_number(t, "%x", (long)((uint32_t)a->imm >> 12)); break;
    case 'p': say_number(t, "%x", (long)(pc + (uint32_t)a->imm)); break;
    case 'q': say(t, order[a->rm & 3]); break;
    case 'z': say_number(t, "%d", a->rs1); break;
    case 'r':
        if (a->rm != 7) {
            say(t, ",");
            say(t, rounding[a->rm & 7]);
        }
        break;
    case 'c':
        csr_text(a->csr, s);
        say(t, s);
        break;
    case 'P':
        fence_set((unsigned)a->imm >> 4, s2);
        say(t, s2);
        say(t, ",");
        fence_set((unsigned)a->imm & 15, s2);
        say(t, s2);
        break;
    case 'v':
        vtype_text((unsigned)a->imm, (unsigned)a->imm >> 8, s);
        say(t, s);
        break;
    case 'y':
        vtype_text((unsigned)a->imm, (unsigned)a->imm >> 8, s);
        say(t, s);
        break;
    default:
        s[0] = letter;
        s[1] = '\0';
        say(t, s);
        break;
    }
}

int rv32_dis_text(uint32_t word, uint32_t pc, unsigned flags, char *buf, size_t n)
{
    enum rv_op op = rv32_decode(word);
    struct rv32_args a = rv32_args_of(op, word);
    struct names names = {flags & RV32_DIS_NUMERIC ? n_names : x_names,
                          flags & RV32_DIS_NUMERIC ? nf_names : f_names};
    struct text t = {buf, n, 0};
    say(&t, rv32_table[op].name);
    if (op == RV_OP_ILLEGAL) {
        say(&t, "\t");
        say_number(&t, "%x", (long)word);
    }
    /* "v0" at the end of a shape is itself, not an operand */
    for (const char *s = shape_of((enum rv_fmt)rv32_table[op].format); *s; s++) {
        if (s[0] == 'v' && s[1] == '0') {
            say(&t, "v0");
            break;
        }
        if (!say_register(&t, *s, &a, names))
            say_other(&t, *s, &a, pc);
    }
    return (int)t.length;
}
