// SPDX-License-Identifier: BSD-2-Clause
/*
 * mdev.c - the devices of M-mode: which timer and which software interrupt are whose, and what
 * of the machine has to be closed to S-mode.
 *
 * Closed are: timers and software interrupts of M-mode, also of kinds that are not driven here;
 * the interrupt domains of M-mode (APLIC and IMSIC files: a message of theirs can be written
 * anywhere in memory, past PMP); HTIF, whose calls have the host write to memory.  A node that
 * is disabled has registers all the same.
 *
 * Implements: the Linux bindings of the nodes below; AIA 1.0 §3.9, §4.9 (why they are closed).
 */
#include "fw.h"

static struct hart *hart_of_intc(uint32_t phandle)
{
	unsigned i;

	for (i = 0; i < platform.nr_harts; i++) {
		if (hart_at(i)->dt.intc == phandle)
			return hart_at(i);
	}
	return NULL;
}

/*
 * interrupts-extended lists <interrupt controller of a hart, irq>; the n-th pair with that
 * irq belongs to the device's n-th register.  Gives the hart of it, NULL if not ours; false
 * at the end of the list.
 */
static bool nth_hart(const struct dtb *t, uint32_t node, uint32_t irq, unsigned n, struct hart **h)
{
	uint32_t intc, number;
	unsigned i;

	for (i = 0; dtb_cell(t, node, "interrupts-extended", i, &intc) &&
		    dtb_cell(t, node, "interrupts-extended", i + 1, &number);
	     i += 2) {
		if (number == irq && !n--) {
			*h = hart_of_intc(intc);
			return true;
		}
	}
	return false;
}

static void mswi_harts(const struct dtb *t, uint32_t node, const struct range *r)
{
	struct hart *h;
	unsigned n;

	for (n = 0; nth_hart(t, node, IRQ_M_SOFT, n, &h); n++) {
		if (h)
			h->dt.msip = platform_reg(r, 4 * n, 4);
	}
}

static void mtimer_harts(const struct dtb *t, uint32_t node, const struct range *cmp,
			 uint64_t offset, volatile void *mtime)
{
	struct hart *h;
	unsigned n;

	for (n = 0; nth_hart(t, node, IRQ_M_TIMER, n, &h); n++) {
		if (h) {
			h->dt.mtimecmp = platform_reg(cmp, offset + 8 * n, 8);
			h->dt.mtime = mtime;
		}
	}
}

/* SiFive's CLINT: MSWI at 0, mtimecmp at 0x4000, mtime at 0xbff8. */
static void find_clint(const struct dtb *t, const char *compatible)
{
	uint32_t n = DTB_NONE;
	struct range r;

	while ((n = dtb_compatible_next(t, n, compatible)) != DTB_NONE) {
		if (!platform_device(t, n, 0, &r))
			continue;
		mswi_harts(t, n, &r);
		mtimer_harts(t, n, &r, 0x4000, platform_reg(&r, 0xbff8, 8));
	}
}

/* ACLINT: one device each; the timer's reg is mtime, mtimecmp, in this order. */
static void find_aclint(const struct dtb *t)
{
	uint32_t n = DTB_NONE;
	struct range r, cmp;

	while ((n = dtb_compatible_next(t, n, "riscv,aclint-mswi")) != DTB_NONE) {
		if (platform_device(t, n, 0, &r))
			mswi_harts(t, n, &r);
	}
	while ((n = dtb_compatible_next(t, n, "riscv,aclint-mtimer")) != DTB_NONE) {
		if (platform_device(t, n, 0, &r) && platform_device(t, n, 1, &cmp))
			mtimer_harts(t, n, &cmp, 0, platform_reg(&r, 0, 8));
	}
}

/* True if a list of interrupts of harts holds M-mode's external one. */
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
	/* An APLIC that sends messages: its IMSIC knows, or it has others below it. */
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
 * Adds r to what is closed.  Ranges that touch become one, which saves PMP entries; the
 * firmware's own stays first and alone.
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

/* Neither is empty; one may end where the addresses do. */
static bool overlap(const struct range *a, const struct range *b)
{
	return a->base <= b->base + b->size - 1 && b->base <= a->base + a->size - 1;
}

/* Why registers cannot be closed; NULL if they can. */
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

	find_clint(t, "sifive,clint0");
	find_clint(t, "riscv,clint0");
	find_aclint(t);
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
