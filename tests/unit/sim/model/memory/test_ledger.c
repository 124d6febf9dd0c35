// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_ledger.c - the ledger of a shared resource: queues and shares computed by hand, and harts
 * that stream in turns.
 */
#include "ledger.h"
#include "model_rig.h"

#define HARTS 8

static struct ledger make(uint32_t window, uint32_t turn, unsigned harts)
{
	struct ledger_config config = { window, 4096, turn };
	struct ledger l;

	ok(ledger_init(&l, &config, harts));
	return l;
}

static void queue(void)
{
	struct ledger l = make(256, 1000, HARTS);

	/* Eight requests at once, across the end of a window. */
	for (unsigned n = 0; n < 8; n++)
		is(ledger_take(&l, 200, 20, 3), n * 20);
	/* One that comes while they are served waits for the last; a later one does not. */
	is(ledger_take(&l, 350, 20, 3), 10);
	is(ledger_take(&l, 380, 20, 3), 0);
	for (unsigned n = 0; n < 1000; n++)
		is(ledger_take(&l, 1000 + n * 20, 20, 3), 0);
	/* Lines that come faster than they are served. */
	for (unsigned n = 0; n < 1000; n++)
		is(ledger_take(&l, 30000 + n * 19, 20, 3), n);
	is(ledger_take(&l, 60000, 0, 3), 0);
	ledger_free(&l);
}

static void early(void)
{
	struct ledger l = make(256, 1000, 1);

	/* A request in front of one that was served takes the cycles that are left there. */
	is(ledger_take(&l, 1000, 20, 0), 0);
	is(ledger_take(&l, 900, 20, 0), 0);
	is(ledger_take(&l, 910, 20, 0), 10);
	is(ledger_take(&l, 985, 20, 0), 0); /* 985 to 999, and 1020 to 1024 */
	is(ledger_take(&l, 990, 20, 0), 35);
	is(ledger_take(&l, 0, 20, 0), 0);
	ledger_free(&l);
}

static void limits(void)
{
	struct ledger l = make(64, 1000, 2);
	uint64_t far = 4096 * 64;

	/* A queue of LEDGER_WAIT windows is the longest. */
	for (unsigned n = 0; n < 4 * LEDGER_WAIT; n++)
		is(ledger_take(&l, 0, 16, 0), n * 16);
	is(ledger_take(&l, 0, 16, 0), LEDGER_WAIT * 64);
	is(ledger_take(&l, 0, 16, 1), LEDGER_WAIT * 64);
	/* The ring forgets. */
	is(ledger_take(&l, far - 64, 16, 1), 0);
	is(ledger_take(&l, 0, 16, 0), LEDGER_WAIT * 64);
	is(ledger_take(&l, far + 64, 16, 1), 0);
	is(ledger_take(&l, 0, 16, 0), 0);
	is(ledger_take(&l, LEDGER_TIME_MAX, 64, 0), 0);
	is(ledger_take(&l, LEDGER_TIME_MAX, 64, 0), 64);
	is(ledger_take(&l, LEDGER_TIME_MAX + 1, 64, 0), 0);
	is(ledger_take(&l, UINT64_MAX, 64, 0), 0);
	is(ledger_take(&l, far + 64, 16, 1), 0);
	ledger_free(&l);
}

static void shares(void)
{
	struct ledger l = make(256, 10000, 3);

	/* Hart 0 takes the first windows whole; hart 1 waits for it. */
	for (unsigned n = 0; n < 64; n++)
		is(ledger_take(&l, 0, 16, 0), n * 16);
	is(ledger_take(&l, 0, 16, 1), 1024);
	/*
	 * Hart 1 has waited in four windows: 256 * (1 - (7/8)^4) = 105.  It will want as much:
	 * hart 0 leaves it that.
	 */
	is(l.hart[1].wants >> 8, 105);
	for (unsigned n = 0; n < 10; n++)
		is(ledger_take(&l, 1280, 16, 0), n * 16);
	/* 256 - 105 = 151 cycles; the last request has 7 of them, and 9 of the next window. */
	is(ledger_take(&l, 1280, 16, 0), 265);
	/* Hart 2 has served none: hart 1 may take what the window still has. */
	for (unsigned n = 0; n < 6; n++)
		is(ledger_take(&l, 1280, 16, 1), n * 16);
	ledger_free(&l);
}

