// SPDX-License-Identifier: BSD-2-Clause
/*
 * native_arm64.c - native code on aarch64 (native_host.h).  The names of relocations are those of
 * "ELF for the Arm 64-bit Architecture", 5.7.
 */
#include <elf.h>
#include <string.h>

#include "native_host.h"

#define MOVZ (1u << 30) /* movz; without it movn, which writes the complement */

const bool native_host = true;
const unsigned native_jump_bytes = 4;

/* movz: 16 bits of value from this bit on; the bits above must be its sign. */
static bool put_signed(uint32_t *insn, int64_t value, unsigned bit)
{
	int64_t part = value >> bit;

	*insn &= ~(MOVZ | 0xffffu << 5);
	if (part >= 0)
		*insn |= MOVZ | (part & 0xffff) << 5;
	else
		*insn |= (~part & 0xffff) << 5;
	return part >= -0x10000 && part <= 0xffff;
}

/* b and bl: the distance in instructions, 26 bits. */
static bool put_distance(uint32_t *insn, int64_t bytes)
{
	*insn = (*insn & ~0x3ffffffu) | ((uint64_t)bytes >> 2 & 0x3ffffff);
	return bytes >= -(1 << 27) && bytes < 1 << 27;
}

bool native_relocate(uint8_t *p, uint64_t at, unsigned type, int64_t value)
{
	uint32_t insn;
	bool fits = true;

	memcpy(&insn, p, sizeof(insn));
	switch (type) {
	case R_AARCH64_CALL26:
	case R_AARCH64_JUMP26:
		fits = put_distance(&insn, value - at);
		break;
	case R_AARCH64_MOVW_SABS_G0:
		fits = put_signed(&insn, value, 0);
		break;
	case R_AARCH64_MOVW_SABS_G1:
		fits = put_signed(&insn, value, 16);
		break;
	case R_AARCH64_MOVW_UABS_G0_NC:
		insn = (insn & ~(0xffffu << 5)) | (value & 0xffff) << 5;
		break;
	default:
		return false;
	}
	memcpy(p, &insn, sizeof(insn));
	return fits;
}

void native_far_jump(uint8_t *p, const void *to)
{
	/* ldr x16, to; br x16.  A call may change x16 on its way. */
	static const uint32_t jump[] = { 0x58000050, 0xd61f0200 };

	memcpy(p, jump, sizeof(jump));
	memcpy(p + sizeof(jump), &to, sizeof(to));
}

void native_far_call(uint8_t *p, const void *to, unsigned countdown, unsigned x)
{
	const uint32_t call[] = {
		0xf9000276 | countdown / 8 << 10, /* str x22, [x19, #countdown] */
		0xa9bf7bfd, /* stp x29, x30, [sp, #-16]! */
		0x580000d0, /* ldr x16, to: a call may change it on its way */
		0xd63f0200, /* blr x16 */
		0xa8c17bfd, /* ldp x29, x30, [sp], #16 */
		0xf9400276 | countdown / 8 << 10, /* ldr x22, [x19, #countdown] */
		0xd65f03c0, /* ret */
	};

	(void)x;
	memcpy(p, call, sizeof(call));
	memcpy(p + 32, &to, sizeof(to));
}

void native_wrote(void *at, size_t bytes)
{
	/*
	 * The data cache knows memory by its physical address, and so also what has been written
	 * through the other mapping; the instruction cache may know it by this one (Arm ARM, D7.5).
	 */
	__builtin___clear_cache((char *)at, (char *)at + bytes);
}
