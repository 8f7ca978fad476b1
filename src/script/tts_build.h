/*
 * tts_build.h - a program while it is read. Private to the parser (tts_*.c).
 */
#ifndef WG_SCRIPT_TTS_BUILD_H
#define WG_SCRIPT_TTS_BUILD_H

#include "script/tts.h"
#include "script/tts_lex.h"

/* A growing array. */
struct vec {
    void *data;
    uint32_t n, room;
};

struct tts_label {
    struct lex_text name;
    uint32_t line, column;
    uint32_t index; /* action within its core */
    uint8_t core;
};

struct build_core {
    struct vec actions;
    uint32_t open[TTS_MAX_DEPTH]; /* index of each open .repeat */
    bool spends[TTS_MAX_DEPTH];   /* something in its body takes a cycle */
    unsigned depth;
};

enum build_section { SECTION_NONE, SECTION_CORE, SECTION_PRESET, SECTION_EXPECT };

struct build {
    struct lex l;
    enum build_section section;
    uint8_t core;
    uint32_t n_actions;
    struct build_core cores[TTS_CORES];
    struct vec words, presets, fills, expects, list, labels;
    uint32_t first_unbound; /* labels from here on wait for their action */
    bool has_expect, uses_l1;
    uint64_t max_cycles;
    struct timing timing;
};

/* Room for one more element of this size; NULL, with an error noted, if there is none. */
void *tts_parse_add(struct build *b, struct vec *v, size_t size);

/* Adds an action with a value, or a push of one word, to the core at hand. */
bool tts_parse_add_value(struct build *b, unsigned kind, struct tts_item item, uint32_t value);
bool tts_parse_add_push(struct build *b, unsigned kind, struct tts_item item, uint32_t word);

/* store ADDRESS = VALUE, and the item behind `load ADDRESS`: tts_store.c. */
bool tts_store_line(struct build *b);
bool tts_store_load_item(struct build *b, struct tts_item *item);

/* One line of each kind of section. */
bool tts_parse_core(struct build *b);
bool tts_expect_preset(struct build *b);
bool tts_expect_line(struct build *b);
/* All labels that expectations name; after the last line. */
bool tts_expect_resolve_labels(struct build *b, struct tts_program *p);

/* With the kinds below: data may stand there as well, for the message. */
#define TTS_OR_DATA (1u << 31)
/* The word for a kind of data. */
const char *tts_data_name(unsigned kind);

/* A piece of state: what it is ... (kinds: mask of 1 << enum tts_item_kind that fit here) */
bool tts_item(struct lex *l, uint32_t kinds, struct tts_item *out);
/* ... and its value, in the notation of that piece. */
bool tts_item_value(struct lex *l, struct tts_item item, uint32_t *out);

/* Does a stretch of data come next? ... */
bool tts_data_next(struct lex *l);
/* ... Then it is read, with = and its values; preset: it is to be set. tts_data.c. */
bool tts_data(struct build *b, bool preset, struct tts_data *out);

#endif
