// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cpu_thead_amo.c - XTheadZvamo on a C910: AMOs against a second implementation, which
 * accesses one element at a time; their faults, registers, events and time.
 *
 * usage: test_sim_cpu_thead_amo FOLDER   with the compiled descriptions
 *
 * Implements: vectors 0.7.1 chapter 8; T-Head ISA extension specification, XTheadZvamo.
 */
#include "isa.h"
#include "thead_rig.h"

enum { AMO_ADD, AMO_SWAP, AMO_XOR, AMO_OR, AMO_AND, AMO_MIN, AMO_MAX, AMO_MINU, AMO_MAXU, AMO_NR };

static const struct {
	const char *name;
	uint8_t bits; /* 31 to 27 of the encoding */
} amo[AMO_NR] = {
	[AMO_ADD] = { "add", 0x00 }, [AMO_SWAP] = { "swap", 0x01 }, [AMO_XOR] = { "xor", 0x04 },
	[AMO_OR] = { "or", 0x08 },   [AMO_AND] = { "and", 0x0c },   [AMO_MIN] = { "min", 0x10 },
	[AMO_MAX] = { "max", 0x14 }, [AMO_MINU] = { "minu", 0x18 }, [AMO_MAXU] = { "maxu", 0x1c },
};

/* th.vamo*w.v or, if bytes is 8, th.vamo*d.v: v8, indexes in v24, base in a0. */
static uint32_t amo_insn(unsigned op, unsigned bytes, bool wd, bool masked)
{
	return (uint32_t)amo[op].bits << 27 | (uint32_t)wd << 26 | (uint32_t)!masked << 25 |
	       24 << 20 | A0 << 15 | (bytes == 8 ? 7 : 6) << 12 | 8 << 7 | 0x2f;
}

/* What memory has after it; a and b: what it had, and the source. */
static uint64_t amo_32(unsigned op, uint32_t a, uint32_t b)
{
	switch (op) {
	case AMO_ADD:
		return a + b;
	case AMO_SWAP:
		return b;
	case AMO_XOR:
		return a ^ b;
	case AMO_OR:
		return a | b;
	case AMO_AND:
		return a & b;
	case AMO_MIN:
		return (int32_t)a < (int32_t)b ? a : b;
	case AMO_MAX:
		return (int32_t)a > (int32_t)b ? a : b;
	case AMO_MINU:
		return a < b ? a : b;
	default:
		return a > b ? a : b;
	}
}

static uint64_t amo_64(unsigned op, uint64_t a, uint64_t b)
{
	switch (op) {
	case AMO_ADD:
		return a + b;
	case AMO_MIN:
		return (int64_t)a < (int64_t)b ? a : b;
	case AMO_MAX:
		return (int64_t)a > (int64_t)b ? a : b;
	case AMO_MINU:
		return a < b ? a : b;
	case AMO_MAXU:
		return a > b ? a : b;
	default: /* bit by bit */
		return amo_32(op, a, b) | amo_32(op, a >> 32, b >> 32) << 32;
	}
}

/* A number of which some are equal, and some differ in their signs only. */
static uint64_t amo_number(void)
{
	static const uint64_t special[] = { 0, 1, 0x7fffffff, 0x80000000, UINT64_MAX, 1ull << 63 };

	return rnd() % 3 ? rnd() : special[rnd() % TAP_NR(special)];
}

/* vtype, vl, registers and memory; indexes are aligned, and some of them the same. */
static void amo_choose(struct hart *h, unsigned bytes, uint8_t *memory)
{
	struct vector_state *v = h->vector;
	const unsigned sew = bytes == 8 || rnd() & 1 ? 3 : 2, lmul = rnd() % 4;
	int64_t offset;

	vector_set(v, sew << 2 | lmul, rnd() % 4 ? rnd() % (2u * VLENB) : 1000, false);
	for (unsigned n = 0; n < VECTOR_REGS * VLENB / 8; n++)
		((uint64_t *)v->reg)[n] = amo_number();
	for (unsigned n = 0; n < WINDOW / 8; n++)
		((uint64_t *)memory)[n] = amo_number();
	for (unsigned n = 0; n < v->max; n++) {
		offset = (int64_t)(rnd() % (rnd() % 4 ? 400 : 4)) * bytes - 128 * bytes;
		memcpy(v->reg + 24 * VLENB + (n << v->sew), &offset, 1u << v->sew);
	}
	h->x[A0] = RIG_DATA + rnd() % 8 * bytes;
}

