// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_exact.c - exact profiles: how address spaces and pages of code are recognized.
 */
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exact_load.h"
#include "exact_records.h"
#include "hash.h"
#include "jitdump_made.h"
#include "scratch.h"
#include "tap.h"

#define PROGRAM_VA 0x2aaaaaa000ull /* where its offset 0 is */
#define LIBRARY_VA 0x3fb7e00000ull

static char folder[64];

/* A file of some pages of code, each full of seed + its number; entry at offset. */
static void make_elf(const char *name, unsigned pages, unsigned seed, uint64_t entry, bool library)
{
	uint8_t *data = calloc(pages + 1, 4096);
	Elf64_Ehdr *eh = (void *)data;
	Elf64_Phdr *ph = (void *)(data + sizeof(*eh));
	Elf64_Dyn *dyn = (void *)(data + 512);
	char path[128];
	int fd;

	*eh = (Elf64_Ehdr){ .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
			    .e_type = ET_DYN,
			    .e_machine = EM_RISCV,
			    .e_entry = entry + 0x10000,
			    .e_phoff = sizeof(*eh),
			    .e_phentsize = sizeof(*ph),
			    .e_phnum = 2 };
	ph[0] = (Elf64_Phdr){ .p_type = PT_LOAD,
			      .p_flags = PF_R | PF_X,
			      .p_offset = 4096,
			      .p_vaddr = 4096 + 0x10000,
			      .p_filesz = pages * 4096 - 100 };
	ph[1] = (Elf64_Phdr){ .p_type = PT_DYNAMIC, .p_offset = 512, .p_filesz = 2 * sizeof(*dyn) };
	dyn[0].d_tag = library ? DT_SONAME : DT_NULL;
	for (unsigned n = 0; n < pages; n++)
		memset(data + (n + 1) * 4096, seed + n, 4096);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	ok(write(fd, data, (pages + 1) * 4096 - 100) == (ssize_t)(pages + 1) * 4096 - 100);
	close(fd);
	free(data);
}

/* A page of such a file as the kernel has it in memory; the last one ends in zeros. */
static uint64_t content(unsigned byte, bool last)
{
	uint8_t page[4096];

	memset(page, byte, sizeof(page));
	if (last)
		memset(page + sizeof(page) - 100, 0, 100);
	return fnv_add(FNV_START, page, sizeof(page));
}

static const char *made_folder; /* a second folder with files; NULL: none */

static bool all; /* include what starts the command */

static struct profile *load(const struct made *m, const char *events)
{
	const struct exact_load_options o = { .events = events,
					      .all = all,
					      .folders = &made_folder,
					      .nr_folders = made_folder ? 1 : 0 };

	return made_load(m, &o);
}

/* The place of a stack; of one that is not used: one that no test has. */
static const struct profile_place *place_of(const struct profile *p, uint32_t stack)
{
	static const struct profile_place none = { 0, 0, UINT64_MAX };
	uint32_t place = p->stacks.at[stack].place;

	return place == PROFILE_NONE ? &none : &p->places.at[place];
}

/* The weight at a place; of all processes if there is no command. */
static uint64_t weight(const struct profile *p, const char *comm, const char *object, uint64_t addr,
		       unsigned event)
{
	uint64_t sum = 0;

	for (uint32_t n = 0; n < p->stacks.nr; n++) {
		const struct profile_place *at = place_of(p, n);
		const char *path = p->objects.at[at->object].path, *slash = strrchr(path, '/');

		if (at->addr == addr && !strcmp(slash ? slash + 1 : path, object) &&
		    (!comm || !strcmp(p->processes.at[at->process].comm, comm)))
			sum += profile_weight(p, n, event).weight;
	}
	return sum;
}

/*
 * A program of three pages and a library of two run in two spaces. twin has the program's second
 * page and none of its others.  The program's third page was changed in memory; the page at 0x1000
 * is in no file.
 */
