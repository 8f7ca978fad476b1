/*
 * alpha_linux.c - see alpha_linux.h: the program's start, its system calls by number, and its signals.
 *
 * Sources: the kernel's headers for Alpha (numbers, structures), the calling standard.
 *
 * Inaccuracies: one thread, one process. A signal is delivered only for what the program does itself (traps, kill() to itself). The signal
 * frame has the registers, not the trap arguments.
 */
#include "load/alpha_linux.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { REG_V0 = 0, REG_A0 = 16, REG_A3 = 19, REG_A4 = 20, REG_RA = 26, REG_T12 = 27, REG_SP = 30 };

bool alpha_linux_in(struct alpha_linux *l, uint64_t address, void *to, size_t size)
{
    return waitgate_alpha_read(l->machine, address, to, size) == WAITGATE_OK;
}

bool alpha_linux_out(struct alpha_linux *l, uint64_t address, const void *from, size_t size)
{
    return waitgate_alpha_write(l->machine, address, from, size) == WAITGATE_OK;
}

int64_t alpha_linux_path(struct alpha_linux *l, uint64_t address, char *path, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (!alpha_linux_in(l, address + i, path + i, 1))
            return -EFAULT;
        if (!path[i])
            return i ? 0 : -ENOENT;
    }
    return -ENAMETOOLONG;
}

/* ---- start ---- */

/* Kinds of entries behind the environment; the kernel's linux/auxvec.h. */
enum {
    AUX_NULL = 0,
    AUX_PHDR = 3,
    AUX_PHENT = 4,
    AUX_PHNUM = 5,
    AUX_PAGESZ = 6,
    AUX_BASE = 7,
    AUX_FLAGS = 8,
    AUX_ENTRY = 9,
    AUX_UID = 11,
    AUX_EUID = 12,
    AUX_GID = 13,
    AUX_EGID = 14,
    AUX_HWCAP = 16,
    AUX_CLKTCK = 17,
    AUX_SECURE = 23,
    AUX_RANDOM = 25,
    AUX_EXECFN = 31
};

struct stack {
    struct alpha_linux *l;
    uint64_t sp;
    bool full;
};

static uint64_t stack_put(struct stack *s, const void *from, size_t size)
{
    if (s->full || size > s->sp - s->l->stack_low - 4096) {
        s->full = true;
        return s->sp;
    }
    s->sp -= size;
    if (waitgate_alpha_poke(s->l->machine, s->sp, from, size) != WAITGATE_OK)
        s->full = true;
    return s->sp;
}

static uint64_t stack_text(struct stack *s, const char *text)
{
    return stack_put(s, text, strlen(text) + 1);
}

static void stack_word(struct stack *s, uint64_t value)
{
    stack_put(s, &value, sizeof value);
}

static void stack_pair(struct stack *s, uint64_t kind, uint64_t value)
{
    stack_word(s, value);
    stack_word(s, kind);
}

static size_t count(char *const *list)
{
    size_t n = 0;
    while (list && list[n])
        n++;
    return n;
}

static void stack_auxiliary(struct stack *s, const struct alpha_elf *elf, uint64_t name,
                            uint64_t random)
{
    stack_pair(s, AUX_NULL, 0);
    stack_pair(s, AUX_EXECFN, name);
    stack_pair(s, AUX_SECURE, 0);
    stack_pair(s, AUX_RANDOM, random);
    stack_pair(s, AUX_CLKTCK, 100);
    stack_pair(s, AUX_HWCAP, 0);
    stack_pair(s, AUX_EGID, 0);
    stack_pair(s, AUX_GID, 0);
    stack_pair(s, AUX_EUID, 0);
    stack_pair(s, AUX_UID, 0);
    stack_pair(s, AUX_ENTRY, elf->entry);
    stack_pair(s, AUX_FLAGS, 0);
    stack_pair(s, AUX_BASE, 0);
    stack_pair(s, AUX_PAGESZ, WAITGATE_ALPHA_PAGE);
    stack_pair(s, AUX_PHNUM, elf->n_headers);
    stack_pair(s, AUX_PHENT, 56);
    stack_pair(s, AUX_PHDR, elf->headers);
}

