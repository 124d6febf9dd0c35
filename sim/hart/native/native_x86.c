// SPDX-License-Identifier: BSD-2-Clause
/*
 * native_x86.c - native code on x86-64 (native_host.h).
 */
#include <elf.h>
#include <string.h>

#include "native_host.h"

const bool native_host = true;
const unsigned native_jump_bytes = 5;

bool native_relocate(uint8_t *p, uint64_t at, unsigned type, int64_t value)
{
	int32_t word;

	if (type == R_X86_64_PC32 || type == R_X86_64_PLT32)
		value -= at;
	else if (type != R_X86_64_32S && type != R_X86_64_32)
		return false;
	word = (int32_t)value;
	memcpy(p, &word, sizeof(word));
	return word == value;
}

void native_far_jump(uint8_t *p, const void *to)
{
	static const uint8_t jump[] = { 0xff, 0x25, 0, 0, 0, 0 }; /* jmp *0(%rip) */

	memcpy(p, jump, sizeof(jump));
	memcpy(p + sizeof(jump), &to, sizeof(to));
}

void native_wrote(void *at, size_t bytes)
{
	/* The instruction cache of x86-64 follows writes, also through another mapping. */
	(void)at;
	(void)bytes;
}
