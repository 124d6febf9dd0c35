/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf_image.h - what an ELF file says of addresses: functions, source lines, inlined calls, code.
 * Calls libelf and libdw.
 *
 * Addresses are those that the file is linked at; elf_image_address gives that of a file offset.
 */
#ifndef REPORT_ELF_IMAGE_H
#define REPORT_ELF_IMAGE_H

#include "profile.h"

struct elf_image;

/*
 * Opens an ELF file.  build_id: what its own must be, of size bytes; size 0: any.  Debugging
 * information is looked for in the file, then by build id and debug link; /usr/lib/debug is that of
 * symfs, a folder that is a root (file.h), or "".  NULL: *why is a few words that say what is wrong.
 */
struct elf_image *elf_image_open(const char *path, const char *symfs, const uint8_t *build_id,
				 size_t size, const char **why);
/* The same for a path below symfs. */
struct elf_image *elf_image_open_under(const char *symfs, const char *path,
				       const uint8_t *build_id, size_t size, const char **why);
void elf_image_close(struct elf_image *e); /* NULL is fine */

/*
 * The same for a path of the machine that was recorded, which is looked for under symfs: the whole
 * path, or what is left of it without its first folders (a guest's /mnt/a/b may be b there).  Without
 * symfs, what perf keeps by build id in ~/.debug will do.
 */
struct elf_image *elf_image_find(const char *path, const char *symfs, const uint8_t *build_id,
				 size_t size, const char **why);

/* The file that has the build id: path, below symfs, is where it is kept.  False: there is none. */
bool elf_image_by_id(char *path, size_t room, const char *symfs, const uint8_t *build_id,
		     size_t size);

const struct symbol_table *elf_image_symbols(struct elf_image *e);

/* A descriptor of the file, for the caller; -1: there is none left. */
int elf_image_main(const struct elf_image *e);

/* A descriptor of the file beside it that has its debugging information, for the caller; -1: none. */
int elf_image_debug(const struct elf_image *e);

/* The address at which a byte of the file is loaded; false: it is in no segment. */
bool elf_image_address(const struct elf_image *e, uint64_t offset, uint64_t *addr);
bool elf_image_offset(const struct elf_image *e, uint64_t addr, uint64_t *offset);

struct source_line {
	const char *function; /* NULL: not known; for the outermost, it is the symbol's matter */
	const char *file; /* NULL: not known */
	int line;
};

/*
 * Where an address is in the source, the innermost inlined function first; at most max of them.  0
 * if there is no debugging information of it.  What it points to lives as long as e.
 */
size_t elf_image_lines(struct elf_image *e, uint64_t addr, struct source_line *lines, size_t max);

/* Copies code, and says how many bytes there were of those that were wanted. */
size_t elf_image_code(const struct elf_image *e, uint64_t addr, void *to, size_t len);

/* Of its own functions it has at most the names of those that others link with. */
bool elf_image_is_stripped(struct elf_image *e);
bool elf_image_is_riscv(const struct elf_image *e);
bool elf_image_has_lines(const struct elf_image *e);

#endif
