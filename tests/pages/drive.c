/*
 * drive.c - puts a case's state into a coprocessor, runs its words and compares what is left.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "coproc/coproc.h"
#include "num/layout.h"
#include "pages.h"

static struct coproc coproc;
static uint8_t memory[PG_L1];
static uint32_t stores[PG_STORES][2];
static unsigned n_stores;
uint64_t pg_in_bursts;

/* A device that keeps what it is given. */
static uint32_t device[PG_MMIO];

static bool device_store(void *ctx, unsigned thread, uint32_t address, uint32_t value)
{
    (void)ctx, (void)thread;
    if (address >= PG_DEVICE && address < PG_DEVICE + sizeof device) {
        device[(address - PG_DEVICE) / 4] = value;
    } else if (n_stores < PG_STORES) {
        stores[n_stores][0] = address;
        stores[n_stores++][1] = value;
    }
    return true;
}

static bool device_load(void *ctx, unsigned thread, uint32_t address, uint32_t *value)
{
    (void)ctx, (void)thread;
    bool there = address >= PG_DEVICE && address < PG_DEVICE + sizeof device;
    *value = there ? device[(address - PG_DEVICE) / 4] : 0;
    return true;
}

static void load_lanes(struct lanes *l, const struct pg_vector *v)
{
    memcpy(l->r, v->r, sizeof l->r);
    memcpy(l->config, v->config, sizeof l->config);
    memcpy(l->random, v->prng, sizeof l->random);
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t bit = 1u << i;
        l->flags |= v->flag[i] ? bit : 0;
        l->use |= v->use[i] ? bit : 0;
        for (unsigned k = 0; k < v->depth[i]; k++) {
            l->stack_flags[k] |= v->stack_flag[i][k] ? bit : 0;
            l->stack_use[k] |= v->stack_use[i][k] ? bit : 0;
        }
        l->depth[i] = v->depth[i];
        memcpy(l->macro[i].template_, &v->macro[i][0], 16);
        memcpy(l->macro[i].sequence, &v->macro[i][4], 16);
        l->macro[i].misc = v->macro[i][8];
    }
    lanes_configured(l);
}

static void load_vector(const struct pg *m)
{
    struct lanes *l = &coproc.vector.lanes;
    memset(l, 0, sizeof *l);
    load_lanes(l, &m->v);
    memcpy(coproc.gpr.r, m->gpr, sizeof m->gpr);
    memcpy(coproc.sync.holder, m->mutex, sizeof m->mutex);
    memcpy(device, m->mmio, sizeof device);
    for (unsigned i = 0; i < 64; i++)
        memcpy(coproc.stream.reg[i], m->stream[i], sizeof m->stream[i]);
    for (unsigned i = 0; i < 3; i++)
        coproc.rwc.t[i].sp = (uint16_t)m->sp[i];
}

static void load(const struct pg *m)
{
    struct coproc *cp = &coproc;
    memset(cp, 0, sizeof *cp);
    coproc_reset(cp);
    memcpy(memory, m->l1, sizeof memory);
    cp->l1 = (struct l1_port){
        .bytes = memory, .size = PG_L1, .store = device_store, .load = device_load};
    n_stores = 0;
    cp->packmeta.l1_offset[0] = (uint16_t)m->pack_offset;
    cp->regwrite = (struct regwrite){.unpack = m->tdma_unpack,
                                     .pack = m->tdma_pack,
                                     .sum = {m->sum[0], m->sum[1]},
                                     .data = m->setreg};
    memcpy(cp->config.word, m->cfg, sizeof m->cfg);
    memcpy(cp->config.thread, m->th, sizeof m->th);
    for (unsigned i = 0; i < 4096; i++)
        (&cp->src.d[0][0][0][0])[i] = layout_src_from_bits((&m->src[0][0][0][0])[i]);
    memcpy(cp->dst.d, m->dst, sizeof m->dst);
    memcpy(cp->dst.valid, m->valid, sizeof m->valid);
    for (unsigned w = 0; w < 2; w++) {
        for (unsigned bank = 0; bank < 2; bank++) {
            src_set_owner(&cp->src, w, bank, m->owner[w][bank] ? SRC_MATRIX : SRC_UNPACKERS);
            cp->src.format[w][bank] = m->fmt[w][bank];
        }
        cp->src.unpack_bank[w] = m->ubank[w];
        cp->src.matrix_bank[w] = cp->src.issue_bank[w] = m->mbank[w];
        for (unsigned i = 0; i < 3; i++)
            cp->src.row[w][i] = (uint8_t)m->srcrow[w][i];
    }
    for (unsigned i = 0; i < 3; i++) {
        const struct pg_rwc *w = &m->rwc[i];
        cp->rwc.t[i] = (struct rwc_thread){(uint16_t)w->dst,
                                           (uint16_t)w->dst_cr,
                                           (uint8_t)w->a,
                                           (uint8_t)w->a_cr,
                                           (uint8_t)w->b,
                                           (uint8_t)w->b_cr,
                                           (uint8_t)w->phase,
                                           0};
        for (unsigned k = 0; k < 24; k++)
            cp->adc.c[i][k / 8][k / 4 % 2][k % 4] = (struct adc_counter){
                m->adc[i][k / 8][k / 4 % 2][k % 4].v, m->adc[i][k / 8][k / 4 % 2][k % 4].cr};
    }
    load_vector(m);
}

