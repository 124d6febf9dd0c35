// SPDX-License-Identifier: BSD-2-Clause
/*
 * run_options.c - the options of holter run (run.h).
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "cpu_file.h"
#include "gdb.h"
#include "holter.h"
#include "options.h"
#include "run.h"
#include "snapshot.h"
#include "term.h"
#include "vec.h"

static int take_categories(void *trace, const struct option_row *row, const char *list)
{
	static const struct {
		const char *name;
		unsigned bit;
	} known[] = {
		{ "insn", TRACE_INSN }, { "csr", TRACE_CSR }, { "trap", TRACE_TRAP },
		{ "pmu", TRACE_PMU },	{ "mmu", TRACE_MMU },
	};

	for (bool more = true; more;) {
		size_t len = strcspn(list, ","), n = 0;

		while (n < 5 && (strlen(known[n].name) != len || strncmp(list, known[n].name, len)))
			n++;
		if (n == 5)
			return holter_error("-d: there is no category '%.*s'; choose from "
					    "insn,csr,trap,pmu,mmu",
					    (int)len, list);
		*(unsigned *)trace |= known[n].bit;
		more = list[len];
		list += len + more;
	}
	return 0;
}

/* Takes an operand, which is the program. */
static int take_gdb(void *gdb, const struct option_row *row, const char *where)
{
	*(const char **)gdb = where;
	if (gdb_is_address(where))
		return 0;
	return holter_error("--gdb '%s': must be a port from 1 to 65535, or the path of a socket "
			    "with a / in it, as in ./gdb",
			    where);
}

static int take_program(void *to, const char *word)
{
	struct run *r = to;

	if (r->boot.program)
		return holter_error("unexpected argument '%s': only one program is allowed", word);
	if (!*word)
		return holter_error("PROGRAM '': must be the name of a file; a command of the "
				    "guest is holter run -- COMMAND");
	r->boot.program = word;
	return 0;
}

#define IN(member) OPTION_FIELD(struct run, member)

