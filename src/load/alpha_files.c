/*
 * alpha_files.c - see alpha_files.h.
 *
 * Inaccuracies: FIFOs, sockets and devices other than /dev/null and /dev/zero cannot be opened (EACCES). The host's umask holds beside the program's.
 */
#define _GNU_SOURCE /* memfd_create(), F_DUPFD_CLOEXEC */
#include "load/alpha_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char cpuinfo[] = "cpu\t\t\t: Alpha\n"
                              "cpu model\t\t: EV67\n"
                              "system type\t\t: Waitgate\n"
                              "page size [bytes]\t: 8192\n"
                              "cpus detected\t\t: 1\n"
                              "platform string\t\t: Waitgate\n";

void alpha_files_init(struct alpha_files *f)
{
    for (unsigned i = 0; i < ALPHA_FILES_MOST; i++)
        f->file[i] = (struct alpha_file){.fd = i < 3 && fcntl((int)i, F_GETFD) >= 0 ? (int)i : -1};
}

static void release(struct alpha_file *file)
{
    if (file->fd > 2)
        close(file->fd);
    free(file->path);
    *file = (struct alpha_file){.fd = -1};
}

void alpha_files_free(struct alpha_files *f)
{
    for (unsigned i = 0; i < ALPHA_FILES_MOST; i++)
        release(&f->file[i]);
    alpha_dir_free(&f->dirs);
}

int alpha_files_host(const struct alpha_files *f, uint64_t fd)
{
    uint32_t n = (uint32_t)fd; /* an int to the kernel */
    return n < ALPHA_FILES_MOST ? f->file[n].fd : -1;
}

const char *alpha_files_base(const struct alpha_files *f, uint64_t fd)
{
    return alpha_files_host(f, fd) >= 0 ? f->file[(uint32_t)fd].path : NULL;
}

/* A number for a descriptor of the host, which is closed if there is none. */
static int64_t install(struct alpha_files *f, int host, uint64_t least, bool close_on_exec,
                       const char *path)
{
    uint64_t n = least;
    if (host >= 0 && host <= 2) { /* a stream that the emulator was started without */
        int higher = fcntl(host, F_DUPFD_CLOEXEC, 3);
        close(host);
        host = higher;
    }
    if (host < 0)
        return -errno;
    while (n < ALPHA_FILES_MOST && f->file[n].fd >= 0)
        n++;
    char *copy = path && n < ALPHA_FILES_MOST ? strdup(path) : NULL;
    if (n >= ALPHA_FILES_MOST || (path && !copy)) {
        close(host);
        return n < ALPHA_FILES_MOST ? -ENOMEM : -EMFILE;
    }
    f->file[n] = (struct alpha_file){.fd = host, .close_on_exec = close_on_exec, .path = copy};
    return (int64_t)n;
}

/* ---- opening ---- */

static bool may_open(const struct stat *st)
{
    return S_ISREG(st->st_mode) || S_ISDIR(st->st_mode);
}

