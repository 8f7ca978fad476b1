/*
 * output.h - what the program writes, and what ends a run before its time: output that is lost, or a signal.
 *
 * Everything that is written either reaches its place, or there is a message and an exit status that is not 0.
 */
#ifndef WAITGATE_CLI_OUTPUT_H
#define WAITGATE_CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct output {
    FILE *file; /* NULL: none */
    const char *name;
    int error; /* errno of the first write that failed, 0: none has */
};

/* A file to write to. NULL: none; "": standard output. False, with a message: it cannot be opened. */
bool output_open(struct output *o, const char *path);
/* A waitgate_write; context is a struct output. What is lost interrupts the run. */
void output_write(void *context, const char *text, size_t length);
/* False, with a message, if something was lost. */
bool output_close(struct output *o);

/* What was printed so far, before something goes to standard error. */
void output_flush(void);

/* From now on SIGINT, SIGTERM, SIGHUP and lost output call this, in a signal handler maybe; NULL: no more. */
typedef void output_interrupt(void *context);
void output_interrupts(output_interrupt *interrupt, void *context);
/* The run shall end. */
bool output_stopped(void);
/* The exit status of a run that has ended for this reason, with a message; `lost` if no signal did that. */
int output_status(int lost);

/* At the end of the program: what was printed has reached its place, or the status, which this returns, says that it has not. */
int output_finish(int status);

#endif
