/*
 * waitgate.h - the public interface of libwaitgate, a cycle-level emulator of the Tenstorrent
 * Blackhole Tensix tile.
 *
 * The library never prints, exits, or changes signals or the environment. Functions that can fail
 * return enum waitgate_status. There are no globals: any number of threads may call the functions
 * below at the same time. Structures are filled up to the size the caller gives, so that fields can
 * be added at their ends; strings handed out live as long as the library is loaded.
 */
#ifndef WAITGATE_H
#define WAITGATE_H

#include <stddef.h>
#include <stdint.h>

#define WAITGATE_VERSION_MAJOR 0
#define WAITGATE_VERSION_MINOR 1
#define WAITGATE_VERSION_PATCH 0
#define WAITGATE_VERSION       "0.1.0"

#if defined(__GNUC__)
#define WAITGATE_API __attribute__((visibility("default")))
#else
#define WAITGATE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status ---- */

/*
 * Null pointers, and numbers that name nothing, are mistakes that the library survives: functions with a status
 * say WAITGATE_ERROR_ARGUMENT or WAITGATE_ERROR_RANGE, the others give 0 or do nothing.
 */

/* Values are never re-used. */
enum waitgate_status {
    WAITGATE_OK = 0,
    WAITGATE_EMPTY = 1,          /* the text holds no instruction, only space or a comment */
    WAITGATE_ERROR_ARGUMENT = 2, /* a null pointer or a flag that does not exist */
    WAITGATE_ERROR_RANGE = 3,    /* no such row; a word that has no such form */
    WAITGATE_ERROR_SYNTAX = 4,   /* text that is not an instruction or a program */
    WAITGATE_ERROR_MEMORY = 5,   /* no memory */
    WAITGATE_ERROR_INTERNAL = 6  /* a check of the emulator on itself failed: please report */
};

/* The version of the library, which may differ from the header's: "0.1.0". */
WAITGATE_API const char *waitgate_version(void);

/* A status in words; never NULL. */
WAITGATE_API const char *waitgate_status_text(enum waitgate_status status);

/* ---- instructions as text ---- */

/* Where a text is wrong and what was expected there. */
struct waitgate_text_error {
    unsigned column; /* 1-based */
    char message[320];
};

/*
 * Assemble one instruction in the vendor's syntax: "ttstallwait 128, 1", or by name: "ttstallwait
 * STALL_CFG, THCON". text need not end in NUL. error may be NULL.
 */
WAITGATE_API enum waitgate_status waitgate_assemble(const char *text, size_t length, uint32_t *word,
                                                    struct waitgate_text_error *error);

#define WAITGATE_DISASSEMBLE_SYMBOLIC 0x1u /* masks and semaphores by name */

/*
 * Write a word as text, cut to size and ended by NUL. Returns the length of the whole text without
 * the NUL. Any word has a text and waitgate_assemble takes all of them back.
 */
WAITGATE_API size_t waitgate_disassemble(uint32_t word, uint32_t flags, char *text, size_t size);

/*
 * The form of a word inside RISC-V code (.ttinsn: rotated left by two), and back.
 * WAITGATE_ERROR_RANGE: words from 0xC0000000 up have no such form.
 */
WAITGATE_API enum waitgate_status waitgate_ttinsn_encode(uint32_t word, uint32_t *ttinsn);
WAITGATE_API enum waitgate_status waitgate_ttinsn_decode(uint32_t ttinsn, uint32_t *word);

/* ---- tables ---- */

/* How well a number is known. */
enum waitgate_evidence {
    WAITGATE_DOCUMENTED = 0, /* the ISA documents or the vendor's headers state it */
    WAITGATE_MEASURED = 1,   /* published measurement on silicon */
    WAITGATE_INFERRED = 2,   /* follows from documented or measured facts */
    WAITGATE_GUESSED = 3     /* no public source */
};

WAITGATE_API const char *waitgate_evidence_text(enum waitgate_evidence evidence);

