// SPDX-License-Identifier: BSD-2-Clause
/*
 * load.c - reads a profile from any kind of file (report.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "data.h"
#include "exact_load.h"
#include "file.h"
#include "holter.h"
#include "kallsyms_kept.h"
#include "near.h"
#include "number.h"
#include "perf_reader.h"
#include "report.h"
#include "report_rows.h"
#include "slurp.h"
#include "term.h"
#include "unwind.h"

#define JITDUMP_MAX  (1 << 30) /* bytes of a jitdump file */
#define KEPT_FROM    (1 << 20) /* bytes of an exact profile: a smaller one is read in no time */
#define KALLSYMS_MAX (256 << 20) /* bytes; a large kernel has 15 million */

struct bytes {
	char *at;
	size_t len;
};

/* Reads a whole file; "-" is standard input, of any kind. */
static bool read_file(const char *path, struct bytes *b)
{
	int fd = strcmp(path, "-") ? file_open("", path) : dup(0), error;

	if (fd < 0)
		return false;
	b->at = slurp_fd(fd, SIZE_MAX, &b->len, NULL);
	error = errno;
	close(fd);
	errno = error;
	return b->at;
}

/* Returns whether this machine still runs the kernel that the profile was recorded with. */
static bool is_this_kernel(const struct profile *p, const struct bytes *kallsyms)
{
	char line[160];
	struct utsname u;

	if (!p->kernel_symbol || !p->hostname || !p->release || uname(&u) ||
	    strcmp(u.nodename, p->hostname) != 0 || strcmp(u.release, p->release) != 0)
		return false;
	snprintf(line, sizeof(line), "%016llx T %s\n", (unsigned long long)p->kernel_addr,
		 p->kernel_symbol);
	return memmem(kallsyms->at, kallsyms->len, line, strlen(line)) != NULL;
}

/* Returns whether the kernel has the address of the profile: KASLR moves it at each boot. */
static bool is_that_start(const struct profile *p, const struct bytes *kallsyms)
{
	static const char types[] = "Tt";
	char end[128];

	if (!p->kernel_symbol || !p->kernel_addr)
		return true;
	for (size_t i = 0; types[i]; i++) {
		uint64_t start;
		const char *at;
		int len = snprintf(end, sizeof(end), " %c %s\n", types[i], p->kernel_symbol);

		at = memmem(kallsyms->at, kallsyms->len, end, len);
		if (!at || at - kallsyms->at < 16)
			continue;
		return number_hex(at - 16, 16, &start) && start == p->kernel_addr;
	}
	return true;
}

static bool add_kallsyms(struct profile *p, const struct report_options *o)
{
	const char *path = o->kallsyms ? o->kallsyms : "/proc/kallsyms";
	struct bytes b = { 0 };
	bool good, added = false;

	b.at = file_read("", path, KALLSYMS_MAX, &b.len);
	good = b.at != NULL;
	if (!good && o->kallsyms)
		holter_error("--kallsyms %s: %s", path, file_text(errno));
	if (good && o->kallsyms && !is_that_start(p, &b)) {
		holter_error("%s: the kernel has been started anew since, or is another: its %s is "
			     "not at 0x%llx; copy /proc/kallsyms when recording",
			     path, p->kernel_symbol, (unsigned long long)p->kernel_addr);
		free(b.at);
		return false;
	}
	if (good && (o->kallsyms || is_this_kernel(p, &b)))
		added = profile_add_kallsyms(p, b.at, b.len);
	if (good && o->kallsyms && !added)
		holter_error("%s: these are not the symbols of a kernel, or their addresses are "
			     "hidden (kernel.kptr_restrict); copy /proc/kallsyms as root",
			     path);
	free(b.at);
	return added || !o->kallsyms;
}