static void make_spaces(struct made *m)
{
	static const uint64_t total[4][EVENTS] = { { 2 * 1110 + 10000 + 7, 2 * 111 + 1000 + 7 },
						   { 500, 50 } };

	make_elf("program", 3, 10, 4096 + 8, false);
	make_elf("twin", 1, 11, 4096, false);
	make_elf("lib.so", 2, 20, 4096, true);
	make_head(m, 3, "share", folder, "kernel", "/nowhere/Image", "kallsyms",
		  "ffffffff80001000 T start_kernel\nffffffff80001800 t idle\n");
	for (unsigned n = 0; n < 2; n++) {
		space(m, 0, SATP(n));
		page(m, PROGRAM_VA + 4096, content(10, false));
		insn(m, 4, 1000, 100);
		page(m, PROGRAM_VA + 8192, content(11, false));
		insn(m, 1, 100, 10);
		page(m, LIBRARY_VA + 8192, content(21, true));
		insn(m, 0, 10, 1);
	}
	page(m, PROGRAM_VA + 3 * 4096, 12345);
	insn(m, 2, 10000, 1000);
	page(m, 0x1000, 54321);
	insn(m, 0, 7, 7);
	space(m, 1, SATP(0));
	page(m, KERNEL, 1);
	insn(m, 2, 500, 50);
	make_end(m, total);
}

static uint64_t instructions_of(const struct profile *p, const char *comm)
{
	uint64_t sum = 0;

	for (uint32_t n = 0; n < p->stacks.nr; n++) {
		const struct profile_place *at = place_of(p, n);

		if (!strcmp(p->processes.at[at->process].comm, comm))
			sum += profile_weight(p, n, 0).weight;
	}
	return sum;
}

/* Code that runs in a process's address space and does not belong to it has rows of its own. */
static void others_in_a_space(void)
{
	static const uint64_t total[4][EVENTS] = { { 0, 100 + 1000 }, { 0, 1 + 20 + 300 + 4000 } };
	struct profile *p;
	struct made m;

	make_elf("program", 3, 10, 4096 + 8, false);
	for (unsigned n = 0; n < 2; n++) {
		all = n;
		make_head(&m, 1, "share", folder);
		space(&m, 0, SATP(0));
		page(&m, PROGRAM_VA + 4096, content(10, false));
		insn(&m, 4, 0, 100);
		space(&m, 1, SATP(0));
		page(&m, KERNEL, 1);
		insn(&m, 2, 0, 1);
		space_of_none(&m, 4, 1, SATP(0));
		page(&m, KERNEL, 1);
		insn(&m, 2, 0, 20);
		space_of_none(&m, 5, 1, SATP(0));
		page(&m, KERNEL, 1);
		insn(&m, 2, 0, 300);
		space_of_none(&m, 6, 1, SATP(1));
		page(&m, KERNEL, 1);
		insn(&m, 2, 0, 4000);
		space_of_none(&m, 6, 0, SATP(1));
		page(&m, PROGRAM_VA + 4096, content(10, false));
		insn(&m, 4, 0, 1000);
		make_end(&m, total);
		p = load(&m, "instructions");
		is(instructions_of(p, "program"), 101);
		is(instructions_of(p, "[kernel threads]"), 20);
		is(instructions_of(p, "[interrupts]"), 300);
		is(instructions_of(p, "[guest]"), all ? 5000 : 0);
		is(p->events.at[0].total, all ? 5421 : 421);
		is(p->notes.nr, all ? 0 : 1);
		if (!all)
			is_str(p->notes.at[0],
			       "5,000 instructions that start the command are left out "
			       "(--all shows them)");
		profile_free(p);
	}
	all = false;
}

