// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_files.c - reads the files whose code may have run, and finds their pages by content
 * (exact_files.h).
 */
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache.h"
#include "cpio.h"
#include "exact_files.h"
#include "file.h"
#include "hash.h"
#include "linux_image.h"
#include "vec.h"
#include "write.h"

#define PAGE	    4096u
#define DEPTH_MAX   16
#define ENTRIES_MAX 100000 /* of a folder and its subfolders */
#define FILE_MAX    0x40000000 /* largest file, in bytes: we hash each page of its code */

struct row {
	uint64_t content;
	struct exact_hit hit;
};

struct mapping {
	void *at;
	size_t size;
};

struct exact_files {
	VEC(struct exact_file) files;
	VEC(struct row) rows;
	VEC(struct mapping) mappings;
	VEC(struct exact_hit) hits; /* the last result of exact_files_find() */
	struct exact_stamp stamp;
	bool stamp_only;
	bool sorted, no_memory;
	unsigned entries; /* how many more entries to read of the current folder */
	struct stat cache; /* our folder for copies; st_ino 0: there is none */
};

struct exact_files *exact_files_new(void)
{
	return calloc(1, sizeof(struct exact_files));
}

void exact_files_free(struct exact_files *f)
{
	if (!f)
		return;
	for (size_t n = 0; n < f->files.nr; n++)
		free(f->files.at[n].path);
	for (size_t n = 0; n < f->mappings.nr; n++)
		munmap(f->mappings.at[n].at, f->mappings.at[n].size);
	free(f->files.at);
	free(f->rows.at);
	free(f->mappings.at);
	free(f->hits.at);
	free(f);
}

void exact_files_stamp_only(struct exact_files *f)
{
	f->stamp_only = true;
}

const struct exact_stamp *exact_files_stamp(const struct exact_files *f)
{
	return &f->stamp;
}

/* Notes whether there was memory. */
static bool enough(struct exact_files *f, bool memory)
{
	f->no_memory |= !memory;
	return memory;
}

/* Programs and libraries */

/* Whether ph is a dynamic section with DT_SONAME, the name by which programs link a library. */
static bool is_library(const struct exact_file *x, const Elf64_Phdr *ph)
{
	Elf64_Dyn d;

	if (ph->p_type != PT_DYNAMIC || ph->p_offset > x->size ||
	    ph->p_filesz > x->size - ph->p_offset)
		return false;
	for (uint64_t at = 0; at + sizeof(d) <= ph->p_filesz; at += sizeof(d)) {
		memcpy(&d, x->data + ph->p_offset + at, sizeof(d));
		if (d.d_tag == DT_SONAME)
			return true;
		if (d.d_tag == DT_NULL)
			return false;
	}
	return false;
}

static void take_segment(struct exact_file *x, const Elf64_Phdr *ph, uint64_t entry)
{
	x->program &= !is_library(x, ph);
	if (ph->p_type == PT_LOAD && ph->p_memsz <= UINT64_MAX - ph->p_vaddr) {
		x->low = ph->p_vaddr < x->low ? ph->p_vaddr : x->low;
		x->high = ph->p_vaddr + ph->p_memsz > x->high ? ph->p_vaddr + ph->p_memsz : x->high;
	}
	if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_X) || x->segments == EXACT_SEGMENTS ||
	    ph->p_offset > x->size || ph->p_filesz > x->size - ph->p_offset)
		return;
	x->code[x->segments].offset = ph->p_offset;
	x->code[x->segments].addr = ph->p_vaddr;
	x->code[x->segments++].size = ph->p_filesz;
	if (entry - ph->p_vaddr < ph->p_filesz) {
		x->has_entry = true;
		x->entry = entry - ph->p_vaddr + ph->p_offset;
	}
}

