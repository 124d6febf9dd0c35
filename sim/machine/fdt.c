// SPDX-License-Identifier: BSD-2-Clause
/*
 * fdt.c - writes the machine's own device tree from struct machine (machine_fdt.h).
 *
 * Each device adds its own node.
 *
 * Implements: devicetree specification 0.4; of the Linux bindings riscv/cpus.yaml,
 * riscv/extensions.yaml and perf/riscv,pmu.yaml.
 */
#include <libfdt.h>
#include <rv/pmu_event.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "machine_fdt.h"

#define PHANDLE_INTC  1 /* + hart */
#define PHANDLE_CPU   32 /* + hart */
#define PHANDLE_PLIC  64
#define PHANDLE_CACHE 128 /* and on */

#define ALL_BITS 0xffffffffu

/* A tree that is being written.  error keeps the first error; after it, calls do nothing. */
struct tree {
	void *fdt;
	int error;
};

static int node(struct tree *t, int parent, const char *name)
{
	int offset;

	if (t->error)
		return 0;
	offset = fdt_add_subnode(t->fdt, parent, name);
	if (offset < 0) {
		t->error = offset;
		return 0;
	}
	return offset;
}

static void check(struct tree *t, int error)
{
	if (!t->error)
		t->error = error;
}

static void words(struct tree *t, int at, const char *name, const uint32_t *value, unsigned nr)
{
	fdt32_t cell[SELECTOR_MAX * 5];

	if (t->error)
		return;
	for (unsigned n = 0; n < nr; n++)
		cell[n] = cpu_to_fdt32(value[n]);
	check(t, fdt_setprop(t->fdt, at, name, cell, nr * 4));
}

static void word(struct tree *t, int at, const char *name, uint32_t value)
{
	words(t, at, name, &value, 1);
}

static void text(struct tree *t, int at, const char *name, const char *value)
{
	if (!t->error)
		check(t, fdt_setprop_string(t->fdt, at, name, value));
}

static void bytes(struct tree *t, int at, const char *name, const void *value, int size)
{
	if (!t->error)
		check(t, fdt_setprop(t->fdt, at, name, value, size));
}

static void cells(struct tree *t, int at, unsigned address, unsigned size)
{
	word(t, at, "#address-cells", address);
	word(t, at, "#size-cells", size);
}

/*
 * The extensions of a hart, twice: riscv,isa-extensions is a list of strings; riscv,isa is for
 * older software, as in rv64imafdc_zicbom_...
 */
static void add_isa(struct tree *t, int cpu, const struct isa_set *has)
{
	char list[ISA_EXT_NR * 16], isa[ISA_EXT_NR * 16] = "rv64", *end = list;
	const char *name;

	for (unsigned n = 0; (name = cpu_isa_name(n)); n++) {
		if (!isa_set_has(has, n))
			continue;
		strcat(isa, name[1] ? "_" : "");
		strcat(isa, name);
		end = stpcpy(end, name) + 1;
	}
	text(t, cpu, "riscv,isa", isa);
	text(t, cpu, "riscv,isa-base", "rv64i");
	bytes(t, cpu, "riscv,isa-extensions", list, end - list);
}

static void add_compatible(struct tree *t, int cpu, const struct cpu *c)
{
	char list[80];
	size_t len = 0;

	if (c && strcmp(c->compatible, "riscv"))
		len = stpcpy(list, c->compatible) - list + 1;
	strcpy(list + len, "riscv");
	bytes(t, cpu, "compatible", list, len + sizeof("riscv"));
}

/* One cell, or two if it needs them. */
static void add_clock(struct tree *t, int cpu, uint64_t hz)
{
	const uint32_t cells[] = { hz >> 32, (uint32_t)hz };

	words(t, cpu, "clock-frequency", cells + !cells[0], 1 + !!cells[0]);
}

