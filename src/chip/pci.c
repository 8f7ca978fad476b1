/*
 * pci.c - configuration space, BARs, and the windows in them.
 *
 * Sources: PCI Local Bus Specification (sizing of BARs); tt-umd and tt-exalens for what lies where.
 *
 * Inaccuracies: the memory enable bit is not looked at; the iATU is storage only; the NoC a window
 * asks for makes no difference, because both know the same translated coordinates.
 */
#include "chip/pci.h"

#include <string.h>

#include "base/bits.h"
#include "chip/chip.h"

enum {
    CONFIG_ID = 0x00,
    CONFIG_COMMAND = 0x04,
    CONFIG_CLASS = 0x08,
    CONFIG_BAR0 = 0x10,
    CONFIG_BAR_END = 0x28,
    CONFIG_INTERRUPT = 0x3C
};

#define BAR_64BIT 4u

#define BAR0_REGISTERS UINT64_C(0x1FC00000)
#define BAR0_NIU0      UINT64_C(0x1FD04000)
#define BAR0_NIU1      UINT64_C(0x1FD14000)
#define BAR0_NIU_SIZE  0x1000u

#define NIU_NODE_ID         0x44u
#define NIU_CFG_0           0x100u
#define NIU_CFG_0_TRANSLATE (UINT32_C(1) << 14)
#define PCIE_X              2u
#define PCIE_Y              0u

static const struct {
    uint64_t size, after_reset;
} bars[3] = {
    {UINT64_C(512) << 20, UINT64_C(0x100000000)},
    {PCI_BAR2_SIZE, UINT64_C(0x120000000)},
    {UINT64_C(32) << 30, UINT64_C(0x800000000)},
};

/* ---- configuration space ---- */

void pci_reset(struct pci *p)
{
    p->config[CONFIG_ID / 4] = 0xB1401E52;
    p->config[CONFIG_CLASS / 4] = 0x12000000;
    p->config[CONFIG_INTERRUPT / 4] = 0xFF;
    for (unsigned i = 0; i < 3; i++) {
        p->config[CONFIG_BAR0 / 4 + 2 * i] = (uint32_t)bars[i].after_reset | BAR_64BIT;
        p->config[CONFIG_BAR0 / 4 + 2 * i + 1] = (uint32_t)(bars[i].after_reset >> 32);
    }
}

uint32_t pci_config_read(const struct pci *p, uint32_t bdf, uint32_t offset)
{
    if (bdf)
        return UINT32_MAX; /* nobody there */
    return offset < sizeof p->config ? p->config[offset / 4] : 0;
}

void pci_config_write(struct pci *p, uint32_t bdf, uint32_t offset, uint32_t value)
{
    if (bdf || offset >= sizeof p->config)
        return;
    if (offset / 4 == CONFIG_COMMAND / 4)
        p->config[offset / 4] = value & 0xFFFF;
    else if (offset / 4 == CONFIG_INTERRUPT / 4)
        p->config[offset / 4] = value & 0xFF;
    else if (offset >= CONFIG_BAR0 && offset < CONFIG_BAR_END) {
        unsigned i = (offset - CONFIG_BAR0) / 4;
        uint64_t mask = ~(bars[i / 2].size - 1);
        p->config[offset / 4] =
            i & 1 ? value & (uint32_t)(mask >> 32) : (value & (uint32_t)mask) | BAR_64BIT;
    }
}

static uint64_t pci_bar_base(const struct pci *p, unsigned i)
{
    const uint32_t *low = &p->config[CONFIG_BAR0 / 4 + 2 * i];
    return (uint64_t)low[1] << 32 | (low[0] & ~15u);
}

/* ---- one piece of an access, which lies within one window or one group of registers ---- */

struct piece {
    void *to;         /* NULL: a write */
    const void *from; /* NULL: a read */
    uint32_t size;
};

static void pci_storage(const struct piece *p, uint8_t *storage)
{
    if (p->to)
        memcpy(p->to, storage, p->size);
    else
        memcpy(storage, p->from, p->size);
}

static bool pci_nothing(struct chip *c, const struct piece *p)
{
    if (p->to)
        memset(p->to, 0, p->size);
    c->missed.reads += p->to != NULL;
    c->missed.writes += p->to == NULL;
    return false;
}

static uint32_t pci_tlb_field(const uint8_t *tlb, unsigned at, unsigned n_bits)
{
    uint32_t words[4] = {0};
    memcpy(words, tlb, PCI_TLB_BYTES);
    uint64_t two = words[at / 32] | (uint64_t)words[at / 32 + 1] << 32;
    return (uint32_t)(two >> at % 32) & bits_mask(n_bits);
}

