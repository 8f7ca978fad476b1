/*
 * alpha_linux.c - see alpha_linux.h: the program's start, and its system calls by number.
 *
 * Sources: the kernel's headers for Alpha (numbers, structures), the calling standard.
 *
 * Inaccuracies: one thread, one process.
 */
#define _GNU_SOURCE /* umask() */
#include "load/alpha_linux.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "load/alpha_files.h"

enum { REG_V0 = 0, REG_A0 = 16, REG_A3 = 19, REG_A4 = 20, REG_SP = 30 };

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

bool alpha_linux_init(struct alpha_linux *l)
{
    *l = (struct alpha_linux){.stack_top = ALPHA_LINUX_STACK_TOP};
    l->files = calloc(1, sizeof *l->files);
    if (l->files)
        alpha_files_init(l->files);
    return l->files;
}

void alpha_linux_free(struct alpha_linux *l)
{
    if (l->files)
        alpha_files_free(l->files);
    free(l->files);
    l->files = NULL;
}

bool alpha_linux_give(struct alpha_linux *l, const char *path, bool read_only,
                      struct load_error *error)
{
    return alpha_dir_give(&l->files->dirs, path, read_only, error) == LOAD_OK;
}

bool alpha_linux_start(struct alpha_linux *l, waitgate_alpha *machine, const struct alpha_elf *elf,
                       char *const *argv, char *const *envp, struct load_error *error)
{
    l->machine = machine;
    l->stack_low = l->stack_top - ALPHA_LINUX_STACK_SIZE;
    l->mmap_next = ALPHA_LINUX_MMAP;
    l->random = UINT64_C(0x9e3779b97f4a7c15);
    l->umask = umask(077);
    umask(l->umask);
    l->files->program = elf->name;
    alpha_dir_start(&l->files->dirs);
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

/* ---- stops ---- */

void alpha_linux_stop(struct alpha_linux *l, const struct waitgate_alpha_stop *stop)
{
    if (stop->trap == WAITGATE_ALPHA_CALLSYS) {
        system_call(l);
        alpha_signal_deliver(l);
    } else {
        alpha_signal_trap(l, stop);
    }
    if (!l->ended)
        waitgate_alpha_resume(l->machine, 0);
}
