/*
 * pic.h - the interrupt controller of a tile: 32 software and 4 hardware IRQs for cores B and NC.
 *
 * ISA page: PIC (Blackhole). The registers are words 0 .. PIC_WORDS-1 of the region at 0xFFB13000.
 */
#ifndef WG_TILE_PIC_H
#define WG_TILE_PIC_H

#include <stdbool.h>
#include <stdint.h>

#define PIC_SOFTWARE 32u
#define PIC_HARDWARE 4u
#define PIC_IRQS     (PIC_SOFTWARE + PIC_HARDWARE)
#define PIC_WORDS    78u
#define PIC_NONE     PIC_IRQS

enum pic_side { PIC_B, PIC_NC, PIC_SIDES };

/* The hardware IRQs by what raises them. */
enum pic_hardware { PIC_HW_OVERLAY, PIC_HW_NIU0, PIC_HW_NIU1, PIC_HW_WATCHDOG };

struct pic {
    uint32_t software_enable[PIC_SIDES], hardware_enable[PIC_SIDES];
    uint32_t number[PIC_SIDES];    /* the IRQ whose handler was started last */
    uint32_t value[PIC_SOFTWARE];  /* not 0: raised */
    uint32_t hardware;             /* bit per IRQ that is raised */
    uint32_t handler_pc[PIC_IRQS]; /* software, then hardware */
};

/* A read as hardware does it: that of a raised software IRQ clears it. */
uint32_t pic_read(struct pic *p, unsigned word);
/* The same without that effect. */
uint32_t pic_peek(const struct pic *p, unsigned word);
void pic_write(struct pic *p, unsigned word, uint32_t value);
/* Hardware changes the state of one of its IRQs. */
void pic_hardware(struct pic *p, unsigned irq, bool raised);

/* Can this core be interrupted at all? */
static inline bool pic_enabled(const struct pic *p, enum pic_side side)
{
    return (p->software_enable[side] | p->hardware_enable[side]) != 0;
}

/* The IRQ to serve next, in turn after the one served last; PIC_NONE: nothing raised and enabled. */
unsigned pic_next(const struct pic *p, enum pic_side side);
/* Its handler has been started. */
void pic_serve(struct pic *p, enum pic_side side, unsigned irq);

#endif
