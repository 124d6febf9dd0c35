// SPDX-License-Identifier: BSD-2-Clause
/*
 * qsort.c - sorts integers: branches that no predictor can predict.
 */
#define N 200000
#define RUNS 60
static int v[N];
static void qs(int *a, int l, int r)
{
	while (l < r) {
		int i = l, j = r, p = a[(l + r) / 2];
		while (i <= j) {
			while (a[i] < p)
				i++;
			while (a[j] > p)
				j--;
			if (i <= j) {
				int t = a[i];
				a[i] = a[j];
				a[j] = t;
				i++;
				j--;
			}
		}
		if (j - l < r - i) {
			qs(a, l, j);
			l = i;
		} else {
			qs(a, i, r);
			r = j;
		}
	}
}
int main(void)
{
	unsigned x = 1;
	for (int k = 0; k < RUNS; k++) {
		for (int i = 0; i < N; i++) {
			x = x * 1664525 + 1013904223;
			v[i] = x >> 1;
		}
		qs(v, 0, N - 1);
	}
	return v[5];
}
