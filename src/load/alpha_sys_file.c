/*
 * alpha_sys_file.c - system calls of Alpha programs on files.
 *
 * Numbers of flags and the layout of structures: the kernel's asm/fcntl.h and asm/stat.h for Alpha.
 *
 * Inaccuracies: no terminals: ioctl() fails with ENOTTY. Descriptors are the host's own.
 */
#define _GNU_SOURCE /* pread(), clocks, AT_EMPTY_PATH */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "load/alpha_linux.h"

#define PATH_SIZE 4096u
#define CHUNK     65536u
#define AT_CWD    ((int64_t)-100)

static int64_t result(int64_t r)
{
    return r < 0 ? -errno : r;
}

/* ---- open flags ---- */

static const struct {
    unsigned alpha;
    int host;
} open_flags[] = {{01000, O_CREAT},
                  {02000, O_TRUNC},
                  {04000, O_EXCL},
                  {010000, O_NOCTTY},
                  {04, O_NONBLOCK},
                  {010, O_APPEND},
                  {0100000, O_DIRECTORY},
                  {0200000, O_NOFOLLOW},
                  {010000000, O_CLOEXEC}};

static int host_flags(uint64_t flags)
{
    int host = (int)(flags & 3);
    for (size_t i = 0; i < sizeof open_flags / sizeof open_flags[0]; i++)
        if (flags & open_flags[i].alpha)
            host |= open_flags[i].host;
    return host;
}

static unsigned alpha_flags(int host)
{
    unsigned flags = (unsigned)host & 3;
    for (size_t i = 0; i < sizeof open_flags / sizeof open_flags[0]; i++)
        if (open_flags[i].host && (host & open_flags[i].host) == open_flags[i].host)
            flags |= open_flags[i].alpha;
    return flags;
}

static int host_dir(uint64_t fd)
{
    return (int32_t)fd == AT_CWD ? AT_FDCWD : (int)(int32_t)fd;
}

static int64_t open_path(struct alpha_linux *l, int dir, uint64_t name, uint64_t flags,
                         uint64_t mode)
{
    char path[PATH_SIZE];
    int64_t r = alpha_linux_path(l, name, path, sizeof path);
    return r ? r : result(openat(dir, path, host_flags(flags) | O_CLOEXEC, (mode_t)(mode & 07777)));
}

int64_t sys_open(struct alpha_linux *l, const uint64_t *a)
{
    return open_path(l, AT_FDCWD, a[0], a[1], a[2]);
}

int64_t sys_openat(struct alpha_linux *l, const uint64_t *a)
{
    return open_path(l, host_dir(a[0]), a[1], a[2], a[3]);
}

int64_t sys_close(struct alpha_linux *l, const uint64_t *a)
{
    (void)l;
    return a[0] <= 2 ? 0 : result(close((int)a[0]));
}

/* ---- bytes ---- */

/* offset < 0: where the file stands. */
static int64_t write_bytes(struct alpha_linux *l, int fd, uint64_t from, uint64_t size,
                           int64_t offset)
{
    uint8_t buf[CHUNK];
    int64_t done = 0;
    while (size) {
        size_t n = size < CHUNK ? (size_t)size : CHUNK;
        if (!alpha_linux_in(l, from, buf, n))
            return done ? done : -EFAULT;
        ssize_t r = offset < 0 ? write(fd, buf, n) : pwrite(fd, buf, n, offset + done);
        if (r < 0)
            return done ? done : -errno;
        done += r;
        if ((size_t)r < n)
            break;
        from += n;
        size -= n;
    }
    return done;
}

static int64_t read_bytes(struct alpha_linux *l, int fd, uint64_t to, uint64_t size, int64_t offset)
{
    uint8_t buf[CHUNK];
    size_t n = size < CHUNK ? (size_t)size : CHUNK;
    ssize_t r = offset < 0 ? read(fd, buf, n) : pread(fd, buf, n, offset);
    if (r < 0)
        return -errno;
    return !r || alpha_linux_out(l, to, buf, (size_t)r) ? r : -EFAULT;
}

int64_t sys_read(struct alpha_linux *l, const uint64_t *a)
{
    return read_bytes(l, (int)a[0], a[1], a[2], -1);
}

int64_t sys_write(struct alpha_linux *l, const uint64_t *a)
{
    return write_bytes(l, (int)a[0], a[1], a[2], -1);
}

int64_t sys_pread(struct alpha_linux *l, const uint64_t *a)
{
    return (int64_t)a[3] < 0 ? -EINVAL : read_bytes(l, (int)a[0], a[1], a[2], (int64_t)a[3]);
}

int64_t sys_pwrite(struct alpha_linux *l, const uint64_t *a)
{
    return (int64_t)a[3] < 0 ? -EINVAL : write_bytes(l, (int)a[0], a[1], a[2], (int64_t)a[3]);
}

