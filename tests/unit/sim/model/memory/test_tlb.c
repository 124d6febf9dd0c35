// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_tlb.c - two-level TLBs: compared with a plain one, a list of entries with timestamps that is
 * searched by ranges, with an engine's software TLB in front; and with sequences computed by hand.
 */
#include "model_rig.h"
#include "tlb.h"

/* The plain TLB */

struct plain_entry {
	bool valid, global;
	unsigned size, leaf; /* log2 of bytes */
	uint64_t va, pa, pte;
	uint16_t asid;
	uint64_t used, filled;
};

struct plain_part {
	struct tlb_shape shape;
	struct plain_entry *entry; /* [set * ways + way] */
};

struct plain {
	struct plain_part part[TLB_PARTS];
	uint64_t time;
};

static const unsigned shifts[TLB_SIZES] = { 12, 16, 21, 30, 39, 48 };

static struct plain plain_create(const struct tlb_config *config)
{
	struct plain p = { 0 };

	for (unsigned n = 0; n < TLB_PARTS; n++) {
		p.part[n].shape = config->part[n];
		p.part[n].entry = calloc(config->part[n].sets * config->part[n].ways + 1,
					 sizeof(struct plain_entry));
	}
	return p;
}

static void plain_destroy(struct plain *p)
{
	for (unsigned n = 0; n < TLB_PARTS; n++)
		free(p->part[n].entry);
}

static bool within(uint64_t va, uint64_t first, unsigned shift)
{
	return va >> shift == first >> shift;
}

static struct plain_entry *plain_find(struct plain_part *part, uint64_t va, uint16_t asid)
{
	struct plain_entry *best = NULL;

	for (unsigned n = 0; n < part->shape.sets * part->shape.ways; n++) {
		struct plain_entry *e = &part->entry[n];

		if (e->valid && within(va, e->va, e->size) && (e->global || e->asid == asid) &&
		    (!best || e->size < best->size))
			best = e;
	}
	return best;
}

/* Policies with timestamps only: PLRU and random are the cache's code. */
static unsigned plain_way(const struct plain_part *part, unsigned set)
{
	const struct plain_entry *e = &part->entry[set * part->shape.ways];
	unsigned way = 0;

	for (unsigned n = 0; n < part->shape.ways; n++) {
		if (!e[n].valid)
			return n;
	}
	for (unsigned n = 1; n < part->shape.ways; n++) {
		if (part->shape.policy == REPLACE_FIFO ? e[n].filled < e[way].filled
						       : e[n].used < e[way].used)
			way = n;
	}
	return way;
}

static struct plain_entry *plain_insert(struct plain *p, unsigned n, uint64_t va,
					struct plain_entry e)
{
	struct plain_part *part = &p->part[n];
	struct plain_entry *to;
	unsigned set, size = 0;
	uint64_t first;

	for (unsigned k = 0; k < TLB_SIZES; k++) {
		if (part->shape.sizes >> k & 1 && shifts[k] <= e.size)
			size = shifts[k];
	}
	first = va >> size << size;
	set = (first >> size) % part->shape.sets;
	to = &part->entry[set * part->shape.ways + plain_way(part, set)];
	e.pa += first - e.va;
	e.va = first;
	e.size = size;
	e.used = e.filled = ++p->time;
	e.valid = true;
	*to = e;
	return to;
}

static enum tlb_answer plain_lookup(struct plain *p, enum tlb_part side, uint64_t va, uint16_t asid,
				    struct plain_entry **e)
{
	struct plain_entry *second;

	*e = plain_find(&p->part[side], va, asid);
	if (*e) {
		(*e)->used = ++p->time;
		return TLB_HIT;
	}
	second = plain_find(&p->part[TLB_SECOND], va, asid);
	if (!second)
		return TLB_MISS;
	second->used = ++p->time;
	*e = plain_insert(p, side, va, *second);
	return TLB_HIT_SECOND;
}

