// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_load.c - an exact profile becomes a struct profile (exact_load.h).
 *
 * In three passes: the first one sees which events there are and which pages of code; then it is
 * clear which files these are of (exact_spaces.c).  The second one sees what ran of them, and so
 * what the processes are called; the third one adds the counts.
 */
#include <elf.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exact_files.h"
#include "exact_load.h"
#include "exact_spaces.h"

#define EVENTS_MAX 256

enum { MODE_U, MODE_S, MODE_M = 3 };

struct loader {
	struct profile *p;
	const struct exact_load_options *o;
	struct exact_why *why;
	struct exact_files *files;
	struct exact_spaces *spaces;
	/* From the head: */
	char *firmware, *program, *kernel; /* files with symbols, or NULL */
	bool has_program;
	uint64_t *total; /* by event of the file */
	unsigned events, instructions; /* how many; which of them */
	uint8_t *chosen; /* [event of the profile * events + event of the file] */
	bool has_kallsyms;
	/* The second and third pass: */
	struct exact_code code;
	struct exact_home home; /* of its page */
	uint32_t process, object;
};

/* The head */

static char *copy(const struct exact_text *t)
{
	return t ? strndup(t->at, t->len) : NULL;
}

/* A file that can have symbols: path, if it is an ELF file; or for NAME.bin NAME.elf; or NULL. */
static char *with_symbols(const struct exact_text *path)
{
	char *name = copy(path), magic[SELFMAG] = "";
	size_t len = name ? strlen(name) : 0;
	FILE *f = name ? fopen(name, "r") : NULL;
	bool elf = f && fread(magic, SELFMAG, 1, f) == 1 && !memcmp(magic, ELFMAG, SELFMAG);

	if (f)
		fclose(f);
	if (!elf && len > 4 && !strcmp(name + len - 4, ".bin")) {
		strcpy(name + len - 4, ".elf");
		elf = !access(name, R_OK);
	}
	if (elf)
		return name;
	free(name);
	return NULL;
}

static void add_files(struct loader *l, const struct exact_head *head)
{
	char *share = copy(exact_note(head, "share")), *initrd = copy(exact_note(head, "initrd"));

	for (size_t n = 0; n < l->o->nr_folders; n++)
		exact_files_add_folder(l->files, l->o->folders[n]);
	exact_files_add_file(l->files, l->program);
	exact_files_add_folder(l->files, share);
	exact_files_add_archive(l->files, initrd);
	free(share);
	free(initrd);
}

static void take_head(void *cookie, const struct exact_head *head)
{
	struct loader *l = cookie;
	const struct exact_text *kallsyms = exact_note(head, "kallsyms");

	l->events = head->events;
	l->total = calloc(head->events, sizeof(*l->total));
	l->p->no_memory |= !l->total;
	while (l->instructions < head->events &&
	       strcmp(head->event[l->instructions].name.at, "instructions") != 0)
		l->instructions++;
	l->has_program = exact_note(head, "program");
	l->firmware = with_symbols(exact_note(head, "firmware"));
	l->program = with_symbols(exact_note(head, "program"));
	l->kernel = with_symbols(exact_note(head, "kernel"));
	l->p->command = copy(exact_note(head, "command"));
	l->p->arch = strdup("riscv64");
	add_files(l, head);
	l->has_kallsyms = l->o->has_kallsyms;
	if (kallsyms && !l->has_kallsyms)
		l->has_kallsyms = profile_add_kallsyms(l->p, kallsyms->at, kallsyms->len);
}

static void see_code(void *cookie, const struct exact_code *code)
{
	struct loader *l = cookie;

	if (code->mode == MODE_U && code->satp && code->known)
		exact_spaces_add(l->spaces, code->satp, code->va, code->content);
}

static void see_insn(void *cookie, const struct exact_code *code, const struct exact_insn *insn)
{
	struct loader *l = cookie;

	for (unsigned n = 0; l->total && n < insn->nr; n++)
		l->total[insn->cell[n].event] += insn->cell[n].count;
}

/* Events */

static bool matches(const char *name, const char *list, bool patterns)
{
	while (*list) {
		size_t len = strcspn(list, ",");
		char one[256];

		if (len < sizeof(one)) {
			memcpy(one, list, len);
			one[len] = '\0';
			if (patterns ? !fnmatch(one, name, 0) : !strcmp(one, name))
				return true;
		}
		list += len + (list[len] == ',');
	}
	return false;
}

static uint8_t *choose(struct loader *l, const char *name)
{
	size_t nr = l->p->events.nr;

	for (size_t n = 0; n < nr; n++) {
		if (!strcmp(l->p->events.at[n].name, name))
			return NULL;
	}
	if (nr == EVENTS_MAX || profile_add_event(l->p, name, true) == PROFILE_NONE)
		return NULL;
	return l->chosen + nr * l->events;
}

/*
 * Those that happened and match; and those by other names, which are sums, if they are called by
 * these.  In the order of the file, so that patterns do not decide it.
 */