/* Adds the symbols of a guest's kernel that holter run has kept, by its build id. */
static void add_kept_kallsyms(struct profile *p, const struct perf_reader *reader)
{
	struct bytes b = { 0 };
	size_t size = 0;
	const uint8_t *id = perf_reader_kernel_id(reader, &size);

	b.at = id ? kallsyms_kept(id, size, &b.len) : NULL;
	if (b.at && is_that_start(p, &b))
		profile_add_kallsyms(p, b.at, b.len);
	free(b.at);
}

static bool has_kernel(const struct profile *p)
{
	for (size_t i = 0; i < p->objects.nr; i++) {
		if (p->objects.at[i].kind == PROFILE_KERNEL && p->objects.at[i].symbols.nr)
			return true;
	}
	return false;
}

/* Is read() of a struct perf_jitdumps: a copy beside the profile comes first. */
static char *read_jitdump(void *cookie, const char *path, size_t *len)
{
	const struct report *r = cookie;
	char beside[PATH_MAX], *data = NULL;

	if (r->folder && snprintf(beside, sizeof(beside), "%s%s", r->folder, strrchr(path, '/')) <
				 (int)sizeof(beside))
		data = file_read("", beside, JITDUMP_MAX, len);
	return data ? data : file_read_recorded(r->o->symfs, path, JITDUMP_MAX, len);
}

static bool read_perf(struct report *r, const struct bytes *b)
{
	const struct perf_jitdumps jitdumps = { read_jitdump, r };
	const struct report_options *o = r->o;
	const char *path = r->path;
	struct profile *p = r->p;
	struct error_text why = { "" };
	struct perf_reader *reader = perf_reader_open(p, b->at, b->len, &why);
	struct perf_unwinder unwinder;
	struct unwind *unwind;
	bool good = reader != NULL;

	if (good && !add_kallsyms(p, o)) {
		perf_reader_close(reader);
		return false;
	}
	if (good && !has_kernel(p))
		add_kept_kallsyms(p, reader);
	unwind = good ? unwind_new(p, o->symfs) : NULL;
	unwinder = (struct perf_unwinder){ unwind_copy, unwind };
	if (good && !unwind) {
		error_set(&why, "out of memory");
		good = false;
	}
	if (good)
		perf_reader_jitdumps(reader, &jitdumps);
	good = good && perf_reader_run(reader, &unwinder, &why);
	if (!good)
		holter_error("%s: %s", path, why.text);
	unwind_free(unwind);
	perf_reader_close(reader);
	return good;
}

static bool read_exact(struct report *r, const struct bytes *b)
{
	const struct report_options *o = r->o;
	const struct exact_load_options options = {
		.events = o->events,
		.has_kallsyms = o->kallsyms,
		.code = o->code,
		.data = o->data,
		.all = o->all,
		.keep = b->len >= KEPT_FROM,
		.summary = o->summary && !o->code && !o->data,
		.functions = { report_function_number, r },
		.beside = r->folder,
		.folders = o->folders,
		.nr_folders = o->nr_folders,
	};
	struct error_text why = { "" };
	bool good;

	if (o->kallsyms && !add_kallsyms(r->p, o))
		return false;
	good = exact_load(r->p, b->at, b->len, &options, &why);
	report_close_images(r);
	if (!good)
		holter_error("%s: %s", r->path, why.text);
	return good;
}

int report_folder_option(void *options, const struct option_row *row, const char *value)
{
	struct report_options *o = options;

	if (o->nr_folders == REPORT_FOLDERS)
		return holter_error("-L: no more than %d folders", REPORT_FOLDERS);
	o->folders[o->nr_folders++] = value;
	return 0;
}

/* The kinds of files.  knows() recognizes a file; read() reads it, or prints an error. */
static const struct {
	bool (*knows)(const void *data, size_t len);
	bool (*read)(struct report *r, const struct bytes *b);
	enum report_kind kind;
} kinds[] = {
	{ perf_reader_knows, read_perf, REPORT_SAMPLES },
	{ exact_knows, read_exact, REPORT_EXACT },
};

