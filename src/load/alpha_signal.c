/*
 * alpha_signal.c - signals of Alpha programs: those that they send to themselves, those that traps raise, handlers and their frames.
 *
 * Sources: the kernel's headers for Alpha (numbers, structures), its arch/alpha/kernel/traps.c and math-emu (signals and codes of
 * traps).
 *
 * A signal that is sent while it is blocked stays pending, once, until it is unblocked. Whatever is pending and not blocked is delivered
 * when a system call ends. A trap cannot wait: if its signal is blocked or ignored, it ends the program.
 *
 * Invariant: SIGKILL and SIGSTOP are never blocked.
 *
 * Inaccuracies: signals from 32 on are not queued either. Nobody could wake a stopped program: what would stop it ends it. There is no
 * alternate stack. The signal frame has the registers, not the trap arguments.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "load/alpha_linux.h"

enum {
    SIG_ILL = 4,
    SIG_TRAP = 5,
    SIG_FPE = 8,
    SIG_KILL = 9,
    SIG_BUS = 10,
    SIG_SEGV = 11,
    SIG_URG = 16,
    SIG_STOP = 17,
    SIG_CONT = 19,
    SIG_CHLD = 20,
    SIG_WINCH = 28
};

/* si_code. */
enum {
    CODE_USER = 0,
    CODE_TKILL = -6,
    CODE_ILL_OPCODE = 1,
    CODE_TRAP_BREAKPOINT = 1,
    CODE_TRAP_UNKNOWN = 5,
    CODE_SEGV_UNMAPPED = 1,
    CODE_SEGV_PROTECTION = 2,
    CODE_BUS_ALIGNMENT = 1,
    CODE_BUS_ADDRESS = 2,
    CODE_FPE_INTDIV = 1,
    CODE_FPE_INTOVF = 2,
    CODE_FPE_FLTDIV = 3,
    CODE_FPE_FLTOVF = 4,
    CODE_FPE_FLTUND = 5,
    CODE_FPE_FLTRES = 6,
    CODE_FPE_FLTINV = 7,
    CODE_FPE_UNKNOWN = 14
};

/* sigaction()'s flags. */
enum { FLAG_NODEFER = 0x8, FLAG_RESETHAND = 0x10 };

enum { REG_A0 = 16, REG_RA = 26, REG_T12 = 27, REG_SP = 30 };

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

/* siginfo. */
struct info {
    int signal, code;
    uint64_t value; /* address; of a signal that was sent: by whom */
    uint64_t trap;
};

static uint64_t signal_bit(int signal)
{
    return UINT64_C(1) << (signal - 1);
}

/* A set of signals that a program wants blocked. */
static uint64_t blockable(uint64_t set)
{
    return set & ~(signal_bit(SIG_KILL) | signal_bit(SIG_STOP));
}

static void end_by_signal(struct alpha_linux *l, int signal, const char *why)
{
    l->ended = true;
    l->signal = signal;
    l->status = 128 + signal;
    snprintf(l->message, sizeof l->message, "%s", why);
}

static bool ignored(const struct alpha_linux *l, int signal)
{
    uint64_t handler = l->action[signal].handler;
    return handler == 1 || (!handler && (signal == SIG_CHLD || signal == SIG_URG ||
                                         signal == SIG_WINCH || signal == SIG_CONT));
}

/* The program goes on in its handler. */
static void call_handler(struct alpha_linux *l, const struct info *info)
{
    waitgate_alpha *m = l->machine;
    struct alpha_action *act = &l->action[info->signal];
    uint64_t frame[FRAME_SIZE / 8] = {0}, sp = waitgate_alpha_get(m, 0, REG_SP);
    sp = (sp - FRAME_SIZE) & ~UINT64_C(15);
    frame[0] = (uint32_t)info->signal;
    frame[1] = (uint32_t)info->code;
    frame[2] = info->value;
    frame[3] = (uint32_t)info->trap;
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
        end_by_signal(l, info->signal, "no room for a signal's frame on the stack");
        return;
    }
    l->blocked |= blockable(act->mask | (act->flags & FLAG_NODEFER ? 0 : signal_bit(info->signal)));
    waitgate_alpha_set(m, 0, REG_A0, (uint64_t)info->signal);
    waitgate_alpha_set(m, 0, REG_A0 + 1, sp);
    waitgate_alpha_set(m, 0, REG_A0 + 2, sp + FRAME_CONTEXT);
    waitgate_alpha_set(m, 0, REG_RA, act->restorer);
    waitgate_alpha_set(m, 0, REG_T12, act->handler);
    waitgate_alpha_set(m, 0, REG_SP, sp);
    waitgate_alpha_set(m, 0, WAITGATE_ALPHA_PC, act->handler);
    if (act->flags & FLAG_RESETHAND)
        act->handler = 0;
}

