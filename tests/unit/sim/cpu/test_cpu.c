// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cpu.c - CPU descriptions: what the reader makes of those of cpu/ and of boards.
 *
 * usage: test_sim_cpu FOLDER      with the compiled descriptions and board.dtb
 */
#include <libfdt.h>

#include "cpu_models.h"
#include "isa.h"
#include "timing.h"
#include "cpu_blobs.h"

static struct event_set set_of(unsigned nr, const uint8_t *events)
{
	struct event_set set = { 0 };

	for (unsigned n = 0; n < nr; n++)
		event_set_add(&set, events[n]);
	return set;
}

/* event.def itself */

static void events_are_one_list(void)
{
	for (unsigned e = 0; e < EVENT_NR; e++) {
		tap_context("%s", event_table[e].name);
		is(event_find(event_table[e].name), e);
		ok((event_table[e].kind == EVENT_KIND_CODE ||
		    event_table[e].kind == EVENT_KIND_EDGE) ==
		   (e < EVENT_CODE_NR && event_table[e].kind != EVENT_KIND_TIME));
		for (unsigned other = 0; other < e; other++)
			ok(event_table[other].selector != event_table[e].selector);
	}
	is(event_find("no such event"), EVENT_NONE);
	/* 42: perf's hardware and cache events. */
	is(event_sbi_nr, 42);
	for (unsigned n = 1; n < event_sbi_nr; n++)
		ok(event_sbi_table[n].eidx > event_sbi_table[n - 1].eidx);
}

/* An event and its SBI event have the same selector. */
static void selectors_agree(void)
{
	for (unsigned e = 0; e < EVENT_NR; e++) {
		const struct event_sbi *sbi = event_sbi_find(event_table[e].selector);
		struct event_set set;

		if (!sbi)
			continue;
		tap_context("%s", event_table[e].name);
		event_sbi_set(sbi, true, &set);
		is(event_set_next(&set, 0), e);
		is(event_set_next(&set, e + 1), EVENT_NONE);
	}
}

/* The models' answers are numbered in the order of their events. */
static void models_have_their_events(void)
{
#define OF_MEMORY(NAME) is(timing_memory_event(HIERARCHY_##NAME), EVENT_##NAME)
	OF_MEMORY(L1I_READ);
	OF_MEMORY(L1I_READ_MISS);
	OF_MEMORY(L1I_PREFETCH);
	OF_MEMORY(L1D_READ);
	OF_MEMORY(L1D_READ_MISS);
	OF_MEMORY(L1D_WRITE);
	OF_MEMORY(L1D_WRITE_MISS);
	OF_MEMORY(L1D_WALK_MISS);
	OF_MEMORY(L1D_WRITEBACK);
	OF_MEMORY(L2_READ);
	OF_MEMORY(L2_UPDATE_MISS);
	OF_MEMORY(L2_WRITEBACK);
	OF_MEMORY(LL_READ);
	OF_MEMORY(LL_PREFETCH_MISS);
	OF_MEMORY(LL_WRITEBACK);
	OF_MEMORY(BUS_READ);
	OF_MEMORY(BUS_PREFETCH);
	OF_MEMORY(UNCACHED_FETCH);
	OF_MEMORY(UNCACHED_WRITE);
	OF_MEMORY(SNOOP_INVALIDATE);
	OF_MEMORY(SNOOP_WRITEBACK);
#undef OF_MEMORY
#define SAME(first, model, NAME) is(EVENT_##NAME - EVENT_##first, model##_##NAME)
	SAME(WAIT_LOAD, COST, WAIT_INT);
	SAME(WAIT_LOAD, COST, WAIT_FP);
	SAME(WAIT_LOAD, COST, WAIT_UNIT);
	SAME(WAIT_LOAD, COST, WAIT_SERIAL);
	SAME(WAIT_LOAD, COST, WAIT_BRANCH);
	SAME(WAIT_LOAD, COST, WAIT_FETCH);
	SAME(WAIT_LOAD, COST, WAIT_UNCACHED_FETCH);
	SAME(WAIT_LOAD, COST, WAIT_ITLB);
	SAME(WAIT_LOAD, COST, WAIT_READ);
	SAME(WAIT_LOAD, COST, WAIT_WRITE);
	SAME(WAIT_LOAD, COST, WAIT_UNCACHED_READ);
	SAME(WAIT_LOAD, COST, WAIT_UNCACHED_WRITE);
	SAME(WAIT_LOAD, COST, WAIT_VECTOR);
	is(EVENT_WAIT_VECTOR - EVENT_WAIT_LOAD + 1, COST_STALLS);
#undef SAME
}

