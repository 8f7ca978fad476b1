/*
 * data_value.h - the cells of a tile's data that scripts set and expect: L1, Dst, LRegs, Src.
 */
#ifndef WG_SCRIPT_DATA_VALUE_H
#define WG_SCRIPT_DATA_VALUE_H

#include "coproc/coproc.h"
#include "script/tts.h"

/* How many cells a stretch has. */
static inline uint32_t data_value_cells(const struct tts_data *d)
{
    return d->n_rows * d->n_columns;
}

/* What the program says of a cell. */
static inline uint32_t data_value_written(const struct tts_program *p, const struct tts_data *d,
                                          uint32_t cell)
{
    return (uint32_t)p->list[d->first + cell % d->n];
}

/* What the cell holds at the end of the last cycle. */
uint32_t data_value_read(const struct coproc *cp, const struct tts_data *d, uint32_t cell);
/* Fills a stretch, before the first cycle. */
void data_value_preset(struct coproc *cp, const struct tts_program *p, const struct tts_data *d);

#endif
