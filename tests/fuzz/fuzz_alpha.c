/*
 * Fuzz target: any words as an Alpha program, with both dispatchers and by pieces. They must end where they
 * are told to, do the same, and leave R31 and F31 alone; the disassembler must take every word.
 *
 * The first byte chooses the first registers, the second the budget; the rest is code.
 */
#include <stdlib.h>
#include <string.h>

#include "alpha/alpha_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CODE  UINT64_C(0x120000000)
#define LIMIT (UINT64_C(512) << 10)
#define WAYS  3u

static void prepare(struct alpha_cpu *c, struct alpha_mem *m, const uint8_t *data, size_t size)
{
    alpha_cpu_reset(c, CODE);
    if (!alpha_mem_init(m, LIMIT) || !alpha_mem_map(m, CODE, 2 * ALPHA_PAGE, 7))
        abort();
    for (unsigned i = 0; i < 63; i++)
        if (i != ALPHA_ZERO)
            c->reg[i] = data[0] & 1 << (i & 7) ? CODE + ALPHA_PAGE + 8 * i
                                               : UINT64_C(0x123456789abcdef) << i;
    if (!alpha_mem_poke(m, CODE, data + 2, size - 2 < 2 * ALPHA_PAGE ? size - 2 : 2 * ALPHA_PAGE))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint64_t (*const run[WAYS])(struct alpha_cpu *, struct alpha_mem *, uint64_t) = {
        alpha_run, alpha_run_plain, alpha_run_pieces};
    static struct alpha_cpu c[WAYS];
    static struct alpha_mem m[WAYS];
    char text[64];
    if (size < 3)
        return 0;
    for (size_t i = 2; i + 4 <= size; i += 4) {
        uint32_t word;
        memcpy(&word, data + i, 4);
        if (alpha_dis_text(word, CODE + i, text, sizeof text) >= (int)sizeof text)
            abort();
    }
    for (unsigned i = 0; i < WAYS; i++) {
        prepare(&c[i], &m[i], data, size);
        for (unsigned turn = 0; turn < 8; turn++) {
            if (run[i](&c[i], &m[i], data[1]) > data[1])
                abort();
            if (c[i].trap.trap >= ALPHA_TRAP_FETCH || c[i].trap.trap == ALPHA_TRAP_ILLEGAL)
                c[i].pc = ((c[i].pc + 4) & (2 * ALPHA_PAGE - 4)) | CODE;
        }
        if (c[i].reg[ALPHA_ZERO] || c[i].reg[ALPHA_FZERO] || m[i].used > LIMIT)
            abort();
        c[i].reg[ALPHA_SINK] = 0;
        if (memcmp(c[i].reg, c[0].reg, sizeof c[0].reg) != 0 || c[i].pc != c[0].pc ||
            c[i].steps != c[0].steps || c[i].fpcr != c[0].fpcr)
            abort();
    }
    for (unsigned i = 0; i < WAYS; i++)
        alpha_mem_free(&m[i]);
    return 0;
}
