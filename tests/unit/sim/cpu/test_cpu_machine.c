// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cpu_machine.c - a machine made from a CPU description does what its device tree says.
 *
 * usage: test_sim_cpu_machine FOLDER      with the compiled descriptions
 */
#include <libfdt.h>

#include "cpu_rig.h"
#include "csr.h"
#include "machine_fdt.h"

/*
 * Compares the tables of the guest's pmu node with what the counters store; its caches and
 * identity.
 */
static void check_rows(struct machine *m, const void *fdt, const char *property, unsigned cells)
{
	int len = 0, pmu = fdt_path_offset(fdt, "/pmu");
	const fdt32_t *p = fdt_getprop(fdt, pmu, property, &len);

	ok(p && len > 0 && len % (cells * 4) == 0);
	for (int n = 0; p && n < len / (int)(cells * 4); n++, p += cells) {
		unsigned at = cells == 5 ? 0 : 1;
		uint64_t value = (uint64_t)fdt32_ld(p + at) << 32 | fdt32_ld(p + at + 1);

		for (unsigned ctr = 3; ctr < 32; ctr++) {
			csr_write(m->cl.hart[0], CSR_MHPMEVENT + ctr, value);
			if (cells == 5)
				is(rig_csr(m, CSR_MHPMEVENT + ctr),
				   fdt32_ld(p + 4) >> ctr & 1 ? value : 0);
		}
	}
}

/*
 * Compares the names that the pmu node gives to selectors with what the selectors count: every one
 * that counts one event, and only the first one for an event.
 */
static void check_names(const struct machine *m, const void *fdt)
{
	const struct pmu_table *t = &m->cl.pmu;
	int pmu = fdt_path_offset(fdt, "/pmu"), len = 0;
	int nr = fdt_stringlist_count(fdt, pmu, "holter,event-names");
	const fdt64_t *value = fdt_getprop(fdt, pmu, "holter,event-selectors", &len);
	struct event_set named = { 0 }, single = { 0 }, set;

	ok(nr > 0 && value);
	is(len, nr * 8);
	for (int n = 0; value && n < nr; n++) {
		const char *name = fdt_stringlist_get(fdt, pmu, "holter,event-names", n, NULL);
		uint32_t counters = selector_counters(t, m->cl.models, fdt64_ld(value + n));
		enum event e = event_find(name);

		tap_context("%s", name);
		ok(e != EVENT_NONE && !event_set_has(&named, e) && counters);
		selector_events(t, m->cl.models, __builtin_ctz(counters), fdt64_ld(value + n),
				&set);
		event_set_add(&named, e);
		ok(event_set_next(&set, 0) == e && event_set_next(&set, e + 1) == EVENT_NONE);
	}
	for (unsigned n = 0; n < t->nr; n++) {
		unsigned e = event_set_next(&t->selector[n].set, 0);

		if (e != EVENT_NONE && event_set_next(&t->selector[n].set, e + 1) == EVENT_NONE &&
		    selector_counters(t, m->cl.models, t->selector[n].value))
			event_set_add(&single, e);
	}
	is(memcmp(&single, &named, sizeof(single)), 0);
}

/* The selector with a name in the guest's device tree; 0: none. */
static uint64_t named(const void *fdt, const char *name)
{
	int pmu = fdt_path_offset(fdt, "/pmu");
	int n = fdt_stringlist_search(fdt, pmu, "holter,event-names", name);
	const fdt64_t *value = fdt_getprop(fdt, pmu, "holter,event-selectors", NULL);

	return n < 0 ? 0 : fdt64_ld(value + n);
}

/* Kilobytes, the clock, and whether the tree claims that sampling works. */
static const struct {
	const char *name;
	unsigned l1d, last, mhz;
	bool sscofpmf;
} shapes[] = {
	{ "ax45mp", 32, 2048, 1000, true }, { "c908", 32, 256, 1600, true },
	{ "c910", 64, 1024, 1850, true },   { "max", 32, 2048, 1000, true },
	{ "p550", 32, 4096, 1400, true },   { "rocket", 16, 512, 1000, false },
	{ "rva23", 32, 2048, 1000, true },  { "u74", 32, 2048, 1500, false },
	{ "x100", 64, 4096, 2400, true },   { "x60", 32, 512, 1600, true },
};

