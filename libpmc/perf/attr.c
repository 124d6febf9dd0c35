// SPDX-License-Identifier: BSD-2-Clause
/*
 * attr.c - fills in the struct perf_event_attr of each kind of PMC.  Pure.
 *
 * Events are pinned unless they may be multiplexed.  If there are too few counters, Linux does not
 * refuse an event that is not pinned: events then take turns on the counters.  A pinned event has a
 * counter all the time or is in error, so its count is complete.
 */
#include <string.h>
#include <time.h>

#include "perf.h"

enum lpmc_layout lpmc_layout_of(const struct lpmc *p)
{
	if (lpmc_is_recorded(p))
		return LPMC_RECORDS;
	if (p->flags & PMC_F_LOG_PROCCSW)
		return LPMC_SWITCH;
	return PMC_IS_SAMPLING_MODE(p->mode) && (p->flags & PMC_F_CALLCHAIN) ? LPMC_CHAIN
									     : LPMC_PLAIN;
}

static void common(const struct lpmc *p, struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->disabled = 1;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->pinned = !p->spec.multiplex;
	if (p->nr_members)
		attr->read_format |= PERF_FORMAT_GROUP;
	if (PMC_IS_VIRTUAL_MODE(p->mode)) {
		attr->inherit = 1;
		attr->inherit_thread = !(p->flags & PMC_F_DESCENDANTS);
		attr->enable_on_exec = (p->flags & PMC_F_ON_EXEC) != 0;
	}
}

/* Asks for records of forks and exits.  Every record carries its thread, time and CPU. */
static void records(struct perf_event_attr *attr)
{
	attr->sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	attr->task = 1;
	attr->watermark = 1;
	attr->wakeup_watermark = 8192;
}

/*
 * PMC_F_RECORDS: asks for what a perf.data needs, and to be woken when a ring is half full.
 * (PERF_SAMPLE_PERIOD is not set always: Linux then samples each occurrence of a software event,
 * whatever its period is.)
 */
static void recorded(const struct lpmc *p, struct perf_event_attr *attr)
{
	attr->sample_type |= PERF_SAMPLE_IDENTIFIER;
	if (p->flags & PMC_F_FREQUENCY) {
		attr->sample_type |= PERF_SAMPLE_PERIOD;
		attr->freq = 1;
	}
	attr->wakeup_watermark = 0;
	if (p->flags & PMC_F_JITTER) {
		attr->sample_type |= PERF_SAMPLE_PERIOD;
		attr->watermark = 0;
		attr->wakeup_events = lpmc_jitter_samples(p->reload);
	}
	if (p->flags & PMC_F_SAMPLES_ONLY)
		attr->task = attr->mmap = attr->mmap2 = attr->comm = attr->comm_exec = 0;
}

/*
 * Sets the modes to count.  A clock counts the time of all modes even if the kernel is excluded,
 * and to exclude it avoids the privilege that counting the kernel needs.
 */
void lpmc_attr_modes(const struct lpmc *p, struct perf_event_attr *attr)
{
	bool whole = PMC_IS_COUNTING_MODE(p->mode) && lpmc_event_is_clock(&p->spec.event);

	attr->exclude_kernel = (p->spec.usr && !p->spec.os) || whole;
	attr->exclude_user = p->spec.os && !p->spec.usr;
}

void lpmc_attr(const struct lpmc *p, struct perf_event_attr *attr)
{
	common(p, attr);
	attr->type = p->spec.event.type;
	attr->config = p->spec.event.config;
	lpmc_attr_modes(p, attr);
	if (!lpmc_has_rings(p))
		return;
	records(attr);
	attr->inherit_stat = (p->flags & PMC_F_LOG_PROCEXIT) != 0;
	if (!PMC_IS_SAMPLING_MODE(p->mode))
		return;
	attr->sample_period = p->reload;
	attr->sample_type |= PERF_SAMPLE_IP;
	attr->mmap = attr->mmap2 = attr->comm = attr->comm_exec = 1;
	if (p->flags & PMC_F_CALLCHAIN) {
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
		attr->exclude_callchain_kernel = (p->flags & PMC_F_USERCALLCHAIN) != 0;
	}
	if (lpmc_is_recorded(p))
		recorded(p, attr);
}

/* An event that samples at each context switch; the sample has the values of the group. */
void lpmc_attr_switch_leader(const struct lpmc *p, struct perf_event_attr *attr)
{
	common(p, attr);
	records(attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	attr->sample_period = 1;
	attr->sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_READ;
	attr->read_format |= PERF_FORMAT_GROUP;
	attr->task = 0; /* the PMC's own event asks for these records */
}
