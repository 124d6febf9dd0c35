// SPDX-License-Identifier: BSD-2-Clause
/*
 * run_options.c - what holter run was asked for (run.h).
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "holter.h"
#include "run.h"

#define LETTERS	 "-:d:D:h"
#define SEED_MAX (UINT64_MAX >> 1)

static const char usage[] =
	"usage: holter run [option]... [program.elf]\n"
	"       holter run [option]... -- COMMAND [ARGUMENT]...\n"
	"Runs a RISC-V machine: firmware and a kernel, or a bare-metal program in M-mode; or a "
	"command\n"
	"in the prepared Linux guest, in the shared folder, with this one's streams and status.\n"
	"\n"
	"  --firmware FILE   starts in M-mode: raw or ELF, fw_dynamic or one with its own payload\n"
	"  --kernel FILE     what the firmware starts: Linux's Image, raw or ELF\n"
	"  --initrd FILE     its first file system\n"
	"  --append WORDS    its command line\n"
	"  --smp N           harts, 1 to 8 (default 1)\n"
	"  --memory SIZE     bytes of RAM, with K, M or G (default 512M)\n"
	"  --drive FILE      a disk image\n"
	"  --drive-ro FILE   one that is not written\n"
	"  --dtb FILE        this device tree instead of the machine's own\n"
	"  --dump-dtb FILE   writes the device tree, and runs nothing\n"
	"  --share DIR       a folder that the guest can mount (9p, tag share); with a command "
	"its\n"
	"                    working directory (default: this one)\n"
	"  --net             a network card behind user-mode NAT\n"
	"  --net-host        the same, and its 10.0.2.2 is this computer's own 127.0.0.1\n"
	"  --cpu NAME|FILE   the CPU: one that holter cpu lists, or a .dts or .dtb (default max)\n"
	"  --model all|none  the CPU's caches, TLBs, predictors and pipeline: on or off\n"
	"                    (default: on with --cpu; off, an instruction takes one cycle)\n"
	"  --counters N      programmable counters, 0 to 29 (default as the CPU has)\n"
	"  --width N         their bits, 1 to 64 (default as the CPU has)\n"
	"  --smstateen       with Smstateen\n"
	"  --svade           without Svadu: A and D bits of pages are software's to set\n"
	"  --misaligned-trap misaligned accesses trap instead of working\n"
	"  --no-semihosting  ebreak is always a breakpoint\n"
	"  --save FILE       a snapshot of the machine, which then goes on; at the moment of\n"
	"  --save-at TIME    guest time: 500ms, 2s, 100us, 30ns; or when ^A s says so\n"
	"  --restore FILE    goes on from a snapshot; its machine is made as that was\n"
	"  --stats           what was counted, when the machine has ended\n"
	"  --profile FILE    where every event happened, exactly: holter report FILE shows it\n"
	"  -d CATEGORIES     trace to stderr: insn,csr,trap,pmu,mmu\n"
	"  -D FILE           trace to FILE\n"
	"  --paranoid        the slow way, which must give the same results\n"
	"  --quantum N       cycles a hart's turn has (default 1000000; of several harts 10000)\n"
	"  --seed N          of the guest's random numbers (default $HOLTER_SEED, or 1)\n"
	"  --realtime        time passes no faster than the host's: not deterministic.  A "
	"terminal\n"
	"                    as standard input, and --net, mean it, too\n"
	"  --gdb WHERE       waits for gdb on a port of 127.0.0.1, or a unix socket (a path with "
	"/)\n"
	"  --guest DIR       the prepared guest for a command (guest/prepare makes it)\n"
	"  --fresh           boot it for this command; else it is booted once and kept, in\n"
	"                    ~/.cache/holter ($XDG_CACHE_HOME), which holds the last 8 machines\n"
	"  --prune           removes all that is kept there, and runs nothing\n"
	"\n"
	"The console is standard input and output; on a terminal ^A x ends the machine and ^A s "
	"saves\n"
	"it.  The status is the guest's.\n";

enum {
	OPT_FIRMWARE = 256,
	OPT_KERNEL,
	OPT_INITRD,
	OPT_APPEND,
	OPT_SMP,
	OPT_MEMORY,
	OPT_DRIVE,
	OPT_DRIVE_RO,
	OPT_SHARE,
	OPT_NET,
	OPT_CPU,
	OPT_MODEL,
	OPT_COUNTERS,
	OPT_WIDTH,
	OPT_SMSTATEEN,
	OPT_SVADE,
	OPT_MISALIGNED,
	OPT_NO_SEMIHOSTING,
	OPT_SAVE,
	OPT_SAVE_AT,
	OPT_RESTORE,
	OPT_STATS,
	OPT_PROFILE,
	OPT_PARANOID,
	OPT_QUANTUM,
	OPT_SEED,
	OPT_REALTIME,
	OPT_DTB,
	OPT_DUMP_DTB,
	OPT_GDB,
	OPT_GUEST,
	OPT_FRESH,
	OPT_PRUNE,
	OPT_NET_HOST,
	/* What is no option, but has a say in the rules. */
	GIVEN_PROGRAM,
	GIVEN_COMMAND,
	GIVEN_MOMENT, /* when to save: --save-at, or a terminal's ^A s */
	GIVEN_BOOT, /* something to run */
};