static uint32_t cell(const void *fdt, int node, const char *property)
{
	const fdt32_t *p = fdt_getprop(fdt, node, property, NULL);

	return p ? fdt32_ld(p) : 0;
}

/* The size of the last cache on the path from a hart's node. */
static uint32_t last_cache(const void *fdt, int node)
{
	uint32_t phandle;

	while ((phandle = cell(fdt, node, "next-level-cache")))
		node = fdt_node_offset_by_phandle(fdt, phandle);
	return cell(fdt, node, "cache-size");
}

/*
 * satp stores the modes that the CPU has; writing another mode changes nothing (Priv 1.13
 * §12.1.11).
 */
static void takes_modes(struct machine *m, enum cpu_mmu mmu)
{
	for (unsigned mode = 1; mode < 16; mode++) {
		bool has = (mode == 8 && mmu >= CPU_MMU_SV39) ||
			   (mode == 9 && mmu >= CPU_MMU_SV48) ||
			   (mode == 10 && mmu == CPU_MMU_SV57);

		csr_write(m->cl.hart[0], CSR_SATP, (uint64_t)mode << 60);
		is(rig_csr(m, CSR_SATP) >> 60, has ? mode : 0);
		csr_write(m->cl.hart[0], CSR_SATP, 0);
	}
}

/* A tree like a K210's: satp is always Bare. */
static void without_mmu(void)
{
	struct error_text why = { "" };
	size_t size;
	char *blob = blob_of("u74", &size);
	struct boot_words words = { 0 };
	struct machine_options o = { 0 };
	struct machine *m;
	struct cpu *cpu;

	is(fdt_open_into(blob, blob, ROOM), 0);
	is(fdt_setprop_string(blob, fdt_path_offset(blob, "/cpus/cpu@0"), "mmu-type", "riscv,none"),
	   0);
	cpu = cpu_read(blob, ROOM, "a.dtb", NULL, 0, &why);
	is_str(why.text, "");
	o.cpu = cpu;
	m = rig_create(&o);
	is(cpu->mmu, CPU_MMU_NONE);
	takes_modes(m, CPU_MMU_NONE);
	is(machine_fdt(m, &words, blob, ROOM), 0);
	is_str(fdt_getprop(blob, fdt_path_offset(blob, "/cpus/cpu@0"), "mmu-type", NULL),
	       "riscv,none");
	machine_destroy(m);
	cpu_free(cpu);
	free(blob);
}

static void guest_sees_it(void)
{
	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		struct cpu *cpu = load(cpus[n]);
		struct machine_options o = {
			.cpu = cpu, .harts = 2, .counters = MACHINE_AS_CPU, .width = MACHINE_AS_CPU
		};
		struct machine *m = rig_create(&o);
		struct boot_words words = { 0 };
		char *fdt = malloc(ROOM);
		int cpu1;

		tap_context("%s", cpus[n]);
		m->cl.models = m->cl.known_models = UINT_MAX;
		is(machine_fdt(m, &words, fdt, ROOM), 0);
		is(fdt_check_full(fdt, ROOM), 0);
		is(rig_csr(m, CSR_MVENDORID), cpu->mvendorid);
		is(rig_csr(m, CSR_MARCHID), cpu->marchid);
		is(rig_csr(m, CSR_MIMPID), cpu->mimpid);
		takes_modes(m, cpu->mmu);
		check_rows(m, fdt, "riscv,event-to-mhpmevent", 3);
		check_rows(m, fdt, "riscv,raw-event-to-mhpmcounters", 5);
		check_names(m, fdt);
		tap_context("%s", cpus[n]);
		cpu1 = fdt_path_offset(fdt, "/cpus/cpu@1");
		is_str(shapes[n].name, cpus[n]);
		is(cell(fdt, cpu1, "d-cache-size"), shapes[n].l1d * 1024);
		is(cell(fdt, cpu1, "clock-frequency"), shapes[n].mhz * 1000000);
		is(last_cache(fdt, cpu1), shapes[n].last * 1024);
		ok(cell(fdt, cpu1, "i-tlb-size"));
		is(!fdt_node_check_compatible(fdt, cpu1, cpu->compatible), 1);
		is(fdt_stringlist_search(fdt, cpu1, "riscv,isa-extensions", "sscofpmf") >= 0,
		   shapes[n].sscofpmf);
		free(fdt);
		machine_destroy(m);
		cpu_free(cpu);
	}
}

