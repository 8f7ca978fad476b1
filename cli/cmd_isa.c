/*
 * cmd_isa.c - waitgate isa: the instruction table as a list, in full, or as the reference page.
 *
 * Block: none; docs/isa.md is the output of `waitgate isa --markdown`, and a test compares them.
 *
 * **Inaccuracies**: none.
 */
#define _POSIX_C_SOURCE 200809L

#include <ctype.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cmd.h"
#include "waitgate.h"

#define ALL_BLOCKS 0x1ffu

static void print_usage(FILE *out)
{
    fprintf(out,
            "usage: waitgate isa [--markdown] [name]...\n\n"
            "Without names: one line per instruction. With names: all about these.\n\n"
            "  --markdown  the reference page (docs/isa.md)\n");
}

/* "B0 B5", "any" or "-"; a NOP is held by all nine together. */
static const char *block_text(const struct waitgate_insn *insn, char *text, size_t size)
{
    size_t n = 0;
    if (!strcmp(insn->name, "NOP"))
        return "all nine";
    if (insn->block_mask == ALL_BLOCKS)
        return "any";
    snprintf(text, size, "-");
    for (unsigned i = 0; i < 9 && n < size; i++)
        if (insn->block_mask >> i & 1)
            n += (size_t)snprintf(text + n, size - n, "%sB%u", n ? " " : "", i);
    return text;
}

static const char *class_text(const struct waitgate_insn *insn, char *text, size_t size)
{
    if (insn->resource_class < 0)
        return "-";
    snprintf(text, size, "%d", insn->resource_class);
    return text;
}

static const char *max_text(const struct waitgate_cost *cost, char *text, size_t size)
{
    if (cost->max == WAITGATE_UNBOUNDED)
        return "-";
    snprintf(text, size, "%u", cost->max);
    return text;
}

/* "ttstallwait stall_res, wait_res": operands from the high bits down, hidden ones last. */
static void print_syntax(const struct waitgate_insn *insn)
{
    struct waitgate_field field;
    const char *separator = " ";
    printf("tt");
    for (const char *c = insn->name; *c; c++)
        putchar(tolower((unsigned char)*c));
    for (int hidden = 0; hidden < 2; hidden++)
        for (unsigned i = insn->n_fields; i-- > 0;) {
            waitgate_insn_field(insn->opcode, i, &field, sizeof field);
            if (field.hidden != hidden)
                continue;
            printf(hidden ? "[%s%s=...]" : "%s%s", separator, field.name);
            separator = ", ";
        }
}

/* The word, bit 31 to 0: opcode in binary, fields as letters in table order, unused bits as dots. */
static void print_drawing(const struct waitgate_insn *insn)
{
    char bits[33];
    struct waitgate_field field;
    memset(bits, '.', 32);
    bits[32] = '\0';
    for (unsigned i = 0; i < 8; i++)
        bits[7 - i] = insn->opcode >> i & 1 ? '1' : '0';
    for (unsigned i = 0; i < insn->n_fields; i++) {
        waitgate_insn_field(insn->opcode, i, &field, sizeof field);
        for (unsigned b = field.lo; b < field.lo + field.width; b++)
            bits[31 - b] = (char)('a' + (insn->n_fields - 1 - i));
    }
    printf("    31    24 23              8 7      0\n    %.8s %.8s %.8s %.8s\n",
           bits,
           bits + 8,
           bits + 16,
           bits + 24);
}

static void print_fields(const struct waitgate_insn *insn)
{
    struct waitgate_field field;
    if (!insn->n_fields)
        return;
    printf("\n| | field | bits | meaning |\n|---|---|---|---|\n");
    for (unsigned i = insn->n_fields; i-- > 0;) {
        char range[16];
        waitgate_insn_field(insn->opcode, i, &field, sizeof field);
        if (field.width == 1)
            snprintf(range, sizeof range, "%u", field.lo);
        else
            snprintf(range, sizeof range, "%u:%u", field.lo + field.width - 1, field.lo);
        printf("| %c | `%s`%s | %s | %s |\n",
               (char)('a' + (insn->n_fields - 1 - i)),
               field.name,
               field.hidden ? " (by name)" : "",
               range,
               field.text);
    }
}

static const char *set_text(const struct waitgate_limits *l)
{
    return l->follows ? l->follows : l->highest ? "yes" : "structural";
}

static void print_cost(const char *what, const struct waitgate_cost *cost,
                       const struct waitgate_limits *limits)
{
    char max[16];
    printf("| %s | %u | %u | %s | %s | %s | %s |\n",
           what,
           cost->min,
           cost->typ,
           max_text(cost, max, sizeof max),
           set_text(limits),
           waitgate_evidence_text(cost->evidence),
           cost->source);
}

