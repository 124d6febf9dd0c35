// SPDX-License-Identifier: BSD-2-Clause
/*
 * native_x86_vector.c - vector instructions as those of AVX2 (native_vector.h).
 *
 * A part is what one host register holds of the vector registers: 32 bytes; or 16, if the guest's
 * have no more.  Parts that are used stay in ymm0 to ymm11 until the room is needed or the code
 * ends, and only then what has changed is stored.  ymm12 to ymm15 are for intermediate results, rcx
 * for constants; rax points to the state of the vectors, and rbx to the hart.
 *
 * Implements: Intel 64 and IA-32 Architectures SDM, volume 2, 2.3 (VEX).
 */
#include <string.h>

#include "native_vector.h"

#define KEPT  12
#define EMPTY UINT32_MAX

enum { TEMP = 12, TEMP2 = 13, SCALAR = 15 }; /* host registers */
enum { RAX, RCX, RBX = 3 };

/* The maps of opcodes. */
enum { MAP_0F = 1, MAP_0F38 = 2 };

struct code {
	uint8_t *p; /* NULL: only count */
	size_t bytes;
	const struct native_vector_place *place;
	unsigned width; /* bytes of a part */
	unsigned uses;
	struct {
		uint32_t part;
		unsigned used;
		bool changed;
	} kept[KEPT];
};

static void put(struct code *c, unsigned byte)
{
	if (c->p)
		c->p[c->bytes] = byte;
	c->bytes++;
}

static void put32(struct code *c, uint32_t word)
{
	for (unsigned n = 0; n < 4; n++)
		put(c, word >> 8 * n & 0xff);
}

/* An instruction up to its opcode.  wide: W; long_: 256 bits; p: 1: prefix 66, 2: prefix F3. */
static void vex(struct code *c, unsigned map, unsigned p, bool wide, bool long_, unsigned opcode,
		unsigned reg, unsigned source, unsigned rm)
{
	put(c, 0xc4);
	put(c, (~reg >> 3 & 1) << 7 | 1u << 6 | (~rm >> 3 & 1) << 5 | map);
	put(c, (unsigned)wide << 7 | (~source & 15) << 3 | (unsigned)long_ << 2 | p);
	put(c, opcode);
}

/* to = opcode(a, b) */
static void three(struct code *c, unsigned map, unsigned opcode, unsigned to, unsigned a,
		  unsigned b)
{
	vex(c, map, 1, false, c->width == 32, opcode, to, a, b);
	put(c, 0xc0 | (to & 7) << 3 | (b & 7));
}

/* The same with memory at base + offset as the last operand. */
static void memory(struct code *c, unsigned map, unsigned p, unsigned opcode, unsigned reg,
		   unsigned base, uint32_t offset)
{
	vex(c, map, p, false, c->width == 32, opcode, reg, 0, base);
	put(c, 0x80 | (reg & 7) << 3 | base);
	put32(c, offset);
}

#define LOAD  0x6f /* vmovdqu, with F3 */
#define STORE 0x7f

static void part_memory(struct code *c, unsigned opcode, unsigned n)
{
	memory(c, MAP_0F, 2, opcode, n, RAX, c->place->reg + c->kept[n].part * c->width);
}

/* The host register of a part.  loads: with its value. */
static unsigned keep(struct code *c, unsigned part, bool loads)
{
	unsigned oldest = 0;

	for (unsigned n = 0; n < KEPT; n++) {
		if (c->kept[n].part == part) {
			c->kept[n].used = ++c->uses;
			return n;
		}
		if (c->kept[n].used < c->kept[oldest].used)
			oldest = n;
	}
	if (c->kept[oldest].changed)
		part_memory(c, STORE, oldest);
	c->kept[oldest].part = part;
	c->kept[oldest].used = ++c->uses;
	c->kept[oldest].changed = false;
	if (loads)
		part_memory(c, LOAD, oldest);
	return oldest;
}

static unsigned part_for(struct code *c, unsigned part)
{
	unsigned n = keep(c, part, false);

	c->kept[n].changed = true;
	return n;
}

/* Opcodes by the size of elements; 0: none.  SECOND: in the map 0F38, not 0F. */
#define SECOND(opcode) (0x100 | (opcode))

static const uint16_t plain[NATIVE_VECTOR_KINDS][4] = {
	[NATIVE_VECTOR_ADD] = { 0xfc, 0xfd, 0xfe, 0xd4 },
	[NATIVE_VECTOR_SUB] = { 0xf8, 0xf9, 0xfa, 0xfb },
	[NATIVE_VECTOR_RSUB] = { 0xf8, 0xf9, 0xfa, 0xfb },
	[NATIVE_VECTOR_AND] = { 0xdb, 0xdb, 0xdb, 0xdb },
	[NATIVE_VECTOR_ANDN] = { 0xdf, 0xdf, 0xdf, 0xdf },
	[NATIVE_VECTOR_OR] = { 0xeb, 0xeb, 0xeb, 0xeb },
	[NATIVE_VECTOR_XOR] = { 0xef, 0xef, 0xef, 0xef },
	[NATIVE_VECTOR_MINU] = { 0xda, SECOND(0x3a), SECOND(0x3b), 0 },
	[NATIVE_VECTOR_MIN] = { SECOND(0x38), 0xea, SECOND(0x39), 0 },
	[NATIVE_VECTOR_MAXU] = { 0xde, SECOND(0x3e), SECOND(0x3f), 0 },
	[NATIVE_VECTOR_MAX] = { SECOND(0x3c), 0xee, SECOND(0x3d), 0 },
	[NATIVE_VECTOR_MUL] = { 0, 0xd5, SECOND(0x40), 0 },
	[NATIVE_VECTOR_MACC] = { 0, 0xd5, SECOND(0x40), 0 },
	[NATIVE_VECTOR_NMSAC] = { 0, 0xd5, SECOND(0x40), 0 },
	[NATIVE_VECTOR_MOVE] = { 1, 1, 1, 1 },
	/* by an immediate: the digits of group 12, 13 or 14 */
	[NATIVE_VECTOR_SLL] = { 0, 6, 6, 6 },
	[NATIVE_VECTOR_SRL] = { 0, 2, 2, 2 },
	[NATIVE_VECTOR_SRA] = { 0, 4, 4, 0 },
	[NATIVE_VECTOR_ROR] = { 0, 2, 2, 2 },
};

