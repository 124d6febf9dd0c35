// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_spaces.c - the address spaces of an exact profile (exact_spaces.h).
 *
 * Each page of a space votes for all pairs of (file, difference between address and file offset)
 * that would explain its content.  Then each page takes the pair with the most votes that explains
 * it.
 */
#include <stdlib.h>
#include <string.h>

#include "exact_spaces.h"

#define PAGE 4096u
#define MANY 64 /* a page that is in more places than this does not vote */

struct page {
	uint64_t satp, va, content, offset;
	uint32_t file;
};

/* A file that may be mapped at one place in a space. */
struct load {
	uint32_t file;
	uint64_t bias; /* address - offset */
	size_t votes;
};

/* How much of a file a space ran. */
struct use {
	uint32_t file;
	bool entered; /* the first instruction of the file ran */
	uint64_t instructions;
};

struct space {
	uint64_t satp;
	uint32_t process;
	struct use *use;
	size_t uses, uses_room;
};

struct exact_spaces {
	struct exact_files *files;
	struct page *page;
	struct space *space;
	struct load *load; /* of the space that resolve() works on */
	char **path; /* by file; NULL: not asked for yet */
	size_t pages, pages_room, spaces, spaces_room, loads, loads_room, paths;
	bool no_memory;
};

struct exact_spaces *exact_spaces_new(struct exact_files *files)
{
	struct exact_spaces *s = calloc(1, sizeof(*s));

	if (s)
		s->files = files;
	return s;
}

void exact_spaces_free(struct exact_spaces *s)
{
	if (!s)
		return;
	for (size_t n = 0; n < s->spaces; n++)
		free(s->space[n].use);
	for (size_t n = 0; n < s->paths; n++)
		free(s->path[n]);
	free(s->page);
	free(s->space);
	free(s->load);
	free(s->path);
	free(s);
}

static bool room(struct exact_spaces *s, void *array, size_t nr, size_t *size, size_t element)
{
	void **at = array, *more;
	size_t want = *size ? 2 * *size : 64;

	if (nr < *size)
		return true;
	more = reallocarray(*at, want, element);
	if (!more) {
		s->no_memory = true;
		return false;
	}
	*at = more;
	*size = want;
	return true;
}

void exact_spaces_add(struct exact_spaces *s, uint64_t satp, uint64_t va, uint64_t content)
{
	if (room(s, &s->page, s->pages, &s->pages_room, sizeof(*s->page)))
		s->page[s->pages++] = (struct page){ satp, va, content, 0, EXACT_NO_FILE };
}

/* Which file a page is from */

static int compare(const void *left, const void *right)
{
	const struct page *a = left, *b = right;

	if (a->satp != b->satp)
		return a->satp < b->satp ? -1 : 1;
	if (a->va != b->va)
		return a->va < b->va ? -1 : 1;
	return (a->content > b->content) - (a->content < b->content);
}

static struct load *find_load(struct exact_spaces *s, uint32_t file, uint64_t bias)
{
	for (size_t n = 0; n < s->loads; n++) {
		if (s->load[n].file == file && s->load[n].bias == bias)
			return &s->load[n];
	}
	return NULL;
}

/* Whether code of this file may have run in this space. */
static bool is_role(const struct exact_spaces *s, uint32_t file, uint64_t satp)
{
	enum exact_role role = satp == EXACT_SPACE_M ? EXACT_FIRMWARE
			       : satp		     ? EXACT_PROGRAM
						     : EXACT_KERNEL;

	return exact_files_at(s->files, file)->roles & role;
}

static void vote(struct exact_spaces *s, uint32_t file, uint64_t bias)
{
	struct load *l = find_load(s, file, bias);

	if (!l && room(s, &s->load, s->loads, &s->loads_room, sizeof(*s->load))) {
		l = &s->load[s->loads++];
		*l = (struct load){ file, bias, 0 };
	}
	if (l)
		l->votes++;
}

static bool is_code(const struct exact_file *x, uint64_t offset)
{
	for (unsigned n = 0; n < x->segments; n++) {
		uint64_t first = x->code[n].offset & ~(uint64_t)(PAGE - 1);

		if (offset >= first && offset < x->code[n].offset + x->code[n].size)
			return true;
	}
	return false;
}

/* Chooses the file of a page by its content, or else by the file that is mapped around it. */
static void choose(struct exact_spaces *s, struct page *page)
{
	size_t nr, most = 0;
	const struct exact_hit *hit = exact_files_find(s->files, page->content, &nr);

	for (size_t n = 0; n < nr && nr <= MANY; n++) {
		uint64_t offset = (uint64_t)hit[n].page * PAGE;
		const struct load *l = find_load(s, hit[n].file, page->va - offset);

		if (l && l->votes > most) {
			most = l->votes;
			page->file = hit[n].file;
			page->offset = offset;
		}
	}
	for (size_t n = 0; page->file == EXACT_NO_FILE && n < s->loads; n++) {
		const struct load *l = &s->load[n];
		uint64_t offset = page->va - l->bias;

		if (l->votes <= most || !is_code(exact_files_at(s->files, l->file), offset))
			continue;
		page->file = l->file;
		page->offset = offset;
	}
}

