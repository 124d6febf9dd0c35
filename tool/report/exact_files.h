/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_files.h - the files whose code may have run in a guest, and which of them a page of code
 * is from, by its content.
 *
 * Programs and libraries for RISC-V, of folders and of archives as initial file systems are (cpio,
 * newc); firmware; and kernels, with the vDSO that is in them.  The files are as they are now; what
 * has changed since it ran is not found.
 */
#ifndef REPORT_EXACT_FILES_H
#define REPORT_EXACT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXACT_SEGMENTS 8
#define EXACT_NO_FILE  UINT32_MAX

/* What a file may have run as: a set of these. */
enum exact_role {
	EXACT_PROGRAM = 1, /* and libraries */
	EXACT_KERNEL = 2, /* before it has an address space: where it was loaded */
	EXACT_FIRMWARE = 4,
};

struct exact_file {
	char *path; /* here, or in the archive */
	unsigned roles;
	bool archived;
	bool image; /* no ELF file, but memory as it is: Linux's Image */
	const uint8_t *data; /* all of it, mapped */
	size_t size;
	bool program; /* and no library, which has a name to be linked by */
	bool has_entry;
	uint64_t entry; /* offset of its first instruction */
	struct {
		uint64_t offset, size, addr; /* addr: where it is linked */
	} code[EXACT_SEGMENTS]; /* segments that are executed */
	unsigned segments;
};

struct exact_hit {
	uint32_t file, page; /* number of the page in the file */
};

struct exact_files;

struct exact_files *exact_files_new(void); /* NULL: no memory */
void exact_files_free(struct exact_files *f);

/*
 * What cannot be read is left out; what comes first is found first.  NULL for a path adds nothing.
 * Returns the file, or EXACT_NO_FILE.
 */
uint32_t exact_files_add_file(struct exact_files *f, const char *path, unsigned roles);
/* An ELF file, or an Image of Linux, of which the vDSO is a file of its own. */
uint32_t exact_files_add_kernel(struct exact_files *f, const char *path);
void exact_files_add_folder(struct exact_files *f, const char *path);
void exact_files_add_archive(struct exact_files *f, const char *path);

/* The places with this content, nr of them. */
const struct exact_hit *exact_files_find(struct exact_files *f, uint64_t content, size_t *nr);

const struct exact_file *exact_files_at(const struct exact_files *f, uint32_t file);

/* Where code at an offset is linked; and len bytes of the code that is linked at addr.  NULL: none. */
uint64_t exact_file_address(const struct exact_file *x, uint64_t offset);
const uint8_t *exact_file_code(const struct exact_file *x, uint64_t addr, size_t len);

/*
 * Where the file can be opened: its path, or, for one of an archive, that of a copy, which is made
 * in the cache of the person who runs this.  NULL: it cannot.  To be freed.
 */
char *exact_files_open(const struct exact_files *f, uint32_t file);

#endif
