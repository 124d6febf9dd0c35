// SPDX-License-Identifier: BSD-2-Clause
/*
 * count-loop.c - counts the instructions of a piece of code.
 *
 *	cc -o count-loop count-loop.c -lpmc && ./count-loop 1000000
 */
#include <stdio.h>
#include <stdlib.h>

#include <pmc.h>

static void die(const char *what)
{
	fprintf(stderr, "count-loop: %s: %s\n", what, pmc_error_text());
	exit(1);
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000;
	pmc_value_t before, after;
	pmc_id_t pmc;

	if (pmc_init() < 0)
		die("pmc_init");
	/* User mode only: work of the kernel is not ours, and counting it needs more rights. */
	if (pmc_allocate("instructions,usr", PMC_MODE_TC, 0, PMC_CPU_ANY, &pmc, 0) < 0)
		die("pmc_allocate");
	if (pmc_start(pmc) < 0)
		die("pmc_start");
	if (pmc_read(pmc, &before) < 0)
		die("pmc_read");

	for (volatile unsigned long i = 0; i < rounds; i++)
		;

	if (pmc_read(pmc, &after) < 0)
		die("pmc_read");
	printf("%lu rounds: %llu instructions\n", rounds, (unsigned long long)(after - before));
	pmc_release(pmc);
	return 0;
}