static const struct option options[] = {
	{ "firmware", required_argument, NULL, OPT_FIRMWARE },
	{ "kernel", required_argument, NULL, OPT_KERNEL },
	{ "initrd", required_argument, NULL, OPT_INITRD },
	{ "append", required_argument, NULL, OPT_APPEND },
	{ "smp", required_argument, NULL, OPT_SMP },
	{ "memory", required_argument, NULL, OPT_MEMORY },
	{ "drive", required_argument, NULL, OPT_DRIVE },
	{ "drive-ro", required_argument, NULL, OPT_DRIVE_RO },
	{ "share", required_argument, NULL, OPT_SHARE },
	{ "net", no_argument, NULL, OPT_NET },
	{ "net-host", no_argument, NULL, OPT_NET_HOST },
	{ "cpu", required_argument, NULL, OPT_CPU },
	{ "model", required_argument, NULL, OPT_MODEL },
	{ "counters", required_argument, NULL, OPT_COUNTERS },
	{ "width", required_argument, NULL, OPT_WIDTH },
	{ "smstateen", no_argument, NULL, OPT_SMSTATEEN },
	{ "svade", no_argument, NULL, OPT_SVADE },
	{ "misaligned-trap", no_argument, NULL, OPT_MISALIGNED },
	{ "no-semihosting", no_argument, NULL, OPT_NO_SEMIHOSTING },
	{ "save", required_argument, NULL, OPT_SAVE },
	{ "save-at", required_argument, NULL, OPT_SAVE_AT },
	{ "restore", required_argument, NULL, OPT_RESTORE },
	{ "stats", no_argument, NULL, OPT_STATS },
	{ "profile", required_argument, NULL, OPT_PROFILE },
	{ "paranoid", no_argument, NULL, OPT_PARANOID },
	{ "quantum", required_argument, NULL, OPT_QUANTUM },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "realtime", no_argument, NULL, OPT_REALTIME },
	{ "dtb", required_argument, NULL, OPT_DTB },
	{ "dump-dtb", required_argument, NULL, OPT_DUMP_DTB },
	{ "gdb", required_argument, NULL, OPT_GDB },
	{ "guest", required_argument, NULL, OPT_GUEST },
	{ "fresh", no_argument, NULL, OPT_FRESH },
	{ "prune", no_argument, NULL, OPT_PRUNE },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

/* A bound, as it can be typed. */
static const char *bound(char text[24], uint64_t value, bool units)
{
	unsigned n = 0;

	while (units && n < 3 && value && value % 1024 == 0) {
		value /= 1024;
		n++;
	}
	snprintf(text, 24, "%" PRIu64 "%.1s", value, &"\0KMG"[n]);
	return text;
}

