/*
 * maker.h - programs for the cores of a tile, made of the bytes of a fuzz target's input.
 *
 * Each byte names something to do and is followed by what that needs; what is missing is 0. So inputs stay programs when they are
 * changed, cut or put together.
 */
#ifndef WG_TESTS_FUZZ_MAKER_H
#define WG_TESTS_FUZZ_MAKER_H

#include "tile/tile.h"

#define MAKER_SHARED     UINT32_C(0x20000) /* words of L1 that all use */
#define MAKER_SOFT_RESET UINT32_C(0xFFB121B0)

struct maker {
    const uint8_t *data, *end; /* what is left of the input */
    uint8_t *code;             /* the program that is being made */
    uint32_t at, limit;
};

/* Where the cores start. */
extern const uint32_t maker_start[RV_N_CORES];

uint32_t maker_byte(struct maker *m);
uint32_t maker_word(struct maker *m);
/* A word to write: nearly always a small number. */
uint32_t maker_value(struct maker *m);
/* An address worth hitting. */
uint32_t maker_place(struct maker *m);
/* A program that ends in an endless loop; returns its bytes, at most size. */
uint32_t maker_program(struct maker *m, uint8_t *code, uint32_t size);

#endif
