// SPDX-License-Identifier: BSD-2-Clause
/*
 * run_machine.c - holter run: runs a machine to its end, with --stats, --profile, --record-trace,
 * --gdb and --save (run.h).
 */
#include <errno.h>
#include <string.h>

#include "gdb.h"
#include "holter.h"
#include "record.h"
#include "run.h"
#include "stats.h"

static void show_whole_life(const struct machine *m, FILE *to)
{
	static const struct stats_before birth[HARTS_MAX];

	stats_text(m, birth, to);
}

/* Runs the machine under the control of gdb. */
static int run_with_gdb(struct machine *m, struct run *r)
{
	struct error_text why = { "" };
	const char *where = r->gdb;
	struct gdb_server *gdb = gdb_listen(where, &why);
	int status;

	if (!gdb) {
		r->lost = true;
		return holter_error("%s", why.text);
	}
	fprintf(stderr, "holter: waiting for gdb: target remote %s%s\n",
		strchr(where, '/') ? "" : "127.0.0.1:", where);
	status = gdb_run(gdb, m, show_whole_life, &why);
	gdb_close(gdb);
	return status < 0 ? holter_error("%s", why.text) : status;
}

/* Prints how the machine differs from the real core. */
static void say_differences(const struct cpu *cpu, const char *name)
{
	bool adds = cpu_isa_any(&cpu->isa_added);

	if (!adds && !cpu->lacking)
		return;
	fprintf(stderr, "holter: %s: compared with the core, the machine", name);
	if (adds)
		fprintf(stderr, " adds");
	for (unsigned n = 0; cpu_isa_name(n); n++) {
		if (isa_set_has(&cpu->isa_added, n))
			fprintf(stderr, " %s", cpu_isa_name(n));
	}
	if (cpu->lacking)
		fprintf(stderr, "%s lacks%s", adds ? " and" : "", cpu->lacking);
	fputc('\n', stderr);
}

void run_say_cpu(const struct run *r)
{
	const struct cpu *cpu = r->machine.cpu;
	const char *slash = strrchr(r->cpu, '/'), *name = slash ? slash + 1 : r->cpu;

	for (size_t n = 0; n < cpu->notes.nr; n++)
		fprintf(stderr, "holter: %s: %s\n", name, cpu->notes.at[n]);
	say_differences(cpu, name);
}

static void warn(struct machine *m, const char *line)
{
	holter_error("%s", line);
}

/* Starts the trace of --record-trace, if there is one.  Returns false after printing an error. */
static bool record_begins(struct machine *m, const struct run *r, struct record **record)
{
	const struct record_about about = { m->hz, m->o.seed, m->o.quantum };

	*record = r->record.to ? record_start(&m->cl, &about, r->record.to) : NULL;
	if (r->record.to && !*record)
		holter_error("--record-trace %s: out of memory", r->record.path);
	return *record || !r->record.to;
}

int run_machine(struct machine *m, struct run *r, bool since_now)
{
	struct stats_before before[HARTS_MAX] = { { 0 } };
	struct record *record;
	int status;

	m->warn = warn;
	if (!r->silent)
		run_say_cpu(r);
	if (since_now)
		stats_begin(m, before);
	for (unsigned n = 0; (run_counts(r) || r->gdb) && n < m->cl.harts; n++)
		pmu_count_all(m->cl.hart[n]);
	if ((r->profile.to && !profile_start(m, r)) || !record_begins(m, r, &record)) {
		r->lost = true;
		return 2;
	}
	status = r->gdb	     ? run_with_gdb(m, r)
		 : r->follow ? follow_run(r->follow, m)
			     : save_run(m, &r->save);
	/* A command whose reader has gone ends without a message, as on any system. */
	if (m->stuck && !(r->command && m->host_error == EPIPE))
		holter_error("%s", m->stuck);
	if (r->stats)
		stats_groups(m, before, stderr);
	if (r->stats_all)
		stats_text(m, before, stderr);
	if (r->stats_json.to)
		stats_json(m, before, r->stats_json.to);
	if (r->profile.to && !profile_end(m, r))
		r->lost = true;
	if (record && !record_end(record)) {
		holter_error("--record-trace %s: %s; the trace is incomplete", r->record.path,
			     strerror(errno));
		r->lost = true;
	}
	return status;
}
