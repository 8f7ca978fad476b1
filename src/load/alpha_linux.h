/*
 * alpha_linux.h - what a static Linux program on the Alpha machine finds around it: a stack with its arguments, memory, files,
 * time, signals.
 *
 * A client of waitgate.h: it puts the program into a machine, and does the work when a CPU stops at a system call. Of the host's files
 * a program sees what it was given (alpha_dir.h, alpha_files.h). Numbers of calls stand in alpha_syscall.def, those of errors in alpha_errno.def.
 */
#ifndef WG_LOAD_ALPHA_LINUX_H
#define WG_LOAD_ALPHA_LINUX_H

#include <stdbool.h>
#include <stdint.h>

#include "load/alpha_elf.h"
#include "waitgate.h"

#define ALPHA_LINUX_SIGNALS 64u
#define ALPHA_LINUX_PID     1000

struct alpha_files;

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
    uint64_t pending;    /* sent and not delivered yet */
    uint64_t by_tkill;   /* of those: by tkill() or tgkill(), not kill() */
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
    unsigned umask;       /* the program's own */
    struct alpha_files *files;
};

/* Where the stack ends unless the caller says otherwise. */
#define ALPHA_LINUX_STACK_TOP  UINT64_C(0x3fff0000000)
#define ALPHA_LINUX_STACK_SIZE UINT64_C(0x800000)
#define ALPHA_LINUX_MMAP       UINT64_C(0x20000000000)
#define ALPHA_LINUX_MMAP_END   UINT64_C(0x3ff00000000)

/* Before anything else: nothing is open or given but the standard streams; l->fixed_time, l->stack_top and directories can then be set. False: no memory. */
bool alpha_linux_init(struct alpha_linux *l);
/* Gives the program a directory of the host, as alpha_dir_give() does. */
bool alpha_linux_give(struct alpha_linux *l, const char *path, bool read_only,
                      struct load_error *error);
/* Closes what the program left open. */
void alpha_linux_free(struct alpha_linux *l);
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
/* A trap raises its signal; alpha_signal.c. */
void alpha_signal_trap(struct alpha_linux *l, const struct waitgate_alpha_stop *stop);
/* Signals that were sent and are not blocked reach the program: its handler runs next, or it ends. */
void alpha_signal_deliver(struct alpha_linux *l);

#endif
