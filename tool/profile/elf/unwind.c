// SPDX-License-Identifier: BSD-2-Clause
/*
 * unwind.c - finds callers with DWARF call frame information (unwind.h).
 *
 * To libdw a process is a list of modules.  report_module() adds a module when the first frame in
 * it is found.  The list is kept until a sample is of another process, or the mappings have
 * changed.
 */
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf_image.h"
#include "unwind.h"

struct unwind {
	struct profile *p;
	const char *symfs;
	const struct machine_registers *machine; /* NULL: not known */
	Dwfl *dwfl; /* the process of space; NULL: none yet */
	uint32_t space, changes;
	/* The sample under way: */
	const struct perf_copy *copy;
	uint64_t *ips;
	size_t nr, max;
};

/* Register n of DWARF is register dwarf[n] of perf. */
static const struct machine_registers {
	const char *arch;
	unsigned pc, sp, nr;
	uint8_t dwarf[32];
	bool pc_is_register; /* DWARF has a number for the program counter: nr */
} machines[] = {
	/* Linux, arch/riscv/include/uapi/asm/perf_regs.h: number 0 is pc instead of x0. */
	{ "riscv64",
	  0,
	  2,
	  32,
	  { 0,	1,  2,	3,  4,	5,  6,	7,  8,	9,  10, 11, 12, 13, 14, 15,
	    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 },
	  false },
	/* Linux, arch/x86/include/uapi/asm/perf_regs.h; System V ABI for x86-64, section 3.6.2 */
	{ "x86_64", 8, 7, 16, { 0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23 }, true },
};

static int find_elf(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
		    char **path, Elf **elf)
{
	(void)module, (void)user, (void)name, (void)base, (void)path, (void)elf;
	return -1;
}

/*
 * If a program's file lacks call frame information, its separate debug file may have it.  Opens the
 * one that also gives the symbols.  This replaces libdw's own search, which may ask the network.
 */
static int find_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
			  const char *path, const char *link, GElf_Word crc, char **debug)
{
	const struct unwind *u = *user;
	int fd = -1;

	(void)module, (void)base, (void)path, (void)link, (void)crc, (void)debug;
	for (size_t i = 0; u && i < u->p->objects.nr && fd < 0; i++) {
		const struct profile_object *o = &u->p->objects.at[i];
		struct elf_image *e = NULL;
		const char *why = NULL;

		if (o->kind == PROFILE_USER && !strcmp(o->path, name))
			e = elf_image_find(o->path, u->symfs, o->build_id, o->build_id_size, &why);
		if (e)
			fd = elf_image_debug(e);
		else
			u->p->no_memory |= why == elf_no_memory;
		elf_image_close(e);
	}
	return fd;
}

static const Dwfl_Callbacks callbacks = { .find_elf = find_elf, .find_debuginfo = find_debuginfo };

/* Adds the file that is mapped at an address as a module, if it is not one yet. */
static void report_module(struct unwind *u, uint64_t addr)
{
	const struct profile_object *o;
	struct perf_mapped mapped;
	struct elf_image *e;
	Dwfl_Module *module;
	const char *why;
	uint64_t linked;
	void **user;
	int fd;

	if (dwfl_addrmodule(u->dwfl, addr) || !perf_copy_mapped(u->copy, addr, &mapped))
		return;
	o = &u->p->objects.at[mapped.object];
	if (o->kind != PROFILE_USER)
		return;
	e = elf_image_find(o->path, u->symfs, o->build_id, o->build_id_size, &why);
	if (!e) {
		u->p->no_memory |= why == elf_no_memory;
		return;
	}
	if (elf_image_address(e, mapped.pgoff, &linked)) {
		fd = elf_image_main(e);
		dwfl_report_begin_add(u->dwfl);
		module = fd < 0 ? NULL
				: dwfl_report_elf(u->dwfl, o->path, o->path, fd,
						  mapped.start - linked, true);
		if (!module && fd >= 0)
			close(fd);
		if (module && dwfl_module_info(module, &user, NULL, NULL, NULL, NULL, NULL, NULL))
			*user = u;
		dwfl_report_end(u->dwfl, NULL, NULL);
	}
	elf_image_close(e);
}

