/*
 * handshake.h - three threads pass tiles on as a real pipeline does: unpack (T0) and math (T1) meet at
 * UNPACK_TO_DEST, math and pack (T2) at MATH_PACK. The work on a tile is arithmetic on GPRs, done by MOPs
 * and replays, so that the cores can read afterwards what their threads have done. Results also go to
 * words of Config that say where unpackers read from; there is no unpacking here that could mind.
 */
#ifndef KERNELS_HANDSHAKE_H
#define KERNELS_HANDSHAKE_H

#include "blackhole.h"

#define TILES      8
#define REPORT(i)  (&RESULT[8 * (i)])
#define THREAD_END 0x600D0000

/* A GPR may be used by the Configuration Unit only when the Scalar Unit is through with it: DMANOP waits
 * for the thread's arithmetic, the STALLWAIT for its memory requests. */
#define SCALAR_TO_CONFIG(wait)                                                                     \
    do {                                                                                           \
        TT(OP_DMANOP);                                                                             \
        TT(OP_STALLWAIT(STALL_CFG, wait));                                                         \
    } while (0)

#endif