/* Reads the segments of a 64-bit RISC-V program or library.  False: the file is not one. */
static bool take_elf(struct exact_file *x)
{
	Elf64_Ehdr eh;
	Elf64_Phdr ph;

	if (x->size < sizeof(eh))
		return false;
	memcpy(&eh, x->data, sizeof(eh));
	if (memcmp(eh.e_ident, ELFMAG, SELFMAG) || eh.e_ident[EI_CLASS] != ELFCLASS64 ||
	    eh.e_ident[EI_DATA] != ELFDATA2LSB || eh.e_machine != EM_RISCV ||
	    (eh.e_type != ET_EXEC && eh.e_type != ET_DYN) || eh.e_phentsize != sizeof(ph) ||
	    eh.e_phoff > x->size || (uint64_t)eh.e_phnum * sizeof(ph) > x->size - eh.e_phoff)
		return false;
	x->program = true;
	x->low = UINT64_MAX;
	for (unsigned n = 0; n < eh.e_phnum; n++) {
		memcpy(&ph, x->data + eh.e_phoff + n * sizeof(ph), sizeof(ph));
		take_segment(x, &ph, eh.e_entry);
	}
	return x->segments;
}

/* The hash of a page as the kernel has it in memory: zeros follow the file's end. */
static uint64_t page_content(const struct exact_file *x, uint64_t page)
{
	static const uint8_t zeros[PAGE];
	size_t len = x->size - page * PAGE < PAGE ? x->size - page * PAGE : PAGE;

	return fnv_add(fnv_add(FNV_START, x->data + page * PAGE, len), zeros, PAGE - len);
}

static void add_pages(struct exact_files *f, const struct exact_file *x, uint32_t file)
{
	for (unsigned n = 0; n < x->segments; n++) {
		uint64_t first = x->code[n].offset / PAGE,
			 end = (x->code[n].offset + x->code[n].size + PAGE - 1) / PAGE;

		for (uint64_t page = first; page < end && page * PAGE < x->size; page++) {
			if (!enough(f, VEC_ROOM(&f->rows, 1)))
				return;
			f->rows.at[f->rows.nr++] = (struct row){ page_content(x, page),
								 { file, page } };
		}
	}
	f->sorted = false;
}

/* Adds x, whose code is set, and its pages. */
static uint32_t add(struct exact_files *f, const char *path, struct exact_file *x)
{
	x->path = strdup(path);
	if (!enough(f, x->path && VEC_PUSH(&f->files, *x))) {
		free(x->path);
		return EXACT_NO_FILE;
	}
	add_pages(f, x, f->files.nr - 1);
	return f->files.nr - 1;
}

/* Adds an ELF file that is in memory.  Returns its number, or EXACT_NO_FILE. */
static uint32_t add_data(struct exact_files *f, const char *path, unsigned roles, bool archived,
			 const void *data, size_t size)
{
	struct exact_file x = { .roles = roles, .archived = archived, .data = data, .size = size };

	return take_elf(&x) ? add(f, path, &x) : EXACT_NO_FILE;
}

/* Files and folders */

static void *map_file(int fd, size_t *size)
{
	struct stat st;
	void *at;

	if (fstat(fd, &st) < 0 || !st.st_size || st.st_size > FILE_MAX)
		return NULL;
	*size = st.st_size;
	at = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
	return at == MAP_FAILED ? NULL : at;
}

/* Maps a whole file until f is freed.  NULL: it cannot be read. */
static const uint8_t *open_whole(struct exact_files *f, const char *path, size_t *size)
{
	int fd = path ? file_open("", path) : -1;
	void *at = fd < 0 ? NULL : map_file(fd, size);

	if (fd >= 0)
		close(fd);
	if (at && !enough(f, VEC_PUSH(&f->mappings, (struct mapping){ at, *size }))) {
		munmap(at, *size);
		return NULL;
	}
	return at;
}

static bool is_elf(const char *path)
{
	char magic[SELFMAG];
	int fd = path ? file_open("", path) : -1;
	bool elf = fd >= 0 && read(fd, magic, SELFMAG) == SELFMAG &&
		   !memcmp(magic, ELFMAG, SELFMAG);

	if (fd >= 0)
		close(fd);
	return elf;
}

static uint32_t stamp(struct exact_files *f, const char *path)
{
	exact_stamp_file(&f->stamp, path);
	return EXACT_NO_FILE;
}

