/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_files.h - the files whose code may have run in a guest, and which of them a page of code
 * is from, by its content.
 *
 * Programs and libraries for RISC-V, of folders and of archives as initial file systems are (cpio,
 * newc).  The files are as they are now; what has changed since it ran is not found.
 */
#ifndef REPORT_EXACT_FILES_H
#define REPORT_EXACT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXACT_SEGMENTS 8

struct exact_file {
	char *path; /* here, or in the archive */
	bool archived;
	const uint8_t *data; /* all of it, mapped */
	size_t size;
	bool program; /* and no library, which has a name to be linked by */
	bool has_entry;
	uint64_t entry; /* offset of its first instruction */
	struct {
		uint64_t offset, size;
	} code[EXACT_SEGMENTS]; /* segments that are executed */
	unsigned segments;
};

struct exact_hit {
	uint32_t file, page; /* number of the page in the file */
};

struct exact_files;

struct exact_files *exact_files_new(void); /* NULL: no memory */
void exact_files_free(struct exact_files *f);

/* What cannot be read is left out; what comes first is found first.  NULL for a path adds nothing. */
void exact_files_add_file(struct exact_files *f, const char *path);
void exact_files_add_folder(struct exact_files *f, const char *path);
void exact_files_add_archive(struct exact_files *f, const char *path);

/* The places with this content, nr of them. */
const struct exact_hit *exact_files_find(struct exact_files *f, uint64_t content, size_t *nr);

const struct exact_file *exact_files_at(const struct exact_files *f, uint32_t file);

/*
 * Where the file can be opened: its path, or, for one of an archive, that of a copy, which is made
 * in the cache of the person who runs this.  NULL: it cannot.  To be freed.
 */
char *exact_files_open(const struct exact_files *f, uint32_t file);

#endif