static void resolve(struct exact_spaces *s, struct page *page, size_t pages)
{
	s->loads = 0;
	for (size_t n = 0; n < pages; n++) {
		size_t nr;
		const struct exact_hit *hit = exact_files_find(s->files, page[n].content, &nr);

		for (size_t i = 0; i < nr && nr <= MANY; i++) {
			if (is_role(s, hit[i].file, page[n].satp))
				vote(s, hit[i].file, page[n].va - (uint64_t)hit[i].page * PAGE);
		}
	}
	for (size_t n = 0; n < pages; n++)
		choose(s, &page[n]);
}

bool exact_spaces_resolve(struct exact_spaces *s)
{
	if (s->pages)
		qsort(s->page, s->pages, sizeof(*s->page), compare);
	for (size_t n = 0, end; n < s->pages; n = end) {
		for (end = n + 1; end < s->pages && s->page[end].satp == s->page[n].satp;)
			end++;
		resolve(s, s->page + n, end - n);
	}
	return !s->no_memory;
}

bool exact_spaces_lack_memory(const struct exact_spaces *s)
{
	return s->no_memory;
}

/* The path at which a file can be opened; s keeps it. */
static const char *path_of(struct exact_spaces *s, uint32_t file)
{
	if (file >= s->paths) {
		char **more = reallocarray(s->path, file + 1, sizeof(*more));

		if (!more) {
			s->no_memory = true;
			return NULL;
		}
		memset(more + s->paths, 0, (file + 1 - s->paths) * sizeof(*more));
		s->path = more;
		s->paths = file + 1;
	}
	if (!s->path[file])
		s->path[file] = exact_files_open(s->files, file);
	/* A file that cannot be copied out of its archive still has a name. */
	return s->path[file] ? s->path[file] : exact_files_at(s->files, file)->path;
}

struct exact_home exact_spaces_find(struct exact_spaces *s, uint64_t satp, uint64_t va,
				    uint64_t content)
{
	const struct page key = { .satp = satp, .va = va, .content = content };
	const struct page *page = s->pages ? bsearch(&key, s->page, s->pages, sizeof(key), compare)
					   : NULL;

	if (!page || page->file == EXACT_NO_FILE)
		return (struct exact_home){ NULL, EXACT_NO_FILE, 0 };
	return (struct exact_home){ path_of(s, page->file), page->file, page->offset };
}

/* Processes */

static struct space *space_of(struct exact_spaces *s, uint64_t satp)
{
	for (size_t n = s->spaces; n-- > 0;) {
		if (s->space[n].satp == satp)
			return &s->space[n];
	}
	if (!room(s, &s->space, s->spaces, &s->spaces_room, sizeof(*s->space)))
		return NULL;
	s->space[s->spaces] = (struct space){ .satp = satp, .process = PROFILE_NONE };
	return &s->space[s->spaces++];
}

void exact_spaces_ran(struct exact_spaces *s, uint64_t satp, uint32_t file, uint64_t offset,
		      uint64_t instructions)
{
	const struct exact_file *x = exact_files_at(s->files, file);
	struct space *space = space_of(s, satp);
	struct use *u = NULL;

	for (size_t n = 0; space && n < space->uses; n++) {
		if (space->use[n].file == file)
			u = &space->use[n];
	}
	if (!u) {
		if (!space ||
		    !room(s, &space->use, space->uses, &space->uses_room, sizeof(*space->use)))
			return;
		u = &space->use[space->uses++];
		*u = (struct use){ .file = file };
	}
	u->instructions += instructions;
	u->entered |= instructions && x->has_entry && x->entry == offset;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* How likely it is that a process runs this file: a program, whose first instruction ran. */
static unsigned rank(const struct exact_file *x, const struct use *u)
{
	return (x->program ? 2 : 0) + (u->entered ? 1 : 0);
}

/* Whether a process ran user code in this space; if not, only the kernel ran there. */
static bool has_pages(const struct exact_spaces *s, uint64_t satp)
{
	for (size_t n = 0; n < s->pages; n++) {
		if (s->page[n].satp == satp)
			return true;
	}
	return false;
}

static const char *space_name(const struct exact_spaces *s, const struct space *space,
			      const char *program)
{
	const struct use *best = NULL;
	unsigned highest = 0;

	if (space->satp == EXACT_SPACE_M || !space->satp)
		return program			      ? last_part(program)
		       : space->satp == EXACT_SPACE_M ? "[firmware]"
						      : "[boot]";
	if (space->satp == EXACT_SPACE_THREADS_OF)
		return "[kernel threads]";
	if (space->satp == EXACT_SPACE_INTERRUPTS_OF)
		return "[interrupts]";
	if (space->satp == EXACT_SPACE_STARTER_OF)
		return "[guest]";
	for (size_t n = 0; n < space->uses; n++) {
		const struct use *u = &space->use[n];
		unsigned r = rank(exact_files_at(s->files, u->file), u);

		if (best &&
		    (r < highest || (r == highest && u->instructions <= best->instructions)))
			continue;
		best = u;
		highest = r;
	}
	if (best)
		return last_part(exact_files_at(s->files, best->file)->path);
	return has_pages(s, space->satp) ? "[unknown]" : "[kernel]";
}

uint32_t exact_spaces_process(struct exact_spaces *s, struct profile *p, uint64_t satp,
			      const char *program)
{
	struct space *space = space_of(s, satp);
	const char *name;

	if (!space)
		return PROFILE_NONE;
	if (space->process != PROFILE_NONE)
		return space->process;
	name = space_name(s, space, program);
	for (uint32_t n = 0; n < p->processes.nr; n++) {
		if (!strcmp(p->processes.at[n].comm, name))
			return space->process = n;
	}
	return space->process = profile_add_process(p, -1, name);
}
