// SPDX-License-Identifier: BSD-2-Clause
/*
 * attr.c - what Linux is asked for: struct perf_event_attr of each kind of PMC.  Pure.
 *
 * Pinned: perf never refuses an event for want of counters, it takes turns.  A pinned event
 * is on a counter or in error, so that a count is a count.
 */
#include <string.h>
#include <time.h>

#include "internal.h"

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

/* Side-band records, all with thread, time and CPU at their end. */
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
 * What a perf.data wants, and a ring that is emptied when it is half full.  (Of the kernel's own
 * events PERIOD asks for a sample of each, whatever the period.)
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

/* (A clock counts the time of all modes even without the kernel's, for which it takes a privilege.) */
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

/* A sample at each switch, with the group's values in it. */
void lpmc_attr_switch_leader(const struct lpmc *p, struct perf_event_attr *attr)
{
	common(p, attr);
	records(attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	attr->sample_period = 1;
	attr->sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_READ;
	attr->read_format |= PERF_FORMAT_GROUP;
	attr->task = 0; /* the event itself tells who comes and goes */
}
