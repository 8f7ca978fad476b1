/*
 * tts_item.c - pieces of state as they are written in presets, actions, conditions and
 * expectations.
 */
#include <stdio.h>

#include "front/mop.h"
#include "front/replay.h"
#include "front/sync.h"
#include "isa/tensix_dis.h"
#include "script/tts_build.h"
#include "state/config.h"
#include "state/gpr.h"
#include "state/stream.h"

static const char *const item_names[] = {
    [ITEM_GPR] = "gpr",
    [ITEM_CONFIG] = "config",
    [ITEM_THCONFIG] = "thconfig",
    [ITEM_SEM] = "sem",
    [ITEM_MUTEX] = "mutex",
    [ITEM_MOPCFG] = "mopcfg",
    [ITEM_REPLAY] = "replay",
    [ITEM_BANK] = "bank",
    [ITEM_STREAM] = "stream",
    [ITEM_ADC] = "adc",
    [ITEM_RWC] = "rwc",
    [ITEM_ISSUED] = "issued",
    [ITEM_IDLE] = "idle",
};

#define N_ITEMS (sizeof item_names / sizeof item_names[0])

/* Words that pick a counter: one from each group, the last group running fastest. */
struct word_group {
    const char *what;
    unsigned n;
    const char *name[8];
};

static const struct word_group adc_words[] = {
    {"unpack0, unpack1 or pack", 3, {"unpack0", "unpack1", "pack"}},
    {"ch0 or ch1", 2, {"ch0", "ch1"}},
    {"x, y, z, w, x_cr, y_cr, z_cr or w_cr",
     8,
     {"x", "y", "z", "w", "x_cr", "y_cr", "z_cr", "w_cr"}},
};
static const struct word_group rwc_words[] = {
    {"dst, dst_cr, srca, srca_cr, srcb, srcb_cr or fidelity",
     7,
     {"dst", "dst_cr", "srca", "srca_cr", "srcb", "srcb_cr", "fidelity"}},
};

static const struct word_group *item_groups(unsigned kind, unsigned *n)
{
    *n = kind == ITEM_ADC ? 3 : 1;
    return kind == ITEM_ADC ? adc_words : rwc_words;
}

static unsigned item_limit(unsigned kind)
{
    switch (kind) {
    case ITEM_GPR: return GPR_COUNT;
    case ITEM_CONFIG: return CONFIG_WORDS;
    case ITEM_THCONFIG: return CONFIG_THREAD_WORDS;
    case ITEM_MUTEX: return SYNC_MUTEXES;
    case ITEM_MOPCFG: return MOP_CFG_WORDS;
    case ITEM_REPLAY: return REPLAY_SLOTS;
    case ITEM_STREAM: return STREAM_REGS;
    default: return 1;
    }
}

static bool fail_kinds(struct lex *l, uint32_t kinds)
{
    char text[200] = "", buf[24];
    size_t n = 0;
    for (unsigned i = 0; i < N_ITEMS; i++)
        if (kinds >> i & 1)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? ", " : "", item_names[i]);
    for (unsigned i = 0; kinds & TTS_OR_DATA && i < N_DATA; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, ", %s", tts_data_name(i));
    return tts_lex_fail(l, "expected one of %s; found %s", text, tts_lex_found(l, buf));
}

static bool item_number(struct lex *l, uint64_t limit, const char *what, uint16_t *out)
{
    uint64_t value;
    if (!tts_lex_number(l, limit - 1, what, &value))
        return false;
    *out = (uint16_t)value;
    return true;
}

static bool item_small(struct lex *l, uint64_t limit, const char *what, uint8_t *out)
{
    uint16_t value;
    if (!item_number(l, limit, what, &value))
        return false;
    *out = (uint8_t)value;
    return true;
}

/* adc T0 unpack0 ch1 x; rwc T1 dst: the words make up the index. */
static bool item_words(struct lex *l, struct tts_item *item)
{
    unsigned index = 0, groups;
    const struct word_group *group = item_groups(item->kind, &groups);
    for (unsigned g = 0; g < groups; g++) {
        int i = tts_lex_name(l, group[g].name, group[g].n);
        if (i < 0)
            return tts_lex_fail(l, "expected %s", group[g].what);
        index = index * group[g].n + (unsigned)i;
    }
    item->index = (uint16_t)index;
    return true;
}

static bool item_bank(struct lex *l, struct tts_item *item)
{
    static const char *const sides[] = {"A", "B"};
    int side = tts_lex_name(l, sides, 2);
    if (side < 0)
        return tts_lex_fail(l, "expected A or B");
    item->thread = (uint8_t)side;
    return item_number(l, 2, "a bank", &item->index);
}

/* 0, 1, or both where something is written. */
static bool item_config_bank(struct lex *l, uint8_t *out)
{
    if (tts_lex_accept_word(l, "both")) {
        *out = TTS_BOTH_BANKS;
        return true;
    }
    return item_small(l, 2, "a Config bank", out);
}

