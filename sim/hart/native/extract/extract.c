// SPDX-License-Identifier: BSD-2-Clause
/*
 * extract.c - a program of the build: takes the stencils out of an object file (stencil.h), and
 * prints them as tables of C for the engine (native.h, struct native_stencils).
 *
 *	section .text.st_X		the hot code of stencil X
 *	section .text.unlikely.st_X	its cold code
 *	section .text.F			any other function: a routine, which is there once
 *	relocation to hole_X		a value, or an address at which code goes on
 *	relocation to F			a routine, or a C function of the engine
 *
 * It refuses what cannot be copied: data, and relocations that native.c does not know.
 *
 * usage: extract [OBJECT.o] >TABLES	without an object: tables without stencils
 */
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extract_x86.h"
#include "slurp.h"

#define CODES_MAX   4096
#define CALLS_MAX   256
#define SECTION_MAX (32u << 10) /* bytes */

struct code {
	const char *name; /* without st_ */
	bool stencil;
	unsigned hot, cold; /* sections; 0: none */
	const struct code *same; /* same_as() */
};

static const char *path;
static uint8_t *file;
static const Elf64_Shdr *section;
static unsigned sections;
static const char *section_names;
static const Elf64_Sym *symbol;
static const char *symbol_names;
static struct code code[CODES_MAX];
static unsigned codes;
static const char *call[CALLS_MAX];
static unsigned calls;

static void __attribute__((noreturn)) fail(const char *what, const char *name)
{
	fprintf(stderr, "extract: %s: %s%s%s\n", path, what, name ? ": " : "", name ? name : "");
	exit(1);
}

static void read_object(void)
{
	const Elf64_Ehdr *e;
	size_t size;

	file = (uint8_t *)slurp_file(path, SIZE_MAX, &size, NULL);
	if (!file || size < sizeof(*e))
		fail("cannot be read", NULL);
	e = (const Elf64_Ehdr *)file;
	if (memcmp(e->e_ident, ELFMAG, SELFMAG) || e->e_type != ET_REL)
		fail("not a relocatable ELF file", NULL);
	section = (const Elf64_Shdr *)(file + e->e_shoff);
	sections = e->e_shnum;
	section_names = (const char *)file + section[e->e_shstrndx].sh_offset;
}

static const char *section_name(unsigned n)
{
	return section_names + section[n].sh_name;
}

/* What follows prefix in s, or NULL. */
static const char *behind(const char *s, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(s, prefix, n) ? NULL : s + n;
}

static struct code *code_named(const char *name)
{
	const char *stencil = behind(name, "st_");

	for (unsigned n = 0; n < codes; n++) {
		if (!strcmp(code[n].name, stencil ? stencil : name))
			return &code[n];
	}
	if (codes == CODES_MAX)
		fail("too many functions", NULL);
	code[codes] = (struct code){ stencil ? stencil : name, stencil, 0, 0, NULL };
	return &code[codes++];
}

/* The symbol table, and which section is which code. */
static void find_code(void)
{
	for (unsigned n = 1; n < sections; n++) {
		const Elf64_Shdr *s = &section[n];
		const char *name = section_name(n), *f;

		if (s->sh_type == SHT_SYMTAB) {
			symbol = (const Elf64_Sym *)(file + s->sh_offset);
			symbol_names = (const char *)file + section[s->sh_link].sh_offset;
		}
		if (s->sh_type != SHT_PROGBITS || !(s->sh_flags & SHF_EXECINSTR) || !s->sh_size)
			continue;
		f = behind(name, ".text.unlikely.");
		if (f) {
			code_named(f)->cold = n;
			continue;
		}
		f = behind(name, ".text.");
		if (!f)
			fail("code in a section without a function", name);
		code_named(f)->hot = n;
	}
	if (!symbol)
		fail("no symbols", NULL);
	/* A function that is cold as a whole. */
	for (unsigned n = 0; n < codes; n++) {
		if (!code[n].hot) {
			code[n].hot = code[n].cold;
			code[n].cold = 0;
		}
	}
}

/* The relocations of a section; NULL: there are none. */
static const Elf64_Rela *relocations(unsigned of, unsigned *nr)
{
	for (unsigned n = 1; n < sections; n++) {
		if (section[n].sh_type == SHT_RELA && section[n].sh_info == of) {
			*nr = section[n].sh_size / sizeof(Elf64_Rela);
			return (const Elf64_Rela *)(file + section[n].sh_offset);
		}
	}
	*nr = 0;
	return NULL;
}

/* Not an instruction: what is in front of the first one, or after the last one. */
static bool is_frame(const struct code *c)
{
	const char *last = strrchr(c->name, '_');

	return behind(c->name, "first_") || !strcmp(last ? last + 1 : c->name, "last");
}

