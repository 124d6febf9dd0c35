// SPDX-License-Identifier: BSD-2-Clause
/*
 * mdev.c - finds the devices that belong to M-mode and that S-mode must not access.
 *
 * These are timers and software interrupts of M-mode, also those without a driver here; interrupt
 * domains of M-mode (an APLIC can write its messages to any address, and PMP does not check
 * them); HTIF, whose calls make the host write to memory.  Disabled nodes count, too: their
 * registers exist.
 *
 * A hart may have too few PMP entries for all of them, and the firmware's tables are finite.  So
 * the devices are sorted by enum rank, and the tree's order decides only between equal ones.
 *
 * Implements: the Linux bindings of the nodes below; AIA 1.0 §3.9, §4.9 (why they are protected).
 */
#include <dtb.h>
#include <rv/csr.h>
#include <rv/trap.h>
#include <rv/xlen.h>

#include "hart.h"
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

/* Which devices are protected first. */
enum rank {
	RANK_USED, /* the firmware itself uses the registers */
	RANK_WRITER, /* it makes others write to memory */
	RANK_FILES, /* interrupt files */
	RANK_OTHER,
	RANK_NR, /* not a device of M-mode */
};

static enum rank kind(const struct dtb *t, uint32_t node)
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
	};
	unsigned i;

	if (dtb_compatible(t, node, "ucb,htif0"))
		return RANK_WRITER;
	if (mdev_is_domain(t, node))
		return dtb_compatible(t, node, "riscv,aplic") ? RANK_WRITER : RANK_FILES;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (dtb_compatible(t, node, names[i]))
			return RANK_OTHER;
	}
	return RANK_NR;
}

static bool contains(const struct range *r, uint64_t addr)
{
	return addr >= r->base && addr - r->base < r->size;
}

/* True if the firmware uses registers in r. */
static bool in_use(const struct range *r)
{
	unsigned i;

	if (platform.console.driver && contains(r, platform.console.base))
		return true;
	for (i = 0; i < hart_nr; i++) {
		const struct hart *h = hart_at(i);

		/* A missing register is NULL. */
		if ((h->dt.msip && contains(r, (uintptr_t)h->dt.msip)) ||
		    (h->dt.mtimecmp && contains(r, (uintptr_t)h->dt.mtimecmp)) ||
		    (h->dt.mtime && contains(r, (uintptr_t)h->dt.mtime)))
			return true;
	}
	return false;
}

/*
 * Adds r to platform.closed.  If it touches a range from number first on, the two become one, which
 * saves PMP entries.  The ranges before number first are more important and stay as they are: a
 * larger range may need an entry more, which a hart may not have.
 */
static void close_to_s(struct range r, unsigned first)
{
	unsigned i = first;

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
		i = first;
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

static void add_mdev(const struct dtb *t, uint32_t node, const struct range *r, unsigned first)
{
	const char *name = dtb_name(t, node), *wrong = cannot_close(r);
	struct mdev *d;

	if (wrong) {
		print("holter: %s stays OPEN to S-mode: its registers at 0x%llx are %s\n", name,
		      (unsigned long long)r->base, wrong);
		return;
	}
	d = &platform.mdev[platform.nr_mdevs++];
	d->r = *r;
	platform_name(d->name, sizeof(d->name), name);
	close_to_s(*r, first);
}

/* Adds the registers of that rank.  first: the index of the first range of this rank. */
static void add_rank(const struct dtb *t, enum rank rank, unsigned first)
{
	struct range r;
	uint32_t n;
	unsigned i;

	for (n = dtb_root(t); n != DTB_NONE; n = dtb_next(t, n, NULL)) {
		enum rank k = kind(t, n);

		if (k == RANK_NR)
			continue;
		for (i = 0; dtb_reg(t, n, i, &r.base, &r.size); i++) {
			if ((in_use(&r) ? RANK_USED : k) == rank)
				add_mdev(t, n, &r, first);
		}
		if (!i && k == rank)
			print("holter: %s stays OPEN to S-mode: the device tree gives it no "
			      "registers\n",
			      dtb_name(t, n));
	}
}

void mdev_init(const struct dtb *t)
{
	unsigned rank;

	platform.closed[0] = platform.fw;
	platform.nr_closed = 1;
	for (rank = RANK_USED; rank < RANK_NR; rank++)
		add_rank(t, rank, platform.nr_closed);
}

unsigned mdev_closed(const struct mdev *d)
{
	unsigned i;

	/* Ranges of different ranks may overlap. */
	for (i = 1; i < platform.nr_closed - 1; i++) {
		const struct range *c = &platform.closed[i];

		if (contains(c, d->r.base) && contains(c, d->r.base + d->r.size - 1))
			break;
	}
	return i;
}
