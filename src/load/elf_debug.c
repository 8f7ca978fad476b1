/*
 * elf_debug.c - see elf_debug.h.
 *
 * Line tables come as sequences: stretches of code with rising addresses, each ended by a mark. Code
 * that the linker threw away leaves its sequence behind, starting at 0. So sequences are kept apart,
 * sorted by their first address, and of those that cover a pc the one that starts last is asked.
 */
#include "load/elf_debug.h"

#include <elfutils/libdw.h>
#include <gelf.h>
#include <libelf.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "load/reserve.h"

#define DWARF_BYTES                                                                                \
    256u /* of memory per byte of the file; a line, which can be one byte, takes libdw and this less */
#define MUCH         (UINT64_C(1) << 40)
#define DEFLATE_BEST 1032u

struct symbol {
    uint64_t addr, size;
    unsigned rank; /* of symbols at one address the highest is shown */
    const char *name;
    bool code;
};

struct line {
    uint64_t addr;
    unsigned number;
    const char *file;
};

struct sequence {
    uint64_t lo, hi; /* lo <= pc < hi */
    size_t first, n; /* lines */
};

struct elf_debug {
    Elf *file;
    struct symbol *symbols; /* sorted by (addr, rank) */
    size_t n_symbols;

    bool lines_read;
    Dwarf *dwarf; /* owns the file names */
    struct line *lines;
    size_t n_lines, room_lines;
    struct sequence *sequences; /* sorted by lo */
    size_t n_sequences, room_sequences;
};

/* ---- symbols ---- */

static int symbol_order(const void *pa, const void *pb)
{
    const struct symbol *a = pa, *b = pb;
    if (a->addr != b->addr)
        return a->addr < b->addr ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return strcmp(a->name, b->name);
}

static bool in_code(Elf *file, const GElf_Sym *symbol)
{
    if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= SHN_LORESERVE)
        return false;
    Elf_Scn *section = elf_getscn(file, symbol->st_shndx);
    GElf_Shdr header;
    return section && gelf_getshdr(section, &header) && (header.sh_flags & SHF_EXECINSTR);
}

/* False if a symbol has nothing to tell: no name, a file or section, a mark of the assembler. */
static bool take_symbol(Elf *file, const GElf_Sym *raw, const char *name, struct symbol *symbol)
{
    unsigned type = GELF_ST_TYPE(raw->st_info);
    if (!name || !name[0] || name[0] == '$' || strncmp(name, ".L", 2) == 0)
        return false;
    if (raw->st_shndx == SHN_UNDEF ||
        (type != STT_FUNC && type != STT_NOTYPE && type != STT_OBJECT))
        return false;
    *symbol = (struct symbol){
        .addr = raw->st_value,
        .size = raw->st_size,
        .rank = (type == STT_FUNC ? 2U : 0U) + (GELF_ST_BIND(raw->st_info) == STB_GLOBAL ? 1U : 0U),
        .name = name,
        .code = type != STT_OBJECT && in_code(file, raw),
    };
    return true;
}

static bool read_symbols(struct elf_debug *debug, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t entry = gelf_fsize(debug->file, ELF_T_SYM, 1, EV_CURRENT);
    size_t n = data && data->d_buf && entry ? data->d_size / entry : 0;
    if (!n || n > INT32_MAX)
        return true;
    debug->symbols = calloc(n, sizeof *debug->symbols);
    if (!debug->symbols)
        return false;
    for (size_t i = 0; i < n; i++) {
        GElf_Sym raw;
        if (!gelf_getsym(data, (int)i, &raw))
            continue;
        const char *name = elf_strptr(debug->file, header->sh_link, raw.st_name);
        debug->n_symbols += take_symbol(debug->file, &raw, name, &debug->symbols[debug->n_symbols]);
    }
    qsort(debug->symbols, debug->n_symbols, sizeof *debug->symbols, symbol_order);
    return true;
}

struct elf_debug *elf_debug_new(Elf *file)
{
    struct elf_debug *debug = calloc(1, sizeof *debug);
    if (!debug)
        return NULL;
    debug->file = file;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(file, section)) != NULL;) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
            continue;
        if (!read_symbols(debug, section, &header)) {
            elf_debug_free(debug);
            return NULL;
        }
        break; /* there is one at most */
    }
    return debug;
}

void elf_debug_free(struct elf_debug *debug)
{
    if (!debug)
        return;
    if (debug->dwarf)
        dwarf_end(debug->dwarf);
    free(debug->symbols);
    free(debug->lines);
    free(debug->sequences);
    free(debug);
}

bool elf_debug_symbol(const struct elf_debug *debug, uint64_t pc, const char **name,
                      uint32_t *offset)
{
    size_t lo = 0, hi = debug->n_symbols; /* the number of symbols at or before pc */
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (debug->symbols[middle].addr <= pc)
            lo = middle + 1;
        else
            hi = middle;
    }
    while (lo-- > 0) {
        const struct symbol *s = &debug->symbols[lo];
        if (!s->code)
            continue;
        if (s->size && pc - s->addr >= s->size)
            return false; /* between two functions */
        *name = s->name;
        *offset = (uint32_t)(pc - s->addr);
        return true;
    }
    return false;
}

bool elf_debug_address(const struct elf_debug *debug, const char *name, uint64_t *addr)
{
    for (size_t i = 0; i < debug->n_symbols; i++) {
        if (strcmp(debug->symbols[i].name, name) == 0) {
            *addr = debug->symbols[i].addr;
            return true;
        }
    }
    return false;
}

