// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cache.c - one cache: compared with the plain one of model_cache_ref.h, step by step, and
 * with sequences computed by hand.
 */
#include "model_cache_ref.h"

static struct cache make(const struct cache_config *config)
{
	struct model_error why = { 0 };
	struct cache c;

	ok(cache_check(config, &why));
	ok(cache_init(&c, config));
	return c;
}

static unsigned l0_hits, ahead, beside;

static bool same_answer(const struct cache_answer *a, const struct cache_answer *b)
{
	return a->bits == b->bits && (!(a->bits & CACHE_EVICTED) || a->evicted == b->evicted) &&
	       (!(a->bits & CACHE_PREFETCH) || a->prefetched == b->prefetched) &&
	       (!(a->bits & CACHE_PREFETCH_EVICTED) || a->prefetch_evicted == b->prefetch_evicted);
}

/* The lines that a prefetcher has learned are the same, and so is what they evict. */
static bool same_ahead(struct cache *c, struct ref_cache *r)
{
	struct cache_answer got;

	for (unsigned n = 0; n < r->targets; n++) {
		struct cache_answer want = { 0 };

		ref_prefetch(r, r->target[n], &want);
		ahead++;
		if (!cache_ahead(c, n, &got) || !same_answer(&got, &want))
			return false;
	}
	return !cache_ahead(c, r->targets, &got);
}

/* True if the L0 hit table answers for an access at va, and with the right place. */
static bool l0_answers(const struct l0 *f, enum cache_op op, uint64_t va, uint64_t pa)
{
	const uint64_t *tag = op == CACHE_WRITE ? f->write : f->read;

	return op != CACHE_WHOLE && tag[l0_at(va)] == l0_tag(va, 1) &&
	       va + f->addend[l0_at(va)] == pa;
}

/*
 * One step on both; the model is used as an engine uses it.  A hit on the hot path changes only
 * what the policy has as the last line anyway.  The L0 hit table, if there is one, answers only
 * then, for whichever of the line's two addresses.
 */
static bool step(struct cache *c, struct ref_cache *r, enum cache_op op, uint64_t pa)
{
	bool fast = op == CACHE_READ	? cache_read_hit(c, pa)
		    : op == CACHE_WRITE ? cache_write_hit(c, pa)
					: false;
	uint64_t va = pa + (pa & 8 ? 5 * 4096 + 64 * L0_LINE : 0);
	struct cache_answer want, got;

	c->load = r->load = pa & 32 ? PREFETCH_NO_PC : pa >> 12 << 1; /* a load for each page */
	want = ref_access(r, op, pa);

	if (c->l0 && l0_answers(c->l0, op, va, pa)) {
		l0_hits++;
		return fast && want.bits == CACHE_HIT;
	}
	/* An engine asks this next; here only sometimes, so that both paths are tested. */
	if (!fast && op != CACHE_WHOLE && pa & 16)
		fast = cache_rehit(c, pa, op == CACHE_WRITE);
	if (!fast)
		cache_access(c, op, pa, &got);
	if (fast && want.bits != CACHE_HIT)
		return false;
	if (!fast && !(same_answer(&got, &want) && same_ahead(c, r)))
		return false;
	if (op != CACHE_WHOLE)
		cache_l0_enter(c, va, pa, pa - va, op == CACHE_WRITE);
	return true;
}

/* Lines side by side from pa on: those that hit at once also hit in the plain cache. */
static bool side_by_side(struct cache *c, struct ref_cache *r, enum cache_op op, uint64_t pa)
{
	unsigned nr = 1 + pa % 7, hits = cache_near_hits(c, pa, nr, op == CACHE_WRITE);

	beside += hits >= CACHE_SPAN_MIN;
	for (unsigned n = 0; n < hits; n++) {
		if (ref_access(r, op, pa + n * c->config.line).bits != CACHE_HIT)
			return false;
	}
	return true;
}