#define WAITGATE_UNBOUNDED 65535u /* a maximum when there is none */

struct waitgate_cost {
    unsigned min, typ,
        max; /* cycles; a machine has typ unless it is given another value: struct waitgate_setting */
    enum waitgate_evidence evidence;
    const char *source;
};

/* What a number can be set to. */
struct waitgate_limits {
    unsigned lowest,
        highest; /* the model has room for these; highest 0: it is structural, and cannot be set */
    const char
        *follows; /* the number that it follows and that can be set in its stead; NULL: none */
};

struct waitgate_insn {
    const char *name; /* "STALLWAIT" */
    const char *text; /* what it does */
    const char *unit; /* "Sync"; "none" if it never reaches the Wait Gate */
    unsigned opcode;
    unsigned block_mask;          /* bits of a block mask that hold it; 0x1ff: any of the nine */
    int resource_class;           /* Auto TTSync class 0..15, -1 for none */
    int described;                /* 0: no public description, entries are inferred */
    unsigned n_fields;            /* rows of waitgate_insn_field */
    uint32_t field_mask;          /* bits that belong to a field */
    struct waitgate_cost issue;   /* cycles until the unit takes the next one */
    struct waitgate_cost latency; /* cycles from the gate to the result, or to idle */
    struct waitgate_limits issue_limits, latency_limits;
};

struct waitgate_field {
    const char *name;
    const char *text;
    unsigned lo, width; /* bits lo .. lo + width - 1 */
    int hidden;         /* the vendor's syntax has no operand for it: written name=value */
};

/* A depth, lag or rate that is not the cost of one instruction. */
struct waitgate_timing {
    const char *name;
    const char *text;
    struct waitgate_cost cost;
    struct waitgate_limits limits;
};

/*
 * Row by row from 0 until WAITGATE_ERROR_RANGE; instructions by ascending opcode, fields from bit 0
 * up. size is sizeof of the structure.
 */
WAITGATE_API enum waitgate_status waitgate_insn_get(unsigned row, struct waitgate_insn *insn,
                                                    size_t size);
WAITGATE_API enum waitgate_status waitgate_insn_field(unsigned opcode, unsigned row,
                                                      struct waitgate_field *field, size_t size);
WAITGATE_API enum waitgate_status waitgate_timing_get(unsigned row, struct waitgate_timing *timing,
                                                      size_t size);

/*
 * A number that a machine is to have instead of the typical one when it runs clocked; untimed, none of them counts. name: a row of
 * waitgate_timing_get(), or an instruction's cost: "MVMUL.latency", "MVMUL.issue". The value must be within minimum and
 * maximum, or, if it is forced, within what the model has room for (struct waitgate_limits).
 */
struct waitgate_setting {
    const char *name;
    uint32_t value;
    int forced;
};

/* Can it be? WAITGATE_ERROR_RANGE: no; then error, which may be NULL, says why. */
WAITGATE_API enum waitgate_status waitgate_timing_check(const struct waitgate_setting *setting,
                                                        struct waitgate_text_error *error);

/* ---- running programs ---- */

/*
 * A program is a text in the .tts format (docs/tts.md). It is parsed once and can be run any number
 * of times, also at the same time by several threads. It must live as long as its results.
 */
typedef struct waitgate_program waitgate_program;
typedef struct waitgate_result waitgate_result;

/* Where a program is wrong and what was expected there. */
struct waitgate_parse_error {
    unsigned line, column; /* 1-based; 0: the program as a whole */
    char message[400];
};

/* text need not end in NUL. name stands in front of line numbers in reports. error may be NULL. */
WAITGATE_API enum waitgate_status waitgate_program_parse(const char *text, size_t length,
                                                         const char *name,
                                                         waitgate_program **program,
                                                         struct waitgate_parse_error *error);
WAITGATE_API void waitgate_program_free(waitgate_program *program);

