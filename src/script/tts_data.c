/*
 * tts_data.c - `l1`, `dst`, `dst32`, `lreg` and `src`: stretches of the machine's data as they are written in presets
 * and expectations, with a value for each cell.
 *
 * Invariant: a stretch that was read lies inside its memory, and its values fill it a whole number of times.
 */
#include <stdio.h>

#include "script/tts_build.h"
#include "state/dst.h"
#include "state/lanes.h"
#include "state/src.h"
#include "tile/tile.h"

/* What there is of each kind; L1 is one row of words. */
static const struct data_shape {
    const char *name, *row, *column;
    uint32_t rows, columns;
    uint32_t most; /* value of a cell */
    int digits;    /* of it, in hex */
} shapes[N_DATA] = {
    [DATA_L1] = {"l1", "", "an address in L1", 1, TILE_L1_SIZE / 4, UINT32_MAX, 8},
    [DATA_DST] = {"dst", "a row of Dst", "a column", DST_ROWS, 16, 0xffff, 4},
    [DATA_DST32] =
        {"dst32", "a row of 32 bits of Dst", "a column", DST_ROWS / 2, 16, UINT32_MAX, 8},
    [DATA_LREG] = {"lreg", "an LReg", "a lane", LANES_LREGS, LANES, UINT32_MAX, 8},
    [DATA_SRC] = {"src", "a row of Src", "a column", SRC_ROWS, SRC_COLUMNS, 0x7ffff, 5},
};

const char *tts_data_name(unsigned kind)
{
    return shapes[kind].name;
}

static int data_kind(struct lex *l)
{
    struct lex_text w = tts_lex_peek_word(l);
    for (int i = 0; i < N_DATA; i++)
        if (tts_lex_same(w, shapes[i].name))
            return i;
    return -1;
}

/* These words may be labels, too: `l1 at 9` and `l1#2 at 9` are about such a one. */
bool tts_data_next(struct lex *l)
{
    if (data_kind(l) < 0)
        return false;
    struct lex behind = *l;
    behind.p += tts_lex_peek_word(l).n;
    return (behind.p == behind.end || *behind.p != '#') && !tts_lex_accept_word(&behind, "at");
}

/* FIRST or FIRST..LAST, of things that are `step` apart; *open: there is no LAST. */
static bool data_range(struct lex *l, uint32_t count, uint32_t step, const char *what,
                       uint32_t *first, uint32_t *n, bool *open)
{
    uint64_t a, z;
    tts_lex_blank(l);
    const char *at = l->p;
    if (!tts_lex_number(l, (uint64_t)(count - 1) * step + (step - 1), what, &a))
        return false;
    if (a % step)
        return tts_lex_fail_at(l, at, "0x%X is not a multiple of four", (unsigned)a);
    *first = (uint32_t)a / step;
    *n = 1;
    *open = !tts_lex_accept(l, "..");
    if (*open)
        return true;
    tts_lex_blank(l);
    at = l->p;
    if (!tts_lex_number(l, (uint64_t)(count - 1) * step + (step - 1), what, &z))
        return false;
    if (z % step)
        return tts_lex_fail_at(l, at, "0x%X is not a multiple of four", (unsigned)z);
    if (z < a)
        return tts_lex_fail_at(l, at, "a range runs upwards");
    *n = (uint32_t)(z - a) / step + 1;
    return true;
}

/* src A 0: which registers, and which bank of them. */
static bool data_bank(struct lex *l, struct tts_data *d)
{
    static const char *const sides[] = {"A", "B"};
    uint64_t bank;
    int side = tts_lex_name(l, sides, 2);
    if (side < 0)
        return tts_lex_fail(l, "expected A or B");
    if (!tts_lex_number(l, 1, "a bank", &bank))
        return false;
    d->side = (uint8_t)side;
    d->bank = (uint8_t)bank;
    return true;
}

