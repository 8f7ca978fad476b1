/*
 * gate_run.c - the same program, cycle by cycle, for struct coproc and for struct gate_model: the
 * same words must leave the same gates in the same cycle, and the cores must see the same answers.
 */
#include "model/gate_run.h"

#include <stdio.h>
#include <string.h>

#include "coproc/coproc.h"
#include "isa/tensix.h"
#include "model/gate_model.h"
#include "model/gate_program.h"

#define MOST_CYCLES 4000u
#define MOST_QUIET  260u /* without any instruction going: a deadlock, or all done */

struct seen {
    bool went[3];
    uint32_t word[3];
    uint64_t cycle[3];
    bool twice;
};

static struct coproc tile;
static struct gate_model model;
static struct seen seen;
static bool never_skip;

struct core {
    unsigned at, pause;
};

static void on_event(void *ctx, const struct event *e)
{
    struct seen *s = ctx;
    unsigned i = (unsigned)e->agent - OWNER_T0;
    if (e->kind != EV_GO || i > 2)
        return;
    s->twice |= s->went[i];
    s->went[i] = true;
    s->word[i] = e->word;
    s->cycle[i] = e->cycle;
}

/* What differs, without the program. */
struct difference {
    char text[400];
};

static bool differ(struct difference *d, unsigned cycle, unsigned who, const char *what,
                   unsigned long impl, unsigned long expected)
{
    snprintf(d->text,
             sizeof d->text,
             "cycle %u, T%u: %s: implementation 0x%lx, model 0x%lx",
             cycle,
             who,
             what,
             impl,
             expected);
    return false;
}

/* Pushes as many words in one bundle as the core may; true if both took them. */
static bool push(struct core *core, const struct gate_program *p, unsigned i, bool *same)
{
    uint32_t words[4];
    unsigned n = 0;
    while (n < p->width[i] && core->at + n < p->n[i] &&
           p->action[i][core->at + n].kind == GP_PUSH) {
        words[n] = p->action[i][core->at + n].a;
        n++;
    }
    bool x = coproc_port_push(&tile, i, words, n, 0);
    *same = x == xm_push(&model.thread[i].front, words, n);
    core->at += x ? n - 1 : 0;
    return x;
}

/* The core of thread i acts on both. */
static bool core_acts(struct core *core, const struct gate_program *p, unsigned i, unsigned cycle,
                      struct difference *d)
{
    if (core->pause) {
        core->pause--;
        return true;
    }
    if (core->at == p->n[i])
        return true;
    const struct gp_action *a = &p->action[i][core->at];
    bool x = true, y = true, same;
    switch (a->kind) {
    case GP_PUSH:
        x = push(core, p, i, &same);
        y = same ? x : !x;
        break;
    case GP_MOP_CFG:
        if (coproc_port_mop_idle(&tile, i) != xm_mop_idle(&model.thread[i].front))
            return differ(d, cycle, i, "MOP idle", coproc_port_mop_idle(&tile, i), 2);
        if (!xm_mop_idle(&model.thread[i].front))
            return true;
        coproc_port_write_mop_cfg(&tile, i, a->a, a->b);
        model.thread[i].front.cfg[a->a] = a->b;
        break;
    case GP_SEM:
        coproc_port_sem_write(&tile, i, a->a, a->b);
        gm_sem_write(&model, i, a->a, a->b);
        return true;
    case GP_GPR:
        x = coproc_port_gpr_write(&tile, i, i, a->a, a->b);
        y = gm_gpr_write(&model, i, a->a, a->b);
        break;
    case GP_CONFIG:
        x = coproc_port_config_write(&tile, i, a->a >> 16, a->a & 0xffff, a->b);
        y = gm_config_write(&model, i, a->a >> 16, a->a & 0xffff, a->b);
        break;
    default: core->pause = a->a; break;
    }
    if (x != y)
        return differ(d, cycle, i, "core's access taken", x, y);
    core->at += x;
    return true;
}

static bool compare(struct core core[3], const struct gate_program *p, unsigned cycle,
                    struct difference *d)
{
    for (unsigned i = 0; i < 3; i++) {
        if (seen.twice)
            return differ(d, cycle, i, "two words left a gate", 2, 1);
        if (seen.went[i] != model.went[i])
            return differ(d,
                          cycle,
                          i,
                          seen.went[i] ? "went too early" : "did not go",
                          seen.word[i],
                          model.word[i] * model.went[i]);
        if (seen.went[i] && seen.word[i] != model.word[i])
            return differ(d, cycle, i, "word", seen.word[i], model.word[i]);
        if (seen.went[i] && seen.cycle[i] != cycle)
            return differ(d, cycle, i, "event's cycle", (unsigned long)seen.cycle[i], cycle);
        if (core[i].pause || core[i].at == p->n[i] || p->action[i][core[i].at].kind != GP_SEM)
            continue;
        bool taken = coproc_port_sem_taken(&tile, i);
        if (taken != model.core_sem_taken[i])
            return differ(d, cycle, i, "window write taken", taken, !taken);
        core[i].at += taken;
    }
    for (unsigned s = 0; s < 8; s++)
        if (coproc_port_sem_read(&tile, s) != model.sem[s].value)
            return differ(
                d, cycle, s, "semaphore", coproc_port_sem_read(&tile, s), model.sem[s].value);
    return true;
}

static void count(struct gate_stats *stats, unsigned *quiet)
{
    (*quiet)++;
    for (unsigned i = 0; i < 3; i++) {
        if (!model.went[i])
            continue;
        *quiet = 0;
        if (stats) {
            stats->went++;
            stats->by_opcode[model.word[i] >> 24]++;
        }
    }
    if (stats)
        stats->cycles++;
}

