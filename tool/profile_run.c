// SPDX-License-Identifier: BSD-2-Clause
/*
 * profile_run.c - holter run --profile FILE: an exact profile (exact.h) of what the machine runs,
 * with what is known here and helps to find the symbols later (holter-profile(5)).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exact.h"
#include "file.h"
#include "holter.h"
#include "kallsyms.h"
#include "run.h"
#include "task_layout.h"

#define NOTES_MAX 10

struct notes {
	struct exact_note at[NOTES_MAX];
	char *copy[NOTES_MAX]; /* to be freed */
	unsigned nr;
};

bool profile_open(struct run *r)
{
	/* What is there already stays until there is something better. */
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

bool profile_start(struct machine *m, const struct run *r)
{
	/* The guest's init tells by names of tasks when the command begins and ends (guest/init). */
	struct exact_tasks tasks = { .starter = r->command ? "command" : NULL, .over = "over" };
	const char *kernel = r->profile.kernel ? r->profile.kernel : r->boot.kernel;

	if (exact_start(m)) {
		if (kernel && task_layout_of(kernel, &tasks))
			exact_tasks(m, &tasks);
		return true;
	}
	holter_error("--profile %s: no memory", r->profile.path);
	return false;
}

/* Takes text, which may be NULL. */
static void note(struct notes *n, const char *name, char *text, size_t len)
{
	if (!text)
		return;
	n->copy[n->nr] = text;
	n->at[n->nr++] = (struct exact_note){ name, text, len };
}

/* A file's place, whatever the reader's folder. */
static void note_path(struct notes *n, const char *name, const char *path, const char * or)
{
	char *whole = path || or ? realpath(path ? path : or, NULL) : NULL;

	note(n, name, whole, whole ? strlen(whole) : 0);
}

static void note_words(struct notes *n, const char *name, char **words)
{
	size_t len = 0;
	char *text = NULL;
	FILE *f = words ? open_memstream(&text, &len) : NULL;

	if (!f)
		return;
	for (char **word = words; *word; word++)
		fprintf(f, "%s%s", word == words ? "" : " ", *word);
	fclose(f);
	note(n, name, text, len);
}

/* A file's content. */
static void note_file(struct notes *n, const char *name, const char *path)
{
	FILE *f = path ? fopen(path, "r") : NULL;
	struct stat st;
	char *text = NULL;

	if (f && !fstat(fileno(f), &st) && st.st_size)
		text = malloc(st.st_size);
	if (text && fread(text, st.st_size, 1, f) == 1)
		note(n, name, text, st.st_size);
	else
		free(text);
	if (f)
		fclose(f);
}

/* kallsyms.h: its notes, which hold its build id, in a line of their own, and symbols of code. */
#define KALLSYMS_SCRIPT                                                                            \
	"echo \"" KALLSYMS_NOTES "$(od -An -v -tx1 /sys/kernel/notes | tr -d ' \\n')\"; "            \
	"grep ' [tTwW] ' /proc/kallsyms"

bool profile_kallsyms(const struct run *r, const char *path)
{
	char sh[] = "sh", c[] = "-c", script[] = KALLSYMS_SCRIPT;
	char *command[] = { sh, c, script, NULL };
	struct run own = *r;
	char new[PATH_MAX + 32];
	bool ok;

	if (!access(path, R_OK))
		return true;
	snprintf(new, sizeof(new), "%s.%d", path, (int)getpid());
	own.command = command;
	own.profile = (struct profile_file){ 0 };
	own.stats = own.terminal = own.fresh = false;
	own.silent = true;
	own.gdb = NULL;
	own.machine.trace = 0;
	own.machine.realtime = false;
	own.out = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (own.out < 0)
		return false;
	ok = !guest_run(&own) && !rename(new, path);
	close(own.out);
	if (!ok)
		unlink(new);
	return ok;
}

bool profile_end(struct machine *m, struct run *r)
{
	const struct profile_file *p = &r->profile;
	struct notes n = { .nr = 0 };
	struct dev_why why = { "" };
	bool ok;

	note(&n, "cpu", strdup(r->cpu), strlen(r->cpu));
	note_words(&n, "command", r->command);
	note_path(&n, "firmware", p->firmware, r->boot.firmware);
	note_path(&n, "kernel", p->kernel, r->boot.kernel);
	note_path(&n, "initrd", p->initrd, r->boot.initrd);
	note_path(&n, "program", r->boot.program, NULL);
	note_path(&n, "share", r->machine.share, NULL);
	note_file(&n, "kallsyms", p->kallsyms);
	ok = (!is_file(p->to) || !ftruncate(fileno(p->to), 0)) &&
	     exact_write(m, p->to, n.at, n.nr, &why);
	if (!ok)
		holter_error("--profile %s: %s", p->path, why.text[0] ? why.text : strerror(errno));
	while (n.nr)
		free(n.copy[--n.nr]);
	/* Of a part nobody has anything. */
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
