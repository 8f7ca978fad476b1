/*
 * alpha_sys.c - system calls of Alpha programs but those on files and signals: memory, time, who it is, and its end.
 *
 * Inaccuracies: mappings of files are private copies. Sleeping takes no time. nanosleep() and its like return at once.
 */
#define _GNU_SOURCE /* pread(), clocks, AT_EMPTY_PATH */
#include <errno.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "load/alpha_files.h"
#include "load/alpha_linux.h"

#define PAGE      UINT64_C(8192)
#define UP(x)     (((x) + PAGE - 1) & ~(PAGE - 1))
#define SIZE_MOST (UINT64_C(1) << 33)

int64_t alpha_sys_exit(struct alpha_linux *l, const uint64_t *a)
{
    l->ended = true;
    l->status = (int)(a[0] & 0xff);
    return 0;
}

int64_t alpha_sys_nothing(struct alpha_linux *l, const uint64_t *a)
{
    (void)l, (void)a;
    return 0;
}

int64_t alpha_sys_enosys(struct alpha_linux *l, const uint64_t *a)
{
    (void)l, (void)a;
    return -ENOSYS;
}

/* ---- memory ---- */

int64_t alpha_sys_brk(struct alpha_linux *l, const uint64_t *a)
{
    uint64_t old = UP(l->brk), now = UP(a[0]);
    if (a[0] < l->brk_start || a[0] - l->brk_start > SIZE_MOST)
        return (int64_t)l->brk;
    if (now > old) {
        if (waitgate_alpha_mapped(l->machine, old, now - old) ||
            waitgate_alpha_map(l->machine, old, now - old, 3) != WAITGATE_OK)
            return (int64_t)l->brk;
    } else if (now < old) {
        waitgate_alpha_unmap(l->machine, now, old - now);
    }
    return (int64_t)(l->brk = a[0]);
}

/* Room for a mapping; 0: none. */
static uint64_t find_room(struct alpha_linux *l, uint64_t hint, uint64_t size)
{
    if (l->mmap_at) {
        hint = l->mmap_at;
        l->mmap_at = 0;
    }
    if (hint && !(hint & (PAGE - 1)) && hint < ALPHA_LINUX_MMAP_END &&
        size < ALPHA_LINUX_MMAP_END - hint && hint >= PAGE &&
        !waitgate_alpha_mapped(l->machine, hint, size))
        return hint;
    uint64_t at = waitgate_alpha_room(l->machine, l->mmap_next, size, ALPHA_LINUX_MMAP_END);
    if (!at)
        at = waitgate_alpha_room(l->machine, ALPHA_LINUX_MMAP, size, ALPHA_LINUX_MMAP_END);
    return at;
}

static int64_t fill_from_file(struct alpha_linux *l, uint64_t at, uint64_t size, uint64_t number,
                              uint64_t offset)
{
    uint8_t buf[8192];
    int fd = alpha_files_host(l->files, number);
    if (fd < 0)
        return -EBADF;
    for (uint64_t done = 0; done < size; done += sizeof buf) {
        ssize_t n = pread(fd, buf, sizeof buf, (off_t)(offset + done));
        if (n < 0)
            return -errno;
        if (!n)
            break;
        if (waitgate_alpha_poke(l->machine, at + done, buf, (size_t)n) != WAITGATE_OK)
            return -ENOMEM;
    }
    return 0;
}

