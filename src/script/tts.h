/*
 * tts.h - a program as text: what each core does, the state before the first cycle, and what must
 * come out. The format is described in docs/tts.md.
 *
 * Parsing allocates; nothing else here does. A parsed program is never written to again, so any
 * number of runs may share it.
 */
#ifndef WG_SCRIPT_TTS_H
#define WG_SCRIPT_TTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/timing.h"
#include "wait/wait.h"

#define TTS_CORES       4u /* T0, T1, T2, B */
#define TTS_CORE_B      3u
#define TTS_MAX_DEPTH   8u
#define TTS_MAX_REPEAT  1000000000u
#define TTS_MAX_ACTIONS 65534u
#define TTS_BUNDLE      4u
#define TTS_BOTH_BANKS  2u
#define TTS_NO_CYCLE    UINT64_MAX

struct tts_error {
    unsigned line, column; /* 1-based; 0: the whole file */
    char text[400];
};

/* A piece of the machine's state that a script can set, test or expect. */
enum tts_item_kind {
    ITEM_GPR,      /* thread, index */
    ITEM_CONFIG,   /* bank in `thread` (TTS_BOTH_BANKS: write both), index: word */
    ITEM_THCONFIG, /* thread, index */
    ITEM_SEM,      /* index */
    ITEM_MUTEX,    /* index; value: holder + 1, 0 free */
    ITEM_MOPCFG,   /* thread, index */
    ITEM_REPLAY,   /* thread, index */
    ITEM_BANK,     /* thread: 0 A, 1 B; index: bank; value: 1 Matrix Unit, 0 unpackers */
    ITEM_STREAM,   /* thread: stream; index: register */
    ITEM_ADC,      /* thread, index: user * 16 + channel * 8 + dimension (+ 4: CR copy) */
    ITEM_RWC,      /* thread, index: dst, dst_cr, srca, srca_cr, srcb, srcb_cr, fidelity */
    ITEM_ISSUED,   /* thread */
    ITEM_IDLE      /* thread */
};

struct tts_item {
    uint8_t kind, thread;
    uint16_t index;
};

/* A stretch of the machine's data: so many columns of so many rows. */
enum tts_data_kind {
    DATA_L1,    /* column: word of L1; one row */
    DATA_DST,   /* 16 bits as they lie in a physical row */
    DATA_DST32, /* 32 bits in L1 order */
    DATA_LREG,  /* row: register, column: lane */
    DATA_SRC,   /* side: 0 A, 1 B; bank; {S, M10, E8} */
    N_DATA
};

struct tts_data {
    uint8_t kind, side, bank;
    uint32_t row, n_rows, column, n_columns;
    uint32_t first, n; /* list: the values, row after row; behind the last comes the first again */
};

enum tts_compare { COMPARE_EQ, COMPARE_NE, COMPARE_LT, COMPARE_LE, COMPARE_GT, COMPARE_GE };

enum tts_action_kind {
    ACT_PUSH,        /* word[first..first+n) as one bundle */
    ACT_PUSH_B,      /* word[first] behind item.thread's MOP expander */
    ACT_MOPCFG,      /* item, value */
    ACT_SEMPOST,     /* item.index, through the window */
    ACT_SEMGET,      /* item.index, through the window */
    ACT_WRITE,       /* GPR, Config or stream: item, value */
    ACT_MOP_SYNC,    /* until the thread's MOP expander is idle */
    ACT_TENSIX_SYNC, /* until the thread is idle */
    ACT_WAIT,        /* value cycles */
    ACT_AT,          /* until cycle value; takes no cycle itself */
    ACT_WHEN,        /* until item compares with value; takes no cycle itself */
    ACT_REPEAT,      /* value times up to the matching ACT_END; takes no cycle */
    ACT_END,         /* index of its ACT_REPEAT in first; takes no cycle */
    N_ACTIONS
};

struct tts_action {
    uint8_t kind, n, compare;
    struct tts_item item;
    uint32_t first;
    uint32_t line;
    uint64_t value;
};

struct tts_preset {
    struct tts_item item;
    uint32_t line;
    uint32_t value;
    uint32_t max; /* semaphores */
};

enum tts_expect_kind {
    EXPECT_CYCLES,     /* value */
    EXPECT_DATA,       /* data: the values of all its cells */
    EXPECT_STATE,      /* item == value (semaphores: and max, if has_max) */
    EXPECT_WAITED,     /* agent, cause, owner (N_OWNERS: any) == value cycles */
    EXPECT_GO_ALL,     /* agent; cycles list[first..first+n) */
    EXPECT_GO_WORD,    /* agent dispatches word in cycle value */
    EXPECT_LABEL,      /* the nth dispatch of tag happens in cycle value */
    EXPECT_HELD,       /* tag is held by cause, owner for value cycles */
    EXPECT_DIAG,       /* diag occurs (count times if count) */
    EXPECT_DEADLOCK,   /* in cycle value, or in any: TTS_NO_CYCLE */
    EXPECT_MAX_CYCLES, /* the run reaches its limit */
};

struct tts_expect {
    uint8_t kind, agent, cause, owner, diag;
    bool has_max, has_count;
    struct tts_item item;
    struct tts_data data;
    uint16_t tag;
    uint32_t line;
    uint32_t column;
    uint32_t first, n; /* list; n also: which dispatch of a label, from 1 */
    uint32_t word, max, count;
    uint64_t value;
    char label[32]; /* as written, for messages */
};

struct tts_core {
    uint32_t first, n; /* actions */
};

struct tts_program {
    char *name;
    struct tts_core core[TTS_CORES];
    struct tts_action *action; /* by tag - 1 */
    uint32_t *word;
    struct tts_preset *preset;
    struct tts_data *fill; /* data before the first cycle */
    struct tts_expect *expect;
    uint64_t *list;
    uint32_t n_actions, n_words, n_presets, n_fills, n_expects, n_list;
    bool has_expect;      /* there is an .expect section */
    bool uses_l1;         /* some line names L1: there is one */
    bool expects_events;  /* some expectation looks at single dispatches */
    uint64_t max_cycles;  /* from the file; 0: not given */
    struct timing timing; /* the machine that the file asks for */
};

/* Reads a program. False: *error says where and what was expected; out of memory gives line 0. */
bool tts_parse(const char *text, size_t len, const char *name, struct tts_program **out,
               struct tts_error *error);
void tts_parse_free(struct tts_program *p);

/* The line of a source position, 0 if it has none. */
static inline uint32_t tts_line(const struct tts_program *p, unsigned tag)
{
    return tag && tag <= p->n_actions ? p->action[tag - 1].line : 0;
}

/* How an item is written, and how its value is; both return buf. */
const char *tts_item_text(struct tts_item item, char *buf, size_t n);
const char *tts_item_value_text(struct tts_item item, uint64_t value, char *buf, size_t n);

/* The same for a cell of data. */
const char *tts_data_text(const struct tts_data *d, uint32_t cell, char *buf, size_t n);
const char *tts_data_value_text(const struct tts_data *d, uint32_t value, char *buf, size_t n);

extern const char *const tts_sem_names[8];
extern const char *const tts_core_names[TTS_CORES];
extern const char *const tts_action_names[N_ACTIONS];
extern const char *const tts_compare_names[6];

#endif
