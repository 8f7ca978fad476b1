/*
 * fault.h - planted faults.
 *
 * The tests prove that the independent models notice off-by-one mistakes: a build with
 * WG_PLANT_FAULTS turns each FAULT(n) into a switch that a test can throw. In every other build
 * FAULT(n) is the constant 0 and leaves no trace.
 */
#ifndef WG_BASE_FAULT_H
#define WG_BASE_FAULT_H

#ifdef WG_PLANT_FAULTS
extern int wg_planted_fault;
#define FAULT(n) (wg_planted_fault == (n))
#else
#define FAULT(n) 0
#endif

#define N_FAULTS 40 /* 1..12 and 25..32 in the expanders, the others behind them */

#endif
