/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf_internal.h - what elf_image.c (the file), elf_lines.c and elf_members.c (its debugging
 * information) share (elf_image.h).
 */
#ifndef REPORT_ELF_INTERNAL_H
#define REPORT_ELF_INTERNAL_H

#include <libelf.h>
#include <elfutils/libdw.h>

#include "elf_image.h"

struct elf_part {
	int fd; /* -1: there is none */
	Elf *elf;
};

struct elf_segment {
	uint64_t offset, addr, size; /* size: in the file */
};

struct elf_unit { /* an address range of a compilation unit, which may have several */
	uint64_t low, high;
	Dwarf_Off die;
};

struct elf_typed { /* a variable whose type is known */
	uint64_t addr;
	Dwarf_Off die;
};

struct elf_image {
	struct elf_part main, debug; /* debug: a separate file with debugging information */
	struct elf_segment *segments;
	size_t nr_segments;
	struct symbol_table symbols, variables;
	bool has_symbols, has_variables, stripped;
	Dwarf *dwarf; /* NULL: no debugging information */
	VEC(struct elf_unit) units;
	VEC(struct elf_typed) typed; /* by address */
	bool has_units, has_typed, no_memory;
};

void elf_lines_open(struct elf_image *e);
void elf_lines_close(struct elf_image *e);

#endif
