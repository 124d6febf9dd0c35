// SPDX-License-Identifier: BSD-2-Clause
/*
 * csr_x86.c - the counters by rdpmc.
 */
#include "internal.h"

const bool lpmc_csr_known = true;

uint64_t lpmc_csr(uint32_t i)
{
	uint32_t low, high;

	__asm__ __volatile__("rdpmc" : "=a"(low), "=d"(high) : "c"(i));
	return (uint64_t)high << 32 | low;
}
