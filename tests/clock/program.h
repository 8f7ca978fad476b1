/*
 * program.h - random programs for the cores of a tile.
 *
 * A program is a list of steps in one order for all cores: work of one core, or a message from one to another.
 * Each core carries out its steps in that order, so nobody can wait for somebody who waits for him: of the
 * steps that are not done the first one can always be done.
 *
 * Programs without races: whatever a core reads was written by itself, or by somebody who has said so since.
 * Counters shared by all are only added to. The others (racy) also read and write what others do, and look at
 * clocks; how they end depends on time, but not on how that is computed.
 *
 * Every step has random numbers of its own: leaving one out changes nothing in the others.
 */
#ifndef WG_TESTS_CLOCK_PROGRAM_H
#define WG_TESTS_CLOCK_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/rv32.h"
#include "model/rng.h"
#include "tile/tile.h"

#define PROGRAM_STEPS 128u
#define PROGRAM_CODE  4096u

struct program_core {
    uint32_t start;         /* of its code */
    uint32_t end, end_size; /* where it ends: the addresses end .. end + end_size - 4 */
    uint32_t n;
    uint32_t word[PROGRAM_CODE];
    uint8_t step[PROGRAM_CODE]; /* which step a word belongs to; 0: start or end */
};

struct program_step {
    uint8_t kind, a, b;
    bool off; /* left out */
};

/* What a semaphore is used for: from thread or core to thread or core. */
struct program_sem {
    bool used, from_thread, to_thread;
    uint8_t from, to, max, posts;
};

struct program {
    uint64_t seed;
    unsigned number;
    bool racy;
    bool by_b;     /* B takes the others out of reset */
    uint8_t cores; /* bit per enum rv_which */
    unsigned n_steps;
    struct program_step step[PROGRAM_STEPS];
    struct program_sem sem[8];
    struct program_core core[RV_N_CORES];
};

/* Chooses what program number `number` of a seed consists of. */
void program_plan(struct program *p, uint64_t seed, unsigned number, bool racy);
/* Writes its code, without the steps that are off. */
void program_write(struct program *p);
/* Puts it into a tile that was just reset. */
void program_load(const struct program *p, struct tile *tile);

/* ---- for the files that write programs ---- */

/* Registers with a purpose; x2 .. x23 are anybody's. */
enum {
    X_LINK = 1,
    X_ANY = 2,
    X_POLL = 24,
    X_LOOP2,
    X_DEVICE,
    X_VALUE,
    X_ADDRESS,
    X_LOOP,
    X_LOCAL,
    X_L1
};
#define N_ANY (X_POLL - X_ANY)

#define AT_PRIVATE(core) (UINT32_C(0x20000) + UINT32_C(0x1000) * (core))
#define AT_COUNT(step)   (UINT32_C(0x28000) + UINT32_C(16) * (step))
#define AT_FLAG(step)    (UINT32_C(0x29000) + UINT32_C(16) * (step))
#define AT_BUFFER(step)  (UINT32_C(0x2a000) + UINT32_C(64) * (step))
#define AT_SUMS          UINT32_C(0x2f000) /* eight words */
#define AT_SHARED        UINT32_C(0x30000) /* racy programs: 256 bytes that all use */

#define DEVICE_WINDOW(core)                                                                        \
    (UINT32_C(0xFFB14000) + 0x2000 * ((core) == RV_B ? 0 : (core) == RV_NC ? 1 : 2 + (core)-RV_T0))
#define DEVICE_RESET  UINT32_C(0xFFB121B0)
#define DEVICE_MOPCFG UINT32_C(0xFFB80000)
#define DEVICE_GPR    UINT32_C(0xFFE00000)
#define DEVICE_PUSH   UINT32_C(0xFFE40000)
#define DEVICE_PCBUF  UINT32_C(0xFFE80000)
#define DEVICE_SYNC   UINT32_C(0xFFE80004)
#define DEVICE_SEM    UINT32_C(0xFFE80020)
#define DEVICE_MAIL   UINT32_C(0xFFEC0000)
#define DEVICE_CONFIG UINT32_C(0xFFEF0000)

#define CSR_CFG0 0x7c0u

struct maker {
    struct program *p;
    struct rng rng;
    struct program_core *c; /* being written */
    unsigned core, step;
};

static inline uint32_t below(struct maker *m, uint32_t n)
{
    return rng_below(&m->rng, n);
}

static inline bool percent(struct maker *m, uint32_t n)
{
    return rng_percent(&m->rng, n);
}

static inline uint8_t any(struct maker *m)
{
    return (uint8_t)(X_ANY + below(m, N_ANY));
}

static inline bool is_t(unsigned core)
{
    return core <= RV_T2;
}

static inline bool has_core(const struct program *p, unsigned core)
{
    return p->cores >> core & 1;
}

#define EMIT(m, id, ...) emit(m, RV_OP_##id, (struct rv32_args){__VA_ARGS__})

/* program.c */
void maker_core(struct maker *m, unsigned core);
void emit_word(struct maker *m, uint32_t word);
void emit(struct maker *m, enum rv_op op, struct rv32_args a);
uint32_t here(const struct maker *m);
/* Makes the instruction at `at` anew, as a branch or jump to here. */
void emit_to_here(struct maker *m, uint32_t at, enum rv_op op, struct rv32_args a);
/* A branch or jump back to `to`. */
void emit_back(struct maker *m, uint32_t to, enum rv_op op, struct rv32_args a);
void emit_li(struct maker *m, unsigned rd, uint32_t value);
/* X_ADDRESS = address, then the access. */
void emit_load(struct maker *m, unsigned rd, uint32_t address);
void emit_store(struct maker *m, unsigned rs, uint32_t address);
/* Goes on only when the register is there. */
void emit_use(struct maker *m, unsigned reg);

/* work.c: work of one core */
void make_simple(struct maker *m);
void make_work(struct maker *m);

/* tensix.c */
void make_push(struct maker *m, uint32_t word);
uint32_t make_word(struct maker *m);
uint32_t word_stallwait(uint32_t block, uint32_t conditions);
uint32_t word_set_half(unsigned half, uint32_t value);
void make_tensix_sync(struct maker *m);
void make_tensix(struct maker *m);
void make_b_push(struct maker *m);

/* talk.c: messages */
enum step_kind {
    STEP_WORK,
    STEP_MAIL,
    STEP_PCBUF,
    STEP_FLAG,
    STEP_SEM,
    STEP_BARRIER,
    N_STEP_KINDS
};
void make_talk(struct maker *m, const struct program_step *s);
void make_barrier(struct maker *m);

/* race.c: what only racy programs do */
void make_race(struct maker *m, bool short_ones);
void make_tick(struct maker *m);

#endif