/* Record, then play: see REPLAY. */
static unsigned unroll(const struct pg_case *c, uint32_t *word)
{
    unsigned n = 0;
    if (c->plays)
        word[n++] = 4u << 24 | c->n << 4 | 1;
    for (unsigned i = 0; i < c->n; i++)
        word[n++] = c->word[i];
    for (unsigned i = 0; i < c->plays; i++)
        word[n++] = 4u << 24 | c->n << 4;
    return n;
}

/* False if it does not end. */
static bool run(const struct pg_case *c)
{
    uint32_t word[2 * PG_WORDS];
    unsigned pushed = 0, n = unroll(c, word);
    for (unsigned i = 0; i < 200000; i++) {
        bool idle = coproc_idle(&coproc);
        if (idle && pushed == n)
            return true;
        if (pushed < n && (c->together || c->plays || idle))
            pushed += coproc_port_push(
                &coproc, c->thread[c->plays ? 0 : pushed], &word[pushed], 1, pushed + 1);
        if (c->drain && c->rush) {
            coproc_rush(&coproc);
            continue;
        }
        coproc_step(&coproc);
        if (c->drain)
            coproc_drain(&coproc);
        if (c->plays && pushed == n)
            pg_in_bursts += coproc_burst(&coproc, coproc.now + 1000, 0);
    }
    return false;
}

#define DIFFERENT(...) (snprintf(text, size, __VA_ARGS__), false)

static bool compare_registers(const struct pg *m, bool formats, char *text, unsigned size)
{
    const struct coproc *cp = &coproc;
    for (unsigned w = 0; w < 2; w++)
        for (unsigned bank = 0; bank < 2; bank++) {
            if ((cp->src.owner[w][bank] == SRC_MATRIX) != m->owner[w][bank])
                return DIFFERENT("owner of Src%c bank %u: %u, pages say %u",
                                 "AB"[w],
                                 bank,
                                 cp -> src.owner[w][bank],
                                 m->owner[w][bank]);
            if (formats && cp->src.format[w][bank] != m->fmt[w][bank])
                return DIFFERENT("format of Src%c bank %u: %u, pages say %u",
                                 "AB"[w],
                                 bank,
                                 cp -> src.format[w][bank],
                                 m->fmt[w][bank]);
            if (cp->src.unpack_bank[w] != m->ubank[w] || cp->src.matrix_bank[w] != m->mbank[w])
                return DIFFERENT("banks of Src%c: %u %u, pages say %u %u",
                                 "AB"[w],
                                 cp -> src.unpack_bank[w],
                                 cp->src.matrix_bank[w],
                                 m->ubank[w],
                                 m->mbank[w]);
        }
    for (unsigned i = 0; i < 3; i++) {
        const struct rwc_thread *a = &cp->rwc.t[i];
        const struct pg_rwc *b = &m->rwc[i];
        if (a->dst != b->dst || a->dst_cr != b->dst_cr || a->srca != b->a ||
            a->srca_cr != b->a_cr || a->srcb != b->b || a->srcb_cr != b->b_cr ||
            a->fidelity != b->phase)
            return DIFFERENT(
                "row counters of thread %u: D %u/%u A %u/%u B %u/%u phase %u, pages say "
                "D %u/%u A %u/%u B %u/%u phase %u",
                i,
                a->dst,
                a->dst_cr,
                a->srca,
                a->srca_cr,
                a->srcb,
                a->srcb_cr,
                a->fidelity,
                b->dst,
                b->dst_cr,
                b->a,
                b->a_cr,
                b->b,
                b->b_cr,
                b->phase);
        for (unsigned k = 0; k < 24; k++) {
            const struct adc_counter *x = &cp->adc.c[i][k / 8][k / 4 % 2][k % 4];
            const struct pg_counter *y = &m->adc[i][k / 8][k / 4 % 2][k % 4];
            if (x->v != y->v || x->cr != y->cr)
                return DIFFERENT("ADC %u of thread %u, channel %u %c: %u/%u, pages say %u/%u",
                                 k / 8,
                                 i,
                                 k / 4 % 2,
                                 "XYZW"[k % 4],
                                 x -> v,
                                 x -> cr,
                                 y -> v,
                                 y -> cr);
        }
    }
    return true;
}

