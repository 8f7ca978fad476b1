/*
 * lockstep.c - an Alpha program here and in QEMU, instruction by instruction: every retired instruction's pc and all registers after it
 * must be the same.
 *
 *     lockstep PROGRAM untimed|pipeline STACK LOG [LIMIT] [-- SETTINGS] < /dev/null > /dev/null
 *
 * LOG: what `env -i qemu-alpha -seed 1 -singlestep -d cpu,fpu,nochain` writes: all registers before each instruction. STACK: a file with the
 * bytes from QEMU's stack pointer at the entry point up. SETTINGS: policies (fbox=pipelined) and latencies (load=7).
 *
 * Not compared: FPCR's INE and summary bits (QEMU sets INE after CVTTQ and not after other inexact results, and SUM is what was written there), SUM also in
 * what MF_FPCR reads; what RPCC reads; and what comes from outside:
 * the results of system calls are QEMU's (a system call that fills memory with numbers of the host taints these bytes, and what is computed from
 * them, until it is overwritten).
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/alpha.h"
#include "load/alpha_linux.h"
#include "waitgate.h"

#define FPCR_SUM  (UINT64_C(1) << 63)
#define FPCR_MASK ~(UINT64_C(1) << 56 | FPCR_SUM)
#define TAINTS    4096u

struct record {
    uint64_t pc, reg[64], fpcr;
};

struct step {
    FILE *log;
    waitgate_alpha *m;
    struct alpha_linux l;
    struct record now, next; /* before the instruction that retires next, and after it */
    bool more;               /* next is there */
    bool failed;
    uint64_t n, limit;
    uint64_t tainted; /* registers */
    uint64_t ignored; /* values that were not compared */
    unsigned n_taints;
    uint64_t taint[TAINTS]; /* quadwords of memory */
};

/* ---- the log ---- */

static const char *const order[] = {"v0",  "t0",  "t1", "t2",  "t3", "t4", "t5", "t6",
                                    "t7",  "s0",  "s1", "s2",  "s3", "s4", "s5", "fp",
                                    "a0",  "a1",  "a2", "a3",  "a4", "a5", "t8", "t9",
                                    "t10", "t11", "ra", "t12", "at", "gp", "sp"};

static bool hex(const char *text, uint64_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < 16; i++) {
        char c = text[i];
        unsigned d = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                     : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                                            : 16u;
        if (d > 15)
            return false;
        *value = *value << 4 | d;
    }
    return true;
}

/* A line has up to three values of 25 columns; a register's number follows from its place. */
static bool read_record(FILE *log, struct record *r)
{
    char line[128];
    unsigned i = 0;
    do {
        if (!fgets(line, sizeof line, log))
            return false;
    } while (strncmp(line, "PC ", 3) != 0);
    if (!hex(line + 8, &r->pc))
        return false;
    while (fgets(line, sizeof line, log) && line[0] != '\n') {
        size_t n = strlen(line);
        for (unsigned k = 0; k < 3 && 25 * k + 24 <= n; k++) {
            const char *at = line + 25 * k;
            uint64_t v;
            if (!hex(at + 8, &v))
                return false;
            if (!strncmp(at, "lock", 4))
                continue;
            if (!strncmp(at, "fpcr", 4)) {
                r->fpcr = v;
                return true;
            }
            if (i < 31 && strncmp(at, order[i], strlen(order[i])) != 0)
                return false;
            r->reg[i < 31 ? i : i + 1] = v;
            i++;
        }
    }
    return false;
}

/* ---- what is not known here ---- */

static bool memory_tainted(const struct step *s, uint64_t address)
{
    for (unsigned i = 0; i < s->n_taints; i++)
        if (s->taint[i] == address >> 3)
            return true;
    return false;
}

static void set_taint(struct step *s, uint64_t address, bool on)
{
    unsigned i = 0;
    while (i < s->n_taints && s->taint[i] != address >> 3)
        i++;
    if (on && i == s->n_taints && s->n_taints < TAINTS)
        s->taint[s->n_taints++] = address >> 3;
    else if (!on && i < s->n_taints)
        s->taint[i] = s->taint[--s->n_taints];
}

