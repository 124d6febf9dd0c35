// SPDX-License-Identifier: BSD-2-Clause
/*
 * aplic.c - delegates wired interrupts to S-mode.
 *
 * After a reset all sources belong to the root domain of the APLIC, which is M-mode's.  S-mode can
 * configure a source in its own domain only after the root has delegated it.  If the domains send
 * messages, only the root has the registers that say where the interrupt files are, also those of
 * S-mode.  The firmware itself uses no wired interrupt.
 *
 * Implements: AIA 1.0 §4.5.2, §4.5.3 and §4.5.4 (domaincfg, sourcecfg, addresses of messages); the
 * Linux bindings riscv,aplic and riscv,imsics, and QEMU's older name of riscv,delegation.
 */
#include <dtb.h>

#include "aplic.h"
#include "mdev.h"
#include "platform.h"
#include "print.h"

#define APLIC_SIZE   0x4000
#define DOMAINCFG    0x0000
#define SOURCECFG    0x0000 /* + 4 * source */
#define SOURCECFG_D  0x400 /* delegated to the child whose number is in bits 9:0 */
#define MMSIADDRCFG  0x1bc0
#define MMSIADDRCFGH 0x1bc4
#define SMSIADDRCFG  0x1bc8
#define SMSIADDRCFGH 0x1bcc
#define SOURCES_MAX  1023
#define CHILDREN_MAX 1023

/* Fields of the high halves */
#define LHXW(bits)  ((bits) << 12)
#define HHXW(bits)  ((bits) << 16)
#define LHXS(bits)  ((bits) << 20)
#define HHXS(shift) (((shift) - 24) << 24)

/* Where the interrupt files of a privilege mode are. */
struct files {
	uint64_t page; /* address / 4096 */
	uint32_t guest_bits, hart_bits, group_bits, group_shift;
};

static void put(const struct range *r, uint64_t offset, uint32_t value)
{
	*(volatile uint32_t *)platform_reg(r, offset, 4) = value;
}

/* The fewest bits that can number all files of the node. */
static uint32_t bits_for_files(const struct dtb *t, uint32_t node)
{
	uint32_t bits = 0, unused;
	unsigned n = 0;

	while (dtb_cell(t, node, "interrupts-extended", 2 * n, &unused))
		n++;
	while (bits < 15 && 1u << bits < n)
		bits++;
	return bits;
}

/* Reads the node to which an APLIC sends its messages; false if it sends none. */
static bool find_files(const struct dtb *t, uint32_t aplic, struct files *f)
{
	uint32_t phandle, node;
	struct range r;

	if (!dtb_cell(t, aplic, "msi-parent", 0, &phandle))
		return false;
	node = dtb_phandle(t, phandle);
	if (node == DTB_NONE || !platform_device(t, node, 0, &r))
		return false;
	*f = (struct files){ r.base >> 12, 0, bits_for_files(t, node), 0, 24 };
	dtb_cell(t, node, "riscv,guest-index-bits", 0, &f->guest_bits);
	dtb_cell(t, node, "riscv,hart-index-bits", 0, &f->hart_bits);
	dtb_cell(t, node, "riscv,group-index-bits", 0, &f->group_bits);
	dtb_cell(t, node, "riscv,group-index-shift", 0, &f->group_shift);
	return f->guest_bits < 8 && f->hart_bits < 16 && f->group_bits < 8 &&
	       f->group_shift >= 24 && f->group_shift < 24 + 32;
}

/* Tells the root where M-mode's and S-mode's interrupt files are. */
static void set_messages(const struct dtb *t, uint32_t root, uint32_t child, const struct range *r)
{
	struct files m, s;

	if (!find_files(t, root, &m) || !find_files(t, child, &s))
		return;
	put(r, MMSIADDRCFG, (uint32_t)m.page);
	put(r, MMSIADDRCFGH,
	    ((uint32_t)(m.page >> 32) & 0xfff) | LHXW(m.hart_bits) | HHXW(m.group_bits) |
		    LHXS(m.guest_bits) | HHXS(m.group_shift));
	put(r, SMSIADDRCFG, (uint32_t)s.page);
	put(r, SMSIADDRCFGH, ((uint32_t)(s.page >> 32) & 0xfff) | LHXS(s.guest_bits));
}

/* The number of a domain among the children of root; CHILDREN_MAX + 1 if it is not one. */
static uint32_t child_number(const struct dtb *t, uint32_t root, uint32_t phandle)
{
	uint32_t n, child;

	for (n = 0; n <= CHILDREN_MAX && dtb_cell(t, root, "riscv,children", n, &child); n++) {
		if (child == phandle)
			return n;
	}
	return CHILDREN_MAX + 1;
}

/* Obeys riscv,delegation: rows of <child, first source, last source>. */
static void delegate(const struct dtb *t, uint32_t root, const struct range *r, uint32_t sources)
{
	const char *name = dtb_prop(t, root, "riscv,delegation", NULL) ? "riscv,delegation"
								       : "riscv,delegate";
	uint32_t phandle, first, last, child, node;
	unsigned i;

	for (i = 0; dtb_cell(t, root, name, i, &phandle) &&
		    dtb_cell(t, root, name, i + 1, &first) && dtb_cell(t, root, name, i + 2, &last);
	     i += 3) {
		child = child_number(t, root, phandle);
		node = dtb_phandle(t, phandle);
		if (child > CHILDREN_MAX || node == DTB_NONE || !first || first > last ||
		    last > sources) {
			print("holter: %s: row %u of %s is wrong and ignored\n", dtb_name(t, root),
			      i / 3, name);
			continue;
		}
		for (; first <= last; first++)
			put(r, SOURCECFG + 4 * first, SOURCECFG_D | child);
		set_messages(t, root, node, r);
	}
}

void aplic_init(const struct dtb *t)
{
	uint32_t n = DTB_NONE, sources, source;
	struct range r;

	while ((n = dtb_compatible_next(t, n, "riscv,aplic")) != DTB_NONE) {
		if (!dtb_enabled(t, n) || !mdev_is_domain(t, n) ||
		    !dtb_prop(t, n, "riscv,children", NULL))
			continue;
		if (!platform_device(t, n, 0, &r) || r.size < APLIC_SIZE ||
		    !dtb_cell(t, n, "riscv,num-sources", 0, &sources) || sources > SOURCES_MAX) {
			print("holter: %s: its interrupts cannot be delegated: wrong registers or "
			      "number of sources\n",
			      dtb_name(t, n));
			continue;
		}
		put(&r, DOMAINCFG, 0);
		for (source = 1; source <= sources; source++)
			put(&r, SOURCECFG + 4 * source, 0);
		delegate(t, n, &r, sources);
	}
}
