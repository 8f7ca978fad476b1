/*
 * The RISC-V core: floating point and vectors, where hardware differs from the RISC-V manuals (Blackhole
 * pages BabyRISCV/InstructionSet and CSRs, Miscellaneous/FMA). What does not differ is compared with
 * qemu in tests/diff.
 */
#include "test.h"

#include "model/rng.h"
#include "rv_drive.h"

static struct rv_drive d;

/* f3 = op(f1, f2, f3) */
static uint32_t fp(enum rv_op op, uint32_t a, uint32_t b, uint32_t c)
{
    d.c.f[1] = a;
    d.c.f[2] = b;
    d.c.f[3] = c;
    rv_one(&d, op, a, 0, 0);
    return d.c.f[3];
}

static uint32_t half(enum rv_op op, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t box = UINT32_C(0xffff0000), r = fp(op, a | box, b | box, c | box);
    assert_int_equal(r & box, box);
    return r & 0xffff;
}

#define ONE 0x3f800000u
#define MIN 0x00800000u /* least normal number */
#define DEN 0x00400000u

static void denormals_count_as_zero(void **state)
{
    (void)state;
    rv_start(&d, RV_T0);
    assert_int_equal(fp(RV_OP_FADD_S, DEN, ONE, 0), ONE);
    assert_int_equal(fp(RV_OP_FADD_S, DEN, DEN, 0), 0);
    assert_int_equal(fp(RV_OP_FADD_S, DEN | 0x80000000, 0x80000000, 0), 0x80000000);
    assert_int_equal(fp(RV_OP_FMUL_S, DEN, 0x7f000000, 0), 0);
    assert_int_equal(fp(RV_OP_FMUL_S, DEN, 0x7f800000, 0), 0x7fc00000); /* 0 * infinity */
    assert_int_equal(fp(RV_OP_FMUL_S, MIN, 0x3f000000, 0), 0);          /* flushed result */
    assert_int_equal(d.c.fcsr & 2, 2);
    assert_int_equal(fp(RV_OP_FSUB_S, MIN | 1, MIN, 0), 0);
    assert_int_equal(fp(RV_OP_FMUL_S, MIN | 0x80000000, 0x3f000000, 0), 0x80000000);
}

static void comparisons_and_moves_see_denormals(void **state)
{
    (void)state;
    rv_start(&d, RV_T0);
    fp(RV_OP_FLT_S, 0, DEN, 0);
    assert_int_equal(d.c.x[3], 1);
    assert_int_equal(fp(RV_OP_FMAX_S, 0, DEN, 0), DEN);
    assert_int_equal(fp(RV_OP_FSGNJN_S, DEN, DEN, 0), DEN | 0x80000000);
    fp(RV_OP_FCLASS_S, DEN, 0, 0);
    assert_int_equal(d.c.x[3], 1 << 5);
}

static void rounding_mode_is_ignored(void **state)
{
    (void)state;
    rv_start(&d, RV_T0);
    for (uint8_t rm = 0; rm < 8; rm++) {
        d.at = 0;
        rv_word(&d, rv32_encode(RV_OP_FCVT_W_S, (struct rv32_args){.rd = 3, .rs1 = 1, .rm = rm}));
        rv_word(
            &d,
            rv32_encode(RV_OP_FADD_S, (struct rv32_args){.rd = 3, .rs1 = 1, .rs2 = 2, .rm = rm}));
        d.c.pc = 0;
        d.c.f[1] = 0x3fe00000; /* 1.75 */
        d.c.f[2] = 0x33000000; /* far below */
        d.c.fcsr = (uint32_t)rm << 5;
        assert_int_equal(rv_run(&d, 2), 2);
        assert_int_equal(d.c.x[3], 2);
        assert_int_equal(d.c.f[3], 0x3fe00000);
        assert_int_equal(d.c.fcsr, rm << 5 | 1);
    }
}

