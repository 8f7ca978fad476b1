/*
 * ttsim.c - the ten libttsim_* functions over one chip.
 *
 * The API has no handle, so the chip is here; it is the only state outside of struct chip. Also the
 * only place below cli/ that may read the environment (WAITGATE_*) and write to standard error.
 *
 * Any thread may call any function at any time: each call is one turn (turn.h), so whatever happens is what would have
 * happened in some order, one call after another. Messages are written outside of the turn. libttsim_exit() takes the chip
 * out first; what it then tells and frees is its own.
 *
 * Inaccuracies: the DMA callbacks are kept, but nothing on the chip reaches the host yet.
 */
#include "dropin/ttsim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/chip.h"
#include "dropin/turn.h"
#include "isa/tensix_dis.h"
#include "tile/hang.h"

enum ttsim_complaint {
    TTSIM_FINE,
    TTSIM_NOT_OPEN,
    TTSIM_OPEN_ALREADY,
    TTSIM_NO_MEMORY,
    TTSIM_NULL,
    TTSIM_TOO_LARGE,
    TTSIM_NOT_THERE,
    TTSIM_N_COMPLAINTS
};

/* All of it belongs to the thread whose turn it is. */
static struct {
    struct chip *chip; /* NULL: not open */
    ttsim_dma_read *dma_read;
    ttsim_dma_write *dma_write;
    bool verbose;
    bool told[TTSIM_N_COMPLAINTS];
} ttsim;

/* The end of a call: gives the turn back, then says what could not be done, if that was not said before. */
static void ttsim_done(enum ttsim_complaint what, const char *function, uint64_t address)
{
    static const char *const text[TTSIM_N_COMPLAINTS] = {
        [TTSIM_NOT_OPEN] = "called outside of libttsim_init and libttsim_exit",
        [TTSIM_OPEN_ALREADY] = "called again; the chip stays as it is",
        [TTSIM_NO_MEMORY] = "no memory",
        [TTSIM_NULL] = "called with a null pointer",
        [TTSIM_TOO_LARGE] = "size too large",
        [TTSIM_NOT_THERE] = "nothing (or not yet anything) there",
    };
    bool tell = what != TTSIM_FINE && ttsim.verbose && !ttsim.told[what];
    ttsim.told[what] |= tell;
    turn_give();
    if (tell)
        fprintf(stderr,
                "waitgate: %s: %s (0x%llx); said once\n",
                function,
                text[what],
                (unsigned long long)address);
}

/* Why an access with these arguments cannot be tried. */
static enum ttsim_complaint ttsim_refuses(const void *bytes, uint32_t size)
{
    if (!ttsim.chip)
        return TTSIM_NOT_OPEN;
    if (!bytes && size)
        return TTSIM_NULL;
    return size > PCI_ACCESS_MAX ? TTSIM_TOO_LARGE : TTSIM_FINE;
}

/* WAITGATE_VECTORS: "avx2", "none", or all that the host has. */
static enum coproc_vectors ttsim_vectors(const char *name)
{
    if (name && !strcmp(name, "none"))
        return COPROC_PLAIN;
    return name && !strcmp(name, "avx2") ? COPROC_AVX2 : COPROC_ALL_VECTORS;
}

/* A chip as the environment wants it; NULL: no memory. */
static struct chip *ttsim_new_chip(void)
{
    struct chip *c = chip_new();
    if (!c)
        return NULL;
    c->clocked = getenv("WAITGATE_CLOCKED") != NULL;
    c->vectors = ttsim_vectors(getenv("WAITGATE_VECTORS"));
    return c;
}

void libttsim_init(void)
{
    enum ttsim_complaint what = TTSIM_OPEN_ALREADY;
    turn_take();
    ttsim.verbose = getenv("WAITGATE_VERBOSE") != NULL;
    if (!ttsim.chip) {
        ttsim.chip = ttsim_new_chip();
        what = ttsim.chip ? TTSIM_FINE : TTSIM_NO_MEMORY;
    }
    ttsim_done(what, __func__, 0);
}

/* What stands still on a tile, one line for each who waits. */
static void ttsim_tell_hang(const struct tile *tile, unsigned i)
{
    struct hang h;
    hang_explain(tile, &h);
    for (unsigned k = 0; k < h.n; k++)
        if (h.agent[k].waits)
            fprintf(stderr,
                    "waitgate: tile %u: %s waits since cycle %llu: %s (%s), pc 0x%x\n",
                    i,
                    owner_names[h.agent[k].agent],
                    (unsigned long long)h.agent[k].since,
                    wait_table[h.agent[k].cause].text,
                    owner_names[h.agent[k].owner],
                    h.agent[k].pc);
}

/* At the end, with time: tiles on which something waits that only the host could have changed. */
static void ttsim_tell_hangs(const struct chip *c)
{
    for (unsigned i = 0; c->clocked && i < CHIP_TILES; i++)
        if (c->tile[i] && !c->is_active[i])
            ttsim_tell_hang(c->tile[i], i);
}

