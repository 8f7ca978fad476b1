/*
 * alpha_dir.c - see alpha_dir.h.
 *
 * Inaccuracies: a directory's descriptor and the working directory stand for their names: renaming them does not take them along. Mounts inside
 * a given directory belong to it, but for procfs.
 */
#define _GNU_SOURCE /* O_PATH */
#include "load/alpha_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#define PROC_MAGIC 0x9fa0
#define LINKS_MOST 40u /* as on Linux */
#define OPEN_DIR   (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static const struct {
    const char *path;
    enum alpha_place_kind kind;
} made[] = {{"/proc/self/exe", ALPHA_PLACE_EXE},
            {"/proc/cpuinfo", ALPHA_PLACE_CPUINFO},
            {"/dev/null", ALPHA_PLACE_NULL},
            {"/dev/zero", ALPHA_PLACE_ZERO}};
#define N_MADE (sizeof made / sizeof made[0])

bool alpha_dir_is_proc(int fd)
{
    struct statfs s;
    return fstatfs(fd, &s) || s.f_type == PROC_MAGIC;
}

/* ---- what was given ---- */

/* Is `path` at `above` or below? */
static bool lies_in(const char *path, const char *above)
{
    size_t n = strlen(above);
    return !strncmp(path, above, n) && (path[n] == '/' || !path[n]);
}

static struct alpha_dir *dir_of_inode(const struct alpha_dirs *d, const struct stat *st)
{
    for (unsigned i = 0; i < d->n; i++)
        if (d->dir[i]->device == st->st_dev && d->dir[i]->inode == st->st_ino)
            return d->dir[i];
    return NULL;
}

static struct alpha_dir *dir_of_path(const struct alpha_dirs *d, const char *path)
{
    for (unsigned i = 0; i < d->n; i++)
        if (!strcmp(d->dir[i]->path, path))
            return d->dir[i];
    return NULL;
}

/* The innermost given directory that a canonical path lies in. /proc is never the host's. */
static struct alpha_dir *dir_around(const struct alpha_dirs *d, const char *path)
{
    struct alpha_dir *best = NULL;
    if (lies_in(path, "/proc"))
        return NULL;
    for (unsigned i = 0; i < d->n; i++)
        if (lies_in(path, d->dir[i]->path) &&
            (!best || strlen(d->dir[i]->path) > strlen(best->path)))
            best = d->dir[i];
    return best;
}

bool alpha_dir_above(const struct alpha_dirs *d, const char *path)
{
    for (unsigned i = 0; i < d->n; i++)
        if (lies_in(d->dir[i]->path, path) && strcmp(d->dir[i]->path, path) != 0)
            return true;
    return false;
}

static bool above_made(const char *path)
{
    for (size_t i = 0; i < N_MADE; i++)
        if (lies_in(made[i].path, path))
            return true;
    return false;
}

static enum load_status give_open(struct alpha_dirs *d, const char *path, struct alpha_dir *dir,
                                  struct load_error *error)
{
    char real[PATH_MAX];
    struct stat st;
    if (!realpath(path, real) || strlen(real) >= sizeof dir->path)
        return error_set(error, LOAD_ERROR_FILE, "%s: %s", path, strerror(errno));
    dir->fd = open(real, OPEN_DIR);
    if (dir->fd < 0 || fstat(dir->fd, &st))
        return error_set(error, LOAD_ERROR_FILE, "%s: %s", path, strerror(errno));
    if (alpha_dir_is_proc(dir->fd))
        return error_set(
            error, LOAD_ERROR_PLACE, "%s: a procfs cannot be given to a program", path);
    snprintf(dir->path, sizeof dir->path, "%s", strcmp(real, "/") != 0 ? real : "");
    dir->device = st.st_dev;
    dir->inode = st.st_ino;
    if (d->n == ALPHA_DIR_MOST && !dir_of_inode(d, &st))
        return error_set(error, LOAD_ERROR_PLACE, "%s: more than 16 directories", path);
    return LOAD_OK;
}

