/*
 * gate_units.h - the parts of gate_model that belong to one unit each: may an instruction start,
 * what happens when it does, what happens at the end of every cycle.
 */
#ifndef WG_TESTS_MODEL_GATE_UNITS_H
#define WG_TESTS_MODEL_GATE_UNITS_H

#include "model/gate_model.h"

static inline unsigned gm_field(uint32_t word, unsigned lo, unsigned width)
{
    return word >> lo & ((1u << width) - 1u);
}

static inline unsigned gm_op(uint32_t word)
{
    return word >> 24;
}

int64_t gm_issue(uint32_t word);
int64_t gm_latency(uint32_t word);

/* 4.8 */
bool gm_scalar_free(const struct gate_model *m, unsigned thread);
bool gm_scalar_holds(const struct gate_model *m, unsigned thread);
bool gm_scalar_busy(const struct gate_model *m, unsigned thread); /* for C0 */
void gm_scalar_resolve_flush(struct gate_model *m);
void gm_scalar_go(struct gate_model *m, unsigned thread, uint32_t word);
void gm_scalar_clock(struct gate_model *m); /* end of the cycle */
bool gm_scalar_writes_gpr(const struct gate_model *m);

/* 4.4, 4.5; entry: 0 -4, 1 -1, 2 0 */
unsigned gm_config_entry(uint32_t word);
bool gm_config_may_enter(const struct gate_model *m, unsigned entry);
bool gm_config_occupied(const struct gate_model *m);
void gm_config_go(struct gate_model *m, unsigned thread, uint32_t word);
/* End of the cycle; stage_0_open: a core's access could have entered in it. */
void gm_config_clock(struct gate_model *m, bool stage_0_open);

/* 4.10, 4.11 */
bool gm_matrix_may_go(const struct gate_model *m, unsigned thread, uint32_t word);
void gm_matrix_go(struct gate_model *m, unsigned thread, uint32_t word);
void gm_apply_addr_mod(struct gm_thread *t, unsigned index);
void gm_src_give(struct gate_model *m,
                 unsigned side); /* the unpackers' bank goes to the Matrix Unit */
void gm_src_clock(struct gate_model *m);

/* 4.12 */
bool gm_unpack_may_go(const struct gate_model *m, uint32_t word);
bool gm_unpack_busy(const struct gate_model *m, unsigned unpacker, unsigned thread);
void gm_unpack_start(struct gate_model *m); /* data phases that start in this cycle */
void gm_unpack_clock(struct gate_model *m);
void gm_unpack_go(struct gate_model *m, unsigned thread, uint32_t word);
void gm_adc_go(struct gm_thread *t, uint32_t word); /* as far as UNPACR counts datums */

/* 4.13 */
bool gm_pack_may_go(const struct gate_model *m, uint32_t word);
void gm_pack_go(struct gate_model *m, unsigned thread, uint32_t word);

/* C4, C11 */
bool gm_pipe_busy(const struct gate_model *m, const struct gm_pipe *p);

#endif
