/*
 * test_memory.c - the host has no memory: every allocation of every function fails once, and from there on for good.
 *
 * malloc() and its kin are defined here, in front of the C library's, for this program, the loader and the libraries that it
 * uses. A scenario is run once to count its allocations. Then, each time in a process of its own, the n-th fails, or all from the
 * n-th on, or all beyond an amount of memory. The process must not end by itself; the scenario must say that there was no memory,
 * or have what it wanted; what it had allocated must be free again; and it must do its work when there is memory again.
 *
 * Where libfyaml and libdw work only amounts are tried: they do not survive the loss of a single allocation (load/reserve.h).
 *
 * With sanitizers, which have their own malloc(), there is nothing to test here.
 */
#define _DEFAULT_SOURCE

#include "test.h"

#include <elf.h>
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load/alpha_elf.h"
#include "load/case.h"
#include "load/elf.h"
#include "load/image.h"
#include "waitgate.h"

#if defined(__SANITIZE_ADDRESS__)
#define INTERPOSE 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define INTERPOSE 0
#endif
#endif
#ifndef INTERPOSE
#define INTERPOSE 1
#endif

static struct {
    bool on;
    bool once;             /* only the n-th fails */
    unsigned long n, fail; /* allocations so far; the number of the one that fails, 0: none */
    long live;             /* allocated and not free */
    size_t bytes, most;    /* of these, and the most there were */
    size_t limit;          /* more fail; 0: none does */
    size_t largest;        /* that was asked for at once */
} heap;

#if INTERPOSE
#pragma GCC visibility push(default) /* the libraries must see them */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *old);

static bool fails(size_t size)
{
    if (!heap.on)
        return false;
    heap.n++;
    heap.largest = size > heap.largest ? size : heap.largest;
    if (heap.limit && (size > heap.limit || heap.bytes > heap.limit - size)) {
        errno = ENOMEM;
        return true;
    }
    if (!heap.fail || (heap.once ? heap.n != heap.fail : heap.n < heap.fail))
        return false;
    errno = ENOMEM;
    return true;
}

static void *counted(void *new)
{
    heap.live += new != NULL;
    heap.bytes += new ? malloc_usable_size(new) : 0;
    heap.most = heap.bytes > heap.most ? heap.bytes : heap.most;
    return new;
}

static void gone(void *old)
{
    heap.live -= old != NULL;
    heap.bytes -= old ? malloc_usable_size(old) : 0;
}

void *malloc(size_t size)
{
    return fails(size) ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t n, size_t size)
{
    return fails(n * size) ? NULL : counted(__libc_calloc(n, size));
}

