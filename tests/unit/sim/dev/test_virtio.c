/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_virtio.c - transport and queues, with the random number device behind them because it writes
 * into every buffer that it gets.
 */
#include "dev_driver.h"
#include "tap.h"

#define IRQ 1

static struct fake f;
static struct driver g;

static struct device *make(void)
{
	fake_init(&f);
	return virtio_rng_create((struct virtio_slot){ &f.board, 0, fake_irq(&f, IRQ) }, 42);
}

static void start(uint64_t features)
{
	driver_init(&g, &f, make(), features, 1);
}

static void end(struct device *d)
{
	d->destroy(d);
	ok(fake_end(&f));
}

static void identity(void)
{
	struct device *d = make();

	is(d->base, 0x10001000);
	is(rd(d, 0, 4), 0x74726976);
	is(rd(d, 4, 4), 2);
	is(rd(d, 8, 4), 4);
	is(rd(d, 0xb0, 4), 0xffffffff);
	is(rd(d, 0, 1), 0);
	is(rd(d, REG_CONFIG, 1), 0);
	is(rd(d, 0xffc, 4), 0);
	wr(d, REG_CONFIG, 4, 1);
	wr(d, 0xffc, 4, 1);
	end(d);
	fake_init(&f);
	d = virtio_none_create((struct virtio_slot){ &f.board, 7, fake_irq(&f, IRQ) });
	is(d->base, 0x10008000);
	is(rd(d, 0, 4), 0x74726976);
	is(rd(d, 8, 4), 0);
	wr(d, REG_QUEUE_READY, 4, 1);
	wr(d, REG_STATUS, 4, 15);
	wr(d, REG_NOTIFY, 4, 0);
	end(d);
}

static void negotiation(void)
{
	struct device *d = make();

	/* Small drivers look for it. */
	is(rd(d, 0xc, 4), 0x554d4551);
	/* Without FEATURES_OK there is no DRIVER_OK. */
	wr(d, REG_STATUS, 4, 3);
	wr(d, REG_STATUS, 4, 7);
	is(rd(d, REG_STATUS, 4), 3);
	/* A driver that does not accept VERSION_1, as some small ones. */
	wr(d, REG_STATUS, 4, 11);
	is(rd(d, REG_STATUS, 4), 11);
	wr(d, REG_STATUS, 4, 15);
	is(rd(d, REG_STATUS, 4), 15);
	wr(d, REG_STATUS, 4, 0);
	wr(d, REG_STATUS, 4, 3);
	/* A feature that was not offered. */
	wr(d, REG_DRIVER_SEL, 4, 1);
	wr(d, REG_DRIVER, 4, 1);
	wr(d, REG_DRIVER_SEL, 4, 0);
	wr(d, REG_DRIVER, 4, 2);
	wr(d, REG_STATUS, 4, 11);
	is(rd(d, REG_STATUS, 4), 3);
	wr(d, REG_DRIVER, 4, 0);
	wr(d, REG_DRIVER_SEL, 4, 2);
	wr(d, REG_DRIVER, 4, 0xffffffff);
	wr(d, REG_STATUS, 4, 11);
	is(rd(d, REG_STATUS, 4), 11);
	wr(d, REG_FEATURES_SEL, 4, 1);
	is(rd(d, 0x10, 4), 1);
	wr(d, REG_FEATURES_SEL, 4, 0xffffffff);
	is(rd(d, 0x10, 4), 0);
	wr(d, REG_STATUS, 4, 0);
	is(rd(d, REG_STATUS, 4), 0);
	end(d);
}

static void queue_registers(void)
{
	static const struct {
		uint32_t num, desc, avail, used;
		bool good;
	} rows[] = {
		{ 0, 0, 0, 0, false },	   { 3, 0, 0, 0, false }, { 128, 0, 0, 0, false },
		{ 64, 0, 0, 0, true },	   { 1, 16, 2, 4, true }, { 8, 8, 0, 0, false },
		{ 8, 0, 1, 0, false },	   { 8, 0, 0, 2, false }, { 0xffffffff, 0, 0, 0, false },
		{ 65600, 0, 0, 0, false },
	};
	struct device *d = make();

	wr(d, REG_QUEUE_SEL, 4, 0xffffffff);
	is(rd(d, 0x34, 4), 0);
	wr(d, REG_QUEUE_READY, 4, 1);
	is(rd(d, REG_QUEUE_READY, 4), 0);
	wr(d, REG_QUEUE_SEL, 4, 0);
	is(rd(d, 0x34, 4), 64);
	for (unsigned i = 0; i < TAP_NR(rows); i++) {
		tap_context("row %u", i);
		wr(d, REG_QUEUE_READY, 4, 0);
		wr(d, REG_QUEUE_NUM, 4, rows[i].num);
		wr(d, REG_DESC, 4, rows[i].desc);
		wr(d, REG_AVAIL, 4, rows[i].avail);
		wr(d, REG_USED, 4, rows[i].used);
		wr(d, REG_QUEUE_READY, 4, 1);
		is(rd(d, REG_QUEUE_READY, 4), rows[i].good);
	}
	end(d);
}

