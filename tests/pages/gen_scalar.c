/*
 * gen_scalar.c - cases of the Scalar Unit, of the Config Unit and of mutexes.
 *
 * Left out because nothing says what happens: undefined modes and addresses, targets of REG2FLOP beside ADCs and THCON,
 * atomics that nobody can satisfy, configuration words whose writes do more (4, 185, 186).
 */
#include "gen.h"

#include <string.h>

#define STALL_C0 (0xa2000000u | 0x1ffu << 15 | 1) /* until requests of the thread are done */
#define FLUSH_C0 0x46000001u

/* Registers: 0 to 15 point into L1 with small offsets in 16 to 23; the rest is anything. */
enum { POINTERS = 16, OFFSETS = 8 };

static void base(struct pg_case *c, struct rng *r, const char *kind)
{
    gen_base(c, r, kind);
    for (unsigned t = 0; t < 3; t++)
        for (unsigned i = 0; i < 64; i++) {
            uint32_t x = rng_next(r);
            if (i < POINTERS)
                x = rng_below(r, PG_L1 / 16 - 64);
            else if (i < POINTERS + OFFSETS)
                x &= 0x01ff01ff;
            c->start.gpr[t][i] = x;
        }
    for (unsigned i = 0; i < PG_MMIO; i++)
        c->start.mmio[i] = rng_next(r);
}

static uint32_t pointer(struct rng *r)
{
    return rng_below(r, POINTERS);
}

static uint32_t data(struct rng *r)
{
    return POINTERS + OFFSETS + rng_below(r, 64 - POINTERS - OFFSETS);
}

static uint32_t offset(struct rng *r)
{
    return (2 * POINTERS + rng_below(r, 2 * OFFSETS)) << 14 | rng_below(r, 4) << 12;
}

/* What was asked for is there. */
static void arrive(struct pg_case *c, struct rng *r)
{
    gen_add(c, rng_percent(r, 70) ? STALL_C0 : FLUSH_C0);
}

static void dmareg(struct pg_case *c, struct rng *r)
{
    base(c, r, "dmareg");
    for (unsigned i = 2 + rng_below(r, 12); i; i--) {
        uint32_t op = 0x58 + rng_below(r, 6), mode = rng_below(r, op == 0x5c ? 2 : 3);
        if (rng_percent(r, 15))
            gen_add(c, 0x45000000u | (rng_next(r) & 0xffff7f));
        else
            gen_add(c,
                    op << 24 | (rng_next(r) & 0x83ffff & (op == 0x5c ? ~0x800000u : ~0u)) |
                        (op >= 0x5b ? mode << 18 : 0));
    }
}

static void loadind(struct pg_case *c, struct rng *r)
{
    base(c, r, "loadind");
    for (unsigned i = 1 + rng_below(r, 8); i; i--) {
        gen_add(c, 0x49000000u | rng_below(r, 4) << 22 | offset(r) | data(r) << 6 | pointer(r));
        arrive(c, r);
    }
}

static void storeind(struct pg_case *c, struct rng *r)
{
    base(c, r, "storeind");
    for (unsigned i = 1 + rng_below(r, 10); i; i--) {
        uint32_t word = 0x66800000u | rng_below(r, 4) << 21 | offset(r) | pointer(r);
        gen_add(c, word | data(r) << 6);
        if (rng_percent(r, 30)) {
            gen_add(c, 0x49000000u | rng_below(r, 4) << 22 | offset(r) | data(r) << 6 | pointer(r));
            arrive(c, r);
        }
    }
}

static void aim(struct pg_case *c, unsigned reg, uint32_t value)
{
    c->start.gpr[c->thread[0]][reg] = value;
}