/* Elements from..vl - 1; returns how many are active. */
static unsigned amo_plain(const struct hart *h, const struct element_access *a, unsigned op,
			  unsigned from, uint8_t *reg, uint8_t *memory)
{
	const struct vector_state *v = h->vector;
	uint8_t was[VECTOR_REGS * VLENB];
	unsigned done = 0;

	memcpy(was, reg, sizeof(was));
	for (unsigned n = from; n < v->vl; n++) {
		uint8_t *element = reg + a->vd * VLENB + n * a->wide, *p;
		uint64_t old = 0, source = 0, result;

		if (!active(v, a, was, n))
			continue;
		p = memory + WINDOW / 2 + (int64_t)(address(a, was, n) - RIG_DATA);
		memcpy(&old, p, a->bytes);
		memcpy(&source, element, a->bytes);
		result = a->bytes == 8 ? amo_64(op, old, source) : amo_32(op, old, source);
		memcpy(p, &result, a->bytes);
		done++;
		if (a->store)
			continue;
		memcpy(element, &old, a->bytes);
		if (a->wide > a->bytes)
			memset(element + 4, element[3] >> 7 ? 0xff : 0, 4);
	}
	if (from < v->vl)
		clear(v, a, reg);
	return done;
}

static void amos(void)
{
	for (unsigned models = 0; models < 2; models++) {
		struct machine *m = c910(models);
		struct hart *h = m->cl.hart[0];
		struct vector_state *v = h->vector;
		uint8_t *memory = cluster_ram(&m->cl, RIG_DATA - WINDOW / 2, WINDOW);
		uint8_t want_memory[WINDOW], want[VECTOR_REGS * VLENB];

		csr_write(h, CSR_MSTATUS, MSTATUS_VS_THEAD);
		for (unsigned n = 0; n < 3000; n++) {
			const unsigned op = n % AMO_NR, bytes = n & 1 ? 8 : 4;
			const bool wd = rnd() & 1, masked = rnd() & 1;
			struct element_access a = { .insn = amo_insn(op, bytes, wd, masked),
						    .store = !wd,
						    .masked = masked,
						    .indexed = true,
						    .bytes = bytes,
						    .fields = 1,
						    .vd = 8,
						    .vs2 = 24 };
			unsigned from;

			amo_choose(h, bytes, memory);
			a.wide = 1u << v->sew;
			a.group = 1u << v->lmul;
			a.base = h->x[A0];
			from = rnd() % 4 ? 0 : rnd() % (v->vl + 1);
			memcpy(want_memory, memory, WINDOW);
			memcpy(want, v->reg, sizeof(want));
			v->vstart = from;
			amo_plain(h, &a, op, from, want, want_memory);
			tap_context("%s %08x, vtype %x, vl %u, vstart %u", amo[op].name, a.insn,
				    (unsigned)v->vtype, v->vl, from);
			is(execute(m, a.insn), 0);
			is(v->vstart, 0);
			ok(!memcmp(want, v->reg, sizeof(want)));
			ok(!memcmp(want_memory, memory, WINDOW));
		}
		end(m);
	}
}

/* Element 2 faults: what is before it is done, what is after it and after vl is not. */
static void amo_faults(void)
{
	static const struct {
		uint64_t address, cause;
	} rows[] = {
		{ RIG_DATA + 2, CAUSE_MISALIGNED_STORE },
		{ RIG_DATA + 7, CAUSE_MISALIGNED_STORE },
		{ RAM_BASE + RIG_MEMORY, CAUSE_STORE_ACCESS },
		{ 0x10000000, CAUSE_STORE_ACCESS }, /* a device */
	};

	for (unsigned n = 0; n < 4 * TAP_NR(rows); n++) {
		struct machine *m = c910(n & 1);
		struct hart *h = m->cl.hart[0];
		struct vector_state *v = h->vector;
		uint64_t *p = cluster_ram(&m->cl, RIG_DATA, 64), *data, *index;
		const uint64_t address = rows[n / 4].address;
		const bool wd = n & 2;

		tap_context("row %u, wd %u", n / 4, wd);
		csr_write(h, CSR_MSTATUS, MSTATUS_VS_THEAD);
		vector_set(v, 3 << 2 | 1, 3, false); /* e64, m2: 3 of 4 elements */
		data = (uint64_t *)(v->reg + 8 * VLENB);
		index = (uint64_t *)(v->reg + 24 * VLENB);
		for (unsigned i = 0; i < 4; i++) {
			p[i] = 100 + i;
			data[i] = 1000;
			index[i] = 8 * i;
		}
		index[2] = address - RIG_DATA;
		h->x[A0] = RIG_DATA;
		is(execute(m, amo_insn(AMO_ADD, 8, wd, false)), rows[n / 4].cause);
		is(h->mtval, address);
		is(v->vstart, 2);
		for (unsigned i = 0; i < 4; i++) {
			is(p[i], 100 + i + (i < 2) * 1000);
			is(data[i], wd && i < 2 ? 100 + i : 1000);
		}
		index[2] = 16; /* and goes on from there */
		is(execute(m, amo_insn(AMO_ADD, 8, wd, false)), 0);
		is(v->vstart, 0);
		is(p[1], 1101);
		is(p[2], 1102);
		is(data[2], wd ? 102 : 1000);
		is(data[3], wd ? 0 : 1000); /* after vl */
		end(m);
	}
}

