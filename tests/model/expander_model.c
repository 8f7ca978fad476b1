/*
 * expander_model.c - see expander_model.h. The numbers in comments are rules of docs/timing.md.
 */
#include "model/expander_model.h"

#include <stddef.h>
#include <string.h>

enum { OP_MOP = 0x01, OP_NOP = 0x02, OP_MOP_CFG = 0x03, OP_REPLAY = 0x04, OP_RESOURCEDECL = 0x05 };

static unsigned opcode(uint32_t word)
{
    return word >> 24;
}

static bool is_nop(uint32_t word)
{
    return opcode(word) == OP_NOP;
}

static void append(struct xm_queue *q, uint32_t word, bool entry)
{
    q->at[q->n].word = word;
    q->at[q->n].entry = entry;
    q->n++;
}

static struct xm_word take(struct xm_queue *q)
{
    struct xm_word first = q->at[0];
    q->n--;
    memmove(&q->at[0], &q->at[1], q->n * sizeof q->at[0]);
    return first;
}

void xm_reset(struct expander_model *m)
{
    memset(m, 0, offsetof(struct expander_model, list));
}

/* ---- what a MOP stands for ---- */

static unsigned expand_mask_loop(uint32_t mask, unsigned rounds, const uint32_t cfg[9],
                                 uint32_t *out)
{
    bool has_b = cfg[1] & 1, has_a123 = cfg[1] & 2;
    unsigned n = 0;
    for (unsigned i = 0; i < rounds; i++) {
        bool skip = i < 32 && (mask >> i & 1);
        if (skip) {
            out[n++] = cfg[7];
        } else {
            out[n++] = cfg[3];
            for (unsigned a = 4; has_a123 && a <= 6; a++)
                out[n++] = cfg[a];
        }
        if (has_b)
            out[n++] = skip ? cfg[8] : cfg[2];
    }
    return n;
}

static unsigned expand_double_loop(const uint32_t cfg[9], uint32_t *out)
{
    unsigned outer = cfg[0] & 127, inner = cfg[1] & 127, n = 0;
    uint32_t start = cfg[2], end0 = cfg[3], end1 = cfg[4];
    bool alternate = !is_nop(cfg[6]), odd = false;
    if (alternate)
        inner *= 2;
    if (outer == 1 && inner == 0 && is_nop(start) && !is_nop(end0))
        outer = 129; /* the hardware's bug */
    for (unsigned j = 1; j <= outer; j++) {
        if (!is_nop(start))
            out[n++] = start;
        for (unsigned i = 1; i <= inner; i++) {
            if (i < inner)
                out[n++] = alternate && odd ? cfg[6] : cfg[5];
            else
                out[n++] = j < outer ? cfg[8] : cfg[7];
            odd = !odd;
        }
        if (is_nop(end0))
            continue;
        out[n++] = end0;
        if (!is_nop(end1))
            out[n++] = end1;
    }
    return n;
}

unsigned xm_expand(uint32_t mop, uint32_t mask_hi, const uint32_t cfg[9], uint32_t *out)
{
    if (mop >> 23 & 1)
        return expand_double_loop(cfg, out);
    return expand_mask_loop(mask_hi << 16 | (mop & 0xffff), (mop >> 16 & 127) + 1, cfg, out);
}

/* ---- ports ---- */

bool xm_can_push(const struct expander_model *m)
{
    return m->tracked <= 28;
}

bool xm_push(struct expander_model *m, const uint32_t *words, unsigned n)
{
    if (!xm_can_push(m))
        return false;
    memcpy(m->push, words, n * sizeof *words);
    m->n_push = n;
    return true;
}

void xm_push_b(struct expander_model *m, uint32_t word)
{
    m->b_wants = true;
    m->b_word = word;
}

bool xm_mop_idle(const struct expander_model *m)
{
    for (unsigned i = 0; i < m->q1.n; i++)
        if (opcode(m->q1.at[i].word) == OP_MOP)
            return false;
    return !m->expanding;
}

bool xm_empty(const struct expander_model *m)
{
    return !m->q1.n && !m->q2.n && !m->q3.n && !m->expanding && m->mode != XM_PLAY;
}

bool xm_head(const struct expander_model *m, uint32_t *word)
{
    *word = m->q3.n ? m->q3.at[0].word : 0;
    return m->q3.n > 0;
}

