// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_htif.c - the host-target interface: it ends the machine with a status; console, system
 * calls, and requests that are not supported.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "rig.h"

#define TOHOST	 RIG_DATA
#define FROMHOST (RIG_DATA + 64)
#define BLOCK	 (RIG_DATA + 128)
#define TEXT	 (RIG_DATA + 256)

#define CONSOLE (1ull << 56)
#define PUT	(1ull << 48)

static int typed[2], printed[2]; /* pipes: [0] is read from */

static struct machine *create(void)
{
	struct machine_options o = { 0 };
	struct machine *m;

	ok(pipe2(typed, O_NONBLOCK) == 0 && pipe2(printed, O_NONBLOCK) == 0);
	o.console_in = typed[0];
	o.console_out = printed[1];
	m = rig_create(&o);
	htif_find(m, TOHOST, FROMHOST);
	RIG_CODE(m, RAM_BASE, jal(ZERO, 0));
	return m;
}

static void destroy(struct machine *m)
{
	machine_destroy(m);
	for (unsigned n = 0; n < 2; n++) {
		if (typed[n] >= 0)
			close(typed[n]);
		close(printed[n]);
	}
}

static uint64_t *word(struct machine *m, uint64_t pa)
{
	return cluster_ram(&m->cl, pa, 8);
}

static void put(struct machine *m, uint64_t pa, uint64_t value)
{
	*word(m, pa) = value;
	machine_ram_written(m, pa, 8);
}

static void call(struct machine *m, uint64_t number, uint64_t a, uint64_t b, uint64_t c)
{
	const uint64_t words[] = { number, a, b, c };

	memcpy(word(m, BLOCK), words, sizeof(words));
	put(m, TOHOST, BLOCK);
}

/* What the console has printed since the last call. */
static const char *shown(struct machine *m)
{
	static char text[200];
	ssize_t len;

	machine_pause_at(m, m->now + 3000000);
	machine_run(m);
	len = read(printed[0], text, sizeof(text) - 1);
	text[len > 0 ? len : 0] = 0;
	return text;
}

static void exits(void)
{
	static const struct {
		uint64_t word;
		int status;
	} cases[] = { { 1, 0 }, { 3, 1 }, { 1337 << 1 | 1, 1337 & 255 }, { 256 << 1 | 1, 255 } };

	for (unsigned n = 0; n < TAP_NR(cases); n++) {
		struct machine *m = create();

		tap_context("%llx", (unsigned long long)cases[n].word);
		put(m, TOHOST, cases[n].word);
		ok(m->cl.finished && !m->stuck);
		is(m->status, cases[n].status);
		destroy(m);
	}
	for (int status = 0; status < 2; status++) {
		struct machine *m = create();

		call(m, 93, status * 9, 0, 0);
		ok(m->cl.finished && !m->stuck);
		is(m->status, status * 9);
		destroy(m);
	}
}

static void console_out(void)
{
	struct machine *m = create();

	put(m, TOHOST, CONSOLE | PUT | 'A'); /* odd: not an exit */
	put(m, TOHOST, CONSOLE | PUT | 'B');
	ok(!m->cl.finished);
	is(*word(m, TOHOST), 0);
	is(*word(m, FROMHOST), 0);
	is_str(shown(m), "AB");
	destroy(m);
}

static void console_in(void)
{
	struct machine *m = create();

	put(m, TOHOST, CONSOLE);
	is(*word(m, FROMHOST), 0);
	is_str(shown(m), "");
	is(*word(m, FROMHOST), 0);
	is(write(typed[1], "xyz", 3), 3);
	shown(m);
	is(*word(m, FROMHOST), CONSOLE | 0x100 | 'x');
	/* the next answer waits until the guest has taken this one */
	put(m, TOHOST, CONSOLE);
	is(*word(m, FROMHOST), CONSOLE | 0x100 | 'x');
	put(m, FROMHOST, 0);
	is(*word(m, FROMHOST), CONSOLE | 0x100 | 'y');
	destroy(m);
}

static void end_of_input(void)
{
	static const char *const text[] = { "", "z" };

	for (unsigned n = 0; n < TAP_NR(text); n++) {
		struct machine *m = create();

		tap_context("input %s", text[n]);
		is(write(typed[1], text[n], n), n);
		close(typed[1]);
		typed[1] = -1;
		if (n) {
			put(m, TOHOST, CONSOLE);
			shown(m);
			is(*word(m, FROMHOST), CONSOLE | 0x100 | 'z');
			put(m, FROMHOST, 0);
			ok(!m->cl.finished);
		}
		put(m, TOHOST, CONSOLE);
		shown(m);
		ok(m->cl.finished && m->stuck && strstr(m->stuck, "the input has ended"));
		is(m->status, 1);
		is(*word(m, FROMHOST), 0);
		destroy(m);
	}
}

static unsigned warnings;
static char warning[200];

static void note_warning(struct machine *m, const char *line)
{
	warnings++;
	snprintf(warning, sizeof(warning), "%s", line);
}