static void nans_are_canonical(void **state)
{
    (void)state;
    rv_start(&d, RV_T0);
    assert_int_equal(fp(RV_OP_FADD_S, 0xffc12345, ONE, 0), 0x7fc00000);
    assert_int_equal(d.c.fcsr, 0);
    assert_int_equal(fp(RV_OP_FADD_S, 0x7f800001, ONE, 0), 0x7fc00000);
    assert_int_equal(d.c.fcsr, 16); /* signalling */
    assert_int_equal(fp(RV_OP_FSUB_S, 0x7f800000, 0x7f800000, 0), 0x7fc00000);
    assert_int_equal(fp(RV_OP_FMIN_S, 0x7fc00001, 0xffc00001, 0), 0x7fc00000);
}

/* The flags of an instruction with these operands. */
static uint32_t flags(enum rv_op op, uint32_t a, uint32_t b, uint32_t c)
{
    d.c.fcsr = 0;
    fp(op, a, b, c);
    return d.c.fcsr;
}

/* NV of a NaN: a signalling one always raises it, in any place; a quiet one only where order is asked for. */
static void nv_tells_quiet_from_signalling(void **state)
{
    static const uint32_t quiet[] = {0x7fc00000, 0xffc00001},
                          signalling[] = {0x7f800001, 0xffbfffff};
    static const enum rv_op two[] = {
        RV_OP_FADD_S, RV_OP_FMUL_S, RV_OP_FMIN_S, RV_OP_FMAX_S, RV_OP_FEQ_S};
    (void)state;
    rv_start(&d, RV_T0);
    for (unsigned n = 0; n < 2; n++) {
        uint32_t q = quiet[n], s = signalling[n];
        for (unsigned i = 0; i < sizeof two / sizeof *two; i++) {
            assert_int_equal(
                flags(two[i], q, ONE, 0) | flags(two[i], ONE, q, 0) | flags(two[i], q, q, 0), 0);
            assert_int_equal(flags(two[i], s, ONE, 0), 16);
            assert_int_equal(flags(two[i], ONE, s, 0), 16);
            assert_int_equal(flags(two[i], s, q, 0), 16);
            assert_int_equal(flags(two[i], q, s, 0), 16);
        }
        for (enum rv_op op = RV_OP_FLT_S;; op = RV_OP_FLE_S) {
            assert_int_equal(flags(op, q, ONE, 0), 16);
            assert_int_equal(flags(op, ONE, q, 0), 16);
            assert_int_equal(flags(op, s, ONE, 0), 16);
            if (op == RV_OP_FLE_S)
                break;
        }
        assert_int_equal(flags(RV_OP_FMADD_S, q, ONE, ONE) | flags(RV_OP_FMADD_S, ONE, q, ONE) |
                             flags(RV_OP_FMADD_S, ONE, ONE, q) | flags(RV_OP_FCVT_H_S, q, 0, 0),
                         0);
        /* infinities that would cancel are no matter beside a quiet NaN */
        assert_int_equal(flags(RV_OP_FMADD_S, 0x7f800000, q & 0x7fffffff, 0xff800000), 0);
        assert_int_equal(flags(RV_OP_FMADD_S, s, ONE, ONE), 16);
        assert_int_equal(flags(RV_OP_FMADD_S, ONE, s, ONE), 16);
        assert_int_equal(flags(RV_OP_FMADD_S, ONE, ONE, s), 16);
        assert_int_equal(flags(RV_OP_FCVT_H_S, s, 0, 0), 16);
        assert_int_equal(flags(RV_OP_FCVT_W_S, q, 0, 0), 16);
    }
}

/* What is too large becomes infinite when rounding is to nearest, and the largest number when it is towards zero. */
static void overflow_follows_the_rounding(void **state)
{
    (void)state;
    for (unsigned rne = 0; rne < 2; rne++) {
        rv_start(&d, RV_T0);
        d.c.cfg0 |= RV_CFG0_BFLOAT | (rne ? RV_CFG0_BFLOAT_RNE : 0);
        uint32_t most = rne ? 0x7f80 : 0x7f7f;
        assert_int_equal(half(RV_OP_FMUL_H, 0x7f00, 0x4000, 0),
                         most); /* 2^127 * 2: in the exponent */
        assert_int_equal(d.c.fcsr, 4 | 1);
        assert_int_equal(half(RV_OP_FMUL_H, 0xff00, 0x4100, 0), most | 0x8000);
        assert_int_equal(half(RV_OP_FADD_H, 0x7f7f, 0x7f7f, 0), most);
        assert_int_equal(half(RV_OP_FADD_H, 0xff7f, 0xff7f, 0), most | 0x8000);
        d.c.fcsr = 0; /* just below 2^128: only rounding makes it too large */
        assert_int_equal(fp(RV_OP_FCVT_H_S, 0x7f7fffff, 0, 0), 0xffff0000 | most);
        assert_int_equal(d.c.fcsr, rne ? 4 | 1 : 1);
    }
}

