/*
 * pipe_in.h - what the files of the pipeline share.
 */
#ifndef WG_ALPHA_PIPE_IN_H
#define WG_ALPHA_PIPE_IN_H

#include "alpha/pipe.h"

/* The slot stays where it is: why, and when to look again at the earliest. Always true. */
static inline bool pipe_hold(struct pipe *p, struct pipe_slot *s, unsigned cause, unsigned owner,
                             uint64_t wake)
{
    s->key = wait_key(cause, owner);
    p->wake = wake;
    return true;
}

/* The slots of the stages before this one become bubbles. */
void pipe_kill(struct pipe *p, enum pipe_stage before, unsigned cause, uint64_t culprit);

/* EX executes an instruction that has not been yet; false: it has to wait. */
bool pipe_ex_execute(struct pipe *p, struct pipe_slot *s, const struct pipe_env *e, uint64_t now);
/* MEM, for what is more than writing a register; true: held. */
bool pipe_wb_mem(struct pipe *p, struct pipe_slot *s, const struct pipe_env *e, uint64_t now);
/* WB, the same. What it did with the whole pipeline. */
enum pipe_wb { PIPE_WB_ON, PIPE_WB_HELD, PIPE_WB_FLUSHED };
enum pipe_wb pipe_wb(struct pipe *p, struct pipe_slot *s, const struct pipe_env *e, uint64_t now);

/* As many cycles as can be run without slots; returns the next. pipe_glide.c */
uint64_t pipe_glide(struct pipe *p, const struct pipe_env *e, uint64_t now, uint64_t limit);

/* An instruction retires in this cycle: the account of what was lost before ends. */
void pipe_progress(struct pipe *p, uint64_t now);

void pipe_event(const struct pipe *p, const struct pipe_env *e, enum probe_event kind,
                const struct pipe_slot *s, uint64_t now);

#endif
