// SPDX-License-Identifier: BSD-2-Clause
/*
 * trials.c - tries events, and records the outcome of each row (enum doctor_row).
 *
 * Trials also include what only root may do; a refusal is then not a fault (DOCTOR_PRIVILEGE).
 * If the user may only count user mode, ",usr" is appended to the events.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "event_list.h"

#define RAW_TRIED 512

struct plan {
	struct doctor *d;
	const char *suffix; /* "" or ",usr" */
	bool denied; /* the user may count nothing */
	char base[64]; /* the event for the trials of uses; "": there is none */
	uint64_t base_value; /* its count of DOCTOR_ROUNDS */
};

__attribute__((format(printf, 4, 5))) static void
answer(struct plan *p, struct doctor_result *r, enum doctor_answer a, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	free(r->text);
	if (vasprintf(&r->text, format, args) < 0) {
		r->text = NULL;
		p->d->no_memory = true;
	}
	va_end(args);
	r->answer = a;
}

/* Adds an event to try.  A name that is too long is cut. */
__attribute__((format(printf, 4, 5))) static void add(struct plan *p, struct doctor_result *r,
						      enum doctor_way way, const char *format, ...)
{
	struct doctor_try *new;
	va_list args;

	if (!VEC_PUSH(&r->tries, (struct doctor_try){ .way = way })) {
		p->d->no_memory = true;
		return;
	}
	new = &r->tries.at[r->tries.nr - 1];
	va_start(args, format);
	vsnprintf(new->event, sizeof(new->event), format, args);
	va_end(args);
}

static void attempt(struct plan *p, struct doctor_result *r)
{
	if (r->tries.nr)
		p->d->ops->attempt(p->d->ops, r->tries.at, r->tries.nr);
	r->worked = 0;
	for (unsigned i = 0; i < r->tries.nr; i++)
		r->worked += !r->tries.at[i].error;
}

static bool all_are(const struct doctor_result *r, int error)
{
	for (unsigned i = 0; i < r->tries.nr; i++) {
		if (r->tries.at[i].error != error)
			return false;
	}
	return r->tries.nr > 0;
}

/* Decides whether only the missing privilege is the reason for a refusal. */
static enum doctor_answer refusal(const struct plan *p, const struct doctor_result *r)
{
	return all_are(r, EPERM) && !p->d->known.root && !p->denied ? DOCTOR_PRIVILEGE : DOCTOR_NO;
}

static void answer_kind(struct plan *p, struct doctor_result *r)
{
	if (r->worked)
		answer(p, r, DOCTOR_YES, "%zu of %zu", r->worked, r->tries.nr);
	else
		answer(p, r, refusal(p, r), "none of %zu", r->tries.nr);
}

/*
 * Kinds of events
 */

/* Tries all events of a kind. */
static void try_kind(struct plan *p, enum doctor_row row, enum list_kind kind)
{
	struct doctor_result *r = &p->d->rows[row];
	struct list_event e;

	for (unsigned n = 0; list_event(n, &e); n++) {
		if (e.kind == kind)
			add(p, r, DOCTOR_COUNT, "%s%s", e.name,
			    kind == LIST_FIRMWARE ? "" : p->suffix);
	}
	attempt(p, r);
	answer_kind(p, r);
}

/*
 * Prepares the events that need a privilege for another trial in user mode only.  Returns whether
 * there are such events.
 */
static bool user_mode(struct doctor_result *r)
{
	bool any = false;

	for (unsigned i = 0; i < r->tries.nr; i++) {
		struct doctor_try *t = &r->tries.at[i];
		size_t len = strlen(t->event);

		if (t->error != EPERM)
			continue;
		snprintf(t->event + len, sizeof(t->event) - len, ",usr");
		t->error = 0;
		any = true;
	}
	return any;
}

/* Software events show which privileges the user has. */
static void try_software(struct plan *p)
{
	struct doctor_result *r = &p->d->rows[DOCTOR_ROW_SOFTWARE];

	try_kind(p, DOCTOR_ROW_SOFTWARE, LIST_SOFT);
	if (!user_mode(r))
		return;
	p->suffix = ",usr";
	attempt(p, r);
	p->denied = !r->worked;
	if (p->denied)
		answer_kind(p, r);
	else
		answer(p, r, DOCTOR_YES, "%zu of %zu, in user mode alone (without root)", r->worked,
		       r->tries.nr);
}

