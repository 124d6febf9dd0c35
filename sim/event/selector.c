// SPDX-License-Identifier: BSD-2-Clause
/* selector.c - makes tables of selectors, and searches them (selector.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selector.h"

bool selector_add(struct pmu_table *t, uint64_t value, const struct event_set *set,
		  uint32_t counters, const char *label)
{
	struct selector *s = &t->selector[t->nr];

	if (t->nr == SELECTOR_MAX)
		return false;
	*s = (struct selector){ .value = value, .set = *set, .counters = counters };
	snprintf(s->label, sizeof(s->label), "%s", label);
	t->nr++;
	return true;
}

bool selector_add_eidx(struct pmu_table *t, uint32_t eidx, uint64_t value)
{
	if (t->eidx_nr == SELECTOR_EIDX_MAX)
		return false;
	t->eidx[t->eidx_nr++] = (struct selector_eidx){ eidx, value };
	return true;
}

static int by_value(const void *a, const void *b)
{
	const struct selector *x = a, *y = b;

	return x->value < y->value ? -1 : x->value > y->value;
}

static int by_eidx(const void *a, const void *b)
{
	const struct selector_eidx *x = a, *y = b;

	return x->eidx < y->eidx ? -1 : x->eidx > y->eidx;
}

void selector_sort(struct pmu_table *t)
{
	qsort(t->selector, t->nr, sizeof(t->selector[0]), by_value);
	qsort(t->eidx, t->eidx_nr, sizeof(t->eidx[0]), by_eidx);
}

const struct selector *selector_row(const struct pmu_table *t, uint64_t value)
{
	unsigned low = 0, high = t->nr;

	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (t->selector[middle].value < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->nr && t->selector[low].value == value ? &t->selector[low] : NULL;
}

/* Adds the events of row to set.  Returns false if counter ctr cannot count them. */
static bool add_row(const struct selector *row, unsigned models, unsigned ctr,
		    struct event_set *set)
{
	if (!row || !(row->counters >> ctr & 1) || event_set_needs(&row->set) & ~models)
		return false;
	for (unsigned w = 0; w < EVENT_WORDS; w++)
		set->word[w] |= row->set.word[w];
	return true;
}

/* Whether the class in value has any event. */
static bool class_exists(const struct pmu_table *t, uint64_t value)
{
	for (unsigned n = 0; n < t->nr; n++) {
		if (!((t->selector[n].value ^ value) & t->class_mask))
			return true;
	}
	return false;
}

bool selector_events(const struct pmu_table *t, unsigned models, unsigned ctr, uint64_t value,
		     struct event_set *set)
{
	uint64_t class = value & t->class_mask;
	struct event_set sum = { 0 };
	bool ok = value && t->counters >> ctr & 1;

	if (t->class_mask) {
		ok = ok && class_exists(t, class);
		for (uint64_t left = value & ~t->class_mask; ok && left; left &= left - 1)
			ok = add_row(selector_row(t, class | (left & -left)), models, ctr, &sum);
	} else {
		ok = ok && add_row(selector_row(t, value), models, ctr, &sum);
	}
	*set = ok ? sum : (struct event_set){ 0 };
	return ok;
}

uint32_t selector_counters(const struct pmu_table *t, unsigned models, uint64_t value)
{
	uint32_t counters = 0;
	struct event_set set;

	for (unsigned ctr = 3; ctr < 32; ctr++) {
		if (selector_events(t, models, ctr, value, &set))
			counters |= 1u << ctr;
	}
	return counters;
}

void selector_every(struct pmu_table *t)
{
	struct event_set set;

	*t = (struct pmu_table){ .counters = SELECTOR_ALL_CTRS, .width = 64 };
	for (unsigned n = 0; n < event_sbi_nr; n++) {
		const struct event_sbi *sbi = &event_sbi_table[n];

		event_sbi_set(sbi, true, &set);
		selector_add(t, sbi->eidx, &set, SELECTOR_ALL_CTRS, sbi->name);
		selector_add_eidx(t, sbi->eidx, sbi->eidx);
	}
	for (unsigned e = 0; e < EVENT_NR; e++) {
		/* The loop above has added the events that the SBI names. */
		if (event_sbi_find(event_table[e].selector))
			continue;
		set = (struct event_set){ 0 };
		event_set_add(&set, e);
		selector_add(t, event_table[e].selector, &set, SELECTOR_ALL_CTRS,
			     event_table[e].text);
	}
	selector_sort(t);
}
