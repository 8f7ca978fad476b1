/*
 * port.c - the ports of coproc.h through which cores reach the coprocessor.
 *
 * ISA pages: PushTensixInstruction, MOPExpander (configuration), SyncUnit (semaphore window),
 * BackendConfiguration, ScalarUnit (GPRs seen by cores), ManualTTSync.
 *
 * Everything here only stages a request; coproc_step() carries it out in the same cycle.
 *
 * Inaccuracies: a core's request to GPRs or Config travels a fixed time, one per core at a time.
 */
#include "coproc/coproc.h"

bool coproc_push(struct coproc *t, unsigned thread, const uint32_t *words, unsigned n, unsigned tag)
{
    t->stuck = false;
    return frontend_push(&t->fe[thread], words, n, tag);
}

void coproc_push_b(struct coproc *t, unsigned thread, uint32_t word, unsigned tag)
{
    t->stuck = false;
    frontend_push_b(&t->fe[thread], word, tag);
}

bool coproc_push_b_taken(const struct coproc *t, unsigned thread)
{
    return t->fe[thread].b_taken;
}

void coproc_write_mop_cfg(struct coproc *t, unsigned thread, unsigned i, uint32_t value)
{
    t->stuck = false;
    frontend_write_mop_cfg(&t->fe[thread], i, value, &t->probe);
}

void coproc_sem_write(struct coproc *t, unsigned core, unsigned sem, uint32_t value)
{
    coproc_sem_write_by(t, core, sem, value, OWNER_CORE_T0 + core, 0);
}

void coproc_sem_write_by(struct coproc *t, unsigned core, unsigned sem, uint32_t value, unsigned by,
                         unsigned tag)
{
    struct sync_request *r = &t->sync.request[core];
    t->stuck = false;
    t->sync.n_requests = (uint8_t)(t->sync.n_requests + !r->pending);
    *r = (struct sync_request){.pending = true,
                               .sem = (uint8_t)sem,
                               .get = value & 1,
                               .by = (uint8_t)by,
                               .tag = (uint16_t)tag};
}

bool coproc_sem_taken(const struct coproc *t, unsigned core)
{
    return t->sync.request[core].taken;
}

unsigned coproc_sem_read(const struct coproc *t, unsigned sem)
{
    return t->sync.sem[sem].value;
}

bool coproc_gpr_write(struct coproc *t, unsigned core, unsigned thread, unsigned reg,
                      uint32_t value)
{
    t->stuck = false;
    return config_request(&t->config,
                          core,
                          (struct config_request){.gpr = true,
                                                  .bank = (uint8_t)thread,
                                                  .index = (uint16_t)reg,
                                                  .value = value,
                                                  .made = t->now});
}

bool coproc_config_write(struct coproc *t, unsigned core, unsigned bank, unsigned word,
                         uint32_t value)
{
    t->stuck = false;
    return config_request(
        &t->config,
        core,
        (struct config_request){
            .bank = (uint8_t)bank, .index = (uint16_t)word, .value = value, .made = t->now});
}

void coproc_stream_store(struct coproc *t, unsigned stream, unsigned reg, uint32_t value)
{
    t->stuck = false;
    unsigned said = stream_store(&t->stream, &t->l1, stream, reg, value);
    if (said != N_DIAGS)
        probe_diag(&t->probe, said, OWNER_STREAM, 0, value, said == DIAG_STREAM_NOC ? stream : reg);
}

void coproc_stream_write(struct coproc *t, unsigned stream, unsigned reg, uint32_t value)
{
    t->stuck = false;
    t->stream.used = true;
    t->stream.shown |= UINT64_C(1) << stream;
    t->stream.reg[stream][reg] = value;
}

bool coproc_mop_idle(const struct coproc *t, unsigned thread)
{
    return mop_idle(&t->fe[thread].mop, &t->fe[thread].q1) && !t->fe[thread].n_in;
}
