/*
 * alpha_run.c - the untimed scheduler: a loop over decoded instructions.
 *
 * Code comes in decoded pages (alpha_mem.c); what an entry does is written in alpha_exec.def. Straight
 * code runs from entry to entry; the last entry of a page is one that looks up the next page, so
 * nothing has to be compared in between, and the pc is where the entry is. Entries that were not
 * looked at yet, or were overwritten, decode themselves.
 *
 * **Inaccuracies**: no time here: RPCC counts instructions.
 */
#include "alpha/alpha_run.h"

#include "alpha/alpha_exec.h"
#include "alpha/alpha_fp_quick.h"
#include "alpha/alpha_math.h"

#define CODE_LINES (sizeof m->code / sizeof m->code[0])

/* ---- stops ---- */

/* Traps after which the program goes on behind the instruction. */
static bool counts_as_done(unsigned trap)
{
    return trap == ALPHA_TRAP_CALLSYS || trap == ALPHA_TRAP_BPT || trap == ALPHA_TRAP_BUGCHK ||
           trap == ALPHA_TRAP_GENTRAP || trap == ALPHA_TRAP_ARITH;
}

/* The instruction at pc traps; returns whether it counts. */
static bool stop(struct alpha_cpu *c, unsigned trap, uint64_t pc, uint64_t address, uint64_t detail)
{
    bool done = counts_as_done(trap);
    c->trap = (struct alpha_trap_info){(uint8_t)trap, pc, address, detail};
    c->pc = done ? pc + 4 : pc;
    if (trap == ALPHA_TRAP_CALLSYS)
        c->lock = 0;
    return done;
}

/* ---- the loop, twice ---- */

#define LOOP_STATE                                                                                 \
    struct alpha_insn *page = NULL, *e = NULL;                                                     \
    uint64_t base, target = c->pc, left = budget, value, at = 0, detail = 0;                       \
    unsigned trap;                                                                                 \
    uint64_t *const r = c->reg;

#define PC      (base + (uint64_t)(e - page) * 4)
#define A       r[e->a]
#define C       r[e->c]
#define D       r[e->d]
#define LITERAL ((uint64_t)(int64_t)e->imm)
#define ADDRESS (r[e->b] + LITERAL)
#define V       value
#define WORD    e->word
#define FPCR    c->fpcr
#define UNIQUE  c->unique
#define FLAG    c->flag
#define COUNTER (c->steps + (budget - left))

#define TRAP(why, address_, detail_)                                                               \
    {                                                                                              \
        trap = (why);                                                                              \
        at = (address_);                                                                           \
        detail = (detail_);                                                                        \
        goto trapped;                                                                              \
    }
#define FAR(to)                                                                                    \
    {                                                                                              \
        target = (to);                                                                             \
        if (!--left)                                                                               \
            goto spent_far;                                                                        \
        goto far;                                                                                  \
    }
/* Inside the page a branch only moves e. */
#define TAKE                                                                                       \
    {                                                                                              \
        int64_t to = (char *)(e + 1) - (char *)page + (int64_t)e->imm * 4;                         \
        if (LIKELY((uint64_t)to < ALPHA_PAGE_INSNS * sizeof *e)) {                                 \
            e = (struct alpha_insn *)((char *)page + to);                                          \
            AGAIN                                                                                  \
        }                                                                                          \
        FAR(PC + 4 + LITERAL)                                                                      \
    }

/* Where the page of target is; e is its entry. Goes to `lost` if there is none. */
#define FIND_PAGE                                                                                  \
    base = target & ~(ALPHA_PAGE - 1);                                                             \
    page = m->code[(target >> ALPHA_PAGE_SHIFT) % CODE_LINES].code;                                \
    if (!LIKELY(m->code[(target >> ALPHA_PAGE_SHIFT) % CODE_LINES].tag == base))                   \
        page = alpha_mem_code(m, target);                                                          \
    if (!page)                                                                                     \
        goto lost;                                                                                 \
    e = page + (target - base) / 4;

/* Everything behind the instructions: the ways out of the loop. */
#define WAYS_OUT                                                                                   \
    faulted:                                                                                       \
    detail = 0;                                                                                    \
    trapped:                                                                                       \
    if (stop(c, trap, PC, at, detail))                                                             \
        left--;                                                                                    \
    goto out;                                                                                      \
    lost:                                                                                          \
    stop(c, alpha_mem_no_code(m, target), target, target, 0);                                      \
    goto out;                                                                                      \
    spent_far:                                                                                     \
    c->pc = target;                                                                                \
    goto out;                                                                                      \
    spent:                                                                                         \
    c->pc = PC;                                                                                    \
    out:                                                                                           \
    c->steps += budget - left;                                                                     \
    return budget - left;

#if defined(__GNUC__) && !defined(WG_PLAIN_DISPATCH)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

