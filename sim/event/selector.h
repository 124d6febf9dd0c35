/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * selector.h - what a CPU's PMU can count: its counters, and what each value of mhpmevent selects.
 *
 * The table comes from a CPU's description (cpu.h), or from event.def if the CPU has none.  The
 * counters (pmu.c) and the device tree (fdt.c) use the same table, so that they always agree.
 */
#ifndef SIM_SELECTOR_H
#define SIM_SELECTOR_H

#include "event.h"

#define SELECTOR_MAX	  256
#define SELECTOR_LABEL	  96
#define SELECTOR_ALL_CTRS 0xfffffff8u /* all programmable counters, as bits */
#define SELECTOR_EIDX_MAX 64

struct selector {
	uint64_t value; /* the value of mhpmevent[57:0] */
	struct event_set set; /* the counter counts their sum; empty: it stays 0 */
	uint32_t counters; /* bit n: counter n can count it */
	char label[SELECTOR_LABEL];
};

/* The selector that counts an SBI event. */
struct selector_eidx {
	uint32_t eidx;
	uint64_t value;
};

struct pmu_table {
	uint32_t counters; /* bits 3 to 31: the counter exists */
	unsigned width; /* width of the counters in bits */
	/*
	 * 0, or the mask of the bits of a selector that hold its class (SiFive's low byte).  If it
	 * is not 0, each other bit of a selector is one event of that class.  A selector with
	 * several of these bits counts the sum of their events.
	 */
	uint64_t class_mask;
	unsigned nr, eidx_nr;
	struct selector selector[SELECTOR_MAX]; /* sorted by value */
	struct selector_eidx eidx[SELECTOR_EIDX_MAX]; /* sorted by eidx */
};

/* Makes the table of a CPU that has every event of event.def, in 29 counters of 64 bits. */
void selector_every(struct pmu_table *t);

/* Add a row.  The caller calls selector_sort after the last one.  false: no room. */
bool selector_add(struct pmu_table *t, uint64_t value, const struct event_set *set,
		  uint32_t counters, const char *label);
bool selector_add_eidx(struct pmu_table *t, uint32_t eidx, uint64_t value);
void selector_sort(struct pmu_table *t);

/* Returns the row with this value; NULL if there is none. */
const struct selector *selector_row(const struct pmu_table *t, uint64_t value);

/*
 * Sets set to the events that counter ctr counts when mhpmevent holds value and models (MODEL_) are
 * on.  Returns false if this counter cannot count this value.
 */
bool selector_events(const struct pmu_table *t, unsigned models, unsigned ctr, uint64_t value,
		     struct event_set *set);

/* Returns the existing counters that can count value. */
uint32_t selector_counters(const struct pmu_table *t, unsigned models, uint64_t value);

#endif
