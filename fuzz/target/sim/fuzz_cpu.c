// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_cpu.c - reads any bytes as the description of a CPU.
 *
 * Must hold: no byte outside the blob is read (the sanitizer checks it).  The error text of a
 * refused description is one printable line.  An accepted description has valid models, sorted
 * selectors that some counter can hold, and caches that fit in the guest's device tree.  The same
 * holds with changes of --set.
 */
#include <ctype.h>
#include <libfdt.h>
#include <limits.h>

#include "cpu.h"
#include "cpu_models.h"
#include "fuzz.h"

#define ROOM 32768

static void must_be_line(const char *text)
{
	must(*text);
	for (; *text; text++)
		must(isprint((unsigned char)*text));
}

static void check_models(const struct cpu_models *m)
{
	struct model_error why = { 0 };

	must(hierarchy_check(&m->hierarchy, &why));
	must(tlb_check(&m->tlb, &why));
	must(bpred_check(&m->bpred, &why));
	must(cost_check(&m->cost, &why));
}

static void check_pmu(const struct pmu_table *t)
{
	must(!(t->counters & 7) && t->width >= 1 && t->width <= 64);
	for (unsigned n = 0; n < t->nr; n++) {
		const struct selector *s = &t->selector[n];
		uint32_t counters = selector_counters(t, UINT_MAX, s->value);
		struct event_set set;

		must(s->value && (!n || s->value > t->selector[n - 1].value));
		must(!(counters & ~t->counters));
		must(selector_row(t, s->value) == s);
		for (unsigned ctr = 0; ctr < 32; ctr++)
			must(selector_events(t, UINT_MAX, ctr, s->value, &set) ==
			     (counters >> ctr & 1));
	}
	for (unsigned n = 0; n < t->eidx_nr; n++) {
		must(event_sbi_find(t->eidx[n].eidx) != NULL);
		must(!n || t->eidx[n].eidx > t->eidx[n - 1].eidx);
	}
}

/* Adds the caches to a device tree that has the node of one hart. */
static void check_fdt(const struct cpu *cpu)
{
	static char fdt[ROOM];

	must(!fdt_create_empty_tree(fdt, sizeof(fdt)));
	must(fdt_add_subnode(fdt, 0, "cpus") >= 0);
	must(fdt_add_subnode(fdt, fdt_path_offset(fdt, "/cpus"), "cpu@0") >= 0);
	must(!cpu_fdt(cpu, fdt, 1, 128));
	must(!fdt_check_full(fdt, sizeof(fdt)));
}

/* Changes of each kind: a size, ways and a line with what follows, a cell, a path. */
static const char *const changes[] = { "l2.size=64K",
				       "l1d.ways=2",
				       "line=32",
				       "dtlb.sets=2",
				       "latency.mul=7",
				       "bpred.kind=tage",
				       "/cpus/cpu@0/d-tlb-size=16,1" };

static void check_read(const uint8_t *data, size_t size, size_t nr_changes)
{
	struct error_text why = { "" };
	struct cpu *cpu = cpu_read(data, size, "input", changes, nr_changes, &why);
	struct cpu_property p;

	if (!cpu) {
		must_be_line(why.text);
		return;
	}
	must(cpu->sets.nr == nr_changes);
	for (unsigned n = 0; n < ISA_EXT_WORDS * 64; n++)
		must(n < ISA_EXT_NR || !isa_set_has(&cpu->isa, n));
	for (size_t n = 0; n < cpu->notes.nr; n++)
		must_be_line(cpu->notes.at[n]);
	for (unsigned n = 0; cpu_property(cpu, n, &p); n++)
		must_be_line(p.node);
	check_models(cpu->models);
	check_pmu(&cpu->pmu);
	check_fdt(cpu);
	cpu_free(cpu);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_read(data, size, 0);
	check_read(data, size, 1 + size % (sizeof(changes) / sizeof(*changes)));
	return 0;
}
