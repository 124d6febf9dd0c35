// SPDX-License-Identifier: BSD-2-Clause
/*
 * follow.c - see follow.h.
 */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hart.h"
#include "follow.h"

#define STEP_NS 5000000 /* guest time between two looks at the clock of the host */

/* The guest is about to write where the line is. */
static void on_output(void *follow)
{
	struct follow *w = follow;

	progress_end(&w->progress);
}

static bool is_where_stderr_is(int fd)
{
	struct stat a, b;

	return isatty(fd) || (!fstat(fd, &a) && !fstat(fileno(stderr), &b) &&
			      a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

void follow_port(struct follow *w, struct virtio_console_port *port)
{
	if (port->out < 0 || !is_where_stderr_is(port->out))
		return;
	port->output = on_output;
	port->output_arg = w;
}

/* Software can write and stop counters, but not the totals from which they are computed. */
static uint64_t instructions(const struct machine *m)
{
	uint64_t sum = 0;

	for (unsigned n = 0; n < m->cl.harts; n++) {
		for (unsigned mode = 0; mode < 4; mode++)
			sum += m->cl.hart[n]->pmu.total[mode][EVENT_INSTRUCTIONS];
	}
	return sum;
}

void follow_begin(struct follow *w, const struct machine *m)
{
	w->progress = progress_begin("running");
	w->ns = machine_ns(m);
	w->instructions = instructions(m);
}

void follow_say(struct follow *w, const struct machine *m)
{
	progress_say(&w->progress, "%.2f s of guest time, %.0f million instructions",
		     (double)(machine_ns(m) - w->ns) / 1e9,
		     (double)(instructions(m) - w->instructions) / 1e6);
}

int follow_run(struct follow *w, struct machine *m)
{
	int status;

	do {
		follow_say(w, m);
		machine_pause_at(m, w->progress.on ? machine_ns(m) + STEP_NS : UINT64_MAX);
		status = machine_run(m);
	} while (m->paused);
	progress_end(&w->progress);
	return status;
}
