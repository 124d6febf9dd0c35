// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_nomem.c - a report while an allocation fails: for each allocation holter prints an error, or
 * the report is the same as with enough memory.
 */
#include <stdlib.h>
#include <unistd.h>

#include "annotate.h"
#include "nomem.h"
#include "out.h"
#include "perf_build.h"
#include "report.h"
#include "said.h"
#include "scratch.h"

#define PLAIN (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN)
#define BASE  0xffffffff80000000

static const char kallsyms[] = "ffffffff80000000 T _text\n"
			       "ffffffff80001000 T outer\n"
			       "ffffffff80002000 t inner\n"
			       "ffffffff01000000 t probe\t[mod]\n";
static char data_path[] = "test_nomem.XXXXXX", kallsyms_path[] = "test_nomem.XXXXXX";

static void make_files(void)
{
	static struct perf_build records, file;

	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, PLAIN, 100);
	build_comm(&records, 7, 7, "x", false, 1);
	build_kernel_calls(&records, 2, (const uint64_t[]){ BASE + 0x1004, BASE + 0x2000 }, 2);
	build_kernel_calls(&records, 3, (const uint64_t[]){ BASE + 0x1004, BASE + 0x2008 }, 2);
	build_kernel_calls(&records, 4, (const uint64_t[]){ BASE + 0x2004, BASE + 0x1010 }, 2);
	build_file(&file, &records, NULL, 0);
	scratch_file(data_path, file.bytes, file.len);
	scratch_file(kallsyms_path, kallsyms, strlen(kallsyms));
}

struct form {
	bool (*put)(struct report *r, const struct report_view *v, FILE *to);
	bool graph;
	char *text; /* the report with enough memory */
};

static char *put(struct report *r, const struct form *f)
{
	struct report_view v = { .keys = REPORT_COMM | REPORT_SYMBOL,
				 .graph = f->graph,
				 .inlined = true };
	char *text = NULL;
	size_t len;
	FILE *to = nomem_stream(&text, &len);
	bool good = report_choose_events(r, NULL, &v.events) && f->put(r, &v, to);

	nomem_pause();
	fclose(to);
	if (good)
		return text;
	free(text);
	return NULL;
}

static bool reports(void *arg)
{
	const struct report_options o = { .symfs = "", .kallsyms = kallsyms_path };
	struct form *f = arg;
	struct report *r;
	char *text = NULL;

	said[0] = '\0';
	r = report_load(data_path, &o);
	if (r)
		r->path = "perf.data";
	if (r && report_resolve(r))
		text = put(r, f);
	nomem_pause();
	if (!text)
		ok(nomem_failed());
	else if (f->text)
		is_str(text, f->text);
	report_free(r);
	if (text && !f->text)
		f->text = text;
	else
		free(text);
	return text;
}

static void each_form(void)
{
	struct form forms[] = {
		{ report_out_text, false },   { report_out_text, true },
		{ report_out_json, false },   { report_out_html, false },
		{ report_out_folded, false }, { report_out_callgrind, false },
		{ report_out_csv, false },    { report_out_speedscope, false },
		{ report_out_svg, false },    { report_out_pprof, false },
	};

	make_files();
	for (unsigned n = 0; n < TAP_NR(forms); n++) {
		ok(reports(&forms[n]));
		nomem_each(reports, &forms[n], NOMEM_NEEDS_ALL);
		free(forms[n].text);
	}
	unlink(data_path);
	unlink(kallsyms_path);
}

/* The program small_program.c, whose path is an argument, and a copy that says it is for RISC-V. */
static const char *program;
static char riscv_path[] = "test_nomem.XXXXXX";

static void make_riscv(void)
{
	static char bytes[1 << 20];
	FILE *f = fopen(program, "rb");
	size_t len = f ? fread(bytes, 1, sizeof(bytes), f) : 0;

	ok(len > 64 && len < sizeof(bytes));
	bytes[18] = (char)243; /* e_machine: EM_RISCV */
	bytes[19] = 0;
	scratch_file(riscv_path, bytes, len);
	fclose(f);
}

/* Offset of inner in the file; its address is in places. */
static uint64_t inner_offset(void)
{
	const char *why;
	struct elf_image *e = elf_image_find(program, "", NULL, 0, &why);
	const struct symbol_table *t = elf_image_symbols(e);
	uint64_t offset = 0, rest;

	for (size_t n = 0; n < t->nr; n++)
		if (!strcmp(t->at[n].name, "inner"))
			ok(elf_image_offset(e, t->at[n].addr, &offset, &rest));
	elf_image_close(e);
	return offset;
}

/* A profile of one program with a count of two places.  NULL: an allocation failed. */
static struct report *make_report(const char *path, uint64_t addr, const struct report_options *o)
{
	struct report *r = calloc(1, sizeof(*r));
	uint32_t event, process, object;

	if (!r)
		return NULL;
	r->o = o;
	r->path = "profile";
	r->p = profile_new();
	if (!r->p) {
		free(r);
		return NULL;
	}
	event = profile_add_event(r->p, "cycles", true);
	process = profile_add_process(r->p, 1, "a");
	object = profile_add_object(r->p, PROFILE_USER, path, NULL, 0);
	for (unsigned n = 0; n < 2; n++) {
		uint32_t place = profile_add_place(r->p, process, object, addr + 2 * n);

		profile_add(r->p, profile_add_stack(r->p, place, PROFILE_NONE), event, 10, 1);
	}
	if (!r->p->no_memory && report_resolve(r))
		return r;
	nomem_pause();
	report_free(r);
	return NULL;
}

struct annotated {
	const char *path;
	uint64_t addr;
	bool lines; /* lines are looked up for each place, not only for each instruction */
};

static bool annotates(void *arg)
{
	const struct annotated *with = arg;
	const struct report_options o = { .symfs = "", .lines = with->lines };
	struct report *r = make_report(with->path, with->addr, &o);
	struct annotate a = { 0 };
	uint32_t function;
	bool good;

	if (!r)
		return false;
	good = annotate_find(r, NULL, 0, &function, 1) == 1;
	if (!good)
		ok(r->p->no_memory);
	good = good && annotate_make(r, function, &a);
	nomem_pause();
	if (good) {
		is_str(report_text(r, r->functions.at[function].name), "inner");
		is(a.total[0], 20);
		ok(a.insns.nr >= 2);
		ok(a.insns.at[0].file && strstr(a.insns.at[0].file, "small_program.c"));
	}
	annotate_free(&a);
	report_free(r);
	return good;
}

static void annotating(void)
{
	struct annotated with = { program, inner_offset(), false };

	make_riscv();
	nomem_each(annotates, &with, NOMEM_NEEDS_ALL);
	with.path = riscv_path;
	nomem_each(annotates, &with, NOMEM_NEEDS_ALL);
	with.lines = true;
	nomem_each(annotates, &with, NOMEM_NEEDS_ALL);
	unlink(riscv_path);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "each form of output", each_form },
		{ "annotate", annotating },
	};

	program = argc == 2 ? argv[1] : "";

	return tap_run(cases, TAP_NR(cases));
}
