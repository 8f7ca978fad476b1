/*
 * order.h - the untimed scheduler of a tile: agents in the order of their virtual time.
 *
 * A core that polls in vain, and one that waits, has no turn before what it looks at has changed.
 *
 * Invariant: a call of tile_run() that ends because its steps are used up leaves everything as it is between two steps of a longer
 * one, so it does not matter how many calls there are.
 */
#ifndef WG_TILE_ORDER_H
#define WG_TILE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/rvcore.h"

struct tile;

/* What a core waits for. */
enum order_wait { ORDER_ANYTHING, ORDER_ROOM, ORDER_WORD, ORDER_IDLE };

struct tile_order {
    bool runs;                 /* a core has its turn just now */
    bool cut;                  /* the turn of a core was not over at the end of the last call */
    uint8_t core;              /* whose turn it is, or was */
    uint32_t left;             /* steps that remain of it */
    bool survey;               /* who can go has to be found out anew */
    uint8_t ready;             /* cores that can go ... */
    uint8_t patient;           /* ... and those that wait for anything */
    uint8_t parked;            /* who polls in vain */
    uint8_t round[RV_N_CORES]; /* of those: steps of a round ... */
    uint8_t semaphore
        [RV_N_CORES]; /* ... and what they look at; of those that wait for a mail, from whom */
    uint64_t at[RV_N_CORES];    /* virtual times of those that can go */
    uint8_t wait[RV_N_CORES];   /* of blocked ones: enum order_wait */
    uint64_t tried[RV_N_CORES]; /* acts when it was tried last */
    uint64_t acts;              /* counts what those may wait for who wait for anything */
    uint64_t time;              /* of the tile, as the wall clock shows it from outside */
};

/* tile_run(). */
uint64_t tile_order_run(struct tile *tile, uint64_t budget);
/* Virtual time of whoever acts now; between two calls, of the tile. */
uint64_t tile_order_now(const struct tile *tile);
/* This core has done something that others may wait for. */
void tile_order_act(struct tile *tile, unsigned who);
/* The host has changed something. */
void tile_order_stir(struct tile *tile);
/* Time has passed on the tile without it. */
void tile_order_pass(struct tile *tile, uint64_t time);
/* The core goes into reset, or leaves it. */
void tile_order_reset(struct tile *tile, unsigned core);

#endif
