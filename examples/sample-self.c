// SPDX-License-Identifier: BSD-2-Clause
/*
 * sample-self.c - shows where a program spends its time: it takes a sample every 100000
 * instructions, and prints how many of them are in one function.
 *
 *	cc -o sample-self sample-self.c -lpmc && ./sample-self
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pmc.h>
#include <pmclog.h>

static void die(const char *what)
{
	fprintf(stderr, "sample-self: %s: %s\n", what, pmc_error_text());
	exit(1);
}

/* The function has a page of its own, so that its end is known. */
__attribute__((noinline, aligned(4096))) static void work(void)
{
	for (volatile unsigned long i = 0; i < 2000000; i++)
		;
}

int main(void)
{
	int log = memfd_create("log", 0);
	unsigned all = 0, in_work = 0;
	struct pmclog_ev ev;
	void *parser;
	pmc_id_t pmc;

	if (pmc_init() < 0 || pmc_configure_logfile(log) < 0)
		die("log");
	if (pmc_allocate("instructions", PMC_MODE_TS, 0, PMC_CPU_ANY, &pmc, 100000) < 0)
		die("pmc_allocate");
	if (pmc_start(pmc) < 0)
		die("pmc_start");
	work();
	if (pmc_stop(pmc) < 0 || pmc_release(pmc) < 0 || pmc_close_logfile() < 0)
		die("stop");

	lseek(log, 0, SEEK_SET);
	parser = pmclog_open(log);
	while (pmclog_read(parser, &ev) == 0) {
		if (ev.pl_type != PMCLOG_TYPE_CALLCHAIN)
			continue;
		all++;
		in_work += ev.pl_u.pl_cc.pl_pc[0] - (uintptr_t)work < 4096;
	}
	if (ev.pl_state != PMCLOG_EOF)
		die("pmclog_read");
	printf("%u samples, %u of them in work()\n", all, in_work);
	pmclog_close(parser);
	return 0;
}
