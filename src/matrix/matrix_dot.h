/*
 * matrix_dot.h - the dot product of MVMUL, GAPOOL and DOTPV as a function of plain data, so that
 * several ways to compute the same bits can stand side by side.
 *
 *     Dst[i][j] += sum over k of SrcB[i][k] * SrcA[k][j],   16 columns j, 16 lanes k
 *
 * ISA pages: MVMUL, GAPOOL, DOTPV. Float only; the arithmetic is that of src/num/fpu.h.
 */
#ifndef WG_MATRIX_MATRIX_DOT_H
#define WG_MATRIX_MATRIX_DOT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Operands of before, decoded (matrix_dot_fma.c). All zero is empty. Whoever fills a struct matrix_dot names its operands:
 * the same name stands for the same data. A name is 16 * version + place, where the version changes whenever the
 * data may have, and the place is row / 8 and the bank above it. 0: not to be remembered.
 */
#define MATRIX_DOT_PLACES 16

/* A bank's worth of operands, twice because parts change with the phase, and what each pair has in common. */
#define MATRIX_DOT_ROOM 9800

struct matrix_dot_memo {
    const void *home; /* where it was when it was last used */
    void *memory;     /* in room, aligned; what it holds is matrix_dot_fma.c's business */
    bool denormals_a, denormals_b; /* in the operands decoded last */
    uint32_t room[MATRIX_DOT_ROOM];
};

struct matrix_dot {
    const uint32_t (*a)[16]; /* 16 rows of SrcA */
    const uint32_t (*b)[16]; /* rows of SrcB */
    uint16_t *high[2];       /* rows 0 and 4 of Dst: high halves, or the 16-bit data */
    uint16_t *low[2];        /* low halves; for a32 only */
    unsigned step;           /* from one of four such rows to the next, in datums */
    unsigned rows;           /* 8; 4 for GAPOOL, and 2 */
    uint32_t mask_a, mask_b; /* kept bits of the operands' cells, by format code */
    int k;                   /* exponent constant K(phase) */
    uint8_t phase;           /* fidelity phase, 0..3 */
    bool x8;                 /* operands and Dst16 have 8-bit exponents, else 5-bit */
    bool a32;                /* Dst rows are FP32 */
    bool fresh; /* Dst rows hold nothing and count as zeros; for matrix_dot_fma() only */
    uint64_t name_a, name_b;
    struct matrix_dot_memo *memo; /* for matrix_dot_fma() */
};

static inline uint16_t *matrix_dot_high(const struct matrix_dot *m, unsigned i)
{
    return m->high[i / 4] + i % 4 * m->step;
}

static inline uint16_t *matrix_dot_low(const struct matrix_dot *m, unsigned i)
{
    return m->low[i / 4] + i % 4 * m->step;
}

/* The caller has made the Dst rows valid, with zeros where they were not (fresh: false). */
void matrix_dot_plain(const struct matrix_dot *m);
/* keep_b: exponent 0 in SrcB does not mean zero; noise: not NULL rounds stochastically. */
void matrix_dot_rare(const struct matrix_dot *m, bool keep_b, uint32_t *noise);

/* The same with AVX2: matrix_dot_avx2.c. Only to be called where matrix_dot_avx2_usable(). */
#if defined(__x86_64__) && defined(__GNUC__)
#define MATRIX_DOT_AVX2
#endif
void matrix_dot_avx2(const struct matrix_dot *m);
bool matrix_dot_avx2_usable(void);
/* And with AVX-512: matrix_dot_avx512.c. */
void matrix_dot_avx512(const struct matrix_dot *m);
bool matrix_dot_avx512_usable(void);
/* Faster than both, with AVX2 and FMA: matrix_dot_fma.c. False: not with these data, nothing was done. */
bool matrix_dot_fma(const struct matrix_dot *m);
bool matrix_dot_fma_usable(void);
/* The same with AVX-512 as well; only where matrix_dot_fma_usable() and matrix_dot_avx512_usable(). */
bool matrix_dot_fma_512(const struct matrix_dot *m);

#endif
