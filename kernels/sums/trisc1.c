/*
 * T1: sums of columns, left in row 0 of a tile, or of rows, left in column 0. See sfpu.h.
 *
 * Columns: an LReg for each group of eight adds up its rows, four at a time. SFPTRANSP turns the four rows of lanes into
 * four LRegs; these are added, and turned back.
 * Rows: an LReg adds up four groups of eight columns, then its own eight lanes, which SFPSHFT2 turns round by
 * one, two and four.
 */
#include "sfpu.h"

enum { FACE = 16, GROUPS = 4 };

static const uint8_t group_at[GROUPS] = {0, 2, FACE, FACE + 2};

static void add(unsigned a, unsigned d)
{
    push(OP_SFPADD(ONE, a, d, d, 0));
}

static void sum_columns(void)
{
    for (unsigned g = 0; g < GROUPS; g++) {
        push(OP_SFPLOAD(g, AS_SRCB, STAY, group_at[g]));
        for (unsigned row = 4; row < 32; row += 4) {
            unsigned at = group_at[g] + row % 16 + (row & 16) * 2;
            push(OP_SFPLOAD(L4, AS_SRCB, STAY, at));
            add(L4, g);
        }
    }
    TT(OP_SFPNOP);
    TT(OP_SFPTRANSP);
    add(L1, L0);
    add(L3, L2);
    add(L2, L0);
    TT(OP_SFPNOP);
    TT(OP_SFPTRANSP);
    for (unsigned g = 0; g < GROUPS; g++)
        push(OP_SFPSTORE(g, AS_SRCB, STAY, group_at[g]));
}

/* Each lane of LReg 0 and the one that many columns to the left. */
static void add_lanes(unsigned columns)
{
    TT(OP_SFPNOP);
    for (unsigned i = 0; i < columns; i++) {
        push(OP_SFPSHFT2(0, i ? L1 : L0, L1, SHIFT_LANES_AROUND));
        TT(OP_SFPNOP);
    }
    add(L1, L0);
}

static void sum_rows(void)
{
    for (unsigned row = 0; row < 32; row += 4) {
        unsigned at = row % 16 + (row & 16) * 2;
        push(OP_SFPLOAD(L0, AS_SRCB, STAY, at));
        for (unsigned g = 1; g < GROUPS; g++) {
            push(OP_SFPLOAD(L1, AS_SRCB, STAY, at + group_at[g]));
            add(L1, L0);
        }
        add_lanes(1);
        add_lanes(2);
        add_lanes(4);
        push(OP_SFPSTORE(L0, AS_SRCB, STAY, at));
    }
}

int main(void)
{
    const uint32_t tiles = ARGS->repeat * ARGS->rows * ARGS->columns, to_dst = ARGS->to_dst;
    const uint32_t op = ARGS->op;
    sfpu_start();
    for (uint32_t i = 0; i < tiles; i++) {
        sfpu_begin(to_dst, 0);
        if (op == SUM_COLUMNS)
            sum_columns();
        else
            sum_rows();
        sfpu_end();
    }
    compute_end();
    return 0;
}