enum load_status alpha_dir_give(struct alpha_dirs *d, const char *path, bool read_only,
                                struct load_error *error)
{
    struct alpha_dir *dir = calloc(1, sizeof *dir);
    if (!dir)
        return error_memory(error);
    dir->fd = -1;
    enum load_status status = give_open(d, path, dir, error);
    struct alpha_dir *old =
        status == LOAD_OK
            ? dir_of_inode(d, &(struct stat){.st_dev = dir->device, .st_ino = dir->inode})
            : NULL;
    if (old)
        old->read_only = read_only;
    dir->read_only = read_only;
    if (status == LOAD_OK && !old) {
        d->dir[d->n++] = dir;
        return LOAD_OK;
    }
    if (dir->fd >= 0)
        close(dir->fd);
    free(dir);
    return status;
}

void alpha_dir_start(struct alpha_dirs *d)
{
    char real[PATH_MAX];
    d->cwd[0] = '\0';
    if (realpath(".", real) && strcmp(real, "/") != 0 && dir_around(d, real))
        snprintf(d->cwd, sizeof d->cwd, "%s", real);
}

void alpha_dir_free(struct alpha_dirs *d)
{
    for (unsigned i = 0; i < d->n; i++) {
        close(d->dir[i]->fd);
        free(d->dir[i]);
    }
    d->n = 0;
}

/* ---- the walk ---- */

struct walk {
    const struct alpha_dirs *d;
    int fd; /* the directory at `at`; -1: it is not the host's */
    bool read_only;
    unsigned links;
    char at[ALPHA_DIR_PATH];   /* canonical */
    char rest[ALPHA_DIR_PATH]; /* still to be walked */
};

/* The host's directory `fd` is where the walk is now. */
static int64_t walk_take(struct walk *w, int fd)
{
    if (w->fd >= 0)
        close(w->fd);
    w->fd = fd;
    return fd >= 0 && alpha_dir_is_proc(fd) ? -ENOENT : 0;
}

/* Opens the directory of a canonical path from that which was given on. */
static int64_t walk_enter(struct walk *w, const char *path)
{
    const struct alpha_dir *dir = dir_around(w->d, path);
    char name[ALPHA_DIR_NAME];
    int64_t r = walk_take(w, dir ? fcntl(dir->fd, F_DUPFD_CLOEXEC, 3) : -1);
    if (dir && w->fd < 0)
        return -errno;
    w->read_only = dir ? dir->read_only : true;
    if (path != w->at)
        snprintf(w->at, sizeof w->at, "%s", path);
    if (!dir)
        return 0; /* above: the walk has been there */
    for (const char *p = w->at + strlen(dir->path); !r && *p;) {
        size_t n = strcspn(++p, "/");
        if (n >= sizeof name)
            return -ENAMETOOLONG;
        memcpy(name, p, n);
        name[n] = '\0';
        int fd = openat(w->fd, name, OPEN_DIR);
        r = fd < 0 ? -errno : walk_take(w, fd);
        p += n;
    }
    return r;
}

static int64_t walk_up(struct walk *w)
{
    char *last = strrchr(w->at, '/');
    if (last)
        *last = '\0';
    return walk_enter(w, w->at);
}

/* The first component of the rest; false: there is none. */
static bool walk_next(struct walk *w, char *name, bool *last, bool *slash)
{
    const char *p = w->rest + strspn(w->rest, "/");
    size_t n = strcspn(p, "/");
    if (!n)
        return false;
    snprintf(name, ALPHA_DIR_PATH, "%.*s", (int)n, p);
    p += n;
    *slash = *p == '/';
    p += strspn(p, "/");
    *last = !*p;
    memmove(w->rest, p, strlen(p) + 1);
    return true;
}

/* What a link says comes before the rest. */
static int64_t walk_link(struct walk *w, const char *name, bool slash)
{
    char text[ALPHA_DIR_PATH];
    ssize_t n = readlinkat(w->fd, name, text, sizeof text - 1);
    if (n < 0)
        return -errno;
    if (++w->links > LINKS_MOST)
        return -ELOOP;
    text[n] = '\0';
    size_t rest = strlen(w->rest);
    if (!n || (size_t)n + 1 + rest >= sizeof w->rest)
        return n ? -ENAMETOOLONG : -ENOENT;
    memmove(w->rest + n + slash, w->rest, rest + 1);
    memcpy(w->rest, text, (size_t)n);
    if (slash)
        w->rest[n] = '/';
    return *text == '/' ? walk_enter(w, "") : 0;
}

