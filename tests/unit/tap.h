/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tap.h - unit tests that print TAP (Test Anything Protocol, version 12).
 *
 * A test program is a table of cases; each case is a function that makes checks.  A case is
 * one line of TAP; a check that fails prints where it stands and what it saw, and the case
 * goes on, so that one run shows everything.
 *
 *	static void adds(void)
 *	{
 *		ok(add(1, 1) > 0);		// any condition
 *		is(add(1, 1), 2);		// two numbers, shown if they differ
 *		is_str(name(add), "add");	// two strings
 *	}
 *
 *	int main(void)
 *	{
 *		static const struct tap_case cases[] = {
 *			{ "add adds", adds },
 *		};
 *
 *		return tap_run(cases, TAP_NR(cases));
 *	}
 *
 * In a loop over a table, tap_context("row %d", i) says in front of a failing check which row
 * it was; it holds until the next one, or the end of the case.
 */
#ifndef TAP_H
#define TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct tap_case {
	const char *name;
	void (*run)(void);
};

#define TAP_NR(array) (sizeof(array) / sizeof((array)[0]))

#define ok(condition)	  tap_ok(condition, __FILE__, __LINE__, #condition)
#define is(got, want)	  tap_is((uint64_t)(got), (uint64_t)(want), __FILE__, __LINE__, #got)
#define is_str(got, want) tap_is_str(got, want, __FILE__, __LINE__, #got)

/* The case that runs; weak, so that all files of a program share one. */
__attribute__((weak)) struct tap_state {
	unsigned checks, failed;
	char context[160];
} tap;

__attribute__((format(printf, 1, 2))) static inline void tap_context(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(tap.context, sizeof(tap.context), format, args);
	va_end(args);
}

/* Counts one check.  Of a failed one, prints where; the caller adds what. */
static inline bool tap_check(bool passed, const char *file, int line, const char *what)
{
	tap.checks++;
	if (passed)
		return true;
	tap.failed++;
	printf("# %s:%d: %s%s%s\n", file, line, tap.context, tap.context[0] ? ": " : "", what);
	return false;
}

static inline bool tap_ok(bool passed, const char *file, int line, const char *what)
{
	return tap_check(passed, file, line, what);
}

static inline bool tap_is(uint64_t got, uint64_t want, const char *file, int line, const char *what)
{
	if (tap_check(got == want, file, line, what))
		return true;
	printf("#   got  0x%llx (%lld)\n#   want 0x%llx (%lld)\n", (unsigned long long)got,
	       (long long)got, (unsigned long long)want, (long long)want);
	return false;
}

static inline bool tap_is_str(const char *got, const char *want, const char *file, int line,
			      const char *what)
{
	if (tap_check(got && want ? strcmp(got, want) == 0 : got == want, file, line, what))
		return true;
	printf("#   got  %s\n#   want %s\n", got ? got : "(null)", want ? want : "(null)");
	return false;
}

/* Runs every case; returns what main returns. */
static inline int tap_run(const struct tap_case *cases, size_t nr)
{
	unsigned bad = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%zu\n", nr);
	for (size_t i = 0; i < nr; i++) {
		tap = (struct tap_state){ 0 };
		cases[i].run();
		printf("%sok %zu - %s\n", tap.failed ? "not " : "", i + 1, cases[i].name);
		bad += tap.failed != 0;
	}
	return bad != 0;
}

#endif