/* An entry of a directory; it may have become something else since it was found. */
static int64_t open_real(struct alpha_files *f, const struct alpha_place *p, int flags,
                         unsigned mode)
{
    struct stat st;
    bool writes = (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC;
    if (p->exists && S_ISLNK(p->st.st_mode))
        return flags & O_CREAT && flags & O_EXCL ? -EEXIST : -ELOOP;
    if (p->exists && !may_open(&p->st))
        return -EACCES;
    if (!p->exists && p->slash)
        return flags & O_CREAT ? -EISDIR : -ENOENT;
    if (p->read_only && p->exists)
        flags &= ~O_CREAT;
    if (p->read_only && (writes || flags & O_CREAT))
        return -EROFS;
    int fd = openat(p->fd,
                    p->name,
                    flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
                    (mode_t)(mode & 0777));
    if (fd < 0)
        return -errno;
    int error = fstat(fd, &st) || !may_open(&st) ? EACCES : alpha_dir_is_proc(fd) ? ENOENT : 0;
    if (!error && !(flags & O_NONBLOCK) && fcntl(fd, F_SETFL, flags & O_APPEND) < 0)
        error = errno;
    if (error) {
        close(fd);
        return -error;
    }
    return install(f, fd, 0, flags & O_CLOEXEC, S_ISDIR(st.st_mode) ? p->path : NULL);
}

/* A file with a text that cannot be changed. */
static int open_text(const char *text, size_t size)
{
    int fd = memfd_create("text", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return -1;
    if (write(fd, text, size) == (ssize_t)size && !lseek(fd, 0, SEEK_SET) &&
        !fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL))
        return fd;
    close(fd);
    errno = EIO;
    return -1;
}

/* What is made for the program: its own file and texts can be read only. */
static int64_t open_made(struct alpha_files *f, const struct alpha_place *p, int flags)
{
    bool device = p->kind == ALPHA_PLACE_NULL || p->kind == ALPHA_PLACE_ZERO;
    int access = flags & O_ACCMODE, fd;
    struct stat st;
    if (flags & O_CREAT && flags & O_EXCL)
        return -EEXIST;
    if (flags & O_DIRECTORY)
        return -ENOTDIR;
    if (!device && (access != O_RDONLY || flags & O_TRUNC))
        return -EACCES;
    switch (p->kind) {
    case ALPHA_PLACE_EXE:
        if (flags & O_NOFOLLOW)
            return -ELOOP;
        fd = f->program ? open(f->program, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
        if (!f->program)
            errno = ENOENT;
        if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
            close(fd);
            fd = -1;
            errno = EACCES;
        }
        break;
    case ALPHA_PLACE_CPUINFO: fd = open_text(cpuinfo, sizeof cpuinfo - 1); break;
    case ALPHA_PLACE_NULL: fd = open("/dev/null", access | O_CLOEXEC | O_NOCTTY); break;
    default: fd = open("/dev/zero", access | O_CLOEXEC | O_NOCTTY); break;
    }
    return install(f, fd, 0, flags & O_CLOEXEC, NULL);
}

int64_t alpha_files_open(struct alpha_files *f, const char *from, const char *path, int flags,
                         unsigned mode)
{
    struct alpha_place p;
    bool follow = !(flags & O_NOFOLLOW) && !(flags & O_CREAT && flags & O_EXCL);
    int64_t r = alpha_dir_find(&f->dirs, from, path, follow, &p);
    if (r)
        return r;
    if (p.kind == ALPHA_PLACE_REAL)
        r = open_real(f, &p, flags, mode);
    else if (p.kind == ALPHA_PLACE_VIRTUAL)
        r = (flags & O_ACCMODE) != O_RDONLY || flags & O_CREAT ? -EISDIR : -EACCES;
    else
        r = open_made(f, &p, flags);
    alpha_dir_leave(&p);
    return r;
}

/* ---- the table ---- */

int64_t alpha_files_close(struct alpha_files *f, uint64_t fd)
{
    if (alpha_files_host(f, fd) < 0)
        return -EBADF;
    release(&f->file[(uint32_t)fd]);
    return 0;
}

int64_t alpha_files_dup(struct alpha_files *f, uint64_t fd, uint64_t least, bool close_on_exec)
{
    int host = alpha_files_host(f, fd);
    if (host < 0)
        return -EBADF;
    if (least >= ALPHA_FILES_MOST)
        return -EINVAL;
    return install(
        f, fcntl(host, F_DUPFD_CLOEXEC, 3), least, close_on_exec, f->file[(uint32_t)fd].path);
}

int64_t alpha_files_dup_to(struct alpha_files *f, uint64_t fd, uint64_t to)
{
    uint32_t from = (uint32_t)fd, n = (uint32_t)to;
    int host = alpha_files_host(f, fd);
    if (host < 0 || n >= ALPHA_FILES_MOST)
        return -EBADF;
    if (from == n)
        return (int64_t)n;
    int copy = fcntl(host, F_DUPFD_CLOEXEC, 3);
    if (copy < 0)
        return -errno;
    release(&f->file[n]);
    return install(f, copy, n, false, f->file[from].path);
}

int64_t alpha_files_stat(const struct alpha_files *f, struct alpha_place *p, struct stat *st)
{
    if (!p->exists)
        return -ENOENT;
    *st = p->st;
    switch (p->kind) {
    case ALPHA_PLACE_REAL:
    case ALPHA_PLACE_VIRTUAL: return 0;
    case ALPHA_PLACE_EXE: return f->program && !stat(f->program, st) ? 0 : -ENOENT;
    case ALPHA_PLACE_CPUINFO:
        *st = (struct stat){.st_mode = S_IFREG | 0444, .st_nlink = 1, .st_blksize = 1024};
        return 0;
    default: return stat(p->kind == ALPHA_PLACE_NULL ? "/dev/null" : "/dev/zero", st) ? -errno : 0;
    }
}
