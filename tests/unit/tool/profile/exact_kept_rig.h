/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_kept_rig.h - for tests of what is kept of an exact profile: the profile, what is said of
 * it, and the kept files.
 */
#ifndef EXACT_KEPT_RIG_H
#define EXACT_KEPT_RIG_H

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes.h"
#include "cache.h"
#include "exact_load.h"
#include "exact_records.h"
#include "exact_stamp.h"
#include "hash.h"
#include "profile_data.h"
#include "scratch.h"
#include "tap.h"

#define HEAD	 96 /* exact_kept.c */
#define BUILD_AT 8
#define BODY_AT	 64
#define FIRST_AT 72
#define SUM_AT	 80
#define REST_AT	 88
#define ENTRY	 32
#define PROGRAM	 0x2aaaaaa000ull /* where its offset 0 is */

static char home[64], folder[64];

/* A program with two pages of code, full of seed and seed + 1. */
static inline void make_elf(const char *name, unsigned seed)
{
	static uint8_t data[3 * 4096];
	Elf64_Ehdr *eh = (void *)data;
	Elf64_Phdr *ph = (void *)(data + sizeof(*eh));
	struct exact_stamp s = { 0 };
	char path[128];
	FILE *f;

	*eh = (Elf64_Ehdr){ .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
			    .e_type = ET_DYN,
			    .e_machine = EM_RISCV,
			    .e_phoff = sizeof(*eh),
			    .e_phentsize = sizeof(*ph),
			    .e_phnum = 1 };
	*ph = (Elf64_Phdr){ .p_type = PT_LOAD,
			    .p_flags = PF_R | PF_X,
			    .p_offset = 4096,
			    .p_vaddr = 4096,
			    .p_filesz = 8192 };
	memset(data + 4096, (int)seed, 4096);
	memset(data + 8192, (int)seed + 1, 4096);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "w");
	ok(f && fwrite(data, sizeof(data), 1, f) == 1 && !fclose(f));
	exact_stamp_file(&s, path);
	while (!exact_stamp_is_settled(&s))
		usleep(10000);
}

static inline uint64_t content(unsigned byte)
{
	uint8_t page[4096];

	memset(page, (int)byte, sizeof(page));
	return fnv_add(FNV_START, page, sizeof(page));
}

/* The program runs in two spaces, with calls and a time line; count varies. */
static inline void make_profile(struct made *m, uint64_t count)
{
	const uint64_t total[4][EVENTS] = { { 3 * count, 330, 7 }, { 5 + 16 * 5, 6 + 20 } };

	make_head(m, 3, "share", folder, "command", "./program", "kallsyms",
		  "ffffffff80001000 T start_kernel\nffffffff80001800 t idle\n");
	made_numbers(m, 7, 5, 2, 0, PROGRAM + 4096 + 6, 1, PROGRAM + 8192 + 2);
	for (unsigned n = 0; n < 2; n++) {
		space(m, 0, SATP(n));
		page(m, PROGRAM + 4096, content(10));
		insn(m, 4, count, 100);
		made_numbers(m, 8, 1 + n);
		insn(m, 4, n ? 0 : count, 60);
		page(m, PROGRAM + 8192, content(11));
		made_numbers(m, 3, 2, 0x13, 2, 1, 5, 2, n ? 3 : 4);
	}
	space(m, 1, SATP(0));
	page(m, KERNEL, 1);
	insn(m, 2, 5, 6);
	for (unsigned n = 0; n < 20; n++) /* enough to be read by eights */
		insn(m, 2, n % 5 ? 5 : 0, 1);
	made_numbers(m, 9, 1000000, 1, 2);
	made_numbers(m, 0, 0, 0, SATP(0), 2, 0, 9, 1, 2);
	made_numbers(m, 1, 0, 1, SATP(0), 1, 1, 4);
	/* Data: an access, a site, two pieces with a row each, a line that was taken. */
	made_numbers(m, 10, 3, 4, 1, 0, 0, 0, SATP(0), PROGRAM + 4096 + 8, 0x13, 3, 8);
	made_numbers(m, 1, 0, 0, SATP(0), 1, 0, 2, 128);
	made_numbers(m, 2, 1, 0, SATP(0), PROGRAM + 4096, 8, 0, 0, 16);
	made_numbers(m, 1, 2, 2, 0, 1, 1, 0, 7, 1, 0, 1, 0, 9);
	made_numbers(m, 64, 1, 5, SATP(0), 0x2000);
	made_numbers(m, 1, 0, 0, 1, 1, 8, 2, 64, 7);
	make_end(m, total);
}

