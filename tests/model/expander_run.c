/*
 * expander_run.c - the same random stimuli, cycle by cycle, for struct frontend and for
 * struct expander_model; in every cycle everything that can be seen from outside must be equal:
 * the word at the gate, tracking entries, whether a push is taken, core B's push, words lost.
 */
#include "model/expander_run.h"

#include <stdio.h>
#include <string.h>

#include "front/frontend.h"
#include "model/expander_model.h"
#include "model/rng.h"
#include "probe/probe.h"

#define MAX_ACTIONS 160u

enum { PUSH, WRITE_CFG, PAUSE };

/* One thing the core does; it does them in order. */
struct action {
    uint8_t kind, n;
    uint32_t word[4]; /* WRITE_CFG: index, value */
};

struct program {
    unsigned n, limit; /* limit: cycles until it is cut */
    struct action action[MAX_ACTIONS];
    unsigned width;   /* most words in one push */
    unsigned open, b; /* percent: gate open, core B pushes */
    unsigned burst;   /* mean length of a stretch of one gate state; 0: none */
    uint32_t serial;  /* makes plain words different from each other */
    struct action bundle;
};

struct pair {
    struct frontend fe;
    struct probe probe;
    struct expander_model model;
};

static struct pair pair; /* large; one run at a time */

/* ---- programs ---- */

static uint32_t plain_word(struct program *p, struct rng *r)
{
    static const uint8_t ops[] = {0x02,
                                  0x02,
                                  0x60,
                                  0x8f,
                                  0x26,
                                  0x42,
                                  0x41,
                                  0xa2,
                                  0xb2,
                                  0x00,
                                  0xff,
                                  0x06,
                                  0x07,
                                  0x08,
                                  0x37,
                                  0x45,
                                  0xa6};
    return (uint32_t)ops[rng_below(r, sizeof ops)] << 24 | (p->serial++ & 0xffffff);
}

static uint32_t replay_word(struct rng *r, unsigned load_percent)
{
    static const uint16_t lengths[] = {0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 1023};
    uint32_t len = rng_percent(r, 30) ? lengths[rng_below(r, 11)]
                                      : 1 + rng_below(r, rng_percent(r, 80) ? 8 : 63);
    uint32_t start = rng_percent(r, 30) ? 28 + rng_below(r, 8) : rng_below(r, 1024);
    uint32_t load = rng_percent(r, load_percent), unused = rng_below(r, 4);
    return 0x04u << 24 | start << 14 | len << 4 | unused << 2 | rng_below(r, 2) << 1 | load;
}

/* A word for MopCfg. */
static uint32_t mop_operand(struct program *p, struct rng *r)
{
    uint32_t k = rng_below(r, 100);
    if (k < 35)
        return 0x02u << 24 | (rng_next(r) & 0xffffff);
    if (k < 41)
        return 0x60u << 24;
    if (k < 47)
        return 0x8fu << 24;
    if (k < 57)
        return replay_word(r, 20);
    if (k < 60)
        return (1u + 2 * rng_below(r, 3)) << 24 | (rng_next(r) & 0xffffff); /* MOP, MOP_CFG, 5 */
    return plain_word(p, r);
}

static uint32_t mop_count(struct rng *r)
{
    static const uint8_t counts[] = {0, 1, 2, 3, 4, 5, 8, 0, 1, 1, 0, 126, 127};
    uint32_t n = rng_percent(r, 85) ? counts[rng_below(r, rng_percent(r, 6) ? 13 : 11)]
                                    : rng_below(r, rng_percent(r, 10) ? 128 : 16);
    return n | (rng_next(r) & ~UINT32_C(127));
}

static struct action *new_action(struct program *p, unsigned kind)
{
    struct action *a = &p->action[p->n++];
    memset(a, 0, sizeof *a);
    a->kind = (uint8_t)kind;
    return a;
}

static bool full(const struct program *p)
{
    return p->n + 24 > MAX_ACTIONS;
}

