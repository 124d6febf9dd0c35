// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_snapshot_file.c - snapshots as files: which are refused, with which messages; a refused one
 * changes neither the machine nor an older file.
 *
 * Includes snapshot.c itself, to make files that are intact and yet wrong.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/resource.h>

#include "rig.h"
#include "shot.h"
#include "small_cpu.h"
#include "snapshot.c"
#include "snapshot.h"

static char file[64];
static char locked[PATH_MAX]; /* the last file that was locked */

/* In place of the C library's. */
int flock(int fd, int how)
{
	char link[32];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	memset(locked, 0, sizeof(locked));
	return how == (LOCK_EX | LOCK_NB) && readlink(link, locked, sizeof(locked) - 1) > 0 ? 0
											    : -1;
}

/* Saves a machine that has run a little. */
static void save(const struct machine_options *o)
{
	struct machine *m = rig_create(o);
	uint64_t *data = cluster_ram(&m->cl, RIG_DATA, 4096), x = 1;
	struct error_text why = { "" };
	char beside[96];

	/* Data that does not compress, so that the file is more than its header. */
	for (unsigned n = 0; n < 512; n++)
		data[n] = x = x * 6364136223846793005u + 1442695040888963407u;
	RIG_CODE(m, RAM_BASE, addi(A0, ZERO, 42), END);
	rig_run(m, 1000);
	strcpy(locked, "/");
	ok(machine_save(m, file, &why));
	is_str(why.text, "");
	/* While it was being written, so that it was not taken for one that is left over. */
	snprintf(beside, sizeof(beside), "%s.%d.new", file, (int)getpid());
	is_str(strrchr(locked, '/') + 1, beside);
	machine_destroy(m);
}

/* Restores file into a machine made from o; the reason if it is refused, otherwise "". */
static const char *restore(const struct machine_options *o)
{
	static struct error_text why;
	struct machine *m = rig_create(o);

	why.text[0] = 0;
	if (machine_restore(m, file, &why)) {
		is(m->cl.hart[0]->x[A0], 42);
		is_str(why.text, "");
	} else {
		/* It must not run. */
		uint64_t now = m->now;

		ok(why.text[0]);
		machine_run(m);
		is(m->now, now);
	}
	machine_destroy(m);
	return why.text;
}

static void refused(const struct machine_options *o, const char *reason)
{
	char line[400];

	snprintf(line, sizeof(line), "%s: %s", file, reason);
	is_str(restore(o), line);
}

static uint8_t *read_file(size_t *len)
{
	FILE *f = fopen(file, "rb");
	uint8_t *data = malloc(1 << 20);

	*len = f ? fread(data, 1, 1 << 20, f) : 0;
	if (f)
		fclose(f);
	return data;
}

static void write_file(const void *data, size_t len)
{
	FILE *f = fopen(file, "wb");

	is(fwrite(data, 1, len, f), len);
	fclose(f);
}

static void round_trip(void)
{
	save(NULL);
	is_str(restore(NULL), "");
}

static void not_snapshots(void)
{
	unlink(file);
	refused(NULL, "No such file or directory");
	write_file("", 0);
	refused(NULL, "not a snapshot");
	write_file("HOLTSNA", 7);
	refused(NULL, "not a snapshot");
	write_file("#!/bin/sh\necho a script\n", 24);
	refused(NULL, "not a snapshot");
}

#define DAMAGED_FIRST "damaged: its beginning is not what was saved"
#define DAMAGED	      "damaged: it is not what was saved"
#define CUT	      "damaged: its end is missing"
#define ANOTHER	      "made by another build of holter; save it anew"

/* The message for a file with one bit of byte n changed. */
static const char *damage_at(size_t n)
{
	if (n < offsetof(struct header, version))
		return "not a snapshot";
	if (n < offsetof(struct header, build))
		return ANOTHER;
	return n < sizeof(struct header) ? DAMAGED_FIRST : DAMAGED;
}

static void any_bit(void)
{
	size_t len;
	uint8_t *data;

	save(NULL);
	data = read_file(&len);
	ok(len > sizeof(struct header) + 4096);
	/* Both ends byte by byte, the rest in steps. */
	for (size_t n = 0; n < len; n += n < 16 || n + 24 > len ? 1 : 23) {
		tap_context("byte %zu of %zu", n, len);
		data[n] ^= 1 << n % 8;
		write_file(data, len);
		refused(NULL, damage_at(n));
		data[n] ^= 1 << n % 8;
	}
	for (size_t n = 8; n<len; n += n + 24> len ? 1 : 11) {
		tap_context("cut to %zu of %zu", n, len);
		write_file(data, n);
		refused(NULL, n < sizeof(struct header) + 8 ? CUT : DAMAGED);
	}
	tap_context("longer");
	write_file(data, len + 1);
	refused(NULL, DAMAGED);
	free(data);
}

