/*
 * api_alpha.c - the Alpha machine of the public header in terms of src/alpha.
 */
#include <stdlib.h>
#include <string.h>

#include "alpha/alpha_run.h"
#include "joint/joint_hang.h"
#include "lib/handle.h"
#include "lib/handle_alpha.h"

_Static_assert(MACHINE_CPUS == WAITGATE_ALPHA_CPUS && ALPHA_PAGE == WAITGATE_ALPHA_PAGE &&
                   ALPHA_PROT_READ == WAITGATE_ALPHA_READ &&
                   ALPHA_PROT_WRITE == WAITGATE_ALPHA_WRITE &&
                   ALPHA_PROT_EXEC == WAITGATE_ALPHA_EXECUTE,
               "numbers are the same inside and outside");
_Static_assert((int)MACHINE_LIMIT == WAITGATE_ALPHA_LIMIT &&
                   (int)MACHINE_TRAP == WAITGATE_ALPHA_STOP &&
                   (int)MACHINE_DONE == WAITGATE_ALPHA_DONE &&
                   (int)MACHINE_HANG == WAITGATE_ALPHA_HANG,
               "ends are the same inside and outside");
_Static_assert((int)ALPHA_TRAP_CALLSYS == WAITGATE_ALPHA_CALLSYS &&
                   (int)ALPHA_TRAP_ARITH == WAITGATE_ALPHA_ARITHMETIC &&
                   (int)ALPHA_TRAP_MEMORY == WAITGATE_ALPHA_MEMORY,
               "traps are the same inside and outside");
_Static_assert(ALPHA_WINDOW_SIZE == WAITGATE_ALPHA_WINDOW_SIZE, "the window is the same outside");

enum waitgate_status waitgate_alpha_create(unsigned cpus, waitgate_alpha **alpha)
{
    if (!alpha || !cpus || cpus > MACHINE_CPUS)
        return WAITGATE_ERROR_ARGUMENT;
    *alpha = calloc(1, sizeof **alpha);
    if (!*alpha || !machine_init(&(*alpha)->m, cpus, 0)) {
        free(*alpha);
        *alpha = NULL;
        return WAITGATE_ERROR_MEMORY;
    }
    probe_reset(&(*alpha)->probe);
    return WAITGATE_OK;
}

void waitgate_alpha_free(waitgate_alpha *alpha)
{
    if (alpha) {
        if (alpha->tile)
            alpha->tile->host = NULL;
        machine_free(&alpha->m);
    }
    free(alpha);
}

/* ---- settings ---- */

enum waitgate_status waitgate_alpha_latency(waitgate_alpha *alpha, const char *name,
                                            uint64_t cycles)
{
    if (!alpha || !name || alpha->mode != ALPHA_MODE_NONE ||
        !pipe_settings_latency(&alpha->m.set, name, cycles))
        return WAITGATE_ERROR_ARGUMENT;
    return WAITGATE_OK;
}

enum waitgate_status waitgate_alpha_policy(waitgate_alpha *alpha, const char *name,
                                           const char *value)
{
    if (!alpha || !name || !value || alpha->mode != ALPHA_MODE_NONE)
        return WAITGATE_ERROR_ARGUMENT;
    struct pipe_settings *s = &alpha->m.set;
    const struct {
        const char *name, *off, *on;
        bool *setting;
    } policies[] = {{"fbox", "blocking", "pipelined", &s->fp_pipelined},
                    {"wmb", "drain", "marker", &s->wmb_marker},
                    {"ring", "partial", "frozen", &s->frozen}};
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++)
        if (!strcmp(name, policies[i].name) &&
            (!strcmp(value, policies[i].off) || !strcmp(value, policies[i].on))) {
            *policies[i].setting = !strcmp(value, policies[i].on);
            return WAITGATE_OK;
        }
    return WAITGATE_ERROR_ARGUMENT;
}

