/*
 * data_value.c - see data_value.h.
 *
 * Rows of Dst are the physical ones: DEST_ACCESS_CFG, which can give rows other numbers, has no say here.
 */
#include "script/data_value.h"

#include "num/layout.h"

static unsigned data_value_row(const struct tts_data *d, uint32_t cell)
{
    return d->row + cell / d->n_columns;
}

static unsigned data_value_column(const struct tts_data *d, uint32_t cell)
{
    return d->column + cell % d->n_columns;
}

/* What is not valid reads as zero. */
static uint32_t data_value_dst(const struct dst *d, unsigned row, unsigned column)
{
    return d->valid[row] ? d->d[row][column] : 0;
}

uint32_t data_value_read(const struct coproc *cp, const struct tts_data *d, uint32_t cell)
{
    unsigned row = data_value_row(d, cell), column = data_value_column(d, cell);
    uint32_t word = 0;
    switch (d->kind) {
    case DATA_L1: l1_port_read(&cp->l1, 4 * column, &word, 4); return word;
    case DATA_DST: return data_value_dst(&cp->dst, row, column);
    case DATA_DST32:
        row = dst_row32(row, 0);
        return layout_from_dst32(data_value_dst(&cp->dst, row, column),
                                 data_value_dst(&cp->dst, row + DST_LOW, column));
    case DATA_LREG: return cp->vector.lanes.r[row][column];
    case DATA_SRC: return layout_src_to_bits(cp->src.d[d->side][d->bank][row][column]);
    default: return 0;
    }
}

static void data_value_write(struct coproc *cp, const struct tts_data *d, uint32_t cell,
                             uint32_t value)
{
    unsigned row = data_value_row(d, cell), column = data_value_column(d, cell);
    switch (d->kind) {
    case DATA_L1: l1_port_write(&cp->l1, OWNER_NOBODY, 4 * column, &value, 4); break;
    case DATA_DST: cp->dst.d[row][column] = (uint16_t)value; break;
    case DATA_DST32:
        row = dst_row32(row, 0);
        cp->dst.d[row][column] = layout_high_to_dst(value);
        cp->dst.d[row + DST_LOW][column] = (uint16_t)value;
        break;
    case DATA_LREG: cp->vector.lanes.r[row][column] = value; break;
    case DATA_SRC: cp->src.d[d->side][d->bank][row][column] = layout_src_from_bits(value); break;
    default: break;
    }
}

void data_value_preset(struct coproc *cp, const struct tts_program *p, const struct tts_data *d)
{
    for (uint32_t i = 0; i < data_value_cells(d); i++)
        data_value_write(cp, d, i, data_value_written(p, d, i));
    if (d->kind == DATA_SRC)
        src_wrote(&cp->src, d->side, d->bank);
}
