/*
 * stream.h - the NoC overlay's streams: their registers, and messages from software to software.
 *
 * ISA pages: NoC/Overlay README, AsGeneralUse, ReceiveFromSoftware, TransmitToSoftware (Wormhole). Registers: stream.def.
 */
#ifndef WG_STATE_STREAM_H
#define WG_STATE_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "state/l1_port.h"

#define STREAM_COUNT 64u
#define STREAM_REGS  512u
#define STREAM_FIFO  8u /* messages; most streams have two */

/* clang-format off */
enum stream_reg {
#define STREAM_REG(id, index, count, bits, access, text) STREAM_##id = index,
#include "state/stream.def"
};
/* clang-format on */

struct stream_message {
    uint32_t address, size; /* in 16 bytes */
    uint32_t header[4];
};

/* What stands behind the registers of one stream. */
struct stream_fifo {
    bool running;                         /* a phase */
    uint8_t n, taken;                     /* messages, and sizes that DATA_CLEAR will give back */
    uint16_t expected, come, gone;        /* messages of the phase */
    uint32_t held;                        /* of the receive buffer */
    uint32_t next;                        /* offset of the message behind INFO_PTR */
    uint32_t clear;                       /* messages that MULTI_CLEAR still has to clear */
    struct stream_message m[STREAM_FIFO]; /* the oldest first */
    uint32_t size[STREAM_FIFO];
};

struct stream {
    bool used;                               /* anything was written since reset */
    uint64_t shown;                          /* streams whose reg[] is complete: a bit each */
    uint32_t reg[STREAM_COUNT][STREAM_REGS]; /* as they read */
    struct stream_fifo fifo[STREAM_COUNT];
};

/* Where cores and units find a register of a stream. */
static inline uint32_t stream_address(unsigned stream, unsigned reg)
{
    return UINT32_C(0xFFB40000) | (uint32_t)(stream % STREAM_COUNT) << 12 | (uint32_t)reg << 2;
}

void stream_reset(struct stream *s);
uint32_t stream_load(const struct stream *s, unsigned stream, unsigned reg);
/* Core or unit stores a register. Returns the diagnostic to report, N_DIAGS if none. */
unsigned stream_store(struct stream *s, const struct l1_port *l1, unsigned stream, unsigned reg,
                      uint32_t value);

#endif
