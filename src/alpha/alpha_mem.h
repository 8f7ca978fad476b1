/*
 * alpha_mem.h - memory of an Alpha program: pages of 8 KiB with protections, and the code in them
 * decoded.
 *
 * A page table of three levels of 1024 entries covers addresses up to 2^43; pages get host memory
 * when they are first touched. A small direct-mapped table of host addresses (alpha_tlb) serves
 * loads and stores that lie within a page; it holds only what may be done without further thought: no
 * writes to pages with decoded code.
 *
 * Nothing here stops the program: accesses return an enum alpha_trap, 0 (ALPHA_TRAP_NONE) if done.
 *
 * Invariants: `used` counts every byte that was allocated and is never above `limit`; a table of pages that has none is freed; an entry
 * of alpha_tlb never outlives the page or its protection; the decoded
 * instructions of a page are those in its bytes (a store to them decodes them again).
 *
 * **Inaccuracies**: the instruction cache is coherent; hardware needs IMB.
 */
#ifndef WG_ALPHA_MEM_H
#define WG_ALPHA_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "alpha/alpha_state.h"
#include "base/hot.h"
#include "isa/alpha.h"

#define ALPHA_PAGE_SHIFT   13
#define ALPHA_PAGE         (UINT64_C(1) << ALPHA_PAGE_SHIFT)
#define ALPHA_PAGE_INSNS   (ALPHA_PAGE / 4)
#define ALPHA_ADDRESS_BITS 43
#define ALPHA_ADDRESS_END  (UINT64_C(1) << ALPHA_ADDRESS_BITS)

#define ALPHA_PROT_READ  1u
#define ALPHA_PROT_WRITE 2u
#define ALPHA_PROT_EXEC  4u

#define ALPHA_TLB_SIZE 256u /* a power of two */

/* One line of host addresses: byte x of the page is at host + x. A tag is the page's address, or
   ALPHA_TLB_NONE, which no address becomes when the offset is cut but for its three low bits. */
#define ALPHA_TLB_NONE (UINT64_C(1) << (ALPHA_PAGE_SHIFT - 1))
struct alpha_tlb {
    uint64_t read_tag, write_tag;
    uint8_t *host;
};

/* Entries of `go` beyond those of alpha_decode, in decoded pages only. */
#define ALPHA_GO_DECODE 0x200u /* not looked at yet */
#define ALPHA_GO_END    0x201u /* behind the last instruction of a page */
#define ALPHA_N_GO      0x202u

struct alpha_mem {
    struct alpha_tlb tlb[ALPHA_TLB_SIZE];
    struct alpha_tlb_code {
        uint64_t tag;
        struct alpha_insn *code;
    } code[64];
    void *root;         /* page table */
    size_t used;        /* bytes of host memory: pages, page tables, decoded code */
    size_t limit;       /* at most that many */
    uint64_t unaligned; /* accesses that were */
};

/* False if there is no memory. limit, in bytes, is for all that the program can make us allocate; 0: 1 GiB. */
bool alpha_mem_init(struct alpha_mem *m, size_t limit);
void alpha_mem_free(struct alpha_mem *m);

/* ---- the map; addresses and sizes are widened to whole pages; false: outside, or no memory, and nothing has changed ---- */

/* Give the range a protection; pages that were not there are zero, others keep their bytes. */
bool alpha_mem_map(struct alpha_mem *m, uint64_t address, uint64_t size, unsigned prot);
/* Change the protection; false (and nothing changed) if a page of the range is not there. */
bool alpha_mem_protect(struct alpha_mem *m, uint64_t address, uint64_t size, unsigned prot);
void alpha_mem_unmap(struct alpha_mem *m, uint64_t address, uint64_t size);
/* Is any page of the range there? */
bool alpha_mem_mapped(const struct alpha_mem *m, uint64_t address, uint64_t size);
/* Protection of the page, 0 if it is not there (or may not be touched). */
unsigned alpha_mem_prot(const struct alpha_mem *m, uint64_t address);
/* The lowest address >= from with size bytes of nothing below end; 0 if there is none. */
uint64_t alpha_mem_find(const struct alpha_mem *m, uint64_t from, uint64_t size, uint64_t end);

/* ---- accesses of the program: size 1, 2, 4 or 8, any alignment ---- */

/* Little-endian, zero-extended. */
enum alpha_trap alpha_mem_read(struct alpha_mem *m, uint64_t address, unsigned size,
                               uint64_t *value);
/* The low size bytes of value. */
enum alpha_trap alpha_mem_write(struct alpha_mem *m, uint64_t address, unsigned size,
                                uint64_t value);
/* Would a write be done? For a pipeline that writes later. */
enum alpha_trap alpha_mem_may_write(struct alpha_mem *m, uint64_t address, unsigned size);
/* The decoded instruction at pc, NULL if there is none (alpha_mem_no_code() says why). Valid until memory
   is written, mapped or unmapped. */
