/*
 * rvproof.h - will this core ever do anything again that others can see, if nobody else does?
 *
 * Block: none of the hardware's. A copy of the core is executed without time in a world that stands still: loads find
 * what is there, and the first store that would change anything ends it. If the copy comes back to a state that it was in, it
 * goes round for ever, and so will the core, whatever its timing: no result in the loop depends on time.
 */
#ifndef WG_CORE_RVPROOF_H
#define WG_CORE_RVPROOF_H

#include "core/rvcore.h"

#define RVPROOF_READS 16u

enum rvproof_end {
    RVPROOF_NONE,  /* was not asked */
    RVPROOF_LOOPS, /* goes round for ever and changes nothing */
    RVPROOF_STUCK, /* comes to an instruction that waits for a store that does not leave */
    RVPROOF_ACTS,  /* will change something, or be reported */
    RVPROOF_OPEN /* not known: reads what changes with time, or no state came again in the steps that it had; or it
                      will come to such a loop, but is not in it yet */
};

/* What the loop reads. */
struct rvproof_read {
    uint32_t addr; /* or the number of a CSR */
    uint32_t pc, value;
    uint8_t size;
    uint8_t source; /* enum rv_source */
    bool csr;
};

struct rvproof {
    uint8_t end;     /* enum rvproof_end */
    uint8_t rams;    /* cores whose data RAM it reads through a window: bits */
    bool writes_ram; /* it changes its own data RAM, if only for a while */
    bool more;       /* it reads more things than are listed */
    uint8_t n_reads; /* different places, by the first instruction that reads them */
    uint32_t pc;     /* where it stood when it was asked */
    uint32_t low,
        high; /* addresses of the loop's first and last instruction, in the order of addresses */
    uint32_t steps; /* of a round; maybe of several */
    struct rvproof_read read[RVPROOF_READS];
};

/*
 * The core must stand between two instructions and wait for no load. refused: its store queue holds what is never taken; else that
 * is empty. Reads through m->bus, which must be one with time, and changes nothing but decoded code. At most `steps` of them.
 */
void rvproof_run(const struct rvcore *c, const struct rvmem *m, bool refused, uint64_t steps,
                 struct rvproof *out);

#endif
