// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_nomem.c - a machine is created, loaded, saved and restored while an allocation fails: for
 * each allocation there is an error message, no leak, and the state from before is unchanged.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cpu_blobs.h"
#include "exact.h"
#include "load.h"
#include "nomem.h"
#include "rig.h"
#include "shot.h"
#include "snapshot.h"

#define MEMORY (8u << 20)

static struct error_text why;

static struct machine *create(enum machine_native native)
{
	const struct machine_options o = {
		.harts = 2,
		.memory = MEMORY,
		.counters = 4,
		.width = 64,
		.native = native,
		.console_in = -1,
		.console_out = -1,
	};

	why.text[0] = '\0';
	return machine_create(&o, &why);
}

/* A loop that stores, run for a while: a machine with the state of a running one. */
static void run(struct machine *m)
{
	static const uint32_t loop[] = {
		0x00043503, /* ld a0, 0(s0) */
		0x01240433, /* add s0, s0, s2 */
		0x00343023, /* sd gp, 0(s0) */
		0xff5ff06f, /* j -12 */
	};

	memcpy(cluster_ram(&m->cl, RAM_BASE, sizeof(loop)), loop, sizeof(loop));
	m->entry = RAM_BASE;
	machine_reset(m);
	for (unsigned n = 0; n < m->cl.harts; n++) {
		m->cl.hart[n]->x[8] = RAM_BASE + 0x4000;
		m->cl.hart[n]->x[18] = 64;
	}
	machine_pause_at(m, 2000);
	machine_run(m);
	ok(m->paused);
}

static bool is_line(void)
{
	return *why.text && !strchr(why.text, '\n');
}

static bool creates(void *arg)
{
	struct machine *m = create(*(enum machine_native *)arg);

	if (!m) {
		ok(is_line());
		return false;
	}
	is(m->cl.harts, 2);
	machine_destroy(m);
	return true;
}

static void made(void)
{
	enum machine_native native = MACHINE_NATIVE_ON;

	nomem_each(creates, &native, NOMEM_NEEDS_ALL);
	native = MACHINE_NATIVE_AUTO;
	nomem_each(creates, &native, NOMEM_MAY_DO_WITHOUT);
}

struct small_elf {
	Elf64_Ehdr e;
	Elf64_Phdr p;
	uint32_t code[4];
};

static void name_bytes(char name[32], const void *data, size_t size)
{
	int fd = memfd_create("file", 0);

	ok(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(name, 32, "/proc/self/fd/%d", fd);
}

static void name_elf(char name[32])
{
	const struct small_elf elf = {
		.e = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		       .e_type = ET_EXEC,
		       .e_machine = EM_RISCV,
		       .e_entry = RAM_BASE,
		       .e_phoff = offsetof(struct small_elf, p),
		       .e_phentsize = sizeof(Elf64_Phdr),
		       .e_phnum = 1 },
		.p = { .p_type = PT_LOAD,
		       .p_offset = offsetof(struct small_elf, code),
		       .p_vaddr = RAM_BASE,
		       .p_paddr = RAM_BASE,
		       .p_filesz = 16,
		       .p_memsz = 16 },
		.code = { 0x6f },
	};

	name_bytes(name, &elf, sizeof(elf));
}

static struct boot boot;

static bool loads(void *arg)
{
	struct machine *m;
	bool good;

	nomem_pause();
	m = create(MACHINE_NATIVE_AUTO);
	nomem_resume();
	why.text[0] = '\0';
	good = machine_load(m, &boot, &why);
	nomem_pause();
	if (good)
		is(m->entry, RAM_BASE);
	else if (!ok(is_line() && nomem_failed()))
		printf("# %s\n", why.text);
	machine_destroy(m);
	return good;
}

static void loaded(void)
{
	static const uint32_t code = 0x6f;
	char elf[32], raw[32];

	name_elf(elf);
	name_bytes(raw, &code, sizeof(code));
	boot = (struct boot){ .program = elf };
	nomem_each(loads, NULL, NOMEM_NEEDS_ALL);
	boot = (struct boot){ .firmware = elf, .kernel = raw, .initrd = raw, .append = "words" };
	nomem_each(loads, NULL, NOMEM_NEEDS_ALL);
}

static char path[] = "test_nomem.XXXXXX";

static bool saves(void *arg)
{
	struct machine *m = arg;
	bool good;

	why.text[0] = '\0';
	good = machine_save(m, path, &why);
	ok(good || (is_line() && nomem_failed()));
	return good;
}

static bool restores(void *arg)
{
	struct shot *first = arg, again = { 0 };
	struct machine *m;
	bool good;

	nomem_pause();
	m = create(MACHINE_NATIVE_AUTO);
	nomem_resume();
	why.text[0] = '\0';
	good = machine_restore(m, path, &why);
	nomem_pause();
	if (good) {
		ok(shot_save(&again, m));
		ok(again.len == first->len && !memcmp(again.data, first->data, first->len));
		free(again.data);
	} else {
		ok(is_line() && nomem_failed());
	}
	machine_destroy(m);
	return good;
}

static void snapshots(void)
{
	struct machine *m = create(MACHINE_NATIVE_AUTO);
	struct shot first = { 0 };

	run(m);
	ok(shot_save(&first, m));
	close(mkstemp(path));
	nomem_each(saves, m, NOMEM_NEEDS_ALL);
	nomem_each(restores, &first, NOMEM_NEEDS_ALL);
	unlink(path);
	machine_destroy(m);
	free(first.data);
}

/* arg: exact_start or exact_start_sums. */
static bool profiles(void *arg)
{
	bool (**start)(struct cluster *cl) = arg;
	char *out = NULL;
	struct machine *m;
	bool good;
	size_t len;
	FILE *to;

	nomem_pause();
	m = create(MACHINE_NATIVE_AUTO);
	to = open_memstream(&out, &len);
	nomem_resume();
	why.text[0] = '\0';
	good = (*start)(&m->cl);
	if (good) {
		nomem_pause();
		run(m);
		nomem_resume();
		good = exact_write(&m->cl, to, NULL, 0, &why);
		ok(good || is_line());
	}
	nomem_pause();
	fclose(to);
	free(out);
	machine_destroy(m);
	return good;
}

static void profiled(void)
{
	static bool (*const start[])(struct cluster *cl) = { exact_start, exact_start_sums };

	for (unsigned n = 0; n < TAP_NR(start); n++)
		nomem_each(profiles, (void *)&start[n], NOMEM_NEEDS_ALL);
}

struct blob {
	char *data;
	size_t size;
};

static bool reads_cpu(void *arg)
{
	const struct blob *b = arg;
	struct error_text wrong = { "" };
	struct cpu *cpu = cpu_read(b->data, b->size, "cpu.dtb", NULL, 0, &wrong);

	if (!cpu) {
		ok(*wrong.text && !strchr(wrong.text, '\n') && nomem_failed());
		return false;
	}
	ok(*cpu->name && cpu->models);
	cpu_free(cpu);
	return true;
}

static void descriptions(void)
{
	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		struct blob b;

		b.data = blob_of(cpus[n], &b.size);
		nomem_each(reads_cpu, &b, NOMEM_NEEDS_ALL);
		free(b.data);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "creating a machine", made },	       { "loading programs", loaded },
		{ "saving and restoring", snapshots }, { "an exact profile", profiled },
		{ "CPU descriptions", descriptions },
	};

	if (argc != 2)
		return 2;
	cpu_folder = argv[1];
	return tap_run(cases, TAP_NR(cases));
}
