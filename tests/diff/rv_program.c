/*
 * rv_program.c - makes random programs, and runs them on our core.
 *
 *     rv_program make KIND SEED LENGTH ROUNDS FILE   writes a static ELF
 *     rv_program run FILE [plain]                    runs it on our core; its output to stdout,
 *                                                    the number of instructions to stderr
 *     rv_program kinds                               prints the kinds there are
 */
#include "rv_program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rvcore.h"

uint32_t pick(struct program *p, uint32_t below)
{
    p->seed ^= p->seed << 13;
    p->seed ^= p->seed >> 7;
    p->seed ^= p->seed << 17;
    return (uint32_t)(p->seed >> 24) % below;
}

static uint32_t any32(struct program *p)
{
    static const uint32_t edge[] = {0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 31, 32, 0x8000, 0xff};
    uint32_t r = pick(p, 65536) << 16 | pick(p, 65536);
    return pick(p, 3) ? r : edge[pick(p, sizeof edge / sizeof edge[0])];
}

static void put32(struct program *p, uint32_t addr, uint32_t w)
{
    for (unsigned i = 0; i < 4; i++)
        p->image[addr - CODE_AT + i] = (uint8_t)(w >> 8 * i);
}

void emit(struct program *p, enum rv_op op, struct rv32_args a)
{
    put32(p, p->at, rv32_encode(op, a));
    p->at += 4;
}

void emit_li(struct program *p, unsigned rd, uint32_t value)
{
    uint32_t low = value & 0xfff;
    emit(p,
         RV_OP_LUI,
         (struct rv32_args){.rd = (uint8_t)rd, .imm = (int32_t)(value - (low ^ 0x800) + 0x800)});
    emit(p,
         RV_OP_ADDI,
         (struct rv32_args){.rd = (uint8_t)rd, .rs1 = (uint8_t)rd, .imm = (int32_t)low});
}

/* ---- random instructions ---- */

static uint8_t any_reg(struct program *p)
{
    return (uint8_t)pick(p, 30);
}

static uint8_t dest_reg(struct program *p)
{
    return (uint8_t)pick(p, 29); /* x29..x31 are the program's own */
}

/* A row of an extension and one of two classes. */
static enum rv_op any_row(struct program *p, enum rv_ext ext, int class1, int class2)
{
    for (;;) {
        enum rv_op op = (enum rv_op)pick(p, RV_N_ROWS);
        const struct rv32_insn *i = &rv32_table[op];
        if (i->extension == ext && (i->class == class1 || i->class == class2) &&
            op != RV_OP_GREVI && op != RV_OP_AUIPC)
            return op;
    }
}

static void alu(struct program *p, enum rv_ext ext)
{
    enum rv_op op = ext == RV_EXT_M ? any_row(p, ext, RV_CLASS_MUL, RV_CLASS_DIV)
                                    : any_row(p, ext, RV_CLASS_ALU, -1);
    struct rv32_args a = {.rd = dest_reg(p), .rs1 = any_reg(p), .rs2 = any_reg(p)};
    a.imm = (int32_t)any32(p);
    emit(p, op, a);
}

static unsigned size_of(enum rv_op op)
{
    switch (op) {
    case RV_OP_LB:
    case RV_OP_LBU:
    case RV_OP_SB: return 1;
    case RV_OP_LH:
    case RV_OP_LHU:
    case RV_OP_SH:
    case RV_OP_FLH:
    case RV_OP_FSH: return 2;
    default: return 4;
    }
}

static void memory(struct program *p)
{
    enum rv_op op = any_row(p, RV_EXT_I, RV_CLASS_LOAD, RV_CLASS_STORE);
    struct rv32_args a = {.rd = dest_reg(p), .rs1 = 31, .rs2 = any_reg(p)};
    a.imm = (int32_t)(pick(p, 2048 / size_of(op)) * size_of(op));
    emit(p, op, a);
    if (!pick(p, 16))
        emit(p, RV_OP_FENCE, (struct rv32_args){.imm = (int32_t)(1 + pick(p, 255))});
}