/*
 * The machine does not report which selectors a CPU has.  Try the small numbers, and numbers with
 * one higher bit set: CPUs with groups of events use these.
 */
static void try_raw(struct plan *p)
{
	struct doctor_result *r = &p->d->rows[DOCTOR_ROW_RAW];
	unsigned first = 0;

	switch (p->d->known.arch) {
	case DOCTOR_RISCV:
		for (unsigned n = 1; n <= RAW_TRIED; n++)
			add(p, r, DOCTOR_PROBE, "raw=0x%x%s", n, p->suffix);
		for (unsigned bit = 10; bit < 32; bit++)
			for (unsigned group = 0; group < 3; group++)
				add(p, r, DOCTOR_PROBE, "raw=0x%x%s", 1u << bit | group, p->suffix);
		break;
	case DOCTOR_X86: /* architectural event: instructions retired */
		add(p, r, DOCTOR_COUNT, "raw=0xc0%s", p->suffix);
		break;
	case DOCTOR_ARM:
		add(p, r, DOCTOR_COUNT, "raw=0x8%s", p->suffix);
		break;
	case DOCTOR_OTHER:
		break;
	}
	attempt(p, r);
	while (first < r->tries.nr && r->tries.at[first].error)
		first++;
	if (!r->tries.nr)
		answer(p, r, DOCTOR_NOT_TRIED, "no selector of this CPU is known");
	else if (r->worked)
		answer(p, r, DOCTOR_YES,
		       "%zu of %zu selectors that were tried have a counter, from %.*s on",
		       r->worked, r->tries.nr, (int)strcspn(r->tries.at[first].event, ","),
		       r->tries.at[first].event);
	else
		answer_kind(p, r);
}

static void try_given(struct plan *p, char *const *given, int nr)
{
	struct doctor_result *r = &p->d->rows[DOCTOR_ROW_GIVEN];

	for (int i = 0; i < nr; i++)
		add(p, r, DOCTOR_COUNT, "%s", given[i]);
	attempt(p, r);
	answer_kind(p, r);
}

static bool counted(const struct plan *p, const char *event, uint64_t *value)
{
	const struct doctor_result *r = &p->d->rows[DOCTOR_ROW_GENERAL];
	size_t len = strlen(event);

	for (unsigned i = 0; i < r->tries.nr; i++) {
		const struct doctor_try *t = &r->tries.at[i];

		if (!strncmp(t->event, event, len) && strcspn(t->event, ",") == len && !t->error) {
			*value = t->value;
			return true;
		}
	}
	return false;
}

static void choose_base(struct plan *p)
{
	static const char *const events[] = { "HW_INSTRUCTIONS", "HW_CPU_CYCLES" };
	struct doctor_result *r = &p->d->rows[DOCTOR_ROW_GENERAL];

	for (unsigned i = 0; i < 2 && !*p->base; i++) {
		if (counted(p, events[i], &p->base_value))
			snprintf(p->base, sizeof(p->base), "%s", events[i]);
	}
	/* A round has at least two instructions, and no hart retires eight per cycle. */
	if (*p->base && p->base_value < DOCTOR_ROUNDS / 4)
		answer(p, r, DOCTOR_PARTLY,
		       "%s says %llu of a loop of %d rounds: it does not count", p->base,
		       (unsigned long long)p->base_value, DOCTOR_ROUNDS);
}

/*
 * Uses of an event
 */

/* Tries the base event in one way.  Returns the result, or NULL after setting the row's answer. */
static const struct doctor_try *try_use(struct plan *p, enum doctor_row row, enum doctor_way way,
					const char *suffix)
{
	struct doctor_result *r = &p->d->rows[row];

	if (!*p->base) {
		answer(p, r, DOCTOR_NOT_TRIED, "no event of hardware counts");
		return NULL;
	}
	add(p, r, way, "%s%s", p->base, suffix);
	attempt(p, r);
	if (r->worked)
		return r->tries.at;
	answer(p, r, refusal(p, r), "%s", r->tries.nr ? r->tries.at[0].text : "out of memory");
	return NULL;
}