/* Sends one in chain through the device; returns how many bytes the device says it wrote. */
static uint32_t once(uint64_t addr, uint32_t len)
{
	uint32_t head, written = 0xffffffff;
	uint16_t mine = chain(&g, 0, 0, 0, addr, len);

	offer(&g, 0, mine);
	if (taken(&g, 0, &head, &written))
		is(head, mine);
	return written;
}

static void requests(void)
{
	uint64_t b[40];
	uint32_t head, len;

	start(0);
	for (unsigned i = 0; i < 40; i++) {
		b[i] = buffer(&g, NULL, 32);
		is(once(b[i], 32), 32);
		ok(f.line[IRQ]);
		is(rd(g.d, REG_INTERRUPT, 4), 1);
		wr(g.d, REG_ACK, 4, 1);
		ok(!f.line[IRQ]);
		ok(!i || memcmp(at(&f, b[i]), at(&f, b[i - 1]), 32) != 0);
	}
	/* The same seed gives the same numbers. */
	g.d->destroy(g.d);
	driver_init(&g, &f,
		    virtio_rng_create((struct virtio_slot){ &f.board, 0, fake_irq(&f, IRQ) }, 42),
		    0, 1);
	g.buffer = b[39] + 32;
	is(once(buffer(&g, NULL, 32), 32), 32);
	ok(!memcmp(at(&f, b[39] + 32), at(&f, b[0]), 32));
	/* No interrupt if the driver suppresses it. */
	wr(g.d, REG_ACK, 4, 3);
	set16(&f, AVAIL_AT(0), 1);
	is(once(b[0], 7), 7);
	ok(!f.line[IRQ]);
	/* An out buffer only: the device can write nothing, and writes nothing. */
	offer(&g, 0, chain(&g, 0, b[0], 16, 0, 0));
	ok(taken(&g, 0, &head, &len));
	is(len, 0);
	ok(!needs_reset(&g));
	end(g.d);
}

static void event_index(void)
{
	uint64_t b;

	start(FEATURE_EVENT_IDX);
	b = buffer(&g, NULL, 32);
	/* used_event 2: an interrupt with the third buffer. */
	set16(&f, AVAIL_AT(0) + 4 + 2 * QUEUE_SIZE, 2);
	for (unsigned i = 0; i < 6; i++) {
		tap_context("buffer %u", i);
		is(once(b, 32), 32);
		is(f.raised[IRQ], i >= 2);
		is(get16(&f, USED_AT(0) + 4 + 8 * QUEUE_SIZE), i + 1);
		wr(g.d, REG_ACK, 4, 1);
	}
	end(g.d);
}

static void indirect(void)
{
	uint64_t b;
	uint32_t head, len;

	start(FEATURE_INDIRECT);
	b = buffer(&g, NULL, 64);
	set_desc(&g, INDIRECT_AT, 0, b, 16, FLAG_WRITE | FLAG_NEXT, 2);
	set_desc(&g, INDIRECT_AT, 2, b + 40, 8, FLAG_WRITE, 0);
	set_desc(&g, DESC_AT(0), 0, INDIRECT_AT, 48, FLAG_INDIRECT, 0);
	offer(&g, 0, 0);
	ok(taken(&g, 0, &head, &len));
	is(head, 0);
	is(len, 24);
	is(get32(&f, b + 16), 0);
	ok(get32(&f, b + 40) != 0);
	end(g.d);
}

/* Contents of a queue of 16 descriptors and of an indirect table by a hostile driver. */
struct hostile {
	const char *what;
	uint64_t features;
	uint16_t head;
	struct row {
		uint64_t addr;
		uint32_t len;
		uint16_t flags, next;
	} desc[3], table[3];
};

#define B	BUFFERS_AT
#define OUTSIDE (RAM_BASE + RAM_SIZE)

