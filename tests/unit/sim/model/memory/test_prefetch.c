// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_prefetch.c - prefetchers that learn: sequences computed by hand, and snapshots.
 * test_cache.c compares them with plain ones.
 */
#include "model_rig.h"
#include "prefetch.h"

#define LINE 64
#define PAGE 0x80000000ull

static struct prefetch make_wide(uint32_t entries, uint32_t degree, uint32_t distance,
				 uint32_t pages, bool stride)
{
	struct prefetch_config config = { entries, degree, distance, pages };
	struct model_error why = { 0 };
	struct prefetch p;

	ok(prefetch_check(&config, &why));
	prefetch_init(&p, &config, LINE, stride);
	return p;
}

static struct prefetch make(uint32_t entries, uint32_t degree, uint32_t distance, bool stride)
{
	return make_wide(entries, degree, distance, 1, stride);
}

/* The lines of the page that are prefetched, as decimal numbers. */
static const char *lines(const struct prefetch *p)
{
	static char text[80];
	size_t len = 0;

	*text = '\0';
	for (unsigned n = 0; n < p->nr; n++)
		len += snprintf(text + len, sizeof(text) - len, "%s%llu", n ? " " : "",
				(unsigned long long)(p->target[n] & 4095) / LINE);
	return text;
}

static const char *stream(struct prefetch *p, uint64_t pa)
{
	prefetch_stream(p, pa);
	return lines(p);
}

static const char *stride(struct prefetch *p, uint64_t pc, uint64_t pa)
{
	prefetch_stride(p, pc, pa);
	return lines(p);
}

static void streams(void)
{
	struct prefetch p = make(2, 2, 4, false);

	/* Two steps in one direction; then two lines for each trigger, until it is four ahead. */
	is_str(stream(&p, PAGE), "");
	is_str(stream(&p, PAGE + 1 * LINE + 8), "");
	is_str(stream(&p, PAGE + 1 * LINE + 16), "");
	is_str(stream(&p, PAGE + 2 * LINE), "3 4");
	is_str(stream(&p, PAGE + 3 * LINE), "5 6");
	is_str(stream(&p, PAGE + 4 * LINE), "7 8");
	is_str(stream(&p, PAGE + 5 * LINE), "9");
	is_str(stream(&p, PAGE + 6 * LINE), "10");
	/* Over three lines: it is one ahead, and so on. */
	is_str(stream(&p, PAGE + 9 * LINE), "11 12");
	/* Beyond what it has prefetched. */
	is_str(stream(&p, PAGE + 30 * LINE), "31 32");
	/* The other direction has to be learned, too. */
	is_str(stream(&p, PAGE + 20 * LINE), "");
	is_str(stream(&p, PAGE + 19 * LINE), "18 17");
	is_str(stream(&p, PAGE + 2 * LINE), "1 0");
	/* Nothing in front of the page, or after it. */
	is_str(stream(&p, PAGE + 1 * LINE), "");
	is_str(stream(&p, PAGE + 62 * LINE), "");
	is_str(stream(&p, PAGE + 63 * LINE), "");
	is(p.entry[p.first].confidence, 2);
}

/* Pages replace each other by use. */
static void pages(void)
{
	struct prefetch p = make(2, 1, 1, false);

	for (unsigned n = 0; n < 3; n++)
		is_str(stream(&p, PAGE + n * LINE), n < 2 ? "" : "3");
	for (unsigned n = 0; n < 3; n++)
		is_str(stream(&p, PAGE + 4096 + (9 - n) * LINE), n < 2 ? "" : "6");
	is_str(stream(&p, PAGE + 3 * LINE), "4");
	is_str(stream(&p, PAGE + 8192), "");
	is_str(stream(&p, PAGE + 4 * LINE), "5");
	is_str(stream(&p, PAGE + 4096 + 6 * LINE), ""); /* it was used longest ago */
}