/* The descriptions */

/* The extensions that differ between the CPUs. */
static const struct {
	const char *added, *lacking;
} differences[] = {
	/* ax45mp, c908, c910, max, p550, rocket, rva23, u74, x100, x60 */
	{ " smcntrpmf sscofpmf", " xandesperf xandespmu" },
	{ " smcntrpmf sscofpmf", "" },
	{ " smcntrpmf sscofpmf", "" },
	{ "", "" },
	{ " smcntrpmf", " h" },
	{ "", "" },
	{ " smcntrpmf", " h zama16b zfbfmin zvfbfmin zvfbfwma" },
	{ "", "" },
	{ " smcntrpmf", " h zfbfmin zvfbfmin zvfbfwma smaia ssaia xsmtvdot" },
	{ " smcntrpmf", " xsmtvdot" },
};

/* Each after a space; all are among the extensions of the machine. */
static const char *added_names(const struct cpu *cpu, char to[64])
{
	char *end = to;

	*to = 0;
	for (unsigned ext = 0; cpu_isa_name(ext); ext++) {
		if (!isa_set_has(&cpu->isa_added, ext))
			continue;
		end += sprintf(end, " %.20s", cpu_isa_name(ext));
		ok(isa_set_has(&cpu->isa, ext));
	}
	return to;
}

static void all_are_sound(void)
{
	char names[64];

	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		struct cpu *cpu = load(cpus[n]);

		tap_context("%s", cpus[n]);
		is(cpu->notes.nr, 0);
		is_str(cpu->lacking ? cpu->lacking : "", differences[n].lacking);
		is_str(added_names(cpu, names), differences[n].added);
		ok(cpu->model[0]);
		for (unsigned i = 0; i < cpu->pmu.nr; i++) {
			ok(cpu->pmu.selector[i].label[0]);
			ok(!i || cpu->pmu.selector[i].value > cpu->pmu.selector[i - 1].value);
			ok(selector_counters(&cpu->pmu, UINT_MAX, cpu->pmu.selector[i].value));
		}
		cpu_free(cpu);
	}
}

