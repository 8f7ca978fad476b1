/*
 * alpha_sys_file.c - system calls of Alpha programs on files.
 *
 * Numbers of flags and the layout of structures: the kernel's asm/fcntl.h and asm/stat.h for Alpha.
 *
 * What a path means is alpha_dir.c's, what a descriptor does is alpha_files.c's: no path of a program and none of its numbers reaches the
 * host from here.
 *
 * Inaccuracies: no terminals: ioctl() fails with ENOTTY.
 */
#define _GNU_SOURCE /* pread(), clocks, AT_EMPTY_PATH */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "load/alpha_files.h"
#include "load/alpha_linux.h"

#define CHUNK  65536u
#define AT_CWD ((int64_t)-100)

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

/* ---- places ---- */

/* Where relative paths start that come with this descriptor; NULL: see *error. */
static const char *base_of(const struct alpha_linux *l, uint64_t fd, int64_t *error)
{
    if ((int32_t)fd == AT_CWD)
        return l->files->dirs.cwd;
    *error = alpha_files_host(l->files, fd) < 0 ? -EBADF : -ENOTDIR;
    return alpha_files_base(l->files, fd);
}

/* Where a path of the program leads. */
static int64_t find(struct alpha_linux *l, uint64_t fd, uint64_t name, bool follow,
                    struct alpha_place *place)
{
    char path[ALPHA_DIR_PATH];
    int64_t r = alpha_linux_path(l, name, path, sizeof path);
    if (r)
        return r;
    const char *base = *path == '/' ? "" : base_of(l, fd, &r);
    return base ? alpha_dir_find(&l->files->dirs, base, path, follow, place) : r;
}

/* The same for what is to be made, removed or renamed: an entry of a directory that may be changed. */
static int64_t find_entry(struct alpha_linux *l, uint64_t fd, uint64_t name, bool make,
                          struct alpha_place *place)
{
    int64_t r = find(l, fd, name, false, place);
    if (r)
        return r;
    if (place->kind != ALPHA_PLACE_REAL || !strcmp(place->name, "."))
        r = make ? -EEXIST : -EBUSY;
    else if (place->read_only)
        r = make && place->exists ? -EEXIST : -EROFS;
    if (r)
        alpha_dir_leave(place);
    return r;
}

static int64_t open_path(struct alpha_linux *l, uint64_t fd, uint64_t name, uint64_t flags,
                         uint64_t mode)
{
    char path[ALPHA_DIR_PATH];
    int64_t r = alpha_linux_path(l, name, path, sizeof path);
    if (r)
        return r;
    const char *base = *path == '/' ? "" : base_of(l, fd, &r);
    return base ? alpha_files_open(
                      l->files, base, path, host_flags(flags), (unsigned)mode & ~l->umask)
                : r;
}

int64_t alpha_sys_file_open(struct alpha_linux *l, const uint64_t *a)
{
    return open_path(l, (uint64_t)AT_CWD, a[0], a[1], a[2]);
}

int64_t alpha_sys_file_openat(struct alpha_linux *l, const uint64_t *a)
{
    return open_path(l, a[0], a[1], a[2], a[3]);
}

int64_t alpha_sys_file_close(struct alpha_linux *l, const uint64_t *a)
{
    return alpha_files_close(l->files, a[0]);
}

/* ---- bytes ---- */

