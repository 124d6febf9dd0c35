// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_sources.c - the files from which an exact profile says that its machine ran
 * (exact_sources.h).
 */
#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exact_sources.h"
#include "file.h"

static char *copy(struct profile *p, const struct exact_text *t)
{
	char *text = t ? strndup(t->at, t->len) : NULL;

	p->no_memory |= t && !text;
	return text;
}

/*
 * The path of a file with symbols: the path itself if it is an ELF file; NAME.elf if it is
 * NAME.bin; or NULL.
 */
static char *with_symbols(struct profile *p, const struct exact_text *path)
{
	char *name = copy(p, path), magic[SELFMAG] = "";
	size_t len = name ? strlen(name) : 0;
	int fd = name ? file_open("", name) : -1;
	bool elf = fd >= 0 && read(fd, magic, SELFMAG) == SELFMAG &&
		   !memcmp(magic, ELFMAG, SELFMAG);

	if (fd >= 0)
		close(fd);
	if (!elf && len > 4 && !strcmp(name + len - 4, ".bin")) {
		strcpy(name + len - 4, ".elf");
		elf = !access(name, R_OK);
	}
	if (elf)
		return name;
	free(name);
	return NULL;
}

/* "x60", or "x60 with l2.size=8M". */
static char *cpu_text(struct profile *p, const struct exact_head *head)
{
	char *cpu = copy(p, exact_note(head, "cpu")), *set = copy(p, exact_note(head, "set"));
	char *text = cpu;

	if (cpu && set && asprintf(&text, "%s with %s", cpu, set) < 0) {
		p->no_memory = true;
		text = NULL;
	}
	if (text != cpu)
		free(cpu);
	free(set);
	return text;
}

void exact_sources_take(struct exact_sources *s, struct profile *p, const struct exact_head *head)
{
	s->has_firmware = exact_note(head, "firmware");
	s->has_program = exact_note(head, "program");
	s->firmware = with_symbols(p, exact_note(head, "firmware"));
	s->program = with_symbols(p, exact_note(head, "program"));
	s->kernel = with_symbols(p, exact_note(head, "kernel"));
	s->share = copy(p, exact_note(head, "share"));
	p->command = copy(p, exact_note(head, "command"));
	p->cpu = cpu_text(p, head);
	p->extensions = copy(p, exact_note(head, "extensions"));
	p->arch = strdup("riscv64");
	p->no_memory |= !p->arch;
}

/*
 * Adds the files of the shared folder that the command names.  They come before other files with
 * the same code, so the process gets the name from the command, the same name that perf shows.
 */
static void add_command(struct exact_files *f, const char *share, char *words)
{
	char *rest = NULL, path[PATH_MAX];

	for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		while (!strncmp(word, "./", 2))
			word += 2;
		int len = snprintf(path, sizeof(path), "%s/%s", share, word);

		if (*word != '/' && len < (int)sizeof(path))
			exact_files_add_file(f, path, EXACT_PROGRAM);
	}
}

void exact_sources_add(struct exact_sources *s, struct exact_files *f, struct profile *p,
		       const struct exact_head *head, const char *const *folders, size_t nr)
{
	char *command = copy(p, exact_note(head, "command"));
	char *initrd = copy(p, exact_note(head, "initrd"));
	char *packages = copy(p, exact_note(head, "packages"));
	char *kernel = copy(p, exact_note(head, "kernel"));

	/* Files that are added first are found first: first add those that certainly ran. */
	s->firmware_file = exact_files_add_file(f, s->firmware, EXACT_FIRMWARE);
	s->program_file = exact_files_add_file(f, s->program,
					       EXACT_PROGRAM | EXACT_KERNEL | EXACT_FIRMWARE);
	s->kernel_file = exact_files_add_kernel(f, kernel);
	for (size_t n = 0; n < nr; n++)
		exact_files_add_folder(f, folders[n]);
	if (s->share && command)
		add_command(f, s->share, command);
	exact_files_add_folder(f, s->share);
	exact_files_add_archive(f, initrd);
	exact_files_add_archive(f, packages);
	free(command);
	free(initrd);
	free(packages);
	free(kernel);
}

void exact_sources_free(struct exact_sources *s)
{
	free(s->firmware);
	free(s->program);
	free(s->kernel);
	free(s->share);
}
