// SPDX-License-Identifier: BSD-2-Clause
/*
 * profile_run.c - holter run --profile FILE: records an exact profile (exact.h) of the run.  Also
 * writes notes that help to find the symbols later (holter-profile(5)).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "allocators.h"
#include "exact.h"
#include "file.h"
#include "holter.h"
#include "run.h"
#include "slurp.h"
#include "task_layout.h"

#define NOTES_MAX 11

struct notes {
	struct exact_note at[NOTES_MAX];
	char *copy[NOTES_MAX]; /* the texts to free */
	unsigned nr, copies;
};

bool profile_open(struct run *r)
{
	/* An existing file keeps its content until the new profile is written. */
	int fd = file_create(r->profile.path, r->machine.share, 0, 0666);

	r->profile.to = fd < 0 ? NULL : fdopen(fd, "w");
	if (!r->profile.to)
		holter_error("--profile %s: %s", r->profile.path, file_text(errno));
	return r->profile.to;
}

static bool is_file(FILE *f)
{
	struct stat st;

	return !fstat(fileno(f), &st) && S_ISREG(st.st_mode);
}

/* Starts what --data records.  False: no memory. */
static bool start_data(struct machine *m, const struct run *r)
{
	const char *const archives[] = { r->profile.initrd, r->profile.packages };
	struct allocators a;
	bool good = allocators_find(&a, r->machine.share, archives, 2) && exact_data(&m->cl) &&
		    (!a.list.nr || exact_heap(&m->cl, a.list.at, a.list.nr));

	allocators_free(&a);
	return good;
}

bool profile_start(struct machine *m, const struct run *r)
{
	/*
	 * guest/init signals by the names of tasks when the command begins and ends.
	 */
	struct exact_tasks tasks = { .starter = r->command ? "command" : NULL, .over = "over" };
	const char *kernel = r->profile.kernel ? r->profile.kernel : r->boot.kernel;

	if (r->profile.totals ? exact_start_sums(&m->cl) : exact_start(&m->cl)) {
		if (kernel && task_layout_of(kernel, &tasks))
			exact_tasks(&m->cl, &tasks);
		if ((!r->timeline || exact_time_line(&m->cl, r->timeline * (m->hz / 1000),
						     r->timeline * 1000000)) &&
		    (!r->profile.data || start_data(m, r)))
			return true;
	}
	holter_error("--profile %s: out of memory", r->profile.path);
	return false;
}

/* Adds a note.  The text must outlive it. */
static void note(struct notes *n, const char *name, const char *text, size_t len)
{
	n->at[n->nr++] = (struct exact_note){ name, text, len };
}

/* Adds a note and takes ownership of text, which may be NULL. */
static void note_own(struct notes *n, const char *name, char *text, size_t len)
{
	if (!text)
		return;
	n->copy[n->copies++] = text;
	note(n, name, text, len);
}

/* Adds a note with the absolute path of a file, or the path as it is if there is no such file. */
static void note_path(struct notes *n, const char *name, const char *path, const char *fallback)
{
	const char *given = path ? path : fallback;
	char *whole = given ? realpath(given, NULL) : NULL;

	if (given && !whole)
		whole = strdup(given);
	note_own(n, name, whole, whole ? strlen(whole) : 0);
}

/* Adds a note with words, if there are any. */
static void note_words(struct notes *n, const char *name, char *const *words, size_t nr)
{
	size_t len = 0;
	char *text = NULL;
	FILE *f = nr ? open_memstream(&text, &len) : NULL;

	if (!f)
		return;
	for (size_t i = 0; i < nr; i++)
		fprintf(f, "%s%s", i ? " " : "", words[i]);
	fclose(f);
	note_own(n, name, text, len);
}

/* Adds a note with the names of the CPU's extensions. */
static void note_extensions(struct notes *n, const struct isa_set *isa)
{
	size_t len = 0;
	char *text = NULL;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return;
	for (unsigned e = 0; cpu_isa_name(e); e++) {
		if (isa_set_has(isa, e))
			fprintf(f, "%s%s", ftell(f) ? " " : "", cpu_isa_name(e));
	}
	fclose(f);
	note_own(n, "extensions", text, len);
}

/* Drops the lines of a kallsyms that are symbols of data.  Returns the length of the rest. */
static size_t drop_data(char *text, size_t len)
{
	char *to = text;

	for (char *at = text, *end = text + len, *next; at < end; at = next) {
		char *eol = memchr(at, '\n', end - at), *type = memchr(at, ' ', end - at);

		next = eol ? eol + 1 : end;
		if (type && type + 1 < next && strchr("dDbBrRvV", type[1]))
			continue;
		memmove(to, at, next - at);
		to += next - at;
	}
	return to - text;
}

/* Adds a note with the symbols in a file; data: also those of data. */
static void note_kallsyms(struct notes *n, const char *path, bool data)
{
	size_t len;
	char *text = path ? slurp_file(path, SIZE_MAX, &len, NULL) : NULL;

	if (text && !data)
		len = drop_data(text, len);
	if (text && len)
		note_own(n, "kallsyms", text, len);
	else
		free(text);
}

/* Where the code of a guest and its names are. */
static void note_symbols(struct notes *n, const struct run *r)
{
	const struct profile_file *p = &r->profile;

	note_path(n, "kernel", p->kernel, r->boot.kernel);
	note_path(n, "initrd", p->initrd, r->boot.initrd);
	note_path(n, "packages", p->packages, NULL);
	note_path(n, "share", r->machine.share, NULL);
	note_kallsyms(n, p->kallsyms, p->data);
}

bool profile_end(struct machine *m, struct run *r)
{
	const struct profile_file *p = &r->profile;
	struct notes n = { .nr = 0 };
	struct error_text why = { "" };
	size_t words = 0;
	bool ok;

	while (r->command && r->command[words])
		words++;
	note(&n, "cpu", r->cpu, strlen(r->cpu));
	note_words(&n, "set", r->machine.cpu->sets.at, r->machine.cpu->sets.nr);
	note_extensions(&n, &r->machine.cpu->isa);
	note_words(&n, "command", r->command, words);
	note_path(&n, "firmware", p->firmware, r->boot.firmware);
	note_path(&n, "program", r->boot.program, NULL);
	if (p->totals)
		note(&n, "totals", "", 0);
	else
		note_symbols(&n, r);
	ok = (!is_file(p->to) || !ftruncate(fileno(p->to), 0)) &&
	     exact_write(&m->cl, p->to, n.at, n.nr, &why);
	if (!ok)
		holter_error("--profile %s: %s", p->path, why.text[0] ? why.text : strerror(errno));
	while (n.copies)
		free(n.copy[--n.copies]);
	/* Remove an incomplete profile. */
	if (!ok && is_file(p->to))
		unlink(p->path);
	ok = !fclose(p->to) && ok;
	r->profile.to = NULL;
	return ok;
}

void profile_drop(struct run *r)
{
	struct stat st;

	if (!r->profile.to)
		return;
	if (is_file(r->profile.to) && !fstat(fileno(r->profile.to), &st) && !st.st_size)
		unlink(r->profile.path);
	fclose(r->profile.to);
}