/* Each CPU has its own selector of an event, and none of an event whose model is off. */
static void selectors_have_names(void)
{
	static const struct {
		const char *cpu;
		uint64_t int_loads, fetch_misses;
	} of[] = { { "max", 0x106, 0x201 }, { "u74", 0x200, 0x102 }, { "ax45mp", 0x30, 0x31 } };

	for (unsigned n = 0; n < TAP_NR(of); n++) {
		struct cpu *cpu = load(of[n].cpu);
		struct machine_options o = { .cpu = cpu,
					     .counters = MACHINE_AS_CPU,
					     .width = MACHINE_AS_CPU };
		struct machine *m = rig_create(&o);
		struct boot_words words = { 0 };
		char *fdt = malloc(ROOM);

		tap_context("%s", of[n].cpu);
		m->cl.models = m->cl.known_models = MODEL_MEMORY;
		is(machine_fdt(m, &words, fdt, ROOM), 0);
		is(named(fdt, "int-loads"), of[n].int_loads);
		is(named(fdt, "l1i-fetch-misses"), of[n].fetch_misses);
		m->cl.models = m->cl.known_models = 0;
		is(machine_fdt(m, &words, fdt, ROOM), 0);
		is(named(fdt, "int-loads"), of[n].int_loads);
		is(named(fdt, "l1i-fetch-misses"), 0);
		is(named(fdt, "branch-misses"), 0); /* a sum */
		free(fdt);
		machine_destroy(m);
		cpu_free(cpu);
	}
}

/*
 * T-Head's own registers exist with the identity by which Linux recognizes them, and only there;
 * cache instructions also on the CPU that names them.
 */
static void thead_registers(void)
{
	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		struct cpu *cpu = load(cpus[n]);
		struct machine_options o = { .cpu = cpu };
		struct machine *m = rig_create(&o);
		bool thead = !strcmp(cpus[n], "c910"), cmo = thead || !strcmp(cpus[n], "c908");
		uint64_t value = 1;

		tap_context("%s", cpus[n]);
		is(csr_read(m->cl.hart[0], 0x5c0, false, &value), thead);
		is(value, !thead);
		csr_write(m->cl.hart[0], CSR_MHPMEVENT + 4, MHPMEVENT_OF);
		is(csr_read(m->cl.hart[0], 0x5c5, false, &value), thead);
		is(value, thead ? 1 << 4 : 1);
		/* th.dcache.cipa a0, th.sync.s; then one that does not exist */
		RIG_CODE(m, RAM_BASE, 0x02b5000b, 0x0190000b, 0xfe00100b, END);
		rig_end_at_traps(m, RAM_BASE + 0x100);
		rig_run(m, 100);
		is(rig_csr(m, CSR_MEPC), RAM_BASE + (cmo ? 8 : 0));
		is(rig_csr(m, CSR_MCAUSE), CAUSE_ILLEGAL_INSN);
		machine_destroy(m);
		cpu_free(cpu);
	}
}

static void options_override(void)
{
	struct cpu *cpu = load("u74");
	struct machine_options o = { .cpu = cpu, .counters = 5, .width = 33 };
	struct machine *m = rig_create(&o);

	csr_write(m->cl.hart[0], CSR_MHPMEVENT + 7, 0x200);
	is(rig_csr(m, CSR_MHPMEVENT + 7), 0x200);
	csr_write(m->cl.hart[0], CSR_MHPMCOUNTER + 7, UINT64_MAX);
	is(rig_csr(m, CSR_MHPMCOUNTER + 7), (1ull << 33) - 1);
	csr_write(m->cl.hart[0], CSR_MHPMEVENT + 8, 0x200);
	is(rig_csr(m, CSR_MHPMEVENT + 8), 0);
	machine_destroy(m);
	cpu_free(cpu);
}

/*
 * The misses of L1D when a walk goes many times over more lines of some sets than they have ways.
 */