uint32_t exact_files_add_file(struct exact_files *f, const char *path, unsigned roles)
{
	const uint8_t *data;
	uint32_t file;
	size_t size;

	/* Other files come and go in a shared folder, and change nothing. */
	if (!is_elf(path))
		return EXACT_NO_FILE;
	if (f->stamp_only)
		return stamp(f, path);
	data = open_whole(f, path, &size);
	file = data ? add_data(f, path, roles, false, data, size) : EXACT_NO_FILE;
	/* A folder may have more ELF files of other machines than can be mapped at once. */
	if (data && file == EXACT_NO_FILE)
		munmap(f->mappings.at[--f->mappings.nr].at, size);
	return file;
}

/* The length of an ELF file, whose section table is at its end; 0: it is not complete. */
static size_t elf_length(const uint8_t *data, size_t size)
{
	Elf64_Ehdr eh;

	if (size < sizeof(eh))
		return 0;
	memcpy(&eh, data, sizeof(eh));
	if (eh.e_shoff > size || (uint64_t)eh.e_shnum * eh.e_shentsize > size - eh.e_shoff)
		return 0;
	return eh.e_shoff + (uint64_t)eh.e_shnum * eh.e_shentsize;
}

/*
 * Adds the vDSO, the library that the kernel maps into each process.  It begins on a page of the
 * kernel.  The kernel may also have one for 32 bits, which add_data() refuses.
 */
static void add_vdso(struct exact_files *f, const uint8_t *data, size_t size)
{
	for (size_t at = 0; at + PAGE <= size; at += PAGE) {
		size_t len = memcmp(data + at, ELFMAG, SELFMAG) ? 0
								: elf_length(data + at, size - at);

		if (len)
			add_data(f, "[vdso]", EXACT_PROGRAM, true, data + at, len);
	}
}

uint32_t exact_files_add_kernel(struct exact_files *f, const char *path)
{
	struct exact_file x = { .roles = EXACT_KERNEL, .image = true, .segments = 1 };

	if (f->stamp_only)
		return stamp(f, path);
	if (is_elf(path))
		return exact_files_add_file(f, path, EXACT_KERNEL);
	x.data = open_whole(f, path, &x.size);
	if (!x.data || x.size < LINUX_IMAGE_HEADER ||
	    memcmp(x.data + LINUX_IMAGE_MAGIC_AT, LINUX_IMAGE_MAGIC, 4))
		return EXACT_NO_FILE;
	x.code[0].size = x.size;
	add_vdso(f, x.data, x.size);
	return add(f, path, &x);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Whether a folder is the one for copies: what is put there must not change what is found. */
static bool is_cache(const struct exact_files *f, const struct stat *st)
{
	return st->st_ino == f->cache.st_ino && st->st_dev == f->cache.st_dev;
}

static void add_folder(struct exact_files *f, const char *path, unsigned depth)
{
	struct dirent **list;
	int nr = scandir(path, &list, is_shown, by_name);

	for (int n = 0; n < nr; n++) {
		char below[PATH_MAX];
		struct stat st;

		if (f->entries &&
		    snprintf(below, sizeof(below), "%s/%s", path, list[n]->d_name) <
			    (int)sizeof(below) &&
		    !lstat(below, &st)) {
			f->entries--;
			if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX && !is_cache(f, &st))
				add_folder(f, below, depth + 1);
			else if (S_ISREG(st.st_mode))
				exact_files_add_file(f, below, EXACT_PROGRAM | EXACT_FIRMWARE);
		}
		free(list[n]);
	}
	if (nr >= 0)
		free(list);
}

void exact_files_add_folder(struct exact_files *f, const char *path)
{
	char cache[PATH_MAX];

	f->entries = ENTRIES_MAX;
	if (!cache_folder_there(cache) || stat(cache, &f->cache))
		f->cache = (struct stat){ 0 };
	if (path)
		add_folder(f, path, 0);
}

/* Archives */

static void add_members(struct exact_files *f, const uint8_t *data, size_t size)
{
	struct cpio_member m;
	size_t at = 0;

	while (cpio_next(data, size, &at, &m)) {
		if (S_ISREG(m.mode))
			add_data(f, m.name, EXACT_PROGRAM, true, m.data, m.size);
	}
}