void *realloc(void *old, size_t size)
{
    if (fails(size))
        return NULL;
    gone(old);
    return counted(__libc_realloc(old, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(size) ? NULL : counted(__libc_memalign(alignment, size));
}

void *memalign(size_t alignment, size_t size)
{
    return aligned_alloc(alignment, size);
}

int posix_memalign(void **to, size_t alignment, size_t size)
{
    *to = aligned_alloc(alignment, size);
    return *to ? 0 : ENOMEM;
}

void free(void *old)
{
    gone(old);
    __libc_free(old);
}
#pragma GCC visibility pop
#endif

/* What a scenario comes to. */
enum outcome { GOOD, NO_MEMORY, WRONG };

static enum outcome outcome_of(enum waitgate_status status)
{
    return status == WAITGATE_OK ? GOOD : status == WAITGATE_ERROR_MEMORY ? NO_MEMORY : WRONG;
}

static enum outcome load_outcome(enum load_status status, const struct load_error *error)
{
    if (status == LOAD_OK)
        return GOOD;
    return status == LOAD_ERROR_MEMORY && error->status == LOAD_ERROR_MEMORY ? NO_MEMORY : WRONG;
}

/* ---- the core library ---- */

static void nowhere(void *context, const char *text, size_t length)
{
    (void)text;
    *(size_t *)context += length;
}

/* A core counts for ever; with time and a trace, or without. */
static enum outcome run_tile(bool clocked)
{
    static const uint32_t code[] = {0x00130313, 0xffdff06f};
    const uint32_t released = 0x47000;
    size_t length = 0;
    waitgate_tile *tile;
    enum outcome outcome = outcome_of(waitgate_tile_create(&tile));
    if (outcome != GOOD)
        return tile ? WRONG : outcome;
    outcome = outcome_of(waitgate_tile_trace(tile, nowhere, &length));
    waitgate_tile_write(tile, 0, code, sizeof code);
    waitgate_tile_write(tile, 0xFFB121B0, &released, sizeof released);
    if (clocked && waitgate_tile_clock(tile, 1000) != WAITGATE_TILE_LIMIT)
        outcome = WRONG;
    if (!clocked && waitgate_tile_run(tile, 1000) != 1000)
        outcome = WRONG;
    if (outcome == GOOD && !length)
        outcome = WRONG;
    waitgate_tile_report_json(tile, nowhere, &length);
    waitgate_tile_free(tile);
    return outcome;
}

static enum outcome tile_clocked(void)
{
    return run_tile(true);
}

static enum outcome tile_untimed(void)
{
    return run_tile(false);
}

static enum outcome script(void)
{
    static char text[8000];
    size_t n = 0, length = 0;
    waitgate_program *program;
    waitgate_result *result = NULL;
    struct waitgate_parse_error error;
    struct waitgate_options o = WAITGATE_OPTIONS_INIT;
    n += (size_t)snprintf(text, sizeof text, ".preset\n  sem 1 = 1\n  l1 0 = 1\n.core T0\n");
    for (unsigned i = 0; i < 200; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "l%u: ttnop\n", i);
    n += (size_t)snprintf(text + n, sizeof text - n, ".expect\n  l7 at 9\n");
    o.trace = nowhere;
    o.trace_context = &length;
    enum outcome outcome = outcome_of(waitgate_program_parse(text, n, "t.tts", &program, &error));
    if (outcome == GOOD)
        outcome = outcome_of(waitgate_run(program, &o, &result));
    if (outcome == GOOD && waitgate_result_failures(result) > 2)
        outcome = WRONG;
    waitgate_report_json(result, nowhere, &length);
    waitgate_result_free(result);
    waitgate_program_free(program);
    return outcome;
}

static enum outcome run_alpha(bool clocked, bool with_tile)
{
    /* stores to page after page, until one is not there; the host may have no memory for one of them */
    static const uint32_t code[] = {0xb4020000, 0x20422000, 0xc3fffffd};
    const unsigned pages = 20;
    size_t length = 0;
    waitgate_alpha *m;
    waitgate_tile *tile = NULL;
    struct waitgate_alpha_stop stop = {0};
    enum outcome outcome = outcome_of(waitgate_alpha_create(1, &m));
    if (outcome == GOOD && with_tile)
        outcome = outcome_of(waitgate_tile_create(&tile));
    if (outcome == GOOD)
        outcome = outcome_of(waitgate_alpha_map(m, 0x10000, 8192, 7));
    if (outcome == GOOD)
        outcome = outcome_of(waitgate_alpha_map(m, 0x20000000, pages * 8192, 3));
    if (outcome == GOOD)
        outcome = waitgate_alpha_poke(m, 0x10000, code, sizeof code) ? NO_MEMORY : GOOD;
    if (outcome == GOOD && with_tile)
        outcome = outcome_of(waitgate_alpha_tile(m, tile, WAITGATE_ALPHA_WINDOW));
    if (outcome == GOOD)
        outcome = outcome_of(waitgate_alpha_trace(m, nowhere, &length));
    if (outcome == GOOD && with_tile)
        outcome = outcome_of(waitgate_tile_trace(tile, nowhere, &length));
    if (outcome == GOOD) {
        waitgate_alpha_set(m, 0, WAITGATE_ALPHA_PC, 0x10000);
        waitgate_alpha_set(m, 0, 2, 0x20000000);
        enum waitgate_alpha_end end =
            clocked ? waitgate_alpha_clock(m, 10000) : waitgate_alpha_run(m, 10000);
        waitgate_alpha_stopped(m, &stop);
        bool whole = stop.trap == WAITGATE_ALPHA_STORE &&
                     stop.address == 0x20000000 + (uint64_t)pages * 8192;
        outcome = end != WAITGATE_ALPHA_STOP           ? WRONG
                  : stop.trap == WAITGATE_ALPHA_MEMORY ? NO_MEMORY
                  : whole                              ? GOOD
                                                       : WRONG;
    }
    waitgate_alpha_report_json(m, nowhere, &length);
    waitgate_alpha_free(m);
    waitgate_tile_free(tile);
    return outcome;
}

static enum outcome alpha_clocked(void)
{
    return run_alpha(true, false);
}

static enum outcome alpha_untimed(void)
{
    return run_alpha(false, false);
}

static enum outcome joint(void)
{
    return run_alpha(true, true);
}

/* ---- the loader ---- */

static enum outcome case_text(void)
{
    static const char text[] =
        "# a case\nbrisc: b.elf\ntrisc2: /x/t2.elf\nrelease: [brisc]\n"
        "l1:\n  - {file: x.bin, at: 0x20000}\n  - words: [1, 0xFFFFFFFF]\n"
        "    at: 0x1000\nuntil: {address: 0x1000, value: 5}\n"
        "dump: {from: 0, length: 64, file: out.bin}\n"
        "expect: {at: 0x1000, words: [7, 8]}\nmax_steps: 500\nmode: clocked\n";
    struct case_file *file;
    struct load_error error = {0};
    enum load_status status = case_read_memory(text, sizeof text - 1, "t.yaml", &file, &error);
    bool whole = status == LOAD_OK && file->n_l1 == 2 && file->l1[1].words[1] == UINT32_MAX &&
                 file->n_expects == 1 && file->expects[0].n_words == 2 && file->n_dumps == 1 &&
                 file->mode == CASE_CLOCKED && file->max_steps == 500;
    if (status == LOAD_OK)
        case_free(file);
    return status == LOAD_OK && !whole ? WRONG : load_outcome(status, &error);
}

static enum outcome alpha_program(void)
{
    static uint8_t bytes[64 + 56 + 4];
    const uint32_t stop = 0x83;
    const uint64_t header[] = {0x00010102464c457f,
                               0,
                               0x0000000190260002,
                               0x120000078,
                               64,
                               0,
                               0x0038004000000000,
                               0x0000000000400001};
    const uint64_t segment[] = {
        0x0000000500000001, 0, 0x120000000, 0x120000000, sizeof bytes, sizeof bytes, 0x2000};
    struct alpha_elf *elf;
    struct load_error error = {0};
    memcpy(bytes, header, sizeof header);
    memcpy(bytes + 64, segment, sizeof segment);
    memcpy(bytes + 120, &stop, sizeof stop);
    bytes[4] = 2; /* 64 bits */
    enum load_status status = alpha_elf_read_memory(bytes, sizeof bytes, "a", &elf, &error);
    if (status == LOAD_OK) {
        const char *file;
        unsigned line;
        alpha_elf_line(elf, 0x120000078, &file, &line);
        alpha_elf_free(elf);
    }
    return load_outcome(status, &error);
}

#ifdef WG_KERNELS_DIR
/* A program with symbols and source lines. Lines that cannot be read are not known; all else is there or an error. */
static enum outcome kernel(bool with_lines)
{
    struct image image;
    struct load_error error = {0};
    image_init(&image);
    enum load_status status =
        image_add_elf(&image, LOAD_CORE_B, WG_KERNELS_DIR "/matmul/brisc.elf", &error);
    if (status == LOAD_OK)
        status = image_finish(&image, &error);
    enum outcome outcome = load_outcome(status, &error);
    if (status == LOAD_OK) {
        const char *name, *file;
        uint32_t pc = 0, offset;
        unsigned line;
        bool symbol = elf_address(image.elfs[LOAD_CORE_B], "main", &pc) &&
                      elf_symbol(image.elfs[LOAD_CORE_B], pc, &name, &offset);
        if (!symbol)
            outcome = NO_MEMORY;
        else if (with_lines && !elf_line(image.elfs[LOAD_CORE_B], pc, &file, &line))
            outcome = NO_MEMORY;
    }
    image_free(&image);
    return outcome;
}

static enum outcome symbols(void)
{
    return kernel(false);
}

static enum outcome lines(void)
{
    return kernel(true);
}

static enum outcome whole_case(void)
{
    struct case_file *file;
    struct image image;
    struct load_error error = {0};
    image_init(&image);
    enum load_status status = case_read(WG_KERNELS_DIR "/token/case.yaml", &file, &error);
    if (status == LOAD_OK) {
        status = case_image(file, &image, &error);
        case_free(file);
    }
    image_free(&image);
    return load_outcome(status, &error);
}
#else
static enum outcome symbols(void)
{
    skip();
    return GOOD;
}

static enum outcome lines(void)
{
    return symbols();
}

static enum outcome whole_case(void)
{
    return symbols();
}
#endif

/*
 * What reading lines asks for before libdw is called (load/reserve.h): 256 bytes for each byte of every section, as it is when it is not
 * compressed, and 256 KiB; nothing if the file is damaged.
 */
#define PER_BYTE 256u
#define BESIDES  (256u << 10)
#define DEFLATE  1032u /* bytes at most that come out of one */

static uint8_t debug_file[1 << 16];
static size_t debug_size;
static Elf32_Shdr *debug_sections;
static unsigned n_debug_sections;

static void read_debug_file(void)
{
    FILE *file = fopen(WG_SOURCE_DIR "/tests/fuzz/corpus/elf/debug", "rb");
    assert_non_null(file);
    debug_size = fread(debug_file, 1, sizeof debug_file, file);
    assert_true(feof(file));
    fclose(file);
    const Elf32_Ehdr *header = (const void *)debug_file;
    assert_int_equal(header->e_shoff % 4, 0);
    debug_sections = (void *)(debug_file + header->e_shoff);
    n_debug_sections = header->e_shnum;
}

/* The largest piece of memory that a question for a line asks for, when there is none. */
static size_t asked(void)
{
    struct elf *elf;
    struct load_error error = {0};
    const char *file;
    unsigned line;
    assert_int_equal(elf_read_memory(debug_file, debug_size, "debug", LOAD_CORE_B, &elf, &error),
                     LOAD_OK);
    heap.largest = 0;
    heap.fail = 1;
    heap.once = false;
    heap.limit = 0;
    heap.n = 0;
    heap.on = true;
    bool known = elf_line(elf, 0x6000, &file, &line);
    heap.on = false;
    assert_false(known);
    elf_free(elf);
    return heap.largest;
}

static size_t room_for(size_t sections)
{
    return sections * PER_BYTE + BESIDES;
}

static void lines_are_read_with_enough_memory_or_not_at_all(void **state)
{
    (void)state;
    size_t all = 0;
    Elf32_Shdr *data = NULL, *plain = NULL;
    if (!INTERPOSE)
        skip();
    read_debug_file();
    for (unsigned i = 0; i < n_debug_sections; i++) {
        Elf32_Shdr *s = &debug_sections[i];
        all += s->sh_size;
        if (s->sh_flags & SHF_WRITE)
            data = s;
        else if (s->sh_type == SHT_PROGBITS && s->sh_size > 64 && s->sh_offset % 4 == 0)
            plain = s;
    }
    assert_true(data && plain);
    assert_int_equal(asked(), room_for(all));

    /* A section without bytes in the file takes none, however many it names. */
    all -= data->sh_size;
    data->sh_type = SHT_NOBITS;
    data->sh_size = 1 << 30;
    assert_int_equal(asked(), room_for(all));

    /* A compressed section counts twice: as it is, and as it will be. */
    Elf32_Chdr *compressed = (void *)(debug_file + plain->sh_offset);
    memset(compressed, 0, sizeof *compressed);
    compressed->ch_type = ELFCOMPRESS_ZLIB;
    compressed->ch_addralign = 1;
    compressed->ch_size = 1000;
    plain->sh_flags |= SHF_COMPRESSED;
    assert_int_equal(asked(), room_for(all + 1000));
    compressed->ch_size = plain->sh_size * DEFLATE;
    assert_int_equal(asked(), room_for(all + compressed->ch_size));
    compressed->ch_size++;
    assert_int_equal(asked(), 0);
    compressed->ch_type = 77; /* nobody knows how to read it */
    compressed->ch_size = 0;
    assert_int_equal(asked(), room_for(all));

    plain->sh_flags &= ~(uint32_t)SHF_COMPRESSED;
    all -= plain->sh_size;
    plain->sh_size = (uint32_t)debug_size;
    assert_int_equal(asked(), room_for(all + debug_size));
    plain->sh_size++;
    assert_int_equal(asked(), 0);
}

/* ---- the trial ---- */

/* What fails. */
struct plan {
    unsigned long fail;
    bool once;
    size_t more; /* bytes that there are besides; 0: no limit */
};

static enum outcome run_counted(enum outcome (*scenario)(void), struct plan plan)
{
    heap.n = 0;
    heap.fail = plan.fail;
    heap.once = plan.once;
    heap.limit = plan.more ? heap.bytes + plan.more : 0;
    heap.most = heap.bytes;
    heap.on = true;
    enum outcome outcome = scenario();
    heap.on = false;
    return outcome;
}

/* What is wrong. */
enum verdict { RIGHT, NEITHER, LEAK, BROKEN, LEAK_AGAIN };
static const char *const verdicts[] = {"nothing",
                                       "neither good nor out of memory",
                                       "a leak",
                                       "does not work afterwards",
                                       "a leak afterwards"};

static enum verdict trial(enum outcome (*scenario)(void), struct plan plan)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
    long live = heap.live;
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL); /* cmocka's would go on with the next test */
    alarm(60);
    if (run_counted(scenario, plan) == WRONG)
        return NEITHER;
    if (heap.live != live)
        return LEAK;
    if (run_counted(scenario, (struct plan){0}) != GOOD)
        return BROKEN;
    return heap.live != live ? LEAK_AGAIN : RIGHT;
}