static bool compare_lane(const struct lanes *l, const struct pg_vector *v, unsigned i, char *text,
                         unsigned size)
{
    for (unsigned k = 0; k < 16; k++)
        if (l->r[k][i] != v->r[k][i])
            return DIFFERENT("LReg[%u] lane %u: %08" PRIx32 ", pages say %08" PRIx32,
                             k,
                             i,
                             l->r[k][i],
                             v->r[k][i]);
    if ((l->flags >> i & 1) != v->flag[i] || (l->use >> i & 1) != v->use[i] ||
        l->depth[i] != v->depth[i])
        return DIFFERENT("flags of lane %u: %u%u, depth %u, pages say %u%u, depth %u",
                         i,
                         l->flags >> i & 1,
                         l->use >> i & 1,
                         l->depth[i],
                         v->flag[i],
                         v->use[i],
                         v->depth[i]);
    for (unsigned k = 0; k < v->depth[i]; k++)
        if ((l->stack_flags[k] >> i & 1) != v->stack_flag[i][k] ||
            (l->stack_use[k] >> i & 1) != v->stack_use[i][k])
            return DIFFERENT("flag stack of lane %u, entry %u: %u%u, pages say %u%u",
                             i,
                             k,
                             l->stack_flags[k] >> i & 1,
                             l->stack_use[k] >> i & 1,
                             v->stack_flag[i][k],
                             v->stack_use[i][k]);
    if (l->config[i] != v->config[i] || l->random[i] != v->prng[i])
        return DIFFERENT("lane %u: LaneConfig %05" PRIx32 ", random %08" PRIx32
                         ", pages say %05" PRIx32 ", %08" PRIx32,
                         i,
                         l->config[i],
                         l->random[i],
                         v->config[i],
                         v->prng[i]);
    for (unsigned k = 0; k < 9; k++) {
        const struct lanes_macro *x = &l->macro[i];
        uint32_t is = k < 4 ? x->template_[k] : k < 8 ? x->sequence[k - 4] : x->misc;
        if (is != v->macro[i][k])
            return DIFFERENT("LoadMacroConfig %u of lane %u: %08" PRIx32 ", pages say %08" PRIx32,
                             k,
                             i,
                             is,
                             v->macro[i][k]);
    }
    return true;
}

static bool compare_lanes(const struct pg *m, char *text, unsigned size)
{
    for (unsigned i = 0; i < PG_LANES; i++)
        if (!compare_lane(&coproc.vector.lanes, &m->v, i, text, size))
            return false;
    for (unsigned i = 0; i < 3; i++)
        if (coproc.rwc.t[i].sp != m->sp[i])
            return DIFFERENT("stack pointer of thread %u: %u, pages say %" PRIu32,
                             i,
                             coproc.rwc.t[i].sp,
                             m->sp[i]);
    return true;
}

static bool compare_scalar(const struct pg *m, char *text, unsigned size)
{
    for (unsigned i = 0; i < 3 * 64; i++)
        if (coproc.gpr.r[i / 64][i % 64] != m->gpr[i / 64][i % 64])
            return DIFFERENT("GPR %u of thread %u: %08" PRIx32 ", pages say %08" PRIx32,
                             i % 64,
                             i / 64,
                             coproc.gpr.r[i / 64][i % 64],
                             m->gpr[i / 64][i % 64]);
    for (unsigned i = 0; i < 2 * 224; i++)
        if (coproc.config.word[i / 224][i % 224] != m->cfg[i / 224][i % 224])
            return DIFFERENT("Config word %u bank %u: %08" PRIx32 ", pages say %08" PRIx32,
                             i % 224,
                             i / 224,
                             coproc.config.word[i / 224][i % 224],
                             m->cfg[i / 224][i % 224]);
    for (unsigned i = 0; i < PG_MMIO; i++)
        if (device[i] != m->mmio[i])
            return DIFFERENT(
                "device word %u: %08" PRIx32 ", pages say %08" PRIx32, i, device[i], m->mmio[i]);
    for (unsigned i = 0; i < 5; i++)
        if (coproc.sync.holder[i] != m->mutex[i])
            return DIFFERENT("mutex %u: %u, pages say %u", i, coproc.sync.holder[i], m->mutex[i]);
    return true;
}

