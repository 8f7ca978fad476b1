/*
 * run.h - a program and the tile it runs on: the scheduler loop.
 *
 * Plain data but for the room of the expectations and of L1, which is taken before the first cycle; nothing
 * allocates while cycles pass.
 */
#ifndef WG_SCRIPT_RUN_H
#define WG_SCRIPT_RUN_H

#include "coproc/coproc.h"
#include "script/actor.h"
#include "script/check.h"
#include "script/tts.h"

#define RUN_MAX_CYCLES UINT64_C(10000000)

enum run_end {
    RUN_END_DONE,        /* all scripts are over and the tile is idle */
    RUN_END_DEADLOCK,    /* something is held and nothing can change */
    RUN_END_MAX,         /* the limit was reached */
    RUN_END_STOPPED,     /* a diagnostic's policy asked to stop */
    RUN_END_INTERRUPTED, /* the caller has asked to stop */
    RUN_END_BROKEN       /* a ledger does not add up: our bug */
};

struct run_options {
    uint64_t max_cycles; /* 0: the file's, or RUN_MAX_CYCLES */
    bool no_skip;
    uint8_t policy[N_DIAG_CATEGORIES]; /* enum diag_policy */
    void (*trace)(void *ctx, const struct event *e);
    void *trace_ctx;
    struct timing timing;          /* the machine's numbers */
    const volatile int *interrupt; /* not 0: the run shall end; NULL: never */
};

/* Where an agent stood when the run ended. */
struct run_stand {
    uint16_t key;   /* wait_key() */
    uint64_t since; /* first cycle */
};

struct run {
    const struct tts_program *program;
    struct run_options options;
    enum run_end end;
    uint64_t cycles;    /* how many were run */
    uint64_t end_cycle; /* the last of them; a deadlock became certain in it */
    uint64_t skipped;   /* cycles that were jumped over */
    struct run_stand stand[N_AGENTS];
    uint8_t active[TTS_CORES]; /* cores whose scripts are not over */
    unsigned n_active;
    struct actor actor[TTS_CORES];
    struct check check;
    uint8_t *l1; /* NULL: the program does not name it, and there is none */
    struct coproc coproc;
};

/* False: no memory. */
bool run_init(struct run *r, const struct tts_program *p, const struct run_options *options);
void run_free(struct run *r);
/* Runs to the end and judges the expectations. */
void run_go(struct run *r);

#endif
