// SPDX-License-Identifier: BSD-2-Clause
/*
 * load.c - copies firmware, kernel, initrd and programs to RAM, and sets the entry point.
 *
 *	RAM_BASE		firmware (a raw image)
 *	RAM_BASE + 2 MiB	kernel (a raw image)
 *	top - 2 MiB		device tree: the machine's own, or one from a file
 *	below it		initrd
 *
 * The segments of an ELF file go to their physical addresses.
 *
 * Every hart enters the firmware in M-mode: a0 is the hart id, a1 the address of the device tree,
 * a2 the address of OpenSBI's struct fw_dynamic_info, which is in ROM.
 *
 * Files are untrusted: the code checks every size and offset against the sizes of file and RAM.
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

#include "image.h"
#include "load.h"
#include "machine.h"
#include "machine_fdt.h"

#define MIB	     (1ull << 20)
#define KERNEL_AT    (RAM_BASE + 2 * MIB)
#define FDT_ROOM     (2 * MIB)
#define FW_INFO_AT   ROM_BASE
#define FW_MAGIC     0x4942534full /* "OSBI" */
#define FW_VERSION   2
#define FW_NEXT_IN_S 1

struct file {
	const char *path;
	const uint8_t *data;
	uint64_t size;
};

/* The part of RAM that a file takes.  first > last: none. */
struct span {
	uint64_t first, last;
};

#define NO_SPAN ((struct span){ UINT64_MAX, 0 })

static bool fail(struct error_text *why, const char *path, const char *what)
{
	return error_set(why, "%s: %.200s", path, what);
}

