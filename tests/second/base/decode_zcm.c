// SPDX-License-Identifier: BSD-2-Clause
/*
 * decode_zcm.c - Zcmp and Zcmt: rules B1, P11, P13 and P15 of holter-model(7); encodings of the
 * unprivileged architecture.
 */
#include "decode.h"

enum { RA = 1, SP = 2, A0 = 10, A1 = 11 };

static void event(struct insn *i, enum event ev)
{
	i->events[i->nr_events++] = ev;
}

/* Register n of a list: ra, s0 to s11. */
static unsigned listed(unsigned n)
{
	return n == 0 ? RA : n <= 2 ? 7 + n : 15 + n;
}

static void add(struct parts *p, const struct insn *part)
{
	p->part[p->n++] = *part;
}

/* Rule W12: the operand of register n of a list. */
static struct memory_operand slot(unsigned registers, unsigned n, int64_t top)
{
	return (struct memory_operand){ SP, 8, top - 8 * ((int64_t)registers - n) };
}

static void add_to_sp(struct parts *p, int64_t bytes)
{
	add(p, &(struct insn){
		       .class = CLASS_ALU, .rd = SP, .rs1 = SP, .steps = true, .step = bytes });
}

static void add_alu(struct parts *p, unsigned rd, unsigned rs1)
{
	add(p, &(struct insn){ .class = CLASS_ALU, .rd = rd, .rs1 = rs1 });
}

static void push(struct insn *i, struct parts *p, unsigned registers, int64_t bytes)
{
	i->class = CLASS_STORE;
	event(i, EV_STORES);
	event(i, EV_INT_STORES);
	for (unsigned n = registers; n--;) {
		struct insn store = { .class = CLASS_STORE, .rs1 = SP, .rs2 = listed(n) };

		event(&store, EV_INT_STORES);
		store.memory = slot(registers, n, 0);
		add(p, &store);
		i->more_reads |= 1u << listed(n);
	}
	add_to_sp(p, -bytes);
}

static void jumps(struct insn *i, enum transfer transfer)
{
	i->class = CLASS_BRANCH;
	i->transfer = transfer;
	event(i, EV_BRANCH_INSTRUCTIONS);
	event(i, EV_JUMPS);
	event(i, EV_INDIRECT_JUMPS);
	if (transfer == RETURN)
		event(i, EV_RETURNS);
	if (transfer == INDIRECT_CALL)
		event(i, EV_CALLS);
}

static void pop(struct insn *i, struct parts *p, unsigned registers, int64_t bytes, bool zero,
		bool returns)
{
	i->class = CLASS_LOAD;
	i->is_load = true;
	event(i, EV_LOADS);
	event(i, EV_INT_LOADS);
	for (unsigned n = registers; n--;) {
		add(p, &(struct insn){ .class = CLASS_LOAD,
				       .rs1 = SP,
				       .rd = listed(n),
				       .memory = slot(registers, n, bytes) });
		i->more_writes |= 1u << listed(n);
	}
	add_to_sp(p, bytes);
	if (zero) {
		add_alu(p, A0, 0);
		i->more_writes |= 1u << A0;
	}
	if (returns) {
		jumps(i, RETURN);
		add(p, &(struct insn){ .class = CLASS_BRANCH, .rs1 = RA });
	}
}

static void moves(struct insn *i, struct parts *p, uint32_t bits)
{
	unsigned first = listed(1 + (bits >> 7 & 7)), second = listed(1 + (bits >> 2 & 7));
	bool to_a = bits & 0x40;

	i->class = CLASS_ALU;
	event(i, EV_INT_ALU);
	i->rd = to_a ? A0 : first;
	i->rs1 = to_a ? first : A0;
	i->rs2 = to_a ? second : A1;
	i->more_writes = 1u << (to_a ? A1 : second);
	add_alu(p, i->rd, i->rs1);
	add_alu(p, to_a ? A1 : second, i->rs2);
}

bool decode_zcm(uint32_t bits, struct insn *i, struct parts *p)
{
	unsigned list = bits >> 4 & 15, registers = list == 15 ? 13 : list - 3;
	int64_t bytes = ((registers * 8 + 15) & ~15u) + 16 * (bits >> 2 & 3);

	*i = (struct insn){ .size = 2 };
	p->n = 0;
	if ((bits & 0xfc03) == 0xa002) {
		jumps(i, bits >> 2 & 0xe0 ? INDIRECT_CALL : INDIRECT_JUMP);
		i->rd = bits >> 2 & 0xe0 ? RA : 0;
		i->table = true;
		return true;
	}
	if ((bits & 0xfc23) == 0xac22) {
		moves(i, p, bits);
		return true;
	}
	if ((bits & 0xf903) != 0xb802)
		return false;
	i->rs1 = i->rd = SP;
	if (!(bits & 0x600))
		push(i, p, registers, bytes);
	else
		pop(i, p, registers, bytes, (bits & 0x600) == 0x400, bits & 0x400);
	return true;
}
