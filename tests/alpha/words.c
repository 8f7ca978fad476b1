/*
 * words.c - random words of every row of the Alpha's table, and what the disassembler makes of them.
 *
 *     alpha_words SEED PER_ROW        prints address, word and text of each, for binutils.py
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "isa/alpha.h"

#define BASE UINT64_C(0x120000000)

static uint64_t state;

static uint32_t any(void)
{
    state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = (state ^ (state >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(z >> 16);
}

/* Registers are often 31 or equal: that is where other names come from. */
static uint32_t fields(void)
{
    uint32_t w = any() & 0x03ffffff, how = any();
    if (!(how & 3))
        w |= UINT32_C(31) << 21;
    if (!(how >> 2 & 3))
        w |= UINT32_C(31) << 16;
    if (!(how >> 4 & 3))
        w = (w & ~(UINT32_C(31) << 16)) | (w >> 5 & UINT32_C(31) << 16);
    if (!(how >> 6 & 7))
        w |= 31;
    if (!(how >> 9 & 3))
        w = (w & ~UINT32_C(31)) | (w >> 16 & 31);
    return w;
}

/* A word with opcode and function of the row; the rest is random and may make it no instruction. */
static uint32_t word_of(const struct alpha_form *f)
{
    uint32_t w = fields(), function = f->function;
    unsigned opcode = f->opcode;
    if (opcode == 0)
        w = function == 0xffff ? any() & (any() & 1 ? 0x3ffffff : 0xff) : function;
    else if ((opcode >= 0x10 && opcode <= 0x13) || opcode == 0x1c)
        w = (w & ~UINT32_C(0xfe0)) | function << 5;
    else if (opcode >= 0x14 && opcode <= 0x17)
        w = (w & ~UINT32_C(0xffe0)) | function << 5;
    else if (opcode == 0x18)
        w = (w & ~UINT32_C(0xffff)) | function;
    else if (opcode == 0x1a)
        w = (w & ~UINT32_C(0xc000)) | function << 14;
    return (uint32_t)opcode << 26 | w;
}

int main(int argc, char **argv)
{
    uint64_t pc = BASE;
    unsigned per_row = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 0) : 40;
    state = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    for (unsigned row = 0; row < ALPHA_N_FORMS + 64; row++)
        for (unsigned i = 0; i < per_row; i++, pc += 4) {
            /* behind the rows: words of every opcode, whatever they are */
            uint32_t w = row < ALPHA_N_FORMS
                             ? word_of(&alpha_forms[row])
                             : (uint32_t)(row - ALPHA_N_FORMS) << 26 | (any() & 0x3ffffff);
            char text[80];
            alpha_dis_text(w, pc, text, sizeof text);
            printf("%" PRIx64 " %08" PRIx32 " %s\n", pc, w, text);
        }
    return 0;
}