/* ---- lines ---- */

/* The array with room for one more than n elements; NULL, and the array as it was, without memory. */
static void *make_room(void *array, size_t *room, size_t n, size_t size)
{
    if (n < *room)
        return array;
    size_t larger = *room ? *room * 2 : 256;
    void *moved = realloc(array, larger * size);
    if (moved)
        *room = larger;
    return moved;
}

static bool end_sequence(struct elf_debug *debug, size_t first, uint64_t hi)
{
    size_t n = debug->n_lines - first;
    if (!n || debug->lines[first].addr >= hi)
        return true;
    struct sequence *room = make_room(
        debug->sequences, &debug->room_sequences, debug->n_sequences, sizeof *debug->sequences);
    if (!room)
        return false;
    debug->sequences = room;
    debug->sequences[debug->n_sequences++] =
        (struct sequence){.lo = debug->lines[first].addr, .hi = hi, .first = first, .n = n};
    return true;
}

static bool read_unit(struct elf_debug *debug, Dwarf_Die *unit)
{
    Dwarf_Lines *lines;
    size_t n, first = debug->n_lines;
    if (dwarf_getsrclines(unit, &lines, &n) != 0)
        return true;
    for (size_t i = 0; i < n; i++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i);
        Dwarf_Addr addr;
        int number;
        bool end;
        if (!line || dwarf_lineaddr(line, &addr) != 0 || dwarf_lineno(line, &number) != 0 ||
            dwarf_lineendsequence(line, &end) != 0)
            continue;
        if (end) {
            if (!end_sequence(debug, first, addr))
                return false;
            first = debug->n_lines;
            continue;
        }
        const char *file = dwarf_linesrc(line, NULL, NULL);
        if (!file || number <= 0)
            continue;
        struct line *room =
            make_room(debug->lines, &debug->room_lines, debug->n_lines, sizeof *debug->lines);
        if (!room)
            return false;
        debug->lines = room;
        debug->lines[debug->n_lines++] =
            (struct line){.addr = addr, .number = (unsigned)number, .file = file};
    }
    debug->n_lines = first; /* lines without an end belong to nothing */
    return true;
}

static int sequence_order(const void *pa, const void *pb)
{
    const struct sequence *a = pa, *b = pb;
    if (a->lo != b->lo)
        return a->lo < b->lo ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

/* Bytes of a section when it is not compressed. No section has more than the file, and deflate packs no better than 1 to DEFLATE_BEST: who claims
   more is damaged, and libelf would ask for that memory before it looks. */
static uint64_t section_bytes(Elf_Scn *section, uint64_t most)
{
    GElf_Shdr header;
    GElf_Chdr compressed;
    if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS)
        return 0;
    if (header.sh_size > most)
        return MUCH;
    if (!(header.sh_flags & SHF_COMPRESSED))
        return header.sh_size;
    if (!gelf_getchdr(section, &compressed) || compressed.ch_size > header.sh_size * DEFLATE_BEST)
        return MUCH;
    return header.sh_size + compressed.ch_size;
}

/* Of all that libdw may read; MUCH or more if the file is damaged. */
static uint64_t debug_bytes(Elf *file)
{
    size_t most = 0;
    uint64_t n = 0;
    if (!elf_rawfile(file, &most))
        return MUCH;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(file, section)) != NULL;)
        n += section_bytes(section, most);
    return n;
}

/* libdw has no memory: without this it calls exit(). */
static _Thread_local jmp_buf *no_memory;

static void leave_libdw(void) __attribute__((noreturn));
static void leave_libdw(void)
{
    longjmp(*no_memory, 1);
}

static void read_units(struct elf_debug *debug)
{
    Dwarf_Off offset = 0, next;
    size_t header_size;
    while (dwarf_nextcu(debug->dwarf, offset, &next, &header_size, NULL, NULL, NULL) == 0) {
        Dwarf_Die unit;
        if (dwarf_offdie(debug->dwarf, offset + header_size, &unit) && !read_unit(debug, &unit))
            break;
        if (next <= offset)
            break;
        offset = next;
    }
}

/* Lines that cannot be read are not known. */
static void read_lines(struct elf_debug *debug)
{
    jmp_buf back;
    debug->lines_read = true;
    if (!reserve_has(debug_bytes(debug->file), DWARF_BYTES))
        return;
    debug->dwarf = dwarf_begin_elf(debug->file, DWARF_C_READ, NULL);
    if (!debug->dwarf)
        return;
    no_memory = &back;
    dwarf_new_oom_handler(debug->dwarf, leave_libdw);
    if (!setjmp(back))
        read_units(debug);
    no_memory = NULL;
    if (debug->n_sequences)
        qsort(debug->sequences, debug->n_sequences, sizeof *debug->sequences, sequence_order);
}

bool elf_debug_line(struct elf_debug *debug, uint64_t pc, const char **file, unsigned *line)
{
    if (!debug->lines_read)
        read_lines(debug);
    size_t i = debug->n_sequences;
    while (i > 0 && (debug->sequences[i - 1].lo > pc || debug->sequences[i - 1].hi <= pc))
        i--;
    if (!i)
        return false;
    const struct sequence *s = &debug->sequences[i - 1];
    const struct line *found = &debug->lines[s->first];
    for (size_t k = 1; k < s->n && debug->lines[s->first + k].addr <= pc; k++)
        found = &debug->lines[s->first + k];
    *file = found->file;
    *line = found->number;
    return true;
}
