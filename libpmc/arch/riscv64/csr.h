/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csr.h - reads a counter in user space.  Each architecture has its own csr.h, and the build's
 * include path selects one.
 *
 * RISC-V: reads one of the counter CSRs, cycle (0xC00) to hpmcounter31 (0xC1F), by number (Priv
 * 1.13 §3.1.10).  The number of a CSR is part of the instruction.  So there is one csrr for each
 * CSR, 8 bytes apart, and the code jumps to the right one.
 */
#ifndef LPMC_CSR_H
#define LPMC_CSR_H

#include <stdbool.h>
#include <stdint.h>

/* Whether lpmc_csr() works on this architecture. */
static const bool lpmc_csr_known = true;

/*
 * The setting that must not be 0 for user space to read counters; NULL: the user page alone tells.
 * The driver riscv-pmu-sbi has this setting, from Linux 6.6 on.  The driver riscv-pmu-legacy has
 * not, and its user pages allow reads even if scounteren forbids them, so that csrr would be
 * illegal.
 */
static const char *const lpmc_csr_setting = "/proc/sys/kernel/perf_user_access";

/* Reads the counter for which a user page has the index i + 1; i < 32. */
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
