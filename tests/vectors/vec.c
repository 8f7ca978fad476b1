/* vec.c - see vec.h. */
#include "vectors/vec.h"

#include <string.h>

#include "dropin/rv.h"

static const char magic[8] = "WGVEC1\n";

uint64_t vec_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* ---- inputs: frozen, see vec.h ---- */

/*
 * A number as FP32 bits. Parameter: centre of the exponents (byte 0), how many of them (byte 1; 0: all), how
 * many of 16 are special values (byte 2). A quarter of the fractions have few bits, so that halves occur.
 */
static uint32_t vec_number(uint64_t *state, uint32_t parameter, uint32_t bias_max)
{
    static const uint32_t special[16] = {0,
                                         0x80000000,
                                         0x3F800000,
                                         0xBF800000,
                                         0x7F800000,
                                         0xFF800000,
                                         0x7FC00000,
                                         0xFFFFFFFF,
                                         0x7F7FFFFF,
                                         0xFF7FFFFF,
                                         0x00800000,
                                         0x80800000,
                                         0x007FFFFF,
                                         0x807FFFFF,
                                         0x00000001,
                                         0x3F7FFFFF};
    uint64_t r = vec_random(state);
    uint32_t bits = (uint32_t)r, centre = parameter & 255, spread = parameter >> 8 & 255;
    if ((r >> 32 & 15) < (parameter >> 16 & 255))
        return special[r >> 36 & 15];
    if ((r >> 40 & 3) == 0)
        bits &= 0xFFF00000u >> (r >> 42 & 7);
    if (spread) {
        uint32_t e = (centre + (uint32_t)(r >> 48) % spread - spread / 2) & bias_max;
        bits = (bits & 0x807FFFFF) | e << 23;
    } else if (bias_max < 255) {
        bits &= ~((255 - bias_max) << 23);
    }
    return bits;
}

static uint32_t vec_half(uint64_t *state, uint32_t parameter)
{
    static const uint16_t special[8] = {0, 0x8000, 0x3C00, 0x7FFF, 0xFFFF, 0x7C00, 0x0400, 0x03FF};
    uint64_t r = vec_random(state);
    if ((r >> 32 & 15) < (parameter >> 16 & 255))
        return special[r & 7];
    uint32_t f = vec_number(state, parameter & 0xFFFF, 31);
    return (f >> 16 & 0x8000) | (f >> 23 & 31) << 10 | (f >> 13 & 1023);
}

static uint32_t vec_int(uint64_t *state, uint32_t bits)
{
    uint64_t r = vec_random(state);
    uint32_t v = (uint32_t)r, sign = v & 0x80000000;
    if ((r >> 32 & 15) == 0)
        return sign | ((r >> 36 & 1) ? 0x7FFFFFFF : 0);
    return sign | (v & 0x7FFFFFFF & ((1u << ((r >> 40) % bits)) * 2 - 1));
}

static uint32_t vec_byte(uint64_t *state, uint32_t parameter)
{
    static const uint8_t special[8] = {0, 0x80, 0x7F, 0xFF, 1, 0x81, 0x40, 0x78};
    uint64_t r = vec_random(state);
    return (r >> 32 & 15) < (parameter >> 16 & 255) ? special[r & 7] : r & 255;
}

/*
 * Powers of two and what is next to them, ends of ranges, small integers, and others. With parameter 1 only numbers
 * whose products and sums are where something ends.
 */
static uint32_t vec_edge(uint64_t *state, uint32_t parameter)
{
    static const uint32_t factor[16] = {0x3F7FFFFF,
                                        0xBF7FFFFF,
                                        0x3F800000,
                                        0x3F800002,
                                        0x00800000,
                                        0x80800000,
                                        0x00FFFFFF,
                                        0x7F7FFFFF,
                                        0xFF7FFFFF,
                                        0x7F000000,
                                        0x3FFFFFFF,
                                        0x40000000,
                                        0x00BFFFFD,
                                        0x80000000,
                                        0x20216363,
                                        0x2018475D};
    static const uint32_t end[16] = {0,
                                     0x80000000,
                                     0x7FFFFFFF,
                                     0xFFFFFFFF,
                                     0x7F800000,
                                     0xFF800000,
                                     0x00800000,
                                     0x80800000,
                                     0x7E800000,
                                     0x3F000000,
                                     0x3F800000,
                                     0xBF800000,
                                     0x3FC00000,
                                     0x40000000,
                                     0x40400000,
                                     0x47800000};
    uint64_t r = vec_random(state);
    uint32_t v = (uint32_t)r, near = (uint32_t)(r >> 48) % 7 - 3;
    if (parameter == 1)
        return factor[v & 15];
    switch (r >> 32 & 15) {
    case 0:
    case 1:
    case 2: return end[v & 15];
    case 3:
    case 4: return end[v & 15] + near;
    case 5:
    case 6: return (v & 0xFF800000) + near;
    case 7: return (v & 0x87800000) + 0x3C000000 + near;
    case 8: return (v & 127) - 64;
    case 9: return (1u << (v & 31)) + near;
    case 10: return (v & 0x80000000) | (v & 0x7FFFFFFF) >> (r >> 40 & 31);
    case 11: return v & 0x807FFFFF;
    case 12: return v | 0x7F800000;
    default: return v;
    }
}

