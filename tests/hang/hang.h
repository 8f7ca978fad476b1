/*
 * hang.h - accesses that wait for their answer on the line that makes them. Macros, not functions: the
 * program counter of a core that hangs then belongs to a line of the case, not to one of a header.
 *
 * Every case is built twice, without TWIN to hang and with it to end. To be included behind blackhole.h.
 */
#ifndef TESTS_HANG_H
#define TESTS_HANG_H

#define LOAD(address)                                                                              \
    ({                                                                                             \
        uint32_t value_ = REG32(address);                                                          \
        __asm__ volatile("mv %0, %0" : "+r"(value_)::"memory");                                    \
        value_;                                                                                    \
    })

/* A word of L1 that others may have written. */
#define LOAD_L1(address)                                                                           \
    ({                                                                                             \
        __asm__ volatile("fence" ::: "memory");                                                    \
        LOAD(address);                                                                             \
    })

#define STORE(address, value)                                                                      \
    do {                                                                                           \
        REG32(address) = (value);                                                                  \
        __asm__ volatile("fence" ::: "memory");                                                    \
    } while (0)

#define SWAP(address, value)                                                                       \
    ({                                                                                             \
        uint32_t old_;                                                                             \
        __asm__ volatile(".insn r 0x2F, 2, 0x04, %0, %1, %2" /* amoswap.w */                       \
                         : "=r"(old_)                                                              \
                         : "r"(address), "r"(value)                                                \
                         : "memory");                                                              \
        old_;                                                                                      \
    })

#define MAILBOX(partner) (MAILBOXES + 0x1000 * (partner))

/* words of L1, each in a cache line of its own */
#define FLAG(i)  (0x1F100 + 16 * (i))
#define ALIVE(i) (0x1F200 + 16 * (i))

#endif