/* Runs the whole trace; sometimes an operation on one line by its address comes in between. */
static void follow(const struct cache_config *config, const struct trace *t, bool disturbed)
{
	struct cache c = make(config);
	struct ref_cache r = ref_create(config);
	struct l0 l0;
	uint64_t seed = 5, beside_at = 0;
	bool same = true;

	l0_clear(&l0);
	ok(cache_l0_attach(&c, &l0));

	for (size_t n = 0; n < t->nr && same; n++) {
		const struct step *s = &t->step[n];
		enum cache_op op = s->kind == STEP_WRITE ? CACHE_WRITE : CACHE_READ;
		unsigned what = disturbed ? rig_random(&seed) % 64 : 63;

		if (s->kind > STEP_WRITE)
			continue;
		if (what == 0)
			same = cache_invalidate(&c, s->addr) == ref_drop(&r, s->addr);
		else if (what == 1)
			same = cache_clean(&c, s->addr) == ref_clean(&r, s->addr);
		else if (what < 16) /* often the same lines as before */
			same = side_by_side(&c, &r, op, beside_at = what < 5 ? s->addr : beside_at);
		else
			same = step(&c, &r, what < 20 ? CACHE_WHOLE : op, s->addr);
		same = same && cache_find(&c, s->addr) == ref_state(&r, s->addr);
		if (n % 997 == 0)
			same = same && ref_same(&r, &c);
		if (!same)
			tap_context("%s, step %zu", tap.context, n);
	}
	ok(same);
	ok(ref_same(&r, &c));
	cache_free(&c);
	ref_destroy(&r);
}

static const struct {
	uint32_t line, sets, ways;
} shapes[] = {
	{ 64, 1, 1 }, { 16, 8, 1 },   { 64, 16, 2 }, { 32, 4, 4 },
	{ 64, 8, 8 }, { 256, 2, 16 }, { 64, 4, 3 },  { 64, 1, 64 },
};

/* Runs t on every shape and policy, with each kind of prefetch and of write. */
static void follow_all(const struct trace *t, bool disturbed)
{
	for (unsigned n = 0; n < TAP_NR(shapes); n++) {
		for (unsigned policy = 0; policy < REPLACE_POLICIES; policy++) {
			for (unsigned way = 0; way < 2 * CACHE_PREFETCHES; way++) {
				struct cache_config config = {
					.line = shapes[n].line,
					.sets = shapes[n].sets,
					.ways = shapes[n].ways,
					.policy = policy,
					.prefetch = way / 2,
					.write_through = way % 2,
					.seed = n,
					.ahead = { 1 << n % 4, 1 + n % 4, 1 + n, 1 << n % 3 },
				};

				if (policy == REPLACE_PLRU && shapes[n].ways == 3)
					continue;
				tap_context("shape %u policy %u prefetch %u through %u", n, policy,
					    way / 2, way % 2);
				follow(&config, t, disturbed);
			}
		}
	}
}

static void random_traces(void)
{
	struct trace t = trace_random(1, 3000, 16384);

	l0_hits = ahead = beside = 0;
	follow_all(&t, false);
	follow_all(&t, true);
	tap_context("all");
	ok(l0_hits > 1000 && ahead > 1000 && beside > 1000);
	free(t.step);
}

static void strides(void)
{
	static const unsigned stride[] = { 8, 64, 192, 1024 };

	for (unsigned n = 0; n < TAP_NR(stride); n++) {
		struct trace t = trace_stride(1000, 8192 + 64, stride[n]);

		follow_all(&t, false);
		free(t.step);
	}
}

static void chases(void)
{
	struct trace t = trace_chase(1500, 8192);

	follow_all(&t, false);
	free(t.step);
}

static void recorded(void)
{
	struct trace t = trace_program(200);

	follow_all(&t, false);
	free(t.step);
}

/* Bits of an access, for the sequences by hand. */
static unsigned at(struct cache *c, enum cache_op op, uint64_t pa)
{
	struct cache_answer a;

	cache_access(c, op, pa, &a);
	return a.bits;
}

#define R(pa) at(&c, CACHE_READ, pa)
#define W(pa) at(&c, CACHE_WRITE, pa)

