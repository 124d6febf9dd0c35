/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dt.c - compiles the tables of general and cache events in the riscv,pmu node, once, at boot.
 *
 * May call: ops->diag; sbipmu_selector_taken, which tries a selector on the hardware.
 * Implements: Linux's binding riscv,pmu.yaml; SBI 3.0 §11.4 (the zero-extended event_idx as a
 * selector).
 *
 * A faulty row is reported and ignored; other rows are not affected.  Where two rows overlap, the
 * counters of both are used, and this is reported.
 */
#include "pmu_counter.h"
#include "pmu_dt.h"
#include "pmu_find.h"
#include "pmu_rawdt.h"
#include "pmu_table.h"

#define SELECTORS "riscv,event-to-mhpmevent"
#define COUNTERS  "riscv,event-to-mhpmcounters"

/* State of the compilation.  The masks have a bit for each event: event_word(), event_bit(). */
struct compile {
	struct sbipmu *pmu;
	const struct sbipmu_hart *h;
	uint64_t has_selector[2];
	uint64_t has_row[2];
	bool selectors_listed; /* riscv,event-to-mhpmevent exists */
};

static uint64_t event_bit(uint32_t eidx)
{
	return RV_BIT(eidx & 63);
}

static unsigned event_word(uint32_t eidx)
{
	return eidx >> SBI_PMU_EIDX_TYPE_SHIFT;
}

/* True if the SBI defines this event_idx, which is of type general or cache. */
static bool defined(uint32_t eidx)
{
	unsigned code = eidx & SBI_PMU_EIDX_CODE_MASK;

	return code < (event_word(eidx) == SBI_PMU_TYPE_HW ? SBI_PMU_HW_COUNT
							   : SBI_PMU_HW_CACHE_COUNT << 3);
}

static void say(const struct compile *c, const char *property, int row, const char *text,
		uint64_t value)
{
	complain(c->pmu, c->h->ctx, property, row, text, value);
}

/* The number of complete rows in a property; reports what remains. */
static int whole_rows(const struct compile *c, const char *property, size_t len, size_t row_len)
{
	if (len % row_len)
		say(c, property, -1, "length is not a multiple of its row; the rest is ignored",
		    len);
	return (int)(len / row_len);
}

/* True if an event_idx is a general or cache event; reports it if not. */
static bool known_event(const struct compile *c, const char *property, int row, uint32_t eidx)
{
	unsigned type = eidx >> SBI_PMU_EIDX_TYPE_SHIFT;

	if (type == SBI_PMU_TYPE_RAW || type == SBI_PMU_TYPE_RAW_V2)
		say(c, property, row, "raw events do not belong here; row ignored", eidx);
	else if (type > SBI_PMU_TYPE_CACHE)
		say(c, property, row, "not a hardware event; row ignored", eidx);
	else if (eidx == SBI_PMU_HW_NO_EVENT)
		say(c, property, row, "event_idx 0: not an event; row ignored", eidx);
	else
		return true;
	return false;
}

/* riscv,event-to-mhpmevent: event_idx, selector (two cells). */
static void compile_selectors(struct compile *c, const struct sbipmu_dt *dt)
{
	const void *table = dt->event_to_mhpmevent;
	int rows = whole_rows(c, SELECTORS, dt->event_to_mhpmevent_len, 12);

	for (int i = 0; i < rows; i++) {
		uint32_t eidx = dt_cell(table, 3 * (size_t)i);
		uint64_t selector = (uint64_t)dt_cell(table, 3 * (size_t)i + 1) << 32 |
				    dt_cell(table, 3 * (size_t)i + 2);

		if (!known_event(c, SELECTORS, i, eidx))
			continue;
		if (!defined(eidx)) {
			say(c, SELECTORS, i, "the SBI defines no such event; row ignored", eidx);
		} else if (c->has_selector[event_word(eidx)] & event_bit(eidx)) {
			say(c, SELECTORS, i, "event has a selector already; row ignored", eidx);
		} else if (c->pmu->facts.sscofpmf && selector & ~MHPMEVENT_EVENT) {
			say(c, SELECTORS, i,
			    "selector uses the bits of OF or a filter; row ignored", selector);
		} else {
			event_row(c->pmu, eidx)->selector = selector;
			c->has_selector[event_word(eidx)] |= event_bit(eidx);
		}
	}
}

