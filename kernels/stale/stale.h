/* stale.h - T0 reads a word of L1 that B changes; see case.yaml. */
#ifndef KERNELS_STALE_H
#define KERNELS_STALE_H

#include "blackhole.h"

#define WORD      REG32(0x22000) /* what B changes */
#define NEIGHBOUR REG32(0x22004) /* in the same sixteen bytes */
#define ROUNDS    5
#define VALUE(i)  (0x0DD0000 + (i))

#endif
