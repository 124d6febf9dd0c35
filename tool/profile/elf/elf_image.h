/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf_image.h - finds by address what an ELF file has: functions, source lines, inlined calls,
 * code, members of variables.  Calls libelf and libdw.  elf_image.c, elf_lines.c and elf_members.c
 * define its functions.
 *
 * Addresses are link-time addresses.  elf_image_address() gives the one of a file offset.
 */
#ifndef REPORT_ELF_IMAGE_H
#define REPORT_ELF_IMAGE_H

#include "profile.h"

struct elf_image;

/*
 * Opens an ELF file.  build_id: the build id that the file must have, of size bytes; size 0: any.
 * Uses a separate file with debugging information if it finds one: by build id, then by debug link.
 * symfs is the folder that stands for the root of the recorded machine (file.h), or "".
 * /usr/lib/debug means the one below symfs.  NULL: *why is a few words that say what is wrong;
 * elf_no_memory, if there is no memory.
 */
struct elf_image *elf_image_open(const char *path, const char *symfs, const uint8_t *build_id,
				 size_t size, const char **why);
extern const char elf_no_memory[];
/* Does the same for a path below symfs. */
struct elf_image *elf_image_open_under(const char *symfs, const char *path, const uint8_t *build_id,
				       size_t size, const char **why);
void elf_image_close(struct elf_image *e); /* NULL is fine */

/*
 * Does the same for a path of the recorded machine.  Tries the whole path below symfs, then the
 * path without its first folder, and so on: a guest's /mnt/a/b may be b there.  Without symfs,
 * tries the path, then the file that perf keeps in ~/.debug by build id.
 */
struct elf_image *elf_image_find(const char *path, const char *symfs, const uint8_t *build_id,
				 size_t size, const char **why);

/* Writes to path where below symfs the debug file with this build id is.  False: there is none. */
bool elf_image_by_id(char *path, size_t room, const char *symfs, const uint8_t *build_id,
		     size_t size);

const struct symbol_table *elf_image_symbols(struct elf_image *e); /* functions */
const struct symbol_table *elf_image_variables(struct elf_image *e); /* data */

/*
 * Whether symbols or source lines are missing because there was no memory for them.  They are read
 * when they are first asked for.  e may be NULL.
 */
bool elf_image_lacks_memory(const struct elf_image *e);

/* A new descriptor of the file, which the caller closes.  -1: no descriptor is free. */
int elf_image_main(const struct elf_image *e);

/*
 * A new descriptor of the separate file with debugging information, which the caller closes.
 * -1: there is no such file, or no descriptor is free.
 */
int elf_image_debug(const struct elf_image *e);

/* Converts a file offset to its address.  False: no loaded segment has it. */
bool elf_image_address(const struct elf_image *e, uint64_t offset, uint64_t *addr);
/*
 * Converts an address to its file offset; *rest: how many bytes the segment has from there.  False:
 * no loaded segment has it.  Global for tests.
 */
bool elf_image_offset(const struct elf_image *e, uint64_t addr, uint64_t *offset, uint64_t *rest);

struct source_line {
	const char *function; /* NULL: not known; the outermost then has the symbol's name */
	const char *file; /* NULL: not known */
	int line;
};

/*
 * Finds an address in the source: writes at most max lines, the innermost inlined function first.
 * Returns how many; 0: there is no debugging information for the address.  The strings are valid
 * until e is closed.
 */
size_t elf_image_lines(struct elf_image *e, uint64_t addr, struct source_line *lines, size_t max);

/*
 * Writes to name what is at an offset of the variable that begins at addr, if its type is a struct
 * or an array of structs: "struct foo.bar", or "struct foo.bar+8" in a member.  All elements of
 * the array have the same names; those of an array in the struct have their index.  False: that is
 * not known.
 */
bool elf_image_member(struct elf_image *e, uint64_t addr, uint64_t offset, char *name, size_t room);

/* Copies at most len bytes of code at addr.  Returns how many bytes it copied. */
size_t elf_image_code(const struct elf_image *e, uint64_t addr, void *to, size_t len);

/* Whether the file has no symbol table but at most the dynamic one. */
bool elf_image_is_stripped(struct elf_image *e);
bool elf_image_is_riscv(const struct elf_image *e);

/* Whether its RISC-V attributes name this extension, one of more than a letter. */
bool elf_image_uses(const struct elf_image *e, const char *extension);

#endif