/*
 * A hart that streams: it has up to depth lines on their way, each of which takes latency cycles
 * after its service.  It asks for the next line when the oldest one has arrived.
 */
struct streamer {
	uint64_t arrives[16], now, lines;
	unsigned depth, latency, cycles;
};

static void ask(struct ledger *l, struct streamer *s, unsigned hart)
{
	uint64_t *oldest = &s->arrives[s->lines++ % s->depth];

	if (s->now < *oldest)
		s->now = *oldest;
	*oldest = s->now + ledger_take(l, s->now, s->cycles, hart) + s->cycles + s->latency;
}

/* Runs the harts in turns until end.  Returns the lines of all. */
static uint64_t stream(struct ledger *l, struct streamer *s, unsigned harts, uint64_t turn,
		       uint64_t from, uint64_t end)
{
	uint64_t lines = 0;

	for (; from < end; from += turn) {
		for (unsigned n = 0; n < harts; n++) {
			uint64_t before = s[n].lines;

			if (s[n].now < from)
				s[n].now = from;
			while (s[n].now < from + turn)
				ask(l, &s[n], n);
			lines += s[n].lines - before;
		}
	}
	return lines;
}

static bool near(uint64_t value, uint64_t want, unsigned percent)
{
	return value * 100 >= want * (100 - percent) && value * 100 <= want * (100 + percent);
}

/* Harts that want more than there is: all get the same, and together they get all. */
static void saturated(void)
{
	static const unsigned turns[] = { 100, 1000, 10000 }, harts[] = { 2, 3, 8 };
	static const struct streamer kinds[] = {
		{ .depth = 8, .latency = 100, .cycles = 10 },
		{ .depth = 2, .latency = 40, .cycles = 40 },
		{ .depth = 16, .latency = 300, .cycles = 16 },
	};

	for (unsigned n = 0; n < 3 * 3 * TAP_NR(kinds); n++) {
		unsigned turn = turns[n % 3], nr = harts[n / 3 % 3];
		struct streamer s[HARTS];
		struct ledger l = make(1024, turn, nr);
		uint64_t begin = 40000, end = begin + 400000, lines, before[HARTS], share;

		tap_context("turns of %u, %u harts, kind %u", turn, nr, n / 9);
		for (unsigned k = 0; k < nr; k++)
			s[k] = kinds[n / 9];
		stream(&l, s, nr, turn, 0, begin);
		for (unsigned k = 0; k < nr; k++)
			before[k] = s[k].lines;
		lines = stream(&l, s, nr, turn, begin, end);
		share = 400000 / s->cycles / nr;
		ok(near(lines * s->cycles, 400000, 1));
		for (unsigned k = 0; k < nr; k++)
			ok(near(s[k].lines - before[k], share, 1));
		ledger_free(&l);
	}
}

/* A hart that needs little, among harts that want everything, does not wait. */
static void light(void)
{
	static const unsigned turns[] = { 100, 1000, 10000 };

	for (unsigned n = 0; n < TAP_NR(turns) * 3; n++) {
		unsigned place = n / 3 * 3; /* of the light hart */
		struct ledger l = make(256, turns[n % 3], HARTS);
		struct streamer s[HARTS];
		uint64_t before[HARTS], lines;

		tap_context("turns of %u, hart %u", turns[n % 3], place);
		for (unsigned k = 0; k < HARTS; k++)
			s[k] = (struct streamer){ .depth = 8, .latency = 100, .cycles = 10 };
		s[place].depth = 1;
		s[place].latency = 140;
		stream(&l, s, HARTS, turns[n % 3], 0, 40000);
		for (unsigned k = 0; k < HARTS; k++)
			before[k] = s[k].lines;
		lines = stream(&l, s, HARTS, turns[n % 3], 40000, 340000);
		ok(near(lines, 30000, 1));
		for (unsigned k = 0; k < HARTS; k++) {
			if (k == place)
				ok(near(s[k].lines - before[k], 2000, 2));
			else
				ok(near(s[k].lines - before[k], 28000 / (HARTS - 1), 8));
		}
		ledger_free(&l);
	}
}

/* Harts of different kinds at random times. */
static uint64_t disturb(struct ledger *l, uint64_t *seed, uint64_t *base)
{
	unsigned hart = rig_random(seed) % l->harts;
	uint64_t at = *base + rig_random(seed) % 20000;

	*base += rig_random(seed) % (hart ? 40 : 60);
	return ledger_take(l, at, rig_random(seed) % 48, hart);
}