int64_t alpha_sys_mmap(struct alpha_linux *l, const uint64_t *a)
{
    uint64_t size = UP(a[1]), at = a[0], flags = a[3];
    bool fixed = flags & 0x200100, anonymous = flags & 0x10;
    if (!a[1] || a[1] > SIZE_MOST || a[2] & ~UINT64_C(15) || (a[5] & (PAGE - 1) && !anonymous) ||
        (fixed && at & (PAGE - 1)))
        return -EINVAL;
    if (!anonymous && (flags & 15) == 1 && a[2] & 2)
        return -EACCES; /* shared and writable */
    if (fixed && (at < PAGE || at >= ALPHA_LINUX_STACK_TOP || size > ALPHA_LINUX_STACK_TOP - at))
        return -ENOMEM;
    if (flags & 0x200000 && waitgate_alpha_mapped(l->machine, at, size))
        return -EEXIST;
    if (!anonymous && alpha_files_host(l->files, a[4]) < 0)
        return -EBADF;
    if (!fixed)
        at = find_room(l, a[0], size);
    if (!at || waitgate_alpha_map(l->machine, at, size, (unsigned)a[2] & 7) != WAITGATE_OK)
        return -ENOMEM; /* nothing has changed */
    if (fixed) {        /* what was there is gone */
        waitgate_alpha_unmap(l->machine, at, size);
        if (waitgate_alpha_map(l->machine, at, size, (unsigned)a[2] & 7) != WAITGATE_OK)
            return -ENOMEM;
    }
    if (!fixed)
        l->mmap_next = at + size;
    int64_t r = anonymous ? 0 : fill_from_file(l, at, a[1], a[4], a[5]);
    if (r) {
        waitgate_alpha_unmap(l->machine, at, size);
        return r;
    }
    return (int64_t)at;
}

int64_t alpha_sys_munmap(struct alpha_linux *l, const uint64_t *a)
{
    if (a[0] & (PAGE - 1) || !a[1] || a[1] > SIZE_MOST)
        return -EINVAL;
    waitgate_alpha_unmap(l->machine, a[0], UP(a[1]));
    return 0;
}

int64_t alpha_sys_mprotect(struct alpha_linux *l, const uint64_t *a)
{
    if (a[0] & (PAGE - 1) || a[1] > SIZE_MOST)
        return -EINVAL;
    return !a[1] || waitgate_alpha_protect(l->machine, a[0], UP(a[1]), (unsigned)a[2] & 7) ==
                        WAITGATE_OK
               ? 0
               : -ENOMEM;
}

/* A mapping grows where it is, or is copied to another place. */
int64_t alpha_sys_mremap(struct alpha_linux *l, const uint64_t *a)
{
    uint64_t from = a[0], old = UP(a[1]), size = UP(a[2]);
    uint8_t buf[8192];
    if (from & (PAGE - 1) || !a[2] || a[1] > SIZE_MOST || a[2] > SIZE_MOST || a[3] & ~UINT64_C(1))
        return -EINVAL;
    if (!waitgate_alpha_mapped(l->machine, from, old ? old : PAGE))
        return -EFAULT;
    if (size <= old) {
        if (size < old)
            waitgate_alpha_unmap(l->machine, from + size, old - size);
        return (int64_t)from;
    }
    if (!waitgate_alpha_mapped(l->machine, from + old, size - old) &&
        waitgate_alpha_map(l->machine, from + old, size - old, 3) == WAITGATE_OK)
        return (int64_t)from;
    uint64_t to = a[3] & 1 ? find_room(l, 0, size) : 0;
    if (!to || waitgate_alpha_map(l->machine, to, size, 3) != WAITGATE_OK)
        return -ENOMEM;
    for (uint64_t i = 0; i < old; i += PAGE)
        if (waitgate_alpha_peek(l->machine, from + i, buf, PAGE) != WAITGATE_OK ||
            waitgate_alpha_poke(l->machine, to + i, buf, PAGE) != WAITGATE_OK) {
            waitgate_alpha_unmap(l->machine, to, size);
            return -ENOMEM;
        }
    waitgate_alpha_unmap(l->machine, from, old);
    l->mmap_next = to + size;
    return (int64_t)to;
}

/* ---- time ---- */

static void clock_now(struct alpha_linux *l, uint64_t clock, struct timespec *t)
{
    if (l->fixed_time)
        *t = (struct timespec){(time_t)(1000000000 + l->ticks / 1000),
                               (long)(l->ticks % 1000 * 1000000)};
    else
        clock_gettime(clock == 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC, t);
}

