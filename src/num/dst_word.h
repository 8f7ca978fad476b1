/*
 * dst_word.h - what a core finds in Dst: one element of each format of RISC_DEST_ACCESS_CTRL, as it lies in
 * Dst and as a load or store has it.
 *
 * ISA page: Dst (Blackhole), "RISCV access to Dst".
 *
 * A cell is what Dst holds for one element: 16 bits, or high half << 16 | low half. All functions take any
 * bits; a reserved format has elements of size 0 that read 0.
 */
#ifndef WG_NUM_DST_WORD_H
#define WG_NUM_DST_WORD_H

#include <stdbool.h>
#include <stdint.h>

/* The field fmt; 6 and 7 are reserved. */
enum dst_word_format {
    DST_WORD_32, /* FP32 or unsigned */
    DST_WORD_INT32,
    DST_WORD_FP16,
    DST_WORD_BF16,
    DST_WORD_INT16,
    DST_WORD_INT8,
    DST_WORD_RESERVED
};

struct dst_word {
    uint8_t format;    /* enum dst_word_format */
    bool no_swizzle;   /* bits are taken as they lie */
    bool unsigned_int; /* INT16 and INT8 have no sign */
};

/* Bytes of an element in the cores' address space; 0: reserved. */
static inline unsigned dst_word_size(unsigned format)
{
    static const uint8_t size[8] = {4, 4, 2, 2, 2, 1, 0, 0};
    return size[format & 7];
}

uint32_t dst_word_load(struct dst_word w, uint32_t cell);
/* Returns the cell. */
uint32_t dst_word_store(struct dst_word w, uint32_t value);

#endif
