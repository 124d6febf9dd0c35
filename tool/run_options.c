// SPDX-License-Identifier: BSD-2-Clause
/*
 * run_options.c - what holter run was asked for (run.h).
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "holter.h"
#include "run.h"

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
	"  --drive FILE      a disk image; --drive-ro FILE: that is not written\n"
	"  --dtb FILE        this device tree instead of the machine's own\n"
	"  --dump-dtb FILE   writes the device tree, and runs nothing\n"
	"  --share DIR       a folder that the guest can mount (9p, tag share); with a command "
	"its\n"
	"                    working directory (default: this one)\n"
	"  --net             a network card behind user-mode NAT\n"
	"  --cpu NAME|FILE   the CPU: one that holter cpu lists, or a .dts or .dtb (default max)\n"
	"  --model all|none  the CPU's caches, TLBs, predictors and pipeline: on or off\n"
	"                    (default: on with --cpu; off, an instruction takes one cycle)\n"
	"  --counters N      programmable counters, 0 to 29 (default as the CPU has)\n"
	"  --width N         their bits, 1 to 64 (default as the CPU has)\n"
	"  --smstateen       with Smstateen\n"
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
	"  --fresh           boot it for this command; else it is booted once and kept\n"
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
	OPT_FRESH
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
	{ "cpu", required_argument, NULL, OPT_CPU },
	{ "model", required_argument, NULL, OPT_MODEL },
	{ "counters", required_argument, NULL, OPT_COUNTERS },
	{ "width", required_argument, NULL, OPT_WIDTH },
	{ "smstateen", no_argument, NULL, OPT_SMSTATEEN },
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
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

/* A number from low to high, with a unit if units; the reason is printed when it is none. */
static bool number(const char *what, const char *text, uint64_t low, uint64_t high, bool units,
		   uint64_t *value)
{
	static const char unit[] = "KMG";
	char *end;
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
		holter_error("%s '%s': wants a number from %" PRIu64 " to %" PRIu64, what, text,
			     low, high);
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
static bool option(struct run *r, int c)
{
	struct machine_options *o = &r->machine;
	uint64_t n;

	switch (c) {
	case OPT_FIRMWARE:
		r->boot.firmware = optarg;
		return true;
	case OPT_KERNEL:
		r->boot.kernel = optarg;
		return true;
	case OPT_INITRD:
		r->boot.initrd = optarg;
		return true;
	case OPT_APPEND:
		r->boot.append = optarg;
		return true;
	case OPT_SMP:
		if (!number("--smp", optarg, 1, HARTS_MAX, false, &n))
			return false;
		o->harts = n;
		return true;
	case OPT_MEMORY:
		if (!number("--memory", optarg, 8 << 20, 1ull << 38, true, &n))
			return false;
		o->memory = n & ~((2ull << 20) - 1);
		r->boot.memory = true;
		return true;
	case OPT_DRIVE:
	case OPT_DRIVE_RO:
		o->drive = optarg;
		o->drive_read_only = c == OPT_DRIVE_RO;
		return true;
	case OPT_SHARE:
		o->share = optarg;
		return true;
	case OPT_NET:
		o->network = true;
		return true;
	case OPT_CPU:
		r->cpu = optarg;
		o->models |= !r->model;
		return true;
	case OPT_MODEL:
		if (strcmp(optarg, "all") && strcmp(optarg, "none"))
			return holter_error("--model %s: all or none", optarg), false;
		r->model = optarg;
		o->models = !strcmp(optarg, "all");
		return true;
	case OPT_COUNTERS:
		if (!number("--counters", optarg, 0, 29, false, &n))
			return false;
		o->counters = n;
		return true;
	case OPT_WIDTH:
		if (!number("--width", optarg, 1, 64, false, &n))
			return false;
		o->width = n;
		return true;
	case OPT_SMSTATEEN:
		o->smstateen = true;
		return true;
	case OPT_MISALIGNED:
		o->trap_misaligned = true;
		return true;
	case OPT_NO_SEMIHOSTING:
		o->semihosting = false;
		return true;
	case OPT_SAVE:
		r->save.file = optarg;
		return true;
	case OPT_SAVE_AT:
		return save_time(optarg, &r->save.at);
	case OPT_RESTORE:
		return true; /* find_restore has seen it */
	case OPT_PROFILE:
		r->profile.path = optarg;
		return true;
	case OPT_STATS:
		r->stats = true;
		return true;
	case OPT_PARANOID:
		o->paranoid = true;
		return true;
	case OPT_QUANTUM:
		return number("--quantum", optarg, 1, UINT64_MAX >> 1, false, &o->quantum);
	case OPT_SEED:
		r->seed = optarg;
		return number("--seed", optarg, 0, SEED_MAX, false, &o->seed);
	case OPT_REALTIME:
		o->realtime = true;
		return true;
	case OPT_DTB:
		r->boot.dtb = optarg;
		return true;
	case OPT_DUMP_DTB:
		r->dump_file = optarg;
		return true;
	case OPT_GDB:
		r->gdb = optarg;
		return true;
	case OPT_GUEST:
		r->guest = optarg;
		return true;
	case OPT_FRESH:
		r->fresh = true;
		return true;
	case 'd':
		return categories(optarg, &o->trace);
	case 'D':
		r->trace_file = optarg;
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
	while ((c = getopt_long(argc, argv, "-:d:D:h", options, NULL)) != -1) {
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
		r->cpu = strdup(cpu);
	return r->cpu;
}

/* Whether what --save and --restore were given with goes with them. */
static int check_snapshots(const struct run *r)
{
	const struct boot *b = &r->boot;

	if (r->restore &&
	    (b->firmware || b->kernel || b->initrd || b->append || b->dtb || r->seed || b->program))
		return holter_error("--restore goes on with what %s holds: no %s beside it",
				    r->restore,
				    b->firmware ? "--firmware"
				    : b->kernel ? "--kernel"
				    : b->initrd ? "--initrd"
				    : b->append ? "--append"
				    : b->dtb	? "--dtb"
				    : r->seed	? "--seed"
						: b->program);
	if (r->save.file && r->gdb)
		return holter_error("--save: not with --gdb");
	if (r->save.at != UINT64_MAX && !r->save.file)
		return holter_error("--save-at wants a --save FILE");
	if (r->save.file && r->save.at == UINT64_MAX && !r->terminal)
		return holter_error("--save wants a --save-at TIME, or a terminal for ^A s");
	return 0;
}

/* What does not go together; 0, or what to exit with. */
static int check(const struct run *r)
{
	const struct boot *b = &r->boot;
	int status;

	if (r->command && (r->restore || r->save.file))
		return holter_error("--save and --restore: not with a command, whose guest is "
				    "saved and restored without them");
	if (r->command && b->program)
		return holter_error("a program (%s) or a command, not both", b->program);
	if (r->command && b->initrd)
		return holter_error("--initrd: a command runs in the prepared guest (see --guest)");
	if (r->command && (b->dtb || r->dump_file))
		return holter_error("--dtb and --dump-dtb: not with a command");
	if (r->command)
		return 0;
	if (r->dump_file)
		return 0;
	if (r->guest || r->fresh)
		return holter_error("--guest and --fresh want a command: -- COMMAND");
	status = check_snapshots(r);
	if (status || r->restore)
		return status;
	if (b->program && b->kernel)
		return holter_error("a program (%s) or a --kernel, not both", b->program);
	if (!b->program && !b->firmware && !b->kernel)
		return holter_error("nothing to run: name a program, --firmware and --kernel, or "
				    "-- and a command");
	return 0;
}

/* A whole suite of tests can be run with other random numbers. */
static bool default_seed(struct run *r)
{
	const char *text = getenv("HOLTER_SEED");

	r->machine.seed = 1;
	return !text || number("HOLTER_SEED", text, 0, SEED_MAX, false, &r->machine.seed);
}

int run_options(struct run *r, int argc, char **argv)
{
	int c;

	if (!default_seed(r) || !find_restore(r, argc, argv))
		return 2;
	/* "-": operands come in turn, as option 1, so that -- is not lost among them. */
	while ((c = getopt_long(argc, argv, "-:d:D:h", options, NULL)) != -1) {
		if (c == 'h') {
			fputs(usage, stdout);
			return -1;
		}
		if (c == '?')
			return holter_error("no option '%s'; holter run --help shows what there is",
					    argv[optind - 1]);
		if (c == ':')
			return holter_error("%s wants something after it", argv[optind - 1]);
		if (c == 1 && r->boot.program)
			return holter_error("one program, not also '%s'", optarg);
		if (c == 1)
			r->boot.program = optarg;
		else if (!option(r, c))
			return 2;
	}
	if (optind < argc)
		r->command = argv + optind;
	return check(r);
}
