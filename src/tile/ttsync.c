/*
 * ttsync.c - which of the words before a gate stand in the way of a core's access.
 *
 * ISA pages: AutoTTSync (Blackhole); RESOURCEDECL (the vendor's instruction database).
 *
 * Four orders exist. Access, then push: an access is complete before the core goes on (bus.c), so
 * nothing has to be held at the gate. Push, then store: the store waits for every instruction before
 * the gate that reads or writes the resource. Push, then load: for those that write it.
 *
 * An expansion counts as its MOP or REPLAY up to its last but one word; the last word counts as
 * itself.
 *
 * Inaccuracies: all words before the gate use what is declared now, also those that were pushed
 * before a RESOURCEDECL. Words of core B without a tracking entry look like words of an expansion, and
 * hold accesses needlessly. Linger time is not modelled, nor the bug that a load passes a push in the store queue.
 */
#include "tile/ttsync.h"

#include "base/hot.h"
#include "isa/tensix.h"

#define CLASS_MOP    13u
#define CLASS_REPLAY 14u
#define CLASS_UNPACR 11u

enum { TRACK_CONFIG = 1 << 0, TRACK_SUBDIVIDED = 1 << 1, TRACK_GPR = 1 << 2, TRACK_TDMA = 1 << 3 };

#define ALL_PARTS (TTSYNC_UNPACKER0 | TTSYNC_UNPACKER1 | TTSYNC_REST)
#define RW_CFG    (TTSYNC_READ_CFG | TTSYNC_WRITE_CFG | ALL_PARTS)
#define RW_GPR    (TTSYNC_READ_GPR | TTSYNC_WRITE_GPR)
#define RW_TDMA   (TTSYNC_READ_TDMA | TTSYNC_WRITE_TDMA)

static const uint16_t ttsync_default[TTSYNC_CLASSES] = {
    RW_GPR,
    RW_GPR,
    RW_GPR | RW_TDMA,
    RW_GPR,
    RW_CFG,
    TTSYNC_READ_GPR,
    TTSYNC_WRITE_GPR,
    TTSYNC_WRITE_TDMA,
    TTSYNC_READ_GPR | TTSYNC_WRITE_CFG | ALL_PARTS,
    TTSYNC_READ_CFG | ALL_PARTS | TTSYNC_WRITE_GPR,
    RW_GPR | RW_CFG,
    RW_TDMA | TTSYNC_READ_CFG | ALL_PARTS,
    RW_TDMA | TTSYNC_READ_CFG | TTSYNC_REST,
    RW_GPR | RW_TDMA | RW_CFG,
    RW_GPR | RW_TDMA | RW_CFG,
    TTSYNC_READ_CFG | TTSYNC_REST,
};

void ttsync_reset(struct ttsync *s)
{
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        for (unsigned j = 0; j < TTSYNC_CLASSES; j++)
            s->declared[i][j] = ttsync_default[j];
}

COLD void ttsync_pushed(struct ttsync *s, unsigned thread, uint32_t word)
{
    if (word >> 24 != TENSIX_OP_RESOURCEDECL)
        return;
    struct tensix_RESOURCEDECL d = tensix_RESOURCEDECL_decode(word);
    s->declared[thread][d.op_class] = (uint16_t)d.resources;
}

/* Parts of a Config bank, as an access has them. */
enum { PART_UNPACKER0 = 1, PART_UNPACKER1 = 2, PART_REST = 4, PART_ALL = 7 };

/* Words that do not belong to the rest, when the thread wants Config subdivided. */
static unsigned ttsync_parts(unsigned word)
{
    static const struct {
        uint8_t first, last, parts;
    } table[] = {
        {44, 44, PART_UNPACKER0}, /* UNP0_ADDR_CTRL_XY_REG_0 */
        {45, 45, PART_UNPACKER0 | PART_UNPACKER1},
        {46, 47, PART_UNPACKER1},   /* UNP1_ADDR_CTRL_*_REG_0 */
        {48, 50, PART_ALL},         /* UNP0_ADDR_BASE_REG_*, shared exponent, Dst counter */
        {51, 53, PART_UNPACKER0},   /* UNP0_BLOBS_Y_START_*, UNP0_NOP_REG_CLR_VAL */
        {58, 63, PART_UNPACKER1},   /* UNP1_* */
        {64, 64, PART_UNPACKER0},   /* THCON_SEC0_REG0: hardware forgets its other three words */
        {72, 87, PART_UNPACKER0},   /* THCON_SEC0_REG2 to REG5 */
        {92, 95, PART_UNPACKER0},   /* REG7 */
        {104, 105, PART_UNPACKER0}, /* REG10 */
        {112, 112, PART_UNPACKER1}, /* THCON_SEC1_REG0 */
        {120, 121, PART_UNPACKER1}, /* REG2 without limit and size */
        {124, 125, PART_UNPACKER1}, /* REG3, contexts 0 and 1 */
        {140, 141, PART_UNPACKER1}, /* REG7, contexts 0 and 1 */
    };
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++)
        if (word >= table[i].first && word <= table[i].last)
            return table[i].parts;
    return PART_REST;
}

