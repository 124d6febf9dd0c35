// SPDX-License-Identifier: BSD-2-Clause
/*
 * trigger.c - triggers (trigger.h), and their CSRs.  guard.c asks for code, access.c
 * for data; pages with data that a trigger watches are not in the software TLB.
 *
 * Implements: Sdtrig 1.0 §5.4 (no breakpoint in a handler that could not return), §5.7.1-5.7.3,
 * §5.7.5, §5.7.11: action 0, before the access, address, equal or NAPOT.
 */
#include "cluster.h"
#include "hart.h"
#include "trigger.h"

#define KINDS (MCONTROL6_EXECUTE | MCONTROL6_STORE | MCONTROL6_LOAD)
#define KEPT                                                                                       \
	(TDATA1_TYPE | MCONTROL6_HIT0 | MCONTROL6_SIZE | MCONTROL6_MATCH_NAPOT | MCONTROL6_M |     \
	 MCONTROL6_S | MCONTROL6_U | KINDS)

/* Whether action 0 is possible now: a handler without interrupts on cannot be interrupted. */
static bool may_trap(const struct hart *h)
{
	if (h->mode == PRV_M)
		return h->mstatus & MSTATUS_MIE;
	return h->mode == PRV_U || !(h->medeleg >> CAUSE_BREAKPOINT & 1) ||
	       h->mstatus & MSTATUS_SIE;
}

static uint64_t mode_bit(unsigned mode)
{
	return mode == PRV_M ? MCONTROL6_M : mode == PRV_S ? MCONTROL6_S : MCONTROL6_U;
}

/* The addresses that a trigger matches. */
static void range(const struct trigger *t, uint64_t *first, uint64_t *last)
{
	uint64_t low = t->data1 & MCONTROL6_MATCH ? t->data2 ^ (t->data2 + 1) : 0;

	*first = t->data2 & ~low;
	*last = t->data2 | low;
}

static bool size_fits(const struct trigger *t, unsigned bytes)
{
	static const uint8_t sizes[8] = { [1] = 1, [2] = 2, [3] = 4, [5] = 8 };
	unsigned size = sizes[(t->data1 & MCONTROL6_SIZE) >> MCONTROL6_SIZE_SHIFT];

	return !size || size == bytes;
}

bool trigger_hits(struct hart *h, uint64_t va, unsigned bytes, unsigned kinds)
{
	/* An instruction has one address, that of its first byte. */
	uint64_t end = va + (kinds & MCONTROL6_EXECUTE ? 0 : bytes - 1), first, last;
	bool hit = false;

	if (!may_trap(h))
		return false;
	for (unsigned n = 0; n < TRIGGER_NR; n++) {
		struct trigger *t = &h->trigger[n];

		if (!(t->data1 & kinds) || !(t->data1 & mode_bit(h->mode)) || !size_fits(t, bytes))
			continue;
		range(t, &first, &last);
		if (first > end || last < va)
			continue;
		t->data1 |= MCONTROL6_HIT0;
		hit = true;
	}
	if (hit)
		h->fault = (struct fault){ CAUSE_BREAKPOINT, va };
	return hit;
}

bool trigger_in_page(const struct hart *h, uint64_t va)
{
	uint64_t first, last;

	for (unsigned n = 0; n < TRIGGER_NR; n++) {
		range(&h->trigger[n], &first, &last);
		if (h->trigger[n].data1 & (MCONTROL6_LOAD | MCONTROL6_STORE) &&
		    first <= (va | ~PAGE_MASK) && last >= (va & PAGE_MASK))
			return true;
	}
	return false;
}

static void changed(struct hart *h)
{
	h->trigger_kinds = 0;
	for (unsigned n = 0; n < TRIGGER_NR; n++)
		h->trigger_kinds |= h->trigger[n].data1 & KINDS;
}

void trigger_reset(struct hart *h)
{
	h->tselect = 0;
	for (unsigned n = 0; n < TRIGGER_NR; n++)
		h->trigger[n] = (struct trigger){ TDATA1_DISABLED, 0 };
	h->trigger_kinds = 0;
}

/* tdata1 is WARL: what is not an mcontrol6 disables the trigger. */
static uint64_t legal(uint64_t value)
{
	uint64_t size = (value & MCONTROL6_SIZE) >> MCONTROL6_SIZE_SHIFT;

	if ((value & TDATA1_TYPE) != TDATA1_MCONTROL6)
		return TDATA1_DISABLED;
	if (size == 4 || size > 5)
		value &= ~MCONTROL6_SIZE;
	if ((value & MCONTROL6_MATCH) != MCONTROL6_MATCH_NAPOT)
		value &= ~MCONTROL6_MATCH;
	return value & KEPT;
}

bool trigger_restored(struct hart *h)
{
	if (h->tselect >= TRIGGER_NR)
		return false;
	for (unsigned n = 0; n < TRIGGER_NR; n++) {
		if (h->trigger[n].data1 != legal(h->trigger[n].data1))
			return false;
	}
	changed(h);
	return true;
}

/* A hart without triggers has one of type 0, which stands for no trigger (§5.7.5). */
uint64_t csr_read_trigger(const struct hart *h, unsigned num)
{
	const struct trigger *t = &h->trigger[h->tselect];

	if (!cluster_has(h->cl, ISA_EXT_SDTRIG))
		return num == CSR_TINFO;
	switch (num) {
	case CSR_TSELECT:
		return h->tselect;
	case CSR_TDATA1:
		return t->data1;
	case CSR_TDATA2:
		return t->data2;
	case CSR_TINFO:
		return TINFO_VERSION | 1 << (TDATA1_MCONTROL6 >> 60) | 1 << (TDATA1_DISABLED >> 60);
	default:
		return 0;
	}
}

void csr_write_trigger(struct hart *h, unsigned num, uint64_t value)
{
	struct trigger *t = &h->trigger[h->tselect];

	if (num == CSR_TSELECT && value < TRIGGER_NR)
		h->tselect = value;
	if (num == CSR_TDATA1)
		t->data1 = legal(value);
	if (num == CSR_TDATA2)
		t->data2 = value;
	changed(h);
}
