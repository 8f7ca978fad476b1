/*
 * T2, in place of pack: waits for a tile in MATH_PACK, runs a MOP of the mask template, writes how far it
 * has come to Config, gives the room back. See handshake.h.
 */
#include "handshake.h"

enum { KEPT = 16, PAIRS = 17, SKIPPED = 18, ONE = 19, TWO = 20 };
#define MASK 0xA5 /* of eight steps four are skipped */

int main(void)
{
    TT(OP_SETC16(CFG_STATE_ID, 0));
    TT_SET_GPR(KEPT, 0);
    TT_SET_GPR(PAIRS, 0);
    TT_SET_GPR(SKIPPED, 0);
    TT_SET_GPR(ONE, 1);
    TT_SET_GPR(TWO, 2);
    const struct mop_mask mask = {
        .flags = 1,
        .a0 = OP_ADDDMAREG(0, KEPT, ONE, KEPT),
        .b = OP_ADDDMAREG(0, PAIRS, TWO, PAIRS),
        .a1 = OP_NOP,
        .a2 = OP_NOP,
        .a3 = OP_NOP,
        .skip_a0 = OP_ADDDMAREG(0, SKIPPED, ONE, SKIPPED),
        .skip_b = OP_NOP,
    };
    mop_mask_program(&mask);

    for (unsigned i = 0; i < TILES; i++) {
        T6_SEMAPHORE_WAIT_ON_ZERO(STALL_TDMA, SEM_MATH_PACK);
        TT(OP_MOP_CFG(0));
        TT(OP_MOP(0, 7, MASK));
        SCALAR_TO_CONFIG(WAIT_THCON | WAIT_PACK0);
        TT(OP_WRCFG(KEPT, 0, CFG_UNPACK0_BASE1));
        T6_SEMAPHORE_GET(WAIT_PACK0, SEM_MATH_PACK);
    }
    tensix_sync();
    l1_write(&REPORT(2)[0], gpr_read(KEPT));
    l1_write(&REPORT(2)[1], gpr_read(PAIRS));
    l1_write(&REPORT(2)[2], gpr_read(SKIPPED));
    l1_write(&REPORT(2)[3], config_read(CFG_UNPACK0_BASE1));
    l1_write(&REPORT(2)[4], semaphore_read(SEM_MATH_PACK));
    l1_write(&REPORT(2)[5], semaphore_read(SEM_UNPACK_TO_DEST));
    mailbox_send(MAILBOX_B, THREAD_END + 2);
    return 0;
}
