/*
 * adc.c - ADC instructions of the Miscellaneous Unit.
 *
 * ISA pages: ADCs and the page of each instruction (Wormhole; nothing contradicts them for
 * Blackhole). All take one cycle; any number of threads may execute one in the same cycle.
 *
 * Invariant: every counter stays within its width (X 18, Y 13, Z and W 8 bits), wrapping.
 *
 * The SETADC page gives a counter the whole field of 18 bits, in which bits 16 and 17 also name the thread. Its X
 * would then be 65536 or more whenever another thread's counter is set. The vendor's face-compressed matrix multiplication sets
 * the end of X in that way and unpacks 256 datums (tt-metal, llk_unpack_AB_face_compressed_mm.h). So the value is the low 16 bits.
 *
 * Inaccuracies: when two threads change ADCs in the same cycle and one addresses the other's,
 * silicon corrupts the counters; here both take effect in thread order and it is reported.
 */
#include "state/adc.h"

#include <string.h>

#include "base/bits.h"
#include "isa/tensix.h"

enum adc_how { ADC_SET, ADC_INC, ADC_INC_CR };

void adc_reset(struct adc *a)
{
    memset(a, 0, sizeof *a);
}

static void adc_apply(struct adc_counter *c, unsigned dim, enum adc_how how, uint32_t value)
{
    switch (how) {
    case ADC_SET: c->v = c->cr = adc_cut(dim, value); break;
    case ADC_INC: c->v = adc_cut(dim, c->v + value); break;
    case ADC_INC_CR:
        c->cr = adc_cut(dim, c->cr + value);
        c->v = c->cr;
        break;
    }
}

/* The override field counts threads from 1; 0 is the issuing thread. */
static unsigned adc_override(unsigned thread, uint32_t field)
{
    return field ? field - 1 : thread;
}

static unsigned adc_which_thread(unsigned thread, uint32_t word)
{
    switch (word >> 24) {
    case TENSIX_OP_SETADC: return adc_override(thread, bits_get(word, 16, 2));
    case TENSIX_OP_SETADCXX: return thread;
    default: return adc_override(thread, bits_get(word, 18, 2));
    }
}

unsigned adc_targets(unsigned thread, uint32_t word)
{
    return 1u << adc_which_thread(thread, word);
}

/* The instructions with four 3-bit values: two dimensions of two channels. */
static void adc_quad(struct adc_counter c[2][4], unsigned dim, enum adc_how how, uint32_t word,
                     unsigned select)
{
    for (unsigned i = 0; i < 4; i++)
        if ((select >> i) & 1)
            adc_apply(&c[i >> 1][dim + (i & 1)], dim + (i & 1), how, bits_get(word, 6 + 3 * i, 3));
}

static void adc_one_user(struct adc_counter c[2][4], uint32_t word)
{
    unsigned mask = bits_get(word, 0, 4);
    switch (word >> 24) {
    case TENSIX_OP_SETADC: {
        struct tensix_SETADC a = tensix_SETADC_decode(word);
        adc_apply(
            &c[a.channel_index][a.dimension_index], a.dimension_index, ADC_SET, a.value & 0xffff);
        break;
    }
    case TENSIX_OP_SETADCXX: {
        struct tensix_SETADCXX a = tensix_SETADCXX_decode(word);
        adc_apply(&c[0][ADC_X], ADC_X, ADC_SET, a.x_start);
        adc_apply(&c[1][ADC_X], ADC_X, ADC_SET, a.x_end2);
        break;
    }
    case TENSIX_OP_SETADCXY: adc_quad(c, ADC_X, ADC_SET, word, mask); break;
    case TENSIX_OP_SETADCZW: adc_quad(c, ADC_Z, ADC_SET, word, mask); break;
    case TENSIX_OP_INCADCXY: adc_quad(c, ADC_X, ADC_INC, word, 15); break;
    case TENSIX_OP_INCADCZW: adc_quad(c, ADC_Z, ADC_INC, word, 15); break;
    case TENSIX_OP_ADDRCRXY: adc_quad(c, ADC_X, ADC_INC_CR, word, mask); break;
    case TENSIX_OP_ADDRCRZW: adc_quad(c, ADC_Z, ADC_INC_CR, word, mask); break;
    default: break;
    }
}

void adc_execute(struct adc *a, unsigned thread, uint32_t word)
{
    unsigned which = adc_which_thread(thread, word);
    for (unsigned user = 0; user < 3; user++)
        if ((word >> (21 + user)) & 1)
            adc_one_user(a->c[which][user], word);
}

void adc_write(struct adc *a, unsigned thread, unsigned user, unsigned channel, unsigned dim,
               bool cr, uint32_t value)
{
    struct adc_counter *c = &a->c[thread][user][channel][dim];
    value = adc_cut(dim, value);
    if (cr)
        c->cr = value;
    else
        c->v = value;
}

void adc_add(struct adc *a, unsigned thread, unsigned user, unsigned channel, unsigned dim,
             uint32_t value)
{
    adc_apply(&a->c[thread][user][channel][dim], dim, ADC_INC, value);
}