/* Neither a fused multiplication and addition nor two roundings. */
static void fusion_is_hardwares_own(void **state)
{
    (void)state;
    rv_start(&d, RV_T0);
    /* x * x - round(x * x): IEEE gives the error exactly, two roundings give 0; hardware keeps
       three bits and a sticky one of it */
    uint32_t x = 0x3f800003, square = fp(RV_OP_FMUL_S, x, x, 0);
    assert_int_equal(square, 0x3f800006);
    assert_int_equal(fp(RV_OP_FMSUB_S, x, x, square), 0x32800000); /* 2^-26, not 9 * 2^-46 */
    /* a product that overflows alone is infinite, although the sum would not be */
    assert_int_equal(fp(RV_OP_FMADD_S, 0x7f000000, 0x40000000, 0xff7fffff), 0x7f800000);
    /* one that underflows alone is nothing */
    assert_int_equal(fp(RV_OP_FMADD_S, MIN, 0x3e800000, MIN), MIN);
    /* signs of the four */
    assert_int_equal(fp(RV_OP_FMADD_S, 0x40000000, 0x40400000, ONE), 0x40e00000);
    assert_int_equal(fp(RV_OP_FMSUB_S, 0x40000000, 0x40400000, ONE), 0x40a00000);
    assert_int_equal(fp(RV_OP_FNMSUB_S, 0x40000000, 0x40400000, ONE), 0xc0a00000);
    assert_int_equal(fp(RV_OP_FNMADD_S, 0x40000000, 0x40400000, ONE), 0xc0e00000);
}

static void halves_and_bfloats(void **state)
{
    (void)state;
    rv_start(&d, RV_T0);
    assert_int_equal(half(RV_OP_FADD_H, 0x3c00, 0x3c00, 0), 0x4000);
    assert_int_equal(half(RV_OP_FMUL_H, 0x7bff, 0x4000, 0), 0x7c00);
    assert_int_equal(half(RV_OP_FMUL_H, 0x0400, 0x3800, 0), 0);            /* flushed */
    assert_int_equal(fp(RV_OP_FADD_H, 0x3c00, 0xffff3c00, 0), 0xffff7e00); /* not boxed: NaN */
    assert_int_equal(fp(RV_OP_FCVT_S_H, 0xffff0001, 0, 0), 0x33800000);    /* denormal, exact */
    d.c.cfg0 |= RV_CFG0_BFLOAT; /* 1 + 2^-8 + 2^-9, towards zero, then to nearest */
    assert_int_equal(half(RV_OP_FADD_H, 0x3f80, 0x3f80, 0), 0x4000);
    assert_int_equal(half(RV_OP_FADD_H, 0x3f80, 0x3bc0, 0), 0x3f80);
    assert_int_equal(fp(RV_OP_FCVT_H_S, 0x3f80ffff, 0, 0), 0xffff3f80);
    d.c.cfg0 |= RV_CFG0_BFLOAT_RNE;
    assert_int_equal(half(RV_OP_FADD_H, 0x3f80, 0x3bc0, 0), 0x3f81);
    assert_int_equal(fp(RV_OP_FCVT_S_H, 0xffff4049, 0, 0), 0x40490000);
}

static uint32_t exact(uint32_t x, uint32_t y)
{
    /* host addition; both compilers use the format's own precision here */
    float a, b, r;
    memcpy(&a, &x, 4);
    memcpy(&b, &y, 4);
    r = a + b;
    memcpy(&x, &r, 4);
    return x;
}

