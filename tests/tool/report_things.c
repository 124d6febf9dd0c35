// SPDX-License-Identifier: BSD-2-Clause
/*
 * report_things.c - a bare-metal program for report_things.js: two harts count 50 times in turns in
 * the same line, each in a counter of its own; then hart 0 reads one member of all elements of an
 * array that is as large as no L1D.  tests/tool/report gives `hostile` a name that is a script.
 */
#define ROUNDS 50
#define NR     4096

asm(".globl _start\n"
    ".type _start, @function\n"
    "_start: csrr a0, mhartid\n"
    "	la sp, stack + 1024\n"
    "	slli t0, a0, 10\n"
    "	add sp, sp, t0\n"
    "	call count\n"
    "	bnez a0, 1f\n"
    "	call walk\n"
    "	li t0, 0x100000\n"
    "	li t1, 0x5555\n"
    "	sw t1, 0(t0)\n"
    "1:	j 1b\n"
    ".size _start, . - _start\n");

struct body {
	long id, place[3];
	union {
		long mass, weight;
	};
	long spare[3];
};

char stack[2048] __attribute__((aligned(64)));
struct body bodies[NR] __attribute__((aligned(64)));
struct {
	long first, second;
} counters __attribute__((aligned(64)));
volatile long turn __attribute__((aligned(64)));
volatile long hostile __attribute__((aligned(64)));

__attribute__((noinline)) long count(long hart)
{
	volatile long *mine = hart ? &counters.second : &counters.first;

	for (int i = 0; i < ROUNDS; i++) {
		while (turn != hart)
			;
		*mine += 1; /* what both harts write */
		asm volatile("fence" ::: "memory");
		turn = !hart;
	}
	return hart;
}

__attribute__((noinline)) void walk(void)
{
	for (int i = 0; i < NR; i++)
		hostile += ((volatile struct body *)bodies)[i].mass;
}