static uint64_t thrash(struct machine *m)
{
	const struct cache_config *l1d = &m->o.cpu->models->hierarchy.l1d;
	uint32_t way = l1d->sets * l1d->line;

	RIG_CODE(m, CODE, addi(A1, ZERO, 200), addi(A2, S1, 0), addi(A3, A5, 0), ld(T1, 0, A2),
		 add(A2, A2, A4), addi(A3, A3, -1), bnez(A3, -12), addi(A1, A1, -1), bnez(A1, -28),
		 END);
	m->cl.hart[0]->x[S1] = RAM_BASE + 0x800000;
	m->cl.hart[0]->x[A4] = way;
	m->cl.hart[0]->x[A5] = l1d->ways + 1;
	restart(m);
	return total(m, EVENT_L1D_READ_MISS);
}

/*
 * A Rocket, whose L1D replaces at random, with another seed of the machine or of its description.
 */
static uint64_t misses_with(uint64_t machine_seed, uint32_t random_seed)
{
	struct error_text why = { "" };
	size_t size;
	char *blob = blob_of("rocket", &size);
	struct machine_options o = { .models = true,
				     .memory = RIG_MEMORY,
				     .seed = machine_seed,
				     .counters = MACHINE_AS_CPU,
				     .width = MACHINE_AS_CPU };
	struct machine *m;
	struct cpu *cpu;
	uint64_t misses;

	is(fdt_open_into(blob, blob, ROOM), 0);
	if (random_seed)
		is(fdt_setprop_u32(blob, fdt_path_offset(blob, "/cpus/cpu@0"), "holter,random-seed",
				   random_seed),
		   0);
	cpu = cpu_read(blob, ROOM, "a.dtb", NULL, 0, &why);
	is_str(why.text, "");
	o.cpu = cpu;
	m = rig_create(&o);
	misses = thrash(m);
	machine_destroy(m);
	cpu_free(cpu);
	free(blob);
	return misses;
}

static void random_replacement_is_seeded(void)
{
	uint64_t misses = misses_with(1, 0);

	ok(misses > 9 && misses < 9 * 200);
	is(misses_with(1, 0), misses);
	ok(misses_with(2, 0) != misses);
	ok(misses_with(3, 0) != misses_with(2, 0));
	ok(misses_with(1, 5) != misses);
	/* the machine's seeds start at 1, which does not change the description's */
	is(misses_with(1, 5), misses_with(6, 0));
}

/* Of the address sanitizer. */
size_t __sanitizer_get_current_allocated_bytes(void);

/* The host memory that eight harts need beside RAM is bounded. */
static void check_overhead(struct machine_options o, uint64_t bound)
{
	size_t before = __sanitizer_get_current_allocated_bytes();
	struct machine *m;

	o.harts = HARTS_MAX;
	m = rig_create(&o);
	ok(__sanitizer_get_current_allocated_bytes() - before <= bound);
	machine_destroy(m);
}

static void overhead_is_bounded(void)
{
	static const struct {
		uint64_t memory, bound;
	} rows[] = { { 8ull << 20, 16ull << 20 },
		     { 512ull << 20, 64ull << 20 },
		     { 4ull << 30, 64ull << 20 } };

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		tap_context("%llu MiB", (unsigned long long)rows[n].memory >> 20);
		check_overhead((struct machine_options){ .memory = rows[n].memory }, rows[n].bound);
	}
	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		struct cpu *cpu = load(cpus[n]);

		tap_context("%s", cpus[n]);
		check_overhead((struct machine_options){ .cpu = cpu,
							 .models = true,
							 .memory = 512ull << 20 },
			       64ull << 20);
		cpu_free(cpu);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "the guest's device tree says what the counters do", guest_sees_it },
		{ "each CPU's selectors have names in it", selectors_have_names },
		{ "a CPU without an MMU", without_mmu },
		{ "T-Head's registers and instructions", thead_registers },
		{ "--counters and --width override", options_override },
		{ "random replacement depends on both seeds", random_replacement_is_seeded },
		{ "host memory beside RAM", overhead_is_bounded },
	};

	cpu_folder = argc > 1 ? argv[1] : ".";
	return tap_run(cases, TAP_NR(cases));
}
