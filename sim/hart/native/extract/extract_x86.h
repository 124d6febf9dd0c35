/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * extract_x86.h - where instructions of x86-64 have their fields (extract.c).
 */
#ifndef SIM_EXTRACT_X86_H
#define SIM_EXTRACT_X86_H

#include <stdbool.h>
#include <stdint.h>

#define X86_FIELD 255

/*
 * Fills field[], an element for each byte of code.  0: no field of 32 or 8 bits begins there.
 * X86_FIELD: a displacement, or an immediate operand.  Less: a displacement from rbx, so many bytes
 * after the beginning of its instruction, whose operand can also be a register.  The operand is one
 * of 64 bits, or the instruction only reads its lower ones.  False: code is not a row of
 * instructions that this knows.
 */
bool x86_find_fields(const uint8_t *code, unsigned bytes, uint8_t field[]);

#endif