static void registers(struct pg_case *c, struct rng *r)
{
    base(c, r, "registers");
    for (unsigned i = 0; i < POINTERS; i++)
        aim(c,
            i,
            (rng_next(r) & 0xfff00000) | ((PG_DEVICE & 0xfffff) + rng_below(r, 4 * PG_MMIO - 64)));
    for (unsigned i = 1 + rng_below(r, 8); i; i--) {
        uint32_t place = (PG_DEVICE & 0xfffff) / 4 + rng_below(r, rng_percent(r, 50) ? 8 : PG_MMIO);
        switch (rng_below(r, 3)) {
        case 0: gen_add(c, 0x66400000u | offset(r) | data(r) << 6 | pointer(r)); break;
        case 1: gen_add(c, 0x67000000u | data(r) << 18 | place); break;
        default:
            gen_add(c, 0x68000000u | data(r) << 18 | place);
            arrive(c, r);
            break;
        }
    }
}

static void store_src(struct pg_case *c, struct rng *r)
{
    base(c, r, "store_src");
    struct pg *m = &c->start;
    unsigned t = c->thread[0];
    bool whole = rng_percent(r, 40);
    for (unsigned w = 0; w < 2; w++) {
        gen_src(c, r, w, F_TF32);
        m->owner[w][0] = m->owner[w][1] = rng_next(r) & 1;
        m->owner[w][m->ubank[w]] = 0;
        m->srcrow[w][t] = 16 * rng_below(r, 4);
    }
    m->th[t][5] = (uint16_t)(whole ? 4 : 0);
    for (unsigned i = 0; i < 10; i++) { /* offsets add up to 40 */
        uint32_t most = i < 5 ? 64 : whole ? 272 : 80;
        aim(c, i, rng_below(r, most - 40) | (rng_next(r) & 0xfff00000));
    }
    for (unsigned i = 1 + rng_below(r, 8); i; i--) {
        uint32_t a = rng_next(r) & 1, reg = rng_below(r, 5) + (a ? 5 : 0);
        gen_add(c, 0x66000000u | (a ^ 1) << 21 | offset(r) | data(r) << 6 | reg);
    }
}

static void atomics(struct pg_case *c, struct rng *r)
{
    base(c, r, "atomics");
    for (unsigned i = 1 + rng_below(r, 8); i; i--)
        if (rng_percent(r, 50)) {
            uint32_t width = rng_percent(r, 30) ? 31 : rng_below(r, 32);
            gen_add(c,
                    0x61000000u | width << 14 | rng_below(r, 4) << 12 | data(r) << 6 | pointer(r));
            arrive(c, r);
        } else {
            gen_add(c, 0x63000000u | (rng_next(r) & 0x7fc000) | data(r) << 6 | pointer(r));
        }
}

static void put(struct pg_case *c, uint32_t at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        c->start.l1[at + i] = (uint8_t)(value >> 8 * i);
}

/* ATCAS finds its value, ATINCGETPTR a FIFO that is neither full nor empty. */
static void attempts(struct pg_case *c, struct rng *r)
{
    base(c, r, "attempts");
    for (unsigned i = 1 + rng_below(r, 6); i; i--) {
        unsigned reg = i; /* a place of its own */
        uint32_t at = 16 * (64 * i + rng_below(r, 60)), ofs = rng_below(r, 4);
        aim(c, reg, at / 16);
        if (rng_percent(r, 50)) {
            uint32_t is = rng_below(r, 16);
            put(c, at + 4 * ofs, is);
            gen_add(c, 0x64000000u | rng_below(r, 16) << 18 | is << 14 | ofs << 12 | reg);
        } else {
            uint32_t width = rng_below(r, 16), capacity = width ? 1u << (width - 1) : 0x8000;
            uint32_t rd = rng_percent(r, 60) ? rng_below(r, 2 * capacity) : rng_next(r);
            uint32_t used = rng_percent(r, 60) ? rng_below(r, capacity) : rng_next(r);
            if (ofs & 1 && used % capacity == 0)
                used = 0;
            else if (!(ofs & 1) && !used)
                used = 1;
            put(c, at, rd);
            put(c, at + 4, rd + used);
            gen_add(c,
                    0x62000000u | (rng_next(r) & 1) << 22 | rng_below(r, 16) << 18 | width << 14 |
                        ofs << 12 | data(r) << 6 | reg);
        }
    }
}

