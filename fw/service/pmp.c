// SPDX-License-Identifier: BSD-2-Clause
/*
 * pmp.c - protects the firmware and the devices of M-mode from S-mode and U-mode.  The lowest
 * matching PMP entry decides, so the protected ranges come first, and one entry that allows
 * everything comes last.
 *
 * The number of entries and the granularity are probed.  A range is extended to whole granules.
 * Entries that the boot stage before has locked are kept; the firmware uses those after them.
 *
 * Implements: Priv 1.13 §3.7.
 */
#include <machine.h>
#include <rv/first_bit.h>

#include "csr.h"
#include "platform.h"
#include "pmp.h"

#define PMP_ENTRIES  64
#define PMP_OPEN_ALL 0xff /* plan.of: the entry that allows everything */

/* The entries that carry_out() writes. */
struct plan {
	unsigned first, end; /* the usable entries: first to end - 1 */
	unsigned next;
	uint64_t granule;
	rv_ulong addr[PMP_ENTRIES];
	unsigned char cfg[PMP_ENTRIES];
	unsigned char of[PMP_ENTRIES]; /* the range of platform.closed that the entry protects */
};

/* The pmpcfg register of entry n; its byte begins at bit *shift. */
static unsigned cfg_reg(unsigned n, unsigned *shift)
{
	*shift = n % sizeof(rv_ulong) * 8;
	/* RV64 has the registers of even numbers only. */
	return CSR_PMPCFG0 + n / sizeof(rv_ulong) * (RV_XLEN / 32);
}

static unsigned char cfg_read(unsigned n)
{
	unsigned shift, reg = cfg_reg(n, &shift);

	return (unsigned char)(csr_num_read(NULL, reg) >> shift);
}

/* Writes the configuration bytes of the entries below end. */
static void cfg_write(const unsigned char *cfg, unsigned end)
{
	unsigned n, shift, reg;
	rv_ulong value = 0;

	for (n = 0; n < end; n++) {
		reg = cfg_reg(n, &shift);
		value |= (rv_ulong)cfg[n] << shift;
		if (n + 1 == end || (n + 1) % sizeof(rv_ulong) == 0) {
			csr_num_write(NULL, reg, value);
			value = 0;
		}
	}
}

/* Finds the entries that exist and are not locked, and turns them off; false if none. */
static bool find_entries(struct plan *p)
{
	rv_ulong value;
	unsigned n;

	/* Without PMP the registers do not exist, or they read as 0. */
	for (n = 0; n < PMP_ENTRIES && csr_num_probe(NULL, CSR_PMPADDR0 + n, &value); n++) {
		if (cfg_read(n) & PMP_L) {
			p->first = n + 1;
			continue;
		}
		csr_num_write(NULL, CSR_PMPADDR0 + n, (rv_ulong)-1);
		if (!csr_num_read(NULL, CSR_PMPADDR0 + n))
			break;
	}
	p->end = n;
	if (p->first >= p->end)
		return false;
	cfg_write(p->cfg, p->end);
	csr_num_write(NULL, CSR_PMPADDR0 + p->first, (rv_ulong)-1);
	p->granule = (uint64_t)4 << rv_first_bit(csr_num_read(NULL, CSR_PMPADDR0 + p->first));
	p->next = p->first;
	return true;
}

static void add(struct plan *p, unsigned of, unsigned char cfg, uint64_t addr)
{
	p->addr[p->next] = (rv_ulong)addr;
	p->cfg[p->next] = cfg;
	p->of[p->next++] = (unsigned char)of;
}

/* The largest power of two that divides base and is not more than size. */
static uint64_t piece(uint64_t base, uint64_t size)
{
	uint64_t bytes = (uint64_t)1 << 62;

	while (bytes > size || base & (bytes - 1))
		bytes >>= 1;
	return bytes;
}

/* Protects a range with one or two entries; false if there are not enough. */
static bool close_range(struct plan *p, unsigned of, const struct range *r)
{
	uint64_t base = r->base & ~(p->granule - 1), first, rest;
	uint64_t end = (r->base + r->size + p->granule - 1) & ~(p->granule - 1);
	/* One entry is kept for PMP_OPEN_ALL. */
	unsigned room = p->end - p->next - 1;

	if (end <= base)
		return false;
	first = piece(base, end - base);
	rest = end - base - first;
	if (rest && rest != piece(base + first, rest)) {
		if (room < 2)
			return false;
		add(p, of, 0, base >> 2);
		add(p, of, PMP_TOR, end >> 2);
		return true;
	}
	if (room < (rest ? 2 : 1))
		return false;
	add(p, of, first == 4 ? PMP_NA4 : PMP_NAPOT, base >> 2 | (first / 8 - (first >= 8)));
	base += first;
	if (rest)
		add(p, of, rest == 4 ? PMP_NA4 : PMP_NAPOT, base >> 2 | (rest / 8 - (rest >= 8)));
	return true;
}

/* Writes the entries; returns a bit for each range whose entries the hart does not keep. */
static uint64_t carry_out(const struct plan *p)
{
	uint64_t open = 0;
	unsigned n;

	for (n = p->first; n < p->next; n++)
		csr_num_write(NULL, CSR_PMPADDR0 + n, p->addr[n]);
	cfg_write(p->cfg, p->end);
	fence_everything();
	for (n = p->first; n < p->next; n++) {
		if (p->of[n] != PMP_OPEN_ALL &&
		    (csr_num_read(NULL, CSR_PMPADDR0 + n) != p->addr[n] ||
		     cfg_read(n) != p->cfg[n]))
			open |= (uint64_t)1 << p->of[n];
	}
	return open;
}

void pmp_init(struct hart *h)
{
	struct plan p = { 0 };
	unsigned i;

	h->pmp_open = ~(uint64_t)0;
	h->has_pmp = find_entries(&p);
	if (!h->has_pmp)
		return;
	h->pmp_open = 0;
	for (i = 0; i < platform.nr_closed; i++) {
		if (!close_range(&p, i, &platform.closed[i]))
			h->pmp_open |= (uint64_t)1 << i;
	}
	add(&p, PMP_OPEN_ALL, PMP_NAPOT | PMP_R | PMP_W | PMP_X, (rv_ulong)-1);
	h->pmp_open |= carry_out(&p);
}