/* The table of an AE350 board (an AX45MP) in OpenSBI's docs/pmu_support.md, row by row. */
static const struct {
	uint64_t value;
	const char *label;
	unsigned nr;
	uint8_t events[4];
} ax45mp_rows[] = {
	{ 0x30, "Integer load instruction count", 1, { EVENT_INT_LOAD } },
	{ 0x40, "Integer store instruction count", 1, { EVENT_INT_STORE } },
	{ 0x50, "Atomic instruction count", 3, { EVENT_AMO, EVENT_LR, EVENT_SC } },
	{ 0x60, "System instruction count", 2, { EVENT_CSR, EVENT_SYSTEM } },
	{ 0x70, "Integer computational instruction count", 1, { EVENT_ALU } },
	{ 0x80, "Conditional branch instruction count", 1, { EVENT_BRANCH } },
	{ 0x90, "Taken conditional branch instruction count", 1, { EVENT_TAKEN } },
	{ 0xa0, "JAL instruction count", 1, { EVENT_JAL } },
	{ 0xb0, "JALR instruction count", 1, { EVENT_INDIRECT } },
	{ 0xc0, "Return instruction count", 1, { EVENT_RETURN } },
	{ 0xd0, "Control transfer instruction count", 1, { EVENT_CONTROL } },
	{ 0xe0, "EXEC.IT instruction count", 0, { 0 } },
	{ 0xf0, "Integer multiplication instruction count", 1, { EVENT_MUL } },
	{ 0x100, "Integer division instruction count", 1, { EVENT_DIV } },
	{ 0x110, "Floating-point load instruction count", 1, { EVENT_FP_LOAD } },
	{ 0x120, "Floating-point store instruction count", 1, { EVENT_FP_STORE } },
	{ 0x130, "Floating-point addition instruction count", 1, { EVENT_FP_ADD } },
	{ 0x140, "Floating-point multiplication instruction count", 1, { EVENT_FP_MUL } },
	{ 0x150, "Floating-point fused multiply-add instruction count", 1, { EVENT_FP_FMA } },
	{ 0x160, "Floating-point division or square-root instruction count", 1, { EVENT_FP_DIV } },
	{ 0x170, "Other floating-point instruction count", 2, { EVENT_FP_CVT, EVENT_FP_MISC } },
	{ 0x180,
	  "Integer multiplication and add/sub instruction count",
	  2,
	  { EVENT_MUL, EVENT_INT_ADD } },
	{ 0x190, "Retired operation count", 1, { EVENT_INSTRUCTIONS } },
	{ 0x1, "ILM access", 0, { 0 } },
	{ 0x11, "DLM access", 0, { 0 } },
	{ 0x21, "I-Cache access", 1, { EVENT_L1I_READ } },
	{ 0x31, "I-Cache miss", 1, { EVENT_L1I_READ_MISS } },
	{ 0x41, "D-Cache access", 2, { EVENT_L1D_READ, EVENT_L1D_WRITE } },
	{ 0x51, "D-Cache miss", 2, { EVENT_L1D_READ_MISS, EVENT_L1D_WRITE_MISS } },
	{ 0x61, "D-Cache load access", 1, { EVENT_L1D_READ } },
	{ 0x71, "D-Cache load miss", 1, { EVENT_L1D_READ_MISS } },
	{ 0x81, "D-Cache store access", 1, { EVENT_L1D_WRITE } },
	{ 0x91, "D-Cache store miss", 1, { EVENT_L1D_WRITE_MISS } },
	{ 0xa1, "D-Cache writeback", 1, { EVENT_L1D_WRITEBACK } },
	{ 0xb1, "Cycles waiting for I-Cache fill data", 1, { EVENT_WAIT_FETCH } },
	{ 0xc1, "Cycles waiting for D-Cache fill data", 2, { EVENT_WAIT_READ, EVENT_WAIT_WRITE } },
	{ 0xd1, "Uncached fetch data access from bus", 1, { EVENT_UNCACHED_FETCH } },
	{ 0xe1, "Uncached load data access from bus", 1, { EVENT_UNCACHED_READ } },
	{ 0xf1,
	  "Cycles waiting for uncached fetch data from bus",
	  1,
	  { EVENT_WAIT_UNCACHED_FETCH } },
	{ 0x101,
	  "Cycles waiting for uncached load data from bus",
	  1,
	  { EVENT_WAIT_UNCACHED_READ } },
	{ 0x111, "Main ITLB access", 1, { EVENT_ITLB } },
	{ 0x121, "Main ITLB miss", 1, { EVENT_ITLB_MISS } },
	{ 0x131, "Main DTLB access", 2, { EVENT_DTLB_READ, EVENT_DTLB_WRITE } },
	{ 0x141, "Main DTLB miss", 2, { EVENT_DTLB_READ_MISS, EVENT_DTLB_WRITE_MISS } },
	{ 0x151, "Cycles waiting for Main ITLB fill data", 1, { EVENT_WAIT_ITLB } },
	{ 0x161, "Pipeline stall cycles caused by Main DTLB miss", 1, { EVENT_WAIT_DTLB } },
	{ 0x171, "Hardware prefetch bus access", 1, { EVENT_BUS_PREFETCH } },
	{ 0x181,
	  "Cycles waiting for source operand ready in the integer register file scoreboard",
	  2,
	  { EVENT_WAIT_LOAD, EVENT_WAIT_INT } },
	{ 0x2, "Misprediction of conditional branches", 1, { EVENT_BAD_DIRECTION } },
	{ 0x12, "Misprediction of taken conditional branches", 1, { EVENT_BAD_TAKEN } },
	{ 0x22, "Misprediction of targets of Return instructions", 1, { EVENT_BAD_RETURN } },
};

