// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_run.c - holter run: makes a machine, loads it, runs it, and ends with its status.
 */
#include <errno.h>
#include <inttypes.h>
#include <libfdt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command_check.h"
#include "cpu_file.h"
#include "file.h"
#include "gdb.h"
#include "holter.h"
#include "machine_commands.h"
#include "find.h"
#include "run.h"

/* What a hart had counted when the run began. */
struct before {
	uint64_t now;
	uint64_t total[4][EVENT_NR]; /* by PRV_ */
};

static void show_event(const struct hart *h, const struct before *before, enum event e, FILE *to)
{
	static const struct {
		const char *name;
		unsigned mode;
	} modes[] = { { "M", PRV_M }, { "S", PRV_S }, { "U", PRV_U } };
	uint64_t nr[3], sum = 0;

	for (unsigned i = 0; i < 3; i++) {
		nr[i] = h->pmu.total[modes[i].mode][e] - before->total[modes[i].mode][e];
		sum += nr[i];
	}
	fprintf(to, "%20" PRIu64 "  %-20s", sum, event_table[e].name);
	for (unsigned i = 0; i < 3; i++)
		fprintf(to, " %s %-14" PRIu64, modes[i].name, nr[i]);
	fputc('\n', to);
}

static void show_stats(const struct machine *m, const struct before *before, FILE *to)
{
	for (unsigned n = 0; n < m->harts; n++) {
		fprintf(to, "hart %u: %" PRIu64 " ns\n", n, m->hart[n]->now - before[n].now);
		for (unsigned e = 0; e < EVENT_NR; e++)
			show_event(m->hart[n], &before[n], e, to);
	}
}

static void show_whole_life(const struct machine *m, FILE *to)
{
	static const struct before birth[HARTS_MAX];

	show_stats(m, birth, to);
}

/* As gdb says. */
static int run_with_gdb(struct machine *m, const char *where)
{
	struct dev_why why = { "" };
	struct gdb_server *gdb = gdb_listen(where, &why);
	int status;

	if (!gdb)
		return holter_error("%s", why.text);
	fprintf(stderr, "holter: waiting for gdb: target remote %s%s\n",
		strchr(where, '/') ? "" : "127.0.0.1:", where);
	status = gdb_run(gdb, m, show_whole_life, &why);
	gdb_close(gdb);
	return status < 0 ? holter_error("%s", why.text) : status;
}

/* Where the machine is not the core that its user has in mind. */
static void say_differences(const struct cpu *cpu, const char *name)
{
	if (!cpu->isa_added && !cpu->lacking)
		return;
	fprintf(stderr, "holter: %s: unlike the core, ", name);
	if (cpu->isa_added)
		fprintf(stderr, "with");
	for (unsigned n = 0; cpu_isa_name(n); n++) {
		if (cpu->isa_added >> n & 1)
			fprintf(stderr, " %s", cpu_isa_name(n));
	}
	if (cpu->lacking)
		fprintf(stderr, "%swithout%s", cpu->isa_added ? ", " : "", cpu->lacking);
	fputc('\n', stderr);
}

/* What its user should know of the CPU, once nothing has been refused. */
static void say_cpu(const struct run *r)
{
	const struct cpu *cpu = r->machine.cpu;
	const char *slash = strrchr(r->cpu, '/'), *name = slash ? slash + 1 : r->cpu;

	for (unsigned n = 0; n < cpu->notes; n++)
		fprintf(stderr, "holter: %s: %s\n", name, cpu->note[n]);
	say_differences(cpu, name);
}

int run_machine(struct machine *m, struct run *r, bool since_now)
{
	struct before before[HARTS_MAX] = { { 0 } };
	int status;

	if (!r->silent)
		say_cpu(r);
	for (unsigned n = 0; since_now && n < m->harts; n++) {
		const struct hart *h = m->hart[n];

		before[n].now = h->now;
		memcpy(before[n].total, h->pmu.total, sizeof(h->pmu.total));
	}
	for (unsigned n = 0; (r->stats || r->gdb) && n < m->harts; n++)
		pmu_count_all(m->hart[n]);
	if (r->profile.to && !profile_start(m, r)) {
		r->lost = true;
		return 2;
	}
	status = r->gdb ? run_with_gdb(m, r->gdb) : save_run(m, &r->save);
	/* A command whose reader has gone is as quiet about it as any. */
	if (m->stuck && !(r->command && m->host_error == EPIPE))
		holter_error("%s", m->stuck);
	if (r->stats)
		show_stats(m, before, stderr);
	if (r->profile.to && !profile_end(m, r))
		r->lost = true;
	return status;
}