static void spaces_become_processes(void)
{
	struct profile *p;
	struct made m;

	make_spaces(&m);
	p = load(&m, NULL);
	is(p->events.nr, 2);
	is_str(p->events.at[0].name, "cycles");
	ok(p->events.at[0].exact);
	is(p->events.at[0].total, 12727);
	is(p->events.at[1].total, 1279);
	is(p->processes.nr, 1);
	is_str(p->processes.at[0].comm, "program");
	is(weight(p, "program", "program", 4096 + 8, 0), 2000);
	is(weight(p, "program", "program", 8192 + 2, 0), 200);
	is(weight(p, "program", "lib.so", 8192, 1), 2);
	/* An unknown page is recognized by the pages around it. */
	is(weight(p, "program", "program", 3 * 4096 + 4, 0), 10000);
	is(weight(p, "program", "[anon]", 0x1000, 0), 7);
	is(weight(p, "program", "[kernel]", KERNEL + 4, 1), 50);
	is(weight(p, NULL, "twin", 4096 + 2, 0), 0);
	profile_free(p);
}

/* The address of a stack's place n calls up; 0: it has not so many. */
static uint64_t caller_addr(const struct profile *p, uint32_t stack, unsigned n)
{
	while (n-- && stack != PROFILE_NONE)
		stack = p->stacks.at[stack].caller;
	return stack == PROFILE_NONE ? 0 : p->places.at[p->stacks.at[stack].place].addr;
}

/*
 * An instruction of the library runs on three paths: on none, from the program, and from the
 * program through the library.  The calls are in pages that come before and after it.
 */
static void paths_of_calls(void)
{
	static const uint64_t total[4][EVENTS] = { { 0, 7 + 20 + 300 + 4000 } };
	struct profile *p;
	struct made m;
	unsigned seen = 0;

	make_elf("program", 3, 10, 4096 + 8, false);
	make_elf("lib.so", 2, 20, 4096, true);
	make_head(&m, 1, "share", folder);
	made_numbers(&m, 7, 5, 2, 0, PROGRAM_VA + 8192 + 6, 1, LIBRARY_VA + 4096 + 2);
	space(&m, 0, SATP(0));
	page(&m, LIBRARY_VA + 8192, content(21, true));
	insn(&m, 3, 0, 7);
	made_numbers(&m, 8, 1);
	insn(&m, 3, 0, 20);
	made_numbers(&m, 8, 2);
	insn(&m, 3, 0, 300);
	page(&m, LIBRARY_VA + 4096, content(20, false));
	page(&m, PROGRAM_VA + 8192, content(11, false));
	page(&m, PROGRAM_VA + 4096, content(10, false));
	insn(&m, 4, 0, 4000);
	make_end(&m, total);
	p = load(&m, "instructions");
	ok(p->has_chains);
	is(weight(p, NULL, "lib.so", 8192 + 6, 0), 327);
	for (uint32_t n = 0; n < p->stacks.nr; n++) {
		uint64_t weight = profile_weight(p, n, 0).weight;

		if (!weight)
			continue;
		seen++;
		is(caller_addr(p, n, 0), weight == 4000 ? 4096 + 8 : 8192 + 6);
		is(caller_addr(p, n, 1), weight == 20 ? 8192 + 6 : weight == 300 ? 4096 + 2 : 0);
		is(caller_addr(p, n, 2), weight == 300 ? 8192 + 6 : 0);
	}
	is(seen, 4);
	is(p->notes.nr, 1);
	is_str(p->notes.at[0], "5 calls had no place in the profile: what they did is shown in "
			       "their callers' stacks");
	profile_free(p);
}