/* The tile says that nothing will happen for a while: it skips, the model watches. */
static bool skip(const struct core core[3], const struct gate_program *p, unsigned *cycle,
                 unsigned *quiet, struct difference *d)
{
    uint64_t to = coproc_quiet_until(&tile);
    for (unsigned i = 0; i < 3; i++)
        if (core[i].pause || core[i].at != p->n[i])
            return true;
    if (to > tile.now + MOST_QUIET)
        to = tile.now + MOST_QUIET;
    unsigned n = to > tile.now ? (unsigned)(to - tile.now) : 0;
    for (unsigned k = 0; k < n; k++) {
        gm_step(&model);
        ++*quiet;
        ++*cycle;
        for (unsigned i = 0; i < 3; i++)
            if (model.went[i])
                return differ(d, *cycle, i, "skipped", 0, model.word[i]);
    }
    if (n)
        coproc_skip(&tile, to);
    return true;
}

static bool run_program(const struct gate_program *p, struct gate_stats *stats,
                        struct difference *d)
{
    struct core core[3];
    unsigned quiet = 0, cycle = 0;
    memset(core, 0, sizeof core);
    memset(&tile, 0, sizeof tile);
    tile.probe.mask = 1u << EV_GO;
    tile.probe.sink = on_event;
    tile.probe.ctx = &seen;
    coproc_reset(&tile);
    gm_reset(&model);
    _Static_assert(sizeof model.unpack_config == sizeof p->unpack_config, "the same words");
    memcpy(model.unpack_config, p->unpack_config, sizeof p->unpack_config);
    for (unsigned b = 0; b < 2; b++)
        memcpy(tile.config.word[b], p->unpack_config, sizeof p->unpack_config);
    for (; cycle < MOST_CYCLES && quiet < MOST_QUIET; cycle++) {
        memset(&seen, 0, sizeof seen);
        for (unsigned i = 0; i < 3; i++)
            if (!core_acts(&core[i], p, i, cycle, d))
                return false;
        bool moved = coproc_step(&tile);
        gm_step(&model);
        if (!compare(core, p, cycle, d))
            return false;
        count(stats, &quiet);
        if (p->skip && !never_skip && !moved && !skip(core, p, &cycle, &quiet, d))
            return false;
        bool done = true;
        for (unsigned i = 0; i < 3; i++)
            done &= core[i].at == p->n[i] && !core[i].pause && xm_empty(&model.thread[i].front);
        if (done)
            break;
    }
    if (stats && quiet >= MOST_QUIET)
        stats->stuck++;
    return true;
}

/* ---- what to print ---- */

/* Leaves out every action that is not needed for a difference. */
static void shrink_program(struct gate_program *p, struct difference *d)
{
    static struct gate_program q;
    bool smaller = true;
    while (smaller) {
        smaller = false;
        for (unsigned i = 0; i < 3; i++) {
            for (unsigned k = p->n[i]; k-- > 0;) {
                q = *p;
                q.n[i]--;
                memmove(&q.action[i][k], &q.action[i][k + 1], (q.n[i] - k) * sizeof q.action[i][0]);
                if (run_program(&q, NULL, d))
                    continue;
                *p = q;
                smaller = true;
            }
        }
    }
    run_program(p, NULL, d);
}

static size_t print_word(char *out, size_t size, uint32_t word)
{
    const struct tensix_insn *insn = tensix_lookup(word);
    int n = snprintf(out, size, "%s", insn ? insn->name : "?");
    for (unsigned f = 0; insn && f < insn->n_fields && (size_t)n < size; f++) {
        const struct tensix_field *e = &insn->fields[f];
        uint32_t v = word >> e->lo & (uint32_t)((UINT64_C(1) << e->width) - 1);
        if (v)
            n += snprintf(out + n, size - (size_t)n, " %s=%u", e->name, v);
    }
    return (size_t)n;
}

static void print_program(const struct gate_program *p, char *out, size_t size)
{
    static const char *const names[] = {"", "MopCfg", "sem window", "GPR", "Config", "pause"};
    size_t n = 0;
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned k = 0; k < p->n[i] && n + 200 < size; k++) {
            const struct gp_action *a = &p->action[i][k];
            n += (size_t)snprintf(out + n, size - n, "\n  T%u %2u: ", i, k);
            if (a->kind == GP_PUSH)
                n += print_word(out + n, size - n, a->a);
            else
                n += (size_t)snprintf(
                    out + n, size - n, "(%s 0x%x 0x%x) ", names[a->kind], a->a, a->b);
            if (a->kind == GP_MOP_CFG && a->a > 1)
                n += print_word(out + n, size - n, a->b);
        }
    }
}

bool gate_run_from(uint64_t seed, unsigned first, unsigned n, bool shrink, struct gate_stats *stats,
                   char *why, size_t size)
{
    static struct gate_program p;
    static char text[16384];
    struct difference d;
    for (unsigned i = first; i < first + n; i++) {
        gate_program_make(&p, seed, i);
        if (run_program(&p, stats, &d))
            continue;
        if (shrink)
            shrink_program(&p, &d);
        text[0] = 0;
        print_program(&p, text, sizeof text);
        snprintf(
            why, size, "seed %llu program %u: %s%s", (unsigned long long)seed, i, d.text, text);
        return false;
    }
    return true;
}

void gate_run_skips(bool yes)
{
    never_skip = !yes;
}

bool gate_run(uint64_t seed, unsigned n, char *why, size_t size)
{
    return gate_run_from(seed, 0, n, false, NULL, why, size);
}