static unsigned size_of(unsigned n)
{
	return n ? section[n].sh_size : 0;
}

static unsigned routine_number(const struct code *c)
{
	unsigned nr = 0;

	for (const struct code *o = code; o < c; o++)
		nr += !o->stencil;
	return nr;
}

/* Whether a C function does not take a hart: those of sim/fp and of models, and crypto.h. */
static bool knows_none(const char *name)
{
	return behind(name, "fp") || behind(name, "crypto_") || behind(name, "bpred_") ||
	       behind(name, "tage_");
}

static unsigned call_number(const char *name)
{
	for (unsigned n = 0; n < calls; n++) {
		if (!strcmp(call[n], name))
			return n;
	}
	if (calls == CALLS_MAX)
		fail("too many C functions", NULL);
	call[calls] = name;
	return calls++;
}

static void print_target(const struct code *c, const Elf64_Sym *s)
{
	const char *name = symbol_names + s->st_name, *hole = behind(name, "hole_");

	if (!s->st_shndx && hole) {
		if (!strcmp(hole, "next"))
			printf("NATIVE_TO_NEXT, 0");
		else if (!strcmp(hole, "way0"))
			printf("NATIVE_TO_WAY0, 0");
		else if (!strcmp(hole, "way1"))
			printf("NATIVE_TO_WAY1, 0");
		else
			printf("NATIVE_TO_HOLE, HOLE_%s", hole);
		return;
	}
	if (!s->st_shndx) {
		printf("NATIVE_TO_CALL, %u", call_number(name));
		return;
	}
	if (s->st_shndx == c->hot || s->st_shndx == c->cold) {
		printf("NATIVE_TO_%s, 0", s->st_shndx == c->hot ? "HOT" : "COLD");
		return;
	}
	for (const struct code *o = code; o < code + codes; o++) {
		if (!o->stencil && o->hot == s->st_shndx) {
			printf("NATIVE_TO_ROUTINE, %u", routine_number(o));
			return;
		}
	}
	fail("refers to data, or to another instruction", c->name);
}

/* Fills field[] (extract_x86.h) for a section.  Of other hosts than x86-64 it says nothing. */
static void find_fields(const struct code *c, unsigned of, uint8_t field[SECTION_MAX])
{
	memset(field, X86_FIELD, SECTION_MAX);
	if (((const Elf64_Ehdr *)file)->e_machine != EM_X86_64)
		return;
	if (size_of(of) > SECTION_MAX ||
	    !x86_find_fields(file + section[of].sh_offset, size_of(of), field))
		fail("has an instruction that extract_x86.c does not know", c->name);
}

/* Prints the relocations of one section; those of cold code lie base bytes further. */
static unsigned print_relocations(const struct code *c, unsigned of, unsigned base)
{
	static uint8_t field[SECTION_MAX];
	unsigned nr;
	const Elf64_Rela *rela = relocations(of, &nr);

	if (nr)
		find_fields(c, of, field);
	for (unsigned n = 0; n < nr; n++) {
		const Elf64_Sym *s = &symbol[ELF64_R_SYM(rela[n].r_info)];
		unsigned at = rela[n].r_offset;

		if (at >= SECTION_MAX || !field[at])
			fail("has a relocation inside of a field", c->name);
		printf("\t{ %u, %u, %u, ", at + base, (unsigned)ELF64_R_TYPE(rela[n].r_info),
		       field[at] == X86_FIELD ? 0 : field[at]);
		print_target(c, s);
		printf(", %lld },\n", (long long)(rela[n].r_addend + s->st_value));
	}
	return nr;
}

/*
 * On x86-64 gcc has no conditional jump to a function: it jumps over a jump.  Replaces these two,
 * if they go to hole_way0 or hole_way1, by one of the same length (REX, jcc): the relocation at
 * `at` stays where it is.
 */
static void join_jumps(uint8_t *p, unsigned at)
{
	uint8_t *jumps = p + at - 3;

	if (at < 3 || (jumps[0] & 0xf0) != 0x70 || jumps[1] != 5 || jumps[2] != 0xe9)
		return;
	jumps[2] = 0x80 | ((jumps[0] & 0xf) ^ 1);
	jumps[0] = 0x40;
	jumps[1] = 0x0f;
}