static bool save(void *model, const struct stream *s)
{
	return ledger_save(model, s);
}

static bool restore(void *model, const struct stream *s)
{
	return ledger_restore(model, s);
}

static void reset(void *model)
{
	ledger_reset(model);
}

static void snapshots(void)
{
	for (unsigned harts = 1; harts <= HARTS; harts += 3) {
		struct ledger_config config = { 256, 512, 1000 };
		struct ledger l, other;
		struct rig_model m = { &l, save, restore, reset },
				 o = { &other, save, restore, reset };
		uint64_t seed = harts, base = 0, seed2, base2;
		struct bytes b;

		tap_context("%u harts", harts);
		ok(ledger_init(&l, &config, harts) && ledger_init(&other, &config, harts));
		for (unsigned n = 0; n < 20000; n++)
			disturb(&l, &seed, &base);
		ok(rig_hostile(&m, 200) > 50);
		b = rig_save(&m);
		ok(rig_restore(&o, &b, b.len));
		free(b.data);
		seed2 = seed;
		base2 = base;
		for (unsigned n = 0; n < 20000; n++)
			is(disturb(&l, &seed, &base), disturb(&other, &seed2, &base2));
		ledger_free(&other);
		/* Another shape. */
		b = rig_save(&m);
		for (unsigned n = 0; n < 4; n++) {
			config = (struct ledger_config){ n ? 256 : 128, n == 1 ? 1024 : 512,
							 n == 2 ? 999 : 1000 };
			ok(ledger_init(&other, &config, harts + (n == 3)));
			ok(!rig_restore(&o, &b, b.len));
			ledger_free(&other);
		}
		free(b.data);
		ledger_free(&l);
	}
}

/* States that no requests lead to; at: the offset of the damaged bytes in the snapshot. */
static void hostile(void)
{
	enum { HART = 16 + 512 * 8, FRONT = HART + LEDGER_SPANS * 16, TO = FRONT + 24 };
	static const struct {
		unsigned at;
		uint32_t value;
	} cases[] = {
		{ 16, 1 }, /* a window in another's place */
		{ 16 + 4, 0x80000000 }, /* after the end of time */
		{ HART, 20 }, /* a period that is empty */
		{ HART + 12, 0x80000000 }, /* that ends after the end of time */
		{ HART + 16, 19 }, /* that begins before the end of the one before */
		{ HART + 32, 1 }, /* beyond the number of periods */
		{ FRONT + 4, 0x80000000 },
		{ FRONT + 8, LEDGER_SPANS + 1 },
		{ FRONT + 12, (256 << 8) + 1 },
		{ FRONT + 16, 2 },
		{ FRONT + 20, 1 },
		{ TO, 257 }, /* more than a window has */
		{ TO, 255 | 2 << 16 },
	};
	struct ledger_config config = { 256, 512, 1000 };
	struct ledger l;
	struct rig_model m = { &l, save, restore, reset };
	struct bytes b;

	ok(ledger_init(&l, &config, 1));
	is(ledger_take(&l, 0, 20, 0), 0);
	is(ledger_take(&l, 30, 20, 0), 0);
	b = rig_save(&m);
	is(b.len, TO + 512 * 2);
	for (unsigned n = 0; n < TAP_NR(cases); n++) {
		uint32_t good;

		tap_context("case %u", n);
		memcpy(&good, b.data + cases[n].at, 4);
		memcpy(b.data + cases[n].at, &cases[n].value, 4);
		/* One window alone may have as much as all harts; the last case damages two. */
		is(rig_restore(&m, &b, b.len), n == TAP_NR(cases) - 1);
		memcpy(b.data + cases[n].at, &good, 4);
		ok(rig_restore(&m, &b, b.len));
	}
	free(b.data);
	ledger_free(&l);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a hart alone sees a queue", queue },
		{ "requests that come out of order", early },
		{ "the longest wait, and the ends of time", limits },
		{ "shares computed by hand", shares },
		{ "harts that saturate it get the same", saturated },
		{ "a hart that needs little waits little", light },
		{ "snapshots, and damaged ones", snapshots },
		{ "snapshots of impossible states", hostile },
	};

	return tap_run(cases, TAP_NR(cases));
}
