/*
 * rv_program.h - random RISC-V programs that print their registers and memory.
 *
 * A program sets all registers, runs a body of random instructions several times, stores its
 * registers behind its data, writes all of it to standard output with a Linux system call and exits.
 * The same words run under qemu-riscv32 and on our core.
 *
 *     0x20000  code      x31 points to the data, x30 counts the rounds, x29 is for addresses
 *     0x30000  data (4 KiB, random), then the registers (x, f, v, fcsr)
 */
#ifndef WG_TESTS_RV_PROGRAM_H
#define WG_TESTS_RV_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "isa/rv32.h"

#define CODE_AT    0x20000u
#define DATA_AT    0x30000u
#define DATA_SIZE  4096u
#define DUMP_SIZE  (DATA_SIZE + 1024u)
#define IMAGE_SIZE 0x11800u

struct program {
    uint8_t image[IMAGE_SIZE]; /* from CODE_AT */
    uint32_t at;               /* next code word */
    uint64_t seed;
    uint32_t executed_once; /* instructions of one round at most */
};

uint32_t pick(struct program *p, uint32_t below);
void emit(struct program *p, enum rv_op op, struct rv32_args a);
void emit_li(struct program *p, unsigned rd, uint32_t value);
/* One random instruction of a kind, with what it needs before it. */
void random_vector(struct program *p);
void vector_prologue(struct program *p);

#endif
