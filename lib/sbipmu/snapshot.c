/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * snapshot.c - shared memory: which is taken, and the snapshot page.
 *
 * May call: ops->shmem, csr_read (scountovf).
 * Implements: SBI 3.0 §3.2 (shared memory), §11.13 and table 45 (snapshots).
 *
 * S-mode may change its memory from another hart at any moment, so nothing read here is
 * trusted twice: each word is read once, and used only as a value.
 */
#include "internal.h"

/*
 * The memory of size bytes at hi:lo, or NULL if S-mode may not hand it over: beyond what a
 * register of the host can address, past the end of the address space, or refused by the host.
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

/* Saves the values of stopped counters, and which counters have overflown; base <= each. */
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

/* Gives stopped counters the values that S-mode left in the page; base <= each. */
void sbipmu_snapshot_init(struct sbipmu_hart *h, rv_ulong base, uint64_t ctrs)
{
	while (ctrs) {
		unsigned ctr = take_ctr(&ctrs);

		any_ctr_write(h, ctr, *snapshot_value(h, base, ctr));
	}
}
