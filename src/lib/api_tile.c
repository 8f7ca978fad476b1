/*
 * api_tile.c - tiles of the public header in terms of src/tile.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/handle.h"
#include "lib/handle_alpha.h"
#include "lib/result.h"

/* The public order of cores is B, T0, T1, T2, NC. */
static const uint8_t core_of[WAITGATE_CORES] = {RV_B, RV_T0, RV_T1, RV_T2, RV_NC};
static const char *const core_names[WAITGATE_CORES] = {"B", "T0", "T1", "T2", "NC"};

enum waitgate_status waitgate_tile_create(waitgate_tile **tile)
{
    if (!tile)
        return WAITGATE_ERROR_ARGUMENT;
    *tile = calloc(1, sizeof **tile);
    if (!*tile)
        return WAITGATE_ERROR_MEMORY;
    tile_reset(&(*tile)->tile);
    return WAITGATE_OK;
}

static bool is_typical(const struct timing *t)
{
    struct timing_change change;
    unsigned at = 0;
    return !timing_next_change(t, &at, &change);
}

enum waitgate_status waitgate_tile_timing(waitgate_tile *tile,
                                          const struct waitgate_setting *setting,
                                          struct waitgate_text_error *error)
{
    if (!tile || !setting || !setting->name || tile->host || tile->tile.clock.on ||
        tile->tile.steps)
        return WAITGATE_ERROR_ARGUMENT;
    struct timing t = tile->tile.coproc.timing;
    if (!api_isa_setting_take(&t, setting, error))
        return WAITGATE_ERROR_RANGE;
    tile_time(&tile->tile, &t);
    return WAITGATE_OK;
}

void waitgate_tile_free(waitgate_tile *tile)
{
    if (tile && tile->host) {
        tile->host->tile = NULL;
        tile->host->m.env.device.size = 0;
    }
    if (tile)
        free(tile->queue.event);
    free(tile);
}

enum waitgate_status waitgate_tile_read(waitgate_tile *tile, uint32_t address, void *data,
                                        uint32_t size)
{
    if (!tile || (!data && size))
        return WAITGATE_ERROR_ARGUMENT;
    return !size || tile_read(&tile->tile, address, data, size) ? WAITGATE_OK
                                                                : WAITGATE_ERROR_ARGUMENT;
}

enum waitgate_status waitgate_tile_write(waitgate_tile *tile, uint32_t address, const void *data,
                                         uint32_t size)
{
    if (!tile || (!data && size))
        return WAITGATE_ERROR_ARGUMENT;
    books_open(tile);
    return !size || tile_write(&tile->tile, address, data, size) ? WAITGATE_OK
                                                                 : WAITGATE_ERROR_ARGUMENT;
}

/* Between two looks whether the run shall end; with a trace a cycle costs much more. */
#define SLICE        (UINT64_C(1) << 20)
#define SLICE_TRACED (UINT64_C(1) << 14)

static uint64_t slice(const waitgate_tile *tile, uint64_t left)
{
    uint64_t most = tile->trace.write ? SLICE_TRACED : SLICE;
    return left < most ? left : most;
}

void waitgate_tile_interrupt(waitgate_tile *tile)
{
    if (tile)
        atomic_store(&tile->interrupted, true);
}

uint64_t waitgate_tile_run(waitgate_tile *tile, uint64_t steps)
{
    uint64_t done = 0, n, want;
    if (!tile || tile->host || !is_typical(&tile->tile.coproc.timing))
        return 0;
    do {
        if (atomic_exchange(&tile->interrupted, false))
            break;
        want = slice(tile, steps - done);
        n = tile_run(&tile->tile, want);
        done += n;
    } while (n == want && done < steps);
    return done;
}

_Static_assert((int)TILE_END_LIMIT == WAITGATE_TILE_LIMIT &&
                   (int)TILE_END_DONE == WAITGATE_TILE_DONE &&
                   (int)TILE_END_HANG == WAITGATE_TILE_HANG &&
                   (int)TILE_END_STOPPED == WAITGATE_TILE_STOPPED &&
                   (int)TILE_END_UNTIL == WAITGATE_TILE_UNTIL,
               "ends are the same inside and outside");

enum waitgate_tile_end waitgate_tile_clock(waitgate_tile *tile, uint64_t cycles)
{
    if (!tile || tile->host)
        return WAITGATE_TILE_LIMIT;
    books_open(tile);
    do {
        uint64_t n = slice(tile, cycles);
        if (n && atomic_exchange(&tile->interrupted, false))
            tile->end = WAITGATE_TILE_INTERRUPTED;
        else
            tile->end = (enum waitgate_tile_end)tile_clock_run(&tile->tile, n);
        if (tile->queue.failed)
            tile->end = WAITGATE_TILE_NO_MEMORY;
        cycles -= n;
    } while (tile->end == WAITGATE_TILE_LIMIT && cycles);
    if (tile->end == WAITGATE_TILE_HANG)
        hang_explain(&tile->tile, &tile->hang);
    if (tile->trace.write)
        trace_tile_end(tile);
    return tile->end;
}

void waitgate_tile_places(waitgate_tile *tile, waitgate_place *place, void *context)
{
    if (!tile)
        return;
    tile->place = place;
    tile->place_context = context;
}