static void add_cpu(struct tree *t, int cpus, const struct machine *m, unsigned id)
{
	char name[16];
	int cpu, intc;

	snprintf(name, sizeof(name), "cpu@%x", id);
	cpu = node(t, cpus, name);
	text(t, cpu, "device_type", "cpu");
	word(t, cpu, "reg", id);
	text(t, cpu, "status", "okay");
	add_compatible(t, cpu, m->o.cpu);
	add_clock(t, cpu, m->hz);
	add_isa(t, cpu, &m->cl.extensions);
	text(t, cpu, "mmu-type", cpu_mmu_type[m->cl.mmu]);
	if (cluster_has(&m->cl, ISA_EXT_ZICBOM))
		word(t, cpu, "riscv,cbom-block-size", 64);
	if (cluster_has(&m->cl, ISA_EXT_ZICBOP))
		word(t, cpu, "riscv,cbop-block-size", 64);
	if (cluster_has(&m->cl, ISA_EXT_ZICBOZ))
		word(t, cpu, "riscv,cboz-block-size", 64);
	if (cluster_has(&m->cl, ISA_EXT_XTHEADVECTOR))
		word(t, cpu, "thead,vlenb", m->cl.vector_bytes);
	word(t, cpu, "phandle", PHANDLE_CPU + id);
	intc = node(t, cpu, "interrupt-controller");
	text(t, intc, "compatible", "riscv,cpu-intc");
	word(t, intc, "#interrupt-cells", 1);
	bytes(t, intc, "interrupt-controller", NULL, 0);
	word(t, intc, "phandle", PHANDLE_INTC + id);
}

static void add_cpus(struct tree *t, const struct machine *m)
{
	int cpus = node(t, 0, "cpus");

	cells(t, cpus, 1, 0);
	word(t, cpus, "timebase-frequency", CLINT_HZ);
	/* libfdt adds a subnode in front of the others: begin with the last one. */
	for (unsigned n = m->cl.harts; n--;)
		add_cpu(t, cpus, m, n);
	if (m->o.cpu && !t->error)
		check(t, cpu_fdt(m->o.cpu, t->fdt, m->cl.harts, PHANDLE_CACHE));
}

/* A property that is built row by row.  A row that does not fit is an error of the tree. */
struct rows {
	uint32_t cell[SELECTOR_MAX * 5];
	unsigned nr;
};

static void add_row(struct tree *t, struct rows *r, const uint32_t *cell, unsigned nr)
{
	if (r->nr + nr > sizeof(r->cell) / sizeof(r->cell[0])) {
		check(t, -FDT_ERR_NOSPACE);
		return;
	}
	memcpy(r->cell + r->nr, cell, nr * 4);
	r->nr += nr;
}

/* Cycles and instructions can use their fixed counters, too. */
static uint32_t fixed_counter(uint32_t eidx)
{
	return eidx == SBI_PMU_HW_CPU_CYCLES	 ? 1 << COUNTER_CY
	       : eidx == SBI_PMU_HW_INSTRUCTIONS ? 1 << COUNTER_IR
						 : 0;
}

/* The events that the SBI PMU extension numbers: their selectors and their counters. */
static void add_general(struct tree *t, const struct machine *m, int pmu)
{
	struct rows select = { .nr = 0 }, map = { .nr = 0 };

	for (unsigned n = 0; n < m->cl.pmu.eidx_nr; n++) {
		const struct selector_eidx *e = &m->cl.pmu.eidx[n];
		uint32_t counters = selector_counters(&m->cl.pmu, m->cl.known_models, e->value);

		if (!counters)
			continue;
		counters |= fixed_counter(e->eidx);
		add_row(t, &select, (uint32_t[]){ e->eidx, e->value >> 32, e->value }, 3);
		add_row(t, &map, (uint32_t[]){ e->eidx, e->eidx, counters }, 3);
	}
	words(t, pmu, "riscv,event-to-mhpmevent", select.cell, select.nr);
	words(t, pmu, "riscv,event-to-mhpmcounters", map.cell, map.nr);
}

/* Selectors that share a class can be combined: one row for a class, whose mask frees the bits. */
static void add_class(struct tree *t, const struct machine *m, struct rows *raw, unsigned first)
{
	const struct pmu_table *p = &m->cl.pmu;
	uint64_t class = p->selector[first].value & p->class_mask, bits = 0;
	uint32_t counters = 0;

	for (unsigned n = first; n < p->nr; n++) {
		const struct selector *s = &p->selector[n];
		uint32_t these = selector_counters(p, m->cl.known_models, s->value);

		if ((s->value & p->class_mask) != class || !these)
			continue;
		bits |= s->value & ~p->class_mask;
		counters |= these;
	}
	if (bits)
		add_row(t, raw, (uint32_t[]){ class >> 32, class, ~bits >> 32, ~bits, counters },
			5);
}

