/*
 * handle_alpha.h - what stands behind waitgate_alpha.
 */
#ifndef WG_LIB_HANDLE_ALPHA_H
#define WG_LIB_HANDLE_ALPHA_H

#include <stdatomic.h>

#include "alpha/machine.h"
#include "joint/alpha_window.h"
#include "lib/text_sink.h"
#include "waitgate.h"

enum alpha_mode { ALPHA_MODE_NONE, ALPHA_MODE_CLOCKED, ALPHA_MODE_UNTIMED };

struct waitgate_alpha {
    enum alpha_mode mode;
    enum waitgate_alpha_end end;
    atomic_bool interrupted; /* by waitgate_alpha_interrupt(): the run shall end */
    struct text_sink trace;
    waitgate_alpha_place *place;
    void *place_context;
    waitgate_alpha_retire *retire;
    void *retire_context;
    struct probe probe;
    waitgate_tile *tile; /* behind the window; NULL: none */
    struct alpha_window window;
    struct machine m;
};

/* "0x120000580 main+0x20 (a.c:14)", as far as known. */
const char *report_alpha_place(const waitgate_alpha *a, uint64_t pc, char *buf, size_t n);

/* A line of the trace, in the columns of a tile's. */
void report_alpha_trace_line(const waitgate_alpha *a, const struct event *e);
/* Without time: an instruction has been executed, the n-th from 0 on. */
void report_alpha_trace_step(waitgate_alpha *a, uint64_t n, uint64_t pc, uint32_t word);

#endif