static void sums_agree_with_the_host(void **state)
{
    struct rng r = rng_of(99, 0);
    (void)state;
    rv_start(&d, RV_T0);
    for (unsigned i = 0; i < (WG_SLOW_BUILD ? 20000u : 200000u); i++) {
        uint32_t a = (rng_next(&r) & 0x807fffff) | (100 + rng_below(&r, 50)) << 23;
        uint32_t b = (rng_next(&r) & 0x807fffff) | (100 + rng_below(&r, 50)) << 23;
        assert_int_equal(fp(RV_OP_FADD_S, a, b, 0), exact(a, b));
    }
}

/* ---- vectors ---- */

static void vectors_are_t2s(void **state)
{
    (void)state;
    for (unsigned which = 0; which < RV_N_CORES; which++) {
        rv_start(&d, which);
        RV_PUT(&d, VSETIVLI, .rd = 5, .rs1 = 31, .imm = 2 << 3);
        assert_int_equal(rv_run(&d, 1), which == RV_T2);
        if (which != RV_T2) {
            assert_int_equal(d.fault, RV_FAULT_ILLEGAL);
            continue;
        }
        assert_int_equal(d.c.x[5], 4); /* 128 bits */
        assert_int_equal(d.c.vl, 4);
        assert_int_equal(d.c.vtype, 2 << 3);
    }
}

static void types_that_cannot_be_are_told(void **state)
{
    static const int32_t types[] = {3 << 3, 4, 2 << 3 | 5, 1 << 3 | 5, 0x100};
    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        rv_start(&d, RV_T2);
        RV_PUT(&d, VSETVLI, .rd = 5, .imm = types[i]);
        assert_int_equal(rv_run(&d, 1), 0);
        assert_int_equal(d.fault, RV_FAULT_UNSUPPORTED);
    }
    rv_start(&d, RV_T2); /* v3 cannot begin a group of two */
    RV_PUT(&d, VSETVLI, .rd = 5, .imm = 2 << 3 | 1);
    RV_PUT(&d, VADD_VV, .rd = 3, .rs1 = 4, .rs2 = 6, .vm = 1);
    assert_int_equal(rv_run(&d, 2), 1);
    assert_int_equal(d.fault, RV_FAULT_UNSUPPORTED);
}

static void tail_and_masked_elements_stay(void **state)
{
    (void)state;
    rv_start(&d, RV_T2);
    memset(d.c.v, 0x11, sizeof d.c.v);
    d.c.v[0][0] = 0x05;                                            /* elements 0 and 2 */
    RV_PUT(&d, VSETIVLI, .rd = 5, .rs1 = 3, .imm = 2 << 3 | 0xc0); /* "agnostic": nevertheless */
    RV_PUT(&d, VMV_V_I, .rd = 2, .imm = -1);
    RV_PUT(&d, VADD_VI, .rd = 3, .rs2 = 2, .imm = 1, .vm = 0);
    assert_int_equal(rv_run(&d, 3), 3);
    assert_int_equal(d.c.v[2][8], 0xff);
    assert_int_equal(d.c.v[2][12], 0x11);
    assert_int_equal(d.c.v[3][0], 0);
    assert_int_equal(d.c.v[3][4], 0x11);
    assert_int_equal(d.c.v[3][8], 0);
    assert_int_equal(d.c.v[3][12], 0x11);
}

/* vmsbf, vmsof, vmsif: the bits before the first one, that one alone, both; among active elements, the others stay. */
static void masks_around_the_first_one(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 256; n++) {
        unsigned ones = n & 15, active = n >> 4, first = ones & active & -(ones & active);
        unsigned before = first ? first - 1 : 15;
        rv_start(&d, RV_T2);
        d.c.v[0][0] = (uint8_t)active;
        d.c.v[2][0] = (uint8_t)ones;
        d.c.v[3][0] = d.c.v[4][0] = d.c.v[5][0] = 0xa5;
        RV_PUT(&d, VSETIVLI, .rd = 5, .rs1 = 4, .imm = 2 << 3);
        RV_PUT(&d, VMSBF_M, .rd = 3, .rs2 = 2, .vm = 0);
        RV_PUT(&d, VMSOF_M, .rd = 4, .rs2 = 2, .vm = 0);
        RV_PUT(&d, VMSIF_M, .rd = 5, .rs2 = 2, .vm = 0);
        assert_int_equal(rv_run(&d, 4), 4);
        assert_int_equal(d.c.v[3][0], (0xa5 & ~active) | (before & active));
        assert_int_equal(d.c.v[4][0], (0xa5 & ~active) | first);
        assert_int_equal(d.c.v[5][0], (0xa5 & ~active) | ((before | first) & active));
    }
}

