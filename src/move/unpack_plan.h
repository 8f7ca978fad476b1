/*
 * unpack_plan.h - what one unpacker instruction will do, decided when it goes: addresses, counts,
 * formats and modes, sampled from Config, ThreadConfig and ADCs.
 *
 * ISA pages: UNPACR (Regular, IncrementContextCounter), UNPACR_NOP (all forms), Unpackers/README.
 */
#ifndef WG_MOVE_UNPACK_PLAN_H
#define WG_MOVE_UNPACK_PLAN_H

#include "num/from_l1.h"
#include "state/adc.h"
#include "state/config.h"
#include "state/l1_port.h"

enum unpack_what {
    UNPACK_NOTHING, /* passes a cycle */
    UNPACK_MOVE,    /* L1 to Src or Dst */
    UNPACK_CLEAR,   /* one value to all of a bank */
    UNPACK_POP,     /* MSG_DATA_CLEAR of an overlay stream */
    UNPACK_WRITE    /* a register of the tile */
};

struct unpack_plan {
    uint8_t what;      /* enum unpack_what */
    bool gives;        /* hands the bank over */
    bool to_dst, wide; /* wide: Dst32 */
    bool transpose, tilize, zero, forced, interleave, broadcast;
    bool over_row;  /* SetOvrdWithAddr: SrcRow does not count */
    bool next_set;  /* SrcRow moves on if the bank stays */
    bool both;      /* CLEAR: both banks */
    uint8_t shift;  /* columns to the left */
    uint8_t spread; /* datums written per datum read: itself, then zeros */
    uint8_t context;
    uint8_t format;   /* code that goes with the bank */
    uint8_t exponent; /* if forced */
    uint8_t row_base; /* SRCx_SET_Base, in rows */
    uint8_t pass;  /* bytes of a datum, if nothing but its place keeps it from whole rows; else 0 */
    uint16_t rate; /* bytes it would like to fetch per cycle */
    struct from_l1 convert;
    uint32_t count;   /* datums */
    uint32_t address; /* of the first datum: byte, ... */
    uint8_t first;    /* ... and which in that byte */
    uint8_t phase;    /* of the first datum in its group with one exponent */
    uint32_t exponents;
    uint32_t row;         /* datums per row of L1 */
    uint32_t stride;      /* bytes from row to row */
    bool steps;           /* rows are not contiguous */
    uint32_t limit, fifo; /* bytes: addresses above limit are fifo lower */
    bool packed;          /* zeros are left out in L1, and counted behind each datum: */
    uint32_t zeros;       /* address of the first count, in units of 4 bits */
    uint32_t drop, most;  /* datums that are skipped, and that are written at most */
    uint32_t out;         /* first datum of the destination */
    uint32_t access;      /* DEST_ACCESS_CFG */
    uint32_t value;       /* CLEAR, WRITE */
    uint8_t stream;       /* POP; WRITE: middle of the address */
    uint8_t select;       /* WRITE: which of TDMA-RISC's addresses */
    bool sums;            /* WRITE: the value is added up first */
};

/*
 * An UNPACR as far as its word, its context and a few words of Config decide it: what is left is its place, which
 * counters and addresses decide. Most are like the one before in their context, with the same words, and need nothing
 * else. No state: with or without it all is the same.
 */
struct unpack_shape {
    uint32_t word; /* the instruction; 0, which is no UNPACR: nothing is kept */
    uint8_t context;
    uint32_t tile[4], modes[4], formats, exponent, x_dims, fp8, throttle, alu; /* Config words */
    uint8_t bits;  /* of a datum in L1 */
    uint8_t shift; /* log2 of the bytes that channel 1 counts for a datum */
    uint32_t x_dim, y_dim, z_dim;
    uint32_t table;           /* bytes from the tile's address to what follows its header ... */
    uint32_t exponents, data; /* ... and to exponents and datums */
    struct unpack_plan plan;
};

/* [unpacker][context]: two contexts take turns. */
struct unpack_shapes {
    struct unpack_shape of[2][2];
    uint16_t rate, rate_wide; /* UNPACK_RATE_1, UNPACK_RATE_WIDE */
};

/* A diagnostic about the instruction; id N_DIAGS: none. */
struct unpack_remark {
    unsigned id;
    uint32_t arg;
};

/* UNPACR that moves data. counter: the context counter of thread and unpacker. */
struct unpack_remark unpack_plan_unpacr(struct unpack_plan *p, struct unpack_shapes *shapes,
                                        const struct config *c, const struct adc *a,
                                        const struct l1_port *l1, unsigned thread, uint32_t word,
                                        unsigned counter);
struct unpack_remark unpack_plan_nop(struct unpack_plan *p, const struct config *c, unsigned thread,
                                     uint32_t word);
/* The address counters after UNPACR. */
void unpack_plan_advance(struct adc *a, unsigned thread, uint32_t word);
/* What follows a value of the context counter of unpacker u. */
unsigned unpack_plan_counter(const struct config *c, unsigned thread, unsigned u, unsigned counter);
/* Address after a step: above the limit it goes round. */
static inline uint32_t unpack_plan_wrap(const struct unpack_plan *p, uint32_t address)
{
    return address > p->limit ? address - p->fifo : address;
}

#endif
