/*
 * test_order.c - untimed, racy programs for several cores leave the same in every byte and register, in whatever pieces the host clocks the chip.
 *
 * Each program runs to its end on a chip of its own: 1, 16, 64, 256 and 1000 clocks at a time, and random numbers of them. The host
 * writes nothing in between, and looks at something here and there, which must not matter. A program that does not end is left out,
 * but then it must not end for any of them.
 *
 * Arguments: seed, number of programs, first program. Or WG_SEED in the environment.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/chip.h"
#include "program.h"

#define PROGRAMS 40u
#define CLOCKS   40000u /* of a program, at most */
#define RANDOM   0u

static const uint32_t slices[] = {64, 1, 16, 256, 1000, RANDOM, RANDOM};
#define N_SLICES (sizeof slices / sizeof *slices)

static bool all_at_end(const struct program *p, const struct tile *tile)
{
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        const struct rvcore *c = &tile->core[i];
        const struct program_core *q = &p->core[i];
        if (has_core(p, i) &&
            (c->state == RV_HELD || (c->state != RV_STOPPED && c->pc - q->end >= q->end_size)))
            return false;
    }
    return true;
}

/* A host that looks at L1, at a register, at the time. */
static void look(struct chip *c, struct rng *r)
{
    static const uint32_t places[] = {0x28000, 0xFFB121F0, 0xFFB121B0, 0xFFEF0000};
    uint32_t word;
    chip_read(c, 1, 2, places[rng_below(r, 4)], &word, sizeof word);
}

static struct chip *run(const struct program *p, unsigned i, bool *ended)
{
    struct rng r = rng_of(p->seed, (uint64_t)p->number << 16 | i);
    struct chip *c = chip_new();
    uint32_t zero = 0;
    if (!c || !chip_write(c, 1, 2, 0, &zero, sizeof zero))
        abort();
    program_load(p, c->tile[0]);
    for (uint32_t clocks = 0; clocks < CLOCKS && !all_at_end(p, c->tile[0]);) {
        uint32_t n = slices[i] ? slices[i] : 1 + rng_below(&r, rng_percent(&r, 50) ? 8 : 300);
        chip_clock(c, n);
        clocks += n;
        if (i && rng_percent(&r, 20))
            look(c, &r);
    }
    *ended = all_at_end(p, c->tile[0]);
    for (unsigned k = 0; k < 20; k++) /* what was pushed last */
        chip_clock(c, 1000);
    return c;
}

/* What differs, in words; NULL: nothing. */
static const char *differs(const struct tile *a, const struct tile *b)
{
    if (memcmp(a->l1_bytes, b->l1_bytes, sizeof a->l1_bytes))
        return "L1";
    for (unsigned i = 0; i < RV_N_CORES; i++)
        if (memcmp(a->core[i].x, b->core[i].x, 32 * sizeof *a->core[i].x))
            return "registers of a core";
    if (memcmp(a->local, b->local, sizeof a->local))
        return "data RAM of a core";
    if (memcmp(a->coproc.gpr.r, b->coproc.gpr.r, sizeof a->coproc.gpr.r))
        return "GPRs";
    if (memcmp(a->coproc.config.word, b->coproc.config.word, sizeof a->coproc.config.word))
        return "Config";
    if (memcmp(a->coproc.issued, b->coproc.issued, sizeof a->coproc.issued))
        return "words that left a gate";
    for (unsigned i = 0; i < SYNC_SEMAPHORES; i++)
        if (a->coproc.sync.sem[i].value != b->coproc.sync.sem[i].value)
            return "a semaphore";
    return NULL;
}

int main(int argc, char **argv)
{
    const char *text = getenv("WG_SEED");
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : text ? strtoull(text, NULL, 0) : 1;
    unsigned n = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 0) : PROGRAMS;
    unsigned first = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 0) : 0, bad = 0, ends = 0;
    static struct program p;
    printf("seed %" PRIu64 ", programs %u to %u\n", seed, first, first + n - 1);
    for (unsigned k = first; k < first + n; k++) {
        bool ended, other;
        program_plan(&p, seed, k, k % 4 != 0);
        program_write(&p);
        struct chip *a = run(&p, 0, &ended);
        ends += ended;
        for (unsigned i = 1; i < N_SLICES; i++) {
            struct chip *b = run(&p, i, &other);
            const char *what = ended != other ? "whether it ends"
                               : ended        ? differs(a->tile[0], b->tile[0])
                                              : NULL;
            if (what)
                printf("program %u, clocks of %" PRIu32 " and %" PRIu32 " (0: random): %s\n",
                       k,
                       slices[0],
                       slices[i],
                       what);
            bad += what != NULL;
            chip_free(b);
        }
        chip_free(a);
    }
    printf("%u programs, %u end; different: %u\n", n, ends, bad);
    return bad || ends < n / 4;
}
