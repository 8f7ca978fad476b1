/*
 * Core T1: shows that the maximum is 1. Its thread posts semaphore 1, then must wait for room before it
 * posts semaphore 7; T2 makes room. See boot.h.
 */
#include "boot.h"

int main(void)
{
    report_start(BOOT_T1);
    mailbox_receive(MAILBOX_T0); /* all three have looked at the semaphores */
    mailbox_receive(MAILBOX_T2);
    mailbox_send(MAILBOX_T0, 1);

    TT(OP_SEMPOST(SEM_BIT(SEM_MATH_PACK)));
    tensix_sync();
    l1_write(&REPORT(BOOT_T1, 4), semaphore_read(SEM_MATH_PACK));

    T6_SEMAPHORE_WAIT_ON_MAX(STALL_SYNC, SEM_MATH_PACK);
    TT(OP_SEMPOST(SEM_BIT(SEM_MATH_DONE)));
    spin(200);
    l1_write(&REPORT(BOOT_T1, 5), semaphore_read(SEM_MATH_DONE)); /* still held at the gate */
    mailbox_send(MAILBOX_T2, 1);
    tensix_sync();
    l1_write(&REPORT(BOOT_T1, 6), semaphore_read(SEM_MATH_DONE));
    mailbox_send(MAILBOX_B, 0xB0070001);
    return 0;
}
