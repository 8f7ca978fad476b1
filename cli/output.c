/*
 * output.c - see output.h.
 *
 * Block: none.
 * Invariants: a second signal has its usual effect; signals that were ignored stay so.
 *
 * **Inaccuracies**: none.
 */
#define _POSIX_C_SOURCE 200809L

#include "output.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

static output_interrupt *volatile stop;
static void *volatile stop_context;
static volatile sig_atomic_t stopped, caught;

static void stop_now(void)
{
    output_interrupt *interrupt = stop;
    stopped = 1;
    if (interrupt)
        interrupt(stop_context);
}

static void on_signal(int number)
{
    caught = number;
    stop_now();
}

void output_interrupts(output_interrupt *interrupt, void *context)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction act, old;
    stop_context = context;
    stop = interrupt;
    memset(&act, 0, sizeof act);
    sigemptyset(&act.sa_mask);
    act.sa_flags = (int)SA_RESETHAND; /* and no SA_RESTART: what a guest waits for ends, too */
    act.sa_handler = interrupt ? on_signal : SIG_DFL;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!sigaction(numbers[i], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &act, NULL);
}

bool output_stopped(void)
{
    return stopped != 0;
}

int output_status(int lost)
{
    if (!caught)
        return lost;
    fprintf(stderr, "waitgate: interrupted by signal %d\n", (int)caught);
    return 128 + (int)caught;
}

bool output_open(struct output *o, const char *path)
{
    *o = (struct output){.name = path};
    if (!path)
        return true;
    if (*path) {
        o->file = fopen(path, "w");
    } else {
        o->file = stdout;
        o->name = "standard output";
    }
    if (!o->file)
        fprintf(stderr, "waitgate: %s: %s\n", path, strerror(errno));
    return o->file != NULL;
}

static int stdout_error; /* of the first write that failed */
static bool stdout_told; /* there was a message */

static void lose(struct output *o)
{
    if (!o->error)
        o->error = errno ? errno : EIO;
    if (o->file == stdout && !stdout_error)
        stdout_error = o->error;
}

void output_write(void *context, const char *text, size_t length)
{
    struct output *o = context;
    if (o->error)
        return;
    errno = 0;
    if (fwrite(text, 1, length, o->file) != length) {
        lose(o);
        stop_now();
    }
}

bool output_close(struct output *o)
{
    if (!o->file)
        return true;
    errno = 0;
    if (o->file == stdout ? fflush(stdout) : fclose(o->file))
        lose(o);
    if (o->error)
        fprintf(stderr, "waitgate: %s: %s\n", o->name, strerror(o->error));
    stdout_told |= o->error && o->file == stdout;
    o->file = NULL;
    return !o->error;
}

void output_flush(void)
{
    errno = 0;
    if (fflush(stdout) && !stdout_error)
        stdout_error = errno;
}

int output_finish(int status)
{
    output_flush();
    bool lost = stdout_error || ferror(stdout);
    if (lost && !stdout_told)
        fprintf(stderr,
                "waitgate: standard output: %s\n",
                stdout_error ? strerror(stdout_error) : "something was not written");
    return (lost || ferror(stderr)) && !status ? 1 : status;
}
