/*
 * cmd_timing.c - waitgate timing: every number of the timing model, with range and evidence.
 *
 * Block: none; prints src/isa/timing.def and the costs of src/isa/tensix.def.
 *
 * **Inaccuracies**: none.
 */
#define _POSIX_C_SOURCE 200809L

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "waitgate.h"

#define N_EVIDENCE 4

struct report {
    int only; /* enum waitgate_evidence, -1 for all */
    unsigned count[N_EVIDENCE];
};

static void print_usage(FILE *out)
{
    fprintf(out,
            "usage: waitgate timing [--evidence documented|measured|inferred|guessed]\n\n"
            "Prints minimum, typical and maximum of every number the model uses, how well it is\n"
            "known, and from where. '-' means no bound. A machine has the typical numbers;\n"
            "`waitgate run --timing NAME=VALUE` gives it others. \"set\" says which:\n"
            "lowest..highest that the model has room for; =ROW: it follows that number, set\n"
            "that; structural: it follows from how the model is built and cannot be set. The\n"
            "costs of an instruction are called MVMUL.issue and MVMUL.latency.\n\n"
            "  --evidence WORD   only numbers of that kind\n");
}

/* What it can be set to. */
static const char *set_text(const struct waitgate_limits *l, char *text, size_t size)
{
    if (l->follows)
        snprintf(text, size, "=%s", l->follows);
    else if (!l->highest)
        snprintf(text, size, "structural");
    else
        snprintf(text, size, "%u..%u", l->lowest, l->highest);
    return text;
}

static void print_cost(struct report *report, const char *name, const struct waitgate_cost *cost,
                       const struct waitgate_limits *limits, const char *text)
{
    char max[16] = "-", set[48];
    report->count[cost->evidence]++;
    if (report->only >= 0 && report->only != (int)cost->evidence)
        return;
    if (cost->max != WAITGATE_UNBOUNDED)
        snprintf(max, sizeof max, "%u", cost->max);
    printf("%-22s %5u %5u %5s  %-15s  %-10s  %s%s%s\n",
           name,
           cost->min,
           cost->typ,
           max,
           set_text(limits, set, sizeof set),
           waitgate_evidence_text(cost->evidence),
           text,
           *text ? "; " : "",
           cost->source);
}

static void print_all(struct report *report)
{
    struct waitgate_timing timing;
    struct waitgate_insn insn;

    printf("%-22s %5s %5s %5s  %-15s  %-10s  %s\n",
           "depths, lags, rates",
           "min",
           "typ",
           "max",
           "set",
           "evidence",
           "what; source");
    for (unsigned i = 0; waitgate_timing_get(i, &timing, sizeof timing) == WAITGATE_OK; i++)
        print_cost(report, timing.name, &timing.cost, &timing.limits, timing.text);
    for (unsigned latency = 0; latency < 2; latency++) {
        printf("\n%-22s %5s %5s %5s  %-15s  %-10s  %s\n",
               latency ? "latency, cycles" : "issue, cycles",
               "min",
               "typ",
               "max",
               "set",
               "evidence",
               "source");
        for (unsigned i = 0; waitgate_insn_get(i, &insn, sizeof insn) == WAITGATE_OK; i++)
            print_cost(report,
                       insn.name,
                       latency ? &insn.latency : &insn.issue,
                       latency ? &insn.latency_limits : &insn.issue_limits,
                       "");
    }
    printf("\n");
    for (unsigned i = 0; i < N_EVIDENCE; i++)
        printf("%u %s%s",
               report->count[i],
               waitgate_evidence_text((enum waitgate_evidence)i),
               i + 1 < N_EVIDENCE ? ", " : "\n");
}

int cmd_timing(int argc, char **argv)
{
    static const struct option longs[] = {{"evidence", required_argument, NULL, 'e'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    struct report report = {.only = -1};
    int c;
    while ((c = getopt_long(argc, argv, "e:h", longs, NULL)) != -1) {
        switch (c) {
        case 'e':
            for (int i = 0; i < N_EVIDENCE; i++)
                if (!strcmp(optarg, waitgate_evidence_text((enum waitgate_evidence)i)))
                    report.only = i;
            if (report.only >= 0)
                break;
            fprintf(stderr, "waitgate timing: unknown evidence '%s'\n", optarg);
            return EXIT_USAGE;
        case 'h': print_usage(stdout); return EXIT_OK;
        default: print_usage(stderr); return EXIT_USAGE;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "waitgate timing: unexpected argument '%s'\n", argv[optind]);
        return EXIT_USAGE;
    }
    print_all(&report);
    return EXIT_OK;
}
