/*
 * format.h - data format codes and what is fixed about each; made from format.def.
 *
 * Everything in src/num is a pure function of its arguments: no state, no hardware block.
 */
#ifndef WG_NUM_FORMAT_H
#define WG_NUM_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

enum num_format {
#define FORMAT(name, code, bits, exponent, kind, text) NUM_##name = (code),
#include "num/format.def"
    N_NUM_FORMATS = 16
};

enum num_kind { NUM_NONE, NUM_FLOAT, NUM_BLOCK, NUM_INTEGER };

struct num_format_info {
    uint8_t bits; /* of a datum in L1; 0: there is no such format */
    uint8_t exponent;
    uint8_t kind; /* enum num_kind */
    const char *name;
};

extern const struct num_format_info num_formats[N_NUM_FORMATS];

/* Bytes of a datum as address generators count them. */
static inline unsigned num_format_address_bytes(unsigned code)
{
    return (code & 3) == 0 ? 4 : ((code & 3) == 1 ? 2 : 1);
}

#endif
