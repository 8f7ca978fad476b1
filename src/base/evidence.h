/*
 * evidence.h - how well a number is known.
 *
 * Every latency, rate, depth and choice in the tables carries one of these words and a source, so
 * that a report can say how many guesses it rests on.
 */
#ifndef WG_BASE_EVIDENCE_H
#define WG_BASE_EVIDENCE_H

enum evidence {
    EVIDENCE_DOCUMENTED, /* the ISA documents or the vendor's headers state it */
    EVIDENCE_MEASURED,   /* published measurement on silicon */
    EVIDENCE_INFERRED,   /* follows from documented or measured facts, not itself stated */
    EVIDENCE_GUESSED     /* no public source; a choice, made once, listed in docs/timing.md */
};

/* A number with its plausible range. A machine has typ unless it was given another value (isa/timing.h). */
struct cost {
    unsigned short min, typ, max;
    unsigned short lo,
        hi; /* values for which the model has room; hi 0: structural, it cannot be set */
    unsigned char follows;  /* row of timing.def from which it follows, and 1; 0: none */
    unsigned char evidence; /* enum evidence */
    const char *source;
};

#endif
