/*
 * core_dst.c - Dst as cores T0, T1 and T2 see it at 0xFFBD8000, and as the debug array read does.
 *
 * ISA pages: Dst (Blackhole), "RISCV access to Dst"; ZEROACC. Each thread chooses in its section of Config word
 * RISC_DEST_ACCESS_CTRL how the region looks: 512 rows of 16 elements of 32 bits, 1024 rows of 16 elements
 * of 16 bits, or 1024 of 8. The meaning of an element is in num/dst_word.c, the place of a row in state/dst.h. The debug
 * array read is known from the vendor's low-level kernels and simulator: it shows cells as they lie.
 *
 * Invariant: a store makes the row valid that it writes to, of a 32-bit row the one with the high halves; what the
 * row's other columns read stays the same by that (0 if it was not valid).
 *
 * Inaccuracies: the pages do not say what a core reads from a row that ZEROACC has marked (here 0, reported), nor
 * what a store leaves in its other columns (here 0). An access wider than an element on T0 and T1 "generally
 * misbehaves": here it goes the way of T2, which takes several elements, and is reported. One narrower than an element
 * is undefined, but vector accesses of T2 come in here that way: it is a part of the element as the core sees it,
 * and reported on T0 and T1. With format INT8 the region repeats after 16 KiB (undefined). With bit 11 of
 * DBG_FEATURE_DISABLE a store of 16 bits clears the low half (silicon: garbage). A store does not keep
 * instructions from reading the block for some cycles. Of the debug arrays only Dst can be read: what SrcA and SrcB show is
 * not documented.
 */
#include <string.h>

#include "base/bits.h"
#include "isa/cfg.h"
#include "num/dst_word.h"
#include "tile/tile.h"

/* How one access sees Dst. */
struct core_dst_view {
    struct dst *dst;
    struct dst_word word;
    unsigned bytes;  /* of an element */
    uint32_t access; /* DEST_ACCESS_CFG */
    bool paired;     /* cells are 32 bits, or the high halves of 32 bits */
};

static void core_dst_diag(struct tile *tile, enum diag_id id, unsigned core, uint32_t word,
                          uint32_t arg)
{
    probe_diag(&tile->coproc.probe, id, OWNER_CORE_T0 + core, 0, word, arg);
}

static struct core_dst_view core_dst_view(struct tile *tile, unsigned core)
{
    const struct config *c = &tile->coproc.config;
    const uint32_t *config = c->word[config_state_id(c, core)];
    struct dst_word word = {
        .format = (uint8_t)cfg_get_at(config, CFG_RISC_DEST_FMT, 0, 5 * core),
        .no_swizzle = cfg_get_at(config, CFG_RISC_DEST_NO_SWIZZLE, 0, 5 * core),
        .unsigned_int = cfg_get_at(config, CFG_RISC_DEST_UNSIGNED_INT, 0, 5 * core),
    };
    unsigned bytes = dst_word_size(word.format);
    return (struct core_dst_view){.dst = &tile->coproc.dst,
                                  .word = word,
                                  .bytes = bytes,
                                  .access = config[cfg_word(CFG_DEST_REMAP_ADDRS)],
                                  .paired = bytes == 4 || tile_control_dst_high(tile)};
}

/* The physical row of an element: with the high half, if it has two. */
static unsigned core_dst_row(const struct core_dst_view *v, uint32_t element)
{
    return v->paired ? dst_row32(element / 16, v->access) : dst_row16(element / 16, v->access);
}

static uint32_t core_dst_get(const struct core_dst_view *v, uint32_t element)
{
    unsigned row = core_dst_row(v, element), column = element % 16;
    uint32_t cell = 0;
    if (v->dst->valid[row])
        cell = v->dst->d[row][column];
    if (v->bytes == 4)
        cell = cell << 16 | (v->dst->valid[row] ? v->dst->d[row + DST_LOW][column] : 0);
    return dst_word_load(v->word, cell);
}