#define TRIAL 100 /* and the verdict: exit status of a process that has come to its end */

/* In a process of its own; 1 if something is wrong. */
static unsigned try_one(const char *name, enum outcome (*scenario)(void), struct plan plan)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child)
        _exit(TRIAL + (int)trial(scenario, plan));
    assert_int_equal(waitpid(child, &status, 0), child);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) - TRIAL : -1;
    if (code == RIGHT)
        return 0;
    print_message("%s: allocation %lu%s, %zu bytes: %s\n",
                  name,
                  plan.fail,
                  plan.once ? "" : " and all behind it",
                  plan.more,
                  code > 0 && code <= LEAK_AGAIN ? verdicts[code] : "the process has ended");
    return 1;
}

#define AMOUNTS 60u

static void try_all(const char *name, enum outcome (*scenario)(void), bool amounts)
{
    unsigned failed = 0;
    if (!INTERPOSE)
        skip();
    assert_int_equal(scenario(), GOOD); /* what libraries keep for ever they have now */
    size_t before = heap.bytes;
    assert_int_equal(run_counted(scenario, (struct plan){0}), GOOD);
    size_t need = heap.most - before;
    unsigned long all = heap.n;
    for (unsigned long n = 1; !amounts && n <= all; n++)
        for (unsigned once = 0; once < 2; once++)
            failed += try_one(name, scenario, (struct plan){.fail = n, .once = once});
    for (size_t i = 1; i <= AMOUNTS; i++) {
        failed += try_one(name, scenario, (struct plan){.more = need / AMOUNTS * i + 1});
        failed += try_one(name, scenario, (struct plan){.more = (size_t)2000 * i});
    }
    if (failed)
        fail_msg("%s: %u trials failed; %lu allocations, %zu bytes", name, failed, all, need);
}

