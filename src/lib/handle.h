/*
 * handle.h - what stands behind waitgate_tile.
 */
#ifndef WG_LIB_HANDLE_H
#define WG_LIB_HANDLE_H

#include <stdatomic.h>

#include "lib/text_sink.h"
#include "tile/hang.h"
#include "tile/tile.h"
#include "waitgate.h"

#define TRACE_FLUSH_AT 8192u

/* Events that wait for those of slower agents. */
struct trace_queue {
    struct event *event; /* room for size of them, and behind them as many to sort with */
    size_t n, size;
    size_t due;      /* so many, and all that can be is written */
    size_t step;     /* for tests: is written after so many more, whatever that costs; 0: no */
    size_t most;     /* that there ever were */
    uint64_t told;   /* in all, */
    uint64_t sorted; /* and how many were sorted each time, added up */
    uint64_t before; /* everything that is older than this cycle is written ... */
    uint64_t late;   /* ... but for so many events that came too late: a bug */
    bool failed;     /* no memory: events are missing from here on */
};

/* Books as they were before they were closed for a report. */
struct books {
    bool closed;
    struct ledger ledger[N_AGENTS];
    struct blame blame;
    struct coproc_blamed blamed[COPROC_THREADS];
    uint32_t n_diags, count[N_DIAGS];
    uint8_t seen[DIAG_SEEN];
};

struct waitgate_tile {
    struct text_sink trace;
    struct trace_queue queue;
    waitgate_place *place;
    void *place_context;
    waitgate_alpha *host; /* the machine that drives it through a window; NULL: none */
    enum waitgate_tile_end end;
    atomic_bool interrupted; /* by waitgate_tile_interrupt(): the run shall end */
    struct hang hang;        /* when end is WAITGATE_TILE_HANG */
    struct books books;
    struct tile tile;
};

/* books.c: for a report everything is booked up to now; that is taken back when the tile goes on, or is written to. */
void books_close(waitgate_tile *tile);
void books_open(waitgate_tile *tile);

/* trace_tile.c */
void trace_tile_event(void *context, const struct event *e);
/* An event of the machine that drives it. */
void trace_tile_host(waitgate_tile *tile, const struct event *e);
/* Writes all that is older than this cycle. */
void trace_tile_flush(waitgate_tile *tile, uint64_t before);
/* A run has ended: all that belongs to it is written. */
void trace_tile_end(waitgate_tile *tile);
/* Room for what is to come; false: there is none. */
bool trace_tile_room(struct trace_queue *q);

/* code_place.c: where an instruction comes from. The core (public number) and program counter behind the source
   position of a thread's word; -1: not known. */
int code_place_of_tag(const struct tile *tile, unsigned thread, unsigned tag, uint32_t *pc);
/* Public number of an agent that is a core, -1 for others. */
int code_place_core(unsigned agent);
/* The same as a structure; false if nothing is known. */
bool code_place_find(const waitgate_tile *tile, int core, uint32_t pc, struct waitgate_source *s);
/* The host's instruction that pushed a word: all its bits. Without a host the same. */
uint64_t code_place_pc(const waitgate_tile *tile, uint32_t pc);
/* An instruction of the host's. */
bool code_place_find_host(const waitgate_tile *tile, uint64_t pc, struct waitgate_source *s);
/* "0x06084 main+0x20 (a.c:14)", as far as known. */
const char *code_place_text(const waitgate_tile *tile, int core, uint32_t pc, char *buf, size_t n);

/* report_hang.c: member "hang" of the JSON report. */
void report_hang_json(const struct text_sink *o, const waitgate_tile *tile);
/* Member "stand": where everyone stands, after a limit or without time. */
void report_hang_json_stand(const struct text_sink *o, const waitgate_tile *tile);

#endif