enum waitgate_status waitgate_alpha_latency_get(unsigned row, struct waitgate_timing *timing,
                                                size_t size)
{
    struct waitgate_timing t;
    if (!timing)
        return WAITGATE_ERROR_ARGUMENT;
    if (row < ALPHA_N_LATENCIES) {
        const struct alpha_latency_info *i = &alpha_latencies[row];
        t = (struct waitgate_timing){
            i->name,
            i->text,
            {1, i->cycles, PIPE_LATENCY_MOST, (enum waitgate_evidence)i->evidence, i->source},
            {1, PIPE_LATENCY_MOST, NULL}};
    } else if (row - ALPHA_N_LATENCIES < PIPE_N_LATENCIES) {
        const struct pipe_latency_info *i = &pipe_latencies[row - ALPHA_N_LATENCIES];
        t = (struct waitgate_timing){
            i->name,
            i->text,
            {i->least, i->cycles, i->most, (enum waitgate_evidence)i->evidence, i->source},
            {i->least, i->most, NULL}};
    } else {
        return WAITGATE_ERROR_RANGE;
    }
    memcpy(timing, &t, size < sizeof t ? size : sizeof t);
    return WAITGATE_OK;
}

/* ---- memory and registers ---- */

static bool in_memory(uint64_t address, uint64_t size)
{
    return address < ALPHA_ADDRESS_END && size <= ALPHA_ADDRESS_END - address;
}

/* A window lies on whole pages: a range touches it if its pages do. */
static bool in_window(const waitgate_alpha *alpha, uint64_t address, uint64_t size)
{
    const struct pipe_device *d = &alpha->m.env.device;
    return size && d->size && address < d->base + d->size &&
           (address >= d->base || d->base - address < size);
}

enum waitgate_status waitgate_alpha_memory(waitgate_alpha *alpha, uint64_t limit)
{
    if (!alpha)
        return WAITGATE_ERROR_ARGUMENT;
    if (limit < alpha->m.mem.used || limit > SIZE_MAX)
        return WAITGATE_ERROR_RANGE;
    alpha->m.mem.limit = (size_t)limit;
    return WAITGATE_OK;
}

uint64_t waitgate_alpha_memory_used(const waitgate_alpha *alpha)
{
    return alpha ? alpha->m.mem.used : 0;
}

enum waitgate_status waitgate_alpha_map(waitgate_alpha *alpha, uint64_t address, uint64_t size,
                                        unsigned protection)
{
    if (!alpha || protection & ~7u)
        return WAITGATE_ERROR_ARGUMENT;
    if (!in_memory(address, size) || in_window(alpha, address, size))
        return WAITGATE_ERROR_RANGE;
    return alpha_mem_map(&alpha->m.mem, address, size, protection) ? WAITGATE_OK
                                                                   : WAITGATE_ERROR_MEMORY;
}

enum waitgate_status waitgate_alpha_protect(waitgate_alpha *alpha, uint64_t address, uint64_t size,
                                            unsigned protection)
{
    if (!alpha || protection & ~7u)
        return WAITGATE_ERROR_ARGUMENT;
    return in_memory(address, size) && alpha_mem_protect(&alpha->m.mem, address, size, protection)
               ? WAITGATE_OK
               : WAITGATE_ERROR_RANGE;
}

void waitgate_alpha_unmap(waitgate_alpha *alpha, uint64_t address, uint64_t size)
{
    if (alpha && in_memory(address, size))
        alpha_mem_unmap(&alpha->m.mem, address, size);
}

int waitgate_alpha_mapped(const waitgate_alpha *alpha, uint64_t address, uint64_t size)
{
    return alpha && in_memory(address, size) &&
           (alpha_mem_mapped(&alpha->m.mem, address, size) || in_window(alpha, address, size));
}

uint64_t waitgate_alpha_room(const waitgate_alpha *alpha, uint64_t from, uint64_t size,
                             uint64_t end)
{
    if (!alpha)
        return 0;
    uint64_t at = alpha_mem_find(&alpha->m.mem, from, size, end);
    if (at && in_window(alpha, at, size))
        at = alpha_mem_find(
            &alpha->m.mem, alpha->m.env.device.base + alpha->m.env.device.size, size, end);
    return at;
}

enum waitgate_status waitgate_alpha_peek(waitgate_alpha *alpha, uint64_t address, void *data,
                                         size_t size)
{
    if (!alpha || (!data && size))
        return WAITGATE_ERROR_ARGUMENT;
    return alpha_mem_peek(&alpha->m.mem, address, data, size) ? WAITGATE_OK : WAITGATE_ERROR_RANGE;
}