/* Without riscv,event-to-mhpmevent each selector is the event_idx itself. */
static void default_selectors(struct compile *c)
{
	for (uint32_t code = 1; code < SBI_PMU_HW_COUNT; code++)
		event_row(c->pmu, code)->selector = code;
	for (uint32_t code = 0; code < SBI_PMU_HW_CACHE_COUNT << 3; code++) {
		uint32_t eidx = SBI_PMU_EIDX(SBI_PMU_TYPE_CACHE, code);

		event_row(c->pmu, eidx)->selector = eidx;
	}
	c->has_selector[0] = c->has_selector[1] = ~0ull;
}

/* The fixed counters whose event lies in the range from first to last. */
static uint32_t fixed_ctrs(uint32_t first, uint32_t last)
{
	uint32_t ctrs = 0;

	if (first <= SBI_PMU_HW_CPU_CYCLES && last >= SBI_PMU_HW_CPU_CYCLES)
		ctrs |= RV_BIT(COUNTER_CY);
	if (first <= SBI_PMU_HW_INSTRUCTIONS && last >= SBI_PMU_HW_INSTRUCTIONS)
		ctrs |= RV_BIT(COUNTER_IR);
	return ctrs;
}

/*
 * Adds the counters of a row to each event of its range; the range ends at the last event that the
 * SBI defines.  A fault of several events of the row is reported once, for the first of them.
 */
static void add_range(struct compile *c, int row, uint32_t first, uint32_t last, uint32_t ctrs)
{
	uint32_t again = 0, bare = 0;

	ctrs &= ~(uint32_t)FIXED_CTRS; /* check_event() adds these */
	for (uint32_t eidx = first; eidx <= last && defined(eidx); eidx++) {
		struct sbipmu_event *e = event_row(c->pmu, eidx);
		unsigned word = event_word(eidx);
		uint64_t bit = event_bit(eidx);

		if (word == SBI_PMU_TYPE_CACHE && (eidx >> 1 & 3) >= SBI_PMU_HW_CACHE_OP_COUNT)
			continue; /* no such operation */
		if (c->has_row[word] & bit && !again)
			again = eidx;
		c->has_row[word] |= bit;
		if (c->has_selector[word] & bit)
			e->ctrs |= ctrs;
		else if (ctrs && !bare)
			bare = eidx;
	}
	if (again)
		say(c, COUNTERS, row, "overlaps an earlier row; the counters of both are used",
		    again);
	if (bare)
		say(c, COUNTERS, row,
		    "no selector in " SELECTORS "; programmable counters not used", bare);
}

/* The counters of a row that exist and can count its events; reports the others. */
static uint32_t usable_counters(const struct compile *c, int row, uint32_t first, uint32_t last,
				uint32_t ctrs)
{
	uint32_t good = ctrs & c->pmu->facts.hw_ctrs;

	good &= ~(uint32_t)FIXED_CTRS | fixed_ctrs(first, last);
	if (!good)
		say(c, COUNTERS, row, "no counter that exists and can count this; row ignored",
		    ctrs);
	else if (good != ctrs)
		say(c, COUNTERS, row, "counters do not exist or cannot count this; ignored",
		    ctrs & ~good);
	return good;
}

/* riscv,event-to-mhpmcounters: first event_idx, last event_idx, counters. */
static void compile_counters(struct compile *c, const struct sbipmu_dt *dt)
{
	const void *table = dt->event_to_mhpmcounters;
	int rows = whole_rows(c, COUNTERS, dt->event_to_mhpmcounters_len, 12);

	for (int i = 0; i < rows; i++) {
		uint32_t first = dt_cell(table, 3 * (size_t)i);
		uint32_t last = dt_cell(table, 3 * (size_t)i + 1);
		uint32_t ctrs = dt_cell(table, 3 * (size_t)i + 2);

		if (!known_event(c, COUNTERS, i, first))
			continue;
		if (last < first)
			say(c, COUNTERS, i, "range ends before it begins; row ignored", last);
		else if (event_word(last) != event_word(first))
			say(c, COUNTERS, i, "range spans two event types; row ignored", last);
		else if (!defined(first))
			say(c, COUNTERS, i, "the SBI defines no such event; row ignored", first);
		else if ((ctrs = usable_counters(c, i, first, last, ctrs)) != 0)
			add_range(c, i, first, last, ctrs);
	}
}

