// SPDX-License-Identifier: BSD-2-Clause
/* ledger.c - the bandwidth of a resource that harts share (ledger.h). */
#include <stdlib.h>
#include <string.h>

#include "ledger.h"

#define NONE	  UINT64_MAX
#define LEARN_MAX 32 /* windows: older ones would weigh less than 2 % */

bool ledger_init(struct ledger *l, const struct ledger_config *config, unsigned harts)
{
	*l = (struct ledger){
		.window = malloc(config->windows * sizeof(*l->window)),
		.to = malloc((size_t)config->windows * harts * sizeof(*l->to)),
		.hart = malloc(harts * sizeof(*l->hart)),
		.want = malloc(harts * sizeof(*l->want)),
		.harts = harts,
		.shift = model_log2(config->window),
		.config = *config,
	};
	if (!l->window || !l->to || !l->hart || !l->want) {
		ledger_free(l);
		return false;
	}
	ledger_reset(l);
	return true;
}

void ledger_free(struct ledger *l)
{
	free(l->window);
	free(l->to);
	free(l->hart);
	free(l->want);
	*l = (struct ledger){ 0 };
}

/* Another hart asks: what was remembered for the last one is no longer true. */
static void asks(struct ledger *l, unsigned hart)
{
	l->asks = hart;
	l->full_from = l->full_to = 0;
	l->share_of = NONE;
}

void ledger_reset(struct ledger *l)
{
	for (uint32_t n = 0; n < l->config.windows; n++)
		l->window[n] = (struct ledger_window){ .number = n };
	l->newest = l->config.windows - 1;
	memset(l->to, 0, (size_t)l->config.windows * l->harts * sizeof(*l->to));
	memset(l->hart, 0, l->harts * sizeof(*l->hart));
	asks(l, 0);
}

/* Windows */

static size_t slot_of(const struct ledger *l, uint64_t window)
{
	return window & (l->config.windows - 1);
}

static bool forgotten(const struct ledger *l, uint64_t window)
{
	return window + l->config.windows <= l->newest;
}

/* The cycles of a window that are given to a hart. */
static uint32_t given_to(const struct ledger *l, uint64_t window, unsigned hart)
{
	size_t slot = slot_of(l, window);

	return l->window[slot].number == window ? l->to[slot * l->harts + hart] : 0;
}

static void give(struct ledger *l, uint64_t window, unsigned hart, uint32_t cycles)
{
	size_t slot = slot_of(l, window);
	struct ledger_window *w = &l->window[slot];

	if (window > l->newest)
		l->newest = window;
	if (w->number != window) {
		*w = (struct ledger_window){ .number = window };
		memset(&l->to[slot * l->harts], 0, l->harts * sizeof(*l->to));
	}
	w->given += cycles;
	l->to[slot * l->harts + hart] += cycles;
}

/* Shares */

/* The cycles of a window that a hart which has not reached it will want. */
static uint32_t expected(const struct ledger *l, uint64_t window, unsigned hart)
{
	const struct ledger_hart *h = &l->hart[hart];
	uint64_t most = (2ull * l->config.turn >> l->shift) + 8;

	return window - h->front <= most ? h->wants >> 8 : 0;
}

/*
 * The share of a hart in a window.  Harts that want less than an equal part leave the rest to the
 * others, until nobody is left who wants less.
 */
static uint32_t compute_share(struct ledger *l, uint64_t window, unsigned hart)
{
	uint32_t left = l->config.window, part;
	unsigned nr = 0, before;

	for (unsigned n = 0; n < l->harts; n++) {
		uint32_t given = given_to(l, window, n), want;

		if (n == hart)
			continue;
		want = window >= l->hart[n].front ? expected(l, window, n) : 0;
		if (want > given)
			l->want[nr++] = want;
		else
			left -= given;
	}
	do {
		before = nr;
		part = left / (nr + 1);
		for (unsigned n = 0; n < nr;) {
			if (l->want[n] > part) {
				n++;
				continue;
			}
			left -= l->want[n];
			l->want[n] = l->want[--nr];
		}
	} while (nr < before);
	return part;
}

