/*
 * vec_tile.h - puts a case on one of our tiles: players and their lists, inputs, cores out of reset.
 */
#ifndef WG_TESTS_VECTORS_VEC_TILE_H
#define WG_TESTS_VECTORS_VEC_TILE_H

#include <string.h>

#include "tile/tile.h"
#include "vectors/vec.h"

static inline void vec_tile_poke(struct tile *tile, uint32_t address, uint32_t value)
{
    tile_write(tile, address, &value, 4);
}

/* plain: without the host's vector instructions */
static inline void vec_tile_load(struct tile *tile, const struct vec_file *f,
                                 const struct vec_case *c, bool plain)
{
    static struct vec_lists lists;
    uint32_t player[VEC_PLAYER_WORDS], reset = TILE_SOFT_RESET;
    memset(tile, 0, sizeof *tile);
    tile->coproc.matrix.plain = plain;
    tile->coproc.pack.plain = plain;
    tile->coproc.unpack.plain = plain;
    tile->coproc.vector.plain = plain;
    tile_reset(tile);
    vec_list(f, c, &lists);
    for (unsigned i = 0; i < VEC_CORES; i++)
        if (lists.n[i]) {
            tile_write(tile, VEC_CODE(i), player, 4 * vec_player(i, player));
            tile_write(tile, VEC_LIST(i), lists.word[i], 4 * lists.n[i]);
            vec_tile_poke(tile, 0xFFB12228 + 4 * i, VEC_CODE(i));
            reset &= ~tile_reset_bits[RV_T0 + i];
        }
    for (unsigned i = 0; i < c->n_inputs; i++)
        vec_fill(&c->input[i], tile->l1_bytes + c->input[i].address);
    vec_tile_poke(tile, 0xFFB12234, 7);
    vec_tile_poke(tile, 0xFFB121B0, reset);
}

#endif
