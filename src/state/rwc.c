/*
 * rwc.c - SETRWC, INCRWC and address modifiers.
 *
 * ISA page: RWCs. ThreadConfig words: ADDR_MOD_AB_SEC0..7 at 12, ADDR_MOD_DST_SEC0..7 at 28.
 *
 * Invariant: counters stay within their widths, wrapping.
 *
 * Inaccuracies: ADDR_MOD_BIAS (the extra bit of Wormhole) and ADDR_MOD_AB2 (a seventh increment
 * bit without description) are ignored. That SETRWC sets the Vector Unit's stack pointer, too, is known from the vendor's
 * list of instructions only; its width is a guess.
 */
#include "state/rwc.h"

#include <string.h>

#include "base/bits.h"
#include "isa/tensix.h"

void rwc_reset(struct rwc *r)
{
    memset(r, 0, sizeof *r);
}

void rwc_set(struct rwc_thread *t, uint32_t word)
{
    struct tensix_SETRWC a = tensix_SETRWC_decode(word);
    if (a.bit_mask & 1)
        t->srca = t->srca_cr =
            (uint8_t)((a.rwc_a + (a.rwc_cr & 1 ? t->srca_cr : 0u)) & RWC_SRC_MASK);
    if (a.bit_mask & 2)
        t->srcb = t->srcb_cr =
            (uint8_t)((a.rwc_b + (a.rwc_cr & 2 ? t->srcb_cr : 0u)) & RWC_SRC_MASK);
    if (a.bit_mask & 4 || a.rwc_cr & 8) {
        unsigned base = a.rwc_cr & 8 ? t->dst : (a.rwc_cr & 4 ? t->dst_cr : 0u);
        t->dst = t->dst_cr = (uint16_t)((a.rwc_d + base) & RWC_DST_MASK);
    }
    if (a.bit_mask & 8)
        t->fidelity = 0;
    if (bits_get(word, 4, 1))
        t->sp = (uint16_t)((a.rwc_d << 8 | a.rwc_b << 4 | a.rwc_a) & RWC_DST_MASK);
}

void rwc_inc(struct rwc_thread *t, uint32_t word)
{
    struct tensix_INCRWC a = tensix_INCRWC_decode(word);
    uint8_t *from_a = a.rwc_cr & 1 ? &t->srca_cr : &t->srca;
    uint8_t *from_b = a.rwc_cr & 2 ? &t->srcb_cr : &t->srcb;
    uint16_t *from_d = a.rwc_cr & 4 ? &t->dst_cr : &t->dst;
    t->srca = *from_a = (uint8_t)((*from_a + a.rwc_a) & RWC_SRC_MASK);
    t->srcb = *from_b = (uint8_t)((*from_b + a.rwc_b) & RWC_SRC_MASK);
    t->dst = *from_d = (uint16_t)((*from_d + a.rwc_d) & RWC_DST_MASK);
}

/* One half of an AB section: increment [5:0], CR [6], clear [7]. */
static void rwc_modify_src(uint8_t *v, uint8_t *cr, unsigned section)
{
    unsigned inc = section & RWC_SRC_MASK;
    if (section & 0x80)
        *v = *cr = 0;
    else if (section & 0x40)
        *v = *cr = (uint8_t)((*cr + inc) & RWC_SRC_MASK);
    else
        *v = (uint8_t)((*v + inc) & RWC_SRC_MASK);
}

void rwc_modify_by(struct rwc_thread *t, unsigned ab, unsigned dst, bool fidelity)
{
    if (ab) {
        rwc_modify_src(&t->srca, &t->srca_cr, ab & 0xff);
        rwc_modify_src(&t->srcb, &t->srcb_cr, ab >> 8);
    }
    if (!dst)
        return;
    unsigned inc = dst & RWC_DST_MASK;
    if (dst & 0x800)
        t->dst = t->dst_cr = 0;
    else if (dst & 0x1000)
        t->dst = t->dst_cr = (uint16_t)((t->dst + inc) & RWC_DST_MASK);
    else if (dst & 0x400)
        t->dst = t->dst_cr = (uint16_t)((t->dst_cr + inc) & RWC_DST_MASK);
    else
        t->dst = (uint16_t)((t->dst + inc) & RWC_DST_MASK);
    if (fidelity)
        t->fidelity = dst & 0x8000 ? 0 : (uint8_t)((t->fidelity + bits_get(dst, 13, 2)) & 3);
}