/* Computes the checksums anew, so that only the contents are wrong. */
static void seal(uint8_t *data, size_t len)
{
	struct header *h = (struct header *)data;
	uint64_t sum;

	h->check = header_check(h);
	sum = check(CHECK_START, data, len - 8);
	memcpy(data + len - 8, &sum, 8);
	write_file(data, len);
}

static void other_builds(void)
{
	size_t len;
	uint8_t *data;
	struct header *h;

	save(NULL);
	data = read_file(&len);
	h = (struct header *)data;
	h->build[5] ^= 1;
	seal(data, len);
	refused(NULL, ANOTHER);
	h->build[5] ^= 1;
	h->version++;
	seal(data, len);
	refused(NULL, ANOTHER);
	h->version--;
	h->shape[SHAPE_HARTS] = HARTS_MAX + 1;
	seal(data, len);
	refused(NULL, "made for a machine that is not possible");
	h->shape[SHAPE_HARTS] = 1;
	seal(data, len);
	is_str(restore(NULL), "");
	free(data);
}

static void other_shapes(void)
{
	static const struct {
		struct machine_options o;
		const char *line;
	} rows[] = {
		{ { .harts = 2 }, "saved with --smp 1, and this machine has 2" },
		{ { .memory = 32 << 20 }, "saved with --memory 16M, and this machine has 32M" },
		{ { .counters = 4 }, "saved with --counters 29, and this machine has 4" },
		{ { .width = 40 }, "saved with --width 64, and this machine has 40" },
		{ { .quantum = 99 }, "saved with --quantum 0, and this machine has 99" },
		{ { .paranoid = true }, "saved without --paranoid, and this machine is with" },
		{ { .smstateen = true }, "saved without --smstateen, and this machine is with" },
		{ { .svade = true }, "saved without --svade, and this machine is with" },
		{ { .trap_misaligned = true },
		  "saved without --misaligned-trap, and this machine is with" },
		{ { .semihosting = true },
		  "saved with --no-semihosting, and this machine is without" },
		{ { .share = "." }, "saved without --share, and this machine is with" },
	};
	size_t len;
	uint8_t *data;

	save(NULL);
	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		tap_context("row %u", n);
		refused(&rows[n].o, rows[n].line);
	}
	tap_context("devices");
	data = read_file(&len);
	strcpy(((struct header *)data)->devices[6], "toaster");
	seal(data, len);
	refused(NULL, "saved with device 6 'toaster', here it is 'none'");
	free(data);
}

/* A CPU is its description: another name for the same one is accepted, a changed one is refused. */
static void other_cpus(void)
{
	struct cpu_models models;
	struct cpu cpu;
	struct machine_options o = { .cpu = &cpu }, from = { 0 };
	char name[CPU_NAME_SIZE], set[CPU_SETS_SIZE];
	struct error_text why = { "" };
	char *sets[] = { (char *)"l1d.ways=4", (char *)"l2.size=4M" };

	small_cpu(&cpu, &models);
	strcpy(cpu.name, "this.dts");
	save(&o);
	strcpy(cpu.name, "copy.dts");
	is_str(restore(&o), "");
	cpu.identity = 2;
	refused(&o, "saved with --cpu this.dts, which is not this copy.dts");
	strcpy(cpu.name, "this.dts");
	refused(&o, "saved when the description of --cpu this.dts was another");
	cpu.sets.at = sets;
	cpu.sets.nr = 2;
	refused(&o, "saved with --set (none), and this machine has l1d.ways=4 l2.size=4M");
	save(&o);
	ok(machine_snapshot_options(file, &from, name, set, &why));
	is_str(name, "this.dts");
	is_str(set, "l1d.ways=4\nl2.size=4M");
	cpu.sets.nr = 0;
	cpu.identity = 1;
	refused(&o, "saved with --set l1d.ways=4 l2.size=4M, and this machine has (none)");
	save(&o);
	cpu.hz = 1850000000;
	refused(&o, "saved with the clock 1000000000, and this machine has 1850000000");
	cpu.hz = 0;
	cpu.trap_misaligned = true;
	save(&o);
	o.trap_misaligned = true; /* as the CPU's do, anyway */
	is_str(restore(&o), "");
	ok(machine_snapshot_options(file, &from, name, set, &why));
	ok(from.trap_misaligned);
	o.trap_misaligned = cpu.trap_misaligned = false;
	save(&o);
	o.models = true;
	refused(&o, "saved without models, and this machine is with");
}