/* Moves taints through an instruction; returns the registers that cannot be compared. */
static void follow_taint(struct step *s, const struct alpha_insn *i)
{
    unsigned flags = alpha_ops[i->op].flags;
    uint64_t reads = alpha_reads(i), writes = alpha_writes(i),
             address = s->now.reg[i->b] + (uint64_t)(int64_t)i->imm;
    bool dirty = reads & s->tainted;
    if (flags & AF_LOAD)
        dirty |= memory_tainted(s, address);
    if (flags & AF_STORE && (dirty || memory_tainted(s, address)))
        set_taint(s, address, s->tainted >> (i->a & 63) & 1 || alpha_ops[i->op].size < 8);
    s->tainted = dirty ? s->tainted | writes : s->tainted & ~writes;
    if (flags & AF_COUNTER)
        s->tainted |= writes;
}

/* ---- comparison ---- */

static void differ(struct step *s, const char *what, uint64_t ours, uint64_t theirs)
{
    char text[96];
    uint32_t word = 0;
    waitgate_alpha_peek(s->m, s->now.pc, &word, sizeof word);
    alpha_dis_text(word, s->now.pc, text, sizeof text);
    fprintf(stderr,
            "instruction %" PRIu64 " at 0x%" PRIx64 ", %s: %s is 0x%016" PRIx64
            ", in QEMU 0x%016" PRIx64 "\n",
            s->n,
            s->now.pc,
            text,
            what,
            ours,
            theirs);
    s->failed = true;
}

static void compare(struct step *s)
{
    for (unsigned r = 0; r < 63 && !s->failed; r++) {
        uint64_t ours = waitgate_alpha_get(s->m, 0, r);
        if (r == 31 || ours == s->next.reg[r])
            continue;
        if (s->tainted >> r & 1)
            s->ignored++;
        else
            differ(s, alpha_reg_name(r), ours, s->next.reg[r]);
    }
    uint64_t fpcr = waitgate_alpha_get(s->m, 0, WAITGATE_ALPHA_FPCR);
    if (!s->failed && (fpcr ^ s->next.fpcr) & FPCR_MASK)
        differ(s, "fpcr", fpcr, s->next.fpcr);
}

static void retired(void *context, unsigned cpu, uint64_t pc, uint32_t word)
{
    struct step *s = context;
    struct alpha_insn i = alpha_decode(word);
    (void)cpu;
    if (s->failed)
        return;
    if (pc != s->now.pc) {
        fprintf(stderr,
                "instruction %" PRIu64 ": pc is 0x%" PRIx64 ", in QEMU 0x%" PRIx64 "\n",
                s->n,
                pc,
                s->now.pc);
        s->failed = true;
        return;
    }
    s->n++;
    s->more = read_record(s->log, &s->next);
    if (i.op == ALPHA_OP_CALLSYS || !s->more)
        return; /* compared when the call has been made */
    follow_taint(s, &i);
    if (i.op == ALPHA_OP_MF_FPCR &&
        (waitgate_alpha_get(s->m, 0, i.d) ^ s->next.reg[i.d & 63]) == FPCR_SUM)
        s->tainted |= alpha_writes(&i);
    compare(s);
    s->now = s->next;
}

/* The call is made here, too; its result is QEMU's. */
static void call(struct step *s, const struct waitgate_alpha_stop *stop)
{
    uint64_t number = s->now.reg[0], a0 = s->now.reg[16], a1 = s->now.reg[17], a3 = s->now.reg[19];
    if (s->more && number == 71)
        s->l.mmap_at = s->next.reg[0];
    alpha_linux_stop(&s->l, stop);
    if (s->l.ended || !s->more)
        return;
    waitgate_alpha_set(s->m, 0, 0, s->next.reg[0]);
    waitgate_alpha_set(s->m, 0, 19, s->next.reg[19]);
    waitgate_alpha_set(s->m, 0, 20, s->next.reg[20]);
    if (number == 511) /* getrandom */
        for (uint64_t k = 0; k < a1; k++)
            set_taint(s, a0 + k, true);
    if (number == 496 && a3) { /* prlimit64 */
        set_taint(s, a3, true);
        set_taint(s, a3 + 8, true);
    }
    compare(s);
    s->now = s->next;
}

/* ---- the run ---- */

