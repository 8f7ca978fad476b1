/*
 * program.c - see program.h: plan, start and end of a program, and the small pieces of code.
 */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/tensix.h"

/* ---- small pieces ---- */

void maker_core(struct maker *m, unsigned core)
{
    m->core = core;
    m->c = &m->p->core[core];
}

void emit_word(struct maker *m, uint32_t word)
{
    struct program_core *c = m->c;
    if (c->n == PROGRAM_CODE) {
        fprintf(stderr, "program %u is too long\n", m->p->number);
        abort();
    }
    c->step[c->n] = (uint8_t)m->step;
    c->word[c->n++] = word;
}

void emit(struct maker *m, enum rv_op op, struct rv32_args a)
{
    emit_word(m, rv32_encode(op, a));
}

uint32_t here(const struct maker *m)
{
    return m->c->start + 4 * m->c->n;
}

void emit_to_here(struct maker *m, uint32_t at, enum rv_op op, struct rv32_args a)
{
    a.imm = (int32_t)(here(m) - at);
    m->c->word[(at - m->c->start) / 4] = rv32_encode(op, a);
}

void emit_back(struct maker *m, uint32_t to, enum rv_op op, struct rv32_args a)
{
    a.imm = (int32_t)(to - here(m));
    emit(m, op, a);
}

void emit_li(struct maker *m, unsigned rd, uint32_t value)
{
    int32_t low = (int32_t)((value & 0xfff) ^ 0x800) - 0x800;
    uint32_t high = value - (uint32_t)low;
    uint8_t r = (uint8_t)rd;
    if (high)
        EMIT(m, LUI, .rd = r, .imm = (int32_t)high);
    if (low || !high)
        EMIT(m, ADDI, .rd = r, .rs1 = high ? r : 0, .imm = low);
}

void emit_load(struct maker *m, unsigned rd, uint32_t address)
{
    emit_li(m, X_ADDRESS, address);
    EMIT(m, LW, .rd = (uint8_t)rd, .rs1 = X_ADDRESS);
}

void emit_store(struct maker *m, unsigned rs, uint32_t address)
{
    emit_li(m, X_ADDRESS, address);
    EMIT(m, SW, .rs2 = (uint8_t)rs, .rs1 = X_ADDRESS);
}

void emit_use(struct maker *m, unsigned reg)
{
    EMIT(m, ADDI, .rd = (uint8_t)reg, .rs1 = (uint8_t)reg);
}

/* ---- plan ---- */

static unsigned any_core(struct maker *m, bool t_only, bool not_nc)
{
    for (;;) {
        unsigned core = below(m, RV_N_CORES);
        if (has_core(m->p, core) && !(t_only && !is_t(core)) && !(not_nc && core == RV_NC))
            return core;
    }
}

/* Semaphores 0..5 belong to the pairs of T cores. */
static unsigned sem_of(unsigned from, unsigned to)
{
    return 2 * from + (to > from ? to - 1 : to);
}

static bool plan_sem(struct maker *m, struct program_step *s)
{
    s->a = (uint8_t)any_core(m, true, true);
    s->b = (uint8_t)any_core(m, true, true);
    struct program_sem *sem = &m->p->sem[sem_of(s->a, s->b)];
    if (s->a == s->b || sem->posts == 14)
        return false;
    if (!sem->posts++) {
        sem->used = true;
        sem->from = s->a;
        sem->to = s->b;
        sem->from_thread = percent(m, 50);
        sem->to_thread = percent(m, 50);
        sem->max = (uint8_t)(1 + below(m, 15));
    }
    return true;
}

/* False: these cores cannot do that; another. */
static bool plan_step(struct maker *m, struct program_step *s, unsigned talkers, unsigned n_t)
{
    unsigned n_cores = (unsigned)__builtin_popcount(m->p->cores);
    s->kind = (uint8_t)(percent(m, 55) ? (unsigned)STEP_WORK : 1 + below(m, N_STEP_KINDS - 1));
    switch (s->kind) {
    case STEP_MAIL:
        if (!talkers)
            return false;
        s->a = (uint8_t)any_core(m, false, true);
        s->b = (uint8_t)any_core(m, false, true);
        return s->a != s->b || percent(m, 20);
    case STEP_PCBUF:
        if (!n_t || !has_core(m->p, RV_B))
            return false;
        s->a = RV_B;
        s->b = (uint8_t)any_core(m, true, true);
        return true;
    case STEP_SEM: return n_t > 1 && plan_sem(m, s);
    case STEP_BARRIER: return n_cores > 1 && percent(m, 40);
    default:
        s->a = (uint8_t)any_core(m, false, false);
        s->b = (uint8_t)any_core(m, false, false);
        return s->kind == STEP_WORK || s->a != s->b;
    }
}

void program_plan(struct program *p, uint64_t seed, unsigned number, bool racy)
{
    struct maker m = {.p = p, .rng = rng_of(seed, (uint64_t)number << 16)};
    memset(p, 0, sizeof *p);
    p->seed = seed;
    p->number = number;
    p->racy = racy;
    while (!p->cores)
        p->cores = (uint8_t)(percent(&m, 30) ? 0x1f : below(&m, 32));
    p->by_b = has_core(p, RV_B) && percent(&m, 60);
    p->n_steps = 1 + below(&m, percent(&m, 30) ? 8 : PROGRAM_STEPS / 2);
    unsigned talkers = p->cores & 0xfu, n_t = (unsigned)__builtin_popcount(p->cores & 7u);
    for (unsigned i = 1; i <= p->n_steps; i++)
        while (!plan_step(&m, &p->step[i], talkers, n_t))
            ;
}

/* ---- start and end ---- */

