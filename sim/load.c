// SPDX-License-Identifier: BSD-2-Clause
/*
 * load.c - puts firmware, kernel, initrd and programs into memory, and says where to begin.
 *
 *	RAM_BASE		firmware, or where an ELF program wants to be
 *	RAM_BASE + 2 MiB	kernel (a raw image)
 *	top - 2 MiB		device tree
 *	below it		initrd
 *
 * The firmware is entered in M-mode on every hart with a0 the hart id, a1 the device tree, a2
 * OpenSBI's struct fw_dynamic_info, which lies in ROM.
 *
 * Files are untrusted: every size and offset is checked against the file's and the RAM's.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <libfdt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine.h"

#define MIB	     (1ull << 20)
#define KERNEL_AT    (RAM_BASE + 2 * MIB)
#define FDT_SIZE     65536
#define FW_INFO_AT   ROM_BASE
#define FW_MAGIC     0x4942534full /* "OSBI" */
#define FW_VERSION   2
#define FW_NEXT_IN_S 1

struct file {
	const char *path;
	const uint8_t *data;
	uint64_t size;
};

static bool fail(struct dev_why *why, const char *path, const char *what)
{
	snprintf(why->text, sizeof(why->text), "%s: %s", path, what);
	return false;
}

static bool file_open(struct file *f, const char *path, struct dev_why *why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p;

	if (fd < 0)
		return fail(why, path, strerror(errno));
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return fail(why, path, "not a file");
	}
	if (!st.st_size) {
		close(fd);
		return fail(why, path, "empty");
	}
	p = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (p == MAP_FAILED)
		return fail(why, path, strerror(errno));
	*f = (struct file){ path, p, st.st_size };
	return true;
}

static void file_close(struct file *f)
{
	munmap((void *)f->data, f->size);
}

static bool is_elf(const struct file *f)
{
	return f->size >= SELFMAG && !memcmp(f->data, ELFMAG, SELFMAG);
}

/* len bytes at offset, if the file has them. */
static const void *part(const struct file *f, uint64_t offset, uint64_t len)
{
	return offset <= f->size && len <= f->size - offset ? f->data + offset : NULL;
}

static bool put_segment(struct machine *m, const struct file *f, const Elf64_Phdr *p,
			struct dev_why *why)
{
	const void *from = part(f, p->p_offset, p->p_filesz);
	void *to = machine_ram(m, p->p_paddr, p->p_memsz);

	if (p->p_type != PT_LOAD || !p->p_memsz)
		return true;
	if (!from || p->p_filesz > p->p_memsz)
		return fail(why, f->path, "a segment is not whole");
	if (!to)
		return fail(why, f->path, "a segment lies outside of RAM (see --memory)");
	memcpy(to, from, p->p_filesz);
	memset((char *)to + p->p_filesz, 0, p->p_memsz - p->p_filesz);
	return true;
}

/* The value of a symbol, 0 if there is none. */
static uint64_t find_symbol(const struct file *f, const Elf64_Ehdr *e, const char *name)
{
	const Elf64_Shdr *sections = part(f, e->e_shoff, (uint64_t)e->e_shnum * sizeof(*sections));

	for (unsigned n = 0; sections && n < e->e_shnum; n++) {
		const Elf64_Shdr *s = &sections[n], *names;
		const Elf64_Sym *sym = part(f, s->sh_offset, s->sh_size);
		const char *text;

		if (s->sh_type != SHT_SYMTAB || !sym || s->sh_offset % 8 ||
		    s->sh_link >= e->e_shnum)
			continue;
		names = &sections[s->sh_link];
		text = part(f, names->sh_offset, names->sh_size);
		if (!text || !names->sh_size || text[names->sh_size - 1])
			continue;
		for (uint64_t i = 0; i < s->sh_size / sizeof(*sym); i++) {
			if (sym[i].st_name < names->sh_size && !strcmp(text + sym[i].st_name, name))
				return sym[i].st_value;
		}
	}
	return 0;
}