/* The cycles of a window that it can still give to the hart that asks. */
static uint32_t room(struct ledger *l, uint64_t window)
{
	size_t slot = slot_of(l, window);
	uint32_t given = l->window[slot].number == window ? l->window[slot].given : 0;
	uint32_t own = given_to(l, window, l->asks), left = l->config.window - given;

	if (l->harts == 1 || !left)
		return left;
	if (l->share_of != window) {
		l->share = compute_share(l, window, l->asks);
		l->share_of = window;
	}
	if (own >= l->share)
		return 0;
	return l->share - own < left ? l->share - own : left;
}

static void remember_full(struct ledger *l, uint64_t window)
{
	if (l->full_to != window)
		l->full_from = window;
	l->full_to = window + 1;
}

/* What a hart wants */

static void learn(struct ledger_hart *h, uint32_t cycles)
{
	h->wants += cycles * 32 - h->wants / 8;
}

/* A service begins in a window: those before it are over.  waited_from: as in reached(). */
static void advance(struct ledger *l, unsigned hart, uint64_t window, uint64_t waited_from)
{
	struct ledger_hart *h = &l->hart[hart];
	uint64_t from = window - h->front > LEARN_MAX ? window - LEARN_MAX : h->front;

	for (uint64_t n = from; n < window; n++) {
		bool waited = n >= waited_from || (n == h->front && h->waited);

		learn(h, waited ? l->config.window : given_to(l, n, hart));
	}
	h->front = window;
	h->waited = false;
}

/*
 * A service begins in a window.  The hart waited for others since the window waited_from; NONE: it
 * did not wait.
 */
static void reached(struct ledger *l, unsigned hart, uint64_t window, uint64_t waited_from)
{
	struct ledger_hart *h = &l->hart[hart];

	if (window > h->front)
		advance(l, hart, window, waited_from);
	h->waited |= waited_from != NONE;
}

/* The queue of a hart */

/*
 * Returns the first time from at on at which the hart is not being served, and until when, *end.
 */
static uint64_t idle_at(const struct ledger_hart *h, uint64_t at, uint64_t *end)
{
	unsigned n = h->spans;

	while (n && h->span[n - 1].begin > at)
		n--;
	*end = n < h->spans ? h->span[n].begin : NONE;
	return n && h->span[n - 1].end > at ? h->span[n - 1].end : at;
}