static void plain_fill(struct plain *p, enum tlb_part side, uint64_t va, struct plain_entry e)
{
	static const enum tlb_part order[] = { TLB_SECOND, TLB_PARTS };

	for (unsigned n = 0; n < 2; n++) {
		enum tlb_part to = n ? side : order[0];
		struct plain_entry *old;

		while ((old = plain_find(&p->part[to], va, e.asid)))
			old->valid = false;
		if (p->part[to].shape.sets)
			plain_insert(p, to, va, e);
	}
}

static void plain_fence(struct plain *p, const uint64_t *va, const uint16_t *asid)
{
	for (unsigned n = 0; n < TLB_PARTS; n++) {
		struct plain_part *part = &p->part[n];

		for (unsigned k = 0; k < part->shape.sets * part->shape.ways; k++) {
			struct plain_entry *e = &part->entry[k];

			if ((!va || within(*va, e->va, e->leaf)) &&
			    (!asid || (!e->global && e->asid == *asid)))
				e->valid = false;
		}
	}
}

static bool same_state(const struct tlb *t, const struct plain *p)
{
	for (unsigned n = 0; n < TLB_PARTS; n++) {
		const struct tlb_array *a = &t->part[n];

		for (unsigned k = 0; k < a->shape.sets * a->shape.ways; k++) {
			const struct plain_entry *want = &p->part[n].entry[k];
			const struct tlb_entry *got = &a->entry[k];

			if ((a->key[k] != TLB_FREE) != want->valid)
				return false;
			if (want->valid &&
			    (got->va != want->va || got->pa != want->pa || got->pte != want->pte ||
			     got->asid != want->asid || got->global != want->global ||
			     shifts[got->size] != want->size || shifts[got->leaf] != want->leaf))
				return false;
		}
	}
	return true;
}

/* An engine's software TLB, kept by the rules of tlb.h. */

#define LINES 64

struct soft {
	struct soft_entry {
		bool valid;
		uint64_t page;
		unsigned slot;
	} line[2][LINES];
	uint16_t asid;
	struct tlb *tlb;
	unsigned hits;
};

static void soft_gone(void *opaque, enum tlb_part part, const struct tlb_entry *gone)
{
	struct soft *s = opaque;

	for (unsigned n = 0; n < LINES; n++) {
		struct soft_entry *l = &s->line[part][n];

		if (l->page >= gone->va >> 12 &&
		    l->page - (gone->va >> 12) < tlb_bytes(gone->size) >> 12)
			l->valid = false;
	}
}

static enum tlb_answer soft_lookup(struct soft *s, enum tlb_part side, uint64_t va, unsigned *slot)
{
	struct soft_entry *l = &s->line[side][(va >> 12) % LINES];
	enum tlb_answer answer;

	if (l->valid && l->page == va >> 12) {
		if (tlb_touches(s->tlb, side))
			tlb_touch(s->tlb, side, l->slot);
		*slot = l->slot;
		s->hits++;
		return TLB_HIT;
	}
	answer = tlb_lookup(s->tlb, side, va, s->asid, slot);
	if (answer != TLB_MISS)
		*l = (struct soft_entry){ true, va >> 12, *slot };
	return answer;
}

static void soft_space(struct soft *s, uint16_t asid)
{
	s->asid = asid;
	memset(s->line, 0, sizeof(s->line));
}

/* The page tables' answer: the leaf of va in an address space, at some time. */
static struct tlb_entry leaf_of(uint64_t va, uint16_t asid, unsigned epoch)
{
	uint64_t region = va >> 21, mix = region * 0x9e3779b97f4a7c15 >> 40;
	unsigned size = mix % 8 < 4   ? TLB_4K
			: mix % 8 < 6 ? TLB_64K
			: mix % 8 < 7 ? TLB_2M
			: mix & 8     ? TLB_1G
				      : TLB_512G;
	uint64_t first;

