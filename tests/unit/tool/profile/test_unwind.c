// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_unwind.c - this program's own registers and stack, copied as in a sample, give the callers;
 * and copies with impossible contents.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#include "elf_image.h"
#include "perf_internal.h"
#include "tap.h"
#include "unwind.h"

#ifdef __x86_64__

#define STACK 4096

static struct perf_copy copy;
static char stack[STACK];
static struct perf_space space;
static struct profile *p;
static char path[4096];

/* This program's file: where it is mapped, and its path. */
static void make_maps(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	struct perf_map *map = calloc(64, sizeof(*map));
	uint64_t start, end, offset;
	char line[4352], permissions[8];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	ok(f && len > 0);
	p = profile_new();
	p->arch = strdup("x86_64");
	profile_add_object(p, PROFILE_USER, path, NULL, 0);
	space.maps.at = map;
	while (fgets(line, sizeof(line), f) && space.maps.nr < 64) {
		if (!strstr(line, path) ||
		    sscanf(line, "%lx-%lx %7s %lx", &start, &end, permissions, &offset) != 4)
			continue;
		map[space.maps.nr++] = (struct perf_map){ start, end - 1, offset, 0 };
	}
	fclose(f);
	ok(space.maps.nr);
}

static void take_copy(void)
{
	static const int greg[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI,
				    REG_RDI, REG_RBP, REG_RSP, REG_RIP };
	int memory = open("/proc/self/mem", O_RDONLY);
	ucontext_t context;
	ssize_t len;

	getcontext(&context);
	copy = (struct perf_copy){ .mask = 0xff01ff, .stack = stack, .space = &space };
	for (unsigned n = 0; n < TAP_NR(greg); n++)
		copy.reg[n] = context.uc_mcontext.gregs[greg[n]];
	for (unsigned n = 0; n < 8; n++)
		copy.reg[16 + n] = context.uc_mcontext.gregs[REG_R8 + n];
	len = pread(memory, stack, sizeof(stack), copy.reg[7]);
	close(memory);
	copy.stack_len = len > 0 ? len : 0;
}

__attribute__((noinline)) static void inner(volatile int *x)
{
	take_copy();
	++*x;
}

__attribute__((noinline)) static void outer(volatile int *x)
{
	inner(x);
	++*x;
}

/* The function at an address of this program. */
static const char *name_at(struct elf_image *e, uint64_t addr)
{
	uint64_t linked;
	const struct symbol *s;
	struct perf_mapped m;

	if (!perf_copy_mapped(&copy, addr, &m) || !elf_image_address(e, m.pgoff, &linked))
		return "none";
	s = symbols_find(elf_image_symbols(e), addr - m.start + linked);
	return s ? s->name : "none";
}

static void own_callers(void)
{
	static const char *const names[] = { "take_copy", "inner", "outer", "own_callers" };
	struct unwind *u = unwind_new(p, "");
	const char *why;
	struct elf_image *e = elf_image_open(path, "", NULL, 0, &why);
	volatile int x = 0;
	uint64_t ips[64];
	size_t nr;

	outer(&x);
	ok(u && e);
	nr = unwind_copy(u, &copy, ips, TAP_NR(ips));
	ok(nr > TAP_NR(names));
	for (size_t i = 0; i < TAP_NR(names) && i < nr; i++)
		is_str(name_at(e, i ? ips[i] - 1 : ips[i]), names[i]);
	is(unwind_copy(u, &copy, ips, 2), 2);

	/* Without the stack there is the first frame only, and no caller. */
	copy.stack_len = 0;
	is(unwind_copy(u, &copy, ips, TAP_NR(ips)), 0);
	copy.mask = 1;
	is(unwind_copy(u, &copy, ips, TAP_NR(ips)), 0);
	elf_image_close(e);
	unwind_free(u);
}

/* For any registers and stack, unwinding ends and stays in bounds. */
static void hostile_copies(void)
{
	struct unwind *u = unwind_new(p, "");
	volatile int x = 0;
	uint64_t ips[32];
	unsigned some = 0;

	outer(&x);
	srand(1);
	for (unsigned n = 0; n < 2000; n++) {
		struct perf_copy hostile = copy;
		uint64_t *words = (uint64_t *)stack;

		for (unsigned i = 0; i < STACK / 8; i++)
			words[i] = rand() % 3 ? copy.reg[7] + rand() % STACK
					      : space.maps.at[0].start + rand() % 0x100000;
		hostile.reg[rand() % 24] = (uint64_t)rand() << 33 ^ rand();
		hostile.reg[8] = space.maps.at[rand() % space.maps.nr].start + rand() % 0x10000;
		hostile.changes = n / 100;
		some += unwind_copy(u, &hostile, ips, TAP_NR(ips)) > 0;
	}
	ok(some);
	unwind_free(u);
}

static void other_machines(void)
{
	struct unwind *u;
	uint64_t ips[4];

	free(p->arch);
	p->arch = strdup("sparc64");
	u = unwind_new(p, "");
	is(unwind_copy(u, &copy, ips, 4), 0);
	unwind_free(u);
	free(p->arch);
	p->arch = strdup("riscv64"); /* and the file is of x86 */
	u = unwind_new(p, "");
	ok(unwind_copy(u, &copy, ips, 4) <= 4);
	unwind_free(u);
	profile_free(p);
	free(space.maps.at);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "own callers", own_callers },
		{ "hostile copies", hostile_copies },
		{ "other machines", other_machines },
	};

	make_maps();
	return tap_run(cases, TAP_NR(cases));
}

#else

int main(void)
{
	puts("1..0 # SKIP unwinds its own stack on x86-64 only");
	return 0;
}

#endif
