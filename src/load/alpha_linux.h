/*
 * alpha_linux.h - what a static Linux program on the Alpha machine finds around it: a stack with its arguments, memory, files,
 * time, signals.
 *
 * A client of waitgate.h: it puts the program into a machine, and does the work when a CPU stops at a system call. Files are the
 * host's. Numbers of calls stand in alpha_syscall.def, those of errors in alpha_errno.def.
 */
#ifndef WG_LOAD_ALPHA_LINUX_H
#define WG_LOAD_ALPHA_LINUX_H

#include <stdbool.h>
#include <stdint.h>

#include "load/alpha_elf.h"
#include "waitgate.h"

#define ALPHA_LINUX_SIGNALS 64u

struct alpha_action {
    uint64_t handler, mask, restorer;
    uint32_t flags;
};

struct alpha_linux {
    waitgate_alpha *machine;
    uint64_t brk_start, brk, mmap_next;
    uint64_t mmap_at;    /* where the next mapping has to be; 0: anywhere */
    uint64_t fp_control; /* what osf_setsysinfo() has set */
    uint64_t blocked;    /* signals, a bit each from 1 on */
    uint64_t random;     /* state of getrandom() */
    uint64_t second;     /* a call's second result, in a4 */
    bool fixed_time;     /* clocks count system calls: every run is the same */
    uint64_t ticks;
    uint64_t stack_low, stack_top;
    struct alpha_action action[ALPHA_LINUX_SIGNALS + 1];
    bool ended;
    int status;           /* exit status when ended; 128 + signal if by one */
    int signal;           /* the signal that ended it, 0: none */
    char message[256];    /* why, if a signal did */
    unsigned n_unknown;   /* system calls that are not there */
    uint64_t unknown[16]; /* the first of them */
    const char *path;     /* of the program, for /proc/self/exe */
};

/* Where the stack ends unless the caller says otherwise. */
#define ALPHA_LINUX_STACK_TOP  UINT64_C(0x3fff0000000)
#define ALPHA_LINUX_STACK_SIZE UINT64_C(0x800000)
#define ALPHA_LINUX_MMAP       UINT64_C(0x20000000000)
#define ALPHA_LINUX_MMAP_END   UINT64_C(0x3ff00000000)

/* Puts the program and its stack into the machine and sets CPU 0's registers. argv[0] is the program's name. False, and a message: it
   does not fit. */
bool alpha_linux_start(struct alpha_linux *l, waitgate_alpha *machine, const struct alpha_elf *elf,
                       char *const *argv, char *const *envp, struct load_error *error);
/* Handles a stop of CPU 0 and lets it go on, unless the program has ended. */
void alpha_linux_stop(struct alpha_linux *l, const struct waitgate_alpha_stop *stop);
/* The name of a system call by number; NULL: none. */
const char *alpha_linux_call_name(uint64_t number);

/* ---- for the files of this block ---- */

/* A system call: arguments a0 to a5; the result, or a negated errno of the host. */
typedef int64_t alpha_call(struct alpha_linux *l, const uint64_t *a);
#define CALL(number, name, function, text) alpha_call function;
#include "load/alpha_syscall.def"

bool alpha_linux_in(struct alpha_linux *l, uint64_t address, void *to, size_t size);
bool alpha_linux_out(struct alpha_linux *l, uint64_t address, const void *from, size_t size);
/* A string of the program; a negated errno, or 0. */
int64_t alpha_linux_path(struct alpha_linux *l, uint64_t address, char *path, size_t size);
void alpha_linux_signal(struct alpha_linux *l, int signal, int code, uint64_t address,
                        const char *why);

#endif