	if ((va >> 16 ^ epoch) % 13 == 0)
		size = TLB_4K;
	first = va & ~(tlb_bytes(size) - 1);
	return (struct tlb_entry){
		.va = first,
		.pa = (first ^ (uint64_t)epoch << 40) & ((1ull << 50) - 1),
		.pte = first >> 12 | epoch,
		.asid = asid,
		.leaf = size,
		.global = (va >> 30) % 5 == 0,
	};
}

static struct plain_entry plain_leaf(const struct tlb_entry *l)
{
	return (struct plain_entry){ .global = l->global,
				     .size = shifts[l->leaf],
				     .leaf = shifts[l->leaf],
				     .va = l->va,
				     .pa = l->pa,
				     .pte = l->pte,
				     .asid = l->asid };
}

static void fence(struct tlb *t, struct plain *p, unsigned what, uint64_t va, uint16_t asid)
{
	const uint64_t *v = what & 1 ? &va : NULL;
	const uint16_t *a = what & 2 ? &asid : NULL;

	tlb_fence(t, v, a);
	plain_fence(p, v, a);
}

/* One access on both: through the software TLB, and always the full search in the plain one. */
static bool step(struct soft *s, struct plain *p, enum tlb_part side, uint64_t va, unsigned epoch)
{
	struct plain_entry *want;
	unsigned slot;
	enum tlb_answer got = soft_lookup(s, side, va, &slot);
	const struct tlb_entry *e;

	if (got != plain_lookup(p, side, va, s->asid, &want))
		return false;
	if (got == TLB_MISS) {
		struct tlb_entry leaf = leaf_of(va, s->asid, epoch);

		slot = tlb_fill(s->tlb, side, va, &leaf);
		plain_fill(p, side, va, plain_leaf(&leaf));
		e = tlb_entry(s->tlb, side, slot);
		return e->va <= va && va - e->va < tlb_bytes(e->size) &&
		       tlb_pa(e, va) == leaf.pa + (va - leaf.va);
	}
	e = tlb_entry(s->tlb, side, slot);
	return tlb_pa(e, va) == want->pa + (va - want->va) && e->pte == want->pte;
}

static unsigned follow(const struct tlb_config *config, const struct trace *t, unsigned spread)
{
	struct soft s = { 0 };
	struct plain p = plain_create(config);
	struct model_error why = { 0 };
	struct tlb tlb;
	uint64_t seed = spread;
	unsigned epoch = 0;
	bool same = true;

	ok(tlb_check(config, &why));
	ok(tlb_init(&tlb, config, soft_gone, &s));
	s.tlb = &tlb;
	for (size_t n = 0; n < t->nr && same; n++) {
		const struct step *at = &t->step[n];
		enum tlb_part side = at->kind > STEP_WRITE ? TLB_I : TLB_D;
		/*
		 * Spreads the trace's pieces of 128 bytes over 4 KiB pages, and over 1 GiB pages.
		 */
		uint64_t va = ((side == TLB_I ? at->pc : at->addr) & 0xffff) / 128 << spread;
		unsigned what = rig_random(&seed) % 256;

		if (what < 8)
			fence(&tlb, &p, what % 4, va, rig_random(&seed) % 3);
		else if (what < 12)
			soft_space(&s, rig_random(&seed) % 3);
		else if (what < 14)
			epoch++; /* the page tables change without a fence */
		same = step(&s, &p, what & 1 ? side : TLB_D, va, epoch);
		if (n % 251 == 0)
			same = same && same_state(&tlb, &p);
		if (!same)
			tap_context("%s, step %zu", tap.context, n);
	}
	ok(same);
	ok(same_state(&tlb, &p));
	tlb_free(&tlb);
	plain_destroy(&p);
	return s.hits;
}

#define ALL_SIZES 0x1f

