/*
 * format.c - the table of data formats.
 *
 * Inaccuracies: none.
 */
#include "num/format.h"

/* clang-format off */
const struct num_format_info num_formats[N_NUM_FORMATS] = {
#define FORMAT(name, code, bits, exponent, kind, text) [code] = {bits, exponent, NUM_##kind, text},
#include "num/format.def"
};
/* clang-format on */
