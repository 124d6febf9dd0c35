// SPDX-License-Identifier: BSD-2-Clause
/*
 * memory.c - loads and stores of XTheadVector: which elements they access, and whether they are
 * legal (thead.h).
 *
 * Implements: vectors 0.7.1 chapter 7.
 */
#include "thead.h"

/* Whether the registers of a load or store are those that LMUL allows. */
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

bool vector_thead_memory(const struct vector_state *v, unsigned op, uint32_t insn,
			 struct vector_memory *m)
{
	/* The width of SEW bits is 7. */
	static const uint8_t bytes[8] = { 1, 0, 0, 0, 0, 2, 4 };
	const unsigned width = insn >> 12 & 7, format = isa_table[op].format;
	const bool store = isa_table[op].class == ISA_CLASS_VSTORE, same = width == 7;

	*m = (struct vector_memory){
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
	m->eighths = (m->step * m->fields) << 3;
	m->index_nr = m->indexed ? m->step : 0;
	return !(v->vtype & VECTOR_VILL) && m->bytes <= m->wide && registers_legal(v, m);
}
