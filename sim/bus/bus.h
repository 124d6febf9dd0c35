/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bus.h - what a hart can ask of the machine around it.  RAM itself is in struct cluster
 * (cluster.h): a hart reads and writes it directly.
 *
 * The engine calls none of these functions while code, loads and stores stay in RAM.
 */
#ifndef SIM_BUS_H
#define SIM_BUS_H

#include <stdbool.h>
#include <stdint.h>

struct hart;

struct bus {
	void *opaque;
	/* An access outside RAM.  False: no device takes it. */
	bool (*read)(void *opaque, uint64_t pa, unsigned bytes, uint64_t *value);
	bool (*write)(void *opaque, uint64_t pa, unsigned bytes, uint64_t value);
	/*
	 * The slow path has written RAM at pa.  The machine drops the blocks decoded from it and
	 * other harts' reservations, and obeys the command if the word is HTIF's tohost.
	 */
	void (*written)(void *opaque, uint64_t pa, uint64_t len);
	/* The value of mtime now. */
	uint64_t (*time)(void *opaque);
	/* The cycle at which mtime reaches a value; 0: it has, UINT64_MAX: it never will. */
	uint64_t (*time_when)(void *opaque, uint64_t mtime);
	/* The machine cannot go on.  why is one line; it is copied. */
	void (*fail)(void *opaque, const char *why);
	/*
	 * The hart executes an ebreak at h->pc.  True: it was a semihosting call (an ebreak between
	 * the two hints), and it is done.  NULL: semihosting is off.
	 */
	bool (*semihost)(struct hart *h);
};

static inline bool bus_read(const struct bus *b, uint64_t pa, unsigned bytes, uint64_t *value)
{
	return b->read(b->opaque, pa, bytes, value);
}

static inline bool bus_write(const struct bus *b, uint64_t pa, unsigned bytes, uint64_t value)
{
	return b->write(b->opaque, pa, bytes, value);
}

static inline void bus_written(const struct bus *b, uint64_t pa, uint64_t len)
{
	b->written(b->opaque, pa, len);
}

static inline uint64_t bus_time(const struct bus *b)
{
	return b->time(b->opaque);
}

static inline uint64_t bus_time_when(const struct bus *b, uint64_t mtime)
{
	return b->time_when(b->opaque, mtime);
}

#endif