static const struct tlb_config configs[] = {
	/*
	 * As in a U74; a C906; a made-up machine with sets, without a second level; and split
	 * leaves.
	 */
	{ { { 1, 40, REPLACE_LRU, ALL_SIZES },
	    { 1, 40, REPLACE_LRU, ALL_SIZES },
	    { 128, 4, REPLACE_FIFO, 1 } } },
	{ { { 1, 10, REPLACE_LRU, ALL_SIZES },
	    { 1, 10, REPLACE_FIFO, ALL_SIZES },
	    { 64, 2, REPLACE_LRU, 0x15 } } },
	{ { { 4, 2, REPLACE_FIFO, 1 }, { 8, 2, REPLACE_LRU, 0x5 }, { 0 } } },
	{ { { 1, 4, REPLACE_LRU, 3 },
	    { 2, 2, REPLACE_LRU, 1 },
	    { 8, 4, REPLACE_LRU, ALL_SIZES } } },
};

/* Each configuration, with pages near each other and with pages far apart. */
static void follow_all(const struct trace *t)
{
	unsigned hits = 0;

	for (unsigned n = 0; n < TAP_NR(configs); n++) {
		for (unsigned spread = 10; spread <= 28; spread += 6) {
			tap_context("config %u spread %u", n, spread);
			hits += follow(&configs[n], t, spread);
		}
	}
	ok(hits > t->nr / 2); /* of 16 times as many: the software TLB was used */
}

static void random_traces(void)
{
	struct trace t = trace_random(21, 6000, 65536);

	follow_all(&t);
	free(t.step);
}

static void patterns(void)
{
	struct trace stride = trace_stride(4000, 16384, 24), chase = trace_chase(4000, 2048);

	follow_all(&stride);
	follow_all(&chase);
	free(stride.step);
	free(chase.step);
}

static void recorded(void)
{
	struct trace t = trace_program(150);

	follow_all(&t);
	free(t.step);
}

/* By hand */

struct gone {
	unsigned nr;
	enum tlb_part part;
	uint64_t va;
};

static void remember(void *opaque, enum tlb_part part, const struct tlb_entry *e)
{
	struct gone *g = opaque;

	*g = (struct gone){ g->nr + 1, part, e->va };
}

static struct tlb make(const struct tlb_config *config, struct gone *g)
{
	struct tlb t;

	ok(tlb_init(&t, config, remember, g));
	return t;
}

static void fill(struct tlb *t, enum tlb_part side, uint64_t va, uint16_t asid, unsigned leaf,
		 bool global)
{
	uint64_t first = va & ~(tlb_bytes(leaf) - 1);
	struct tlb_entry e = {
		.va = first, .pa = 0x80000000, .asid = asid, .leaf = leaf, .global = global
	};

	tlb_fill(t, side, va, &e);
}

static unsigned look(struct tlb *t, enum tlb_part side, uint64_t va, uint16_t asid)
{
	unsigned slot;

	return tlb_lookup(t, side, va, asid, &slot);
}

static const struct tlb_config small = { { { 1, 2, REPLACE_LRU, ALL_SIZES },
					   { 1, 2, REPLACE_LRU, ALL_SIZES },
					   { 4, 2, REPLACE_LRU, 1 } } };

static void levels(void)
{
	struct gone g = { 0 };
	struct tlb t = make(&small, &g);

	is(look(&t, TLB_D, 0x1000, 1), TLB_MISS);
	fill(&t, TLB_D, 0x1000, 1, TLB_4K, false);
	is(look(&t, TLB_D, 0x1ff8, 1), TLB_HIT);
	is(look(&t, TLB_D, 0x1000, 2), TLB_MISS);
	is(look(&t, TLB_I, 0x1000, 1), TLB_HIT_SECOND);
	is(look(&t, TLB_I, 0x1000, 1), TLB_HIT);
	/* Three pages in two ways: the first was used last, so the second is evicted. */
	fill(&t, TLB_D, 0x2000, 1, TLB_4K, false);
	is(look(&t, TLB_D, 0x1000, 1), TLB_HIT);
	is(g.nr, 0);
	fill(&t, TLB_D, 0x3000, 1, TLB_4K, false);
	is(g.nr, 1);
	is(g.part, TLB_D);
	is(g.va, 0x2000);
	is(look(&t, TLB_D, 0x2000, 1), TLB_HIT_SECOND);
	tlb_free(&t);
}

