// SPDX-License-Identifier: BSD-2-Clause
/*
 * hart.c - the hart table.
 *
 * Its order is that of the cpu nodes in the device tree; hart ids may be sparse.
 *
 * Implements: SBI 3.0 §3.1 (hart masks).
 */
#include <rv/first_bit.h>
#include <rv/sbi.h>

#include "hart.h"

union hart_slot hart_slot[HART_MAX] __attribute__((aligned(16)));
rv_ulong hart_ids[HART_MAX];
unsigned hart_nr;
/* For start.S: assembly has no sizeof. */
extern const rv_ulong hart_struct_size;
const rv_ulong hart_struct_size = sizeof(struct hart);

_Static_assert(sizeof(union hart_slot) == HART_SLOT_SIZE, "hart.h");
_Static_assert(sizeof(struct hart) % 16 == 0, "the stack begins at struct hart");

struct hart *hart_find(rv_ulong id)
{
	unsigned i;

	/* On most machines the id is the index. */
	if (id < hart_nr && hart_ids[id] == id)
		return hart_at(id);
	for (i = 0; i < hart_nr; i++) {
		if (hart_ids[i] == id)
			return hart_at(i);
	}
	return NULL;
}

bool hart_mask(rv_ulong mask, rv_ulong base, rv_ulong harts[HART_WORDS])
{
	unsigned i;

	for (i = 0; i < HART_WORDS; i++)
		harts[i] = 0;
	if (base == (rv_ulong)-1) {
		for (i = 0; i < hart_nr; i++)
			harts[i / RV_XLEN] |= (rv_ulong)1 << i % RV_XLEN;
		return true;
	}
	for (; mask; mask &= mask - 1) {
		rv_ulong id = base + rv_first_bit(mask);
		const struct hart *h = id < base ? NULL : hart_find(id);

		if (!h)
			return false;
		harts[h->index / RV_XLEN] |= (rv_ulong)1 << h->index % RV_XLEN;
	}
	return true;
}

bool hart_is_running(const struct hart *h)
{
	switch (__atomic_load_n(&h->state, __ATOMIC_ACQUIRE)) {
	case SBI_HSM_STATE_STARTED:
	case SBI_HSM_STATE_STOP_PENDING:
	case SBI_HSM_STATE_SUSPENDED:
	case SBI_HSM_STATE_SUSPEND_PENDING:
	case SBI_HSM_STATE_RESUME_PENDING:
		return true;
	default:
		return false;
	}
}