/* The time line: a process in two intervals, interrupts of two, and what starts the command. */
static void time_line(void)
{
	static const uint64_t total[4][EVENTS] = { { 0, 100 } };
	struct profile *p;
	struct made m;

	make_elf("program", 3, 10, 4096 + 8, false);
	for (unsigned n = 0; n < 2; n++) {
		all = n;
		make_head(&m, 1, "share", folder);
		space(&m, 0, SATP(0));
		page(&m, PROGRAM_VA + 4096, content(10, false));
		insn(&m, 4, 0, 100);
		made_numbers(&m, 9, 2000000, 1, 5);
		made_numbers(&m, 6, 0, 3, SATP(0), 1, 1, 5000);
		made_numbers(&m, 7, 0, 0, SATP(0), 2, 0, 77, 1, 60);
		made_numbers(&m, 7, 0, 2, SATP(0), 1, 1, 3);
		made_numbers(&m, 7, 0, 2, SATP(1), 1, 1, 5);
		made_numbers(&m, 9, 0, 0, SATP(0), 1, 1, 40);
		make_end(&m, total);
		p = load(&m, "instructions");
		is(p->slice_ns, 2000000);
		is(p->slices.nr, 3 + n);
		is(p->slices.at[n].interval, 7);
		is(p->slice_counts.at[n], 60);
		is_str(p->processes.at[p->slices.at[n].process].comm, "program");
		is(p->slice_counts.at[n + 1], 3 + 5);
		is_str(p->processes.at[p->slices.at[n + 1].process].comm, "[interrupts]");
		is(p->slices.at[n + 2].interval, 9);
		is(p->slice_counts.at[n + 2], 40);
		is_str(p->notes.at[0], "the time line had no room for all of the run: --timeline "
				       "with more milliseconds shows all of it");
		profile_free(p);
	}
	all = false;
}

/* Two files have the same code: the one that the command names is taken. */
static void copies(void)
{
	static const uint64_t total[4][EVENTS] = { { 1000, 100 } };
	static const char *const commands[] = { "sh -c ./zcopy 3", "perf stat -e x ./copy",
						"none" };
	static const char *const names[] = { "zcopy", "copy", "copy" };

	make_elf("copy", 2, 40, 4096 + 8, false);
	make_elf("zcopy", 2, 40, 4096 + 8, false);
	for (unsigned n = 0; n < TAP_NR(commands); n++) {
		struct profile *p;
		struct made m;

		make_head(&m, 2, "share", folder, "command", commands[n]);
		space(&m, 0, SATP(0));
		page(&m, PROGRAM_VA + 4096, content(40, false));
		insn(&m, 4, 1000, 100);
		make_end(&m, total);
		p = load(&m, NULL);
		is_str(p->processes.at[0].comm, names[n]);
		is(weight(p, names[n], names[n], 4096 + 8, 0), 1000);
		profile_free(p);
	}
}

/* A profile without the notes of the CPU is read, too. */
static void cpus(void)
{
	struct profile *p;
	struct made m;

	for (unsigned notes = 0; notes < 4; notes++) {
		make_head(&m, notes, "cpu", "x60", "set", "l1d.size=8K l2.size=8M", "extensions",
			  "c zca xtheadvector");
		make_end(&m, (const uint64_t[4][EVENTS]){ { 0 } });
		p = load(&m, NULL);
		is_str(p->cpu ? p->cpu : "none", notes == 0   ? "none"
						 : notes == 1 ? "x60"
							      : "x60 with l1d.size=8K l2.size=8M");
		is(profile_cpu_has(p, "xtheadvector"), notes == 3);
		is(profile_cpu_has(p, "c"), notes == 3);
		ok(!profile_cpu_has(p, "zc") && !profile_cpu_has(p, "xtheadvectors"));
		profile_free(p);
	}
}

static void chosen_events(void)
{
	struct profile *p;
	struct made m;

	make_small(&m);
	p = load(&m, "*");
	is(p->events.nr, 3);
	is(p->events.at[2].total, 9);
	is(p->sums.nr, 1); /* a pattern does not choose it, and the list of names has it */
	is_str(p->sums.at[0], "some");
	profile_free(p);
	p = load(&m, "mis*,some");
	is(p->events.nr, 2);
	is_str(p->events.at[0].name, "misses");
	is_str(p->events.at[1].name, "some");
	is(p->events.at[1].total, 305 + 9);
	/* An address without a chosen event has no count. */
	is(p->places.nr, 3);
	profile_free(p);
	p = load(&m, "nothing");
	is(p->events.nr, 0);
	is(p->places.nr, 0);
	profile_free(p);
}

