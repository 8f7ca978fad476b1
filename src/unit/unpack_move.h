/*
 * unpack_move.h - the data of an unpacker instruction: all of it at once, when its data phase ends.
 *
 * ISA pages: UNPACR (Regular), UNPACR_NOP (ZEROSRC), SrcASrcB, Dst.
 */
#ifndef WG_UNIT_UNPACK_MOVE_H
#define WG_UNIT_UNPACK_MOVE_H

#include "num/rows.h"
#include "unit/dst.h"
#include "unit/l1port.h"
#include "unit/src.h"
#include "unit/unpack_plan.h"

/* Carries out UNPACK_MOVE and UNPACK_CLEAR of unpacker u into its current bank. */
void unpack_move(const struct unpack_plan *p, unsigned u, unsigned thread,
                 const struct num_rows *rows, struct src *s, struct dst *d,
                 const struct l1_port *l1);
/* SrcRow after the instruction; the bank is handed over by whoever calls. */
void unpack_move_row(const struct unpack_plan *p, unsigned u, unsigned thread, struct src *s);

#endif
