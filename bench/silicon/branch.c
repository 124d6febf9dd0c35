// SPDX-License-Identifier: BSD-2-Clause
/*
 * branch.c - what branches cost: a random direction against directions that are known, an indirect
 * jump to random targets against one target, returns that no stack of return addresses knows, and
 * taken jumps.
 */
#include "silicon.h"

enum { TURNS = 16384 };

static unsigned char picks[TURNS];

/* Runs one of two equal paths for each byte of picks. */
static uint64_t __attribute__((noipa)) directions(void)
{
	uint64_t start = cycles_now();

	asm volatile(".balign 64\n"
		     "mv t0, %0\nadd t1, t0, %1\n"
		     "1: lbu t2, 0(t0)\naddi t0, t0, 1\n"
		     "addi t3, t3, 1\naddi t4, t4, 1\naddi t3, t3, 1\naddi t4, t4, 1\n"
		     "addi t3, t3, 1\naddi t4, t4, 1\naddi t3, t3, 1\naddi t4, t4, 1\n"
		     "beqz t2, 2f\n"
		     "addi t3, t3, 1\naddi t4, t4, 1\nj 3f\n"
		     "2: addi t3, t3, 1\naddi t4, t4, 1\nj 3f\n"
		     "3: bltu t0, t1, 1b\n" ::"r"(picks),
		     "r"((uint64_t)TURNS)
		     : "t0", "t1", "t2", "t3", "t4", "memory");
	return cycles_now() - start;
}

/* Jumps to one of eight equal targets of 16 bytes for each byte of picks. */
static uint64_t __attribute__((noipa)) targets(void)
{
	uint64_t start = cycles_now();

	asm volatile(".balign 64\n.option push\n.option norvc\n"
		     "mv t0, %0\nadd t1, t0, %1\nla t5, 2f\n"
		     "1: lbu t2, 0(t0)\naddi t0, t0, 1\nslli t2, t2, 4\nadd t2, t2, t5\n"
		     "addi t3, t3, 1\naddi t4, t4, 1\naddi t3, t3, 1\naddi t4, t4, 1\n"
		     "addi t3, t3, 1\naddi t4, t4, 1\naddi t3, t3, 1\naddi t4, t4, 1\n"
		     "jr t2\n.balign 16\n"
		     "2:\n.rept 8\naddi t3, t3, 1\naddi t4, t4, 1\nj 3f\nnop\n.endr\n"
		     "3: bltu t0, t1, 1b\n.option pop\n" ::"r"(picks),
		     "r"((uint64_t)TURNS)
		     : "t0", "t1", "t2", "t3", "t4", "t5", "memory");
	return cycles_now() - start;
}

static void pick(unsigned mask, unsigned value)
{
	uint32_t state = 362436069;

	for (int i = 0; i < TURNS; i++)
		picks[i] = (random_next(&state) >> 9 & mask) | value;
}

int main(void)
{
	uint64_t known, random, start;

	pick(0, 0);
	directions();
	known = directions();
	pick(0, 1);
	directions();
	known = (known + directions()) / 2;
	pick(1, 0);
	random = directions();
	/* No predictor does better than one wrong of two. */
	result("mispredict", 0, random - known, TURNS / 2);

	pick(0, 3);
	targets();
	known = targets();
	pick(7, 0);
	random = targets();
	result("mispredict-target", 0, random - known, TURNS * 7 / 8);

	for (int turn = 0; turn < 2; turn++) {
		start = cycles_now();
		asm volatile(".balign 64\nli t0, 256\n1:\n.rept 8\nj 2f\nnop\nnop\n2:\n.endr\n"
			     "addi t0, t0, -1\nbnez t0, 1b\n" ::
				     : "t0");
		known = cycles_now() - start;
	}
	result("per-jump", 0, known, 256 * 9);
	return 0;
}
