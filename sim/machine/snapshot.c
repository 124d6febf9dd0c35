// SPDX-License-Identifier: BSD-2-Clause
/*
 * snapshot.c - writes and reads the file of a snapshot (snapshot.h); state.c decides what is in it.
 *
 *	struct header		not compressed: the build that wrote it, and the machine's shape
 *	zstd frame		the state
 *	8 bytes			checksum of all bytes before
 *
 * machine_restore checks the header, the machine's shape and then the checksum of the whole file,
 * before one byte of the state reaches the machine.  The checksum finds damage, not an attack:
 * state_restore does not trust the state either.
 *
 * Uses libzstd.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "build_id.h"
#include "common.h"
#include "snapshot.h"
#include "state.h"
#include "write.h"

#define MAGIC	"HOLTSNAP"
#define VERSION 5
#define LEVEL	1
#define BUFFER	65536u /* a multiple of 8 */

/*
 * The machine shape: a snapshot can be restored only if all these values are equal.  Each is an
 * option of holter run, but for the clock, which the CPU tells.
 */
enum {
	SHAPE_CPU,
	SHAPE_CLOCK,
	SHAPE_HARTS,
	SHAPE_MEMORY,
	SHAPE_COUNTERS,
	SHAPE_WIDTH,
	SHAPE_QUANTUM,
	SHAPE_MODELS,
	SHAPE_PARANOID,
	SHAPE_SMSTATEEN,
	SHAPE_SVADE,
	SHAPE_TRAP_MISALIGNED,
	SHAPE_NO_SEMIHOSTING,
	SHAPE_DRIVE,
	SHAPE_DRIVE_READ_ONLY,
	SHAPE_SHARE,
	SHAPE_NETWORK,
	SHAPE_NR
};

/* The names of each value in messages and in JSON, and its kind. */
static const struct machine_shape shape_table[SHAPE_NR] = {
	[SHAPE_CPU] = { "--cpu", "cpu", MACHINE_CPU },
	[SHAPE_CLOCK] = { "the clock", "clock", MACHINE_NUMBER },
	[SHAPE_HARTS] = { "--smp", "harts", MACHINE_NUMBER },
	[SHAPE_MEMORY] = { "--memory", "memory", MACHINE_BYTES },
	[SHAPE_COUNTERS] = { "--counters", "counters", MACHINE_NUMBER },
	[SHAPE_WIDTH] = { "--width", "width", MACHINE_NUMBER },
	[SHAPE_QUANTUM] = { "--quantum", "quantum", MACHINE_NUMBER },
	[SHAPE_MODELS] = { "models", "models", MACHINE_SWITCH },
	[SHAPE_PARANOID] = { "--paranoid", "paranoid", MACHINE_SWITCH },
	[SHAPE_SMSTATEEN] = { "--smstateen", "smstateen", MACHINE_SWITCH },
	[SHAPE_SVADE] = { "--svade", "svade", MACHINE_SWITCH },
	[SHAPE_TRAP_MISALIGNED] = { "--misaligned-trap", "misaligned_trap", MACHINE_SWITCH },
	[SHAPE_NO_SEMIHOSTING] = { "--no-semihosting", "no_semihosting", MACHINE_SWITCH },
	[SHAPE_DRIVE] = { "a drive", "drive", MACHINE_SWITCH },
	[SHAPE_DRIVE_READ_ONLY] = { "--drive-ro", "drive_ro", MACHINE_SWITCH },
	[SHAPE_SHARE] = { "--share", "share", MACHINE_SWITCH },
	[SHAPE_NETWORK] = { "--net", "net", MACHINE_SWITCH },
};

struct header {
	char magic[8];
	uint64_t version;
	char build[64];
	uint64_t shape[SHAPE_NR];
	char cpu[CPU_NAME_SIZE];
	char set[CPU_SETS_SIZE]; /* the texts of --set, a line each */
	char devices[DEVICES_MAX][16]; /* the kinds of the devices, in order; "" after the last */
	uint64_t check; /* checksum of the fields above */
};

/*
 * The checksum.  Each step is a bijection of the sum when the word is given, and a bijection of the
 * word when the sum is given.  Damage within one word therefore always changes the result; other
 * damage almost always does.  len must be a multiple of 8, except in the last call.
 */
#define CHECK_START 0x9e3779b97f4a7c15ull

static uint64_t check_word(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * 0xff51afd7ed558ccdull;
	return (sum << 29 | sum >> 35) + CHECK_START;
}