static void ax45mp_is_the_reference(void)
{
	static const struct {
		uint32_t eidx;
		uint64_t value;
	} general[] = {
		{ 0x3, 0x41 },
		{ 0x4, 0x51 },
		{ 0x10000, 0x61 },
		{ 0x10001, 0x71 },
		{ 0x10002, 0x81 },
		{ 0x10003, 0x91 },
		{ 0x10008, 0x21 },
		{ 0x10009, 0x31 },
		/* not in the board's table: added so that cycles and instructions can be sampled */
		{ 0x1, 0x10 },
		{ 0x2, 0x20 },
	};
	struct cpu *cpu = load("ax45mp");

	is(cpu->pmu.counters, 0x78);
	is(cpu->pmu.nr, TAP_NR(ax45mp_rows) + 2);
	is(cpu->pmu.eidx_nr, TAP_NR(general));
	for (unsigned n = 0; n < TAP_NR(ax45mp_rows); n++) {
		const struct selector *s = selector_row(&cpu->pmu, ax45mp_rows[n].value);
		struct event_set set = set_of(ax45mp_rows[n].nr, ax45mp_rows[n].events);

		tap_context("selector %x", (unsigned)ax45mp_rows[n].value);
		ok(s);
		if (!s)
			continue;
		is_str(s->label, ax45mp_rows[n].label);
		ok(!memcmp(&s->set, &set, sizeof(set)));
		is(selector_counters(&cpu->pmu, UINT_MAX, s->value), 0x78);
	}
	for (unsigned n = 0; n < TAP_NR(general); n++) {
		unsigned i = 0;

		tap_context("event %x", general[n].eidx);
		while (i < cpu->pmu.eidx_nr && cpu->pmu.eidx[i].eidx != general[n].eidx)
			i++;
		ok(i < cpu->pmu.eidx_nr);
		is(cpu->pmu.eidx[i].value, general[n].value);
	}
	cpu_free(cpu);
}

/* perf's mapfile finds a vendor's events by these ids, and each event in it has a selector. */
static void perf_knows_them(void)
{
	static const struct {
		const char *name;
		uint64_t mvendorid, marchid, mimpid;
	} ids[] = {
		{ "ax45mp", 0x31e, 0x8000000000008a45, 0 },
		{ "u74", 0x489, 0x8000000000000007, 0x4210427 },
		{ "c910", 0x5b7, 0, 0 },
		{ "p550", 0x489, 0x8000000000000008, 0x6220425 },
		{ "x100", 0x710, 0x8000000058000002, 0x33d8a600 },
	};

	for (unsigned n = 0; n < TAP_NR(ids); n++) {
		struct cpu *cpu = load(ids[n].name);

		tap_context("%s", ids[n].name);
		is(cpu->mvendorid, ids[n].mvendorid);
		is(cpu->marchid, ids[n].marchid);
		is(cpu->mimpid, ids[n].mimpid);
		for (uint64_t v = 1; n == 2 && v <= 0x2a; v++)
			ok(selector_counters(&cpu->pmu, UINT_MAX, v));
		for (unsigned class = 0; n % 2 && class < 3; class ++) {
			/* The tree of the EIC7700 has no interlocks in class 1. */
			static const unsigned last[2][3] = { { 25, 18, 13 }, { 25, 16, 13 } };
			unsigned first = n == 3 && class == 1 ? 11 : 8;

			for (unsigned bit = 8; bit < 32; bit++)
				is(selector_counters(&cpu->pmu, UINT_MAX, 1ull << bit | class),
				   bit < first || bit > last[n == 3][class] ? 0
				   : n == 3				    ? 0x78
									    : 0x18);
		}
		cpu_free(cpu);
	}
}

/* The board with a size and without the number of sets. */
static struct cpu *board_of(const char *size, const char *sets, uint32_t value)
{
	struct error_text why = { "" };
	size_t len;
	char *blob = blob_of("board", &len);
	struct cpu *cpu;
	int node;

	is(fdt_open_into(blob, blob, ROOM), 0);
	node = fdt_path_offset(blob, "/cpus/cpu@1");
	is(fdt_setprop_u32(blob, node, size, value), 0);
	fdt_delprop(blob, fdt_path_offset(blob, "/cpus/cpu@1"), sets);
	cpu = cpu_read(blob, ROOM, "a.dtb", NULL, 0, &why);
	free(blob);
	return cpu;
}

