/*
 * T1, in place of math: a tile must be there and there must be room for another; then one MOP of two
 * nested loops whose steps are replays. See handshake.h.
 *
 * Replay slots 16..19 are four words; of the six steps of a MOP five play all of them, one only two.
 */
#include "handshake.h"

enum { STEPS = 8, SUM = 9, ENDS = 10, FULL = 11, ONE = 12 };

int main(void)
{
    TT(OP_SETC16(CFG_STATE_ID, 0));
    TT_SET_GPR(STEPS, 0);
    TT_SET_GPR(SUM, 0);
    TT_SET_GPR(ENDS, 0);
    TT_SET_GPR(FULL, 0);
    TT_SET_GPR(ONE, 1);

    REPLAY_RECORD(16, 4, 0);
    TT(OP_ADDDMAREG(0, STEPS, ONE, STEPS));
    TT(OP_ADDDMAREG(0, SUM, STEPS, SUM));
    TT(OP_NOP);
    TT(OP_ADDDMAREG(0, FULL, ONE, FULL));
    REPLAY_RECORD_END();

    const struct mop_loops loops = {
        .outer = 2,
        .inner = 3,
        .start = OP_NOP,
        .end0 = OP_ADDDMAREG(0, ENDS, ONE, ENDS),
        .end1 = OP_NOP,
        .body = OP_REPLAY(16, 4, 0, 0),
        .body1 = OP_NOP,
        .last_outer = OP_REPLAY(16, 4, 0, 0),
        .last_inner = OP_REPLAY(16, 2, 0, 0),
    };
    mop_loops_program(&loops);

    for (unsigned i = 0; i < TILES; i++) {
        T6_SEMAPHORE_WAIT_ON_ZERO(STALL_SYNC | STALL_THCON, SEM_UNPACK_TO_DEST);
        T6_SEMAPHORE_WAIT_ON_MAX(STALL_SYNC | STALL_THCON | STALL_MATH | STALL_SFPU, SEM_MATH_PACK);
        TT(OP_MOP(1, 0, 0));
        T6_SEMAPHORE_GET(WAIT_MATH | WAIT_SFPU, SEM_UNPACK_TO_DEST);
        T6_SEMAPHORE_POST(WAIT_MATH | WAIT_SFPU, SEM_MATH_PACK);
    }
    SCALAR_TO_CONFIG(WAIT_THCON);
    TT(OP_WRCFG(SUM, 0, CFG_UNPACK1_BASE));
    tensix_sync();
    l1_write(&REPORT(1)[0], gpr_read(STEPS));
    l1_write(&REPORT(1)[1], gpr_read(SUM));
    l1_write(&REPORT(1)[2], gpr_read(ENDS));
    l1_write(&REPORT(1)[3], gpr_read(FULL));
    l1_write(&REPORT(1)[4], config_read(CFG_UNPACK1_BASE));
    mailbox_send(MAILBOX_B, THREAD_END + 1);
    return 0;
}
