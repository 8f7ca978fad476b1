/*
 * pack_row.c - the packer's datum pipeline; see pack_row.h.
 *
 * ISA pages: PACR (Blackhole), Packers/README, EdgeMasking, Downsampling, ExponentHistogram (Wormhole).
 *
 * Invariant: one PACR adds at most 64 datums and 4 exponents to pack_bytes.
 *
 * Inaccuracies: every row is a block of its own, also if downsampling or the X range leave less than 16 datums of
 * it (INFERRED from "the exponent position advances by the number of interfaces"). Datums from L1 come as one
 * contiguous range for all interfaces. The maximum exponent is only kept while some thread collects statistics.
 */
#include "move/pack_row.h"

#include <string.h>

#include "base/hot.h"

/* ---- the usual cases, a whole row in one pass ---- */

HOT_INLINE void pack_row_pass(enum pack_fast how, const struct num_rows *rows, const struct dst *d,
                              unsigned row, unsigned n, uint8_t *to, uint8_t *exponents)
{
    const uint16_t *high = d->d[row];
    if (how == PACK_BF16) {
        rows->bf16(high, n, to);
        return;
    }
    const uint16_t *low = d->d[(row + DST_LOW) % DST_ROWS];
    switch (how) {
    case PACK_WORD: rows->word(high, low, n, to); break;
    case PACK_WORD_BF16: rows->word_bf16(high, low, n, to); break;
    default: rows->bfp8(high, how == PACK_BFP8, n, to, exponents); break;
    }
}

/* Are all rows of n runs valid that follow each other? */
HOT_INLINE bool pack_row_all_valid(const struct dst *d, unsigned row, unsigned n)
{
    const uint8_t *at = &d->valid[row & (DST_ROWS - 4)];
    uint32_t valid = 0x01010101, four;
    for (; n; n--, at += sizeof four) {
        memcpy(&four, at, sizeof four);
        valid &= four;
    }
    return valid == 0x01010101;
}

/* Row by row, those that are not valid as zeros. */
COLD static void pack_row_single(const struct pack_plan *p, const struct num_rows *rows,
                                 const struct dst *d, uint8_t *to, uint8_t *exponents)
{
    unsigned n = p->rows.n, size = n ? p->bytes / n : 0;
    for (unsigned k = 0; k < n; k++, to += size, exponents++) {
        unsigned row = pack_plan_row_at(&p->rows, k);
        uint8_t exponent = 0;
        if (d->valid[row])
            pack_row_pass(p->fast, rows, d, row, 1, to, &exponent);
        else
            memset(to, 0, size);
        if (p->blocks)
            *exponents = exponent;
    }
}

void pack_row_fast(const struct pack_plan *p, const struct num_rows *rows, const struct dst *d,
                   uint8_t *to, uint8_t *exponents)
{
    unsigned row = p->rows.row[0];
    if (LIKELY(p->rows.run && pack_row_all_valid(d, row, 1)))
        pack_row_pass(p->fast, rows, d, row, PACK_INTERFACES, to, exponents);
    else
        pack_row_single(p, rows, d, to, exponents);
}

/* n runs of which some rows are not valid. */
COLD static void pack_row_each(const struct pack_plan *p, const struct num_rows *rows,
                               const struct dst *d, const uint16_t *run, unsigned n, uint8_t *to)
{
    struct pack_plan one = *p;
    for (; n; n--, to += p->bytes) {
        one.rows.row[0] = *run++;
        pack_row_fast(&one, rows, d, to, to);
    }
}

/* Runs that follow each other go in one pass. Those of 32 bits end with a block of eight rows, as the low halves do. */
void pack_row_many(const struct pack_plan *p, const struct num_rows *rows, const struct dst *d,
                   const uint16_t *run, unsigned n, uint8_t *to)
{
    while (n) {
        unsigned row = run[0], k = 1;
        while (k < n && run[k] == row + k * PACK_INTERFACES)
            k++;
        if (LIKELY(pack_row_all_valid(d, row, k)))
            pack_row_pass(p->fast, rows, d, row, k * PACK_INTERFACES, to, to);
        else
            pack_row_each(p, rows, d, run, k, to);
        to += (size_t)k * p->bytes;
        run += k;
        n -= k;
    }
}

/* ---- everything else ---- */

/* Replaces what the edge mask takes away; returns a bit per datum that became minus infinity. */
static unsigned pack_row_mask(const struct pack_plan *p, unsigned keep, uint32_t v[NUM_ROW])
{
    uint32_t instead = p->minus_infinity ? num_to_l1_infinity(&p->way) : 0;
    if (keep == 0xffff)
        return 0;
    for (unsigned i = 0; i < NUM_ROW; i++)
        v[i] = keep >> i & 1 ? v[i] : instead;
    return p->minus_infinity && !p->way.relu ? ~keep & 0xffff : 0;
}