static const struct option_row rows[] = {
	{ OPTION_TEXT, "firmware", 0, "FILE",
	  "start this in M-mode: raw or ELF, fw_dynamic or with its own payload", IN(boot.firmware),
	  .group = "What runs" },
	{ OPTION_TEXT, "kernel", 0, "FILE",
	  "kernel that the firmware starts: Linux's Image, raw or ELF", IN(boot.kernel) },
	{ OPTION_TEXT, "initrd", 0, "FILE", "initial RAM disk", IN(boot.initrd) },
	{ OPTION_TEXT, "append", 0, "WORDS", "command line of the kernel", IN(boot.append) },
	{ OPTION_TEXT, "dtb", 0, "FILE",
	  "give the guest this device tree instead of the machine's own", IN(boot.dtb) },
	{ OPTION_TEXT, "dump-dtb", 0, "FILE", "write the device tree to FILE, and run nothing",
	  IN(dump_file) },

	{ OPTION_TEXT, "guest", 0, "DIR", "folder of the prepared guest (guest/prepare makes it)",
	  IN(guest), .group = "Command in the guest" },
	{ OPTION_CALL, "with", 0, "PACKAGE,...",
	  "add packages of Debian to the guest, with all that they depend on", IN(with),
	  .call = options_packages },
	{ OPTION_ON, "fresh", 0, NULL,
	  "boot the guest; without this option it is booted once and kept in "
	  "~/.cache/holter ($XDG_CACHE_HOME), which holds the last 8 machines",
	  IN(fresh) },
	{ OPTION_ON, "prune", 0, NULL, "remove all kept machines and reports, and run nothing",
	  IN(prune) },

	{ OPTION_NUMBER, "smp", 0, "N", "number of harts", IN(machine.harts), 1, HARTS_MAX, "1",
	  .group = "Machine" },
	{ OPTION_SIZE, "memory", 0, "SIZE", "bytes of RAM, with K, M or G", IN(machine.memory),
	  8 << 20, 1ull << 38, "512M" },
	{ OPTION_TEXT, "drive", 0, "FILE", "disk image", IN(machine.drive) },
	{ OPTION_TEXT, "drive-ro", 0, "FILE", "disk image that is never written",
	  IN(machine.drive) },
	{ OPTION_TEXT, "share", 0, "DIR",
	  "folder that the guest can mount (9p, tag share); with a command its working "
	  "directory (default: this one)",
	  IN(machine.share) },
	{ OPTION_ON, "net", 0, NULL, "network card behind user-mode NAT", IN(machine.network) },
	{ OPTION_ON, "net-host", 0, NULL, "the same, and its 10.0.2.2 is this computer's 127.0.0.1",
	  IN(machine.network_host) },
	{ OPTION_OFF, "no-semihosting", 0, NULL, "ebreak is always a breakpoint",
	  IN(machine.semihosting) },
	{ OPTION_NUMBER, "seed", 0, "N", "seed of the guest's random numbers", IN(machine.seed), 0,
	  OPTION_OPEN, "$HOLTER_SEED, or 1" },
	{ OPTION_NUMBER, "quantum", 0, "N", "cycles of a hart's turn", IN(machine.quantum), 1,
	  OPTION_OPEN, "1000000; with several harts 10000" },
	{ OPTION_ON, "realtime", 0, NULL,
	  "guest time passes no faster than the host's: the run is not deterministic.  "
	  "Standard input from a terminal, and --net, turn it on, too",
	  IN(machine.realtime) },
	{ OPTION_CHOICE, "native", 0, "auto|on|off",
	  "code that runs often becomes native code; the results are the same", IN(native), 0, 0,
	  "auto: if this computer allows it" },
	{ OPTION_NUMBER, "native-after", 0, "N", "how often a block runs before it becomes native",
	  IN(machine.native_after), 1, 65535, "64" },
	{ OPTION_ON, "paranoid", 0, NULL,
	  "reference mode: no caching in the emulator; the results are identical",
	  IN(machine.paranoid) },

	{ OPTION_TEXT, "cpu", 0, "NAME|FILE",
	  "CPU that holter cpu lists, or a description: .dts or .dtb", IN(cpu), .standard = "max",
	  .group = "CPU" },
	{ OPTION_TEXTS, "set", 0, "PROPERTY=VALUE", CPU_FILE_SET_HELP, IN(set) },
	{ OPTION_TEXTS, "what-if", 0, "PROPERTY=VALUE",
	  "the same, but only for the command: its guest was booted without this change",
	  IN(what_if) },
	{ OPTION_CHOICE, "model", 0, "all|none",
	  "the CPU's caches, TLBs, predictors and pipeline: on or off (default: on with "
	  "--cpu and --set; off, an instruction takes one cycle)",
	  IN(model) },
	{ OPTION_NUMBER, "counters", 0, "N", "number of programmable counters",
	  IN(machine.counters), 0, 29, "as the CPU has" },
	{ OPTION_NUMBER, "width", 0, "N", "counter width in bits", IN(machine.width), 1, 64,
	  "as the CPU has" },
	{ OPTION_ON, "smstateen", 0, NULL, "the harts have Smstateen", IN(machine.smstateen) },
	{ OPTION_ON, "svade", 0, NULL,
	  "the harts have no Svadu: software sets the A and D bits of pages", IN(machine.svade) },
	{ OPTION_ON, "misaligned-trap", 0, NULL, "misaligned accesses trap on every CPU",
	  IN(machine.trap_misaligned) },

	{ OPTION_ON, "stats", 0, NULL,
	  "when the machine has ended, print what all harts counted, in groups and with ratios",
	  IN(stats), .group = "Results" },
	{ OPTION_ON, "stats-all", 0, NULL,
	  "print each count of each hart, one a line, as programs can read it", IN(stats_all) },
	{ OPTION_TEXT, "stats-json", 0, "FILE",
	  "write them to FILE as JSON, and what the machine is", IN(stats_json.path) },
	{ OPTION_TEXT, "profile", 0, "FILE",
	  "write an exact profile: where each event happened; see holter report FILE",
	  IN(profile.path) },
	{ OPTION_NUMBER, "timeline", 0, "MS",
	  "with --profile: also what each process did on each hart in each MS milliseconds of "
	  "guest time",
	  IN(timeline), 1, 1000000 },
	{ OPTION_ON, "totals", 0, NULL,
	  "with --profile: only what programs, the kernel and the firmware counted, not where; "
	  "takes little time",
	  IN(profile.totals) },
	{ OPTION_ON, "data", 0, NULL,
	  "with --profile: also which data misses, is written back, and is taken from another hart",
	  IN(profile.data) },
	{ OPTION_TEXT, "record-trace", 0, "FILE",
	  "write what the models are asked: each instruction, access, page walk and trap; see "
	  "holter-trace(5)",
	  IN(record.path) },
	{ OPTION_CALLS, NULL, 'd', "CATEGORIES", "log to standard error: insn,csr,trap,pmu,mmu",
	  IN(machine.trace), .call = take_categories },
	{ OPTION_TEXT, NULL, 'D', "FILE", "log to FILE", IN(trace_file) },
	{ OPTION_CALL, "gdb", 0, "WHERE",
	  "wait for gdb on a port of 127.0.0.1, or on a Unix socket (a path with a /)", IN(gdb),
	  .call = take_gdb },

	{ OPTION_TEXT, "save", 0, "FILE",
	  "write a snapshot of the machine to FILE, then go on; --save-at or ^A s says "
	  "when",
	  IN(save.file), .group = "Snapshots" },
	{ OPTION_TIME, "save-at", 0, "TIME", "guest time: 500ms, 2s, 100us, 30ns", IN(save.at) },
	{ OPTION_TEXT, "restore", 0, "FILE",
	  "go on from a snapshot; the machine is made as the saved one was", IN(restore) },

	{ OPTION_FACT, "PROGRAM", 0, NULL, "a program", IN(boot.program) },
	{ OPTION_FACT, "COMMAND", 0, NULL, "a command (-- COMMAND)", IN(command) },
	{ OPTION_FACT, "TERMINAL", 0, NULL, "a terminal (^A s)", IN(terminal) },
	{ 0 },
};

