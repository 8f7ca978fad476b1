/*
 * gen.h - makes cases: gen_case(), and what its parts share.
 *
 * Configuration is written into a copy (want); what differs from what the tile has is written when the next
 * word is pushed. Formats are the codes of num/format.def.
 */
#ifndef WG_TESTS_VECTORS_GEN_H
#define WG_TESTS_VECTORS_GEN_H

#include "vectors/vec.h"

enum { FP32 = 0, FP16 = 1, BFP8A = 2, TF32 = 4, BF16 = 5, BFP8 = 6, BFP4 = 7 };
enum { INT32 = 8, INT16 = 9, FP8 = 10, INT8 = 14, BFP2 = 15 };

struct gen {
    uint64_t state;
    struct vec_case *c;
    uint32_t have[256], want[256];
    uint16_t thread_have[VEC_CORES][64], thread_want[64];
    unsigned core, matrix,
        pack;   /* who acts; threads of the matrix unit and packer, 0 is the unpackers' */
    bool bank1; /* the thread uses Config bank 1: written by WRCFG */
    uint32_t in, out;
};

struct gen_entry {
    const char *name;
    void (*make)(struct gen *g, const char *name);
    unsigned cases;
};
extern const struct gen_entry gen_table[];
extern const unsigned gen_n;

/* The steps that all cases of an instruction begin with. */
unsigned gen_prologue(const char *name, struct vec_step *step);
/* One case; false: no such instruction. */
bool gen_case(const char *name, uint64_t seed, uint32_t number, struct vec_case *c);

/* ---- gen.c ---- */
uint32_t gen_below(struct gen *g, uint32_t n);
bool gen_percent(struct gen *g, uint32_t percent);
uint32_t gen_pick(struct gen *g, unsigned n, const uint8_t *list);
#define GEN_PICK(g, ...)                                                                           \
    gen_pick(g, sizeof((const uint8_t[]){__VA_ARGS__}), (const uint8_t[]){__VA_ARGS__})
void gen_config(struct gen *g, unsigned word, unsigned low, unsigned width, uint32_t value);
void gen_thread(struct gen *g, unsigned word, uint32_t value);
void gen_push(struct gen *g, uint32_t word);
/* Waits until all units have finished. */
void gen_barrier(struct gen *g);
/* Room for so many bytes, filled; a multiple of 16. */
uint32_t gen_input(struct gen *g, uint32_t size, enum vec_kind kind, uint32_t parameter);
void gen_fill(struct gen *g, uint32_t at, uint32_t size, enum vec_kind kind, uint32_t parameter);
uint32_t gen_output(struct gen *g, uint32_t size);

/* ---- gen_util.c: the way of data to and from the units ---- */
uint32_t gen_bits(unsigned format); /* of a datum in L1 */
bool gen_bfp(unsigned format);
/* A parameter of inputs: exponents close together, or far apart, or all. */
uint32_t gen_exponents(struct gen *g, unsigned format);
/* Data of a format, for an unpacker: the address to program, in units of 16 bytes. */
uint32_t gen_data(struct gen *g, unsigned format, uint32_t datums, uint32_t parameter);
/* Fills whole rows from row 0 of the unpackers' bank and hands it over. */
void gen_load_src(struct gen *g, unsigned unit, unsigned in, unsigned out, uint32_t base,
                  unsigned rows);
/* Fills Dst32 rows. */
void gen_load_dst(struct gen *g, unsigned row, unsigned rows, enum vec_kind kind,
                  uint32_t parameter);
/* Words that lie at an address. */
void gen_load_dst_from(struct gen *g, uint32_t at, unsigned row, unsigned rows);
unsigned gen_physical(unsigned row32);
/* Everything that was done has an effect on Dst rows: put them in an output. */
void gen_dump16(struct gen *g, unsigned row, unsigned rows);
void gen_dump32(struct gen *g, unsigned row, unsigned rows);
/* What Config must be for the following, which put it there themselves. */
void gen_dump_config(struct gen *g, uint32_t at);
void gen_dump_groups(struct gen *g, const uint16_t *row, unsigned n);
/* The rows of the matrix unit's bank, by way of Dst; it must be valid. */
void gen_dump_src(struct gen *g, unsigned unit, unsigned row, unsigned rows);
/* Address modifier section, with these values. */
struct gen_mod {
    unsigned a, b, d; /* increments, and for each: 1 CR, 2 clear, (d) 4 counter to CR */
    unsigned a_how, b_how, d_how;
    unsigned fidelity; /* increment; 4: clear */
};
void gen_addr_mod(struct gen *g, unsigned section, struct gen_mod m);