enum waitgate_status waitgate_alpha_poke(waitgate_alpha *alpha, uint64_t address, const void *data,
                                         size_t size)
{
    if (!alpha || (!data && size))
        return WAITGATE_ERROR_ARGUMENT;
    return alpha_mem_poke(&alpha->m.mem, address, data, size) ? WAITGATE_OK : WAITGATE_ERROR_RANGE;
}

enum waitgate_status waitgate_alpha_read(waitgate_alpha *alpha, uint64_t address, void *data,
                                         size_t size)
{
    if (!alpha || (!data && size))
        return WAITGATE_ERROR_ARGUMENT;
    return alpha_mem_out(&alpha->m.mem, address, data, size, NULL) ? WAITGATE_OK
                                                                   : WAITGATE_ERROR_RANGE;
}

enum waitgate_status waitgate_alpha_write(waitgate_alpha *alpha, uint64_t address, const void *data,
                                          size_t size)
{
    if (!alpha || (!data && size))
        return WAITGATE_ERROR_ARGUMENT;
    return alpha_mem_in(&alpha->m.mem, address, data, size, NULL) ? WAITGATE_OK
                                                                  : WAITGATE_ERROR_RANGE;
}

uint64_t waitgate_alpha_get(const waitgate_alpha *alpha, unsigned cpu, unsigned reg)
{
    if (!alpha || cpu >= alpha->m.n_cpus)
        return 0;
    const struct alpha_cpu *c = &alpha->m.cpu[cpu].cpu;
    switch (reg) {
    case WAITGATE_ALPHA_PC: return c->pc;
    case WAITGATE_ALPHA_FPCR: return alpha_state_fpcr_read(c->fpcr);
    case WAITGATE_ALPHA_UNIQUE: return c->unique;
    default: return reg <= ALPHA_FZERO ? c->reg[reg] : 0;
    }
}

void waitgate_alpha_set(waitgate_alpha *alpha, unsigned cpu, unsigned reg, uint64_t value)
{
    if (!alpha || cpu >= alpha->m.n_cpus)
        return;
    struct alpha_cpu *c = &alpha->m.cpu[cpu].cpu;
    switch (reg) {
    case WAITGATE_ALPHA_PC: c->pc = value & ~UINT64_C(3); break;
    case WAITGATE_ALPHA_FPCR: c->fpcr = value; break;
    case WAITGATE_ALPHA_UNIQUE: c->unique = value; break;
    default:
        if (reg < ALPHA_FZERO && reg != ALPHA_ZERO)
            c->reg[reg] = value;
        break;
    }
}

/* ---- running ---- */

static void api_alpha_retired(void *context, const struct pipe *p, const struct pipe_slot *s,
                              uint64_t now)
{
    const waitgate_alpha *a = context;
    (void)now;
    a->retire(a->retire_context, p->n, s->pc, s->i.word);
}

void waitgate_alpha_watch(waitgate_alpha *alpha, waitgate_alpha_retire *retire, void *context)
{
    if (!alpha)
        return;
    alpha->retire = retire;
    alpha->retire_context = context;
    alpha->m.env.retire = retire ? api_alpha_retired : NULL;
    alpha->m.env.retire_context = alpha;
}

enum waitgate_status waitgate_alpha_tile(waitgate_alpha *alpha, waitgate_tile *tile,
                                         uint64_t address)
{
    if (!alpha || !tile || alpha->mode != ALPHA_MODE_NONE || alpha->tile || tile->host)
        return WAITGATE_ERROR_ARGUMENT;
    if (!in_memory(address, ALPHA_WINDOW_SIZE) || address % ALPHA_PAGE ||
        alpha_mem_mapped(&alpha->m.mem, address, ALPHA_WINDOW_SIZE))
        return WAITGATE_ERROR_RANGE;
    for (unsigned i = 0; i < RV_N_CORES; i++)
        if (tile->tile.core[i].state != RV_HELD)
            return WAITGATE_ERROR_ARGUMENT;
    alpha_window_attach(&alpha->window, &alpha->m, &tile->tile, address);
    tile->host = alpha;
    alpha->tile = tile;
    tile->tile.clock.no_skip |= alpha->m.no_skip;
    return WAITGATE_OK;
}

