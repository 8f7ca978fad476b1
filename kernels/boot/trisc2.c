/* Core T2: makes room in semaphore 1 when T1 asks for it, then sees semaphore 7. See boot.h. */
#include "boot.h"

int main(void)
{
    report_start(BOOT_T2);
    mailbox_send(MAILBOX_T1, 1);
    mailbox_receive(MAILBOX_T1);
    l1_write(&REPORT(BOOT_T2, 4), semaphore_read(SEM_MATH_PACK));
    semaphore_get(SEM_MATH_PACK);
    while (!semaphore_read(SEM_MATH_DONE))
        ;
    l1_write(&REPORT(BOOT_T2, 5), semaphore_read(SEM_MATH_PACK));
    l1_write(&REPORT(BOOT_T2, 6), semaphore_read(SEM_MATH_DONE));
    mailbox_send(MAILBOX_B, 0xB0070002);
    return 0;
}
