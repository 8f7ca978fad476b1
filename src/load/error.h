/*
 * error.h - how everything in src/load says that it failed: a status, and a text for the user that
 * names the file and, where there is one, the place in it.
 */
#ifndef WG_LOAD_ERROR_H
#define WG_LOAD_ERROR_H

/* Values are never re-used. */
enum load_status {
    LOAD_OK = 0,
    LOAD_ERROR_FILE = 1,    /* a file cannot be opened or read */
    LOAD_ERROR_FORMAT = 2,  /* not a program for these cores, or a damaged one */
    LOAD_ERROR_PLACE = 3,   /* an address that no memory has */
    LOAD_ERROR_OVERLAP = 4, /* two things want the same bytes */
    LOAD_ERROR_SYNTAX = 5,  /* text that does not follow its format */
    LOAD_ERROR_MEMORY = 6   /* no memory */
};

struct load_error {
    enum load_status status;
    unsigned line, column; /* 1-based; 0 if the error has no place in a text */
    char message[512];     /* "file: what is wrong", "file:line:column: what is wrong" */
};

/* Fill error (may be NULL) and return status, so that a failure is one statement. */
enum load_status error_set(struct load_error *error, enum load_status status, const char *format,
                           ...) __attribute__((format(printf, 3, 4)));

enum load_status error_memory(struct load_error *error);

#endif