/* Between two looks whether the run shall end; with a trace a cycle costs much more. */
#define SLICE        (UINT64_C(1) << 20)
#define SLICE_TRACED (UINT64_C(1) << 14)

void waitgate_alpha_interrupt(waitgate_alpha *alpha)
{
    if (alpha)
        atomic_store(&alpha->interrupted, true);
}

static bool interrupted(waitgate_alpha *a)
{
    bool tile = a->tile && atomic_exchange(&a->tile->interrupted, false);
    return atomic_exchange(&a->interrupted, false) || tile;
}

static uint64_t slice(const waitgate_alpha *a, uint64_t left)
{
    uint64_t most = a->probe.mask ? SLICE_TRACED : SLICE;
    return left < most ? left : most;
}

/* A slice of a machine whose CPUs have all stopped, with a tile: that goes on to its end. */
static enum machine_end api_alpha_finish(waitgate_alpha *a, uint64_t limit)
{
    switch (alpha_window_finish(&a->window, limit)) {
    case TILE_END_LIMIT: return MACHINE_LIMIT;
    case TILE_END_HANG: return MACHINE_HANG;
    default: return MACHINE_DONE;
    }
}

/* Up to the limit, an end, or until it shall end. */
static enum waitgate_alpha_end api_alpha_go(waitgate_alpha *a, uint64_t limit)
{
    enum machine_end end;
    bool stop, done;
    do {
        uint64_t n = slice(a, limit - a->m.now), to = a->m.now + n;
        stop = n && interrupted(a);
        end = stop ? MACHINE_LIMIT : machine_run(&a->m, n);
        done = end == MACHINE_DONE;
        if (done && a->tile)
            end = api_alpha_finish(a, to);
    } while (end == MACHINE_LIMIT && a->m.now < limit && !stop &&
             !(a->tile && a->tile->queue.failed));
    if (a->tile && !done)
        alpha_window_follow(&a->window, a->m.now);
    return stop ? WAITGATE_ALPHA_INTERRUPTED : (enum waitgate_alpha_end)end;
}

/* After a run: the tile is where the machine is, and if both stand still, why. */
static void api_alpha_joint(waitgate_alpha *a)
{
    waitgate_tile *t = a->tile;
    t->end =
        a->end == WAITGATE_ALPHA_HANG ? WAITGATE_TILE_HANG : (enum waitgate_tile_end)a->window.end;
    if (t->end == WAITGATE_TILE_HANG)
        joint_hang_explain(&a->window, &t->hang);
    if (t->trace.write)
        trace_tile_end(t);
    if (t->queue.failed)
        a->end = WAITGATE_ALPHA_NO_MEMORY;
}

enum waitgate_alpha_end waitgate_alpha_clock(waitgate_alpha *alpha, uint64_t cycles)
{
    if (!alpha || alpha->mode == ALPHA_MODE_UNTIMED)
        return WAITGATE_ALPHA_LIMIT;
    if (alpha->mode == ALPHA_MODE_NONE) {
        alpha->mode = ALPHA_MODE_CLOCKED;
        for (unsigned i = 0; i < alpha->m.n_cpus; i++)
            alpha->m.cpu[i].blame_on = true;
        machine_start(&alpha->m);
    }
    uint64_t limit = cycles < PIPE_NEVER - alpha->m.now ? alpha->m.now + cycles : PIPE_NEVER;
    if (alpha->tile) {
        books_open(alpha->tile);
        alpha_window_look(&alpha->window);
    }
    alpha->end = api_alpha_go(alpha, limit);
    if (alpha->tile)
        api_alpha_joint(alpha);
    return alpha->end;
}

/* One instruction at a time, for those who watch. */
static uint64_t run_watched(waitgate_alpha *a, uint64_t steps)
{
    struct alpha_cpu *c = &a->m.cpu[0].cpu;
    uint64_t n = 0;
    while (n < steps) {
        uint64_t pc = c->pc;
        uint32_t word = 0;
        alpha_mem_peek(&a->m.mem, pc, &word, sizeof word);
        uint64_t done = alpha_run(c, &a->m.mem, 1);
        if (done && a->trace.write)
            report_alpha_trace_step(a, a->m.now + n, pc, word);
        n += done;
        if (done && a->retire)
            a->retire(a->retire_context, 0, pc, word);
        if (c->trap.trap)
            break;
    }
    return n;
}

