// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_bpred.c - branch prediction: compared with a plain predictor (plain_bpred.h), and with
 * sequences computed by hand.
 */
#include "model_rig.h"
#include "plain_bpred.h"

static const struct bpred_config configs[] = {
	{ .direction = BPRED_STATIC },
	{ .direction = BPRED_BIMODAL, .counters = 64, .btb_sets = 8, .btb_ways = 2, .returns = 4 },
	{ .direction = BPRED_GSHARE,
	  .counters = 256,
	  .history = 8,
	  .btb_sets = 1,
	  .btb_ways = 5,
	  .targets = 32,
	  .target_history = 5,
	  .returns = 3 },
	{ .direction = BPRED_GSHARE, .counters = 1024, .history = 4, .targets = 16 },
	{ .direction = BPRED_TAGE,
	  .counters = 128,
	  .btb_sets = 16,
	  .btb_ways = 4,
	  .returns = 64,
	  .tage = { 4, 64, 8, { 5, 9, 17, 31 } } },
	{ .direction = BPRED_TAGE,
	  .counters = 32,
	  .btb_sets = 4,
	  .btb_ways = 1,
	  .returns = 1,
	  .tage = { 6, 16, 4, { 2, 4, 8, 33, 100, 128 } } },
	{ .direction = BPRED_BIMODE,
	  .counters = 32,
	  .history = 5,
	  .choices = 16,
	  .btb_sets = 8,
	  .btb_ways = 2,
	  .returns = 4 },
};

static struct bpred make(const struct bpred_config *config)
{
	struct model_error why = { 0 };
	struct bpred b;

	ok(bpred_check(config, &why));
	ok(bpred_init(&b, config));
	return b;
}

struct transfer {
	enum bpred_kind kind;
	uint64_t pc, target;
	bool taken;
};

static unsigned retire(struct bpred *p, const struct transfer *x)
{
	if (x->kind == BPRED_COND)
		return bpred_cond(p, x->pc, x->taken, x->target);
	return bpred_jump(p, x->kind, x->pc, x->target, x->pc + 4);
}

/* Runs nr transfers that next makes from a number; returns how many were predicted correctly. */
static unsigned follow(const struct bpred_config *config, unsigned nr,
		       struct transfer (*next)(const void *arg, unsigned n), const void *arg)
{
	struct bpred b = make(config);
	static struct plain p;
	unsigned good = 0;
	bool same = true;

	p = plain_create(config);
	for (unsigned n = 0; n < nr && same; n++) {
		struct transfer x = next(arg, n);
		unsigned want = plain_retire(&p, x.kind, x.pc, x.taken, x.target, x.pc + 4);
		unsigned got = retire(&b, &x);

		same = got == want;
		if (n % 499 == 0)
			same = same && plain_same(&b, &p);
		if (!same)
			tap_context("%s, step %u", tap.context, n);
		good += !(got & ~BPRED_BTB_MISS);
	}
	ok(same);
	ok(plain_same(&b, &p));
	bpred_free(&b);
	plain_destroy(&p);
	return good;
}

/*
 * Some branches follow patterns, some follow other branches, some are random; jumps of every kind.
 */
static struct transfer made_up(const void *arg, unsigned n)
{
	static uint64_t seed;
	static bool last;
	struct transfer x;
	unsigned place;

	if (!n)
		seed = 77;
	place = rig_random(&seed) % 40;
	x = (struct transfer){ BPRED_COND, 0x10000 + place * 6, 0x10000 + place * 40 % 256, false };
	if (place < 10)
		x.taken = n / 7 % (place + 1) != 0;
	else if (place < 20)
		x.taken = last;
	else
		x.taken = rig_random(&seed) % 3 != 0;
	last = x.taken;
	if (place >= 24) {
		x.kind = BPRED_JUMP + place % (BPRED_KINDS - 1);
		x.taken = true;
	}
	if (x.kind >= BPRED_INDIRECT)
		x.target = 0x20000 + rig_random(&seed) % 4 * 64;
	if (x.kind >= BPRED_RETURN && n % 3)
		x.target = 0x10000 + rig_random(&seed) % 40 * 6 + 4;
	return x;
}

static void random_traces(void)
{
	for (unsigned n = 0; n < TAP_NR(configs); n++) {
		tap_context("config %u", n);
		ok(follow(&configs[n], 20000, made_up, NULL) > 5000);
	}
}

