/*
 * alpha_mem.c - memory of an Alpha program: page table, accesses, decoded code.
 *
 * Every page that is mapped has a struct page; its bytes and its decoded instructions come when
 * they are needed. alpha_tlb remembers where the bytes are: a read tag if the page may be read, a write
 * tag if it may be written and holds no decoded code.
 */
#include "alpha/alpha_mem.h"

#include <stdlib.h>
#include <string.h>

#include "base/hot.h"

#define LEVEL_BITS    10u
#define LEVEL_SIZE    (1u << LEVEL_BITS)
#define DEFAULT_LIMIT ((size_t)1 << 30)
#define CODE_SIZE     ((ALPHA_PAGE_INSNS + 1) * sizeof(struct alpha_insn))
#define OFFSET(a)     ((size_t)((a) & (ALPHA_PAGE - 1)))
#define PAGE_OF(a)    ((a) & ~(ALPHA_PAGE - 1))
#define CODE_LINES    (sizeof((struct alpha_mem *)0)->code / sizeof((struct alpha_mem *)0)->code[0])

struct page {
    uint8_t *data; /* NULL: all zero so far */
    struct alpha_insn *code;
    uint8_t there, prot;
};

struct leaf {
    struct page page[LEVEL_SIZE];
    unsigned n; /* pages that are there */
};

struct middle {
    struct leaf *leaf[LEVEL_SIZE];
};

struct root {
    struct middle *middle[LEVEL_SIZE];
};

/* ---- the page table ---- */

static unsigned level(uint64_t address, unsigned n)
{
    return (unsigned)(address >> (ALPHA_PAGE_SHIFT + n * LEVEL_BITS)) & (LEVEL_SIZE - 1);
}

/* Zeroed memory on the program's account; NULL: there is none, or the limit is reached. */
static void *take(struct alpha_mem *m, size_t size)
{
    void *p = size <= m->limit - m->used ? calloc(1, size) : NULL;
    m->used += p ? size : 0;
    return p;
}

/* The same for page tables: an eighth of the limit is left for what lies in the pages, so that a program that maps too much can say so. */
static void *take_table(struct alpha_mem *m, size_t size)
{
    return size + m->limit / 8 <= m->limit - m->used ? take(m, size) : NULL;
}

static void give_back(struct alpha_mem *m, void *p, size_t size)
{
    m->used -= p ? size : 0;
    free(p);
}

static struct leaf **leaf_slot(const struct alpha_mem *m, uint64_t address)
{
    const struct root *root = m->root;
    if (!root || address >= ALPHA_ADDRESS_END)
        return NULL;
    struct middle *middle = root->middle[level(address, 2)];
    return middle ? &middle->leaf[level(address, 1)] : NULL;
}

/* The table behind an address, NULL if there is none. */
static struct leaf *leaf_at(const struct alpha_mem *m, uint64_t address)
{
    struct leaf **leaf = leaf_slot(m, address);
    return leaf ? *leaf : NULL;
}

/* The same, made if it is not there; NULL if there is no memory for it. */
static struct leaf *leaf_make(struct alpha_mem *m, uint64_t address)
{
    struct root *root = m->root;
    if (!root || address >= ALPHA_ADDRESS_END)
        return NULL;
    struct middle **middle = &root->middle[level(address, 2)];
    if (!*middle)
        *middle = take_table(m, sizeof **middle);
    if (!*middle)
        return NULL;
    struct leaf **leaf = &(*middle)->leaf[level(address, 1)];
    if (!*leaf)
        *leaf = take_table(m, sizeof **leaf);
    return *leaf;
}

static void leaf_free_if_empty(struct alpha_mem *m, uint64_t address)
{
    struct leaf **leaf = leaf_slot(m, address);
    if (!leaf || !*leaf || (*leaf)->n)
        return;
    give_back(m, *leaf, sizeof **leaf);
    *leaf = NULL;
}

static struct page *page_at(const struct alpha_mem *m, uint64_t address)
{
    struct leaf *leaf = leaf_at(m, address);
    struct page *p = leaf ? &leaf->page[level(address, 0)] : NULL;
    return p && p->there ? p : NULL;
}

/* The bytes of a page; NULL if there is no memory for them. */
static uint8_t *bytes(struct alpha_mem *m, struct page *p)
{
    if (!p->data)
        p->data = take(m, ALPHA_PAGE);
    return p->data;
}

static void forget(struct alpha_mem *m, uint64_t address)
{
    struct alpha_tlb *t = &m->tlb[(address >> ALPHA_PAGE_SHIFT) % ALPHA_TLB_SIZE];
    if (t->read_tag == PAGE_OF(address))
        t->read_tag = ALPHA_TLB_NONE;
    if (t->write_tag == PAGE_OF(address))
        t->write_tag = ALPHA_TLB_NONE;
    struct alpha_tlb_code *c = &m->code[(address >> ALPHA_PAGE_SHIFT) % CODE_LINES];
    if (c->tag == PAGE_OF(address))
        c->tag = ALPHA_TLB_NONE;
}