void xm_pop(struct expander_model *m)
{
    m->pop = true;
}

/* ---- a cycle ---- */

/* The MOP expander; true if it gives *out. */
static bool mop_cycle(struct expander_model *m, bool room, struct xm_word *out)
{
    bool dead = m->after_mop;
    m->after_mop = false;
    if (!m->expanding) {
        if (!m->q1.n)
            return false; /* 2.9: also spends the dead cycle */
        unsigned op = opcode(m->q1.at[0].word);
        if (dead && op != OP_MOP)
            return false; /* 2.9 */
        if (op == OP_MOP_CFG) {
            struct xm_word w = take(&m->q1); /* 2.7 */
            m->mask_hi = w.word & 0xffff;
            m->tracked -= w.entry;
            return false;
        }
        if (op != OP_MOP) {
            if (room)
                *out = take(&m->q1); /* 2.6 */
            return room;
        }
        unsigned n = xm_expand(m->q1.at[0].word, m->mask_hi, m->cfg, m->list);
        if (n && !room)
            return false;
        struct xm_word w = take(&m->q1); /* 2.8 */
        if (!n) {
            m->tracked -= w.entry;
            m->after_mop = true;
            return false;
        }
        m->expanding = true;
        m->parent_entry = w.entry;
        m->next = 0;
        m->n_list = n;
    }
    if (!room)
        return false;
    bool last = m->next + 1 == m->n_list;
    out->word = m->list[m->next++];
    out->entry = last && m->parent_entry; /* 2.18 */
    m->expanding = !last;
    m->after_mop = last;
    return true;
}

/* The Replay expander; true if it gives *out. */
static bool replay_cycle(struct expander_model *m, bool room, struct xm_word *out)
{
    if (m->mode == XM_PASS && m->q2.n && opcode(m->q2.at[0].word) == OP_REPLAY) {
        uint32_t word = m->q2.at[0].word;
        bool load = word & 1;
        if (!load && !room)
            return false;
        struct xm_word w = take(&m->q2);
        m->left = word >> 4 & 63 ? word >> 4 & 63 : 64;
        m->index = word >> 14 & 31;
        if (load) { /* 2.15 */
            m->mode = word & 2 ? XM_RECORD_EXEC : XM_RECORD;
            m->tracked -= w.entry;
            return false;
        }
        m->mode = XM_PLAY; /* 2.14 */
        m->replay_entry = w.entry;
    }
    if (m->mode == XM_PLAY) {
        if (!room)
            return false;
        m->left--;
        out->word = m->buffer[m->index];
        out->entry = m->left == 0 && m->replay_entry;
        m->index = (m->index + 1) % 32;
        if (m->left == 0)
            m->mode = XM_PASS;
        return true;
    }
    if (!m->q2.n)
        return false;
    if (m->mode != XM_RECORD && !room)
        return false;
    struct xm_word w = take(&m->q2);
    bool swallowed = m->mode == XM_RECORD;
    if (m->mode != XM_PASS) {
        m->buffer[m->index] = w.word;
        m->index = (m->index + 1) % 32;
        if (--m->left == 0)
            m->mode = XM_PASS;
    }
    if (swallowed) {
        m->tracked -= w.entry;
        return false;
    }
    *out = w;
    return true;
}

void xm_clock(struct expander_model *m)
{
    bool room2 = m->q2.n < 8, room3 = m->q3.n < 2; /* 2.2 */
    struct xm_word to2 = {0}, to3 = {0};
    if (m->pop)
        m->tracked -= take(&m->q3).entry;
    bool gave3 = replay_cycle(m, room3, &to3);
    bool gave2 = mop_cycle(m, room2, &to2);
    if (gave3)
        append(&m->q3, to3.word, to3.entry);
    m->b_taken = m->b_wants && room2;
    if (m->b_taken)
        append(&m->q2, m->b_word, false);
    if (gave2 && m->b_taken) { /* 2.11 */
        m->lost++;
        m->tracked -= to2.entry;
    } else if (gave2) {
        append(&m->q2, to2.word, to2.entry);
    }
    for (unsigned i = 0; i < m->n_push; i++) {
        if (opcode(m->push[i]) == OP_RESOURCEDECL)
            continue; /* 2.4 */
        append(&m->q1, m->push[i], true);
        m->tracked++;
    }
    m->n_push = 0;
    m->pop = m->b_wants = false;
}