/* An archive with one file, as initial file systems are; then a copy of it that can be opened. */
static void archives(void)
{
	static const uint64_t total[4][EVENTS] = { { 8, 4 } };
	char path[160], data[3 * 4096], name[] = "usr/bin/inside";
	struct profile *p;
	struct stat st;
	struct made m;
	FILE *f;
	int fd;

	make_elf("outside", 2, 30, 4096, false);
	snprintf(path, sizeof(path), "%s/outside", folder);
	fd = open(path, O_RDONLY);
	is(read(fd, data, sizeof(data)), sizeof(data) - 100);
	close(fd);
	unlink(path);
	snprintf(path, sizeof(path), "%s/initrd", folder);
	f = fopen(path, "w");
	fprintf(f, "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x", 1, 0100644, 0, 0,
		1, 0, (unsigned)sizeof(data) - 100, 0, 0, 0, 0, (unsigned)sizeof(name), 0);
	fwrite(name, sizeof(name), 1, f);
	for (unsigned at = 110 + sizeof(name); at % 4; at++)
		fputc(0, f);
	fwrite(data, sizeof(data) - 100, 1, f);
	fclose(f);
	setenv("XDG_CACHE_HOME", folder, 1);
	make_head(&m, 1, "initrd", path);
	space(&m, 0, SATP(5));
	page(&m, 0x5000, content(31, true));
	insn(&m, 0, 8, 4);
	make_end(&m, total);
	p = load(&m, "cycles");
	is(weight(p, "inside", "inside", 8192, 0), 8);
	is(p->objects.nr, 1);
	ok(!stat(p->objects.at[0].path, &st));
	is(st.st_size, sizeof(data) - 100);
	profile_free(p);
}

#define BOOT_AT 0x80200000ull /* where an Image was loaded */

/* An Image of four pages: its header, code, and on the last two a vDSO. */
static void make_image(const char *name)
{
	static uint8_t data[4 * 4096];
	Elf64_Ehdr *vdso = (void *)(data + 2 * 4096);
	char path[128];
	FILE *f;

	make_elf("vdso", 1, 50, 4096, true);
	snprintf(path, sizeof(path), "%s/vdso", folder);
	f = fopen(path, "r");
	ok(fread(vdso, 1, 2 * 4096, f) == 2 * 4096 - 100);
	fclose(f);
	vdso->e_shoff = 2 * 4096 - 100; /* its end */
	unlink(path);
	memcpy(data + 56, "RSC\x05", 4);
	memset(data + 4096, 40, 4096);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "w");
	ok(fwrite(data, sizeof(data), 1, f) == 1);
	fclose(f);
}

/*
 * Before the kernel has an address space it runs at its load address; and each process has its
 * vDSO.
 */
static void kernels(void)
{
	static const uint64_t total[4][EVENTS] = { { 6, 3 }, { 111, 11 } };
	char path[128];
	struct profile *p;
	struct made m;

	make_image("Image");
	setenv("XDG_CACHE_HOME", folder, 1);
	snprintf(path, sizeof(path), "%s/Image", folder);
	make_head(&m, 2, "kernel", path, "kallsyms",
		  "ffffffff80000000 T _start\nffffffff80001800 t setup_vm\n");
	space(&m, 0, SATP(0));
	page(&m, 0x7fff1000, content(50, true));
	insn(&m, 4, 6, 3);
	space(&m, 1, 0);
	page(&m, BOOT_AT + 4096, content(40, false));
	insn(&m, 0x402, 100, 10);
	/*
	 * A page that was overwritten is recognized by its neighbours; and a page outside of the
	 * Image.
	 */
	page(&m, BOOT_AT, 999);
	insn(&m, 1, 10, 1);
	page(&m, BOOT_AT + 16 * 4096, 998);
	insn(&m, 0, 1, 0);
	make_end(&m, total);
	p = load(&m, NULL);
	is(weight(p, "[unknown]", "[vdso]", 4096 + 8, 0), 6);
	is(weight(p, "[boot]", "[kernel]", 0xffffffff80001804, 0), 100);
	is(weight(p, "[boot]", "[kernel]", 0xffffffff80000002, 0), 10);
	is(weight(p, "[boot]", "[kernel]", BOOT_AT + 16 * 4096, 0), 1);
	is(p->notes.nr, 0);
	profile_free(p);
}

