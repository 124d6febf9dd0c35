// SPDX-License-Identifier: BSD-2-Clause
/*
 * ext_pmu.c - PMU: lib/sbipmu, and the operations that it needs from its host.
 *
 * The path of a call: trap.S -> pmu_call() -> sbipmu_call() -> csr.S -> the hart's counters.
 * The path of a table: /pmu in the device tree -> pmu_init() -> sbipmu_init(), once.
 *
 * Implementation-specific firmware events, as event_idx 0xf0000 | code:
 *   256  SBI calls of the hart, of every extension
 *   257  traps that the firmware redirected to S-mode
 *   258  instructions that the firmware emulated
 *
 * Implements: SBI 3.0 chapter 11 through the library; §3.2 (shared memory).
 */
#include <dtb.h>
#include <machine.h>

#include "csr.h"
#include "ext_pmu.h"
#include "platform.h"
#include "print.h"

#define RAW_SLOTS 1024

enum { KEY_CALLS, KEY_REDIRECTS, KEY_EMULATED, KEY_COUNT };

struct sbipmu pmu;
static struct sbipmu_raw_slot raw_slot[RAW_SLOTS];
static bool has_node;

bool pmu_has_node(void)
{
	return has_node;
}

static void *pmu_shmem(void *ctx, uint64_t addr, uint64_t size)
{
	return platform_ram_ok(addr, size) ? (void *)(uintptr_t)addr : NULL;
}

static int pmu_fw_find(void *ctx, unsigned code, uint64_t data)
{
	if (code < SBI_PMU_FW_IMPL_FIRST || code >= SBI_PMU_FW_IMPL_FIRST + KEY_COUNT)
		return -1;
	return (int)(code - SBI_PMU_FW_IMPL_FIRST);
}

static uint64_t pmu_fw_total(void *ctx, int key)
{
	const struct hart *h = ctx;

	switch (key) {
	case KEY_CALLS:
		return h->nr_calls;
	case KEY_REDIRECTS:
		return h->nr_redirects;
	default:
		return h->nr_emulated;
	}
}

static void pmu_diag(void *ctx, const struct sbipmu_diag *d)
{
	if (d->row >= 0)
		print("pmu: %s row %d: %s (0x%llx)\n", d->property, d->row, d->text,
		      (unsigned long long)d->value);
	else
		print("pmu: %s: %s (0x%llx)\n", d->property, d->text, (unsigned long long)d->value);
}

static void pmu_set_lcofip(void *ctx, bool pending)
{
	if (pending)
		csr_set(CSR_MIP, MIP_LCOFIP);
	else
		csr_clear(CSR_MIP, MIP_LCOFIP);
}

static const struct sbipmu_ops pmu_ops = {
	.csr_read = csr_num_read,
	.csr_write = csr_num_write,
	.csr_update = csr_event_update,
	.set_lcofip = pmu_set_lcofip,
	.csr_probe = csr_num_probe,
	.shmem = pmu_shmem,
	.fw_find = pmu_fw_find,
	.fw_total = pmu_fw_total,
	.diag = pmu_diag,
};

static const void *table(const struct dtb *t, uint32_t node, const char *name, size_t *len)
{
	uint32_t n = 0;
	const void *p = dtb_prop(t, node, name, &n);

	*len = n;
	return p;
}

void pmu_init(struct hart *h, const struct dtb *t)
{
	uint32_t node = dtb_compatible_next(t, DTB_NONE, "riscv,pmu"),
		 chosen = dtb_path(t, "/chosen");
	struct sbipmu_config config = {
		.raw_slots = raw_slot,
		.nr_raw_slots = RAW_SLOTS,
		.snapshot = chosen != DTB_NONE && dtb_prop(t, chosen, "holter,pmu-snapshot", NULL),
	};
	struct sbipmu_dt dt;

	has_node = node != DTB_NONE;
	if (has_node) {
		dt.event_to_mhpmevent = table(t, node, "riscv,event-to-mhpmevent",
					      &dt.event_to_mhpmevent_len);
		dt.event_to_mhpmcounters = table(t, node, "riscv,event-to-mhpmcounters",
						 &dt.event_to_mhpmcounters_len);
		dt.raw_event_to_mhpmcounters = table(t, node, "riscv,raw-event-to-mhpmcounters",
						     &dt.raw_event_to_mhpmcounters_len);
		config.dt = &dt;
	}
	sbipmu_init(&pmu, &pmu_ops, h, &config);
}

void pmu_hart_init(struct hart *h)
{
	sbipmu_hart_init(&h->pmu, &pmu, h);
}

static struct sbiret pmu_call(rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3, rv_ulong a4,
			      rv_ulong a5, rv_ulong fid, struct hart *h)
{
	return sbipmu_call(a0, a1, a2, a3, a4, a5, fid, &h->pmu);
}

const struct sbi_ext ext_pmu = {
	.eid = SBI_EXT_PMU,
	.handle = pmu_call,
	.name = "pmu",
};
