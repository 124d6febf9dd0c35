// SPDX-License-Identifier: BSD-2-Clause
/*
 * gdb_prog.c - what tests/tool/gdb debugs.  Hart 0 adds 1500 squares and ends with status 5; the
 * other one counts until then.
 */
#define NOINLINE __attribute__((noinline, noclone))

volatile long counter, others, spins;

NOINLINE long square(long x)
{
	return x * x;
}

NOINLINE long sum(long n)
{
	long s = 0;

	for (long i = 0; i < n; i++) {
		s += square(i);
		counter = s;
	}
	return s;
}

NOINLINE void other(void)
{
	for (;;)
		others++;
}

/* Nothing calls it: gdb sets the pc. */
NOINLINE void spin(void)
{
	for (;;)
		spins++;
}

int main(long hart)
{
	if (hart)
		other();
	if (hart > 1)
		spin();
	return sum(1500) == 1123875250 ? 5 : 6;
}