/* Linux's property has the bytes of a vector register; Holter's own, the bits, goes first. */
static void vlen_in_bytes(void)
{
	static const struct {
		uint32_t vlenb, vlen, is;
	} rows[] = { { 16, 0, 128 }, { 32, 0, 256 }, { 128, 0, 1024 }, { 16, 512, 512 } };

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct error_text why = { "" };
		size_t len;
		char *blob = blob_of("c910", &len);
		struct cpu *cpu;
		int node;

		is(fdt_open_into(blob, blob, ROOM), 0);
		node = fdt_path_offset(blob, "/cpus/cpu@0");
		is(fdt_setprop_u32(blob, node, "thead,vlenb", rows[n].vlenb), 0);
		node = fdt_path_offset(blob, "/cpus/cpu@0");
		if (rows[n].vlen)
			is(fdt_setprop_u32(blob, node, "holter,vlen", rows[n].vlen), 0);
		else
			is(fdt_delprop(blob, node, "holter,vlen"), 0);
		cpu = cpu_read(blob, ROOM, "a.dtb", NULL, 0, &why);
		tap_context("thead,vlenb %u, holter,vlen %u", rows[n].vlenb, rows[n].vlen);
		is_str(why.text, "");
		if (cpu) {
			is(cpu->vlen, rows[n].is);
			cpu_free(cpu);
		}
		free(blob);
	}
}

/* A board may say 0, which is not a frequency. */
static void board_clocks(void)
{
	static const uint32_t says[] = { 0, 1850000000 };

	for (unsigned n = 0; n < TAP_NR(says); n++) {
		struct cpu *cpu = board_of("clock-frequency", "none", says[n]);
		bool noted = false;

		tap_context("%u", says[n]);
		is(cpu->hz, says[n] ? says[n] : CPU_HZ);
		for (unsigned i = 0; i < cpu->notes.nr; i++)
			noted |= !strcmp(cpu->notes.at[i],
					 "/cpus/cpu@1: clock-frequency is 0: 1000000000");
		is(noted, !says[n]);
		cpu_free(cpu);
	}
}

/*
 * A board: the machine has what it describes, defaults for the rest, and a note for each default.
 */
static void boards_work(void)
{
	static const char *const notes[] = {
		"/cpus/cpu@1: no holter,mvendorid: 0",
		"/cpus/cpu@1: no holter,marchid: 0",
		"/cpus/cpu@1: no holter,mimpid: 0",
		"/cpus/cpu@1: left out: extension v; vectors need holter,vlen, the bits of a "
		"register",
		"/cpus/cpu@1: no clock-frequency: 1000000000",
		"/cpus/l2-cache: no holter,cycles: 20",
		"/cpus/cpu@1: no memory latencies: 100 ns; snoop 20 cycles, uncached 40",
		"/cpus/cpu@1: no i-tlb-size: 32",
		"/cpus/cpu@1: no i-tlb-sets: 1",
		"/cpus/cpu@1: no d-tlb-size: 32",
		"/cpus/cpu@1: no d-tlb-sets: 1",
		"/cpus/cpu@1: no predictor: gshare of 4096, 256 BTB entries, 8 returns",
		"/cpus/cpu@1: no pipeline: one instruction a cycle, 4 for a misprediction",
		"/pmu: left out: branch-misses, its selector counts branch-instructions",
		"/pmu: left out: 2 raw events, whose meaning is not said",
		"/pmu: no counter width: 64 bits",
	};
	struct cpu *cpu = load("board");
	const struct cpu_models *m = cpu->models;

	is(cpu->notes.nr, TAP_NR(notes));
	for (unsigned n = 0; n < TAP_NR(notes) && n < cpu->notes.nr; n++)
		is_str(cpu->notes.at[n], notes[n]);
	is_str(cpu->compatible, "vendor,core");
	is(m->hierarchy.l1i.ways, 2);
	is(m->hierarchy.l1d.sets, 512);
	is(m->hierarchy.ll.ways, 16);
	is(m->hierarchy.l2.sets, 0);
	is(m->tlb.part[TLB_SECOND].sets, 256);
	is(m->tlb.part[TLB_SECOND].ways, 4);
	is(cpu->pmu.counters, 0x7fff8);
	is(selector_counters(&cpu->pmu, UINT_MAX, 0x07), 0x18);
	is(selector_counters(&cpu->pmu, UINT_MAX, 0x03), 0x10);
	is(selector_counters(&cpu->pmu, UINT_MAX, 0x0f), 0x7fff8);
	is(selector_counters(&cpu->pmu, UINT_MAX, 0x14), 0);
	is(cpu->pmu.eidx_nr, 7);
	cpu_free(cpu);
}

