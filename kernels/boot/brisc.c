/* Core B: initialises semaphores, starts the other cores elsewhere than by default. See boot.h. */
#include "boot.h"

int main(void)
{
    static const uint32_t places[3] = {0x30000, 0x34000, 0x38000};
    uint32_t start = wall_clock();

    REPORT(BOOT_B, 0) = code_place();
    REPORT(BOOT_B, 1) = mmio_read(SOFT_RESET);

    /* 0xa3100000 | 1 << (semaphore + 2): one SEMINIT for each */
    push(0, OP_SEMINIT(1, 0, SEM_BIT(SEM_MATH_PACK)));
    push(0, OP_SEMINIT(1, 0, SEM_BIT(SEM_UNPACK_TO_DEST)));
    push(0, OP_SEMINIT(1, 0, SEM_BIT(SEM_MATH_DONE)));

    for (unsigned i = 0; i < 3; i++)
        REG32(RESET_PC_T(i)) = places[i];
    REG32(RESET_PC_T_USE) = 7;
    REG32(RESET_PC_NC) = 0x3C000;
    REG32(RESET_PC_NC_USE) = 1;
    release_cores(RESET_BIT_T(0) | RESET_BIT_T(1) | RESET_BIT_T(2) | RESET_BIT_NC);
    REPORT(BOOT_B, 2) = mmio_read(SOFT_RESET);

    REPORT(BOOT_B, 3) = mailbox_receive(MAILBOX_T0);
    REPORT(BOOT_B, 4) = mailbox_receive(MAILBOX_T1);
    REPORT(BOOT_B, 5) = mailbox_receive(MAILBOX_T2);
    l1_wait(&NC_REPORTED, 1);
    REPORT(BOOT_B, 6) = wall_clock() != start; /* time went on */
    DONE = DONE_YES;
    return 0;
}
