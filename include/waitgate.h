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

/* Values are never re-used. */
enum waitgate_status {
    WAITGATE_OK = 0,
    WAITGATE_EMPTY = 1,          /* the text holds no instruction, only space or a comment */
    WAITGATE_ERROR_ARGUMENT = 2, /* a null pointer or a flag that does not exist */
    WAITGATE_ERROR_RANGE = 3,    /* no such row; a word that has no such form */
    WAITGATE_ERROR_SYNTAX = 4    /* text that is not an instruction */
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
    unsigned min, typ, max; /* cycles; the model uses typ */
    enum waitgate_evidence evidence;
    const char *source;
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

/* ---- running programs ---- */

#ifdef __cplusplus
}
#endif

#endif
