/*
 * vec.h - a question about one instruction and its answer: nine little-endian quadwords.
 *
 * The word reads registers 1 and 2 and writes register 3, integer or floating point. data/qemu.vec holds
 * questions of ask.c, answered by answer.c on qemu-alpha.
 */
#ifndef WG_TESTS_ALPHA_VEC_H
#define WG_TESTS_ALPHA_VEC_H

#include <stdint.h>

struct vec {
    uint64_t word;
    uint64_t a, b, c; /* registers 1, 2, 3 of both files before it */
    uint64_t fpcr;
    uint64_t integer, floating; /* register 3 of each file after it; 0 if it trapped */
    uint64_t fpcr_after;
    uint64_t signal; /* 0; 8: arithmetic trap; 4: illegal */
};

#endif
