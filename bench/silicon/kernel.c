// SPDX-License-Identifier: BSD-2-Clause
/*
 * kernel.c - a program of bench/machine, whose main is called kernel here: cycles a run, and
 * cycles an instruction.
 */
#include "silicon.h"

int kernel(void);

static uint64_t instructions_now(void)
{
	uint64_t n;

	asm volatile("csrr %0, instret" : "=r"(n)::"memory");
	return n;
}

int main(void)
{
	uint64_t instructions = instructions_now(), cycles = cycles_now();

	kernel();
	cycles = cycles_now() - cycles;
	instructions = instructions_now() - instructions;
	result("kernel-cpi", 0, cycles, instructions);
	return 0;
}
