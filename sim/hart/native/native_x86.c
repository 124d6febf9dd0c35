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

void native_far_call(uint8_t *p, const void *to, unsigned offset)
{
	static const uint8_t call[] = {
		0x4c, 0x89, 0xb3, 0, 0, 0, 0, /* mov %r14, offset(%rbx) */
		0x48, 0x83, 0xec, 8, /* sub $8, %rsp */
		0xff, 0x15, 15,	  0, 0, 0, /* call *15(%rip) */
		0x48, 0x83, 0xc4, 8, /* add $8, %rsp */
		0x4c, 0x8b, 0xb3, 0, 0, 0, 0, /* mov offset(%rbx), %r14 */
		0xc3, /* ret */
	};

	memcpy(p, call, sizeof(call));
	memcpy(p + 3, &offset, sizeof(offset));
	memcpy(p + 24, &offset, sizeof(offset));
	memcpy(p + 32, &to, sizeof(to));
}

void native_wrote(void *at, size_t bytes)
{
	/* The instruction cache of x86-64 follows writes, also through another mapping. */
	(void)at;
	(void)bytes;
}
