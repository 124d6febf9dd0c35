// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_run.c - holter run: makes a machine, loads it, runs it, and ends with its status.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "cpu_file.h"
#include "holter.h"
#include "machine.h"

static const char usage[] =
	"usage: holter run [option]... [program.elf]\n"
	"Runs a RISC-V machine: firmware and a kernel, or a bare-metal program in M-mode.\n"
	"\n"
	"  --firmware FILE   starts in M-mode: raw or ELF, fw_dynamic or one with its own payload\n"
	"  --kernel FILE     what the firmware starts: Linux's Image, raw or ELF\n"
	"  --initrd FILE     its first file system\n"
	"  --append WORDS    its command line\n"
	"  --smp N           harts, 1 to 8 (default 1)\n"
	"  --memory SIZE     bytes of RAM, with K, M or G (default 512M)\n"
	"  --drive FILE      a disk image; --drive-ro FILE: that is not written\n"
	"  --share DIR       a folder that the guest can mount (9p, tag share)\n"
	"  --net             a network card behind user-mode NAT\n"
	"  --cpu NAME|FILE   the CPU: one that holter cpu lists, or a .dts or .dtb (default max)\n"
	"  --counters N      programmable counters, 0 to 29 (default as the CPU has)\n"
	"  --width N         their bits, 1 to 64 (default as the CPU has)\n"
	"  --smstateen       with Smstateen\n"
	"  --misaligned-trap misaligned accesses trap instead of working\n"
	"  --no-semihosting  ebreak is always a breakpoint\n"
	"  --stats           what was counted, when the machine has ended\n"
	"  -d CATEGORIES     trace to stderr: insn,csr,trap,pmu,mmu\n"
	"  -D FILE           trace to FILE\n"
	"  --paranoid        the slow way, which must give the same results\n"
	"  --quantum N       cycles a hart's turn has\n"
	"\n"
	"The console is standard input and output; on a terminal ^A x ends the machine.  The "
	"status is\n"
	"the guest's.\n";

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
	OPT_COUNTERS,
	OPT_WIDTH,
	OPT_SMSTATEEN,
	OPT_MISALIGNED,
	OPT_NO_SEMIHOSTING,
	OPT_STATS,
	OPT_PARANOID,
	OPT_QUANTUM
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
	{ "counters", required_argument, NULL, OPT_COUNTERS },
	{ "width", required_argument, NULL, OPT_WIDTH },
	{ "smstateen", no_argument, NULL, OPT_SMSTATEEN },
	{ "misaligned-trap", no_argument, NULL, OPT_MISALIGNED },
	{ "no-semihosting", no_argument, NULL, OPT_NO_SEMIHOSTING },
	{ "stats", no_argument, NULL, OPT_STATS },
	{ "paranoid", no_argument, NULL, OPT_PARANOID },
	{ "quantum", required_argument, NULL, OPT_QUANTUM },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

struct run {
	struct machine_options machine;
	struct boot boot;
	const char *cpu;
	const char *trace_file;
	bool stats;
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
	case OPT_STATS:
		r->stats = true;
		return true;
	case OPT_PARANOID:
		o->paranoid = true;
		return true;
	case OPT_QUANTUM:
		return number("--quantum", optarg, 1, UINT64_MAX >> 1, false, &o->quantum);
	case 'd':
		return categories(optarg, &o->trace);
	case 'D':
		r->trace_file = optarg;
		return true;
	default:
		holter_error("holter run --help shows the options");
		return false;
	}
}

/* 0: go on; else what to exit with, -1 for success. */
static int parse(struct run *r, int argc, char **argv)
{
	int c;

	while ((c = getopt_long(argc, argv, "d:D:h", options, NULL)) != -1) {
		if (c == 'h') {
			fputs(usage, stdout);
			return -1;
		}
		if (!option(r, c))
			return 2;
	}
	if (argc - optind > 1)
		return holter_error("one program, not also '%s'", argv[optind + 1]);
	r->boot.program = argv[optind];
	if (r->boot.program && r->boot.kernel)
		return holter_error("a program (%s) or a --kernel, not both", r->boot.program);
	if (!r->boot.program && !r->boot.firmware)
		return holter_error("nothing to run: name a program, or --firmware and --kernel");
	if (!r->boot.firmware && r->boot.kernel)
		return holter_error("--kernel wants a --firmware that starts it");
	return 0;
}

static struct termios terminal;

static void restore_terminal(void)
{
	tcsetattr(0, TCSANOW, &terminal);
}

static void on_signal(int num)
{
	restore_terminal();
	signal(num, SIG_DFL);
	raise(num);
}