/*
 * Takes a piece of text; it need not end in NUL. A function that cannot keep what it is given remembers that in its context, and
 * interrupts the run that is traced, which then ends: waitgate_options.interrupt, waitgate_tile_interrupt(),
 * waitgate_alpha_interrupt().
 */
typedef void waitgate_write(void *context, const char *text, size_t length);

/* Kinds of diagnostics, as bits of a mask. */
#define WAITGATE_UNDEFINED  0x01u /* the documents call it undefined */
#define WAITGATE_CONTRACT   0x02u /* works in a way that software must not rely on */
#define WAITGATE_HAZARD     0x04u /* a stale or lost value */
#define WAITGATE_UNMODELLED 0x08u /* not carried out */
#define WAITGATE_NOTE       0x10u /* legal, probably not meant */

struct waitgate_options {
    size_t size;           /* sizeof(struct waitgate_options) */
    uint64_t max_cycles;   /* 0: the program's own limit, or ten million */
    int no_skip;           /* walk through idle stretches instead of jumping over them */
    unsigned stop_on;      /* kinds of diagnostics that end the run */
    unsigned ignore;       /* kinds of diagnostics that are not even counted */
    waitgate_write *trace; /* one line per event (docs/trace-format.md); NULL: none */
    void *trace_context;
    const volatile int *interrupt; /* the run ends soon after this is not 0; NULL: it does not */
    const struct waitgate_setting
        *settings; /* numbers of the machine; WAITGATE_ERROR_RANGE if one cannot be */
    size_t n_settings;
};

#define WAITGATE_OPTIONS_INIT                                                                      \
    {                                                                                              \
        sizeof(struct waitgate_options), 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0                     \
    }

/* How a run ended. Values are never re-used. */
enum waitgate_end {
    WAITGATE_END_DONE = 0,       /* all scripts are over and the tile is idle */
    WAITGATE_END_DEADLOCK = 1,   /* something is held and nothing can change */
    WAITGATE_END_LIMIT = 2,      /* max_cycles was reached */
    WAITGATE_END_STOPPED = 3,    /* a diagnostic named by stop_on */
    WAITGATE_END_INTERRUPTED = 4 /* the caller's word, see waitgate_options */
};

/*
 * Run a program on a tile after reset. options may be NULL. Nothing is allocated per cycle. If options->size ends inside a field,
 * that field counts as absent. WAITGATE_ERROR_ARGUMENT: it is less than the size itself.
 */
WAITGATE_API enum waitgate_status waitgate_run(const waitgate_program *program,
                                               const struct waitgate_options *options,
                                               waitgate_result **result);
WAITGATE_API void waitgate_result_free(waitgate_result *result);

WAITGATE_API enum waitgate_end waitgate_result_end(const waitgate_result *result);
/* The program itself expects this end: a deadlock, or the limit. */
WAITGATE_API int waitgate_result_end_expected(const waitgate_result *result);
/* Cycles that were run; a deadlock became certain in the last of them. */
WAITGATE_API uint64_t waitgate_result_cycles(const waitgate_result *result);
/* Cycles that were jumped over because nothing could change in them. */
WAITGATE_API uint64_t waitgate_result_skipped(const waitgate_result *result);
/* Instructions that left the gate of thread 0..2. */
WAITGATE_API uint64_t waitgate_result_issued(const waitgate_result *result, unsigned thread);
/* Diagnostics of these kinds that were raised. */
WAITGATE_API uint64_t waitgate_result_diagnostics(const waitgate_result *result, unsigned kinds);

/* Where the cycles of an agent (a thread, a core, a unit) went. */
struct waitgate_ledger {
    const char *agent; /* "T0", "core B", "Matrix Unit" */
    const char *cause; /* "progress", "idle", "C4-math" */
    const char *text;  /* the cause in words */
    const char *owner; /* who has to clear it; "-" if nobody */
    uint64_t cycles;
};