/* Over up to three instructions, which are simple ones. */
static void jump(struct program *p)
{
    unsigned over = 1 + pick(p, 3);
    uint8_t rd = dest_reg(p);
    int32_t way = (int32_t)(4 + 4 * over);
    switch (pick(p, 4)) {
    case 0: emit(p, RV_OP_JAL, (struct rv32_args){.rd = rd, .imm = way}); break;
    case 1:
        emit(p, RV_OP_AUIPC, (struct rv32_args){.rd = 29});
        emit(p, RV_OP_JALR, (struct rv32_args){.rd = rd, .rs1 = 29, .imm = 4 + way});
        break;
    default:
        emit(p,
             any_row(p, RV_EXT_I, RV_CLASS_BRANCH, -1),
             (struct rv32_args){.rs1 = any_reg(p), .rs2 = any_reg(p), .imm = way});
        break;
    }
    for (; over; over--)
        alu(p, RV_EXT_I);
}

static void atomic(struct program *p)
{
    emit(
        p, RV_OP_ADDI, (struct rv32_args){.rd = 29, .rs1 = 31, .imm = (int32_t)(4 * pick(p, 500))});
    emit(p,
         any_row(p, RV_EXT_ZAAMO, RV_CLASS_AMO, -1),
         (struct rv32_args){
             .rd = dest_reg(p), .rs1 = 29, .rs2 = any_reg(p), .rm = (uint8_t)pick(p, 4)});
}

/*
 * Floating point. f0..f7 hold small whole numbers, for the fusions, whose results are then exact;
 * f8..f15 numbers of moderate size, infinities and NaNs, for arithmetic that neither overflows nor
 * makes denormals; all results go to f16..f31, which nothing but comparisons, moves and conversions
 * read. So hardware's rounding of fusions and its treatment of denormals do not show.
 */
static void floating(struct program *p, enum rv_ext ext)
{
    static const int classes[] = {
        RV_CLASS_FMA, RV_CLASS_FCVT, RV_CLASS_FMISC, RV_CLASS_LOAD, RV_CLASS_STORE};
    int class = classes[pick(p, 5)];
    enum rv_op op = any_row(p, ext, class, -1);
    enum rv_fmt format = (enum rv_fmt)rv32_table[op].format;
    struct rv32_args a = {.rm = pick(p, 2) ? 7 : 0};
    unsigned sources = class == RV_CLASS_FMA ? (format == RV_FMT_F4 ? 0 : 8) : 32;
    if (sources == 32) {
        a.rs1 = (uint8_t)pick(p, 32);
        a.rs2 = (uint8_t)pick(p, 32);
    } else {
        a.rs1 = (uint8_t)(sources + pick(p, 8));
        a.rs2 = (uint8_t)(sources + pick(p, 8));
        a.rs3 = (uint8_t)(sources + pick(p, 8));
    }
    a.rd = rv32_writes_x(op) ? dest_reg(p) : (uint8_t)(16 + pick(p, 16));
    if (rv32_reads_x1(op))
        a.rs1 = any_reg(p);
    if (class == RV_CLASS_LOAD || class == RV_CLASS_STORE) {
        a.rs1 = 31;
        a.imm = (int32_t)(size_of(op) * pick(p, 2048 / size_of(op)));
    }
    emit(p, op, a);
    if (!pick(p, 4))
        emit(p, RV_OP_CSRRS, (struct rv32_args){.rd = dest_reg(p), .csr = 3});
    if (!pick(p, 16))
        emit(p, RV_OP_CSRRWI, (struct rv32_args){.rd = dest_reg(p), .csr = 3, .imm = 0});
}

/* ---- programs ---- */

enum kind { KIND_I, KIND_M, KIND_ZBA, KIND_ZBB, KIND_A, KIND_F, KIND_ZFH, KIND_V, N_KINDS };
static const char *const kinds[N_KINDS] = {"i", "m", "zba", "zbb", "a", "f", "zfh", "v"};

