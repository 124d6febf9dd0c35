// SPDX-License-Identifier: BSD-2-Clause
/*
 * jitter.c - sampling periods that vary, for PMC_F_JITTER.
 *
 * A loop may take the same time in each iteration, on a CPU without noise.  Its iterations can then
 * run in step with a fixed period: samples hit only a few of its instructions, and the same ones in
 * each run.  Linux varies a period only to reach a frequency.  So the helper sets a new random
 * period each time that a ring has got some more samples (attr.c tells how many); in between the
 * period stays the same.  Setting it discards what has been counted towards the next sample.  That
 * is little, because the helper sets it at once.
 *
 * The random numbers are the same in each run.  A thread that a target creates inherits the period
 * of that moment.
 */
#include "hash.h"
#include "perf.h"

/*
 * The least number of events between two settings of the period: one setting takes some ten
 * thousand instructions.
 */
#define EVENTS_APART 10000

unsigned lpmc_jitter_samples(uint64_t reload)
{
	return reload >= EVENTS_APART ? 1 : (unsigned)(EVENTS_APART / (reload ? reload : 1));
}

uint64_t lpmc_jitter_period(struct lpmc *p)
{
	uint64_t half = p->reload / 2;

	return p->reload - half / 2 + splitmix64(&p->jitter) % (half + 1);
}

void lpmc_jitter(struct lpmc *p, int cpu)
{
	uint64_t period = lpmc_jitter_period(p);

	for (unsigned i = 0; i < p->targets.nr; i++) {
		for (unsigned j = 0; j < p->targets.at[i].fds.nr; j++) {
			const struct lpmc_fd *f = &p->targets.at[i].fds.at[j];

			/* (If Linux refuses the new period, the event keeps its old one.) */
			if (f->cpu == cpu)
				lpmc.sys->perf_ioctl(f->fd, PERF_EVENT_IOC_PERIOD, &period);
		}
	}
}