/* The machine as it begins; 0, or 2 after a line. */
static int start(const struct run *r, struct machine *m)
{
	struct dev_why why = { "" };

	if (r->restore ? !machine_restore(m, r->restore, &why) : !machine_load(m, &r->boot, &why))
		return holter_error("%s", why.text);
	if (r->restore && r->stats && !m->hart[0]->pmu.all)
		return holter_error("%s: saved without --stats, so its totals are not whole",
				    r->restore);
	if (!r->restore)
		machine_reset(m);
	return 0;
}

/* Writes the device tree that the guest would find; the exit status. */
static int dump_dtb(struct machine *m, const char *path)
{
	const void *fdt = machine_ram(m, m->boot_arg[0], sizeof(struct fdt_header));
	FILE *f = file_create_stream(path, m->o.share);
	bool ok;

	if (!f)
		return holter_error("%s: %s", path, file_text(errno));
	ok = fwrite(fdt, fdt_totalsize(fdt), 1, f) == 1;
	if (fclose(f) || !ok)
		return holter_error("%s: %s", path, strerror(errno));
	return 0;
}

/* A machine with nothing prepared: what the options name. */
static int plain_run(struct run *r)
{
	struct dev_why why = { "" };
	struct keys keys = { .from = -1 };
	char firmware[PATH_MAX];
	struct machine *m;
	int status;

	if (r->boot.program && command_check_bare(r->boot.program))
		return 2;
	/* A kernel wants one below it: ours, unless told otherwise. */
	if (r->boot.kernel && !r->boot.firmware) {
		if (!find_beside(firmware, "fw/holter-rv64.bin"))
			return holter_error("--kernel wants a --firmware that starts it");
		r->boot.firmware = firmware;
	}
	if (r->terminal) {
		if (!keys_open(&keys))
			return holter_error("no pipe for the console: %s", strerror(errno));
		r->machine.console_in = keys.from;
	}
	m = machine_create(&r->machine, &why);
	if (!m)
		return holter_error("%s", why.text);
	signals_end(m);
	if (start(r, m)) {
		machine_destroy(m);
		return 2;
	}
	if (r->terminal)
		keys_start(&keys, m, &r->save);
	if (r->dump_file)
		say_cpu(r);
	status = r->dump_file ? dump_dtb(m, r->dump_file) : run_machine(m, r, false);
	machine_destroy(m);
	return status;
}

/* False after a line: it is not there whole. */
static bool trace_end(const struct run *r)
{
	bool failed = fflush(r->machine.trace_to) || ferror(r->machine.trace_to);

	if (failed)
		holter_error("%s: %s", r->trace_file, strerror(errno));
	fclose(r->machine.trace_to);
	return !failed;
}

int cmd_run(int argc, char **argv)
{
	struct run r = {
		.machine = {
			.harts = 1,
			.memory = 512ull << 20,
			.counters = MACHINE_AS_CPU,
			.width = MACHINE_AS_CPU,
			.semihosting = true,
			.trace_to = stderr,
			.console_in = 0,
			.console_out = 1,
			.realtime = isatty(0),
		},
		.terminal = isatty(0),
		.cpu = "max",
		.save = { .at = UINT64_MAX },
	};
	struct cpu *cpu;
	int status = run_options(&r, argc, argv);

	if (status)
		return status < 0 ? 0 : status;
	if (r.trace_file) {
		r.machine.trace_to = file_create_stream(r.trace_file, r.machine.share);
		if (!r.machine.trace_to)
			return holter_error("%s: %s", r.trace_file, file_text(errno));
	}
	cpu = cpu_file_load(r.cpu);
	if (!cpu)
		return 2;
	r.machine.cpu = cpu;
	if (r.profile.path && !profile_open(&r)) {
		cpu_free(cpu);
		return 2;
	}
	if (!signals_catch())
		status = holter_error("no pipe for signals: %s", strerror(errno));
	else
		status = r.command ? guest_run(&r) : plain_run(&r);
	if (signals_status())
		status = signals_status();
	profile_drop(&r);
	cpu_free(cpu);
	if (r.trace_file && !trace_end(&r))
		r.lost = true;
	return r.lost && !status ? 2 : status;
}