/* Row by row from 0 until WAITGATE_ERROR_RANGE; the cycles of each agent add up to the run's. */
WAITGATE_API enum waitgate_status waitgate_result_ledger(const waitgate_result *result,
                                                         unsigned row,
                                                         struct waitgate_ledger *ledger,
                                                         size_t size);

/* Expectations of the program that were not met, and each of them as "name:line: expected ..." */
WAITGATE_API unsigned waitgate_result_failures(const waitgate_result *result);
WAITGATE_API size_t waitgate_result_failure(const waitgate_result *result, unsigned i, char *text,
                                            size_t size);

/* Reports as text, as JSON, and about everything that is held (empty if nothing is). */
WAITGATE_API void waitgate_report_summary(const waitgate_result *result, waitgate_write *write,
                                          void *context);
WAITGATE_API void waitgate_report_json(const waitgate_result *result, waitgate_write *write,
                                       void *context);
WAITGATE_API void waitgate_report_held(const waitgate_result *result, waitgate_write *write,
                                       void *context);

/* ---- tiles ---- */

/*
 * A tile with its five RISC-V cores, L1 and coprocessor. Without time each core and each thread goes on
 * until it blocks; clocked (waitgate_tile_clock) every cycle is run. Any number of tiles can live in one process; one is used by one host thread
 * at a time.
 */
typedef struct waitgate_tile waitgate_tile;

WAITGATE_API enum waitgate_status waitgate_tile_create(waitgate_tile **tile);
WAITGATE_API void waitgate_tile_free(waitgate_tile *tile);

/*
 * The clocked tile has this number; the first thing that is done with a tile, as often as numbers are to be set.
 * waitgate_tile_run() then does nothing. WAITGATE_ERROR_RANGE: it cannot be, and error, which may be NULL, says why.
 * WAITGATE_ERROR_ARGUMENT: the tile has run, or is part of something that has.
 */
WAITGATE_API enum waitgate_status waitgate_tile_timing(waitgate_tile *tile,
                                                       const struct waitgate_setting *setting,
                                                       struct waitgate_text_error *error);

/* Memory and registers as the NoC sees them; L1 starts at 0. WAITGATE_ERROR_ARGUMENT if something of it
   is not there. */
WAITGATE_API enum waitgate_status waitgate_tile_read(waitgate_tile *tile, uint32_t address,
                                                     void *data, uint32_t size);
WAITGATE_API enum waitgate_status waitgate_tile_write(waitgate_tile *tile, uint32_t address,
                                                      const void *data, uint32_t size);

/* Runs up to so many RISC-V steps; returns how many there were. Fewer: nothing moves any more, or the run was interrupted. */
WAITGATE_API uint64_t waitgate_tile_run(waitgate_tile *tile, uint64_t steps);

/*
 * The same clocked: every cycle of every core, thread and unit. A tile runs either way, not both: what
 * comes first decides, and the other function then does nothing.
 */
enum waitgate_tile_end {
    WAITGATE_TILE_LIMIT = 0, /* the cycles were run */
    WAITGATE_TILE_DONE = 1,  /* every program has ended and nothing is in flight */
    WAITGATE_TILE_HANG = 2,  /* something is held, and nothing in the tile can change that */
    WAITGATE_TILE_STOPPED =
        3, /* as DONE, but a core was stopped by ebreak, ecall or what it cannot execute */
    WAITGATE_TILE_UNTIL = 4, /* the words that waitgate_tile_until() named have their values */
    WAITGATE_TILE_INTERRUPTED = 5, /* by waitgate_tile_interrupt(); the next call goes on */
    WAITGATE_TILE_NO_MEMORY = 6    /* no memory for the trace: it is not complete */
};

/* Runs up to so many cycles more. Ends before that when nothing can happen any more without the caller. */
WAITGATE_API enum waitgate_tile_end waitgate_tile_clock(waitgate_tile *tile, uint64_t cycles);
/*
 * The run that is under way, or else the next one, ends soon, between two cycles, as if its limit were there: trace and reports
 * are complete up to that cycle. From any thread, from a signal handler, and from functions that the library calls.
 */
