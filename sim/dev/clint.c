/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clint.c - the software interrupts between harts, and the machine timer.
 *
 * mtime is guest time in ticks plus an offset that software may set.  The device has at most one
 * wake: the earliest time that any hart waits for.
 *
 * Implements: RISC-V ACLINT 1.0-rc4, MSWI at 0x0, MTIMER with MTIMECMP at 0x4000 and MTIME at
 * 0xbff8.  These are the offsets of SiFive's CLINT.
 */
#include <libfdt.h>
#include <string.h>

#include "common.h"

#define MSIP	 0x0
#define MTIMECMP 0x4000
#define MTIME	 0xbff8
#define TICK_NS	 (1000000000u / CLINT_HZ)

/* Bit numbers in mip, which the device tree uses. */
#define IRQ_MSI 3
#define IRQ_MTI 7

struct clint {
	unsigned nr;
	struct irq msip_line[CLINT_HARTS], mtip_line[CLINT_HARTS];
	struct clint_regs {
		uint64_t delta; /* mtime - guest time, in ticks, modulo 2^64 */
		uint64_t mtimecmp[CLINT_HARTS];
		uint8_t msip[CLINT_HARTS];
	} r;
};

uint64_t clint_time(const struct device *d)
{
	const struct clint *c = d->state;

	return d->board->now(d->board->opaque) / TICK_NS + c->r.delta;
}

/* The guest time at which mtime reaches a tick, or 0 if it has reached it at guest time `at`. */
static uint64_t when(const struct clint *c, uint64_t tick, uint64_t at)
{
	uint64_t now = at / TICK_NS, mtime = now + c->r.delta, wait;

	if (mtime >= tick)
		return 0;
	wait = tick - mtime;
	if (wait > UINT64_MAX / TICK_NS - now)
		return UINT64_MAX;
	return (now + wait) * TICK_NS;
}

uint64_t clint_when(const struct device *d, uint64_t tick)
{
	return when(d->state, tick, d->board->now(d->board->opaque));
}

/*
 * Sets each timer line from mtimecmp and the time of its hart: a hart that reads mtime after its
 * interrupt finds mtimecmp reached.  Asks for a wake at the next time that changes a line.
 */
static void update_timer(void *arg)
{
	struct device *d = arg;
	const struct board *b = d->board;
	struct clint *c = d->state;
	uint64_t first = UINT64_MAX;

	for (unsigned i = 0; i < c->nr; i++) {
		uint64_t at = when(c, c->r.mtimecmp[i], b->hart_now(b->opaque, i));

		irq_set(&c->mtip_line[i], at == 0);
		if (at && at < first)
			first = at;
	}
	b->wake_at(b->opaque, first, update_timer, d);
}

static uint64_t clint_read(struct device *d, uint64_t offset, unsigned bytes)
{
	struct clint *c = d->state;

	if (offset < MSIP + 4 * c->nr)
		return device_reg64_read(c->r.msip[offset / 4], offset & 3, bytes);
	if (offset >= MTIMECMP && offset < MTIMECMP + 8 * c->nr)
		return device_reg64_read(c->r.mtimecmp[(offset - MTIMECMP) / 8], offset, bytes);
	if (offset >= MTIME && offset < MTIME + 8)
		return device_reg64_read(clint_time(d), offset, bytes);
	return 0;
}

static void clint_write(struct device *d, uint64_t offset, unsigned bytes, uint64_t value)
{
	struct clint *c = d->state;
	uint64_t *cmp, mtime;
	unsigned hart;

	if (offset < MSIP + 4 * c->nr && bytes == 4) {
		hart = offset / 4;
		c->r.msip[hart] = value & 1;
		irq_set(&c->msip_line[hart], value & 1);
	} else if (offset >= MTIMECMP && offset < MTIMECMP + 8 * c->nr) {
		cmp = &c->r.mtimecmp[(offset - MTIMECMP) / 8];
		*cmp = device_reg64_write(*cmp, offset, bytes, value);
		update_timer(d);
	} else if (offset >= MTIME && offset < MTIME + 8) {
		mtime = clint_time(d);
		c->r.delta += device_reg64_write(mtime, offset, bytes, value) - mtime;
		update_timer(d);
	}
}

static void update_all(struct device *d)
{
	struct clint *c = d->state;

	for (unsigned i = 0; i < c->nr; i++)
		irq_set(&c->msip_line[i], c->r.msip[i]);
	update_timer(d);
}

static void clint_reset(struct device *d)
{
	struct clint *c = d->state;

	memset(&c->r, 0, sizeof(c->r));
	memset(c->r.mtimecmp, 0xff, sizeof(c->r.mtimecmp));
	update_all(d);
}

static bool clint_save(struct device *d, const struct stream *s)
{
	struct clint *c = d->state;

	return stream_write(s, &c->r, sizeof(c->r));
}

static bool clint_restore(struct device *d, const struct stream *s)
{
	struct clint *c = d->state;
	struct clint_regs r;

	if (!stream_read(s, &r, sizeof(r))) {
		clint_reset(d);
		return false;
	}
	for (unsigned i = 0; i < CLINT_HARTS; i++)
		r.msip[i] &= 1;
	c->r = r;
	update_all(d);
	return true;
}

static void clint_destroy(struct device *d)
{
	d->board->wake_at(d->board->opaque, UINT64_MAX, update_timer, d);
	device_free(d);
}

static int clint_dt(struct device *d, void *fdt, int soc, uint32_t plic)
{
	static const char compatible[] = "sifive,clint0\0riscv,clint0";
	const struct clint *c = d->state;
	int node = device_node(fdt, soc, d, compatible, sizeof(compatible));

	return node < 0 ? node : device_node_hart_interrupts(fdt, node, c->nr, IRQ_MSI, IRQ_MTI);
}

struct device *clint_create(const struct board *board, unsigned nr, const struct irq *msip,
			    const struct irq *mtip)
{
	static const struct device proto = {
		.name = "clint",
		.base = CLINT_BASE,
		.size = 0x10000,
		.min_bytes = 4,
		.max_bytes = 8,
		.read = clint_read,
		.write = clint_write,
		.reset = clint_reset,
		.save = clint_save,
		.restore = clint_restore,
		.destroy = clint_destroy,
		.dt = clint_dt,
	};
	struct device *d = nr <= CLINT_HARTS ? device_new(&proto, board, sizeof(struct clint))
					     : NULL;
	struct clint *c;

	if (!d)
		return NULL;
	c = d->state;
	c->nr = nr;
	memcpy(c->msip_line, msip, nr * sizeof(*msip));
	memcpy(c->mtip_line, mtip, nr * sizeof(*mtip));
	clint_reset(d);
	return d;
}