/* Where the word of a diagnostic was pushed, as text; empty if nobody knows. */
static const char *ttsim_place(const struct tile *tile, const struct diag *d, char *buf, size_t n)
{
    uint32_t pc;
    bool by_b;
    buf[0] = '\0';
    if (d->agent <= OWNER_T2 && sites_find(&tile->sites, d->tag, &pc, &by_b))
        snprintf(buf, n, ", pushed%s at pc 0x%x", by_b ? " by core B" : "", (unsigned)pc);
    return buf;
}

/* The first diagnostic of its kind on a tile, and how many there were on the chip. */
static void ttsim_tell_diag(const struct tile *tile, unsigned i, const struct diag *d, uint64_t n)
{
    const struct diag_info *info = &diag_table[d->id];
    char word[96] = "", text[256], place[48];
    if (d->word)
        tensix_dis_text(d->word, 0, word, sizeof word);
    fprintf(stderr,
            "waitgate: %s %s, %llu in all; first on tile %u, %s%s%s%s: %s\n",
            diag_category_names[info->category],
            info->id,
            (unsigned long long)n,
            i,
            owner_names[d->agent],
            ttsim_place(tile, d, place, sizeof place),
            *word ? ", " : "",
            word,
            probe_diag_text(d, text, sizeof text));
}

/* The first of its kind that a tile has kept; NULL: it has none. */
static const struct diag *ttsim_first(const struct probe *p, unsigned id)
{
    for (uint32_t i = 0; p->count[id] && i < p->n_diags; i++)
        if (p->diag[i].id == id)
            return &p->diag[i];
    return NULL;
}

/* At the end: what programs did that they should not rely on, a line for each kind. */
static void ttsim_tell_diags(const struct chip *c)
{
    for (unsigned id = 0; id < N_DIAGS; id++) {
        const struct diag *first = NULL;
        unsigned where = 0;
        uint64_t n = 0;
        for (unsigned i = 0; i < CHIP_TILES; i++) {
            if (!c->tile[i])
                continue;
            const struct probe *p = &c->tile[i]->coproc.probe;
            n += p->count[id];
            if (!first && (first = ttsim_first(p, id)) != NULL)
                where = i;
        }
        if (first)
            ttsim_tell_diag(c->tile[where], where, first, n);
    }
}

void libttsim_exit(void)
{
    turn_take();
    struct chip *c = ttsim.chip; /* nobody else has it any more */
    bool verbose = ttsim.verbose;
    ttsim.chip = NULL;
    memset(ttsim.told, 0, sizeof ttsim.told);
    turn_give();
    if (c && verbose) {
        ttsim_tell_diags(c);
        ttsim_tell_hangs(c);
    }
    chip_free(c);
}

void libttsim_set_pci_dma_mem_callbacks(ttsim_dma_read *read, ttsim_dma_write *write)
{
    turn_take();
    ttsim.dma_read = read;
    ttsim.dma_write = write;
    turn_give();
}

uint32_t libttsim_pci_config_rd32(uint32_t bdf, uint32_t offset)
{
    turn_take();
    enum ttsim_complaint what = ttsim_refuses(NULL, 0);
    uint32_t value = UINT32_MAX;
    if (what == TTSIM_FINE)
        value = pci_config_read(&ttsim.chip->pci, bdf, offset);
    ttsim_done(what, __func__, offset);
    return value;
}

void libttsim_pci_config_wr32(uint32_t bdf, uint32_t offset, uint32_t value)
{
    turn_take();
    enum ttsim_complaint what = ttsim_refuses(NULL, 0);
    if (what == TTSIM_FINE)
        pci_config_write(&ttsim.chip->pci, bdf, offset, value);
    ttsim_done(what, __func__, offset);
}

void libttsim_pci_mem_rd_bytes(uint64_t paddr, void *to, uint32_t size)
{
    turn_take();
    enum ttsim_complaint what = ttsim_refuses(to, size);
    if (what == TTSIM_FINE && size && !pci_read(ttsim.chip, paddr, to, size))
        what = TTSIM_NOT_THERE;
    ttsim_done(what, __func__, paddr);
}

void libttsim_pci_mem_wr_bytes(uint64_t paddr, const void *from, uint32_t size)
{
    turn_take();
    enum ttsim_complaint what = ttsim_refuses(from, size);
    if (what == TTSIM_FINE && size && !pci_write(ttsim.chip, paddr, from, size))
        what = TTSIM_NOT_THERE;
    ttsim_done(what, __func__, paddr);
}

void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t address, void *to, uint32_t size)
{
    turn_take();
    enum ttsim_complaint what = ttsim_refuses(to, size);
    if (what == TTSIM_FINE && size && !chip_read(ttsim.chip, x, y, address, to, size))
        what = TTSIM_NOT_THERE;
    ttsim_done(what, __func__, address);
}

void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t address, const void *from,
                            uint32_t size)
{
    turn_take();
    enum ttsim_complaint what = ttsim_refuses(from, size);
    if (what == TTSIM_FINE && size && !chip_write(ttsim.chip, x, y, address, from, size))
        what = TTSIM_NOT_THERE;
    ttsim_done(what, __func__, address);
}

void libttsim_clock(uint32_t n_clocks)
{
    turn_take();
    enum ttsim_complaint what = ttsim_refuses(NULL, 0);
    if (what == TTSIM_FINE)
        chip_clock(ttsim.chip, n_clocks);
    ttsim_done(what, __func__, n_clocks);
}