static void fences(void)
{
	static const struct {
		bool va, asid;
		/*
		 * Which of these are left: the page of space 1, that of space 2, the global one,
		 * another.
		 */
		bool left[4];
	} forms[] = {
		{ false, false, { false, false, false, false } },
		{ true, false, { false, false, false, true } },
		{ false, true, { false, true, true, false } },
		{ true, true, { false, true, true, true } },
	};
	static const struct tlb_config wide = {
		{ { 1, 8, REPLACE_LRU, ALL_SIZES }, { 1, 8, REPLACE_LRU, ALL_SIZES }, { 0 } }
	};

	for (unsigned n = 0; n < TAP_NR(forms); n++) {
		struct gone g = { 0 };
		struct tlb t = make(&wide, &g);
		uint64_t va = 0x5000;
		uint16_t asid = 1;

		tap_context("form %u", n);
		fill(&t, TLB_D, va, 1, TLB_4K, false);
		fill(&t, TLB_D, va, 2, TLB_4K, false);
		fill(&t, TLB_I, va, 3, TLB_4K, true);
		fill(&t, TLB_D, 0x9000, 1, TLB_4K, false);
		tlb_fence(&t, forms[n].va ? &va : NULL, forms[n].asid ? &asid : NULL);
		is(look(&t, TLB_D, va, 1) == TLB_HIT, forms[n].left[0]);
		is(look(&t, TLB_D, va, 2) == TLB_HIT, forms[n].left[1]);
		is(look(&t, TLB_I, va, 7) == TLB_HIT, forms[n].left[2]);
		is(look(&t, TLB_D, 0x9000, 1) == TLB_HIT, forms[n].left[3]);
		is(g.nr,
		   4 - forms[n].left[0] - forms[n].left[1] - forms[n].left[2] - forms[n].left[3]);
		tlb_free(&t);
	}
}

/* A 2 MiB leaf in TLBs that hold it whole, and in one that holds pieces of 4 KiB. */
static void pieces(void)
{
	static const struct tlb_config mixed = {
		{ { 1, 2, REPLACE_LRU, ALL_SIZES }, { 4, 2, REPLACE_LRU, 1 }, { 0 } }
	};
	uint64_t va = 0x200000;
	struct gone g = { 0 };
	struct tlb t = make(&mixed, &g);

	fill(&t, TLB_I, 0x3ff000, 1, TLB_2M, false);
	is(look(&t, TLB_I, 0x200000, 1), TLB_HIT);
	is(look(&t, TLB_I, 0x400000, 1), TLB_MISS);
	fill(&t, TLB_D, 0x3ff000, 1, TLB_2M, false);
	fill(&t, TLB_D, 0x201000, 1, TLB_2M, false);
	fill(&t, TLB_D, 0x402000, 1, TLB_4K, false);
	is(look(&t, TLB_D, 0x3ff000, 1), TLB_HIT);
	is(look(&t, TLB_D, 0x3fe000, 1), TLB_MISS);
	/* The fence of one address removes the whole leaf and all pieces. */
	tlb_fence(&t, &va, NULL);
	is(look(&t, TLB_I, 0x3ff000, 1), TLB_MISS);
	is(look(&t, TLB_D, 0x3ff000, 1), TLB_MISS);
	is(look(&t, TLB_D, 0x201000, 1), TLB_MISS);
	is(look(&t, TLB_D, 0x402000, 1), TLB_HIT);
	is(g.nr, 3);
	/* The permissions of a page have grown: its new entry replaces the old one. */
	fill(&t, TLB_D, 0x402000, 1, TLB_4K, false);
	is(g.nr, 4);
	is(g.va, 0x402000);
	tlb_free(&t);
}