static uint64_t check(uint64_t sum, const void *data, size_t len)
{
	const uint8_t *p = data;
	uint64_t word;

	for (; len >= 8; p += 8, len -= 8) {
		memcpy(&word, p, 8);
		sum = check_word(sum, word);
	}
	if (len) {
		word = (uint64_t)len << 56;
		memcpy(&word, p, len);
		sum = check_word(sum, word);
	}
	return sum;
}

static uint64_t header_check(const struct header *h)
{
	return check(CHECK_START, h, offsetof(struct header, check));
}

/* The only place that decides which options belong to the machine shape. */
static void fill_shape(uint64_t shape[SHAPE_NR], const struct machine_options *o)
{
	const struct cpu *cpu = o->booted ? o->booted : o->cpu;

	shape[SHAPE_CPU] = cpu ? cpu->identity : 0;
	shape[SHAPE_CLOCK] = cpu_hz(o->cpu);
	shape[SHAPE_HARTS] = o->harts;
	shape[SHAPE_MEMORY] = o->memory;
	shape[SHAPE_COUNTERS] = o->counters;
	shape[SHAPE_WIDTH] = o->width;
	shape[SHAPE_QUANTUM] = o->quantum;
	shape[SHAPE_MODELS] = o->models && o->cpu && o->cpu->models;
	shape[SHAPE_PARANOID] = o->paranoid;
	shape[SHAPE_SMSTATEEN] = o->smstateen;
	shape[SHAPE_SVADE] = o->svade;
	shape[SHAPE_TRAP_MISALIGNED] = machine_traps_misaligned(o);
	shape[SHAPE_NO_SEMIHOSTING] = !o->semihosting;
	shape[SHAPE_DRIVE] = o->drive != NULL;
	shape[SHAPE_DRIVE_READ_ONLY] = o->drive && o->drive_read_only;
	shape[SHAPE_SHARE] = o->share != NULL;
	shape[SHAPE_NETWORK] = o->network;
}

bool machine_shape(const struct machine_options *o, unsigned n, struct machine_shape *row)
{
	uint64_t shape[SHAPE_NR];

	if (n >= SHAPE_NR)
		return false;
	fill_shape(shape, o);
	*row = shape_table[n];
	row->value = shape[n];
	return true;
}

/* Writes the texts of --set, a line each; cpu_read() has limited their size. */
static void fill_set(char set[CPU_SETS_SIZE], const struct cpu *cpu)
{
	size_t len = 0;

	for (size_t n = 0; n < cpu->sets.nr && len < CPU_SETS_SIZE; n++)
		len += snprintf(set + len, CPU_SETS_SIZE - len, "%s%s", n ? "\n" : "",
				cpu->sets.at[n]);
}

static void header_fill(struct header *h, const struct machine *m)
{
	const struct machine_options *o = &m->o;
	const struct cpu *cpu = o->booted ? o->booted : o->cpu;

	memset(h, 0, sizeof(*h));
	memcpy(h->magic, MAGIC, sizeof(h->magic));
	h->version = VERSION;
	memcpy(h->build, SIM_BUILD_ID, sizeof(h->build));
	if (cpu) {
		snprintf(h->cpu, sizeof(h->cpu), "%s", cpu->name);
		fill_set(h->set, cpu);
	}
	fill_shape(h->shape, o);
	for (unsigned n = 0; n < m->devices; n++) {
		const struct device *d = m->device[n];

		strncpy(h->devices[n], d->kind ? d->kind : d->name, sizeof(h->devices[n]) - 1);
	}
	h->check = header_check(h);
}

/* Writing */

struct writer {
	int fd, error; /* errno */
	uint64_t sum;
	size_t used;
	ZSTD_CCtx *zstd;
	uint8_t buffer[BUFFER];
};

static bool write_bytes(struct writer *w, const void *data, size_t len)
{
	if (!w->error && !write_all(w->fd, data, len))
		w->error = errno;
	return !w->error;
}

static bool flush(struct writer *w)
{
	w->sum = check(w->sum, w->buffer, w->used);
	write_bytes(w, w->buffer, w->used);
	w->used = 0;
	return !w->error;
}

static bool put(struct writer *w, const void *data, size_t len)
{
	const uint8_t *from = data;

	while (len && !w->error) {
		size_t n = BUFFER - w->used;

		n = n < len ? n : len;
		memcpy(w->buffer + w->used, from, n);
		w->used += n;
		from += n;
		len -= n;
		if (w->used == BUFFER)
			flush(w);
	}
	return !w->error;
}

