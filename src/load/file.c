/* file.c - see file.h. */
#include "load/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIZE ((size_t)64 << 20)
#define CHUNK    ((size_t)64 << 10)

static enum load_status read_all(FILE *file, const char *path, struct file_bytes *bytes,
                                 struct load_error *error)
{
    size_t room = CHUNK;
    bytes->data = malloc(room);
    bytes->size = 0;
    while (bytes->data) {
        bytes->size += fread(bytes->data + bytes->size, 1, room - bytes->size, file);
        if (ferror(file))
            return error_set(error, LOAD_ERROR_FILE, "%s: %s", path, strerror(errno));
        if (bytes->size < room)
            return LOAD_OK;
        if (room >= MAX_SIZE)
            return error_set(error, LOAD_ERROR_FILE, "%s: larger than 64 MiB", path);
        room *= 2;
        uint8_t *larger = realloc(bytes->data, room);
        if (!larger)
            break;
        bytes->data = larger;
    }
    return error_memory(error);
}

enum load_status file_read(const char *path, struct file_bytes *bytes, struct load_error *error)
{
    *bytes = (struct file_bytes){0};
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (!file && errno == ENOMEM)
        return error_memory(error);
    if (!file)
        return error_set(error, LOAD_ERROR_FILE, "%s: %s", path, strerror(errno));
    enum load_status status = read_all(file, path, bytes, error);
    fclose(file);
    if (status != LOAD_OK) {
        free(bytes->data);
        *bytes = (struct file_bytes){0};
    }
    return status;
}

char *file_copy_text(const char *text, size_t n)
{
    char *copy = malloc(n + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

char *file_beside(const char *base, const char *name)
{
    const char *slash = strrchr(base, '/');
    size_t folder = slash && name[0] != '/' ? (size_t)(slash - base) + 1 : 0;
    size_t n = strlen(name);
    char *path = malloc(folder + n + 1);
    if (!path)
        return NULL;
    memcpy(path, base, folder);
    memcpy(path + folder, name, n + 1);
    return path;
}