static void by_hand(void)
{
	struct cache c = make(&(struct cache_config){ .line = 64, .sets = 1, .ways = 4 });
	struct cache_answer a;

	/* LRU: 0 1 2 3, 0 again, then 4 evicts 1. */
	for (unsigned n = 0; n < 4; n++)
		is(R(n * 64), 0);
	is(R(0), CACHE_HIT);
	is(W(4 * 64), CACHE_DIRTIED);
	is(cache_find(&c, 64), CACHE_ABSENT);
	is(cache_find(&c, 4 * 64), CACHE_MODIFIED);
	/* 2, 3 and 0 are evicted before 4, and 4 is written back. */
	for (unsigned n = 5; n < 8; n++)
		is(R(n * 64), 0);
	cache_access(&c, CACHE_READ, 8 * 64, &a);
	is(a.bits, CACHE_EVICTED);
	is(a.evicted, 4 * 64);
	cache_free(&c);

	/* FIFO: the hit on 0 does not keep it. */
	c = make(
		&(struct cache_config){ .line = 64, .sets = 1, .ways = 2, .policy = REPLACE_FIFO });
	is(R(0) | R(64), 0);
	is(R(0), CACHE_HIT);
	is(R(128), 0);
	is(cache_find(&c, 0), CACHE_ABSENT);
	cache_free(&c);

	/*
	 * The tree: after 0 1 2 3 and 0 it points to the right half, and there to the left line: 2.
	 */
	c = make(
		&(struct cache_config){ .line = 64, .sets = 1, .ways = 4, .policy = REPLACE_PLRU });
	for (unsigned n = 0; n < 4; n++)
		is(R(n * 64), 0);
	is(R(0), CACHE_HIT);
	is(R(4 * 64), 0);
	is(cache_find(&c, 2 * 64), CACHE_ABSENT);
	is(cache_find(&c, 1 * 64), CACHE_CLEAN);
	cache_free(&c);
}

static void hot_path(void)
{
	struct cache c = make(&(struct cache_config){ .line = 64, .sets = 2, .ways = 2 });

	ok(!cache_read_hit(&c, 0));
	is(R(0), 0);
	ok(cache_read_hit(&c, 63));
	ok(!cache_read_hit(&c, 64));
	ok(!cache_write_hit(&c, 0)); /* it must become dirty first */
	is(W(0), CACHE_HIT | CACHE_DIRTIED);
	ok(cache_write_hit(&c, 8) && cache_read_hit(&c, 8));
	is(R(64), 0); /* the other set */
	ok(cache_read_hit(&c, 0));
	is(R(128), 0); /* the same set: 0 is no longer its last line */
	ok(!cache_read_hit(&c, 0) && cache_read_hit(&c, 128));
	is(cache_invalidate(&c, 128), CACHE_CLEAN);
	ok(!cache_read_hit(&c, 128));
	is(R(0), CACHE_HIT);
	is(cache_clean(&c, 0), CACHE_MODIFIED);
	ok(cache_read_hit(&c, 0) && !cache_write_hit(&c, 0));
	cache_invalidate_all(&c);
	ok(!cache_read_hit(&c, 0) && !cache_read_hit(&c, 64));
	cache_free(&c);
}

static void prefetches(void)
{
	struct cache_config config = { .line = 64, .sets = 64, .ways = 2 };
	struct cache c;

	config.prefetch = CACHE_PREFETCH_ON_MISS;
	c = make(&config);
	is(R(0), CACHE_PREFETCH);
	is(R(64), CACHE_HIT); /* and that is all: 128 misses */
	is(R(128), CACHE_PREFETCH);
	is(W(4096 - 64), CACHE_DIRTIED); /* not into the next page */
	cache_free(&c);

	config.prefetch = CACHE_PREFETCH_TAGGED;
	c = make(&config);
	is(R(0), CACHE_PREFETCH);
	ok(!cache_read_hit(&c, 64)); /* its first use must be reported */
	for (unsigned n = 1; n < 63; n++)
		is(R(n * 64), CACHE_HIT | CACHE_PREFETCH);
	is(R(63 * 64), CACHE_HIT);
	is(R(0), CACHE_HIT);
	is(R(62 * 64), CACHE_HIT);
	cache_free(&c);
}

/* A prefetcher that learns: its lines come by cache_ahead. */
static void learned(void)
{
	struct cache_config config = { .line = 64,
				       .sets = 64,
				       .ways = 2,
				       .prefetch = CACHE_PREFETCH_STREAM,
				       .ahead = { 4, 2, 4, 1 } };
	struct cache c = make(&config);
	struct cache_answer a;

	is(R(0) | R(64), 0);
	is(R(128), CACHE_AHEAD);
	for (unsigned n = 0; n < 2; n++) {
		ok(cache_ahead(&c, n, &a));
		is(a.bits, CACHE_PREFETCH);
		is(a.prefetched, 192 + n * 64);
		ok(!cache_read_hit(&c, a.prefetched)); /* its first use must be reported */
	}
	ok(!cache_ahead(&c, 2, &a));
	is(at(&c, CACHE_WHOLE, 192), CACHE_HIT | CACHE_DIRTIED);
	is(R(192), CACHE_HIT | CACHE_AHEAD);
	is(R(192), CACHE_HIT);
	cache_free(&c);

	/* Only loads trigger a stride. */
	config.prefetch = CACHE_PREFETCH_STRIDE;
	c = make(&config);
	for (unsigned n = 0; n < 5; n++)
		is(R(n * 64), 0);
	c.load = 0x80000000;
	is(R(5 * 64) | R(6 * 64), 0);
	is(W(7 * 64), CACHE_DIRTIED);
	is(R(8 * 64), 0);
	is(R(10 * 64), CACHE_AHEAD);
	ok(cache_ahead(&c, 1, &a));
	is(a.prefetched, 14 * 64);
	cache_free(&c);
}