static int64_t vector(struct alpha_linux *l, const uint64_t *a,
                      int64_t (*move)(struct alpha_linux *, int, uint64_t, uint64_t, int64_t))
{
    int64_t done = 0;
    if (a[2] > 1024)
        return -EINVAL;
    for (uint64_t i = 0; i < a[2]; i++) {
        uint64_t part[2];
        if (!alpha_linux_in(l, a[1] + 16 * i, part, sizeof part))
            return done ? done : -EFAULT;
        int64_t r = part[1] ? move(l, (int)a[0], part[0], part[1], -1) : 0;
        if (r < 0)
            return done ? done : r;
        done += r;
        if ((uint64_t)r < part[1])
            break;
    }
    return done;
}

int64_t sys_readv(struct alpha_linux *l, const uint64_t *a)
{
    return vector(l, a, read_bytes);
}

int64_t sys_writev(struct alpha_linux *l, const uint64_t *a)
{
    return vector(l, a, write_bytes);
}

int64_t sys_lseek(struct alpha_linux *l, const uint64_t *a)
{
    (void)l;
    return a[2] > 2 ? -EINVAL : result(lseek((int)a[0], (off_t)a[1], (int)a[2]));
}

int64_t sys_ftruncate(struct alpha_linux *l, const uint64_t *a)
{
    (void)l;
    return result(ftruncate((int)a[0], (off_t)a[1]));
}

/* ---- descriptors ---- */

int64_t sys_dup(struct alpha_linux *l, const uint64_t *a)
{
    (void)l;
    return result(dup((int)a[0]));
}

int64_t sys_dup2(struct alpha_linux *l, const uint64_t *a)
{
    (void)l;
    return result(dup2((int)a[0], (int)a[1]));
}

int64_t sys_fcntl(struct alpha_linux *l, const uint64_t *a)
{
    (void)l;
    switch (a[1]) {
    case 0: return result(fcntl((int)a[0], F_DUPFD, (int)a[2]));
    case 1: return result(fcntl((int)a[0], F_GETFD));
    case 2: return result(fcntl((int)a[0], F_SETFD, (int)a[2]));
    case 3: {
        int flags = fcntl((int)a[0], F_GETFL);
        return flags < 0 ? -errno : (int64_t)alpha_flags(flags);
    }
    default: return -EINVAL;
    }
}

int64_t sys_ioctl(struct alpha_linux *l, const uint64_t *a)
{
    (void)l;
    return fcntl((int)a[0], F_GETFD) < 0 ? -EBADF : -ENOTTY;
}

/* ---- names ---- */

static int64_t one_path(struct alpha_linux *l, uint64_t name, int (*act)(const char *))
{
    char path[PATH_SIZE];
    int64_t r = alpha_linux_path(l, name, path, sizeof path);
    return r ? r : result(act(path));
}

int64_t sys_unlink(struct alpha_linux *l, const uint64_t *a)
{
    return one_path(l, a[0], unlink);
}

int64_t sys_rmdir(struct alpha_linux *l, const uint64_t *a)
{
    return one_path(l, a[0], rmdir);
}

int64_t sys_chdir(struct alpha_linux *l, const uint64_t *a)
{
    return one_path(l, a[0], chdir);
}

int64_t sys_unlinkat(struct alpha_linux *l, const uint64_t *a)
{
    char path[PATH_SIZE];
    int64_t r = alpha_linux_path(l, a[1], path, sizeof path);
    return r ? r : result(unlinkat(host_dir(a[0]), path, a[2] & 0x200 ? AT_REMOVEDIR : 0));
}

int64_t sys_mkdir(struct alpha_linux *l, const uint64_t *a)
{
    char path[PATH_SIZE];
    int64_t r = alpha_linux_path(l, a[0], path, sizeof path);
    return r ? r : result(mkdir(path, (mode_t)(a[1] & 07777)));
}

int64_t sys_mkdirat(struct alpha_linux *l, const uint64_t *a)
{
    char path[PATH_SIZE];
    int64_t r = alpha_linux_path(l, a[1], path, sizeof path);
    return r ? r : result(mkdirat(host_dir(a[0]), path, (mode_t)(a[2] & 07777)));
}

int64_t sys_rename(struct alpha_linux *l, const uint64_t *a)
{
    char from[PATH_SIZE], to[PATH_SIZE];
    int64_t r = alpha_linux_path(l, a[0], from, sizeof from);
    if (!r)
        r = alpha_linux_path(l, a[1], to, sizeof to);
    return r ? r : result(rename(from, to));
}

static int64_t access_path(struct alpha_linux *l, int dir, uint64_t name, uint64_t mode)
{
    char path[PATH_SIZE];
    int64_t r = alpha_linux_path(l, name, path, sizeof path);
    return r ? r : mode > 7 ? -EINVAL : result(faccessat(dir, path, (int)mode, 0));
}

int64_t sys_access(struct alpha_linux *l, const uint64_t *a)
{
    return access_path(l, AT_FDCWD, a[0], a[1]);
}

int64_t sys_faccessat(struct alpha_linux *l, const uint64_t *a)
{
    return access_path(l, host_dir(a[0]), a[1], a[2]);
}

