/*
 * joint_hang.h - why an Alpha machine and its tile stand still, as one chain.
 *
 * The tile's own explanation (tile/hang.h) with the CPUs as further agents: what a CPU waits for in the tile, and which waits
 * in the tile a CPU could clear, if it went on.
 */
#ifndef WG_JOINT_JOINT_HANG_H
#define WG_JOINT_JOINT_HANG_H

#include "joint/alpha_window.h"
#include "tile/hang.h"

/* Between two runs; changes nothing. */
void joint_hang_explain(const struct alpha_window *w, struct hang *h);

#endif
