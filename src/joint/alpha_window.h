/*
 * alpha_window.h - a window through which an Alpha machine drives a Tensix tile: instruction queues, semaphores, GPRs, L1.
 *
 * The host stands where the tile's own cores stand, which are held in reset: it pushes words, posts semaphores and writes GPRs
 * through their ports. What a port cannot take is not taken: the Alpha's instruction is held in EX until the tile can.
 *
 * Both machines have one clock: cycle n of the Alpha is cycle n of the tile, the Alpha's accesses come before the tile's step.
 * The tile follows when somebody looks, and then walks every cycle up to this one; nobody can see that it was late.
 *
 * Invariants: a store is made once, in the order of the program. A load finds what the stores before it to the same register have
 * done, and behind an MB what all of them have. The tile is never ahead of the machine.
 */
#ifndef WG_JOINT_ALPHA_WINDOW_H
#define WG_JOINT_ALPHA_WINDOW_H

#include "alpha/machine.h"
#include "tile/tile.h"

#define ALPHA_WINDOW_SIZE 0x400000u

enum alpha_window_id {
#define ALPHA_WINDOW(id, offset, count, stride, width, access, text) ALPHA_WINDOW_##id,
#include "joint/alpha_window.def"
    N_ALPHA_WINDOW_IDS,
    ALPHA_WINDOW_NOTHING = N_ALPHA_WINDOW_IDS
};

enum { ALPHA_WINDOW_READ = 1, ALPHA_WINDOW_WRITE = 2 };

struct alpha_window_info {
    const char *name, *text;
    uint32_t offset, count, stride;
    uint8_t width, access;
};
extern const struct alpha_window_info alpha_window_table[N_ALPHA_WINDOW_IDS];

/* What an offset means: the register's number, and the byte in it. */
struct alpha_window_hit {
    enum alpha_window_id id;
    uint32_t index, at;
};
struct alpha_window_hit alpha_window_find(uint64_t offset);

/* A semaphore write on its way into the Sync Unit. */
struct alpha_window_post {
    bool on, get;
    uint8_t sem, cpu;
    uint16_t tag;
};

/*
 * A CPU that reads the window in a loop while the tile stands still. If it comes back to the same load with the same registers,
 * without a store or a CALL_PAL in between, it will do so for ever.
 */
struct alpha_window_poll {
    bool certain;
    uint8_t cpu;
    uint32_t loads, next; /* since the tile stands still; the one at which the state is kept next */
    uint64_t first;       /* cycle of the first of them */
    uint64_t pc, entered, flushes;
    uint64_t reg[ALPHA_N_REGS];
};

struct alpha_window {
    struct tile *tile;
    struct machine *machine;
    enum tile_end end; /* of the tile's last stretch; but for TILE_END_LIMIT it stands still */
    struct alpha_window_post post;
    struct alpha_window_poll poll;
    bool placed;        /* code_high counts */
    uint32_t code_high; /* upper half of the program counters in tile->sites */
    uint8_t posted[SYNC_SEMAPHORES], got[SYNC_SEMAPHORES]; /* a bit per CPU that ever did */
};

/* Makes the tile the machine's device at this address. Before machine_start(); all cores of the tile are held. */
void alpha_window_attach(struct alpha_window *w, struct machine *m, struct tile *tile,
                         uint64_t base);
/* Somebody else may have changed the tile. */
void alpha_window_look(struct alpha_window *w);
/* The tile has run all cycles before this one. */
void alpha_window_follow(struct alpha_window *w, uint64_t cycle);
/* All CPUs have stopped: the tile goes on until its end or before this cycle, and the machine's time with it. */
enum tile_end alpha_window_finish(struct alpha_window *w, uint64_t limit);
/* The whole program counter behind the half that tile->sites has. */
uint64_t alpha_window_pc(const struct alpha_window *w, uint32_t low);

#endif
