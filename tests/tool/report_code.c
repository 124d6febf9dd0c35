// SPDX-License-Identifier: BSD-2-Clause
/*
 * report_code.c - a bare-metal program for report_code.js: twice calls add 3 times with 100 rounds
 * each, which are the counts that the page must show.
 */
asm(".globl _start\n"
    ".type _start, @function\n"
    "_start: la sp, stack + 1024\n"
    "	call twice\n"
    "	li t0, 0x100000\n"
    "	li t1, 0x5555\n"
    "	sw t1, 0(t0)\n"
    "1:	j 1b\n"
    ".size _start, . - _start\n");

char stack[1024] __attribute__((aligned(16)));
volatile int sum;

__attribute__((noinline)) void add(int rounds)
{
	for (int i = 0; i < rounds; i++)
		sum += i; /* the hot line </script><script>document.title = "" */
}

__attribute__((noinline)) void twice(void)
{
	for (int i = 0; i < 3; i++)
		add(100);
}
