// SPDX-License-Identifier: BSD-2-Clause
/*
 * division.c - integer divisions whose time depends on their operands: rules P16, L14 and O10 of
 * holter-model(7).
 */
#include "machine.h"

/* P16: an operand as the instruction takes it. */
struct operand {
	bool negative;
	unsigned bits;
};

static struct operand operand_of(uint64_t reg, bool is_signed, bool word)
{
	const uint64_t sign = word ? 0x80000000 : 0x8000000000000000, value = reg & (2 * sign - 1);
	struct operand o = { .negative = is_signed && value & sign };

	for (uint64_t left = o.negative ? (2 * sign - value) & (2 * sign - 1) : value; left;
	     left /= 2)
		o.bits++;
	return o;
}

/* P16: X.  The bits of the instruction tell what it computes: funct3 is 4: div, 5: divu, 6: rem. */
static uint64_t longer(const struct cpu_pipeline *p, const struct insn *i, uint32_t bits,
		       const uint64_t operand[2])
{
	const unsigned funct3 = bits >> 12 & 7;
	const bool is_signed = !(funct3 & 1), word = i->class == CLASS_DIV_32;
	const struct operand a = operand_of(operand[0], is_signed, word);
	const struct operand b = operand_of(operand[1], is_signed, word);
	const bool minus = funct3 < 6 ? a.negative != b.negative : a.negative;
	uint64_t all = p->div_cycles + ((a.negative || b.negative) + minus) * p->div_sign;

	if (b.bits && a.bits >= b.bits) {
		const unsigned s = a.bits - b.bits + 1;

		all += s < p->div_bits ? 1 : s / p->div_bits;
	}
	return all > p->latency[i->class] ? all - p->latency[i->class] : 0;
}

/* L14 */
static void in_order(struct hart *h, const struct cpu_pipeline *p, const struct insn *i, uint64_t x)
{
	const uint64_t t = h->clock - 1;

	if (!x)
		return;
	if (i->rd)
		h->memtime.reg[i->rd] = (struct entry){ t + p->latency[i->class] + x,
							PLACE_DIVISION, 0 };
	h->memtime.divider = t + p->busy[i->class] + x;
}

/* O10 */
static void out_of_order(struct hart *h, const struct cpu_pipeline *p, const struct insn *i,
			 uint64_t x)
{
	struct memtime *t = &h->memtime;
	const uint64_t now = h->clock - h->shadow, latency = p->latency[i->class];
	uint64_t issue = now - latency;
	struct entry done = { 0, PLACE_DIVISION, 0 };

	if (!x && !t->operands.end)
		return;
	if (t->operands.end > issue)
		issue = t->operands.end;
	t->divider = issue + p->busy[i->class] + x;
	done.end = issue + latency + x;
	shadow_grow(h, &done);
	if (i->rd && done.end > now && done.end > t->reg[i->rd].end)
		t->reg[i->rd] = done;
}

void division_executes(struct hart *h, const struct cpu *cpu, const struct insn *i, uint32_t bits,
		       const uint64_t operand[2])
{
	const struct cpu_pipeline *p = &cpu->pipeline;
	const uint64_t x = longer(p, i, bits, operand);

	if (p->out_of_order)
		out_of_order(h, p, i, x);
	else
		in_order(h, p, i, x);
}
