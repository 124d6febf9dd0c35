/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_files.h - the files whose code may have run in a guest.  Finds the file of a page of code
 * by the page's content.
 *
 * The files are RISC-V programs and libraries, from folders and from initial RAM disks (cpio
 * archives in the newc format); firmware; and kernels with the vDSO in them.  The files are read
 * as they are now: code that has changed since it ran is not found.
 */
#ifndef REPORT_EXACT_FILES_H
#define REPORT_EXACT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exact_stamp.h"

#define EXACT_SEGMENTS 8
#define EXACT_NO_FILE  UINT32_MAX

/* How a file may have run: a set of these bits. */
enum exact_role {
	EXACT_PROGRAM = 1, /* and libraries */
	EXACT_KERNEL = 2, /* a kernel that has no address space yet, where it was loaded */
	EXACT_FIRMWARE = 4,
};

struct exact_file {
	char *path; /* on this machine, or in the archive */
	unsigned roles;
	bool archived;
	bool image; /* an Image of Linux, which is a copy of memory; not an ELF file */
	const uint8_t *data; /* the whole file, mapped */
	size_t size;
	bool program; /* not a library: it has no DT_SONAME */
	bool has_entry;
	uint64_t entry; /* offset of its first instruction */
	struct {
		uint64_t offset, size, addr; /* addr: the link-time address */
	} code[EXACT_SEGMENTS]; /* executable segments */
	unsigned segments;
	uint64_t low, high; /* link-time addresses of all that is loaded, data too */
};

struct exact_hit {
	uint32_t file, page; /* number of the page in the file */
};

struct exact_files;

struct exact_files *exact_files_new(void); /* NULL: no memory */
void exact_files_free(struct exact_files *f);

/*
 * Reads no file: what is added from now on only changes the stamp, as it would if it were read.
 */
void exact_files_stamp_only(struct exact_files *f);

/* The stamp of all files that were added since. */
const struct exact_stamp *exact_files_stamp(const struct exact_files *f);

/*
 * Adds an ELF file.  Ignores a file that it cannot read; NULL for a path adds nothing.  Files that
 * are added first are found first.  Returns the number of the file, or EXACT_NO_FILE.
 */
uint32_t exact_files_add_file(struct exact_files *f, const char *path, unsigned roles);
/* Adds an ELF file, or an Image of Linux.  The vDSO in an Image becomes a second file. */
uint32_t exact_files_add_kernel(struct exact_files *f, const char *path);
void exact_files_add_folder(struct exact_files *f, const char *path);
void exact_files_add_archive(struct exact_files *f, const char *path);

/* Finds all pages with this content; *nr: how many.  Valid until the next call. */
const struct exact_hit *exact_files_find(struct exact_files *f, uint64_t content, size_t *nr);

/* Whether there was no memory for a file or a result: then exact_files_find() may miss some. */
bool exact_files_lack_memory(const struct exact_files *f);

uint32_t exact_files_nr(const struct exact_files *f); /* how many files it has */
const struct exact_file *exact_files_at(const struct exact_files *f, uint32_t file);

/* Whether executable code is mapped from an offset of the file. */
bool exact_file_is_code(const struct exact_file *x, uint64_t offset);
/* The link-time address of the code at an offset of the file. */
uint64_t exact_file_address(const struct exact_file *x, uint64_t offset);
/* The len bytes of code at a link-time address; NULL: the file does not have them. */
const uint8_t *exact_file_code(const struct exact_file *x, uint64_t addr, size_t len);

/*
 * Returns a path at which the file can be opened.  A file of an archive is first copied to the
 * user's cache.  The caller frees the path.  NULL: the copy failed, or no memory.
 */
char *exact_files_open(const struct exact_files *f, uint32_t file);

#endif