/* A CPU with caches of L1 only: L1D is the last level of its data. */
static void l1_alone(void)
{
	for (unsigned every = 0; every < 2; every++) {
		struct error_text why = { "" };
		struct event_set set;
		struct cpu *cpu;
		size_t len;
		char *blob = blob_of("board", &len);

		is(fdt_open_into(blob, blob, ROOM), 0);
		is(fdt_delprop(blob, fdt_path_offset(blob, "/cpus/cpu@1"), "next-level-cache"), 0);
		if (every)
			is(fdt_del_node(blob, fdt_path_offset(blob, "/pmu")), 0);
		cpu = cpu_read(blob, ROOM, "a.dtb", NULL, 0, &why);
		tap_context("%s", every ? "every event" : "a board's table");
		ok(cpu);
		for (unsigned misses = 0; cpu && misses < 2; misses++) {
			uint64_t selector = every ? 3 + misses : 1 + misses;

			ok(selector_events(&cpu->pmu, UINT_MAX, 4, selector, &set));
			is(event_set_next(&set, 0), misses ? EVENT_L1D_READ_MISS : EVENT_L1D_READ);
			ok(event_set_has(&set, misses ? EVENT_L1D_WRITE_MISS : EVENT_L1D_WRITE));
		}
		ok(cpu && !selector_events(&cpu->pmu, UINT_MAX, 4, 0x10010, &set));
		if (cpu)
			cpu_free(cpu);
		free(blob);
	}
}

/* A board that gives sizes alone: the reader chooses sets that fit. */
static void sizes_alone(void)
{
	static const struct {
		uint32_t size, sets, ways;
	} caches[] = { { 32768, 128, 4 }, { 4096, 64, 1 },	{ 64, 1, 1 },
		       { 49152, 128, 6 }, { 1 << 20, 256, 64 }, { 96, 1, 0 } },
	  tlbs[] = { { 10, 1, 10 }, { 64, 1, 64 }, { 512, 8, 64 }, { 65, 2, 0 } };

	for (unsigned n = 0; n < TAP_NR(caches); n++) {
		struct cpu *cpu = board_of("i-cache-size", "i-cache-sets", caches[n].size);

		tap_context("a cache of %u", caches[n].size);
		is(!cpu, !caches[n].ways);
		if (!cpu)
			continue;
		is(cpu->models->hierarchy.l1i.sets, caches[n].sets);
		is(cpu->models->hierarchy.l1i.ways, caches[n].ways);
		cpu_free(cpu);
	}
	for (unsigned n = 0; n < TAP_NR(tlbs); n++) {
		struct cpu *cpu = board_of("d-tlb-size", "d-tlb-sets", tlbs[n].size);

		tap_context("a TLB of %u", tlbs[n].size);
		is(!cpu, !tlbs[n].ways);
		if (!cpu)
			continue;
		is(cpu->models->tlb.part[TLB_D].sets, tlbs[n].sets);
		is(cpu->models->tlb.part[TLB_D].ways, tlbs[n].ways);
		cpu_free(cpu);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "event.def is one list", events_are_one_list },
		{ "an event has the same selector as its name in the SBI", selectors_agree },
		{ "the models' answers are events, in their order", models_have_their_events },
		{ "every description is valid and uses no default", all_are_sound },
		{ "ax45mp.dts is the table of the reference, row by row", ax45mp_is_the_reference },
		{ "perf recognises the cores, and its events have selectors", perf_knows_them },
		{ "a board's tree works, with notes", boards_work },
		{ "a board's clock", board_clocks },
		{ "the bytes of a vector register", vlen_in_bytes },
		{ "a CPU with L1 caches only", l1_alone },
		{ "a board's sizes fit without its sets", sizes_alone },
	};

	cpu_folder = argc > 1 ? argv[1] : ".";
	return tap_run(cases, TAP_NR(cases));
}