static int64_t read_link(struct alpha_linux *l, int dir, uint64_t name, uint64_t to, uint64_t size)
{
    char path[PATH_SIZE], target[PATH_SIZE];
    ssize_t n = -1;
    int64_t r = alpha_linux_path(l, name, path, sizeof path);
    if (r)
        return r;
    if (!strcmp(path, "/proc/self/exe")) {
        char *real = realpath(l->path, NULL);
        if (real)
            n = snprintf(target, sizeof target, "%s", real);
        free(real);
    } else {
        n = readlinkat(dir, path, target, sizeof target);
    }
    if (n < 0)
        return -errno;
    n = (uint64_t)n < size ? n : (ssize_t)size;
    return alpha_linux_out(l, to, target, (size_t)n) ? n : -EFAULT;
}

int64_t sys_readlink(struct alpha_linux *l, const uint64_t *a)
{
    return read_link(l, AT_FDCWD, a[0], a[1], a[2]);
}

int64_t sys_readlinkat(struct alpha_linux *l, const uint64_t *a)
{
    return read_link(l, host_dir(a[0]), a[1], a[2], a[3]);
}

int64_t sys_getcwd(struct alpha_linux *l, const uint64_t *a)
{
    char path[PATH_SIZE];
    if (!getcwd(path, sizeof path))
        return -errno;
    size_t n = strlen(path) + 1;
    if (n > a[1])
        return -ERANGE;
    return alpha_linux_out(l, a[0], path, n) ? (int64_t)n : -EFAULT;
}

int64_t sys_umask(struct alpha_linux *l, const uint64_t *a)
{
    (void)l;
    return umask((mode_t)(a[0] & 0777));
}

/* ---- status ---- */

/* struct stat64: the offsets of its fields are what these arrays have. */
static int64_t put_stat64(struct alpha_linux *l, uint64_t to, const struct stat *st)
{
    uint64_t s[17] = {st->st_dev,
                      st->st_ino,
                      st->st_rdev,
                      (uint64_t)st->st_size,
                      (uint64_t)st->st_blocks,
                      (uint64_t)st->st_mode | (uint64_t)st->st_uid << 32,
                      (uint64_t)st->st_gid | (uint64_t)st->st_blksize << 32,
                      (uint32_t)st->st_nlink,
                      (uint64_t)st->st_atim.tv_sec,
                      (uint64_t)st->st_atim.tv_nsec,
                      (uint64_t)st->st_mtim.tv_sec,
                      (uint64_t)st->st_mtim.tv_nsec,
                      (uint64_t)st->st_ctim.tv_sec,
                      (uint64_t)st->st_ctim.tv_nsec};
    return alpha_linux_out(l, to, s, sizeof s) ? 0 : -EFAULT;
}

static int64_t stat_path(struct alpha_linux *l, int dir, uint64_t name, uint64_t to, uint64_t flags)
{
    char path[PATH_SIZE];
    struct stat st;
    int64_t r = alpha_linux_path(l, name, path, sizeof path);
    if (r == -ENOENT && flags & 0x1000) { /* AT_EMPTY_PATH */
        path[0] = '\0';
        r = 0;
    }
    if (r)
        return r;
    int host = (flags & 0x100 ? AT_SYMLINK_NOFOLLOW : 0) | (flags & 0x1000 ? AT_EMPTY_PATH : 0);
    return fstatat(dir, path, &st, host) ? -errno : put_stat64(l, to, &st);
}

int64_t sys_stat64(struct alpha_linux *l, const uint64_t *a)
{
    return stat_path(l, AT_FDCWD, a[0], a[1], 0);
}

int64_t sys_lstat64(struct alpha_linux *l, const uint64_t *a)
{
    return stat_path(l, AT_FDCWD, a[0], a[1], 0x100);
}

int64_t sys_fstatat64(struct alpha_linux *l, const uint64_t *a)
{
    return stat_path(l, host_dir(a[0]), a[1], a[2], a[3]);
}

int64_t sys_fstat64(struct alpha_linux *l, const uint64_t *a)
{
    struct stat st;
    return fstat((int)a[0], &st) ? -errno : put_stat64(l, a[1], &st);
}

/* The old structure: 32-bit fields, then 64-bit ones. */
int64_t sys_fstat(struct alpha_linux *l, const uint64_t *a)
{
    struct stat st;
    if (fstat((int)a[0], &st))
        return -errno;
    uint32_t s[20] = {(uint32_t)st.st_dev,
                      (uint32_t)st.st_ino,
                      st.st_mode,
                      (uint32_t)st.st_nlink,
                      st.st_uid,
                      st.st_gid,
                      (uint32_t)st.st_rdev};
    uint64_t wide[4] = {(uint64_t)st.st_size,
                        (uint64_t)st.st_atim.tv_sec,
                        (uint64_t)st.st_mtim.tv_sec,
                        (uint64_t)st.st_ctim.tv_sec};
    memcpy(s + 8, wide, sizeof wide);
    s[16] = (uint32_t)st.st_blksize;
    s[17] = (uint32_t)st.st_blocks;
    return alpha_linux_out(l, a[1], s, sizeof s) ? 0 : -EFAULT;
}
