/*
 * answer.c - a program for an Alpha: answers the questions of ask.c by executing them.
 *
 * Reads struct vec from standard input, puts the word between instructions that load and store the
 * registers, and writes the answers to standard output. See ask.c for the commands.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "vec.h"

/* f1, f2, f3, FPCR, then 1, 2, 3 from the memory at a0; the word; 3, f3 and FPCR behind them. */
static const uint32_t code[] = {
    0x8c300000, /* ldt f1,0(a0) */
    0x8c500008, /* ldt f2,8(a0) */
    0x8c700010, /* ldt f3,16(a0) */
    0x8d500018, /* ldt f10,24(a0) */
    0x5d4a048a, /* mt_fpcr f10 */
    0x60000400, /* excb */
    0xa4300000, /* ldq t0,0(a0) */
    0xa4500008, /* ldq t1,8(a0) */
    0xa4700010, /* ldq t2,16(a0) */
    0,          /* the word */
    0x60000400, /* excb */
    0x5d6b04ab, /* mf_fpcr f11 */
    0xb4700020, /* stq t2,32(a0) */
    0x9c700028, /* stt f3,40(a0) */
    0x9d700030, /* stt f11,48(a0) */
    0x6bfa8001, /* ret */
};
#define SLOT 9

static sigjmp_buf back;
static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
    siglongjmp(back, 1);
}

static uint64_t read_fpcr(void)
{
    double f;
    uint64_t bits;
    __asm__ volatile("excb\n\tmf_fpcr %0" : "=f"(f));
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static void write_fpcr(uint64_t bits)
{
    double f;
    memcpy(&f, &bits, sizeof f);
    __asm__ volatile("mt_fpcr %0\n\texcb" : : "f"(f));
}

int main(void)
{
    static uint64_t memory[8];
    static struct vec v;
    const int signals[] = {SIGFPE, SIGILL, SIGSEGV, SIGBUS, SIGTRAP};
    uint32_t *page =
        mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_NODEFER};
    for (unsigned i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
    memcpy(page, code, sizeof code);
    while (fread(&v, sizeof v, 1, stdin) == 1) {
        const uint64_t own = read_fpcr();
        page[SLOT] = (uint32_t)v.word;
        __asm__ volatile("imb" : : : "memory");
        memcpy(memory, &v.a, 4 * sizeof memory[0]);
        if (!sigsetjmp(back, 1)) {
            ((void (*)(uint64_t *))page)(memory);
            memcpy(&v.integer, &memory[4], 3 * sizeof memory[0]);
            v.signal = 0;
        } else {
            v.integer = v.floating = 0;
            v.fpcr_after = read_fpcr();
            v.signal = (uint64_t)caught;
        }
        write_fpcr(own);
        fwrite(&v, sizeof v, 1, stdout);
    }
    return 0;
}