enum waitgate_status waitgate_tile_trace(waitgate_tile *tile, waitgate_write *write, void *context)
{
    if (!tile)
        return WAITGATE_ERROR_ARGUMENT;
    struct probe *p = &tile->tile.coproc.probe;
    if (write && !trace_tile_room(&tile->queue))
        return WAITGATE_ERROR_MEMORY;
    if (tile->trace.write)
        trace_tile_flush(tile, tile->tile.clock.now);
    tile->queue.n = 0;
    tile->queue.due = TRACE_FLUSH_AT;
    tile->queue.failed = false;
    tile->trace = (struct text_sink){write, context};
    p->sink = write ? trace_tile_event : NULL;
    p->ctx = tile;
    p->mask = write ? UINT32_MAX : 0;
    return WAITGATE_OK;
}

uint64_t waitgate_tile_cycle(const waitgate_tile *tile)
{
    return tile ? tile->tile.clock.now : 0;
}

void waitgate_tile_profile(waitgate_tile *tile, int on)
{
    if (tile)
        tile->tile.coproc.blame_on = on != 0;
}

void waitgate_tile_no_skip(waitgate_tile *tile, int on)
{
    if (tile)
        tile->tile.clock.no_skip = on != 0;
}

enum waitgate_status waitgate_tile_until(waitgate_tile *tile, uint32_t address, uint32_t value)
{
    return tile && tile_clock_until(&tile->tile, address, value) ? WAITGATE_OK
                                                                 : WAITGATE_ERROR_ARGUMENT;
}

static const char *stop_text(const struct rvcore *c)
{
    switch (c->stop) {
    case RV_STOP_EBREAK: return "ebreak";
    case RV_STOP_ECALL: return "ecall";
    default: return diag_table[DIAG_RV_ILLEGAL + c->fault].id;
    }
}

enum waitgate_status waitgate_tile_core(const waitgate_tile *tile, unsigned core,
                                        struct waitgate_core *info)
{
    if (!tile || core >= WAITGATE_CORES || !info)
        return WAITGATE_ERROR_ARGUMENT;
    struct rvcore now, *c = &now;
    tile_clock_core_now(
        (struct tile *)&tile->tile, core_of[core], c); /* which changes nothing to be seen */
    *info = (struct waitgate_core){.name = core_names[core],
                                   .state = (enum waitgate_core_state)c->state,
                                   .pc = c->pc,
                                   .steps = c->steps,
                                   .waits = ""};
    if (c->state == RV_BLOCKED) {
        info->address = c->block_addr;
        info->waits = map_table[map_find(core_of[core], c->block_addr).region].text;
    } else if (c->state == RV_STOPPED) {
        info->waits = stop_text(c);
    }
    return WAITGATE_OK;
}

_Static_assert((int)RV_HELD == WAITGATE_CORE_HELD && (int)RV_RUNNING == WAITGATE_CORE_RUNNING &&
                   (int)RV_BLOCKED == WAITGATE_CORE_BLOCKED &&
                   (int)RV_STOPPED == WAITGATE_CORE_STOPPED,
               "states are the same inside and outside");

enum waitgate_status waitgate_tile_thread(const waitgate_tile *tile, unsigned thread,
                                          struct waitgate_thread *info)
{
    if (!tile || thread >= COPROC_THREADS || !info)
        return WAITGATE_ERROR_ARGUMENT;
    const struct coproc *c = &tile->tile.coproc;
    const struct frontend *f = &c->fe[thread];
    struct wait_record w;
    *info = (struct waitgate_thread){.issued = c->issued[thread],
                                     .queued = (unsigned)(f->q1.n + f->q2.n + f->q3.n + f->n_in),
                                     .cause = "",
                                     .owner = "",
                                     .core = -1,
                                     .wait_core = -1};
    if (coproc_thread_wait(c, thread, &w)) {
        info->held = 1;
        info->word = w.word;
        info->core = code_place_of_tag(&tile->tile, thread, w.tag, &info->pc);
        if (c->gate[thread].latched) {
            info->wait_word = c->gate[thread].word;
            info->wait_core =
                code_place_of_tag(&tile->tile, thread, c->gate[thread].tag, &info->wait_pc);
        }
        info->cause = wait_table[w.cause].text;
        info->owner = owner_names[w.owner];
    }
    return WAITGATE_OK;
}

uint64_t waitgate_tile_issued(const waitgate_tile *tile, unsigned thread)
{
    return tile && thread < COPROC_THREADS ? tile->tile.coproc.issued[thread] : 0;
}

int waitgate_tile_notice(const waitgate_tile *tile, unsigned i, struct waitgate_notice *notice)
{
    if (!tile || !notice || i >= tile->tile.coproc.probe.n_diags)
        return 0;
    const struct diag *d = &tile->tile.coproc.probe.diag[i];
    const struct diag_info *info = &diag_table[d->id];
    *notice = (struct waitgate_notice){.id = info->id,
                                       .kind = diag_category_names[info->category],
                                       .who = owner_names[d->agent],
                                       .word = d->word,
                                       .step = d->cycle,
                                       .core = -1};
    if (d->id >= DIAG_RV_ILLEGAL && d->id <= DIAG_RV_CSR_WRITE) {
        notice->core = code_place_core(d->agent);
        notice->pc = d->arg;
    } else if (d->agent <= OWNER_T2) {
        notice->core = code_place_of_tag(&tile->tile, d->agent - OWNER_T0, d->tag, &notice->pc);
    }
    char text[sizeof notice->text];
    snprintf(notice->text, sizeof notice->text, "%s", probe_diag_text(d, text, sizeof text));
    return 1;
}