/* Closes the bundle that is being collected. */
static void flush(struct program *p)
{
    if (p->bundle.n && !full(p))
        p->action[p->n++] = p->bundle;
    memset(&p->bundle, 0, sizeof p->bundle);
}

static void add_word(struct program *p, struct rng *r, uint32_t word)
{
    p->bundle.word[p->bundle.n++] = word;
    if (p->bundle.n >= p->width || rng_percent(r, 30))
        flush(p);
}

static void add_config(struct program *p, struct rng *r)
{
    flush(p);
    bool all = rng_percent(r, 60);
    for (unsigned i = 0; i < 9 && !full(p); i++) {
        if (!all && rng_percent(r, 60))
            continue;
        struct action *a = new_action(p, WRITE_CFG);
        a->word[0] = i;
        a->word[1] = i < 2 ? mop_count(r) : mop_operand(p, r);
    }
}

/* One outer round and nothing but EndOp0: hardware runs 129 rounds. */
static void add_outer_bug(struct program *p, struct rng *r)
{
    static const uint8_t index[] = {0, 1, 2, 3, 6};
    flush(p);
    for (unsigned i = 0; i < sizeof index && !full(p); i++) {
        struct action *a = new_action(p, WRITE_CFG);
        a->word[0] = index[i];
        switch (index[i]) {
        case 0: a->word[1] = rng_percent(r, 80) ? 1 : 2; break;
        case 1: a->word[1] = rng_percent(r, 80) ? 0 : 1; break;
        case 3: a->word[1] = rng_percent(r, 80) ? 0x60u << 24 : 0x02u << 24; break;
        default: a->word[1] = rng_percent(r, 80) ? 0x02u << 24 : 0x8fu << 24; break;
        }
    }
    add_word(p, r, 0x01800000u);
}

static void add_mop(struct program *p, struct rng *r)
{
    if (rng_percent(r, 70))
        add_config(p, r);
    if (rng_percent(r, 40))
        add_word(p, r, 0x03u << 24 | (rng_next(r) & 0xffff));
    unsigned times = 1 + (rng_percent(r, 40) ? rng_below(r, 4) : 0);
    while (times--) {
        bool loop = rng_percent(r, 55);
        uint32_t mask = rng_percent(r, 50) ? rng_next(r) & 0xffff : 0;
        uint32_t rounds = mop_count(r) & 127;
        add_word(p, r, 0x01u << 24 | (uint32_t)loop << 23 | rounds << 16 | mask);
    }
}

static void add_recording(struct program *p, struct rng *r)
{
    uint32_t word = replay_word(r, 100);
    add_word(p, r, word);
    unsigned n = word >> 4 & 63 ? word >> 4 & 63 : 64;
    for (unsigned i = 0; i < n && !full(p); i++)
        add_word(p, r, rng_percent(r, 4) ? replay_word(r, 30) : plain_word(p, r));
}

static void make_program(struct program *p, struct rng *r)
{
    static const uint8_t open[] = {100, 100, 90, 50, 30, 10};
    memset(p, 0, sizeof *p);
    p->width = 1 + rng_below(r, 4);
    p->open = open[rng_below(r, sizeof open)];
    p->burst = rng_percent(r, 50) ? 1 + rng_below(r, 40) : 0;
    p->b = rng_percent(r, 30) ? 1 + rng_below(r, 40) : 0;
    p->limit = rng_percent(r, 1) ? 20000 : 600;
    unsigned pieces = 1 + rng_below(r, rng_percent(r, 10) ? 30 : 8);
    while (pieces-- && !full(p)) {
        uint32_t k = rng_below(r, 100);
        if (k < 35)
            add_mop(p, r);
        else if (k < 50)
            add_recording(p, r);
        else if (k < 65)
            add_word(p, r, replay_word(r, 0));
        else if (k < 67)
            add_outer_bug(p, r);
        else if (k < 69)
            add_word(p, r, 0x05u << 24 | (rng_next(r) & 0xffffff));
        else if (k < 74)
            new_action(p, PAUSE)->n = (uint8_t)rng_below(r, 30);
        else
            for (unsigned n = rng_below(r, rng_percent(r, 15) ? 50 : 6); n && !full(p); n--)
                add_word(p, r, plain_word(p, r));
    }
    flush(p);
}