/* A number from low to high, with a unit if units; the reason is printed when it is none. */
static bool number(const char *what, const char *text, uint64_t low, uint64_t high, bool units,
		   uint64_t *value)
{
	static const char unit[] = "KMG";
	char *end, from[24], to[24];
	const char *u;
	unsigned shift = 0;

	errno = 0;
	*value = strtoull(text, &end, 0);
	u = units && *end ? strchr(unit, *end) : NULL;
	if (u) {
		shift = 10 * (u - unit + 1);
		end++;
	}
	if (end == text || *end || errno || *text == '-' || *value > high >> shift ||
	    *value << shift < low) {
		holter_error("%s '%s': wants a number from %s to %s", what, text,
			     bound(from, low, units), bound(to, high, units));
		return false;
	}
	*value <<= shift;
	return true;
}

static bool categories(const char *list, unsigned *trace)
{
	static const struct {
		const char *name;
		unsigned bit;
	} known[] = {
		{ "insn", TRACE_INSN }, { "csr", TRACE_CSR }, { "trap", TRACE_TRAP },
		{ "pmu", TRACE_PMU },	{ "mmu", TRACE_MMU },
	};

	while (*list) {
		size_t len = strcspn(list, ","), n = 0;

		while (n < 5 && (strlen(known[n].name) != len || strncmp(list, known[n].name, len)))
			n++;
		if (n == 5) {
			holter_error("-d: no category '%.*s'; there are insn,csr,trap,pmu,mmu",
				     (int)len, list);
			return false;
		}
		*trace |= known[n].bit;
		list += len + (list[len] == ',');
	}
	return true;
}

/* One option; false after a line that says what is wrong with it. */
static bool option(struct run *r, int c, const char *value)
{
	struct machine_options *o = &r->machine;
	uint64_t n;

	switch (c) {
	case OPT_FIRMWARE:
		r->boot.firmware = value;
		return true;
	case OPT_KERNEL:
		r->boot.kernel = value;
		return true;
	case OPT_INITRD:
		r->boot.initrd = value;
		return true;
	case OPT_APPEND:
		r->boot.append = value;
		return true;
	case OPT_SMP:
		if (!number("--smp", value, 1, HARTS_MAX, false, &n))
			return false;
		o->harts = n;
		return true;
	case OPT_MEMORY:
		if (!number("--memory", value, 8 << 20, 1ull << 38, true, &n))
			return false;
		o->memory = n & ~((2ull << 20) - 1);
		r->boot.memory = true;
		return true;
	case OPT_DRIVE:
	case OPT_DRIVE_RO:
		o->drive = value;
		o->drive_read_only = c == OPT_DRIVE_RO;
		return true;
	case OPT_SHARE:
		o->share = value;
		return true;
	case OPT_NET_HOST:
		o->network_host = true;
		/* fall through */
	case OPT_NET:
		o->network = true;
		return true;
	case OPT_CPU:
		r->cpu = value;
		o->models |= !r->model;
		return true;
	case OPT_MODEL:
		if (strcmp(value, "all") && strcmp(value, "none"))
			return holter_error("--model %s: all or none", value), false;
		r->model = value;
		o->models = !strcmp(value, "all");
		return true;
	case OPT_COUNTERS:
		if (!number("--counters", value, 0, 29, false, &n))
			return false;
		o->counters = n;
		return true;
	case OPT_WIDTH:
		if (!number("--width", value, 1, 64, false, &n))
			return false;
		o->width = n;
		return true;
	case OPT_SMSTATEEN:
		o->smstateen = true;
		return true;
	case OPT_SVADE:
		o->svade = true;
		return true;
	case OPT_MISALIGNED:
		o->trap_misaligned = true;
		return true;
	case OPT_NO_SEMIHOSTING:
		o->semihosting = false;
		return true;
	case OPT_SAVE:
		r->save.file = value;
		return true;
	case OPT_SAVE_AT:
		return save_time(value, &r->save.at);
	case OPT_RESTORE:
		return true; /* find_restore has seen it */
	case OPT_PROFILE:
		r->profile.path = value;
		return true;
	case OPT_STATS:
		r->stats = true;
		return true;
	case OPT_PARANOID:
		o->paranoid = true;
		return true;
	case OPT_QUANTUM:
		return number("--quantum", value, 1, UINT64_MAX >> 1, false, &o->quantum);
	case OPT_SEED:
		r->seed = value;
		return number("--seed", value, 0, SEED_MAX, false, &o->seed);
	case OPT_REALTIME:
		o->realtime = true;
		return true;
	case OPT_DTB:
		r->boot.dtb = value;
		return true;
	case OPT_DUMP_DTB:
		r->dump_file = value;
		return true;
	case OPT_GDB:
		r->gdb = value;
		return true;
	case OPT_GUEST:
		r->guest = value;
		return true;
	case OPT_FRESH:
		r->fresh = true;
		return true;
	case OPT_PRUNE:
		r->prune = true;
		return true;
	case 'd':
		return categories(value, &o->trace);
	case 'D':
		r->trace_file = value;
		return true;
	default:
		return false;
	}
}