static struct transfer of_program(const void *arg, unsigned n)
{
	const struct step *s = &((const struct trace *)arg)->step[n];
	static const uint8_t kind[] = {
		[STEP_BRANCH] = BPRED_COND, [STEP_CALL] = BPRED_CALL, [STEP_RETURN] = BPRED_RETURN
	};

	return (struct transfer){ kind[s->kind], s->pc, s->addr, s->taken };
}

static void recorded(void)
{
	struct trace t = trace_program(250);
	unsigned nr = 0, good[TAP_NR(configs)];

	for (unsigned n = 0; n < t.nr; n++) {
		if (t.step[n].kind >= STEP_BRANCH)
			t.step[nr++] = t.step[n];
	}
	ok(nr > 8000 && nr < PAST_MAX);
	for (unsigned n = 0; n < TAP_NR(configs); n++) {
		tap_context("config %u", n);
		good[n] = follow(&configs[n], nr, of_program, &t);
	}
	/* counters beat static prediction, long histories beat short ones */
	ok(good[1] > good[0]);
	ok(good[4] > good[1]);
	free(t.step);
}

/* Branches that no table of this size can hold: useful entries block the new ones. */
static struct transfer many(const void *arg, unsigned n)
{
	uint64_t mix = n * 0x9e3779b97f4a7c15;
	unsigned place = mix >> 60;

	return (struct transfer){ BPRED_COND, 0x1000 + place * 4, 0x1000,
				  n / 3 % (place + 2) == 0 };
}

static unsigned useful(const struct bpred *b)
{
	unsigned nr = 0;

	for (unsigned n = 0; n < b->config.tage.entries * b->tage.lanes; n++)
		nr += b->tage.entry[n] & TAGE_USEFUL;
	return nr;
}

static void ageing(void)
{
	struct bpred b = make(&configs[5]);
	unsigned before = 0, failures = 0, aged = 0;

	for (unsigned n = 0; n < 60000; n++) {
		struct transfer x = many(NULL, n);

		before = useful(&b);
		bpred_cond(&b, x.pc, x.taken, x.target);
		if (failures > TAGE_PATIENCE - TAGE_TABLES_MAX && !b.tage.failures) {
			ok(before > 0);
			is(useful(&b), 0);
			aged++;
		}
		failures = b.tage.failures;
	}
	ok(aged > 0);
	bpred_free(&b);
	ok(follow(&configs[5], 60000, many, NULL) > 0);
}

/* By hand */

#define DIR  BPRED_BAD_DIRECTION
#define MISS BPRED_BTB_MISS

static void counters(void)
{
	struct bpred b = make(&(struct bpred_config){
		.direction = BPRED_BIMODAL, .counters = 16, .btb_sets = 1, .btb_ways = 1 });

	/* From weakly not taken: wrong once, then a loop of four is wrong once a round. */
	is(bpred_cond(&b, 0x100, true, 0x80), DIR | MISS);
	for (unsigned n = 0; n < 3; n++) {
		is(bpred_cond(&b, 0x100, true, 0x80), 0);
		is(bpred_cond(&b, 0x100, true, 0x80), 0);
		is(bpred_cond(&b, 0x100, true, 0x80), 0);
		is(bpred_cond(&b, 0x100, false, 0x80), DIR);
	}
	is(bpred_cond(&b, 0x100, true, 0x80), 0);
	/* Another branch replaces the BTB's only entry, and uses another counter, too. */
	is(bpred_cond(&b, 0x104, true, 0x80), DIR | MISS);
	is(bpred_cond(&b, 0x100, true, 0x80), MISS);
	bpred_free(&b);

	/* An alternating branch: a two-bit counter never learns it, a history of two does. */
	b = make(&(struct bpred_config){ .direction = BPRED_GSHARE, .counters = 16, .history = 2 });
	for (unsigned n = 0; n < 40; n++) {
		unsigned wrong = bpred_cond(&b, 0x100, n & 1, 0x80);

		if (n > 8)
			is(wrong, 0);
	}
	bpred_free(&b);

	b = make(&(struct bpred_config){ .direction = BPRED_STATIC });
	is(bpred_cond(&b, 0x100, true, 0x80), 0);
	is(bpred_cond(&b, 0x100, true, 0x100), 0);
	is(bpred_cond(&b, 0x100, true, 0x104), DIR);
	is(bpred_cond(&b, 0x100, false, 0x104), 0);
	bpred_free(&b);
}