static void reg2flop(struct pg_case *c, struct rng *r)
{
    base(c, r, "reg2flop");
    for (unsigned i = 1 + rng_below(r, 10); i; i--) {
        if (rng_percent(r, 60))
            gen_add(c, 0x48200000u | (rng_next(r) & 0xdf0fff));
        else
            gen_add(c,
                    0x48000000u | rng_below(r, 4) << 22 | rng_below(r, 116) << 6 |
                        (rng_next(r) & 63));
    }
}

/* Words whose writes do nothing but write. */
static uint32_t config_index(struct rng *r)
{
    uint32_t i = rng_below(r, 224);
    return (i >= 4 && i < 8) || (i >= 184 && i < 188) ? 100 : i;
}

static void config(struct pg_case *c, struct rng *r)
{
    base(c, r, "config");
    c->together = false; /* later words may overtake STREAMWRCFG, and see a GPR too early */
    for (unsigned i = 0; i < 224; i++)
        c->start.cfg[0][i] = c->start.cfg[1][i] = rng_next(r);
    for (unsigned i = 0; i < 64 * PG_STREAM; i++)
        c->start.stream[i / PG_STREAM][i % PG_STREAM] = rng_next(r);
    for (unsigned i = 59; i < 63; i++)
        c->start.th[c->thread[0]][i] = (uint16_t)(rng_next(r) & 63);
    for (unsigned i = 1 + rng_below(r, 10); i; i--) {
        uint32_t index = config_index(r), reg = rng_below(r, 64) << 16;
        switch (rng_below(r, 5)) {
        case 0: gen_add(c, 0xb0000000u | reg | (rng_next(r) & 0x8000) | index); break;
        case 1: gen_add(c, 0xb1000000u | reg | index); break;
        case 2:
            gen_add(c, (0xb3 + rng_below(r, 4)) << 24 | (rng_next(r) & 0xffff00) | index);
            break;
        case 3:
            gen_add(c, 0xb7000000u | rng_below(r, 4) << 21 | rng_below(r, PG_STREAM) << 11 | index);
            break;
        default: gen_add(c, 0xb8000000u | (rng_next(r) & 0xffff00) | index); break;
        }
    }
}

/* Other threads' counters, too; sets that are not named stay. */
static void adcs(struct pg_case *c, struct rng *r)
{
    base(c, r, "adc");
    for (unsigned i = 2 + rng_below(r, 12); i; i--) {
        uint32_t op = 0x50 + rng_below(r, 8);
        gen_add(c, (op == 0x57 ? 0x5eu : op) << 24 | (rng_next(r) & 0xffffff));
    }
}

static void mutex(struct pg_case *c, struct rng *r)
{
    uint8_t held[5] = {0};
    base(c, r, "mutex");
    c->together = false;
    for (unsigned i = 2 + rng_below(r, 14); i; i--) {
        unsigned index = GEN_PICK(r, 0, 2, 3, 3, 4), t = rng_below(r, 3);
        bool get = rng_percent(r, 55) && (!held[index] || held[index] == t + 1);
        gen_add(c, (get ? 0xa0u : 0xa1u) << 24 | index);
        c->thread[c->n - 1] = (uint8_t)t;
        if (get)
            held[index] = (uint8_t)(t + 1);
        else if (held[index] == t + 1)
            held[index] = 0;
    }
}

const struct pg_kind pg_kinds_scalar[] = {{"dmareg", dmareg},
                                          {"loadind", loadind},
                                          {"storeind", storeind},
                                          {"registers", registers},
                                          {"store_src", store_src},
                                          {"atomics", atomics},
                                          {"attempts", attempts},
                                          {"reg2flop", reg2flop},
                                          {"config", config},
                                          {"adc", adcs},
                                          {"mutex", mutex},
                                          {0}};
