// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_follow.c - the line that shows how far a command is (follow.h): what it shows, and that it
 * vanishes before the command writes where it is.
 */
#include <stdlib.h>
#include <unistd.h>

#include <hart.h>
#include <tap.h>
#include <follow.h>

static struct machine *machine(void)
{
	struct machine *m = calloc(1, sizeof(*m));

	m->cl.harts = 2;
	for (unsigned n = 0; n < 2; n++)
		m->cl.hart[n] = calloc(1, sizeof(*m->cl.hart[n]));
	m->hz = 2000000000;
	m->now = 6000000000;
	m->cl.hart[0]->pmu.total[PRV_M][EVENT_INSTRUCTIONS] = 7000000;
	return m;
}

static void machine_end(struct machine *m)
{
	for (unsigned n = 0; n < m->cl.harts; n++)
		free(m->cl.hart[n]);
	free(m);
}

static FILE *file;
static int before;

/* Standard error is a file that wants the line. */
static void begin(void)
{
	file = tmpfile();
	before = dup(2);
	dup2(fileno(file), 2);
	setenv("HOLTER_PROGRESS", "1", 1);
}

/* What was written since. */
static const char *end(void)
{
	static char text[300];
	ssize_t len;

	fflush(stderr);
	unsetenv("HOLTER_PROGRESS");
	dup2(before, 2);
	close(before);
	len = pread(fileno(file), text, sizeof(text) - 1, 0);
	text[len < 0 ? 0 : len] = '\0';
	fclose(file);
	return text;
}

/* As if a second had passed. */
static void say(struct follow *w, const struct machine *m)
{
	if (w->progress.on)
		w->progress.next = 1;
	follow_say(w, m);
}

static void shows(void)
{
	struct machine *m = machine();
	struct follow w;

	begin();
	follow_begin(&w, m);
	follow_say(&w, m); /* too soon */
	m->now += 2500000000; /* cycles */
	m->cl.hart[0]->pmu.total[PRV_U][EVENT_INSTRUCTIONS] = 40000000;
	m->cl.hart[1]->pmu.total[PRV_S][EVENT_INSTRUCTIONS] = 2000000;
	say(&w, m);
	is_str(end(), "\r\033[Krunning: 1.25 s of guest time, 42 million instructions");
	machine_end(m);
}

static void vanishes(void)
{
	struct virtio_console_port out = { .in = -1 }, err = { .in = -1 }, none = { .out = -1 };
	struct machine *m = machine();
	FILE *other = tmpfile();
	struct follow w;

	begin();
	out.out = fileno(other);
	err.out = dup(2);
	follow_port(&w, &out);
	follow_port(&w, &err);
	follow_port(&w, &none);
	ok(!out.output && err.output && !none.output);
	follow_begin(&w, m);
	say(&w, m);
	err.output(err.output_arg);
	fputs("the command's", stderr);
	err.output(err.output_arg);
	say(&w, m); /* it does not come back */
	is_str(end(), "\r\033[Krunning: 0.00 s of guest time, 0 million instructions\r\033[Kthe "
		      "command's");
	close(err.out);
	fclose(other);
	machine_end(m);
}

static void nobody_looks(void)
{
	struct machine *m = machine();
	struct follow w;

	begin();
	unsetenv("HOLTER_PROGRESS");
	follow_begin(&w, m);
	say(&w, m);
	is_str(end(), "");
	machine_end(m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "guest time and instructions since the command began", shows },
		{ "it vanishes before the command writes there", vanishes },
		{ "nothing in a file", nobody_looks },
	};

	return tap_run(cases, TAP_NR(cases));
}