WAITGATE_API void waitgate_tile_interrupt(waitgate_tile *tile);
/* The next cycle to be run; the first is 0. */
WAITGATE_API uint64_t waitgate_tile_cycle(const waitgate_tile *tile);
/* waitgate_tile_clock() shall end when this word of L1 has this value; with several, when all have. */
WAITGATE_API enum waitgate_status waitgate_tile_until(waitgate_tile *tile, uint32_t address,
                                                      uint32_t value);
/* Where an instruction stands in the source; what is not known stays as it is. */
struct waitgate_source {
    const char *function, *file; /* must live until the next call */
    uint32_t offset;             /* from the start of the function */
    unsigned line;
};
/* Fills in what is known of the instruction at pc of a core (by number, see below); 0 if nothing is. */
typedef int waitgate_place(void *context, unsigned core, uint32_t pc,
                           struct waitgate_source *source);
/* Used by all that is written about the tile. */
WAITGATE_API void waitgate_tile_places(waitgate_tile *tile, waitgate_place *place, void *context);
/*
 * One line per event of what follows (docs/trace-format.md), clocked in the order of cycles, untimed by steps; NULL: no
 * more. Lines come while a run is under way; when it returns, all have come. WAITGATE_ERROR_MEMORY: there is no trace.
 */
WAITGATE_API enum waitgate_status waitgate_tile_trace(waitgate_tile *tile, waitgate_write *write,
                                                      void *context);
/* Count which instructions wait, from now on; the reports then name those that lost most. */
WAITGATE_API void waitgate_tile_profile(waitgate_tile *tile, int on);
/* Where the cycles went: per core, thread and unit; as text and as JSON (docs/trace-format.md). */
WAITGATE_API void waitgate_tile_report(waitgate_tile *tile, waitgate_write *write, void *context);
WAITGATE_API void waitgate_tile_report_json(waitgate_tile *tile, waitgate_write *write,
                                            void *context);
/* After WAITGATE_TILE_HANG: for each agent that waits since when, where, for what, who changed that last, and
   why nobody will clear it. Otherwise nothing. */
WAITGATE_API void waitgate_tile_report_hang(const waitgate_tile *tile, waitgate_write *write,
                                            void *context);
/* After WAITGATE_TILE_LIMIT: where every core and thread stands, and what it waits for or that it runs. Otherwise
   nothing. */
WAITGATE_API void waitgate_tile_report_stand(const waitgate_tile *tile, waitgate_write *write,
                                             void *context);
/* Walk through waits and polls instead of jumping over them: slow, and the same in every cycle. */
WAITGATE_API void waitgate_tile_no_skip(waitgate_tile *tile, int on);

/* Cores by number: B, T0, T1, T2, NC. */
#define WAITGATE_CORES 5u

enum waitgate_core_state {
    WAITGATE_CORE_HELD = 0,    /* in reset */
    WAITGATE_CORE_RUNNING = 1, /* goes on with the next call */
    WAITGATE_CORE_BLOCKED = 2, /* waits for the access at pc */
    WAITGATE_CORE_STOPPED = 3  /* by ebreak, ecall, or an instruction it cannot execute */
};

struct waitgate_core {
    const char *name;
    enum waitgate_core_state state;
    uint32_t pc;
    uint32_t address;  /* when blocked: of the access */
    const char *waits; /* when blocked: what lies there; when stopped: why */
    uint64_t steps;
};

WAITGATE_API enum waitgate_status waitgate_tile_core(const waitgate_tile *tile, unsigned core,
                                                     struct waitgate_core *info);

