// SPDX-License-Identifier: BSD-2-Clause
/*
 * allocators.c - finds malloc and its like by the symbols of ELF files (allocators.h).  The files
 * are the user's, or come from the guest: each number is checked.
 */
#include <elf.h>
#include <string.h>

#include "allocators.h"

#define PAGE	 4096u
#define CODE_MAX 256u /* bytes by which a function is recognised */
#define CODE_MIN 16u

static const struct {
	const char *name;
	enum exact_allocates kind;
} functions[] = {
	{ "malloc", EXACT_MALLOC },    { "calloc", EXACT_CALLOC },
	{ "realloc", EXACT_REALLOC },  { "aligned_alloc", EXACT_ALIGNED },
	{ "memalign", EXACT_ALIGNED }, { "posix_memalign", EXACT_POSIX_MEMALIGN },
	{ "free", EXACT_FREES },
};

#define NR_FUNCTIONS (sizeof(functions) / sizeof(*functions))

/* The file offset of code at a link-time address; false: it is in no segment of code. */
static bool offset_of(const struct exact_file *x, uint64_t addr, uint64_t *offset)
{
	for (unsigned n = 0; n < x->segments; n++) {
		if (addr - x->code[n].addr < x->code[n].size) {
			*offset = addr - x->code[n].addr + x->code[n].offset;
			return *offset < x->size;
		}
	}
	return false;
}

static bool add(struct allocators *a, const struct exact_file *x, const Elf64_Sym *sym,
		enum exact_allocates kind)
{
	uint64_t offset, len = sym->st_size < CODE_MAX ? sym->st_size : CODE_MAX;
	struct exact_allocator new = { .kind = kind };

	if (!offset_of(x, sym->st_value, &offset))
		return true;
	new.offset = offset % PAGE;
	len = PAGE - new.offset < len ? PAGE - new.offset : len;
	new.len = x->size - offset < len ? x->size - offset : len;
	new.code = x->data + offset;
	if (new.len < CODE_MIN)
		return true;
	for (size_t n = 0; n < a->list.nr; n++) {
		const struct exact_allocator *old = &a->list.at[n];

		if (old->offset == new.offset && old->len == new.len &&
		    !memcmp(old->code, new.code, new.len))
			return true;
	}
	return VEC_PUSH(&a->list, new);
}

/* A section of x; false: it does not lie in the file. */
static bool section(const struct exact_file *x, const Elf64_Ehdr *eh, unsigned n, Elf64_Shdr *sh)
{
	if (n >= eh->e_shnum)
		return false;
	memcpy(sh, x->data + eh->e_shoff + (uint64_t)n * sizeof(*sh), sizeof(*sh));
	return sh->sh_type != SHT_NOBITS && sh->sh_offset <= x->size &&
	       sh->sh_size <= x->size - sh->sh_offset;
}

static bool take_symbols(struct allocators *a, const struct exact_file *x, const Elf64_Shdr *table,
			 const Elf64_Shdr *names)
{
	const char *text = (const char *)x->data + names->sh_offset;

	for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table->sh_size; at += sizeof(Elf64_Sym)) {
		Elf64_Sym sym;

		memcpy(&sym, x->data + table->sh_offset + at, sizeof(sym));
		if (ELF64_ST_TYPE(sym.st_info) != STT_FUNC || sym.st_shndx == SHN_UNDEF ||
		    sym.st_name >= names->sh_size)
			continue;
		for (unsigned n = 0; n < NR_FUNCTIONS; n++) {
			size_t len = strlen(functions[n].name) + 1;

			if (len <= names->sh_size - sym.st_name &&
			    !memcmp(text + sym.st_name, functions[n].name, len) &&
			    !add(a, x, &sym, functions[n].kind))
				return false;
		}
	}
	return true;
}

static bool take_file(struct allocators *a, const struct exact_file *x)
{
	Elf64_Ehdr eh;
	Elf64_Shdr table, names;

	if (x->image || x->size < sizeof(eh))
		return true;
	memcpy(&eh, x->data, sizeof(eh));
	if (eh.e_shentsize != sizeof(table) || eh.e_shoff > x->size ||
	    (uint64_t)eh.e_shnum * sizeof(table) > x->size - eh.e_shoff)
		return true;
	for (unsigned n = 0; n < eh.e_shnum; n++) {
		if (!section(x, &eh, n, &table) ||
		    (table.sh_type != SHT_SYMTAB && table.sh_type != SHT_DYNSYM) ||
		    !section(x, &eh, table.sh_link, &names))
			continue;
		if (!take_symbols(a, x, &table, &names))
			return false;
	}
	return true;
}

bool allocators_find(struct allocators *a, const char *share, const char *const *archives,
		     unsigned nr)
{
	bool good;

	*a = (struct allocators){ .files = exact_files_new() };
	if (!a->files)
		return false;
	exact_files_add_folder(a->files, share);
	for (unsigned n = 0; n < nr; n++)
		exact_files_add_archive(a->files, archives[n]);
	good = !exact_files_lack_memory(a->files);
	for (uint32_t n = 0; good && n < exact_files_nr(a->files); n++)
		good = take_file(a, exact_files_at(a->files, n));
	return good;
}

void allocators_free(struct allocators *a)
{
	exact_files_free(a->files);
	free(a->list.at);
}
