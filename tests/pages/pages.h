/*
 * pages.h - a second, independent and slow model of the data path, written only from the ISA pages and the
 * fact sheet on numbers; it shares no code with src/. Own layouts, own field positions.
 *
 * ISA pages: UNPACR*, PACR_SETREG, SETDVALID, MVMUL, DOTPV, GMPOOL, GAPOOL, ELW*, MOV*, SHIFTX*, ZEROACC, ZEROSRC,
 * CLEARDVALID, SETRWC, INCRWC, RWCs, Dst (Blackhole), pages of Packers.
 *
 * What the pages leave open is left out by the generators (gen_*.c), or named there.
 */
#ifndef WG_TESTS_PAGES_PAGES_H
#define WG_TESTS_PAGES_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/rng.h"

#define PG_L1     (64u * 1024u)
#define PG_MMIO   1024u /* words of a device at PG_DEVICE, which keeps what it is given */
#define PG_DEVICE 0xFFB40000u
#define PG_STREAM 16u /* the first registers of each stream */
#define PG_WORDS  32u
#define PG_STORES 32u
#define PG_LANES  32u

enum { PG_A, PG_B };
enum { PG_X, PG_Y, PG_Z, PG_W };

enum pg_format {
    F_FP32 = 0,
    F_FP16 = 1,
    F_BFP8A = 2,
    F_BFP4A = 3,
    F_TF32 = 4,
    F_BF16 = 5,
    F_BFP8 = 6,
    F_BFP4 = 7,
    F_INT32 = 8,
    F_INT16 = 9,
    F_FP8 = 10,
    F_BFP2A = 11,
    F_INT8 = 14,
    F_BFP2 = 15
};

struct pg_rwc {
    uint32_t dst, dst_cr, a, a_cr, b, b_cr, phase;
};

struct pg_counter {
    uint32_t v, cr;
};

/* One output stream of the packer: bytes gathered until 16 are there. */
struct pg_stream {
    uint32_t address; /* of the block being filled */
    uint32_t bits;    /* in block */
    uint8_t block[16];
};

/* The Vector Unit's lanes. */
struct pg_vector {
    uint32_t r[17][PG_LANES];
    uint8_t flag[PG_LANES], use[PG_LANES];
    uint8_t stack_flag[PG_LANES][8], stack_use[PG_LANES][8], depth[PG_LANES];
    uint32_t config[PG_LANES];
    uint32_t macro[PG_LANES][9]; /* four templates, four sequences, Misc */
    uint32_t prng[PG_LANES];
};

struct pg {
    uint32_t cfg[2][224];
    uint16_t th[3][68];
    uint32_t src[2][2][64][16]; /* [A, B][bank][row][column] */
    uint8_t owner[2][2];        /* 1: Matrix Unit */
    uint8_t ubank[2], mbank[2], fmt[2][2];
    uint32_t srcrow[2][3], context[2][3];
    uint16_t dst[1024][16];
    uint8_t valid[1024];
    struct pg_rwc rwc[3];
    struct pg_counter adc[3][3][2][4]; /* [thread][unpacker 0, 1, packer][channel][dimension] */
    uint32_t bug_row;                  /* what SHIFTXA uses */
    bool pack_open;                    /* the last PACR had neither Last nor Flush */
    struct pg_stream data, exponents;
    uint32_t edge_y, edge_z;
    uint32_t pack_offset;            /* TDMA-RISC: l1_dest_addr_offset */
    uint32_t tdma_unpack, tdma_pack; /* TDMA-RISC: addresses of register writes */
    uint32_t sum[2], setreg;         /* of UNPACR_NOP; data of PACR_SETREG */
    unsigned n_stores;               /* to registers: address, value */
    uint32_t store[PG_STORES][2];
    struct pg_vector v;
    uint32_t sp[3]; /* the Vector Unit's stack pointer in Dst */
    uint32_t gpr[3][64];
    uint8_t mutex[5]; /* thread + 1 that holds it */
    uint32_t mmio[PG_MMIO];
    uint32_t stream[64][PG_STREAM];
    uint8_t l1[PG_L1];
};

/* A case: a state, and words that one thread executes. */
struct pg_case {
    const char *kind;
    unsigned n;
    uint8_t thread[PG_WORDS];
    uint32_t word[PG_WORDS];
    bool together;     /* all words are pushed at once, not each after the other has ended */
    bool drain;        /* units finish at once, as without time */
    bool rush;         /* with drain: by the scheduler without time */
    bool plain;        /* without the host's vector instructions */
    unsigned plays;    /* not 0: the words are recorded and so often played, in bursts */
    bool skip_formats; /* the formats that banks remember are not documented here */
    struct pg start;
};

