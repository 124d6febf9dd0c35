// SPDX-License-Identifier: BSD-2-Clause
/*
 * command_check.c - see command_check.h.  It only refuses commands that would certainly fail.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command_check.h"
#include "event.h"
#include "guest_files.h"
#include "holter.h"
#include "image.h"
#include "machine.h"

#define NOT_FOUND      127
#define NOT_EXECUTABLE 126
#define HEAD_SIZE      4096 /* bytes at the beginning of a file that have its headers */

/* The beginning of a file, and the facts about an ELF program. */
struct program {
	unsigned char head[HEAD_SIZE];
	size_t size;
	char interpreter[PATH_MAX];
	bool elf, dynamic, below_ram; /* only a program for Linux has segments below RAM */
};

static void look_at(struct program *p)
{
	const Elf64_Ehdr *e = (const void *)p->head;
	const Elf64_Phdr *h = (const void *)(p->head + e->e_phoff);

	p->elf = image_is_elf(p->head, p->size) && p->size >= sizeof(*e);
	if (!p->elf || e->e_phoff % 8 || e->e_phoff > p->size || e->e_phentsize != sizeof(*h) ||
	    e->e_phnum > (p->size - e->e_phoff) / sizeof(*h))
		return;
	for (unsigned n = 0; n < e->e_phnum; n++, h++) {
		p->below_ram |= h->p_type == PT_LOAD && h->p_memsz && h->p_paddr < RAM_BASE;
		p->dynamic |= h->p_type == PT_INTERP;
		if (h->p_type == PT_INTERP && h->p_offset < p->size &&
		    h->p_filesz <= p->size - h->p_offset)
			snprintf(p->interpreter, sizeof(p->interpreter), "%.*s", (int)h->p_filesz,
				 p->head + h->p_offset);
	}
}

/* Reads the beginning of a file.  Returns 0, or -1 with errno.  Never blocks, even on a pipe. */
static int read_head(struct program *p, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t len = fd < 0 ? -1 : pread(fd, p->head, sizeof(p->head), 0);

	if (fd >= 0)
		close(fd);
	p->size = len > 0 ? (size_t)len : 0;
	return len < 0 ? -1 : 0;
}

/* Returns whether the file is not text.  A shell would run a text file as a script. */
static bool is_noise(const struct program *p)
{
	const void *end = memchr(p->head, '\n', p->size);
	size_t line = end ? (size_t)((const unsigned char *)end - p->head) : p->size;

	return memchr(p->head, '\0', line) != NULL;
}

static int check_file(const char *name, const char *path, const struct guest_files *guest)
{
	static struct program p;
	char why[128];

	p = (struct program){ .size = 0 };
	if (read_head(&p, path) < 0)
		return 0; /* the guest prints the error */
	if (image_is_elf(p.head, p.size) && image_refused(p.head, p.size, why, sizeof(why))) {
		holter_error("%s: %s", name, why);
		return NOT_EXECUTABLE;
	}
	look_at(&p);
	if (!p.elf && is_noise(&p)) {
		holter_error("%s: neither an ELF program nor a script", name);
		return NOT_EXECUTABLE;
	}
	if (guest && *p.interpreter == '/' && !guest_files_has(guest, p.interpreter)) {
		holter_error("%s: its interpreter %s is not in the guest: link it with -static, "
			     "or for the guest's C library",
			     name, p.interpreter);
		return NOT_EXECUTABLE;
	}
	return 0;
}

/* Returns whether the path has a symbolic link, which only the guest can resolve. */
static bool has_link(const char *share, const char *name)
{
	char path[PATH_MAX];
	struct stat st;
	size_t at = 0;

	if (strstr(name, ".."))
		return true;
	do {
		at += strspn(name + at, "/");
		at += strcspn(name + at, "/");
		snprintf(path, sizeof(path), "%s/%.*s", share, (int)at, name);
		if (!lstat(path, &st) && S_ISLNK(st.st_mode))
			return true;
	} while (name[at]);
	return false;
}

