// SPDX-License-Identifier: BSD-2-Clause
/*
 * signals.c - the signals that end holter run (run.h).
 *
 * The handler writes a byte to a pipe, and nobody reads it.  So the machine that runs now and every
 * later one (a command's guest may need several) sees that it must end.  All three signals are
 * blocked while the handler runs, so it needs no locking.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "run.h"

/*
 * A second signal within this time is part of the first request: timeout(1) signals the program and
 * its process group; if a terminal closes, the kernel and the shell each send a signal.
 */
#define SAME_WISH_MS 200

static int ends[2];
static volatile sig_atomic_t first; /* the first signal; 0: none */
static struct timespec when; /* the time of the first signal */

static long ms_since(const struct timespec *t)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - t->tv_sec) * 1000 + (now.tv_nsec - t->tv_nsec) / 1000000;
}

static void on_signal(int num)
{
	int error = errno;

	if (!first) {
		clock_gettime(CLOCK_MONOTONIC, &when);
		first = write(ends[1], "", 1) == 1 ? num : 0; /* an empty pipe has room */
	} else if (ms_since(&when) >= SAME_WISH_MS) {
		terminal_restore();
		signal(num, SIG_DFL);
		raise(num); /* delivered when this returns */
	}
	errno = error;
}

bool signals_catch(void)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = on_signal, .sa_flags = SA_RESTART }, now;

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return false;
	for (unsigned n = 0; n < 3; n++)
		sigaddset(&act.sa_mask, ending[n]);
	for (unsigned n = 0; n < 3; n++) {
		if (!sigaction(ending[n], NULL, &now) && now.sa_handler != SIG_IGN)
			sigaction(ending[n], &act, NULL);
	}
	return true;
}

static void end(struct machine *m)
{
	machine_finish(m, signals_status(), false);
}

void signals_end(struct machine *m)
{
	machine_end_when(m, ends[0], end);
}

int signals_status(void)
{
	return first ? 128 + first : 0;
}