static bool compare_data(const struct pg *m, char *text, unsigned size)
{
    const struct coproc *cp = &coproc;
    for (unsigned k = 0; k < 4; k++)
        for (unsigned row = 0; row < 64; row++)
            for (unsigned j = 0; j < 16; j++)
                if (cp->src.d[k / 2][k % 2][row][j] !=
                    layout_src_from_bits(m->src[k / 2][k % 2][row][j]))
                    return DIFFERENT("Src%c bank %u row %u column %u: %05x, pages say %05x",
                                     "AB"[k / 2],
                                     k % 2,
                                     row,
                                     j,
                                     layout_src_to_bits(cp->src.d[k / 2][k % 2][row][j]),
                                     m->src[k / 2][k % 2][row][j]);
    for (unsigned row = 0; row < 1024; row++) {
        for (unsigned j = 0; j < 16; j++)
            if (cp->dst.d[row][j] != m->dst[row][j])
                return DIFFERENT("Dst physical row %u column %u: %04x, pages say %04x",
                                 row,
                                 j,
                                 cp->dst.d[row][j],
                                 m->dst[row][j]);
        if (!cp->dst.valid[row] != !m->valid[row])
            return DIFFERENT("Dst physical row %u: valid %u, pages say %u",
                             row,
                             cp->dst.valid[row],
                             m->valid[row]);
    }
    for (unsigned i = 0; i < PG_L1; i++)
        if (memory[i] != m->l1[i])
            return DIFFERENT("L1 %05x: %02x, pages say %02x", i, memory[i], m->l1[i]);
    return true;
}

static bool compare_stores(const struct pg *m, char *text, unsigned size)
{
    const struct regwrite *w = &coproc.regwrite;
    if (n_stores != m->n_stores)
        return DIFFERENT("%u registers written, pages say %u", n_stores, m->n_stores);
    for (unsigned i = 0; i < n_stores; i++)
        if (stores[i][0] != m->store[i][0] || stores[i][1] != m->store[i][1])
            return DIFFERENT("write %u: %08" PRIx32 " to %08" PRIx32 ", pages say %08" PRIx32
                             " to %08" PRIx32,
                             i,
                             stores[i][1],
                             stores[i][0],
                             m->store[i][1],
                             m->store[i][0]);
    if (w->sum[0] != m->sum[0] || w->sum[1] != m->sum[1] || w->data != m->setreg)
        return DIFFERENT("sums or data of register writes");
    return true;
}

bool pg_compare(const struct pg_case *c, const struct pg *expected, char *text, unsigned size)
{
    load(&c->start);
    coproc_vectors(&coproc, c->plain ? COPROC_PLAIN : COPROC_ALL_VECTORS);
    if (!run(c))
        return DIFFERENT("does not end");
    return compare_registers(expected, !c->skip_formats, text, size) &&
           compare_lanes(expected, text, size) && compare_scalar(expected, text, size) &&
           compare_data(expected, text, size) && compare_stores(expected, text, size);
}

/* Any words on any configuration: nothing to compare, but nothing may break. */
void pg_chaos(struct rng *r)
{
    static const uint8_t ops[] = {8,  9,  10, 11, 16, 17, 18, 19, 22, 23, 24, 38, 39, 40, 41, 48,
                                  51, 52, 53, 54, 55, 56, 65, 65, 65, 66, 66, 66, 66, 67, 74, 87};
    static struct pg m;
    uint32_t *word = (uint32_t *)m.cfg;
    for (unsigned i = 0; i < sizeof m.cfg / 4; i++)
        word[i] = rng_percent(r, 70) ? rng_next(r) : 0;
    for (unsigned i = 0; i < 3 * 68; i++)
        m.th[i / 68][i % 68] = (uint16_t)rng_next(r);
    for (unsigned i = 0; i < 3 * 24; i++)
        m.adc[i / 24][i / 8 % 3][i / 4 % 2][i % 4].v = rng_next(r) & (i % 4 ? 255 : 0x3ffff);
    for (unsigned i = 0; i < 2 * 2 * 64 * 16; i++)
        m.src[i / 2048][i / 1024 % 2][i / 16 % 64][i % 16] = rng_next(r) & 0x7ffff;
    for (unsigned i = 0; i < 1024 * 16; i++)
        m.dst[i / 16][i % 16] = (uint16_t)rng_next(r);
    load(&m);
    for (unsigned i = 0; i < 400; i++) {
        uint32_t w = (uint32_t)ops[rng_below(r, sizeof ops)] << 24 | rng_next(r) >> 8;
        coproc_port_push(&coproc, rng_below(r, 3), &w, 1, 0);
        coproc_step(&coproc);
        for (unsigned k = 0; k < 4; k++) /* so that nothing waits for a bank for long */
            if (i % 16 == 0 && rng_percent(r, 50))
                src_set_owner(&coproc.src, k / 2, k % 2, rng_next(r) & 1);
    }
}
