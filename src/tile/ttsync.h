/*
 * ttsync.h - Auto TTSync: keeps a T core's accesses to Config, GPRs and TDMA-RISC in program order
 * with the instructions that the same core has pushed.
 *
 * ISA pages: AutoTTSync (Blackhole); RESOURCEDECL (the vendor's instruction database).
 */
#ifndef WG_TILE_TTSYNC_H
#define WG_TILE_TTSYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "coproc/coproc.h"

#define TTSYNC_CLASSES 16u

/* What an instruction declares (RESOURCEDECL's bitmap). */
enum {
    TTSYNC_READ_CFG = 1 << 0,
    TTSYNC_WRITE_CFG = 1 << 1,
    TTSYNC_UNPACKER0 = 1 << 2, /* which part of Config, if it uses it */
    TTSYNC_UNPACKER1 = 1 << 3,
    TTSYNC_REST = 1 << 4,
    TTSYNC_READ_GPR = 1 << 5,
    TTSYNC_WRITE_GPR = 1 << 6,
    TTSYNC_READ_TDMA = 1 << 7,
    TTSYNC_WRITE_TDMA = 1 << 8
};

/* The eight resources of an access: three parts of Config bank 0, of bank 1, GPRs, TDMA-RISC. */
enum {
    TTSYNC_BANK0 = 0x07,
    TTSYNC_BANK1 = 0x38,
    TTSYNC_GPR = 0x40,
    TTSYNC_TDMA = 0x80,
    TTSYNC_CONFIG = TTSYNC_BANK0 | TTSYNC_BANK1
};

struct ttsync {
    uint16_t declared[COPROC_THREADS][TTSYNC_CLASSES];
};

void ttsync_reset(struct ttsync *s);
/* A T core has pushed this word: RESOURCEDECL changes what its thread declares. */
void ttsync_pushed(struct ttsync *s, unsigned thread, uint32_t word);
/* Resources of an access by the thread's core to a word of Config: bank 0, 1 or 2 (both); or of
   ThreadConfig: TTSYNC_THREAD_CONFIG, the words of all threads one behind the other. */
#define TTSYNC_THREAD_CONFIG 3u
unsigned ttsync_config(const struct coproc *c, unsigned thread, unsigned bank, unsigned index);
/* Does the thread want any access to wait? */
#define TTSYNC_THCONFIG     56u /* TRISC_SYNC */
#define TTSYNC_INSTRUCTIONS 16u /* the bit of it without which nothing is tracked */
static inline bool ttsync_tracks(const struct coproc *c, unsigned thread)
{
    return c->config.thread[thread][TTSYNC_THCONFIG] & TTSYNC_INSTRUCTIONS;
}
/* Must an access of the thread's core to these resources wait for something pushed earlier? */
bool ttsync_holds(const struct ttsync *s, const struct coproc *c, unsigned thread,
                  unsigned resources, bool store);

#endif
