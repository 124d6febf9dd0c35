// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_exact_files.c - hostile files in which exact_load() searches for code: programs, kernels,
 * archives; and a profile in which their pages ran.
 *
 * Input: a byte that chooses the kind of file, then the file.
 *
 * Must hold: segments are inside their files.  Each page of a segment is found by its content.
 * Code equals the file's bytes at its offset.  The sums of a profile are right after its pages got
 * files.
 */
#include <elf.h>

#include "exact_files.h"
#include "exact_load.h"
#include "exact_made.h"
#include "hash.h"
#include "temp.h"

#define PAGE	  4096
#define PAGES_MAX 16

enum { PROGRAM, FIRMWARE, KERNEL, ARCHIVE, FOLDER, USES };

static uint64_t content_of(const struct exact_file *x, uint64_t page)
{
	uint8_t bytes[PAGE] = { 0 };
	size_t left = x->size - page * PAGE;

	memcpy(bytes, x->data + page * PAGE, left < PAGE ? left : PAGE);
	return fnv_add(FNV_START, bytes, PAGE);
}

static void must_find(struct exact_files *f, uint32_t file, uint64_t page)
{
	size_t nr;
	const struct exact_hit *hit = exact_files_find(f, content_of(exact_files_at(f, file), page),
						       &nr);
	bool found = false;

	for (size_t n = 0; n < nr; n++)
		found |= hit[n].file == file && hit[n].page == page;
	must(found);
}

static void check_file(struct exact_files *f, uint32_t file)
{
	const struct exact_file *x = exact_files_at(f, file);

	must(x->path && x->segments && x->segments <= EXACT_SEGMENTS);
	for (unsigned n = 0; n < x->segments; n++) {
		uint64_t offset = x->code[n].offset, size = x->code[n].size;
		const uint8_t *code = exact_file_code(x, x->code[n].addr, size < 4 ? size : 4);

		must(offset <= x->size && size <= x->size - offset);
		must(!size ||
		     (code >= x->data && code + (size < 4 ? size : 4) <= x->data + x->size));
		for (uint64_t page = offset / PAGE; size && page <= (offset + size - 1) / PAGE;
		     page++)
			must_find(f, file, page);
	}
}

static void add(struct exact_files *f, unsigned use, const char *path)
{
	if (use == PROGRAM || use == FIRMWARE)
		exact_files_add_file(f, path, use == PROGRAM ? EXACT_PROGRAM : EXACT_FIRMWARE);
	else if (use == KERNEL)
		exact_files_add_kernel(f, path);
	else if (use == ARCHIVE)
		exact_files_add_archive(f, path);
	else
		exact_files_add_folder(f, temp_folder());
}

/*
 * Files are numbered in the order of adding, so the number of a new file tells how many there are.
 */
static uint32_t count(struct exact_files *f)
{
	struct {
		Elf64_Ehdr eh;
		Elf64_Phdr ph;
		uint32_t code;
	} elf = {
		.eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
			.e_type = ET_EXEC,
			.e_machine = EM_RISCV,
			.e_phoff = sizeof(elf.eh),
			.e_phentsize = sizeof(elf.ph),
			.e_phnum = 1 },
		.ph = { .p_type = PT_LOAD, .p_flags = PF_X, .p_filesz = sizeof(elf) },
		.code = 0x6f,
	};
	struct temp_memory one;
	uint32_t nr;

	temp_memory(&one, &elf, sizeof(elf));
	nr = exact_files_add_file(f, one.path, EXACT_PROGRAM);
	must(nr != EXACT_NO_FILE);
	close(one.fd);
	return nr;
}

/* Makes a profile in which the first instruction of each page of code ran once; *ran: how many. */
static void make_profile(struct made *m, struct exact_files *f, uint32_t last, uint64_t *ran)
{
	made_numbers(m, 0, 1, 1); /* notes, harts, events */
	made_text(m, "instructions");
	made_numbers(m, 1, 0); /* counted in full; no sums */
	made_numbers(m, 1, 0, 0, 0x8000000000080001ull); /* user mode of an address space */
	*ran = 0;
	for (uint32_t file = 0; file <= last; file++) {
		const struct exact_file *x = exact_files_at(f, file);

		for (uint64_t page = 0; page * PAGE < x->size && *ran < PAGES_MAX; page++, ++*ran) {
			made_numbers(m, 2, 0x10000 + 0x100 * file + page, 1, content_of(x, page));
			made_numbers(m, 3, 0, 0x13, 1, 0, 1);
		}
	}
	made_numbers(m, 0, *ran, 0, 0, 0); /* the end; totals of each mode */
}

static void check_join(struct exact_files *f, uint32_t last)
{
	const char *folder = temp_folder();
	const struct exact_load_options o = { .events = "*", .folders = &folder, .nr_folders = 1 };
	struct profile *p = profile_new();
	struct made *m = calloc(1, sizeof(*m));
	struct error_text why = { "" };
	uint64_t ran, sum = 0;
	uint8_t *profile;
	size_t len;

	must(p && m);
	make_profile(m, f, last, &ran);
	profile = made_file(m->at, m->len, &len);
	must(exact_load(p, profile, len, &o, &why));
	must(profile_pack(p));
	for (uint32_t n = 0; n < p->stacks.nr; n++)
		sum += profile_weight(p, n, 0).weight;
	must(sum == ran && p->events.at[0].total == ran);
	for (uint32_t n = 0; n < p->objects.nr; n++)
		must(*p->objects.at[n].path);
	free(profile);
	free(m);
	profile_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct exact_files *f;
	unsigned use = size ? data[0] % USES : 0;
	char path[128];
	uint32_t last;

	if (!size)
		return 0;
	f = exact_files_new();
	must(f != NULL);
	temp_write("file", data + 1, size - 1);
	snprintf(path, sizeof(path), "%s/file", temp_folder());
	add(f, use, path);
	last = count(f);
	for (uint32_t n = 0; n <= last; n++)
		check_file(f, n);
	check_join(f, last);
	exact_files_free(f);
	return 0;
}