struct run {
	const char *events, *other; /* -e; a folder of -L */
	bool all, code, keep, data, summary;
};

static const struct run plain = { .keep = true };

/* Each page is a function. */
static inline uint64_t function_of(void *cookie, const struct profile_place *place)
{
	return place->addr / 4096;
}

static inline struct profile *load(const struct made *m, const struct run *r)
{
	const struct exact_load_options o = { .events = r->events,
					      .all = r->all,
					      .code = r->code,
					      .keep = r->keep,
					      .data = r->data,
					      .summary = r->summary,
					      .functions = { function_of, NULL },
					      .folders = &r->other,
					      .nr_folders = r->other ? 1 : 0 };

	return made_load(m, &o);
}

static inline void print_data(const struct profile_data *d, FILE *f)
{
	for (size_t n = 0; n < d->pieces.nr; n++)
		fprintf(f, "piece %d %d %d %lx %d\n", d->pieces.at[n].kind,
			(int)d->pieces.at[n].process, (int)d->pieces.at[n].object,
			d->pieces.at[n].addr, (int)d->pieces.at[n].site);
	for (size_t n = 0; n < d->sites.nr; n++)
		fprintf(f, "site %d %lu %lu\n", (int)d->sites.at[n].place, d->sites.at[n].times,
			d->sites.at[n].bytes);
	for (size_t n = 0; n < d->accesses.nr; n++)
		fprintf(f, "access %d %u %d %d %u\n", (int)d->accesses.at[n].place,
			d->accesses.at[n].hart, d->accesses.at[n].reads, d->accesses.at[n].writes,
			d->accesses.at[n].bytes);
	for (size_t n = 0; n < d->rows.nr; n++) {
		const struct profile_data_row *r = &d->rows.at[n];

		fprintf(f, "row %u %d", r->piece, (int)r->access);
		for (uint32_t c = r->cell; c < r->cell + r->nr; c++)
			fprintf(f, " %u: %lu", d->cells.at[c].event, d->cells.at[c].count);
		fprintf(f, "\n");
	}
	for (size_t n = 0; n < d->lines.nr; n++)
		fprintf(f, "line %lx %lx %d\n", d->lines.at[n].physical, d->lines.at[n].addr,
			(int)d->lines.at[n].process);
	for (size_t n = 0; n < d->trades.nr; n++)
		fprintf(f, "trade %u %u %d %u.%u %u.%u %lu\n", d->trades.at[n].line,
			d->trades.at[n].hart, d->trades.at[n].dropped, d->trades.at[n].by.row,
			d->trades.at[n].by.offset, d->trades.at[n].from.row,
			d->trades.at[n].from.offset, d->trades.at[n].times);
}

/* All that a profile says, as text, which the caller frees. */
static inline char *text_of(const struct profile *p)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	for (size_t n = 0; n < p->events.nr; n++)
		fprintf(f, "event %s %lu\n", p->events.at[n].name, p->events.at[n].total);
	for (size_t n = 0; n < p->processes.nr; n++)
		fprintf(f, "process %s\n", p->processes.at[n].comm);
	for (size_t n = 0; n < p->objects.nr; n++)
		fprintf(f, "object %d %s %zu\n", p->objects.at[n].kind, p->objects.at[n].path,
			p->objects.at[n].symbols.nr);
	for (size_t n = 0; n < p->places.nr; n++)
		fprintf(f, "place %u %u %lx %x\n", p->places.at[n].process, p->places.at[n].object,
			p->places.at[n].addr, profile_code(p, (uint32_t)n));
	for (size_t n = 0; n < p->stacks.nr; n++) {
		fprintf(f, "stack %u %d", p->stacks.at[n].place, (int)p->stacks.at[n].caller);
		for (uint32_t e = 0; e < p->events.nr; e++)
			fprintf(f, " %lu", profile_weight(p, (uint32_t)n, e).weight);
		fprintf(f, "\n");
	}
	for (size_t n = 0; n < p->slices.nr; n++) {
		fprintf(f, "slice %lu %u %u", p->slices.at[n].interval, p->slices.at[n].process,
			p->slices.at[n].hart);
		for (size_t e = 0; e < p->events.nr; e++)
			fprintf(f, " %lu", p->slice_counts.at[n * p->events.nr + e]);
		fprintf(f, "\n");
	}
	for (size_t n = 0; n < p->notes.nr; n++)
		fprintf(f, "note %s\n", p->notes.at[n]);
	for (size_t n = 0; n < p->sums.nr; n++)
		fprintf(f, "sum %s\n", p->sums.at[n]);
	if (p->data)
		print_data(p->data, f);
	fprintf(f, "%lu %d %s\n", p->slice_ns, p->has_chains, p->command);
	fclose(f);
	return text;
}

