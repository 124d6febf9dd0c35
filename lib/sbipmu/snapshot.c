/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * snapshot.c - shared memory: its check, and the snapshot page.
 *
 * May call: ops->shmem, csr_read (scountovf).
 * Implements: SBI 3.0 §3.2 (shared memory), §11.13 and table 45 (snapshots).
 *
 * S-mode may change its memory from another hart at any time.  Each word is therefore read once
 * and used only as a counter value.
 */
#include "pmu_snapshot.h"
#include "pmu_value.h"

/*
 * A pointer to the size bytes at hi:lo.  NULL if the address does not fit into one register, if
 * the range wraps, or if the host refuses it.
 */
void *sbipmu_shmem(const struct sbipmu_hart *h, rv_ulong lo, rv_ulong hi, rv_ulong size)
{
	if (hi || lo + size < lo)
		return NULL;
	return h->pmu->ops->shmem(h->ctx, lo, size);
}

struct sbiret sbipmu_snapshot_set(struct sbipmu_hart *h, rv_ulong lo, rv_ulong hi, rv_ulong flags)
{
	unsigned char *page;

	if (!h->pmu->snapshot || !h->pmu->ops->shmem)
		return sbi_fail(SBI_ERR_NOT_SUPPORTED);
	if (flags)
		return sbi_fail(SBI_ERR_INVALID_PARAM);
	if (lo == (rv_ulong)-1 && hi == (rv_ulong)-1) {
		h->shmem = NULL;
		return sbi_ok(0);
	}
	if (lo % SBI_PMU_SNAPSHOT_SIZE)
		return sbi_fail(SBI_ERR_INVALID_PARAM);
	page = sbipmu_shmem(h, lo, hi, SBI_PMU_SNAPSHOT_SIZE);
	if (!page)
		return sbi_fail(SBI_ERR_INVALID_ADDRESS);
	h->shmem = page;
	return sbi_ok(0);
}

static volatile uint64_t *snapshot_value(const struct sbipmu_hart *h, rv_ulong base, unsigned ctr)
{
	volatile uint64_t *values = (volatile uint64_t *)(h->shmem + SBI_PMU_SNAPSHOT_VALUES);

	return &values[ctr - base];
}

/*
 * Writes the values of stopped counters and the mask of overflown counters to the page.  No
 * counter of ctrs is below base.
 */
void sbipmu_snapshot_take(const struct sbipmu_hart *h, rv_ulong base, uint64_t ctrs)
{
	uint64_t overflown = 0;

	if (h->facts.sscofpmf && base < COUNTER_HW_MAX)
		overflown = (uint64_t)csr_get(h, CSR_SCOUNTOVF) >> base;
	*(volatile uint64_t *)(h->shmem + SBI_PMU_SNAPSHOT_OVERFLOW) = overflown;
	while (ctrs) {
		unsigned ctr = take_ctr(&ctrs);

		*snapshot_value(h, base, ctr) = any_ctr_read(h, ctr);
	}
}

/* Sets stopped counters to the values in the page.  No counter of ctrs is below base. */
void sbipmu_snapshot_init(struct sbipmu_hart *h, rv_ulong base, uint64_t ctrs)
{
	while (ctrs) {
		unsigned ctr = take_ctr(&ctrs);

		any_ctr_write(h, ctr, *snapshot_value(h, base, ctr));
	}
}
