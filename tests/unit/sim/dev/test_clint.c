/* SPDX-License-Identifier: BSD-2-Clause */
/* test_clint.c - the CLINT: software interrupts, timers, mtime. */
#include "dev_board.h"
#include "tap.h"

#define HARTS	3
#define MSIP(h) (4 * (h))
#define CMP(h)	(0x4000 + 8 * (h))
#define MTIME	0xbff8

static struct fake f;

static struct device *make(void)
{
	struct irq msip[HARTS], mtip[HARTS];

	fake_init(&f);
	for (unsigned i = 0; i < HARTS; i++) {
		msip[i] = fake_irq(&f, i);
		mtip[i] = fake_irq(&f, 32 + i);
	}
	return clint_create(&f.board, HARTS, msip, mtip);
}

static void end(struct device *d)
{
	d->destroy(d);
	ok(fake_end(&f));
}

static void software_interrupts(void)
{
	struct device *d = make();

	for (unsigned i = 0; i < HARTS; i++)
		ok(!f.line[i] && !f.line[32 + i]);
	wr(d, MSIP(1), 4, 0xffffffff);
	is(rd(d, MSIP(1), 4), 1);
	ok(!f.line[0] && f.line[1] && !f.line[2]);
	wr(d, MSIP(1), 4, 0xfffffffe);
	ok(!f.line[1]);
	/* There is no hart after the last one. */
	wr(d, MSIP(HARTS), 4, 1);
	is(rd(d, MSIP(HARTS), 4), 0);
	is(rd(d, 0xfffc, 4), 0);
	end(d);
}

static void timer(void)
{
	struct device *d = make();

	is(rd(d, CMP(0), 8), UINT64_MAX);
	wr(d, CMP(0), 8, 1000);
	wr(d, CMP(2), 8, 500);
	fake_time(&f, 49999);
	is(rd(d, MTIME, 8), 499);
	ok(!f.line[34]);
	fake_time(&f, 50000);
	is(clint_time(d), 500);
	ok(f.line[34] && !f.line[32]);
	fake_time(&f, 100000);
	ok(f.line[34] && f.line[32] && !f.line[33]);
	wr(d, CMP(0), 8, 2000);
	ok(!f.line[32]);
	/* Halves, as RV32 writes them: -1 into the low word, then high, then low. */
	wr(d, CMP(1), 4, 0xffffffff);
	wr(d, CMP(1) + 4, 4, 0);
	wr(d, CMP(1), 4, 1001);
	is(rd(d, CMP(1), 8), 1001);
	is(rd(d, CMP(1) + 4, 4), 0);
	fake_time(&f, 100100);
	ok(f.line[33]);
	is(f.raised[33], 1);
	end(d);
}

/* A hart writes its mtimecmp, and another hart, whose turn comes later, is behind. */
static void each_hart_has_its_time(void)
{
	struct device *d = make();

	fake_time(&f, 40000);
	f.behind[1] = 5000;
	wr(d, CMP(1), 8, 390);
	ok(!f.line[33]); /* its time is 350 ticks */
	wr(d, CMP(0), 8, 400);
	ok(f.line[32] && !f.line[33]);
	f.behind[1] = 1000;
	wr(d, CMP(2), 8, 400);
	ok(f.line[32] && f.line[33] && f.line[34]);
	end(d);
}

static void time_can_be_set(void)
{
	struct device *d = make();

	fake_time(&f, 1000000);
	wr(d, CMP(0), 8, 0x100000000);
	wr(d, MTIME + 4, 4, 1);
	is(rd(d, MTIME, 8), 0x100000000 + 10000);
	ok(f.line[32]);
	wr(d, MTIME, 8, 5);
	ok(!f.line[32]);
	is(clint_when(d, 5), 0);
	is(clint_when(d, 6), 1000100);
	is(clint_when(d, UINT64_MAX), UINT64_MAX);
	is(rd(d, MTIME, 4), 5);
	end(d);
}

static void snapshot(void)
{
	struct device *d = make();

	wr(d, MSIP(2), 4, 1);
	wr(d, CMP(1), 8, 700);
	wr(d, MTIME, 8, 100);
	ok(fake_save(&f, d));
	d->reset(d);
	ok(!f.line[2]);
	ok(fake_restore(&f, d));
	ok(f.line[2]);
	fake_time(&f, 59999);
	ok(!f.line[33]);
	fake_time(&f, 60000);
	ok(f.line[33]);
	f.shot_len--;
	ok(!fake_restore(&f, d));
	ok(!f.line[33] && !f.line[2]);
	end(d);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "msip raises a hart's line", software_interrupts },
		{ "mtimecmp raises the timer's line at its tick", timer },
		{ "a timer's line follows the time of its hart", each_hart_has_its_time },
		{ "mtime can be set", time_can_be_set },
		{ "state survives a snapshot, a short one is refused", snapshot },
	};

	return tap_run(cases, TAP_NR(cases));
}
