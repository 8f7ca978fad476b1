/*
 * token.h - a number goes round the five cores. Whoever holds it writes (who << 16 | number) into the
 * trace, at the place the number says, and hands on the number plus one.
 *
 *     laps 1 to 3   B -PC buffer-> T0 -mailbox-> T1 -semaphores-> T2 -word in L1-> NC -exchange in L1-> B
 *     then          B -PC buffer-> T1 -mailbox-> T2 -mailbox-> T0 -mailbox-> B
 *     then          B -PC buffer-> T2 -mailbox-> B
 *     at last       B holds NC in reset, leaves the number in L1, lets NC go -addition in L1-> B
 *
 * A simulator without PC buffers can be tried with -DNO_PC_BUFFERS: mailboxes take their place.
 */
#ifndef KERNELS_TOKEN_H
#define KERNELS_TOKEN_H

#include "blackhole.h"

#define LAPS 3

enum who { WHO_B = 1, WHO_T0 = 2, WHO_T1 = 3, WHO_T2 = 4, WHO_NC = 5 };

#define ALIVE(who) REG32(0x1F100 + 16 * (who)) /* set by a core when it has started */
#define T2_TO_NC   REG32(0x1F200)              /* 0: free, else the number */
#define NC_TO_B    REG32(0x1F210)              /* the same */
#define B_TO_NC    REG32(0x1F220)              /* the same, for the second life of NC */

static inline uint32_t visit(enum who who, uint32_t number)
{
    l1_write(&RESULT[number], (uint32_t)who << 16 | number);
    return number + 1;
}

/* Numbers travel from T1 to T2 in three semaphores: low digit, high digit (base 8), and "there". */
#define SEM_LOW   SEM_UNPACK_OPERAND_SYNC
#define SEM_HIGH  SEM_PACK_DONE
#define SEM_THERE SEM_UNPACK_SYNC

/* From B to a T core. */
#if defined(CORE_B)
static inline void send_to_t(unsigned thread, uint32_t number)
{
#ifdef NO_PC_BUFFERS
    mailbox_send((enum mailbox)(MAILBOX_T0 + thread), number);
#else
    pc_buffer_send(thread, number);
#endif
}
#elif defined(CORE_T)
static inline uint32_t receive_from_b(void)
{
#ifdef NO_PC_BUFFERS
    return mailbox_receive(MAILBOX_B);
#else
    return pc_buffer_receive();
#endif
}
#endif

#endif
