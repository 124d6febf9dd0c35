// SPDX-License-Identifier: BSD-2-Clause
/*
 * metric_file.c - reads the files that define metrics (metric.h).
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "holter.h"
#include "hwprobe.h"
#include "metric.h"

#define SUFFIX	   ".metric"
#define SIZE_LIMIT (1 << 20)

static bool has_suffix(const char *name)
{
	size_t len = strlen(name), end = strlen(SUFFIX);

	return len > end && name[0] != '.' && !strcmp(name + len - end, SUFFIX);
}

/* Reads a whole file.  Returns NULL after printing an error. */
static char *slurp(const char *path, size_t *len)
{
	char *text = file_read("", path, SIZE_LIMIT, len);

	if (!text)
		holter_error("%s: %s", path,
			     errno == EFBIG ? "too long to be metrics" : file_text(errno));
	return text;
}

/* Writes GROUP for the path a/b/GROUP.metric. */
static void group_name(char *to, size_t size, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	int len = (int)strlen(name);

	if (has_suffix(name))
		len -= (int)strlen(SUFFIX);
	snprintf(to, size, "%.*s", len, name);
}

static int read_file(struct metrics *m, const char *path)
{
	struct expr_error error;
	char name[NAME_MAX];
	unsigned line;
	size_t len;
	char *text;
	bool good;

	group_name(name, sizeof(name), path);
	if (metric_group(m, name) >= 0)
		return 0; /* the first group of a name is used */
	text = slurp(path, &len);
	if (!text)
		return 2;
	good = metric_parse(m, name, text, len, &line, &error);
	free(text);
	return good ? 0 : holter_error("%s:%u:%zu: %s", path, line, error.at + 1, error.why.text);
}

static int is_metrics(const struct dirent *d)
{
	return has_suffix(d->d_name);
}

static int read_folder(struct metrics *m, const char *folder)
{
	struct dirent **list;
	int nr = scandir(folder, &list, is_metrics, alphasort), status = 0;
	char path[PATH_MAX];

	if (nr < 0)
		return holter_error("%s: %s", folder, strerror(errno));
	for (int n = 0; n < nr; n++) {
		if (snprintf(path, sizeof(path), "%s/%s", folder, list[n]->d_name) < PATH_MAX)
			status |= read_file(m, path);
		free(list[n]);
	}
	free(list);
	return status;
}

/* riscv_hwprobe(2) is much faster than reading /proc/cpuinfo, but older kernels lack it. */
static struct metric_cpu this_cpu(void)
{
	struct hwprobe of[] = { { HWPROBE_MVENDORID, 0 }, { HWPROBE_MARCHID, 0 } };
	char text[4096]; /* the first core's lines are at its beginning */
	FILE *f;

	if (hwprobe(of, 2) == 0 && of[0].key == HWPROBE_MVENDORID && of[1].key == HWPROBE_MARCHID)
		return (struct metric_cpu){ true, of[0].value, of[1].value };
	f = fopen("/proc/cpuinfo", "re");
	if (!f)
		return (struct metric_cpu){ 0 };
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return metric_cpu_of(text);
}

/* Finds this core before any file is read, so that lines for other cores are not parsed. */
static void begin(struct metrics *m)
{
	if (!m->here)
		m->core = this_cpu();
	m->here = true;
}

static int chosen(struct metrics *m, int status)
{
	if (!metric_choose(m, &m->core))
		return holter_error("out of memory for metrics");
	return status;
}

int metric_read(struct metrics *m, const char *path)
{
	struct stat s;

	if (stat(path, &s) < 0)
		return holter_error("%s: %s", path, strerror(errno));
	begin(m);
	return chosen(m, S_ISDIR(s.st_mode) ? read_folder(m, path) : read_file(m, path));
}

/* Reads a folder if it exists. */
static int read_if_there(struct metrics *m, const char *format, const char *dir)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), format, dir) >= PATH_MAX || access(path, F_OK) < 0)
		return 0;
	return read_folder(m, path);
}

static int read_users(struct metrics *m)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (config && *config)
		return read_if_there(m, "%s/holter/metrics", config);
	return home && *home ? read_if_there(m, "%s/.config/holter/metrics", home) : 0;
}

/* From metrics/embed: the name and the text of each group; an empty name ends the list. */
extern const char metric_builtin[];

static int read_builtin(struct metrics *m)
{
	const char *name = metric_builtin, *text;
	struct expr_error error;
	unsigned line;

	for (; *name; name = text + strlen(text) + 1) {
		text = name + strlen(name) + 1;
		if (metric_group(m, name) < 0 &&
		    !metric_parse(m, name, text, strlen(text), &line, &error))
			return holter_error("metrics/%s%s:%u:%zu: %s", name, SUFFIX, line,
					    error.at + 1, error.why.text);
	}
	return 0;
}

int metric_read_all(struct metrics *m)
{
	int status;

	begin(m);
	status = read_users(m);
	return chosen(m, status | read_builtin(m));
}