static pid_t next_thread(Dwfl *dwfl, void *cookie, void **thread)
{
	(void)dwfl;
	if (*thread)
		return 0;
	*thread = cookie;
	return 1;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *value, void *cookie)
{
	const struct unwind *u = cookie;
	uint64_t at = addr - u->copy->reg[u->machine->sp];

	(void)dwfl;
	if (u->copy->stack_len < sizeof(*value) || at > u->copy->stack_len - sizeof(*value))
		return false;
	memcpy(value, u->copy->stack + at, sizeof(*value));
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *cookie)
{
	const struct unwind *u = cookie;
	const struct machine_registers *m = u->machine;
	Dwarf_Word reg[32];

	for (unsigned n = 0; n < m->nr; n++)
		reg[n] = m->dwarf[n] == m->pc ? 0 : u->copy->reg[m->dwarf[n]];
	dwfl_thread_state_register_pc(thread, u->copy->reg[m->pc]);
	return dwfl_thread_state_registers(thread, 0, m->nr, reg) &&
	       (!m->pc_is_register ||
		dwfl_thread_state_registers(thread, m->nr, 1, &u->copy->reg[m->pc]));
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.memory_read = read_memory,
	.set_initial_registers = set_registers,
};

/*
 * libdw calls this for each frame before it looks for the frame's caller.  To find the caller,
 * libdw needs the module of the frame.
 */
static int take_frame(Dwfl_Frame *frame, void *cookie)
{
	struct unwind *u = cookie;
	bool activation;
	Dwarf_Addr pc;

	if (!dwfl_frame_pc(frame, &pc, &activation) || u->nr == u->max)
		return DWARF_CB_ABORT;
	u->ips[u->nr++] = pc;
	report_module(u, activation ? pc : pc - 1);
	return DWARF_CB_OK;
}

static void end_process(struct unwind *u)
{
	if (u->dwfl)
		dwfl_end(u->dwfl);
	u->dwfl = NULL;
}

static bool begin_process(struct unwind *u, const struct perf_copy *c)
{
	if (u->dwfl && u->space == c->space_number && u->changes == c->changes)
		return true;
	end_process(u);
	u->dwfl = dwfl_begin(&callbacks);
	if (!u->dwfl)
		return false;
	u->space = c->space_number;
	u->changes = c->changes;
	report_module(u, c->reg[u->machine->pc]);
	/* libdw takes the machine from the first module. */
	if (dwfl_attach_state(u->dwfl, NULL, 1, &thread_callbacks, u))
		return true;
	end_process(u);
	return false;
}

size_t unwind_copy(void *cookie, const struct perf_copy *c, uint64_t *ips, size_t max)
{
	struct unwind *u = cookie;

	if (!u->machine || !(c->mask >> u->machine->pc & 1) || !(c->mask >> u->machine->sp & 1))
		return 0;
	u->copy = c;
	u->ips = ips;
	u->max = max;
	u->nr = 0;
	if (!begin_process(u, c))
		return 0;
	dwfl_getthread_frames(u->dwfl, 1, take_frame, u);
	/* A single frame is the program counter, which was known before: no caller was found. */
	return u->nr > 1 ? u->nr : 0;
}

struct unwind *unwind_new(struct profile *p, const char *symfs)
{
	struct unwind *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	*u = (struct unwind){ .p = p, .symfs = symfs };
	for (size_t i = 0; p->arch && i < sizeof(machines) / sizeof(*machines); i++) {
		if (!strcmp(p->arch, machines[i].arch))
			u->machine = &machines[i];
	}
	return u;
}

void unwind_free(struct unwind *u)
{
	if (!u)
		return;
	end_process(u);
	free(u);
}
