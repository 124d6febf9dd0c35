/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dev_board.h - a minimal board for the tests of devices: RAM, time that the test advances,
 * interrupt lines that a test can read, host input on demand, a snapshot in memory.
 */
#ifndef DEV_BOARD_H
#define DEV_BOARD_H

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"

#define RAM_BASE 0x80000000ull
#define RAM_SIZE 0x400000ull

#define FAKE_LINES 128
#define FAKE_SLOTS 32

struct fake {
	struct board board;
	unsigned char *ram;
	uint64_t now;
	uint64_t behind[2]; /* how far these harts are behind now */
	bool line[FAKE_LINES];
	unsigned raised[FAKE_LINES]; /* how often a line was raised */
	uint64_t written; /* number of bytes passed to ram_written */
	int status, finished, reboots;
	struct {
		uint64_t at;
		void (*fn)(void *arg);
		void *arg;
	} wake[FAKE_SLOTS];
	struct {
		int fd;
		void (*fn)(void *arg);
		void *arg;
	} watch[FAKE_SLOTS];
	unsigned char *shot;
	size_t shot_len, shot_at;
};

static inline void *fake_ram(void *opaque, uint64_t addr, uint64_t len)
{
	struct fake *f = opaque;

	if (addr < RAM_BASE || len > RAM_SIZE || addr - RAM_BASE > RAM_SIZE - len)
		return NULL;
	return f->ram + (addr - RAM_BASE);
}

static inline void fake_ram_written(void *opaque, uint64_t addr, uint64_t len)
{
	struct fake *f = opaque;

	if (!fake_ram(f, addr, len))
		abort();
	f->written += len;
}

static inline uint64_t fake_now(void *opaque)
{
	return ((struct fake *)opaque)->now;
}

static inline uint64_t fake_hart_now(void *opaque, unsigned hart)
{
	const struct fake *f = opaque;

	return f->now - (hart < 2 ? f->behind[hart] : 0);
}

static inline void fake_wake_at(void *opaque, uint64_t at, void (*fn)(void *arg), void *arg)
{
	struct fake *f = opaque;
	int slot = -1;

	for (int i = 0; i < FAKE_SLOTS; i++) {
		if (f->wake[i].fn == fn && f->wake[i].arg == arg)
			f->wake[i].fn = NULL;
		if (!f->wake[i].fn)
			slot = i;
	}
	if (at == UINT64_MAX)
		return;
	if (slot < 0)
		abort();
	f->wake[slot].at = at;
	f->wake[slot].fn = fn;
	f->wake[slot].arg = arg;
}

static inline void fake_watch_fd(void *opaque, int fd, void (*fn)(void *arg), void *arg)
{
	struct fake *f = opaque;
	int slot = -1;

	for (int i = 0; i < FAKE_SLOTS; i++) {
		if (f->watch[i].fn == fn && f->watch[i].arg == arg)
			f->watch[i].fn = NULL;
		if (!f->watch[i].fn)
			slot = i;
	}
	if (fd < 0)
		return;
	if (slot < 0)
		abort();
	f->watch[slot].fd = fd;
	f->watch[slot].fn = fn;
	f->watch[slot].arg = arg;
}

static inline void fake_finish(void *opaque, int status, bool reboot)
{
	struct fake *f = opaque;

	f->finished++;
	f->reboots += reboot;
	f->status = status;
}

static inline void fake_init(struct fake *f)
{
	memset(f, 0, sizeof(*f));
	f->ram = calloc(1, RAM_SIZE);
	f->board = (struct board){
		.opaque = f,
		.ram = fake_ram,
		.ram_written = fake_ram_written,
		.now = fake_now,
		.hart_now = fake_hart_now,
		.wake_at = fake_wake_at,
		.watch_fd = fake_watch_fd,
		.finish = fake_finish,
	};
}

/* Frees all; returns whether no device left anything behind. */
static inline bool fake_end(struct fake *f)
{
	bool clean = true;

	for (int i = 0; i < FAKE_SLOTS; i++)
		clean &= !f->wake[i].fn && !f->watch[i].fn;
	free(f->ram);
	free(f->shot);
	return clean;
}

static inline void fake_set(void *opaque, unsigned num, bool level)
{
	struct fake *f = opaque;

	if (num >= FAKE_LINES)
		abort();
	f->raised[num] += level && !f->line[num];
	f->line[num] = level;
}

static inline struct irq fake_irq(struct fake *f, unsigned num)
{
	return (struct irq){ .set = fake_set, .opaque = f, .num = num };
}

/* Advances guest time to ns; wakes that are due on the way are called. */
static inline void fake_time(struct fake *f, uint64_t ns)
{
	for (;;) {
		int first = -1;

		for (int i = 0; i < FAKE_SLOTS; i++)
			if (f->wake[i].fn && f->wake[i].at <= ns &&
			    (first < 0 || f->wake[i].at < f->wake[first].at))
				first = i;
		if (first < 0)
			break;
		void (*fn)(void *arg) = f->wake[first].fn;

		if (f->wake[first].at > f->now)
			f->now = f->wake[first].at;
		f->wake[first].fn = NULL;
		fn(f->wake[first].arg);
	}
	f->now = ns;
}

/* Delivers host input until there is none, at most rounds times; returns how many. */
static inline unsigned fake_input(struct fake *f, unsigned rounds)
{
	unsigned calls = 0;

	for (unsigned r = 0; r < rounds; r++) {
		unsigned before = calls;

		for (int i = 0; i < FAKE_SLOTS; i++) {
			struct pollfd p = { .fd = f->watch[i].fd, .events = POLLIN };

			if (f->watch[i].fn && poll(&p, 1, 0) > 0) {
				f->watch[i].fn(f->watch[i].arg);
				calls++;
			}
		}
		if (calls == before)
			break;
	}
	return calls;
}

static inline bool fake_shot_write(void *opaque, const void *data, size_t len)
{
	struct fake *f = opaque;

	f->shot = realloc(f->shot, f->shot_len + len + 1);
	if (len)
		memcpy(f->shot + f->shot_len, data, len);
	f->shot_len += len;
	return true;
}

static inline bool fake_shot_read(void *opaque, void *data, size_t len)
{
	struct fake *f = opaque;

	if (len > f->shot_len - f->shot_at)
		return false;
	if (len)
		memcpy(data, f->shot + f->shot_at, len);
	f->shot_at += len;
	return true;
}

static inline struct stream fake_stream(struct fake *f)
{
	return (struct stream){ .opaque = f, .write = fake_shot_write, .read = fake_shot_read };
}

static inline bool fake_save(struct fake *f, struct device *d)
{
	struct stream s = fake_stream(f);

	f->shot_len = f->shot_at = 0;
	return d->save(d, &s);
}

/* Restores what fake_save saved; true if the device accepted it all. */
static inline bool fake_restore(struct fake *f, struct device *d)
{
	struct stream s = fake_stream(f);

	f->shot_at = 0;
	return d->restore(d, &s) && f->shot_at == f->shot_len;
}

static inline uint64_t rd(struct device *d, uint64_t offset, unsigned bytes)
{
	return d->read(d, offset, bytes);
}

static inline void wr(struct device *d, uint64_t offset, unsigned bytes, uint64_t value)
{
	d->write(d, offset, bytes, value);
}

#endif
