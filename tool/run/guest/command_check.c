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
#include "guest_path.h"
#include "holter.h"
#include "image.h"
#include "machine.h"
#include "near.h"

#define NOT_FOUND      127
#define NOT_EXECUTABLE 126
#define HEAD_SIZE      4096 /* bytes at the beginning of a file that have its headers */

/* The beginning of a file, and the facts about an ELF program. */
struct program {
	unsigned char head[HEAD_SIZE];
	size_t size;
	char interpreter[PATH_MAX];
	bool elf, dynamic, below_ram; /* only a program for Linux starts below RAM */
};

/* "#!/bin/sh -e": the kernel starts /bin/sh. */
static void look_at_script(struct program *p)
{
	const char *name = (const char *)p->head + 2;
	const char *end = (const char *)p->head + p->size;

	while (name < end && (*name == ' ' || *name == '\t'))
		name++;
	for (size_t n = 0; name + n < end && !strchr(" \t\n", name[n]); n++)
		p->interpreter[n] = name[n];
}

static void look_at(struct program *p)
{
	const Elf64_Ehdr *e = (const void *)p->head;
	const Elf64_Phdr *h = (const void *)(p->head + e->e_phoff);

	if (p->size > 2 && !memcmp(p->head, "#!", 2))
		look_at_script(p);
	p->elf = image_is_elf(p->head, p->size) && p->size >= sizeof(*e);
	if (!p->elf || e->e_phoff % 8 || e->e_phoff > p->size || e->e_phentsize != sizeof(*h) ||
	    e->e_phnum > (p->size - e->e_phoff) / sizeof(*h))
		return;
	for (unsigned n = 0; n < e->e_phnum; n++, h++) {
		p->below_ram |= h->p_type == PT_LOAD && h->p_memsz && h->p_paddr < RAM_BASE &&
				e->e_entry < RAM_BASE;
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

/* Returns whether the guest may have the interpreter of a program. */
static bool may_have(const struct command_place *place, const char *interpreter)
{
	char to[PATH_MAX];
	enum guest_file file;

	if (*interpreter != '/')
		return true;
	switch (guest_path(place->files, place->share, interpreter, to, &file)) {
	case GUEST_OWN:
		return file == GUEST_PROGRAM;
	case GUEST_SHARED:
		return !access(to, F_OK);
	default:
		return true;
	}
}

/* Checks a program of the shared folder, which is `path` on this computer. */
static int check_file(const char *name, const char *path, const struct command_place *place)
{
	static struct program p;
	char why[128];

	p = (struct program){ .size = 0 };
	if (read_head(&p, path) < 0) {
		holter_error("%s: %s", name, strerror(errno));
		return NOT_EXECUTABLE;
	}
	if (image_is_elf(p.head, p.size) && image_refused(p.head, p.size, why, sizeof(why))) {
		holter_error("%s: %s", name, why);
		return NOT_EXECUTABLE;
	}
	look_at(&p);
	if (!p.elf && is_noise(&p)) {
		holter_error("%s: neither an ELF program nor a script", name);
		return NOT_EXECUTABLE;
	}
	if (!may_have(place, p.interpreter)) {
		holter_error("%s: its interpreter %s is not in the guest%s", name, p.interpreter,
			     p.elf ? ": link it with -static, or for the guest's C library" : "");
		return NOT_EXECUTABLE;
	}
	return 0;
}

static int not_executable(const char *name, const char *why)
{
	holter_error("%s: %s", name, why);
	return NOT_EXECUTABLE;
}

static int check_shared(const char *name, const char *path, const struct command_place *place)
{
	struct stat st;

	if (stat(path, &st) < 0) {
		if (errno != ENOENT)
			return not_executable(name, strerror(errno));
		holter_error("%s: there is no such file in the shared folder%s%s", name,
			     strcmp(place->share, ".") ? " " : ", which is this one",
			     strcmp(place->share, ".") ? place->share : "");
		return NOT_FOUND;
	}
	if (S_ISDIR(st.st_mode))
		return not_executable(name, "a folder, not a program");
	if (!S_ISREG(st.st_mode))
		return not_executable(name, "a pipe or a device, not a program");
	if (!(st.st_mode & 0111))
		return not_executable(name, "not executable (chmod +x)");
	return check_file(name, path, place);
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Whether only a shell can run this: cd, X=1, or a whole line in quotes. */
static bool is_for_shell(const char *name)
{
	static const char *const builtins[] = {
		".",	"alias", "cd",	   "eval", "exit",   "export",
		"read", "set",	 "source", "type", "ulimit", "umask",
	};

	for (size_t n = 0; n < sizeof(builtins) / sizeof(*builtins); n++) {
		if (!strcmp(name, builtins[n]))
			return true;
	}
	return strpbrk(name, " =;|&<>$*\n");
}

/* The guest has no program of this name, which has no slash. */
static void no_program(const char *name, const struct command_place *place)
{
	struct near near = near_to(name);

	if (is_for_shell(name)) {
		holter_error("%s: the guest has no such program; a shell runs a line of words: "
			     "holter run -- sh -c 'WORDS'",
			     name);
		return;
	}
	if (place->files)
		guest_files_near(place->files, &near);
	if (place->holter)
		near_try(&near, "holter");
	if (near.best && near.distance <= NEAR_LETTERS)
		holter_error("%s: the guest has no such program; did you mean %s?", name,
			     near.best);
	else
		holter_error("%s: the guest has no such program; --with PACKAGE adds a package of "
			     "Debian",
			     name);
}

/* The guest has no such file. */
static int not_found(const char *name, const struct command_place *place)
{
	char path[PATH_MAX];
	bool slash = strchr(name, '/');
	struct stat st;
	bool here = snprintf(path, sizeof(path), "%s/%s", *name == '/' ? "" : place->share, name) <
			    PATH_MAX &&
		    !stat(path, &st);

	if (!strcmp(name, "holter"))
		holter_error("holter: the guest has no such program, as this holter was built "
			     "without one for RISC-V: perf stat and perf record count there");
	else if (here && slash)
		holter_error("%s: the guest has no such program: of this computer it sees only the "
			     "shared folder (--share)",
			     name);
	else if (here && S_ISREG(st.st_mode) && st.st_mode & 0111)
		holter_error("%s: the guest has no such program; did you mean ./%s?", name, name);
	else if (slash)
		holter_error("%s: the guest has no such program", name);
	else
		no_program(name, place);
	return NOT_FOUND;
}

static int check_own(const char *name, const char *path, enum guest_file file,
		     const struct command_place *place)
{
	/* guest_parts.c adds holter to the initrd. */
	if (file == GUEST_PROGRAM || (place->holter && !strcmp(path, "/usr/bin/holter")))
		return 0;
	if (file == GUEST_FOLDER)
		return not_executable(name, "a folder, not a program");
	if (file == GUEST_DATA)
		return not_executable(name, "not executable");
	return not_found(name, place);
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

/*
 * Returns the words of an env command from the program on.  NULL: there is no program, or it is not
 * clear where it begins, or which PATH it is found on.
 */
static char *const *env_program(char *const *word)
{
	bool path = false;

	for (word++; *word && (**word == '-' || strchr(*word, '=')); word++) {
		if (!strcmp(*word, "-u") && word[1])
			word++;
		else if (**word == '-' && strcmp(*word, "-") && strcmp(*word, "-i"))
			return NULL;
		path |= !strncmp(*word, "PATH=", 5);
	}
	return *word && (!path || strchr(*word, '/')) ? word : NULL;
}

/* Returns the words of the innermost program that the command runs. */
static char *const *innermost(char *const *command)
{
	const char *name = base_of(command[0]);
	char *const *inner = NULL;

	if (counts(command))
		inner = counted_program(command);
	else if (!strcmp(name, "env"))
		inner = env_program(command);
	else if ((!strcmp(name, "time") || !strcmp(name, "nohup") || !strcmp(name, "setsid")) &&
		 command[1] && *command[1] != '-')
		inner = command + 1;
	return inner ? innermost(inner) : command;
}

/* *sure: whether the host knows what the guest will find. */
static int check_one(const char *name, const struct command_place *place, bool *sure)
{
	char path[PATH_MAX];
	enum guest_file file;

	*sure = true;
	if (!*name) {
		holter_error("'': the name of a program is not empty");
		return NOT_FOUND;
	}
	if (!strchr(name, '/')) {
		*sure = place->files;
		if (!place->files || guest_path_program(place->files, name) ||
		    (place->holter && !strcmp(name, "holter")))
			return 0;
		return not_found(name, place);
	}
	switch (guest_path(place->files, place->share, name, path, &file)) {
	case GUEST_SHARED:
		return check_shared(name, path, place);
	case GUEST_OWN:
		return check_own(name, path, file, place);
	default:
		*sure = false;
		return 0;
	}
}

int command_check(char *const *command, const struct command_place *place, bool *sure)
{
	char *const *inner = innermost(command);
	int status = check_one(command[0], place, sure);
	bool inner_sure;

	return status || inner == command ? status : check_one(*inner, place, &inner_sure);
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

/* What the arguments of stat or record name. */
struct named {
	unsigned modelled, others; /* number of events */
	char *first; /* gets the name of the first modelled event */
	unsigned size;
};

static void add_events(struct named *named, const char *list)
{
	for (; *list; list += strcspn(list, ","), list += *list == ',') {
		size_t len;

		list += strspn(list, "{");
		len = strcspn(list, ",:}");
		if (!is_modelled(list, len)) {
			named->others++;
			continue;
		}
		if (!named->modelled++)
			snprintf(named->first, named->size, "%.*s", (int)len, list);
	}
}

enum command_models command_needs_models(char *const *command, char *to, unsigned size)
{
	struct named named = { .first = to, .size = size };
	bool holter, record;

	if (!counts(command))
		return COMMAND_NEEDS_NONE;
	holter = !strcmp(base_of(command[0]), "holter");
	record = !strcmp(command[1], "record");
	for (char *const *w = command + 2; *w && **w == '-' && strcmp(*w, "--");) {
		unsigned nr = option_words(*w);

		if (!nr || (nr == 2 && !w[1]))
			break;
		if (nr == 2 && (!strcmp(*w, "-e") || !strcmp(*w, "--event")))
			add_events(&named, w[1]);
		else if (!strncmp(*w, "-e", 2))
			add_events(&named, *w + 2);
		else if (!strncmp(*w, "--event=", 8))
			add_events(&named, *w + 8);
		else if (!strncmp(*w, "-M", 2) || !strncmp(*w, "--metric", 8))
			named.others++; /* the events of a group of metrics */
		w += nr;
	}
	if (!named.modelled)
		return COMMAND_NEEDS_NONE;
	return holter && (record || !named.others) ? COMMAND_FAILS : COMMAND_NEEDS_SOME;
}
