// SPDX-License-Identifier: BSD-2-Clause
/*
 * pmu.c - reads from the pmu node what a CPU's selectors count (cpu.h).
 *
 * Holter's own description has a node for each selector, and no tables: the tables for the firmware
 * are made from these nodes.  A board's description has only the tables, which give the selector of
 * each SBI event.  Such a selector counts what the event means.
 *
 * Bindings: perf/riscv,pmu.yaml.
 */
#include <libfdt.h>
#include <limits.h>
#include <rv/bits.h>
#include <rv/csr.h>
#include <string.h>

#include "reader.h"

#define EIDX_TABLE "riscv,event-to-mhpmevent"
#define CTRS_TABLE "riscv,event-to-mhpmcounters"
#define RAW_TABLE  "riscv,raw-event-to-mhpmcounters"

/* Whether event e can happen on a CPU with these models. */
static bool can_happen(const struct cpu_models *m, unsigned e)
{
	if (e >= EVENT_L2_READ && e <= EVENT_L2_WRITEBACK)
		return m->hierarchy.l2.sets;
	if (e >= EVENT_LL_READ && e <= EVENT_LL_WRITEBACK)
		return m->hierarchy.ll.sets;
	if (e >= EVENT_STLB_FETCH && e <= EVENT_STLB_WRITE_MISS)
		return m->tlb.part[TLB_SECOND].sets;
	return true;
}

static bool set_can_happen(const struct cpu_models *m, const struct event_set *set)
{
	for (unsigned e = event_set_next(set, 0); e < EVENT_NR; e = event_set_next(set, e + 1)) {
		if (!can_happen(m, e))
			return false;
	}
	return true;
}

static bool has_eidx(const struct pmu_table *t, uint32_t eidx)
{
	for (unsigned n = 0; n < t->eidx_nr; n++) {
		if (t->eidx[n].eidx == eidx)
			return true;
	}
	return false;
}

/* Rows are not sorted yet. */
static struct selector *find_row(struct pmu_table *t, uint64_t value)
{
	for (unsigned n = 0; n < t->nr; n++) {
		if (t->selector[n].value == value)
			return &t->selector[n];
	}
	return NULL;
}

/* Every event of event.def that this CPU can have. */
static void take_every(struct reader *r)
{
	struct pmu_table *t = &r->cpu->pmu;
	unsigned nr = 0, eidx_nr = 0;

	selector_every(t);
	for (unsigned n = 0; n < t->eidx_nr; n++)
		event_sbi_set(event_sbi_find(t->eidx[n].eidx), r->models->hierarchy.ll.sets,
			      &find_row(t, t->eidx[n].value)->set);
	for (unsigned n = 0; n < t->nr; n++) {
		if (set_can_happen(r->models, &t->selector[n].set))
			t->selector[nr++] = t->selector[n];
	}
	t->nr = nr;
	for (unsigned n = 0; n < t->eidx_nr; n++) {
		if (find_row(t, t->eidx[n].value))
			t->eidx[eidx_nr++] = t->eidx[n];
	}
	t->eidx_nr = eidx_nr;
}

/* One of Holter's own: a node for each selector */

static struct event_set read_counts(struct reader *r, int node)
{
	static const char property[] = "holter,counts";
	struct event_set set = { 0 };
	const char *name;

	if (!reader_has(r, node, property))
		reader_refuse(r, node, property, "missing property");
	for (name = reader_string(r, node, property); name;
	     name = reader_string_after(r, node, property, name)) {
		enum event e = event_find(name);

		if (e == EVENT_NONE)
			reader_refuse(r, node, property, "there is no event '%.30s'", name);
		else if (!can_happen(r->models, e))
			reader_refuse(r, node, property, "'%s' cannot happen on this CPU", name);
		else if (event_set_has(&set, e))
			reader_refuse(r, node, property, "'%s' is there twice", name);
		else
			event_set_add(&set, e);
	}
	return set;
}

static void read_eidx(struct reader *r, int node, uint64_t value)
{
	static const char property[] = "holter,event-idx";
	int len = 0;
	const fdt32_t *p = reader_get(r, node, property, &len);

	if (!p)
		return;
	if (len % 4)
		reader_refuse(r, node, property, "must have cells, has %d bytes", len);
	for (int n = 0; n < len / 4 && !r->failed; n++) {
		uint32_t eidx = fdt32_ld(&p[n]);

		if (!event_sbi_find(eidx))
			reader_refuse(r, node, property, "there is no SBI event 0x%x", eidx);
		else if (has_eidx(&r->cpu->pmu, eidx))
			reader_refuse(r, node, property, "0x%x already has a selector", eidx);
		else if (!selector_add_eidx(&r->cpu->pmu, eidx, value))
			reader_refuse(r, node, property, "too many SBI events");
	}
}

