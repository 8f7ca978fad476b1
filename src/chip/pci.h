/*
 * pci.h - what a host sees of the chip on PCI Express: configuration space and three memory BARs.
 *
 *     BAR0  512 MiB  202 windows (TLBs) of 2 MiB; from 0x1FC00000 their registers, 12 bytes per window;
 *                    at 0x1FD04000 and 0x1FD14000 the PCIe tile's own network interfaces
 *     BAR2    1 MiB  address translation of the PCIe controller (iATU)
 *     BAR4   32 GiB  8 windows of 4 GiB, number 202 to 209
 *
 * The registers of a window are one number of 96 bits: the address without the part inside the window
 * (43 bits, or 32), then 6 bits each of x, y, x of the other corner, y of the other corner, 2 bits
 * NoC, 1 bit multicast.
 */
#ifndef WG_CHIP_PCI_H
#define WG_CHIP_PCI_H

#include <stdbool.h>
#include <stdint.h>

#define PCI_TLBS       210u
#define PCI_TLBS_2M    202u
#define PCI_TLB_BYTES  12u
#define PCI_BAR2_SIZE  0x100000u
#define PCI_ACCESS_MAX 0x20000000u /* larger accesses are refused */

struct chip;

struct pci {
    uint32_t config[16];
    uint8_t tlb[PCI_TLBS * PCI_TLB_BYTES];
    uint8_t bar2[PCI_BAR2_SIZE];
};

void pci_reset(struct pci *p);
/* Configuration space of device bdf; only 0 exists. */
uint32_t pci_config_read(const struct pci *p, uint32_t bdf, uint32_t offset);
void pci_config_write(struct pci *p, uint32_t bdf, uint32_t offset, uint32_t value);
/* Memory at a physical address of the host. False if something was not there; reads give 0 for it. An
   access above PCI_ACCESS_MAX does nothing. */
bool pci_read(struct chip *c, uint64_t paddr, void *to, uint32_t size);
bool pci_write(struct chip *c, uint64_t paddr, const void *from, uint32_t size);

#endif
