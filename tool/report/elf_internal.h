/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf_internal.h - what the files of elf_image.h share: elf_image.c has the file, elf_lines.c its
 * debugging information.
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

struct elf_unit { /* the addresses of a compilation unit; it may have several */
	uint64_t low, high;
	Dwarf_Off die;
};

struct elf_image {
	struct elf_part main, debug; /* debug: of a file apart */
	struct elf_segment *segments;
	size_t nr_segments;
	struct symbol_table symbols;
	bool has_symbols, stripped;
	Dwarf *dwarf; /* NULL: no debugging information */
	PROFILE_ARRAY(struct elf_unit) units;
	bool has_units;
};

void elf_lines_open(struct elf_image *e);
void elf_lines_close(struct elf_image *e);

#endif
