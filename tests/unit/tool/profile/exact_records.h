/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_records.h - writes the records of an exact profile with one hart and a few events
 * (include/holter/exact_format.h), and loads it.
 */
#ifndef EXACT_RECORDS_H
#define EXACT_RECORDS_H

#include <stdarg.h>

#include "exact_load.h"
#include "exact_made.h"
#include "tap.h"

#define EVENTS	3 /* cycles, instructions, misses */
#define SATP(n) (0x8000000000080000ull + (n))
#define KERNEL	0xffffffff80001000ull

/* The events, a second name for two of them, and harts. */
static inline void make_head(struct made *m, unsigned notes, ...)
{
	va_list args;

	m->len = 0;
	made_number(m, notes);
	va_start(args, notes);
	for (unsigned n = 0; n < 2 * notes; n++)
		made_text(m, va_arg(args, const char *));
	va_end(args);
	made_number(m, 1);
	made_number(m, EVENTS);
	made_text(m, "cycles");
	made_number(m, 1);
	made_text(m, "instructions");
	made_number(m, 1);
	made_text(m, "misses");
	made_number(m, 1);
	made_number(m, 1);
	made_text(m, "some");
	made_numbers(m, 2, 0, 2);
}

/* For each mode of the one hart. */
static inline void make_end(struct made *m, const uint64_t total[4][EVENTS])
{
	made_number(m, 0);
	for (unsigned n = 0; n < 4 * EVENTS; n++)
		made_number(m, total[n / EVENTS][n % EVENTS]);
}

static inline void space(struct made *m, unsigned mode, uint64_t satp)
{
	made_numbers(m, 1, 0, mode, satp);
}

/* kind: 4 kernel threads, 5 interrupts, 6 what starts the command */
static inline void space_of_none(struct made *m, unsigned kind, unsigned mode, uint64_t satp)
{
	made_numbers(m, kind, 0, mode, satp);
}

static inline void page(struct made *m, uint64_t va, uint64_t content)
{
	made_numbers(m, 2, va >> 12, 1, content);
}

static inline void insn_raw(struct made *m, unsigned half_words, uint32_t raw, uint64_t cycles,
			    uint64_t instructions)
{
	made_numbers(m, 3, half_words, raw, 2, 0, cycles, 1, instructions);
}

/* cycles and instructions */
static inline void insn(struct made *m, unsigned half_words, uint64_t cycles, uint64_t instructions)
{
	insn_raw(m, half_words, 0x13, cycles, instructions);
}

/* A small file that has one of everything. */
static inline void make_small(struct made *m)
{
	static const uint64_t total[4][EVENTS] = { { 5, 3, 9 }, { 300, 200, 0 } };

	make_head(m, 1, "cpu", "small");
	space(m, 0, SATP(0));
	page(m, 0x1000, 77);
	insn(m, 0, 4, 2);
	made_numbers(m, 3, 2047, 0x13, 3, 0, 1, 1, 1, 2, 9);
	space(m, 1, SATP(0));
	made_numbers(m, 2, KERNEL >> 12, 0);
	insn(m, 3, 300, 200);
	make_end(m, total);
}

/* Loads what was made, which is right. */
static inline struct profile *made_load(const struct made *m, const struct exact_load_options *o)
{
	struct profile *p = profile_new();
	struct error_text why;
	size_t len;
	uint8_t *file = made_file(m->at, m->len, &len);

	ok(exact_load(p, file, len, o, &why));
	is_str(why.text, "");
	ok(profile_pack(p)); /* for profile_weight() */
	free(file);
	return p;
}

#endif
