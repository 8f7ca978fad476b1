/*
 * expander_model.h - a second, slow model of everything of one thread before its Wait Gate.
 *
 * Written from docs/timing.md 2 alone, to be compared with src/front/frontend.h. It favours the
 * obvious: a MOP becomes the whole list of its words when it is taken, queues are arrays that are
 * moved down, a cycle looks at a copy of the state at the end of the last one.
 */
#ifndef WG_TESTS_MODEL_EXPANDER_MODEL_H
#define WG_TESTS_MODEL_EXPANDER_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#define XM_LIST 33000u /* 127 rounds of 1 + 2 * 127 + 2 words, and some */

struct xm_word {
    uint32_t word;
    bool entry; /* carries a tracking entry */
};

struct xm_queue {
    unsigned n;
    struct xm_word at[36];
};

enum xm_replay { XM_PASS, XM_PLAY, XM_RECORD, XM_RECORD_EXEC };

struct expander_model {
    struct xm_queue q1, q2, q3;
    unsigned tracked;
    unsigned lost; /* words lost to core B, ever */

    uint32_t cfg[9];
    uint32_t mask_hi;
    bool expanding;    /* list[next ..] is still to be given */
    bool after_mop;    /* the last cycle ended an expansion */
    bool parent_entry; /* the MOP's */
    unsigned next, n_list;

    enum xm_replay mode;
    unsigned index, left;
    bool replay_entry; /* the REPLAY's, while it plays */
    uint32_t buffer[32];

    /* this cycle's wishes */
    unsigned n_push;
    uint32_t push[4];
    bool b_wants, b_taken;
    uint32_t b_word;
    bool pop;

    uint32_t list[XM_LIST];
};

void xm_reset(struct expander_model *m);
/* All words a MOP stands for, from one look at MopCfg; returns how many. */
unsigned xm_expand(uint32_t mop, uint32_t mask_hi, const uint32_t cfg[9], uint32_t *out);

bool xm_can_push(const struct expander_model *m);
bool xm_push(struct expander_model *m, const uint32_t *words, unsigned n);
void xm_push_b(struct expander_model *m, uint32_t word);
/* No MOP expands and none waits. */
bool xm_mop_idle(const struct expander_model *m);
bool xm_empty(const struct expander_model *m);
/* The word at the gate; false: none. */
bool xm_head(const struct expander_model *m, uint32_t *word);
void xm_pop(struct expander_model *m);
/* One cycle passes. */
void xm_clock(struct expander_model *m);

#endif