enum report_kind report_kind_of(const char *path)
{
	char begin[64];
	int fd = file_open("", path);
	ssize_t len = fd < 0 ? 0 : read(fd, begin, sizeof(begin));

	if (fd >= 0)
		close(fd);
	for (size_t i = 0; len > 0 && i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (kinds[i].knows(begin, (size_t)len))
			return kinds[i].kind;
	}
	return REPORT_NO_PROFILE;
}

static bool read_any(struct report *r, const struct bytes *b)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (kinds[i].knows(b->at, b->len))
			return kinds[i].read(r, b);
	}
	if (!b->len)
		holter_error("%s: the file is empty", r->path);
	else if (*(const char *)b->at == '{')
		holter_error("%s: this is JSON, not a profile: holter diff compares counts of "
			     "whole runs",
			     r->path);
	else
		holter_error(
			"%s: this is not a profile: neither a perf.data nor one that holter wrote",
			r->path);
	return false;
}

/* Returns whether this is a folder of perf record --threads, which writes a file per thread. */
static bool is_perf_folder(const char *path)
{
	char data[4096];
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode) &&
	       snprintf(data, sizeof(data), "%s/data", path) < (int)sizeof(data) &&
	       !access(data, R_OK);
}

static bool has_folder(const char *option, const char *path)
{
	struct stat st;

	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return true;
	return holter_error("%s %s: there is no such folder", option, path), false;
}

/* Checks that the files and folders of the options exist, even if they are not needed. */
static bool has_places(const struct report_options *o)
{
	if (*o->symfs && !has_folder("--symfs", o->symfs))
		return false;
	for (unsigned n = 0; n < o->nr_folders; n++) {
		if (!has_folder("-L", o->folders[n]))
			return false;
	}
	if (o->vmlinux && !file_is_there("", o->vmlinux))
		return holter_error("--vmlinux %s: %s", o->vmlinux, file_text(errno)), false;
	return true;
}

/* The folder of a file; NULL: there is no memory, or it comes from a pipe. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!strcmp(path, "-"))
		return NULL;
	return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
}

static bool load(struct report *r)
{
	struct bytes b = { 0 };
	bool good = read_file(r->path, &b);
	int error = errno;

	if (!good && error == ENOENT && !strcmp(r->path, "perf.data"))
		holter_error(
			"there is no perf.data here: 'holter record' and 'perf record' make one");
	else if (!good && is_perf_folder(r->path))
		holter_error("%s: a folder of perf record --threads; only files are read, as perf "
			     "record makes them without it",
			     r->path);
	else if (!good)
		holter_error("%s: %s%s", r->path, file_text(error),
			     error == EINVAL ? "; what comes from a pipe is read as '-'" : "");
	good = good && read_any(r, &b);
	free(b.at);
	return good;
}

/* Makes the texts printable that are only shown.  Paths are still needed to open files. */
static void make_printable(struct profile *p)
{
	term_printable(p->hostname);
	term_printable(p->release);
	term_printable(p->arch);
	term_printable(p->command);
	term_printable(p->cpu);
	for (size_t i = 0; i < p->events.nr; i++)
		term_printable(p->events.at[i].name);
	for (size_t i = 0; i < p->sums.nr; i++)
		term_printable(p->sums.at[i]);
	for (size_t i = 0; i < p->processes.nr; i++)
		term_printable(p->processes.at[i].comm);
	for (size_t i = 0; i < p->notes.nr; i++)
		term_printable(p->notes.at[i]);
}

struct report *report_load(const char *path, const struct report_options *o)
{
	struct report *r = calloc(1, sizeof(*r));

	if (r) {
		r->o = o;
		r->path = path;
		r->p = profile_new();
		r->jit.folder = r->folder = folder_of(path);
	}
	if (!r || !r->p || (!r->folder && strcmp(path, "-") != 0)) {
		holter_error("out of memory");
	} else if (has_places(o) && load(r)) {
		if (!o->json)
			make_printable(r->p);
		return r;
	}
	report_free(r);
	return NULL;
}

