/*
 * src.h - SrcA and SrcB: who owns which bank, and which bank everybody points at.
 *
 * ISA page: SrcASrcB. Rules in time: docs/timing.md 4.11.
 */
#ifndef WG_STATE_SRC_H
#define WG_STATE_SRC_H

#include <stdbool.h>
#include <stdint.h>

struct probe;

enum src_which { SRC_A, SRC_B };
enum src_owner { SRC_UNPACKERS, SRC_MATRIX };

#define SRC_PENDING 16u
#define SRC_ROWS    64u
#define SRC_COLUMNS 16u

/* A flip of the Matrix Unit on its way to being seen. */
struct src_flip {
    uint64_t due; /* takes effect at the end of this cycle */
    uint8_t which, bank;
    bool release, toggle;
};

/* A datum has 19 bits; num/layout.h says how a cell holds them. */
struct src {
    uint8_t owner[2][2];       /* [which][bank]: enum src_owner, as everybody sees it */
    uint8_t unpack_bank[2];    /* unpacker 0 fills SrcA, 1 fills SrcB */
    uint8_t matrix_bank[2];    /* as C7, C8 see it */
    uint8_t issue_owner[2][2]; /* the Matrix Unit's own view: older flips already done */
    uint8_t issue_bank[2];
    uint8_t head, n; /* ring of flips, ordered by due */
    struct src_flip flip[SRC_PENDING];
    uint8_t format[2][2];   /* [which][bank]: data format code that came with the bank */
    uint8_t row[2][3];      /* [unpacker][thread]: SrcRow */
    uint64_t version[2][2]; /* [which][bank]: counts writes, see src_wrote() */
    uint8_t release;        /* SRC_RELEASE */
    uint32_t d[2][2][SRC_ROWS][SRC_COLUMNS]; /* [which][bank][row][column] */
};

struct timing;
void src_reset(struct src *s, const struct timing *t);
/* The unpackers hand over their current bank. False if the Matrix Unit already owned it. */
bool src_give(struct src *s, unsigned which);
/* A Matrix instruction that goes in cycle now gives its bank back (release) and moves on (toggle).
   False if it did not own it. */
bool src_flip(struct src *s, unsigned which, uint64_t now, bool release, bool toggle);
/* CLEARDVALID with Reset: everything back to the unpackers, all pointers to bank 0; data stays. */
void src_clear(struct src *s);
/* End of cycle now: flips that become visible. True if there were any. */
bool src_clock(struct src *s, uint64_t now, struct probe *p);
/* Presets a bank's owner. */
void src_set_owner(struct src *s, unsigned which, unsigned bank, unsigned owner);

/* Whoever writes to d says so: the Matrix Unit keeps what it has decoded until then. */
static inline void src_wrote(struct src *s, unsigned which, unsigned bank)
{
    s->version[which][bank]++;
}

/* May a Matrix instruction that goes now use its current bank? */
static inline bool src_matrix_ready(const struct src *s, unsigned which)
{
    return s->issue_owner[which][s->issue_bank[which]] == SRC_MATRIX;
}

static inline bool src_unpack_ready(const struct src *s, unsigned which)
{
    return s->owner[which][s->unpack_bank[which]] == SRC_UNPACKERS;
}

#endif
