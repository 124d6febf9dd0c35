// SPDX-License-Identifier: BSD-2-Clause
/*
 * memory.c - which elements a vector load or store accesses, and whether it is legal (vector.h).
 *
 * Implements: Unpriv 20240411 §31.7.
 */
#include "parts.h"
#include "thead.h"

static bool overlap(unsigned a, unsigned a_nr, unsigned b, unsigned b_nr)
{
	return a < b + b_nr && b < a + a_nr;
}

/* The registers of a group of elements of size bytes (its logarithm); 0: reserved. */
static unsigned registers(const struct vector_state *v, int size)
{
	int lmul = v->lmul + size - v->sew;

	return lmul < -3 || lmul > 3 ? 0 : lmul > 0 ? 1u << lmul : 1;
}

/*
 * An indexed access: indexes and data may have elements of different sizes.  A load must not
 * overwrite indexes that it still needs, a store must not read one register as both.
 */
static bool indexes_legal(const struct vector_state *v, const struct vector_memory *m, int size,
			  int index_size)
{
	unsigned nr = registers(v, index_size), all = m->step * m->fields;

	if (!nr || m->vs2 & (nr - 1) || (m->masked && !m->vs2))
		return false;
	if (!overlap(m->vd, all, m->vs2, nr))
		return true;
	if (m->fields > 1 && !m->store)
		return false;
	if (size == index_size)
		return true;
	if (m->store)
		return false;
	if (size < index_size)
		return m->vd == m->vs2;
	return v->lmul + index_size - v->sew >= 0 && m->vs2 != m->vd &&
	       m->vs2 + nr == m->vd + m->step;
}

static bool elements(const struct vector_state *v, uint32_t insn, int width,
		     struct vector_memory *m)
{
	int size = m->indexed ? v->sew : width;
	unsigned nr = registers(v, size);

	if (v->vtype & VECTOR_VILL || !nr)
		return false;
	m->fields = (insn >> 29) + 1;
	m->step = nr;
	m->bytes = 1u << size;
	m->index_bytes = 1u << width;
	m->places = v->max;
	m->eighths = (1u << (v->lmul + size - v->sew + 3)) * m->fields;
	m->index_nr = m->indexed ? registers(v, width) : 0;
	if (nr * m->fields > 8 || m->vd & (nr - 1) || m->vd + nr * m->fields > VECTOR_REGS)
		return false;
	/* v0 is the mask: no destination, and no source with elements of another size. */
	if (m->masked && !m->vd)
		return false;
	return !m->indexed || indexes_legal(v, m, size, width);
}

/* What vl does not change. */
static bool make(const struct vector_state *v, unsigned op, uint32_t insn, struct vector_memory *m)
{
	static const int8_t widths[8] = { 0, -1, -1, -1, -1, 1, 2, 3 };
	int width = widths[insn >> 12 & 7];
	unsigned format = isa_table[op].format;

	*m = (struct vector_memory){
		.store = isa_table[op].class == ISA_CLASS_VSTORE,
		.masked = !(insn >> 25 & 1),
		.indexed = format == ISA_FMT_VLX,
		.strided = format == ISA_FMT_VLSS,
		.first_only = format == ISA_FMT_VLS && (insn >> 20 & 31) == 16,
		.fields = 1,
		.step = 1,
		.bytes = 1u << width,
		.eighths = 8,
		.vd = insn >> 7 & 31,
		.vs2 = insn >> 20 & 31,
	};
	if (op == ISA_vlm_v || op == ISA_vsm_v) {
		m->places = (v->max + 7) / 8;
		m->by_bits = true;
		return !(v->vtype & VECTOR_VILL);
	}
	if (format == ISA_FMT_VLR) { /* whole registers */
		unsigned nr = (insn >> 29) + 1;

		m->places = nr * v->bytes / m->bytes;
		m->eighths = 8 * nr;
		m->step = nr;
		m->whole = true;
		return !(m->vd & (nr - 1));
	}
	return elements(v, insn, width, m);
}

void vector_memory_plan(const struct vector_state *v, unsigned op, uint32_t insn,
			struct vector_plan *p)
{
	struct vector_memory *m = &p->is.memory;

	p->legal = v->thead ? vector_thead_memory(v, op, insn, m) : make(v, op, insn, m);
	m->shift = __builtin_ctz(m->bytes);
	if (!v->thead)
		m->wide = m->bytes;
	m->plain = !m->indexed && !m->strided;
	m->direct = m->plain && m->fields == 1 && !m->masked && m->wide == m->bytes;
}

uint64_t vector_index(const struct vector_state *v, const struct vector_memory *m, unsigned n)
{
	uint64_t value = 0;

	memcpy(&value, v->reg + m->vs2 * v->bytes + n * m->index_bytes, m->index_bytes);
	/* Offsets of XTheadVector are signed. */
	if (v->thead)
		value = (uint64_t)((int64_t)(value << (64 - 8 * m->index_bytes)) >>
				   (64 - 8 * m->index_bytes));
	return value;
}

void vector_tail(struct vector_state *v, const struct vector_memory *m, unsigned from)
{
	if (from >= v->vl || v->vl == v->max)
		return;
	for (unsigned field = 0; field < m->fields; field++)
		memset(vector_element(v, m, field, v->vl), 0, (v->max - v->vl) * m->wide);
}