bool report_has_samples(const struct report *r)
{
	if (!r->p->stacks.nr)
		holter_error("%s has no samples: what was recorded never happened while it was",
			     r->path);
	return r->p->stacks.nr;
}

void report_free(struct report *r)
{
	if (!r)
		return;
	report_close_images(r);
	for (size_t i = 0; i < r->strings.nr; i++)
		free(r->strings.at[i]);
	if (r->data) {
		free(r->data->things.at);
		free(r->data->parts);
	}
	free(r->data);
	jit_free(&r->jit);
	free(r->folder);
	free(r->strings.at);
	free(r->functions.at);
	free(r->frames.at);
	free(r->spans);
	idmap_free(&r->string_index);
	idmap_free(&r->function_index);
	profile_free(r->p);
	free(r);
}

/* Number of events to show without -e: as many as a table has room for. */
#define SHOWN 4

/* Matches a pattern with the whole name, or with the name without modifiers (cycles:u). */
static bool is_event(const char *name, const char *pattern)
{
	const char *colon = strrchr(name, ':');
	char plain[256];

	snprintf(plain, sizeof(plain), "%.*s", colon ? (int)(colon - name) : 0, name);
	return !fnmatch(pattern, name, 0) || (colon && !fnmatch(pattern, plain, 0));
}

static bool add_events(const struct report *r, const char *pattern, struct report_events *events)
{
	bool some = false;

	for (uint32_t i = 0; i < r->p->events.nr; i++) {
		bool there = false;

		if (!is_event(r->p->events.at[i].name, pattern))
			continue;
		some = true;
		for (unsigned j = 0; j < events->nr; j++)
			there |= events->at[j] == i;
		if (!there && events->nr < sizeof(events->at) / sizeof(*events->at))
			events->at[events->nr++] = i;
	}
	return some;
}

/*
 * Loads the profile once more with all of its events.  An exact profile is loaded with those that
 * -e names, so a misspelled name leaves none to suggest.  NULL: it cannot be read twice.
 */
static struct report *load_all_events(const struct report *r, struct report_options *all)
{
	*all = *r->o;
	all->events = "*";
	return r->o->events && strcmp(r->path, "-") != 0 ? report_load(r->path, all) : NULL;
}

static void no_event(const struct report *r, const char *list, const char *name)
{
	struct near near = near_to(name);
	struct report_options all;
	struct report *every;
	const struct profile *p;

	if (!*name) {
		holter_error("-e '%s': an event without a name; write one comma between two names",
			     list);
		return;
	}
	every = load_all_events(r, &all);
	p = every ? every->p : r->p;
	for (uint32_t i = 0; i < p->events.nr; i++)
		near_try(&near, p->events.at[i].name);
	for (size_t i = 0; i < p->sums.nr; i++)
		near_try(&near, p->sums.at[i]);
	if (near.best)
		holter_error("%s has no event '%s'; did you mean %s? (--events lists those that it "
			     "has)",
			     r->path, name, near.best);
	else
		holter_error("%s has no event '%s'; --events lists those that it has", r->path,
			     name);
	report_free(every);
}

bool report_choose_events(const struct report *r, const char *list, struct report_events *events)
{
	char *copy, *rest, *name;
	bool good = true;

	*events = (struct report_events){ .nr = 0 };
	if (!list) {
		for (uint32_t i = 0; i < r->p->events.nr && i < SHOWN; i++)
			events->at[events->nr++] = i;
		return true;
	}
	copy = rest = strdup(list);
	while (copy && good && (name = strsep(&rest, ","))) {
		good = add_events(r, name, events);
		if (!good)
			no_event(r, list, name);
	}
	free(copy);
	return good && copy;
}