/* Pointers to strings that lie one behind the other from `at` on, the last one first. */
static void stack_pointers(struct stack *s, char *const *list, size_t n, uint64_t at)
{
    uint64_t end = at;
    for (size_t i = 0; i < n; i++)
        end += strlen(list[i]) + 1;
    stack_word(s, 0);
    for (size_t i = n; i-- > 0;) {
        end -= strlen(list[i]) + 1;
        stack_word(s, end);
    }
}

static uint64_t stack_strings(struct stack *s, char *const *list, size_t n)
{
    for (size_t i = n; i-- > 0;)
        stack_text(s, list[i]);
    return s->sp;
}

static bool make_stack(struct alpha_linux *l, const struct alpha_elf *elf, char *const *argv,
                       char *const *envp)
{
    static const uint8_t random[16] = {0x57,
                                       0x61,
                                       0x69,
                                       0x74,
                                       0x67,
                                       0x61,
                                       0x74,
                                       0x65,
                                       0x9e,
                                       0x37,
                                       0x79,
                                       0xb9,
                                       0x7f,
                                       0x4a,
                                       0x7c,
                                       0x15};
    struct stack s = {.l = l, .sp = l->stack_top - 16};
    size_t n_argv = count(argv), n_envp = count(envp);
    uint64_t name = stack_text(&s, n_argv ? argv[0] : elf->name);
    uint64_t env = stack_strings(&s, envp, n_envp), arg = stack_strings(&s, argv, n_argv);
    uint64_t bytes = stack_put(&s, random, sizeof random);
    s.sp &= ~UINT64_C(15);
    if ((1 + n_argv + 1 + n_envp + 1) & 1)
        stack_word(&s, 0);
    stack_auxiliary(&s, elf, name, bytes);
    stack_pointers(&s, envp, n_envp, env);
    stack_pointers(&s, argv, n_argv, arg);
    stack_word(&s, n_argv);
    waitgate_alpha_set(l->machine, 0, REG_SP, s.sp);
    return !s.full;
}

static bool put_segment(struct alpha_linux *l, const struct alpha_segment *g)
{
    uint64_t low = g->addr & ~(ALPHA_ELF_PAGE - 1);
    return waitgate_alpha_map(l->machine, low, g->addr + g->mem_size - low, g->protection) ==
               WAITGATE_OK &&
           (!g->n_bytes ||
            waitgate_alpha_poke(l->machine, g->addr, g->bytes, g->n_bytes) == WAITGATE_OK);
}

bool alpha_linux_start(struct alpha_linux *l, waitgate_alpha *machine, const struct alpha_elf *elf,
                       char *const *argv, char *const *envp, struct load_error *error)
{
    uint64_t top = l->stack_top ? l->stack_top : ALPHA_LINUX_STACK_TOP;
    *l = (struct alpha_linux){.machine = machine,
                              .stack_top = top,
                              .stack_low = top - ALPHA_LINUX_STACK_SIZE,
                              .mmap_next = ALPHA_LINUX_MMAP,
                              .random = UINT64_C(0x9e3779b97f4a7c15),
                              .fixed_time = l->fixed_time,
                              .path = elf->name};
    l->brk_start = l->brk = (elf->end + ALPHA_ELF_PAGE - 1) & ~(ALPHA_ELF_PAGE - 1);
    bool good = waitgate_alpha_map(machine, l->stack_low, ALPHA_LINUX_STACK_SIZE, 3) == WAITGATE_OK;
    for (unsigned i = 0; i < elf->n_segments && good; i++)
        good = put_segment(l, &elf->segments[i]);
    if (!good) {
        error_set(error, LOAD_ERROR_MEMORY, "%s: no memory for the program", elf->name);
        return false;
    }
    if (!make_stack(l, elf, argv, envp)) {
        error_set(error,
                  LOAD_ERROR_PLACE,
                  "%s: arguments and environment do not fit on the stack",
                  elf->name);
        return false;
    }
    waitgate_alpha_set(machine, 0, WAITGATE_ALPHA_PC, elf->entry);
    return true;
}

/* ---- system calls ---- */

static const struct call {
    uint16_t number;
    const char *name;
    alpha_call *function;
} calls[] = {
#define CALL(number, name, function, text) {number, name, function},
#include "load/alpha_syscall.def"
};

static const struct call *find_call(uint64_t number)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (calls[i].number == number)
            return &calls[i];
    return NULL;
}

