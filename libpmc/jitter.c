// SPDX-License-Identifier: BSD-2-Clause
/*
 * jitter.c - periods that vary, for PMC_F_JITTER.
 *
 * A loop that takes as long each time, on a CPU without noise, is in step with a fixed period: samples
 * are at few of its instructions, and the same ones in each run.  Linux has no period of its own that
 * varies but that of a frequency.  So the period is set anew, to a number that the last one does not
 * tell, each time that a ring has some samples more (attr.c); between, it is the same.  What had been
 * counted towards the next sample is lost then: that is little, as it is done at once.
 *
 * The numbers are the same in each run.  A thread that a target makes has the period of that moment.
 */
#include "internal.h"

/* Setting it takes some ten thousand instructions: not more often than so many events. */
#define EVENTS_APART 10000

unsigned lpmc_jitter_samples(uint64_t reload)
{
	return reload >= EVENTS_APART ? 1 : (unsigned)(EVENTS_APART / (reload ? reload : 1));
}

/* G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. */
static uint64_t random_number(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

uint64_t lpmc_jitter_period(struct lpmc *p)
{
	uint64_t half = p->reload / 2;

	return p->reload - half / 2 + random_number(&p->jitter) % (half + 1);
}

void lpmc_jitter(struct lpmc *p, int cpu)
{
	uint64_t period = lpmc_jitter_period(p);

	for (unsigned i = 0; i < p->nr_targets; i++) {
		for (unsigned j = 0; j < p->targets[i].nr_fds; j++) {
			const struct lpmc_fd *f = &p->targets[i].fds[j];

			/* (One that is refused keeps its period.) */
			if (f->cpu == cpu)
				lpmc.sys->perf_ioctl(f->fd, PERF_EVENT_IOC_PERIOD, &period);
		}
	}
}
