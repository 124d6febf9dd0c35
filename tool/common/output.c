// SPDX-License-Identifier: BSD-2-Clause
/*
 * output.c - see output.h.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "holter.h"
#include "near.h"
#include "output.h"

static const struct output_format *format_at(const struct output_formats *f, size_t n)
{
	return (const void *)((const char *)f->at + n * f->size);
}

/* Returns the suffix of a file's name, with its dot; NULL: there is none. */
static const char *suffix_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');

	return dot && dot != name && dot[1] ? dot : NULL;
}

/* Whether a path ends with a suffix, after a name. */
static bool ends_with(const char *path, const char *suffix)
{
	size_t len = strlen(path), end = strlen(suffix);

	return len > end && path[len - end - 1] != '/' && !strcmp(path + len - end, suffix);
}

#define LIST_SIZE 512

/* Lists the names or the suffixes of the formats: "text, json and html". */
static const char *list_formats(const struct output_formats *f, bool suffixes, char to[LIST_SIZE])
{
	size_t len = 0;

	*to = '\0';
	for (size_t i = 0; i < f->nr && len < LIST_SIZE; i++)
		len += (size_t)snprintf(to + len, LIST_SIZE - len, "%s%s",
					!i		? ""
					: i + 1 < f->nr ? ", "
							: " and ",
					suffixes ? format_at(f, i)->suffix : format_at(f, i)->name);
	return to;
}

static void unknown_format(const struct output_formats *f, const char *format, const char *out)
{
	const char *instead = format && f->foreign ? options_instead(f->foreign, format) : NULL;
	struct near near = near_to(format ? format : "");
	char all[LIST_SIZE];

	for (size_t i = 0; i < f->nr; i++)
		near_try(&near, format_at(f, i)->name);
	if (instead)
		holter_error("--format '%s': %s", format, instead);
	else if (near.best)
		holter_error("--format '%s': did you mean %s? (%s)", format, near.best,
			     list_formats(f, false, all));
	else if (format)
		holter_error("--format '%s': the formats are %s", format,
			     list_formats(f, false, all));
	else
		holter_error("-o %s: the suffixes are %s; with another one name the --format", out,
			     list_formats(f, true, all));
}

const void *output_choose(const struct output_formats *formats, const struct output_options *o)
{
	const char *out = o->out, *format = !o->format && o->json ? "json" : o->format;
	const struct output_format *best = NULL;

	for (size_t i = 0; i < formats->nr; i++) {
		const struct output_format *at = format_at(formats, i);

		if (format ? !strcmp(format, at->name)
			   : out && ends_with(out, at->suffix) &&
				     (!best || strlen(at->suffix) > strlen(best->suffix)))
			best = at;
	}
	if (!best && !format && !(out && suffix_of(out)))
		best = format_at(formats, 0);
	if (!best)
		unknown_format(formats, format, out);
	return best;
}

/* Whether both are the same regular file, which would then be overwritten. */
static bool is_same(const char *out, const char *input)
{
	struct stat a, b;

	return input && stat(out, &a) == 0 && S_ISREG(a.st_mode) && stat(input, &b) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

FILE *output_open(const char *out, const char *const *inputs, size_t nr)
{
	FILE *to;

	if (!out)
		return stdout;
	for (size_t i = 0; i < nr; i++) {
		if (!is_same(out, inputs[i]))
			continue;
		holter_error("-o %s: is what the report is made of, and would be lost", out);
		return NULL;
	}
	to = file_create_stream(out, NULL);
	if (!to)
		holter_error("-o %s: %s", out, file_text(errno));
	return to;
}

int output_try(const char *out)
{
	bool there = out && !access(out, F_OK);
	int fd = out ? file_create(out, NULL, 0, 0666) : -1;

	if (out && fd < 0)
		return holter_error("-o %s: %s", out, file_text(errno));
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && !there)
		unlink(out);
	return 0;
}

int output_close(const char *out, FILE *to, int status)
{
	struct stat st;

	if (!out)
		return status;
	if ((fflush(to) || ferror(to)) && !status)
		status = holter_error("%s: %s", out, strerror(errno));
	if (status && fstat(fileno(to), &st) == 0 && S_ISREG(st.st_mode))
		unlink(out);
	if (fclose(to) && !status)
		status = holter_error("%s: %s", out, strerror(errno));
	if (!status && isatty(2))
		fprintf(stderr, "holter: wrote %s\n", out);
	return status;
}
