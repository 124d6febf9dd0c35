/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csr.h - the counters of the fake kernel's machine (arch/riscv64/csr.h is the contract).
 */
#ifndef LPMC_CSR_H
#define LPMC_CSR_H

#include <stdbool.h>
#include <stdint.h>

static const bool lpmc_csr_known = true;
static const char *const lpmc_csr_setting = "/proc/sys/kernel/perf_user_access";

extern uint64_t fake_csr[32];

static inline uint64_t lpmc_csr(uint64_t i)
{
	return fake_csr[i];
}

#endif