enum waitgate_alpha_end waitgate_alpha_run(waitgate_alpha *alpha, uint64_t steps)
{
    if (!alpha || alpha->mode == ALPHA_MODE_CLOCKED || alpha->m.n_cpus != 1 || alpha->tile)
        return WAITGATE_ALPHA_LIMIT;
    struct pipe *p = &alpha->m.cpu[0];
    alpha->mode = ALPHA_MODE_UNTIMED;
    if (p->stopped)
        return alpha->end = WAITGATE_ALPHA_DONE;
    alpha->end = WAITGATE_ALPHA_LIMIT;
    while (steps && alpha->end == WAITGATE_ALPHA_LIMIT) {
        if (interrupted(alpha))
            return alpha->end = WAITGATE_ALPHA_INTERRUPTED;
        uint64_t want = slice(alpha, steps);
        uint64_t n = alpha->retire || alpha->trace.write ? run_watched(alpha, want)
                                                         : alpha_run(&p->cpu, &alpha->m.mem, want);
        alpha->m.now += n;
        p->retired += n;
        steps -= want;
        p->stopped = p->cpu.trap.trap != ALPHA_TRAP_NONE;
        alpha->m.stopped = 0;
        alpha->end = p->stopped ? WAITGATE_ALPHA_STOP : WAITGATE_ALPHA_LIMIT;
    }
    return alpha->end;
}

static const char *const trap_texts[] = {
    "nothing",
    "system call",
    "no such instruction, or a privileged one",
    "breakpoint",
    "bug check",
    "software trap",
    "arithmetic trap",
    "no executable memory at this address",
    "no readable memory at this address",
    "no writable memory at this address",
    "LDx_L or STx_C at an address that is not a multiple of its size",
    "no memory for the page"};

enum waitgate_status waitgate_alpha_stopped(const waitgate_alpha *alpha,
                                            struct waitgate_alpha_stop *stop)
{
    if (!alpha || !stop || alpha->end != WAITGATE_ALPHA_STOP)
        return WAITGATE_ERROR_ARGUMENT;
    const struct alpha_trap_info *t = &alpha->m.cpu[alpha->m.stopped].cpu.trap;
    *stop = (struct waitgate_alpha_stop){.cpu = alpha->m.stopped,
                                         .trap = (enum waitgate_alpha_trap)t->trap,
                                         .text = trap_texts[t->trap],
                                         .pc = t->pc,
                                         .address = t->address,
                                         .detail = t->detail};
    return WAITGATE_OK;
}

void waitgate_alpha_resume(waitgate_alpha *alpha, unsigned cpu)
{
    if (!alpha || cpu >= alpha->m.n_cpus || !alpha->m.cpu[cpu].stopped)
        return;
    if (alpha->mode == ALPHA_MODE_CLOCKED)
        machine_resume(&alpha->m, cpu);
    else
        alpha->m.cpu[cpu].stopped = false;
}

uint64_t waitgate_alpha_cycle(const waitgate_alpha *alpha)
{
    return alpha ? alpha->m.now : 0;
}

uint64_t waitgate_alpha_retired(const waitgate_alpha *alpha, unsigned cpu)
{
    return alpha && cpu < alpha->m.n_cpus ? alpha->m.cpu[cpu].retired : 0;
}

void waitgate_alpha_no_skip(waitgate_alpha *alpha, int on)
{
    if (!alpha)
        return;
    alpha->m.no_skip = on != 0;
    if (alpha->tile)
        waitgate_tile_no_skip(alpha->tile, on);
}

void waitgate_alpha_places(waitgate_alpha *alpha, waitgate_alpha_place *place, void *context)
{
    if (!alpha)
        return;
    alpha->place = place;
    alpha->place_context = context;
}

size_t waitgate_alpha_disassemble(uint32_t word, uint64_t pc, char *text, size_t size)
{
    return (size_t)alpha_dis_text(word, pc, text, text ? size : 0);
}
