/*
 * gate_program.c - random programs in which threads get into each other's way: few semaphores and
 * mutexes, few units per program, all threads at them.
 *
 * They keep away from what docs/timing.md leaves open: giving back a Src bank that is not owned, or
 * two owners writing it in one cycle. Either the banks are given to the Matrix Unit at the start
 * and stay there, or they go round between unpackers and Matrix Unit.
 */
#include "model/gate_program.h"

#include <string.h>

#include "isa/tensix.h"
#include "model/rng.h"

#define OP(name) ((uint32_t)TENSIX_OP_##name << 24)

enum kind {
    K_NOP,
    K_SEM,
    K_WAIT,
    K_MUTEX,
    K_CONFIG,
    K_SETC16,
    K_SCALAR,
    K_MATRIX,
    K_VECTOR,
    K_UNPACK,
    K_PACK,
    K_MOVER,
    K_ADC,
    K_REPLAY,
    K_MOP,
    K_CORE,
    N_KINDS
};

struct maker {
    struct gate_program *p;
    struct rng rng;
    unsigned thread; /* being written */
    unsigned weight[3][N_KINDS];
    bool banks_move;     /* banks go round; else the Matrix Unit has them all */
    int flipper, filler; /* the only thread that flips (fills) by SETRWC (SETDVALID), or -1 */
    unsigned mmio_core;  /* the core that uses GPRs and Config */
};

static uint32_t below(struct maker *m, uint32_t n)
{
    return rng_below(&m->rng, n);
}

static bool percent(struct maker *m, uint32_t n)
{
    return rng_percent(&m->rng, n);
}

static void act(struct maker *m, enum gp_kind kind, uint32_t a, uint32_t b)
{
    unsigned *n = &m->p->n[m->thread];
    if (*n < GP_ACTIONS)
        m->p->action[m->thread][(*n)++] = (struct gp_action){(uint8_t)kind, a, b};
}

static void push(struct maker *m, uint32_t word)
{
    act(m, GP_PUSH, word, 0);
}

/* ---- words ---- */

static uint32_t block_mask(struct maker *m)
{
    if (percent(m, 8))
        return 0;
    if (percent(m, 20))
        return below(m, 2) ? 0x1ffu : 0x1ffu & ~(1u << below(m, 9)); /* all, or all but one */
    uint32_t mask = 0;
    for (unsigned n = 1 + below(m, 3); n; n--)
        mask |= 1u << below(m, 9);
    return mask;
}

static uint32_t stallwait(struct maker *m)
{
    uint32_t cond = 0;
    for (unsigned n = percent(m, 8) ? 0 : 1 + below(m, 2); n; n--)
        cond |= 1u << below(m, 13);
    if (!m->banks_move && percent(m, 95))
        cond &= ~0x60u; /* the unpackers never get a bank */
    else if (percent(m, 60))
        cond &= ~0x1e0u;
    return OP(STALLWAIT) | block_mask(m) << 15 | cond;
}

static uint32_t wait_word(struct maker *m)
{
    if (percent(m, 60))
        return stallwait(m);
    if (percent(m, 5))
        return OP(STREAMWAIT) | block_mask(m) << 15 | below(m, 4);
    uint32_t sems = percent(m, 90) ? 1u << below(m, 3) : below(m, 8);
    uint32_t cond = percent(m, 92) ? 1 + below(m, 2) : percent(m, 50) ? 3 : 0;
    return OP(SEMWAIT) | block_mask(m) << 15 | sems << 2 | cond;
}

static uint32_t sem_word(struct maker *m)
{
    uint32_t sems = percent(m, 85) ? 1u << below(m, 3) : below(m, 8);
    if (percent(m, 6))
        return OP(SEMINIT) | below(m, 6) << 20 | below(m, 4) << 16 | sems << 2;
    return (percent(m, 55) ? OP(SEMPOST) : OP(SEMGET)) | sems << 2;
}