/* Two branches share a pair of counters, one taken, one not: bi-mode separates them by choice. */
static void shared(void)
{
	struct bpred b = make(&(struct bpred_config){
		.direction = BPRED_BIMODE, .counters = 2, .history = 1, .choices = 4 });

	/*
	 * From weakly not taken: wrong, and the choice changes.  The other is wrong because of
	 * that.
	 */
	is(bpred_cond(&b, 0x100, true, 0x80), DIR);
	is(b.choice[0], 2);
	is(bpred_cond(&b, 0x100, true, 0x80), 0);
	is(bpred_cond(&b, 0x102, false, 0x80), DIR);
	for (unsigned n = 0; n < 20; n++) {
		is(bpred_cond(&b, 0x100, true, 0x80), 0);
		is(bpred_cond(&b, 0x102, false, 0x80), 0);
	}
	is(b.choice[0], 3);
	is(b.choice[1], 0);
	/* The taken table is wrong, learns, and finally is right where the choice is not. */
	is(bpred_cond(&b, 0x100, false, 0x80), DIR);
	is(b.choice[0], 2);
	b.counter[1] = b.counter[3] = 1;
	is(bpred_cond(&b, 0x100, false, 0x80), 0);
	is(b.choice[0], 2);
	bpred_free(&b);
}

/* A loop of 40 rounds inside another: too long for gshare's 8 outcomes, but not for TAGE's 60. */
static void long_loop(void)
{
	struct bpred tage =
		make(&(struct bpred_config){ .direction = BPRED_TAGE,
					     .counters = 64,
					     .tage = { 4, 256, 9, { 5, 15, 44, 90 } } });
	struct bpred gshare = make(
		&(struct bpred_config){ .direction = BPRED_GSHARE, .counters = 256, .history = 8 });
	unsigned by_tage = 0, by_gshare = 0;

	for (unsigned n = 0; n < 40 * 200; n++) {
		bool taken = n % 40 != 39;
		unsigned a = bpred_cond(&tage, 0x100, taken, 0x80);
		unsigned b = bpred_cond(&gshare, 0x100, taken, 0x80);

		if (n >= 40 * 100) {
			by_tage += a;
			by_gshare += b;
		}
	}
	is(by_tage, 0);
	is(by_gshare, 100);
	bpred_free(&tage);
	bpred_free(&gshare);
}

static void returns(void)
{
	struct bpred b = make(&(struct bpred_config){ .direction = BPRED_STATIC, .returns = 2 });

	is(bpred_jump(&b, BPRED_RETURN, 0x900, 0x104, 0x904), BPRED_BAD_RETURN); /* empty */
	for (unsigned n = 1; n <= 3; n++)
		is(bpred_jump(&b, BPRED_CALL, n * 0x100, 0x900, n * 0x100 + 4), 0);
	is(bpred_jump(&b, BPRED_RETURN, 0x900, 0x304, 0x904), 0);
	is(bpred_jump(&b, BPRED_RETURN, 0x900, 0x204, 0x904), 0);
	is(bpred_jump(&b, BPRED_RETURN, 0x900, 0x104, 0x904), BPRED_BAD_RETURN); /* evicted */
	is(bpred_jump(&b, BPRED_CALL, 0x100, 0x900, 0x104), 0);
	is(bpred_jump(&b, BPRED_SWAP, 0x900, 0x104, 0x904), 0);
	is(bpred_jump(&b, BPRED_SWAP, 0x108, 0x904, 0x10c), 0);
	is(bpred_jump(&b, BPRED_RETURN, 0x908, 0x200, 0x90c), BPRED_BAD_RETURN);
	bpred_free(&b);
}

static void indirects(void)
{
	struct bpred last = make(&(struct bpred_config){ .btb_sets = 4, .btb_ways = 2 });
	struct bpred path = make(&(struct bpred_config){ .targets = 64, .target_history = 6 });

	/* Two targets in turn: predicting the last one is never right, a history of targets is. */
	for (unsigned n = 0; n < 20; n++) {
		uint64_t target = n & 1 ? 0x8000 : 0x8010;

		is(bpred_jump(&last, BPRED_INDIRECT, 0x100, target, 0x104), BPRED_BAD_TARGET);
		if (n > 8)
			is(bpred_jump(&path, BPRED_INDIRECT, 0x100, target, 0x104), 0);
		else
			bpred_jump(&path, BPRED_INDIRECT, 0x100, target, 0x104);
	}
	is(bpred_jump(&last, BPRED_INDIRECT, 0x100, 0x8000, 0x104), 0);
	bpred_free(&last);
	bpred_free(&path);
}