static void pack_row_count(const struct pack_plan *p, const uint32_t v[NUM_ROW],
                           struct pack_histogram *h)
{
    for (unsigned i = p->rows.first; i < p->rows.first + p->datums; i++) {
        uint32_t e = num_to_l1_exponent(&p->way, v[i]);
        h->bin[e & 31] = (uint8_t)(h->bin[e & 31] + (h->bin[e & 31] != 255));
        h->most = e > h->most ? (uint8_t)e : h->most;
    }
}

/* From Dst to the late conversion; returns a bit per datum that is a masked minus infinity. */
static unsigned pack_row_from_dst(const struct pack_plan *p, unsigned k, const struct dst *d,
                                  uint32_t *rng, struct pack_histogram *h, uint32_t v[NUM_ROW])
{
    unsigned row = pack_plan_row_at(&p->rows, k);
    num_to_l1_read(&p->way, d->valid[row] ? d->d[row] : NULL, d->d[(row + DST_LOW) % DST_ROWS], v);
    num_to_l1_early(&p->way, v, rng);
    unsigned infinite = pack_row_mask(p, p->keep[k], v);
    num_to_l1_relu(&p->way, v);
    if (h)
        pack_row_count(p, v, h);
    num_to_l1_threshold(&p->way, v);
    return infinite;
}

/* From L1: whole bytes, no early conversion. A single byte is FP8, INT8, or sign and fraction without exponent. */
static void pack_row_from_l1(const struct pack_plan *p, unsigned k, const struct l1_port *l1,
                             uint32_t v[NUM_ROW])
{
    unsigned size = p->source_bytes;
    uint8_t bytes[4 * NUM_ROW];
    l1_port_read(l1, p->source + k * p->datums * size, bytes, p->datums * size);
    memset(v, 0, NUM_ROW * sizeof v[0]);
    for (unsigned i = 0; i < p->datums * size; i++)
        v[i / size] |= (uint32_t)bytes[i] << (8 * (i % size));
    for (unsigned i = 0; size == 1 && i < p->datums; i++) {
        uint32_t x = v[i], sign = (x & 0x80) << 8;
        if (p->way.late == NUM_CARRY_BF16)
            v[i] = sign | (x & 0x7f);
        else if (p->way.late == NUM_CARRY_FP16)
            v[i] = p->way.early == NUM_EARLY_E5M2 ? x << 8 : sign | (x & 0x7f) << 3;
    }
}

/* Moves the datums that are packed to the front; returns how many there are. */
static unsigned pack_row_sample(const struct pack_plan *p, uint32_t v[NUM_ROW], unsigned *infinite)
{
    unsigned n = 0, marks = 0;
    if (p->datums == NUM_ROW && p->sample == 0xffff)
        return NUM_ROW;
    for (unsigned i = 0; i < p->datums; i++)
        if (p->sample >> i & 1) {
            marks |= (*infinite >> (p->rows.first + i) & 1) << n;
            v[n++] = v[p->rows.first + i];
        }
    *infinite = marks;
    return n;
}

COLD static void pack_row_run_any(const struct pack_plan *p, const struct dst *d,
                                  const struct l1_port *l1, uint32_t *rng, struct pack_histogram *h,
                                  struct pack_bytes *out)
{
    uint32_t v[NUM_ROW];
    if (num_formats[p->way.out].bits < 8) /* smaller datums are put in with or */
        memset(out->data + (out->bits + 7) / 8, 0, PACK_DATA_MAX - (out->bits + 7) / 8);
    for (unsigned k = 0; p->datums && k < p->rows.n; k++) {
        unsigned infinite = 0;
        if (p->zero)
            memset(v, 0, sizeof v);
        else if (p->from_l1)
            pack_row_from_l1(p, k, l1, v);
        else
            infinite = pack_row_from_dst(p, k, d, rng, h, v);
        unsigned n = pack_row_sample(p, v, &infinite);
        num_to_l1_late(&p->way, v);
        if (p->blocks)
            out->exponents[out->n_exponents++] =
                num_to_l1_block(p->way.out, v, n, infinite, p->way.round_late ? rng : NULL);
        out->bits += num_to_l1_store(p->way.out, v, n, out->data, out->bits);
    }
}

void pack_row_run(const struct pack_plan *p, const struct num_rows *rows, const struct dst *d,
                  const struct l1_port *l1, uint32_t *rng, struct pack_histogram *h,
                  struct pack_bytes *out)
{
    if (p->fast != PACK_SLOW && !h && !(out->bits & 7)) {
        pack_row_fast(p, rows, d, out->data + out->bits / 8, out->exponents + out->n_exponents);
        out->bits += 8u * p->bytes;
        out->n_exponents += p->blocks ? p->rows.n : 0u;
    } else {
        pack_row_run_any(p, d, l1, rng, h, out);
    }
}