static void remember(struct alpha_mem *m, uint64_t address, const struct page *p)
{
    struct alpha_tlb *t = &m->tlb[(address >> ALPHA_PAGE_SHIFT) % ALPHA_TLB_SIZE];
    bool writes = p->prot & ALPHA_PROT_WRITE && !p->code;
    t->read_tag = p->prot & ALPHA_PROT_READ ? PAGE_OF(address) : ALPHA_TLB_NONE;
    t->write_tag = writes ? PAGE_OF(address) : ALPHA_TLB_NONE;
    t->host = p->data;
}

static void drop_code(struct alpha_mem *m, struct page *p)
{
    give_back(m, p->code, CODE_SIZE);
    p->code = NULL;
}

static void drop_page(struct alpha_mem *m, struct leaf *leaf, struct page *p)
{
    leaf->n -= p->there;
    give_back(m, p->data, ALPHA_PAGE);
    drop_code(m, p);
    *p = (struct page){0};
}

bool alpha_mem_init(struct alpha_mem *m, size_t limit)
{
    memset(m, 0, sizeof *m);
    for (unsigned i = 0; i < ALPHA_TLB_SIZE; i++)
        m->tlb[i].read_tag = m->tlb[i].write_tag = ALPHA_TLB_NONE;
    for (unsigned i = 0; i < CODE_LINES; i++)
        m->code[i].tag = ALPHA_TLB_NONE;
    m->limit = limit ? limit : DEFAULT_LIMIT;
    m->root = take(m, sizeof(struct root));
    return m->root;
}

static void free_middle(struct alpha_mem *m, struct middle *middle)
{
    for (unsigned j = 0; middle && j < LEVEL_SIZE; j++) {
        struct leaf *leaf = middle->leaf[j];
        for (unsigned k = 0; leaf && k < LEVEL_SIZE; k++)
            drop_page(m, leaf, &leaf->page[k]);
        give_back(m, leaf, sizeof *leaf);
    }
    give_back(m, middle, sizeof *middle);
}

void alpha_mem_free(struct alpha_mem *m)
{
    struct root *root = m->root;
    for (unsigned i = 0; root && i < LEVEL_SIZE; i++)
        free_middle(m, root->middle[i]);
    give_back(m, root, sizeof *root);
    m->root = NULL;
}

/* ---- the map ---- */

/* Widen to whole pages; false if that is outside. An empty range stays empty. */
static bool whole_pages(uint64_t *address, uint64_t *end, uint64_t size)
{
    if (*address >= ALPHA_ADDRESS_END || size > ALPHA_ADDRESS_END - *address)
        return false;
    *end = size ? PAGE_OF(*address + size + ALPHA_PAGE - 1) : PAGE_OF(*address);
    *address = PAGE_OF(*address);
    return true;
}

/* The next address to look at when there is no leaf here. */
static uint64_t next_leaf(uint64_t address)
{
    uint64_t span = ALPHA_PAGE << LEVEL_BITS;
    return (address | (span - 1)) + 1;
}

/* Page tables for a range; if there is no memory for all of them, none is new. */
static bool make_leaves(struct alpha_mem *m, uint64_t address, uint64_t end)
{
    uint64_t at = address;
    while (at < end && leaf_make(m, at))
        at = next_leaf(at);
    if (at >= end)
        return true;
    for (; address < at; address = next_leaf(address))
        leaf_free_if_empty(m, address);
    return false;
}

bool alpha_mem_map(struct alpha_mem *m, uint64_t address, uint64_t size, unsigned prot)
{
    uint64_t end;
    if (!whole_pages(&address, &end, size))
        return false;
    /* a page table for more than can ever be touched is no use */
    if ((end - address) / 4 > m->limit || !make_leaves(m, address, end))
        return false;
    for (; address < end; address += ALPHA_PAGE) {
        struct leaf *leaf = leaf_at(m, address);
        struct page *p = &leaf->page[level(address, 0)];
        leaf->n += !p->there;
        p->there = 1;
        p->prot = (uint8_t)prot;
        drop_code(m, p);
        forget(m, address);
    }
    return true;
}

static bool all_mapped(const struct alpha_mem *m, uint64_t address, uint64_t end)
{
    for (; address < end; address += ALPHA_PAGE)
        if (!page_at(m, address))
            return false;
    return true;
}

bool alpha_mem_protect(struct alpha_mem *m, uint64_t address, uint64_t size, unsigned prot)
{
    uint64_t end;
    return whole_pages(&address, &end, size) && all_mapped(m, address, end) &&
           alpha_mem_map(m, address, end - address, prot);
}