/* shift: 21 for a window of 2 MiB, 32 for one of 4 GiB. */
static bool pci_tlb(struct chip *c, unsigned i, unsigned shift, uint64_t offset,
                    const struct piece *p)
{
    const uint8_t *w = &c->pci.tlb[i * PCI_TLB_BYTES];
    unsigned at = 64 - shift;
    uint64_t page = pci_tlb_field(w, 0, 32);
    if (at > 32)
        page |= (uint64_t)pci_tlb_field(w, 32, at - 32) << 32;
    uint64_t address = page << shift | offset;
    unsigned x = pci_tlb_field(w, at, 6), y = pci_tlb_field(w, at + 6, 6);
    if (p->to)
        return chip_read(c, x, y, address, p->to, p->size);
    if (!pci_tlb_field(w, at + 26, 1))
        return chip_write(c, x, y, address, p->from, p->size);
    struct chip_rect r = {pci_tlb_field(w, at + 12, 6), pci_tlb_field(w, at + 18, 6), x, y};
    return chip_multicast(c, &r, address, p->from, p->size);
}

/* The PCIe tile's own network interface: two registers that drivers read. */
static bool pci_niu(struct chip *c, unsigned noc, uint32_t offset, const struct piece *p)
{
    uint8_t words[BAR0_NIU_SIZE] = {0};
    uint32_t id = chip_node_id(noc, PCIE_X, PCIE_Y), cfg = NIU_CFG_0_TRANSLATE;
    if (!p->to)
        return pci_nothing(c, p);
    memcpy(words + NIU_NODE_ID, &id, 4);
    memcpy(words + NIU_CFG_0, &cfg, 4);
    memcpy(p->to, words + offset, p->size);
    return true;
}

/* ---- an access ---- */

/* Cuts the piece so that it ends with the area it begins in, and says where it begins there. */
static uint64_t piece_cut(struct piece *p, uint64_t offset, uint64_t area, uint64_t area_size)
{
    uint64_t inside = offset - area, room = area_size - inside;
    if (p->size > room)
        p->size = (uint32_t)room;
    return inside;
}

static bool pci_bar0(struct chip *c, uint64_t offset, struct piece *p)
{
    const uint64_t tlb = UINT64_C(1) << 21, tlbs = PCI_TLBS_2M * tlb;
    if (offset < tlbs)
        return pci_tlb(
            c, (unsigned)(offset >> 21), 21, piece_cut(p, offset, offset & ~(tlb - 1), tlb), p);
    if (offset - BAR0_REGISTERS < sizeof c->pci.tlb) {
        uint64_t at = piece_cut(p, offset, BAR0_REGISTERS, sizeof c->pci.tlb);
        pci_storage(p, &c->pci.tlb[at]);
        return true;
    }
    if (offset - BAR0_NIU0 < BAR0_NIU_SIZE)
        return pci_niu(c, 0, (uint32_t)piece_cut(p, offset, BAR0_NIU0, BAR0_NIU_SIZE), p);
    if (offset - BAR0_NIU1 < BAR0_NIU_SIZE)
        return pci_niu(c, 1, (uint32_t)piece_cut(p, offset, BAR0_NIU1, BAR0_NIU_SIZE), p);
    piece_cut(p, offset, offset & ~UINT64_C(0xFFF), 0x1000);
    return pci_nothing(c, p);
}

static bool pci_piece(struct chip *c, uint64_t paddr, struct piece *p)
{
    for (unsigned i = 0; i < 3; i++) {
        uint64_t offset = paddr - pci_bar_base(&c->pci, i);
        if (offset >= bars[i].size)
            continue;
        piece_cut(p, offset, 0, bars[i].size);
        if (i == 0)
            return pci_bar0(c, offset, p);
        if (i == 1) {
            pci_storage(p, &c->pci.bar2[offset]);
            return true;
        }
        unsigned n = (unsigned)(offset >> 32);
        uint64_t inside = piece_cut(p, offset, (uint64_t)n << 32, UINT64_C(1) << 32);
        return pci_tlb(c, PCI_TLBS_2M + n, 32, inside, p);
    }
    piece_cut(p, paddr, paddr & ~UINT64_C(0xFFF), 0x1000);
    return pci_nothing(c, p);
}

bool pci_read(struct chip *c, uint64_t paddr, void *to, uint32_t size)
{
    bool all = size <= PCI_ACCESS_MAX;
    uint8_t *out = to;
    for (uint32_t left = size <= PCI_ACCESS_MAX ? size : 0; left;) {
        struct piece p = {.to = out, .size = left};
        all &= pci_piece(c, paddr, &p);
        paddr += p.size;
        out += p.size;
        left -= p.size;
    }
    return all;
}

bool pci_write(struct chip *c, uint64_t paddr, const void *from, uint32_t size)
{
    bool all = size <= PCI_ACCESS_MAX;
    const uint8_t *in = from;
    for (uint32_t left = size <= PCI_ACCESS_MAX ? size : 0; left;) {
        struct piece p = {.from = in, .size = left};
        all &= pci_piece(c, paddr, &p);
        paddr += p.size;
        in += p.size;
        left -= p.size;
    }
    return all;
}