/* A page that can be read, but not written: the fault is one of a store. */
static void amo_page_fault(void)
{
	for (unsigned wd = 0; wd < 2; wd++) {
		struct machine *m = c910(wd);
		struct hart *h = m->cl.hart[0];
		uint64_t *root = cluster_ram(&m->cl, TABLES, PAGE_SIZE);

		root[RAM_BASE >> 30] = RAM_BASE >> 12 << 10 | 0x43; /* V, R, A: 1 GiB */
		rig_open_memory(h);
		csr_write(h, CSR_SATP, 8ull << 60 | TABLES >> 12);
		csr_write(h, CSR_MSTATUS, MSTATUS_VS_THEAD | MSTATUS_MPRV | 1 << 11);
		vector_set(h->vector, 2 << 2, 4, false);
		memset(h->vector->reg, 0, VECTOR_REGS * VLENB);
		h->vector->vstart = 1;
		h->x[A0] = RIG_DATA;
		is(execute(m, amo_insn(AMO_OR, 4, wd, false)), CAUSE_STORE_PAGE_FAULT);
		is(h->mtval, RIG_DATA);
		is(h->vector->vstart, 1);
		end(m);
	}
}

static void amo_registers(void)
{
	static const struct {
		uint32_t insn;
		uint8_t vtype, legal;
	} rows[] = {
		{ 0x0685e22f, 0x08, 1 }, /* th.vamoaddw.v v4,v8,(a1),v4: e32 */
		{ 0x0685f22f, 0x08, 0 }, /* d: wider than SEW */
		{ 0x0685f22f, 0x0c, 1 }, { 0x0685e22f, 0x0c, 1 }, /* w: narrower */
		{ 0x0685e22f, 0x04, 0 }, /* e16 */
		{ 0x0685e22f, 0x00, 0 }, { 0x0285e22f, 0x04, 0 }, /* without wd */
		{ 0x0685e22f, 0x0a, 1 }, /* m4 */
		{ 0x0685e2af, 0x0a, 0 }, /* v5 */
		{ 0x0285e2af, 0x0a, 0 }, { 0x0695e22f, 0x0a, 0 }, /* indexes in v9 */
		{ 0x0685e42f, 0x0a, 1 }, /* v8 as both */
		{ 0x0485e02f, 0x08, 1 }, /* v0, which is the mask */
		{ 0x0485e02f, 0x09, 0 }, /* the same with m2 */
		{ 0x0085e02f, 0x09, 1 }, /* without wd: it is not written */
		{ 0x0405e22f, 0x09, 1 }, /* indexes in it */
		{ 0x1685e22f, 0x08, 0 }, /* lr, sc: none */
		{ 0x1e85e22f, 0x08, 0 }, { 0x2e85e22f, 0x08, 0 },
		{ 0x0685822f, 0x08, 0 }, /* 128 bits */
	};
	struct machine *m = c910(false);
	struct hart *h = m->cl.hart[0];

	csr_write(h, CSR_MSTATUS, MSTATUS_VS_THEAD);
	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		tap_context("%08x, vtype %x", rows[n].insn, rows[n].vtype);
		memset(h->vector->reg, 0, VECTOR_REGS * VLENB);
		vector_set(h->vector, rows[n].vtype, 4, false);
		h->x[A1] = RIG_DATA;
		is(execute(m, rows[n].insn), rows[n].legal ? 0 : CAUSE_ILLEGAL_INSN);
	}
	vector_set(h->vector, VECTOR_VILL, 4, false);
	is(execute(m, rows[0].insn), CAUSE_ILLEGAL_INSN);
	vector_set(h->vector, 0x08, 4, false);
	csr_write(h, CSR_MSTATUS, 0);
	h->mstatus &= ~MSTATUS_VS;
	is(execute(m, rows[0].insn), CAUSE_ILLEGAL_INSN);
	end(m);
}