static void random_step(struct program *p, enum kind kind)
{
    unsigned die = pick(p, 10);
    if (die == 0) {
        jump(p);
    } else if (die < 3) {
        memory(p);
    } else if (die < 4) {
        alu(p, RV_EXT_I);
    } else {
        switch (kind) {
        case KIND_M: alu(p, RV_EXT_M); break;
        case KIND_ZBA: alu(p, RV_EXT_ZBA); break;
        case KIND_ZBB: alu(p, pick(p, 8) ? RV_EXT_ZBB : RV_EXT_ZBKB); break;
        case KIND_A: atomic(p); break;
        case KIND_F: floating(p, RV_EXT_F); break;
        case KIND_ZFH: floating(p, pick(p, 4) ? RV_EXT_ZFH : RV_EXT_F); break;
        case KIND_V: random_vector(p); break;
        default: alu(p, RV_EXT_I); break;
        }
    }
}

static uint32_t tame(struct program *p, bool half)
{
    static const uint32_t odd[] = {
        0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x3f800000, 0xbf800000};
    static const uint16_t odd16[] = {0, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0x3c00, 0xbc00};
    uint32_t r = pick(p, 65536) << 16 | pick(p, 65536);
    if (!pick(p, 3))
        return half ? 0xffff0000 | odd16[pick(p, 8)] : odd[pick(p, 8)];
    if (half) /* about 1: products and differences stay normal numbers */
        return 0xffff0000 | (r & 0x83ff) | (14 + pick(p, 3)) << 10;
    return (r & 0x807fffff) | (117 + pick(p, 20)) << 23;
}

static void floating_prologue(struct program *p, bool half)
{
    for (uint8_t i = 0; i < 8; i++) {
        emit_li(p, 29, pick(p, 41) - 20);
        emit(p, half ? RV_OP_FCVT_H_W : RV_OP_FCVT_S_W, (struct rv32_args){.rd = i, .rs1 = 29});
    }
    for (uint8_t i = 8; i < 32; i++) {
        emit_li(p, 29, i < 16 ? tame(p, half) : any32(p));
        emit(p, RV_OP_FMV_W_X, (struct rv32_args){.rd = i, .rs1 = 29});
    }
}

static void epilogue(struct program *p, enum kind kind)
{
    emit_li(p, 29, DATA_AT + DATA_SIZE);
    for (uint8_t i = 0; i < 32; i++)
        emit(p, RV_OP_SW, (struct rv32_args){.rs1 = 29, .rs2 = i, .imm = i * 4});
    if (kind >= KIND_F)
        for (uint8_t i = 0; i < 32; i++)
            emit(p, RV_OP_FSW, (struct rv32_args){.rs1 = 29, .rs2 = i, .imm = 128 + i * 4});
    if (kind == KIND_V)
        for (uint8_t i = 0; i < 4; i++) {
            emit_li(p, 29, DATA_AT + DATA_SIZE + 256 + i * 128u);
            emit(p, RV_OP_VS8R_V, (struct rv32_args){.rd = (uint8_t)(i * 8), .rs1 = 29});
        }
    emit_li(p, 17, 64); /* write(1, data, size) */
    emit_li(p, 10, 1);
    emit_li(p, 11, DATA_AT);
    emit_li(p, 12, DUMP_SIZE);
    emit(p, RV_OP_ECALL, (struct rv32_args){0});
    emit_li(p, 17, 93); /* exit(0) */
    emit_li(p, 10, 0);
    emit(p, RV_OP_ECALL, (struct rv32_args){0});
}