/* ---- traps ---- */

/* GENTRAP's argument, from -1 down; all others are SIGTRAP. */
static const uint8_t gentrap_code[] = {[1] = CODE_FPE_INTOVF,
                                       [2] = CODE_FPE_INTDIV,
                                       [3] = CODE_FPE_FLTOVF,
                                       [4] = CODE_FPE_FLTDIV,
                                       [5] = CODE_FPE_FLTUND,
                                       [6] = CODE_FPE_FLTINV,
                                       [7] = CODE_FPE_FLTRES,
                                       [11] = CODE_FPE_UNKNOWN};

static void gentrap(struct info *info, uint64_t argument)
{
    uint64_t n = 0 - argument;
    unsigned code = n < sizeof gentrap_code ? gentrap_code[n] : 0;
    info->signal = code ? SIG_FPE : SIG_TRAP;
    info->code = code ? (int)code : CODE_TRAP_UNKNOWN;
    info->trap = argument;
}

/* Without software completion the kernel does not ask what it was; integer overflow is an invalid operation to it. */
static int arithmetic_code(uint64_t summary)
{
    enum { SWC = 0x01, DZE = 0x04, FOV = 0x08, UNF = 0x10, INE = 0x20, INV_IOV = 0x42 };
    if (!(summary & SWC) || summary & INV_IOV)
        return CODE_FPE_FLTINV;
    if (summary & DZE)
        return CODE_FPE_FLTDIV;
    if (summary & FOV)
        return CODE_FPE_FLTOVF;
    if (summary & UNF)
        return CODE_FPE_FLTUND;
    return summary & INE ? CODE_FPE_FLTRES : CODE_FPE_FLTINV;
}

static struct info info_of(const struct alpha_linux *l, const struct waitgate_alpha_stop *stop)
{
    struct info i = {.value = waitgate_alpha_get(l->machine, 0, WAITGATE_ALPHA_PC)};
    switch (stop->trap) {
    case WAITGATE_ALPHA_BPT: i.signal = SIG_TRAP, i.code = CODE_TRAP_BREAKPOINT; break;
    case WAITGATE_ALPHA_BUGCHK: i.signal = SIG_TRAP, i.code = CODE_TRAP_UNKNOWN; break;
    case WAITGATE_ALPHA_GENTRAP: gentrap(&i, stop->detail); break;
    case WAITGATE_ALPHA_ARITHMETIC:
        i.signal = SIG_FPE, i.code = arithmetic_code(stop->detail);
        break;
    case WAITGATE_ALPHA_LOAD:
    case WAITGATE_ALPHA_STORE: i.value = stop->address; /* fall through */
    case WAITGATE_ALPHA_FETCH:
        i.signal = SIG_SEGV;
        i.code = waitgate_alpha_mapped(l->machine, i.value, 1) ? CODE_SEGV_PROTECTION
                                                               : CODE_SEGV_UNMAPPED;
        break;
    case WAITGATE_ALPHA_UNALIGNED:
        i.signal = SIG_BUS, i.code = CODE_BUS_ALIGNMENT, i.value = stop->address;
        break;
    case WAITGATE_ALPHA_MEMORY:
        i.signal = SIG_BUS, i.code = CODE_BUS_ADDRESS, i.value = stop->address;
        break;
    default: i.signal = SIG_ILL, i.code = CODE_ILL_OPCODE, i.value = stop->pc + 4; break;
    }
    return i;
}

void alpha_signal_trap(struct alpha_linux *l, const struct waitgate_alpha_stop *stop)
{
    char why[sizeof l->message];
    struct info info = info_of(l, stop);
    bool memory = stop->trap >= WAITGATE_ALPHA_LOAD;
    snprintf(why,
             sizeof why,
             "%s: pc 0x%llx, address 0x%llx",
             stop->text,
             (unsigned long long)stop->pc,
             (unsigned long long)(memory ? stop->address : stop->pc));
    if (info.signal == SIG_ILL) /* the architecture says so: behind the instruction */
        waitgate_alpha_set(l->machine, 0, WAITGATE_ALPHA_PC, info.value);
    if (l->action[info.signal].handler <= 1 || l->blocked & signal_bit(info.signal))
        end_by_signal(l, info.signal, why);
    else
        call_handler(l, &info);
}