#define KEPT	 "the guest of a command is booted once and kept without it"
#define PREPARED "a command runs in the prepared guest (see --guest)"

static const struct option_rule rules[] = {
	{ "prune", OPTION_EXCLUDES, "COMMAND PROGRAM kernel firmware restore", "it runs nothing" },
	{ "PROGRAM", OPTION_EXCLUDES, "COMMAND", "name one of them" },
	{ "save", OPTION_EXCLUDES, "COMMAND", KEPT },
	{ "save-at", OPTION_EXCLUDES, "COMMAND", KEPT },
	{ "restore", OPTION_EXCLUDES, "COMMAND", KEPT },
	{ "initrd", OPTION_EXCLUDES, "COMMAND", PREPARED },
	{ "dtb", OPTION_EXCLUDES, "COMMAND", PREPARED },
	{ "guest", OPTION_NEEDS, "COMMAND", "only a command runs in the prepared guest" },
	{ "with", OPTION_NEEDS, "COMMAND", "only a command runs in the prepared guest" },
	{ "what-if", OPTION_NEEDS, "COMMAND",
	  "only the guest of a command is kept; use --set instead" },
	{ "what-if", OPTION_EXCLUDES, "fresh", "it goes on from a kept guest; use --set instead" },
	{ "fresh", OPTION_NEEDS, "COMMAND", "only a command runs in the prepared guest" },
	{ "drive", OPTION_EXCLUDES, "drive-ro", "there is one disk" },
	{ "stats", OPTION_EXCLUDES, "stats-all", "both print the counts" },
	{ "timeline", OPTION_NEEDS, "profile", "the time line is in its file" },
	{ "data", OPTION_NEEDS, "profile", "what it finds is in its file" },
	{ "totals", OPTION_NEEDS, "profile", "they are in its file" },
	{ "totals", OPTION_EXCLUDES, "timeline data", "a profile of totals has neither" },
	{ "D", OPTION_NEEDS, "d", "it says what to log" },
	{ "dump-dtb", OPTION_EXCLUDES,
	  "COMMAND restore save stats stats-all stats-json profile record-trace gdb d",
	  "it runs nothing" },
	{ "record-trace", OPTION_EXCLUDES, "COMMAND restore",
	  "a trace begins at the reset of the machine" },
	{ "record-trace", OPTION_EXCLUDES, "gdb", "gdb stops and starts the machine" },
	{ "restore", OPTION_EXCLUDES, "firmware kernel initrd append dtb seed PROGRAM",
	  "the snapshot holds what runs" },
	{ "save", OPTION_EXCLUDES, "gdb", "gdb stops and starts the machine" },
	{ "save-at", OPTION_NEEDS, "save", "it names the file" },
	{ "save", OPTION_NEEDS, "save-at TERMINAL", "they say when" },
	{ "PROGRAM", OPTION_EXCLUDES, "kernel", "name one of them" },
	{ NULL, OPTION_NEEDS, "PROGRAM COMMAND firmware kernel restore dump-dtb prune",
	  "nothing to run: name a program, --firmware and --kernel, or -- and a command" },
	{ 0 },
};

#define COUNTS "holter stat counts events: holter run [OPTION]... -- holter stat -e EVENTS COMMAND"