#define SCENARIO(name, amounts)                                                                    \
    static void name##_has_no_memory(void **state)                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        try_all(#name, name, amounts);                                                             \
    }
SCENARIO(tile_clocked, false)
SCENARIO(tile_untimed, false)
SCENARIO(script, false)
SCENARIO(alpha_clocked, false)
SCENARIO(alpha_untimed, false)
SCENARIO(joint, false)
SCENARIO(alpha_program, false)
SCENARIO(symbols, false)
SCENARIO(case_text, true)
SCENARIO(lines, true)
SCENARIO(whole_case, true)

TEST_MAIN(cmocka_unit_test(lines_are_read_with_enough_memory_or_not_at_all),
          cmocka_unit_test(tile_clocked_has_no_memory),
          cmocka_unit_test(tile_untimed_has_no_memory), cmocka_unit_test(script_has_no_memory),
          cmocka_unit_test(alpha_clocked_has_no_memory),
          cmocka_unit_test(alpha_untimed_has_no_memory), cmocka_unit_test(joint_has_no_memory),
          cmocka_unit_test(alpha_program_has_no_memory), cmocka_unit_test(symbols_has_no_memory),
          cmocka_unit_test(case_text_has_no_memory), cmocka_unit_test(lines_has_no_memory),
          cmocka_unit_test(whole_case_has_no_memory))
