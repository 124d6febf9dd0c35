/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * native_host.h - what native.c must know of the host's instructions.  native_x86.c defines it for
 * x86-64, native_none.c for other hosts.
 */
#ifndef SIM_NATIVE_HOST_H
#define SIM_NATIVE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a jump from the region to a C function, which can be far away. */
#define NATIVE_FAR_BYTES 16

/* Whether this host can run native code. */
extern const bool native_host;

/*
 * Puts value, plus what the relocation adds, into the instruction at p, which will run at address
 * at.  False: the value does not fit.
 */
bool native_relocate(uint8_t *p, uint64_t at, unsigned type, int64_t value);

/* Writes a jump to an address. */
void native_far_jump(uint8_t *p, const void *to);

/* The bytes of a jump to another stencil, and those from its relocation to its end. */
#define NATIVE_JUMP_BYTES 5
#define NATIVE_JUMP_RELOC 4

/* Code has been written at these addresses, which it will run at. */
void native_wrote(void *at, size_t bytes);

#endif