/* Everything about one instruction, as Markdown, which also reads well as plain text. */
static void print_insn(const struct waitgate_insn *insn)
{
    char text[32], class[16];
    printf("### %s\n\n%s%s.\n\n",
           insn->name,
           insn->text,
           insn->described ? "" : " (no public description: unit and block bits are inferred)");
    printf("    ");
    print_syntax(insn);
    printf("\n\n");
    print_drawing(insn);
    print_fields(insn);
    printf("\nUnit: %s. Held by: %s. Resource class: %s.\n\n",
           insn->unit,
           block_text(insn, text, sizeof text),
           class_text(insn, class, sizeof class));
    printf(
        "| cycles | min | typ | max | set | evidence | source |\n|---|---|---|---|---|---|---|\n");
    print_cost("issue", &insn->issue, &insn->issue_limits);
    print_cost("latency", &insn->latency, &insn->latency_limits);
    printf("\n");
}

static void print_summary_row(const struct waitgate_insn *insn)
{
    char text[32], class[16];
    printf("| 0x%02X | [%s](#", insn->opcode, insn->name);
    for (const char *c = insn->name; *c; c++)
        putchar(tolower((unsigned char)*c));
    printf(") | %s | %s | %s | %u | %u | %s |\n",
           insn->unit,
           block_text(insn, text, sizeof text),
           class_text(insn, class, sizeof class),
           insn->issue.typ,
           insn->latency.typ,
           insn->text);
}

static void print_markdown(void)
{
    struct waitgate_insn insn;
    printf(
        "# Tensix instructions of Blackhole\n\n"
        "Made by `waitgate isa --markdown` from `src/isa/tensix.def`; do not edit.\n\n"
        "A word is an opcode in bits 31:24 and fields below. Assembly lists operands from the\n"
        "high bits down; a field marked *by name* has no operand in the vendor's syntax and is\n"
        "written `name=value`. *Held by* names the bits of a STALLWAIT block mask that hold the\n"
        "instruction at the Wait Gate: *any* of the nine, *all nine* together, or none (`-`).\n"
        "*Issue* is the number of cycles until the unit takes the next instruction, *latency*\n"
        "the number from leaving the gate to the result, or to the unit being idle again.\n"
        "A maximum of `-` means there is no bound. *Set* says whether a machine can be given "
        "another\n"
        "number (`waitgate run --timing NAME.latency=N`): *yes*; a row of `src/isa/timing.def` "
        "that it\n"
        "follows and that is set in its stead; or *structural*, which cannot be set: it follows "
        "from how\n"
        "the unit is built, or from the operands. \"WH\" marks pages of the Wormhole tree.\n\n"
        "| opcode | name | unit | held by | class | issue | latency | what it does |\n"
        "|---|---|---|---|---|---|---|---|\n");
    for (unsigned i = 0; waitgate_insn_get(i, &insn, sizeof insn) == WAITGATE_OK; i++)
        print_summary_row(&insn);
    printf("\n## In full\n\n");
    for (unsigned i = 0; waitgate_insn_get(i, &insn, sizeof insn) == WAITGATE_OK; i++)
        print_insn(&insn);
}

static void print_list(void)
{
    struct waitgate_insn insn;
    char text[32];
    for (unsigned i = 0; waitgate_insn_get(i, &insn, sizeof insn) == WAITGATE_OK; i++)
        printf("0x%02x  %-13s %-7s %-9s %s\n",
               insn.opcode,
               insn.name,
               insn.unit,
               block_text(&insn, text, sizeof text),
               insn.text);
}

static bool print_named(const char *name)
{
    struct waitgate_insn insn;
    for (unsigned i = 0; waitgate_insn_get(i, &insn, sizeof insn) == WAITGATE_OK; i++)
        if (!strcasecmp(name, insn.name) ||
            (!strncasecmp(name, "tt", 2) && !strcasecmp(name + 2, insn.name))) {
            print_insn(&insn);
            return true;
        }
    fprintf(stderr, "waitgate isa: no instruction '%s'\n", name);
    return false;
}

int cmd_isa(int argc, char **argv)
{
    static const struct option longs[] = {
        {"markdown", no_argument, NULL, 'm'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    bool markdown = false;
    int c, status = EXIT_OK;
    while ((c = getopt_long(argc, argv, "mh", longs, NULL)) != -1) {
        switch (c) {
        case 'm': markdown = true; break;
        case 'h': print_usage(stdout); return EXIT_OK;
        default: print_usage(stderr); return EXIT_USAGE;
        }
    }
    if (markdown && optind == argc)
        print_markdown();
    else if (optind == argc)
        print_list();
    for (; optind < argc; optind++)
        if (!print_named(argv[optind]))
            status = EXIT_INPUT;
    return status;
}
