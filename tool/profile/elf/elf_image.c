// SPDX-License-Identifier: BSD-2-Clause
/*
 * elf_image.c - reads functions, segments and code of an ELF file, and finds its debugging
 * information (elf_image.h).
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <elfutils/libdwelf.h>

#include "elf_internal.h"
#include "file.h"

#define DEBUG_DIR "/usr/lib/debug"

const char elf_no_memory[] = "out of memory";

static bool open_part(struct elf_part *part, const char *root, const char *path)
{
	part->fd = file_open(root, path);
	if (part->fd < 0)
		return false;
	part->elf = elf_begin(part->fd, ELF_C_READ_MMAP, NULL);
	if (part->elf && elf_kind(part->elf) == ELF_K_ELF)
		return true;
	elf_end(part->elf);
	close(part->fd);
	*part = (struct elf_part){ .fd = -1 };
	return false;
}

static void close_part(struct elf_part *part)
{
	if (part->fd < 0)
		return;
	elf_end(part->elf);
	close(part->fd);
	*part = (struct elf_part){ .fd = -1 };
}

static bool has_id(Elf *elf, const uint8_t *build_id, size_t size)
{
	const void *id;
	ssize_t len = dwelf_elf_gnu_build_id(elf, &id);

	return len > 0 && size && !memcmp(id, build_id, (size_t)len < size ? (size_t)len : size);
}

/* Whether dir has a file for the build id, under .build-id as usual; writes its path. */
static bool has_file(char *path, size_t room, const char *root, const char *dir,
		     const uint8_t *build_id, size_t size, const char *suffix)
{
	char hex[2 * PROFILE_BUILD_ID + 1] = "";

	for (size_t i = 0; i < size && i < PROFILE_BUILD_ID; i++)
		snprintf(hex + 2 * i, 3, "%02x", build_id[i]);
	if (size < 2)
		return false;
	snprintf(path, room, "%s/.build-id/%.2s/%s%s", dir, hex, hex + 2, suffix);
	return file_is_there(root, path);
}

bool elf_image_by_id(char *path, size_t room, const char *symfs, const uint8_t *build_id,
		     size_t size)
{
	return has_file(path, room, symfs, DEBUG_DIR, build_id, size, ".debug");
}

/* Looks in ~/.debug, where perf record keeps copies of the files that ran on this machine. */
static bool in_perf_cache(char *path, size_t room, const uint8_t *build_id, size_t size)
{
	const char *home = getenv("HOME");
	char dir[4096];

	snprintf(dir, sizeof(dir), "%s/.debug", home ? home : "");
	return home && has_file(path, room, "", dir, build_id, size, "/elf");
}

/* Opens path as the file with debugging information, unless its build id is another one. */
static bool try_debug(struct elf_image *e, const char *root, const char *path)
{
	const void *id;
	ssize_t len = dwelf_elf_gnu_build_id(e->main.elf, &id);

	if (!open_part(&e->debug, root, path))
		return false;
	if (len <= 0 || has_id(e->debug.elf, id, len))
		return true;
	close_part(&e->debug);
	return false;
}

/* Finds the separate file with debugging information.  root, path: the main file. */
static void find_debug(struct elf_image *e, const char *root, const char *path, const char *symfs)
{
	const char *link, *slash = strrchr(path, '/');
	int dir = slash ? slash - path : 0;
	const char *under = slash ? "/" : "";
	const void *id;
	ssize_t len = dwelf_elf_gnu_build_id(e->main.elf, &id);
	char name[4096];
	GElf_Word crc;

	if (len > 0 && elf_image_by_id(name, sizeof(name), symfs, id, len) &&
	    try_debug(e, symfs, name))
		return;
	link = dwelf_elf_gnu_debuglink(e->main.elf, &crc);
	if (!link)
		return;
	snprintf(name, sizeof(name), "%.*s%s%s", dir, path, under, link);
	if (strcmp(name, path) != 0 && try_debug(e, root, name))
		return;
	snprintf(name, sizeof(name), "%.*s%s.debug/%s", dir, path, under, link);
	if (try_debug(e, root, name))
		return;
	snprintf(name, sizeof(name), DEBUG_DIR "%.*s/%s", dir, path, link);
	try_debug(e, symfs, name);
}

static bool read_segments(struct elf_image *e)
{
	size_t nr = 0;

	elf_getphdrnum(e->main.elf, &nr);
	e->segments = calloc(nr ? nr : 1, sizeof(*e->segments));
	if (!e->segments)
		return false;
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(e->main.elf, i, &p) || p.p_type != PT_LOAD)
			continue;
		e->segments[e->nr_segments++] = (struct elf_segment){ p.p_offset, p.p_vaddr,
								      p.p_filesz };
	}
	return true;
}

int elf_image_debug(const struct elf_image *e)
{
	return e->debug.fd < 0 ? -1 : fcntl(e->debug.fd, F_DUPFD_CLOEXEC, 3);
}