static void core_dst_put(const struct core_dst_view *v, uint32_t element, uint32_t value)
{
    unsigned row = core_dst_row(v, element), column = element % 16;
    uint32_t cell = dst_word_store(v->word, value);
    if (!v->dst->valid[row]) {
        memset(v->dst->d[row], 0, sizeof v->dst->d[row]);
        if (v->paired)
            memset(v->dst->d[row + DST_LOW], 0, sizeof v->dst->d[row]);
        v->dst->valid[row] = 1;
    }
    if (v->bytes == 4)
        v->dst->d[row][column] = (uint16_t)(cell >> 16);
    else
        v->dst->d[row][column] = (uint16_t)cell;
    if (v->paired)
        v->dst->d[row + DST_LOW][column] = (uint16_t)(v->bytes == 4 ? cell : 0);
}

/* False: there are no elements to speak of. */
static bool core_dst_fits(struct tile *tile, const struct core_dst_view *v, unsigned core,
                          unsigned size, uint32_t word)
{
    if (!v->bytes)
        core_dst_diag(tile, DIAG_DST_FORMAT, core, word, v->word.format);
    else if (size != v->bytes && core != MAP_CORE_T2)
        core_dst_diag(tile, DIAG_DSTWIN_WIDTH, core, word, size);
    return v->bytes;
}

bool core_dst_tells(struct tile *tile, unsigned core, uint32_t offset, unsigned size)
{
    struct core_dst_view v = core_dst_view(tile, core);
    return !v.bytes || (size != v.bytes && core != MAP_CORE_T2) ||
           !v.dst->valid[core_dst_row(&v, offset / v.bytes)];
}

uint32_t core_dst_load(struct tile *tile, unsigned core, uint32_t offset, unsigned size)
{
    struct core_dst_view v = core_dst_view(tile, core);
    uint32_t value = 0;
    if (!core_dst_fits(tile, &v, core, size, 0))
        return 0;
    uint32_t element = offset / v.bytes;
    unsigned row = core_dst_row(&v, element);
    if (!v.dst->valid[row])
        core_dst_diag(tile, DIAG_DST_INVALID, core, 0, row);
    if (size < v.bytes)
        return core_dst_get(&v, element) >> 8 * (offset % v.bytes) & bits_mask(8 * size);
    for (unsigned at = 0; at < size; at += v.bytes)
        value |= core_dst_get(&v, element++) << 8 * at;
    return value;
}

void core_dst_store(struct tile *tile, unsigned core, uint32_t offset, unsigned size,
                    uint32_t value)
{
    struct core_dst_view v = core_dst_view(tile, core);
    if (!core_dst_fits(tile, &v, core, size, value))
        return;
    uint32_t element = offset / v.bytes;
    if (size < v.bytes) {
        unsigned shift = 8 * (offset % v.bytes);
        uint32_t mask = bits_mask(8 * size) << shift;
        core_dst_put(&v, element, (core_dst_get(&v, element) & ~mask) | (value << shift & mask));
        return;
    }
    for (unsigned at = 0; at < size; at += v.bytes)
        core_dst_put(&v, element++, value >> 8 * at);
}

/* ---- debug array read ---- */

#define ARRAY_DST 2u

bool core_dst_has_array(bool enabled, uint32_t command)
{
    return enabled && bits_get(command, 16, 3) == ARRAY_DST && !(command & 0x8c00);
}

uint32_t core_dst_array(struct tile *tile, bool enabled, uint32_t command)
{
    unsigned row = bits_get(command, 0, 10), pair = bits_get(command, 12, 3);
    if (!core_dst_has_array(enabled, command)) {
        probe_diag(&tile->coproc.probe, DIAG_DEBUG_ARRAY, OWNER_NOBODY, 0, command, command);
        return 0;
    }
    const uint16_t *cells = tile->coproc.dst.d[row]; /* whether they are valid does not count */
    return (uint32_t)cells[2 * pair + 1] << 16 | cells[2 * pair];
}
