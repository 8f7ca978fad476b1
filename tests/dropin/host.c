/* host.c - see host.h. */
#include "dropin/host.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define WINDOW_SIZE (UINT64_C(1) << 21)
#define REGISTERS   UINT64_C(0x1FC00000)

bool host_load(struct host *h, const char *path, char *why, unsigned why_size)
{
    const struct {
        void *function;
        const char *name;
    } wanted[] = {
        {&h->init, "libttsim_init"},
        {&h->exit, "libttsim_exit"},
        {&h->set_dma, "libttsim_set_pci_dma_mem_callbacks"},
        {&h->config_read, "libttsim_pci_config_rd32"},
        {&h->config_write, "libttsim_pci_config_wr32"},
        {&h->mem_read, "libttsim_pci_mem_rd_bytes"},
        {&h->mem_write, "libttsim_pci_mem_wr_bytes"},
        {&h->tile_read, "libttsim_tile_rd_bytes"},
        {&h->tile_write, "libttsim_tile_wr_bytes"},
        {&h->clock, "libttsim_clock"},
    };
    h->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!h->library) {
        snprintf(why, why_size, "%s", dlerror());
        return false;
    }
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *symbol = dlsym(h->library, wanted[i].name);
        if (!symbol) {
            snprintf(why, why_size, "%s: no %s", path, wanted[i].name);
            return false;
        }
        memcpy(wanted[i].function, &symbol, sizeof symbol);
    }
    return true;
}

void host_open(struct host *h)
{
    h->init();
    h->bar0 = (h->config_read(0, 0x10) | (uint64_t)h->config_read(0, 0x14) << 32) & ~UINT64_C(15);
}

static uint64_t host_point(struct host *h, unsigned i, uint64_t address, uint32_t w1, uint32_t w2)
{
    uint64_t page = address / WINDOW_SIZE;
    const uint32_t w[3] = {(uint32_t)page, (uint32_t)(page >> 32) | w1, w2};
    for (unsigned k = 0; k < 3; k++)
        h->mem_write(h->bar0 + REGISTERS + 12 * i + 4 * k, &w[k], 4);
    return h->bar0 + i * WINDOW_SIZE + address % WINDOW_SIZE;
}

uint64_t host_tlb(struct host *h, unsigned i, struct host_place t, uint64_t address)
{
    return host_point(h, i, address, t.x << 11 | t.y << 17, 0);
}

uint64_t host_multicast(struct host *h, unsigned i, struct host_place first, struct host_place last,
                        uint64_t address)
{
    return host_point(h,
                      i,
                      address,
                      last.x << 11 | last.y << 17 | first.x << 23 | first.y << 29,
                      first.y >> 3 | 1u << 5);
}

void host_read(struct host *h, struct host_place t, uint64_t address, void *to, uint32_t size)
{
    h->mem_read(host_tlb(h, 0, t, address), to, size);
}

void host_write(struct host *h, struct host_place t, uint64_t address, const void *from,
                uint32_t size)
{
    h->mem_write(host_tlb(h, 0, t, address), from, size);
}

uint32_t host_peek(struct host *h, struct host_place t, uint64_t address)
{
    uint32_t value = 0xDEADBEEF;
    host_read(h, t, address, &value, 4);
    return value;
}

void host_poke(struct host *h, struct host_place t, uint64_t address, uint32_t value)
{
    host_write(h, t, address, &value, 4);
}

bool host_wait(struct host *h, struct host_place t, uint64_t address, uint32_t value,
               uint32_t chunk, unsigned max_calls)
{
    for (unsigned i = 0; i < max_calls; i++) {
        if (host_peek(h, t, address) == value)
            return true;
        h->clock(chunk);
    }
    return host_peek(h, t, address) == value;
}
