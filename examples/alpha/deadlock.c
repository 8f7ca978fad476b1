/*
 * deadlock.c - a program and a Tensix thread that wait for each other, for ever.
 *
 * T1 is told to wait for a semaphore before it does anything, and gets more instructions than its queue has room for.
 * The post comes behind them: the store to the full queue waits for T1, T1 waits for the post, and the post for the store.
 * With the argument "early" the post comes first, and the program ends.
 */
#include <stdio.h>
#include <string.h>
#include <tensix_ops.h>

#include "tensix_window.h"

enum { GO = SEM_MATH_DONE, WORDS = 100, COUNT = 8 };

int main(int argc, char **argv)
{
    int early = argc > 1 && !strcmp(argv[1], "early");
    tensix_push(1, OP_SEMINIT(1, 0, SEM_BIT(GO))); /* init */
    tensix_sync(1);
    tensix_gpr(1, COUNT) = 0;
    if (early)
        tensix_post(GO);
    tensix_push(1, OP_SEMWAIT(STALL_THREAD, SEM_BIT(GO), STALL_ON_ZERO)); /* wait */
    for (int i = 0; i < WORDS; i++)
        tensix_push(1, OP_ADDDMAREG(1, COUNT, 1, COUNT)); /* push */
    if (!early)
        tensix_post(GO);
    tensix_sync(1);
    printf("counted to %u\n", tensix_gpr(1, COUNT));
    return 0;
}