void alpha_mem_unmap(struct alpha_mem *m, uint64_t address, uint64_t size)
{
    uint64_t end;
    if (!whole_pages(&address, &end, size))
        return;
    while (address < end) {
        struct leaf *leaf = leaf_at(m, address);
        if (!leaf) {
            address = next_leaf(address);
            continue;
        }
        drop_page(m, leaf, &leaf->page[level(address, 0)]);
        forget(m, address);
        leaf_free_if_empty(m, address);
        address += ALPHA_PAGE;
    }
}

bool alpha_mem_mapped(const struct alpha_mem *m, uint64_t address, uint64_t size)
{
    uint64_t end;
    if (!whole_pages(&address, &end, size))
        return false;
    while (address < end) {
        struct leaf *leaf = leaf_at(m, address);
        if (leaf && leaf->page[level(address, 0)].there)
            return true;
        address = leaf ? address + ALPHA_PAGE : next_leaf(address);
    }
    return false;
}

unsigned alpha_mem_prot(const struct alpha_mem *m, uint64_t address)
{
    const struct page *p = page_at(m, address);
    return p ? p->prot : 0;
}

uint64_t alpha_mem_find(const struct alpha_mem *m, uint64_t from, uint64_t size, uint64_t end)
{
    uint64_t start = PAGE_OF(from + ALPHA_PAGE - 1), at = start;
    if (end > ALPHA_ADDRESS_END)
        end = ALPHA_ADDRESS_END;
    while (at < end && start <= end && size <= end - start) {
        if (at >= start + size)
            return start;
        struct leaf *leaf = leaf_at(m, at);
        if (!leaf) {
            at = next_leaf(at);
            continue;
        }
        if (leaf->page[level(at, 0)].there)
            start = at + ALPHA_PAGE;
        at += ALPHA_PAGE;
    }
    return start <= end && size <= end - start && at >= start + size ? start : 0;
}

/* ---- accesses ---- */