/* Where a thread of the coprocessor stands. */
struct waitgate_thread {
    uint64_t issued;    /* instructions that have left its gate */
    unsigned queued;    /* words still before it */
    int held;           /* an instruction stands at the gate and may not go */
    uint32_t word;      /* that instruction */
    uint32_t wait_word; /* the STALLWAIT, SEMWAIT or STREAMWAIT that holds it, 0: none does */
    const char *cause;  /* what it waits for */
    const char *owner;  /* who must clear that */
    int core;           /* the core that pushed the instruction, -1: not known */
    uint32_t pc;        /* from there */
    int wait_core;      /* the same for the wait that holds it */
    uint32_t wait_pc;
};

WAITGATE_API enum waitgate_status waitgate_tile_thread(const waitgate_tile *tile, unsigned thread,
                                                       struct waitgate_thread *info);

/* Instructions that the three threads of the coprocessor have executed. */
WAITGATE_API uint64_t waitgate_tile_issued(const waitgate_tile *tile, unsigned thread);

/* What was noticed: number i, oldest first. False if there are not so many. */
struct waitgate_notice {
    const char *id, *kind, *who;
    uint32_t word; /* instruction or value */
    uint64_t step;
    int core;    /* number of the core that executed or pushed it, -1: not known */
    uint32_t pc; /* of that instruction */
    char text[160];
};
WAITGATE_API int waitgate_tile_notice(const waitgate_tile *tile, unsigned i,
                                      struct waitgate_notice *notice);

/* ---- Alpha ---- */

/*
 * An Alpha AXP machine: up to four CPUs on one memory, each a pipeline of six stages, or untimed. The library knows no operating
 * system: a CPU that calls one stops, and the caller does the work (waitgate_alpha_stop).
 */
typedef struct waitgate_alpha waitgate_alpha;

#define WAITGATE_ALPHA_CPUS 4u

WAITGATE_API enum waitgate_status waitgate_alpha_create(unsigned cpus, waitgate_alpha **alpha);
WAITGATE_API void waitgate_alpha_free(waitgate_alpha *alpha);

/* What can be chosen, before the first run. WAITGATE_ERROR_ARGUMENT: no such name or value. */
WAITGATE_API enum waitgate_status waitgate_alpha_latency(waitgate_alpha *alpha, const char *name,
                                                         uint64_t cycles);
/* "fbox": "blocking", "pipelined"; "wmb": "drain", "marker"; "ring": "partial", "frozen". */
WAITGATE_API enum waitgate_status waitgate_alpha_policy(waitgate_alpha *alpha, const char *name,
                                                        const char *value);
/* The names of latencies, row by row from 0 until WAITGATE_ERROR_RANGE; min and max are what can be chosen. */
WAITGATE_API enum waitgate_status
waitgate_alpha_latency_get(unsigned row, struct waitgate_timing *timing, size_t size);

/* Memory: pages of 8192 bytes below 2^43. The window onto a tile, if there is one, is never memory. */
#define WAITGATE_ALPHA_READ    1u
#define WAITGATE_ALPHA_WRITE   2u
#define WAITGATE_ALPHA_EXECUTE 4u
#define WAITGATE_ALPHA_PAGE    8192u
/*
 * How much host memory the program may make the machine take, in bytes: pages that were touched, page tables and decoded code. 1 GiB unless
 * set. WAITGATE_ERROR_RANGE: more is in use already. A CPU that needs more stops with WAITGATE_ALPHA_MEMORY.
 */
WAITGATE_API enum waitgate_status waitgate_alpha_memory(waitgate_alpha *alpha, uint64_t limit);
WAITGATE_API uint64_t waitgate_alpha_memory_used(const waitgate_alpha *alpha);
/* Gives pages a protection; new ones are zero. WAITGATE_ERROR_RANGE: outside, or a window; WAITGATE_ERROR_MEMORY. Then nothing has changed. */
WAITGATE_API enum waitgate_status waitgate_alpha_map(waitgate_alpha *alpha, uint64_t address,
                                                     uint64_t size, unsigned protection);