/* The header sets the options of the machine that the snapshot can be restored into. */
static void brings_its_options(void)
{
	const struct machine_options o = {
		.harts = 3,
		.memory = 24 << 20,
		.counters = 5,
		.width = 33,
		.quantum = 77,
		.paranoid = true,
		.trap_misaligned = true,
		.smstateen = true,
		.svade = true,
		.semihosting = true,
	};
	struct machine_options from = { .drive = "untouched" };
	char cpu[CPU_NAME_SIZE], set[CPU_SETS_SIZE] = "not one";
	struct error_text why = { "" };

	save(&o);
	ok(machine_snapshot_options(file, &from, cpu, set, &why));
	is_str(set, "");
	is_str(from.drive, "untouched");
	from.drive = NULL;
	is_str(restore(&from), "");
	write_file("nothing", 7);
	ok(!machine_snapshot_options(file, &from, cpu, set, &why));
	is(from.harts, 3);
}

/* An intact file with an impossible state: state_restore refuses it, or its end is wrong. */
static void impossible(void)
{
	struct machine *m = rig_create(NULL);
	struct error_text why = { "" };
	size_t len;
	uint8_t *data;

	m->cl.hart[0]->mode = 2;
	ok(machine_save(m, file, &why));
	refused(NULL, "not a possible state of hart 0");
	m->cl.hart[0]->mode = PRV_M;
	m->now = UINT64_MAX;
	ok(machine_save(m, file, &why));
	refused(NULL, "not a possible state of the machine as a whole");
	machine_destroy(m);

	/* The file has more than the state. */
	save(NULL);
	data = read_file(&len);
	memmove(data + len, data + len - 8, 8);
	memset(data + len - 8, 0, 8);
	seal(data, len + 8);
	refused(NULL, "not a possible state at its end");
	free(data);
}

static void disk_full(void)
{
	struct machine *m = rig_create(NULL);
	struct rlimit limit, small = { 300, 0 };
	struct error_text why = { "" };
	uint8_t *before, *after;
	char line[200];
	size_t len, now;

	ok(!machine_save(m, "/dev/full", &why));
	is_str(why.text, "/dev/full: No space left on device; nothing is saved");
	ok(!machine_save(m, "no/such/folder", &why));
	is_str(why.text, "no/such/folder: No such file or directory; nothing is saved");

	/* A pipe; opening it would wait for a reader. */
	unlink(file);
	ok(!mkfifo(file, 0600));
	ok(!machine_save(m, file, &why));
	snprintf(line, sizeof(line), "%s: No such device or address; nothing is saved", file);
	is_str(why.text, line);
	unlink(file);

	/* An older snapshot stays if a newer one does not fit. */
	save(NULL);
	before = read_file(&len);
	m->cl.hart[0]->x[A0] = 43;
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	small.rlim_max = limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &small);
	ok(!machine_save(m, file, &why));
	setrlimit(RLIMIT_FSIZE, &limit);
	snprintf(line, sizeof(line), "%s: File too large; nothing is saved", file);
	is_str(why.text, line);
	after = read_file(&now);
	is(now, len);
	ok(now == len && !memcmp(before, after, len));
	snprintf(line, sizeof(line), "%s.%d.new", file, (int)getpid());
	ok(access(line, F_OK) < 0);
	is_str(restore(NULL), "");
	free(before);
	free(after);
	machine_destroy(m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a file, and back", round_trip },
		{ "files that are not snapshots", not_snapshots },
		{ "any changed bit, any cut", any_bit },
		{ "another build's", other_builds },
		{ "another machine's", other_shapes },
		{ "another CPU's", other_cpus },
		{ "the options of its machine", brings_its_options },
		{ "intact, but impossible", impossible },
		{ "no room for the file", disk_full },
	};
	int status;

	snprintf(file, sizeof(file), "snapshot-file-test.%d", (int)getpid());
	status = tap_run(cases, TAP_NR(cases));
	unlink(file);
	return status;
}
