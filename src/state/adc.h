/*
 * adc.h - the address counters of unpackers and packer, per thread.
 *
 * ISA pages: ADCs, SETADC, SETADCXX, SETADCXY, SETADCZW, INCADCXY, INCADCZW, ADDRCRXY, ADDRCRZW,
 * SETDVALID's neighbours in MiscellaneousUnit.
 */
#ifndef WG_STATE_ADC_H
#define WG_STATE_ADC_H

#include <stdbool.h>
#include <stdint.h>

enum adc_dim { ADC_X, ADC_Y, ADC_Z, ADC_W };
enum adc_user { ADC_UNPACK0, ADC_UNPACK1, ADC_PACK };

/* One counter and its carriage-return copy. */
struct adc_counter {
    uint32_t v, cr;
};

struct adc {
    struct adc_counter c[3][3][2][4]; /* [thread][enum adc_user][channel][enum adc_dim] */
};

/* A value cut to the width of a counter of this dimension: X 18, Y 13, Z and W 8 bits. */
static inline uint32_t adc_cut(unsigned dim, uint32_t value)
{
    static const uint32_t mask[4] = {
        [ADC_X] = 0x3ffff, [ADC_Y] = 0x1fff, [ADC_Z] = 0xff, [ADC_W] = 0xff};
    return value & mask[dim & 3];
}

void adc_reset(struct adc *a);
/* Executes an ADC instruction of a thread. */
void adc_execute(struct adc *a, unsigned thread, uint32_t word);
/* Bit mask of the threads whose ADCs the instruction changes. */
unsigned adc_targets(unsigned thread, uint32_t word);
/* Adds to a counter, within its width; its CR copy stays: UNPACR, PACR. */
void adc_add(struct adc *a, unsigned thread, unsigned user, unsigned channel, unsigned dim,
             uint32_t value);
/* Writes one counter (or its CR copy), cut to its width: REG2FLOP. */
void adc_write(struct adc *a, unsigned thread, unsigned user, unsigned channel, unsigned dim,
               bool cr, uint32_t value);

#endif