static uint32_t read_counters(struct reader *r, int node)
{
	static const char property[] = "holter,counters";
	uint32_t exist = r->cpu->pmu.counters;
	uint64_t counters;

	if (!reader_number(r, node, property, &counters))
		return SELECTOR_ALL_CTRS;
	if (!counters)
		reader_refuse(r, node, property, "must name a counter");
	else if (counters & ~(uint64_t)exist)
		reader_refuse(r, node, property,
			      "counter %u does not exist, or is not programmable",
			      __builtin_ctzll(counters & ~(uint64_t)exist));
	return counters;
}

/* Whether a selector names one bit of its class, where there are classes. */
static bool is_one(const struct pmu_table *t, uint64_t value)
{
	uint64_t bits = value & ~t->class_mask;

	return !t->class_mask || !(bits & (bits - 1));
}

static uint64_t read_selector(struct reader *r, int node)
{
	static const char property[] = "holter,selector";
	struct pmu_table *t = &r->cpu->pmu;
	uint64_t value = 0;

	if (!reader_number(r, node, property, &value))
		reader_refuse(r, node, property, "missing property");
	else if (!value || value & ~MHPMEVENT_EVENT)
		reader_refuse(r, node, property,
			      "0x%llx cannot be a selector (bits 57 to 0, not all 0)",
			      (unsigned long long)value);
	else if (t->class_mask && !(value & ~t->class_mask))
		reader_refuse(r, node, property, "0x%llx is a class without an event",
			      (unsigned long long)value);
	else if (find_row(t, value))
		reader_refuse(r, node, property, "two nodes have 0x%llx",
			      (unsigned long long)value);
	return value;
}

/*
 * A selector with several bits of a class counts the sum of their events.  Its node only assigns it
 * to SBI events.
 */
static void read_event(struct reader *r, int node)
{
	const char *label = reader_string(r, node, "label");
	struct pmu_table *t = &r->cpu->pmu;
	uint64_t value = read_selector(r, node);

	if (!label)
		reader_refuse(r, node, "label", "missing property");
	if (is_one(t, value)) {
		struct event_set set = read_counts(r, node);
		uint32_t counters = read_counters(r, node);

		if (!r->failed && !selector_add(t, value, &set, counters, label))
			reader_refuse(r, node, NULL, "more than %u selectors", SELECTOR_MAX);
		else if (!r->failed)
			reader_printable(t->selector[t->nr - 1].label);
	} else if (reader_has(r, node, "holter,counts")) {
		reader_refuse(r, node, "holter,counts",
			      "0x%llx has several bits: it counts the sum of their events",
			      (unsigned long long)value);
	} else if (!reader_has(r, node, "holter,event-idx")) {
		reader_refuse(r, node, "holter,event-idx", "missing property");
	}
	read_eidx(r, node, value);
}

/* Checks that some counter can count the selector of each SBI event. */
static void check_eidx(struct reader *r, int pmu)
{
	const struct pmu_table *t = &r->cpu->pmu;

	for (unsigned n = 0; n < t->eidx_nr; n++) {
		if (!selector_counters(t, UINT_MAX, t->eidx[n].value))
			reader_refuse(r, pmu, NULL,
				      "event 0x%x: no counter can count selector 0x%llx",
				      t->eidx[n].eidx, (unsigned long long)t->eidx[n].value);
	}
}

static void read_own(struct reader *r, int pmu)
{
	static const char *const tables[] = { EIDX_TABLE, CTRS_TABLE, RAW_TABLE };
	struct pmu_table *t = &r->cpu->pmu;
	uint64_t counters = 0, width = 64, class_mask = 0;
	int node;

	for (unsigned n = 0; n < 3; n++) {
		if (reader_has(r, pmu, tables[n]))
			reader_refuse(r, pmu, tables[n], "is made from the event nodes: remove it");
	}
	reader_needs(r, pmu, "holter,counters", 0, UINT32_MAX, &counters);
	if (counters & ~(uint64_t)SELECTOR_ALL_CTRS)
		reader_refuse(r, pmu, "holter,counters", "counters 0 to 2 are not programmable");
	reader_needs(r, pmu, "holter,counter-width", 1, 64, &width);
	reader_number(r, pmu, "holter,selector-class", &class_mask);
	if (reader_flag(r, pmu, "holter,every-event"))
		take_every(r);
	t->counters = counters;
	t->width = width;
	t->class_mask = class_mask;
	fdt_for_each_subnode(node, r->fdt, pmu)
	{
		if (r->failed)
			return;
		read_event(r, node);
	}
	selector_sort(t);
	if (counters && !r->failed)
		check_eidx(r, pmu);
}

