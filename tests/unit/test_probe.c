/*
 * The probe: events go to the sink that wants them, diagnostics are counted, kept and turned into a
 * stop as the policy of their category says.
 */
#include "test.h"

#include <string.h>

#include "probe/probe.h"

static struct probe probe;
static struct event seen[1024];
static unsigned n_seen;

static void sink(void *ctx, const struct event *e)
{
    assert_ptr_equal(ctx, &probe);
    if (n_seen < sizeof seen / sizeof seen[0])
        seen[n_seen] = *e;
    n_seen++;
}

static void fresh(uint32_t mask)
{
    memset(&probe, 0, sizeof probe);
    probe.sink = sink;
    probe.ctx = &probe;
    probe.mask = mask;
    n_seen = 0;
}

/* An event reaches the sink exactly if its bit is in the mask, stamped with the probe's cycle. */
static void mask_selects_events(void **state)
{
    (void)state;
    for (unsigned want = 0; want < N_EVENTS; want++)
        for (unsigned kind = 0; kind < N_EVENTS; kind++) {
            fresh(1u << want);
            probe.now = 1000 + kind;
            probe_event(&probe, (enum probe_event)kind, 3, 0x1234, 0xdeadbeef, 42);
            assert_int_equal(n_seen, want == kind);
            if (n_seen) {
                assert_int_equal(seen[0].cycle, 1000 + kind);
                assert_int_equal(seen[0].kind, kind);
                assert_int_equal(seen[0].agent, 3);
                assert_int_equal(seen[0].tag, 0x1234);
                assert_int_equal(seen[0].word, 0xdeadbeef);
                assert_int_equal(seen[0].arg, 42);
            }
        }
}

/* Without a sink nothing happens, whatever the mask says. */
static void no_sink_is_harmless(void **state)
{
    (void)state;
    fresh(UINT32_MAX);
    probe.sink = NULL;
    probe_event(&probe, EV_GO, 0, 0, 0, 0);
    probe_diag(&probe, DIAG_STALE_GPR, 0, 1, 0, 0);
    assert_int_equal(n_seen, 0);
    assert_int_equal(probe.count[DIAG_STALE_GPR], 1);
}

/* Every diagnostic under every policy: warn counts and keeps, stop also stops, ignore does nothing. */
static void policy_of_the_category_decides(void **state)
{
    (void)state;
    for (unsigned id = 0; id < N_DIAGS; id++)
        for (unsigned policy = DIAG_POLICY_WARN; policy <= DIAG_POLICY_IGNORE; policy++)
            for (unsigned category = 0; category < N_DIAG_CATEGORIES; category++) {
                fresh(1u << EV_DIAG);
                probe.policy[category] = (uint8_t)policy;
                bool mine = diag_table[id].category == category;
                bool ignored = mine && policy == DIAG_POLICY_IGNORE;
                probe_diag(&probe, (enum diag_id)id, 1, 7, 8, 9);
                assert_int_equal(probe.stop, mine && policy == DIAG_POLICY_STOP);
                assert_int_equal(probe.count[id], !ignored);
                assert_int_equal(probe.n_diags, !ignored);
                assert_int_equal(n_seen, !ignored);
            }
}

/* What is kept is what was said, with the cycle. */
static void diagnostics_are_kept_whole(void **state)
{
    (void)state;
    fresh(1u << EV_DIAG);
    probe.now = 99;
    probe_diag(&probe, DIAG_CFG_RANGE, 2, 17, 0xb0000123, 291);
    assert_int_equal(probe.diag[0].cycle, 99);
    assert_int_equal(probe.diag[0].id, DIAG_CFG_RANGE);
    assert_int_equal(probe.diag[0].agent, 2);
    assert_int_equal(probe.diag[0].tag, 17);
    assert_int_equal(probe.diag[0].word, 0xb0000123);
    assert_int_equal(probe.diag[0].arg, 291);
    assert_int_equal(seen[0].arg, DIAG_CFG_RANGE);
    assert_int_equal(seen[0].word, 0xb0000123);
}

/* The same id of the same agent at the same source position is counted, but kept and sent once. */
static void repeats_are_kept_once(void **state)
{
    (void)state;
    fresh(1u << EV_DIAG);
    for (unsigned round = 0; round < 5; round++) {
        for (unsigned agent = 0; agent < 3; agent++)
            for (unsigned tag = 0; tag < 4; tag++) {
                probe_diag(&probe, DIAG_STALE_GPR, agent, tag, 0, 0);
                probe_diag(&probe, DIAG_STALE_CFG, agent, tag, 0, 0);
            }
        probe.now++;
    }
    assert_int_equal(probe.n_diags, 24);
    assert_int_equal(n_seen, 24);
    assert_int_equal(probe.count[DIAG_STALE_GPR], 60);
    assert_int_equal(probe.count[DIAG_STALE_CFG], 60);
    for (unsigned i = 0; i < 24; i++)
        assert_int_equal(probe.diag[i].cycle, 0); /* the first occurrence */
}

