// SPDX-License-Identifier: BSD-2-Clause
/*
 * small_program.c - a program with few symbols, source lines and call frame information, for tests
 * that read ELF files many times.  It is never run.
 */
int inner(int x);
int outer(int x);
void _start(void);

__attribute__((noinline)) int inner(int x)
{
	return 3 * x;
}

__attribute__((noinline)) int outer(int x)
{
	return inner(x) + 1;
}

void _start(void)
{
	static volatile int x;

	x = outer(x);
}
