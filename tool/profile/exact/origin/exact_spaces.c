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
#include "vec.h"

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
	VEC(struct use) uses;
};

/* A file that a space has mapped: its link-time addresses, and what is added to them there. */
struct mapped {
	uint64_t satp, add;
	uint32_t file;
};

struct exact_spaces {
	struct exact_files *files;
	VEC(struct page) pages;
	VEC(struct space) spaces;
	VEC(struct load) loads; /* of the space that resolve() works on */
	VEC(struct mapped) mapped; /* of all spaces */
	VEC(char *) paths; /* by file; NULL: not asked for yet */
	bool no_memory;
};

uint64_t exact_spaces_of(const struct exact_code *code)
{
	return code->mode == EXACT_MODE_M ? EXACT_SPACE_M : code->satp;
}

bool exact_spaces_look_for(const struct exact_code *code)
{
	return code->mode == EXACT_MODE_U ? code->satp : code->mode == EXACT_MODE_M || !code->satp;
}

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
	for (size_t n = 0; n < s->spaces.nr; n++)
		free(s->spaces.at[n].uses.at);
	for (size_t n = 0; n < s->paths.nr; n++)
		free(s->paths.at[n]);
	free(s->pages.at);
	free(s->spaces.at);
	free(s->loads.at);
	free(s->mapped.at);
	free(s->paths.at);
	free(s);
}

/* Notes whether there was memory. */
static bool enough(struct exact_spaces *s, bool memory)
{
	s->no_memory |= !memory;
	return memory;
}

void exact_spaces_add(struct exact_spaces *s, uint64_t satp, uint64_t va, uint64_t content)
{
	enough(s, VEC_PUSH(&s->pages, (struct page){ satp, va, content, 0, EXACT_NO_FILE }));
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
	for (size_t n = 0; n < s->loads.nr; n++) {
		if (s->loads.at[n].file == file && s->loads.at[n].bias == bias)
			return &s->loads.at[n];
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

	if (!l && enough(s, VEC_PUSH(&s->loads, (struct load){ file, bias, 0 })))
		l = &s->loads.at[s->loads.nr - 1];
	if (l)
		l->votes++;
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
	for (size_t n = 0; page->file == EXACT_NO_FILE && n < s->loads.nr; n++) {
		const struct load *l = &s->loads.at[n];
		uint64_t offset = page->va - l->bias;
		const struct exact_file *file = exact_files_at(s->files, l->file);

		if (l->votes <= most || !exact_file_is_code(file, offset))
			continue;
		page->file = l->file;
		page->offset = offset;
	}
}

/* Notes where the file of a page is mapped; pages of one mapping come one after the other. */
static void note_mapped(struct exact_spaces *s, const struct page *page)
{
	const struct exact_file *x;
	struct mapped m = { page->satp, 0, page->file };

	if (page->file == EXACT_NO_FILE)
		return;
	x = exact_files_at(s->files, page->file);
	m.add = page->va - exact_file_address(x, page->offset);
	for (size_t n = s->mapped.nr; n && s->mapped.at[n - 1].satp == m.satp; n--) {
		if (s->mapped.at[n - 1].file == m.file && s->mapped.at[n - 1].add == m.add)
			return;
	}
	enough(s, VEC_PUSH(&s->mapped, m));
}

static void resolve(struct exact_spaces *s, struct page *page, size_t pages)
{
	s->loads.nr = 0;
	for (size_t n = 0; n < pages; n++) {
		size_t nr;
		const struct exact_hit *hit = exact_files_find(s->files, page[n].content, &nr);

		for (size_t i = 0; i < nr && nr <= MANY; i++) {
			if (is_role(s, hit[i].file, page[n].satp))
				vote(s, hit[i].file, page[n].va - (uint64_t)hit[i].page * PAGE);
		}
	}
	for (size_t n = 0; n < pages; n++) {
		choose(s, &page[n]);
		note_mapped(s, &page[n]);
	}
}

bool exact_spaces_resolve(struct exact_spaces *s)
{
	const struct page *page = s->pages.at;
	const size_t nr = s->pages.nr;

	VEC_SORT(&s->pages, compare);
	for (size_t n = 0, end; n < nr; n = end) {
		for (end = n + 1; end < nr && page[end].satp == page[n].satp;)
			end++;
		resolve(s, s->pages.at + n, end - n);
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
	char **path;

	while (s->paths.nr <= file) {
		if (!enough(s, VEC_PUSH(&s->paths, NULL)))
			return NULL;
	}
	path = &s->paths.at[file];
	if (!*path)
		*path = exact_files_open(s->files, file);
	/* A file that cannot be copied out of its archive still has a name. */
	return *path ? *path : exact_files_at(s->files, file)->path;
}

struct exact_home exact_spaces_find(struct exact_spaces *s, uint64_t satp, uint64_t va,
				    uint64_t content)
{
	const struct page key = { .satp = satp, .va = va, .content = content };
	const struct page *page = NULL;

	if (s->pages.nr)
		page = bsearch(&key, s->pages.at, s->pages.nr, sizeof(key), compare);

	if (!page || page->file == EXACT_NO_FILE)
		return (struct exact_home){ NULL, EXACT_NO_FILE, 0 };
	return (struct exact_home){ path_of(s, page->file), page->file, page->offset };
}

struct exact_home exact_spaces_data(struct exact_spaces *s, uint64_t satp, uint64_t va)
{
	for (size_t n = 0; n < s->mapped.nr; n++) {
		const struct mapped *m = &s->mapped.at[n];
		const struct exact_file *x = exact_files_at(s->files, m->file);
		uint64_t addr = va - m->add;

		if (m->satp == satp && addr >= x->low && addr < x->high)
			return (struct exact_home){ path_of(s, m->file), m->file, addr };
	}
	return (struct exact_home){ NULL, EXACT_NO_FILE, 0 };
}

/* Processes */

static struct space *space_of(struct exact_spaces *s, uint64_t satp)
{
	const struct space new = { .satp = satp, .process = PROFILE_NONE };

	for (size_t n = s->spaces.nr; n-- > 0;) {
		if (s->spaces.at[n].satp == satp)
			return &s->spaces.at[n];
	}
	return enough(s, VEC_PUSH(&s->spaces, new)) ? &s->spaces.at[s->spaces.nr - 1] : NULL;
}

void exact_spaces_ran(struct exact_spaces *s, uint64_t satp, uint32_t file, uint64_t offset,
		      uint64_t instructions)
{
	const struct exact_file *x = exact_files_at(s->files, file);
	struct space *space = space_of(s, satp);
	struct use *u = NULL;

	for (size_t n = 0; space && n < space->uses.nr; n++) {
		if (space->uses.at[n].file == file)
			u = &space->uses.at[n];
	}
	if (!u) {
		if (!space || !enough(s, VEC_PUSH(&space->uses, (struct use){ .file = file })))
			return;
		u = &space->uses.at[space->uses.nr - 1];
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
	for (size_t n = 0; n < s->pages.nr; n++) {
		if (s->pages.at[n].satp == satp)
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
	if (space->satp == EXACT_SPACE_COMMAND)
		return "[command]";
	for (size_t n = 0; n < space->uses.nr; n++) {
		const struct use *u = &space->uses.at[n];
		const struct exact_file *x = exact_files_at(s->files, u->file);
		unsigned r = rank(x, u);

		if (x->path[0] == '[') /* each process has the vDSO */
			continue;
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
