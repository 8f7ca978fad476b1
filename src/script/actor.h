/*
 * actor.h - the scripted core: walks through its actions, at most one a cycle, and uses nothing but
 * the ports of coproc.h.
 *
 * Per cycle: actor_act() before coproc_step(), actor_after() behind it. Rules: docs/timing.md 5.
 */
#ifndef WG_SCRIPT_ACTOR_H
#define WG_SCRIPT_ACTOR_H

#include "coproc/coproc.h"
#include "script/tts.h"

struct actor {
    uint8_t core; /* 0..2: T0..T2; TTS_CORE_B */
    uint8_t depth;
    bool done;
    bool asked;                   /* a request stands at a port that answers after the cycle */
    uint8_t cause;                /* enum wait_cause of this cycle; PROGRESS if it acted */
    uint8_t owner;                /* enum wait_owner it waits for */
    uint16_t tag;                 /* source position of what it tries in this cycle, 0: nothing */
    uint32_t pc;                  /* action within the core's script */
    uint64_t since;               /* first cycle of the present wait */
    uint64_t until;               /* ACT_WAIT in progress: first cycle after it; 0: none */
    uint64_t left[TTS_MAX_DEPTH]; /* rounds still to come of each open .repeat */
};

void actor_reset(struct actor *a, unsigned core, const struct tts_program *p);
/* First half of a cycle: asks or acts. */
void actor_act(struct actor *a, const struct tts_program *p, struct coproc *cp);
/* Second half: takes the answers and books cycle `now`. True if the core did something. */
bool actor_after(struct actor *a, const struct tts_program *p, struct coproc *cp, uint64_t now);
/* First cycle in which it can act although the tile does not change; COPROC_NEVER if none. */
uint64_t actor_quiet_until(const struct actor *a, const struct tts_program *p);
/* It acted in the last cycle, and its next action is a push that cannot be taken now. */
bool actor_blocks(const struct actor *a, const struct tts_program *p, const struct coproc *cp);
/* First cycle in which the core may act although the tile only runs bursts; 0: at once. */
uint64_t actor_rests_until(const struct actor *a, const struct tts_program *p,
                           const struct coproc *cp);
/* The source position it stands at, 0 if it is done. */
unsigned actor_tag(const struct actor *a, const struct tts_program *p);

static inline unsigned actor_agent(const struct actor *a)
{
    return a->core == TTS_CORE_B ? OWNER_CORE_B : OWNER_CORE_T0 + a->core;
}

#endif
