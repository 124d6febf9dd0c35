// SPDX-License-Identifier: BSD-2-Clause
/*
 * elf_lines.c - finds the source line and the inlined functions of an address: DWARF, read with
 * libdw (elf_image.h).
 *
 * Our own table finds the compilation unit of an address, because clang writes no .debug_aranges.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "elf_internal.h"

static bool has_section(Elf *elf, const char *want)
{
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		Elf32_Shdr *h32 = elf32_getshdr(scn);
		Elf64_Shdr *h64 = elf64_getshdr(scn);
		const char *name = h32	 ? elf_strptr(elf, names, h32->sh_name)
				   : h64 ? elf_strptr(elf, names, h64->sh_name)
					 : NULL;

		if (name && !strcmp(name, want))
			return true;
	}
	return false;
}

void elf_lines_open(struct elf_image *e)
{
	Elf *elf = e->debug.fd >= 0 ? e->debug.elf : e->main.elf;

	if (has_section(elf, ".debug_info"))
		e->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
}

void elf_lines_close(struct elf_image *e)
{
	dwarf_end(e->dwarf);
	free(e->units.at);
	free(e->typed.at);
}

static void add_unit(struct elf_image *e, uint64_t low, uint64_t high, Dwarf_Off die)
{
	if (low >= high)
		return;
	if (!VEC_ROOM(&e->units, 1)) {
		e->no_memory = true;
		return;
	}
	e->units.at[e->units.nr++] = (struct elf_unit){ low, high, die };
}

static int by_address(const void *left, const void *right)
{
	const struct elf_unit *a = left, *b = right;

	return a->low < b->low ? -1 : a->low > b->low;
}

static void read_units(struct elf_image *e)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;

	e->has_units = true;
	while (!dwarf_get_units(e->dwarf, cu, &cu, NULL, &type, &die, NULL)) {
		Dwarf_Addr base, low, high;

		if (type != DW_UT_compile)
			continue;
		for (ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &low, &high)) > 0;)
			add_unit(e, low, high, dwarf_dieoffset(&die));
	}
	VEC_SORT(&e->units, by_address);
}

static bool find_unit(struct elf_image *e, uint64_t addr, Dwarf_Die *die)
{
	size_t low = 0, high;

	if (!e->has_units)
		read_units(e);
	high = e->units.nr;
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (e->units.at[mid].low <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low && addr < e->units.at[low - 1].high &&
	       dwarf_offdie(e->dwarf, e->units.at[low - 1].die, die);
}

static Dwarf_Word number(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value = 0;

	dwarf_formudata(dwarf_attr(die, name, &attribute), &value);
	return value;
}

static const char *function_name(Dwarf_Die *die)
{
	/* The linkage name has the class and the types.  In C there is only DW_AT_name. */
	static const unsigned names[] = { DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name };
	const char *name = NULL;
	Dwarf_Attribute attribute;

	for (size_t i = 0; !name && i < sizeof(names) / sizeof(*names); i++)
		name = dwarf_formstring(dwarf_attr_integrate(die, names[i], &attribute));
	return name;
}

/* Fills in the file and line that an inlined function was called from. */
static void call_site(Dwarf_Die *unit, Dwarf_Die *inlined, struct source_line *line)
{
	Dwarf_Files *files;
	size_t nr;

	line->line = number(inlined, DW_AT_call_line);
	if (!dwarf_getsrcfiles(unit, &files, &nr) && number(inlined, DW_AT_call_file) < nr)
		line->file = dwarf_filesrc(files, number(inlined, DW_AT_call_file), NULL, NULL);
}

size_t elf_image_lines(struct elf_image *e, uint64_t addr, struct source_line *lines, size_t max)
{
	Dwarf_Die unit, *scopes = NULL;
	Dwarf_Line *line;
	size_t n = 0;
	int nr;

	if (!e->dwarf || !max || !find_unit(e, addr, &unit))
		return 0;
	memset(lines, 0, max * sizeof(*lines));
	line = dwarf_getsrc_die(&unit, addr);
	if (line) {
		dwarf_lineno(line, &lines[0].line);
		lines[0].file = dwarf_linesrc(line, NULL, NULL);
	}
	nr = dwarf_getscopes(&unit, addr, &scopes);
	for (int i = 0; i < nr; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag == DW_TAG_subprogram) {
			lines[n].function = function_name(&scopes[i]);
			break;
		}
		if (tag != DW_TAG_inlined_subroutine || n + 1 == max)
			continue;
		lines[n].function = function_name(&scopes[i]);
		call_site(&unit, &scopes[i], &lines[++n]);
	}
	free(scopes);
	return n || line ? n + 1 : 0;
}