static inline char *text_of_run(const struct made *m, const struct run *r)
{
	struct profile *p = load(m, r);
	char *text = text_of(p);

	profile_free(p);
	return text;
}

/* Whether loading with what is kept gives the same as loading the file. */
static inline bool is_same(const struct made *m, struct run r)
{
	char *kept, *read;
	bool same;

	r.keep = true;
	kept = text_of_run(m, &r);
	r.keep = false;
	read = text_of_run(m, &r);
	same = !strcmp(kept, read);
	free(kept);
	free(read);
	return same;
}

/* How many kept files there are, and the path of the last one. */
static inline unsigned kept_files(char path[PATH_MAX])
{
	char cache[PATH_MAX];
	struct dirent *e;
	unsigned nr = 0;
	DIR *dir;

	snprintf(cache, sizeof(cache), "%s/holter", home);
	dir = opendir(cache);
	while (dir && (e = readdir(dir))) {
		if (strncmp(e->d_name, CACHE_PROFILE, strlen(CACHE_PROFILE)))
			continue;
		snprintf(path, PATH_MAX, "%.200s/holter/%s", home, e->d_name);
		nr++;
	}
	if (dir)
		closedir(dir);
	return nr;
}

static inline void forget(void)
{
	char cache[PATH_MAX];

	snprintf(cache, sizeof(cache), "%s/holter", home);
	cache_prune_profiles(cache, 0);
}

static inline uint8_t *read_kept(const char *path, size_t *len)
{
	uint8_t *data = malloc(1 << 16);
	FILE *f = fopen(path, "r");

	ok(data && f);
	*len = fread(data, 1, 1 << 16, f);
	fclose(f);
	return data;
}

static inline void write_kept(const char *path, const uint8_t *data, size_t len)
{
	FILE *f = fopen(path, "w");

	ok(f && fwrite(data, 1, len, f) == len && !fclose(f));
}

/*
 * Makes the checksums of columns right; places: the bytes that each has of these.  Returns what is
 * after the columns.
 */
static inline uint64_t forge_columns(uint8_t *data, size_t len, uint64_t directory, uint64_t column,
				     uint64_t places)
{
	uint8_t *entry = data + directory;

	for (unsigned e = 0; e < EVENTS; e++, entry += ENTRY) {
		uint64_t stacks = le64(entry) == UINT64_MAX ? 0 : le64(entry),
			 size = stacks + le64(entry + 8) + le64(entry + 16) + places;

		if (column > len || size > len - column)
			break;
		put_le64(entry + 24, exact_checksum(e, data + column, size));
		column += size;
	}
	return column;
}

/* The bytes of the columns of a directory, without those of places. */
static inline uint64_t columns_size(const uint8_t *entry)
{
	uint64_t size = 0;

	for (unsigned e = 0; e < EVENTS; e++, entry += ENTRY)
		size += (le64(entry) == UINT64_MAX ? 0 : le64(entry)) + le64(entry + 8) +
			le64(entry + 16);
	return size;
}

/* Whether a byte is read if a summary is enough: others are the code, stacks, data and columns. */
static inline bool is_of_summary(const uint8_t *data, size_t n)
{
	uint64_t body = HEAD + le64(data + BODY_AT);

	return n < HEAD + le64(data + FIRST_AT) ||
	       n >= body + columns_size(data + body - EVENTS * ENTRY);
}

/* With checksums that are right. */
static inline void write_forged(const char *path, uint8_t *data, size_t len)
{
	uint64_t body = le64(data + BODY_AT), first = le64(data + FIRST_AT), column;
	uint64_t directory = HEAD + first - EVENTS * ENTRY;

	column = forge_columns(data, len, HEAD + body - EVENTS * ENTRY, HEAD + body, 0);
	forge_columns(data, len, directory, column,
		      (len - column - columns_size(data + directory)) / EVENTS);
	put_le64(data + SUM_AT,
		 exact_checksum(exact_checksum(0, data, SUM_AT), data + HEAD, first));
	put_le64(data + REST_AT, exact_checksum(0, data + HEAD + first, body - first));
	write_kept(path, data, len);
}

