/*
 * gen.c - see gen.h: the table of makers, and how they write a case down.
 */
#include "vectors/gen.h"

#include <string.h>

const struct gen_entry gen_table[] = {
    {"UNPACR", gen_unpacr, 480},
    {"UNPACR_NOP", gen_unpacr_nop, 200},
    {"SETADC", gen_adc, 200},
    {"SETADCXY", gen_adc, 200},
    {"SETADCZW", gen_adc, 200},
    {"SETADCXX", gen_adc, 200},
    {"INCADCXY", gen_adc, 200},
    {"INCADCZW", gen_adc, 200},
    {"ADDRCRXY", gen_adc, 200},
    {"ADDRCRZW", gen_adc, 200},
    {"MVMUL", gen_matmul, 480},
    {"GAPOOL", gen_matmul, 240},
    {"ELWADD", gen_elw, 300},
    {"ELWSUB", gen_elw, 300},
    {"ELWMUL", gen_elw, 300},
    {"GMPOOL", gen_gmpool, 240},
    {"MOVA2D", gen_move_to_dst, 240},
    {"MOVB2D", gen_move_to_dst, 240},
    {"MOVD2A", gen_move_to_src, 240},
    {"MOVD2B", gen_move_to_src, 240},
    {"MOVB2A", gen_movb2a, 200},
    {"TRNSPSRCB", gen_trnspsrcb, 200},
    {"ZEROACC", gen_zeroacc, 240},
    {"ZEROSRC", gen_zerosrc, 200},
    {"SETRWC", gen_rwc, 240},
    {"INCRWC", gen_rwc, 240},
    {"CLEARDVALID", gen_cleardvalid, 200},
    {"PACR", gen_pacr, 600},
    {"MIX", gen_mix, 200},
    {"SFPLOAD", gen_vector, 200},
    {"SFPLOADI", gen_vector, 200},
    {"SFPSTORE", gen_vector, 200},
    {"SFPLUT", gen_vector, 200},
    {"SFPMULI", gen_vector, 200},
    {"SFPADDI", gen_vector, 200},
    {"SFPDIVP2", gen_vector, 200},
    {"SFPEXEXP", gen_vector, 200},
    {"SFPEXMAN", gen_vector, 200},
    {"SFPIADD", gen_vector, 200},
    {"SFPSHFT", gen_vector, 200},
    {"SFPSETCC", gen_vector, 200},
    {"SFPMOV", gen_vector, 200},
    {"SFPABS", gen_vector, 200},
    {"SFPAND", gen_vector, 200},
    {"SFPOR", gen_vector, 200},
    {"SFPNOT", gen_vector, 200},
    {"SFPLZ", gen_vector, 200},
    {"SFPSETEXP", gen_vector, 200},
    {"SFPSETMAN", gen_vector, 200},
    {"SFPMAD", gen_vector, 500},
    {"SFPADD", gen_vector, 200},
    {"SFPMUL", gen_vector, 200},
    {"SFPPUSHC", gen_vector, 200},
    {"SFPPOPC", gen_vector, 200},
    {"SFPSETSGN", gen_vector, 200},
    {"SFPENCC", gen_vector, 200},
    {"SFPCOMPC", gen_vector, 200},
    {"SFPTRANSP", gen_vector, 200},
    {"SFPXOR", gen_vector, 200},
    {"SFPSTOCHRND", gen_vector, 200},
    {"SFPNOP", gen_vector, 200},
    {"SFPCAST", gen_vector, 200},
    {"SFPCONFIG", gen_vector, 200},
    {"SFPSWAP", gen_vector, 200},
    {"SFPSHFT2", gen_vector, 200},
    {"SFPLUTFP32", gen_vector, 200},
    {"SFPLE", gen_vector, 200},
    {"SFPGT", gen_vector, 200},
    {"SFPMUL24", gen_vector, 200},
    {"SFPARECIP", gen_vector, 200},
    {"SFPMIX", gen_vector, 200},
    {"SETDMAREG", gen_scalar, 200},
    {"ADDDMAREG", gen_scalar, 200},
    {"MULDMAREG", gen_scalar, 200},
    {"WRCFG", gen_scalar, 200},
    {"RDCFG", gen_scalar, 200},
    {"RMWCIB0", gen_scalar, 200},
    {"RMWCIB1", gen_scalar, 200},
    {"RMWCIB2", gen_scalar, 200},
    {"RMWCIB3", gen_scalar, 200},
    {"CFGSHIFTMASK", gen_scalar, 200},
};
const unsigned gen_n = sizeof gen_table / sizeof *gen_table;

