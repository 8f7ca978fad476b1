/*
 * pack_plan.h - what one PACR is to do: which datums of Dst, through which conversions, to where.
 *
 * ISA pages: PACR (Blackhole), Packers/InputAddressGenerator, OutputAddressGenerator, EdgeMasking,
 * Downsampling.
 */
#ifndef WG_MOVE_PACK_PLAN_H
#define WG_MOVE_PACK_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "num/to_l1.h"
#include "state/adc.h"
#include "state/config.h"
#include "state/queue.h"

#define PACK_INTERFACES 4u

/* Which rows of Dst are read. */
struct pack_rows {
    uint8_t n;     /* enabled interfaces */
    uint8_t first; /* column of the first datum */
    bool wide;     /* 32 bits: the low halves lie DST_LOW rows further */
    bool strange;  /* the documents call this choice of rows undefined */
    bool run;      /* four physical rows one after the other, the first a multiple of four */
    uint16_t row
        [PACK_INTERFACES]; /* physical row (high half), in the order of packing: see pack_plan_row_at() */
};

/* Physical row k. Of a run only the first is kept. */
static inline unsigned pack_plan_row_at(const struct pack_rows *r, unsigned k)
{
    return r->run ? r->row[0] + k : r->row[k];
}

/* Where the packer stands in the tile, for edge masks, and in its output. */
struct pack_position {
    uint8_t row, plane;
    bool open; /* output goes on where it is; else a new address is made */
};

/* Things a plan asks for that are not carried out or not defined: bits of pack_plan.odd. */
enum pack_odd {
    PACK_ODD_ROWS = 1,     /* read interfaces leave their group of four rows */
    PACK_ODD_RANGE = 2,    /* X range is empty or leaves the row */
    PACK_ODD_FORMAT = 4,   /* no such conversion */
    PACK_ODD_RELU = 8,     /* negative threshold */
    PACK_ODD_ADD = 16,     /* no accumulation for this format */
    PACK_ODD_COMPRESS = 32 /* compression, or another option that is not modelled */
};

/* Rows that go through all stages in one pass: pack_plan.fast. */
enum pack_fast { PACK_SLOW, PACK_BF16, PACK_WORD, PACK_WORD_BF16, PACK_BFP8, PACK_WORD_BFP8 };

struct pack_plan {
    struct num_to_l1 way;
    struct pack_rows rows;
    uint8_t datums;      /* per interface */
    uint8_t odd;         /* enum pack_odd */
    uint8_t fast;        /* enum pack_fast: the same for all rows */
    bool quick;          /* fast, whole blocks of data and nothing else */
    uint16_t bytes;      /* fast: how many */
    bool zero;           /* zeros instead of Dst */
    bool from_l1;        /* datums come from L1 */
    bool last;           /* Last or Flush: buffers are completed, the next PACR starts anew */
    bool add;            /* L1 += datum */
    bool minus_infinity; /* what masked datums become */
    bool blocks;         /* the output has an exponent section */
    uint16_t keep[PACK_INTERFACES]; /* edge masks: 1 keeps the datum */
    uint16_t sample;                /* downsampling: 1 keeps the datum */
    uint16_t cycles;                /* for which the packer takes no other instruction */
    uint8_t source_bytes;           /* from_l1: of a datum */
    uint32_t source;                /* from_l1: byte address */
    uint32_t exponents, data;       /* byte addresses, only if a new output starts */
};

/*
 * The last PACR: its plan, the way in it, and the Config words they come from. Most PACRs are like the one before:
 * one with the same word and the same Config words differs only in rows, addresses and Last, as long as its rows are
 * whole and make a run. A plan that cannot be used again is kept with a word that no PACR has.
 */
struct pack_memo {
    uint32_t key[6];
    bool valid, listed;
    uint16_t rate, least; /* PACK_BYTES; PACR takes no fewer cycles: its issue cost */
    struct num_to_l1 way;
    uint8_t shift;   /* log2 of the bytes that channel 0 counts for a datum */
    uint32_t coarse; /* the bits of a datum's number that X alone cannot address */
    uint32_t word;   /* the instruction */
    uint32_t formats[4], read[10], descale, output[2]; /* Config words */
    struct pack_plan plan;
};

/* The rows a PACR reads; all that pack_check() needs. */
void pack_plan_rows(const struct config *c, const struct adc *a, unsigned thread, uint32_t word,
                    struct pack_position at, struct pack_rows *rows);
/* offset: TDMA-RISC's, of the output, in 16 bytes. The plan, which stays in memo; moves the address counters, and where the packer stands. */
const struct pack_plan *pack_plan_make(const struct config *c, struct adc *a, unsigned thread,
                                       uint32_t word, unsigned offset, struct pack_position *at,
                                       struct pack_memo *memo);
/*
 * The same at once for several PACRs of a ring of QUEUE_MAX words, `left` of them from index on: those like the last one
 * if its plan is quick, up to one with Last. They differ in rows only: run[] gets the first one of each; and their bytes
 * follow each other. Returns how many there are; 0: the first is none of them, and nothing has happened.
 */
unsigned pack_plan_many(const struct config *c, struct adc *a, unsigned thread,
                        const struct entry *slot, unsigned index, unsigned left, unsigned offset,
                        struct pack_position *at, struct pack_memo *memo, uint16_t run[QUEUE_MAX]);

#endif
