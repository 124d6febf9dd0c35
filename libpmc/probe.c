// SPDX-License-Identifier: BSD-2-Clause
/*
 * probe.c - does an event count here?  Asked before a PMC is allocated, so that the answer comes
 * from pmc_allocate() and not as a zero from pmc_read().
 *
 * Linux opens events that never run: raw and firmware codes it does not check, and any event
 * when no counter is free.  A pinned event that runs nowhere is in error, and its read(2)
 * returns nothing: that is the probe.
 */
#include "internal.h"

/* As the PMC asks for it, but alone, counting, and at once. */
static void probe_attr(const struct lpmc *p, struct perf_event_attr *attr)
{
	struct lpmc counting = *p;

	counting.mode = PMC_IS_SYSTEM_MODE(p->mode) ? PMC_MODE_SC : PMC_MODE_TC;
	counting.flags = 0;
	lpmc_attr(&counting, attr);
	attr->disabled = 0;
	attr->inherit = attr->inherit_thread = attr->enable_on_exec = 0;
	attr->pinned = 1;
}

static pid_t probe_pid(const struct lpmc *p)
{
	return PMC_IS_SYSTEM_MODE(p->mode) ? -1 : 0;
}

static bool runs(int fd)
{
	uint64_t value[3];

	return lpmc.sys->read(fd, value, sizeof(value)) == sizeof(value);
}

static bool opens(const struct lpmc *p, struct perf_event_attr *attr)
{
	int fd = lpmc_open_raw(attr, probe_pid(p), p->cpu, -1);

	if (fd >= 0)
		lpmc.sys->close(fd);
	return fd >= 0;
}

/* EINVAL, and modes were asked for: are they what it is about? */
static int no_filter(const struct lpmc *p, struct perf_event_attr *attr)
{
	const char *legacy = lpmc_legacy();

	attr->exclude_kernel = attr->exclude_user = 0;
	if (!opens(p, attr))
		return lpmc_fail(EINVAL, "%s: the kernel takes no such event", p->spec.name);
	return lpmc_fail(EOPNOTSUPP, "%s: %s", p->spec.name,
			 legacy ? legacy
				: "the counters cannot tell user mode from the kernel (on RISC-V "
				  "that takes the extension Sscofpmf); without usr or os it "
				  "counts");
}

static int count_once(const struct lpmc *p)
{
	struct perf_event_attr attr;
	bool ran;
	int fd;

	probe_attr(p, &attr);
	fd = lpmc_open(p, &attr, probe_pid(p), p->cpu, -1);
	if (fd < 0 && errno == EINVAL && (attr.exclude_kernel || attr.exclude_user))
		return no_filter(p, &attr);
	if (fd < 0)
		return -1;
	ran = runs(fd);
	lpmc.sys->close(fd);
	if (ran || p->spec.multiplex)
		return 0;
	return lpmc_fail(EINVAL,
			 "%s: opens, but gets no counter: the firmware maps none to the event, or "
			 "all that count it are taken (by other PMCs, or perf elsewhere)",
			 p->spec.name);
}

/* Whether the kernel would sample it. */
static int sample_once(const struct lpmc *p)
{
	struct perf_event_attr attr;
	int fd;

	if (lpmc_event_is_firmware(&p->spec.event))
		return lpmc_fail(EOPNOTSUPP,
				 "%s: a firmware event cannot be sampled: the firmware counts it, "
				 "and its counters raise no interrupt",
				 p->spec.name);
	probe_attr(p, &attr);
	attr.disabled = 1;
	attr.sample_period = p->reload;
	attr.sample_type = PERF_SAMPLE_IP;
	fd = lpmc_open(p, &attr, probe_pid(p), p->cpu, -1);
	if (fd < 0)
		return -1;
	lpmc.sys->close(fd);
	return 0;
}

int lpmc_probe(const struct lpmc *p)
{
	if (lpmc_event_is_firmware(&p->spec.event) && p->spec.usr != p->spec.os)
		return lpmc_fail(EOPNOTSUPP,
				 "%s: the firmware counts its events whichever mode caused them; "
				 "leave out usr and os",
				 p->spec.name);
	if (count_once(p) < 0)
		return -1;
	return PMC_IS_SAMPLING_MODE(p->mode) ? sample_once(p) : 0;
}

uint32_t lpmc_probe_caps(const struct lpmc *p)
{
	uint32_t caps = PMC_CAP_READ | PMC_CAP_WRITE;
	struct perf_event_attr attr;

	if (lpmc_event_is_firmware(&p->spec.event))
		return caps;
	probe_attr(p, &attr);
	attr.disabled = 1;
	attr.exclude_kernel = 1;
	attr.exclude_user = 0;
	if (opens(p, &attr))
		caps |= PMC_CAP_USER | PMC_CAP_SYSTEM | PMC_CAP_QUALIFIER;
	attr.exclude_kernel = p->spec.usr && !p->spec.os;
	attr.sample_period = LPMC_RELOAD_DEFAULT;
	attr.sample_type = PERF_SAMPLE_IP;
	if (opens(p, &attr))
		caps |= PMC_CAP_INTERRUPT;
	return caps;
}
