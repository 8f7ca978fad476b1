/*
 * config.c - Configuration Unit.
 *
 * ISA pages: see config.h. The pipe:
 *
 *     stage        -4       -3      -2    -1        0            +1
 *     STREAMWRCFG  prepare  read    wait  wait      write
 *     WRCFG                               read GPR  write        (the Scalar Unit's results still come: config_late())
 *     CFGSHIFTMASK                        (closed)  read, write
 *     RMWCIB                                        read+write
 *     RDCFG                                         read         write GPR
 *     core                                          read or write
 *
 * stage[] says where everybody is in the coming cycle: config_clock() does the work of the cycle
 * and moves them. Invariant: n_busy counts the occupied stages.
 *
 * Inaccuracies: STREAMWRCFG never has to wait in -4 for the overlay. Core requests travel a fixed
 * time. RISCV_IC_INVALIDATE has no effect yet.
 */
#include "state/config.h"

#include <string.h>

#include "base/bits.h"
#include "isa/tensix.h"
#include "isa/timing.h"
#include "probe/probe.h"
#include "wait/wait.h"

void config_reset(struct config *c, const struct timing *t)
{
    memset(c, 0, sizeof *c);
    c->travel = t->n.RISC_MMIO_TRAVEL;
    c->read_lag = t->n.WRCFG_READ_LAG;
    c->last_core = CONFIG_CORES - 1;
}

unsigned config_entry(uint8_t op)
{
    switch (op) {
    case TENSIX_OP_STREAMWRCFG: return CONFIG_M4;
    case TENSIX_OP_WRCFG: return CONFIG_M1;
    case TENSIX_OP_SETC16: return N_CONFIG_STAGES;
    default: return CONFIG_S0;
    }
}

bool config_can_enter(const struct config *c, unsigned stage)
{
    if (!c->n_busy)
        return true;
    if (c->stage[stage].busy)
        return false;
    for (unsigned s = CONFIG_M3; s < stage; s++)
        if (c->stage[s].busy)
            return false;
    return true;
}

void config_write(struct config *c, unsigned bank, unsigned index, uint32_t value, bool rmw)
{
    if (index == CONFIG_STATE_RESET_EN && !rmw) {
        for (unsigned b = 0; b < 2; b++)
            if (bank == 2 || bank == b)
                memset(c->word[b], 0, CONFIG_GLOBAL_BASE * sizeof c->word[b][0]);
        return;
    }
    c->seeds += index == CONFIG_PRNG_SEED;
    if (bank == 2 || index >= CONFIG_GLOBAL_BASE) {
        c->word[0][index] = value;
        c->word[1][index] = value;
    } else {
        c->word[bank][index] = value;
    }
}

static bool config_in_range(unsigned thread, const struct entry *e, unsigned index, struct probe *p)
{
    if (index < CONFIG_WORDS)
        return true;
    probe_diag(p, DIAG_CFG_RANGE, OWNER_T0 + thread, e->tag, e->word, index);
    return false;
}

/* WRCFG takes what is there now; who knows what the Scalar Unit writes in this cycle settles the rest. */
static void config_start_wrcfg(struct config_slot *s, const struct gpr *g, const struct entry *e,
                               struct probe *p)
{
    struct tensix_WRCFG a = tensix_WRCFG_decode(e->word);
    if (!config_in_range(s->thread, e, a.cfg_reg, p))
        return;
    s->n = a.wr128b ? 4 : 1;
    s->index = (uint16_t)(a.wr128b ? a.cfg_reg & ~3u : a.cfg_reg);
    unsigned reg = config_wrcfg_gpr(e->word);
    uint32_t owed = (uint32_t)(g->pending_scalar[s->thread] >> reg) & bits_mask(s->n);
    for (unsigned i = 0; i < s->n; i++) {
        owed |= (uint32_t)(g->pending_config[s->thread][reg + i] != 0) << (4 + i);
        s->value[i] = g->r[s->thread][reg + i];
    }
    s->owed = (uint8_t)owed;
}

struct config_slot *config_late(struct config *c)
{
    struct config_slot *s = &c->stage[CONFIG_S0];
    return s->busy == CONFIG_INSN && s->owed ? s : &c->stage[CONFIG_M1];
}