/* bits hi..lo of x */
static inline uint32_t pg_bits(uint32_t x, unsigned hi, unsigned lo)
{
    return (uint32_t)((uint64_t)x >> lo & ((UINT64_C(1) << (hi - lo + 1)) - 1));
}

/* width bits from bit lo of a Config word, in the bank that the thread uses. */
static inline uint32_t pg_cfg(const struct pg *m, unsigned thread, unsigned word, unsigned lo,
                              unsigned width)
{
    return pg_bits(m->cfg[m->th[thread][0] & 1][word], lo + width - 1, lo);
}

void pg_exec(struct pg *m, unsigned thread, uint32_t word);
void pg_matrix(struct pg *m, unsigned thread, uint32_t word);
void pg_moves(struct pg *m, unsigned thread, uint32_t word);
void pg_gmpool(struct pg *m, unsigned thread, uint32_t word);
void pg_unpack(struct pg *m, unsigned thread, uint32_t word);
void pg_unpack_nop(struct pg *m, unsigned thread, uint32_t word);
void pg_unpack_register(struct pg *m, unsigned thread, uint32_t word);
void pg_pack_register(struct pg *m, uint32_t word);
void pg_pack_flush(struct pg *m);
void pg_setdvalid(struct pg *m, unsigned thread, uint32_t word);
void pg_pack(struct pg *m, unsigned thread, uint32_t word);
void pg_vector(struct pg *m, unsigned thread, uint32_t word);
void pg_sfp_dst(struct pg *m, unsigned thread, uint32_t word);
void pg_scalar(struct pg *m, unsigned thread, uint32_t word);

/* Shared by the units: model_state.c */
unsigned pg_row16(const struct pg *m, unsigned row);
unsigned pg_row32(const struct pg *m, unsigned row);
uint16_t pg_read16(const struct pg *m, unsigned row, unsigned column);
uint32_t pg_read32(const struct pg *m, unsigned row, unsigned column); /* Dst bit order */
void pg_write16(struct pg *m, unsigned row, unsigned column, uint16_t value);
void pg_write32(struct pg *m, unsigned row, unsigned column, uint32_t value);
uint32_t pg_order32(uint32_t dst);    /* Dst order to {S, E, M} */
uint32_t pg_to_dst32(uint32_t value); /* and back */
uint32_t pg_matrix_format(const struct pg *m, unsigned thread, unsigned which);
bool pg_five_bits(unsigned format);
uint32_t pg_dst_base(const struct pg *m, unsigned thread);
void pg_addr_mod(struct pg *m, unsigned thread, unsigned index);
bool pg_lane_enabled(const struct pg *m, unsigned lane);
bool pg_lane_gate(const struct pg *m, unsigned lane, unsigned vd); /* not caught by the backdoor */
/* No page says what the word does in this state. */
bool pg_vector_undefined(const struct pg *m, uint32_t word);
uint32_t pg_sfp_mad(uint32_t x, uint32_t y, uint32_t z);
uint32_t pg_sfp_recip(uint32_t a);
uint32_t pg_sfp_exp(uint32_t a);
uint32_t pg_sfp_lut8(uint32_t t);
uint32_t pg_sfp_lut16(uint32_t t);
bool pg_sfp_smaller(uint32_t c, uint32_t d);
void pg_flip(struct pg *m, unsigned thread, uint32_t word);
void pg_give(struct pg *m, unsigned thread, unsigned which);

/* Generators, one per kind of case. */
struct pg_kind {
    const char *name;
    void (*make)(struct pg_case *c, struct rng *r);
};
extern const struct pg_kind pg_kinds_matrix[], pg_kinds_unpack[], pg_kinds_pack[],
    pg_kinds_vector[], pg_kinds_scalar[];

/* Would the word wait for a bank for ever? */
bool pg_blocked(const struct pg *m, uint32_t word);

/* drive.c: the real thing. Fills text and returns false at the first difference. */
bool pg_compare(const struct pg_case *c, const struct pg *expected, char *text, unsigned size);
extern uint64_t pg_in_bursts; /* cycles that were run in bursts */
void pg_chaos(struct rng *r);

#endif