/*
 * Two pages of firmware, linked at 0x11000 and run at 0x80000000; raw: an instruction of the
 * second.
 */
static void make_firmware(struct made *m, const char *path, uint32_t raw)
{
	static const uint64_t total[4][EVENTS] = { { 0 }, { 0 }, { 0 }, { 60, 6 } };

	make_head(m, 1, "firmware", path);
	space(m, 3, 0);
	page(m, 0x1000, 4711); /* ROM */
	insn(m, 0, 10, 1);
	page(m, 0x80000000, content(60, false));
	insn_raw(m, 2, 0x3c3c, 20, 2);
	page(m, 0x80001000, content(61, true));
	insn_raw(m, 2, raw, 30, 3);
	make_end(m, total);
}

static void firmware(void)
{
	char path[128], note[256];
	struct profile *p;
	struct made m;

	make_elf("fw.elf", 2, 60, 4096, false);
	snprintf(path, sizeof(path), "%s/fw.elf", folder);
	make_firmware(&m, path, 0x3d3d);
	p = load(&m, NULL);
	is(weight(p, "[firmware]", "fw.elf", 0x1000, 0), 10);
	is(weight(p, "[firmware]", "fw.elf", 0x11004, 0), 20);
	is(weight(p, "[firmware]", "fw.elf", 0x12004, 0), 30);
	is(p->notes.nr, 0);
	profile_free(p);

	/* Firmware without names: a file in a folder has the same code as the memory. */
	make_firmware(&m, "/nowhere/fw.bin", 0x3d3d);
	made_folder = folder;
	p = load(&m, NULL);
	made_folder = NULL;
	is(weight(p, "[firmware]", "[firmware]", 0x1000, 0), 10);
	is(weight(p, "[firmware]", "fw.elf", 0x11004, 0), 20);
	is(weight(p, "[firmware]", "fw.elf", 0x12004, 0), 30);
	profile_free(p);

	/* Another build has other code: wrong names are not shown, and a warning is printed. */
	make_firmware(&m, path, 0x3d3e);
	p = load(&m, NULL);
	is(weight(p, "[firmware]", "fw.elf", 0x11004, 0), 20);
	is(weight(p, "[firmware]", "[firmware]", 0x12004, 0), 30);
	is(p->notes.nr, 1);
	snprintf(note, sizeof(note),
		 "%s is not what ran: 1 of 2 pages of code is another, and has no names; it may "
		 "have been built anew since",
		 path);
	is_str(p->notes.nr ? p->notes.at[0] : "", note);
	profile_free(p);
}

/* The name of the code at a place that has this weight; "none": it has no name, or is not there. */
static const char *name_of(const struct profile *p, uint64_t cycles, const char *object,
			   uint64_t addr)
{
	for (uint32_t n = 0; n < p->stacks.nr; n++) {
		const struct profile_place *at = place_of(p, n);
		const struct profile_object *o = &p->objects.at[at->object];
		const char *slash = strrchr(o->path, '/');
		const struct symbol *s = symbols_find(&o->symbols, at->addr);

		if (profile_weight(p, n, 0).weight == cycles && at->addr == addr &&
		    !strcmp(slash ? slash + 1 : o->path, object))
			return s ? s->name : "none";
	}
	return "not there";
}

/* Spaces with code in no file, one row each, of so many cycles. */
static void make_generated(struct made *m)
{
	static const struct {
		uint64_t va;
		uint32_t raw, cycles;
		unsigned space;
	} rows[] = {
		{ 0x1000, 0x0505, 1, 0 }, /* loop */
		{ 0x1004, 0x0605, 2, 0 }, /* loop has another instruction there */
		{ 0x2000, 0x0505, 4, 0 }, /* later: the code that came to earlier's addresses */
		{ 0x2002, 0xa011, 8, 0 }, /* earlier */
		{ 0x3000, 0x13, 16, 0 }, /* only perf-7.map has it */
		{ 0x4000, 0x13, 32, 0 }, /* both maps have it */
		{ 0x4000, 0x13, 64, 1 }, /* the same, and nothing else in this space */
		{ 0x1000, 0x13, 128, 1 }, /* not what jit-7.dump has */
		{ 0x5000, 0x0505, 256, 2 }, /* in both; jit-9.dump has the next, too */
		{ 0x5002, 0xa001, 512, 2 },
	};
	uint64_t total[4][EVENTS] = { { 0 } };

	make_head(m, 1, "share", folder);
	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		space(m, 0, SATP(rows[n].space));
		page(m, rows[n].va, 0x900 + n);
		insn_raw(m, (rows[n].va & 0xfff) / 2, rows[n].raw, rows[n].cycles, 1);
		total[0][0] += rows[n].cycles;
		total[0][1]++;
	}
	make_end(m, total);
}