uint32_t gen_below(struct gen *g, uint32_t n)
{
    return (uint32_t)((vec_random(&g->state) >> 32) * n >> 32);
}

bool gen_percent(struct gen *g, uint32_t percent)
{
    return gen_below(g, 100) < percent;
}

uint32_t gen_pick(struct gen *g, unsigned n, const uint8_t *list)
{
    return list[gen_below(g, n)];
}

void gen_config(struct gen *g, unsigned word, unsigned low, unsigned width, uint32_t value)
{
    uint32_t mask = width < 32 ? (1u << width) - 1 : UINT32_MAX;
    g->want[word] = (g->want[word] & ~(mask << low)) | (value & mask) << low;
}

void gen_thread(struct gen *g, unsigned word, uint32_t value)
{
    g->thread_want[word] = (uint16_t)value;
}

static void step(struct gen *g, unsigned what, unsigned index, uint32_t value)
{
    struct vec_case *c = g->c;
    if (c->n_steps < VEC_STEPS)
        c->step[c->n_steps++] =
            (struct vec_step){(uint8_t)what, (uint8_t)g->core, (uint8_t)index, value};
}

/* By way of GPR 4. */
static void write_bank1(struct gen *g, unsigned word, uint32_t value)
{
    step(g, VEC_PUSH, 0, 0x45000000u | (value & 0xFFFF) << 8 | 8);
    step(g, VEC_PUSH, 0, 0x45000000u | (value >> 16) << 8 | 9);
    step(g, VEC_PUSH, 0, W_STALLWAIT(0x1FF, 1));
    step(g, VEC_PUSH, 0, 0xB0000000u | 4 << 16 | word);
}

static void flush(struct gen *g)
{
    bool by_wrcfg = false;
    for (unsigned i = 0; i < 64; i++)
        if (g->thread_want[i] != g->thread_have[g->core][i]) {
            step(g, VEC_PUSH, 0, W_SETC16(i, g->thread_want[i]));
            g->thread_have[g->core][i] = g->thread_want[i];
        }
    for (unsigned i = 0; i < 224; i++) {
        if (g->want[i] == g->have[i])
            continue;
        if (g->bank1 && i < 180) {
            if (!by_wrcfg)
                step(g, VEC_CONFIG, 180, g->have[180]);
            write_bank1(g, i, g->want[i]);
            by_wrcfg = true;
        } else {
            step(g, VEC_CONFIG, i, g->want[i]);
        }
        g->have[i] = g->want[i];
    }
    /* A write that changes nothing: before it the thread is waited for. */
    if (by_wrcfg)
        step(g, VEC_CONFIG, 180, g->want[180]);
}

/* The thread that has the word; who has just acted, if any can. */
static unsigned thread_of(const struct gen *g, uint32_t word)
{
    unsigned op = word >> 24;
    if (op == 0x41)
        return g->pack;
    if (op == 0x42 || op == 0x43)
        return 0;
    if ((op >= 0x50 && op <= 0x56) || op == 0x5E) /* counters: whose is the set? */
        return (word >> 21 & 7) == 4 ? g->pack : 0;
    return op < 0x40 || (op >= 0x70 && op < 0xA0) ? g->matrix : g->core;
}

