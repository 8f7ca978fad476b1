/*
 * check.h - the expectations of a program, followed while it runs and judged when it is over.
 */
#ifndef WG_SCRIPT_CHECK_H
#define WG_SCRIPT_CHECK_H

#include "probe/probe.h"
#include "script/tts.h"

struct run;

/* What was seen so far of one expectation. */
struct check_state {
    uint64_t seen;  /* dispatches that matter to it; data: cells that differ */
    uint64_t value; /* cycle, word, or number of cycles; data: of the first cell that differs */
    uint64_t where; /* list: first dispatch that differs; data: first cell */
    bool differs, failed;
};

/* The instruction that a thread's gate holds. */
struct check_hold {
    bool open;
    uint8_t cause, owner;
    uint16_t tag;
    uint64_t since;
};

struct check {
    const struct tts_program *program;
    struct check_state *state; /* one per expectation */
    struct check_hold hold[3];
    unsigned n_failed;     /* expectations */
    unsigned n_unexpected; /* kept diagnostics that no expectation names */
};

/* Room for the expectations of p; false if there is none. */
bool check_init(struct check *c, const struct tts_program *p);
void check_free(struct check *c);
/* GO and HOLD events, in order. */
void check_event(struct check *c, const struct event *e);
/* The run is over: sets failed, n_failed, n_unexpected. */
void check_judge(struct check *c, const struct run *r);
/* Does the program expect to end this way? kind: EXPECT_DEADLOCK or EXPECT_MAX_CYCLES. */
bool check_expects(const struct tts_program *p, unsigned kind);
/* Failure i of n_failed + n_unexpected: its line, and text without the file name. */
unsigned check_failure(const struct check *c, const struct run *r, unsigned i, char *buf, size_t n);

#endif
