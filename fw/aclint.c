// SPDX-License-Identifier: BSD-2-Clause
/*
 * aclint.c - the timer and the software interrupts between harts.
 *
 * S-mode's timer is stimecmp where the hart has Sstc; else the machine timer, whose interrupt
 * is handed on as STIP.  Register addresses are found in the device tree (platform.c).
 *
 * Implements: ACLINT 1.0 chapters 2 and 3 (also SiFive's CLINT); Sstc 1.0 §2; SBI 3.0 §6.1.
 */
#include "fw.h"

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
	/* In this order no value in between lies in the past. */
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

uint64_t time_now(const struct hart *h)
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

void time_set(struct hart *h, uint64_t when)
{
	if (h->has_sstc) {
		stimecmp_write(when);
		return;
	}
	mtimecmp_write(h, when);
	csr_clear(CSR_MIP, MIP_STIP);
	csr_set(CSR_MIE, MIP_MTIP);
}

void time_fired(struct hart *h)
{
	csr_clear(CSR_MIE, MIP_MTIP);
	csr_set(CSR_MIP, MIP_STIP);
}

void time_off(struct hart *h)
{
	if (h->has_sstc)
		stimecmp_write(UINT64_MAX);
	mtimecmp_write(h, UINT64_MAX);
	csr_clear(CSR_MIE, MIP_MTIP);
	csr_clear(CSR_MIP, MIP_STIP);
}