static uint32_t setc16_word(struct maker *m)
{
    uint32_t k = below(m, 100), value;
    if (k < 15)
        return OP(SETC16) | 0u << 16 | below(m, 2);
    if (k < 35)
        return OP(SETC16) | 1u << 16 | below(m, 64) * (percent(m, 20) ? 64 : 1);
    if (k < 38 && m->banks_move)
        return OP(SETC16) | 7u << 16 | below(m, 4) * percent(m, 30);
    if (k < 55)
        return OP(SETC16) | (12 + below(m, 8)) << 16 | (rng_next(&m->rng) & 0xffff);
    value = below(m, 24) | below(m, 2) << 10 | (uint32_t)percent(m, 15) << 11 |
            (uint32_t)percent(m, 15) << 12 | below(m, 8) << 13;
    return OP(SETC16) | (28 + below(m, 8)) << 16 | value;
}

static uint32_t config_word(struct maker *m)
{
    uint32_t reg = percent(m, 40) ? 6 : 20 + below(m, 6), gpr = 4 + below(m, 4);
    switch (below(m, 6)) {
    case 0: return OP(STREAMWRCFG) | (20 + below(m, 6)) | below(m, 4) << 21 | below(m, 32) << 11;
    case 1: return OP(WRCFG) | gpr << 16 | reg;
    case 2: return OP(CFGSHIFTMASK) | below(m, 8) << 20 | 31u << 15 | (20 + below(m, 6));
    case 3: return OP(RDCFG) | (reg == 6 ? gpr : 24u) << 16 | reg;
    case 4: return OP(RMWCIB0) | below(m, 64) << 16 | below(m, 64) << 8 | reg;
    default: return (OP(RMWCIB1) + (below(m, 3) << 24)) | below(m, 4) << 16 | 1u << 8 | reg;
    }
}

static uint32_t dma_arithmetic(struct maker *m)
{
    static const uint32_t ops[] = {OP(ADDDMAREG),
                                   OP(SUBDMAREG),
                                   OP(MULDMAREG),
                                   OP(BITWOPDMAREG),
                                   OP(SHIFTDMAREG),
                                   OP(CMPDMAREG)};
    uint32_t regs =
        percent(m, 50) ? below(m, 4) | below(m, 4) << 6 : below(m, 64) | below(m, 64) << 6;
    return ops[below(m, 6)] | (uint32_t)percent(m, 30) << 23 | (16 + below(m, 48)) << 12 | regs;
}

static uint32_t scalar_word(struct maker *m)
{
    uint32_t address = below(m, 4), data = (16 + below(m, 40)) << 6;
    switch (below(m, 14)) {
    case 0:
    case 1: return OP(DMANOP);
    case 2:
    case 3:
    case 4: return OP(SETDMAREG) | below(m, 256) << 8 | (8 + below(m, 8));
    case 5:
    case 6: return dma_arithmetic(m);
    case 7: return OP(FLUSHDMA) | below(m, 16);
    case 8: return OP(REG2FLOP) | 1u << 20 | 28u << 6 | below(m, 4); /* words 92 .. 95 */
    case 9: return OP(LOADIND) | 1u << 22 | data | address;
    case 10: return OP(STOREIND) | 1u << 23 | 1u << 22 | data | address;
    case 11:
        return percent(m, 50) ? OP(LOADREG) | 40u << 18 | 0x4800
                              : OP(STOREREG) | 40u << 18 | 0x4800;
    case 12: return OP(ATINCGET) | 31u << 14 | data | address;
    default:
        if (percent(m, 30))
            return (percent(m, 50) ? OP(ATCAS) : OP(ATINCGETPTR)) | 15u << 14 | data | address;
        return percent(m, 50) ? OP(ATSWAP) | 0xffu << 14 | data | address : OP(DMANOP);
    }
}

