/*
 * config_drive.h - writes fields of Config and ThreadConfig past the instructions, for blocks that are driven
 * alone.
 */
#ifndef WG_TESTS_UNIT_CONFIG_DRIVE_H
#define WG_TESTS_UNIT_CONFIG_DRIVE_H

#include "base/bits.h"
#include "isa/cfg.h"
#include "state/config.h"

/* In both banks; so many words and bits behind the place of the field, for those of which there are several. */
static inline void config_set_at(struct config *c, uint32_t field, unsigned words, unsigned bits,
                                 uint32_t value)
{
    unsigned low = (field >> 8 & 0xff) + bits;
    uint32_t mask = bits_mask(field & 0xff) << low;
    for (unsigned bank = 0; bank < 2; bank++) {
        uint32_t *w = &c->word[bank][cfg_word(field) + words];
        *w = (*w & ~mask) | (value << low & mask);
    }
}

static inline void config_set(struct config *c, uint32_t field, uint32_t value)
{
    config_set_at(c, field, 0, 0, value);
}

static inline void config_set_thread_at(struct config *c, unsigned thread, uint32_t field,
                                        unsigned bits, uint32_t value)
{
    unsigned low = (field >> 8 & 0xff) + bits;
    uint32_t mask = bits_mask(field & 0xff) << low;
    uint16_t *w = &c->thread[thread][cfg_word(field)];
    *w = (uint16_t)((*w & ~mask) | (value << low & mask));
}

#endif
