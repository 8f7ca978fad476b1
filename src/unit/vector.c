/*
 * vector.c - Vector Unit (SFPU): from an instruction word to its effect on the lanes.
 *
 * ISA pages: VectorUnit, LReg, SFPCONFIG (backdoor) and the SFP* pages (Blackhole).
 *
 * Invariant: an effect sees registers 0 to 16 only; lanes it must not touch are not in `open`.
 *
 * Inaccuracies: SFPLOADMACRO takes its own slot and does nothing yet. The register scoreboard (a two-cycle result read
 * in the next slot) and its documented misses are not there: every instruction sees all earlier results. The backdoor
 * writes templates of lanes that are not enabled, too, and is open to all instructions but SFPCONFIG and SFPLOADMACRO;
 * a change of DISABLE_BACKDOOR_LOAD is seen by the very next instruction. Software that does not wait for the Matrix
 * Unit's writes to Dst sees them all the same.
 */
#include "unit/vector.h"

#include <string.h>

#include "base/bits.h"
#include "isa/tensix.h"
#include "isa/timing.h"
#include "unit/op.h"
#include "wait/wait.h"

void vector_reset(struct vector *v)
{
    bool plain = v->plain;
    memset(v, 0, sizeof *v);
    v->plain = plain;
    lanes_reset(&v->lanes);
}

const uint8_t vector_traits[256] = {
    [TENSIX_OP_SFPLOAD] = VECTOR_LOADS,
    [TENSIX_OP_SFPSTORE] = VECTOR_LOADS,
    [TENSIX_OP_SFPLOADMACRO] = VECTOR_LOADS,
    [TENSIX_OP_SFPSWAP] = VECTOR_SWAPS,
    [TENSIX_OP_SFPSHFT2] = VECTOR_MAY_SHUFFLE,
};

/* SFPSWAP in all modes, SFPSHFT2 in its three shuffling ones. */
bool vector_shuffles(const struct entry *e, unsigned traits)
{
    unsigned mode = bits_get(e->word, 0, 4);
    return traits & VECTOR_SWAPS || (traits & VECTOR_MAY_SHUFFLE && mode >= 2 && mode <= 4);
}

/* Where the registers stand in a word. */
enum {
    FORM_C = 1,      /* VC at 8 */
    FORM_B = 2,      /* VB at 12 */
    FORM_A = 4,      /* VA at 16 */
    FORM_HIGH = 8,   /* VD at 20, not at 4 */
    FORM_CLOSED = 16 /* no backdoor */
};

vector_effect *const vector_effects[256] = {
    [TENSIX_OP_SFPLOAD] = vector_sfpload,
    [TENSIX_OP_SFPLOADI] = vector_sfploadi,
    [TENSIX_OP_SFPSTORE] = vector_sfpstore,
    [TENSIX_OP_SFPLUT] = vector_sfplut,
    [TENSIX_OP_SFPMULI] = vector_sfpmuli,
    [TENSIX_OP_SFPADDI] = vector_sfpaddi,
    [TENSIX_OP_SFPDIVP2] = vector_sfpdivp2,
    [TENSIX_OP_SFPEXEXP] = vector_sfpexexp,
    [TENSIX_OP_SFPEXMAN] = vector_sfpexman,
    [TENSIX_OP_SFPIADD] = vector_sfpiadd,
    [TENSIX_OP_SFPSHFT] = vector_sfpshft,
    [TENSIX_OP_SFPSETCC] = vector_sfpsetcc,
    [TENSIX_OP_SFPMOV] = vector_sfpmov,
    [TENSIX_OP_SFPABS] = vector_sfpabs,
    [TENSIX_OP_SFPAND] = vector_sfpand,
    [TENSIX_OP_SFPOR] = vector_sfpor,
    [TENSIX_OP_SFPNOT] = vector_sfpnot,
    [TENSIX_OP_SFPLZ] = vector_sfplz,
    [TENSIX_OP_SFPSETEXP] = vector_sfpsetexp,
    [TENSIX_OP_SFPSETMAN] = vector_sfpsetman,
    [TENSIX_OP_SFPMAD] = vector_sfpmad,
    [TENSIX_OP_SFPADD] = vector_sfpadd,
    [TENSIX_OP_SFPMUL] = vector_sfpmul,
    [TENSIX_OP_SFPPUSHC] = vector_sfppushc,
    [TENSIX_OP_SFPPOPC] = vector_sfppopc,
    [TENSIX_OP_SFPSETSGN] = vector_sfpsetsgn,
    [TENSIX_OP_SFPENCC] = vector_sfpencc,
    [TENSIX_OP_SFPCOMPC] = vector_sfpcompc,
    [TENSIX_OP_SFPTRANSP] = vector_sfptransp,
    [TENSIX_OP_SFPXOR] = vector_sfpxor,
    [TENSIX_OP_SFPSTOCHRND] = vector_sfpstochrnd,
    [TENSIX_OP_SFPCAST] = vector_sfpcast,
    [TENSIX_OP_SFPCONFIG] = vector_sfpconfig,
    [TENSIX_OP_SFPSWAP] = vector_sfpswap,
    [TENSIX_OP_SFPSHFT2] = vector_sfpshft2,
    [TENSIX_OP_SFPLUTFP32] = vector_sfplutfp32,
    [TENSIX_OP_SFPLE] = vector_sfple,
    [TENSIX_OP_SFPGT] = vector_sfpgt,
    [TENSIX_OP_SFPMUL24] = vector_sfpmul24,
    [TENSIX_OP_SFPARECIP] = vector_sfparecip,
};