static void make_cfg0(struct maker *m)
{
    static const uint8_t bits[] = {0, 1, 2, 3, 3, 3, 10, 12, 18, 18};
    uint32_t value = 0;
    for (unsigned i = 0; i < sizeof bits; i++)
        value |= (uint32_t)percent(m, 12) << bits[i];
    if (percent(m, 25))
        value |= below(m, 32) << 13;
    else
        value |= UINT32_C(16) << 13;
    if (percent(m, 60)) {
        emit_li(m, X_VALUE, value);
        EMIT(m, CSRRW, .rs1 = X_VALUE, .csr = CSR_CFG0);
    }
}

/* B lets go who is not running yet. */
static void make_release(struct maker *m)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < RV_N_CORES; i++)
        if (has_core(m->p, i) && i != RV_B)
            bits |= tile_reset_bits[i];
    emit_load(m, X_DEVICE, DEVICE_RESET);
    emit_li(m, X_VALUE, ~bits);
    EMIT(m, AND, .rd = X_DEVICE, .rs1 = X_DEVICE, .rs2 = X_VALUE);
    EMIT(m, SW, .rs1 = X_ADDRESS, .rs2 = X_DEVICE);
    EMIT(m, LW, .rd = X_DEVICE, .rs1 = X_ADDRESS);
    emit_use(m, X_DEVICE);
}

/* The sender's thread says what its semaphores can hold. */
static void make_seminit(struct maker *m)
{
    bool any_used = false;
    for (unsigned i = 0; i < 8; i++) {
        const struct program_sem *s = &m->p->sem[i];
        if (!s->used || s->from != m->core)
            continue;
        make_push(m,
                  tensix_SEMINIT_encode(
                      (struct tensix_SEMINIT){.sem_sel = 1u << i, .max_value = s->max}));
        any_used = true;
    }
    if (any_used)
        make_tensix_sync(m);
}

static void make_start(struct maker *m)
{
    emit_li(m, X_L1, AT_PRIVATE(m->core));
    emit_li(m, X_LOCAL, RV_LOCAL_BASE);
    for (unsigned r = X_ANY; r < X_POLL; r++)
        if (percent(m, 40))
            emit_li(m, r, percent(m, 50) ? below(m, 64) - 32 : rng_next(&m->rng));
    make_cfg0(m);
    if (m->core == RV_B && m->p->by_b)
        make_release(m);
    if (is_t(m->core))
        make_seminit(m);
}

static void make_end(struct maker *m)
{
    struct program_core *c = m->c;
    if (is_t(m->core) && percent(m, 80))
        make_tensix_sync(m);
    if (m->p->racy && m->p->n_steps)
        make_tick(m);
    unsigned how = below(m, 100);
    if (how < 5)
        emit_li(m, X_ADDRESS, AT_FLAG(0)); /* which nobody sets */
    else if (how < 10)
        emit_li(m, X_ADDRESS, DEVICE_MAIL + (m->core == RV_B ? 0 : 0x1000 * (m->core + 1)));
    c->end = here(m);
    c->end_size = 4;
    if (how < 5) {
        EMIT(m, FENCE, .imm = 0xff);
        EMIT(m, LW, .rd = X_DEVICE, .rs1 = X_ADDRESS);
        emit_back(m, c->end, RV_OP_BEQ, (struct rv32_args){.rs1 = X_DEVICE});
        c->end_size = 12;
    } else if (how < 10 && m->core != RV_NC) {
        EMIT(m, LW, .rd = X_DEVICE, .rs1 = X_ADDRESS);
        emit_use(m, X_DEVICE);
        c->end_size = 8;
    } else if (how < 30) {
        EMIT(m, EBREAK, .imm = 0);
    }
    EMIT(m, JAL, .imm = 0);
}

/* ---- all of it ---- */

static void write_step(struct maker *m, unsigned i)
{
    const struct program_step *s = &m->p->step[i];
    m->step = i;
    m->rng = rng_of(m->p->seed, (uint64_t)m->p->number << 16 | i << 8 | 1);
    if (s->off)
        return;
    if (s->kind != STEP_WORK) {
        make_talk(m, s);
        return;
    }
    maker_core(m, s->a);
    if (m->c->n < PROGRAM_CODE - 1500)
        make_work(m);
}

void program_write(struct program *p)
{
    static const uint32_t start[RV_N_CORES] = {0x6000, 0xA000, 0xE000, 0, 0x12000};
    struct maker m = {.p = p};
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        p->core[i].n = 0;
        p->core[i].start = start[i];
        maker_core(&m, i);
        m.rng = rng_of(p->seed, (uint64_t)p->number << 16 | i << 8 | 2);
        if (has_core(p, i))
            make_start(&m);
    }
    make_barrier(&m);
    for (unsigned i = 1; i <= p->n_steps; i++)
        write_step(&m, i);
    m.step = 0;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        maker_core(&m, i);
        m.rng = rng_of(p->seed, (uint64_t)p->number << 16 | i << 8 | 3);
        if (has_core(p, i))
            make_end(&m);
    }
}

void program_load(const struct program *p, struct tile *tile)
{
    struct rng r = rng_of(p->seed, (uint64_t)p->number << 16 | 4);
    uint32_t reset = TILE_SOFT_RESET, data[64];
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        for (unsigned k = 0; k < 64; k++)
            data[k] = rng_next(&r);
        if (!has_core(p, i))
            continue;
        tile_write(tile, AT_PRIVATE(i), data, sizeof data);
        tile_write(tile, p->core[i].start, p->core[i].word, 4 * p->core[i].n);
        if (!p->by_b || i == RV_B)
            reset &= ~tile_reset_bits[i];
    }
    tile_write(tile, DEVICE_RESET, &reset, 4);
}