static uint32_t matrix_word(struct maker *m)
{
    static const uint32_t both[] = {OP(MVMUL), OP(ELWMUL), OP(ELWADD), OP(DOTPV), OP(ELWSUB)};
    static const uint32_t moves[] = {
        OP(MOVA2D), OP(MOVB2D), OP(MOVDBGA2D), OP(MOVD2A), OP(MOVD2B), OP(MOVB2A)};
    static const uint32_t others[] = {
        OP(SHIFTXA), OP(TRNSPSRCB), OP(ZEROSRC), OP(GATESRCRST), OP(CLREXPHIST)};
    uint32_t dst = percent(m, 50) ? below(m, 16) : below(m, 64), mod = below(m, 8);
    uint32_t flips = 0;
    if (m->banks_move && (m->flipper < 0 || m->flipper == (int)m->thread))
        flips = percent(m, 50) ? below(m, 4) : 0;
    uint32_t k = below(m, 100);
    if (k < 40)
        return both[below(m, 5)] | flips << 22 | below(m, 2) << 21 | mod << 14 | dst;
    if (k < 48)
        return (percent(m, 50) ? OP(GMPOOL) : OP(GAPOOL)) | flips << 22 | mod << 15 | dst;
    if (k < 75)
        return moves[below(m, 6)] | below(m, 2) << 13 | mod << 14 | dst;
    if (k < 80)
        return OP(SHIFTXB) | mod << 14 | below(m, 64);
    if (k < 85)
        return OP(INCRWC) | below(m, 8) << 18 | below(m, 4096) << 6;
    if (k < 90)
        return OP(SETRWC) | below(m, 16) << 18 | below(m, 4096) << 6 | below(m, 16);
    if (k < 95)
        return OP(ZEROACC) | below(m, 4) << 19 | mod << 14 | (percent(m, 50) ? dst : dst / 16);
    return others[below(m, 5)];
}

static uint32_t vector_word(struct maker *m)
{
    uint32_t k = below(m, 100);
    if (k < 25)
        return OP(SFPNOP);
    if (k < 40)
        return OP(SFPSWAP);
    if (k < 55)
        return OP(SFPSHFT2) | below(m, 7);
    if (k < 65)
        return (percent(m, 60) ? OP(SFPLOAD) : OP(SFPSTORE)) | below(m, 8) << 13 | below(m, 64);
    if (k < 85)
        return (percent(m, 50) ? OP(SFPMAD) : OP(SFPMUL)) | below(m, 8) << 4;
    return OP(SFPMOV) | below(m, 8) << 4;
}

static uint32_t unpack_word(struct maker *m)
{
    uint32_t unpacker = below(m, 2) << 23;
    if (percent(m, 65))
        return OP(UNPACR) | unpacker | (uint32_t)percent(m, 80) << 6;
    if (percent(m, 40))
        return OP(UNPACR_NOP) | unpacker | 2;
    uint32_t like_unpacr = below(m, 2);
    uint32_t gives = like_unpacr && percent(m, 50);
    return OP(UNPACR_NOP) | unpacker | gives << 8 | like_unpacr << 5 | 1;
}

/* How many datums the next UNPACRs have. */
static uint32_t x_range(struct maker *m)
{
    uint32_t first = percent(m, 70) ? 0 : below(m, 32), n = below(m, percent(m, 90) ? 300 : 1000);
    return OP(SETADCXX) | (1 + below(m, 3)) << 21 | n << 10 | first;
}

static uint32_t adc_word(struct maker *m)
{
    static const uint32_t ops[] = {OP(SETADCXY),
                                   OP(INCADCXY),
                                   OP(ADDRCRXY),
                                   OP(SETADCZW),
                                   OP(INCADCZW),
                                   OP(ADDRCRZW),
                                   OP(SETADCXX),
                                   OP(SETADC)};
    if (percent(m, 50))
        return x_range(m);
    return ops[below(m, 8)] | 1u << 21;
}

/* Its address counters only ever say how many datums of a row it takes. */
static uint32_t pack_word(struct maker *m)
{
    if (percent(m, 10))
        return OP(SETADCXX) | 1u << 23 | below(m, 16) << 10;
    return percent(m, 80) ? OP(PACR) | (uint32_t)percent(m, 30) : OP(PACR_SETREG);
}