void config_forward(struct config *c, unsigned thread, unsigned reg, uint32_t mask, uint32_t value)
{
    struct config_slot *s = config_late(c);
    unsigned i = reg - config_wrcfg_gpr(s->word);
    if (c->read_lag && s->thread == thread && i < s->n)
        s->value[i] = (s->value[i] & ~mask) | (value & mask);
}

/* Scratch selector 3 means the issuing thread's own. */
static void config_start_shiftmask(const struct config *c, struct config_slot *s,
                                   const struct entry *e, struct probe *p)
{
    struct tensix_CFGSHIFTMASK a = tensix_CFGSHIFTMASK_decode(e->word);
    if (!config_in_range(s->thread, e, a.cfg_reg, p))
        return;
    unsigned which = a.scratch_sel < 3 ? a.scratch_sel : s->thread;
    uint32_t mask = bits_mask(a.mask_width + 1);
    uint32_t x = bits_rotr(c->word[0][CONFIG_SCRATCH + which] & mask, a.right_cshift_amt);
    uint32_t v = c->word[s->bank][a.cfg_reg];
    if (!a.disable_mask_on_old_val)
        v &= ~bits_rotr(mask, a.right_cshift_amt);
    switch (a.operation) {
    case 0: v |= x; break;
    case 1: v &= x; break;
    case 2: v ^= x; break;
    case 3: v += x; break;
    case 4: v |= ~x; break;
    case 5: v &= ~x; break;
    case 6: v ^= ~x; break;
    default: v -= x; break;
    }
    s->n = 1;
    s->index = (uint16_t)a.cfg_reg;
    s->value[0] = v;
}

static void config_start_rdcfg(const struct config *c, struct config_slot *s, struct gpr *g,
                               const struct entry *e, struct probe *p)
{
    struct tensix_RDCFG a = tensix_RDCFG_decode(e->word);
    if (!config_in_range(s->thread, e, a.cfg_reg, p))
        return;
    s->n = 1;
    s->index = (uint16_t)a.gpr_address;
    s->value[0] = c->word[s->bank][a.cfg_reg];
    g->pending_config[s->thread][a.gpr_address]++;
}

static void config_setc16(struct config *c, unsigned thread, const struct entry *e, struct probe *p)
{
    struct tensix_SETC16 a = tensix_SETC16_decode(e->word);
    if (a.setc16_reg < CONFIG_THREAD_WORDS)
        c->thread[thread][a.setc16_reg] = (uint16_t)a.setc16_value;
    else
        probe_diag(p, DIAG_THCFG_RANGE, OWNER_T0 + thread, e->tag, e->word, a.setc16_reg);
}

/* Fills the slot of an instruction that enters the pipe. */
static void config_prepare(const struct config *c, struct gpr *g, unsigned thread,
                           const struct entry *e, struct config_slot *s, struct probe *p)
{
    *s = (struct config_slot){.busy = CONFIG_INSN,
                              .op = e->op,
                              .thread = (uint8_t)thread,
                              .bank = (uint8_t)config_state_id(c, thread),
                              .tag = e->tag,
                              .word = e->word};
    switch (e->op) {
    case TENSIX_OP_WRCFG: config_start_wrcfg(s, g, e, p); break;
    case TENSIX_OP_CFGSHIFTMASK: config_start_shiftmask(c, s, e, p); break;
    case TENSIX_OP_RDCFG: config_start_rdcfg(c, s, g, e, p); break;
    case TENSIX_OP_STREAMWRCFG: {
        struct tensix_STREAMWRCFG a = tensix_STREAMWRCFG_decode(e->word);
        s->n = config_in_range(thread, e, a.cfg_reg, p);
        s->index = (uint16_t)a.cfg_reg;
        break;
    }
    default: { /* RMWCIB0..3 */
        struct tensix_RMWCIB0 a = tensix_RMWCIB0_decode(e->word);
        s->n = config_in_range(thread, e, a.cfg_reg_addr, p);
        s->index = (uint16_t)a.cfg_reg_addr;
        break;
    }
    }
}

