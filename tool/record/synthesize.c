// SPDX-License-Identifier: BSD-2-Clause
/*
 * synthesize.c - writes records about what existed before the recording began (record.h).
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>

#include "number.h"
#include "procmap.h"
#include "record.h"

/* The fields at the end of every record: TID, TIME, CPU and IDENTIFIER, all 0. */
static const uint64_t trailer[4];

/* Writes a record: its fixed part, and a name that is padded to 8 bytes. */
static void put(FILE *to, uint32_t type, uint16_t misc, const void *body, size_t size,
		const char *name)
{
	size_t len = strnlen(name, PATH_MAX - 1) + 1, padded = (len + 7) & ~(size_t)7;
	struct perf_event_header header = { .type = type, .misc = misc };

	header.size = (uint16_t)(sizeof(header) + size + padded + sizeof(trailer));
	fwrite(&header, sizeof(header), 1, to);
	fwrite(body, size, 1, to);
	fprintf(to, "%.*s", (int)len - 1, name);
	for (len--; len < padded; len++)
		fputc(0, to);
	fwrite(trailer, sizeof(trailer), 1, to);
}

/* A file that is read line by line. */
struct lines {
	FILE *from;
	char *line;
	size_t size;
	bool no_memory;
};

/* If there is no such file, it has no lines. */
static struct lines open_in(const char *dir, const char *name)
{
	struct lines l = { .from = NULL };
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= (int)sizeof(path))
		return l;
	l.from = fopen(path, "re");
	l.no_memory = !l.from && errno == ENOMEM;
	return l;
}

static bool next_line(struct lines *l)
{
	if (!l->from)
		return false;
	errno = 0;
	if (getline(&l->line, &l->size, l->from) > 0)
		return true;
	l->no_memory |= errno == ENOMEM;
	return false;
}

/* Returns whether there was memory for all lines. */
static bool close_lines(struct lines *l)
{
	free(l->line);
	if (l->from)
		fclose(l->from);
	return !l->no_memory;
}

/* Cuts the next word off the text at *at; "" at its end. */
static const char *word(char **at)
{
	char *first = *at + strspn(*at, " \t\n");

	*at = first + strcspn(first, " \t\n");
	if (**at)
		*(*at)++ = '\0';
	return first;
}

/*
 * The kernel
 */

static void put_kernel(FILE *to, uint64_t start, uint64_t end, uint64_t symbol, const char *name)
{
	struct {
		uint32_t pid, tid;
		uint64_t addr, len, pgoff;
	} body = { (uint32_t)-1, 0, start, end - start, symbol };

	put(to, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, &body, sizeof(body), name);
}

/*
 * Writes the range from _text (or _stext) to _edata (or _etext), as perf does.  Hidden addresses
 * (kernel.kptr_restrict) are 0.
 */
static bool kernel_itself(FILE *to, const char *proc)
{
	static const char *const names[] = { "_text", "_stext", "_edata", "_etext" };
	struct lines kallsyms = open_in(proc, "kallsyms");
	uint64_t at[4] = { 0 }, addr;
	char name[128];
	unsigned first;

	while (next_line(&kallsyms)) {
		char *rest = kallsyms.line;
		bool read = number_parse(word(&rest), NUMBER_HEX, 0, UINT64_MAX, &addr);
		const char *type = word(&rest), *symbol = word(&rest);

		if (!read || strlen(type) != 1)
			continue;
		if (*word(&rest) == '[')
			break; /* modules are after the kernel */
		for (unsigned i = 0; i < 4; i++) {
			if (!strcmp(symbol, names[i]))
				at[i] = addr;
		}
	}
	if (!close_lines(&kallsyms))
		return false;
	first = at[0] ? 0 : 1;
	if (!at[2])
		at[2] = at[3];
	if (!at[first] || at[2] <= at[first])
		return true;
	snprintf(name, sizeof(name), PERF_DATA_KERNEL "%s", names[first]);
	put_kernel(to, at[first], at[2], at[first], name);
	return true;
}

/*
 * Returns whether a path is the file of the module `name`.  - and _ are equivalent; a suffix after
 * .ko tells the compression.
 */
static bool is_module(const char *path, const char *name)
{
	const char *base = strrchr(path, '/');

	for (base = base ? base + 1 : path; *name; base++, name++) {
		if (*base != *name && !(*base == '-' && *name == '_'))
			return false;
	}
	return !strncmp(base, ".ko", 3);
}

/* Writes the module's file, as modules.dep names it, to path; or the module's name in brackets. */
static void module_path(char path[PATH_MAX], struct lines *dep, const char *modules,
			const char *name)
{
	snprintf(path, PATH_MAX, "[%s]", name);
	if (dep->from)
		rewind(dep->from);
	while (next_line(dep)) {
		dep->line[strcspn(dep->line, ":\n")] = '\0';
		if (!is_module(dep->line, name))
			continue;
		if (snprintf(path, PATH_MAX, "%s/%s", modules, dep->line) >= PATH_MAX)
			snprintf(path, PATH_MAX, "[%s]", name);
		break;
	}
}

/*
 * Reads a line of /proc/modules: name, size, references, users, state, address.  Returns the name;
 * NULL: the line is not one.
 */
static const char *module_line(char *line, uint64_t *len, uint64_t *addr)
{
	const char *name = word(&line);

	if (!number_parse(word(&line), NUMBER_DECIMAL, 0, UINT64_MAX, len))
		return NULL;
	for (unsigned skipped = 0; skipped < 3; skipped++)
		word(&line);
	return number_parse(word(&line), NUMBER_HEX | NUMBER_0X, 0, UINT64_MAX, addr) ? name : NULL;
}

