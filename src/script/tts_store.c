/*
 * tts_store.c - `store ADDRESS = VALUE` and `when load ADDRESS ...`: what a core does, written as
 * the access it really makes. The address map (src/tile/map.def) says what that is; what this core
 * cannot reach is an error that says who can.
 */
#include "script/tts_build.h"
#include "tile/map.h"

static const char *const core_names[N_MAP_CORES] = {"T0", "T1", "T2", "B", "NC", "NoC"};

static bool tts_address(struct build *b, unsigned access, struct map_hit *hit)
{
    struct lex *l = &b->l;
    uint64_t address;
    if (!tts_lex_number(l, UINT32_MAX, "an address", &address))
        return false;
    if (address & 3)
        return tts_lex_fail(l, "0x%08X is not a multiple of four", (unsigned)address);
    *hit = map_find(b->core, (uint32_t)address);
    const struct map_info *m = &map_table[hit->region];
    if (!hit->region)
        return tts_lex_fail(
            l, "core %s reaches nothing at 0x%08X", core_names[b->core], (unsigned)address);
    if (!(m->access & access))
        return tts_lex_fail(l,
                            "core %s cannot %s 0x%08X: %s",
                            core_names[b->core],
                            access == MAP_READ ? "load" : "store to",
                            (unsigned)address,
                            m->text);
    return true;
}

static bool cannot(struct lex *l, const struct map_hit *hit)
{
    return tts_lex_fail(l, "not modelled in programs yet: %s", map_table[hit->region].text);
}

/* The action that a store amounts to. */
bool tts_store_line(struct build *b)
{
    struct lex *l = &b->l;
    struct map_hit hit = {0};
    uint32_t value;
    if (!tts_address(b, MAP_WRITE, &hit) || !tts_lex_expect_char(l, '=') ||
        !tts_lex_instruction(l, &value))
        return false;
    struct tts_item item = {0, hit.thread, hit.index};
    switch (hit.region) {
    case MAP_PUSH: return tts_parse_add_push(b, ACT_PUSH, item, value);
    case MAP_PUSH_B: return tts_parse_add_push(b, ACT_PUSH_B, item, value);
    case MAP_MOP_CFG:
        item.kind = ITEM_MOPCFG;
        return tts_parse_add_value(b, ACT_MOPCFG, item, value);
    case MAP_SEM:
        item.kind = ITEM_SEM;
        return tts_parse_add_value(b, value & 1 ? ACT_SEMGET : ACT_SEMPOST, item, value);
    case MAP_GPR:
    case MAP_GPR_ALL: item.kind = ITEM_GPR; return tts_parse_add_value(b, ACT_WRITE, item, value);
    case MAP_CONFIG: item.kind = ITEM_CONFIG; return tts_parse_add_value(b, ACT_WRITE, item, value);
    case MAP_TTSYNC_THREAD: return tts_parse_add_value(b, ACT_TENSIX_SYNC, item, value);
    case MAP_TTSYNC_MOP: return tts_parse_add_value(b, ACT_MOP_SYNC, item, value);
    default: return cannot(l, &hit);
    }
}

/* The piece of state that a load reads. */
bool tts_store_load_item(struct build *b, struct tts_item *item)
{
    struct map_hit hit = {0};
    if (!tts_address(b, MAP_READ, &hit))
        return false;
    *item = (struct tts_item){0, hit.thread, hit.index};
    switch (hit.region) {
    case MAP_SEM: item->kind = ITEM_SEM; return true;
    case MAP_GPR:
    case MAP_GPR_ALL: item->kind = ITEM_GPR; return true;
    case MAP_CONFIG:
        item->kind = ITEM_CONFIG;
        item->thread = (uint8_t)(hit.thread == TTS_BOTH_BANKS ? 0 : hit.thread);
        return true;
    default: return cannot(&b->l, &hit);
    }
}