static bool save(void *model, const struct stream *s)
{
	return tlb_save(model, s);
}

static bool restore(void *model, const struct stream *s)
{
	return tlb_restore(model, s);
}

static void reset(void *model)
{
	tlb_reset(model);
}

static void snapshots(void)
{
	struct trace t = trace_random(22, 3000, 65536);

	for (unsigned n = 0; n < TAP_NR(configs); n++) {
		struct gone g = { 0 };
		struct tlb tlb = make(&configs[n], &g), other = make(&configs[n], &g);
		struct rig_model m = { &tlb, save, restore, reset },
				 o = { &other, save, restore, reset };
		uint64_t all = 0x3000;
		struct bytes a, b;

		tap_context("config %u", n);
		for (unsigned k = 0; k < 2000; k++) {
			uint64_t va = (t.step[k].addr & 0xffff) << 12;
			struct tlb_entry leaf = leaf_of(va, k % 3, 0);
			enum tlb_part side = k % 4 ? TLB_D : TLB_I;

			if (look(&tlb, side, va, k % 3) == TLB_MISS)
				tlb_fill(&tlb, side, va, &leaf);
		}
		ok(rig_hostile(&m, 300) > 100);
		a = rig_save(&m);
		ok(rig_restore(&o, &a, a.len));
		free(a.data);
		/* A restored TLB continues in the same way, also at fences that look at counts. */
		for (unsigned k = 2000; k < 3000; k++) {
			uint64_t va = (t.step[k].addr & 0xffff) << 12;

			is(look(&tlb, TLB_D, va, 1), look(&other, TLB_D, va, 1));
		}
		tlb_fence(&tlb, &all, NULL);
		tlb_fence(&other, &all, NULL);
		a = rig_save(&m);
		b = rig_save(&o);
		ok(bytes_same(&a, &b));
		free(a.data);
		free(b.data);
		tlb_free(&tlb);
		tlb_free(&other);
	}
	free(t.step);
}

static void impossible(void)
{
	static const struct {
		struct tlb_shape shape;
		enum tlb_part part;
		const char *name, *field, *text;
	} cases[] = {
		{ { 3, 4, 0, 1 }, TLB_I, "i", "sets", "3 is not a power of two" },
		{ { 0, 4, 0, 1 }, TLB_D, "d", "sets", "0 is outside 1 to 16384" },
		{ { 1, 0, 0, 1 }, TLB_D, "d", "ways", "0 is outside 1 to 64" },
		{ { 1, 40, REPLACE_PLRU, 1 },
		  TLB_D,
		  "d",
		  "ways",
		  "40 is not a power of two, as tree-PLRU needs" },
		{ { 64, 4, 9, 1 }, TLB_SECOND, "second", "policy", "9 is outside 0 to 3" },
		{ { 64, 4, 0, 4 },
		  TLB_SECOND,
		  "second",
		  "sizes",
		  "0x4: entries of 4 KiB (bit 0) are needed, and bits above 5 mean nothing" },
	};

	for (unsigned n = 0; n < TAP_NR(cases); n++) {
		struct tlb_config config = small;
		struct model_error why = { 0 };

		tap_context("case %u", n);
		config.part[cases[n].part] = cases[n].shape;
		ok(!tlb_check(&config, &why));
		rig_refused(&why, cases[n].name, cases[n].field, cases[n].text);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "random traces, compared with the plain TLB", random_traces },
		{ "stride walks and chases, compared with the plain TLB", patterns },
		{ "a recorded program, compared with the plain TLB", recorded },
		{ "two levels by hand", levels },
		{ "the four forms of sfence.vma", fences },
		{ "leaves that are split", pieces },
		{ "snapshots, and damaged ones", snapshots },
		{ "impossible shapes", impossible },
	};

	return tap_run(cases, TAP_NR(cases));
}
