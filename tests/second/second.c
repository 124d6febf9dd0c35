// SPDX-License-Identifier: BSD-2-Clause
/*
 * second.c - a second implementation of the models of a CPU, from holter-model(7) alone.
 *
 *	second TRACE CPU.dtb
 *
 * It reads a recorded trace, holter-trace(5), and the description of the CPU, holter-cpu(7), and
 * computes every event of every hart and mode, and every cycle.  It prints one line for each
 * event of each hart: hart, event, and the counts in M-, S- and U-mode.  tests/second/check
 * compares them with those of `holter run --stats-json` of the same run.
 *
 * It is here to show that the page suffices.  So it shares nothing with sim/ but the format of the
 * trace; who changes it must not look there.  It is simple and slow: plain tables, plain loops, no
 * caches in front of anything.  Each piece of code names the rule of holter-model(7) that it is.
 *
 *	second.c	arguments, records, the result
 *	run.c		ONE INSTRUCTION, FETCHES, LOADS AND STORES, HARTS AND TIME
 *	decode.c	what an instruction is (decode_short.c: compressed ones)
 *	late.c		stores with late data, of window.c and shadow.c
 *	levels.c	CACHES, MEMORY TIME; cache.c one of them, snoop.c those of other harts,
 *			rows.c the open rows of memory, ledger.c BANDWIDTH, replace.c REPLACEMENT,
 *			prefetch.c PREFETCHERS
 *	translate.c	TRANSLATION; tlb.c one TLB
 *	branch.c	BRANCH PREDICTION; tage.c one of the predictors
 *	pipe.c		PIPELINE, in order; window.c out of order
 *	memtime.c	WAITING; shadow.c THE SHADOW OF A MISS
 *	event.h		EVENTS
 *	cpu.c		the description; trace_read.c the trace
 *
 * A trace with records that cannot be by the rules, such as a page walk where a TLB has the page,
 * makes it print a line on standard error for each of the first ones, and end with status 1.
 *
 * Left out: the defaults of boards.
 */
#include <string.h>

#include "room.h"
#include "run.h"

static int fails(const char *file, const char *why)
{
	fprintf(stderr, "second: %s: %s\n", file, why);
	return 2;
}

/* The whole of a small file; ends the program if it cannot be read. */
static void *whole(const char *name, size_t *len)
{
	const size_t most = 1 << 20;
	FILE *f = fopen(name, "rb");
	void *to = room(most, 1);

	if (!f)
		exit(fails(name, "it cannot be opened"));
	*len = fread(to, 1, most, f);
	fclose(f);
	return to;
}

/* The records that belong to an INSN record. */
static bool belongs(unsigned type)
{
	return type == RECORD_WALK || type == RECORD_ACCESS || type == RECORD_CSR ||
	       type == RECORD_FENCE || type == RECORD_EXCEPTION || type == RECORD_VECTOR ||
	       type == RECORD_DIVISION;
}

static void add(struct step *s, const struct trace_record *r)
{
	if (s->n == s->room) {
		struct trace_record *more = room(2 * s->room + 8, sizeof(*more));

		if (s->n)
			memcpy(more, s->more, s->n * sizeof(*more));
		free(s->more);
		s->more = more;
		s->room = 2 * s->room + 8;
	}
	s->more[s->n++] = *r;
}

static void run(struct machine *m, struct trace_reader *t, struct error_text *why)
{
	struct trace_record *r = room(1, sizeof(*r));
	struct step *s = room(1, sizeof(*s));
	bool open = false; /* s has an instruction that was not run yet */

	while (trace_read(t, r, why)) {
		if (open && belongs(r->type)) {
			add(s, r);
			continue;
		}
		if (open)
			run_insn(m, s);
		open = r->type == RECORD_INSN;
		if (open) {
			s->insn = *r;
			s->n = 0;
			s->nr = t->nr - 1;
		} else {
			run_between(m, r, t->nr - 1);
		}
	}
	free(s->more);
	free(s);
	free(r);
}

static void print(const struct machine *m)
{
	static const char *const names[] = {
#define X(name, text) text,
		EVENT_LIST(X)
#undef X
	};

	for (unsigned n = 0; n < m->harts; n++)
		for (unsigned ev = 0; ev < EVENTS; ev++) {
			const uint64_t *of = m->hart[n].totals.of[ev];

			printf("%u %s %llu %llu %llu\n", n, names[ev], (unsigned long long)of[3],
			       (unsigned long long)of[1], (unsigned long long)of[0]);
		}
}

int main(int argc, char **argv)
{
	struct machine m = { 0 };
	struct trace_header header;
	struct error_text why = { "" };
	struct trace_reader t = { 0 };
	size_t len;
	void *dtb;

	if (argc != 3) {
		fprintf(stderr, "usage: second TRACE CPU.dtb\n");
		return 2;
	}
	dtb = whole(argv[2], &len);
	if (!cpu_read(&m.cpu, dtb, len, &why))
		return fails(argv[2], why.text);
	free(dtb);
	t.from = fopen(argv[1], "rb");
	if (!t.from)
		return fails(argv[1], "it cannot be opened");
	if (!trace_read_header(&t, &header, &why))
		return fails(argv[1], why.text);
	machine_init(&m, &header);
	run(&m, &t, &why);
	fclose(t.from);
	if (why.text[0])
		return fails(argv[1], why.text);
	print(&m);
	if (m.complaints)
		fprintf(stderr, "second: %u records cannot be\n", m.complaints);
	machine_free(&m);
	return m.complaints ? 1 : 0;
}