static bool compress_part(struct writer *w, const void *data, size_t len, ZSTD_EndDirective end)
{
	ZSTD_inBuffer in = { data, len, 0 };
	uint8_t part[16384];
	size_t left;

	do {
		ZSTD_outBuffer out = { part, sizeof(part), 0 };

		left = ZSTD_compressStream2(w->zstd, &out, &in, end);
		if (ZSTD_isError(left))
			w->error = ENOMEM;
		else
			put(w, part, out.pos);
	} while (!w->error && (in.pos < len || (end == ZSTD_e_end && left)));
	return !w->error;
}

static bool stream_compress(void *opaque, const void *data, size_t len)
{
	return compress_part(opaque, data, len, ZSTD_e_continue);
}

static bool write_snapshot(struct writer *w, struct machine *m)
{
	const struct stream s = { .opaque = w, .write = stream_compress };
	struct header h;

	w->zstd = ZSTD_createCCtx();
	if (!w->zstd)
		w->error = ENOMEM;
	else
		ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, LEVEL);
	header_fill(&h, m);
	if (put(w, &h, sizeof(h)) && state_save(m, &s) && compress_part(w, NULL, 0, ZSTD_e_end) &&
	    flush(w))
		write_bytes(w, &w->sum, sizeof(w->sum));
	ZSTD_freeCCtx(w->zstd);
	return !w->error;
}

/* Writes the snapshot to fd and closes it.  Returns 0 or errno. */
static int save_to(struct machine *m, int fd)
{
	struct writer *w = malloc(sizeof(*w));
	int error;

	if (!w) {
		close(fd);
		return ENOMEM;
	}
	*w = (struct writer){ .fd = fd, .sum = CHECK_START };
	write_snapshot(w, m);
	if (close(fd) && !w->error)
		w->error = errno;
	error = w->error;
	free(w);
	return error;
}

/*
 * Writes a new file beside path, and renames it to path when it is complete.  The lock on it tells
 * that it is being written.
 */
static int save_beside(struct machine *m, const char *path)
{
	char *beside;
	int fd, error;

	if (asprintf(&beside, "%s.%d.new", path, (int)getpid()) < 0)
		return ENOMEM;
	fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd >= 0)
		flock(fd, LOCK_EX | LOCK_NB);
	error = fd < 0 ? errno : save_to(m, fd);
	if (!error && rename(beside, path))
		error = errno;
	if (error && fd >= 0)
		unlink(beside);
	free(beside);
	return error;
}

bool machine_save(struct machine *m, const char *path, struct error_text *why)
{
	char to[PATH_MAX];
	const char *real = realpath(path, to);
	struct stat st;
	int error, fd;

	if (m->o.booted)
		return dev_refuse(why,
				  "%s: the models are not those of the machine that booted; "
				  "nothing is saved",
				  path);
	if (real && !stat(real, &st) && !S_ISREG(st.st_mode)) {
		/* With O_NONBLOCK, open() of a pipe that has no reader fails instead of waiting. */
		fd = open(real, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd >= 0)
			fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
		error = fd < 0 ? errno : save_to(m, fd);
	} else {
		error = save_beside(m, real ? real : path);
	}
	if (error)
		dev_refuse(why, "%s: %s; nothing is saved", path,
			   error == ENOMEM ? "out of memory" : strerror(error));
	return !error;
}

/* Reading */

struct reader {
	int fd;
	uint64_t left; /* compressed bytes not yet read */
	ZSTD_DCtx *zstd;
	ZSTD_inBuffer in;
	bool ended, failed;
	uint8_t buffer[BUFFER];
};

