/*
 * unpack_move.h - the data of an unpacker instruction: all of it at once, when its data phase ends.
 *
 * ISA pages: UNPACR (Regular), UNPACR_NOP (ZEROSRC), SrcASrcB, Dst.
 */
#ifndef WG_MOVE_UNPACK_MOVE_H
#define WG_MOVE_UNPACK_MOVE_H

#include "move/unpack_plan.h"
#include "num/rows.h"
#include "state/dst.h"
#include "state/l1_port.h"
#include "state/src.h"

/* Carries out UNPACK_MOVE and UNPACK_CLEAR of unpacker u into its current bank. */
void unpack_move(const struct unpack_plan *p, unsigned u, unsigned thread,
                 const struct num_rows *rows, struct src *s, struct dst *d,
                 const struct l1_port *l1);
/* SrcRow after the instruction; the bank is handed over by whoever calls. */
void unpack_move_row(const struct unpack_plan *p, unsigned u, unsigned thread, struct src *s);

#endif