static const struct hostile hostiles[] = {
	{ "head outside", 0, 16, { { 0 } }, { { 0 } } },
	{ "head far outside", 0, 0xffff, { { 0 } }, { { 0 } } },
	{ "loop of one", 0, 0, { { B, 8, FLAG_NEXT | FLAG_WRITE, 0 } }, { { 0 } } },
	{ "loop of two",
	  0,
	  0,
	  { { B, 8, FLAG_NEXT | FLAG_WRITE, 1 }, { B, 8, FLAG_NEXT | FLAG_WRITE, 0 } },
	  { { 0 } } },
	{ "loop of empty ones", 0, 0, { { B, 0, FLAG_NEXT, 0 } }, { { 0 } } },
	{ "next outside", 0, 0, { { B, 8, FLAG_NEXT, 16 } }, { { 0 } } },
	{ "below RAM", 0, 0, { { 0x1000, 8, FLAG_WRITE, 0 } }, { { 0 } } },
	{ "after RAM", 0, 0, { { OUTSIDE, 1, FLAG_WRITE, 0 } }, { { 0 } } },
	{ "across the end", 0, 0, { { OUTSIDE - 4, 8, FLAG_WRITE, 0 } }, { { 0 } } },
	{ "wraps", 0, 0, { { UINT64_MAX - 3, 8, FLAG_WRITE, 0 } }, { { 0 } } },
	{ "huge", 0, 0, { { B, 0xffffffff, FLAG_WRITE, 0 } }, { { 0 } } },
	{ "device register", 0, 0, { { 0x10001000, 4, FLAG_WRITE, 0 } }, { { 0 } } },
	{ "out after in",
	  0,
	  0,
	  { { B, 8, FLAG_NEXT | FLAG_WRITE, 1 }, { B, 8, 0, 0 } },
	  { { 0 } } },
	{ "indirect without the feature",
	  0,
	  0,
	  { { INDIRECT_AT, 16, FLAG_INDIRECT, 0 } },
	  { { B, 8, FLAG_WRITE, 0 } } },
	{ "indirect and next",
	  FEATURE_INDIRECT,
	  0,
	  { { INDIRECT_AT, 16, FLAG_INDIRECT | FLAG_NEXT, 1 }, { B, 8, FLAG_WRITE, 0 } },
	  { { B, 8, FLAG_WRITE, 0 } } },
	{ "odd indirect table",
	  FEATURE_INDIRECT,
	  0,
	  { { INDIRECT_AT, 17, FLAG_INDIRECT, 0 } },
	  { { B, 8, FLAG_WRITE, 0 } } },
	{ "empty indirect table",
	  FEATURE_INDIRECT,
	  0,
	  { { INDIRECT_AT, 0, FLAG_INDIRECT, 0 } },
	  { { B, 8, FLAG_WRITE, 0 } } },
	{ "huge indirect table",
	  FEATURE_INDIRECT,
	  0,
	  { { INDIRECT_AT, 0x20000, FLAG_INDIRECT, 0 } },
	  { { B, 8, FLAG_WRITE, 0 } } },
	{ "indirect table outside",
	  FEATURE_INDIRECT,
	  0,
	  { { OUTSIDE, 16, FLAG_INDIRECT, 0 } },
	  { { 0 } } },
	{ "indirect in indirect",
	  FEATURE_INDIRECT,
	  0,
	  { { INDIRECT_AT, 32, FLAG_INDIRECT, 0 } },
	  { { INDIRECT_AT, 16, FLAG_INDIRECT, 0 } } },
	{ "next outside the indirect table",
	  FEATURE_INDIRECT,
	  0,
	  { { INDIRECT_AT, 32, FLAG_INDIRECT, 0 } },
	  { { B, 8, FLAG_NEXT | FLAG_WRITE, 2 } } },
	{ "loop in the indirect table",
	  FEATURE_INDIRECT,
	  0,
	  { { INDIRECT_AT, 32, FLAG_INDIRECT, 0 } },
	  { { B, 8, FLAG_NEXT | FLAG_WRITE, 0 } } },
};

static void hostile_chains(void)
{
	uint32_t head, len;

	for (unsigned i = 0; i < TAP_NR(hostiles); i++) {
		const struct hostile *h = &hostiles[i];

		tap_context("%s", h->what);
		start(h->features);
		for (unsigned k = 0; k < 3; k++) {
			set_desc(&g, DESC_AT(0), k, h->desc[k].addr, h->desc[k].len,
				 h->desc[k].flags, h->desc[k].next);
			set_desc(&g, INDIRECT_AT, k, h->table[k].addr, h->table[k].len,
				 h->table[k].flags, h->table[k].next);
		}
		f.written = 0;
		offer(&g, 0, h->head);
		ok(needs_reset(&g));
		is(rd(g.d, REG_INTERRUPT, 4), 2);
		is(f.written, 0);
		ok(!taken(&g, 0, &head, &len));
		/* The device is dead until it is reset, then it is as new. */
		offer(&g, 0, chain(&g, 0, 0, 0, BUFFERS_AT, 8));
		ok(!taken(&g, 0, &head, &len));
		wr(g.d, REG_STATUS, 4, 15);
		ok(needs_reset(&g));
		driver_init(&g, &f, g.d, 0, 1);
		is(once(BUFFERS_AT, 8), 8);
		end(g.d);
	}
}