static void choose_events(void *cookie, const struct exact_head *head)
{
	struct loader *l = cookie;
	const char *list = l->o->events ? l->o->events
					: "cycles,instructions,cache-misses,branch-misses";
	uint8_t *to;

	if (l->chosen)
		return;
	l->chosen = calloc(EVENTS_MAX, head->events);
	if (!l->chosen || !l->total) {
		l->p->no_memory = true;
		return;
	}
	for (unsigned e = 0; e < head->events; e++) {
		const char *name = head->event[e].name.at;
		bool wanted = l->total[e] ? matches(name, list, true)
					  : head->event[e].counted && l->o->events &&
						    matches(name, list, false);

		to = wanted ? choose(l, name) : NULL;
		if (to)
			to[e] = 1;
	}
	for (unsigned n = 0; n < head->sums; n++) {
		bool wanted = head->sum[n].nr && matches(head->sum[n].name.at, list, false);

		to = wanted ? choose(l, head->sum[n].name.at) : NULL;
		for (unsigned e = 0; to && e < head->sum[n].nr; e++)
			to[head->sum[n].event[e]] = 1;
	}
}

/* Places */

static uint32_t file_object(struct loader *l, enum profile_kind kind, const char *path,
			    const char *otherwise)
{
	return profile_add_object(l->p, path ? kind : PROFILE_UNKNOWN, path ? path : otherwise,
				  NULL, 0);
}

/* The object of a page that is the same for all of it. */
static uint32_t page_object(struct loader *l, const struct exact_code *code)
{
	if (code->mode == MODE_M)
		return l->has_program && !l->firmware
			       ? file_object(l, PROFILE_FIRMWARE, l->program, "[program]")
			       : file_object(l, PROFILE_FIRMWARE, l->firmware, "[firmware]");
	if (l->home.path)
		return profile_add_object(l->p, PROFILE_USER, l->home.path, NULL, 0);
	if (l->has_program)
		return file_object(l, PROFILE_FIRMWARE, l->program, "[program]");
	if (code->mode == MODE_U)
		return profile_add_object(l->p, PROFILE_ANON, "[anon]", NULL, 0);
	if (l->has_kallsyms)
		return PROFILE_NONE; /* by address */
	return l->kernel ? profile_add_object(l->p, PROFILE_FIRMWARE, l->kernel, NULL, 0)
			 : profile_add_object(l->p, PROFILE_KERNEL, "[kernel]", NULL, 0);
}

static void find_home(void *cookie, const struct exact_code *code)
{
	struct loader *l = cookie;

	l->code = *code;
	l->home = (struct exact_home){ NULL };
	if (code->mode == MODE_U && code->satp)
		l->home = exact_spaces_find(l->spaces, code->satp, code->va, code->content);
}

static void see_run(void *cookie, const struct exact_code *code, const struct exact_insn *insn)
{
	struct loader *l = cookie;

	for (unsigned n = 0; l->home.path && n < insn->nr; n++) {
		if (insn->cell[n].event == l->instructions)
			exact_spaces_ran(l->spaces, code->satp, l->home.file,
					 l->home.offset + (insn->va - code->va),
					 insn->cell[n].count);
	}
}

static void take_code(void *cookie, const struct exact_code *code)
{
	struct loader *l = cookie;

	find_home(l, code);
	l->process = exact_spaces_process(l->spaces, l->p,
					  code->mode == MODE_M ? UINT64_MAX : code->satp,
					  l->program);
	l->object = page_object(l, code);
}

static uint32_t stack_of(struct loader *l, uint64_t va)
{
	uint32_t object = l->object;
	uint64_t addr = va;

	if (object == PROFILE_NONE) {
		object = profile_find_kernel(l->p, va);
		if (object == PROFILE_NONE)
			object = profile_add_object(l->p, PROFILE_KERNEL, "[kernel]", NULL, 0);
	} else if (l->home.path) {
		addr = l->home.offset + (va - l->code.va);
	}
	return profile_add_stack(l->p, profile_add_place(l->p, l->process, object, addr),
				 PROFILE_NONE);
}

static void take_insn(void *cookie, const struct exact_code *code, const struct exact_insn *insn)
{
	struct loader *l = cookie;
	uint32_t stack = PROFILE_NONE;

	for (unsigned n = 0; n < insn->nr; n++) {
		const struct exact_cell *c = &insn->cell[n];

		for (uint32_t e = 0; e < l->p->events.nr; e++) {
			if (!l->chosen[e * l->events + c->event])
				continue;
			if (stack == PROFILE_NONE)
				stack = stack_of(l, insn->va);
			profile_add(l->p, stack, e, c->count, 0);
		}
	}
}

/* All of it */

static bool load(struct loader *l, const void *data, size_t len)
{
	const struct exact_visitor first = { take_head, see_code, see_insn, l };
	const struct exact_visitor second = { NULL, find_home, see_run, l };
	const struct exact_visitor third = { choose_events, take_code, take_insn, l };

	if (!exact_parse(data, len, &first, l->why))
		return false;
	l->p->no_memory |= !exact_spaces_resolve(l->spaces);
	return !l->p->no_memory && exact_parse(data, len, &second, l->why) &&
	       exact_parse(data, len, &third, l->why) && !l->p->no_memory;
}

bool exact_load(struct profile *p, const void *data, size_t len, const struct exact_load_options *o,
		struct exact_why *why)
{
	struct loader l = { .p = p, .o = o, .why = why, .files = exact_files_new() };
	bool ok = false;

	why->text[0] = '\0';
	l.spaces = l.files ? exact_spaces_new(l.files) : NULL;
	if (l.spaces)
		ok = load(&l, data, len);
	if (!ok && !why->text[0])
		snprintf(why->text, sizeof(why->text), "no memory for the profile");
	exact_spaces_free(l.spaces);
	exact_files_free(l.files);
	free(l.firmware);
	free(l.program);
	free(l.kernel);
	free(l.total);
	free(l.chosen);
	return ok;
}