/* Before the other options: those that --restore brings are their defaults. */
static bool find_restore(struct run *r, int argc, char **argv)
{
	char cpu[CPU_NAME_SIZE] = "";
	struct dev_why why = { "" };
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, LETTERS, options, NULL)) != -1) {
		if (c == OPT_RESTORE)
			r->restore = optarg;
	}
	opterr = 1;
	optind = 0; /* from the beginning again */
	if (r->restore && !machine_snapshot_options(r->restore, &r->machine, cpu, &why)) {
		holter_error("%s", why.text);
		return false;
	}
	if (r->restore && cpu[0])
		r->cpu = strcpy(r->saved_cpu, cpu);
	return r->cpu;
}

#define KEPT	 "not with a command, whose guest is booted once and kept without it"
#define PREPARED "not with a command, which runs in the prepared guest (see --guest)"
#define GOES_ON	 "--restore goes on with what the snapshot holds: no "
#define DUMPS	 "--dump-dtb runs nothing: it is without "

static const struct holter_rule rules[] = {
	{ GIVEN_PROGRAM, HOLTER_WITHOUT, GIVEN_COMMAND, "a program or a command, not both" },
	{ OPT_SAVE, HOLTER_WITHOUT, GIVEN_COMMAND, "--save: " KEPT },
	{ OPT_SAVE_AT, HOLTER_WITHOUT, GIVEN_COMMAND, "--save-at: " KEPT },
	{ OPT_RESTORE, HOLTER_WITHOUT, GIVEN_COMMAND, "--restore: " KEPT },
	{ OPT_INITRD, HOLTER_WITHOUT, GIVEN_COMMAND, "--initrd: " PREPARED },
	{ OPT_DTB, HOLTER_WITHOUT, GIVEN_COMMAND, "--dtb: " PREPARED },
	{ OPT_DUMP_DTB, HOLTER_WITHOUT, GIVEN_COMMAND, DUMPS "a command" },
	{ OPT_GUEST, HOLTER_WITH, GIVEN_COMMAND, "--guest wants a command: -- COMMAND" },
	{ OPT_FRESH, HOLTER_WITH, GIVEN_COMMAND, "--fresh wants a command: -- COMMAND" },
	{ OPT_DRIVE, HOLTER_WITHOUT, OPT_DRIVE_RO, "--drive or --drive-ro: there is one disk" },
	{ 'D', HOLTER_WITH, 'd', "-D wants -d CATEGORIES: what to trace" },
	{ OPT_DUMP_DTB, HOLTER_WITHOUT, OPT_RESTORE, DUMPS "--restore" },
	{ OPT_DUMP_DTB, HOLTER_WITHOUT, OPT_SAVE, DUMPS "--save" },
	{ OPT_DUMP_DTB, HOLTER_WITHOUT, OPT_STATS, DUMPS "--stats" },
	{ OPT_DUMP_DTB, HOLTER_WITHOUT, OPT_PROFILE, DUMPS "--profile" },
	{ OPT_DUMP_DTB, HOLTER_WITHOUT, OPT_GDB, DUMPS "--gdb" },
	{ OPT_DUMP_DTB, HOLTER_WITHOUT, 'd', DUMPS "-d" },
	{ OPT_RESTORE, HOLTER_WITHOUT, OPT_FIRMWARE, GOES_ON "--firmware beside it" },
	{ OPT_RESTORE, HOLTER_WITHOUT, OPT_KERNEL, GOES_ON "--kernel beside it" },
	{ OPT_RESTORE, HOLTER_WITHOUT, OPT_INITRD, GOES_ON "--initrd beside it" },
	{ OPT_RESTORE, HOLTER_WITHOUT, OPT_APPEND, GOES_ON "--append beside it" },
	{ OPT_RESTORE, HOLTER_WITHOUT, OPT_DTB, GOES_ON "--dtb beside it" },
	{ OPT_RESTORE, HOLTER_WITHOUT, OPT_SEED, GOES_ON "--seed beside it" },
	{ OPT_RESTORE, HOLTER_WITHOUT, GIVEN_PROGRAM, GOES_ON "program beside it" },
	{ OPT_SAVE, HOLTER_WITHOUT, OPT_GDB, "--save: not with --gdb" },
	{ OPT_SAVE_AT, HOLTER_WITH, OPT_SAVE, "--save-at wants a --save FILE" },
	{ OPT_SAVE, HOLTER_WITH, GIVEN_MOMENT,
	  "--save wants a --save-at TIME, or a terminal for ^A s" },
	{ GIVEN_PROGRAM, HOLTER_WITHOUT, OPT_KERNEL, "a program or a --kernel, not both" },
	{ 0, HOLTER_WITH, GIVEN_BOOT,
	  "nothing to run: name a program, --firmware and --kernel, or -- and a command" },
	{ 0 },
};

