/*
 * stream.h - the NoC overlay's stream registers, as far as STREAMWAIT and STREAMWRCFG read them.
 *
 * Register numbers: tt-metal hw/inc/blackhole/noc/noc_overlay_parameters.h.
 *
 * Inaccuracies: plain storage, written by scripts; no stream does anything by itself yet.
 */
#ifndef WG_UNIT_STREAM_H
#define WG_UNIT_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#define STREAM_COUNT             64u
#define STREAM_REGS              512u
#define STREAM_CURR_PHASE        29u
#define STREAM_NUM_MSGS_RECEIVED 259u

struct stream {
    bool used; /* anything was written since reset */
    uint32_t reg[STREAM_COUNT][STREAM_REGS];
};

#endif