/* offset < 0: where the file stands. */
static int64_t write_bytes(struct alpha_linux *l, uint64_t number, uint64_t from, uint64_t size,
                           int64_t offset)
{
    uint8_t buf[CHUNK];
    int64_t done = 0;
    int fd = alpha_files_host(l->files, number);
    if (fd < 0)
        return -EBADF;
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

static int64_t read_bytes(struct alpha_linux *l, uint64_t number, uint64_t to, uint64_t size,
                          int64_t offset)
{
    uint8_t buf[CHUNK];
    int fd = alpha_files_host(l->files, number);
    if (fd < 0)
        return -EBADF;
    size_t n = size < CHUNK ? (size_t)size : CHUNK;
    ssize_t r = offset < 0 ? read(fd, buf, n) : pread(fd, buf, n, offset);
    if (r < 0)
        return -errno;
    return !r || alpha_linux_out(l, to, buf, (size_t)r) ? r : -EFAULT;
}

int64_t alpha_sys_file_read(struct alpha_linux *l, const uint64_t *a)
{
    return read_bytes(l, a[0], a[1], a[2], -1);
}

int64_t alpha_sys_file_write(struct alpha_linux *l, const uint64_t *a)
{
    return write_bytes(l, a[0], a[1], a[2], -1);
}

int64_t alpha_sys_file_pread(struct alpha_linux *l, const uint64_t *a)
{
    return (int64_t)a[3] < 0 ? -EINVAL : read_bytes(l, a[0], a[1], a[2], (int64_t)a[3]);
}

int64_t alpha_sys_file_pwrite(struct alpha_linux *l, const uint64_t *a)
{
    return (int64_t)a[3] < 0 ? -EINVAL : write_bytes(l, a[0], a[1], a[2], (int64_t)a[3]);
}

static int64_t vector(struct alpha_linux *l, const uint64_t *a,
                      int64_t (*move)(struct alpha_linux *, uint64_t, uint64_t, uint64_t, int64_t))
{
    int64_t done = 0;
    if (alpha_files_host(l->files, a[0]) < 0)
        return -EBADF;
    if (a[2] > 1024)
        return -EINVAL;
    for (uint64_t i = 0; i < a[2]; i++) {
        uint64_t part[2];
        if (!alpha_linux_in(l, a[1] + 16 * i, part, sizeof part))
            return done ? done : -EFAULT;
        int64_t r = part[1] ? move(l, a[0], part[0], part[1], -1) : 0;
        if (r < 0)
            return done ? done : r;
        done += r;
        if ((uint64_t)r < part[1])
            break;
    }
    return done;
}

int64_t alpha_sys_file_readv(struct alpha_linux *l, const uint64_t *a)
{
    return vector(l, a, read_bytes);
}

int64_t alpha_sys_file_writev(struct alpha_linux *l, const uint64_t *a)
{
    return vector(l, a, write_bytes);
}

int64_t alpha_sys_file_lseek(struct alpha_linux *l, const uint64_t *a)
{
    int fd = alpha_files_host(l->files, a[0]);
    if (fd < 0)
        return -EBADF;
    return a[2] > 2 ? -EINVAL : result(lseek(fd, (off_t)a[1], (int)a[2]));
}

int64_t alpha_sys_file_ftruncate(struct alpha_linux *l, const uint64_t *a)
{
    int fd = alpha_files_host(l->files, a[0]);
    return fd < 0 ? -EBADF : result(ftruncate(fd, (off_t)a[1]));
}

/* ---- descriptors ---- */

int64_t alpha_sys_file_dup(struct alpha_linux *l, const uint64_t *a)
{
    return alpha_files_dup(l->files, a[0], 0, false);
}

int64_t alpha_sys_file_dup2(struct alpha_linux *l, const uint64_t *a)
{
    return alpha_files_dup_to(l->files, a[0], a[1]);
}

int64_t alpha_sys_file_fcntl(struct alpha_linux *l, const uint64_t *a)
{
    enum { DUPFD = 0, GETFD = 1, SETFD = 2, GETFL = 3, DUPFD_CLOEXEC = 1030 };
    int fd = alpha_files_host(l->files, a[0]), flags;
    if (fd < 0)
        return -EBADF;
    struct alpha_file *file = &l->files->file[(uint32_t)a[0]];
    switch (a[1]) {
    case DUPFD:
    case DUPFD_CLOEXEC: return alpha_files_dup(l->files, a[0], a[2], a[1] == DUPFD_CLOEXEC);
    case GETFD: return file->close_on_exec;
    case SETFD: file->close_on_exec = a[2] & 1; return 0;
    case GETFL: flags = fcntl(fd, F_GETFL); return flags < 0 ? -errno : (int64_t)alpha_flags(flags);
    default: return -EINVAL;
    }
}

int64_t alpha_sys_file_ioctl(struct alpha_linux *l, const uint64_t *a)
{
    return alpha_files_host(l->files, a[0]) < 0 ? -EBADF : -ENOTTY;
}

/* ---- names ---- */

static int64_t remove_entry(struct alpha_linux *l, uint64_t fd, uint64_t name, bool directory)
{
    struct alpha_place p;
    int64_t r = find_entry(l, fd, name, false, &p);
    if (r)
        return r;
    r = result(unlinkat(p.fd, p.name, directory ? AT_REMOVEDIR : 0));
    alpha_dir_leave(&p);
    return r;
}

int64_t alpha_sys_file_unlink(struct alpha_linux *l, const uint64_t *a)
{
    return remove_entry(l, (uint64_t)AT_CWD, a[0], false);
}

int64_t alpha_sys_file_rmdir(struct alpha_linux *l, const uint64_t *a)
{
    return remove_entry(l, (uint64_t)AT_CWD, a[0], true);
}

int64_t alpha_sys_file_unlinkat(struct alpha_linux *l, const uint64_t *a)
{
    return a[2] & ~UINT64_C(0x200) ? -EINVAL : remove_entry(l, a[0], a[1], a[2] & 0x200);
}

static int64_t make_directory(struct alpha_linux *l, uint64_t fd, uint64_t name, uint64_t mode)
{
    struct alpha_place p;
    int64_t r = find_entry(l, fd, name, true, &p);
    if (r)
        return r;
    r = result(mkdirat(p.fd, p.name, (mode_t)(mode & ~l->umask & 0777)));
    alpha_dir_leave(&p);
    return r;
}

int64_t alpha_sys_file_mkdir(struct alpha_linux *l, const uint64_t *a)
{
    return make_directory(l, (uint64_t)AT_CWD, a[0], a[1]);
}

int64_t alpha_sys_file_mkdirat(struct alpha_linux *l, const uint64_t *a)
{
    return make_directory(l, a[0], a[1], a[2]);
}

/* A directory with a given one in it stays where it is: that one may have other rights. */
int64_t alpha_sys_file_rename(struct alpha_linux *l, const uint64_t *a)
{
    struct alpha_place from, to;
    int64_t r = find_entry(l, (uint64_t)AT_CWD, a[0], false, &from);
    if (r)
        return r;
    r = alpha_dir_above(&l->files->dirs, from.path)
            ? -EBUSY
            : find_entry(l, (uint64_t)AT_CWD, a[1], false, &to);
    if (!r) {
        r = result(renameat(from.fd, from.name, to.fd, to.name));
        alpha_dir_leave(&to);
    }
    alpha_dir_leave(&from);
    return r;
}

int64_t alpha_sys_file_chdir(struct alpha_linux *l, const uint64_t *a)
{
    struct alpha_place p;
    struct stat st;
    int64_t r = find(l, (uint64_t)AT_CWD, a[0], true, &p);
    if (!r) {
        r = alpha_files_stat(l->files, &p, &st);
        if (!r && !S_ISDIR(st.st_mode))
            r = -ENOTDIR;
        if (!r && p.kind == ALPHA_PLACE_REAL && faccessat(p.fd, p.name, X_OK, AT_SYMLINK_NOFOLLOW))
            r = -errno;
        if (!r)
            memcpy(l->files->dirs.cwd, p.path, sizeof p.path);
        alpha_dir_leave(&p);
    }
    return r;
}

static int64_t access_path(struct alpha_linux *l, uint64_t fd, uint64_t name, uint64_t mode)
{
    struct alpha_place p;
    struct stat st;
    int64_t r = mode > 7 ? -EINVAL : find(l, fd, name, true, &p);
    if (r)
        return r;
    r = alpha_files_stat(l->files, &p, &st);
    bool made = p.kind == ALPHA_PLACE_EXE || p.kind == ALPHA_PLACE_CPUINFO;
    if (!r && mode & W_OK && (p.read_only || made) && !S_ISCHR(st.st_mode))
        r = -EROFS;
    if (!r && mode && p.kind == ALPHA_PLACE_REAL)
        r = result(faccessat(p.fd, p.name, (int)mode, AT_SYMLINK_NOFOLLOW));
    else if (!r && mode & X_OK && p.kind != ALPHA_PLACE_VIRTUAL && p.kind != ALPHA_PLACE_EXE)
        r = -EACCES;
    alpha_dir_leave(&p);
    return r;
}

int64_t alpha_sys_file_access(struct alpha_linux *l, const uint64_t *a)
{
    return access_path(l, (uint64_t)AT_CWD, a[0], a[1]);
}

int64_t alpha_sys_file_faccessat(struct alpha_linux *l, const uint64_t *a)
{
    return access_path(l, a[0], a[1], a[2]);
}

static int64_t read_link(struct alpha_linux *l, uint64_t fd, uint64_t name, uint64_t to,
                         uint64_t size)
{
    char target[ALPHA_DIR_PATH];
    struct alpha_place p;
    int64_t r = find(l, fd, name, false, &p);
    if (r)
        return r;
    if (p.kind == ALPHA_PLACE_EXE) {
        char *real = l->files->program ? realpath(l->files->program, NULL) : NULL;
        r = real ? snprintf(target, sizeof target, "%s", real) : -ENOENT;
        free(real);
    } else if (!p.exists) {
        r = -ENOENT;
    } else {
        r = p.kind == ALPHA_PLACE_REAL && S_ISLNK(p.st.st_mode)
                ? result(readlinkat(p.fd, p.name, target, sizeof target))
                : -EINVAL;
    }
    alpha_dir_leave(&p);
    if (r < 0 || !(int64_t)size)
        return r < 0 ? r : -EINVAL;
    r = (uint64_t)r < size ? r : (int64_t)size;
    return alpha_linux_out(l, to, target, (size_t)r) ? r : -EFAULT;
}

int64_t alpha_sys_file_readlink(struct alpha_linux *l, const uint64_t *a)
{
    return read_link(l, (uint64_t)AT_CWD, a[0], a[1], a[2]);
}

int64_t alpha_sys_file_readlinkat(struct alpha_linux *l, const uint64_t *a)
{
    return read_link(l, a[0], a[1], a[2], a[3]);
}

int64_t alpha_sys_file_getcwd(struct alpha_linux *l, const uint64_t *a)
{
    const char *path = *l->files->dirs.cwd ? l->files->dirs.cwd : "/";
    size_t n = strlen(path) + 1;
    if (n > a[1])
        return -ERANGE;
    return alpha_linux_out(l, a[0], path, n) ? (int64_t)n : -EFAULT;
}

int64_t alpha_sys_file_umask(struct alpha_linux *l, const uint64_t *a)
{
    unsigned old = l->umask;
    l->umask = (unsigned)(a[0] & 0777);
    return old;
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

/* Of an open descriptor. */
static int64_t stat_number(const struct alpha_linux *l, uint64_t number, struct stat *st)
{
    int fd = alpha_files_host(l->files, number);
    return fd < 0 ? -EBADF : result(fstat(fd, st));
}

static int64_t stat_path(struct alpha_linux *l, uint64_t fd, uint64_t name, uint64_t to,
                         uint64_t flags)
{
    enum { NOFOLLOW = 0x100, EMPTY_PATH = 0x1000 };
    struct alpha_place p;
    struct stat st;
    char first = 1;
    if (flags & EMPTY_PATH && alpha_linux_in(l, name, &first, 1) && !first &&
        (int32_t)fd != AT_CWD) {
        int64_t r = stat_number(l, fd, &st);
        return r ? r : put_stat64(l, to, &st);
    }
    int64_t r = find(l, fd, name, !(flags & NOFOLLOW), &p);
    if (r)
        return r;
    r = alpha_files_stat(l->files, &p, &st);
    if (!r && p.kind == ALPHA_PLACE_EXE && flags & NOFOLLOW)
        st.st_mode = S_IFLNK | 0777;
    alpha_dir_leave(&p);
    return r ? r : put_stat64(l, to, &st);
}

int64_t alpha_sys_file_stat64(struct alpha_linux *l, const uint64_t *a)
{
    return stat_path(l, (uint64_t)AT_CWD, a[0], a[1], 0);
}

int64_t alpha_sys_file_lstat64(struct alpha_linux *l, const uint64_t *a)
{
    return stat_path(l, (uint64_t)AT_CWD, a[0], a[1], 0x100);
}

int64_t alpha_sys_file_fstatat64(struct alpha_linux *l, const uint64_t *a)
{
    return stat_path(l, a[0], a[1], a[2], a[3]);
}

int64_t alpha_sys_file_fstat64(struct alpha_linux *l, const uint64_t *a)
{
    struct stat st;
    int64_t r = stat_number(l, a[0], &st);
    return r ? r : put_stat64(l, a[1], &st);
}

/* The old structure: 32-bit fields, then 64-bit ones. */
int64_t alpha_sys_file_fstat(struct alpha_linux *l, const uint64_t *a)
{
    struct stat st;
    int64_t r = stat_number(l, a[0], &st);
    if (r)
        return r;
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
