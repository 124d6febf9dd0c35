// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_load.c - where ELF files, raw images and device trees are loaded before a machine starts.
 * tests/tool/bad_input tests how bad files are refused.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <libfdt.h>
#include <sys/mman.h>
#include <unistd.h>

#include "load.h"
#include "machine_fdt.h"
#include "rig.h"

#define LOW  0x80000000ull
#define HIGH 0xffffffff80000000ull

struct named {
	int fd;
	char path[32];
};

static void name(struct named *f, const void *data, size_t size)
{
	f->fd = memfd_create("test", MFD_CLOEXEC);
	ok(write(f->fd, data, size) == (ssize_t)size);
	snprintf(f->path, sizeof(f->path), "/proc/self/fd/%d", f->fd);
}

struct small_elf {
	Elf64_Ehdr e;
	Elf64_Phdr p;
	uint32_t code[4];
};

/* One segment of 16 bytes of data and 16 of zeros, linked at va, to be loaded at pa. */
static struct small_elf small_elf(uint64_t va, uint64_t pa)
{
	return (struct small_elf){
		.e = {
			.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_EXEC,
			.e_machine = EM_RISCV,
			.e_entry = va + 4,
			.e_phoff = offsetof(struct small_elf, p),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 1,
		},
		.p = {
			.p_type = PT_LOAD,
			.p_offset = offsetof(struct small_elf, code),
			.p_vaddr = va,
			.p_paddr = pa,
			.p_filesz = 16,
			.p_memsz = 32,
		},
		.code = { 1, 2, 3, 4 },
	};
}

/* Started at its physical address, for any link address; bss is cleared. */
static void elf_is_loaded(void)
{
	static const uint64_t linked[] = { LOW + 0x1000, HIGH };

	for (unsigned n = 0; n < TAP_NR(linked); n++) {
		struct small_elf elf = small_elf(linked[n], LOW + 0x1000);
		struct machine *m = rig_create(NULL);
		uint32_t *at = cluster_ram(&m->cl, LOW + 0x1000, 64);
		struct error_text why = { "" };
		struct boot b = { .program = NULL };
		struct named f;

		name(&f, &elf, sizeof(elf));
		b.program = f.path;
		memset(at, 0xff, 64);
		ok(machine_load(m, &b, &why));
		is(m->entry, LOW + 0x1004);
		is(at[3], 4);
		is(at[4], 0);
		is(at[7], 0);
		is(at[8], 0xffffffff);
		close(f.fd);
		machine_destroy(m);
	}
}

/* Segments outside of RAM, too long, or with an end that wraps. */
static void elf_is_refused(void)
{
	static const struct {
		uint64_t pa, offset, filesz, memsz;
		const char *why;
	} rows[] = {
		{ 0x1000, 0, 16, 32,
		  "needs memory at 0x1000 to 0x101f; RAM is 0x80000000 to 0x80ffffff "
		  "(see objdump" },
		{ LOW + (16 << 20) - 16, 0, 16, 32, "(see --memory)" },
		{ LOW, 0, 16, UINT64_MAX, "needs memory at" },
		{ LOW, 0, 32, 16, "a segment is incomplete" },
		{ LOW, 1ull << 63, 16, 16, "a segment is incomplete" },
		{ LOW, 100, UINT64_MAX - 50, UINT64_MAX, "a segment is incomplete" },
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct small_elf elf = small_elf(LOW, rows[n].pa);
		struct machine *m = rig_create(NULL);
		struct error_text why = { "" };
		struct boot b = { .program = NULL };
		struct named f;

		tap_context("row %u", n);
		elf.p.p_offset += rows[n].offset;
		elf.p.p_filesz = rows[n].filesz;
		elf.p.p_memsz = rows[n].memsz;
		name(&f, &elf, sizeof(elf));
		b.program = f.path;
		ok(!machine_load(m, &b, &why));
		ok(strstr(why.text, rows[n].why));
		close(f.fd);
		machine_destroy(m);
	}
}

/* A tree with one memory node; addresses have a given number of cells. */
static int make_tree(void *to, int size, unsigned cells, uint64_t bytes)
{
	int memory;

	fdt_create_empty_tree(to, size);
	fdt_setprop_u32(to, 0, "#address-cells", cells);
	fdt_setprop_u32(to, 0, "#size-cells", cells);
	fdt_setprop_string(to, 0, "model", "theirs");
	memory = fdt_add_subnode(to, 0, "memory@0");
	fdt_setprop_string(to, memory, "device_type", "memory");
	fdt_appendprop_addrrange(to, 0, memory, "reg", RAM_BASE, bytes);
	fdt_pack(to);
	return fdt_totalsize(to);
}

static void tree_is_given(void)
{
	static const uint32_t loop = 0x6f;

	for (unsigned cells = 1; cells <= 2; cells++) {
		for (unsigned asked = 0; asked < 2; asked++) {
			struct machine *m = rig_create(NULL);
			struct boot b = { .append = "some words", .memory = asked };
			struct error_text why = { "" };
			struct named tree, program;
			const fdt32_t *reg;
			uint8_t space[1024];
			const void *fdt;
			int len;

			tap_context("cells %u asked %u", cells, asked);
			name(&tree, space, make_tree(space, sizeof(space), cells, 4 << 20));
			name(&program, &loop, 4);
			b.dtb = tree.path;
			b.program = b.initrd = program.path;
			ok(machine_load(m, &b, &why));
			fdt = cluster_ram(&m->cl, m->boot_arg[0], 4096);
			is(fdt_check_full(fdt, 4096), 0);
			ok(!strcmp(fdt_getprop(fdt, 0, "model", NULL), "theirs"));
			ok(!strcmp(fdt_getprop(fdt, fdt_path_offset(fdt, "/chosen"), "bootargs",
					       NULL),
				   "some words"));
			ok(fdt_getprop(fdt, fdt_path_offset(fdt, "/chosen"), "linux,initrd-end",
				       &len) &&
			   len == 8);
			reg = fdt_getprop(fdt,
					  fdt_path_offset(fdt,
							  asked ? "/memory@80000000" : "/memory@0"),
					  "reg", &len);
			ok(reg);
			is(len, 8 * cells);
			is(fdt32_to_cpu(reg[2 * cells - 1]), asked ? 16 << 20 : 4 << 20);
			close(tree.fd);
			close(program.fd);
			machine_destroy(m);
		}
	}
}

/* A tree with memory that the machine lacks; a tree of an old version. */
static void tree_is_refused(void)
{
	static const struct {
		uint64_t bytes;
		uint32_t version;
		const char *why;
	} rows[] = {
		{ 1 << 30, 17, "says 1024 MiB of memory at 0x80000000, but RAM is 16 MiB" },
		{ 0, 17, "has no memory" },
		{ 4 << 20, 16, "of an old version" },
		{ 4 << 20, 3, "of an old version" },
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct machine *m = rig_create(NULL);
		const struct boot_words w = { .append = NULL };
		_Alignas(8) uint8_t space[1024], to[2048];
		int size = make_tree(space, sizeof(space), 2, rows[n].bytes);
		struct error_text why = { "" };

		fdt_set_version(space, rows[n].version);
		ok(!machine_fdt_given(m, &w, space, size, to, sizeof(to), &why));
		ok(strstr(why.text, rows[n].why));
		machine_destroy(m);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "an ELF file, linked high or low", elf_is_loaded },
		{ "an ELF file with impossible segments", elf_is_refused },
		{ "a device tree from a file", tree_is_given },
		{ "a device tree for another machine", tree_is_refused },
	};

	return tap_run(cases, TAP_NR(cases));
}
