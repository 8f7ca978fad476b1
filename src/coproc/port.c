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

bool coproc_port_push(struct coproc *cp, unsigned thread, const uint32_t *words, unsigned n,
                      unsigned tag)
{
    cp->stuck = false;
    return frontend_push(&cp->fe[thread], words, n, tag);
}

void coproc_port_push_b(struct coproc *cp, unsigned thread, uint32_t word, unsigned tag)
{
    cp->stuck = false;
    frontend_push_b(&cp->fe[thread], word, tag);
}

bool coproc_port_push_b_taken(const struct coproc *cp, unsigned thread)
{
    return cp->fe[thread].b_taken;
}

void coproc_port_write_mop_cfg(struct coproc *cp, unsigned thread, unsigned i, uint32_t value)
{
    cp->stuck = false;
    frontend_write_mop_cfg(&cp->fe[thread], i, value, &cp->probe);
}

void coproc_port_sem_write(struct coproc *cp, unsigned core, unsigned sem, uint32_t value)
{
    coproc_port_sem_write_by(cp, core, sem, value, OWNER_CORE_T0 + core, 0);
}

void coproc_port_sem_write_by(struct coproc *cp, unsigned core, unsigned sem, uint32_t value,
                              unsigned by, unsigned tag)
{
    struct sync_request *r = &cp->sync.request[core];
    cp->stuck = false;
    cp->sync.n_requests = (uint8_t)(cp->sync.n_requests + !r->pending);
    *r = (struct sync_request){.pending = true,
                               .sem = (uint8_t)sem,
                               .get = value & 1,
                               .by = (uint8_t)by,
                               .tag = (uint16_t)tag};
}

bool coproc_port_sem_taken(const struct coproc *cp, unsigned core)
{
    return cp->sync.request[core].taken;
}

unsigned coproc_port_sem_read(const struct coproc *cp, unsigned sem)
{
    return cp->sync.sem[sem].value;
}

bool coproc_port_gpr_write(struct coproc *cp, unsigned core, unsigned thread, unsigned reg,
                           uint32_t value)
{
    cp->stuck = false;
    return config_request(&cp->config,
                          core,
                          (struct config_request){.gpr = true,
                                                  .bank = (uint8_t)thread,
                                                  .index = (uint16_t)reg,
                                                  .value = value,
                                                  .made = cp->now});
}

bool coproc_port_config_write(struct coproc *cp, unsigned core, unsigned bank, unsigned word,
                              uint32_t value)
{
    cp->stuck = false;
    return config_request(
        &cp->config,
        core,
        (struct config_request){
            .bank = (uint8_t)bank, .index = (uint16_t)word, .value = value, .made = cp->now});
}

void coproc_port_stream_store(struct coproc *cp, unsigned stream, unsigned reg, uint32_t value)
{
    cp->stuck = false;
    unsigned said = stream_store(&cp->stream, &cp->l1, stream, reg, value);
    if (said != N_DIAGS)
        probe_diag(
            &cp->probe, said, OWNER_STREAM, 0, value, said == DIAG_STREAM_NOC ? stream : reg);
}

void coproc_port_stream_write(struct coproc *cp, unsigned stream, unsigned reg, uint32_t value)
{
    cp->stuck = false;
    cp->stream.used = true;
    cp->stream.shown |= UINT64_C(1) << stream;
    cp->stream.reg[stream][reg] = value;
}

bool coproc_port_mop_idle(const struct coproc *cp, unsigned thread)
{
    return mop_idle(&cp->fe[thread].mop, &cp->fe[thread].q1) && !cp->fe[thread].n_in;
}
