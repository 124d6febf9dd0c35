// SPDX-License-Identifier: BSD-2-Clause
/*
 * run.c - holter stat: runs the program and counts its events (stat.h).
 *
 * If an event cannot be counted, it has a reason instead of a count from then on.  The other events
 * continue.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "holter.h"
#include "stat.h"
#include "term.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static int allocate_user(struct stat_run *s, unsigned n)
{
	struct events_one *asked = &s->events.at[n];
	struct target_pmcs *to = &s->e[n].pmcs;
	char *spec;
	int result;

	if (asprintf(&spec, "%s,usr", asked->spec) < 0)
		return -1;
	result = target_allocate(&s->target, spec, false, 0, 0, to);
	free(spec);
	if (result < 0)
		return -1;
	if (events_user(asked) && metric_key(asked->spec, s->e[n].key))
		return 0;
	target_release(to);
	return -1;
}

/*
 * Allocates event n.  Unprivileged users may only count user mode; for the default events, which
 * the user did not choose, that is enough.
 */
static int allocate(struct stat_run *s, unsigned n)
{
	const struct events_one *asked = &s->events.at[n];

	if (target_allocate(&s->target, asked->spec, false, 0, 0, &s->e[n].pmcs) == 0)
		return 0;
	if (errno != EPERM || s->chosen || asked->modes)
		return -1;
	if (allocate_user(s, n) == 0)
		return 0;
	/*
	 * The event cannot be limited to user mode, so that was not why it was refused.  Fail again
	 * for the first reason.
	 */
	return errno == EOPNOTSUPP
		       ? target_allocate(&s->target, asked->spec, false, 0, 0, &s->e[n].pmcs)
		       : -1;
}

/* Allocates and starts the PMCs of a run.  Returns 0, or -1 if there is nothing to show. */
static int begin(struct stat_run *s)
{
	bool any = false;

	stat_groups_begin(s);
	for (unsigned n = 0; n < s->events.nr; n++) {
		struct stat_event *e = &s->e[n];

		e->before = 0;
		for (unsigned i = 0; e->parts && i < stat_parts(s); i++)
			e->parts[i].before = 0;
		any |= e->grouped;
		if (e->reason || e->grouped)
			continue;
		if (allocate(s, n) < 0) {
			stat_fails(e, events_reason());
		} else if (!s->delay && target_start(&e->pmcs) < 0) {
			stat_fails(e, events_reason());
			target_release(&e->pmcs);
		}
		e->refused = e->reason;
		any |= !e->reason;
	}
	/* Even without any event, the times of a program can be shown. */
	return any || (!s->chosen && !s->target.cpus.nr && !s->target.pids.nr) ? 0 : -1;
}

static int read_one(struct stat_event *e)
{
	e->count = e->enabled = e->running = 0;
	for (unsigned i = 0; i < e->pmcs.nr; i++) {
		uint64_t count, enabled, running;

		if (pmc_read(e->pmcs.id[i], &count) < 0 ||
		    pmc_times(e->pmcs.id[i], &enabled, &running) < 0)
			return -1;
		if (e->parts)
			e->parts[i].count = count;
		e->count += count;
		e->enabled += enabled;
		e->running += running;
	}
	return 0;
}

/* Longer than any exec takes. */
#define EXEC_SECONDS 0.01

/*
 * The kernel does not report that it left out some of the program.  But the CPU time of the program
 * is then longer than the time for which the event was enabled.  Counting begins only at the end of
 * exec, which can take longer than a short program itself.  If the difference is that small, it
 * proves nothing unless the program's file also gives the program other rights.
 */
