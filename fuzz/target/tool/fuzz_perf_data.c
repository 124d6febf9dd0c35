// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_perf_data.c - any bytes as a perf.data file.
 *
 * Must hold: the reader ends.  If it refuses the file, its error text is one line.  If it accepts
 * the file, all indices in the profile are valid, the callers of each stack end, and the sums are
 * right.
 */
#include "fuzz.h"
#include "perf_reader.h"

static void check(const struct profile *p)
{
	for (uint32_t i = 0; i < p->places.nr; i++) {
		must(p->places.at[i].process < p->processes.nr);
		must(p->places.at[i].object < p->objects.nr);
	}
	for (uint32_t i = 0; i < p->stacks.nr; i++) {
		must(p->stacks.at[i].place < p->places.nr);
		must(p->stacks.at[i].caller < i || p->stacks.at[i].caller == PROFILE_NONE);
	}
	must(p->weights.nr == p->stacks.nr * p->events.nr);
	for (uint32_t e = 0; e < p->events.nr; e++) {
		uint64_t weight = 0, samples = 0;

		for (uint32_t i = 0; i < p->stacks.nr; i++) {
			weight += profile_weight(p, i, e).weight;
			samples += profile_weight(p, i, e).samples;
		}
		must(weight == p->events.at[e].total);
		must(samples == p->events.at[e].samples);
	}
}

static void check_refusal(const struct error_text *why)
{
	must(*why->text && !strchr(why->text, '\n'));
}

/* A simple unwinder: takes the words of the stack for addresses. */
static size_t unwind(void *cookie, const struct perf_copy *c, uint64_t *ips, size_t max)
{
	struct perf_mapped m;
	size_t nr = 0;
	uint64_t addr;

	must(!cookie);
	for (size_t at = 0; nr < max && at + sizeof(addr) <= c->stack_len; at += sizeof(addr)) {
		memcpy(&addr, c->stack + at, sizeof(addr));
		if (perf_copy_mapped(c, addr, &m))
			must(m.start <= addr);
		ips[nr++] = addr;
	}
	return nr;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile *p = profile_new();
	const struct perf_unwinder unwinder = { unwind, NULL };
	struct error_text why = { "" };
	struct perf_reader *r = perf_reader_open(p, data, size, &why);

	if (!r)
		check_refusal(&why);
	else if (perf_reader_run(r, &unwinder, &why))
		check(p);
	else
		check_refusal(&why);
	perf_reader_close(r);
	profile_free(p);
	return 0;
}
