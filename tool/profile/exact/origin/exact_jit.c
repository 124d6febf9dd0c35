// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_jit.c - names of generated code in an exact profile (exact_jit.h).
 *
 * Each instruction of a space votes for the files that name it.  Two programs may have generated
 * equal code at one address: of the jitdump files that have an instruction, the one with the most
 * votes of the space is taken.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact_jit.h"
#include "file.h"
#include "jit.h"
#include "vec.h"

#define SOURCES_MAX 256
#define MAP_MAX	    (256 << 20) /* bytes */
#define DUMP_MAX    (1 << 30)
/* Code may have come to the addresses of other code: how many that begin below are looked at. */
#define NEAR	    64

struct source { /* a file */
	char *path;
	enum jit_file kind;
	uint32_t object; /* PROFILE_NONE: it has named nothing yet */
	struct symbol_table map;
	struct jitdump dump; /* its codes in the order of their addresses */
	char *data; /* of the dump */
	bool given; /* data and the symbols of map belong to the object */
	size_t size;
};

struct space {
	uint64_t satp;
	uint64_t *votes; /* by source */
};

struct exact_jit {
	struct profile *p;
	VEC(struct source) sources;
	VEC(struct space) spaces;
};

struct exact_jit *exact_jit_new(struct profile *p)
{
	struct exact_jit *j = calloc(1, sizeof(*j));

	if (j)
		j->p = p;
	return j;
}

void exact_jit_free(struct exact_jit *j)
{
	if (!j)
		return;
	for (size_t n = 0; n < j->sources.nr; n++) {
		struct source *s = &j->sources.at[n];

		free(s->path);
		jitdump_free(&s->dump);
		if (s->given)
			continue;
		symbols_free(&s->map);
		free(s->data);
	}
	for (size_t n = 0; n < j->spaces.nr; n++)
		free(j->spaces.at[n].votes);
	free(j->sources.at);
	free(j->spaces.at);
	free(j);
}

/* Notes whether there was memory. */
static bool enough(struct exact_jit *j, bool memory)
{
	j->p->no_memory |= !memory;
	return memory;
}

/* Reading the files */

static int by_address(const void *left, const void *right)
{
	const struct jitdump_code *a = left, *b = right;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

static const char *last_part(const char *path)
{
	return strrchr(path, '/') + 1;
}

static bool has_source(const struct exact_jit *j, const char *name)
{
	for (size_t n = 0; n < j->sources.nr; n++) {
		if (!strcmp(last_part(j->sources.at[n].path), name))
			return true;
	}
	return false;
}

static void take_map(struct exact_jit *j, struct source *s)
{
	enough(j, jit_parse(&s->map, s->data));
	free(s->data);
	s->data = NULL;
}

static void take_dump(struct exact_jit *j, struct source *s)
{
	jit_parse_dump(j->p, s->path, &s->dump, s->data, s->size);
	if (s->dump.codes.nr)
		qsort(s->dump.codes.at, s->dump.codes.nr, sizeof(*s->dump.codes.at), by_address);
}

/* A file that cannot be read, or that only has the name of a jitdump file, is not a source. */
static void add_source(struct exact_jit *j, const char *path, enum jit_file kind)
{
	struct source s = { .kind = kind, .object = PROFILE_NONE };

	s.data = file_read("", path, kind == JIT_MAP ? MAP_MAX : DUMP_MAX, &s.size);
	enough(j, s.data || errno != ENOMEM);
	if (!s.data || (kind == JIT_DUMP && !jitdump_knows(s.data, s.size))) {
		free(s.data);
		return;
	}
	s.path = strdup(path);
	if (!enough(j, s.path && VEC_PUSH(&j->sources, s))) {
		free(s.path);
		free(s.data);
		return;
	}
	if (kind == JIT_MAP)
		take_map(j, &j->sources.at[j->sources.nr - 1]);
	else
		take_dump(j, &j->sources.at[j->sources.nr - 1]);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_jit_file(const struct dirent *entry)
{
	return jit_file_of(entry->d_name) != JIT_NO_FILE;
}

/* Calls each() for the files of a folder that may name code.  False: no memory. */
static bool each_file(const char *path,
		      void (*each)(void *cookie, const char *file, const char *name), void *cookie)
{
	struct dirent **list;
	int nr = path ? scandir(path, &list, is_jit_file, by_name) : -1;

	for (int n = 0; n < nr; n++) {
		const char *name = list[n]->d_name;
		char file[PATH_MAX];

		if (snprintf(file, sizeof(file), "%s/%s", path, name) < (int)sizeof(file))
			each(cookie, file, name);
		free(list[n]);
	}
	if (nr >= 0)
		free(list);
	return nr >= 0 || !path || errno != ENOMEM;
}

static void read_file(void *cookie, const char *file, const char *name)
{
	struct exact_jit *j = cookie;

	if (j->sources.nr < SOURCES_MAX && !has_source(j, name))
		add_source(j, file, jit_file_of(name));
}

void exact_jit_add_folder(struct exact_jit *j, const char *path)
{
	enough(j, each_file(path, read_file, j));
}

static void stamp_file(void *cookie, const char *file, const char *name)
{
	exact_stamp_file(cookie, file);
}

void exact_jit_stamp_folder(struct exact_stamp *s, const char *path)
{
	each_file(path, stamp_file, s);
}

/* Finding code */

/* Whether the file has this instruction at an offset of the code. */
static bool is_same(const struct source *s, const struct jitdump_code *c, uint64_t offset,
		    uint32_t raw)
{
	const uint8_t bytes[] = { raw, raw >> 8, raw >> 16, raw >> 24 };
	size_t len = (raw & 3) == 3 ? 4 : 2;

	return !raw ||
	       (len <= c->size - offset && !memcmp(s->data + c->offset + offset, bytes, len));
}

/* The code of a dump with this instruction, the last of the file; NULL: none. */
static const struct jitdump_code *code_at(const struct source *s, uint64_t va, uint32_t raw)
{
	const struct jitdump_code *best = NULL;
	size_t low = 0, high = s->dump.codes.nr, first;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->dump.codes.at[middle].addr <= va)
			low = middle + 1;
		else
			high = middle;
	}
	first = low > NEAR ? low - NEAR : 0;
	for (size_t n = first; n < low; n++) {
		const struct jitdump_code *c = &s->dump.codes.at[n];

		if (va - c->addr < c->size && (!best || c->offset >= best->offset) &&
		    is_same(s, c, va - c->addr, raw))
			best = c;
	}
	return best;
}

