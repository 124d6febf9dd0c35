// SPDX-License-Identifier: BSD-2-Clause
/*
 * probe.c - checks whether an event counts on this machine.  pmc_allocate() asks this first, so
 * that it can fail; without the check pmc_read() would return 0.
 *
 * Linux also opens events that never run: it does not check raw and firmware codes, and it opens
 * any event when no counter is free.  But a pinned event that gets no counter is in error, and its
 * read(2) returns 0 bytes.  So the probe opens a pinned event and reads it.
 */
#include "error.h"
#include "perf.h"

/* The attributes of a PMC's event, but counting, enabled at once, and not inherited. */
static void probe_attr(const struct lpmc *p, struct perf_event_attr *attr)
{
	struct lpmc counting = *p;

	counting.mode = PMC_IS_SYSTEM_MODE(p->mode) ? PMC_MODE_SC : PMC_MODE_TC;
	counting.flags = 0;
	lpmc_attr(&counting, attr);
	lpmc_attr_modes(p, attr);
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

/*
 * Fails because Linux cannot count a single mode of the event.  If it cannot count all modes
 * either, for lack of a privilege, that is the error.
 */
static int no_mode(const struct lpmc *p, const char *why)
{
	struct perf_event_attr attr;
	struct lpmc whole = *p;

	whole.spec.usr = whole.spec.os = false;
	probe_attr(&whole, &attr);
	attr.disabled = 1;
	if (!opens(p, &attr) && errno == EACCES)
		return lpmc_open_failed(p, &attr, probe_pid(p), p->cpu);
	return lpmc_fail(EOPNOTSUPP, "%s: %s; leave out usr and os", p->spec.name, why);
}

/* Explains an EINVAL when not all modes were asked for: is the mode filter the reason? */
static int no_filter(const struct lpmc *p, struct perf_event_attr *attr)
{
	const char *legacy = lpmc_legacy(), *then = "it can be counted without usr and os";

	attr->exclude_kernel = attr->exclude_user = 0;
	if (!opens(p, attr)) {
		if (errno != EACCES)
			return lpmc_fail(EINVAL, "%s: the kernel does not support this event",
					 p->spec.name);
		then = "to count all modes together, as root: sysctl kernel.perf_event_paranoid=1";
	}
	if (legacy)
		return lpmc_fail(EOPNOTSUPP, "%s: %s", p->spec.name, legacy);
	return lpmc_fail(EOPNOTSUPP,
			 "%s: the counters cannot count user mode and the kernel "
			 "separately (on RISC-V this needs the extension Sscofpmf); %s",
			 p->spec.name, then);
}

static int count_once(const struct lpmc *p)
{
	struct perf_event_attr attr;
	bool ran;
	int fd;

	probe_attr(p, &attr);
	fd = lpmc_open_raw(&attr, probe_pid(p), p->cpu, -1);
	if (fd < 0 && errno == EINVAL && (attr.exclude_kernel || attr.exclude_user))
		return no_filter(p, &attr);
	if (fd < 0)
		return lpmc_open_failed(p, &attr, probe_pid(p), p->cpu);
	ran = runs(fd);
	lpmc.sys->close(fd);
	if (ran || p->spec.multiplex)
		return 0;
	return lpmc_fail(EINVAL,
			 "%s: gets no counter: the firmware maps no counter to the event, "
			 "or all its counters are in use (by other PMCs, or by perf "
			 "elsewhere)",
			 p->spec.name);
}

/* Opens the events as a disabled group.  Returns 0 and the descriptors; or -1, and none is open. */
static int open_group(struct lpmc *const *list, unsigned nr, int *fd)
{
	struct perf_event_attr attr;

	for (unsigned i = 0; i < nr; i++) {
		probe_attr(list[i], &attr);
		attr.disabled = i == 0;
		attr.pinned = i == 0;
		fd[i] = lpmc_open(list[i], &attr, probe_pid(list[i]), list[i]->cpu, i ? fd[0] : -1);
		if (fd[i] >= 0)
			continue;
		while (i--)
			lpmc.sys->close(fd[i]);
		return -1;
	}
	return 0;
}

int lpmc_probe_group(struct lpmc *const *list, unsigned nr)
{
	int fd[1 + LPMC_MEMBERS] = { 0 };
	bool ran;

	if (open_group(list, nr, fd) < 0)
		return -1;
	ran = lpmc.sys->perf_ioctl(fd[0], PERF_EVENT_IOC_ENABLE, NULL) == 0 && runs(fd[0]);
	for (unsigned i = nr; i-- > 0;)
		lpmc.sys->close(fd[i]);
	if (ran)
		return 0;
	return lpmc_fail(EBUSY,
			 "%s and %u more: this machine does not have enough free counters "
			 "for all of them at once: put fewer into the group, or stop "
			 "other PMCs",
			 list[0]->spec.name, nr - 1);
}

/* 0 if the kernel would sample the event. */
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

/*
 * Why Linux cannot count the one mode that is asked for; NULL if it can, or if all modes are asked
 * for.  Linux itself would not fail: it would count all modes, or return 0.
 */
static const char *one_mode(const struct lpmc *p)
{
	const struct lpmc_event *e = &p->spec.event;

	if (p->spec.usr == p->spec.os)
		return NULL;
	if (lpmc_event_is_firmware(e))
		return "the firmware counts its events whichever mode caused them";
	if (lpmc_event_is_clock(e) && PMC_IS_COUNTING_MODE(p->mode))
		return "a clock counts the time of all modes, and only its samples tell them "
		       "apart";
	if (lpmc_event_is_of_kernel(e) && p->spec.usr)
		return "it happens in the kernel, never in user mode";
	return NULL;
}

int lpmc_probe(const struct lpmc *p)
{
	const char *why = one_mode(p);

	if (why)
		return no_mode(p, why);
	if (count_once(p) < 0)
		return -1;
	return PMC_IS_SAMPLING_MODE(p->mode) ? sample_once(p) : 0;
}

uint32_t lpmc_probe_caps(const struct lpmc *p)
{
	uint32_t caps = PMC_CAP_READ | PMC_CAP_WRITE;
	struct perf_event_attr attr;
	struct lpmc user = *p;

	if (lpmc_event_is_firmware(&p->spec.event))
		return caps;
	user.spec.usr = true;
	user.spec.os = false;
	probe_attr(&user, &attr);
	attr.disabled = 1;
	if (!one_mode(&user) && opens(p, &attr))
		caps |= PMC_CAP_USER | PMC_CAP_SYSTEM | PMC_CAP_QUALIFIER;
	lpmc_attr_modes(p, &attr);
	attr.sample_period = LPMC_RELOAD_DEFAULT;
	attr.sample_type = PERF_SAMPLE_IP;
	if (opens(p, &attr))
		caps |= PMC_CAP_INTERRUPT;
	return caps;
}