const char *alpha_linux_call_name(uint64_t number)
{
    const struct call *c = find_call(number);
    return c ? c->name : NULL;
}

static const struct {
    int host;
    unsigned alpha;
} errors[] = {
#define ALPHA_ERROR(name, number) {name, number},
#include "load/alpha_errno.def"
};

static unsigned alpha_error(int host)
{
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].host == host)
            return errors[i].alpha;
    return host > 0 && host < 35 ? (unsigned)host : 22; /* EINVAL */
}

static void note_unknown(struct alpha_linux *l, uint64_t number)
{
    for (unsigned i = 0; i < l->n_unknown && i < 16; i++)
        if (l->unknown[i] == number)
            return;
    if (l->n_unknown < 16)
        l->unknown[l->n_unknown] = number;
    l->n_unknown++;
}

static void system_call(struct alpha_linux *l)
{
    waitgate_alpha *m = l->machine;
    uint64_t number = waitgate_alpha_get(m, 0, REG_V0), a[6];
    for (unsigned i = 0; i < 6; i++)
        a[i] = waitgate_alpha_get(m, 0, REG_A0 + i);
    const struct call *c = find_call(number);
    bool returns = number != 351 && number != 103; /* sigreturn sets all registers */
    l->second = waitgate_alpha_get(m, 0, REG_A4);
    l->ticks++;
    if (!c)
        note_unknown(l, number);
    int64_t r = c ? c->function(l, a) : -ENOSYS;
    if (l->ended || !returns)
        return;
    bool failed = r < 0 && r > -4096;
    waitgate_alpha_set(m, 0, REG_V0, failed ? alpha_error((int)-r) : (uint64_t)r);
    waitgate_alpha_set(m, 0, REG_A3, failed);
    waitgate_alpha_set(m, 0, REG_A4, l->second);
}

/* ---- signals ---- */

enum {
    SIG_ILL = 4,
    SIG_TRAP = 5,
    SIG_ABRT = 6,
    SIG_FPE = 8,
    SIG_BUS = 10,
    SIG_SEGV = 11,
    SIG_CHLD = 20,
    SIG_URG = 16,
    SIG_WINCH = 28
};

/* The frame: information (128 bytes), then the context, of which these are in use; offsets from the frame. */
enum {
    FRAME_SIZE = 128 + 48 + 648 + 8,
    FRAME_CONTEXT = 128,
    FRAME_MASK = 128 + 48 + 8,
    FRAME_PC = 128 + 48 + 16,
    FRAME_REGS = 128 + 48 + 32,
    FRAME_FPREGS = 128 + 48 + 296,
    FRAME_FPCR = 128 + 48 + 552
};

static void end_by_signal(struct alpha_linux *l, int signal, const char *why)
{
    l->ended = true;
    l->signal = signal;
    l->status = 128 + signal;
    snprintf(l->message, sizeof l->message, "%s", why);
}

static uint64_t signal_bit(int signal)
{
    return UINT64_C(1) << (signal - 1);
}

void alpha_linux_signal(struct alpha_linux *l, int signal, int code, uint64_t address,
                        const char *why)
{
    waitgate_alpha *m = l->machine;
    struct alpha_action *act = &l->action[signal];
    bool ignored =
        act->handler == 1 ||
        (!act->handler && (signal == SIG_CHLD || signal == SIG_URG || signal == SIG_WINCH));
    if (ignored && code <= 0)
        return;
    if (act->handler <= 1 || l->blocked & signal_bit(signal)) {
        end_by_signal(l, signal, why);
        return;
    }
    uint64_t frame[FRAME_SIZE / 8] = {0}, sp = waitgate_alpha_get(m, 0, REG_SP);
    sp = (sp - FRAME_SIZE) & ~UINT64_C(15);
    frame[0] = (uint32_t)signal;
    frame[1] = (uint32_t)code;
    frame[2] = address;
    frame[FRAME_MASK / 8] = l->blocked;
    frame[(FRAME_CONTEXT + 16) / 8] = l->blocked;
    frame[FRAME_PC / 8] = waitgate_alpha_get(m, 0, WAITGATE_ALPHA_PC);
    for (unsigned i = 0; i < 32; i++) {
        frame[FRAME_REGS / 8 + i] = waitgate_alpha_get(m, 0, i);
        frame[FRAME_FPREGS / 8 + i] = waitgate_alpha_get(m, 0, WAITGATE_ALPHA_FP + i);
    }
    frame[FRAME_FPCR / 8] = waitgate_alpha_get(m, 0, WAITGATE_ALPHA_FPCR);
    frame[FRAME_SIZE / 8 - 1] = l->blocked;
    if (!act->restorer || !alpha_linux_out(l, sp, frame, sizeof frame)) {
        end_by_signal(l, signal, "no room for a signal's frame on the stack");
        return;
    }
    l->blocked |= act->mask | signal_bit(signal);
    waitgate_alpha_set(m, 0, REG_A0, (uint64_t)signal);
    waitgate_alpha_set(m, 0, REG_A0 + 1, sp);
    waitgate_alpha_set(m, 0, REG_A0 + 2, sp + FRAME_CONTEXT);
    waitgate_alpha_set(m, 0, REG_RA, act->restorer);
    waitgate_alpha_set(m, 0, REG_T12, act->handler);
    waitgate_alpha_set(m, 0, REG_SP, sp);
    waitgate_alpha_set(m, 0, WAITGATE_ALPHA_PC, act->handler);
}

