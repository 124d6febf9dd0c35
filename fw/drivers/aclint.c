// SPDX-License-Identifier: BSD-2-Clause
/*
 * aclint.c - the timer and the software interrupts between harts.
 *
 * If the hart has Sstc, S-mode's timer is stimecmp.  Else it is the machine timer: its interrupt
 * sets STIP for S-mode.  The device tree says which registers belong to which hart.
 *
 * Implements: ACLINT 1.0 chapters 2 and 3 (also SiFive's CLINT); Sstc 1.0 §2; SBI 3.0 §6.1.
 */
#include <dtb.h>
#include <machine.h>

#include "aclint.h"
#include "platform.h"

static uint64_t mtime_read(const struct hart *h)
{
	volatile uint32_t *half = h->dt.mtime;
	uint32_t hi, lo;

	if (!half)
		return 0;
	if (RV_XLEN == 64)
		return *(volatile uint64_t *)h->dt.mtime;
	do {
		hi = half[1];
		lo = half[0];
	} while (hi != half[1]);
	return (uint64_t)hi << 32 | lo;
}

static void mtimecmp_write(struct hart *h, uint64_t when)
{
	volatile uint32_t *half = h->dt.mtimecmp;

	if (!half)
		return;
	if (RV_XLEN == 64) {
		*(volatile uint64_t *)h->dt.mtimecmp = when;
		return;
	}
	/* In this order no intermediate value is in the past. */
	half[1] = 0xffffffff;
	half[0] = (uint32_t)when;
	half[1] = (uint32_t)(when >> 32);
}

static void stimecmp_write(uint64_t when)
{
	if (RV_XLEN == 32)
		csr_write(CSR_STIMECMPH, -1);
	csr_write(CSR_STIMECMP, when);
	if (RV_XLEN == 32)
		csr_write(CSR_STIMECMPH, when >> 32);
}

uint64_t aclint_time(const struct hart *h)
{
	uint32_t hi, lo;

	if (!h->has_time)
		return mtime_read(h);
	if (RV_XLEN == 64)
		return csr_read(CSR_TIME);
	do {
		hi = csr_read(CSR_TIMEH);
		lo = csr_read(CSR_TIME);
	} while (hi != csr_read(CSR_TIMEH));
	return (uint64_t)hi << 32 | lo;
}

void aclint_timer_set(struct hart *h, uint64_t when)
{
	if (h->has_sstc) {
		stimecmp_write(when);
		return;
	}
	mtimecmp_write(h, when);
	csr_clear(CSR_MIP, MIP_STIP);
	csr_set(CSR_MIE, MIP_MTIP);
}

void aclint_timer_fired(struct hart *h)
{
	csr_clear(CSR_MIE, MIP_MTIP);
	csr_set(CSR_MIP, MIP_STIP);
}

void aclint_timer_off(struct hart *h)
{
	if (h->has_sstc)
		stimecmp_write(UINT64_MAX);
	mtimecmp_write(h, UINT64_MAX);
	csr_clear(CSR_MIE, MIP_MTIP);
	csr_clear(CSR_MIP, MIP_STIP);
}

static struct hart *hart_of_intc(uint32_t phandle)
{
	unsigned i;

	for (i = 0; i < hart_nr; i++) {
		if (hart_at(i)->dt.intc == phandle)
			return hart_at(i);
	}
	return NULL;
}

/*
 * interrupts-extended is a list of <interrupt controller of a hart, irq>.  The n-th pair with this
 * irq belongs to the n-th register of the device.  *h gets its hart, NULL if the hart is not in the
 * table.  False at the end of the list.
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

/* SiFive's CLINT: msip registers at 0, mtimecmp at 0x4000, mtime at 0xbff8. */
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

/* ACLINT: two devices.  reg of the timer is mtime, then mtimecmp. */
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

void aclint_init(const struct dtb *t)
{
	find_clint(t, "sifive,clint0");
	find_clint(t, "riscv,clint0");
	find_aclint(t);
}
