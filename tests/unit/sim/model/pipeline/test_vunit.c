// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_vunit.c - the vector units: sim/model/pipeline/vunit.c.  The expected cycles are by hand;
 * some are those that programs measured on an X60 (rvv-bench; bench/silicon/SOURCES.md).
 */
#include <string.h>

#include "model_rig.h"
#include "tap.h"
#include "vunit.h"

static struct vunit_config config(bool chaining)
{
	struct vunit_config c = { .masked = 2, .element = 3, .chaining = chaining };

	memset(c.cycles, 1, sizeof(c.cycles));
	memset(c.latency, 4, sizeof(c.latency));
	memset(c.cycles[VUNIT_LOGIC], 2, VUNIT_SIZES);
	memset(c.cycles[VUNIT_GATHER], 4, VUNIT_SIZES);
	c.cycles[VUNIT_MUL][3] = 4;
	c.latency[VUNIT_MUL] = 7;
	return c;
}

/* An instruction that writes registers from v8 on and reads those from v16 on. */
static struct vunit_insn insn(enum vunit_class class, unsigned size, unsigned eighths)
{
	uint8_t nr = eighths > 8 ? eighths / 8 : 1;

	return (struct vunit_insn){ .class = class,
				    .size = size,
				    .eighths = eighths,
				    .to = { 8, nr },
				    .from = { { 16, nr } } };
}

static uint64_t run(const struct vunit_config *c, struct vunit *u, const struct vunit_insn *i,
		    uint64_t now)
{
	struct vunit_work w;
	uint64_t at;

	vunit_work(c, i, &w);
	at = vunit_earliest(u, &w);
	at = at > now ? at : now;
	vunit_execute(u, &w, at);
	return at;
}

/* Cycles from one instruction to the next one of its kind that needs nothing of it. */
static void throughput(void)
{
	static const struct {
		enum vunit_class class;
		unsigned size, eighths;
		bool masked;
		unsigned cycles;
	} rows[] = {
		{ VUNIT_ADD, 0, 1, false, 1 },	   { VUNIT_ADD, 0, 8, false, 1 },
		{ VUNIT_ADD, 0, 16, false, 2 },	   { VUNIT_ADD, 3, 64, false, 8 },
		{ VUNIT_ADD, 0, 16, true, 4 },	   { VUNIT_LOGIC, 2, 4, false, 1 },
		{ VUNIT_LOGIC, 2, 64, false, 16 }, { VUNIT_LOGIC, 2, 64, true, 16 },
		{ VUNIT_MUL, 2, 64, false, 8 },	   { VUNIT_MUL, 3, 64, false, 32 },
		{ VUNIT_GATHER, 0, 8, false, 4 },  { VUNIT_GATHER, 0, 64, false, 256 },
		{ VUNIT_GATHER, 0, 1, false, 1 },  { VUNIT_MASK, 0, 0, false, 1 },
		{ VUNIT_SCALAR, 0, 64, false, 1 },
	};
	struct vunit_config c = config(true);

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct vunit_insn i = insn(rows[n].class, rows[n].size, rows[n].eighths);
		struct vunit u = { 0 };

		i.masked = rows[n].masked;
		i.to.nr = 0;
		run(&c, &u, &i, 100);
		tap_context("class %u, size %u, %u eighths", i.class, i.size, i.eighths);
		is(run(&c, &u, &i, 100), 100 + rows[n].cycles);
	}
}

/* Elements that are accesses by themselves, however many registers they are in. */
static void elements(void)
{
	struct vunit_config c = config(true);
	struct vunit_insn i = insn(VUNIT_LOAD, 0, 64);
	struct vunit u = { 0 };

	i.each = true;
	i.elements = 40;
	i.to.nr = 0;
	run(&c, &u, &i, 100);
	is(run(&c, &u, &i, 100), 220);
	i.elements = 0;
	run(&c, &u, &i, 1000);
	is(run(&c, &u, &i, 1000), 1001);
}

/* From an instruction to one on another unit that needs its result. */
static void chains(void)
{
	struct vunit_insn first = insn(VUNIT_LOGIC, 0, 64), mask = first, next, one;
	struct vunit_config c = config(true);
	struct vunit u = { 0 };

	next = insn(VUNIT_FP_MISC, 2, 64);
	next.to = (struct vunit_group){ 24, 8 };
	next.from[0] = first.to;
	run(&c, &u, &first, 100);
	/* Register 7 is there at 118; next works on it 7 cycles after its beginning. */
	is(run(&c, &u, &next, 100), 111);
	c = config(false);
	u = (struct vunit){ 0 };
	run(&c, &u, &first, 100);
	is(run(&c, &u, &next, 100), 119);
	/* A mask is there when the last register is. */
	c = config(true);
	u = (struct vunit){ 0 };
	mask.to.nr = 1;
	run(&c, &u, &mask, 100);
	one = insn(VUNIT_FP_MISC, 2, 8);
	one.to = (struct vunit_group){ 1, 1 };
	one.from[0] = mask.to;
	is(run(&c, &u, &one, 100), 118);
}

/* A result does not come before an older one for the same register. */
static void results_in_order(void)
{
	struct vunit_insn slow = insn(VUNIT_MUL, 0, 8), fast = insn(VUNIT_FP_ADD, 2, 8);
	struct vunit_config c = config(true);
	struct vunit u = { 0 };

	run(&c, &u, &slow, 100);
	is(run(&c, &u, &fast, 100), 103);
}

static void lines(void)
{
	struct vunit_insn load = insn(VUNIT_LOAD, 0, 16), use = insn(VUNIT_ADD, 0, 8), other = use;
	struct wait wait = { .until = 500, .from = HIERARCHY_PLACES - 1 };
	struct vunit_config c = config(true);
	struct vunit_work loads, uses, others;
	struct vunit u = { 0 };

	use.from[0] = (struct vunit_group){ 9, 1 };
	use.to = other.to = (struct vunit_group){ 1, 1 };
	vunit_work(&c, &load, &loads);
	vunit_work(&c, &use, &uses);
	vunit_work(&c, &other, &others);
	vunit_waits_for(&u, &loads, &wait);
	wait.until = 400;
	vunit_waits_for(&u, &loads, &wait);
	ok(!vunit_waits(&u, &others, 100));
	ok(vunit_waits(&u, &uses, 100));
	is(vunit_waits(&u, &uses, 100)->until, 500);
	ok(!vunit_waits(&u, &uses, 500));
	is(u.waiting, 0);
}

static void refused(void)
{
	struct vunit_config good = config(true), c = good;
	struct model_error why = { 0 };

	ok(vunit_check(&good, &why));
	c.cycles[VUNIT_STORE][3] = 0;
	ok(!vunit_check(&c, &why));
	is_str(why.field, "cycles");
	c = good;
	c.latency[VUNIT_ADD] = 0;
	ok(!vunit_check(&c, &why));
	is_str(why.field, "latency");
	c = good;
	c.masked = 0;
	ok(!vunit_check(&c, &why));
	is_str(why.field, "masked");
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "throughput by class, size, group and mask", throughput },
		{ "strided and indexed accesses take cycles by element", elements },
		{ "what needs a result follows register after register", chains },
		{ "results for a register are in order", results_in_order },
		{ "registers wait for lines", lines },
		{ "impossible values", refused },
	};

	return tap_run(cases, TAP_NR(cases));
}
