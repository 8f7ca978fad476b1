/*
 * ttsim.h - the ten functions by which tt-umd and its kin talk to a simulated chip. They have no handle:
 * there is one chip in the process. None of them fails visibly: what cannot be done is not done, what
 * cannot be read reads 0. Any thread may call any of them at any time, but no signal handler may.
 *
 * WAITGATE_VERBOSE in the environment: say on the standard error stream, once for each kind, what was
 * asked and could not be done.
 */
#ifndef WG_DROPIN_TTSIM_H
#define WG_DROPIN_TTSIM_H

#include <stdint.h>

#define TTSIM_API __attribute__((visibility("default")))

typedef void ttsim_dma_read(uint64_t address, void *to, uint32_t size);
typedef void ttsim_dma_write(uint64_t address, const void *from, uint32_t size);

TTSIM_API void libttsim_init(void);
TTSIM_API void libttsim_exit(void);
/* How the chip reaches the host's memory; before or after libttsim_init(). */
TTSIM_API void libttsim_set_pci_dma_mem_callbacks(ttsim_dma_read *read, ttsim_dma_write *write);
TTSIM_API uint32_t libttsim_pci_config_rd32(uint32_t bdf, uint32_t offset);
TTSIM_API void libttsim_pci_config_wr32(uint32_t bdf, uint32_t offset, uint32_t value);
TTSIM_API void libttsim_pci_mem_rd_bytes(uint64_t paddr, void *to, uint32_t size);
TTSIM_API void libttsim_pci_mem_wr_bytes(uint64_t paddr, const void *from, uint32_t size);
TTSIM_API void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t address, void *to,
                                      uint32_t size);
TTSIM_API void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t address, const void *from,
                                      uint32_t size);
TTSIM_API void libttsim_clock(uint32_t n_clocks);

#endif