bool elf_image_address(const struct elf_image *e, uint64_t offset, uint64_t *addr)
{
	for (size_t i = 0; i < e->nr_segments; i++) {
		const struct elf_segment *s = &e->segments[i];

		if (offset >= s->offset && offset - s->offset < s->size) {
			*addr = s->addr + (offset - s->offset);
			return true;
		}
	}
	return false;
}

bool elf_image_offset(const struct elf_image *e, uint64_t addr, uint64_t *offset, uint64_t *rest)
{
	for (size_t i = 0; i < e->nr_segments; i++) {
		const struct elf_segment *s = &e->segments[i];

		if (addr >= s->addr && addr - s->addr < s->size) {
			*offset = s->offset + (addr - s->addr);
			*rest = s->size - (addr - s->addr);
			return true;
		}
	}
	return false;
}

/* True for functions, and for labels in code: assembly often does not declare its functions. */
static bool is_code(Elf *elf, const GElf_Sym *sym)
{
	unsigned type = GELF_ST_TYPE(sym->st_info);
	GElf_Shdr section;

	if (sym->st_shndx == SHN_UNDEF)
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return true;
	return type == STT_NOTYPE && sym->st_shndx < SHN_LORESERVE &&
	       gelf_getshdr(elf_getscn(elf, sym->st_shndx), &section) &&
	       section.sh_flags & SHF_EXECINSTR;
}

static enum symbol_binding binding_of(const GElf_Sym *sym)
{
	switch (GELF_ST_BIND(sym->st_info)) {
	case STB_LOCAL:
		return SYMBOL_LOCAL;
	case STB_WEAK:
		return SYMBOL_WEAK;
	default:
		return SYMBOL_GLOBAL;
	}
}

/* What a table of symbols gives: functions or data. */
struct wanted {
	struct symbol_table *to;
	bool data;
};

static bool is_wanted(const struct wanted *w, Elf *elf, const GElf_Sym *sym)
{
	if (w->data)
		return GELF_ST_TYPE(sym->st_info) == STT_OBJECT && sym->st_size &&
		       sym->st_shndx != SHN_UNDEF;
	return is_code(elf, sym);
}

static void read_table(struct elf_image *e, Elf *elf, Elf_Scn *scn, const GElf_Shdr *h,
		       const struct wanted *w)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t nr = data && h->sh_entsize ? data->d_size / h->sh_entsize : 0;

	for (size_t i = 0; i < nr; i++) {
		GElf_Sym sym;
		const char *name;

		if (!gelf_getsym(data, i, &sym) || !is_wanted(w, elf, &sym))
			continue;
		/*
		 * In a stripped file, functions that are not exported have no name.  They must not
		 * get the name of a label before them, which has no size.
		 */
		if (h->sh_type == SHT_DYNSYM && !sym.st_size)
			continue;
		name = elf_strptr(elf, h->sh_link, sym.st_name);
		/* Drops the version, as in memcpy@@GLIBC_2.14: an address has only one version. */
		if (name && !symbols_add(w->to, sym.st_value, sym.st_size, name, strcspn(name, "@"),
					 binding_of(&sym)))
			e->no_memory = true;
	}
}

static void read_tables(struct elf_image *e, Elf *elf, unsigned type, const struct wanted *w)
{
	for (Elf_Scn *scn = NULL; elf && (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr h;

		if (gelf_getshdr(scn, &h) && h.sh_type == type)
			read_table(e, elf, scn, &h, w);
	}
}

/* Adds the procedure linkage tables: calls into other files go through them, without symbols. */
static void add_plt(struct elf_image *e)
{
	size_t names;

	if (elf_getshdrstrndx(e->main.elf, &names))
		return;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(e->main.elf, scn));) {
		const char *name;
		GElf_Shdr h;

		if (!gelf_getshdr(scn, &h) || !(h.sh_flags & SHF_EXECINSTR))
			continue;
		name = elf_strptr(e->main.elf, names, h.sh_name);
		if (name && !strncmp(name, ".plt", 4) &&
		    !symbols_add(&e->symbols, h.sh_addr, h.sh_size, name, strlen(name),
				 SYMBOL_LOCAL))
			e->no_memory = true;
	}
}

const struct symbol_table *elf_image_symbols(struct elf_image *e)
{
	const struct wanted w = { &e->symbols, false };

	if (e->has_symbols)
		return &e->symbols;
	e->has_symbols = true;
	if (e->debug.fd >= 0)
		read_tables(e, e->debug.elf, SHT_SYMTAB, &w);
	if (!e->symbols.nr)
		read_tables(e, e->main.elf, SHT_SYMTAB, &w);
	e->stripped = !e->symbols.nr;
	if (e->stripped)
		read_tables(e, e->main.elf, SHT_DYNSYM, &w);
	add_plt(e);
	symbols_sort(&e->symbols);
	return &e->symbols;
}

