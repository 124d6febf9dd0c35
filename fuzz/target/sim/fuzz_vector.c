// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_vector.c - any vector instruction in any state of the unit (sim/vector/base/vector.h).
 *
 * Input: VLEN, and whether the unit has V or XTheadVector; then instructions: vtype, AVL, vstart
 * and what they need besides.  The registers are random.
 *
 * Must hold: no access outside the registers (sanitizers, and the bytes after those of a small
 * VLEN stay 0).  An illegal instruction changes nothing; a legal one leaves vstart 0, vl and vtype.
 * A load, store or AMO names only elements that are in the registers.
 */
#include <stddef.h>

#include "fuzz.h"
#include "isa.h"
#include "vector.h"

static void fill(struct vector_state *v, uint64_t seed)
{
	for (unsigned n = 0; n < VECTOR_REGS * v->bytes; n++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		v->reg[n] = seed >> 56;
	}
}

static void behind_is_clear(const struct vector_state *v)
{
	for (unsigned n = VECTOR_REGS * v->bytes; n < sizeof(v->reg); n++)
		must(!v->reg[n]);
}

static void compute(struct vector_state *v, struct input *in, unsigned op)
{
	uint32_t insn = input_bytes(in, 4), flags = 0;
	struct vector_args a = {
		.op = op,
		.vd = insn & 31,
		.vs1 = insn >> 5 & 31,
		.vs2 = insn >> 10 & 31,
		.masked = insn >> 15 & 1 && isa_table[op].class != ISA_CLASS_VCRYPTO,
		.rm = (insn >> 16) % 5,
		.scalar = input_bytes(in, 8),
		.flags = &flags,
	};
	struct vector_state was = *v;

	if (!vector_execute(v, &a)) {
		must(!memcmp(v, &was, offsetof(struct vector_state, plan)) && !flags);
		return;
	}
	must(!v->vstart && v->vl == was.vl && v->vtype == was.vtype && v->vxsat < 2 && flags < 32);
	behind_is_clear(v);
}

static void reach(struct vector_state *v, struct input *in, unsigned op)
{
	const struct isa_row *r = &isa_table[op];
	uint32_t insn = r->match | (input_bytes(in, 4) & ~r->mask);
	const struct vector_memory *m = vector_memory(v, op, insn);
	uint64_t sum = 0;

	if (!m)
		return;
	for (unsigned n = v->vstart; n < m->nr; n++) {
		for (unsigned field = 0; field < m->fields; field++) {
			uint8_t *p = vector_element(v, m, field, n);

			must(p >= v->reg && p + m->wide <= v->reg + VECTOR_REGS * v->bytes);
			must(m->bytes <= m->wide);
			if (m->store) {
				sum += *p;
				continue;
			}
			memset(p, n, m->bytes);
			vector_extend(m, p);
		}
		if (m->indexed)
			sum += vector_index(v, m, n);
	}
	if (m->tail)
		vector_tail(v, m, v->vstart);
	v->vxsat = sum & 1;
	behind_is_clear(v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, data + size };
	struct vector_state *v = vector_new();
	unsigned unit = input_byte(&in);
	struct isa_set all;

	must(v != NULL);
	memset(&all, 0xff, sizeof(all));
	if (unit >> 2 & 1)
		isa_set_remove(&all, ISA_EXT_V);
	vector_reset(v, VECTOR_BYTES_MIN << unit % 4, &all);
	fill(v, size);
	while (in.at < in.end) {
		unsigned kind = input_byte(&in),
			 op = ISA_vsetivli + input_bytes(&in, 2) % (ISA_NR - ISA_vsetivli);

		if (kind & 1)
			vector_set(v, input_bytes(&in, kind & 2 ? 1 : 8), input_bytes(&in, 2),
				   kind & 4);
		if (kind & 8)
			v->vstart = input_bytes(&in, 2) & (8 * v->bytes - 1);
		v->vxrm = kind >> 4 & 3;
		must(v->vl <= v->max);
		switch (isa_table[op].class) {
		case ISA_CLASS_VLOAD:
		case ISA_CLASS_VSTORE:
		case ISA_CLASS_VAMO:
			reach(v, &in, op);
			break;
		case ISA_CLASS_VSET:
			break;
		default:
			if (isa_table[op].class > ISA_CLASS_VSTORE)
				compute(v, &in, op);
			break;
		}
	}
	free(v);
	return 0;
}
