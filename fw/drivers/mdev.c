// SPDX-License-Identifier: BSD-2-Clause
/*
 * mdev.c - finds the devices that belong to M-mode and that S-mode must not access.
 *
 * These are timers and software interrupts of M-mode, also those without a driver here; interrupt
 * domains of M-mode (an APLIC can write its messages to any address, and PMP does not check
 * them); HTIF, whose calls make the host write to memory.  Disabled nodes count, too: their
 * registers exist.
 *
 * Implements: the Linux bindings of the nodes below; AIA 1.0 §3.9, §4.9 (why they are protected).
 */
#include <dtb.h>
#include <rv/csr.h>
#include <rv/trap.h>
#include <rv/xlen.h>

#include "mdev.h"
#include "platform.h"
#include "print.h"

/* True if interrupts-extended contains the external interrupt of M-mode. */
static bool has_m_external(const struct dtb *t, uint32_t node)
{
	uint32_t number;
	unsigned i;

	for (i = 1; dtb_cell(t, node, "interrupts-extended", i, &number); i += 2) {
		if (number == IRQ_M_EXT)
			return true;
	}
	return false;
}

bool mdev_is_domain(const struct dtb *t, uint32_t node)
{
	uint32_t phandle, imsic;

	if (!dtb_compatible(t, node, "riscv,aplic") && !dtb_compatible(t, node, "riscv,imsics"))
		return false;
	if (dtb_prop(t, node, "interrupts-extended", NULL))
		return has_m_external(t, node);
	/* An APLIC that sends messages: see its IMSIC; without one the root domain has children. */
	imsic = dtb_cell(t, node, "msi-parent", 0, &phandle) ? dtb_phandle(t, phandle) : DTB_NONE;
	return imsic == DTB_NONE ? dtb_prop(t, node, "riscv,children", NULL) != NULL
				 : has_m_external(t, imsic);
}

static bool is_mdev(const struct dtb *t, uint32_t node)
{
	static const char *const names[] = {
		"sifive,clint0",
		"riscv,clint0",
		"thead,c900-clint",
		"riscv,aclint-mswi",
		"riscv,aclint-mtimer",
		"thead,c900-aclint-mswi",
		"thead,c900-aclint-mtimer",
		"andestech,plicsw",
		"andestech,plmt0",
		"ucb,htif0",
	};
	unsigned i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (dtb_compatible(t, node, names[i]))
			return true;
	}
	return mdev_is_domain(t, node);
}

/*
 * Adds r to platform.closed.  Adjacent ranges become one, which saves PMP entries.  The range of
 * the firmware stays the first and is never merged.
 */
static void close_to_s(struct range r)
{
	unsigned i = 1;

	while (i < platform.nr_closed) {
		struct range c = platform.closed[i];
		uint64_t end = r.base + r.size, c_end = c.base + c.size;

		if (end < c.base || c_end < r.base) {
			i++;
			continue;
		}
		r.base = c.base < r.base ? c.base : r.base;
		r.size = (c_end > end ? c_end : end) - r.base;
		platform.closed[i] = platform.closed[--platform.nr_closed];
		i = 1;
	}
	platform.closed[platform.nr_closed++] = r;
}

/* Neither range is empty.  A range may end at the last address, so its end is not computed. */
static bool overlap(const struct range *a, const struct range *b)
{
	return a->base <= b->base + b->size - 1 && b->base <= a->base + a->size - 1;
}

/* Why registers cannot be protected; NULL if they can. */
static const char *cannot_close(const struct range *r)
{
	unsigned i;

	if (r->base + r->size <= r->base || r->base + r->size - 1 > (rv_ulong)-1)
		return "no addresses of this machine";
	if (overlap(r, &platform.fw))
		return "in the firmware's memory";
	for (i = 0; i < platform.nr_ram; i++) {
		if (overlap(r, &platform.ram[i]))
			return "in memory";
	}
	return platform.nr_mdevs < MDEV_MAX ? NULL : "more than the firmware's table holds";
}

static void add_mdev(const struct dtb *t, uint32_t node)
{
	const char *name = dtb_name(t, node), *wrong;
	struct range r;
	struct mdev *d;
	unsigned i;

	for (i = 0; dtb_reg(t, node, i, &r.base, &r.size); i++) {
		wrong = cannot_close(&r);
		if (wrong) {
			print("holter: %s stays OPEN to S-mode: its registers at 0x%llx are %s\n",
			      name, (unsigned long long)r.base, wrong);
			continue;
		}
		d = &platform.mdev[platform.nr_mdevs++];
		d->r = r;
		platform_name(d->name, sizeof(d->name), name);
		close_to_s(r);
	}
	if (!i)
		print("holter: %s stays OPEN to S-mode: the device tree gives it no registers\n",
		      name);
}

void mdev_init(const struct dtb *t)
{
	uint32_t n;

	platform.closed[0] = platform.fw;
	platform.nr_closed = 1;
	for (n = dtb_root(t); n != DTB_NONE; n = dtb_next(t, n, NULL)) {
		if (is_mdev(t, n))
			add_mdev(t, n);
	}
}

unsigned mdev_closed(const struct mdev *d)
{
	unsigned i;

	for (i = 1; i < platform.nr_closed - 1 && !overlap(&d->r, &platform.closed[i]); i++)
		;
	return i;
}
