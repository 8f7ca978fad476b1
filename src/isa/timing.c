/*
 * timing.c - the table of depths, lags and rates, made from timing.def, and how a machine is given other numbers.
 *
 * Block: none; data used by the front end, the gate and the units.
 * Documents: named row by row in timing.def.
 * Invariants, checked by the compiler: min <= typ <= max; what can be set has room for all that is plausible.
 *
 * **Inaccuracies**: those of the rows marked GUESSED; `waitgate timing` lists them.
 */
#include "isa/timing.h"

#include <stdio.h>
#include <string.h>

#include "isa/tensix.h"

/* clang-format off */
#define FITS_(min, max, lo, hi) (!(hi) || ((lo) <= (min) && (max) <= (hi)))
#define FITS(...)   FITS_(__VA_ARGS__)
#define STRUCTURAL  0, 0
#define SET(lo, hi) lo, hi
#define TIMING(name, min, typ, max, set, evidence, source, text)                                   \
    _Static_assert((min) <= (typ) && (typ) <= (max), #name ": range out of order");                \
    _Static_assert(FITS(min, max, set), #name ": no room for what is plausible");
#include "isa/timing.def"

#define STRUCTURAL  0, 0
#define SET(lo, hi) lo, hi
#define TIMING(name, min, typ, max, set, evidence, source, text)                                   \
    {#name, {min, typ, max, set, 0, EVIDENCE_##evidence, source}, text},
const struct timing_row timing_table[TIMING_N] = {
#include "isa/timing.def"
};

/* Typical costs by opcode. */
#define INSN(name, opcode, unit, block, class, text) [opcode] = {
#define ISSUE(min, typ, max, evidence, source)         .issue = (typ),
#define LATENCY(min, typ, max, evidence, source)       .latency = (typ),
#define FIXED_ISSUE(min, typ, max, evidence, source)   .issue = (typ),
#define FIXED_LATENCY(min, typ, max, evidence, source) .latency = (typ),
#define ISSUE_OF(row, plus, evidence, source)          .issue = T_##row + (plus),
#define LATENCY_OF(row, plus, evidence, source)        .latency = T_##row + (plus),
#define END(name)                                     },
#define TIMING(name, min, typ, max, set, evidence, source, text) .name = (typ),
const struct timing timing_typical = {
    .n = {{
#include "isa/timing.def"
    }},
    .op = {
#include "isa/tensix.def"
    },
};
/* clang-format on */

/* ---- names ---- */

/* A number that has a name. */
struct timing_slot {
    const struct cost *cost;
    uint16_t *value;
};

/* "MVMUL.latency" */
static bool timing_find_cost(struct timing *t, const char *name, struct timing_slot *slot)
{
    const char *dot = strchr(name, '.');
    bool issue = dot && !strcmp(dot, ".issue");
    if (!issue && !(dot && !strcmp(dot, ".latency")))
        return false;
    for (unsigned i = 0; i < 256; i++) {
        const struct tensix_insn *insn = &tensix_table[i];
        size_t n = (size_t)(dot - name);
        if (!insn->name || strlen(insn->name) != n || strncmp(insn->name, name, n) != 0)
            continue;
        slot->cost = issue ? &insn->issue : &insn->latency;
        slot->value = issue ? &t->op[i].issue : &t->op[i].latency;
        return true;
    }
    return false;
}

static bool timing_find(struct timing *t, const char *name, struct timing_slot *slot)
{
    for (unsigned i = 0; i < TIMING_N; i++)
        if (!strcmp(timing_table[i].name, name)) {
            slot->cost = &timing_table[i].cost;
            slot->value = &t->n.row[i];
            return true;
        }
    return timing_find_cost(t, name, slot);
}

static unsigned timing_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (unsigned)(c - 'a' + 'A') : (unsigned)(unsigned char)c;
}

#define TIMING_NAME 40u

/* Letters to be put in, left out or changed between two names, whatever their case. */
static unsigned timing_distance(const char *a, const char *b)
{
    unsigned row[TIMING_NAME + 1], n = (unsigned)strlen(b);
    if (n > TIMING_NAME)
        return n;
    for (unsigned k = 0; k <= n; k++)
        row[k] = k;
    for (; *a; a++) {
        unsigned corner = row[0]++;
        for (unsigned k = 1; k <= n; k++) {
            unsigned cost = corner + (timing_upper(*a) != timing_upper(b[k - 1]));
            corner = row[k];
            row[k] = row[k] < row[k - 1] ? row[k] + 1 : row[k - 1] + 1;
            row[k] = cost < row[k] ? cost : row[k];
        }
    }
    return row[n];
}

/* Keeps the nearest name. */
static void timing_nearer(const char *name, const char *other, unsigned *best, char to[TIMING_NAME])
{
    unsigned d = timing_distance(name, other);
    if (d >= *best)
        return;
    *best = d;
    snprintf(to, TIMING_NAME, "%s", other);
}

static void timing_unknown(const char *name, char why[TIMING_WHY])
{
    char near[TIMING_NAME] = "", cost[TIMING_NAME];
    unsigned best = (unsigned)strlen(name) / 2 + 1;
    for (unsigned i = 0; i < TIMING_N; i++)
        timing_nearer(name, timing_table[i].name, &best, near);
    for (unsigned i = 0; i < 256; i++) {
        if (!tensix_table[i].name)
            continue;
        snprintf(cost, sizeof cost, "%s.latency", tensix_table[i].name);
        timing_nearer(name, cost, &best, near);
        snprintf(cost, sizeof cost, "%s.issue", tensix_table[i].name);
        timing_nearer(name, cost, &best, near);
    }
    snprintf(why,
             TIMING_WHY,
             "no number is called '%.60s'%s%s%s; `waitgate timing` lists all",
             name,
             *near ? "; did you mean '" : "",
             near,
             *near ? "'?" : "");
}

/* ---- setting ---- */

/* Costs that follow a row. */
static void timing_follow(struct timing *t, unsigned row)
{
    for (unsigned i = 0; i < 256; i++) {
        const struct tensix_insn *insn = &tensix_table[i];
        int by = (int)t->n.row[row] - (int)timing_table[row].cost.typ;
        if (insn->issue.follows == row + 1)
            t->op[i].issue = (uint16_t)(insn->issue.typ + by);
        if (insn->latency.follows == row + 1)
            t->op[i].latency = (uint16_t)(insn->latency.typ + by);
    }
}

static bool timing_refuses(const char *name, const struct cost *c, uint32_t value, bool force,
                           char why[TIMING_WHY])
{
    unsigned lo = c->min > c->lo ? c->min : c->lo, hi = c->max < c->hi ? c->max : c->hi;
    if (c->follows)
        snprintf(
            why, TIMING_WHY, "%s follows %s: set that", name, timing_table[c->follows - 1].name);
    else if (!c->hi)
        snprintf(why,
                 TIMING_WHY,
                 "%s is structural: it follows from how the model is built, and cannot be set",
                 name);
    else if (value < c->lo || value > c->hi)
        snprintf(why,
                 TIMING_WHY,
                 "%s = %lu: the model has room for %u to %u only",
                 name,
                 (unsigned long)value,
                 c->lo,
                 c->hi);
    else if (!force && (value < lo || value > hi))
        snprintf(why,
                 TIMING_WHY,
                 "%s = %lu is outside of its range of %u to %u (typical %u); %lu! forces it",
                 name,
                 (unsigned long)value,
                 lo,
                 hi,
                 c->typ,
                 (unsigned long)value);
    else
        return false;
    return true;
}

bool timing_set(struct timing *t, const char *name, uint32_t value, bool force,
                char why[TIMING_WHY])
{
    struct timing_slot slot;
    if (!timing_find(t, name, &slot)) {
        timing_unknown(name, why);
        return false;
    }
    if (timing_refuses(name, slot.cost, value, force, why))
        return false;
    *slot.value = (uint16_t)value;
    if (slot.value >= t->n.row && slot.value < t->n.row + TIMING_N)
        timing_follow(t, (unsigned)(slot.value - t->n.row));
    return true;
}

/* ---- what is not typical ---- */

static bool timing_differs(const struct cost *c, unsigned value, unsigned typ, const char *name,
                           const char *what, struct timing_change *change)
{
    if (c->follows || value == typ)
        return false;
    snprintf(change->name, sizeof change->name, "%s%s", name, what);
    change->value = value;
    change->typ = typ;
    return true;
}

bool timing_next_change(const struct timing *t, unsigned *at, struct timing_change *change)
{
    while (*at < TIMING_N + 512) {
        unsigned i = (*at)++;
        if (i < TIMING_N) {
            const struct timing_row *r = &timing_table[i];
            if (timing_differs(&r->cost, t->n.row[i], r->cost.typ, r->name, "", change))
                return true;
            continue;
        }
        const struct tensix_insn *insn = &tensix_table[(i - TIMING_N) / 2];
        const struct timing_cost *c = &t->op[(i - TIMING_N) / 2];
        bool issue = !((i - TIMING_N) & 1);
        if (insn->name && timing_differs(issue ? &insn->issue : &insn->latency,
                                         issue ? c->issue : c->latency,
                                         issue ? insn->issue.typ : insn->latency.typ,
                                         insn->name,
                                         issue ? ".issue" : ".latency",
                                         change))
            return true;
    }
    return false;
}