/* Keys go to the guest as they are pressed. */
static void raw_terminal(void)
{
	struct termios t;

	if (tcgetattr(0, &terminal) < 0)
		return;
	atexit(restore_terminal);
	signal(SIGTERM, on_signal);
	signal(SIGHUP, on_signal);
	t = terminal;
	t.c_iflag &= ~(ICRNL | IXON);
	t.c_lflag &= ~(ICANON | ECHO | ISIG);
	tcsetattr(0, TCSANOW, &t);
}

/*
 * A terminal's keys on their way to the serial port, through a pipe: ^A x ends the machine, ^A ^A
 * is ^A.
 */
struct keys {
	struct machine *m;
	int to;
	bool escaped;
};

static void key(struct keys *k, char c)
{
	bool escaped = k->escaped;

	k->escaped = !escaped && c == 1;
	if (escaped && c == 'x')
		machine_finish(k->m, 0, false);
	else if (!k->escaped && write(k->to, &c, 1) < 0)
		return; /* the guest does not read: the key is lost, as on a real line */
}

static void keys_come(void *arg)
{
	struct keys *k = arg;
	char text[256];
	ssize_t len = read(0, text, sizeof(text));

	if (len <= 0)
		k->m->board.watch_fd(k->m, -1, keys_come, k);
	for (ssize_t n = 0; n < len; n++)
		key(k, text[n]);
}

/* Puts the pipe between a terminal and the console that o describes; false: an error. */
static bool keys_open(struct keys *k, struct machine_options *o)
{
	int ends[2];

	if (!o->interactive)
		return true;
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return false;
	o->console_in = ends[0];
	k->to = ends[1];
	return true;
}

static void show_stats(const struct machine *m)
{
	static const struct {
		const char *name;
		unsigned mode;
	} modes[] = { { "M", PRV_M }, { "S", PRV_S }, { "U", PRV_U } };

	for (unsigned n = 0; n < m->harts; n++) {
		const struct hart *h = m->hart[n];

		fprintf(stderr, "hart %u: %" PRIu64 " ns\n", n, h->now);
		for (unsigned e = 0; e < EVENT_NR; e++) {
			uint64_t sum = 0;

			for (unsigned i = 0; i < 3; i++)
				sum += h->pmu.total[modes[i].mode][e];
			fprintf(stderr, "%20" PRIu64 "  %-20s", sum, event_table[e].name);
			for (unsigned i = 0; i < 3; i++)
				fprintf(stderr, " %s %-14" PRIu64, modes[i].name,
					h->pmu.total[modes[i].mode][e]);
			fputc('\n', stderr);
		}
	}
}

/* The CPU, and what its description does not say. */
static struct cpu *take_cpu(struct run *r)
{
	struct cpu *cpu = cpu_file_load(r->cpu);
	const char *slash = strrchr(r->cpu, '/');

	for (unsigned n = 0; cpu && n < cpu->notes; n++)
		fprintf(stderr, "holter: %s: %s\n", slash ? slash + 1 : r->cpu, cpu->note[n]);
	r->machine.cpu = cpu;
	return cpu;
}

int cmd_run(int argc, char **argv)
{
	struct run r = {
		.cpu = "max",
		.machine = {
			.harts = 1,
			.memory = 512ull << 20,
			.counters = MACHINE_AS_CPU,
			.width = MACHINE_AS_CPU,
			.semihosting = true,
			.trace_to = stderr,
			.console_in = 0,
			.console_out = 1,
			.interactive = isatty(0),
		},
	};
	struct dev_why why = { "" };
	struct keys keys = { .to = -1 };
	struct cpu *cpu;
	struct machine *m;
	int status = parse(&r, argc, argv);

	if (status)
		return status < 0 ? 0 : status;
	if (r.trace_file) {
		r.machine.trace_to = fopen(r.trace_file, "w");
		if (!r.machine.trace_to)
			return holter_error("%s: %s", r.trace_file, strerror(errno));
	}
	cpu = take_cpu(&r);
	if (!cpu)
		return 2;
	if (!keys_open(&keys, &r.machine))
		return holter_error("no pipe for the console: %s", strerror(errno));
	m = machine_create(&r.machine, &why);
	if (!m)
		return holter_error("%s", why.text);
	if (!machine_load(m, &r.boot, &why)) {
		machine_destroy(m);
		return holter_error("%s", why.text);
	}
	for (unsigned n = 0; n < m->harts; n++)
		m->hart[n]->pmu.all = r.stats;
	machine_reset(m);
	keys.m = m;
	if (r.machine.interactive) {
		raw_terminal();
		m->board.watch_fd(m, 0, keys_come, &keys);
	}
	status = machine_run(m);
	if (m->stuck)
		holter_error("%s", m->stuck);
	if (r.stats)
		show_stats(m);
	machine_destroy(m);
	cpu_free(cpu);
	if (r.trace_file && fclose(r.machine.trace_to))
		return holter_error("%s: %s", r.trace_file, strerror(errno));
	return status;
}
