// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_elf_image.c - reads any bytes as the ELF file of a program with samples: symbols, segments,
 * source lines, inlined calls and members of variables.
 *
 * Must hold: a file is refused with a reason; or its symbols are sorted, each is found at its own
 * address, code equals the file's bytes at that offset, and lines and names are strings.
 */
#include "elf_image.h"
#include "temp.h"

#define LINES  4
#define LOOKED 64 /* how many symbols to look up lines for */
#define CODE   64

static void check_code(const struct elf_image *e, uint64_t addr, const uint8_t *data, size_t size)
{
	uint8_t code[CODE];
	uint64_t offset, rest;
	size_t len = elf_image_code(e, addr, code, sizeof(code));

	must(len <= sizeof(code));
	if (!len)
		return;
	must(elf_image_offset(e, addr, &offset, &rest) && len <= rest);
	must(offset <= size && len <= size - offset && !memcmp(code, data + offset, len));
}

static void check_lines(struct elf_image *e, uint64_t addr)
{
	struct source_line lines[LINES];
	size_t nr = elf_image_lines(e, addr, lines, LINES);

	must(nr <= LINES);
	for (size_t n = 0; n < nr; n++) {
		must(!lines[n].function || strlen(lines[n].function) < SIZE_MAX);
		must(!lines[n].file || strlen(lines[n].file) < SIZE_MAX);
	}
}

static void check_members(struct elf_image *e, const struct symbol *s)
{
	static const uint64_t offsets[] = { 0, 8, 1000, UINT64_MAX };
	char name[64];

	for (size_t n = 0; n < sizeof(offsets) / sizeof(*offsets); n++) {
		memset(name, 'x', sizeof(name));
		if (elf_image_member(e, s->addr, offsets[n], name, sizeof(name)))
			must(memchr(name, '\0', sizeof(name)) != NULL);
	}
}

static void check_symbols(const struct symbol_table *t)
{
	for (size_t n = 0; n < t->nr; n++) {
		must(*t->at[n].name != '\0');
		must(!n || t->at[n - 1].addr < t->at[n].addr);
		must(symbols_end(t, &t->at[n]) >= t->at[n].addr);
		if (t->at[n].addr < UINT64_MAX)
			must(symbols_find(t, t->at[n].addr) == &t->at[n]);
	}
}

static void check(struct elf_image *e, const uint8_t *data, size_t size)
{
	const struct symbol_table *t = elf_image_symbols(e);
	int fd = elf_image_main(e);

	must(fd >= 0);
	close(fd);
	check_symbols(t);
	elf_image_is_stripped(e);
	elf_image_is_riscv(e);
	for (size_t n = 0; n < t->nr && n < LOOKED; n++) {
		check_code(e, t->at[n].addr, data, size);
		check_lines(e, t->at[n].addr);
		check_lines(e, t->at[n].addr + 4);
	}
	t = elf_image_variables(e);
	check_symbols(t);
	for (size_t n = 0; n < t->nr && n < LOOKED; n++)
		check_members(e, &t->at[n]);
	for (uint64_t offset = 0; offset < size; offset += size / 8 + 1) {
		uint64_t addr;

		if (!elf_image_address(e, offset, &addr))
			continue;
		check_code(e, addr, data, size);
		check_lines(e, addr);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *why = NULL;
	struct temp_memory f;
	struct elf_image *e;

	temp_memory(&f, data, size);
	e = elf_image_open(f.path, temp_folder(), NULL, 0, &why);
	if (!e)
		must(why && *why && !strchr(why, '\n'));
	else
		check(e, data, size);
	elf_image_close(e);
	close(f.fd);
	return 0;
}
