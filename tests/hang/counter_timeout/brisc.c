/* Core B: loops whose registers are the same in each round, but that read a counter which leads out. */
#include "blackhole.h"
#include "hang.h"

#ifdef TWIN
#define CSR(n)                                                                                     \
    ({                                                                                             \
        uint32_t value_;                                                                           \
        __asm__ volatile("csrr %0, " #n : "=r"(value_));                                           \
        value_;                                                                                    \
    })

#define WAIT(n)                                                                                    \
    do {                                                                                           \
        uint32_t from_ = CSR(n);                                                                   \
        while (((CSR(n) - from_) >> 12) == 0)                                                      \
            ;                                                                                      \
        from_ = CSR(n);                                                                            \
        while (CSR(n) - from_ < 5000)                                                              \
            if (LOAD_L1(FLAG(0)) == 1)                                                             \
                break;                                                                             \
    } while (0)

static __attribute__((noinline)) int timed_out(uint32_t from)
{
    return CSR(0xB00) - from >= 10000;
}
#endif

int main(void)
{
#ifdef TWIN
    WAIT(0xB00); /* mcycle */
    WAIT(0xB02); /* minstret */
    WAIT(0xC00); /* cycle */
    WAIT(0xC02); /* instret */
    uint32_t from = CSR(0xB00);
    while (!timed_out(from) && LOAD_L1(FLAG(0)) != 1)
        ;
    from = REG32(WALL_CLOCK_LOW);
    while (((REG32(WALL_CLOCK_LOW) - from) >> 12) == 0)
        ;
#else
    while (LOAD_L1(FLAG(0)) != 1) /* hangs here */
        ;
#endif
    DONE = DONE_YES;
    return 0;
}