static void through(void)
{
	struct cache c = make(
		&(struct cache_config){ .line = 64, .sets = 4, .ways = 1, .write_through = true });

	is(W(0), CACHE_THROUGH);
	is(cache_find(&c, 0), CACHE_ABSENT);
	is(R(0), 0);
	is(W(0), CACHE_HIT | CACHE_THROUGH);
	ok(!cache_write_hit(&c, 0));
	is(R(256), 0); /* no dirty line is lost */
	cache_free(&c);
}

static bool save(void *model, const struct stream *s)
{
	return cache_save(model, s);
}

static bool restore(void *model, const struct stream *s)
{
	return cache_restore(model, s);
}

static void reset(void *model)
{
	cache_reset(model);
}

static void snapshots(void)
{
	struct trace t = trace_random(3, 4000, 16384);

	for (unsigned policy = 0; policy < REPLACE_POLICIES; policy++) {
		struct cache_config config = { .line = 64,
					       .sets = 8,
					       .ways = 4,
					       .policy = policy,
					       .prefetch = CACHE_PREFETCH_TAGGED };
		struct cache c = make(&config), d = make(&config);
		struct rig_model m = { &c, save, restore, reset },
				 other = { &d, save, restore, reset };
		struct bytes b;

		tap_context("policy %u", policy);
		for (unsigned n = 0; n < 2000; n++)
			at(&c, n % 3 ? CACHE_READ : CACHE_WRITE, t.step[n].addr);
		ok(rig_hostile(&m, 400) > 200);
		/* A restored cache continues in the same way. */
		b = rig_save(&m);
		ok(rig_restore(&other, &b, b.len));
		for (unsigned n = 2000; n < 4000; n++)
			is(at(&c, CACHE_WRITE, t.step[n].addr),
			   at(&d, CACHE_WRITE, t.step[n].addr));
		free(b.data);
		config.ways = 2;
		cache_free(&d);
		d = make(&config);
		b = rig_save(&m);
		ok(!rig_restore(&other, &b, b.len)); /* another shape */
		free(b.data);
		cache_free(&c);
		cache_free(&d);
	}
	free(t.step);
}

static void impossible(void)
{
	static const struct {
		struct cache_config config;
		const char *field, *text;
	} cases[] = {
		{ { 48, 64, 4 }, "line", "48 is not a power of two" },
		{ { 8, 64, 4 }, "line", "8 is outside 16 to 256" },
		{ { 512, 64, 4 }, "line", "512 is outside 16 to 256" },
		{ { 64, 0, 4 }, "sets", "0 is outside 1 to 65536" },
		{ { 64, 96, 4 }, "sets", "96 is not a power of two" },
		{ { 64, 64, 0 }, "ways", "0 is outside 1 to 64" },
		{ { 64, 64, 65 }, "ways", "65 is outside 1 to 64" },
		{ { 64, 64, 3, REPLACE_PLRU },
		  "ways",
		  "3 is not a power of two, as tree-PLRU needs" },
		{ { 64, 64, 4, 4 }, "policy", "4 is outside 0 to 3" },
		{ { 64, 64, 4, 0, 5 }, "prefetch", "5 is outside 0 to 4" },
		{ { 64, 64, 4, 0, 3, .ahead = { 0, 1, 1 } }, "entries", "0 is outside 1 to 64" },
		{ { 64, 64, 4, 0, 3, .ahead = { 3, 1, 1 } }, "entries", "3 is not a power of two" },
		{ { 64, 64, 4, 0, 4, .ahead = { 1, 0, 1 } }, "degree", "0 is outside 1 to 4" },
		{ { 64, 64, 4, 0, 4, .ahead = { 1, 4, 65 } }, "distance", "65 is outside 1 to 64" },
		{ { 64, 64, 4, 0, 4, .ahead = { 1, 4, 1, 0 } }, "pages", "0 is outside 1 to 16" },
		{ { 64, 64, 4, 0, 4, .ahead = { 1, 4, 1, 3 } },
		  "pages",
		  "3 is not a power of two" },
	};

	for (unsigned n = 0; n < TAP_NR(cases); n++) {
		struct model_error why = { 0 };

		tap_context("case %u", n);
		ok(!cache_check(&cases[n].config, &why));
		rig_refused(&why, NULL, cases[n].field, cases[n].text);
	}
}

