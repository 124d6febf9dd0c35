/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dev_driver.h - a virtio driver for the tests; it follows the rules unless a test asks otherwise.
 *
 * The rings of queue q have fixed addresses in the fake board's RAM; the buffers follow them, in
 * the order of their allocation.
 */
#ifndef DEV_DRIVER_H
#define DEV_DRIVER_H

#include "dev_board.h"

#define QUEUE_SIZE    16
#define QUEUE_AT(q)   (RAM_BASE + 0x1000ull * (q))
#define DESC_AT(q)    (QUEUE_AT(q))
#define AVAIL_AT(q)   (QUEUE_AT(q) + 0x400)
#define USED_AT(q)    (QUEUE_AT(q) + 0x800)
#define BUFFERS_AT    (RAM_BASE + 0x40000)
#define INDIRECT_AT   (RAM_BASE + 0x30000)
#define FLAG_NEXT     1
#define FLAG_WRITE    2
#define FLAG_INDIRECT 4

#define REG_FEATURES_SEL 0x14
#define REG_DRIVER	 0x20
#define REG_DRIVER_SEL	 0x24
#define REG_QUEUE_SEL	 0x30
#define REG_QUEUE_NUM	 0x38
#define REG_QUEUE_READY	 0x44
#define REG_NOTIFY	 0x50
#define REG_INTERRUPT	 0x60
#define REG_ACK		 0x64
#define REG_STATUS	 0x70
#define REG_DESC	 0x80
#define REG_AVAIL	 0x90
#define REG_USED	 0xa0
#define REG_CONFIG	 0x100

#define FEATURE_INDIRECT  (1ull << 28)
#define FEATURE_EVENT_IDX (1ull << 29)
#define FEATURE_VERSION_1 (1ull << 32)
#define NEEDS_RESET	  64

struct driver {
	struct fake *f;
	struct device *d;
	uint16_t avail[20], used[20]; /* our indices, for each queue */
	unsigned desc; /* next free descriptor, of any queue */
	uint64_t buffer; /* next free byte */
};

static inline void *at(struct fake *f, uint64_t addr)
{
	return f->ram + (addr - RAM_BASE);
}

static inline uint16_t get16(struct fake *f, uint64_t addr)
{
	uint16_t v;

	memcpy(&v, at(f, addr), 2);
	return v;
}

static inline uint32_t get32(struct fake *f, uint64_t addr)
{
	uint32_t v;

	memcpy(&v, at(f, addr), 4);
	return v;
}

static inline void set16(struct fake *f, uint64_t addr, uint16_t v)
{
	memcpy(at(f, addr), &v, 2);
}

static inline void set_desc(struct driver *g, uint64_t table, unsigned i, uint64_t addr,
			    uint32_t len, uint16_t flags, uint16_t next)
{
	unsigned char *p = at(g->f, table + 16 * (uint64_t)i);

	memcpy(p, &addr, 8);
	memcpy(p + 8, &len, 4);
	memcpy(p + 12, &flags, 2);
	memcpy(p + 14, &next, 2);
}

static inline void setup_queue(struct driver *g, unsigned q)
{
	static const unsigned reg[3] = { REG_DESC, REG_AVAIL, REG_USED };
	const uint64_t addr[3] = { DESC_AT(q), AVAIL_AT(q), USED_AT(q) };

	wr(g->d, REG_QUEUE_SEL, 4, q);
	wr(g->d, REG_QUEUE_NUM, 4, QUEUE_SIZE);
	for (unsigned i = 0; i < 3; i++) {
		wr(g->d, reg[i], 4, addr[i] & 0xffffffff);
		wr(g->d, reg[i] + 4, 4, addr[i] >> 32);
	}
	wr(g->d, REG_QUEUE_READY, 4, 1);
	memset(at(g->f, QUEUE_AT(q)), 0, 0x1000);
	g->avail[q] = g->used[q] = 0;
}

/* Initializes the device with features, VERSION_1 added, and queues 0 to nr - 1. */
static inline void driver_init(struct driver *g, struct fake *f, struct device *d,
			       uint64_t features, unsigned nr)
{
	memset(g, 0, sizeof(*g));
	g->f = f;
	g->d = d;
	g->buffer = BUFFERS_AT;
	wr(d, REG_STATUS, 4, 0);
	wr(d, REG_STATUS, 4, 3);
	features |= FEATURE_VERSION_1;
	for (unsigned i = 0; i < 2; i++) {
		wr(d, REG_DRIVER_SEL, 4, i);
		wr(d, REG_DRIVER, 4, features >> (32 * i) & 0xffffffff);
	}
	wr(d, REG_STATUS, 4, 11);
	for (unsigned q = 0; q < nr; q++)
		setup_queue(g, q);
	wr(d, REG_STATUS, 4, 15);
}

/* A buffer of len bytes in guest RAM, filled from data if that is not NULL. */
static inline uint64_t buffer(struct driver *g, const void *data, size_t len)
{
	uint64_t addr = g->buffer;

	g->buffer += (len + 15) & ~15ull;
	if (g->buffer > RAM_BASE + RAM_SIZE)
		abort();
	if (data)
		memcpy(at(g->f, addr), data, len);
	return addr;
}

/* Makes the chain that starts at descriptor head available; notifies. */
static inline void offer(struct driver *g, unsigned q, uint16_t head)
{
	set16(g->f, AVAIL_AT(q) + 4 + 2 * (g->avail[q] % QUEUE_SIZE), head);
	set16(g->f, AVAIL_AT(q) + 2, ++g->avail[q]);
	wr(g->d, REG_NOTIFY, 4, q);
}

/* A chain of an out buffer and an in buffer; a buffer of length 0 is left out. */
static inline uint16_t chain(struct driver *g, unsigned q, uint64_t out, uint32_t out_len,
			     uint64_t in, uint32_t in_len)
{
	uint16_t head = g->desc++ % QUEUE_SIZE, second = head;

	if (out_len && in_len)
		second = g->desc++ % QUEUE_SIZE;
	if (out_len)
		set_desc(g, DESC_AT(q), head, out, out_len, in_len ? FLAG_NEXT : 0, second);
	if (in_len)
		set_desc(g, DESC_AT(q), second, in, in_len, FLAG_WRITE, 0);
	return head;
}

/* The next used element: returns true, its head and its length; false if there is none. */
static inline bool taken(struct driver *g, unsigned q, uint32_t *head, uint32_t *len)
{
	uint64_t elem = USED_AT(q) + 4 + 8 * (g->used[q] % QUEUE_SIZE);

	if (get16(g->f, USED_AT(q) + 2) == g->used[q])
		return false;
	g->used[q]++;
	*head = get32(g->f, elem);
	*len = get32(g->f, elem + 4);
	return true;
}

static inline bool needs_reset(struct driver *g)
{
	return rd(g->d, REG_STATUS, 4) & NEEDS_RESET;
}

#endif