/* ---- signals that are sent ---- */

void alpha_signal_deliver(struct alpha_linux *l)
{
    uint64_t now;
    while (!l->ended && (now = l->pending & ~l->blocked)) {
        struct info info = {.value = ALPHA_LINUX_PID | (uint64_t)getuid() << 32};
        for (info.signal = 1; !(now >> (info.signal - 1) & 1);)
            info.signal++;
        info.code = l->by_tkill & signal_bit(info.signal) ? CODE_TKILL : CODE_USER;
        l->pending &= ~signal_bit(info.signal);
        if (ignored(l, info.signal))
            continue;
        if (l->action[info.signal].handler)
            call_handler(l, &info);
        else
            end_by_signal(l, info.signal, "the program sent itself a signal");
    }
}

static int64_t send(struct alpha_linux *l, uint64_t who, uint64_t signal, bool tkill)
{
    if ((int64_t)who != ALPHA_LINUX_PID && (who || tkill))
        return -ESRCH;
    if (signal > ALPHA_LINUX_SIGNALS)
        return -EINVAL;
    if (!signal)
        return 0;
    uint64_t bit = signal_bit((int)signal);
    if (!(l->pending & bit))
        l->by_tkill = tkill ? l->by_tkill | bit : l->by_tkill & ~bit;
    l->pending |= bit;
    return 0;
}

int64_t alpha_signal_kill(struct alpha_linux *l, const uint64_t *a)
{
    return send(l, a[0], a[1], false);
}

int64_t alpha_signal_tkill(struct alpha_linux *l, const uint64_t *a)
{
    return send(l, a[0], a[1], true);
}

int64_t alpha_signal_tgkill(struct alpha_linux *l, const uint64_t *a)
{
    return (int64_t)a[0] == ALPHA_LINUX_PID ? send(l, a[1], a[2], true) : -ESRCH;
}

/* ---- what a program sets ---- */

int64_t alpha_signal_rt_sigaction(struct alpha_linux *l, const uint64_t *a)
{
    if (a[0] < 1 || a[0] > ALPHA_LINUX_SIGNALS || a[3] != 8)
        return -EINVAL;
    struct alpha_action *act = &l->action[a[0]];
    uint64_t in[3], old[3] = {act->handler, act->flags, act->mask};
    if (a[1] && (a[0] == SIG_KILL || a[0] == SIG_STOP))
        return -EINVAL;
    if (a[1] && !alpha_linux_in(l, a[1], in, sizeof in))
        return -EFAULT;
    if (a[2] && !alpha_linux_out(l, a[2], old, sizeof old))
        return -EFAULT;
    if (a[1])
        *act = (struct alpha_action){
            .handler = in[0], .flags = (uint32_t)in[1], .mask = in[2], .restorer = a[4]};
    if (a[1] && ignored(l, (int)a[0]))
        l->pending &= ~signal_bit((int)a[0]);
    return 0;
}

int64_t alpha_signal_rt_sigprocmask(struct alpha_linux *l, const uint64_t *a)
{
    uint64_t set = 0, old = l->blocked;
    if (a[3] != 8)
        return -EINVAL;
    if (a[1] && !alpha_linux_in(l, a[1], &set, sizeof set))
        return -EFAULT;
    if (a[1] && (a[0] < 1 || a[0] > 3))
        return -EINVAL;
    if (a[2] && !alpha_linux_out(l, a[2], &old, sizeof old))
        return -EFAULT;
    if (a[1])
        l->blocked = blockable(a[0] == 1 ? old | set : a[0] == 2 ? old & ~set : set);
    return 0;
}

int64_t alpha_signal_rt_sigpending(struct alpha_linux *l, const uint64_t *a)
{
    uint64_t set = l->pending & l->blocked;
    if (a[1] != 8)
        return -EINVAL;
    return alpha_linux_out(l, a[0], &set, sizeof set) ? 0 : -EFAULT;
}

int64_t alpha_signal_rt_sigreturn(struct alpha_linux *l, const uint64_t *a)
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
    l->blocked = blockable(frame[FRAME_SIZE / 8 - 1]);
    return 0;
}