int64_t alpha_sys_clock_gettime(struct alpha_linux *l, const uint64_t *a)
{
    struct timespec t;
    if (a[0] > 11)
        return -EINVAL;
    clock_now(l, a[0], &t);
    uint64_t out[2] = {(uint64_t)t.tv_sec, (uint64_t)t.tv_nsec};
    return alpha_linux_out(l, a[1], out, sizeof out) ? 0 : -EFAULT;
}

int64_t alpha_sys_clock_getres(struct alpha_linux *l, const uint64_t *a)
{
    const uint64_t out[2] = {0, 1};
    return !a[1] || alpha_linux_out(l, a[1], out, sizeof out) ? 0 : -EFAULT;
}

int64_t alpha_sys_gettimeofday(struct alpha_linux *l, const uint64_t *a)
{
    struct timespec t;
    clock_now(l, 0, &t);
    uint64_t out[2] = {(uint64_t)t.tv_sec, (uint64_t)t.tv_nsec / 1000};
    return !a[0] || alpha_linux_out(l, a[0], out, sizeof out) ? 0 : -EFAULT;
}

/* ---- who it is ---- */

int64_t alpha_sys_getxpid(struct alpha_linux *l, const uint64_t *a)
{
    (void)a;
    l->second = 1;
    return ALPHA_LINUX_PID;
}

int64_t alpha_sys_gettid(struct alpha_linux *l, const uint64_t *a)
{
    (void)l, (void)a;
    return ALPHA_LINUX_PID;
}

int64_t alpha_sys_getppid(struct alpha_linux *l, const uint64_t *a)
{
    (void)l, (void)a;
    return 1;
}

int64_t alpha_sys_getxuid(struct alpha_linux *l, const uint64_t *a)
{
    (void)a;
    l->second = geteuid();
    return getuid();
}

int64_t alpha_sys_getxgid(struct alpha_linux *l, const uint64_t *a)
{
    (void)a;
    l->second = getegid();
    return getgid();
}

int64_t alpha_sys_geteuid(struct alpha_linux *l, const uint64_t *a)
{
    (void)l, (void)a;
    return geteuid();
}

int64_t alpha_sys_getegid(struct alpha_linux *l, const uint64_t *a)
{
    (void)l, (void)a;
    return getegid();
}

int64_t alpha_sys_getpagesize(struct alpha_linux *l, const uint64_t *a)
{
    (void)l, (void)a;
    return (int64_t)PAGE;
}

int64_t alpha_sys_uname(struct alpha_linux *l, const uint64_t *a)
{
    static const char *const names[6] = {"Linux", "waitgate", "6.1.0", "#1", "alpha", "(none)"};
    char out[6][65];
    memset(out, 0, sizeof out);
    for (unsigned i = 0; i < 6; i++)
        memcpy(out[i], names[i], strlen(names[i]));
    return alpha_linux_out(l, a[0], out, sizeof out) ? 0 : -EFAULT;
}

/* struct sysinfo: uptime, three loads, total and free memory ... the unit is the fourteenth word. */
int64_t alpha_sys_sysinfo(struct alpha_linux *l, const uint64_t *a)
{
    uint64_t s[14] = {[4] = UINT64_C(1) << 30, [5] = UINT64_C(1) << 29, [10] = 1, [13] = 1};
    return alpha_linux_out(l, a[0], s, sizeof s) ? 0 : -EFAULT;
}

/* Of all limits those of the stack (RLIMIT_STACK is 3) and of descriptors (RLIMIT_NOFILE is 6) are numbers. */
static int64_t put_limit(struct alpha_linux *l, uint64_t which, uint64_t to)
{
    uint64_t most = (UINT64_C(1) << 63) - 1, limit[2] = {most, most};
    if (which == 3)
        limit[0] = ALPHA_LINUX_STACK_SIZE;
    if (which == 6)
        limit[0] = limit[1] = ALPHA_FILES_MOST;
    if (which > 15)
        return -EINVAL;
    return !to || alpha_linux_out(l, to, limit, sizeof limit) ? 0 : -EFAULT;
}