static void strides(void)
{
	struct prefetch p = make(4, 2, 3, true);

	/* Steps of 200 bytes, in two loads that do not disturb each other. */
	is_str(stride(&p, 0x100, PAGE), "");
	is_str(stride(&p, 0x100, PAGE + 200), "");
	is_str(stride(&p, 0x102, PAGE + 3000), "");
	is_str(stride(&p, 0x100, PAGE + 400), "9 12");
	is_str(stride(&p, 0x102, PAGE + 3000 - 72), "");
	is_str(stride(&p, 0x100, PAGE + 600), "15 18");
	is_str(stride(&p, 0x102, PAGE + 3000 - 144), "43 42");
	is_str(stride(&p, 0x100, PAGE + 800), "21");
	/* A step that is another one: the confidence of 3 falls to 2, and the old step goes on. */
	is_str(stride(&p, 0x100, PAGE + 810), "");
	is_str(stride(&p, 0x100, PAGE + 1010), "18 22");
	/* No load, and a load that has the same entry. */
	is_str(stride(&p, PREFETCH_NO_PC, PAGE + 1210), "");
	is_str(stride(&p, 0x108, PAGE + 1210), "");
	is_str(stride(&p, 0x100, PAGE + 1210), "");
	/* Less than a line counts as a line, also if the first use of a line is somewhere in it. */
	is_str(stride(&p, 0x104, PAGE + 60), "");
	is_str(stride(&p, 0x104, PAGE + 64), "");
	is_str(stride(&p, 0x104, PAGE + 136), "3 4");
	is_str(stride(&p, 0x104, PAGE + 136), "");
	is_str(stride(&p, 0x104, PAGE + 200), "5 6");
	/* Into the next page, where it goes on. */
	is_str(stride(&p, 0x104, PAGE + 4096 + 8), "1 2");
	is_str(stride(&p, 0x104, PAGE + 4096 + 72), "3 4");
	/* An unknown step into another page says nothing. */
	is_str(stride(&p, 0x106, PAGE), "");
	is_str(stride(&p, 0x106, PAGE + 4096), "");
	is_str(stride(&p, 0x106, PAGE + 8192), "");
	is(p.entry[3].step, 0);
}

/* A region of two pages: prefetches go on from the first into the second, and no further. */
static void regions(void)
{
	struct prefetch a = make_wide(2, 2, 4, 2, false), b = make_wide(4, 4, 3, 2, true);

	is_str(stream(&a, PAGE + 60 * LINE), "");
	is_str(stream(&a, PAGE + 61 * LINE), "");
	is_str(stream(&a, PAGE + 62 * LINE), "63 0");
	is(a.target[1], PAGE + 4096);
	is_str(stream(&a, PAGE + 4096), "1 2");
	is_str(stream(&a, PAGE + 4096 + 61 * LINE), "62 63");
	is_str(stream(&a, PAGE + 4096 + 62 * LINE), "");
	is_str(stream(&a, PAGE + 8192), ""); /* another region: an entry of its own */
	is_str(stride(&b, 0x100, PAGE), "");
	is_str(stride(&b, 0x100, PAGE + 2000), "");
	is_str(stride(&b, 0x100, PAGE + 4000), "29 61");
	is(b.target[0], PAGE + 4096 + 29 * LINE);
	is_str(stride(&b, 0x100, PAGE + 6000), "");
	/* In the next region it goes on from the first trigger, as far as that reaches. */
	is_str(stride(&b, 0x100, PAGE + 8192), "31 62 29");
	/* A step of a page is not a stride. */
	is_str(stride(&b, 0x104, PAGE), "");
	is_str(stride(&b, 0x104, PAGE + 4096), "");
	is(b.entry[0x104 / 2 % 4].step, 0);
	is_str(stride(&b, 0x104, PAGE + 1), "");
	is_str(stride(&b, 0x104, PAGE + 4096), "");
	is(b.entry[0x104 / 2 % 4].step, 4095);
	/* Steps of a page and more, within the region, take the confidence of another one. */
	is_str(stride(&b, 0x106, PAGE), "");
	is_str(stride(&b, 0x106, PAGE + 1024), "");
	is_str(stride(&b, 0x106, PAGE + 2048), "48 0 16");
	is(b.entry[0x106 / 2 % 4].confidence, 2);
	is_str(stride(&b, 0x106, PAGE + 2048 + 4096), "");
	is(b.entry[0x106 / 2 % 4].confidence, 1);
	is(b.entry[0x106 / 2 % 4].step, 1024);
	is_str(stride(&b, 0x106, PAGE + 2048), "");
	is(b.entry[0x106 / 2 % 4].confidence, 0);
	is(b.entry[0x106 / 2 % 4].step, 0);
}

static bool save(void *model, const struct stream *s)
{
	return prefetch_save(model, s);
}

static bool restore(void *model, const struct stream *s)
{
	return prefetch_restore(model, s);
}

static void reset(void *model)
{
	prefetch_reset(model);
}