static void add_raw(struct tree *t, const struct machine *m, int pmu)
{
	const struct pmu_table *p = &m->cl.pmu;
	struct rows raw = { .nr = 0 };

	for (unsigned n = 0; n < p->nr; n++) {
		uint64_t value = p->selector[n].value;
		uint32_t counters = selector_counters(p, m->cl.known_models, value);
		unsigned earlier = 0;

		while (p->class_mask && (p->selector[earlier].value ^ value) & p->class_mask)
			earlier++;
		if (p->class_mask && earlier == n)
			add_class(t, m, &raw, n);
		else if (!p->class_mask && counters)
			add_row(t, &raw,
				(uint32_t[]){ value >> 32, value, ALL_BITS, ALL_BITS, counters },
				5);
	}
	words(t, pmu, "riscv,raw-event-to-mhpmcounters", raw.cell, raw.nr);
}

/*
 * Names for software: a selector that counts one event has the event's name.  If several count the
 * same event, the first one has it.
 */
static void add_names(struct tree *t, const struct machine *m, int pmu)
{
	const struct pmu_table *p = &m->cl.pmu;
	struct event_set named = { 0 };

	for (unsigned n = 0; n < p->nr; n++) {
		const struct selector *s = &p->selector[n];
		unsigned e = event_set_next(&s->set, 0);

		if (e == EVENT_NONE || event_set_next(&s->set, e + 1) != EVENT_NONE ||
		    event_set_has(&named, e) || !selector_counters(p, m->cl.known_models, s->value))
			continue;
		event_set_add(&named, e);
		if (!t->error)
			check(t, fdt_appendprop_string(t->fdt, pmu, "holter,event-names",
						       event_table[e].name));
		if (!t->error)
			check(t,
			      fdt_appendprop_u64(t->fdt, pmu, "holter,event-selectors", s->value));
	}
}

/*
 * The pmu node tells the firmware which counters can count which event, and software what the CPU's
 * selectors are called.
 */
static void add_pmu(struct tree *t, const struct machine *m)
{
	int pmu;

	if (!m->cl.pmu.counters)
		return;
	pmu = node(t, 0, "pmu");
	text(t, pmu, "compatible", "riscv,pmu");
	add_general(t, m, pmu);
	add_raw(t, m, pmu);
	add_names(t, m, pmu);
}

int machine_fdt_seed(const struct machine *m, void *fdt, int chosen)
{
	struct tree t = { fdt, 0 };
	uint32_t seed[8] = { m->o.seed, m->o.seed >> 32, 3, 4, 5, 6, 7, 8 };

	words(&t, chosen, "rng-seed", seed, 8);
	return t.error;
}

static void add_chosen(struct tree *t, const struct machine *m, const struct boot_words *w)
{
	int chosen = node(t, 0, "chosen");

	text(t, chosen, "stdout-path", "/soc/serial@10000000");
	check(t, t->error ? 0 : machine_fdt_seed(m, t->fdt, chosen));
	if (w->append)
		text(t, chosen, "bootargs", w->append);
	if (w->initrd_end) {
		words(t, chosen, "linux,initrd-start", (uint32_t[]){ w->initrd >> 32, w->initrd },
		      2);
		words(t, chosen, "linux,initrd-end",
		      (uint32_t[]){ w->initrd_end >> 32, w->initrd_end }, 2);
	}
}

static void add_devices(struct tree *t, const struct machine *m)
{
	int soc = node(t, 0, "soc");

	cells(t, soc, 2, 2);
	text(t, soc, "compatible", "simple-bus");
	bytes(t, soc, "ranges", NULL, 0);
	for (unsigned n = 0; n < m->devices && !t->error; n++) {
		struct device *d = m->device[n];

		soc = fdt_path_offset(t->fdt, "/soc");
		check(t, soc < 0 ? soc : 0);
		if (!t->error && d->dt)
			check(t, d->dt(d, t->fdt, soc, PHANDLE_PLIC));
	}
}

int machine_fdt(struct machine *m, const struct boot_words *w, void *to, int size)
{
	struct tree t = { to, fdt_create_empty_tree(to, size) };
	int memory;

	cells(&t, 0, 2, 2);
	text(&t, 0, "compatible", "riscv-virtio");
	text(&t, 0, "model", "riscv-virtio,holter");
	add_cpus(&t, m);
	add_devices(&t, m);
	add_pmu(&t, m);
	add_chosen(&t, m, w);
	memory = node(&t, 0, "memory@80000000");
	text(&t, memory, "device_type", "memory");
	words(&t, memory, "reg",
	      (uint32_t[]){ RAM_BASE >> 32, (uint32_t)RAM_BASE, m->cl.ram_size >> 32,
			    m->cl.ram_size },
	      4);
	if (!t.error)
		t.error = fdt_pack(to);
	return t.error;
}
