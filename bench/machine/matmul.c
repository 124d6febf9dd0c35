// SPDX-License-Identifier: BSD-2-Clause
/*
 * matmul.c - multiplies matrices of doubles.
 */
#define N 200
#define RUNS 32
static double a[N][N], b[N][N], c[N][N];
int main(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			a[i][j] = i + j * 0.5;
			b[i][j] = i - j * 0.25;
		}
	for (int r = 0; r < RUNS; r++)
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++) {
				double s = 0;
				for (int k = 0; k < N; k++)
					s += a[i][k] * b[k][j];
				c[i][j] = s;
			}
	return (int)c[3][4];
}