/*
 * Removes from an event the counters whose mhpmevent does not keep its selector: such a counter
 * cannot count the event, and "not supported" is better than a count that stays 0.
 */
static void check_event(struct compile *c, uint32_t eidx)
{
	struct sbipmu_event *e = event_row(c->pmu, eidx);
	uint32_t refused = 0;

	for (uint64_t left = e->ctrs; left;) {
		unsigned ctr = take_ctr(&left);

		if (!sbipmu_selector_taken(c->h, ctr, e->selector))
			refused |= (uint32_t)RV_BIT(ctr);
	}
	if (refused)
		say(c, COUNTERS, -1,
		    "mhpmevent refuses the selector of this event; not counted there", eidx);
	e->ctrs = (e->ctrs & ~refused) | (fixed_ctrs(eidx, eidx) & c->pmu->facts.hw_ctrs);
	c->pmu->nr_events += e->ctrs != 0;
	if (!e->ctrs && c->selectors_listed &&
	    c->has_selector[event_word(eidx)] & event_bit(eidx) &&
	    !(c->has_row[event_word(eidx)] & event_bit(eidx)))
		say(c, SELECTORS, -1, "event has a selector but no counters; not supported", eidx);
}

static void check_events(struct compile *c)
{
	for (uint32_t code = 1; code < SBI_PMU_HW_COUNT; code++)
		check_event(c, code);
	for (uint32_t code = 0; code < SBI_PMU_HW_CACHE_COUNT << 3; code++)
		check_event(c, SBI_PMU_EIDX(SBI_PMU_TYPE_CACHE, code));
}

/* How many events counter ctr can count. */
static unsigned flexibility(const struct sbipmu *pmu, unsigned ctr)
{
	unsigned n = 0;

	for (unsigned i = 0; i < SBIPMU_EVENTS; i++)
		n += pmu->event[i].ctrs >> ctr & 1;
	for (size_t i = 0; pmu->nr_raw_rows && i <= ~0ull >> pmu->raw_shift; i++)
		n += pmu->raw_slot[i].ctrs >> ctr & 1;
	return n;
}

/* Sorts the programmable counters into classes of equal flexibility, the least first. */
static void compile_classes(struct sbipmu *pmu)
{
	unsigned n[COUNTER_HW_MAX];
	uint64_t left = pmu->facts.hw_ctrs & ~FIXED_CTRS;

	for (uint64_t ctrs = left; ctrs;) {
		unsigned ctr = take_ctr(&ctrs);

		n[ctr] = flexibility(pmu, ctr);
	}
	for (; left; pmu->nr_classes++) {
		unsigned least = rv_first_bit(left);
		uint32_t class = 0;

		for (uint64_t ctrs = left; ctrs;) {
			unsigned ctr = take_ctr(&ctrs);

			if (n[ctr] < n[least])
				least = ctr;
		}
		for (uint64_t ctrs = left; ctrs;) {
			unsigned ctr = take_ctr(&ctrs);

			if (n[ctr] == n[least])
				class |= (uint32_t)RV_BIT(ctr);
		}
		pmu->class[pmu->nr_classes] = class;
		left &= ~(uint64_t) class;
	}
}

void sbipmu_dt_compile(struct sbipmu *pmu, const struct sbipmu_hart *h,
		       const struct sbipmu_config *config)
{
	const struct sbipmu_dt *dt = config->dt;
	struct compile c = { .pmu = pmu, .h = h };

	if (!pmu->facts.hw_ctrs)
		return; /* every row would be reported, but the fault is not in the tables */
	if (dt && dt->event_to_mhpmcounters) {
		c.selectors_listed = dt->event_to_mhpmevent != NULL;
		if (c.selectors_listed)
			compile_selectors(&c, dt);
		else
			default_selectors(&c);
		compile_counters(&c, dt);
	} else if (dt && dt->event_to_mhpmevent) {
		say(&c, SELECTORS, -1, "useless without " COUNTERS "; ignored",
		    dt->event_to_mhpmevent_len);
	}
	check_events(&c);
	if (dt && dt->raw_event_to_mhpmcounters)
		sbipmu_rawdt_compile(pmu, h, config);
	compile_classes(pmu);
}