void vec_fill(const struct vec_input *in, uint8_t *to)
{
    static const uint8_t width[16] = {1, 4, 2, 2, 1, 4, 2, 4, 4, 4, 4, 4, 4, 4, 4, 4};
    uint64_t s = in->seed;
    uint32_t p = in->parameter, w = width[in->kind & 15], v = 0;
    for (uint32_t i = 0; i < in->size; i++) {
        uint32_t k = i % w;
        if (k == 0) {
            switch (in->kind & 15) {
            case VEC_BYTES: v = vec_byte(&s, p); break;
            case VEC_F32: v = vec_number(&s, p, 255); break;
            case VEC_BF16: v = vec_number(&s, p, 255) >> 16; break;
            case VEC_F16: v = vec_half(&s, p); break;
            case VEC_EXP: v = vec_number(&s, p & 0xFFFF, 255) >> 23 & 255; break;
            case VEC_INT32: v = vec_int(&s, p); break;
            case VEC_SAME: v = p; break;
            case VEC_EDGE: v = vec_edge(&s, p); break;
            default: v = i % 64 ? 0 : (uint32_t)vec_random(&s) | 1; break;
            }
        }
        to[i] = (uint8_t)(v >> 8 * k);
    }
}

/* ---- playing ---- */

/* What stands in the list in place of an address that is a multiple of 4. */
enum { LIST_END = 0, LIST_SYNC = 1, LIST_SPIN = 2, LIST_WAIT = 3 };

#define PUSH        0xFFE40000u
#define CONFIG      0xFFEF0000u
#define SPIN_CYCLES 24u

static uint32_t rv_beq(uint32_t rs1, uint32_t rs2, int32_t offset)
{
    return rv_bne(rs1, rs2, offset) & ~(1u << 12);
}

static uint32_t rv_andi(uint32_t rd, uint32_t rs1, uint32_t imm)
{
    return imm << 20 | rs1 << 15 | 7 << 12 | rd << 7 | 0x13;
}

/* x5: the list; x6, x7: its pair; x8: its command; x9: anything; x10, x11: 1, 2; x12: the turn. */
unsigned vec_player(unsigned core, uint32_t *words)
{
    const uint32_t w[] = {
        /*  0 */ rv_lui(5, VEC_LIST(core) >> 12),
        /*  1 */ rv_addi(10, 0, 1),
        /*  2 */ rv_addi(11, 0, 2),
        /*  3 */ rv_lui(12, (VEC_TURN + 0x800) >> 12),
        /*  4 */ rv_lw(6, 0, 5),
        /*  5 */ rv_lw(7, 4, 5),
        /*  6 */ rv_addi(5, 5, 8),
        /*  7 */ rv_beq(6, 0, 4 * (25 - 7)),
        /*  8 */ rv_andi(8, 6, 3),
        /*  9 */ rv_bne(8, 0, 4 * (12 - 9)),
        /* 10 */ rv_sw(7, 0, 6),
        /* 11 */ rv_jal(0, 4 * (4 - 11)),
        /* 12 */ rv_bne(8, 10, 4 * (18 - 12)),
        /* 13 */ rv_lui(9, 0xFFE80),
        /* 14 */ rv_sw(0, 4, 9),
        /* 15 */ rv_lw(9, 4, 9),
        /* 16 */ rv_add(9, 9, 9),
        /* 17 */ rv_jal(0, 4 * (4 - 17)),
        /* 18 */ rv_bne(8, 11, 4 * (22 - 18)),
        /* 19 */ rv_addi(7, 7, -1),
        /* 20 */ rv_bne(7, 0, 4 * (19 - 20)),
        /* 21 */ rv_jal(0, 4 * (4 - 21)),
        /* 22 */ rv_lw(9, (int32_t)(VEC_TURN << 20) >> 20, 12),
        /* 23 */ rv_bne(9, 7, 4 * (22 - 23)),
        /* 24 */ rv_jal(0, 4 * (4 - 24)),
        /* 25 */ rv_jal(0, 0),
    };
    memcpy(words, w, sizeof w);
    return sizeof w / sizeof *w;
}