/* A word that does not need others around it. */
static uint32_t single(struct maker *m, enum kind kind)
{
    switch (kind) {
    case K_SEM: return sem_word(m);
    case K_WAIT: return wait_word(m);
    case K_CONFIG: return config_word(m);
    case K_SETC16: return setc16_word(m);
    case K_SCALAR: return scalar_word(m);
    case K_MATRIX: return matrix_word(m);
    case K_VECTOR: return vector_word(m);
    case K_UNPACK: return m->banks_move ? unpack_word(m) : OP(UNPACR_NOP) | below(m, 2) << 23 | 2;
    case K_PACK: return pack_word(m);
    case K_MOVER: return OP(XMOV);
    case K_ADC: return adc_word(m);
    case K_MUTEX: return OP(ATRELM) | 2 * below(m, 3);
    default: return OP(NOP);
    }
}

static enum kind pick(struct maker *m)
{
    unsigned sum = 0;
    for (unsigned k = 0; k < N_KINDS; k++)
        sum += m->weight[m->thread][k];
    uint32_t x = below(m, sum);
    for (unsigned k = 0;; k++) {
        if (x < m->weight[m->thread][k])
            return (enum kind)k;
        x -= m->weight[m->thread][k];
    }
}

static uint32_t any_word(struct maker *m)
{
    return single(m, pick(m));
}

/* ---- pieces of a program ---- */

static void mutex_piece(struct maker *m)
{
    static const uint8_t indices[] = {0, 0, 2, 2, 3, 4};
    uint32_t index = percent(m, 1) ? 1 + below(m, 2) * 4 : indices[below(m, 6)];
    push(m, OP(ATGETM) | index);
    for (unsigned n = below(m, 4); n; n--)
        push(m, any_word(m));
    push(m, OP(ATRELM) | index);
}

static void replay_piece(struct maker *m)
{
    uint32_t n = 1 + below(m, 6), start = below(m, 32), exec = below(m, 2);
    push(m, OP(REPLAY) | start << 14 | n << 4 | exec << 1 | 1);
    for (unsigned i = 0; i < n; i++)
        push(m, percent(m, 2) ? OP(REPLAY) | 1u << 4 : any_word(m));
    for (unsigned times = 1 + below(m, 3); times; times--)
        push(m, OP(REPLAY) | start << 14 | n << 4);
}

static void mop_piece(struct maker *m)
{
    bool loop = percent(m, 60);
    for (uint32_t i = 0; i < 9; i++) {
        uint32_t value = i == 0 ? 1 + below(m, 3) : i == 1 ? 1 + below(m, 4) : any_word(m);
        if (i > 1 && percent(m, 30))
            value = percent(m, 90) ? OP(NOP) : percent(m, 50) ? OP(MOP_CFG) : OP(RESOURCEDECL);
        act(m, GP_MOP_CFG, i, value);
    }
    push(m, OP(MOP) | (uint32_t)loop << 23 | below(m, 5) << 16 | below(m, 32));
}

static void core_piece(struct maker *m)
{
    uint32_t k = below(m, 100);
    if (k < 50)
        act(m, GP_SEM, below(m, 3), below(m, 2));
    else if (k < 60)
        act(m, GP_PAUSE, below(m, 20), 0);
    else if (m->thread != m->mmio_core)
        push(m, OP(NOP));
    else if (k < 75)
        act(m, GP_GPR, 4 + below(m, 4), below(m, 64));
    else
        act(m, GP_CONFIG, below(m, 3) << 16 | (percent(m, 60) ? 6 : 20), below(m, 64));
}

/* Gives back banks that are surely owned, or fills banks that are surely free. */
static void bank_piece(struct maker *m)
{
    uint32_t sides = 1 + below(m, 3);
    if (m->flipper == (int)m->thread) {
        push(m, OP(STALLWAIT) | 1u << (15 + 6) | sides << 7);
        push(m, (percent(m, 70) ? OP(SETRWC) : OP(CLEARDVALID)) | sides << 22);
    }
    if (m->filler == (int)m->thread) {
        push(m, OP(STALLWAIT) | 1u << 15 | sides << 5 | sides << 1);
        push(m, OP(SETDVALID) | sides);
    }
}