/* An AMO and a vector instruction, no load or store; a write of L1D for each active element. */
static void amo_events(void)
{
	static const struct {
		enum event event;
		unsigned count;
	} rows[] = {
		{ EVENT_AMO, 1 },
		{ EVENT_VECTOR, 1 },
		{ EVENT_VECTOR_LOAD, 0 },
		{ EVENT_VECTOR_STORE, 0 },
		{ EVENT_VECTOR_INDEXED, 0 },
		{ EVENT_LOAD, 0 },
		{ EVENT_STORE, 0 },
		{ EVENT_L1D_WRITE, 5 },
		{ EVENT_L1D_READ, 0 },
		{ EVENT_L1D_WRITE_MISS, 2 },
		{ EVENT_VECTOR_LINE, 5 },
		{ EVENT_VECTOR_ELEMENT, 6 },
		{ EVENT_VECTOR_ACTIVE, 5 },
		{ EVENT_VECTOR_LANE, 8 },
	};

	for (unsigned wd = 0; wd < 2; wd++) {
		struct machine *m = c910(true);
		struct hart *h = m->cl.hart[0];
		uint32_t *index;

		csr_write(h, CSR_MSTATUS, MSTATUS_VS_THEAD);
		pmu_count_all(h);
		vector_set(h->vector, 2 << 2 | 1, 6, false); /* e32, m2: 6 of 8 elements */
		memset(h->vector->reg, 0, VECTOR_REGS * VLENB);
		memset(h->vector->reg, 0xff, VLENB);
		h->vector->reg[6] = 0; /* element 3: MLEN is 16 */
		index = (uint32_t *)(h->vector->reg + 24 * VLENB);
		for (unsigned n = 0; n < 6; n++)
			index[n] = 24 * n; /* two lines */
		index[3] = 0x1000;
		h->x[A0] = RIG_DATA;
		forget(m);
		is(execute(m, amo_insn(AMO_MAX, 4, wd, true)), 0);
		for (unsigned n = 0; n < TAP_NR(rows); n++) {
			tap_context("wd %u: %s", wd, event_table[rows[n].event].name);
			is(total(m, rows[n].event), rows[n].count);
		}
		end(m);
	}
}

/* Each element takes the time of two, as it is read and written. */
static void amo_cycles(void)
{
	struct machine *m = c910(true);
	struct hart *h = m->cl.hart[0];
	uint64_t cycles[3], now;

	csr_write(h, CSR_MSTATUS, MSTATUS_VS_THEAD);
	for (unsigned n = 0; n < 3; n++) {
		vector_set(h->vector, 2 << 2 | n, 1000, false); /* 4, 8, 16 elements */
		memset(h->vector->reg, 0, VECTOR_REGS * VLENB);
		h->x[A0] = RIG_DATA;
		/* The unit is busy until the AMO before it is done, also that of the last run. */
		for (unsigned twice = 0; twice < 2; twice++) {
			now = h->now;
			h->pc = RAM_BASE;
			h->mode = PRV_M;
			RIG_CODE(m, RAM_BASE, amo_insn(AMO_ADD, 4, false, false),
				 amo_insn(AMO_ADD, 4, false, false), END);
			rig_run(m, 100000);
			cycles[n] = h->now - now;
		}
	}
	is(cycles[1] - cycles[0], 2 * 2 * 4);
	is(cycles[2] - cycles[1], 2 * 2 * 8);
	end(m);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "AMOs", amos },
		{ "AMOs that fault", amo_faults },
		{ "an AMO to a page that is read-only", amo_page_fault },
		{ "registers of AMOs", amo_registers },
		{ "what AMOs count", amo_events },
		{ "the time of AMOs", amo_cycles },
	};

	cpu_folder = argc > 1 ? argv[1] : ".";
	return tap_run(cases, TAP_NR(cases));
}