struct lister {
    struct vec_lists *to;
    unsigned core, last, turn;
};

static void list_pair(struct lister *l, uint32_t address, uint32_t value)
{
    unsigned at = l->to->n[l->core];
    if (at + 2 > VEC_LIST_WORDS)
        return;
    l->to->word[l->core][at] = address;
    l->to->word[l->core][at + 1] = value;
    l->to->n[l->core] = at + 2;
}

/* When the turn goes to another core, nothing is under way. */
static void list_turn(struct lister *l, unsigned core)
{
    list_pair(l, LIST_SYNC, 0);
    list_pair(l, VEC_TURN, ++l->turn);
    l->core = core;
    list_pair(l, LIST_WAIT, l->turn);
    l->last = VEC_PUSH;
}

static void list_steps(struct lister *l, const struct vec_step *s, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (s[i].core != l->core)
            list_turn(l, s[i].core);
        /* Config writes must neither come too early nor too late. */
        if (s[i].what != l->last)
            list_pair(l, s[i].what == VEC_CONFIG ? LIST_SYNC : LIST_SPIN, SPIN_CYCLES);
        l->last = s[i].what;
        list_pair(l, s[i].what == VEC_PUSH ? PUSH : CONFIG + 4u * s[i].index, s[i].value);
    }
}

void vec_list(const struct vec_file *f, const struct vec_case *c, struct vec_lists *to)
{
    struct lister l = {.to = to, .last = VEC_PUSH};
    memset(to->n, 0, sizeof to->n);
    list_steps(&l, f->step, f->n_steps);
    list_steps(&l, c->step, c->n_steps);
    list_pair(&l, LIST_SYNC, 0);
    list_pair(&l, VEC_DONE, 1);
    for (l.core = 0; l.core < VEC_CORES; l.core++)
        if (to->n[l.core])
            list_pair(&l, LIST_END, 0);
}

/* ---- files ---- */

static void put(struct vec_file *f, uint64_t v)
{
    for (; v >= 128; v >>= 7)
        putc((int)(v & 127) | 128, f->f);
    putc((int)v, f->f);
}

static uint64_t get(struct vec_file *f)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        int c = getc(f->f);
        if (c == EOF)
            break;
        v |= (uint64_t)(c & 127) << shift;
        if (c < 128)
            return v;
    }
    f->bad = true;
    return 0;
}

/* A number that is at most max. */
static uint32_t get_max(struct vec_file *f, uint32_t max)
{
    uint64_t v = get(f);
    if (v > max)
        f->bad = true;
    return f->bad ? 0 : (uint32_t)v;
}

static void put_bytes(struct vec_file *f, const void *from, size_t n)
{
    fwrite(from, 1, n, f->f);
}

static void get_bytes(struct vec_file *f, void *to, size_t n)
{
    if (fread(to, 1, n, f->f) != n)
        f->bad = true;
}

static void put_steps(struct vec_file *f, const struct vec_step *s, unsigned n)
{
    put(f, n);
    for (unsigned i = 0; i < n; i++) {
        putc(s[i].what | s[i].core << 4, f->f);
        if (s[i].what == VEC_CONFIG)
            putc(s[i].index, f->f);
        for (unsigned k = 0; k < 4; k++)
            putc(s[i].value >> 8 * k & 255, f->f);
    }
}

static unsigned get_steps(struct vec_file *f, struct vec_step *s)
{
    unsigned n = get_max(f, VEC_STEPS);
    for (unsigned i = 0; i < n && !f->bad; i++) {
        uint8_t b[6] = {0};
        get_bytes(f, b, 1);
        s[i].what = b[0] & 15;
        s[i].core = b[0] >> 4;
        if (s[i].what > VEC_CONFIG || s[i].core >= VEC_CORES)
            f->bad = true;
        if (s[i].what == VEC_CONFIG)
            get_bytes(f, b + 1, 1);
        s[i].index = b[1];
        get_bytes(f, b + 2, 4);
        s[i].value = b[2] | (uint32_t)b[3] << 8 | (uint32_t)b[4] << 16 | (uint32_t)b[5] << 24;
    }
    return f->bad ? 0 : n;
}