bool record_kernel(FILE *to, const char *proc, const char *modules)
{
	struct lines list = open_in(proc, "modules"), dep = open_in(modules, "modules.dep");
	char path[PATH_MAX];
	uint64_t len, addr;
	bool good = kernel_itself(to, proc);

	while (good && next_line(&list)) {
		const char *name = module_line(list.line, &len, &addr);

		if (!name || !addr)
			continue;
		module_path(path, &dep, modules, name);
		put_kernel(to, addr, addr + len, 0, path);
	}
	good = close_lines(&list) && good;
	return close_lines(&dep) && good;
}

/*
 * Processes
 */

/* Writes a line of /proc/PID/maps. */
static void put_mapping(FILE *to, pid_t pid, char *line)
{
	struct {
		uint32_t pid, tid;
		uint64_t addr, len, pgoff;
		uint32_t maj, min;
		uint64_t ino, generation;
		uint32_t prot, flags;
	} body = { .pid = (uint32_t)pid, .tid = (uint32_t)pid };
	struct procmap m;

	line[strcspn(line, "\n")] = '\0';
	if (!procmap_read(line, &m) || m.perms[2] != 'x')
		return;
	body.addr = m.start;
	body.len = m.end - m.start;
	body.pgoff = m.offset;
	body.maj = m.major;
	body.min = m.minor;
	body.ino = m.inode;
	body.prot = (m.perms[0] == 'r' ? PROT_READ : 0u) | (m.perms[1] == 'w' ? PROT_WRITE : 0u) |
		    PROT_EXEC;
	body.flags = m.perms[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	put(to, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, &body, sizeof(body),
	    *m.name ? m.name : "//anon");
}

static bool put_mappings(FILE *to, const char *dir, pid_t pid)
{
	struct lines maps = open_in(dir, "maps");

	while (next_line(&maps))
		put_mapping(to, pid, maps.line);
	return close_lines(&maps);
}

static bool put_name(FILE *to, const char *dir, pid_t pid, pid_t tid)
{
	uint32_t body[2] = { (uint32_t)pid, (uint32_t)tid };
	struct lines comm = open_in(dir, "comm");
	char name[32];

	if (next_line(&comm)) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(comm.line, "\n"), comm.line);
		put(to, PERF_RECORD_COMM, 0, body, sizeof(body), name);
	}
	return close_lines(&comm);
}

/* Calls body for each name in a folder that is a number, until it returns false. */
static bool each_number(const char *path, bool (*body)(FILE *, const char *, pid_t, pid_t),
			FILE *to, const char *proc, pid_t pid)
{
	DIR *dir = opendir(path);
	bool good = dir || errno != ENOMEM;
	struct dirent *entry;
	uint64_t number;

	while (dir && good && (entry = readdir(dir))) {
		if (number_parse(entry->d_name, NUMBER_DECIMAL, 0, INT_MAX, &number))
			good = body(to, proc, pid, (pid_t)number);
	}
	if (dir)
		closedir(dir);
	return good;
}

bool record_thread(FILE *to, const char *proc, pid_t pid, pid_t tid)
{
	char dir[PATH_MAX];

	snprintf(dir, sizeof(dir), "%s/%d/task/%d", proc, pid, tid);
	return put_name(to, dir, pid, tid);
}

static bool put_process(FILE *to, const char *proc, pid_t pid, pid_t same)
{
	char dir[PATH_MAX], tasks[PATH_MAX];

	(void)pid;
	snprintf(dir, sizeof(dir), "%s/%d", proc, same);
	snprintf(tasks, sizeof(tasks), "%s/%d/task", proc, same);
	return each_number(tasks, record_thread, to, proc, same) && put_mappings(to, dir, same);
}

/* The process in a line of /proc/TID/status; 0: it is another line. */
static uint64_t process_of(const char *line)
{
	static const char key[] = "Tgid:";
	uint64_t pid;

	if (strncmp(line, key, strlen(key)))
		return 0;
	line += strlen(key);
	return number_field(&line, NUMBER_DECIMAL, INT_MAX, &pid) ? pid : 0;
}

bool record_owner(FILE *to, const char *proc, pid_t tid)
{
	char dir[PATH_MAX];
	struct lines status;
	uint64_t pid = 0;

	snprintf(dir, sizeof(dir), "%s/%d", proc, tid);
	status = open_in(dir, "status");
	while (!pid && next_line(&status))
		pid = process_of(status.line);
	return close_lines(&status) && (!pid || put_process(to, proc, 0, (pid_t)pid));
}

static bool put_children(FILE *to, const char *proc, pid_t pid, pid_t tid)
{
	char dir[PATH_MAX];
	struct lines children;
	const char *at;
	uint64_t child;
	bool good = true;

	snprintf(dir, sizeof(dir), "%s/%d/task/%d", proc, pid, tid);
	children = open_in(dir, "children");
	at = next_line(&children) ? children.line : "";
	while (good && number_field(&at, NUMBER_DECIMAL, INT_MAX, &child))
		good = record_process(to, proc, (pid_t)child);
	return close_lines(&children) && good;
}

bool record_process(FILE *to, const char *proc, pid_t pid)
{
	char tasks[PATH_MAX];

	snprintf(tasks, sizeof(tasks), "%s/%d/task", proc, pid);
	return put_process(to, proc, 0, (pid_t)pid) &&
	       each_number(tasks, put_children, to, proc, pid);
}

bool record_processes(FILE *to, const char *proc)
{
	return each_number(proc, put_process, to, proc, 0);
}
