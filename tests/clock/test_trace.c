/*
 * test_trace.c - the trace of random programs for several cores, written while they run, is the one that is sorted when all is known.
 *
 * An event may be written as soon as nobody can tell of an earlier cycle any more (horizon() in src/lib/trace_tile.c). Here it is:
 * after each event everything that may be written is. If that is ever too early, an event of an earlier cycle comes later, which
 * is counted, and the text differs. If it is too late, the queue grows: there is a bound for that. As usual, with more events
 * between, the text is the same, too, and an event is sorted two times or three.
 *
 * Arguments: seed, number of programs, first program. Or WG_SEED in the environment. WG_TRACE=1 prints the traces.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/handle.h"
#include "program.h"
#include "run.h"

#define PROGRAMS 60u
#define LIMIT    12000u /* cycles */
/* Events that may have to wait: cores run ahead of the slowest by RVPIPE_AHEAD cycles, most of them with one event. */
#define BOUND (RV_N_CORES * RVPIPE_AHEAD)

struct lines {
    char *at;
    size_t n, room;
    uint64_t last; /* cycle of the last line */
    unsigned backwards;
};

static void collect(void *context, const char *line, size_t length)
{
    struct lines *t = context;
    uint64_t cycle = strtoull(line, NULL, 10);
    t->backwards += cycle < t->last;
    t->last = cycle;
    if (t->n + length > t->room) {
        t->room = 2 * (t->n + length);
        t->at = realloc(t->at, t->room);
        if (!t->at)
            abort();
    }
    memcpy(t->at + t->n, line, length);
    t->n += length;
}

/*
 * A program of its own: core T0 polls a register, and B writes T0's code again and again, in all phases of its round, with what is there already.
 * The poll then ends with a load that waits for its address: the event is of an earlier cycle than the store.
 */
#define OVERWRITTEN 1000000u /* its number */

static void load_overwritten(struct tile *tile)
{
    static const uint32_t polls[] = {
        0xffb122b7, /*       lui  x5, 0xffb12 */
        0x1b02a303, /* loop: lw   x6, 0x1b0(x5): the reset register */
        0x10032383, /*       lw   x7, 0x100(x6): an address that is known late */
        0x50032403, /*       lw   x8, 0x500(x6): takes its line of the L0 data cache */
        0xfe031ae3, /*       bne  x6, x0, loop */
    };
    static const uint32_t writes[] = {
        0x000064b7, /*       lui  x9, 6 */
        0x0084a303, /*       lw   x6, 8(x9) */
        0x0064a423, /* next: sw   x6, 8(x9) */
        0x00138393, /*       addi x7, x7, 1 */
        0x03f3f413, /*       andi x8, x7, 63 */
        0x0c040413, /*       addi x8, x8, 192 */
        0xfff40413, /* wait: addi x8, x8, -1 */
        0xfe041ee3, /*       bne  x8, x0, wait */
        0xfe9ff06f, /*       jal  x0, next */
    };
    const uint32_t released = TILE_SOFT_RESET & ~(tile_reset_bits[RV_B] | tile_reset_bits[RV_T0]);
    tile_write(tile, 0, writes, sizeof writes);
    tile_write(tile, 0x6000, polls, sizeof polls);
    tile_write(tile, 0xFFB121B0, &released, sizeof released);
}

/* step: events between two looks at what can be written; 0: as usual. */
static waitgate_tile *traced(const struct program *p, enum way way, size_t step, struct lines *text)
{
    struct rng r = rng_of(p->seed, (uint64_t)p->number << 16 | 7);
    waitgate_tile *w;
    text->n = text->last = text->backwards = 0;
    if (waitgate_tile_create(&w) != WAITGATE_OK ||
        waitgate_tile_trace(w, collect, text) != WAITGATE_OK)
        abort();
    if (p->number == OVERWRITTEN)
        load_overwritten(&w->tile);
    else
        program_load(p, &w->tile);
    w->queue.step = step;
    w->queue.due = step ? step : TRACE_FLUSH_AT;
    waitgate_tile_no_skip(w, way == WAY_NO_SKIP);
    if (way != WAY_SLICES)
        waitgate_tile_clock(w, LIMIT);
    else
        while (waitgate_tile_cycle(w) < LIMIT &&
               waitgate_tile_clock(w, 1 + rng_below(&r, 700)) == WAITGATE_TILE_LIMIT)
            ;
    return w;
}

