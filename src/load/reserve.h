/*
 * reserve.h - enough memory for a library that does not survive without.
 *
 * libfyaml and libdw end the process when an allocation of theirs fails: by a null pointer, or by exit(). So they are asked only when
 * what they may need at most is there. Somebody else in the process may take it before they do; that is a limit of these libraries.
 */
#ifndef WG_LOAD_RESERVE_H
#define WG_LOAD_RESERVE_H

#include <stdbool.h>
#include <stdint.h>

/* Is there room for what is read from so many bytes, `each` for one of them? Never for more than 8 GiB. */
bool reserve_has(uint64_t bytes, unsigned each);

#endif