static bool put_stack(struct step *s, const char *file)
{
    static uint8_t bytes[1 << 16];
    FILE *f = fopen(file, "rb");
    size_t n = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    if (f)
        fclose(f);
    uint64_t sp = s->now.reg[30], low = (sp & ~UINT64_C(8191)) - 0x800000 + 0x4000;
    return n && waitgate_alpha_map(s->m, low, 0x800000 + 0x20000, 3) == WAITGATE_OK &&
           waitgate_alpha_poke(s->m, sp, bytes, n) == WAITGATE_OK;
}

static bool settings(struct step *s, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        if (!value)
            return false;
        *value++ = '\0';
        if (waitgate_alpha_policy(s->m, argv[i], value) != WAITGATE_OK &&
            waitgate_alpha_latency(s->m, argv[i], strtoull(value, NULL, 0)) != WAITGATE_OK)
            return false;
    }
    return true;
}

static bool start(struct step *s, struct alpha_elf *elf, const char *stack)
{
    struct load_error error;
    char *argv[] = {elf->name, NULL}, *envp[] = {NULL};
    if (!alpha_linux_init(&s->l) || !alpha_linux_give(&s->l, ".", false, &error) ||
        !alpha_linux_start(&s->l, s->m, elf, argv, envp, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return false;
    }
    if (!read_record(s->log, &s->now) || !put_stack(s, stack)) {
        fprintf(stderr, "no first record in the log, or no stack\n");
        return false;
    }
    for (unsigned r = 0; r < 63; r++)
        waitgate_alpha_set(s->m, 0, r, s->now.reg[r]);
    waitgate_alpha_set(s->m, 0, WAITGATE_ALPHA_FPCR, s->now.fpcr);
    waitgate_alpha_watch(s->m, retired, s);
    return true;
}

static void run(struct step *s, bool untimed)
{
    while (!s->failed && !s->l.ended && s->n < s->limit) {
        struct waitgate_alpha_stop stop;
        enum waitgate_alpha_end end =
            untimed ? waitgate_alpha_run(s->m, 100000) : waitgate_alpha_clock(s->m, 100000);
        if (end == WAITGATE_ALPHA_LIMIT)
            continue;
        if (end != WAITGATE_ALPHA_STOP || waitgate_alpha_stopped(s->m, &stop) != WAITGATE_OK ||
            stop.trap != WAITGATE_ALPHA_CALLSYS) {
            fprintf(stderr,
                    "instruction %" PRIu64 ": stopped at 0x%" PRIx64 " (%s)\n",
                    s->n,
                    s->now.pc,
                    end == WAITGATE_ALPHA_STOP ? stop.text : "no stop");
            s->failed = true;
            break;
        }
        if (!s->failed)
            call(s, &stop);
    }
}

int main(int argc, char **argv)
{
    static struct step s;
    struct load_error error;
    struct alpha_elf *elf;
    if (argc < 5 || (strcmp(argv[2], "untimed") && strcmp(argv[2], "pipeline"))) {
        fprintf(stderr, "usage: lockstep PROGRAM untimed|pipeline STACK LOG [LIMIT [SETTINGS]]\n");
        return 2;
    }
    s.limit = argc > 5 ? strtoull(argv[5], NULL, 0) : UINT64_MAX;
    s.log = fopen(argv[4], "r");
    if (!s.log || waitgate_alpha_create(1, &s.m) != WAITGATE_OK ||
        alpha_elf_read(argv[1], &elf, &error) != LOAD_OK) {
        fprintf(stderr, "lockstep: cannot start\n");
        return 2;
    }
    if (!settings(&s, argc - 6, argv + 6) || !start(&s, elf, argv[3]))
        return 2;
    run(&s, !strcmp(argv[2], "untimed"));
    fprintf(stderr,
            "%s: %" PRIu64 " instructions, %" PRIu64 " cycles, %" PRIu64
            " values from outside not compared: %s\n",
            argv[1],
            s.n,
            waitgate_alpha_cycle(s.m),
            s.ignored,
            s.failed ? "DIFFERENT" : "equal");
    alpha_linux_free(&s.l);
    alpha_elf_free(elf);
    waitgate_alpha_free(s.m);
    fclose(s.log);
    return s.failed || !s.n;
}
