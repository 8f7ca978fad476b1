/*
 * T1: the four largest numbers of every column of a tile, and the numbers that came with them (rows, for example) from
 * a second tile. The largest ones are left in rows 0 to 3 in falling order, what came with them in rows 4 to 7. See
 * sfpu.h.
 *
 * LRegs 4 to 7 follow LRegs 0 to 3 when SFPSWAP orders these, if the lanes are told so. Two lists of which one
 * rises and the other falls are merged by taking the larger number of each pair. A column is spread over four
 * rows of lanes: each first finds its own four, then SFPTRANSP puts them on top of each other. It must not
 * write LRegs 4 to 7 while they follow.
 */
#include "sfpu.h"

enum { QUAD = 16 }; /* rows of Dst in four LRegs */

/* LRegs 4 to 7 follow, or not. */
static void follow(unsigned yes)
{
    push(OP_SFPCONFIG(yes ? 4 : 0, 15, 1));
    TT(OP_SFPNOP);
}

static void transpose(void)
{
    follow(0);
    TT(OP_SFPTRANSP);
    follow(1);
}

/* VD := the larger one, or what mode says. */
static void order(unsigned vc, unsigned vd, unsigned mode)
{
    push(OP_SFPSWAP(vc, vd, mode));
    TT(OP_SFPNOP);
}

/* Each lane's LRegs 0 to 3: falling if mode is SWAP_MAX; else rising in some rows of lanes. */
static void sort(unsigned mode)
{
    order(L1, L0, mode);
    order(L3, L2, mode);
    order(L2, L0, mode);
    order(L3, L1, mode);
    order(L2, L1, mode);
}

/* Number i of four, that many rows further, with what comes with it. */
static void load(unsigned i, unsigned dst)
{
    push(OP_SFPLOAD(i, AS_INT32, STAY, dst));
    push(OP_SFPLOAD(4 + i, AS_INT32, STAY, dst + SECOND));
}

static void store(unsigned i, unsigned dst)
{
    push(OP_SFPSTORE(i, AS_INT32, STAY, dst));
    push(OP_SFPSTORE(4 + i, AS_INT32, STAY, dst + SECOND));
}

static void load4(unsigned dst)
{
    for (unsigned i = 0; i < 4; i++)
        load(i, dst + 4 * i);
}

static void store4(unsigned dst)
{
    for (unsigned i = 0; i < 4; i++)
        store(i, dst + 4 * i);
}

/* Eight columns: dst is where they begin, the lower half of them lies 32 rows further. */
static void columns(unsigned dst)
{
    load4(dst);
    sort(SWAP_MAX);
    store4(dst);
    load4(dst + 2 * QUAD);
    sort(SWAP_MIN);
    store4(dst + 2 * QUAD);
    for (unsigned i = 0; i < 4;
         i++) { /* a falling and a rising list: the larger ones of each pair */
        load(0, dst + 4 * i);
        load(1, dst + 2 * QUAD + 4 * i);
        order(L1, L0, SWAP_MAX);
        store(0, dst + 4 * i);
    }
    load4(dst);
    sort(SWAP_MIN_ROWS02); /* rows 0 and 2 of lanes rise, 1 and 3 fall */
    transpose();
    order(L1, L0, SWAP_MAX);
    order(L3, L2, SWAP_MAX);
    transpose();
    sort(SWAP_MIN_ROWS01); /* what was LReg 0 rises, what was LReg 2 falls */
    transpose();
    order(L2, L0, SWAP_MAX);
    transpose();
    sort(SWAP_MAX);
    transpose();
    push(OP_SFPSTORE(L0, AS_INT32, STAY, dst));
    push(OP_SFPSTORE(L4, AS_INT32, STAY, dst + 4));
}

int main(void)
{
    const uint32_t tiles = ARGS->repeat * ARGS->rows * ARGS->columns, to_dst = ARGS->to_dst;
    sfpu_start();
    follow(1);
    for (uint32_t i = 0; i < tiles; i++) {
        sfpu_begin(to_dst, 0);
        columns(0); /* even ones of the left face, then odd ones; the right face */
        columns(2);
        columns(16);
        columns(18);
        sfpu_end();
    }
    follow(0);
    compute_end();
    return 0;
}
