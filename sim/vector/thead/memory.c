// SPDX-License-Identifier: BSD-2-Clause
/*
 * memory.c - loads and stores of XTheadVector, and AMOs of XTheadZvamo: which elements they access,
 * and whether they are legal (thead.h).
 *
 * Implements: vectors 0.7.1 chapters 7 and 8.
 */
#include "thead.h"

/* Whether the registers of a load, store or AMO are those that LMUL allows. */
static bool registers_legal(const struct vector_state *v, const struct vector_memory *m)
{
	const unsigned nr = m->step, all = nr * m->fields;
	struct vector_operand data = { m->vd, all, v->sew }, offsets = { m->vs2, nr, v->sew };

	if (all > 8 || m->vd & (nr - 1) || m->vd + all > VECTOR_REGS)
		return false;
	if (m->indexed && m->vs2 & (nr - 1))
		return false;
	if (m->store)
		return true;
	/* v0 is the mask: element n of one register is written when its mask has been read. */
	if (m->masked && !m->vd && nr > 1)
		return false;
	/* A segment that faults must find its offset again. */
	return !m->indexed || m->fields == 1 || !vector_overlap(&data, &offsets);
}

/* An AMO: what memory had extends signs.  Without wd it writes no register, as a store. */
static struct vector_memory atomic(const struct vector_state *v, uint32_t insn)
{
	const bool wd = insn >> 26 & 1;

	return (struct vector_memory){
		.store = !wd,
		.atomic = true,
		.masked = !(insn >> 25 & 1),
		.indexed = true,
		.sign = true,
		.tail = wd,
		.fields = 1,
		.step = 1u << v->lmul,
		.bytes = insn >> 12 & 1 ? 8 : 4,
		.index_bytes = 1u << v->sew,
		.wide = 1u << v->sew,
		.vd = insn >> 7 & 31,
		.vs2 = insn >> 20 & 31,
		.places = v->max,
	};
}

static struct vector_memory load_or_store(const struct vector_state *v, unsigned op, uint32_t insn)
{
	/* The width of SEW bits is 7. */
	static const uint8_t bytes[8] = { 1, 0, 0, 0, 0, 2, 4 };
	const unsigned width = insn >> 12 & 7, format = isa_table[op].format;
	const bool store = isa_table[op].class == ISA_CLASS_VSTORE, same = width == 7;

	return (struct vector_memory){
		.store = store,
		.masked = !(insn >> 25 & 1),
		.indexed = format == ISA_FMT_VLX,
		.strided = format == ISA_FMT_VLSS,
		.first_only = format == ISA_FMT_VLS && (insn >> 20 & 31) == 16,
		.sign = !store && insn >> 28 & 1,
		.tail = !store,
		.fields = (insn >> 29) + 1,
		.step = 1u << v->lmul,
		.bytes = same ? 1u << v->sew : bytes[width],
		.index_bytes = 1u << v->sew,
		.wide = 1u << v->sew,
		.vd = insn >> 7 & 31,
		.vs2 = insn >> 20 & 31,
		.places = v->max,
	};
}

bool vector_thead_memory(const struct vector_state *v, unsigned op, uint32_t insn,
			 struct vector_memory *m)
{
	*m = isa_table[op].class == ISA_CLASS_VAMO ? atomic(v, insn) : load_or_store(v, op, insn);
	m->eighths = (m->step * m->fields) << 3;
	m->index_nr = m->indexed ? m->step : 0;
	return !(v->vtype & VECTOR_VILL) && m->bytes <= m->wide && registers_legal(v, m);
}

/* funct5, the bits 31 to 27 of an AMO, which are also those of the scalar AMOs. */
enum funct5 {
	AMOADD = 0x00,
	AMOSWAP = 0x01,
	AMOXOR = 0x04,
	AMOOR = 0x08,
	AMOAND = 0x0c,
	AMOMIN = 0x10,
	AMOMAX = 0x14,
	AMOMINU = 0x18,
	AMOMAXU = 0x1c,
};

uint64_t vector_atomic(uint32_t insn, int64_t old, int64_t source)
{
	switch ((enum funct5)(insn >> 27)) {
	case AMOADD:
		return (uint64_t)old + (uint64_t)source;
	case AMOSWAP:
		return source;
	case AMOXOR:
		return old ^ source;
	case AMOOR:
		return old | source;
	case AMOAND:
		return old & source;
	case AMOMIN:
		return old < source ? old : source;
	case AMOMAX:
		return old < source ? source : old;
	case AMOMINU:
		return (uint64_t)old < (uint64_t)source ? old : source;
	case AMOMAXU:
		break;
	}
	return (uint64_t)old < (uint64_t)source ? source : old;
}
