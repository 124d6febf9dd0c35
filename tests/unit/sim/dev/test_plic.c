/* SPDX-License-Identifier: BSD-2-Clause */
/* test_plic.c - the PLIC: priorities, thresholds, claims, levels. */
#include "dev_board.h"
#include "tap.h"

#define HARTS		  2
/* Contexts: 2 * hart is M, 2 * hart + 1 S. */
#define ENABLE(ctx, word) (0x2000 + 0x80 * (ctx) + 4 * (word))
#define THRESHOLD(ctx)	  (0x200000 + 0x1000 * (ctx))
#define CLAIM(ctx)	  (THRESHOLD(ctx) + 4)

static struct fake f;

static struct device *make(void)
{
	struct irq meip[HARTS], seip[HARTS];

	fake_init(&f);
	for (unsigned i = 0; i < HARTS; i++) {
		meip[i] = fake_irq(&f, 2 * i);
		seip[i] = fake_irq(&f, 2 * i + 1);
	}
	return plic_create(&f.board, HARTS, meip, seip);
}

static void end(struct device *d)
{
	d->destroy(d);
	ok(fake_end(&f));
}

static void raise_line(struct device *d, unsigned num, bool level)
{
	struct irq line = plic_line(d, num);

	irq_set(&line, level);
}

static void one_source(void)
{
	struct device *d = make();

	wr(d, 4 * 10, 4, 1);
	wr(d, ENABLE(1, 0), 4, 1 << 10);
	raise_line(d, 10, true);
	ok(f.line[1] && !f.line[0] && !f.line[2] && !f.line[3]);
	is(rd(d, 0x1000, 4), 1 << 10);
	is(rd(d, CLAIM(0), 4), 0);
	is(rd(d, CLAIM(1), 4), 10);
	is(rd(d, 0x1000, 4), 0);
	ok(!f.line[1]);
	is(rd(d, CLAIM(1), 4), 0);
	/* The level is still high at completion: it pends again. */
	wr(d, CLAIM(1), 4, 10);
	ok(f.line[1]);
	is(rd(d, CLAIM(1), 4), 10);
	raise_line(d, 10, false);
	wr(d, CLAIM(1), 4, 10);
	ok(!f.line[1]);
	end(d);
}

static void a_request_stays(void)
{
	struct device *d = make();

	wr(d, 4 * 3, 4, 1);
	wr(d, ENABLE(0, 0), 4, 1 << 3);
	raise_line(d, 3, true);
	raise_line(d, 3, false);
	ok(f.line[0]);
	is(rd(d, CLAIM(0), 4), 3);
	/* A pulse between claim and completion does not make a second request. */
	raise_line(d, 3, true);
	raise_line(d, 3, false);
	wr(d, CLAIM(0), 4, 3);
	ok(!f.line[0]);
	end(d);
}

static void priorities(void)
{
	struct device *d = make();

	for (unsigned i = 1; i <= 96; i++) {
		wr(d, 4 * i, 4, i == 96 ? 0xff : i == 40 ? 7 : 2);
		raise_line(d, i, true);
	}
	for (unsigned w = 0; w < 4; w++)
		wr(d, ENABLE(2, w), 4, 0xffffffff);
	is(rd(d, ENABLE(2, 0), 4), 0xfffffffe);
	is(rd(d, ENABLE(2, 3), 4), 1);
	is(rd(d, 4 * 96, 4), 7);
	is(rd(d, CLAIM(2), 4), 40);
	is(rd(d, CLAIM(2), 4), 96);
	is(rd(d, CLAIM(2), 4), 1);
	is(rd(d, CLAIM(2), 4), 2);
	/* The threshold blocks the line, but not a claim. */
	ok(f.line[2]);
	wr(d, THRESHOLD(2), 4, 2);
	is(rd(d, THRESHOLD(2), 4), 2);
	ok(!f.line[2]);
	is(rd(d, CLAIM(2), 4), 3);
	wr(d, CLAIM(2), 4, 40);
	ok(f.line[2]);
	/* Priority 0 never interrupts. */
	wr(d, 4 * 40, 4, 0);
	ok(!f.line[2]);
	end(d);
}

static void completion_by_whom(void)
{
	struct device *d = make();

	wr(d, 4 * 5, 4, 1);
	wr(d, ENABLE(0, 0), 4, 1 << 5);
	raise_line(d, 5, true);
	is(rd(d, CLAIM(0), 4), 5);
	wr(d, CLAIM(1), 4, 5); /* not enabled there */
	wr(d, CLAIM(0), 4, 97); /* no such source */
	wr(d, CLAIM(0), 4, 0xffffffff);
	ok(!f.line[0]);
	wr(d, CLAIM(0), 4, 5);
	ok(f.line[0]);
	end(d);
}

static void outside(void)
{
	struct device *d = make();
	static const uint32_t at[] = { 0,
				       4 * 97,
				       0xffc,
				       0x1010,
				       ENABLE(0, 4),
				       ENABLE(4, 0),
				       ENABLE(600, 0),
				       0x1ffffc,
				       THRESHOLD(4),
				       CLAIM(4),
				       0x200008,
				       0x5ffffc };

	for (unsigned i = 0; i < TAP_NR(at); i++) {
		tap_context("offset %x", at[i]);
		wr(d, at[i], 4, 0xffffffff);
		is(rd(d, at[i], 4), 0);
	}
	ok(!plic_line(d, 0).set);
	ok(!plic_line(d, 97).set);
	end(d);
}

static void snapshot(void)
{
	struct device *d = make();

	wr(d, 4 * 5, 4, 1);
	wr(d, 4 * 6, 4, 1);
	wr(d, ENABLE(0, 0), 4, 3 << 5);
	raise_line(d, 5, true);
	is(rd(d, CLAIM(0), 4), 5);
	ok(fake_save(&f, d));
	d->reset(d);
	wr(d, CLAIM(0), 4, 5);
	raise_line(d, 5, false);
	ok(fake_restore(&f, d));
	ok(!f.line[0]);
	raise_line(d, 6, true);
	ok(f.line[0]);
	is(rd(d, CLAIM(0), 4), 6);
	wr(d, CLAIM(0), 4, 5);
	is(rd(d, CLAIM(0), 4), 5);
	f.shot_len = 3;
	ok(!fake_restore(&f, d));
	end(d);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a source is claimed, completed, and comes again", one_source },
		{ "a request stays until it is claimed", a_request_stays },
		{ "priorities and thresholds", priorities },
		{ "only a context that has it enabled completes", completion_by_whom },
		{ "other addresses have no register", outside },
		{ "state survives a snapshot", snapshot },
	};

	return tap_run(cases, TAP_NR(cases));
}
