/*
 * handle.h - what stands behind waitgate_tile.
 */
#ifndef WG_LIB_HANDLE_H
#define WG_LIB_HANDLE_H

#include "lib/out.h"
#include "tile/hang.h"
#include "tile/tile.h"
#include "waitgate.h"

/* Events that wait for those of slower agents. */
struct trace_queue {
    struct event *event;
    size_t n, size;
    int failed; /* no memory: the rest is not written */
};

struct waitgate_tile {
    struct out trace;
    struct trace_queue queue;
    waitgate_place *place;
    void *place_context;
    waitgate_alpha *host; /* the machine that drives it through a window; NULL: none */
    enum tile_end end;
    struct hang hang; /* when end is TILE_END_HANG */
    struct tile tile;
};

/* trace_tile.c */
void trace_tile_event(void *context, const struct event *e);
/* An event of the machine that drives it. */
void trace_tile_host(waitgate_tile *tile, const struct event *e);
/* Writes all that is older than this cycle. */
void trace_tile_flush(waitgate_tile *tile, uint64_t before);

/* place.c: where an instruction comes from. The core (public number) and program counter behind the source
   position of a thread's word; -1: not known. */
int place_of_tag(const struct tile *t, unsigned thread, unsigned tag, uint32_t *pc);
/* Public number of an agent that is a core, -1 for others. */
int place_core(unsigned agent);
/* The same as a structure; false if nothing is known. */
bool place_find(const waitgate_tile *tile, int core, uint32_t pc, struct waitgate_source *s);
/* The host's instruction that pushed a word: all its bits. Without a host the same. */
uint64_t place_pc(const waitgate_tile *tile, uint32_t pc);
/* An instruction of the host's. */
bool place_find_host(const waitgate_tile *tile, uint64_t pc, struct waitgate_source *s);
/* "0x06084 main+0x20 (a.c:14)", as far as known. */
const char *place_text(const waitgate_tile *tile, int core, uint32_t pc, char *buf, size_t n);

/* report_hang.c: member "hang" of the JSON report. */
void report_json_hang(const struct out *o, const waitgate_tile *tile);

#endif
