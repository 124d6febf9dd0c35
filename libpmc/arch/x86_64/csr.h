/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csr.h - reads a counter in user space, with rdpmc.  arch/riscv64/csr.h has the contract.
 */
#ifndef LPMC_CSR_H
#define LPMC_CSR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static const bool lpmc_csr_known = true;
static const char *const lpmc_csr_setting = NULL;

static inline uint64_t lpmc_csr(uint64_t i)
{
	uint32_t low, high;

	__asm__ __volatile__("rdpmc" : "=a"(low), "=d"(high) : "c"((uint32_t)i));
	return (uint64_t)high << 32 | low;
}

#endif