/* How many of the columns are dense. */
static inline unsigned dense_columns(const char *path)
{
	size_t len;
	uint8_t *data = read_kept(path, &len);
	const uint8_t *entry = data + HEAD + le64(data + BODY_AT) - EVENTS * ENTRY;
	unsigned nr = 0;

	for (unsigned e = 0; e < EVENTS; e++, entry += ENTRY)
		nr += le64(entry) == UINT64_MAX;
	free(data);
	return nr;
}

/* The process gets another name, which shows if what is kept is used. */
static inline void change_name(uint8_t *data, size_t len)
{
	uint8_t *at = memmem(data + HEAD, len - HEAD, "\7program", 8);

	ok(at);
	memcpy(at + 1, "changed", 7);
}

/* Whether what is kept is used: its first name is changed, and shows. */
static inline bool is_used(const struct made *m, const struct run *r)
{
	char path[PATH_MAX], *text;
	uint8_t *data, *old;
	size_t len;
	bool used;

	is(kept_files(path), 1);
	data = read_kept(path, &len);
	old = memcpy(malloc(len), data, len);
	change_name(data, len);
	write_forged(path, data, len);
	text = text_of_run(m, r);
	used = strstr(text, "process changed");
	free(text);
	write_kept(path, old, len);
	free(data);
	free(old);
	return used;
}

/* The first place of the function of a place. */
static inline size_t first_of(const struct profile *p, uint32_t place)
{
	const struct profile_place *at = p->places.at;
	size_t n = 0;

	while (at[n].process != at[place].process || at[n].object != at[place].object ||
	       at[n].addr / 4096 != at[place].addr / 4096)
		n++;
	return n;
}

/*
 * The counts of a profile of each event, by object, page and process, and by those of the caller;
 * then the places.  This is what a summary must say, too.
 */
static inline char *sums_of(const struct profile *p)
{
	uint64_t *sum = calloc(p->places.nr * (p->places.nr + 1), sizeof(*sum));
	size_t nr = p->places.nr;
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	for (uint32_t e = 0; e < p->events.nr; e++) {
		struct profile_column c = profile_column(p, e);
		struct profile_stack_count cell;

		memset(sum, 0, nr * (nr + 1) * sizeof(*sum));
		while (profile_column_next(&c, &cell)) {
			const struct profile_stack *s = &p->stacks.at[cell.stack];
			uint32_t up = s->caller == PROFILE_NONE ? PROFILE_NONE
								: p->stacks.at[s->caller].place;

			sum[(up == PROFILE_NONE ? nr : first_of(p, up)) * nr +
			    first_of(p, s->place)] += cell.weight;
		}
		fprintf(f, "%s %lu", p->events.at[e].name, p->events.at[e].total);
		for (size_t n = 0; n < nr * (nr + 1); n++)
			fprintf(f, " %lu", sum[n]);
		fprintf(f, "\n");
	}
	for (size_t n = 0; n < nr; n++)
		fprintf(f, "place %u %u %lx\n", p->places.at[n].process, p->places.at[n].object,
			p->places.at[n].addr);
	for (size_t n = 0; n < p->slice_counts.nr; n++)
		fprintf(f, "slice %lu\n", p->slice_counts.at[n]);
	for (size_t n = 0; n < p->notes.nr; n++)
		fprintf(f, "note %s\n", p->notes.at[n]);
	fprintf(f, "%d %d\n", p->has_chains, p->has_data);
	fclose(f);
	free(sum);
	return text;
}

static inline char *sums_of_run(const struct made *m, const struct run *r)
{
	struct profile *p = load(m, r);
	char *text = sums_of(p);

	profile_free(p);
	return text;
}

/* Runs the cases with a cache and a shared folder of their own.  Returns main's status. */
static inline int run_kept(const struct tap_case *cases, unsigned nr)
{
	int status;

	strcpy(home, "/tmp/holter-kept.XXXXXX");
	strcpy(folder, "/tmp/holter-share.XXXXXX");
	if (!mkdtemp(home) || !mkdtemp(folder) || setenv("XDG_CACHE_HOME", home, 1))
		return 2;
	status = tap_run(cases, nr);
	return !scratch_remove(home) || !scratch_remove(folder) || status;
}

#endif
