// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_compare.c - the distance between samples and the exact counts, computed by hand.
 */
#include <math.h>
#include <stdlib.h>

#include "compare.h"
#include "tap.h"

#define KERNEL 0xffffffff80000000ull

struct count {
	const char *comm;
	uint64_t addr; /* from KERNEL on: addresses of the kernel */
	uint64_t weight[2], samples[2]; /* by event */
};

/* /bin/a has f, g, h and i, 16 bytes each; the kernel has k. */
static struct report *make(const char *const events[2], bool exact, const struct count *counts,
			   size_t nr)
{
	static const struct report_options o = { .symfs = "" };
	static const char *const names[] = { "f", "g", "h", "i" };
	struct report *r = calloc(1, sizeof(*r));
	uint32_t kernel, user;

	r->o = &o;
	r->p = profile_new();
	for (unsigned e = 0; e < 2; e++)
		profile_add_event(r->p, events[e], exact);
	ok(profile_add_kallsyms(r->p, "ffffffff80000000 T k\n", 21));
	kernel = profile_find_kernel(r->p, KERNEL);
	user = profile_add_object(r->p, PROFILE_USER, "/bin/a", NULL, 0);
	for (unsigned i = 0; i < TAP_NR(names); i++)
		symbols_add(&r->p->objects.at[user].symbols, 16 * i, 16, names[i], 1,
			    SYMBOL_GLOBAL);
	symbols_sort(&r->p->objects.at[user].symbols);
	for (size_t i = 0; i < nr; i++) {
		uint32_t process = profile_add_process(r->p, 1, counts[i].comm);
		uint32_t place = profile_add_place(r->p, process,
						   counts[i].addr < KERNEL ? user : kernel,
						   counts[i].addr);
		uint32_t stack = profile_add_stack(r->p, place, PROFILE_NONE);

		for (uint32_t e = 0; e < 2; e++)
			profile_add(r->p, stack, e, counts[i].weight[e], counts[i].samples[e]);
	}
	ok(report_resolve(r));
	return r;
}

static struct report *make_exact(void)
{
	static const char *const events[] = { "cycles", "instructions" };
	static const struct count counts[] = {
		{ "a", 0, { 400, 10 }, { 0 } },	      { "a", 4, { 200, 10 }, { 0 } },
		{ "a", 16, { 300, 0 }, { 0 } },	      { "a", 32, { 100, 60 }, { 0 } },
		{ "a", KERNEL, { 1000, 20 }, { 0 } }, { "b", 0, { 5000, 5000 }, { 0 } },
	};

	return make(events, true, counts, TAP_NR(counts));
}

static struct report *make_samples(void)
{
	static const char *const events[] = { "instructions", "cycles:u" };
	static const struct count counts[] = {
		{ "a", 8, { 40, 70 }, { 4, 7 } },	  { "a", 20, { 0, 20 }, { 0, 2 } },
		{ "a", 50, { 0, 10 }, { 0, 1 } },	  { "a", 34, { 50, 0 }, { 5, 0 } },
		{ "a", KERNEL + 8, { 10, 0 }, { 1, 0 } },
	};

	return make(events, false, counts, TAP_NR(counts));
}

