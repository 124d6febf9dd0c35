// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_run.c - holter run: creates a machine, loads it, runs it, and exits with its status.
 */
#include <errno.h>
#include <libfdt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd_run.h"
#include "command_check.h"
#include "cpu_file.h"
#include "file.h"
#include "find.h"
#include "holter.h"
#include "load.h"
#include "run.h"
#include "snapshot.h"
#include "vec.h"

/* Loads or restores the machine.  Returns 0, or 2 after printing an error. */
static int start(const struct run *r, struct machine *m)
{
	struct error_text why = { "" };

	if (r->restore ? !machine_restore(m, r->restore, &why) : !machine_load(m, &r->boot, &why))
		return holter_error("%s", why.text);
	if (r->restore && run_counts(r) && !m->cl.hart[0]->pmu.all)
		return holter_error("%s: saved without --stats, so its totals are incomplete",
				    r->restore);
	if (!r->restore)
		machine_reset(m);
	return 0;
}

/* Writes the device tree that the guest would get.  Returns the exit status. */
static int dump_dtb(struct machine *m, const char *path)
{
	const void *fdt = cluster_ram(&m->cl, m->boot_arg[0], sizeof(struct fdt_header));
	FILE *f = file_create_stream(path, m->o.share);
	bool ok;

	if (!f)
		return holter_error("%s: %s", path, file_text(errno));
	ok = fwrite(fdt, fdt_totalsize(fdt), 1, f) == 1;
	if (fclose(f) || !ok)
		return holter_error("%s: %s", path, strerror(errno));
	return 0;
}

/* Runs the machine that the options describe, without the prepared guest. */
static int plain_run(struct run *r)
{
	struct error_text why = { "" };
	struct keys keys = { .from = -1 };
	struct machine *m;
	int status;

	if ((r->boot.program && command_check_bare(r->boot.program)) ||
	    save_open(&r->save, r->machine.share))
		return 2;
	/* A kernel needs firmware: Holter's, unless --firmware names another. */
	if (r->boot.kernel && !r->boot.firmware) {
		if (!find_beside(r->own_firmware, "fw/holter-rv64.bin"))
			return holter_error("--kernel needs --firmware FILE: Holter's own firmware "
					    "was not built");
		r->boot.firmware = r->own_firmware;
	}
	if (r->terminal) {
		if (!terminal_keys_open(&keys))
			return holter_error("cannot make a pipe for the console: %s",
					    strerror(errno));
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
		terminal_keys_start(&keys, m, &r->save);
	if (r->dump_file)
		run_say_cpu(r);
	status = r->dump_file ? dump_dtb(m, r->dump_file) : run_machine(m, r, false);
	machine_destroy(m);
	return status;
}

/* Closes a file of results.  Returns false after printing an error: the file is incomplete. */
static bool file_end(const char *path, FILE *to)
{
	bool failed = fflush(to) || ferror(to);

	if (failed)
		holter_error("%s: %s", path, strerror(errno));
	fclose(to);
	return !failed;
}

/* Opens a file of results if path is given.  Returns 0, or 2 after printing an error. */
static int file_begin(const struct run *r, const char *path, FILE **to)
{
	if (!path)
		return 0;
	*to = file_create_stream(path, r->machine.share);
	return *to ? 0 : holter_error("%s: %s", path, file_text(errno));
}

/* Opens the files of --stats-json and --record-trace.  Returns 0, or 2 after printing an error. */
static int files_begin(struct run *r)
{
	bool models = r->machine.models && r->machine.cpu->models;

	if (r->profile.data && !models)
		return holter_error("--data: the models are off, and nothing misses; turn them on "
				    "with --cpu NAME or --model all");
	if (r->record.path && !models)
		return holter_error("--record-trace %s: the models are off, and nothing asks them; "
				    "turn them on with --cpu NAME or --model all",
				    r->record.path);
	return file_begin(r, r->stats_json.path, &r->stats_json.to) ||
			       file_begin(r, r->record.path, &r->record.to)
		       ? 2
		       : 0;
}

/*
 * Closes the files of -D, --stats-json and --record-trace.  Returns false if one is incomplete.
 */
static bool files_end(const struct run *r)
{
	bool good = !r->trace_file || file_end(r->trace_file, r->machine.trace_to);

	if (r->stats_json.path)
		good &= file_end(r->stats_json.path, r->stats_json.to);
	if (r->record.to)
		fclose(r->record.to);
	return good;
}

/*
 * Reads the CPU, and with --what-if the one that the guest boots on.  Returns 0, or 2 after
 * printing an error.
 */
static int load_cpus(struct run *r, struct cpu **cpu, struct cpu **booted)
{
	struct option_texts all = { 0 };
	const char *what;

	for (size_t n = 0; n < r->set.nr + r->what_if.nr; n++) {
		if (!VEC_PUSH(&all, n < r->set.nr ? r->set.at[n] : r->what_if.at[n - r->set.nr]))
			return holter_error("out of memory");
	}
	*cpu = cpu_file_load(r->cpu, &all);
	if (*cpu && r->what_if.nr)
		*booted = cpu_file_load(r->cpu, &r->set);
	free(all.at);
	if (!*cpu || (r->what_if.nr && !*booted))
		return 2;
	r->machine.cpu = *cpu;
	r->machine.booted = *booted;
	what = *booted ? cpu_difference(*cpu, *booted) : NULL;
	return what ? holter_error(
			      "--what-if %s: changes %s, which the guest knows since its boot; "
			      "--set does it",
			      r->what_if.at[0], what)
		    : 0;
}

static void free_cpus(struct cpu *cpu, struct cpu *booted)
{
	if (cpu)
		cpu_free(cpu);
	if (booted)
		cpu_free(booted);
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
		.save = { .at = UINT64_MAX, .pipe = -1 },
	};
	struct cpu *cpu = NULL, *booted = NULL;
	int status = run_options(&r, argc, argv);

	if (!status)
		status = load_cpus(&r, &cpu, &booted);
	free(r.set.at);
	free(r.what_if.at);
	if (!status && file_begin(&r, r.trace_file, &r.machine.trace_to))
		status = 2;
	if (!status && ((r.profile.path && !profile_open(&r)) || files_begin(&r))) {
		profile_drop(&r);
		status = 2;
	}
	if (status) {
		free_cpus(cpu, booted);
		return status < 0 ? 0 : status;
	}
	if (!signals_catch())
		status = holter_error("cannot make a pipe for signals: %s", strerror(errno));
	else
		status = r.command ? guest_run(&r) : plain_run(&r);
	if (signals_status())
		status = signals_status();
	save_close(&r.save);
	profile_drop(&r);
	free_cpus(cpu, booted);
	if (!files_end(&r))
		r.lost = true;
	return r.lost && !status ? 2 : status;
}