static void try_many(struct plan *p)
{
	const struct doctor_try *t = try_use(p, DOCTOR_ROW_MANY, DOCTOR_MANY, p->suffix);

	if (t)
		answer(p, &p->d->rows[DOCTOR_ROW_MANY], DOCTOR_YES, "%llu, with %s on each",
		       (unsigned long long)t->value, p->base);
}

static void try_read(struct plan *p)
{
	const struct doctor_try *t = try_use(p, DOCTOR_ROW_READ, DOCTOR_USER, p->suffix);

	if (t)
		answer(p, &p->d->rows[DOCTOR_ROW_READ], DOCTOR_YES,
		       "%s is on counter %llu of %u bits", p->base, (unsigned long long)t->value,
		       t->width);
}

/* The lowest count of the base event that the loop causes in user mode. */
static uint64_t loop_value(const struct plan *p)
{
	return strcmp(p->base, "HW_INSTRUCTIONS") ? p->base_value / 2 : 2 * DOCTOR_ROUNDS;
}

static void try_modes(struct plan *p)
{
	const struct doctor_try *usr = try_use(p, DOCTOR_ROW_USR, DOCTOR_COUNT, ",usr");
	const struct doctor_try *os = try_use(p, DOCTOR_ROW_OS, DOCTOR_COUNT, ",os");

	if (usr)
		answer(p, &p->d->rows[DOCTOR_ROW_USR], DOCTOR_YES, "%llu of a loop in user mode",
		       (unsigned long long)usr->value);
	if (!os)
		return;
	if (os->value < loop_value(p))
		answer(p, &p->d->rows[DOCTOR_ROW_OS], DOCTOR_YES, "%llu of the same loop",
		       (unsigned long long)os->value);
	else
		answer(p, &p->d->rows[DOCTOR_ROW_OS], DOCTOR_PARTLY,
		       "%llu of a loop that is in user mode: the filter is ignored",
		       (unsigned long long)os->value);
}

static void try_sampling(struct plan *p)
{
	const struct doctor_try *t = try_use(p, DOCTOR_ROW_SAMPLE, DOCTOR_SAMPLE, p->suffix);
	struct doctor_result *r = &p->d->rows[DOCTOR_ROW_SAMPLE];
	unsigned long long want = p->base_value * (DOCTOR_SAMPLE_ROUNDS / DOCTOR_ROUNDS) /
				  DOCTOR_PERIOD;

	if (!t)
		return;
	if (t->value == 0)
		answer(p, r, DOCTOR_NO, "%s opens, and takes no sample of some %llu", p->base,
		       want);
	else if (t->value < want / 2 || t->value > want * 2)
		answer(p, r, DOCTOR_PARTLY, "%s: %llu samples, where its count makes some %llu",
		       p->base, (unsigned long long)t->value, want);
	else
		answer(p, r, DOCTOR_YES, "%s: %llu samples of some %llu", p->base,
		       (unsigned long long)t->value, want);
}

static void try_system(struct plan *p)
{
	const struct doctor_try *t = try_use(p, DOCTOR_ROW_SYSTEM, DOCTOR_SYSTEM, "");

	if (t)
		answer(p, &p->d->rows[DOCTOR_ROW_SYSTEM], DOCTOR_YES, "%s of CPU 0: %llu", p->base,
		       (unsigned long long)t->value);
}

void doctor_try_all(struct doctor *d, char *const *given, int nr)
{
	struct plan p = { .d = d, .suffix = "" };

	try_software(&p);
	try_kind(&p, DOCTOR_ROW_GENERAL, LIST_GENERAL);
	try_kind(&p, DOCTOR_ROW_CACHE, LIST_CACHE);
	try_raw(&p);
	if (d->known.arch == DOCTOR_RISCV)
		try_kind(&p, DOCTOR_ROW_FIRMWARE, LIST_FIRMWARE);
	else
		answer(&p, &d->rows[DOCTOR_ROW_FIRMWARE], DOCTOR_NOT_TRIED,
		       "only RISC-V's firmware counts");
	if (nr)
		try_given(&p, given, nr);
	else
		answer(&p, &d->rows[DOCTOR_ROW_GIVEN], DOCTOR_NOT_TRIED, "none was named");
	choose_base(&p);
	try_many(&p);
	try_read(&p);
	try_modes(&p);
	try_sampling(&p);
	try_system(&p);
}
