/* LDx_L/STx_C: the compiler's atomic operations on long and quad words, with their barriers. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 500;
    static _Atomic uint64_t quad;
    static _Atomic uint32_t word, flags;
    static volatile uint64_t history[8]; /* what the barriers have to wait for */
    uint64_t sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        history[i & 7] = sum;
        sum += atomic_fetch_add(&quad, i);
        sum += atomic_fetch_sub_explicit(&word, 3, memory_order_relaxed);
        sum ^= atomic_fetch_or(&flags, 1u << (i & 31));
        sum += atomic_fetch_and(&flags, ~(i * 2654435761u));
        uint64_t expected = i & 1 ? atomic_load(&quad) : 0;
        sum += atomic_compare_exchange_strong(&quad, &expected, sum) ? 7 : expected & 15;
        sum += atomic_exchange(&word, (uint32_t)sum);
    }
    printf("%llx %llx %x\n", (unsigned long long)sum, (unsigned long long)quad, (unsigned)word);
    return 0;
}