static int check_shared(const char *name, const char *share, const struct guest_files *guest)
{
	char path[PATH_MAX];
	struct stat st;

	if (has_link(share, name) || snprintf(path, sizeof(path), "%s/%s", share, name) >= PATH_MAX)
		return 0;
	if (stat(path, &st) < 0) {
		if (errno != ENOENT)
			return 0;
		holter_error("%s: there is no such file in the shared folder%s%s", name,
			     strcmp(share, ".") ? " " : ", which is this one",
			     strcmp(share, ".") ? share : "");
		return NOT_FOUND;
	}
	if (S_ISDIR(st.st_mode) || !(st.st_mode & 0111)) {
		holter_error("%s: %s", name,
			     S_ISDIR(st.st_mode) ? "a folder, not a program"
						 : "not executable (chmod +x)");
		return NOT_EXECUTABLE;
	}
	return S_ISREG(st.st_mode) ? check_file(name, path, guest) : 0;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int check_guest(const char *name, const char *share, const struct guest_files *guest)
{
	char path[PATH_MAX];

	/* guest.c adds holter to the initrd. */
	if (!strcmp(base_of(name), "holter"))
		return 0;
	if (*name == '/' ? guest_files_has(guest, name) : guest_files_has_program(guest, name))
		return 0;
	if (*name != '/' && snprintf(path, sizeof(path), "%s/%s", share, name) < PATH_MAX &&
	    !access(path, X_OK))
		holter_error("%s: the guest has no such program; did you mean ./%s?", name, name);
	else
		holter_error("%s: the guest has no such program", name);
	return NOT_FOUND;
}

/* Commands that run another program */

static bool counts(char *const *command)
{
	const char *name = base_of(command[0]);

	return (!strcmp(name, "perf") || !strcmp(name, "holter")) && command[1] &&
	       (!strcmp(command[1], "stat") || !strcmp(command[1], "record"));
}

/* Returns how many words an option of stat or record has, with the option itself; 0: unknown. */
static unsigned option_words(const char *word)
{
	static const char flags[] = "aAgvdBnqSiNR", values[] = "epCIrtxoMcF";
	static const char *const longs[] = { "--event",	 "--count", "--freq", "--output",
					     "--cpu",	 "--pid",   "--tid",  "--interval",
					     "--repeat", "--metric" };

	if (word[1] == '-') {
		for (size_t n = 0; n < sizeof(longs) / sizeof(*longs); n++) {
			if (!strcmp(word, longs[n]))
				return 2;
		}
		return strchr(word, '=') || !strcmp(word, "--json") ? 1 : 0;
	}
	word++;
	word += strspn(word, flags);
	if (!*word)
		return 1;
	return !strchr(values, *word) ? 0 : word[1] ? 1 : 2;
}

/*
 * Returns the words of a stat or record command from the program on.  NULL: there is no program, or
 * it is not clear where it begins.
 */
static char *const *counted_program(char *const *word)
{
	for (word += 2; *word && **word == '-';) {
		unsigned nr = option_words(*word);

		if (!strcmp(*word, "--"))
			return word[1] ? word + 1 : NULL;
		if (!nr || (nr == 2 && !word[1]))
			return NULL;
		word += nr;
	}
	return *word ? word : NULL;
}

/* Returns the words of the innermost program that the command runs. */
static char *const *innermost(char *const *command)
{
	char *const *inner = NULL;

	if (counts(command))
		inner = counted_program(command);
	else if (!strcmp(command[0], "time") && command[1] && *command[1] != '-')
		inner = command + 1;
	return inner ? innermost(inner) : command;
}

static int check_one(const char *name, const char *share, const struct guest_files *guest)
{
	if (strchr(name, '/') && *name != '/')
		return check_shared(name, share, guest);
	return guest && *name ? check_guest(name, share, guest) : 0;
}

int command_check(char *const *command, const char *share, const char *initrd)
{
	char *const *inner = innermost(command);
	struct guest_files guest;
	bool known = guest_files_open(&guest, initrd);
	int status = check_one(command[0], share, known ? &guest : NULL);

	if (!status && inner != command)
		status = check_one(*inner, share, known ? &guest : NULL);
	if (known)
		guest_files_close(&guest);
	return status;
}

int command_check_bare(const char *program)
{
	static struct program p;
	const char *here = strchr(program, '/') ? "" : "./";

	p = (struct program){ .size = 0 };
	if (read_head(&p, program) < 0)
		return errno != ENOENT
			       ? 0
			       : holter_error("%s: No such file or directory; a command of the "
					      "guest is holter run -- %s",
					      program, program);
	if (image_refused(p.head, p.size, (char[128]){ 0 }, 128))
		return 0;
	look_at(&p);
	if (!p.dynamic && !p.below_ram)
		return 0;
	return holter_error("%s: a program for Linux: holter run -- %s%s runs it in the guest",
			    program, here, program);
}

/* Events */

/* Returns whether the event of this name only happens with the models of a CPU. */
static bool is_modelled(const char *name, size_t len)
{
	for (unsigned n = 0; n < event_sbi_nr; n++) {
		const struct event_sbi *e = &event_sbi_table[n];
		struct event_set set = { 0 };

		if (strlen(e->name) != len || strncmp(e->name, name, len))
			continue;
		for (unsigned i = 0; i < e->nr; i++)
			event_set_add(&set, e->event[i]);
		return event_set_needs(&set);
	}
	return false;
}

static bool modelled_in(const char *list, char *to, unsigned size)
{
	for (; *list; list += strcspn(list, ","), list += *list == ',') {
		size_t len;

		list += strspn(list, "{");
		len = strcspn(list, ",:}");
		if (is_modelled(list, len)) {
			snprintf(to, size, "%.*s", (int)len, list);
			return true;
		}
	}
	return false;
}

const char *command_modelled_event(char *const *command, char *to, unsigned size)
{
	if (!counts(command))
		return NULL;
	for (char *const *w = command + 2; *w && **w == '-' && strcmp(*w, "--");) {
		unsigned nr = option_words(*w);
		const char *list = NULL;

		if (!nr || (nr == 2 && !w[1]))
			return NULL;
		if (nr == 2 && (!strcmp(*w, "-e") || !strcmp(*w, "--event")))
			list = w[1];
		else if (!strncmp(*w, "-e", 2))
			list = *w + 2;
		else if (!strncmp(*w, "--event=", 8))
			list = *w + 8;
		if (list && modelled_in(list, to, size))
			return to;
		w += nr;
	}
	return NULL;
}