WAITGATE_API enum waitgate_status waitgate_alpha_protect(waitgate_alpha *alpha, uint64_t address,
                                                         uint64_t size, unsigned protection);
WAITGATE_API void waitgate_alpha_unmap(waitgate_alpha *alpha, uint64_t address, uint64_t size);
/* Is any page, or a window, there? */
WAITGATE_API int waitgate_alpha_mapped(const waitgate_alpha *alpha, uint64_t address,
                                       uint64_t size);
/* The lowest address from `from` on with so much room below `end`; 0: there is none. */
WAITGATE_API uint64_t waitgate_alpha_room(const waitgate_alpha *alpha, uint64_t from, uint64_t size,
                                          uint64_t end);
/* Bytes whatever their protection, and as the program could read or write them. WAITGATE_ERROR_RANGE: not all is there. */
WAITGATE_API enum waitgate_status waitgate_alpha_peek(waitgate_alpha *alpha, uint64_t address,
                                                      void *data, size_t size);
WAITGATE_API enum waitgate_status waitgate_alpha_poke(waitgate_alpha *alpha, uint64_t address,
                                                      const void *data, size_t size);
WAITGATE_API enum waitgate_status waitgate_alpha_read(waitgate_alpha *alpha, uint64_t address,
                                                      void *data, size_t size);
WAITGATE_API enum waitgate_status waitgate_alpha_write(waitgate_alpha *alpha, uint64_t address,
                                                       const void *data, size_t size);

/* Registers: 0..31 integer, 32..63 floating point, and these. Writes to 31 and 63 have no effect. */
enum waitgate_alpha_register {
    WAITGATE_ALPHA_FP = 32,
    WAITGATE_ALPHA_PC = 64,
    WAITGATE_ALPHA_FPCR = 65,
    WAITGATE_ALPHA_UNIQUE = 66 /* thread pointer */
};
WAITGATE_API uint64_t waitgate_alpha_get(const waitgate_alpha *alpha, unsigned cpu, unsigned reg);
WAITGATE_API void waitgate_alpha_set(waitgate_alpha *alpha, unsigned cpu, unsigned reg,
                                     uint64_t value);

/*
 * A tile whose cores are all held becomes a device of the machine: a window onto its instruction queues, semaphores, GPRs and L1
 * (docs/alpha-tile.md). Cycle n of the machine is cycle n of the tile; only the machine's clocked runs move it. Before the
 * first run; the tile must live as long as the machine runs. WAITGATE_ERROR_RANGE: there is memory, or no room.
 * A run ends with WAITGATE_ALPHA_DONE when all CPUs have stopped and the tile is done, with WAITGATE_ALPHA_HANG when neither can
 * go on; reports of the machine then include the tile.
 */
#define WAITGATE_ALPHA_WINDOW      UINT64_C(0x8000000000)
#define WAITGATE_ALPHA_WINDOW_SIZE 0x400000u
WAITGATE_API enum waitgate_status waitgate_alpha_tile(waitgate_alpha *alpha, waitgate_tile *tile,
                                                      uint64_t address);

/* Why a run ended. */
enum waitgate_alpha_end {
    WAITGATE_ALPHA_LIMIT = 0,       /* so many cycles (untimed: instructions) were run */
    WAITGATE_ALPHA_STOP = 1,        /* a CPU has stopped: waitgate_alpha_stopped() */
    WAITGATE_ALPHA_DONE = 2,        /* all CPUs had stopped before */
    WAITGATE_ALPHA_HANG = 3,        /* CPUs wait, and nothing can change that */
    WAITGATE_ALPHA_INTERRUPTED = 4, /* by waitgate_alpha_interrupt(); the next call goes on */
    WAITGATE_ALPHA_NO_MEMORY = 5    /* no memory for the trace of the tile: it is not complete */
};

