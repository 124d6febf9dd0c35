// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_ledger.c - requests of harts to a shared resource (sim/model/memory/ledger.h), at any times.
 *
 * Input: three bytes that are the harts, the window and the turn; then requests: a byte that is the
 * hart and the kind of time, the time, and the cycles.
 *
 * Must hold: no window gives more cycles than it has, and what it gives is what its harts got.  The
 * periods in which a hart is served do not overlap.  No wait is longer than the limit.  A hart that
 * is alone and whose requests come in order sees a queue.  A ledger that was saved and restored
 * gives the same answers; one restored from a damaged snapshot works.
 */
#include "fuzz.h"
#include "ledger.h"

#define ROOM (1 << 20)

static struct {
	uint8_t data[ROOM];
	size_t len, at;
} file;

static bool file_write(void *opaque, const void *data, size_t len)
{
	(void)opaque;
	must(len <= ROOM - file.len);
	memcpy(file.data + file.len, data, len);
	file.len += len;
	return true;
}

static bool file_read(void *opaque, void *data, size_t len)
{
	(void)opaque;
	if (len > file.len - file.at)
		return false;
	memcpy(data, file.data + file.at, len);
	file.at += len;
	return true;
}

static const struct stream stream = { NULL, file_write, file_read };

static void save(const struct ledger *l)
{
	file.len = file.at = 0;
	must(ledger_save(l, &stream));
}

static void check(const struct ledger *l)
{
	for (uint32_t n = 0; n < l->config.windows; n++) {
		uint32_t given = 0;

		for (unsigned hart = 0; hart < l->harts; hart++)
			given += l->to[n * l->harts + hart];
		must(given == l->window[n].given && given <= l->config.window);
		must(l->window[n].number % l->config.windows == n);
		must(l->window[n].number <= l->newest);
	}
	for (unsigned hart = 0; hart < l->harts; hart++) {
		const struct ledger_hart *h = &l->hart[hart];

		must(h->spans <= LEDGER_SPANS && h->wants <= l->config.window << 8);
		for (unsigned n = 0; n < h->spans; n++) {
			must(h->span[n].begin < h->span[n].end);
			must(!n || h->span[n - 1].end < h->span[n].begin);
		}
	}
}

/* The queue of a hart that is alone, while its requests come in order. */
struct queue {
	uint64_t last, end;
	bool ordered;
};

static void check_queue(const struct ledger *l, struct queue *q, uint64_t at, uint32_t cycles,
			uint64_t delay)
{
	uint64_t begin = at > q->end ? at : q->end;

	if (at < q->last || at > LEDGER_TIME_MAX ||
	    (begin + cycles) >> l->shift >= (at >> l->shift) + LEDGER_WAIT)
		q->ordered = false;
	if (!q->ordered || !cycles)
		return;
	must(at + delay == begin);
	q->last = at;
	q->end = begin + (cycles < l->config.window ? cycles : l->config.window);
}

static uint64_t any_time(struct input *in, unsigned how, uint64_t before)
{
	switch (how % 8) {
	case 0:
		return input_bytes(in, 8);
	case 1:
		return before - input_bytes(in, 2);
	case 2:
		return before + input_bytes(in, 3);
	case 3:
		return before;
	default:
		return before + input_byte(in);
	}
}

static void run(struct ledger *l, struct ledger *other, struct input *in)
{
	struct queue q = { .ordered = l->harts == 1 };
	bool both = false;
	uint64_t at = 0;

	while (in->at < in->end) {
		unsigned how = input_byte(in), hart = how / 8 % l->harts;
		uint32_t cycles;
		uint64_t delay;

		if (how == 0xff) {
			save(l);
			must(ledger_restore(other, &stream));
			both = true;
			continue;
		}
		at = any_time(in, how, at);
		cycles = input_byte(in) * (how & 0x80 ? 16 : 1);
		delay = ledger_take(l, at, cycles, hart);
		must(delay <= (uint64_t)LEDGER_WAIT << l->shift);
		must(!both || ledger_take(other, at, cycles, hart) == delay);
		check_queue(l, &q, at, cycles, delay);
	}
	check(l);
}

/* The input's end, in the place of a part of the last snapshot. */
static void damage(struct ledger *l, const uint8_t *data, size_t size)
{
	save(l);
	for (size_t n = 0; n + 4 <= size && n < 64; n += 4)
		file.data[(data[n] << 16 | data[n + 1] << 8 | data[n + 2]) % file.len] ^=
			data[n + 3];
	if (!ledger_restore(l, &stream))
		must(l->newest == l->config.windows - 1u);
	check(l);
	for (unsigned n = 0; n < l->harts; n++)
		ledger_take(l, l->newest << l->shift, 40, n);
	check(l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, data + size };
	unsigned harts = 1 + input_byte(&in) % 8;
	struct ledger_config config = { 64u << input_byte(&in) % 6, 512, 1 + input_byte(&in) * 50 };
	struct ledger l, other;

	must(ledger_init(&l, &config, harts) && ledger_init(&other, &config, harts));
	run(&l, &other, &in);
	damage(&l, data, size);
	ledger_free(&l);
	ledger_free(&other);
	return 0;
}