uint64_t alpha_run(struct alpha_cpu *c, struct alpha_mem *m, uint64_t budget)
{
    /* clang-format off */
    static const void *const go[ALPHA_N_GO] = {
#define ALPHA_OP(id, box, latency, size, flags, evidence, text) [ALPHA_OP_##id] = &&L_##id,
#include "isa/alpha.def"
#define X_INT(id, x) [ALPHA_OP_##id | ALPHA_GO_LITERAL] = &&LITERAL_##id,
#define X_INT_V(id, x, overflow) X_INT(id, x)
#define X_CMOVE(id, condition) X_INT(id, condition)
#include "alpha/alpha_exec.def"
        [ALPHA_GO_DECODE] = &&L_DECODE, [ALPHA_GO_END] = &&L_END};
    /* clang-format on */
    LOOP_STATE

#define OP(id)  L_##id:
#define LIT(id) LITERAL_##id:
#define NEXT                                                                                       \
    e++;                                                                                           \
    AGAIN
#define AGAIN                                                                                      \
    if (!--left)                                                                                   \
        goto spent;                                                                                \
    goto *go[e->go];

    c->trap.trap = ALPHA_TRAP_NONE;
    if (!budget)
        return 0;
far:
    FIND_PAGE
    goto *go[e->go];
L_DECODE:
    alpha_mem_decode(m, e, PC);
    goto *go[e->go];
L_END:
    target = base + ALPHA_PAGE;
    goto far;
#include "alpha/alpha_loop.def"
    WAYS_OUT

#undef OP
#undef LIT
#undef NEXT
#undef AGAIN
}

#pragma GCC diagnostic pop

#else

uint64_t alpha_run(struct alpha_cpu *c, struct alpha_mem *m, uint64_t budget)
{
    return alpha_run_plain(c, m, budget);
}

#endif

uint64_t alpha_run_plain(struct alpha_cpu *c, struct alpha_mem *m, uint64_t budget)
{
    LOOP_STATE

#define OP(id)  case ALPHA_OP_##id:
#define LIT(id) case ALPHA_OP_##id | (int)ALPHA_GO_LITERAL:
#define NEXT                                                                                       \
    e++;                                                                                           \
    AGAIN
#define AGAIN                                                                                      \
    if (!--left)                                                                                   \
        goto spent;                                                                                \
    continue;

    c->trap.trap = ALPHA_TRAP_NONE;
    if (!budget)
        return 0;
far:
    FIND_PAGE
    for (;;) {
        switch (e->go) {
        case ALPHA_GO_DECODE: alpha_mem_decode(m, e, PC); continue;
        default: target = base + ALPHA_PAGE; goto far;
#include "alpha/alpha_loop.def"
        }
    }
    WAYS_OUT
}

/* ---- by way of the pieces ---- */

/* What is left of an instruction after alpha_exec_compute(); a trap if it faults. */
static unsigned finish(struct alpha_cpu *c, struct alpha_mem *m, const struct alpha_insn *i,
                       struct alpha_out *out)
{
    const struct alpha_op_info *op = &alpha_ops[i->op];
    unsigned trap = ALPHA_TRAP_NONE;
    if (op->size && alpha_exec_misaligned(i->op, out->address))
        return ALPHA_TRAP_UNALIGNED;
    if (op->flags & AF_LOAD) {
        trap = alpha_mem_read(m, out->address, op->size, &out->value);
        if (trap)
            return trap;
        out->value = alpha_exec_load_value(i->op, out->value);
        if (op->flags & AF_LOCKED)
            alpha_state_lock_set(c, out->address);
    } else if (op->flags & AF_STORE && op->flags & AF_LOCKED) {
        trap = alpha_mem_may_write(m, out->address, op->size);
        if (trap)
            return trap;
        bool held = alpha_state_lock_take(c, out->address);
        if (held)
            alpha_mem_write(m, out->address, op->size, out->value);
        out->value = held;
    } else if (op->flags & AF_STORE) {
        return alpha_mem_write(m, out->address, op->size, out->value);
    }
    if (i->op == ALPHA_OP_WRUNIQ)
        c->unique = out->unique;
    if (op->flags & AF_FLAG)
        c->flag = out->flag;
    c->reg[i->d] = out->value;
    return ALPHA_TRAP_NONE;
}

uint64_t alpha_run_pieces(struct alpha_cpu *c, struct alpha_mem *m, uint64_t budget)
{
    uint64_t done = 0;
    c->trap.trap = ALPHA_TRAP_NONE;
    while (done < budget && c->trap.trap == ALPHA_TRAP_NONE) {
        const struct alpha_insn *at = alpha_mem_insn(m, c->pc);
        if (!at) {
            stop(c, alpha_mem_no_code(m, c->pc), c->pc, c->pc, 0);
            break;
        }
        struct alpha_insn i = *at;
        struct alpha_in in = {c->pc, c->fpcr, c->unique, c->steps + done, c->flag};
        struct alpha_out out;
        out.fpcr = c->fpcr;
        alpha_exec_compute(
            &i, c->reg[i.a], alpha_exec_operand_b(&i, c->reg), c->reg[i.c], &in, &out);
        if (alpha_ops[i.op].flags & AF_FPCR)
            c->fpcr = out.fpcr;
        uint64_t address = alpha_ops[i.op].size ? out.address : 0;
        unsigned trap = out.trap ? out.trap : finish(c, m, &i, &out);
        if (trap) {
            done += stop(c, trap, c->pc, address, out.trap ? out.detail : 0);
            break;
        }
        c->pc = out.taken ? out.address : c->pc + 4;
        done++;
    }
    c->steps += done;
    return done;
}
