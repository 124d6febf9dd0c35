// SPDX-License-Identifier: BSD-2-Clause
/*
 * pool.c - runs the jobs of a sweep on this computer, some at a time, each in a process of its own
 * (sweep.h).
 *
 * The processes of a job are a group, which gets SIGTERM if a signal ends the sweep.  Signals are
 * blocked here and taken one by one, so that none comes between two lines.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "holter.h"
#include "sweep.h"
#include "term.h"

struct running {
	pid_t pid;
	unsigned job;
};

struct pool {
	const struct sweep *s;
	VEC(struct running) running;
	struct progress progress;
	sigset_t before, waited; /* the signals that were blocked; those to wait for */
	unsigned next, done, left; /* the next job; how many have ended; how many there were */
	int ended_by; /* the signal that ends the sweep; 0: none */
	int error;
};

static void start(struct pool *p, unsigned job)
{
	/* The room first: a process that is not in the list would never be ended. */
	pid_t pid = VEC_ROOM(&p->running, 1) ? fork() : -1;

	if (!pid) {
		setpgid(0, 0);
		sigprocmask(SIG_SETMASK, &p->before, NULL);
		_exit(sweep_job(p->s, job));
	}
	if (pid > 0 && VEC_PUSH(&p->running, (struct running){ pid, job }))
		return;
	p->error = holter_error("cannot run job %u: %s", job,
				errno == ENOMEM ? "out of memory" : strerror(errno));
}

static void fill(struct pool *p, unsigned at_once)
{
	while (p->running.nr < at_once && p->next <= p->s->jobs && !p->ended_by && !p->error) {
		if (!sweep_is_done(p->s, p->next))
			start(p, p->next);
		p->next++;
	}
}

/* Takes the processes that have ended. */
static void reap(struct pool *p)
{
	int status;

	for (size_t n = p->running.nr; n--;) {
		const struct running ended = p->running.at[n];

		if (waitpid(ended.pid, &status, WNOHANG) != ended.pid)
			continue;
		p->running.at[n] = p->running.at[--p->running.nr];
		p->done++;
		if (!status || p->ended_by)
			continue;
		progress_end(&p->progress);
		if (!WIFEXITED(status) || WEXITSTATUS(status) == 1)
			sweep_tell_failure(p->s, ended.job);
	}
}

static void end_all(struct pool *p, int signal)
{
	p->ended_by = signal;
	for (size_t n = 0; n < p->running.nr; n++)
		kill(-p->running.at[n].pid, SIGTERM);
}

/* Waits until a job ends, a signal comes, or a second has passed. */
static void wait_for_news(struct pool *p)
{
	const struct timespec second = { .tv_sec = 1 };
	int signal = sigtimedwait(&p->waited, NULL, &second);

	progress_say(&p->progress, "%u of %u machines, %zu running", p->done, p->left,
		     p->running.nr);
	if (signal > 0 && signal != SIGCHLD)
		end_all(p, signal);
	reap(p);
}

static unsigned count_left(const struct sweep *s)
{
	unsigned left = 0;

	for (unsigned job = 1; job <= s->jobs; job++)
		left += !sweep_is_done(s, job);
	return left;
}

int sweep_run(const struct sweep *s, unsigned at_once)
{
	struct pool p = { .s = s, .next = 1, .left = count_left(s) };

	sigemptyset(&p.waited);
	sigaddset(&p.waited, SIGCHLD);
	sigaddset(&p.waited, SIGINT);
	sigaddset(&p.waited, SIGTERM);
	sigaddset(&p.waited, SIGHUP);
	sigprocmask(SIG_BLOCK, &p.waited, &p.before);
	p.progress = progress_begin("sweep");
	for (fill(&p, at_once); p.running.nr; fill(&p, at_once))
		wait_for_news(&p);
	progress_end(&p.progress);
	sigprocmask(SIG_SETMASK, &p.before, NULL);
	free(p.running.at);
	if (!p.ended_by)
		return p.error;
	holter_error("ended by a signal; the same command with --dir %s goes on", s->dir);
	return 128 + p.ended_by;
}