/* Lines side by side that have hit are asked again after one of them has changed. */
static void spans(void)
{
	static const struct cache_config config = {
		.line = 64, .sets = 4, .ways = 2, .policy = REPLACE_RANDOM
	};
	struct cache c = make(&config);

	/* Twice, so that they are near lines; the last lines of their sets are others. */
	for (unsigned n = 0; n < 24; n++)
		at(&c, CACHE_WRITE, n % 8 * 64);
	for (unsigned n = 0; n < 2; n++) {
		is(cache_near_hits(&c, 8, 4, false), 4);
		is(cache_near_hits(&c, 0, 4, true), 4);
	}
	cache_clean(&c, 128);
	is(cache_near_hits(&c, 0, 4, true), 2);
	is(cache_near_hits(&c, 0, 4, false), 4);
	cache_invalidate(&c, 64);
	is(cache_near_hits(&c, 0, 4, false), 1);
	at(&c, CACHE_READ, 64);
	at(&c, CACHE_READ, 64);
	is(cache_near_hits(&c, 0, 4, false), 4);
	at(&c, CACHE_READ, 1024 + 192); /* evicts one of two */
	at(&c, CACHE_READ, 2048 + 192);
	at(&c, CACHE_READ, 3072 + 192);
	ok(cache_near_hits(&c, 0, 4, false) == (cache_find(&c, 192) == CACHE_ABSENT ? 3 : 4));
	cache_free(&c);
}

/* Whether all counts of c are those of before, but for `changed`, as bits, which are one more. */
static bool windows_changed(const struct cache *c, uint64_t before[8], unsigned changed)
{
	bool same = true;

	for (unsigned set = 0; set < 8; set++) {
		before[set] += changed >> set & 1;
		same &= c->window[set] == before[set] && c->window[8 + set] == UINT64_MAX;
	}
	return same;
}

/* A set and the three before it count what its line used last becomes. */
static void windows(void)
{
	const struct cache_config config = {
		.line = 64, .sets = 8, .ways = 2, .policy = REPLACE_LRU
	};
	struct cache c = make(&config);
	struct cache_answer a;
	uint64_t before[8];

	ok(cache_window_attach(&c, 100));
	for (unsigned set = 0; set < 8; set++)
		before[set] = 100;
	ok(windows_changed(&c, before, 0));
	cache_access(&c, CACHE_READ, 5 * 64, &a);
	ok(windows_changed(&c, before, 0x3c));
	ok(cache_read_hit(&c, 5 * 64)); /* and asking changes nothing */
	ok(windows_changed(&c, before, 0));
	cache_access(&c, CACHE_READ, 1 * 64, &a);
	ok(windows_changed(&c, before, 0xc3));
	cache_access(&c, CACHE_READ, 13 * 64, &a); /* also in set 5 */
	ok(windows_changed(&c, before, 0x3c));
	ok(cache_rehit(&c, 5 * 64, false)); /* the other place of set 5 */
	ok(windows_changed(&c, before, 0x3c));
	cache_invalidate_all(&c);
	ok(windows_changed(&c, before, 0xff));
	cache_free(&c);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "random traces, compared with the plain cache", random_traces },
		{ "stride walks, compared with the plain cache", strides },
		{ "pointer chases, compared with the plain cache", chases },
		{ "a recorded program, compared with the plain cache", recorded },
		{ "sequences computed by hand", by_hand },
		{ "the hot path answers only if nothing changes", hot_path },
		{ "changes are counted by windows of sets", windows },
		{ "lines side by side", spans },
		{ "prefetches on misses and on first use", prefetches },
		{ "prefetches that are learned", learned },
		{ "write-through", through },
		{ "snapshots, and damaged ones", snapshots },
		{ "impossible shapes", impossible },
	};

	return tap_run(cases, TAP_NR(cases));
}
