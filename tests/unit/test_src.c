/*
 * Src banks: who owns which, and who points at which, against a reference written from the pages
 * SETDVALID, SETRWC, CLEARDVALID and rule 4.11 of docs/timing.md (a flip is seen SRC_RELEASE cycles
 * after it goes, by the Matrix Unit itself at once).
 */
#include "test.h"

#include <string.h>

#include "drive.h"
#include "isa/timing.h"
#include "model/rng.h"
#include "state/src.h"

#define SEED UINT64_C(20250107)

static struct drive d;
static struct probe probe;

/* ---- the reference: the state everybody sees, and the flips that are not yet part of it ---- */

struct view {
    bool matrix_owns[2][2];
    unsigned unpack[2], matrix[2];
};

struct flip {
    uint64_t seen; /* first cycle in which it is seen */
    unsigned which;
    bool release, toggle;
};

static struct ref {
    struct view v;
    struct flip flip[64];
    unsigned n;
} ref;

static void view_flip(struct view *v, const struct flip *f)
{
    if (f->release)
        v->matrix_owns[f->which][v->matrix[f->which]] = false;
    if (f->toggle)
        v->matrix[f->which] = 1 - v->matrix[f->which];
}

static void view_give(struct view *v, unsigned which)
{
    v->matrix_owns[which][v->unpack[which]] = true;
    v->unpack[which] = 1 - v->unpack[which];
}

/* As the Matrix Unit itself sees it: every flip done. */
static struct view ref_ahead(void)
{
    struct view v = ref.v;
    for (unsigned i = 0; i < ref.n; i++)
        view_flip(&v, &ref.flip[i]);
    return v;
}

/* The cycle before `now` has ended. */
static void ref_advance(uint64_t now)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < ref.n; i++)
        if (ref.flip[i].seen <= now)
            view_flip(&ref.v, &ref.flip[i]);
        else
            ref.flip[kept++] = ref.flip[i];
    ref.n = kept;
}

static void ref_flip(unsigned which, uint64_t now, bool release, bool toggle)
{
    assert_in_range(ref.n, 0, 63);
    ref.flip[ref.n++] = (struct flip){now + T_SRC_RELEASE, which, release, toggle};
}

static void same(const struct src *s)
{
    struct view ahead = ref_ahead();
    for (unsigned w = 0; w < 2; w++) {
        for (unsigned b = 0; b < 2; b++) {
            assert_int_equal(s->owner[w][b] == SRC_MATRIX, ref.v.matrix_owns[w][b]);
            assert_int_equal(s->issue_owner[w][b] == SRC_MATRIX, ahead.matrix_owns[w][b]);
        }
        assert_int_equal(s->unpack_bank[w], ref.v.unpack[w]);
        assert_int_equal(s->matrix_bank[w], ref.v.matrix[w]);
        assert_int_equal(s->issue_bank[w], ahead.matrix[w]);
        assert_int_equal(src_unpack_ready(s, w), !ref.v.matrix_owns[w][ref.v.unpack[w]]);
        assert_int_equal(src_matrix_ready(s, w), ahead.matrix_owns[w][ahead.matrix[w]]);
    }
}

/* One random action of the Matrix Unit on one Src, if it owns its bank. */
static void act(struct src *s, struct rng *g, unsigned which, uint64_t now)
{
    struct view ahead = ref_ahead();
    bool owns = ahead.matrix_owns[which][ahead.matrix[which]];
    unsigned kind = rng_below(g, 4);
    if (kind < 2 && owns) { /* an ordinary flip; CLEARDVALID that keeps its bank */
        assert_true(src_flip(s, which, now, true, kind == 0));
        ref_flip(which, now, true, kind == 0);
    } else if (kind == 2 && rng_percent(g, 20)) { /* CLR_DVALID_Src_Disable: only the pointer */
        assert_true(src_flip(s, which, now, false, true));
        ref_flip(which, now, false, true);
    }
}