static bool put_elf(struct machine *m, const struct file *f, uint64_t *entry, struct dev_why *why)
{
	const Elf64_Ehdr *e = part(f, 0, sizeof(*e));
	const Elf64_Phdr *p;
	uint64_t tohost;

	if (!e || e->e_ident[EI_CLASS] != ELFCLASS64 || e->e_ident[EI_DATA] != ELFDATA2LSB ||
	    e->e_machine != EM_RISCV)
		return fail(why, f->path, "not an ELF file for RV64");
	p = part(f, e->e_phoff, (uint64_t)e->e_phnum * sizeof(*p));
	if (!p || e->e_phoff % 8 || e->e_phentsize != sizeof(*p) || e->e_type != ET_EXEC)
		return fail(why, f->path, "not an executable (static, at fixed addresses)");
	for (unsigned n = 0; n < e->e_phnum; n++) {
		if (!put_segment(m, f, &p[n], why))
			return false;
	}
	*entry = e->e_entry;
	tohost = e->e_shoff % 8 ? 0 : find_symbol(f, e, "tohost");
	if (tohost && !(tohost & 7) && machine_ram(m, tohost, 8)) {
		m->tohost = tohost;
		machine_page(m, tohost)->watch |= 1ull << (tohost >> 6 & 63);
	}
	return true;
}

static bool put_raw(struct machine *m, const struct file *f, uint64_t at, struct dev_why *why)
{
	void *to = machine_ram(m, at, f->size);

	if (!to)
		return fail(why, f->path, "does not fit into RAM (see --memory)");
	memcpy(to, f->data, f->size);
	return true;
}

/* An ELF file where it wants to be, any other at `at`; *entry is where it begins. */
static bool put_program(struct machine *m, const char *path, uint64_t at, uint64_t *entry,
			uint64_t *end, struct dev_why *why)
{
	struct file f;
	bool ok;

	if (!file_open(&f, path, why))
		return false;
	*entry = at;
	*end = at + f.size;
	ok = is_elf(&f) ? put_elf(m, &f, entry, why) : put_raw(m, &f, at, why);
	file_close(&f);
	return ok;
}

/* Linux's Image says how much memory it takes, bss included (Documentation/arch/riscv). */
static uint64_t image_end(const struct machine *m, uint64_t at, uint64_t end)
{
	const uint8_t *image = machine_ram(m, at, 64);
	uint64_t size;

	if (!image || memcmp(image + 56, "RSC\x05", 4))
		return end;
	memcpy(&size, image + 16, 8);
	return size < m->ram_size ? at + size : end;
}

static bool put_initrd(struct machine *m, const char *path, uint64_t low, uint64_t high,
		       struct boot_words *w, struct dev_why *why)
{
	struct file f;
	bool ok;

	if (!file_open(&f, path, why))
		return false;
	w->initrd = (high - f.size) & PAGE_MASK;
	w->initrd_end = w->initrd + f.size;
	if (f.size > high - low || w->initrd < low)
		ok = fail(why, path, "does not fit into RAM above the kernel (see --memory)");
	else
		ok = put_raw(m, &f, w->initrd, why);
	file_close(&f);
	return ok;
}

static void put_fw_info(struct machine *m, uint64_t next)
{
	uint64_t info[] = { FW_MAGIC, FW_VERSION, next, FW_NEXT_IN_S, 0, 0 };

	memcpy(m->rom + (FW_INFO_AT - ROM_BASE), info, sizeof(info));
}

bool machine_load(struct machine *m, const struct boot *b, struct dev_why *why)
{
	uint64_t top = RAM_BASE + m->ram_size, fdt, next = 0, end = RAM_BASE;
	struct boot_words w = { .append = b->append };
	const char *payload = b->firmware ? (b->program ? b->program : b->kernel) : NULL;
	int error;

	if (m->ram_size < 8 * MIB)
		return fail(why, "--memory", "at least 8 MiB are needed");
	fdt = (top - 2 * MIB) & ~(2 * MIB - 1);
	if (b->firmware) {
		if (!put_program(m, b->firmware, RAM_BASE, &m->entry, &end, why))
			return false;
	} else if (!put_program(m, b->program, RAM_BASE, &m->entry, &end, why)) {
		return false;
	}
	if (payload && !put_program(m, payload, KERNEL_AT, &next, &end, why))
		return false;
	end = image_end(m, KERNEL_AT, end);
	if (end > fdt)
		return fail(why, payload ? payload : b->program,
			    "does not fit into RAM (see --memory)");
	if (b->initrd && !put_initrd(m, b->initrd, end, fdt, &w, why))
		return false;
	error = machine_fdt(m, &w, machine_ram(m, fdt, FDT_SIZE), FDT_SIZE);
	if (error)
		return fail(why, "device tree", fdt_strerror(error));
	put_fw_info(m, next);
	m->boot_arg[0] = fdt;
	m->boot_arg[1] = FW_INFO_AT;
	return true;
}
