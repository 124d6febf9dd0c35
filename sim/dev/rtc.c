/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rtc.c - the real-time clock (goldfish RTC).
 *
 * The date is an offset plus guest time, so that it is the same in every run.  A read of the low
 * word latches the high word.  To set the time or the alarm, software writes the high word, then
 * the low word.
 *
 * Implements: goldfish virtual hardware, "Goldfish real-time clock", as in QEMU 7.2.
 */
#include <libfdt.h>
#include <string.h>
#include <time.h>

#include "common.h"

enum {
	TIME_LOW = 0x00,
	TIME_HIGH = 0x04,
	ALARM_LOW = 0x08,
	ALARM_HIGH = 0x0c,
	IRQ_ENABLED = 0x10,
	CLEAR_ALARM = 0x14,
	ALARM_STATUS = 0x18,
	CLEAR_INTERRUPT = 0x1c,
};

struct rtc {
	struct irq irq;
	uint64_t epoch_ns; /* or RTC_HOST */
	struct rtc_regs {
		uint64_t offset; /* date minus guest time, nanoseconds */
		uint64_t alarm;
		uint32_t time_high; /* latched by a read of TIME_LOW */
		uint8_t running; /* the alarm is set */
		uint8_t pending, enabled;
	} r;
};

static uint64_t rtc_now(const struct device *d)
{
	const struct rtc *c = d->state;

	return d->board->now(d->board->opaque) + c->r.offset;
}

static void update_irq(struct rtc *c)
{
	irq_set(&c->irq, c->r.pending && c->r.enabled);
}

/* Raises the alarm if it is due; otherwise asks for a wake at its time. */
static void update_alarm(void *arg)
{
	struct device *d = arg;
	struct rtc *c = d->state;
	uint64_t now = rtc_now(d), at = UINT64_MAX;

	if (c->r.running && c->r.alarm <= now) {
		c->r.running = false;
		c->r.pending = true;
	} else if (c->r.running) {
		at = d->board->now(d->board->opaque);
		at = c->r.alarm - now > UINT64_MAX - at ? UINT64_MAX : at + (c->r.alarm - now);
	}
	d->board->wake_at(d->board->opaque, at, update_alarm, d);
	update_irq(c);
}

static uint64_t rtc_read(struct device *d, uint64_t offset, unsigned bytes)
{
	struct rtc *c = d->state;
	uint64_t now;

	switch (offset) {
	case TIME_LOW:
		now = rtc_now(d);
		c->r.time_high = now >> 32;
		return now & 0xffffffff;
	case TIME_HIGH:
		return c->r.time_high;
	case ALARM_LOW:
		return c->r.alarm & 0xffffffff;
	case ALARM_HIGH:
		return c->r.alarm >> 32;
	case IRQ_ENABLED:
		return c->r.enabled;
	case ALARM_STATUS:
		return c->r.running;
	}
	return 0;
}

static void rtc_write(struct device *d, uint64_t offset, unsigned bytes, uint64_t value)
{
	struct rtc *c = d->state;
	uint64_t now;

	switch (offset) {
	case TIME_LOW:
	case TIME_HIGH:
		now = rtc_now(d);
		c->r.offset += device_reg64_write(now, offset, 4, value) - now;
		break;
	case ALARM_LOW:
		c->r.alarm = device_reg64_write(c->r.alarm, 0, 4, value);
		c->r.running = true;
		break;
	case ALARM_HIGH:
		c->r.alarm = device_reg64_write(c->r.alarm, 4, 4, value);
		return;
	case IRQ_ENABLED:
		c->r.enabled = value & 1;
		break;
	case CLEAR_ALARM:
		c->r.running = false;
		break;
	case CLEAR_INTERRUPT:
		c->r.pending = false;
		break;
	default:
		return;
	}
	update_alarm(d);
}

static void set_epoch(struct device *d)
{
	struct rtc *c = d->state;
	struct timespec ts;

	if (c->epoch_ns != RTC_HOST) {
		c->r.offset = c->epoch_ns;
	} else {
		clock_gettime(CLOCK_REALTIME, &ts);
		c->r.offset = (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec -
			      d->board->now(d->board->opaque);
	}
}

static void rtc_reset(struct device *d)
{
	struct rtc *c = d->state;

	memset(&c->r, 0, sizeof(c->r));
	set_epoch(d);
	update_alarm(d);
}

static bool rtc_save(struct device *d, const struct stream *s)
{
	struct rtc *c = d->state;

	return stream_write(s, &c->r, sizeof(c->r));
}

static bool rtc_restore(struct device *d, const struct stream *s)
{
	struct rtc *c = d->state;

	if (!stream_read(s, &c->r, sizeof(c->r))) {
		rtc_reset(d);
		return false;
	}
	if (c->epoch_ns == RTC_HOST)
		set_epoch(d);
	update_alarm(d);
	return true;
}

static void rtc_destroy(struct device *d)
{
	d->board->wake_at(d->board->opaque, UINT64_MAX, update_alarm, d);
	device_free(d);
}

static int rtc_dt(struct device *d, void *fdt, int soc, uint32_t plic)
{
	static const char compatible[] = "google,goldfish-rtc";
	int node = device_node(fdt, soc, d, compatible, sizeof(compatible));

	return node < 0 ? node : device_node_interrupt(fdt, node, plic, RTC_IRQ);
}

struct device *rtc_create(const struct board *board, struct irq irq, uint64_t epoch_ns)
{
	static const struct device proto = {
		.name = "rtc",
		.base = RTC_BASE,
		.size = 0x1000,
		.min_bytes = 4,
		.max_bytes = 4,
		.read = rtc_read,
		.write = rtc_write,
		.reset = rtc_reset,
		.save = rtc_save,
		.restore = rtc_restore,
		.destroy = rtc_destroy,
		.dt = rtc_dt,
	};
	struct device *d = device_new(&proto, board, sizeof(struct rtc));
	struct rtc *c;

	if (!d)
		return NULL;
	c = d->state;
	c->irq = irq;
	c->epoch_ns = epoch_ns;
	rtc_reset(d);
	return d;
}