/* Hand-overs in random order, both Srcs at once, every cycle compared. */
static void random_sequences(void **state)
{
    struct rng g = rng_of(SEED, 0);
    struct src s;
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    memset(&s, 0xff, sizeof s);
    src_reset(&s, &timing_typical);
    memset(&ref, 0, sizeof ref);
    for (uint64_t now = 0; now < 200000; now++) {
        same(&s);
        for (unsigned w = 0; w < 2; w++)
            if (rng_percent(&g, 60))
                act(&s, &g, w, now);
        if (rng_percent(&g, 1) && now % 50 == 0) { /* CLEARDVALID with Reset */
            src_clear(&s);
            memset(&ref, 0, sizeof ref);
        }
        same(&s);
        for (unsigned w = 0; w < 2; w++)
            if (!ref.v.matrix_owns[w][ref.v.unpack[w]] && rng_percent(&g, 50)) {
                assert_true(src_give(&s, w));
                view_give(&ref.v, w);
            }
        unsigned pending = ref.n;
        ref_advance(now + 1);
        assert_int_equal(src_clock(&s, now, &probe), ref.n < pending);
    }
}

/* Giving a bank that the Matrix Unit already has, and giving back one it has not, work and are
   told. */
static void odd_hand_overs_are_told(void **state)
{
    (void)state;
    for (unsigned w = 0; w < 2; w++)
        for (unsigned bank = 0; bank < 2; bank++)
            for (unsigned owner = 0; owner < 2; owner++) {
                struct src s;
                src_reset(&s, &timing_typical);
                src_set_owner(&s, w, bank, owner);
                s.unpack_bank[w] = (uint8_t)bank;
                assert_int_equal(src_give(&s, w), owner == SRC_UNPACKERS);
                assert_int_equal(s.owner[w][bank], SRC_MATRIX);
                assert_int_equal(s.unpack_bank[w], 1 - bank);
                src_set_owner(&s, w, bank, owner);
                s.matrix_bank[w] = s.issue_bank[w] = (uint8_t)bank;
                assert_int_equal(src_flip(&s, w, 10, true, true), owner == SRC_MATRIX);
                src_clock(&s, 9 + T_SRC_RELEASE, &probe);
                assert_int_equal(s.owner[w][bank], SRC_UNPACKERS);
                assert_int_equal(s.matrix_bank[w], 1 - bank);
            }
}

/* ---- through the tile ---- */

static struct tally {
    uint32_t unowned_flips, unowned_gives;
} tally;

static void ref_setdvalid(unsigned mask)
{
    for (unsigned w = 0; w < 2; w++)
        if (mask >> w & 1) {
            tally.unowned_gives += ref.v.matrix_owns[w][ref.v.unpack[w]];
            view_give(&ref.v, w);
        }
}

static void ref_release(unsigned w, bool release, bool toggle)
{
    struct flip f = {0, w, release, toggle};
    tally.unowned_flips += release && !ref.v.matrix_owns[w][ref.v.matrix[w]];
    view_flip(&ref.v, &f);
}

static void tile_same(void)
{
    same(&d.t.src);
    assert_int_equal(d.t.probe.count[DIAG_FLIP_UNOWNED], tally.unowned_flips);
    assert_int_equal(d.t.probe.count[DIAG_DVALID_UNOWNED], tally.unowned_gives);
}

/* SETDVALID, SETRWC with flips under all settings of CLR_DVALID_Src*_Disable, CLEARDVALID with all
   combinations of keep and reset, one after the other in random order, odd ones included. */
