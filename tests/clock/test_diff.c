/*
 * test_diff.c - random programs for several cores end the same way however they are run: without time, with time,
 * without skipping, without a trace, in slices. See program.h and run.h.
 *
 * Arguments: seed, number of programs, first program. Or WG_SEED in the environment. Programs with odd numbers are
 * racy: they are only run with time. WG_CUT=0: do not make smaller what differs. WG_ALL=1: go on after a difference.
 * WG_TRACE=1: write the events of both to clocked.txt and other.txt. WG_WAYS: bits of enum way, which to compare.
 * WG_LIMIT: cycles of each run, to find where a difference begins. WG_BRIEF=1: a line for each difference. WG_SLICE: runs
 * in slices are two calls, the first of so many cycles, to find the end of a call that matters.
 */
#include <stdio.h>
#include <stdlib.h>

#include "run.h"

#define PROGRAMS 500u

/* Programs in which something was found that few others meet. They come first if no seed is given. */
static const struct {
    uint64_t seed;
    unsigned number;
} found[] = {
    {5, 76},    /* a wait at a GPR had another name at every try */
    {301, 107}, /* the mover overwrote a loop between two rounds: it was parked with the old code */
    {304, 343}, /* the retire-order queue was full in a call of few cycles */
    {401, 27},  /* a push that was refused in an earlier call was tried again in the past ... */
    {402, 463}, /* ... so was one of a core that was woken for something else */
    {603, 295}, /* a wait for the retire-order queue had the name of a load that waited meanwhile */
    {622, 117}, /* a core was woken in the cycle in which it read: its bank was free for others */
    {622, 159}, /* how far a core runs ahead of code that is overwritten depended on the calls */
    {629, 134}, /* what an ebreak had waited for was told behind a push of its cycle */
    {1003, 461}, /* a wait of an overwritten instruction went on with the new one */
    {1102, 271}, /* ... and had the name of a store that had left */
    {1122, 8},   /* a store that was refused in the cycle of a pop was not tried in the next */
    {2001, 367}, /* a hang was found while a core was in a round that another had disturbed */
};

struct counts {
    unsigned long long cycles, events;
    unsigned ends[TILE_END_UNTIL + 1], different;
};

static void tell(struct program *p, enum way way, struct outcome *a, struct outcome *b,
                 struct difference *d)
{
    const char *cutting = getenv("WG_CUT");
    printf("DIFFERENT: program %u, clocked and %s: %s\n", p->number, way_names[way], d->what);
    if (getenv("WG_BRIEF"))
        return;
    if (!cutting || atoi(cutting))
        cut(p, way, a, b, d);
    run_program(p, WAY_CLOCK, a);
    run_program(p, way, b);
    run_same(a, b, way, d);
    report(p, a, b, way, d);
    if (getenv("WG_TRACE")) {
        report_trace(a, "clocked.txt");
        report_trace(b, "other.txt");
    }
}

/* True: the same in all ways. */
static bool try_program(struct program *p, struct counts *n)
{
    static struct outcome o[N_WAYS];
    struct difference d;
    const char *ways = getenv("WG_WAYS");
    bool same = true;
    program_write(p);
    run_program(p, WAY_CLOCK, &o[WAY_CLOCK]);
    n->cycles += o[WAY_CLOCK].tile->clock.now;
    n->events += o[WAY_CLOCK].n_events;
    n->ends[o[WAY_CLOCK].handle->end]++;
    for (unsigned way = WAY_NO_SKIP; way < N_WAYS; way++) {
        if (way == WAY_UNTIMED && p->racy)
            continue;
        if (ways && !(strtoul(ways, NULL, 0) >> way & 1))
            continue;
        run_program(p, (enum way)way, &o[way]);
        if (run_same(&o[WAY_CLOCK], &o[way], (enum way)way, &d))
            continue;
        same = false;
        struct program smaller = *p;
        struct outcome a = {0};
        tell(&smaller, (enum way)way, &a, &o[way], &d);
        outcome_forget(&a);
    }
    return same;
}

/* True: the same in all ways. */
static bool try_number(const char *name, uint64_t seed, unsigned i, struct counts *n)
{
    static struct program p;
    program_plan(&p, seed, i, i & 1);
    if (try_program(&p, n))
        return true;
    n->different++;
    printf("again: %s %llu 1 %u\n", name, (unsigned long long)seed, i);
    return false;
}

int main(int argc, char **argv)
{
    struct counts n = {0};
    const char *env = getenv("WG_SEED"), *all = getenv("WG_ALL");
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : env ? strtoull(env, NULL, 0) : 1;
    unsigned count = WG_SLOW_BUILD ? PROGRAMS / 20 : PROGRAMS, first = 0, i;
    if (argc > 2)
        count = (unsigned)strtoul(argv[2], NULL, 0);
    if (argc > 3)
        first = (unsigned)strtoul(argv[3], NULL, 0);
    printf("seed %llu, programs %u to %u\n", (unsigned long long)seed, first, first + count - 1);
    bool go_on = all && atoi(all);
    for (i = 0; argc == 1 && i < sizeof found / sizeof found[0]; i++)
        if (!try_number(argv[0], found[i].seed, found[i].number, &n) && !go_on)
            break;
    for (i = first; i < first + count && (go_on || !n.different); i++)
        try_number(argv[0], seed, i, &n);
    printf("%llu cycles, %llu events; ended: %u done, %u hanging, %u stopped, %u never; different: "
           "%u\n",
           n.cycles,
           n.events,
           n.ends[TILE_END_DONE],
           n.ends[TILE_END_HANG],
           n.ends[TILE_END_STOPPED],
           n.ends[TILE_END_LIMIT],
           n.different);
    return n.different != 0;
}
