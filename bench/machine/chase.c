// SPDX-License-Identifier: BSD-2-Clause
/*
 * chase.c - a pointer chase through 4 MiB: every load misses.
 */
#define N (1 << 20)
static unsigned next[N];
int main(void)
{
	unsigned x = 12345;
	for (unsigned i = 0; i < N; i++)
		next[i] = i;
	for (unsigned i = N - 1; i > 0; i--) {
		x = x * 1103515245 + 12345;
		unsigned j = (x >> 8) % i;
		unsigned t = next[i];
		next[i] = next[j];
		next[j] = t;
	}
	unsigned p = 0;
	for (long i = 0; i < 20000000; i++)
		p = next[p];
	return p;
}