int64_t sys_rt_sigreturn(struct alpha_linux *l, const uint64_t *a)
{
    waitgate_alpha *m = l->machine;
    uint64_t frame[FRAME_SIZE / 8];
    (void)a;
    if (!alpha_linux_in(l, waitgate_alpha_get(m, 0, REG_SP), frame, sizeof frame)) {
        end_by_signal(l, SIG_SEGV, "sigreturn without a frame on the stack");
        return 0;
    }
    for (unsigned i = 0; i < 32; i++) {
        waitgate_alpha_set(m, 0, i, frame[FRAME_REGS / 8 + i]);
        waitgate_alpha_set(m, 0, WAITGATE_ALPHA_FP + i, frame[FRAME_FPREGS / 8 + i]);
    }
    waitgate_alpha_set(m, 0, WAITGATE_ALPHA_FPCR, frame[FRAME_FPCR / 8]);
    waitgate_alpha_set(m, 0, WAITGATE_ALPHA_PC, frame[FRAME_PC / 8]);
    l->blocked = frame[FRAME_SIZE / 8 - 1];
    return 0;
}

/* ---- stops ---- */

static const struct {
    int signal, code;
} signal_of[] = {[WAITGATE_ALPHA_ILLEGAL] = {SIG_ILL, 1},
                 [WAITGATE_ALPHA_BPT] = {SIG_TRAP, 1},
                 [WAITGATE_ALPHA_BUGCHK] = {SIG_TRAP, 1},
                 [WAITGATE_ALPHA_GENTRAP] = {SIG_TRAP, 1},
                 [WAITGATE_ALPHA_ARITHMETIC] = {SIG_FPE, 3},
                 [WAITGATE_ALPHA_FETCH] = {SIG_SEGV, 1},
                 [WAITGATE_ALPHA_LOAD] = {SIG_SEGV, 1},
                 [WAITGATE_ALPHA_STORE] = {SIG_SEGV, 1},
                 [WAITGATE_ALPHA_UNALIGNED] = {SIG_BUS, 1},
                 [WAITGATE_ALPHA_MEMORY] = {SIG_BUS, 2}};

void alpha_linux_stop(struct alpha_linux *l, const struct waitgate_alpha_stop *stop)
{
    char why[sizeof l->message];
    if (stop->trap == WAITGATE_ALPHA_CALLSYS) {
        system_call(l);
    } else {
        bool memory = stop->trap >= WAITGATE_ALPHA_LOAD;
        uint64_t where =
            memory ? stop->address : waitgate_alpha_get(l->machine, 0, WAITGATE_ALPHA_PC);
        snprintf(why,
                 sizeof why,
                 "%s: pc 0x%llx, address 0x%llx",
                 stop->text,
                 (unsigned long long)stop->pc,
                 (unsigned long long)(memory ? stop->address : stop->pc));
        alpha_linux_signal(l, signal_of[stop->trap].signal, signal_of[stop->trap].code, where, why);
    }
    if (!l->ended)
        waitgate_alpha_resume(l->machine, 0);
}