static void failed_writes(void)
{
	static const struct {
		uint64_t fd, pa, len, result;
		const char *line;
	} rows[] = {
		{ 5, TEXT, 6, -9,
		  "tohost: SYS_write of 0x6 bytes at 0x80100100 to 0x5: only 1 and 2 are open" },
		{ 1, 0x10, UINT64_MAX, -14,
		  "tohost: SYS_write of 0xffffffffffffffff bytes at 0x10 to 0x1: they are not all "
		  "in RAM" },
		{ 2, RAM_BASE, 0xffffffff80000010, -14,
		  "tohost: SYS_write of 0xffffffff80000010 bytes at 0x80000000 to 0x2: they are "
		  "not all in RAM" },
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct machine *m = create();

		tap_context("row %u", n);
		m->warn = note_warning;
		warnings = 0;
		for (unsigned i = 0; i < 2; i++) {
			call(m, 64, rows[n].fd, rows[n].pa, rows[n].len);
			is(*word(m, BLOCK), rows[n].result);
			put(m, FROMHOST, 0);
		}
		is(warnings, 1);
		is_str(warning, rows[n].line);
		is_str(shown(m), "");
		ok(!m->cl.finished);
		destroy(m);
	}
}

static void writes(void)
{
	struct machine *m = create();

	memcpy(word(m, TEXT), "hello\n", 6);
	call(m, 64, 1, TEXT, 6);
	is(*word(m, BLOCK), 6);
	is(*word(m, FROMHOST), 1);
	put(m, FROMHOST, 0);
	is_str(shown(m), "hello\n");
	call(m, 64, 7, TEXT, 6);
	is(*word(m, BLOCK), (uint64_t)-9);
	call(m, 64, 1, TEXT, 0);
	is(*word(m, BLOCK), 0);
	/* there is no memory at the address, and across its end */
	call(m, 64, 1, 0x1000, 6);
	is(*word(m, BLOCK), (uint64_t)-14);
	call(m, 64, 1, RAM_BASE + m->cl.ram_size - 3, 6);
	is(*word(m, BLOCK), (uint64_t)-14);
	is_str(shown(m), "");
	ok(!m->cl.finished);
	destroy(m);
}

static void not_served(void)
{
	static const struct {
		uint64_t word;
		const char *line;
	} cases[] = {
		{ 2ull << 56 | 2, "tohost: the command 0x200000000000002 is not served" },
		{ CONSOLE | 7ull << 48, "tohost: the command 0x107000000000000 is not served" },
		{ 3ull << 48 | 1, "tohost: the command 0x3000000000001 is not served" },
		{ 0x1000, "tohost: a block at 0x1000 is not served" },
		{ BLOCK + 4, "tohost: a block at 0x80100084 is not served" },
		{ RAM_BASE + (16 << 20) - 24, "tohost: a block at 0x80ffffe8 is not served" },
		{ BLOCK, "tohost: the system call 0x38 is not served" },
	};

	for (unsigned n = 0; n < TAP_NR(cases); n++) {
		struct machine *m = create();

		tap_context("%llx", (unsigned long long)cases[n].word);
		*word(m, BLOCK) = 0x38;
		put(m, TOHOST, cases[n].word);
		ok(m->cl.finished && m->stuck && strstr(m->stuck, cases[n].line));
		is(m->status, 1);
		destroy(m);
	}
}

/* A store by the guest, on the engine: 'A', then status 5, three instructions later. */
static void by_a_guest(void)
{
	for (unsigned paranoid = 0; paranoid < 2; paranoid++) {
		struct machine_options o = { .paranoid = paranoid };
		struct machine *m = rig_create(&o);
		struct hart *h = m->cl.hart[0];

		htif_find(m, TOHOST, FROMHOST);
		h->x[S0] = TOHOST;
		h->x[T0] = CONSOLE | PUT | 'A';
		h->x[T1] = 5 << 1 | 1;
		RIG_CODE(m, RAM_BASE, sd(T0, 0, S0), ld(T0, 0, S0), sd(T1, 0, S0), jal(ZERO, 0));
		is(machine_run(m), 5);
		is(h->x[T0], 0);
		is(pmu_read(h, COUNTER_IR), 3);
		machine_destroy(m);
	}
}

/* A symbol that is not a whole word of RAM is ignored. */
static void what_is_no_word(void)
{
	struct machine *m = create();

	htif_find(m, 0x1000, FROMHOST);
	is(m->htif.tohost, 0);
	is(m->htif.fromhost, 0);
	htif_find(m, TOHOST, FROMHOST + 4);
	is(m->htif.tohost, TOHOST);
	is(m->htif.fromhost, 0);
	/* the answer has no place, but there is a result */
	call(m, 64, 1, TEXT, 0);
	is(*word(m, BLOCK), 0);
	ok(!m->cl.finished);
	destroy(m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "exits, and their status", exits },
		{ "characters for the console", console_out },
		{ "characters from the console", console_in },
		{ "the end of the input", end_of_input },
		{ "SYS_write", writes },
		{ "SYS_write of what is not there", failed_writes },
		{ "an unsupported request ends the machine with an error", not_served },
		{ "stores of a guest", by_a_guest },
		{ "symbols outside of RAM are ignored", what_is_no_word },
	};

	return tap_run(cases, TAP_NR(cases));
}
