/*
 * cfg.h - fields of Config and ThreadConfig by name; made from cfg.def.
 *
 * A field is a constant {word, low bit, width}; cfg_get() of one folds into a load, a shift and a mask.
 */
#ifndef WG_ISA_CFG_H
#define WG_ISA_CFG_H

#include <stdint.h>

#include "base/bits.h"

#define CFG_FIELD(word, low, width)                                                                \
    ((uint32_t)(word) << 16 | (uint32_t)(low) << 8 | (uint32_t)(width))

enum cfg_field {
#define CFG(name, word, low, width, text) CFG_##name = CFG_FIELD(word, low, width),
#include "isa/cfg.def"
};

enum thcfg_field {
#define THCFG(name, word, low, width, text) THCFG_##name = CFG_FIELD(word, low, width),
#include "isa/cfg.def"
};

/* Steps from one unpacker's word to the other's. */
#define CFG_UNP_STEP 48u /* THCON_SEC0 to THCON_SEC1 */

static inline unsigned cfg_word(uint32_t field)
{
    return field >> 16;
}

/* The field, `words` words and `bits` bits further up than its name says. */
static inline uint32_t cfg_get_at(const uint32_t *config, uint32_t field, unsigned words,
                                  unsigned bits)
{
    return bits_get(config[(field >> 16) + words], (field >> 8 & 0xff) + bits, field & 0xff);
}

static inline uint32_t cfg_get(const uint32_t *config, uint32_t field)
{
    return cfg_get_at(config, field, 0, 0);
}

static inline uint32_t cfg_thread_get_at(const uint16_t *config, uint32_t field, unsigned words,
                                         unsigned bits)
{
    return bits_get(config[(field >> 16) + words], (field >> 8 & 0xff) + bits, field & 0xff);
}

static inline uint32_t cfg_thread_get(const uint16_t *config, uint32_t field)
{
    return cfg_thread_get_at(config, field, 0, 0);
}

#endif