static void hostile_rings(void)
{
	static const struct {
		const char *what;
		unsigned reg;
		uint64_t addr;
	} rows[] = {
		{ "descriptors outside", REG_DESC, OUTSIDE },
		{ "descriptors wrap", REG_DESC, UINT64_MAX - 15 },
		{ "available ring outside", REG_AVAIL, 0 },
		{ "available ring at the end", REG_AVAIL, OUTSIDE - 4 },
		{ "available index outside", REG_AVAIL, OUTSIDE - 2 },
		{ "used ring outside", REG_USED, 0x1000 },
		{ "used ring at the end", REG_USED, OUTSIDE - 4 },
	};

	for (unsigned i = 0; i < TAP_NR(rows); i++) {
		tap_context("%s", rows[i].what);
		start(0);
		if (rows[i].addr == OUTSIDE - 4)
			set16(&f, OUTSIDE - 2, 1);
		wr(g.d, REG_QUEUE_READY, 4, 0);
		wr(g.d, rows[i].reg, 4, rows[i].addr & 0xffffffff);
		wr(g.d, rows[i].reg + 4, 4, rows[i].addr >> 32);
		wr(g.d, REG_QUEUE_READY, 4, 1);
		is(rd(g.d, REG_QUEUE_READY, 4), 1);
		offer(&g, 0, chain(&g, 0, 0, 0, BUFFERS_AT, 8));
		ok(needs_reset(&g));
		end(g.d);
	}
	tap_context("more available than there are");
	start(0);
	set16(&f, AVAIL_AT(0) + 2, QUEUE_SIZE + 1);
	wr(g.d, REG_NOTIFY, 4, 0);
	ok(needs_reset(&g));
	end(g.d);
	tap_context("the device writes over its own queue");
	start(0);
	for (unsigned i = 0; i < QUEUE_SIZE; i++) {
		set_desc(&g, DESC_AT(0), i, QUEUE_AT(0), 0x1000, FLAG_WRITE, 0);
		set16(&f, AVAIL_AT(0) + 4 + 2 * i, i);
	}
	set16(&f, AVAIL_AT(0) + 2, QUEUE_SIZE);
	wr(g.d, REG_NOTIFY, 4, 0);
	end(g.d);
}

static void not_ready(void)
{
	struct device *d = make();
	uint32_t head, len;

	g = (struct driver){ .f = &f, .d = d };
	wr(d, REG_NOTIFY, 4, 0);
	wr(d, REG_NOTIFY, 4, 1);
	wr(d, REG_NOTIFY, 4, 0xffffffff);
	driver_init(&g, &f, d, 0, 1);
	/* The registers of a queue in use do not change. */
	wr(d, REG_DESC, 4, 0);
	wr(d, REG_QUEUE_NUM, 4, 1);
	is(once(BUFFERS_AT, 8), 8);
	wr(d, REG_QUEUE_READY, 4, 0);
	offer(&g, 0, chain(&g, 0, 0, 0, BUFFERS_AT, 8));
	ok(!taken(&g, 0, &head, &len));
	end(d);
}

static void snapshot(void)
{
	uint64_t b;

	start(FEATURE_EVENT_IDX);
	b = buffer(&g, NULL, 64);
	is(once(b, 8), 8);
	ok(fake_save(&f, g.d));
	is(once(b + 16, 8), 8);
	g.d->reset(g.d);
	ok(!f.line[IRQ]);
	g.used[0]--;
	g.avail[0]--;
	set16(&f, USED_AT(0) + 2, g.used[0]);
	set16(&f, AVAIL_AT(0) + 2, g.avail[0]);
	ok(fake_restore(&f, g.d));
	ok(f.line[IRQ]);
	is(once(b + 32, 8), 8);
	ok(!memcmp(at(&f, b + 16), at(&f, b + 32), 8));
	/* Any byte of a snapshot may be wrong; if a snapshot is refused, the device is in reset. */
	for (size_t i = 0; i < f.shot_len; i++) {
		f.shot[i] ^= 0xff;
		if (!fake_restore(&f, g.d))
			is(rd(g.d, REG_STATUS, 4), 0);
		for (unsigned k = 0; k < 3; k++)
			wr(g.d, REG_NOTIFY, 4, k);
		f.shot[i] ^= 0xff;
	}
	f.shot_len--;
	ok(!fake_restore(&f, g.d));
	end(g.d);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a device identifies itself", identity },
		{ "features are negotiated", negotiation },
		{ "a queue is not ready if its registers are invalid", queue_registers },
		{ "requests and interrupts", requests },
		{ "event indices", event_index },
		{ "indirect descriptors", indirect },
		{ "hostile chains break the device and nothing else", hostile_chains },
		{ "hostile rings, too", hostile_rings },
		{ "nothing happens before the driver is ready", not_ready },
		{ "state survives a snapshot, a damaged one is refused", snapshot },
	};

	return tap_run(cases, TAP_NR(cases));
}
