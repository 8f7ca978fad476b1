/*
 * host.h - a host of a simulated chip: loads a library with the ten libttsim_* functions and reaches the
 * tiles through windows of BAR0, as drivers do.
 */
#ifndef WG_TESTS_DROPIN_HOST_H
#define WG_TESTS_DROPIN_HOST_H

#include <stdbool.h>
#include <stdint.h>

struct host {
    void *library;
    void (*init)(void);
    void (*exit)(void);
    void (*set_dma)(void (*read)(uint64_t, void *, uint32_t),
                    void (*write)(uint64_t, const void *, uint32_t));
    uint32_t (*config_read)(uint32_t bdf, uint32_t offset);
    void (*config_write)(uint32_t bdf, uint32_t offset, uint32_t value);
    void (*mem_read)(uint64_t paddr, void *to, uint32_t size);
    void (*mem_write)(uint64_t paddr, const void *from, uint32_t size);
    void (*tile_read)(uint32_t x, uint32_t y, uint64_t address, void *to, uint32_t size);
    void (*tile_write)(uint32_t x, uint32_t y, uint64_t address, const void *from, uint32_t size);
    void (*clock)(uint32_t n_clocks);
    uint64_t bar0;
};

struct host_place {
    unsigned x, y;
};

enum {
    HOST_SOFT_RESET_B = 1 << 11,
    HOST_SOFT_RESET_T0 = 1 << 12, /* T1, T2 follow */
    HOST_SOFT_RESET_NC = 1 << 18
};
#define HOST_SOFT_RESET     UINT64_C(0xFFB121B0)
#define HOST_SOFT_RESET_ALL 0x47800u
#define HOST_WALL_CLOCK     UINT64_C(0xFFB121F0)
#define HOST_T0_PC          UINT64_C(0xFFB12228) /* T1, T2 follow */
#define HOST_T_OVERRIDE     UINT64_C(0xFFB12234)
#define HOST_NC_PC          UINT64_C(0xFFB12238)
#define HOST_NC_OVERRIDE    UINT64_C(0xFFB1223C)

/* Loads the library and finds its functions; on failure says why in the text. */
bool host_load(struct host *h, const char *path, char *why, unsigned why_size);
/* libttsim_init(), and where BAR0 is. */
void host_open(struct host *h);

/* Through window 0. */
void host_read(struct host *h, struct host_place t, uint64_t address, void *to, uint32_t size);
void host_write(struct host *h, struct host_place t, uint64_t address, const void *from,
                uint32_t size);
uint32_t host_peek(struct host *h, struct host_place t, uint64_t address);
void host_poke(struct host *h, struct host_place t, uint64_t address, uint32_t value);
/* Points window i (2 MiB) at an address of a tile; returns where it lies on PCI. */
uint64_t host_tlb(struct host *h, unsigned i, struct host_place t, uint64_t address);
/* The same for writes to all tiles between two corners. */
uint64_t host_multicast(struct host *h, unsigned i, struct host_place first, struct host_place last,
                        uint64_t address);
/* Clocks until a word has a value; false after max calls of chunk clocks. */
bool host_wait(struct host *h, struct host_place t, uint64_t address, uint32_t value,
               uint32_t chunk, unsigned max_calls);

#endif
