/*
 * test_faults.c - the two comparisons notice mistakes: each of the faults that a build with
 * WG_PLANT_FAULTS can switch on (base/fault.h) makes one of them fail, and none does without.
 *
 * Twenty faults stand in the expanders, twenty in the gates and the units behind them.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/fault.h"
#include "model/expander_run.h"
#include "model/gate_run.h"
#include "model/rng.h"

#define EXPANDER_PROGRAMS (WG_SLOW_BUILD ? 1500u : 5000u)
#define GATE_PROGRAMS     (WG_SLOW_BUILD ? 1500u : 20000u)

int wg_planted_fault = 0;

static char why[20000];

static bool in_expanders(int fault)
{
    return fault <= 12 || (fault >= 25 && fault <= 32);
}

static bool agrees(int fault)
{
    wg_planted_fault = fault;
    bool same = in_expanders(fault) ? expander_run(1, EXPANDER_PROGRAMS, why, sizeof why)
                                    : gate_run(1, GATE_PROGRAMS, why, sizeof why);
    wg_planted_fault = 0;
    return same;
}

int main(void)
{
    unsigned missed = 0;
    if (!agrees(0) || !gate_run(1, GATE_PROGRAMS, why, sizeof why)) {
        printf("different without a fault: %s\n", why);
        return 1;
    }
    for (int fault = 1; fault <= N_FAULTS; fault++) {
        bool same = agrees(fault);
        missed += same;
        if (same)
            printf("fault %2d: NOT NOTICED\n", fault);
        else
            printf("fault %2d: %.100s\n", fault, why);
    }
    printf("%u of %d faults noticed\n", N_FAULTS - missed, N_FAULTS);
    return missed != 0;
}
