/*
 * drive.c - an Alpha program that lets two Tensix threads add up squares.
 *
 * T0 loads numbers from L1, squares them and stores the squares; T1 adds those up. A semaphore counts the squares that are
 * there. The program feeds both threads as fast as their queues allow: a store to a full queue waits, and the
 * report (--report) says how long, in which line, and what the thread was doing meanwhile.
 */
#include <stdio.h>
#include <tensix_ops.h>

#include "tensix_window.h"

enum { NUMBERS = 64 };
enum { GO = SEM_UNPACK_SYNC, SQUARES = SEM_MATH_PACK };
enum { IN = 0x10000, OUT = 0x11000 }; /* in L1 */
enum { BASE = 4, BASE_OUT = 5, OFFSET = 6, OFFSET_OUT = 7, DATA = 8, SQUARE = 9, SUM = 12 };
enum { WORD = 1, STEP_4 = 2 }; /* sizes of LOADIND and STOREIND */

static void set_gpr(unsigned thread, unsigned gpr, uint32_t value)
{
    tensix_push(thread, OP_SETDMAREG_LO(gpr, value));
    tensix_push(thread, OP_SETDMAREG_HI(gpr, value));
}

static void prepare(void)
{
    tensix_push(0, OP_SEMINIT(1, 0, SEM_BIT(GO)));
    tensix_push(0, OP_SEMINIT(15, 0, SEM_BIT(SQUARES)));
    tensix_sync(0);
    set_gpr(0, BASE, IN / 16);
    set_gpr(0, BASE_OUT, OUT / 16);
    set_gpr(0, OFFSET, 0);
    set_gpr(0, OFFSET_OUT, 0);
    set_gpr(1, BASE, OUT / 16);
    set_gpr(1, OFFSET, 0);
    tensix_gpr(1, SUM) = 0;
    for (uint32_t i = 0; i < NUMBERS; i++)
        tensix_l1(IN + 4 * i) = i + 1;
}

/* What T0 does for one number, into its replay buffer. */
static void record_square(void)
{
    tensix_push(0, OP_REPLAY(0, 7, 0, 1));
    tensix_push(0, OP_LOADIND(WORD, 2 * OFFSET, STEP_4, DATA, BASE));
    tensix_push(0, OP_STALLWAIT(STALL_THCON, WAIT_THCON));
    tensix_push(0, OP_MULDMAREG(0, SQUARE, DATA, DATA));
    tensix_push(0, OP_STOREIND_L1(WORD, 2 * OFFSET_OUT, STEP_4, SQUARE, BASE_OUT));
    tensix_push(0, OP_SEMWAIT(STALL_SYNC, SEM_BIT(SQUARES), STALL_ON_MAX));
    tensix_push(0, OP_STALLWAIT(STALL_SYNC, WAIT_THCON));
    tensix_push(0, OP_SEMPOST(SEM_BIT(SQUARES)));
}

/* What T1 does for one square. */
static void record_sum(void)
{
    tensix_push(1, OP_REPLAY(0, 5, 0, 1));
    tensix_push(1, OP_SEMWAIT(STALL_SYNC | STALL_THCON, SEM_BIT(SQUARES), STALL_ON_ZERO));
    tensix_push(1, OP_SEMGET(SEM_BIT(SQUARES)));
    tensix_push(1, OP_LOADIND(WORD, 2 * OFFSET, STEP_4, DATA, BASE));
    tensix_push(1, OP_STALLWAIT(STALL_THCON, WAIT_THCON));
    tensix_push(1, OP_ADDDMAREG(0, SUM, DATA, SUM));
}

int main(void)
{
    prepare();
    record_square();
    record_sum();
    tensix_push(0, OP_SEMWAIT(STALL_THREAD, SEM_BIT(GO), STALL_ON_ZERO));
    tensix_post(GO);
    for (int i = 0; i < NUMBERS; i++) {
        tensix_push(0, OP_REPLAY(0, 7, 0, 0)); /* waits */
        tensix_push(1, OP_REPLAY(0, 5, 0, 0));
    }
    tensix_sync(0);
    tensix_sync(1);
    printf("sum of the squares of 1 to %d: %u\n", NUMBERS, tensix_gpr(1, SUM));
    printf("last square: %u\n", tensix_l1(OUT + 4 * (NUMBERS - 1)));
    return 0;
}