static void put_packed(struct vec_file *f, const uint8_t *p, uint32_t n)
{
    uint32_t i = 0;
    while (i < n) {
        uint32_t zeros = 0, start = i;
        while (i + zeros < n && zeros < 129 && !p[i + zeros])
            zeros++;
        if (zeros >= 2) {
            putc((int)(126 + zeros), f->f);
            i += zeros;
            continue;
        }
        while (i < n && i - start < 128 && (p[i] || (i + 1 < n && p[i + 1])))
            i++;
        if (i == start)
            i++;
        putc((int)(i - start - 1), f->f);
        put_bytes(f, p + start, i - start);
    }
}

static void get_packed(struct vec_file *f, uint8_t *p, uint32_t n)
{
    for (uint32_t i = 0; i < n && !f->bad;) {
        int t = getc(f->f);
        uint32_t run = t == EOF ? UINT32_MAX : t < 128 ? (uint32_t)t + 1 : (uint32_t)t - 126;
        if (run > n - i) {
            f->bad = true;
            return;
        }
        if (t < 128)
            get_bytes(f, p + i, run);
        else
            memset(p + i, 0, run);
        i += run;
    }
}

bool vec_create(struct vec_file *f, const char *path)
{
    f->bad = false;
    f->f = fopen(path, "wb");
    if (!f->f)
        return false;
    put_bytes(f, magic, sizeof magic);
    put(f, strlen(f->name));
    put_bytes(f, f->name, strlen(f->name));
    put(f, f->n_cases);
    put_steps(f, f->step, f->n_steps);
    return true;
}

void vec_write(struct vec_file *f, const struct vec_case *c)
{
    put(f, c->number);
    put(f, c->n_inputs);
    for (unsigned i = 0; i < c->n_inputs; i++) {
        const struct vec_input *in = &c->input[i];
        put(f, in->address);
        put(f, in->size);
        put(f, in->kind);
        put(f, in->parameter);
        put(f, in->seed);
    }
    put(f, c->n_outputs);
    for (unsigned i = 0; i < c->n_outputs; i++) {
        put(f, c->output[i].address);
        put(f, c->output[i].size);
    }
    put_steps(f, c->step, c->n_steps);
    put_packed(f, c->expected, c->n_expected);
}

bool vec_open(struct vec_file *f, const char *path)
{
    memset(f, 0, sizeof *f);
    f->f = fopen(path, "rb");
    if (!f->f)
        return false;
    char m[8] = {0};
    get_bytes(f, m, sizeof m);
    if (memcmp(m, magic, sizeof m) != 0)
        f->bad = true;
    get_bytes(f, f->name, get_max(f, sizeof f->name - 1));
    f->n_cases = get_max(f, 1000000);
    f->n_steps = get_steps(f, f->step);
    return !f->bad;
}

bool vec_read(struct vec_file *f, struct vec_case *c)
{
    c->number = get_max(f, UINT32_MAX);
    c->n_inputs = get_max(f, VEC_INPUTS);
    for (unsigned i = 0; i < c->n_inputs; i++) {
        struct vec_input *in = &c->input[i];
        in->address = get_max(f, 0x17FFFF);
        in->size = get_max(f, 0x180000 - in->address);
        in->kind = get_max(f, VEC_EDGE);
        in->parameter = get_max(f, UINT32_MAX);
        in->seed = get(f);
    }
    c->n_outputs = get_max(f, VEC_OUTPUTS);
    c->n_expected = 0;
    for (unsigned i = 0; i < c->n_outputs; i++) {
        c->output[i].address = get_max(f, 0x17FFFF);
        c->output[i].size = get_max(f, VEC_OUT_MAX - c->n_expected);
        c->n_expected += c->output[i].size;
    }
    c->n_steps = get_steps(f, c->step);
    get_packed(f, c->expected, c->n_expected);
    return !f->bad;
}

bool vec_close(struct vec_file *f)
{
    bool good = !f->bad && !ferror(f->f);
    if (fclose(f->f) != 0)
        good = false;
    f->f = NULL;
    return good;
}
