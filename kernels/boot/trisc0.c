/* Core T0: posts and takes back semaphore 2 by hand. See boot.h. */
#include "boot.h"

int main(void)
{
    report_start(BOOT_T0);
    mailbox_send(MAILBOX_T1, 1);
    mailbox_receive(MAILBOX_T1); /* all three have looked at the semaphores */
    semaphore_post(SEM_UNPACK_TO_DEST);
    l1_write(&REPORT(BOOT_T0, 4), semaphore_read(SEM_UNPACK_TO_DEST));
    semaphore_post(SEM_UNPACK_TO_DEST); /* past the maximum, which only SEMWAIT looks at */
    l1_write(&REPORT(BOOT_T0, 5), semaphore_read(SEM_UNPACK_TO_DEST));
    semaphore_get(SEM_UNPACK_TO_DEST);
    semaphore_get(SEM_UNPACK_TO_DEST);
    l1_write(&REPORT(BOOT_T0, 6), semaphore_read(SEM_UNPACK_TO_DEST));
    mailbox_send(MAILBOX_B, 0xB0070000);
    return 0;
}
