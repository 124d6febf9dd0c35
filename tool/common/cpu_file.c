// SPDX-License-Identifier: BSD-2-Clause
/*
 * cpu_file.c - finds a CPU's description, compiles it if necessary, and reads it (cpu_file.h).
 *
 * The build compiles cpu/NAME.dts to NAME.dtb in a folder cpu.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cpu_file.h"
#include "file.h"
#include "find.h"
#include "holter.h"
#include "near.h"
#include "slurp.h"

#define SIZE_LIMIT (1u << 20) /* the device tree of a board has about 100 KB */

static bool ends_with(const char *text, const char *end)
{
	size_t a = strlen(text), b = strlen(end);

	return a > b && !strcmp(text + a - b, end);
}

/* Finds the folder by one description in it: another folder may be named cpu, too. */
static bool find_folder(char to[PATH_MAX])
{
	if (find_beside(to, "cpu/max.dtb")) {
		*strrchr(to, '/') = '\0';
		return true;
	}
	holter_error("there are no CPU descriptions: no folder above this program has the folder "
		     "cpu that was built with it");
	return false;
}

static int is_description(const struct dirent *d)
{
	return ends_with(d->d_name, ".dtb");
}

int cpu_file_names(char ***names)
{
	char folder[PATH_MAX];
	struct dirent **list;
	int nr;

	if (!find_folder(folder))
		return -1;
	nr = scandir(folder, &list, is_description, alphasort);
	if (nr < 0) {
		holter_error("%s: %s", folder, strerror(errno));
		return -1;
	}
	*names = calloc(nr + 1, sizeof(**names));
	for (int n = 0; n < nr; n++) {
		if (*names)
			(*names)[n] = strndup(list[n]->d_name, strlen(list[n]->d_name) - 4);
		free(list[n]);
	}
	free(list);
	return *names ? nr : -1;
}

void cpu_file_free_names(char **names, int nr)
{
	for (int n = 0; n < nr; n++)
		free(names[n]);
	free(names);
}

/*
 * Prints that there is no CPU of this name, or no description: u74.dts and ./u74 are meant to be
 * u74.
 */
static void unknown_name(const char *name)
{
	const char *slash = strrchr(name, '/');
	char word[64], **names;
	struct near near;
	int nr = cpu_file_names(&names);

	snprintf(word, sizeof(word), "%s", slash ? slash + 1 : name);
	if (ends_with(word, ".dts") || ends_with(word, ".dtb"))
		word[strlen(word) - 4] = '\0';
	near = near_to(word);
	for (int n = 0; n < nr; n++)
		near_try(&near, names[n]);
	if (!access(name, F_OK) && nr >= 0)
		holter_error("%.200s: the name of a description ends in .dts or .dtb; holter cpu "
			     "lists the CPUs",
			     name);
	else if (nr >= 0 && slash && near.best)
		holter_error("%s: No such file or directory; did you mean the CPU %s? (holter cpu "
			     "lists them)",
			     name, near.best);
	else if (nr >= 0 && slash)
		holter_error("%s: No such file or directory; holter cpu lists the CPUs", name);
	else if (near.best)
		holter_error("there is no CPU '%.40s'; did you mean %s? (holter cpu lists them)",
			     name, near.best);
	else if (nr >= 0)
		holter_error("there is no CPU '%.40s'; holter cpu lists those that there are",
			     name);
	if (nr >= 0)
		cpu_file_free_names(names, nr);
}

static struct cpu *read_tree(int fd, const char *file, const struct option_texts *sets)
{
	size_t size;
	char *blob = slurp_fd(fd, SIZE_LIMIT - 1, &size, NULL);
	struct error_text why = { "" };
	struct cpu *cpu = NULL;

	if (!blob && errno == EFBIG)
		holter_error("%s: larger than a device tree of a CPU or a board", file);
	else if (!blob)
		holter_error("%s: %s", file, strerror(errno));
	else if (!(cpu = cpu_read(blob, size, file, sets ? sets->at : NULL, sets ? sets->nr : 0,
				  &why)))
		holter_error("%s", why.text);
	free(blob);
	return cpu;
}

static struct cpu *load_dtb(const char *file, const struct option_texts *sets)
{
	int fd = file_open("", file);
	struct cpu *cpu;

	if (fd < 0) {
		holter_error("%s: %s", file, file_text(errno));
		return NULL;
	}
	cpu = read_tree(fd, file, sets);
	close(fd);
	return cpu;
}

/* Runs dtc on file, with its output to out and its errors to err; its status, or -1. */
static int run_dtc(const char *file, FILE *out, FILE *err)
{
	int status;
	pid_t child = fork();

	if (!child) {
		dup2(fileno(out), 1);
		dup2(fileno(err), 2);
		execlp("dtc", "dtc", "-q", "-I", "dts", "-O", "dtb", "--", file, (char *)NULL);
		_exit(errno == ENOENT ? 127 : 126);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static struct cpu *load_dts(const char *file, const struct option_texts *sets)
{
	FILE *out = tmpfile(), *err = tmpfile();
	char line[200] = "it could not be run";
	struct cpu *cpu = NULL;
	int status = -1;

	if (!file_is_there("", file)) {
		holter_error("%s: %s", file, file_text(errno));
		goto end;
	}
	if (!out || !err) {
		holter_error("%s: no temporary file for dtc: %s", file, strerror(errno));
		goto end;
	}
	status = run_dtc(file, out, err);
	rewind(out);
	rewind(err);
	if (fgets(line, sizeof(line), err))
		line[strcspn(line, "\n")] = '\0';
	if (!status)
		cpu = read_tree(fileno(out), file, sets);
	else if (status == 127)
		holter_error("%s: dtc is not installed (Debian: device-tree-compiler)", file);
	else
		holter_error("%s: dtc refuses it: %s", file, line);
end:
	if (out)
		fclose(out);
	if (err)
		fclose(err);
	return cpu;
}

static struct cpu *load(const char *name, const struct option_texts *sets)
{
	char folder[PATH_MAX], path[PATH_MAX + 300];

	const bool file = ends_with(name, ".dts") || ends_with(name, ".dtb") || strchr(name, '/');

	if (file && access(name, F_OK) && errno == ENOENT) {
		unknown_name(name);
		return NULL;
	}
	if (ends_with(name, ".dts"))
		return load_dts(name, sets);
	if (ends_with(name, ".dtb") || strchr(name, '/'))
		return load_dtb(name, sets);
	if (!find_folder(folder))
		return NULL;
	snprintf(path, sizeof(path), "%s/%.200s.dtb", folder, name);
	if (!access(path, F_OK))
		return load_dtb(path, sets);
	unknown_name(name);
	return NULL;
}

struct cpu *cpu_file_load(const char *name, const struct option_texts *sets)
{
	struct cpu *cpu = load(name, sets);

	if (cpu)
		snprintf(cpu->name, sizeof(cpu->name), "%s", name);
	return cpu;
}
