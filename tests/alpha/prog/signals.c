/* Signals: what traps raise, with which code and address, and what is blocked, pending, ignored, reset. `signals 9` ends by SIGKILL, blocked or not. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 8192

static sigjmp_buf back;
static volatile int code;
static void *volatile where;

static void on_trap(int signal, siginfo_t *info, void *context)
{
    (void)context;
    code = info->si_code;
    where = info->si_addr;
    siglongjmp(back, signal);
}

/* Says what came of something that trapped at an address; NULL: at its own pc. */
static void say(const char *text, int signal, volatile void *address)
{
    printf("%s: signal %d, code %d, address ", text, signal, code);
    if (address)
        printf("%s\n", where == address ? "as expected" : "another");
    else
        printf("%p\n", where);
}

#define TRAP(text, address, ...)                                                                   \
    do {                                                                                           \
        int got = sigsetjmp(back, 1);                                                              \
        if (!got) {                                                                                \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
        say(text, got, (volatile void *)(address));                                                \
    } while (0)

static void traps(void)
{
    struct sigaction a = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
    static const int all[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        sigaction(all[i], &a, NULL);
    volatile char *none = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    volatile char *read_only = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    volatile char *gone = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap((void *)gone, PAGE);
    volatile char *volatile low = (volatile char *)0x10;
    TRAP("store to 0x10", low, *low = 1);
    TRAP("load from 0x10", low, (void)*low);
    TRAP("load from PROT_NONE", none + 5, (void)none[5]);
    TRAP("store to PROT_NONE", none + 6, none[6] = 1);
    TRAP("store to PROT_READ", read_only + 7, read_only[7] = 1);
    TRAP("load from what was unmapped", gone + 8, (void)gone[8]);
    TRAP("store to what was unmapped", gone + 9, gone[9] = 1);
    TRAP("jump to what cannot be executed", read_only, ((void (*)(void))read_only)());
    TRAP("jump to what is not there", gone, ((void (*)(void))gone)());
    TRAP("LDQ_L off its alignment", read_only + 4, {
        long value;
        __asm__ volatile("ldq_l %0,4(%1)" : "=r"(value) : "r"(read_only));
    });
    TRAP("breakpoint", NULL, __asm__ volatile("call_pal 0x80"));
    TRAP("bug check", NULL, __asm__ volatile("call_pal 0x81"));
    TRAP("no instruction", NULL, __asm__ volatile(".long 0x1C000000"));
    for (volatile long n = 1; n >= -27; n--) {
        char text[32];
        snprintf(text, sizeof text, "gentrap %ld", n);
        TRAP(text, NULL, {
            register long a0 __asm__("$16") = n;
            __asm__ volatile("call_pal 0xaa" : "+r"(a0)::"memory");
        });
    }
}

static volatile int usr1, usr2, depth, deepest, sent_code, sent_by;

static void on_usr(int signal, siginfo_t *info, void *context)
{
    (void)context;
    sent_code = info->si_code;
    sent_by = info->si_pid == getpid();
    if (++depth > deepest)
        deepest = depth;
    if (signal == SIGUSR1 && ++usr1 == 1)
        raise(SIGUSR1); /* blocked in its own handler, but with SA_NODEFER */
    if (signal == SIGUSR2)
        usr2++;
    depth--;
}

static void count(const char *what)
{
    sigset_t set;
    sigpending(&set);
    printf("%s: USR1 %d, USR2 %d, depth %d, code %d by %s, pending%s%s\n",
           what,
           usr1,
           usr2,
           deepest,
           sent_code,
           sent_by ? "itself" : "another",
           sigismember(&set, SIGUSR1) ? " USR1" : "",
           sigismember(&set, SIGUSR2) ? " USR2" : "");
    usr1 = usr2 = deepest = 0;
}

static void sent(void)
{
    struct sigaction a = {.sa_sigaction = on_usr, .sa_flags = SA_SIGINFO}, old;
    sigset_t two, all, was;
    sigemptyset(&two);
    sigaddset(&two, SIGUSR1);
    sigaddset(&two, SIGUSR2);
    sigfillset(&all);
    sigaction(SIGUSR1, &a, NULL);
    sigaction(SIGUSR2, &a, NULL);
    raise(SIGUSR2);
    count("raise");
    kill(getpid(), SIGUSR2);
    count("kill");
    raise(SIGUSR1);
    count("raise in the handler");
    a.sa_flags |= SA_NODEFER;
    sigaction(SIGUSR1, &a, NULL);
    raise(SIGUSR1);
    count("raise in the handler, not deferred");
    a.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR1, &a, NULL);
    sigprocmask(SIG_BLOCK, &two, NULL);
    raise(SIGUSR2);
    raise(SIGUSR2);
    kill(getpid(), SIGUSR1);
    count("blocked");
    sigprocmask(SIG_UNBLOCK, &two, NULL);
    count("unblocked");
    sigprocmask(SIG_BLOCK, &two, NULL);
    raise(SIGUSR1);
    raise(SIGUSR2);
    signal(SIGUSR2, SIG_IGN);
    count("one is ignored meanwhile");
    sigprocmask(SIG_UNBLOCK, &two, NULL);
    count("unblocked");
    a.sa_flags |= SA_RESETHAND;
    sigaction(SIGUSR2, &a, NULL);
    raise(SIGUSR2);
    sigaction(SIGUSR2, NULL, &old);
    printf("handler was reset: %d\n", old.sa_handler == SIG_DFL);
    count("once");
    raise(SIGURG);
    raise(SIGCHLD);
    raise(SIGWINCH);
    raise(SIGCONT);
    printf("ignored by default\n");
    sigprocmask(SIG_SETMASK, &all, NULL);
    sigprocmask(SIG_SETMASK, NULL, &was);
    printf("blocked: KILL %d, STOP %d, USR1 %d, SEGV %d\n",
           sigismember(&was, SIGKILL),
           sigismember(&was, SIGSTOP),
           sigismember(&was, SIGUSR1),
           sigismember(&was, SIGSEGV));
    printf("signal 0: %d, to another: %d, signal 65: %d\n",
           kill(getpid(), 0),
           kill(getpid() + 1000000, SIGUSR1),
           kill(getpid(), 65));
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    traps();
    sent();
    if (argc > 1)
        kill(getpid(), atoi(argv[1])); /* everything that can be is blocked */
    printf("still there\n");
    return 7;
}
