// SPDX-License-Identifier: BSD-2-Clause
/*
 * jit.c - names of functions that programs generated at run time (jit.h).
 */
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "jit.h"
#include "number.h"

#define FILE_MAX (256 << 20)

/* False: no memory. */
static bool parse_line(struct symbol_table *t, const char *line, size_t len)
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
		return true;
	at += strspn(at, " \t");
	return symbols_add(t, start, size, at, strlen(at), SYMBOL_GLOBAL);
}

bool jit_parse(struct symbol_table *t, const char *text)
{
	bool memory = true;

	while (*text && memory) {
		size_t len = strcspn(text, "\n");

		memory = parse_line(t, text, len);
		text += len + (text[len] == '\n');
	}
	symbols_sort(t);
	return memory;
}

/* A process without a map file has no names.  False: no memory. */
static bool read_table(const struct jit *j, struct symbol_table *t, const char *symfs, int64_t pid)
{
	bool memory;
	char path[PATH_MAX], *text = NULL;
	size_t len;

	errno = 0;
	if (j->folder && snprintf(path, sizeof(path), "%s/perf-%" PRId64 ".map", j->folder, pid) <
				 (int)sizeof(path))
		text = file_read("", path, FILE_MAX, &len);
	memory = text || errno != ENOMEM;
	if (!text && memory) {
		snprintf(path, sizeof(path), "/tmp/perf-%" PRId64 ".map", pid);
		text = file_read_recorded(symfs, path, FILE_MAX, &len);
		memory = text || errno != ENOMEM;
	}
	if (text)
		memory = jit_parse(t, text);
	free(text);
	return memory;
}

const struct symbol *jit_find(struct jit *j, const char *symfs, int64_t pid, uint64_t addr)
{
	uint32_t i = idmap_get(&j->index, pid);

	if (pid < 0)
		return NULL;
	if (i != IDMAP_NONE)
		return symbols_find(&j->tables.at[i], addr);
	if (!VEC_ROOM(&j->tables, 1) || !idmap_set(&j->index, pid, j->tables.nr)) {
		j->no_memory = true;
		return NULL;
	}
	i = j->tables.nr++;
	j->tables.at[i] = (struct symbol_table){ 0 };
	j->no_memory |= !read_table(j, &j->tables.at[i], symfs, pid);
	return symbols_find(&j->tables.at[i], addr);
}

void jit_free(struct jit *j)
{
	for (size_t i = 0; i < j->tables.nr; i++)
		symbols_free(&j->tables.at[i]);
	free(j->tables.at);
	idmap_free(&j->index);
}

static bool is_numbered(const char *name, const char *before, const char *behind)
{
	size_t digits;

	if (strncmp(name, before, strlen(before)) != 0)
		return false;
	name += strlen(before);
	digits = strspn(name, "0123456789");
	return digits && !strcmp(name + digits, behind);
}

enum jit_file jit_file_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	return is_numbered(name, "perf-", ".map")   ? JIT_MAP
	       : is_numbered(name, "jit-", ".dump") ? JIT_DUMP
						    : JIT_NO_FILE;
}

static bool add_names(struct symbol_table *t, const struct jitdump *d)
{
	for (size_t n = 0; n < d->codes.nr; n++) {
		const struct jitdump_code *c = &d->codes.at[n];

		if (!symbols_add(t, c->offset, c->size, c->name, strlen(c->name), SYMBOL_GLOBAL))
			return false;
	}
	symbols_sort(t);
	return true;
}

void jit_parse_dump(struct profile *p, const char *path, struct jitdump *d, const char *data,
		    size_t size)
{
	struct error_text why = { "" };
	char text[4608];

	if (jitdump_parse(d, data, size, &why))
		return;
	snprintf(text, sizeof(text), "%s: %s; code after that has no names", path, why.text);
	profile_add_note(p, text);
}

/* A new object, even if another one has the same path. */
static uint32_t add_object(struct profile *p, enum profile_kind kind, const char *path)
{
	const size_t nr = p->objects.nr;
	uint32_t object = profile_add_object(p, kind, path, &nr, sizeof(nr));

	if (object != PROFILE_NONE)
		p->objects.at[object].build_id_size = 0; /* it only made the object new */
	return object;
}

uint32_t jit_add_map(struct profile *p, const struct symbol_table *map)
{
	uint32_t object = add_object(p, PROFILE_ANON, "[anon]");

	if (object != PROFILE_NONE)
		p->objects.at[object].symbols = *map;
	return object;
}

uint32_t jit_add_dump(struct profile *p, const char *path, const struct jitdump *d, char *data,
		      size_t size)
{
	uint32_t object = add_object(p, PROFILE_JIT, path);
	struct profile_object *o;

	if (object == PROFILE_NONE)
		return PROFILE_NONE;
	o = &p->objects.at[object];
	o->jitdump = data;
	o->jitdump_size = size;
	o->jitdump_riscv = d->machine == EM_RISCV;
	p->no_memory |= !add_names(&o->symbols, d);
	return object;
}
