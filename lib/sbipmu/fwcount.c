/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fwcount.c - firmware counters.
 *
 * May call: ops->fw_find, fw_total.
 * Implements: SBI 3.0 §11.5 (events), the firmware half of §11.8 to §11.11.
 *
 * Every event has a total that always advances (sbipmu_fw_event, or the host's own total).  The
 * cost of an event therefore does not depend on the number of counters that count it, and any
 * number of counters may count one event.  fw_value of a running counter is its value minus the
 * total; fw_value of a stopped counter is its value.
 */
#include "pmu_csr.h"
#include "pmu_fwcount.h"

/* The key of a firmware event: below SBI_PMU_FW_COUNT for events of the SBI; -1: unknown. */
int sbipmu_fw_key(const struct sbipmu_hart *h, unsigned code, uint64_t data)
{
	int key;

	if (data != 0 && code != SBI_PMU_FW_PLATFORM)
		return -1;
	if (code < SBI_PMU_FW_COUNT)
		return (int)code;
	if (code < SBI_PMU_FW_IMPL_FIRST || !h->pmu->ops->fw_find)
		return -1;
	key = h->pmu->ops->fw_find(h->ctx, code, data);
	return key < 0 ? -1 : SBI_PMU_FW_COUNT + key;
}

/* Sets a stopped counter's value. */
void sbipmu_fw_write(struct sbipmu_hart *h, unsigned ctr, uint64_t value)
{
	h->fw_value[ctr - h->pmu->fw_first] = value;
}

/* Gives a stopped counter an event. */
void sbipmu_fw_config(struct sbipmu_hart *h, unsigned ctr, int key)
{
	h->fw_key[ctr - h->pmu->fw_first] = key;
	h->mapped |= RV_BIT(ctr);
}

/* Starts stopped counters. */
void sbipmu_fw_start(struct sbipmu_hart *h, uint64_t ctrs)
{
	h->started |= ctrs;
	while (ctrs) {
		unsigned i = take_ctr(&ctrs) - h->pmu->fw_first;

		h->fw_value[i] -= fw_total(h, h->fw_key[i]);
	}
}

/* Stops running counters. */
void sbipmu_fw_stop(struct sbipmu_hart *h, uint64_t ctrs)
{
	h->started &= ~ctrs;
	while (ctrs) {
		unsigned i = take_ctr(&ctrs) - h->pmu->fw_first;

		h->fw_value[i] += fw_total(h, h->fw_key[i]);
	}
}
