/*
 * alpha_run.h - the untimed scheduler: instructions one after the other, nothing has a latency.
 *
 *     alpha_run(&cpu, &mem, budget)
 *
 * runs until `budget` instructions are done or one of them stops; cpu.trap says why. Then:
 *   BUDGET   (trap NONE) pc is the next instruction
 *   CALLSYS  the instruction counts as done and pc is behind it: put the results into
 *            cpu.reg[0] (v0), cpu.reg[19] (a3), cpu.reg[20] (a4) and call alpha_run again
 *   BPT, BUGCHK, GENTRAP, ARITH   counts as done, pc is behind it (as Linux reports it)
 *   others   not done, pc is the instruction: can be repaired and run again
 */
#ifndef WG_ALPHA_RUN_H
#define WG_ALPHA_RUN_H

#include <stdint.h>

#include "alpha/alpha_mem.h"
#include "alpha/alpha_state.h"

/* Returns the number of instructions done, also added to cpu->steps. */
uint64_t alpha_run(struct alpha_cpu *c, struct alpha_mem *m, uint64_t budget);
/* The same without compiler extensions; the tests compare both. */
uint64_t alpha_run_plain(struct alpha_cpu *c, struct alpha_mem *m, uint64_t budget);
/* The same by way of alpha_exec_compute(): what a pipeline does, without the pipeline. Slow. */
uint64_t alpha_run_pieces(struct alpha_cpu *c, struct alpha_mem *m, uint64_t budget);

#endif