static const struct option_habit habits[] = {
	{ "-e --event --metric", COUNTS },
	{ "-m -mem --ram", "--memory SIZE, as in 1G" },
	{ "--cpus --cores --harts --num-cpus -n -p -j", "--smp N is the number of harts" },
	{ "-bios --bios --fw", "--firmware FILE" },
	{ "-M -machine --machine", "there is one machine; --cpu NAME chooses its harts" },
	{ "-isa --isa -march", "--cpu NAME: a description names the extensions" },
	{ "-nographic -serial -display", "the console is standard input and output already" },
	{ "-s -S -g", "--gdb PORT waits for gdb" },
	{ "--disk -sd", "--drive FILE" },
	{ "-netdev -nic", "--net" },
	{ "-device", "the devices are those of holter-run(1): --drive, --net, --share" },
	{ "-icount", "guest time follows the instructions already" },
	{ "-snapshot", "--drive-ro FILE is never written" },
	{ "-loadvm", "--restore FILE" },
	{ "-accel -enable-kvm", "the host may be of any kind: the machine is modelled" },
	{ "-trace --trace -v --verbose -l", "-d CATEGORIES traces a machine" },
	{ "--caches --l2cache --l1d_size --l1i_size --l2_size --ic --dc --l2",
	  "the sizes of caches stand in the CPU's description: --cpu FILE.dts, see holter-cpu(7)" },
	{ "-o --output", "a > of the shell writes the output to a file; --profile and --stats-json "
			 "write what was counted" },
	{ "--timeout", "timeout(1) ends it: timeout 10 holter run" },
	{ "-c --freq -F",
	  "holter run -- holter record samples; --profile FILE records everything" },
	{ 0 },
};

static const struct options options = {
	.usage = "run [OPTION]... [PROGRAM.elf]\nrun [OPTION]... -- COMMAND [ARGUMENT]...",
	.about = "Runs a RISC-V machine: firmware and a kernel, or a bare-metal program in M-mode; "
		 "or runs a command in the prepared Linux guest, in the shared folder, with "
		 "holter's "
		 "standard streams, and ends with its status.",
	.rows = rows,
	.end = "The console is standard input and output; on a terminal ^A x ends the machine and "
	       "^A s saves it.  The exit status is the guest's.",
	.rules = rules,
	.habits = habits,
	.operand = take_program,
};

/* --restore: uses the options of the saved machine as defaults. */
static bool find_restore(struct run *r, int argc, char **argv)
{
	const char *snapshot = options_value(&options, "restore", argc, argv);
	char cpu[CPU_NAME_SIZE] = "";
	struct error_text why = { "" };

	if (snapshot && !machine_snapshot_options(snapshot, &r->machine, cpu, r->saved_set, &why)) {
		holter_error("%s", why.text);
		return false;
	}
	if (cpu[0])
		r->cpu = strcpy(r->saved_cpu, cpu);
	return true;
}

/* $HOLTER_SEED changes the seed of a whole test suite. */
static bool default_seed(struct run *r)
{
	const char *text = getenv("HOLTER_SEED");

	r->machine.seed = 1;
	return !text ||
	       !options_number("HOLTER_SEED", text, 0, OPTION_OPEN, false, &r->machine.seed);
}

/* Sets the fields that follow from several options. */
static void complete(struct run *r, const struct options_read *read)
{
	struct machine_options *o = &r->machine;

	if (options_given(read, "memory")) {
		o->memory &= ~((2ull << 20) - 1);
		r->boot.memory = true;
	}
	if (options_given(read, "drive") || options_given(read, "drive-ro"))
		o->drive_read_only = options_given(read, "drive-ro");
	o->network |= o->network_host;
	o->record = r->record.path;
	if (r->native)
		o->native = !strcmp(r->native, "on")	? MACHINE_NATIVE_ON
			    : !strcmp(r->native, "off") ? MACHINE_NATIVE_OFF
							: MACHINE_NATIVE_AUTO;
	if (r->model)
		o->models = !strcmp(r->model, "all");
	else if (options_given(read, "cpu") || options_given(read, "set") ||
		 options_given(read, "what-if"))
		o->models = true;
}

/* --restore without --set: the texts of --set with which the machine was saved. */
static bool saved_set(struct run *r)
{
	if (r->set.nr || strcmp(r->cpu, r->saved_cpu) != 0)
		return true;
	for (char *text = r->saved_set, *end; *text; text = end) {
		end = text + strcspn(text, "\n");
		if (*end)
			*end++ = '\0';
		if (!VEC_PUSH(&r->set, text))
			return false;
	}
	return true;
}

/* Runs --prune.  Returns the exit status, or -1 for success. */
static int prune(void)
{
	char folder[PATH_MAX];
	struct error_text why;
	unsigned gone;

	if (!cache_folder(folder, &why))
		return holter_error("%s", why.text);
	gone = cache_prune(folder, 0);
	printf("%u file%s removed from %s\n", gone, term_plural(gone), folder);
	return -1;
}

int run_options(struct run *r, int argc, char **argv)
{
	struct options_read read;
	int status;

	if (!default_seed(r) || !find_restore(r, argc, argv))
		return 2;
	status = options_read(&read, &options, r, argc, argv);
	if (status >= 0)
		return status ? status : -1;
	if (optind < argc)
		r->command = argv + optind;
	complete(r, &read);
	if (options_check(&read))
		return 2;
	if (!saved_set(r))
		return holter_error("out of memory");
	return r->prune ? prune() : 0;
}