static bool save(void *model, const struct stream *s)
{
	return bpred_save(model, s);
}

static bool restore(void *model, const struct stream *s)
{
	return bpred_restore(model, s);
}

static void reset(void *model)
{
	bpred_reset(model);
}

static void snapshots(void)
{
	for (unsigned n = 1; n < TAP_NR(configs); n++) {
		struct bpred b = make(&configs[n]), c = make(&configs[n]);
		struct rig_model m = { &b, save, restore, reset }, o = { &c, save, restore, reset };
		struct bytes bytes;

		tap_context("config %u", n);
		for (unsigned k = 0; k < 5000; k++) {
			struct transfer x = made_up(NULL, k);

			retire(&b, &x);
		}
		ok(rig_hostile(&m, 300) > 75);
		bytes = rig_save(&m);
		ok(rig_restore(&o, &bytes, bytes.len));
		for (unsigned k = 5000; k < 8000; k++) {
			struct transfer x = made_up(NULL, k);

			is(retire(&b, &x), retire(&c, &x));
		}
		free(bytes.data);
		bpred_free(&b);
		bpred_free(&c);
	}
}

static void impossible(void)
{
	static const struct {
		struct bpred_config config;
		const char *field, *text;
	} cases[] = {
		{ { .direction = 5 }, "direction", "5 is outside 0 to 4" },
		{ { .direction = BPRED_BIMODAL, .counters = 100 },
		  "counters",
		  "100 is not a power of two" },
		{ { .direction = BPRED_GSHARE, .counters = 16, .history = 5 },
		  "history",
		  "5 is outside 1 to 4" },
		{ { .direction = BPRED_BIMODE, .counters = 16, .history = 0, .choices = 8 },
		  "history",
		  "0 is outside 1 to 4" },
		{ { .direction = BPRED_BIMODE, .counters = 16, .history = 4, .choices = 12 },
		  "choices",
		  "12 is not a power of two" },
		{ { .btb_sets = 6, .btb_ways = 1 }, "btb_sets", "6 is not a power of two" },
		{ { .btb_sets = 8 }, "btb_ways", "0 is outside 1 to 64" },
		{ { .targets = 16, .target_history = 5 }, "target_history", "5 is outside 0 to 4" },
		{ { .returns = 65 }, "returns", "65 is outside 0 to 64" },
		{ { .direction = BPRED_TAGE, .counters = 16 }, "tables", "0 is outside 1 to 6" },
		{ { .direction = BPRED_TAGE, .counters = 16, .tage = { 2, 16, 8, { 5, 5 } } },
		  "history",
		  "5 is outside 6 to 64" },
		{ { .direction = BPRED_TAGE, .counters = 16, .tage = { 3, 16, 8, { 5, 9, 65 } } },
		  "history",
		  "65 is outside 10 to 64" },
		{ { .direction = BPRED_TAGE,
		    .counters = 16,
		    .tage = { 4, 16, 8, { 5, 6, 7, 129 } } },
		  "history",
		  "129 is outside 8 to 128" },
	};

	for (unsigned n = 0; n < TAP_NR(cases); n++) {
		struct model_error why = { 0 };

		tap_context("case %u", n);
		ok(!bpred_check(&cases[n].config, &why));
		rig_refused(&why, cases[n].config.direction == BPRED_TAGE ? "tage" : NULL,
			    cases[n].field, cases[n].text);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "random transfers, compared with the plain predictor", random_traces },
		{ "a recorded program, compared with the plain predictor", recorded },
		{ "useful entries age", ageing },
		{ "counters by hand", counters },
		{ "branches that share counters", shared },
		{ "a long loop", long_loop },
		{ "the return stack by hand", returns },
		{ "jumps through registers by hand", indirects },
		{ "snapshots, and damaged ones", snapshots },
		{ "impossible shapes", impossible },
	};

	return tap_run(cases, TAP_NR(cases));
}
