// SPDX-License-Identifier: BSD-2-Clause
/*
 * csr_riscv.c - the unprivileged counter CSRs, cycle (0xC00) to hpmcounter31 (0xC1F), by number
 * (Priv 1.13 §3.1.10).  An index is part of the instruction, so there is one of each: 8 bytes
 * apart, and a jump to it.
 */
#include "internal.h"

const bool lpmc_csr_known = true;

__asm__(".pushsection .text\n"
	".globl lpmc_csr\n"
	".hidden lpmc_csr\n"
	".type lpmc_csr, @function\n"
	".option push\n"
	".option norvc\n"
	".balign 8\n"
	"lpmc_csr:\n"
	"	slli a0, a0, 3\n"
	"	lla a1, 1f\n"
	"	add a0, a0, a1\n"
	"	jr a0\n"
	"	.balign 8\n"
	"1:\n"
	".set csr, 0xc00\n"
	".rept 32\n"
	"	csrr a0, csr\n"
	"	ret\n"
	".set csr, csr + 1\n"
	".endr\n"
	".option pop\n"
	".size lpmc_csr, . - lpmc_csr\n"
	".popsection\n");