void config_start(struct config *c, struct gpr *g, unsigned thread, const struct entry *e,
                  struct probe *p)
{
    if (e->op == TENSIX_OP_SETC16) {
        config_setc16(c, thread, e, p);
        return;
    }
    struct config_slot *s = &c->stage[config_entry(e->op)];
    config_prepare(c, g, thread, e, s, p);
    c->late |= s->owed != 0;
    c->n_busy++;
}

/* STREAMWRCFG in stage -3: the overlay is read. */
static void config_read_stream(const struct config *c, struct config_slot *s,
                               const struct stream *st, struct probe *p)
{
    struct tensix_STREAMWRCFG a = tensix_STREAMWRCFG_decode(s->word);
    unsigned id = c->thread[s->thread][THCONFIG_STREAM_ID + a.stream_id_sel] % STREAM_COUNT;
    if (a.stream_reg_addr < STREAM_REGS) {
        s->value[0] = stream_load(st, id, a.stream_reg_addr);
        return;
    }
    s->n = 0;
    probe_diag(p, DIAG_STREAM_RANGE, OWNER_T0 + s->thread, s->tag, s->word, a.stream_reg_addr);
}

/* The work of stage 0 at the end of the cycle. */
static void config_access(struct config *c, const struct config_slot *s, struct probe *p)
{
    bool rmw = false;
    uint32_t value = s->value[0];
    if (s->busy == CONFIG_INSN && s->op >= TENSIX_OP_RMWCIB0 && s->op <= TENSIX_OP_RMWCIB3) {
        struct tensix_RMWCIB0 a = tensix_RMWCIB0_decode(s->word);
        unsigned shift = 8u * (unsigned)(s->op - TENSIX_OP_RMWCIB0);
        rmw = true;
        if (s->n)
            value = (c->word[s->bank][s->index] & ~(a.mask << shift)) | (a.data & a.mask) << shift;
    }
    for (unsigned i = 0; i < s->n; i++) {
        config_write(c, s->bank, s->index + i, i ? s->value[i] : value, rmw);
        unsigned agent = s->busy == CONFIG_INSN ? OWNER_T0 + s->thread : OWNER_CONFIG;
        probe_event(p,
                    EV_CONFIG,
                    agent,
                    s->tag,
                    i ? s->value[i] : value,
                    (uint32_t)s->bank << 16 | (s->index + i));
    }
}

/* WRCFG of one word; false, and nothing happens, if there is more to it. */
static bool config_do_word(struct config *c, const struct gpr *g, unsigned thread,
                           const struct entry *e)
{
    struct tensix_WRCFG a = tensix_WRCFG_decode(e->word);
    if (a.wr128b || a.cfg_reg >= CONFIG_WORDS || gpr_pending(g, thread, a.gpr_address))
        return false;
    config_write(c, config_state_id(c, thread), a.cfg_reg, g->r[thread][a.gpr_address], false);
    return true;
}

bool config_do(struct config *c, struct gpr *g, unsigned thread, const struct entry *e,
               struct probe *p)
{
    struct config_slot s;
    if (c->n_busy || e->op == TENSIX_OP_STREAMWRCFG || e->op == TENSIX_OP_RDCFG)
        return false;
    if (e->op == TENSIX_OP_SETC16) {
        config_setc16(c, thread, e, p);
        return true;
    }
    if (e->op == TENSIX_OP_WRCFG && config_do_word(c, g, thread, e))
        return true;
    config_prepare(c, g, thread, e, &s, p);
    config_access(c, &s, p);
    return true;
}

/* Stage +1: RDCFG writes its GPR unless the Scalar Unit has the port. */
static bool config_clock_p1(struct config *c, struct gpr *g, bool gpr_port_busy, struct probe *p)
{
    struct config_slot *s = &c->stage[CONFIG_P1];
    if (!s->busy || gpr_port_busy)
        return false;
    if (s->n) {
        g->r[s->thread][s->index] = s->value[0];
        g->pending_config[s->thread][s->index]--;
        gpr_freshen(g, s->thread, s->index, p->now);
        probe_event(p, EV_GPR, OWNER_T0 + s->thread, s->tag, s->value[0], s->index);
    }
    s->busy = CONFIG_FREE;
    c->n_busy--;
    return true;
}