/* The first DIAG_KEEP different ones are kept; all are counted; the last policy still stops. */
static void no_more_than_the_limit_are_kept(void **state)
{
    (void)state;
    fresh(0);
    for (unsigned i = 0; i < DIAG_KEEP + 100; i++)
        probe_diag(&probe, DIAG_SEM_UNDERFLOW, 0, i, i, i);
    assert_int_equal(probe.n_diags, DIAG_KEEP);
    assert_int_equal(probe.count[DIAG_SEM_UNDERFLOW], DIAG_KEEP + 100);
    for (unsigned i = 0; i < DIAG_KEEP; i++)
        assert_int_equal(probe.diag[i].tag, i);
    assert_false(probe.stop);
    probe.policy[diag_table[DIAG_SEM_UNDERFLOW].category] = DIAG_POLICY_STOP;
    probe_diag(&probe, DIAG_SEM_UNDERFLOW, 0, 5, 5, 5); /* a repeat stops too */
    assert_true(probe.stop);
    assert_int_equal(probe.n_diags, DIAG_KEEP);
}

/* A reset forgets what was found and keeps sink, mask and policy. */
static void reset_keeps_the_wishes(void **state)
{
    (void)state;
    fresh(1u << EV_DIAG);
    probe.policy[DIAG_HAZARD] = DIAG_POLICY_STOP;
    probe.now = 5;
    probe_diag(&probe, DIAG_STALE_GPR, 0, 1, 2, 3);
    assert_true(probe.stop);
    probe_reset(&probe);
    assert_false(probe.stop);
    assert_int_equal(probe.now, 0);
    assert_int_equal(probe.n_diags, 0);
    assert_int_equal(probe.count[DIAG_STALE_GPR], 0);
    assert_int_equal(probe.mask, 1u << EV_DIAG);
    assert_int_equal(probe.policy[DIAG_HAZARD], DIAG_POLICY_STOP);
    probe_diag(&probe, DIAG_STALE_GPR, 0, 1, 2, 3);
    assert_int_equal(n_seen, 2);
}

/* Ids, texts and names are there, and none twice. */
static void tables_are_complete(void **state)
{
    (void)state;
    for (unsigned i = 0; i < N_DIAGS; i++) {
        assert_true(diag_table[i].category < N_DIAG_CATEGORIES);
        assert_true(strlen(diag_table[i].text) > 0);
        for (unsigned j = 0; j < i; j++)
            assert_string_not_equal(diag_table[i].id, diag_table[j].id);
    }
    for (unsigned i = 0; i < N_EVENTS; i++)
        for (unsigned j = 0; j < i; j++)
            assert_string_not_equal(probe_event_names[i], probe_event_names[j]);
    for (unsigned i = 0; i < N_DIAG_CATEGORIES; i++)
        assert_non_null(diag_category_names[i]);
}

/* A register and a margin share the argument. */
static void texts_name_registers_and_margins(void **state)
{
    static const struct {
        unsigned id, reg;
        int64_t margin;
        const char *text;
    } c[] = {{DIAG_GPR_NO_WAIT, 63, 0, "GPR 63, which"},
             {DIAG_GPR_NO_WAIT, 0, 0, "with 0 cycles to spare"},
             {DIAG_GPR_NO_WAIT, 5, 1, "with 1 cycle to spare"},
             {DIAG_STALE_GPR,
              2,
              -1,
              "reads GPR 2 before an earlier instruction has written it, 1 cycle too early"},
             {DIAG_STALE_GPR, 2, -65535, ", 65535 cycles too early"},
             {DIAG_STALE_GPR, 2, INT64_MIN, ", 8388607 cycles too early"},
             {DIAG_STALE_GPR,
              63,
              PROBE_MARGIN_OPEN,
              "GPR 63 before an earlier instruction has written it, nobody knows how many cycles "
              "too early"}};
    (void)state;
    for (unsigned i = 0; i < sizeof c / sizeof c[0]; i++) {
        struct diag one = {.id = (uint8_t)c[i].id, .arg = probe_margin(c[i].reg, c[i].margin)};
        char text[256];
        assert_non_null(strstr(probe_diag_text(&one, text, sizeof text), c[i].text));
    }
}

TEST_MAIN(cmocka_unit_test(mask_selects_events), cmocka_unit_test(no_sink_is_harmless),
          cmocka_unit_test(policy_of_the_category_decides),
          cmocka_unit_test(diagnostics_are_kept_whole), cmocka_unit_test(repeats_are_kept_once),
          cmocka_unit_test(no_more_than_the_limit_are_kept),
          cmocka_unit_test(reset_keeps_the_wishes), cmocka_unit_test(tables_are_complete),
          cmocka_unit_test(texts_name_registers_and_margins))