/* Where it lies; *open: as wide as it has values. */
static bool data_place(struct lex *l, struct tts_data *d, bool *open)
{
    const struct data_shape *s = &shapes[d->kind];
    bool one;
    d->n_rows = 1;
    if (d->kind == DATA_L1)
        return data_range(l, s->columns, 4, s->column, &d->column, &d->n_columns, open);
    if ((d->kind == DATA_SRC && !data_bank(l, d)) ||
        !data_range(l, s->rows, 1, s->row, &d->row, &d->n_rows, &one))
        return false;
    *open = false;
    d->n_columns = s->columns;
    return !tts_lex_at_digit(l) ||
           data_range(l, s->columns, 1, s->column, &d->column, &d->n_columns, open);
}

/* VALUE VALUE ..., up to the end of the line, or in [ ] over several lines. */
static bool data_values(struct build *b, struct tts_data *d)
{
    struct lex *l = &b->l;
    bool list = tts_lex_accept_char(l, '[');
    d->first = b->list.n;
    for (;;) {
        while (tts_lex_accept_char(l, ',') || (list && tts_lex_eol(l) && tts_lex_newline(l)))
            ;
        if (list ? tts_lex_accept_char(l, ']') : tts_lex_eol(l) && b->list.n != d->first)
            break;
        if (list && l->p == l->end)
            return tts_lex_fail(l, "expected ']' before the end of the file");
        uint64_t value;
        if (!tts_lex_number(l, shapes[d->kind].most, "a value", &value))
            return false;
        uint64_t *slot = tts_parse_add(b, &b->list, sizeof *slot);
        if (!slot)
            return false;
        *slot = value;
    }
    d->n = b->list.n - d->first;
    return d->n || tts_lex_fail(l, "expected a value, found none");
}

bool tts_data(struct build *b, bool preset, struct tts_data *d)
{
    struct lex *l = &b->l;
    *d = (struct tts_data){.kind = (uint8_t)data_kind(l)};
    const struct data_shape *s = &shapes[d->kind];
    tts_lex_accept_word(l, s->name);
    tts_lex_blank(l);
    const char *at = l->p;
    unsigned line = l->line, column = (unsigned)(at - l->line_start) + 1;
    bool open;
    if (!data_place(l, d, &open))
        return false;
    for (uint32_t i = d->row; preset && d->kind == DATA_LREG && i < d->row + d->n_rows; i++)
        if ((i >= 8 && i <= 10) || i == 15)
            return tts_lex_fail_at(l, at, "LReg %u is a constant", i);
    if (!tts_lex_expect_char(l, '=') || !data_values(b, d))
        return false;
    uint32_t room = s->columns - d->column;
    if (open && d->n > room)
        return tts_lex_fail_line(
            l, line, column, "there is room for %u values from here on, found %u", room, d->n);
    if (open)
        d->n_columns = d->n;
    if (d->n_rows * d->n_columns % d->n)
        return tts_lex_fail_line(l,
                                 line,
                                 column,
                                 "%u values do not fill %u cells evenly",
                                 d->n,
                                 d->n_rows * d->n_columns);
    b->uses_l1 |= d->kind == DATA_L1;
    return true;
}

const char *tts_data_text(const struct tts_data *d, uint32_t cell, char *buf, size_t n)
{
    const char *name = shapes[d->kind].name;
    unsigned row = d->row + cell / d->n_columns, column = d->column + cell % d->n_columns;
    if (d->kind == DATA_L1)
        snprintf(buf, n, "%s 0x%05X", name, 4 * column);
    else if (d->kind == DATA_SRC)
        snprintf(buf, n, "%s %c %u %u %u", name, "AB"[d->side & 1], d -> bank, row, column);
    else
        snprintf(buf, n, "%s %u %u", name, row, column);
    return buf;
}

const char *tts_data_value_text(const struct tts_data *d, uint32_t value, char *buf, size_t n)
{
    snprintf(buf, n, "0x%0*X", shapes[d->kind].digits, (unsigned)value);
    return buf;
}
