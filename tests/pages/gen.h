/*
 * gen.h - what the generators of cases share.
 */
#ifndef WG_TESTS_PAGES_GEN_H
#define WG_TESTS_PAGES_GEN_H

#include "pages.h"

/* Random numbers in Dst: as 8-bit exponents (whole words for Dst32, too), 5-bit exponents, or any bits. */
enum gen_cells { CELLS_EIGHT, CELLS_FIVE, CELLS_ANY };

void gen_base(struct pg_case *c, struct rng *r, const char *kind);
void gen_add(struct pg_case *c, uint32_t word);
/* A field of Config in the thread's bank; words from 180 up in both. */
void gen_set(struct pg_case *c, unsigned word, unsigned lo, unsigned width, uint32_t value);
uint32_t gen_pick(struct rng *r, const uint8_t *values, unsigned n);
/* plain: no denormals, and zero is plus zero. */
void gen_dst(struct pg_case *c, struct rng *r, enum gen_cells kind, bool plain);
void gen_src(struct pg_case *c, struct rng *r, unsigned which, unsigned format);
void gen_addr_mods(struct pg_case *c, struct rng *r, bool fidelity);
/* Columns that LaneConfig keeps out of moves, in some cases. */
void gen_blocks(struct pg_case *c, struct rng *r);
uint32_t gen_exponent(struct rng *r);

#define GEN_PICK(r, ...)                                                                           \
    gen_pick((r), (const uint8_t[]){__VA_ARGS__}, (unsigned)sizeof((const uint8_t[]){__VA_ARGS__}))

#endif