const struct symbol_table *elf_image_variables(struct elf_image *e)
{
	const struct wanted w = { &e->variables, true };

	if (e->has_variables)
		return &e->variables;
	e->has_variables = true;
	if (e->debug.fd >= 0)
		read_tables(e, e->debug.elf, SHT_SYMTAB, &w);
	if (!e->variables.nr)
		read_tables(e, e->main.elf, SHT_SYMTAB, &w);
	if (!e->variables.nr)
		read_tables(e, e->main.elf, SHT_DYNSYM, &w);
	symbols_sort(&e->variables);
	return &e->variables;
}

/* Opens path below root, which is "" or symfs. */
static struct elf_image *open_image(const char *root, const char *path, const char *symfs,
				    const uint8_t *build_id, size_t size, const char **why)
{
	struct elf_image *e = calloc(1, sizeof(*e));

	*why = elf_no_memory;
	if (!e)
		return NULL;
	e->main.fd = e->debug.fd = -1;
	elf_version(EV_CURRENT);
	if (!open_part(&e->main, root, path)) {
		*why = file_is_there(root, path) ? "it is not an ELF file"
		       : errno == EINVAL	 ? file_text(errno)
					 : "it is not there (see --symfs), or may not be read";
	} else if (size && !has_id(e->main.elf, build_id, size)) {
		*why = "it is another build than the one that ran";
	} else if (!read_segments(e)) {
		*why = elf_no_memory;
	} else {
		find_debug(e, root, path, symfs);
		elf_lines_open(e);
		*why = NULL;
		return e;
	}
	elf_image_close(e);
	return NULL;
}

struct elf_image *elf_image_open(const char *path, const char *symfs, const uint8_t *build_id,
				 size_t size, const char **why)
{
	return open_image("", path, symfs, build_id, size, why);
}

struct elf_image *elf_image_open_under(const char *symfs, const char *path, const uint8_t *build_id,
				       size_t size, const char **why)
{
	return open_image(symfs, path, symfs, build_id, size, why);
}

struct elf_image *elf_image_find(const char *path, const char *symfs, const uint8_t *build_id,
				 size_t size, const char **why)
{
	char kept[4096];
	struct elf_image *e;
	const char *reason;

	*why = NULL;
	do {
		e = open_image(symfs, path, symfs, build_id, size, &reason);
		if (!*why || e || file_is_there(symfs, path))
			*why = reason;
		path = strchr(path + 1, '/');
	} while (!e && *why != elf_no_memory && *symfs && path);
	if (!e && *why != elf_no_memory && !*symfs &&
	    in_perf_cache(kept, sizeof(kept), build_id, size)) {
		e = elf_image_open(kept, symfs, build_id, size, &reason);
		*why = e ? NULL : reason == elf_no_memory ? reason : *why;
	}
	return e;
}

bool elf_image_lacks_memory(const struct elf_image *e)
{
	return e && e->no_memory;
}

int elf_image_main(const struct elf_image *e)
{
	return fcntl(e->main.fd, F_DUPFD_CLOEXEC, 3);
}

void elf_image_close(struct elf_image *e)
{
	if (!e)
		return;
	elf_lines_close(e);
	close_part(&e->debug);
	close_part(&e->main);
	symbols_free(&e->symbols);
	symbols_free(&e->variables);
	free(e->segments);
	free(e);
}

size_t elf_image_code(const struct elf_image *e, uint64_t addr, void *to, size_t len)
{
	uint64_t offset, rest;
	ssize_t got;

	if (!elf_image_offset(e, addr, &offset, &rest))
		return 0;
	got = pread(e->main.fd, to, len < rest ? len : rest, offset);
	return got > 0 ? got : 0;
}

bool elf_image_is_stripped(struct elf_image *e)
{
	elf_image_symbols(e);
	return e->stripped;
}

bool elf_image_is_riscv(const struct elf_image *e)
{
	GElf_Ehdr h;

	return gelf_getehdr(e->main.elf, &h) && h.e_machine == EM_RISCV;
}

/* text: attributes, in which the ISA string is: rv64i2p1_zca1p0_zcmp1p0 */
static bool names(const char *text, size_t size, const char *extension)
{
	size_t len = strlen(extension);
	const char *end = text + size, *at = text;

	while ((at = memchr(at, '_', end - at))) {
		at++;
		if ((size_t)(end - at) > len && !memcmp(at, extension, len) &&
		    !islower((unsigned char)at[len]))
			return true;
	}
	return false;
}

bool elf_image_uses(const struct elf_image *e, const char *extension)
{
	GElf_Shdr section;

	if (!elf_image_is_riscv(e))
		return false;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(e->main.elf, scn));) {
		const Elf_Data *data;

		if (!gelf_getshdr(scn, &section) || section.sh_type != SHT_RISCV_ATTRIBUTES)
			continue;
		data = elf_rawdata(scn, NULL);
		if (data && data->d_buf && names(data->d_buf, data->d_size, extension))
			return true;
	}
	return false;
}