/* Stage 0: access, then out, or on to +1, or once more. */
static bool config_clock_s0(struct config *c, struct probe *p)
{
    struct config_slot *s = &c->stage[CONFIG_S0];
    if (!s->busy)
        return false;
    if (s->busy == CONFIG_INSN && s->op == TENSIX_OP_RDCFG) {
        if (c->stage[CONFIG_P1].busy)
            return false;
        c->stage[CONFIG_P1] = *s;
        s->busy = CONFIG_FREE;
        return true;
    }
    if (s->busy == CONFIG_INSN && s->op == TENSIX_OP_CFGSHIFTMASK && !s->second) {
        s->second = 1;
        return true;
    }
    config_access(c, s, p);
    s->busy = CONFIG_FREE;
    c->n_busy--;
    return true;
}

bool config_clock(struct config *c, struct gpr *g, const struct stream *s, bool gpr_port_busy,
                  struct probe *p)
{
    if (!c->n_busy)
        return false;
    config_clock_p1(c, g, gpr_port_busy, p);
    config_clock_s0(c, p);
    for (int i = CONFIG_M1; i >= CONFIG_M4; i--) {
        struct config_slot *from = &c->stage[i];
        if (!from->busy || c->stage[i + 1].busy)
            continue;
        if (i == CONFIG_M3)
            config_read_stream(c, from, s, p);
        c->stage[i + 1] = *from;
        from->busy = CONFIG_FREE;
    }
    return true;
}

bool config_request(struct config *c, unsigned core, struct config_request r)
{
    struct config_request *slot = &c->request[core];
    if (slot->pending)
        return false;
    *slot = r;
    slot->pending = true;
    slot->arrives = r.made + c->travel;
    c->n_requests++;
    return true;
}

static void config_enter_core(struct config *c, unsigned core)
{
    const struct config_request *r = &c->request[core];
    c->stage[CONFIG_S0] = (struct config_slot){.busy = CONFIG_CORE,
                                               .thread = (uint8_t)core,
                                               .bank = r->bank,
                                               .n = 1,
                                               .index = r->index,
                                               .value = {r->value}};
    c->n_busy++;
}

bool config_clock_requests(struct config *c, struct gpr *g, uint64_t now, bool open,
                           struct probe *p)
{
    bool moved = false;
    unsigned first = (c->last_core + 1u) % CONFIG_CORES;
    for (unsigned k = 0; k < CONFIG_CORES; k++) {
        unsigned core = (first + k) % CONFIG_CORES;
        struct config_request *r = &c->request[core];
        if (!r->pending || r->arrives > now)
            continue;
        if (r->gpr) {
            g->r[r->bank][r->index] = r->value;
            probe_event(p, EV_GPR, OWNER_T0 + r->bank, 0, r->value, r->index);
        } else if (open && !c->stage[CONFIG_S0].busy) {
            config_enter_core(c, core);
            c->last_core = (uint8_t)core;
        } else {
            continue;
        }
        r->pending = false;
        c->n_requests--;
        moved = true;
    }
    return moved;
}

bool config_writes_thcon(const struct config *c)
{
    const struct config_slot *s = &c->stage[CONFIG_S0];
    if (!s->busy || s->op == TENSIX_OP_RDCFG || (s->op == TENSIX_OP_CFGSHIFTMASK && !s->second))
        return false;
    return s->n && s->index + s->n > CONFIG_THCON_BASE && s->index < CONFIG_GLOBAL_BASE;
}

bool config_in_flight(const struct config *c, unsigned thread)
{
    for (unsigned i = 0; c->n_busy && i < N_CONFIG_STAGES; i++)
        if (c->stage[i].busy == CONFIG_INSN && c->stage[i].thread == thread)
            return true;
    return false;
}

bool config_pending(const struct config *c, unsigned bank, unsigned index)
{
    if (!c->n_busy)
        return false;
    for (unsigned i = CONFIG_M4; i <= CONFIG_S0; i++) {
        const struct config_slot *s = &c->stage[i];
        if (s->busy && s->op != TENSIX_OP_RDCFG && (s->bank == bank || s->bank == 2) &&
            index >= s->index && index < (unsigned)s->index + s->n)
            return true;
    }
    return false;
}