static void conversions_may_truncate(void **state)
{
    (void)state;
    rv_start(&d, RV_T2);
    RV_PUT(&d, VSETIVLI, .rd = 5, .rs1 = 1, .imm = 2 << 3);
    RV_PUT(&d, VFMV_V_F, .rd = 2, .rs1 = 1);
    RV_PUT(&d, VFCVT_RTZ_X_F_V, .rd = 3, .rs2 = 2, .vm = 1);
    RV_PUT(&d, VFCVT_X_F_V, .rd = 4, .rs2 = 2, .vm = 1);
    RV_PUT(&d, VFCVT_RTZ_XU_F_V, .rd = 6, .rs2 = 2, .vm = 1);
    d.c.f[1] = 0x402ccccd; /* 2.7 */
    assert_int_equal(rv_run(&d, 5), 5);
    assert_int_equal(d.c.v[3][0], 2);
    assert_int_equal(d.c.v[4][0], 3);
    assert_int_equal(d.c.v[6][0], 2);
}

static void half_done_loads_go_on(void **state)
{
    (void)state;
    rv_start(&d, RV_T2);
    RV_PUT(&d, VSETIVLI, .rd = 5, .rs1 = 4, .imm = 2 << 3);
    RV_PUT(&d, VLE32_V, .rd = 2, .rs1 = 1, .vm = 1);
    d.c.x[1] = RV_L1 - 8; /* two elements in L1, two behind the bus */
    rv_poke(&d, RV_L1 - 8, 1);
    rv_poke(&d, RV_L1 - 4, 2);
    d.answer = 3;
    d.block = 2;
    assert_int_equal(rv_run(&d, 10), 1);
    assert_int_equal(d.c.state, RV_BLOCKED);
    assert_int_equal(d.c.block_addr, RV_L1);
    assert_int_equal(rv_run(&d, 10), 0);
    assert_int_equal(rv_run(&d, 1), 1);
    assert_int_equal(d.loads, 4); /* two refusals, two loads: nothing is loaded twice */
    assert_int_equal(d.c.v[2][4], 2);
    assert_int_equal(d.c.v[2][8], 3);
    assert_int_equal(d.c.vec_done, 0);
}

static void vl_can_be_written(void **state)
{
    (void)state;
    rv_start(&d, RV_T2);
    d.c.x[1] = 1000;
    RV_PUT(&d, CSRRW, .rd = 0, .rs1 = 1, .csr = 0xc20);
    RV_PUT(&d, VMV_V_I, .rd = 31, .imm = 5);
    assert_int_equal(rv_run(&d, 2), 2); /* works on what there is */
    assert_int_equal(d.c.v[31][15], 5);
    assert_int_equal(d.c.v[0][0], 0);
}

TEST_MAIN(cmocka_unit_test(denormals_count_as_zero),
          cmocka_unit_test(comparisons_and_moves_see_denormals),
          cmocka_unit_test(rounding_mode_is_ignored), cmocka_unit_test(nans_are_canonical),
          cmocka_unit_test(nv_tells_quiet_from_signalling),
          cmocka_unit_test(overflow_follows_the_rounding),
          cmocka_unit_test(fusion_is_hardwares_own), cmocka_unit_test(halves_and_bfloats),
          cmocka_unit_test(sums_agree_with_the_host), cmocka_unit_test(vectors_are_t2s),
          cmocka_unit_test(types_that_cannot_be_are_told),
          cmocka_unit_test(tail_and_masked_elements_stay),
          cmocka_unit_test(masks_around_the_first_one), cmocka_unit_test(conversions_may_truncate),
          cmocka_unit_test(half_done_loads_go_on), cmocka_unit_test(vl_can_be_written))