unsigned ttsync_config(const struct coproc *c, unsigned thread, unsigned bank, unsigned index)
{
    bool subdivided = c->config.thread[thread][TTSYNC_THCONFIG] & TRACK_SUBDIVIDED;
    bool both = bank >= 2 || index >= CONFIG_GLOBAL_BASE;
    unsigned parts = PART_ALL;
    if (subdivided && bank == TTSYNC_THREAD_CONFIG && index == THCONFIG_MATH_OFFSET)
        parts = PART_UNPACKER0 | PART_UNPACKER1;
    else if (subdivided)
        parts = both ? PART_REST : ttsync_parts(index);
    return both ? parts | parts << 3 : parts << 3 * bank;
}

/* Only what the thread tracks counts. */
static unsigned ttsync_tracked(unsigned sync, unsigned resources)
{
    if (!(sync & TTSYNC_INSTRUCTIONS))
        return 0;
    unsigned kept = 0;
    kept |= sync & TRACK_CONFIG ? TTSYNC_CONFIG : 0u;
    kept |= sync & TRACK_GPR ? TTSYNC_GPR : 0u;
    kept |= sync & TRACK_TDMA ? TTSYNC_TDMA : 0u;
    return resources & kept;
}

/* A walk over what is before the gate, oldest first. */
struct walk {
    const uint16_t *declared;
    unsigned resources; /* of the access */
    bool store;
    bool subdivided;
    unsigned bank; /* CFG_STATE_ID as of the word we are at */
};

static bool ttsync_meets(const struct walk *w, unsigned declared)
{
    unsigned config = declared >> 2 & 7, read = 0, written = 0;
    config <<= 3 * w->bank;
    read |= declared & TTSYNC_READ_CFG ? config : 0u;
    read |= declared & TTSYNC_READ_GPR ? TTSYNC_GPR : 0u;
    read |= declared & TTSYNC_READ_TDMA ? TTSYNC_TDMA : 0u;
    written |= declared & TTSYNC_WRITE_CFG ? config : 0u;
    written |= declared & TTSYNC_WRITE_GPR ? TTSYNC_GPR : 0u;
    written |= declared & TTSYNC_WRITE_TDMA ? TTSYNC_TDMA : 0u;
    return (w->resources & (written | (w->store ? read : 0u))) != 0;
}

static unsigned ttsync_unpacr(const struct walk *w, const struct entry *e)
{
    unsigned declared = w->declared[CLASS_UNPACR];
    if (!w->subdivided)
        return declared;
    bool second = e->word >> 23 & 1; /* the unpacker, in both instructions */
    return (declared & ~(unsigned)ALL_PARTS) | (second ? TTSYNC_UNPACKER1 : TTSYNC_UNPACKER0);
}

static bool ttsync_entry(struct walk *w, const struct entry *e)
{
    unsigned class = tensix_table[e->op].resource_class;
    bool meets = false;
    if (!(e->flags & ENTRY_RETIRES))
        meets = ttsync_meets(w, w->declared[CLASS_MOP] | w->declared[CLASS_REPLAY]);
    else if (class == CLASS_UNPACR)
        meets = ttsync_meets(w, ttsync_unpacr(w, e));
    else if (class < TTSYNC_CLASSES)
        meets = ttsync_meets(w, w->declared[class]);
    if (e->op == TENSIX_OP_SETC16) {
        struct tensix_SETC16 a = tensix_SETC16_decode(e->word);
        if (a.setc16_reg == THCONFIG_STATE_ID)
            w->bank = a.setc16_value & 1;
    }
    return meets;
}

static bool ttsync_queue(struct walk *w, const struct queue *q)
{
    for (unsigned i = 0; i < q->n; i++)
        if (ttsync_entry(w, &q->slot[(q->head + i) % QUEUE_MAX]))
            return true;
    return false;
}

bool ttsync_holds(const struct ttsync *s, const struct coproc *c, unsigned thread,
                  unsigned resources, bool store)
{
    const struct frontend *f = &c->fe[thread];
    unsigned sync = c->config.thread[thread][TTSYNC_THCONFIG];
    resources = ttsync_tracked(sync, resources);
    if (!resources)
        return false;
    struct walk w = {.declared = s->declared[thread],
                     .resources = resources,
                     .store = store,
                     .subdivided = (sync & TRACK_SUBDIVIDED) != 0,
                     .bank = config_state_id(&c->config, thread)};
    if (ttsync_queue(&w, &f->q3))
        return true;
    if (f->replay.mode == REPLAY_PLAY && ttsync_meets(&w, w.declared[CLASS_REPLAY]))
        return true;
    if (ttsync_queue(&w, &f->q2))
        return true;
    if (mop_expands(&f->mop) && ttsync_meets(&w, w.declared[CLASS_MOP]))
        return true;
    if (ttsync_queue(&w, &f->q1))
        return true;
    for (unsigned i = 0; i < f->n_in; i++)
        if (ttsync_entry(&w, &f->in[i]))
            return true;
    return false;
}
