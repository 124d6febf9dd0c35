/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * info_cost.c - the cost of the most expensive event_get_info, in retired instructions from ecall
 * to mret: the longest time for which a call keeps M-mode busy.
 *
 * For each kind of event it searches the most expensive entry, among all codes and among raw
 * selectors that cover the low 12 bits, each single bit, and each bit with each low byte (a class
 * of selectors and one of its bits).  Then it calls with the most copies of this entry that a call
 * accepts.  Prints "cost KIND N EVENT_IDX EVENT_DATA" for each kind.
 *
 * May call: the runtime of tests/smode, cost.S.  Calls of SBI 3.0 §11.14.
 */
#include "rt.h"

#define ENTRIES 1024

rv_ulong cost_ecall(rv_ulong regs[8]);

static struct entry {
	uint32_t idx, output;
	uint64_t data;
} info[ENTRIES] __attribute__((aligned(4096)));

/* The cost of a call for the first n entries; 0 if it is refused. */
static rv_ulong cost_of(unsigned n)
{
	rv_ulong regs[8] = { (rv_ulong)info, 0, n, 0, 0, 0, SBI_PMU_EVENT_GET_INFO, SBI_EXT_PMU };
	rv_ulong cost = cost_ecall(regs);

	return regs[0] ? 0 : cost;
}

static struct {
	rv_ulong cost;
	struct entry entry;
} worst;

static void attempt(rv_ulong idx, uint64_t data)
{
	rv_ulong cost;

	info[0] = (struct entry){ (uint32_t)idx, 0, data };
	cost = cost_of(1);
	if (cost > worst.cost) {
		worst.cost = cost;
		worst.entry = info[0];
	}
}

static void attempt_codes(unsigned type)
{
	for (unsigned code = 0; code < 0x140; code++) {
		attempt(SBI_PMU_EIDX(type, code), 0);
		attempt(SBI_PMU_EIDX(type, code), 1);
	}
	attempt(SBI_PMU_EIDX(type, 0xfffe), 0);
	attempt(SBI_PMU_EIDX(type, 0xffff), 0);
	attempt(SBI_PMU_EIDX(type, 0xffff), 1);
}

static void attempt_selectors(unsigned type)
{
	const rv_ulong idx = SBI_PMU_EIDX(type, 0);

	for (uint64_t data = 0; data < 0x1000; data++)
		attempt(idx, data);
	for (unsigned bit = 8; bit < 64; bit++)
		for (uint64_t low = 0; low < 0x100; low++)
			attempt(idx, (uint64_t)1 << bit | low);
}

static void measure(const char *kind, void (*attempts)(unsigned type), unsigned type)
{
	worst.cost = 0;
	attempts(type);
	for (unsigned i = 0; i < ENTRIES; i++)
		info[i] = worst.entry;
	out("cost %s %lu 0x%lx 0x%llx\n", kind, (unsigned long)cost_of(ENTRIES),
	    (unsigned long)worst.entry.idx, (unsigned long long)worst.entry.data);
}

void main_payload(void)
{
	measure("general", attempt_codes, SBI_PMU_TYPE_HW);
	measure("cache", attempt_codes, SBI_PMU_TYPE_CACHE);
	measure("reserved", attempt_codes, SBI_PMU_TYPE_FW - 1);
	measure("firmware", attempt_codes, SBI_PMU_TYPE_FW);
	measure("raw", attempt_selectors, SBI_PMU_TYPE_RAW);
	measure("raw_v2", attempt_selectors, SBI_PMU_TYPE_RAW_V2);
	out("cost end 0\n");
}
