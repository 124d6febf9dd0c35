// SPDX-License-Identifier: BSD-2-Clause
/*
 * extract_x86.c - finds instructions of x86-64 whose operand in memory can be a register instead.
 *
 * It knows the instructions that compilers use without vector registers.
 *
 * Implements: Intel 64 and IA-32 Architectures SDM, volume 2, 2.1, 2.2 and appendix A (lengths).
 */
#include <string.h>

#include "extract_x86.h"

/* An instruction, split into its parts. */
struct insn {
	unsigned bytes;
	unsigned modrm; /* where it is */
	unsigned operand, immediate; /* bytes of ModRM, SIB and displacement; of the immediate */
	unsigned opcode; /* 0x100 and more: after 0f; 0x200: after 0f 38; 0x300: after 0f 3a */
	bool wide; /* REX.W */
	bool high; /* REX.B */
	bool small; /* prefix 66: 16 bits */
};

static bool is_prefix(unsigned byte)
{
	return byte == 0x66 || byte == 0xf2 || byte == 0xf3 || byte == 0x2e || byte == 0x3e;
}

static bool has_modrm(unsigned opcode)
{
	unsigned low = opcode & 0xff;

	if (opcode >= 0x200)
		return true;
	if (opcode >= 0x100)
		return low == 0x1e || low == 0x1f || (low >= 0x40 && low <= 0x4f) ||
		       (low >= 0x90 && low <= 0xbf);
	return (low < 0x40 && (low & 7) < 4) || low == 0x63 || low == 0x69 || low == 0x6b ||
	       (low >= 0x80 && low <= 0x8f) || low == 0xc0 || low == 0xc1 || low == 0xc6 ||
	       low == 0xc7 || (low >= 0xd0 && low <= 0xd3) || low == 0xf6 || low == 0xf7 ||
	       low >= 0xfe;
}

/* The bytes of the immediate operand.  test is 0 or 1 in the field reg. */
static unsigned immediate_bytes(const struct insn *i, unsigned reg)
{
	unsigned word = i->small ? 2 : 4;

	switch (i->opcode) {
	case 0x69:
	case 0x81:
	case 0xa9:
	case 0xc7:
	case 0xe8:
	case 0xe9:
		return word;
	case 0x68:
		return 4;
	case 0x6a:
	case 0x6b:
	case 0x80:
	case 0x83:
	case 0xa8:
	case 0xc0:
	case 0xc1:
	case 0xc6:
	case 0xeb:
	case 0x1a4:
	case 0x1ac:
	case 0x1ba:
		return 1;
	case 0xf6:
		return reg < 2;
	case 0xf7:
		return reg < 2 ? word : 0;
	}
	if (i->opcode < 0x40)
		return (i->opcode & 7) == 4 ? 1 : (i->opcode & 7) == 5 ? word : 0;
	if (i->opcode >= 0x70 && i->opcode <= 0x7f)
		return 1;
	if (i->opcode >= 0xb0 && i->opcode <= 0xb7)
		return 1;
	if (i->opcode >= 0xb8 && i->opcode <= 0xbf)
		return i->wide ? 8 : word;
	if (i->opcode >= 0x180 && i->opcode <= 0x18f)
		return 4;
	return i->opcode >= 0x300;
}

/* The bytes of ModRM, SIB and the displacement. */
static unsigned operand_bytes(const uint8_t *modrm)
{
	unsigned mod = *modrm >> 6, rm = *modrm & 7, bytes = 1;

	if (mod == 3)
		return bytes;
	if (rm == 4) {
		bytes++;
		rm = modrm[1] & 7;
	}
	if (mod == 1)
		return bytes + 1;
	return mod == 2 || rm == 5 ? bytes + 4 : bytes;
}

/* Splits the instruction at p. */
static struct insn split(const uint8_t *p)
{
	struct insn i = { 0 };
	unsigned n = 0, reg = 0;

	for (; is_prefix(p[n]); n++)
		i.small |= p[n] == 0x66;
	if ((p[n] & 0xf0) == 0x40) {
		i.wide = p[n] >> 3 & 1;
		i.high = p[n++] & 1;
	}
	i.opcode = p[n++];
	if (i.opcode == 0x0f) {
		i.opcode = 0x100 | p[n++];
		if (i.opcode == 0x138 || i.opcode == 0x13a)
			i.opcode = (i.opcode == 0x138 ? 0x200 : 0x300) | p[n++];
	}
	if (has_modrm(i.opcode)) {
		i.modrm = n;
		reg = p[n] >> 3 & 7;
		i.operand = operand_bytes(&p[n]);
	}
	i.immediate = immediate_bytes(&i, reg);
	i.bytes = n + i.operand + i.immediate;
	return i;
}

/* Whether the operand in memory is 64 bits that i writes, or up to 64 that it only reads. */
static bool may_be_register(const struct insn *i, unsigned reg)
{
	if (i->small)
		return false;
	switch (i->opcode) {
	case 0x03:
	case 0x0b:
	case 0x13:
	case 0x1b:
	case 0x23:
	case 0x2b:
	case 0x33:
	case 0x39:
	case 0x3b:
	case 0x63:
	case 0x69:
	case 0x6b:
	case 0x85:
	case 0x8b:
	case 0x1af:
	case 0x1b6:
	case 0x1b7:
	case 0x1be:
	case 0x1bf:
		return true;
	case 0x01:
	case 0x09:
	case 0x11:
	case 0x19:
	case 0x21:
	case 0x29:
	case 0x31:
	case 0x89:
	case 0xc1:
	case 0xc7:
	case 0xd1:
	case 0xd3:
		return i->wide;
	case 0x81:
	case 0x83:
		return i->wide || reg == 7;
	case 0xf7:
		return i->wide || (reg != 2 && reg != 3);
	}
	return i->opcode >= 0x140 && i->opcode <= 0x14f;
}

bool x86_find_fields(const uint8_t *code, unsigned bytes, uint8_t field[])
{
	enum { AT_RBX = 0x83 }; /* ModRM: a displacement of 32 bits from rbx */
	unsigned at = 0;

	memset(field, 0, bytes);
	while (at < bytes) {
		struct insn i = split(&code[at]);
		const uint8_t *modrm = &code[at + i.modrm];
		unsigned last = at + i.bytes - 4;

		if (at + i.bytes > bytes)
			return false;
		if (i.immediate == 4)
			field[last] = X86_FIELD;
		if (i.immediate == 1)
			field[last + 3] = X86_FIELD;
		last -= i.immediate;
		if (i.operand > 4)
			field[last] = X86_FIELD;
		if (i.operand > 4 && (*modrm & 0xc7) == AT_RBX && !i.high &&
		    may_be_register(&i, *modrm >> 3 & 7))
			field[last] = i.modrm + 1;
		at += i.bytes;
	}
	return true;
}