static void judge(const struct stat_run *s, unsigned n, double cpu_seconds)
{
	struct stat_event *e = &s->e[n];
	const char *why = NULL;

	if (e->running < e->enabled && !strstr(s->events.at[n].spec, ",multiplex"))
		why = "was not on a counter all the time, so there is no count: others took the "
		      "counters (count less at once, or add ,multiplex to the event)";
	else if (cpu_seconds > 0 && !e->enabled)
		why = "no counter was free for it (count less at once, or add ,multiplex to the "
		      "event)";
	else if (e->enabled / 1e9 < cpu_seconds / 8 &&
		 (cpu_seconds - e->enabled / 1e9 > EXEC_SECONDS || target_has_rights(&s->target)))
		why = "the program ran mostly uncounted: Linux does not count what runs with "
		      "another user's rights (set-user-ID, or a program that may not be read)";
	if (why)
		stat_fails(e, strdup(why));
}

/* cpu_seconds: CPU time of a program that has ended; otherwise 0. */
static void read_all(struct stat_run *s, double cpu_seconds)
{
	stat_groups_read(s);
	for (unsigned n = 0; n < s->events.nr; n++) {
		struct stat_event *e = &s->e[n];

		if (e->reason)
			continue;
		if (!e->grouped && read_one(e) < 0)
			stat_fails(e, events_reason());
		else
			judge(s, n, cpu_seconds);
	}
}

static void end(struct stat_run *s)
{
	for (unsigned n = 0; n < s->events.nr; n++) {
		struct stat_event *e = &s->e[n];

		if (e->pmcs.id)
			target_release(&e->pmcs);
		e->grouped = false;
		if (e->reason)
			continue;
		spread_add(&e->spread, (double)e->count);
		for (unsigned i = 0; e->parts && i < stat_parts(s); i++)
			spread_add(&e->parts[i].spread, (double)e->parts[i].count);
		if (e->enabled)
			e->share += ((double)e->running / e->enabled - e->share) / e->spread.nr;
	}
}

static void show(struct stat_run *s, const struct stat_times *t)
{
	/* Read metrics only now, so that the measured program does not wait for it. */
	if (!s->metrics_read) {
		s->metrics.unnamed = true;
		metric_read_all(&s->metrics);
	}
	s->metrics_read = true;
	(s->json ? stat_json : s->separator ? stat_fields : stat_show)(s, t);
	fflush(s->to);
}

static void interval_ends(struct stat_run *s)
{
	for (unsigned n = 0; n < s->events.nr; n++) {
		struct stat_event *e = &s->e[n];

		e->before = e->count;
		for (unsigned i = 0; e->parts && i < stat_parts(s); i++)
			e->parts[i].before = e->parts[i].count;
	}
}

/* Milliseconds until a time, rounded up; 0: it has passed. */
static int left(double until)
{
	double ms = (until - now()) * 1e3;

	return ms <= 0 ? 0 : ms < INT_MAX - 1 ? (int)ms + 1 : INT_MAX;
}

/* Milliseconds until the end of interval tick, or of the run if that is earlier; -1: no end. */
static int next_wait(const struct stat_run *s, double start, unsigned tick, bool timeout)
{
	int interval = s->interval ? left(start + tick * (s->interval / 1e3)) : -1;
	int end = timeout ? left(start + s->timeout / 1e3) : -1;

	return end >= 0 && (interval < 0 || end < interval) ? end : interval;
}

/*
 * The time of the run is over: a program is asked to end, and waited for.  Returns whether to wait.
 */
static bool is_over(struct stat_run *s, bool *stopped)
{
	if (s->target.child && s->target.command)
		return kill(s->target.child, SIGTERM) == 0;
	*stopped = true;
	return false;
}

static void interval(struct stat_run *s, double last, double passed)
{
	const struct stat_times t = { passed - last, last, passed, true, s->seconds.nr + 1, 0 };

	read_all(s, 0);
	show(s, &t);
	if (s->trace_to)
		stat_trace(s, &t);
	interval_ends(s);
}

