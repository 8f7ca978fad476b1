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

/* A number with its legal range; the clocked scheduler uses typ. */
struct cost {
    unsigned short min, typ, max;
    unsigned char evidence; /* enum evidence */
    const char *source;
};

#endif
