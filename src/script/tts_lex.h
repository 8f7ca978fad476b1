/*
 * tts_lex.h - the characters of a .tts file: blanks, comments, words, numbers, names, and errors
 * with line and column. Private to the parser (tts_*.c).
 *
 * The first error wins: after tts_lex_fail() the reader stands at the end of the text, so that every
 * loop over it ends.
 */
#ifndef WG_SCRIPT_TTS_LEX_H
#define WG_SCRIPT_TTS_LEX_H

#include "script/tts.h"

struct lex {
    const char *p, *end, *line_start;
    unsigned line;
    bool failed;
    struct tts_error *error;
};

struct lex_text {
    const char *p;
    size_t n;
};

void tts_lex_open(struct lex *l, const char *text, size_t len, struct tts_error *error);

/* Notes an error at the current position, at `at` on the current line, or anywhere. Returns
   false. */
bool tts_lex_fail(struct lex *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool tts_lex_fail_at(struct lex *l, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

bool tts_lex_fail_line(struct lex *l, unsigned line, unsigned column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Skips blanks and a comment; newlines stay. */
void tts_lex_blank(struct lex *l);
/* At the end of a line or of the text (after blanks). */
bool tts_lex_eol(struct lex *l);
/* Goes to the next line; false at the end of the text. The line must be used up. */
bool tts_lex_newline(struct lex *l);
/* The rest of the line must be empty. */
bool tts_lex_expect_eol(struct lex *l);

/* A letter or _ followed by letters, digits, _, . and -. Empty if there is none. */
struct lex_text tts_lex_peek_word(struct lex *l);
/* Takes the word if it is this one. Case does not matter. */
bool tts_lex_accept_word(struct lex *l, const char *word);
bool tts_lex_accept_char(struct lex *l, char c);
/* Takes these characters if they come next. */
bool tts_lex_accept(struct lex *l, const char *chars);
bool tts_lex_expect_char(struct lex *l, char c);
bool tts_lex_at_digit(struct lex *l);
/* A number 0..max: decimal, 0x, 0b; _ may separate digits. `what` names it in errors. */
bool tts_lex_number(struct lex *l, uint64_t max, const char *what, uint64_t *out);
/* One of the names, longest match first, case does not matter; -1 if none. Names may have blanks. */
int tts_lex_name(struct lex *l, const char *const *names, unsigned n);
/* T0, T1 or T2. */
bool tts_lex_thread(struct lex *l, uint8_t *out);
/* Semaphore by number or name. */
bool tts_lex_sem(struct lex *l, uint16_t *out);
/* An instruction in vendor syntax, or a number; up to the end of the line, a comment, or one of
   ; ] } . */
bool tts_lex_instruction(struct lex *l, uint32_t *word);

bool tts_lex_same(struct lex_text t, const char *s);
/* What stands at the current position, for an error; returns buf or a constant. */
const char *tts_lex_found(struct lex *l, char buf[24]);

#endif