/* A board's: tables */

/*
 * Returns the cells of a table whose rows have this many cells; NULL, and *rows 0, if there is
 * none.
 */
static const fdt32_t *table(struct reader *r, int pmu, const char *property, unsigned cells,
			    unsigned *rows)
{
	int len = 0;
	const fdt32_t *p = reader_get(r, pmu, property, &len);

	*rows = 0;
	if (p && len % (int)(cells * 4))
		reader_refuse(r, pmu, property, "%d bytes are not rows of %u cells", len, cells);
	else if (p)
		*rows = len / (cells * 4);
	return p;
}

/* The counters that the board lets count eidx. */
static uint32_t board_counters(struct reader *r, int pmu, uint32_t eidx)
{
	unsigned rows;
	const fdt32_t *p = table(r, pmu, CTRS_TABLE, 3, &rows);
	uint32_t counters = 0;

	for (unsigned n = 0; n < rows; n++, p += 3) {
		if (eidx >= fdt32_ld(p) && eidx <= fdt32_ld(p + 1))
			counters |= fdt32_ld(p + 2);
	}
	return counters & SELECTOR_ALL_CTRS;
}

static uint64_t board_selector(struct reader *r, int pmu, uint32_t eidx, bool *has)
{
	unsigned rows;
	const fdt32_t *p = table(r, pmu, EIDX_TABLE, 3, &rows);

	*has = !p; /* no table: the event_idx is the selector */
	for (unsigned n = 0; n < rows; n++, p += 3) {
		if (fdt32_ld(p) == eidx) {
			*has = true;
			return (uint64_t)fdt32_ld(p + 1) << 32 | fdt32_ld(p + 2);
		}
	}
	return eidx;
}

static void take_board_event(struct reader *r, int pmu, const struct event_sbi *sbi)
{
	struct pmu_table *t = &r->cpu->pmu;
	uint32_t counters = board_counters(r, pmu, sbi->eidx);
	bool has;
	uint64_t value = board_selector(r, pmu, sbi->eidx, &has);
	struct selector *row = find_row(t, value);
	struct event_set set;

	if (!counters || !has)
		return;
	event_sbi_set(sbi, r->models->hierarchy.ll.sets, &set);
	if (!value || value & ~MHPMEVENT_EVENT || !set_can_happen(r->models, &set)) {
		reader_note(r, pmu, "left out: %s cannot be counted", sbi->name);
	} else if (row && memcmp(&row->set, &set, sizeof(set))) {
		reader_note(r, pmu, "left out: %s, its selector counts %s", sbi->name, row->label);
	} else {
		t->counters |= counters;
		if (!row)
			selector_add(t, value, &set, counters, sbi->name);
		selector_add_eidx(t, sbi->eidx, value);
	}
}

/* Only the vendor's manual tells what raw events mean. */
static void count_board_raw(struct reader *r, int pmu)
{
	unsigned rows, unknown = 0;
	const fdt32_t *p = table(r, pmu, RAW_TABLE, 5, &rows);

	for (unsigned n = 0; n < rows; n++, p += 5) {
		uint64_t value = (uint64_t)fdt32_ld(p) << 32 | fdt32_ld(p + 1);

		unknown += !find_row(&r->cpu->pmu, value);
	}
	if (unknown)
		reader_note(r, pmu, "left out: %u raw events, whose meaning is not said", unknown);
}

static void read_board(struct reader *r, int pmu)
{
	r->cpu->pmu.width = 64;
	for (unsigned n = 0; n < event_sbi_nr && !r->failed; n++)
		take_board_event(r, pmu, &event_sbi_table[n]);
	count_board_raw(r, pmu);
	reader_note(r, pmu, "no counter width: 64 bits");
}

void cpu_read_pmu(struct reader *r)
{
	int pmu = fdt_node_offset_by_compatible(r->fdt, -1, "riscv,pmu");

	if (pmu < 0 && r->complete) {
		reader_refuse(r, 0, NULL, "missing node compatible with riscv,pmu");
	} else if (pmu < 0) {
		take_every(r);
		reader_note(r, 0, "no riscv,pmu node: 29 counters of 64 bits, every event");
	} else if (r->complete) {
		read_own(r, pmu);
	} else {
		read_board(r, pmu);
	}
	selector_sort(&r->cpu->pmu);
}
