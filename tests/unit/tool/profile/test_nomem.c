// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_nomem.c - the readers of profiles while an allocation fails: for each allocation there is an
 * error message and no leak; and if none fails, the profile is the same as without the shim.
 */
#include "elf_image.h"
#include "exact_load.h"
#include "exact_made.h"
#include "jit.h"
#include "nomem.h"
#include "perf_build.h"
#include "perf_internal.h"
#include "scratch.h"
#include "unwind.h"

#define TYPE                                                                                       \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)
#define USER PERF_RECORD_MISC_USER

static struct perf_build records, file;

static void sample(uint32_t pid, uint64_t ip, uint64_t caller)
{
	build_record(&records, PERF_RECORD_SAMPLE, USER);
	build64(&records, records.ids[0]);
	build64(&records, ip);
	build64(&records, (uint64_t)pid << 32 | pid);
	build64(&records, records.len);
	build64(&records, 100);
	build64(&records, 3);
	build64(&records, PERF_CONTEXT_USER);
	build64(&records, ip);
	build64(&records, caller);
	build_record_end(&records);
}

static void hostname(struct perf_build *b)
{
	build_string(b, "host");
}

static void arch(struct perf_build *b)
{
	build_string(b, "riscv64");
}

static void cpuid(struct perf_build *b)
{
	build_string(b, "0x5b7-0x0-0x0");
}

static void make_perf(void)
{
	static const struct build_feature features[] = { { 3, hostname },
							 { 6, arch },
							 { 9, cpuid } };

	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, TYPE, 1);
	build_comm(&records, 7, 7, "one", true, 1);
	build_mmap(&records, 7, 0x10000, 0x1000, 0, "/bin/one", 2);
	build_mmap(&records, 7, 0x20000, 0x1000, 0, "/lib/two", 3);
	sample(7, 0x10010, 0x20010);
	sample(7, 0x20020, 0x10010);
	build_fork(&records, 8, 7, 8, records.len);
	sample(8, 0x10010, 0x20010);
	build_file(&file, &records, features, TAP_NR(features));
}

static bool is_line(const char *why)
{
	return *why && !strchr(why, '\n');
}

static bool reads_perf(void *arg)
{
	struct error_text why = { "" };
	struct profile *p = profile_new();
	struct perf_reader *r = p ? perf_reader_open(p, file.bytes, file.len, &why) : NULL;
	bool good = r && perf_reader_run(r, NULL, &why) && !p->no_memory;

	if (good) {
		is(p->events.at[0].total, 300);
		is(p->processes.nr, 4);
		is(p->objects.nr, 2);
		is_str(p->hostname, "host");
		is_str(p->arch, "riscv64");
		ok(profile_cpu_has(p, "xtheadvector"));
	} else if (p && !p->no_memory) {
		ok(is_line(why.text));
	}
	perf_reader_close(r);
	profile_free(p);
	return good;
}

static void perf(void)
{
	make_perf();
	nomem_each(reads_perf, NULL, NOMEM_NEEDS_ALL);
}

static bool reads_kallsyms(void *arg)
{
	static const char text[] = "ffffffff80001000 T outer\nffffffff80002000 t inner\n"
				   "ffffffff01000000 t probe\t[mod]\n";
	struct profile *p = profile_new();
	bool good = p && profile_add_kallsyms(p, text, strlen(text)) && !p->no_memory;

	if (good) {
		is(p->objects.nr, 2);
		is(p->objects.at[0].symbols.nr, 2);
	}
	profile_free(p);
	return good;
}

static void kallsyms(void)
{
	nomem_each(reads_kallsyms, NULL, NOMEM_NEEDS_ALL);
}

static void make_exact(struct made *m)
{
	made_numbers(m, 1);
	made_text(m, "command");
	made_text(m, "./one");
	made_numbers(m, 1, 1); /* harts, events */
	made_text(m, "instructions");
	made_numbers(m, 1, 0); /* counted in full; no sums */
	for (uint64_t space = 1; space < 4; space++) {
		made_numbers(m, 1, 0, 0, 0x8000000000080000ull + space);
		for (uint64_t page = 0; page < 4; page++) {
			made_numbers(m, 2, 0x10000 + page, 1, 77 * page);
			made_numbers(m, 3, 0, 0x13, 1, 0, 1);
			made_numbers(m, 3, 2, 0x13, 1, 0, 2);
		}
	}
	made_numbers(m, 0, 36, 0, 0, 0);
}

struct bytes {
	uint8_t *at;
	size_t len;
};

static bool reads_exact(void *arg)
{
	const struct bytes *b = arg;
	const struct exact_load_options o = { .events = "*", .code = true };
	struct error_text why = { "" };
	struct profile *p = profile_new();
	bool good = p && exact_load(p, b->at, b->len, &o, &why) && !p->no_memory;

	if (good) {
		is(p->events.at[0].total, 36);
		ok(p->stacks.nr > 0);
	} else if (p && !p->no_memory) {
		ok(is_line(why.text));
	}
	profile_free(p);
	return good;
}