static void go(struct prefetch *p, unsigned n)
{
	uint64_t pa = PAGE + n % 3 * 8192 + n / 3 * (p->stride ? 136 : LINE);

	if (p->stride)
		prefetch_stride(p, 0x1000 + n % 3 * 2, pa);
	else
		prefetch_stream(p, pa);
}

static void snapshots(void)
{
	for (unsigned kind = 0; kind < 2; kind++) {
		struct prefetch p = make(8, 3, 9, kind), other = make(8, 3, 9, kind);
		struct prefetch shapes[] = { make(4, 3, 9, kind), make(8, 2, 9, kind),
					     make(8, 3, 8, kind), make(8, 3, 9, !kind),
					     make_wide(8, 3, 9, 2, kind) };
		struct rig_model m = { &p, save, restore, reset },
				 o = { &other, save, restore, reset };
		struct bytes b;

		tap_context("kind %u", kind);
		for (unsigned n = 0; n < 40; n++)
			go(&p, n);
		ok(rig_hostile(&m, 400) > 200);
		b = rig_save(&m);
		ok(rig_restore(&o, &b, b.len));
		for (unsigned n = 40; n < 120; n++) {
			go(&p, n);
			go(&other, n);
			is(p.nr, other.nr);
			ok(!memcmp(p.target, other.target, p.nr * sizeof(*p.target)));
		}
		for (unsigned n = 0; n < TAP_NR(shapes); n++) {
			o.model = &shapes[n];
			ok(!rig_restore(&o, &b, b.len));
		}
		free(b.data);
	}
}

/* States that no triggers lead to: one number of entry 0 or 1 is another one. */
static void hostile(void)
{
	enum { ENTRY = 24, KEY = 0, LAST = 8, STEP = 16, CONFIDENCE = 20, AHEAD = 22, SIZE = 24 };
	static const struct {
		bool stride;
		unsigned at, len;
		uint64_t value;
	} cases[] = {
		{ false, ENTRY + KEY, 8, PAGE + 4096 }, /* another page than the last trigger's */
		{ false, ENTRY + LAST, 8, PAGE + 1 }, /* not a line */
		{ false, ENTRY + STEP, 4, 128 },
		{ false, ENTRY + STEP, 4, 0 },
		{ false, ENTRY + CONFIDENCE, 2, 0 },
		{ false, ENTRY + CONFIDENCE, 2, 4 },
		{ false, ENTRY + AHEAD, 2, 5 },
		{ false, ENTRY + SIZE + KEY, 8, PAGE }, /* a page twice */
		{ false, ENTRY + SIZE + LAST, 8, 64 }, /* of a free entry */
		{ false, ENTRY + KEY, 8, PREFETCH_NO_PC },
		{ true, ENTRY + KEY, 8, 0x1001 }, /* an odd pc */
		{ true, ENTRY + KEY, 8, 0x1002 }, /* a pc of another entry */
		{ true, ENTRY + LAST, 8, 1ull << 56 },
		{ true, ENTRY + STEP, 4, 63 },
		{ true, ENTRY + STEP, 4, 4096 },
		{ true, ENTRY + STEP, 4, (uint32_t)-4096 },
		{ true, ENTRY + CONFIDENCE, 2, 4 },
	};

	for (unsigned n = 0; n < TAP_NR(cases); n++) {
		struct prefetch p = make(4, 2, 4, cases[n].stride);
		struct rig_model m = { &p, save, restore, reset };
		struct bytes b;

		tap_context("case %u", n);
		for (unsigned k = 0; k < 3; k++) {
			if (cases[n].stride)
				prefetch_stride(&p, 0x1000, PAGE + k * LINE);
			else
				prefetch_stream(&p, PAGE + k * LINE);
		}
		b = rig_save(&m);
		is(b.len, ENTRY + 4 * SIZE);
		ok(rig_restore(&m, &b, b.len));
		memcpy(b.data + cases[n].at, &cases[n].value, cases[n].len);
		if (cases[n].at == ENTRY + SIZE + KEY) /* as a whole it would be possible */
			memcpy(b.data + cases[n].at + LAST, &(uint64_t){ PAGE }, 8);
		ok(!rig_restore(&m, &b, b.len));
		is(p.entry[0].key, PREFETCH_NO_PC);
		free(b.data);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "streams, up and down", streams },
		{ "pages of streams", pages },
		{ "regions of two pages", regions },
		{ "strides of loads", strides },
		{ "snapshots, and damaged ones", snapshots },
		{ "snapshots of impossible states", hostile },
	};

	return tap_run(cases, TAP_NR(cases));
}