static void make(struct program *p, enum kind kind, unsigned length, unsigned rounds)
{
    p->at = CODE_AT;
    for (uint32_t i = 0; i < DATA_SIZE; i += 4)
        put32(p, DATA_AT + i, any32(p));
    if (kind >= KIND_F)
        floating_prologue(p, kind == KIND_ZFH);
    if (kind == KIND_V)
        vector_prologue(p);
    for (unsigned i = 1; i < 29; i++)
        emit_li(p, i, any32(p));
    emit_li(p, 31, DATA_AT);
    emit_li(p, 30, rounds);
    uint32_t top = p->at;
    for (unsigned i = 0; i < length; i++)
        random_step(p, kind);
    emit(p, RV_OP_ADDI, (struct rv32_args){.rd = 30, .rs1 = 30, .imm = -1});
    emit(p, RV_OP_BEQ, (struct rv32_args){.rs1 = 30, .rs2 = 0, .imm = 8});
    emit(p, RV_OP_JAL, (struct rv32_args){.imm = (int32_t)(top - p->at)});
    epilogue(p, kind);
}

/* ---- files ---- */

static bool write_elf(const struct program *p, const char *path)
{
    const uint32_t head[] = {
        0x464c457f, 0x00010101, 0,        0,          0x00f30002, 1,          CODE_AT, 52,
        0,          0,          0x200034, 0x00280001, 0, /* header */
        1,          0x1000,     CODE_AT,  CODE_AT,    IMAGE_SIZE, IMAGE_SIZE, 7,       0x1000};
    static const uint8_t pad[0x1000 - sizeof head];
    FILE *f = fopen(path, "wb");
    if (!f)
        return false;
    bool ok = fwrite(head, sizeof head, 1, f) == 1 && fwrite(pad, sizeof pad, 1, f) == 1 &&
              fwrite(p->image, sizeof p->image, 1, f) == 1;
    return fclose(f) == 0 && ok;
}

static uint8_t l1[0x180000], local[4096];
static struct rvcode code;

static int run(const char *path, bool plain)
{
    static struct rvcore c;
    struct rvmem m = {l1, sizeof l1, local, sizeof local, &code, NULL, NULL, NULL, 0};
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0x1000, SEEK_SET) || fread(l1 + CODE_AT, IMAGE_SIZE, 1, f) != 1)
        return EXIT_FAILURE;
    fclose(f);
    rvcode_flush(&code);
    rvcore_reset(&c, RV_T2, CODE_AT);
    for (;;) {
        uint32_t quota = 1000003;
        uint32_t done = plain ? rvcore_run_plain(&c, &m, quota) : rvcore_run(&c, &m, quota);
        if (c.state != RV_STOPPED || c.stop != RV_STOP_ECALL) {
            fprintf(stderr,
                    "stopped: state %u reason %u fault %u pc %" PRIx32 " after %u\n",
                    c.state,
                    c.stop,
                    c.fault,
                    c.pc,
                    (unsigned)done);
            return EXIT_FAILURE;
        }
        if (c.x[17] == 93)
            break;
        fwrite(l1 + DATA_AT, DUMP_SIZE, 1, stdout);
        rvcore_resume(&c);
    }
    fprintf(stderr, "%" PRIu64 "\n", rvcore_instret(&c));
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    static struct program p;
    if (argc == 2 && !strcmp(argv[1], "kinds")) {
        for (unsigned k = 0; k < N_KINDS; k++)
            printf("%s\n", kinds[k]);
        return EXIT_SUCCESS;
    }
    if ((argc == 3 || argc == 4) && !strcmp(argv[1], "run"))
        return run(argv[2], argc == 4);
    if (argc == 7 && !strcmp(argv[1], "make"))
        for (unsigned k = 0; k < N_KINDS; k++)
            if (!strcmp(argv[2], kinds[k])) {
                p.seed = strtoull(argv[3], NULL, 0) * 0x9e3779b97f4a7c15u + 88172645463325252u;
                make(&p, (enum kind)k, (unsigned)atoi(argv[4]), (unsigned)atoi(argv[5]));
                return write_elf(&p, argv[6]) ? EXIT_SUCCESS : EXIT_FAILURE;
            }
    fprintf(stderr, "usage: see rv_program.c\n");
    return 2;
}