static bool names(const struct source *s, uint64_t va, uint32_t raw)
{
	return s->kind == JIT_MAP ? symbols_find(&s->map, va) != NULL : code_at(s, va, raw) != NULL;
}

/* A space and its votes; NULL: it is not known. */
static struct space *space_of(const struct exact_jit *j, uint64_t satp)
{
	for (size_t n = j->spaces.nr; n-- > 0;) {
		if (j->spaces.at[n].satp == satp)
			return &j->spaces.at[n];
	}
	return NULL;
}

void exact_jit_ran(struct exact_jit *j, uint64_t satp, uint64_t va, uint32_t raw)
{
	struct space *space = space_of(j, satp);
	struct space new = { .satp = satp };

	if (!j->sources.nr)
		return;
	if (!space) {
		new.votes = calloc(SOURCES_MAX, sizeof(*new.votes));
		if (!enough(j, new.votes &&VEC_PUSH(&j->spaces, new))) {
			free(new.votes);
			return;
		}
		space = &j->spaces.at[j->spaces.nr - 1];
	}
	for (size_t n = 0; n < j->sources.nr; n++)
		space->votes[n] += names(&j->sources.at[n], va, raw);
}

/* The dump with the most votes that has the instruction; NULL: none. */
static struct source *dump_of(struct exact_jit *j, const struct space *space, uint64_t va,
			      uint32_t raw)
{
	struct source *best = NULL;
	uint64_t most = 0;

	for (size_t n = 0; n < j->sources.nr; n++) {
		struct source *s = &j->sources.at[n];

		if (s->kind == JIT_DUMP && space->votes[n] > most && code_at(s, va, raw)) {
			most = space->votes[n];
			best = s;
		}
	}
	return best;
}

/* The map with the most votes; NULL: none, or several. */
static struct source *map_of(struct exact_jit *j, const struct space *space)
{
	struct source *best = NULL;
	uint64_t most = 0;

	for (size_t n = 0; n < j->sources.nr; n++) {
		if (j->sources.at[n].kind != JIT_MAP || space->votes[n] < most || !space->votes[n])
			continue;
		best = space->votes[n] == most ? NULL : &j->sources.at[n];
		most = space->votes[n];
	}
	return best;
}

static uint32_t object_of(struct exact_jit *j, struct source *s)
{
	if (s->given)
		return s->object;
	s->object = s->kind == JIT_MAP ? jit_add_map(j->p, &s->map)
				       : jit_add_dump(j->p, s->path, &s->dump, s->data, s->size);
	s->given = s->object != PROFILE_NONE;
	return s->object;
}

struct exact_generated exact_jit_find(struct exact_jit *j, uint64_t satp, uint64_t va, uint32_t raw)
{
	const struct space *space = space_of(j, satp);
	struct source *s = space ? dump_of(j, space, va, raw) : NULL;
	const struct jitdump_code *c = s ? code_at(s, va, raw) : NULL;

	if (c)
		return (struct exact_generated){ object_of(j, s), c->offset + (va - c->addr) };
	s = space ? map_of(j, space) : NULL;
	if (s && symbols_find(&s->map, va))
		return (struct exact_generated){ object_of(j, s), va };
	return (struct exact_generated){ PROFILE_NONE, va };
}
