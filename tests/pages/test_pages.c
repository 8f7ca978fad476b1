/*
 * test_pages.c - random cases of each kind, on the coprocessor and on the model of the pages.
 *
 *   pages [SEED [COUNT [FIRST [KIND]]]]
 *
 * COUNT cases per kind from number FIRST on; only kind KIND if there is one. A difference is printed with its
 * words, its Config and the arguments that repeat it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/tensix_dis.h"
#include "pages.h"

static struct pg_case one;
static struct pg expected;
static uint64_t executed;

/* Everything that is set, in the bank that the thread uses. */
static void print_case(const struct pg_case *c)
{
    unsigned t = c->thread[0], bank = c->start.th[t][0] & 1;
    printf("  thread %u, %s%s%s; words:",
           t,
           c->together ? "together" : "one by one",
           !c->drain ? ""
           : c->rush ? ", in a rush"
                     : ", without time",
           c->plain ? ", plain" : "");
    for (unsigned i = 0; i < c->n; i++)
        printf(" %08" PRIx32, c->word[i]);
    printf("\n  Config:");
    for (unsigned i = 0; i < 224; i++)
        if (c->start.cfg[bank][i])
            printf(" %u=%08" PRIx32, i, c->start.cfg[bank][i]);
    printf("\n  ThreadConfig:");
    for (unsigned i = 0; i < 68; i++)
        if (c->start.th[t][i])
            printf(" %u=%04x", i, c->start.th[t][i]);
    const struct pg_rwc *w = &c->start.rwc[t];
    printf("\n  row counters: D %u/%u A %u/%u B %u/%u phase %u\n",
           w->dst,
           w->dst_cr,
           w->a,
           w->a_cr,
           w->b,
           w->b_cr,
           w->phase);
    for (unsigned k = 0; k < 3; k++) {
        printf("  ADC %u:", k);
        for (unsigned i = 0; i < 8; i++)
            printf(" %u", c->start.adc[t][k][i / 4][i % 4].v);
        printf("\n");
    }
}

/* One case; false if it differs. */
static bool try_one(const struct pg_kind *k, unsigned index, uint64_t seed, uint64_t i, bool quiet)
{
    struct rng mix = rng_of(seed * 64 + index, i), r = {0}; /* neighbours must not share numbers */
    r.state = (uint64_t)rng_next(&mix) << 32;
    r.state |= rng_next(&mix);
    char text[256];
    k->make(&one, &r);
    const char *cut = getenv("PAGES_CUT"); /* only so many words, to find the one that differs */
    if (cut && (unsigned)atoi(cut) < one.n)
        one.n = (unsigned)atoi(cut);
    expected = one.start;
    unsigned plays = one.plays ? one.plays : 1;
    for (unsigned n = 0; n < one.n * plays; n++) {
        uint32_t word = one.word[n % one.n];
        if (pg_blocked(&expected, word)) {
            one.n = n;
            break;
        }
        pg_exec(&expected, one.thread[n % one.n], word);
        executed++;
    }
    if (pg_compare(&one, &expected, text, sizeof text))
        return true;
    if (quiet && getenv("PAGES_ALL"))
        printf("%s %" PRIu64 ": %s; 70=%08" PRIx32 " 18=%08" PRIx32 "\n",
               k->name,
               i,
               text,
               one.start.cfg[one.start.th[one.thread[0]][0] & 1][70],
               one.start.cfg[one.start.th[one.thread[0]][0] & 1][18]);
    if (!quiet) {
        printf("%s: %s\n", k->name, text);
        print_case(&one);
        printf("  again: pages %" PRIu64 " 1 %" PRIu64 " %s\n", seed, i, k->name);
    }
    return false;
}

int main(int argc, char **argv)
{
    static const struct pg_kind *const lists[] = {
        pg_kinds_matrix, pg_kinds_unpack, pg_kinds_pack, pg_kinds_vector, pg_kinds_scalar};
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : (WG_SLOW_BUILD ? 40 : 250);
    uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 0) : 0;
    unsigned index = 0, bad = 0;
    printf("seed %" PRIu64 ", %" PRIu64 " cases of each kind\n", seed, count);
    for (unsigned l = 0; l < sizeof lists / sizeof *lists; l++)
        for (const struct pg_kind *k = lists[l]; k->name; k++, index++) {
            unsigned differ = 0;
            if (argc > 4 && strcmp(argv[4], k->name) != 0)
                continue;
            for (uint64_t i = first; i < first + count; i++)
                differ += !try_one(k, index, seed, i, differ >= 1);
            if (getenv("PAGES_ALL"))
                printf("%s: %" PRIu64 " words so far\n", k->name, executed);
            if (differ)
                printf("%s: %u of %" PRIu64 " differ\n", k->name, differ, count);
            bad += differ;
        }
    for (uint64_t i = first; argc <= 4 && i < first + count; i++) {
        struct rng mix = rng_of(seed, i), r = {0};
        r.state = (uint64_t)rng_next(&mix) << 32;
        r.state |= rng_next(&mix);
        pg_chaos(&r);
    }
    printf("%" PRIu64 " words, %" PRIu64 " cycles in bursts, %u differences\n",
           executed,
           pg_in_bursts,
           bad);
    return bad ? 1 : 0;
}
