/*
 * drive.h - small Alpha programs in a test: words, a processor and a memory to run them in.
 */
#ifndef WG_TESTS_ALPHA_DRIVE_H
#define WG_TESTS_ALPHA_DRIVE_H

#include "test.h"

#include <string.h>

#include "alpha/alpha_run.h"

#define CODE UINT64_C(0x120000000)
#define DATA UINT64_C(0x140000000)

struct machine {
    struct alpha_cpu cpu;
    struct alpha_mem mem;
};

/* ---- words ---- */

static inline uint32_t w_mem(unsigned opcode, unsigned ra, int disp, unsigned rb)
{
    return (uint32_t)opcode << 26 | ra << 21 | rb << 16 | ((uint32_t)disp & 0xffff);
}

static inline uint32_t w_op(unsigned opcode, unsigned function, unsigned ra, unsigned rb,
                            unsigned rc)
{
    return (uint32_t)opcode << 26 | ra << 21 | rb << 16 | function << 5 | rc;
}

static inline uint32_t w_lit(unsigned opcode, unsigned function, unsigned ra, unsigned literal,
                             unsigned rc)
{
    return (uint32_t)opcode << 26 | ra << 21 | literal << 13 | 1u << 12 | function << 5 | rc;
}

static inline uint32_t w_br(unsigned opcode, unsigned ra, int words)
{
    return (uint32_t)opcode << 26 | ra << 21 | ((uint32_t)words & 0x1fffff);
}

#define W_CALLSYS UINT32_C(0x00000083)
#define W_IMB     UINT32_C(0x00000086)
#define W_MB      UINT32_C(0x60004000)
#define W_NOP     UINT32_C(0x47ff041f)

/* ---- the machine ---- */

static inline void machine_open(struct machine *m)
{
    assert_true(alpha_mem_init(&m->mem, 0));
    assert_true(alpha_mem_map(&m->mem, CODE, 4 * ALPHA_PAGE, ALPHA_PROT_READ | ALPHA_PROT_EXEC));
    assert_true(alpha_mem_map(&m->mem, DATA, 4 * ALPHA_PAGE, ALPHA_PROT_READ | ALPHA_PROT_WRITE));
    alpha_cpu_reset(&m->cpu, CODE);
}

static inline void machine_close(struct machine *m)
{
    alpha_mem_free(&m->mem);
}

static inline void put_words(struct machine *m, uint64_t at, const uint32_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t b[4] = {(uint8_t)words[i],
                        (uint8_t)(words[i] >> 8),
                        (uint8_t)(words[i] >> 16),
                        (uint8_t)(words[i] >> 24)};
        assert_true(alpha_mem_poke(&m->mem, at + 4 * i, b, 4));
    }
}

typedef uint64_t runner(struct alpha_cpu *c, struct alpha_mem *m, uint64_t budget);
static runner *const runners[] = {alpha_run, alpha_run_plain, alpha_run_pieces};
#define N_RUNNERS (sizeof runners / sizeof runners[0])

#endif