static bool read_all(int fd, void *data, size_t len)
{
	uint8_t *to = data;

	while (len) {
		ssize_t n = read(fd, to, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		to += n;
		len -= (size_t)n;
	}
	return true;
}

/* Whether the checksum at the end of a file of size bytes fits the bytes before it. */
static bool file_whole(int fd, uint64_t size, uint8_t *buffer)
{
	uint64_t sum = CHECK_START, last;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return false;
	for (uint64_t left = size - sizeof(sum); left;) {
		size_t n = left < BUFFER ? left : BUFFER;

		if (!read_all(fd, buffer, n))
			return false;
		sum = check(sum, buffer, n);
		left -= n;
	}
	return read_all(fd, &last, sizeof(last)) && last == sum;
}

static bool fill(struct reader *r)
{
	size_t n = r->left < BUFFER ? r->left : BUFFER;

	if (!n || !read_all(r->fd, r->buffer, n))
		return false;
	r->left -= n;
	r->in = (ZSTD_inBuffer){ r->buffer, n, 0 };
	return true;
}

static bool stream_decompress(void *opaque, void *data, size_t len)
{
	struct reader *r = opaque;
	ZSTD_outBuffer out = { data, len, 0 };
	size_t before, left;

	while (!r->failed && out.pos < len) {
		before = out.pos;
		left = r->ended ? 0 : ZSTD_decompressStream(r->zstd, &out, &r->in);
		r->ended = left == 0;
		r->failed = ZSTD_isError(left) || (out.pos < len && r->ended);
		/* zstd has made nothing and has no input left: read more. */
		if (!r->failed && out.pos == before && r->in.pos == r->in.size && !fill(r))
			r->failed = true;
	}
	return !r->failed;
}

/* Whether the frame, of which more may be left, and the file end well. */
static bool at_end(struct reader *r, bool more)
{
	uint8_t bytes[4096];
	bool any = false;

	while (!r->ended && (more || !any)) {
		ZSTD_outBuffer out = { bytes, sizeof(bytes), 0 };
		size_t left = ZSTD_decompressStream(r->zstd, &out, &r->in);

		if (ZSTD_isError(left))
			return false;
		any |= out.pos;
		r->ended = left == 0;
		if (!r->ended && !out.pos && r->in.pos == r->in.size && !fill(r))
			return false;
	}
	return r->ended && (more || !any) && r->in.pos == r->in.size && !r->left;
}

static bool header_possible(const struct header *h)
{
	const uint64_t *s = h->shape;

	return !h->set[CPU_SETS_SIZE - 1] && s[SHAPE_HARTS] >= 1 && s[SHAPE_HARTS] <= HARTS_MAX &&
	       s[SHAPE_MEMORY] && !(s[SHAPE_MEMORY] & ~PAGE_MASK) &&
	       (s[SHAPE_COUNTERS] <= 29 || s[SHAPE_COUNTERS] == MACHINE_AS_CPU) &&
	       ((s[SHAPE_WIDTH] >= 1 && s[SHAPE_WIDTH] <= 64) || s[SHAPE_WIDTH] == MACHINE_AS_CPU);
}

/* Opens path and checks its header.  Returns the descriptor, or -1 with the reason in *why. */
static int open_snapshot(const char *path, struct header *h, uint64_t *size, struct error_text *why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0) {
		dev_refuse(why, "%s: %s", path, strerror(errno));
		return -1;
	}
	memset(h, 0, sizeof(*h));
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || read(fd, h, sizeof(*h)) < 8 ||
	    memcmp(h->magic, MAGIC, sizeof(h->magic)))
		dev_refuse(why, "%s: not a snapshot", path);
	else if ((uint64_t)st.st_size < sizeof(*h) + sizeof(uint64_t))
		dev_refuse(why, "%s: damaged: its end is missing", path);
	else if (h->version != VERSION)
		dev_refuse(why, "%s: made by another build of holter; save it anew", path);
	else if (h->check != header_check(h))
		dev_refuse(why, "%s: damaged: its beginning is not what was saved", path);
	else if (memcmp(h->build, SIM_BUILD_ID, sizeof(h->build)))
		dev_refuse(why, "%s: made by another build of holter; save it anew", path);
	else if (!header_possible(h))
		dev_refuse(why, "%s: made for a machine that is not possible", path);
	else {
		*size = st.st_size;
		return fd;
	}
	close(fd);
	return -1;
}

/* The value of an option of kind MACHINE_NUMBER as text. */
static const char *shape_text(uint64_t value, char to[24])
{
	if (value == MACHINE_AS_CPU)
		return "as the CPU has";
	snprintf(to, 24, "%llu", (unsigned long long)value);
	return to;
}

static bool shape_differs(const char *path, unsigned n, uint64_t saved, uint64_t here,
			  struct error_text *why)
{
	const char *option = shape_table[n].option;
	char number[2][24];

	if (shape_table[n].kind == MACHINE_SWITCH)
		dev_refuse(why, "%s: saved %s %s, and this machine is %s", path,
			   saved ? "with" : "without", option, here ? "with" : "without");
	else if (shape_table[n].kind == MACHINE_BYTES)
		dev_refuse(why, "%s: saved with %s %lluM, and this machine has %lluM", path, option,
			   (unsigned long long)saved >> 20, (unsigned long long)here >> 20);
	else
		dev_refuse(why, "%s: saved with %s %s, and this machine has %s", path, option,
			   shape_text(saved, number[0]), shape_text(here, number[1]));
	return false;
}

/* The texts of --set of a header, with blanks between them. */
static const char *set_text(const char *set, char to[100])
{
	snprintf(to, 100, "%.90s%s", *set ? set : "(none)", strlen(set) > 90 ? "..." : "");
	for (char *c = to; *c; c++)
		*c = isprint((unsigned char)*c) ? *c : ' ';
	return to;
}

