/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * native_host.h - what native.c must know of the host's instructions.  native_x86.c defines it for
 * x86-64, native_arm64.c for aarch64, native_none.c for other hosts and for builds without gcc.
 */
#ifndef SIM_NATIVE_HOST_H
#define SIM_NATIVE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most bytes that native_far_jump and native_far_call write. */
#define NATIVE_FAR_BYTES 80

/* Whether this host can run native code. */
extern const bool native_host;

/*
 * Puts value, plus what the relocation adds, into the instruction at p, which will run at address
 * at.  False: the value does not fit.
 */
bool native_relocate(uint8_t *p, uint64_t at, unsigned type, int64_t value);

/*
 * Write code that is called in place of the C function `to`, which can be far away.  jump: it jumps
 * there.  call: it stores the countdown and the pinned registers, calls the function and loads them
 * again.  countdown, x: where the hart has them, multiples of 8, less than 32 KiB.
 */
void native_far_jump(uint8_t *p, const void *to);
void native_far_call(uint8_t *p, const void *to, unsigned countdown, unsigned x);

/*
 * Pinned registers of the guest are in registers of the host, which C functions preserve, while
 * code runs.  They have the numbers native_pinned[0] to native_pinned[native_pins - 1].
 */
#define NATIVE_PINS_MAX	 2
#define NATIVE_PIN_BYTES 7
extern const uint8_t native_pinned[NATIVE_PINS_MAX];
extern const unsigned native_pins;

/*
 * Makes the operand at p, which is in memory, this pinned register.  Its instruction begins `start`
 * bytes before (native_reloc.start), and keeps its length.
 */
void native_pin(uint8_t *p, unsigned start, unsigned pin);

/* Writes an instruction, NATIVE_PIN_BYTES, that loads or stores a pinned register at h + offset. */
void native_move_pin(uint8_t *p, bool store, unsigned pin, unsigned offset);

/* The bytes of a jump to another stencil, and those from its relocation to its end. */
extern const unsigned native_jump_bytes;
#define NATIVE_JUMP_RELOC 4

/*
 * Code has been written, through another mapping of the memory, at these addresses, which it will
 * run at: makes the host see it.
 */
void native_wrote(void *at, size_t bytes);

#endif