static void random_instructions(void **state)
{
    struct rng g = rng_of(SEED, 1);
    unsigned disable[3] = {0};
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    drive_reset(&d);
    memset(&ref, 0, sizeof ref);
    memset(&tally, 0, sizeof tally);
    for (unsigned n = 0; n < 20000; n++) {
        unsigned t = rng_below(&g, 3), kind = rng_below(&g, 8);
        uint32_t mask = rng_below(&g, 4), mode = rng_percent(&g, 80) ? 0 : rng_below(&g, 4);
        if (kind == 0) {
            disable[t] = rng_percent(&g, 50) ? 0 : mask;
            drive_one(&d, t, (uint32_t)TENSIX_OP_SETC16 << 24 | 7u << 16 | disable[t]);
        } else if (kind < 4) {
            ref_setdvalid(mask);
            drive_one(&d, t, (uint32_t)TENSIX_OP_SETDVALID << 24 | mask);
        } else if (kind < 6) {
            for (unsigned w = 0; w < 2; w++)
                if (mask >> w & 1)
                    ref_release(w, !(disable[t] >> w & 1), true);
            drive_one(&d, t, (uint32_t)TENSIX_OP_SETRWC << 24 | mask << 22);
        } else {
            if (mode & 1)
                memset(&ref, 0, sizeof ref);
            for (unsigned w = 0; w < 2 && !(mode & 1); w++)
                if (mask >> w & 1)
                    ref_release(w, true, !(mode & 2));
            drive_one(&d, t, (uint32_t)TENSIX_OP_CLEARDVALID << 24 | mask << 22 | mode);
        }
        tile_same();
    }
    assert_true(tally.unowned_flips && tally.unowned_gives);
}

/* A flip that goes in t: the Matrix Unit's own view moves at once, everybody sees it in t +
   SRC_RELEASE and not before. SETDVALID is seen in t + 1. */
static void a_flip_is_seen_later(void **state)
{
    (void)state;
    for (unsigned w = 0; w < 2; w++)
        for (unsigned clear = 0; clear < 2; clear++) {
            uint32_t op = clear ? TENSIX_OP_CLEARDVALID : TENSIX_OP_SETRWC;
            drive_reset(&d);
            drive_add(&d, 0, (uint32_t)TENSIX_OP_SETDVALID << 24 | 1u << w);
            drive_add(&d, 0, op << 24 | UINT32_C(1) << (22 + w));
            const struct src *s = &d.t.src;
            while (d.t.now < 20) {
                uint64_t now = d.t.now, t = DRIVE_FIRST + 1;
                bool given = now >= DRIVE_FIRST + 1, back = now >= t + T_SRC_RELEASE;
                assert_int_equal(s->owner[w][0] == SRC_MATRIX, given && !back);
                assert_int_equal(s->matrix_bank[w], back);
                assert_int_equal(s->unpack_bank[w], given);
                assert_int_equal(s->issue_bank[w], now >= t + 1);
                drive_step(&d);
            }
        }
}

/* A bank given while its release is still on its way: whatever the outcome, it does not depend on
   which thread did what, and once nothing is pending the Matrix Unit's own view is everybody's. */
static void give_meets_pending_flip(void **state)
{
    uint32_t give = (uint32_t)TENSIX_OP_SETDVALID << 24 | 1;
    uint32_t flip = (uint32_t)TENSIX_OP_SETRWC << 24 | UINT32_C(1) << 22;
    (void)state;
    for (unsigned given = 0; given < 3; given += 2) /* none: the flip is unowned; both: the give */
        for (unsigned gap = 0; gap < 4; gap++) {
            struct src first = {0};
            for (unsigned a = 0; a < 2; a++) {
                drive_reset(&d);
                for (unsigned i = 0; i < given; i++)
                    drive_one(&d, 0, give);
                drive_add(&d, a, flip);
                for (unsigned i = 0; i < gap; i++)
                    drive_add(&d, 1 - a, DRIVE_NOP);
                drive_add(&d, 1 - a, give);
                drive_run(&d);
                const struct src *s = &d.t.src;
                assert_memory_equal(s->owner, s->issue_owner, sizeof s->owner);
                assert_memory_equal(s->matrix_bank, s->issue_bank, sizeof s->issue_bank);
                if (a)
                    assert_memory_equal(s->owner, first.owner, sizeof s->owner);
                first = *s;
            }
        }
}

TEST_MAIN(cmocka_unit_test(random_sequences), cmocka_unit_test(odd_hand_overs_are_told),
          cmocka_unit_test(random_instructions), cmocka_unit_test(a_flip_is_seen_later),
          cmocka_unit_test(give_meets_pending_flip))
