// SPDX-License-Identifier: BSD-2-Clause
/*
 * sources.c - reads lines of source files (annotate.h).
 */
#include <stdlib.h>
#include <string.h>

#include "annotate.h"
#include "file.h"
#include "term.h"

#define FILE_MAX (16 << 20) /* a longer file is not a source file */

/* Makes a line printable, except for its tabs.  Removes the CR of a line that ends with CR LF. */
static void make_printable(char *line)
{
	size_t len = strlen(line);

	if (len && line[len - 1] == '\r')
		line[len - 1] = '\0';
	for (char *tab; (tab = strchr(line, '\t')); line = tab + 1) {
		*tab = '\0';
		term_printable(line);
		*tab = '\t';
	}
	term_printable(line);
}

static void split(struct source_file *f)
{
	char *rest = f->text, *line;

	while (rest && *rest && (line = strsep(&rest, "\n"))) {
		if (!VEC_ROOM(&f->lines, 1))
			return;
		make_printable(line);
		f->lines.at[f->lines.nr++] = line;
	}
}

static struct source_file *find_file(struct sources *s, const char *path)
{
	struct source_file *f;
	size_t len;

	for (size_t i = 0; i < s->files.nr; i++) {
		if (!strcmp(s->files.at[i].path, path))
			return &s->files.at[i];
	}
	if (!VEC_ROOM(&s->files, 1))
		return NULL;
	f = &s->files.at[s->files.nr];
	*f = (struct source_file){ .path = strdup(path) };
	if (!f->path)
		return NULL;
	f->text = file_read_recorded(s->symfs, path, FILE_MAX, &len);
	split(f);
	s->files.nr++;
	return f;
}

const char *sources_line(struct sources *s, const char *path, int line)
{
	struct source_file *f = find_file(s, path);

	return f && line > 0 && (size_t)line <= f->lines.nr ? f->lines.at[line - 1] : NULL;
}

void sources_free(struct sources *s)
{
	for (size_t i = 0; i < s->files.nr; i++) {
		free(s->files.at[i].path);
		free(s->files.at[i].text);
		free(s->files.at[i].lines.at);
	}
	free(s->files.at);
}

const char *sources_file_name(const char *file, char to[NAME_MAX + 1])
{
	const char *slash = strrchr(file, '/');

	snprintf(to, NAME_MAX + 1, "%s", slash ? slash + 1 : file);
	term_printable(to);
	return to;
}