static void is_row(const struct comparison *c, const char *symbol, uint64_t exact, uint64_t sampled,
		   uint64_t samples)
{
	size_t n = 0;

	tap_context("%s", symbol);
	while (n < c->rows.nr && strcmp(c->rows.at[n].symbol, symbol) != 0)
		n++;
	ok(n < c->rows.nr);
	if (n == c->rows.nr)
		return;
	is(c->rows.at[n].exact, exact);
	is(c->rows.at[n].sampled, sampled);
	is(c->rows.at[n].samples, samples);
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

/* The mean of |k / n - p|, if k of n samples are in a function with a share of p. */
static double off(double p, unsigned n)
{
	double chance = pow(1 - p, n), sum = 0;

	for (unsigned k = 0; k <= n; k++) {
		sum += chance * fabs((double)k / n - p);
		chance *= p / (1 - p) * (n - k) / (k + 1);
	}
	return sum;
}

/*
 * One sample of four functions: three quarters of its weight are elsewhere, whichever function has
 * it.
 */
static void one_sample(void)
{
	static const char *const events[] = { "cycles", "none" };
	static const struct count happened[] = {
		{ "a", 0, { 7 }, { 0 } },
		{ "a", 16, { 7 }, { 0 } },
		{ "a", 32, { 7 }, { 0 } },
		{ "a", 48, { 7 }, { 0 } },
	};
	static const struct count sampled[] = { { "a", 32, { 100 }, { 1 } } };
	struct report *exact = make(events, true, happened, TAP_NR(happened));
	struct report *samples = make(events, false, sampled, TAP_NR(sampled));
	struct comparison c;

	ok(compare(exact, 0, samples, 0, &c));
	is(c.samples, 1);
	ok(near(c.distance, 0.75));
	ok(near(c.by_chance, 0.75));
	compare_free(&c);
	report_free(exact);
	report_free(samples);
}

/*
 * Shares: f 0.6 and 0.7, g 0.3 and 0.2, h 0.1 and none, i none and 0.1; half of the sum of the
 * differences is 0.2.  The kernel is not in cycles:u, and b has no samples.
 */
static void programs_alone(void)
{
	struct report *exact = make_exact(), *samples = make_samples();
	struct comparison c;

	ok(compare(exact, 0, samples, 1, &c));
	is(c.rows.nr, 4);
	is_row(&c, "f", 600, 70, 7);
	is_row(&c, "g", 300, 20, 2);
	is_row(&c, "h", 100, 0, 0);
	is_row(&c, "i", 0, 10, 1);
	is_str(c.rows.at[0].symbol, "f");
	is(c.exact, 1000);
	is(c.sampled, 100);
	is(c.samples, 10);
	ok(near(c.distance, 0.2));
	ok(near(c.by_chance, (off(0.6, 10) + off(0.3, 10) + off(0.1, 10)) / 2));
	compare_free(&c);
	report_free(exact);
	report_free(samples);
}

/* f 0.2 and 0.4, h 0.6 and 0.5, k 0.2 and 0.1: 0.2 again. */
static void with_the_kernel(void)
{
	struct report *exact = make_exact(), *samples = make_samples();
	struct comparison c;

	ok(compare(exact, 1, samples, 0, &c));
	is(c.rows.nr, 3);
	is_row(&c, "f", 20, 40, 4);
	is_row(&c, "h", 60, 50, 5);
	is_row(&c, "k", 20, 10, 1);
	is(c.exact, 100);
	ok(near(c.distance, 0.2));
	compare_free(&c);
	report_free(exact);
	report_free(samples);
}

/* Everywhere one sample for ten events: the distance is 0. */
static void all_alike(void)
{
	static const char *const events[] = { "cycles", "none" };
	static const struct count counts[] = {
		{ "a", 0, { 600, 0 }, { 6, 0 } },
		{ "a", 16, { 300, 0 }, { 3, 0 } },
		{ "a", KERNEL, { 100, 0 }, { 1, 0 } },
	};
	struct report *exact = make(events, true, counts, TAP_NR(counts));
	struct report *samples = make(events, false, counts, TAP_NR(counts));
	struct comparison c;

	ok(compare(exact, 0, samples, 0, &c));
	ok(near(c.distance, 0));
	ok(c.by_chance > 0.1);
	compare_free(&c);
	ok(compare(exact, 1, samples, 1, &c));
	is(c.rows.nr, 0);
	is(c.samples, 0);
	compare_free(&c);
	report_free(exact);
	report_free(samples);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "programs alone", programs_alone },
		{ "with the kernel", with_the_kernel },
		{ "no distance", all_alike },
		{ "one sample", one_sample },
	};

	return tap_run(cases, TAP_NR(cases));
}
