/*
 * boot.h - core B starts the others where registers say, with the words that make semaphores 1, 2 and 7
 * usable (value 0, maximum 1); each core reports what it finds.
 *
 * Eight result words for each core: B, T0, T1, T2, NC.
 */
#ifndef KERNELS_BOOT_H
#define KERNELS_BOOT_H

#include "blackhole.h"

#define REPORT(core, n) RESULT[8 * (core) + (n)]
enum core { BOOT_B = 0, BOOT_T0 = 1, BOOT_T1 = 2, BOOT_T2 = 3, BOOT_NC = 4 };
#define NC_REPORTED REG32(0x1F100)

/* Where the running code lies, to 4 KiB. */
static inline uint32_t code_place(void)
{
    uint32_t pc;
    __asm__ volatile("auipc %0, 0" : "=r"(pc));
    return pc & ~0xFFFU;
}

#if defined(CORE_T)
/* The place, and the values of semaphores 1, 2 and 7. */
static inline void report_start(enum core core)
{
    l1_write(&REPORT(core, 0), code_place());
    l1_write(&REPORT(core, 1), semaphore_read(SEM_MATH_PACK));
    l1_write(&REPORT(core, 2), semaphore_read(SEM_UNPACK_TO_DEST));
    l1_write(&REPORT(core, 3), semaphore_read(SEM_MATH_DONE));
}
#endif

#endif