static void piece(struct maker *m)
{
    enum kind kind = pick(m);
    switch (kind) {
    case K_MUTEX: mutex_piece(m); break;
    case K_REPLAY: replay_piece(m); break;
    case K_MOP: mop_piece(m); break;
    case K_CORE: core_piece(m); break;
    case K_MATRIX:
    case K_UNPACK:
        if (m->banks_move && percent(m, 30))
            bank_piece(m);
        if (kind == K_UNPACK && percent(m, 20))
            push(m, x_range(m));
        push(m, single(m, kind));
        break;
    default: push(m, single(m, kind)); break;
    }
}

static void choose_weights(struct maker *m)
{
    static const uint8_t more[] = {K_MATRIX, K_MATRIX, K_UNPACK, K_SCALAR, K_CONFIG, K_WAIT};
    enum kind hot[4];
    for (unsigned i = 0; i < 4; i++)
        hot[i] = (enum kind)(percent(m, 60) ? below(m, N_KINDS) : more[below(m, sizeof more)]);
    unsigned n_hot = 1 + below(m, 4);
    bool quiet = percent(m, 50); /* nothing but the hot kinds */
    for (unsigned t = 0; t < 3; t++) {
        for (unsigned k = 0; k < N_KINDS; k++)
            m->weight[t][k] = quiet ? 0 : below(m, 3);
        for (unsigned i = 0; i < n_hot; i++)
            m->weight[t][hot[i]] += 10 + below(m, 20);
        m->weight[t][K_NOP] += 1 + below(m, 4);
        m->weight[t][K_WAIT] += below(m, 4);
        if (m->weight[t][K_UNPACK] > 5 && m->banks_move)
            m->weight[(t + 1) % 3][K_MATRIX] += 10;
        if (m->weight[t][K_MATRIX] > 5 && m->banks_move)
            m->weight[(t + 2) % 3][K_UNPACK] += 10;
    }
    for (unsigned t = 0; t < 3; t++)
        if (m->filler >= 0 && m->filler != (int)t)
            m->weight[t][K_UNPACK] = 0;
}

/* Formats and modes of the unpackers. */
static void unpack_settings(struct maker *m)
{
    static const uint8_t modes[] = {0, 0, 0, 1, 2, 3};
    uint32_t *c = m->p->unpack_config;
    c[70] = (uint32_t)percent(m, 50) << 3;
    for (unsigned u = 0; u < 2; u++) {
        uint32_t format = below(m, 16);
        c[64 + 48 * u] = format | (uint32_t)percent(m, 85) << 4;
        c[72 + 48 * u] = format | below(m, 4) << 4 | (uint32_t)percent(m, 15) << 9 |
                         (uint32_t)percent(m, 20) << 11 | (uint32_t)modes[below(m, 6)] << 12;
    }
}

void gate_program_make(struct gate_program *p, uint64_t seed, unsigned number)
{
    struct maker m = {.p = p, .rng = rng_of(seed, number), .flipper = -1, .filler = -1};
    memset(p, 0, sizeof *p);
    m.mmio_core = below(&m, 3);
    p->skip = percent(&m, 50);
    for (unsigned t = 0; t < 3; t++)
        p->width[t] = percent(&m, 70) ? 1 : 1 + below(&m, 4);
    m.banks_move = percent(&m, 45);
    if (m.banks_move && percent(&m, 40))
        m.flipper = (int)below(&m, 3);
    if (m.banks_move && percent(&m, 40))
        m.filler = (int)below(&m, 3);
    choose_weights(&m);
    unpack_settings(&m);
    m.thread = below(&m, 3);
    if (!m.banks_move) {
        push(&m, OP(SETDVALID) | 3);
        push(&m, OP(SETDVALID) | 3);
    }
    for (uint32_t s = 0; s < 3; s++)
        push(&m, OP(SEMINIT) | (1 + below(&m, 5)) << 20 | below(&m, 4) << 16 | 1u << (2 + s));
    unsigned longest = percent(&m, 60) ? 12 : 50;
    for (m.thread = 0; m.thread < 3; m.thread++)
        for (unsigned n = below(&m, longest); n; n--)
            piece(&m);
}