/* Waits for the end of the run, and prints intervals.  Returns the elapsed seconds. */
static double follow(struct stat_run *s, double start, bool *stopped)
{
	bool timeout = s->timeout;
	double last = 0;

	for (unsigned tick = 1;;) {
		enum target_news news = target_wait(&s->target, next_wait(s, start, tick, timeout));
		double passed = now() - start;

		if (news != TARGET_TIME) {
			*stopped = news == TARGET_STOPPED;
			return passed;
		}
		if (timeout && passed >= s->timeout / 1e3) {
			timeout = false;
			if (!is_over(s, stopped))
				return passed;
		}
		if (!s->interval || passed < tick * (s->interval / 1e3))
			continue;
		interval(s, last, passed);
		tick++;
		last = passed;
		/* Stop if nobody reads the output, unless a program must be allowed to finish. */
		*stopped = ferror(s->to) && !s->target.command;
		if (*stopped)
			return passed;
	}
}

/*
 * Waits for the time of --delay, and starts the counting.  Returns false if the program has ended
 * before: no event has a count then.
 */
static bool begin_later(struct stat_run *s)
{
	double until = now() + s->delay / 1e3;
	enum target_news news = TARGET_TIME;
	int wait;

	while (news == TARGET_TIME && (wait = left(until)))
		news = target_wait(&s->target, wait);
	for (unsigned n = 0; n < s->events.nr; n++) {
		struct stat_event *e = &s->e[n];

		if (e->reason)
			continue;
		if (news != TARGET_TIME)
			stat_fails(
				e,
				strdup("the program ended before the time of --delay had passed"));
		else if (!e->grouped && target_start(&e->pmcs) < 0)
			stat_fails(e, events_reason());
	}
	if (news == TARGET_TIME)
		stat_groups_start(s);
	return news == TARGET_TIME;
}

static double seconds_of(const struct timeval *t)
{
	return t->tv_sec + t->tv_usec / 1e6;
}

/* Runs once.  Returns 0, or after printing an error the exit status. */
static int run(struct stat_run *s, bool *stopped)
{
	struct rusage before, after;
	int status = target_fork(&s->target);
	double start, passed, user, system;

	if (status)
		return status;
	if (begin(s) < 0) {
		target_end(&s->target);
		return holter_error("%s: %s", s->events.at[0].name, s->e[0].reason);
	}
	getrusage(RUSAGE_CHILDREN, &before);
	start = now();
	status = target_exec(&s->target);
	if (status)
		return status;
	if (s->delay && !begin_later(s)) {
		end(s);
		return 0;
	}
	if (s->delay)
		start = now();
	passed = follow(s, start, stopped);
	for (unsigned n = 0; n < s->events.nr && !s->target.command; n++)
		target_stop(&s->e[n].pmcs); /* all at nearly the same time */
	getrusage(RUSAGE_CHILDREN, &after);
	user = seconds_of(&after.ru_utime) - seconds_of(&before.ru_utime);
	system = seconds_of(&after.ru_stime) - seconds_of(&before.ru_stime);
	read_all(s, s->target.cpus.nr || s->target.pids.nr || s->delay
			    ? 0
			    : user + system - s->target.seconds_before);
	end(s);
	spread_add(&s->seconds, passed);
	spread_add(&s->user, user);
	spread_add(&s->system, system);
	return 0;
}

int stat_run(struct stat_run *s)
{
	struct progress p = progress_begin("runs");
	bool stopped = false;
	int status = 0;

	/* Show progress only where it cannot mix with the program's output or with intervals. */
	p.on &= s->runs > 1 && !isatty(1) && !s->interval;
	for (unsigned n = 0; n < s->runs && !stopped; n++) {
		int failed = run(s, &stopped);

		if (failed && !n)
			return failed;
		if (failed) {
			status = failed;
			break;
		}
		status = target_end(&s->target);
		stopped |= s->target.enough || status == 128 + SIGINT;
		progress_step(&p, n + 1, s->runs);
	}
	progress_end(&p);
	show(s, &(struct stat_times){ .seconds = s->seconds.mean, .to = s->seconds.mean });
	return status;
}
