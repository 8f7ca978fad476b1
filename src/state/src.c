/*
 * src.c - hand-over of the SrcA and SrcB banks between unpackers and Matrix Unit.
 *
 * ISA pages: SrcASrcB, SETRWC, CLEARDVALID, SETDVALID.
 *
 * Invariant: issue_owner and issue_bank equal owner and matrix_bank once no flip is pending.
 *
 * Inaccuracies: the data and the implied format of a bank are not kept yet. That a flip is seen
 * SRC_RELEASE cycles after it goes is inferred from one public remark ("1-2 cycles").
 */
#include "state/src.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "isa/timing.h"
#include "probe/probe.h"
#include "wait/wait.h"

_Static_assert(2 * ROOM_SRC_RELEASE <= SRC_PENDING, "two flips a cycle");

void src_reset(struct src *s, const struct timing *t)
{
    memset(s, 0, sizeof *s);
    s->release = (uint8_t)t->n.SRC_RELEASE;
}

void src_set_owner(struct src *s, unsigned which, unsigned bank, unsigned owner)
{
    s->owner[which][bank] = (uint8_t)owner;
    s->issue_owner[which][bank] = (uint8_t)owner;
}

static bool src_release_pending(const struct src *s, unsigned which, unsigned bank)
{
    for (unsigned i = 0; i < s->n; i++) {
        const struct src_flip *f = &s->flip[(s->head + i) % SRC_PENDING];
        if (f->release && f->which == which && f->bank == bank)
            return true;
    }
    return false;
}

bool src_give(struct src *s, unsigned which)
{
    unsigned bank = s->unpack_bank[which];
    bool was_free = s->owner[which][bank] == SRC_UNPACKERS;
    s->owner[which][bank] = SRC_MATRIX;
    if (!src_release_pending(s, which, bank)) /* else that release comes last */
        s->issue_owner[which][bank] = SRC_MATRIX;
    s->unpack_bank[which] ^= 1;
    return was_free;
}

bool src_flip(struct src *s, unsigned which, uint64_t now, bool release, bool toggle)
{
    unsigned bank = s->issue_bank[which];
    bool owned = s->issue_owner[which][bank] == SRC_MATRIX;
    assert(s->n < SRC_PENDING); /* at most two flips a cycle, each pending SRC_RELEASE cycles */
    struct src_flip *f = &s->flip[(s->head + s->n++) % SRC_PENDING];
    *f = (struct src_flip){.due = now + s->release - 1,
                           .which = (uint8_t)which,
                           .bank = (uint8_t)bank,
                           .release = release,
                           .toggle = toggle};
    if (release)
        s->issue_owner[which][bank] = SRC_UNPACKERS;
    if (toggle)
        s->issue_bank[which] ^= 1;
    return owned || !release;
}

void src_clear(struct src *s)
{
    memset(s, 0, offsetof(struct src, format));
}

bool src_clock(struct src *s, uint64_t now, struct probe *p)
{
    bool changed = false;
    while (s->n && s->flip[s->head].due <= now) {
        const struct src_flip *f = &s->flip[s->head];
        if (f->release) {
            s->owner[f->which][f->bank] = SRC_UNPACKERS;
            probe_event(p,
                        EV_BANK,
                        OWNER_MATRIX,
                        0,
                        0,
                        (uint32_t)f->which << 8 | (uint32_t)f->bank << 4 | SRC_UNPACKERS);
        }
        if (f->toggle)
            s->matrix_bank[f->which] ^= 1;
        changed = true;
        s->head = (uint8_t)((s->head + 1u) % SRC_PENDING);
        s->n--;
    }
    return changed;
}