static bool file_open(struct file *f, const char *path, struct error_text *why)
{
	/* Without O_NONBLOCK, open() would wait on a pipe that has no writer. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	void *p;

	if (fd < 0)
		return fail(why, path, strerror(errno));
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return fail(why, path,
			    S_ISDIR(st.st_mode) ? "a directory, not a file" : "not a file");
	}
	if (st.st_size <= 0) {
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

/* The len bytes at offset, or NULL if the file is too short. */
static const void *part(const struct file *f, uint64_t offset, uint64_t len)
{
	return offset <= f->size && len <= f->size - offset ? f->data + offset : NULL;
}

static bool put_segment(struct machine *m, const struct file *f, const Elf64_Phdr *p,
			struct span *span, struct error_text *why)
{
	const void *from = part(f, p->p_offset, p->p_filesz);
	void *to = cluster_ram(&m->cl, p->p_paddr, p->p_memsz);

	if (p->p_type != PT_LOAD || !p->p_memsz)
		return true;
	if (!from || p->p_filesz > p->p_memsz)
		return fail(why, f->path, "a truncated ELF file: a segment is incomplete");
	if (!to) {
		error_set(why, "%s: needs memory at %#llx to %#llx; RAM is %#llx to %#llx (see %s)",
			  f->path, (unsigned long long)p->p_paddr,
			  (unsigned long long)(p->p_paddr + p->p_memsz - 1), RAM_BASE,
			  (unsigned long long)(RAM_BASE + m->cl.ram_size - 1),
			  p->p_paddr < RAM_BASE ? "objdump -p: link all of it there" : "--memory");
		return false;
	}
	memcpy(to, from, p->p_filesz);
	memset((char *)to + p->p_filesz, 0, p->p_memsz - p->p_filesz);
	span->first = p->p_paddr < span->first ? p->p_paddr : span->first;
	if (p->p_paddr + p->p_memsz - 1 > span->last)
		span->last = p->p_paddr + p->p_memsz - 1;
	return true;
}

/* The value of a symbol, 0 if there is none. */
static uint64_t find_symbol(const struct file *f, const Elf64_Ehdr *e, const char *name)
{
	const Elf64_Shdr *sections = part(f, e->e_shoff, (uint64_t)e->e_shnum * sizeof(*sections));

	for (unsigned n = 0; n < e->e_shnum; n++) {
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

/* The physical address of the entry point, 0 if no segment holds it. */
static uint64_t find_entry(const Elf64_Ehdr *e, const Elf64_Phdr *p)
{
	for (unsigned n = 0; n < e->e_phnum; n++) {
		if (p[n].p_type == PT_LOAD && e->e_entry - p[n].p_vaddr < p[n].p_memsz)
			return e->e_entry - p[n].p_vaddr + p[n].p_paddr;
	}
	return 0;
}

/* Checks the two tables of an ELF header.  Sections are at the end: a cut file shows there. */
static bool check_elf(const struct file *f, const Elf64_Ehdr *e, struct error_text *why)
{
	if (!e || !part(f, e->e_phoff, (uint64_t)e->e_phnum * sizeof(Elf64_Phdr)) ||
	    !part(f, e->e_shoff, (uint64_t)e->e_shnum * sizeof(Elf64_Shdr)))
		return fail(why, f->path, "a truncated ELF file");
	if (e->e_phoff % 8 || e->e_shoff % 8 || e->e_type != ET_EXEC ||
	    (e->e_phnum && e->e_phentsize != sizeof(Elf64_Phdr)))
		return fail(why, f->path, "not an executable (static, at fixed addresses)");
	return true;
}

static bool put_elf(struct machine *m, const struct file *f, uint64_t *entry, struct span *span,
		    struct error_text *why)
{
	const Elf64_Ehdr *e = part(f, 0, sizeof(*e));
	const Elf64_Phdr *p;
	uint64_t tohost;

	if (!check_elf(f, e, why))
		return false;
	p = part(f, e->e_phoff, (uint64_t)e->e_phnum * sizeof(*p));
	for (unsigned n = 0; n < e->e_phnum; n++) {
		if (!put_segment(m, f, &p[n], span, why))
			return false;
	}
	*entry = find_entry(e, p);
	if (!cluster_ram(&m->cl, *entry, 4))
		return fail(why, f->path, "the entry point is outside its segments");
	tohost = find_symbol(f, e, "tohost");
	if (tohost)
		htif_find(m, tohost, find_symbol(f, e, "fromhost"));
	return true;
}

/* How much RAM is enough for programs up to end, an initrd of that size and the device tree. */
static uint64_t needed(uint64_t end, uint64_t initrd)
{
	uint64_t used = end - RAM_BASE + ((initrd + PAGE_SIZE - 1) & PAGE_MASK);

	return (used + FDT_ROOM - 1) / FDT_ROOM * FDT_ROOM + FDT_ROOM;
}

static bool too_little(struct error_text *why, const char *path, uint64_t end, uint64_t initrd)
{
	error_set(why, "%s: does not fit into RAM; --memory %lluM is enough", path,
		  (unsigned long long)(needed(end, initrd) / MIB));
	return false;
}

/* The size of a file, 0 if there is none.  The caller opens the file later. */
static uint64_t file_size(const char *path)
{
	struct stat st;

	return path && !stat(path, &st) && S_ISREG(st.st_mode) ? st.st_size : 0;
}

/* Copies raw bytes to `at`; memory is what they need, the room after them (bss) included. */
static bool put_raw(struct machine *m, const struct file *f, uint64_t at, uint64_t memory,
		    struct span *span)
{
	void *to = cluster_ram(&m->cl, at, memory);

	if (!to)
		return false;
	memcpy(to, f->data, f->size);
	*span = (struct span){ at, at + memory - 1 };
	return true;
}

/*
 * Loads an ELF file to its own addresses, any other file to `at`; *entry is its entry point.
 * initrd: the size of the initrd, for the message that says how much memory would be enough.
 */
static bool put_program(struct machine *m, const char *path, uint64_t at, uint64_t initrd,
			uint64_t *entry, struct span *span, struct error_text *why)
{
	char what[128];
	uint64_t memory;
	struct file f;
	bool ok;

	if (!file_open(&f, path, why))
		return false;
	*entry = at;
	*span = NO_SPAN;
	memory = image_memory(f.data, f.size);
	if (image_refused(f.data, f.size, what, sizeof(what)))
		ok = fail(why, path, what);
	else if (image_is_elf(f.data, f.size))
		ok = put_elf(m, &f, entry, span, why);
	else if (memory > 1ull << 40)
		ok = fail(why, path, "a damaged Image: the size in its header is not possible");
	else
		ok = put_raw(m, &f, at, memory, span) || too_little(why, path, at + memory, initrd);
	file_close(&f);
	return ok;
}

static bool put_initrd(struct machine *m, const char *path, uint64_t low, uint64_t high,
		       struct boot_words *w, struct error_text *why)
{
	struct span span;
	struct file f;
	bool ok;

	if (!file_open(&f, path, why))
		return false;
	w->initrd = (high - f.size) & PAGE_MASK;
	w->initrd_end = w->initrd + f.size;
	ok = f.size <= high - low && w->initrd >= low && put_raw(m, &f, w->initrd, f.size, &span);
	if (!ok)
		too_little(why, path, low, f.size);
	file_close(&f);
	return ok;
}

static void put_fw_info(struct machine *m, uint64_t next)
{
	uint64_t info[] = { FW_MAGIC, FW_VERSION, next, FW_NEXT_IN_S, 0, 0 };

	memcpy(m->rom + (FW_INFO_AT - ROM_BASE), info, sizeof(info));
}

/*
 * Loads the firmware, or a program in its place, and the payload that the firmware starts at *next.
 * *end is the address after both.
 */
static bool put_programs(struct machine *m, const struct boot *b, uint64_t *next, uint64_t *end,
			 struct error_text *why)
{
	const char *first = b->firmware ? b->firmware : b->program;
	const char *payload = b->firmware ? (b->program ? b->program : b->kernel) : NULL;
	uint64_t initrd = file_size(b->initrd);
	struct span one = NO_SPAN, two = NO_SPAN;

	if (first && !put_program(m, first, RAM_BASE, initrd, &m->entry, &one, why))
		return false;
	if (payload && !put_program(m, payload, KERNEL_AT, initrd, next, &two, why))
		return false;
	if (one.first <= two.last && two.first <= one.last) {
		return error_set(why, "%s: needs memory that %s occupies", payload, first);
	}
	if (one.last > two.last)
		two.last = one.last;
	*end = two.last ? two.last + 1 : RAM_BASE;
	if (*end > RAM_BASE + m->cl.ram_size - FDT_ROOM)
		return too_little(why, payload ? payload : first, *end, initrd);
	return true;
}

static bool put_tree(struct machine *m, const struct boot *b, const struct boot_words *w,
		     uint64_t at, struct error_text *why)
{
	void *to = cluster_ram(&m->cl, at, FDT_ROOM);
	struct error_text what;
	struct file f;
	int error;
	bool ok;

	if (!b->dtb) {
		error = machine_fdt(m, w, to, FDT_ROOM);
		return !error || fail(why, "device tree", fdt_strerror(error));
	}
	if (!file_open(&f, b->dtb, why))
		return false;
	ok = machine_fdt_given(m, w, f.data, f.size, to, FDT_ROOM, &what);
	file_close(&f);
	return ok || fail(why, b->dtb, what.text);
}

bool machine_load(struct machine *m, const struct boot *b, struct error_text *why)
{
	uint64_t fdt = (RAM_BASE + m->cl.ram_size - FDT_ROOM) & ~(FDT_ROOM - 1), next = 0, end = 0;
	struct boot_words w = { .append = b->append, .memory = b->memory };

	if (m->cl.ram_size < 8 * MIB)
		return fail(why, "--memory", "at least 8 MiB are needed");
	if (!put_programs(m, b, &next, &end, why))
		return false;
	if (b->initrd && !put_initrd(m, b->initrd, end, fdt, &w, why))
		return false;
	if (!put_tree(m, b, &w, fdt, why))
		return false;
	put_fw_info(m, next);
	m->boot_arg[0] = fdt;
	m->boot_arg[1] = FW_INFO_AT;
	return true;
}
