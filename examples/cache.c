// SPDX-License-Identifier: BSD-2-Clause
/*
 * cache.c - a program with a cache problem: it sums a matrix by rows and then by columns, where
 * each element lies in another cache line; and it has branches that no predictor can learn.
 *
 * usage: cache [ROUNDS]	(1)
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N 1024 /* a column is 1024 lines, 4096 bytes apart: they share few sets of a cache */
#ifndef PAD
#define PAD 0 /* -DPAD=16: they spread over all sets */
#endif

/* Each function stays one, so that a report by function shows it. */
#define APART __attribute__((noinline))

static int32_t m[N][N + PAD];

static APART void fill(void)
{
	uint32_t random = 1;

	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++) {
			random = random * 1664525 + 1013904223;
			m[i][j] = (int32_t)(random >> 8);
		}
	}
}

static APART int64_t by_rows(void)
{
	int64_t sum = 0;

	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			sum += m[i][j];
	return sum;
}

static APART int64_t by_columns(void)
{
	int64_t sum = 0;

	for (int j = 0; j < N; j++)
		for (int i = 0; i < N; i++)
			sum += m[i][j];
	return sum;
}

static APART int64_t odd_ones(void)
{
	int64_t sum = 0;

	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++) {
			if (m[i][j] & 1)
				sum ^= m[i][j] * 3 + sum;
		}
	}
	return sum;
}

int main(int argc, char **argv)
{
	int64_t rows = 0, columns = 0, odd = 0;

	fill();
	for (int n = argc > 1 ? atoi(argv[1]) : 1; n > 0; n--) {
		rows += by_rows();
		columns += by_columns();
		odd += odd_ones();
	}
	printf("rows %lld, columns %lld, odd ones %lld\n", (long long)rows, (long long)columns,
	       (long long)odd);
	return rows != columns;
}
