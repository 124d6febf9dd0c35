/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csr.h - reading a counter in user space; the one of three that the build's include path finds.
 *
 * RISC-V: the counter CSRs, cycle (0xC00) to hpmcounter31 (0xC1F), by number (Priv 1.13
 * §3.1.10).  An index is part of the instruction, so there is one of each, 8 bytes apart, and a
 * jump to it.
 */
#ifndef LPMC_CSR_H
#define LPMC_CSR_H

#include <stdbool.h>
#include <stdint.h>

/* Whether lpmc_csr() can be used at all. */
static const bool lpmc_csr_known = true;

/*
 * The setting without which Linux lets nobody; NULL: the user page alone says it.  (riscv-pmu-sbi has
 * it, from Linux 6.6 on.  Where riscv-pmu-legacy is instead, pages promise what the firmware may not
 * have allowed, in scounteren, and the instruction would be illegal.)
 */
static const char *const lpmc_csr_setting = "/proc/sys/kernel/perf_user_access";

/* The counter that index i + 1 of a user page stands for; i < 32. */
static inline uint64_t lpmc_csr(uint64_t i)
{
	uint64_t value, at;

	__asm__ __volatile__("	.option push\n"
			     "	.option norvc\n"
			     "	lla %1, 1f\n"
			     "	add %1, %1, %2\n"
			     "	jr %1\n"
			     "1:\n"
			     "	.set lpmc_csr_number, 0xc00\n"
			     "	.rept 32\n"
			     "	csrr %0, lpmc_csr_number\n"
			     "	j 2f\n"
			     "	.set lpmc_csr_number, lpmc_csr_number + 1\n"
			     "	.endr\n"
			     "2:\n"
			     "	.option pop\n"
			     : "=r"(value), "=&r"(at)
			     : "r"(i * 8));
	return value;
}

#endif
