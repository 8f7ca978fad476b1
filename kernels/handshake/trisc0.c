/*
 * T0, in place of unpack: waits for room in UNPACK_TO_DEST, counts a tile, adds the numbers of all tiles,
 * posts. At the end the sum goes to a word of Config. See handshake.h.
 */
#include "handshake.h"

enum { COUNT = 4, SUM = 5, BACK = 6, ONE = 7 };

int main(void)
{
    TT(OP_SETC16(CFG_STATE_ID, 0));
    TT_SET_GPR(COUNT, 0);
    TT_SET_GPR(SUM, 0x10000);
    TT_SET_GPR(ONE, 1);
    for (unsigned i = 0; i < TILES; i++) {
        T6_SEMAPHORE_WAIT_ON_MAX(STALL_SYNC | STALL_THCON, SEM_UNPACK_TO_DEST);
        TT(OP_ADDDMAREG(0, COUNT, ONE, COUNT));
        TT(OP_ADDDMAREG(0, SUM, COUNT, SUM));
        T6_SEMAPHORE_POST(WAIT_UNPACK0, SEM_UNPACK_TO_DEST);
    }
    SCALAR_TO_CONFIG(WAIT_THCON);
    TT(OP_WRCFG(SUM, 0, CFG_UNPACK0_BASE));
    TT(OP_NOP);
    TT(OP_NOP);
    TT(OP_RDCFG(BACK, CFG_UNPACK0_BASE));
    tensix_sync();
    l1_write(&REPORT(0)[0], gpr_read(COUNT));
    l1_write(&REPORT(0)[1], gpr_read(SUM));
    l1_write(&REPORT(0)[2], gpr_read(BACK));
    l1_write(&REPORT(0)[3], config_read(CFG_UNPACK0_BASE));
    mailbox_send(MAILBOX_B, THREAD_END + 0);
    return 0;
}