static void join_jumps_to_ways(unsigned n)
{
	unsigned nr;
	const Elf64_Rela *rela = relocations(n, &nr);

	for (unsigned i = 0; i < nr; i++) {
		const Elf64_Sym *s = &symbol[ELF64_R_SYM(rela[i].r_info)];

		if (behind(symbol_names + s->st_name, "hole_way") &&
		    ELF64_R_TYPE(rela[i].r_info) == R_X86_64_PLT32)
			join_jumps(file + section[n].sh_offset, rela[i].r_offset);
	}
}

static void print_bytes(unsigned n)
{
	const uint8_t *p = n ? file + section[n].sh_offset : NULL;

	if (n && ((const Elf64_Ehdr *)file)->e_machine == EM_X86_64)
		join_jumps_to_ways(n);
	for (unsigned i = 0; i < size_of(n); i++)
		printf("%u,%s", p[i], i % 24 == 23 ? "\n" : "");
	printf("\n");
}

/* The stencil to which c is only a jump, or c. */
static struct code *jumps_to(struct code *c)
{
	unsigned nr;
	const Elf64_Rela *rela = relocations(c->hot, &nr);
	const Elf64_Sym *s;

	if (nr != 1 || c->cold || size_of(c->hot) > 5)
		return c;
	s = &symbol[ELF64_R_SYM(rela->r_info)];
	for (struct code *o = code; o < code + codes; o++) {
		if (o != c && o->stencil && o->hot == s->st_shndx)
			return o;
	}
	return c;
}

/*
 * A stencil whose body is another one's (OP(lr_w) OP(lr_d)) is a jump to it.  Rows of vectors are
 * in long chains of such jumps, so the end of each chain is kept.
 */
static const struct code *same_as(struct code *c)
{
	if (!c->same) {
		struct code *to = jumps_to(c);

		c->same = to == c ? c : same_as(to);
	}
	return c->same;
}

/* The stencils (or the routines): where their bytes and relocations are. */
static void print_rows(bool stencils, const unsigned bytes[], const unsigned reloc[])
{
	printf("static const struct native_code native_%s = {\n",
	       stencils ? "code[STENCIL_NR]" : "routine[]");
	for (unsigned n = 0; n < codes; n++) {
		unsigned as = same_as(&code[n]) - code;

		if (code[n].stencil != stencils || is_frame(&code[n]))
			continue;
		if (stencils)
			printf("\t[STENCIL_%s] = ", code[n].name);
		else
			printf("\t");
		printf("{ %u, %u, %u, %u, %u },\n", bytes[as], size_of(code[as].hot),
		       size_of(code[as].cold), reloc[as], reloc[as + 1] - reloc[as]);
	}
	printf("};\n\n");
}

/* Which routine is which of those with a name: its number, plus 1. */
static void print_named(void)
{
	static const char *const names[] = {
#define NATIVE_ROUTINE(name) #name,
#include "native_routine.def"
	};

	for (unsigned n = 0; n < codes; n++) {
		const char *name = behind(code[n].name, "rt_");

		for (unsigned i = 0; name && i < sizeof(names) / sizeof(names[0]); i++) {
			if (!strcmp(name, names[i]))
				printf("[ROUTINE_%s] = %u, ", name, routine_number(&code[n]) + 1);
		}
	}
}

int main(int argc, char **argv)
{
	static unsigned bytes[CODES_MAX + 1], reloc[CODES_MAX + 1];

	if (argc < 2) {
		printf("#define NATIVE_STENCILS { 0 }\n");
		return fflush(stdout) || ferror(stdout);
	}
	path = argv[1];
	read_object();
	find_code();
	printf("static const uint8_t native_bytes[] = {\n");
	for (unsigned n = 0; n < codes; n++) {
		print_bytes(code[n].hot);
		print_bytes(code[n].cold);
		bytes[n + 1] = bytes[n] + size_of(code[n].hot) + size_of(code[n].cold);
	}
	printf("};\n\nstatic const struct native_reloc native_reloc[] = {\n");
	for (unsigned n = 0; n < codes; n++) {
		reloc[n + 1] = reloc[n];
		if (same_as(&code[n]) != &code[n] || is_frame(&code[n]))
			continue;
		reloc[n + 1] += print_relocations(&code[n], code[n].hot, 0);
		reloc[n + 1] += print_relocations(&code[n], code[n].cold, size_of(code[n].hot));
	}
	printf("};\n\n");
	print_rows(true, bytes, reloc);
	print_rows(false, bytes, reloc);
	printf("static const struct native_call native_call[] = {\n");
	for (unsigned n = 0; n < calls; n++)
		printf("\t{ (const void *)%s, %d },\n", call[n], knows_none(call[n]));
	printf("};\n\n#define NATIVE_STENCILS NATIVE_TABLES(");
	print_named();
	printf(")\n");
	return fflush(stdout) || ferror(stdout);
}