void exact_files_add_archive(struct exact_files *f, const char *path)
{
	const uint8_t *data = NULL;
	size_t size;

	if (f->stamp_only)
		stamp(f, path);
	else
		data = open_whole(f, path, &size);
	if (data)
		add_members(f, data, size);
}

/* Finding pages and code */

static int compare(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	if (a->content != b->content)
		return a->content < b->content ? -1 : 1;
	if (a->hit.file != b->hit.file)
		return a->hit.file < b->hit.file ? -1 : 1;
	return (a->hit.page > b->hit.page) - (a->hit.page < b->hit.page);
}

const struct exact_hit *exact_files_find(struct exact_files *f, uint64_t content, size_t *nr)
{
	size_t low = 0, high = f->rows.nr;

	if (!f->sorted)
		VEC_SORT(&f->rows, compare);
	f->sorted = true;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->rows.at[middle].content < content)
			low = middle + 1;
		else
			high = middle;
	}
	f->hits.nr = 0;
	for (; low < f->rows.nr && f->rows.at[low].content == content; low++) {
		if (!enough(f, VEC_PUSH(&f->hits, f->rows.at[low].hit)))
			break;
	}
	*nr = f->hits.nr;
	return f->hits.at;
}

bool exact_files_lack_memory(const struct exact_files *f)
{
	return f->no_memory;
}

uint32_t exact_files_nr(const struct exact_files *f)
{
	return (uint32_t)f->files.nr;
}

const struct exact_file *exact_files_at(const struct exact_files *f, uint32_t file)
{
	return &f->files.at[file];
}

/* The executable segment at an offset of the file; x->segments: there is none. */
static unsigned segment_at(const struct exact_file *x, uint64_t offset)
{
	unsigned n = 0;

	for (; n < x->segments; n++) {
		/*
		 * The kernel maps whole pages: also the bytes before a segment on its first page.
		 */
		uint64_t first = x->code[n].offset & ~(uint64_t)(PAGE - 1);

		if (offset - first < x->code[n].offset - first + x->code[n].size)
			break;
	}
	return n;
}

bool exact_file_is_code(const struct exact_file *x, uint64_t offset)
{
	return segment_at(x, offset) < x->segments;
}

uint64_t exact_file_address(const struct exact_file *x, uint64_t offset)
{
	unsigned n = segment_at(x, offset);

	return n < x->segments ? x->code[n].addr + (offset - x->code[n].offset) : offset;
}

const uint8_t *exact_file_code(const struct exact_file *x, uint64_t addr, size_t len)
{
	for (unsigned n = 0; n < x->segments; n++) {
		uint64_t at = addr - x->code[n].addr;

		if (at < x->code[n].size && len <= x->code[n].size - at)
			return x->data + x->code[n].offset + at;
	}
	return NULL;
}

/* Copies of files in archives */

static void make_folders(char *path)
{
	for (char *p = path + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		mkdir(path, 0777);
		*p = '/';
	}
}

static bool write_copy(const char *path, const struct exact_file *x)
{
	char new[PATH_MAX + 32];
	bool ok;
	int fd;

	snprintf(new, sizeof(new), "%s.%d", path, (int)getpid());
	fd = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return false;
	ok = write_all(fd, x->data, x->size);
	ok = !close(fd) && ok && !rename(new, path);
	if (!ok)
		unlink(new);
	return ok;
}

char *exact_files_open(const struct exact_files *f, uint32_t file)
{
	const struct exact_file *x = &f->files.at[file];
	const char *slash = strrchr(x->path, '/');
	char path[PATH_MAX], folder[PATH_MAX];
	struct error_text why;
	struct stat st;
	int len;

	if (!x->archived)
		return strdup(x->path);
	if (!cache_folder(folder, &why))
		return NULL;
	len = snprintf(path, sizeof(path), "%s/files/%016llx/%s", folder,
		       (unsigned long long)fnv_add(FNV_START, x->data, x->size),
		       slash ? slash + 1 : x->path);
	if (len >= (int)sizeof(path))
		return NULL;
	if (!stat(path, &st) && st.st_size == (off_t)x->size)
		return strdup(path);
	make_folders(path);
	return write_copy(path, x) ? strdup(path) : NULL;
}
