/*
 * pic.c - the interrupt controller's registers and its choice of the next handler.
 *
 * ISA page: PIC (Blackhole).
 *
 * Invariants: number[] changes only in pic_serve(), so a handler reads the same one throughout.
 *
 * Inaccuracies: the round robin goes through software IRQs 0 to 31, then hardware IRQs 0 to 3, and
 * starts behind IRQ 0 after reset (GUESSED: the page says fair round robin only); an interrupt is
 * taken between two turns of a core, at most TILE_PIC_QUOTA steps late, or TILE_QUOTA
 * if it has just been enabled (tile.c). Nothing raises the
 * hardware IRQs of overlay and watchdog.
 */
#include "tile/pic.h"

enum {
    WORD_B_SOFTWARE,
    WORD_B_HARDWARE,
    WORD_B_NUMBER,
    WORD_NC_SOFTWARE,
    WORD_NC_HARDWARE,
    WORD_NC_NUMBER,
    WORD_SOFTWARE, /* 32 of them */
    WORD_HARDWARE = WORD_SOFTWARE + PIC_SOFTWARE,
    WORD_PC = WORD_HARDWARE + PIC_HARDWARE
};

_Static_assert(WORD_PC + PIC_IRQS == PIC_WORDS, "0xFFB13000 to 0xFFB13137");

uint32_t pic_peek(const struct pic *p, unsigned word)
{
    switch (word) {
    case WORD_B_SOFTWARE: return p->software_enable[PIC_B];
    case WORD_B_HARDWARE: return p->hardware_enable[PIC_B];
    case WORD_B_NUMBER: return p->number[PIC_B];
    case WORD_NC_SOFTWARE: return p->software_enable[PIC_NC];
    case WORD_NC_HARDWARE: return p->hardware_enable[PIC_NC];
    case WORD_NC_NUMBER: return p->number[PIC_NC];
    default: break;
    }
    if (word < WORD_HARDWARE)
        return p->value[word - WORD_SOFTWARE];
    if (word < WORD_PC)
        return p->hardware >> (word - WORD_HARDWARE) & 1;
    return word < PIC_WORDS ? p->handler_pc[word - WORD_PC] : 0;
}

uint32_t pic_read(struct pic *p, unsigned word)
{
    uint32_t value = pic_peek(p, word);
    if (word >= WORD_SOFTWARE && word < WORD_HARDWARE)
        p->value[word - WORD_SOFTWARE] = 0;
    return value;
}

void pic_write(struct pic *p, unsigned word, uint32_t value)
{
    switch (word) {
    case WORD_B_SOFTWARE: p->software_enable[PIC_B] = value; return;
    case WORD_B_HARDWARE: p->hardware_enable[PIC_B] = value; return;
    case WORD_NC_SOFTWARE: p->software_enable[PIC_NC] = value; return;
    case WORD_NC_HARDWARE: p->hardware_enable[PIC_NC] = value; return;
    case WORD_B_NUMBER:
    case WORD_NC_NUMBER: return;
    default: break;
    }
    if (word < WORD_HARDWARE)
        p->value[word - WORD_SOFTWARE] = value;
    else if (word >= WORD_PC && word < PIC_WORDS)
        p->handler_pc[word - WORD_PC] = value;
}

void pic_hardware(struct pic *p, unsigned irq, bool raised)
{
    uint32_t bit = UINT32_C(1) << irq;
    p->hardware = raised ? p->hardware | bit : p->hardware & ~bit;
}

static bool pic_wants(const struct pic *p, enum pic_side side, unsigned irq)
{
    if (irq < PIC_SOFTWARE)
        return p->value[irq] && (p->software_enable[side] >> irq & 1);
    irq -= PIC_SOFTWARE;
    return (p->hardware & p->hardware_enable[side]) >> irq & 1;
}

unsigned pic_next(const struct pic *p, enum pic_side side)
{
    if (!pic_enabled(p, side))
        return PIC_NONE;
    for (unsigned i = 1; i <= PIC_IRQS; i++) {
        unsigned irq = (p->number[side] + i) % PIC_IRQS;
        if (pic_wants(p, side, irq))
            return irq;
    }
    return PIC_NONE;
}

void pic_serve(struct pic *p, enum pic_side side, unsigned irq)
{
    p->number[side] = irq;
}
