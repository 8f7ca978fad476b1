/*
 * tensix_asm.h - one line of vendor syntax to a Tensix word.
 *
 *   ttstallwait 128, 1              decimal, 0x.., 0b..; commas may be left out
 *   STALLWAIT STALL_CFG, THCON      case and the "tt" matter not; names combine with |
 *   ttsemwait 322, t6_sem(1), STALL_ON_MAX
 *   ttsetadcxy 4, 0, 0, 0, 0, 3, thread_override=1   bits the vendor's syntax cannot set
 *   ttinsn 0xdeadbeef               any word
 * Comments begin with #, ; or //.
 */
#ifndef WG_ISA_TENSIX_ASM_H
#define WG_ISA_TENSIX_ASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tensix_asm_error {
    unsigned column; /* 1-based */
    bool empty;      /* nothing wrong: the text holds no instruction */
    char message[320];
};

/* False: *err says where and what was expected; *word is untouched. */
bool tensix_asm_text(const char *text, size_t len, uint32_t *word, struct tensix_asm_error *err);

#endif