const struct alpha_insn *alpha_mem_fetch(struct alpha_mem *m, uint64_t pc);
/* Why there is no decoded instruction: nothing to execute, or no memory to decode it into. */
enum alpha_trap alpha_mem_no_code(const struct alpha_mem *m, uint64_t pc);

/* ---- bulk, for system calls and loaders ---- */

/* As the program would: with its protections. False: some byte cannot be reached; *done (if not
   NULL) says how many were copied. */
bool alpha_mem_out(struct alpha_mem *m, uint64_t address, void *to, size_t size, size_t *done);
bool alpha_mem_in(struct alpha_mem *m, uint64_t address, const void *from, size_t size,
                  size_t *done);
/* Whatever the protection; pages must be there. */
bool alpha_mem_poke(struct alpha_mem *m, uint64_t address, const void *from, size_t size);
bool alpha_mem_peek(struct alpha_mem *m, uint64_t address, void *to, size_t size);
/* Length of the string at address, without its NUL; -1 if it is longer than max or unreadable. */
int64_t alpha_mem_string(struct alpha_mem *m, uint64_t address, size_t max);

/* ---- for schedulers ---- */

static inline uint64_t alpha_mem_le_get(const uint8_t *at, unsigned size)
{
    uint64_t value = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&value, at, size);
#else
    for (unsigned i = size; i-- > 0;)
        value = value << 8 | at[i];
#endif
    return value;
}

static inline void alpha_mem_le_put(uint8_t *at, unsigned size, uint64_t value)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(at, &value, size);
#else
    for (unsigned i = 0; i < size; i++)
        at[i] = (uint8_t)(value >> 8 * i);
#endif
}

/* The same as alpha_mem_read and alpha_mem_write, quick where alpha_tlb has the page. Size should be
   a constant. */
HOT_INLINE enum alpha_trap alpha_mem_load(struct alpha_mem *m, uint64_t address, unsigned size,
                                          uint64_t *value)
{
    const struct alpha_tlb *t = &m->tlb[(address >> ALPHA_PAGE_SHIFT) % ALPHA_TLB_SIZE];
    if (LIKELY((address & ~(ALPHA_PAGE - size)) == t->read_tag)) {
        *value = alpha_mem_le_get(t->host + (address & (ALPHA_PAGE - 1)), size);
        return ALPHA_TRAP_NONE;
    }
    return alpha_mem_read(m, address, size, value);
}

/* A store there would be quick, so it would be done: alpha_mem_may_write() need not be asked. */
static inline bool alpha_mem_stores(const struct alpha_mem *m, uint64_t address, unsigned size)
{
    const struct alpha_tlb *t = &m->tlb[(address >> ALPHA_PAGE_SHIFT) % ALPHA_TLB_SIZE];
    return (address & ~(ALPHA_PAGE - size)) == t->write_tag;
}

HOT_INLINE enum alpha_trap alpha_mem_store(struct alpha_mem *m, uint64_t address, unsigned size,
                                           uint64_t value)
{
    const struct alpha_tlb *t = &m->tlb[(address >> ALPHA_PAGE_SHIFT) % ALPHA_TLB_SIZE];
    if (LIKELY((address & ~(ALPHA_PAGE - size)) == t->write_tag)) {
        alpha_mem_le_put(t->host + (address & (ALPHA_PAGE - 1)), size, value);
        return ALPHA_TRAP_NONE;
    }
    return alpha_mem_write(m, address, size, value);
}

/* The decoded page around address: ALPHA_PAGE_INSNS entries and one ALPHA_GO_END; entries with
   ALPHA_GO_DECODE are to be decoded with alpha_mem_decode(). NULL: not executable, or no memory. */
struct alpha_insn *alpha_mem_code(struct alpha_mem *m, uint64_t address);
/* Decode entry e, the instruction at address. */
void alpha_mem_decode(struct alpha_mem *m, struct alpha_insn *e, uint64_t address);

/* The same as alpha_mem_fetch, quick where the page was used lately. */
HOT_INLINE const struct alpha_insn *alpha_mem_insn(struct alpha_mem *m, uint64_t pc)
{
    const struct alpha_tlb_code *c =
        &m->code[(pc >> ALPHA_PAGE_SHIFT) % (sizeof m->code / sizeof m->code[0])];
    if (LIKELY((pc & ~(ALPHA_PAGE - 4)) == c->tag)) {
        const struct alpha_insn *e = &c->code[(pc & (ALPHA_PAGE - 1)) / 4];
        if (LIKELY(e->go != ALPHA_GO_DECODE))
            return e;
    }
    return alpha_mem_fetch(m, pc);
}

#endif