void gen_push(struct gen *g, uint32_t word)
{
    g->core = thread_of(g, word);
    flush(g);
    step(g, VEC_PUSH, 0, word);
}

void gen_barrier(struct gen *g)
{
    gen_push(g, W_STALLWAIT(0x1FF, 0x1E));
}

void gen_fill(struct gen *g, uint32_t at, uint32_t size, enum vec_kind kind, uint32_t parameter)
{
    struct vec_case *c = g->c;
    if (c->n_inputs == VEC_INPUTS)
        return;
    c->input[c->n_inputs++] =
        (struct vec_input){at, size, kind, parameter, vec_random(&g->state) >> 40};
}

uint32_t gen_input(struct gen *g, uint32_t size, enum vec_kind kind, uint32_t parameter)
{
    uint32_t at = g->in;
    g->in = (at + size + 15) & ~15u;
    gen_fill(g, at, size, kind, parameter);
    return at;
}

uint32_t gen_output(struct gen *g, uint32_t size)
{
    struct vec_case *c = g->c;
    uint32_t at = g->out;
    g->out = (at + size + 15) & ~15u;
    if (c->n_outputs < VEC_OUTPUTS && c->n_expected + size <= VEC_OUT_MAX) {
        c->output[c->n_outputs++] = (struct vec_output){at, size};
        c->n_expected += size;
    }
    return at;
}

/* What is the same in (nearly) all cases. */
static void defaults(struct gen *g)
{
    gen_config(g, 12, 16, 16, 32);    /* packer, channel 0: rows of 16 times 2 bytes */
    gen_config(g, 24, 0, 16, 0xFFFF); /* no edges */
    gen_config(g, 25, 0, 16, 0xFFFF);
    gen_config(g, 28, 8, 8, 16); /* reads per plane */
    gen_config(g, 70, 0, 1, 1);  /* not compressed */
    gen_config(g, 73, 0, 4, 15);
    gen_config(g, 121, 0, 4, 15);
    gen_thread(g, 5, 4); /* SrcA rows as addressed */
}

static const struct gen_entry *find(const char *name)
{
    for (unsigned i = 0; i < gen_n; i++)
        if (!strcmp(gen_table[i].name, name))
            return &gen_table[i];
    return NULL;
}

/* Leaves in g what the tile has after the steps that all cases begin with. */
static void begin(struct gen *g, const struct gen_entry *e, struct vec_case *c)
{
    memset(g, 0, sizeof *g);
    memset(c, 0, offsetof(struct vec_case, step));
    g->c = c;
    defaults(g);
    flush(g);
    if (e && (e->make == gen_vector || e->make == gen_scalar))
        gen_vector_prologue(g);
}

unsigned gen_prologue(const char *name, struct vec_step *to)
{
    static struct vec_case c;
    static struct gen g;
    begin(&g, find(name), &c);
    memcpy(to, c.step, c.n_steps * sizeof *to);
    return c.n_steps;
}

bool gen_case(const char *name, uint64_t seed, uint32_t number, struct vec_case *c)
{
    static struct gen g;
    const struct gen_entry *e = find(name);
    if (!e)
        return false;
    begin(&g, e, c);
    c->n_steps = 0;
    c->n_expected = 0;
    c->number = number;
    g.state = seed * UINT64_C(0x100000001B3) + number;
    for (const char *p = name; *p; p++)
        g.state = g.state * 31 + (unsigned char)*p;
    vec_random(&g.state);
    if (gen_percent(&g, 40)) {
        g.matrix = gen_below(&g, 3);
        g.pack = gen_below(&g, 3);
    }
    g.in = VEC_IN + 16 + 16 * gen_below(&g, 8);
    g.out = VEC_OUT + 16;
    if (gen_percent(&g, 4) && e->make != gen_vector && e->make != gen_scalar) {
        g.bank1 = true;
        memset(g.have, 0, 180 * sizeof *g.have);
        gen_thread(&g, 0, 1);
    }
    e->make(&g, name);
    return true;
}