/* What does not go together; 0, or what to exit with. */
static int check(const struct run *r, bool given[HOLTER_CODES])
{
	given[GIVEN_PROGRAM] = r->boot.program;
	given[GIVEN_COMMAND] = r->command;
	given[GIVEN_MOMENT] = r->terminal || given[OPT_SAVE_AT];
	given[GIVEN_BOOT] = r->boot.program || r->boot.firmware || r->boot.kernel || r->command ||
			    r->restore || r->dump_file;
	given[0] = true; /* always */
	return holter_rules(rules, given);
}

/* A whole suite of tests can be run with other random numbers. */
static bool default_seed(struct run *r)
{
	const char *text = getenv("HOLTER_SEED");

	r->machine.seed = 1;
	return !text || number("HOLTER_SEED", text, 0, SEED_MAX, false, &r->machine.seed);
}

/* Operands come as option 1: "-" among the letters, so that -- is not lost among them. */
static int take(void *to, int c, const char *value)
{
	struct run *r = to;

	if (c != 1)
		return option(r, c, value) ? 0 : 2;
	if (r->boot.program)
		return holter_error("one program, not also '%s'", value);
	r->boot.program = value;
	return 0;
}

/* --prune; the exit status, or -1 for success. */
static int prune(const struct run *r)
{
	char folder[PATH_MAX];
	struct cache_why why;
	unsigned gone;

	if (r->command || r->boot.program || r->boot.kernel || r->boot.firmware || r->restore)
		return holter_error("--prune runs nothing: give it alone");
	if (!cache_folder(folder, &why))
		return holter_error("%s", why.text);
	gone = cache_prune(folder, 0);
	printf("%u file%s removed from %s\n", gone, gone == 1 ? "" : "s", folder);
	return -1;
}

int run_options(struct run *r, int argc, char **argv)
{
	bool given[HOLTER_CODES] = { false };
	const struct holter_options all = {
		.letters = LETTERS, .longs = options, .usage = usage, .take = take, .given = given
	};
	int status;

	if (!default_seed(r) || !find_restore(r, argc, argv))
		return 2;
	status = holter_options(argc, argv, &all, r);
	if (status >= 0)
		return status ? status : -1;
	if (optind < argc)
		r->command = argv + optind;
	return r->prune ? prune(r) : check(r, given);
}
