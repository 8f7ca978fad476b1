/*
 * model_setreg.c - registers of the tile that UNPACR_NOP and PACR_SETREG write.
 *
 * Pages: UNPACR_NOP_SETREG, UNPACR_NOP_OverlayClear, PACR_SETREG, TDMA-RISC; Blackhole's fields: the vendor's assembly table.
 * A write is noted; what the register does with it is no part of the data path. Addresses for unpackers are the upper 24 bits of
 * TDMA-RISC's register, in the packer's order.
 */
#include "pages.h"

static void put(struct pg *m, uint32_t address, uint32_t value)
{
    if (address < 0xFFB11000u || address >= 0xFFB80000u || m->n_stores >= PG_STORES)
        return;
    if (address >= PG_DEVICE && address < PG_DEVICE + 4 * PG_MMIO) {
        m->mmio[(address - PG_DEVICE) / 4] = value;
        return;
    }
    m->store[m->n_stores][0] = address;
    m->store[m->n_stores++][1] = value;
}

static uint32_t base(uint32_t addresses, unsigned which)
{
    uint32_t mid = which ? pg_bits(addresses, 19, 10) : pg_bits(addresses, 9, 0);
    uint32_t hi = which ? pg_bits(addresses, 23, 22) : pg_bits(addresses, 21, 20);
    return 0xFFB00000u + (hi << 18) + (mid << 2);
}

static void overlay_clear(struct pg *m, unsigned thread, uint32_t word)
{
    unsigned u = word >> 23 & 1, stream = m->th[thread][42 + u] & 63u;
    if ((word & 3) == 3 && pg_bits(word, 14, 4))
        stream = pg_bits(word, 21, 16);
    put(m, 0xFFB40000u + stream * 0x1000u + 266 * 4, 1);
}

void pg_unpack_register(struct pg *m, unsigned thread, uint32_t word)
{
    if ((word & 7) != 7) {
        overlay_clear(m, thread, word);
        return;
    }
    unsigned select = pg_bits(word, 22, 22) * 2 + pg_bits(word, 15, 15), u = word >> 23 & 1;
    uint32_t value = pg_bits(word, 14, 4);
    bool write = select < 2;
    if (word & 8) {
        write = write && value;
        m->sum[u] = value ? (m->sum[u] + value) % 0x20000 : 0;
        value = m->sum[u];
    }
    if (write)
        put(m, base(m->tdma_unpack >> 8, select) + (pg_bits(word, 21, 16) << 12), value);
}

void pg_pack_register(struct pg *m, uint32_t word)
{
    if (word >> 22 & 1) {
        uint32_t half = pg_bits(word, 18, 3);
        m->setreg = word & 4 ? half << 16 | (m->setreg & 0xffff) : (m->setreg & 0xffff0000) | half;
        return;
    }
    if ((word & 2) && word >> 23 & 1 && pg_bits(word, 9, 8) < 2)
        put(m, base(m->tdma_pack, pg_bits(word, 9, 8)) + (pg_bits(word, 7, 2) << 12), m->setreg);
}
