/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * selector.h - what a CPU's PMU can count: its counters, and what each value of mhpmevent selects.
 *
 * Made from a CPU's description (cpu.h) or, for a CPU that says nothing, from event.def.  What is
 * in here is both what the counters obey (pmu.c) and what the device tree says (fdt.c), so that
 * the two cannot differ.
 */
#ifndef SIM_SELECTOR_H
#define SIM_SELECTOR_H

#include "event.h"

#define SELECTOR_MAX	   256
#define SELECTOR_LABEL	   96
#define SELECTOR_ALL_CTRS  0xfffffff8u /* counters: every programmable one */
#define PMU_TABLE_EIDX_MAX 64

struct selector {
	uint64_t value; /* of mhpmevent[57:0] */
	struct event_set set; /* counts the sum; empty: stays 0, truthfully */
	uint32_t counters; /* bit: counter that can count it */
	char label[SELECTOR_LABEL];
};

/* An event of the SBI: which selector counts it. */
struct selector_eidx {
	uint32_t eidx;
	uint64_t value;
};

struct pmu_table {
	uint32_t counters; /* bit 3 to 31: counter exists */
	unsigned width; /* their bits */
	/*
	 * 0, or the bits of a selector that name a class (SiFive's low byte).  Then the other bits
	 * of a selector of one class combine: each is an event, and what is counted is their sum.
	 */
	uint64_t class_mask;
	unsigned nr, eidx_nr;
	struct selector selector[SELECTOR_MAX]; /* by value */
	struct selector_eidx eidx[PMU_TABLE_EIDX_MAX]; /* by eidx */
};

/* The table of a CPU that has every event of event.def, in 29 counters of 64 bits. */
void pmu_table_every(struct pmu_table *t);

/* Add a row; the caller sorts at the end.  False: no room. */
bool pmu_table_add(struct pmu_table *t, uint64_t value, const struct event_set *set,
		   uint32_t counters, const char *label);
bool pmu_table_add_eidx(struct pmu_table *t, uint32_t eidx, uint64_t value);
void pmu_table_sort(struct pmu_table *t);

/* The row of exactly this value; NULL: there is none. */
const struct selector *pmu_table_row(const struct pmu_table *t, uint64_t value);

/*
 * What counter ctr counts when value is written to its mhpmevent, while models (MODEL_) are on.
 * False: nothing, the value is not one that this counter keeps.
 */
bool pmu_table_select(const struct pmu_table *t, unsigned models, unsigned ctr, uint64_t value,
		      struct event_set *set);

/* The counters that keep value, of those that exist. */
uint32_t pmu_table_counters(const struct pmu_table *t, unsigned models, uint64_t value);

#endif
