/* Core B: a register that only counts does not keep a loop from being a hang; one that leads out after a while does. */
#include "blackhole.h"
#include "hang.h"

#ifdef TWIN
#define ROUNDS 600

static volatile uint32_t beats;

/* Each waits for a flag that is never set, and gives up after ROUNDS; until then nobody sees any of it. */
static void by_a_branch(void)
{
    for (uint32_t n = 0; LOAD_L1(FLAG(0)) != 1;)
        if ((++n & 1023) == ROUNDS)
            return;
}

static void by_a_copy(void)
{
    uint32_t n = 0, was = 0, before = 0;
    while (LOAD_L1(FLAG(0)) != 1 && before < ROUNDS) { /* two rounds behind */
        before = was;
        was = n;
        __asm__ volatile("addi %0, %0, 1" : "+r"(n));
    }
}

static void by_an_address(void)
{
    uint32_t n = 0;
    REG32(FLAG(1) + 4) = 1;
    while (LOAD_L1(FLAG(0)) != 1 && LOAD(FLAG(1) + 4 * (n / ROUNDS)) != 1)
        n++;
}

static void by_memory(void)
{
    beats = 0;
    while (LOAD_L1(FLAG(0)) != 1 && beats < ROUNDS)
        beats = beats + 1;
}

static void by_a_csr(void)
{
    uint32_t n;
    __asm__ volatile("csrw 0x7c3, zero"); /* scratch */
    do {
        __asm__ volatile("csrr %0, 0x7c3\n addi %0, %0, 1\n csrw 0x7c3, %0" : "=r"(n));
    } while (LOAD_L1(FLAG(0)) != 1 && n < ROUNDS);
}

static void by_a_store(void)
{
    uint32_t n = 0;
    REG32(FLAG(2)) = 0;
    while (LOAD_L1(FLAG(2)) != 1) {
        REG32(FLAG(2)) = n / ROUNDS; /* the same for a long time */
        n++;
    }
}
#endif

int main(void)
{
#ifdef TWIN
    by_a_branch();
    by_a_copy();
    by_an_address();
    by_memory();
    by_a_csr();
    by_a_store();
#else
    uint32_t n = 0;
    while (LOAD_L1(FLAG(0)) != 1) /* hangs here */
        n += 3;
    RESULT[0] = n;
#endif
    DONE = DONE_YES;
    return 0;
}