/* SFPNOP, and what has neither VB nor VC, is 0. */
static const uint8_t vector_forms[256] = {
    [TENSIX_OP_SFPLOAD] = FORM_HIGH,
    [TENSIX_OP_SFPLOADI] = FORM_HIGH,
    [TENSIX_OP_SFPSTORE] = FORM_HIGH,
    [TENSIX_OP_SFPLUT] = FORM_HIGH,
    [TENSIX_OP_SFPLOADMACRO] = FORM_CLOSED,
    [TENSIX_OP_SFPCONFIG] = FORM_CLOSED,
    [TENSIX_OP_SFPDIVP2] = FORM_C,
    [TENSIX_OP_SFPEXEXP] = FORM_C,
    [TENSIX_OP_SFPEXMAN] = FORM_C,
    [TENSIX_OP_SFPIADD] = FORM_C,
    [TENSIX_OP_SFPSHFT] = FORM_C,
    [TENSIX_OP_SFPSETCC] = FORM_C,
    [TENSIX_OP_SFPMOV] = FORM_C,
    [TENSIX_OP_SFPABS] = FORM_C,
    [TENSIX_OP_SFPAND] = FORM_C | FORM_B,
    [TENSIX_OP_SFPOR] = FORM_C | FORM_B,
    [TENSIX_OP_SFPNOT] = FORM_C,
    [TENSIX_OP_SFPLZ] = FORM_C,
    [TENSIX_OP_SFPSETEXP] = FORM_C,
    [TENSIX_OP_SFPSETMAN] = FORM_C,
    [TENSIX_OP_SFPMAD] = FORM_C | FORM_B | FORM_A,
    [TENSIX_OP_SFPADD] = FORM_C | FORM_B | FORM_A,
    [TENSIX_OP_SFPMUL] = FORM_C | FORM_B | FORM_A,
    [TENSIX_OP_SFPSETSGN] = FORM_C,
    [TENSIX_OP_SFPXOR] = FORM_C,
    [TENSIX_OP_SFPSTOCHRND] = FORM_C | FORM_B,
    [TENSIX_OP_SFPCAST] = FORM_C,
    [TENSIX_OP_SFPSWAP] = FORM_C,
    [TENSIX_OP_SFPSHFT2] = FORM_C | FORM_B,
    [TENSIX_OP_SFPLE] = FORM_C,
    [TENSIX_OP_SFPGT] = FORM_C,
    [TENSIX_OP_SFPMUL24] = FORM_C | FORM_B | FORM_A,
    [TENSIX_OP_SFPARECIP] = FORM_C | FORM_B,
};

struct vector_op vector_decode(const struct lanes *l, uint32_t word, uint16_t tag)
{
    unsigned form = vector_forms[word >> 24];
    struct vector_op o = {.word = word, .tag = tag, .open = UINT32_MAX};
    o.vd = (uint8_t)bits_get(word, form & FORM_HIGH ? 20 : 4, 4);
    o.vc = form & FORM_C ? (uint8_t)bits_get(word, 8, 4) : o.vd;
    o.vb = form & FORM_B ? (uint8_t)bits_get(word, 12, 4) : o.vd;
    o.va = form & FORM_A ? (uint8_t)bits_get(word, 16, 4) : o.vd;
    if (o.vd >= 12 && !(form & FORM_CLOSED))
        o.open = lanes_with(l, LANE_NO_BACKDOOR);
    o.on = o.open & lanes_enabled(l);
    return o;
}

/* Lanes behind the open backdoor take the word as a template. */
static void vector_backdoor(struct lanes *l, const struct vector_op *o)
{
    for (unsigned i = 0; i < LANES; i++)
        if (!(o->open >> i & 1))
            l->macro[i].template_[o->vd & 3] = o->word;
}

void vector_run(struct vector *v, const struct vector_io *io, const struct entry *e)
{
    vector_effect *effect = vector_effects[e->op];
    if (io->config->seeds != v->seeds) {
        v->seeds = io->config->seeds;
        lanes_seed(io->lanes, io->cfg[CONFIG_PRNG_SEED]);
    }
    if (!effect && !vector_forms[e->op] && bits_get(e->word, 4, 4) < 12)
        return; /* SFPNOP: not even a template */
    struct vector_op o = vector_decode(io->lanes, e->word, e->tag);
    if (o.open != UINT32_MAX)
        vector_backdoor(io->lanes, &o);
    if (effect)
        effect(io, &o);
}