static void exact(void)
{
	struct made *m = calloc(1, sizeof(*m));
	struct bytes b;

	make_exact(m);
	b.at = made_file(m->at, m->len, &b.len);
	nomem_each(reads_exact, &b, NOMEM_NEEDS_ALL);
	free(b.at);
	free(m);
}

/* A map file in folder, as perf-7.map. */
static bool reads_map(void *arg)
{
	struct jit j = { .folder = arg };
	const struct symbol *s = jit_find(&j, "", 7, 0x2010);
	bool good = !j.no_memory;

	if (good) {
		is(j.tables.at[0].nr, 3);
		is_str(s ? s->name : "none", "two");
	}
	jit_free(&j);
	return good;
}

static void generated_code(void)
{
	char folder[] = "test_nomem.XXXXXX", path[40];

	ok(mkdtemp(folder));
	scratch_text(folder, "perf-7.map", "1000 20 one\n2000 20 two\n3000 20 three\n");
	nomem_each(reads_map, folder, NOMEM_NEEDS_ALL);
	snprintf(path, sizeof(path), "%s/perf-7.map", folder);
	unlink(path);
	rmdir(folder);
}

/*
 * The program small_program.c, whose path is an argument.
 */
static const char *program;

static const struct symbol *symbol_named(const struct symbol_table *t, const char *name)
{
	for (size_t n = 0; n < t->nr; n++)
		if (!strcmp(t->at[n].name, name))
			return &t->at[n];
	return NULL;
}

static bool reads_elf(void *arg)
{
	const char *why = NULL;
	struct elf_image *e = elf_image_find(program, "", NULL, 0, &why);
	const struct symbol_table *t = e ? elf_image_symbols(e) : NULL;
	struct source_line lines[2];
	const struct symbol *s;
	size_t nr = 0;
	bool good;

	if (!e)
		ok(why == elf_no_memory);
	good = e && !elf_image_lacks_memory(e);
	if (good) {
		s = symbol_named(t, "inner");
		ok(s);
		nr = elf_image_lines(e, s->addr, lines, 2);
		good = !elf_image_lacks_memory(e);
	}
	if (good)
		ok(nr == 1 && strstr(lines[0].file, "small_program.c"));
	elf_image_close(e);
	return good;
}

static void elf(void)
{
	nomem_each(reads_elf, NULL, NOMEM_NEEDS_ALL);
}

#ifdef __x86_64__

/* At the first instruction of inner, called from the first instruction of outer. */
static struct perf_copy copy;

static bool unwinds(void *arg)
{
	struct profile *p = arg;
	struct unwind *u = unwind_new(p, "");
	uint64_t ips[8];
	size_t nr = u ? unwind_copy(u, &copy, ips, TAP_NR(ips)) : 0;
	bool good = u && !p->no_memory;

	if (good) {
		ok(nr >= 2);
		is(ips[0], copy.reg[8]);
		is(ips[1], *(const uint64_t *)copy.stack);
	}
	p->no_memory = false;
	unwind_free(u);
	return good;
}

static void unwinding(void)
{
	static struct perf_map map;
	static struct perf_space space = { .maps = { .at = &map, .nr = 1 } };
	static uint64_t stack[16];
	const char *why;
	struct elf_image *e = elf_image_find(program, "", NULL, 0, &why);
	struct profile *p = profile_new();
	const struct symbol *s;
	uint64_t offset, rest;

	p->arch = strdup("x86_64");
	profile_add_object(p, PROFILE_USER, program, NULL, 0);
	s = symbol_named(elf_image_symbols(e), "outer");
	stack[0] = s->addr + 1;
	s = symbol_named(elf_image_symbols(e), "inner");
	ok(elf_image_offset(e, s->addr, &offset, &rest));
	map = (struct perf_map){ s->addr - offset % 4096, s->addr + 4096, offset - offset % 4096,
				 0 };
	copy = (struct perf_copy){ .mask = 0xff01ff,
				   .stack = (const char *)stack,
				   .stack_len = sizeof(stack),
				   .space = &space };
	copy.reg[7] = 0x7fff0000;
	copy.reg[8] = s->addr;
	elf_image_close(e);
	nomem_each(unwinds, p, NOMEM_NEEDS_ALL);
	profile_free(p);
}

#endif

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "perf.data", perf },
		{ "kallsyms", kallsyms },
		{ "exact profiles", exact },
		{ "ELF images", elf },
		{ "names of generated code", generated_code },
#ifdef __x86_64__
		{ "unwinding", unwinding },
#endif
	};

	program = argc == 2 ? argv[1] : "";

	return tap_run(cases, TAP_NR(cases));
}