static uint64_t get(const uint8_t *at, unsigned size)
{
    uint64_t value = 0;
    for (unsigned i = size; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

static void put(uint8_t *at, unsigned size, uint64_t value)
{
    for (unsigned i = 0; i < size; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* Bytes of a page that may be used so; *why says why not. */
static uint8_t *reach(struct alpha_mem *m, uint64_t address, unsigned prot, enum alpha_trap *why,
                      struct page **page)
{
    struct page *p = page_at(m, address);
    *why = prot == ALPHA_PROT_WRITE ? ALPHA_TRAP_STORE : ALPHA_TRAP_LOAD;
    if (!p || !(p->prot & prot))
        return NULL;
    *page = p;
    *why = bytes(m, p) ? ALPHA_TRAP_NONE : ALPHA_TRAP_MEMORY;
    if (p->data)
        remember(m, address, p);
    return p->data;
}

/* The bytes from..to of a page have changed: decode again what is there. */
static void touched(struct page *p, size_t from, size_t to)
{
    if (p->code)
        for (size_t i = from / 4; i <= to / 4; i++)
            p->code[i].go = ALPHA_GO_DECODE;
}

enum alpha_trap alpha_mem_read(struct alpha_mem *m, uint64_t address, unsigned size,
                               uint64_t *value)
{
    enum alpha_trap why;
    struct page *p;
    uint8_t *data = reach(m, address, ALPHA_PROT_READ, &why, &p);
    m->unaligned += (address & (size - 1)) != 0;
    if (!data)
        return why;
    size_t room = ALPHA_PAGE - OFFSET(address);
    if (room >= size) {
        *value = get(data + OFFSET(address), size);
        return ALPHA_TRAP_NONE;
    }
    uint8_t *second = reach(m, address + size - 1, ALPHA_PROT_READ, &why, &p);
    if (!second)
        return why;
    *value = get(data + OFFSET(address), (unsigned)room) | get(second, size - (unsigned)room)
                                                               << 8 * room;
    return ALPHA_TRAP_NONE;
}

enum alpha_trap alpha_mem_write(struct alpha_mem *m, uint64_t address, unsigned size,
                                uint64_t value)
{
    enum alpha_trap why;
    struct page *first, *next;
    uint8_t *data = reach(m, address, ALPHA_PROT_WRITE, &why, &first);
    m->unaligned += (address & (size - 1)) != 0;
    if (!data)
        return why;
    size_t at = OFFSET(address), room = ALPHA_PAGE - at;
    if (room >= size) {
        put(data + at, size, value);
        touched(first, at, at + size - 1);
        return ALPHA_TRAP_NONE;
    }
    uint8_t *second = reach(m, address + size - 1, ALPHA_PROT_WRITE, &why, &next);
    if (!second)
        return why;
    put(data + at, (unsigned)room, value);
    touched(first, at, ALPHA_PAGE - 1);
    put(second, size - (unsigned)room, value >> 8 * room);
    touched(next, 0, size - room - 1);
    return ALPHA_TRAP_NONE;
}

enum alpha_trap alpha_mem_may_write(struct alpha_mem *m, uint64_t address, unsigned size)
{
    enum alpha_trap why;
    struct page *p;
    if (reach(m, address, ALPHA_PROT_WRITE, &why, &p) &&
        PAGE_OF(address) != PAGE_OF(address + size - 1))
        reach(m, address + size - 1, ALPHA_PROT_WRITE, &why, &p);
    return why;
}

/* ---- bulk ---- */

/* Copy between memory and the host page by page; prot 0: whatever the protection. */
static bool copy(struct alpha_mem *m, uint64_t address, uint8_t *to, const uint8_t *from,
                 size_t size, unsigned prot, size_t *done)
{
    size_t n = 0;
    while (n < size) {
        struct page *p = page_at(m, address + n);
        size_t at = OFFSET(address + n), part = ALPHA_PAGE - at;
        if (!p || (p->prot & prot) != prot || !bytes(m, p))
            break;
        if (part > size - n)
            part = size - n;
        if (to)
            memcpy(to + n, p->data + at, part);
        else
            memcpy(p->data + at, from + n, part);
        if (from)
            touched(p, at, at + part - 1);
        n += part;
    }
    if (done)
        *done = n;
    return n == size;
}

bool alpha_mem_out(struct alpha_mem *m, uint64_t address, void *to, size_t size, size_t *done)
{
    return copy(m, address, to, NULL, size, ALPHA_PROT_READ, done);
}

bool alpha_mem_in(struct alpha_mem *m, uint64_t address, const void *from, size_t size,
                  size_t *done)
{
    return copy(m, address, NULL, from, size, ALPHA_PROT_WRITE, done);
}

bool alpha_mem_poke(struct alpha_mem *m, uint64_t address, const void *from, size_t size)
{
    return copy(m, address, NULL, from, size, 0, NULL);
}

bool alpha_mem_peek(struct alpha_mem *m, uint64_t address, void *to, size_t size)
{
    return copy(m, address, to, NULL, size, 0, NULL);
}

int64_t alpha_mem_string(struct alpha_mem *m, uint64_t address, size_t max)
{
    for (size_t n = 0; n <= max;) {
        struct page *p = page_at(m, address + n);
        size_t at = OFFSET(address + n), part = ALPHA_PAGE - at;
        if (!p || !(p->prot & ALPHA_PROT_READ) || !bytes(m, p))
            return -1;
        if (part > max + 1 - n)
            part = max + 1 - n;
        const uint8_t *end = memchr(p->data + at, 0, part);
        if (end)
            return (int64_t)(n + (size_t)(end - (p->data + at)));
        n += part;
    }
    return -1;
}

/* ---- code ---- */

struct alpha_insn *alpha_mem_code(struct alpha_mem *m, uint64_t address)
{
    struct page *p = page_at(m, address);
    if (!p || !(p->prot & ALPHA_PROT_EXEC) || !bytes(m, p))
        return NULL;
    if (!p->code) {
        p->code = take(m, CODE_SIZE);
        if (!p->code)
            return NULL;
        for (unsigned i = 0; i < ALPHA_PAGE_INSNS; i++)
            p->code[i].go = ALPHA_GO_DECODE;
        p->code[ALPHA_PAGE_INSNS].go = ALPHA_GO_END;
        forget(m, address); /* the write tag */
    }
    m->code[(address >> ALPHA_PAGE_SHIFT) % CODE_LINES] =
        (struct alpha_tlb_code){PAGE_OF(address), p->code};
    return p->code;
}

enum alpha_trap alpha_mem_no_code(const struct alpha_mem *m, uint64_t pc)
{
    const struct page *p = page_at(m, pc);
    return p && p->prot & ALPHA_PROT_EXEC && !(pc & 3) ? ALPHA_TRAP_MEMORY : ALPHA_TRAP_FETCH;
}

void alpha_mem_decode(struct alpha_mem *m, struct alpha_insn *e, uint64_t address)
{
    const struct page *p = page_at(m, address);
    *e = alpha_decode((uint32_t)get(p->data + OFFSET(address), 4));
}

const struct alpha_insn *alpha_mem_fetch(struct alpha_mem *m, uint64_t pc)
{
    struct alpha_tlb_code *c = &m->code[(pc >> ALPHA_PAGE_SHIFT) % CODE_LINES];
    struct alpha_insn *page = c->tag == PAGE_OF(pc) ? c->code : alpha_mem_code(m, pc);
    if (!page || pc & 3)
        return NULL;
    struct alpha_insn *e = &page[OFFSET(pc) / 4];
    if (e->go == ALPHA_GO_DECODE)
        alpha_mem_decode(m, e, pc);
    return e;
}