/* Adds a period that is not served yet.  With too many, the first one is forgotten. */
static void serve(struct ledger_hart *h, uint64_t begin, uint64_t end)
{
	struct ledger_span *s = h->span;
	unsigned n = h->spans;

	while (n && s[n - 1].begin > begin)
		n--;
	if (n && s[n - 1].end == begin) {
		s[n - 1].end = end;
		if (n < h->spans && s[n].begin == end) {
			s[n - 1].end = s[n].end;
			h->spans--;
			memmove(&s[n], &s[n + 1], (h->spans - n) * sizeof(*s));
		}
	} else if (n < h->spans && s[n].begin == end) {
		s[n].begin = begin;
	} else if (h->spans < LEDGER_SPANS) {
		memmove(&s[n + 1], &s[n], (h->spans - n) * sizeof(*s));
		s[n] = (struct ledger_span){ begin, end };
		h->spans++;
	} else if (n) {
		memmove(&s[0], &s[1], (n - 1) * sizeof(*s));
		s[n - 1] = (struct ledger_span){ begin, end };
	}
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t ledger_take(struct ledger *l, uint64_t at, uint32_t cycles, unsigned hart)
{
	struct ledger_hart *h = &l->hart[hart];
	uint64_t limit = (at >> l->shift) + LEDGER_WAIT, begin = NONE, first, now, end;
	uint64_t left = least(cycles, l->config.window);

	if (!cycles || at > LEDGER_TIME_MAX || forgotten(l, at >> l->shift))
		return 0;
	if (hart != l->asks)
		asks(l, hart);
	first = now = idle_at(h, at, &end);
	while (left && now >> l->shift < limit) {
		uint64_t window = now >> l->shift, next = (window + 1) << l->shift, took = 0;

		if (window >= l->full_from && window < l->full_to) {
			next = l->full_to << l->shift;
		} else {
			took = least(least(left, room(l, window)), least(next, end) - now);
			if (!took)
				remember_full(l, window);
		}
		if (took) {
			if (begin == NONE)
				begin = now;
			give(l, window, hart, took);
			serve(h, now, now + took);
			left -= took;
			next = now + took;
		}
		now = idle_at(h, next, &end);
	}
	if (begin == NONE)
		begin = limit << l->shift;
	reached(l, hart, begin >> l->shift, begin > first ? first >> l->shift : NONE);
	return begin - at;
}

/* Snapshots */

/* A ledger in a snapshot: the windows, each with the parts of the harts, then the harts. */
struct saved_hart {
	struct ledger_span span[LEDGER_SPANS];
	uint64_t front;
	uint32_t spans, wants, waited, zero;
};

#define SHAPE(l)                                                                                   \
	{                                                                                          \
		(l)->config.window, (l)->config.windows, (l)->config.turn, (l)->harts              \
	}

bool ledger_save(const struct ledger *l, const struct stream *s)
{
	uint32_t shape[] = SHAPE(l);

	if (!model_save_shape(s, shape, 4))
		return false;
	for (uint32_t n = 0; n < l->config.windows; n++) {
		if (!stream_write(s, &l->window[n].number, sizeof(l->window[n].number)))
			return false;
	}
	for (unsigned n = 0; n < l->harts; n++) {
		const struct ledger_hart *h = &l->hart[n];
		struct saved_hart saved = {
			.front = h->front, .spans = h->spans, .wants = h->wants, .waited = h->waited
		};

		memcpy(saved.span, h->span, h->spans * sizeof(*h->span));
		if (!stream_write(s, &saved, sizeof(saved)))
			return false;
	}
	return stream_write(s, l->to, (size_t)l->config.windows * l->harts * sizeof(*l->to));
}

/* Computes what is given in a window.  Returns whether that is possible. */
static bool window_possible(struct ledger *l, uint32_t slot)
{
	struct ledger_window *w = &l->window[slot];

	w->given = 0;
	if (w->number > l->newest)
		l->newest = w->number;
	for (unsigned n = 0; n < l->harts; n++)
		w->given += l->to[slot * l->harts + n];
	return w->given <= l->config.window && slot_of(l, w->number) == slot &&
	       w->number <= (LEDGER_TIME_MAX >> l->shift) + LEDGER_WAIT;
}

static bool hart_possible(const struct ledger *l, const struct saved_hart *saved)
{
	static const struct ledger_span none;
	uint64_t last = LEDGER_TIME_MAX + ((uint64_t)LEDGER_WAIT << l->shift), at = 0;

	if (saved->spans > LEDGER_SPANS || saved->waited > 1 || saved->zero ||
	    saved->wants > l->config.window << 8 || saved->front > last >> l->shift)
		return false;
	for (unsigned n = 0; n < LEDGER_SPANS; n++) {
		const struct ledger_span *s = &saved->span[n];

		if (n >= saved->spans && memcmp(s, &none, sizeof(none)))
			return false;
		if (n < saved->spans &&
		    (s->begin >= s->end || (n && s->begin <= at) || s->end > last))
			return false;
		at = s->end;
	}
	return true;
}

static bool restore_hart(struct ledger *l, struct ledger_hart *h, const struct stream *s)
{
	struct saved_hart saved;

	if (!stream_read(s, &saved, sizeof(saved)) || !hart_possible(l, &saved))
		return false;
	*h = (struct ledger_hart){
		.front = saved.front,
		.spans = saved.spans,
		.wants = saved.wants,
		.waited = saved.waited,
	};
	memcpy(h->span, saved.span, sizeof(saved.span));
	return true;
}

bool ledger_restore(struct ledger *l, const struct stream *s)
{
	uint32_t shape[] = SHAPE(l);
	bool possible = model_restore_shape(s, shape, 4);

	ledger_reset(l);
	for (uint32_t n = 0; possible && n < l->config.windows; n++)
		possible = stream_read(s, &l->window[n].number, sizeof(l->window[n].number));
	for (unsigned n = 0; possible && n < l->harts; n++)
		possible = restore_hart(l, &l->hart[n], s);
	possible = possible &&
		   stream_read(s, l->to, (size_t)l->config.windows * l->harts * sizeof(*l->to));
	for (uint32_t n = 0; possible && n < l->config.windows; n++)
		possible = window_possible(l, n);
	if (!possible)
		ledger_reset(l);
	return possible;
}