static bool same(const struct lines *a, const struct lines *b)
{
    return a->n == b->n && !memcmp(a->at, b->at, b->n);
}

static const char *const names[] = {"clocked", "no_skip", "slices"};

static bool check(const struct program *p, enum way way, size_t *most)
{
    static struct lines streamed, sorted, usual;
    waitgate_tile *one = traced(p, way, 1, &streamed), *all = traced(p, way, SIZE_MAX / 2, &sorted);
    waitgate_tile *some = traced(p, way, 0, &usual);
    /* In slices a core may be past the end of a call: what it tells of the next one is late, and still in order. */
    bool late = way != WAY_SLICES && one->queue.late + some->queue.late;
    bool good = !late && !streamed.backwards && !sorted.backwards && one->queue.most <= BOUND &&
                same(&streamed, &sorted) && same(&usual, &sorted) &&
                some->queue.sorted <= 3 * some->queue.told &&
                some->queue.most <= TRACE_FLUSH_AT + BOUND;
    if (!good)
        printf("DIFFERENT: program %u, %s: %llu events too late, %u lines backwards, %u when "
               "sorted; %zu bytes, %zu when sorted, %zu as usual; up to %zu events were kept, "
               "expected no more than %u; as usual %zu, %llu of %llu sorted\n",
               p->number,
               names[way],
               (unsigned long long)one->queue.late,
               streamed.backwards,
               sorted.backwards,
               streamed.n,
               sorted.n,
               usual.n,
               one->queue.most,
               BOUND,
               some->queue.most,
               (unsigned long long)some->queue.sorted,
               (unsigned long long)some->queue.told);
    if (getenv("WG_TRACE"))
        fwrite(streamed.at, 1, streamed.n, stdout);
    *most = one->queue.most > *most ? one->queue.most : *most;
    waitgate_tile_free(some);
    waitgate_tile_free(one);
    waitgate_tile_free(all);
    return good;
}

/* In how many ways is something wrong? */
static unsigned check_program(uint64_t seed, unsigned number, size_t *most)
{
    static struct program p;
    unsigned bad = 0;
    if (number != OVERWRITTEN) {
        program_plan(&p, seed, number, number & 1);
        program_write(&p);
    }
    p.number = number;
    for (unsigned way = WAY_CLOCK; way <= WAY_SLICES; way++)
        bad += !check(&p, (enum way)way, most);
    if (bad)
        printf("again: clock_trace %llu 1 %u\n", (unsigned long long)seed, number);
    return bad;
}

/* Programs that have found something: parked cores that meet, loads behind one that waits, overwritten code. */
static const struct {
    uint64_t seed;
    unsigned number;
} found[] = {
    {0, OVERWRITTEN}, {1, 110}, {7, 50}, {7, 57}, {7, 134}, {7, 283}, {7, 664}, {7, 897}, {7, 960}};

int main(int argc, char **argv)
{
    const char *env = getenv("WG_SEED");
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : env ? strtoull(env, NULL, 0) : 1;
    unsigned count = WG_SLOW_BUILD ? PROGRAMS / 20 : PROGRAMS, first = 0, bad = 0;
    size_t most = 0;
    if (argc > 2)
        count = (unsigned)strtoul(argv[2], NULL, 0);
    if (argc > 3)
        first = (unsigned)strtoul(argv[3], NULL, 0);
    printf("seed %llu, programs %u to %u\n", (unsigned long long)seed, first, first + count - 1);
    for (unsigned i = first; i < first + count; i++)
        bad += check_program(seed, i, &most);
    for (unsigned i = 0; argc < 2 && i < sizeof found / sizeof *found; i++)
        bad += check_program(found[i].seed, found[i].number, &most);
    printf("up to %zu events were kept; different: %u\n", most, bad);
    return bad != 0;
}
