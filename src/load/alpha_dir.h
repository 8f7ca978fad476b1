/*
 * alpha_dir.h - the directories of the host that an Alpha program was given, and where its paths lead.
 *
 * A program sees a tree of its own: the given directories under their real names, the directories above them, of which nothing else is
 * there, and a few files that are made for it (/proc/self/exe, /proc/cpuinfo, /dev/null, /dev/zero). Its working directory is a place in
 * this tree, not the host's.
 *
 * Paths are walked here, component by component, and never by the host: no component that the host gets is a symbolic link, "..", or
 * more than a name. Links are read and walked as text, ".." goes up in the program's own tree. So no link, no ".." and no descriptor of
 * a directory leads out of what was given, whoever changes directories meanwhile.
 *
 * Invariants: canonical paths are "" (the root) or "/a/b", without ".", ".." and links. Nothing of a procfs is reached, even if it is mounted
 * inside a given directory: it has the emulator's own memory and descriptors.
 */
#ifndef WG_LOAD_ALPHA_DIR_H
#define WG_LOAD_ALPHA_DIR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "load/error.h"

#define ALPHA_DIR_MOST 16u
#define ALPHA_DIR_PATH 4096u /* bytes of a path with its NUL, as on Linux */
#define ALPHA_DIR_NAME 256u  /* of a name in it */

struct alpha_dir {
    int fd;
    bool read_only;
    uint64_t device, inode;
    char path[ALPHA_DIR_PATH]; /* canonical on the host */
};

struct alpha_dirs {
    struct alpha_dir *dir[ALPHA_DIR_MOST];
    unsigned n;
    char cwd[ALPHA_DIR_PATH]; /* canonical */
};

enum alpha_place_kind {
    ALPHA_PLACE_REAL, /* an entry `name` of the host's directory `fd`, or that directory itself if name is "." */
    ALPHA_PLACE_VIRTUAL, /* a directory above given ones */
    ALPHA_PLACE_EXE,     /* /proc/self/exe */
    ALPHA_PLACE_CPUINFO,
    ALPHA_PLACE_NULL,
    ALPHA_PLACE_ZERO
};

struct alpha_place {
    enum alpha_place_kind kind;
    int fd; /* the caller closes it with alpha_dir_leave() */
    bool read_only;
    bool exists; /* a moment ago, as `st` says; else only its directory does */
    bool slash;  /* the path ends in one: it means a directory */
    struct stat st;
    char name[ALPHA_DIR_NAME];
    char path[ALPHA_DIR_PATH]; /* canonical; none of what is neither on the host nor a directory */
};

/* Gives a directory. One that was given before gets the new right. */
enum load_status alpha_dir_give(struct alpha_dirs *d, const char *path, bool read_only,
                                struct load_error *error);
/* Where the program starts: the host's working directory if it was given, or lies in one that was, else the root. */
void alpha_dir_start(struct alpha_dirs *d);
void alpha_dir_free(struct alpha_dirs *d);

/* Where a path leads that starts, unless it is absolute, at the canonical path `from`. follow: also if its last component is a link. 0, or
   a negated errno. Of what does not exist its directory must. */
int64_t alpha_dir_find(const struct alpha_dirs *d, const char *from, const char *path, bool follow,
                       struct alpha_place *place);
void alpha_dir_leave(struct alpha_place *place);
/* Does something that was given lie below this? */
bool alpha_dir_above(const struct alpha_dirs *d, const char *path);
/* Is this open file on a procfs? */
bool alpha_dir_is_proc(int fd);

#endif
