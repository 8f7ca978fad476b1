/*
 * result.h - what stands behind the opaque handles of waitgate.h.
 */
#ifndef WG_LIB_RESULT_H
#define WG_LIB_RESULT_H

#include "lib/text_sink.h"
#include "script/run.h"
#include "wait/blame.h"
#include "waitgate.h"

struct waitgate_program {
    struct tts_program *tts;
};

struct waitgate_result {
    struct text_sink trace;
    struct run run;
};

/* The rows of an agent's ledger with their shares, which add up to 100 %. */
void report_text_ledger(const struct text_sink *o, const struct ledger *l, uint64_t cycles);
/* The places that lost cycles, those that lost most first; how many there are. */
unsigned report_text_top_slots(const struct blame *b, const struct blame_slot *top[BLAME_SLOTS]);
/* The units that were ever occupied, one line each. */
void report_text_units(const struct text_sink *o, const struct coproc *cp, uint64_t cycles);
/* Numbers that are not the typical ones, if there are any: as lines behind an empty one, and as member "timing" of a JSON report. */
void report_text_changes(const struct text_sink *o, const struct timing *t);
void report_json_changes(const struct text_sink *o, const struct timing *t);
/* api_isa.c: gives a machine this number; false: it cannot be, and error, if it is not NULL, says why. */
bool api_isa_setting_take(struct timing *t, const struct waitgate_setting *s,
                          struct waitgate_text_error *error);
/* Members "threads" and "ledgers" of a JSON report. */
void report_json_threads(const struct text_sink *o, const struct coproc *cp);
void report_json_ledgers(const struct text_sink *o, const struct coproc *cp);
/* The pairs of one ledger: objects with commas between them. */
void report_json_pairs(const struct text_sink *o, const struct ledger *l);
/* The columns of a line of a trace, but for its source position. */
struct trace_words {
    char what[128], detail[96];
};
void trace_text_words(const struct event *e, struct trace_words *w);
void trace_text_line(const struct text_sink *o, const struct event *e, const struct trace_words *w,
                     const char *where);
/* One event as one line. */
void trace_text(struct text_sink *o, const struct tts_program *p, const struct event *e);
/* The source position of a tag, "demo.tts:12", or "". */
const char *trace_text_source(const struct tts_program *p, unsigned tag, char *buf, size_t n);
/* Who has to clear a wait; "-" for what is no wait. */
static inline const char *result_owner_text(const struct ledger_pair *p)
{
    return owner_names[p->cause <= WAIT_DONE ? OWNER_NONE : p->owner];
}
/* An action of a core as it is written: "sempost MATH_PACK". */
const char *trace_text_action(const struct tts_program *p, unsigned tag, char *buf, size_t n);

#endif