/* The walk's directory itself is the place. */
static void walk_here(const struct walk *w, struct alpha_place *place)
{
    snprintf(place->name, sizeof place->name, ".");
    snprintf(place->path, sizeof place->path, "%s", w->at);
    place->kind = w->fd < 0 ? ALPHA_PLACE_VIRTUAL : ALPHA_PLACE_REAL;
    place->exists = true;
    if (w->fd >= 0)
        place->exists = !fstat(w->fd, &place->st);
    else
        place->st = (struct stat){.st_mode = S_IFDIR | 0555, .st_nlink = 2, .st_blksize = 512};
}

/* The next place but one: into a directory, along a link, or there. 1: there. */
static int64_t walk_real(struct walk *w, const char *name, const char *path, bool last, bool slash,
                         bool follow, struct alpha_place *place)
{
    if (strlen(name) >= ALPHA_DIR_NAME)
        return -ENAMETOOLONG;
    int error = fstatat(w->fd, name, &place->st, AT_SYMLINK_NOFOLLOW) ? errno : 0;
    if (error && (error != ENOENT || !last))
        return -error;
    place->exists = !error;
    if (!error && S_ISLNK(place->st.st_mode) && (!last || follow || slash))
        return walk_link(w, name, slash);
    const struct alpha_dir *dir =
        !error && S_ISDIR(place->st.st_mode) ? dir_of_inode(w->d, &place->st) : NULL;
    if (dir)
        return walk_enter(w, dir->path);
    if (!error && !S_ISDIR(place->st.st_mode) && (!last || slash))
        return -ENOTDIR;
    if (last) {
        place->kind = ALPHA_PLACE_REAL;
        place->slash = slash;
        memcpy(place->name, name, strlen(name) + 1);
        snprintf(place->path, sizeof place->path, "%s", path);
        return 1;
    }
    int fd = openat(w->fd, name, OPEN_DIR);
    if (fd < 0)
        return -errno;
    snprintf(w->at, sizeof w->at, "%s", path);
    return walk_take(w, fd);
}

static int64_t walk_step(struct walk *w, const char *name, bool last, bool slash, bool follow,
                         struct alpha_place *place)
{
    char path[ALPHA_DIR_PATH];
    if (!strcmp(name, "."))
        return 0;
    if (!strcmp(name, ".."))
        return walk_up(w);
    if ((size_t)snprintf(path, sizeof path, "%s/%s", w->at, name) >= sizeof path)
        return -ENAMETOOLONG;
    for (size_t i = 0; i < N_MADE; i++)
        if (!strcmp(path, made[i].path)) {
            place->kind = made[i].kind;
            place->exists = true;
            return last && !slash ? 1 : -ENOTDIR;
        }
    bool proc = lies_in(path, "/proc");
    if (!proc && dir_of_path(w->d, path))
        return walk_enter(w, path);
    if (!proc && w->fd >= 0)
        return walk_real(w, name, path, last, slash, follow, place);
    if (!above_made(path) && (proc || !alpha_dir_above(w->d, path)))
        return -ENOENT;
    walk_take(w, -1);
    w->read_only = true;
    snprintf(w->at, sizeof w->at, "%s", path);
    return 0;
}

int64_t alpha_dir_find(const struct alpha_dirs *d, const char *from, const char *path, bool follow,
                       struct alpha_place *place)
{
    struct walk *w = calloc(1, sizeof *w);
    char name[ALPHA_DIR_PATH];
    bool last = false, slash = false;
    memset(place, 0, sizeof *place);
    place->fd = -1;
    if (!w)
        return -ENOMEM;
    w->d = d;
    w->fd = -1;
    int64_t r = strlen(path) < sizeof w->rest ? 0 : -ENAMETOOLONG;
    if (!r) {
        snprintf(w->rest, sizeof w->rest, "%s", path);
        r = !*path ? -ENOENT : walk_enter(w, *path == '/' ? "" : from);
    }
    while (!r && walk_next(w, name, &last, &slash))
        r = walk_step(w, name, last, slash, follow, place);
    if (!r)
        walk_here(w, place);
    place->read_only = w->read_only;
    if (r >= 0 && place->kind == ALPHA_PLACE_REAL)
        place->fd = w->fd;
    else if (w->fd >= 0)
        close(w->fd);
    free(w);
    return r < 0 ? r : 0;
}

void alpha_dir_leave(struct alpha_place *place)
{
    if (place->fd >= 0)
        close(place->fd);
    place->fd = -1;
}