bool tts_item(struct lex *l, uint32_t kinds, struct tts_item *out)
{
    *out = (struct tts_item){0};
    const char *at = l->p;
    int kind = tts_lex_name(l, item_names, N_ITEMS);
    if (kind < 0 || !(kinds >> kind & 1)) {
        l->p = at;
        return fail_kinds(l, kinds);
    }
    out->kind = (uint8_t)kind;
    unsigned limit = item_limit(out->kind);
    switch (kind) {
    case ITEM_GPR:
        return tts_lex_thread(l, &out->thread) && item_number(l, limit, "a GPR", &out->index);
    case ITEM_CONFIG:
        return item_config_bank(l, &out->thread) &&
               item_number(l, limit, "a Config word", &out->index);
    case ITEM_THCONFIG:
        return tts_lex_thread(l, &out->thread) &&
               item_number(l, limit, "a ThreadConfig word", &out->index);
    case ITEM_SEM: return tts_lex_sem(l, &out->index);
    case ITEM_MUTEX:
        return item_number(l, limit, "a mutex", &out->index) &&
               (sync_mutex_valid(out->index) ||
                tts_lex_fail(l, "there is no mutex %u", out->index));
    case ITEM_MOPCFG:
        return tts_lex_thread(l, &out->thread) && item_number(l, limit, "an index", &out->index);
    case ITEM_REPLAY:
        return tts_lex_thread(l, &out->thread) && item_number(l, limit, "a slot", &out->index);
    case ITEM_BANK: return item_bank(l, out);
    case ITEM_STREAM:
        return item_small(l, STREAM_COUNT, "a stream", &out->thread) &&
               item_number(l, limit, "a stream register", &out->index);
    case ITEM_ADC:
    case ITEM_RWC: return tts_lex_thread(l, &out->thread) && item_words(l, out);
    default: return tts_lex_thread(l, &out->thread);
    }
}

bool tts_item_value(struct lex *l, struct tts_item item, uint32_t *out)
{
    static const char *const clients[] = {"unpackers", "matrix"};
    static const char *const holders[] = {"free", "T0", "T1", "T2"};
    uint64_t value;
    int i;
    switch (item.kind) {
    case ITEM_MOPCFG:
    case ITEM_REPLAY: return tts_lex_instruction(l, out);
    case ITEM_BANK:
        i = tts_lex_name(l, clients, 2);
        *out = (uint32_t)i;
        return i >= 0 || tts_lex_fail(l, "expected unpackers or matrix");
    case ITEM_MUTEX:
        i = tts_lex_name(l, holders, 4);
        *out = (uint32_t)i;
        return i >= 0 || tts_lex_fail(l, "expected free, T0, T1 or T2");
    default: break;
    }
    if (!tts_lex_number(l, item.kind == ITEM_SEM ? 15 : UINT32_MAX, "a value", &value))
        return false;
    *out = (uint32_t)value;
    return true;
}

const char *tts_item_text(struct tts_item item, char *buf, size_t n)
{
    const char *name = item_names[item.kind];
    switch (item.kind) {
    case ITEM_CONFIG:
        if (item.thread == TTS_BOTH_BANKS) {
            snprintf(buf, n, "%s both %u", name, item.index);
            break;
        }
        /* fall through */
    case ITEM_STREAM: snprintf(buf, n, "%s %u %u", name, item.thread, item.index); break;
    case ITEM_SEM: snprintf(buf, n, "%s %s", name, tts_sem_names[item.index & 7]); break;
    case ITEM_MUTEX: snprintf(buf, n, "%s %u", name, item.index); break;
    case ITEM_BANK: snprintf(buf, n, "%s %c %u", name, "AB"[item.thread & 1], item.index); break;
    case ITEM_ISSUED:
    case ITEM_IDLE: snprintf(buf, n, "%s T%u", name, item.thread); break;
    case ITEM_ADC:
        snprintf(buf,
                 n,
                 "%s T%u %s %s %s",
                 name,
                 item.thread,
                 adc_words[0].name[item.index / 16],
                 adc_words[1].name[item.index / 8 % 2],
                 adc_words[2].name[item.index % 8]);
        break;
    case ITEM_RWC:
        snprintf(buf, n, "%s T%u %s", name, item.thread, rwc_words[0].name[item.index]);
        break;
    default: snprintf(buf, n, "%s T%u %u", name, item.thread, item.index); break;
    }
    return buf;
}

const char *tts_item_value_text(struct tts_item item, uint64_t value, char *buf, size_t n)
{
    if (item.kind == ITEM_BANK)
        snprintf(buf, n, "%s", value ? "matrix" : "unpackers");
    else if (item.kind == ITEM_MUTEX && !value)
        snprintf(buf, n, "free");
    else if (item.kind == ITEM_MUTEX)
        snprintf(buf, n, "T%u", (unsigned)value - 1);
    else if (item.kind == ITEM_MOPCFG || item.kind == ITEM_REPLAY)
        tensix_dis_text((uint32_t)value, 0, buf, n);
    else if (value > 9 && item.kind != ITEM_ISSUED && item.kind != ITEM_SEM)
        snprintf(buf, n, "%llu (0x%llx)", (unsigned long long)value, (unsigned long long)value);
    else
        snprintf(buf, n, "%llu", (unsigned long long)value);
    return buf;
}