int64_t alpha_sys_getrlimit(struct alpha_linux *l, const uint64_t *a)
{
    return put_limit(l, a[0], a[1]);
}

int64_t alpha_sys_prlimit64(struct alpha_linux *l, const uint64_t *a)
{
    return a[0] && a[0] != ALPHA_LINUX_PID ? -ESRCH : put_limit(l, a[1], a[3]);
}

int64_t alpha_sys_getrandom(struct alpha_linux *l, const uint64_t *a)
{
    uint64_t n = a[1] < 4096 ? a[1] : 4096;
    for (uint64_t i = 0; i < n; i++) {
        l->random ^= l->random << 13;
        l->random ^= l->random >> 7;
        l->random ^= l->random << 17;
        uint8_t byte = (uint8_t)(l->random >> 32);
        if (!alpha_linux_out(l, a[0] + i, &byte, 1))
            return -EFAULT;
    }
    return (int64_t)n;
}

/* Nobody else can wake or be woken: a wait would be for ever. */
int64_t alpha_sys_futex(struct alpha_linux *l, const uint64_t *a)
{
    uint32_t word;
    unsigned op = (unsigned)a[1] & 0x7f;
    if (op == 1)
        return 0; /* FUTEX_WAKE */
    if (op != 0 && op != 9)
        return -ENOSYS;
    if (!alpha_linux_in(l, a[0], &word, sizeof word))
        return -EFAULT;
    return word != (uint32_t)a[2] ? -EAGAIN : -EDEADLK;
}

/* ---- floating-point control ---- */

/* Bits of the control word that programs set, and of FPCR; the second kind is inverted. */
static const struct {
    uint8_t control, fpcr;
    bool inverted;
} control_bits[] = {{17, 52, false},
                    {18, 53, false},
                    {19, 54, false},
                    {20, 55, false},
                    {21, 56, false},
                    {22, 57, false},
                    {12, 48, false},
                    {1, 49, true},
                    {2, 50, true},
                    {3, 51, true},
                    {4, 61, true},
                    {5, 62, true},
                    {6, 47, true}};

static uint64_t control_to_fpcr(uint64_t control, uint64_t old)
{
    uint64_t fpcr = old & UINT64_C(0x0c00000000000000); /* rounding stays */
    for (size_t i = 0; i < sizeof control_bits / sizeof control_bits[0]; i++)
        if ((control >> control_bits[i].control & 1) != control_bits[i].inverted)
            fpcr |= UINT64_C(1) << control_bits[i].fpcr;
    if (control & 1 << 13)
        fpcr |= UINT64_C(1) << 60 | UINT64_C(1) << 61; /* denormal results become zero */
    if (control & 0x7e0000)
        fpcr |= UINT64_C(1) << 63;
    return fpcr;
}

int64_t alpha_sys_getsysinfo(struct alpha_linux *l, const uint64_t *a)
{
    if (a[0] != 45) /* GSI_IEEE_FP_CONTROL */
        return -EOPNOTSUPP;
    uint64_t fpcr = waitgate_alpha_get(l->machine, 0, WAITGATE_ALPHA_FPCR);
    uint64_t control = (l->fp_control & ~UINT64_C(0x7e0000)) | (fpcr >> 35 & 0x7e0000);
    return alpha_linux_out(l, a[1], &control, sizeof control) ? 0 : -EFAULT;
}

int64_t alpha_sys_setsysinfo(struct alpha_linux *l, const uint64_t *a)
{
    uint64_t control;
    if (a[0] != 14) /* SSI_IEEE_FP_CONTROL */
        return -EOPNOTSUPP;
    if (!alpha_linux_in(l, a[1], &control, sizeof control))
        return -EFAULT;
    l->fp_control = control;
    waitgate_alpha_set(
        l->machine,
        0,
        WAITGATE_ALPHA_FPCR,
        control_to_fpcr(control, waitgate_alpha_get(l->machine, 0, WAITGATE_ALPHA_FPCR)));
    return 0;
}
