/*
 * tensix_dis.h - a Tensix word as text in the vendor's syntax.
 */
#ifndef WG_ISA_TENSIX_DIS_H
#define WG_ISA_TENSIX_DIS_H

#include <stddef.h>
#include <stdint.h>

#define TENSIX_DIS_SYMBOLIC 0x1u /* masks by name: STALL_SYNC|STALL_MATH */

/*
 * Write the text of a word to buf (always ends in NUL if n > 0). Returns the length the whole text
 * has, as snprintf does. A word that is not legal becomes "ttinsn 0x????????", which
 * tensix_asm_text takes back; so does every other text.
 */
int tensix_dis_text(uint32_t word, unsigned flags, char *buf, size_t n);

#endif