/* The identities of the CPUs differ. */
static bool cpu_differs(const char *path, const struct header *saved, const struct header *here,
			struct error_text *why)
{
	char was[100], is[100];

	if (strcmp(saved->cpu, here->cpu) != 0)
		return dev_refuse(why, "%s: saved with --cpu %.80s, which is not this %.80s", path,
				  saved->cpu, here->cpu);
	if (strcmp(saved->set, here->set) != 0)
		return dev_refuse(why, "%s: saved with --set %s, and this machine has %s", path,
				  set_text(saved->set, was), set_text(here->set, is));
	return dev_refuse(why, "%s: saved when the description of --cpu %.80s was another", path,
			  here->cpu);
}

static bool same_shape(const char *path, const struct header *saved, const struct machine *m,
		       struct error_text *why)
{
	struct header here;
	unsigned n;

	header_fill(&here, m);
	for (n = 0; n < SHAPE_NR && saved->shape[n] == here.shape[n]; n++)
		;
	if (n == SHAPE_CPU)
		return cpu_differs(path, saved, &here, why);
	if (n < SHAPE_NR)
		return shape_differs(path, n, saved->shape[n], here.shape[n], why);
	for (n = 0; n < DEVICES_MAX; n++) {
		const char *was = saved->devices[n], *is = here.devices[n];

		if (memcmp(was, is, sizeof(here.devices[n])))
			return dev_refuse(why,
					  "%s: saved with device %u '%.16s', here it is '%.16s'",
					  path, n, was, is);
	}
	return true;
}

/* Restores the state from fd, a file of size bytes whose header has this machine's shape. */
static bool restore_from(struct machine *m, int fd, uint64_t size, const char *path,
			 struct error_text *why)
{
	struct reader *r = calloc(1, sizeof(*r));
	const struct stream s = { .opaque = r, .read = stream_decompress };
	struct error_text what = { "at its end" };
	bool done = false;

	if (r)
		r->zstd = ZSTD_createDCtx();
	if (!r || !r->zstd) {
		dev_refuse(why, "%s: out of memory", path);
	} else if (!file_whole(fd, size, r->buffer) ||
		   lseek(fd, sizeof(struct header), SEEK_SET) < 0) {
		dev_refuse(why, "%s: damaged: it is not what was saved", path);
	} else {
		r->fd = fd;
		r->left = size - sizeof(struct header) - sizeof(uint64_t);
		done = state_restore(m, &s, &what) && at_end(r, m->o.booted);
		if (!done)
			dev_refuse(why, "%s: not a possible state %s", path, what.text);
	}
	if (r)
		ZSTD_freeDCtx(r->zstd);
	free(r);
	return done;
}

bool machine_restore(struct machine *m, const char *path, struct error_text *why)
{
	struct header h;
	uint64_t size;
	int fd = open_snapshot(path, &h, &size, why);
	bool done = fd >= 0 && same_shape(path, &h, m, why) && restore_from(m, fd, size, path, why);

	if (fd >= 0)
		close(fd);
	if (!done)
		machine_finish(m, 1, false);
	return done;
}

bool machine_snapshot_options(const char *path, struct machine_options *o, char cpu[CPU_NAME_SIZE],
			      char set[CPU_SETS_SIZE], struct error_text *why)
{
	struct header h;
	uint64_t size;
	int fd = open_snapshot(path, &h, &size, why);

	if (fd < 0)
		return false;
	close(fd);
	memcpy(set, h.set, CPU_SETS_SIZE - 1);
	set[CPU_SETS_SIZE - 1] = '\0';
	memcpy(cpu, h.cpu, CPU_NAME_SIZE - 1);
	cpu[CPU_NAME_SIZE - 1] = '\0';
	o->harts = h.shape[SHAPE_HARTS];
	o->memory = h.shape[SHAPE_MEMORY];
	o->counters = h.shape[SHAPE_COUNTERS];
	o->width = h.shape[SHAPE_WIDTH];
	o->quantum = h.shape[SHAPE_QUANTUM];
	o->models = h.shape[SHAPE_MODELS];
	o->paranoid = h.shape[SHAPE_PARANOID];
	o->smstateen = h.shape[SHAPE_SMSTATEEN];
	o->svade = h.shape[SHAPE_SVADE];
	o->trap_misaligned = h.shape[SHAPE_TRAP_MISALIGNED];
	o->semihosting = !h.shape[SHAPE_NO_SEMIHOSTING];
	o->network = h.shape[SHAPE_NETWORK];
	return true;
}
