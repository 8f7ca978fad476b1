/*
 * probe.h - what happened: events for traces, diagnostics for the user.
 *
 * Units emit, nothing in the model reads. A probe with an empty mask costs one test per event.
 * Diagnostics are counted per kind; the first DIAG_KEEP are kept whole.
 */
#ifndef WG_PROBE_PROBE_H
#define WG_PROBE_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum probe_event {
#define EVENT(id, name) EV_##id,
#include "probe/probe.def"
    N_EVENTS
};

enum diag_id {
#define DIAG(id, category, text) DIAG_##id,
#include "probe/diag.def"
    N_DIAGS
};

enum diag_category {
    DIAG_UNDEFINED,
    DIAG_CONTRACT,
    DIAG_HAZARD,
    DIAG_UNMODELLED,
    DIAG_NOTE,
    N_DIAG_CATEGORIES
};

enum diag_policy { DIAG_POLICY_WARN, DIAG_POLICY_STOP, DIAG_POLICY_IGNORE };

struct diag_info {
    const char *id, *text;
    uint8_t category;
};

extern const struct diag_info diag_table[N_DIAGS];
extern const char *const diag_category_names[N_DIAG_CATEGORIES];
extern const char *const probe_event_names[N_EVENTS];

struct event {
    uint64_t cycle;
    uint8_t kind;         /* enum probe_event */
    uint8_t agent;        /* enum wait_owner */
    uint8_t cause, owner; /* HOLD, UNIT_WAIT, CORE_WAIT */
    uint16_t tag;         /* source position, 0: none */
    uint32_t word;        /* instruction or value */
    uint32_t arg;
    uint64_t pc; /* of an Alpha CPU */
};

struct diag {
    uint64_t cycle;
    uint8_t id, agent;
    uint16_t tag;
    uint32_t word, arg;
};

#define DIAG_KEEP 256
#define DIAG_SEEN 64

struct probe {
    uint32_t mask; /* bit per enum probe_event that is wanted */
    bool stop;     /* a diagnostic asked to stop */
    uint64_t now;
    void (*sink)(void *ctx, const struct event *e);
    void *ctx;
    uint8_t policy[N_DIAG_CATEGORIES];
    uint32_t n_diags; /* kept */
    uint32_t count[N_DIAGS];
    struct diag diag[DIAG_KEEP];
    uint8_t seen[DIAG_SEEN]; /* where in diag[] the last one of its kind is, see probe_diag() */
};

/* The argument of a diagnostic that names a register and a margin in cycles. */
#define PROBE_MARGIN_OPEN 0x7fffff /* nobody knows when */
static inline uint32_t probe_margin(unsigned reg, int64_t margin)
{
    int64_t m = margin < -PROBE_MARGIN_OPEN ? -PROBE_MARGIN_OPEN : margin;
    return (uint32_t)m << 8 | (reg & 0xff);
}

/* The text of a diagnostic with its argument filled in; n is not 0. */
const char *probe_diag_text(const struct diag *d, char *buf, size_t n);

void probe_reset(struct probe *p);
/* Sends e, stamped with the probe's cycle, to the sink; probe_tell() makes it. Call through the inline below. */
void probe_send(struct probe *p, const struct event *e);
void probe_tell(struct probe *p, enum probe_event kind, unsigned agent, unsigned tag, uint32_t word,
                uint32_t arg);
/* Reports one thing about the guest. The same id at the same source position is kept once. */
void probe_diag(struct probe *p, enum diag_id id, unsigned agent, unsigned tag, uint32_t word,
                uint32_t arg);

static inline bool probe_wants(const struct probe *p, enum probe_event kind)
{
    return (p->mask >> kind) & 1;
}

static inline void probe_event(struct probe *p, enum probe_event kind, unsigned agent, unsigned tag,
                               uint32_t word, uint32_t arg)
{
    if (probe_wants(p, kind))
        probe_tell(p, kind, agent, tag, word, arg);
}

#endif
