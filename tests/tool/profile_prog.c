// SPDX-License-Identifier: BSD-2-Clause
/*
 * profile_prog.c - functions whose counts are known by hand, for tests/tool/profile.
 *
 *	spin(n)		2n + 1 instructions, n branches, n - 1 of them taken
 *	touch(p, n)	4n + 1 instructions, n loads, n branches, n - 1 of them taken
 *
 * It also calls the vDSO once, for the time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void spin(long n);
void touch(const void *p, long n);

__asm__(".text\n"
	".option push\n"
	".option norvc\n"
	".balign 64\n"
	".globl spin\n"
	".type spin, @function\n"
	"spin:	addi a0, a0, -1\n"
	"	bnez a0, spin\n"
	"	ret\n"
	".size spin, . - spin\n"
	".balign 64\n"
	".globl touch\n"
	".type touch, @function\n"
	"touch:	ld a2, 0(a0)\n"
	"	addi a0, a0, 64\n"
	"	addi a1, a1, -1\n"
	"	bnez a1, touch\n"
	"	ret\n"
	".size touch, . - touch\n"
	".option pop\n");

static char lines[512 * 64];

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 10;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);

	for (long n = 0; n < rounds; n++) {
		spin(1000);
		touch(lines, 512);
	}
	return 0;
}