/* Words. */
#define W_SETC16(index, value)   (0xB2000000u | (uint32_t)(index) << 16 | (uint32_t)(value))
#define W_STALLWAIT(block, wait) (0xA2000000u | (uint32_t)(block) << 15 | (uint32_t)(wait))
#define W_SETADC(sets, channel, dim, value)                                                        \
    (0x50000000u | (uint32_t)(sets) << 21 | (uint32_t)(channel) << 20 | (uint32_t)(dim) << 18 |    \
     (uint32_t)(value))
#define W_SETADCXX(sets, first, last)                                                              \
    (0x5E000000u | (uint32_t)(sets) << 21 | (uint32_t)(last) << 10 | (uint32_t)(first))
#define W_ADC4(op, sets, mask, x0, y0, x1, y1)                                                     \
    ((uint32_t)(op) << 24 | (uint32_t)(sets) << 21 | (uint32_t)(y1) << 15 | (uint32_t)(x1) << 12 | \
     (uint32_t)(y0) << 9 | (uint32_t)(x0) << 6 | (uint32_t)(mask))
#define W_UNPACR(unit, addr_mod, dvalid)                                                           \
    (0x42000081u | (uint32_t)(unit) << 23 | (uint32_t)(addr_mod) << 15 | (uint32_t)(dvalid) << 6)
#define W_PACR(interfaces, addr_mod, last)                                                         \
    (0x41000000u | (uint32_t)(interfaces) << 8 | (uint32_t)(addr_mod) << 15 | (uint32_t)(last))
#define W_SETRWC(clear, cr, d, b, a, mask)                                                         \
    (0x37000000u | (uint32_t)(clear) << 22 | (uint32_t)(cr) << 18 | (uint32_t)(d) << 14 |          \
     (uint32_t)(b) << 10 | (uint32_t)(a) << 6 | (uint32_t)(mask))
#define W_INCRWC(cr, d, b, a)                                                                      \
    (0x38000000u | (uint32_t)(cr) << 18 | (uint32_t)(d) << 14 | (uint32_t)(b) << 10 |              \
     (uint32_t)(a) << 6)
#define W_MOVE(op, lo, src, addr_mod, mod, dst)                                                    \
    ((uint32_t)(op) << 24 | (uint32_t)(lo) << 23 | (uint32_t)(src) << 17 |                         \
     (uint32_t)(addr_mod) << 14 | (uint32_t)(mod) << 12 | (uint32_t)(dst))
#define W_MOVB2D(lo, src, addr_mod, mod, dst)                                                      \
    (0x13000000u | (uint32_t)(lo) << 23 | (uint32_t)(src) << 17 | (uint32_t)(addr_mod) << 14 |     \
     (uint32_t)(mod) << 11 | (uint32_t)(dst))
#define W_ZEROACC(mode, use32, clear_flags, addr_mod, where)                                       \
    (0x10000000u | (uint32_t)(mode) << 19 | (uint32_t)(use32) << 18 |                              \
     (uint32_t)(clear_flags) << 17 | (uint32_t)(addr_mod) << 14 | (uint32_t)(where))
#define W_UNPACR_NOP(unit, dvalid, stall, value)                                                   \
    (0x43000001u | (uint32_t)(unit) << 23 | (uint32_t)(dvalid) << 8 | (uint32_t)(stall) << 5 |     \
     (uint32_t)(value) << 2)

/* Makers, by file. */
void gen_unpacr(struct gen *g, const char *name);
void gen_unpacr_nop(struct gen *g, const char *name);
void gen_adc(struct gen *g, const char *name);
void gen_matmul(struct gen *g, const char *name);
void gen_elw(struct gen *g, const char *name);
void gen_gmpool(struct gen *g, const char *name);
void gen_move_to_dst(struct gen *g, const char *name);
void gen_move_to_src(struct gen *g, const char *name);
void gen_movb2a(struct gen *g, const char *name);
void gen_trnspsrcb(struct gen *g, const char *name);
void gen_zeroacc(struct gen *g, const char *name);
void gen_zerosrc(struct gen *g, const char *name);
void gen_rwc(struct gen *g, const char *name);
void gen_cleardvalid(struct gen *g, const char *name);
void gen_pacr(struct gen *g, const char *name);
void gen_mix(struct gen *g, const char *name);
void gen_vector(struct gen *g, const char *name);
void gen_scalar(struct gen *g, const char *name);
void gen_vector_prologue(struct gen *g);

#endif