/* ---- the comparison ---- */

struct run {
    struct program program;
    struct rng rng;
    unsigned at, pause;
    unsigned cycle;
    bool gate_open;
    bool b_pending;
    uint32_t b_word;
    struct expander_stats *stats;
    char *why;
    size_t size;
};

static bool differ(struct run *run, const char *what, unsigned impl, unsigned model)
{
    const struct frontend *f = &pair.fe;
    const struct expander_model *m = &pair.model;
    int n =
        snprintf(run->why,
                 run->size,
                 "cycle %u: %s: implementation 0x%08x, model 0x%08x\n"
                 "  implementation: Q1 %u Q2 %u Q3 %u tracked %u, MOP active %d, replay mode %u "
                 "left %u\n  model:          Q1 %u Q2 %u Q3 %u tracked %u, MOP active %d, "
                 "replay mode %d left %u\n  core at action %u of %u:",
                 run->cycle,
                 what,
                 impl,
                 model,
                 f->q1.n,
                 f->q2.n,
                 f->q3.n,
                 f->tracked,
                 f->mop.active,
                 f->replay.mode,
                 f->replay.left,
                 m->q1.n,
                 m->q2.n,
                 m->q3.n,
                 m->tracked,
                 m->expanding,
                 (int)m->mode,
                 m->left,
                 run->at,
                 run->program.n);
    static const char *const names[] = {"push", "cfg", "pause"};
    for (unsigned i = 0; i < run->program.n && i <= run->at + 1; i++) {
        const struct action *a = &run->program.action[i];
        if (n < 0 || (size_t)n >= run->size)
            return false;
        n += snprintf(run->why + n, run->size - (size_t)n, " %s", names[a->kind]);
        unsigned words = a->kind == PUSH ? a->n : a->kind == WRITE_CFG ? 2 : 0;
        for (unsigned k = 0; k < words && (size_t)n < run->size; k++)
            n += snprintf(run->why + n, run->size - (size_t)n, " %x", a->word[k]);
    }
    return false;
}

/* What can be seen before the cycle is carried out. */
static bool compare(struct run *run)
{
    const struct entry *e = frontend_head(&pair.fe);
    uint32_t word;
    bool there = xm_head(&pair.model, &word);
    if ((e != NULL) != there)
        return differ(run, "word at the gate", e != NULL, there);
    if (e && e->word != word)
        return differ(run, "word at the gate", e->word, word);
    if (pair.fe.tracked != pair.model.tracked)
        return differ(run, "tracking entries", pair.fe.tracked, pair.model.tracked);
    if (frontend_can_push(&pair.fe) != xm_can_push(&pair.model))
        return differ(run, "push open", frontend_can_push(&pair.fe), xm_can_push(&pair.model));
    bool idle = mop_idle(&pair.fe.mop, &pair.fe.q1);
    if (idle != xm_mop_idle(&pair.model))
        return differ(run, "MOP idle", idle, !idle);
    if (pair.probe.count[DIAG_LOST_WORD] != pair.model.lost)
        return differ(run, "words lost", pair.probe.count[DIAG_LOST_WORD], pair.model.lost);
    return true;
}

static bool core_acts(struct run *run)
{
    if (run->pause) {
        run->pause--;
        return true;
    }
    if (run->at == run->program.n)
        return true;
    const struct action *a = &run->program.action[run->at];
    if (a->kind == PAUSE) {
        run->pause = a->n;
    } else if (a->kind == WRITE_CFG) {
        if (!xm_mop_idle(&pair.model))
            return true;
        frontend_write_mop_cfg(&pair.fe, a->word[0], a->word[1], &pair.probe);
        pair.model.cfg[a->word[0]] = a->word[1];
    } else {
        bool taken = frontend_push(&pair.fe, a->word, a->n, 1);
        if (taken != xm_push(&pair.model, a->word, a->n))
            return differ(run, "push taken", taken, !taken);
        run->stats->push_waits += !taken;
        if (!taken)
            return true;
    }
    run->at++;
    return true;
}

