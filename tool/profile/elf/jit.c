// SPDX-License-Identifier: BSD-2-Clause
/*
 * jit.c - names of functions that programs generated at run time (jit.h).
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "jit.h"
#include "number.h"

#define FILE_MAX (256 << 20)

static void parse_line(struct symbol_table *t, const char *line, size_t len)
{
	char text[512];
	const char *at = text;
	uint64_t start, size;

	if (len >= sizeof(text))
		len = sizeof(text) - 1;
	memcpy(text, line, len);
	text[len] = '\0';
	if (!number_field(&at, NUMBER_HEX | NUMBER_0X, UINT64_MAX, &start) ||
	    !number_field(&at, NUMBER_HEX | NUMBER_0X, UINT64_MAX, &size) || !size)
		return;
	at += strspn(at, " \t");
	symbols_add(t, start, size, at, strlen(at), SYMBOL_GLOBAL);
}

void jit_parse(struct symbol_table *t, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		parse_line(t, text, len);
		text += len + (text[len] == '\n');
	}
	symbols_sort(t);
}

static void read_table(const struct jit *j, struct symbol_table *t, const char *symfs, int64_t pid)
{
	char path[PATH_MAX], *text = NULL;
	size_t len;

	if (j->folder && snprintf(path, sizeof(path), "%s/perf-%" PRId64 ".map", j->folder, pid) <
				 (int)sizeof(path))
		text = file_read("", path, FILE_MAX, &len);
	snprintf(path, sizeof(path), "/tmp/perf-%" PRId64 ".map", pid);
	if (!text)
		text = file_read_recorded(symfs, path, FILE_MAX, &len);
	if (text)
		jit_parse(t, text);
	free(text);
}

const struct symbol *jit_find(struct jit *j, const char *symfs, int64_t pid, uint64_t addr)
{
	uint32_t i = idmap_get(&j->index, pid);

	if (i != IDMAP_NONE)
		return symbols_find(&j->tables.at[i], addr);
	if (!VEC_ROOM(&j->tables, 1) || !idmap_set(&j->index, pid, j->tables.nr))
		return NULL;
	i = j->tables.nr++;
	j->tables.at[i] = (struct symbol_table){ 0 };
	read_table(j, &j->tables.at[i], symfs, pid);
	return symbols_find(&j->tables.at[i], addr);
}

void jit_free(struct jit *j)
{
	for (size_t i = 0; i < j->tables.nr; i++)
		symbols_free(&j->tables.at[i]);
	free(j->tables.at);
	idmap_free(&j->index);
}