/* By the size of elements: one element to all. */
static const uint8_t broadcast[] = { 0x78, 0x79, 0x58, 0x59 };

bool native_vector_host(const struct native_vector *v)
{
	return plain[v->kind][v->size] && __builtin_cpu_supports("avx2");
}

static void op_of(struct code *c, unsigned kind, unsigned size, unsigned to, unsigned a, unsigned b)
{
	unsigned opcode = plain[kind][size];

	three(c, opcode & 0x100 ? MAP_0F38 : MAP_0F, opcode & 0xff, to, a, b);
}

/* to = from shifted by bits, as kind says. */
static void shift(struct code *c, unsigned kind, unsigned size, unsigned to, unsigned from,
		  unsigned bits)
{
	vex(c, MAP_0F, 1, false, c->width == 32, 0x70 + size, 0, to, from);
	put(c, 0xc0 | plain[kind][size] << 3 | (from & 7));
	put(c, bits);
}

/* SCALAR = the scalar operand of v in all elements. */
static void scalar(struct code *c, const struct native_vector *v)
{
	if (v->from == NATIVE_VECTOR_X) {
		memory(c, MAP_0F38, 1, broadcast[v->size], SCALAR, RBX, c->place->x + v->vs1 * 8);
		return;
	}
	put(c, 0x48), put(c, 0xc7), put(c, 0xc1); /* mov imm, %rcx */
	put32(c, v->imm);
	vex(c, MAP_0F, 1, true, false, 0x6e, SCALAR, 0, RCX); /* vmovq %rcx, SCALAR */
	put(c, 0xc0 | (SCALAR & 7) << 3 | RCX);
	three(c, MAP_0F38, broadcast[v->size], SCALAR, 0, SCALAR);
}

/* One part: the offset-th of each group. */
static void one_part(struct code *c, const struct native_vector *v, unsigned offset)
{
	unsigned each = c->place->bytes / c->width, bits = (8u << v->size) - 1, s1 = SCALAR, s2, d;
	bool shifts = v->kind >= NATIVE_VECTOR_SLL;

	if (v->from == NATIVE_VECTOR_V)
		s1 = keep(c, v->vs1 * each + offset, true);
	s2 = v->kind == NATIVE_VECTOR_MOVE ? s1 : keep(c, v->vs2 * each + offset, true);
	if (v->kind == NATIVE_VECTOR_MACC || v->kind == NATIVE_VECTOR_NMSAC)
		keep(c, v->vd * each + offset, true);
	d = part_for(c, v->vd * each + offset);
	switch (v->kind) {
	case NATIVE_VECTOR_RSUB:
	case NATIVE_VECTOR_ANDN: /* ~a & b */
		op_of(c, v->kind, v->size, d, s1, s2);
		break;
	case NATIVE_VECTOR_MACC:
	case NATIVE_VECTOR_NMSAC:
		op_of(c, v->kind, v->size, TEMP, s1, s2);
		op_of(c, v->kind == NATIVE_VECTOR_MACC ? NATIVE_VECTOR_ADD : NATIVE_VECTOR_SUB,
		      v->size, d, d, TEMP);
		break;
	case NATIVE_VECTOR_MOVE:
		three(c, MAP_0F, LOAD, d, 0, s1);
		break;
	case NATIVE_VECTOR_ROR:
		shift(c, NATIVE_VECTOR_SRL, v->size, TEMP, s2, v->imm & bits);
		shift(c, NATIVE_VECTOR_SLL, v->size, TEMP2, s2, bits + 1 - (v->imm & bits));
		three(c, MAP_0F, plain[NATIVE_VECTOR_OR][0], d, TEMP, TEMP2);
		break;
	default:
		if (shifts)
			shift(c, v->kind, v->size, d, s2, v->imm & bits);
		else
			op_of(c, v->kind, v->size, d, s2, s1);
	}
}

static void one(struct code *c, const struct native_vector *v)
{
	unsigned parts = v->regs * c->place->bytes / c->width;

	if (v->from != NATIVE_VECTOR_V && v->kind < NATIVE_VECTOR_SLL)
		scalar(c, v);
	for (unsigned n = 0; n < parts; n++)
		one_part(c, v, n);
}

size_t native_vector_code(uint8_t *p, const struct native_vector_place *place,
			  const struct native_vector *v, unsigned nr)
{
	struct code c = { .p = p, .place = place, .width = place->bytes < 32 ? 16 : 32 };

	for (unsigned n = 0; n < KEPT; n++)
		c.kept[n].part = EMPTY;
	put(&c, 0x48), put(&c, 0x8b), put(&c, 0x83); /* mov state(%rbx), %rax */
	put32(&c, place->state);
	for (unsigned n = 0; n < nr; n++)
		one(&c, &v[n]);
	for (unsigned n = 0; n < KEPT; n++) {
		if (c.kept[n].changed)
			part_memory(&c, STORE, n);
	}
	put(&c, 0xc5), put(&c, 0xf8), put(&c, 0x77); /* vzeroupper */
	return c.bytes;
}