/* With time. A machine runs either way, not both: what comes first decides. */
WAITGATE_API enum waitgate_alpha_end waitgate_alpha_clock(waitgate_alpha *alpha, uint64_t cycles);
/* As waitgate_tile_interrupt(), which does the same for a tile behind the window. */
WAITGATE_API void waitgate_alpha_interrupt(waitgate_alpha *alpha);
/* Without; one CPU only. */
WAITGATE_API enum waitgate_alpha_end waitgate_alpha_run(waitgate_alpha *alpha, uint64_t steps);

enum waitgate_alpha_trap {
    WAITGATE_ALPHA_CALLSYS = 1, /* registers have number and arguments; the pc is behind it */
    WAITGATE_ALPHA_ILLEGAL = 2,
    WAITGATE_ALPHA_BPT = 3,
    WAITGATE_ALPHA_BUGCHK = 4,
    WAITGATE_ALPHA_GENTRAP = 5,
    WAITGATE_ALPHA_ARITHMETIC = 6, /* the pc is behind it */
    WAITGATE_ALPHA_FETCH = 7,
    WAITGATE_ALPHA_LOAD = 8,
    WAITGATE_ALPHA_STORE = 9,
    WAITGATE_ALPHA_UNALIGNED = 10,
    WAITGATE_ALPHA_MEMORY = 11 /* the host has no memory for the page, or there is a limit */
};

struct waitgate_alpha_stop {
    unsigned cpu;
    enum waitgate_alpha_trap trap;
    const char *text;
    uint64_t pc, address, detail;
};

/* After WAITGATE_ALPHA_STOP. waitgate_alpha_resume() lets the CPU go on at its pc; otherwise it stays. */
WAITGATE_API enum waitgate_status waitgate_alpha_stopped(const waitgate_alpha *alpha,
                                                         struct waitgate_alpha_stop *stop);
WAITGATE_API void waitgate_alpha_resume(waitgate_alpha *alpha, unsigned cpu);

WAITGATE_API uint64_t waitgate_alpha_cycle(const waitgate_alpha *alpha);
WAITGATE_API uint64_t waitgate_alpha_retired(const waitgate_alpha *alpha, unsigned cpu);
WAITGATE_API void waitgate_alpha_no_skip(waitgate_alpha *alpha, int on);

/* Called for each instruction that retires; registers are those after it. */
typedef void waitgate_alpha_retire(void *context, unsigned cpu, uint64_t pc, uint32_t word);
WAITGATE_API void waitgate_alpha_watch(waitgate_alpha *alpha, waitgate_alpha_retire *retire,
                                       void *context);

/* Where an instruction stands in the source, as for tiles. */
typedef int waitgate_alpha_place(void *context, uint64_t pc, struct waitgate_source *source);
WAITGATE_API void waitgate_alpha_places(waitgate_alpha *alpha, waitgate_alpha_place *place,
                                        void *context);
/* One line per event of what follows (docs/trace-format.md), untimed one per instruction; NULL: no more. If a tile behind the
   window is traced, too (waitgate_tile_trace(), before anything runs), the lines of both come in the order of time. */
WAITGATE_API enum waitgate_status waitgate_alpha_trace(waitgate_alpha *alpha, waitgate_write *write,
                                                       void *context);
/* Where the cycles went, per CPU, and which instructions lost most. */
WAITGATE_API void waitgate_alpha_report(waitgate_alpha *alpha, waitgate_write *write,
                                        void *context);
WAITGATE_API void waitgate_alpha_report_json(waitgate_alpha *alpha, waitgate_write *write,
                                             void *context);
/* After WAITGATE_ALPHA_HANG: who waits where since when for what. Otherwise nothing. */
WAITGATE_API void waitgate_alpha_report_hang(const waitgate_alpha *alpha, waitgate_write *write,
                                             void *context);

/* An Alpha instruction as objdump writes it. Returns the length of the whole text without the NUL. */
WAITGATE_API size_t waitgate_alpha_disassemble(uint32_t word, uint64_t pc, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