static void gate_acts(struct run *run)
{
    const struct program *p = &run->program;
    if (!p->burst || !rng_below(&run->rng, p->burst))
        run->gate_open = rng_percent(&run->rng, p->open);
    uint32_t word;
    if (!run->gate_open || !xm_head(&pair.model, &word))
        return;
    frontend_pop(&pair.fe);
    xm_pop(&pair.model);
    run->stats->popped++;
}

static void core_b_acts(struct run *run)
{
    if (!run->b_pending && rng_percent(&run->rng, run->program.b)) {
        run->b_pending = true;
        uint32_t k = rng_below(&run->rng, 100);
        run->b_word = k < 80 ? plain_word(&run->program, &run->rng) : replay_word(&run->rng, 25);
        if (k > 97)
            run->b_word = (1u + 2 * rng_below(&run->rng, 3)) << 24;
    }
    if (!run->b_pending)
        return;
    frontend_push_b(&pair.fe, run->b_word, 2);
    xm_push_b(&pair.model, run->b_word);
}

static bool one_cycle(struct run *run)
{
    if (!compare(run) || !core_acts(run))
        return false;
    core_b_acts(run);
    gate_acts(run);
    frontend_clock(&pair.fe, &pair.probe);
    xm_clock(&pair.model);
    if (run->b_pending && pair.fe.b_taken != pair.model.b_taken)
        return differ(run, "core B's push taken", pair.fe.b_taken, pair.model.b_taken);
    if (pair.model.b_taken)
        run->b_pending = false;
    frontend_end_cycle(&pair.fe);
    run->stats->cycles++;
    return true;
}

static bool one_program(struct run *run, uint64_t seed, unsigned number)
{
    run->rng = rng_of(seed, number);
    make_program(&run->program, &run->rng);
    memset(&pair.probe, 0, sizeof pair.probe);
    probe_reset(&pair.probe);
    frontend_reset(&pair.fe, number % 3, &timing_typical);
    xm_reset(&pair.model);
    for (unsigned i = 0; i < 9; i++) { /* reset leaves MopCfg open: write it */
        frontend_write_mop_cfg(&pair.fe, i, i < 2 ? i : 0x02000000u, &pair.probe);
        pair.model.cfg[i] = i < 2 ? i : 0x02000000u;
        frontend_clock(&pair.fe, &pair.probe);
        frontend_end_cycle(&pair.fe);
        xm_clock(&pair.model);
    }
    run->at = run->pause = 0;
    run->b_pending = false;
    run->gate_open = true;
    unsigned quiet = 0; /* cycles after the core's last action and the last word */
    for (run->cycle = 0; run->cycle < run->program.limit && quiet < 4; run->cycle++) {
        if (!one_cycle(run))
            return false;
        bool done = run->at == run->program.n && !run->b_pending && xm_empty(&pair.model);
        quiet = done ? quiet + 1 : 0;
        run->program.b = run->at == run->program.n ? 0 : run->program.b;
    }
    run->stats->outer_bugs += pair.probe.count[DIAG_MOP_OUTER_BUG];
    run->stats->lost += pair.model.lost;
    return true;
}

bool expander_run_from(uint64_t seed, unsigned first, unsigned n, struct expander_stats *stats,
                       char *why, size_t size)
{
    static struct run run;
    struct expander_stats none;
    char text[4096];
    memset(&run, 0, sizeof run);
    memset(&none, 0, sizeof none);
    run.stats = stats ? stats : &none;
    run.why = text;
    run.size = sizeof text;
    for (unsigned i = first; i < first + n; i++) {
        if (one_program(&run, seed, i))
            continue;
        snprintf(why, size, "seed %llu program %u: %s", (unsigned long long)seed, i, text);
        return false;
    }
    return true;
}

bool expander_run(uint64_t seed, unsigned n, char *why, size_t size)
{
    return expander_run_from(seed, 0, n, NULL, why, size);
}