static void generated(void)
{
	static const uint8_t loop[] = { 0x05, 0x05, 0x01, 0xa0, 0x05, 0x05 },
			     earlier[] = { 0x05, 0x06, 0x11, 0xa0 }, later[] = { 0x05, 0x05 };
	char path[128];
	uint64_t at[4];
	struct profile *p;
	struct made m;
	FILE *f;

	snprintf(path, sizeof(path), "%s/jit-7.dump", folder);
	f = jitdump_create(path);
	at[0] = jitdump_add(f, "loop", 0x1000, loop, sizeof(loop));
	at[1] = jitdump_add(f, "earlier", 0x2000, earlier, sizeof(earlier));
	at[2] = jitdump_add(f, "later", 0x2000, later, sizeof(later));
	fclose(f);
	snprintf(path, sizeof(path), "%s/jit-8.dump", folder);
	f = jitdump_create(path);
	jitdump_add(f, "half", 0x5000, loop, 2);
	fclose(f);
	snprintf(path, sizeof(path), "%s/jit-9.dump", folder);
	f = jitdump_create(path);
	jitdump_add(f, "before", 0x5000, loop, 4); /* the same, and not the last */
	at[3] = jitdump_add(f, "whole", 0x5000, loop, 4);
	fclose(f);
	scratch_text(folder, "jit-6.dump", "no jitdump file");
	scratch_text(folder, "perf-7.map", "3000 10 seven\n4000 10 both\n");
	scratch_text(folder, "perf-8.map", "4000 10 both\n");

	make_generated(&m);
	p = load(&m, "cycles");
	is_str(name_of(p, 1, "jit-7.dump", at[0]), "loop");
	is_str(name_of(p, 2, "[anon]", 0x1004), "none");
	is_str(name_of(p, 4, "jit-7.dump", at[2]), "later");
	is_str(name_of(p, 8, "jit-7.dump", at[1] + 2), "earlier");
	is_str(name_of(p, 16, "[anon]", 0x3000), "seven");
	is_str(name_of(p, 32, "[anon]", 0x4000), "both");
	is_str(name_of(p, 64, "[anon]", 0x4000), "none");
	is_str(name_of(p, 128, "[anon]", 0x1000), "none");
	is_str(name_of(p, 256, "jit-9.dump", at[3]), "whole");
	is_str(name_of(p, 512, "jit-9.dump", at[3] + 2), "whole");
	is(p->notes.nr, 0);
	profile_free(p);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "spaces are processes, pages files", spaces_become_processes },
		{ "foreign code in the space of a process", others_in_a_space },
		{ "an instruction that was called on several paths", paths_of_calls },
		{ "the time line", time_line },
		{ "the command decides between copies of a file", copies },
		{ "the CPU, and what --set has changed", cpus },
		{ "events by name, pattern and sum", chosen_events },
		{ "files in the initial file system", archives },
		{ "a kernel before its address space, and its vDSO", kernels },
		{ "code that programs generated", generated },
		{ "firmware where it ran, and firmware that did not run", firmware },
	};
	char command[128];
	const char *tmp = getenv("TMPDIR");
	int status;

	snprintf(folder, sizeof(folder), "%.40s/exact-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(folder))
		return 2;
	status = tap_run(cases, TAP_NR(cases));
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command) || status;
}
