// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_report.c - the output for a small profile, to the letter: rows, the tree, and each format.
 * The functions are the kernel's, from a kallsyms file, so that no ELF file is needed; ELF files
 * are tested with this program itself.
 */
#include <elf.h>
#include <fcntl.h>
#include <libelf.h>
#include <stdlib.h>
#include <unistd.h>

#include "annotate.h"
#include "jitdump_made.h"
#include "out.h"
#include "perf_build.h"
#include "report.h"
#include "said.h"
#include "scratch.h"

#define PLAIN  (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)
#define KERNEL PERF_RECORD_MISC_KERNEL
#define BASE   0xffffffff80000000

static const char kallsyms[] = "ffffffff80000000 T _text\n"
			       "ffffffff80001000 T outer\n"
			       "ffffffff80002000 t inner\n"
			       "ffffffff80003000 T a;b</script>\n"
			       "ffffffff01000000 t probe\t[mod]\n";

static const char *symbols = kallsyms;
static char data_path[64], kallsyms_path[64];

static void new_file(char *path, const void *data, size_t len)
{
	strcpy(path, "test_report.XXXXXX");
	scratch_file(path, data, len);
}

/* The address where a function continues after a call. */
#define CALLS(address) (BASE + (address) + 4)

static struct report *load(struct report_options *o, bool chains)
{
	static struct perf_build records, file;
	static const uint64_t flat[] = { BASE + 0x2000 };
	static const uint64_t deep[] = { CALLS(0x1000), CALLS(0x1010), BASE + 0x2000 };
	static const uint64_t recursive[] = { CALLS(0x1000), CALLS(0x1010), BASE + 0x1020 };
	static const uint64_t odd[] = { CALLS(0x1000), BASE + 0x3000 };
	struct report *r;

	memset(&records, 0, sizeof(records));
	memset(&file, 0, sizeof(file));
	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, PLAIN | PERF_SAMPLE_CALLCHAIN, 100);
	build_comm(&records, 7, 7, "x", false, 1);
	build_kernel_calls(&records, 2, chains ? deep : flat, chains ? 3 : 1);
	build_kernel_calls(&records, 3, chains ? deep : flat, chains ? 3 : 1);
	build_kernel_calls(&records, 4, chains ? recursive : recursive + 2, chains ? 3 : 1);
	build_kernel_calls(&records, 5, chains ? odd : odd + 1, chains ? 2 : 1);
	build_file(&file, &records, NULL, 0);
	new_file(data_path, file.bytes, file.len);
	new_file(kallsyms_path, symbols, strlen(symbols));
	*o = (struct report_options){ .symfs = "", .kallsyms = kallsyms_path };
	r = report_load(data_path, o);
	unlink(data_path);
	unlink(kallsyms_path);
	if (!ok(r != NULL))
		exit(1);
	r->path = "perf.data";
	ok(report_resolve(r));
	return r;
}

typedef bool output(struct report *r, const struct report_view *v, FILE *to);

static char *text_of(struct report *r, output *out, unsigned keys, bool graph)
{
	struct report_view v = { .keys = keys, .graph = graph, .inlined = true };
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	ok(report_choose_events(r, NULL, &v.events));
	ok(out(r, &v, to));
	fclose(to);
	return text;
}

static void is_output(struct report *r, output *out, unsigned keys, bool graph, const char *want)
{
	char *text = text_of(r, out, keys, graph);

	is_str(text, want);
	free(text);
}

static void a_table(void)
{
	struct report_options o;
	struct report *r = load(&o, false);

	is_output(r, report_out_text, REPORT_COMM | REPORT_OBJECT | REPORT_SYMBOL, false,
		  "# cycles: about 400, from 4 samples\n"
		  "#\n"
		  "   Share         Samples  Command  Object    Symbol\n"
		  "  50.00%               2  x        [kernel]  inner\n"
		  "  25.00%               1  x        [kernel]  outer\n"
		  "  25.00%               1  x        [kernel]  a;b</script>\n");
	is_output(r, report_out_text, REPORT_PID | REPORT_ADDR, false,
		  "# cycles: about 400, from 4 samples\n"
		  "#\n"
		  "   Share         Samples  Pid  Address\n"
		  "  50.00%               2  7    0xffffffff80002000\n"
		  "  25.00%               1  7    0xffffffff80001020\n"
		  "  25.00%               1  7    0xffffffff80003000\n");
	is_output(r, report_out_folded, 0, false,
		  "x;[kernel];inner_[k] 200\n"
		  "x;[kernel];outer_[k] 100\n"
		  "x;[kernel];a:b</script>_[k] 100\n");
	report_free(r);
}

/*
 * Where all cycles of an exact profile go: the causes, the largest first, equal ones in their order
 * in the file.  What is less than a thousandth is left out, and wait-read has its places in it.
 */
static void where_cycles_go(void)
{
	static const struct {
		const char *name;
		bool exact;
		uint64_t weight;
	} events[] = {
		{ "cycles", true, 10000 },
		{ "instructions", true, 7000 },
		{ "wait-load", true, 1200 },
		{ "wait-fetch", true, 500 },
		{ "wait-read", true, 2500 },
		{ "wait-read-ll", true, 900 },
		{ "wait-read-memory", true, 1600 },
		{ "wait-int", true, 500 },
		{ "wait-fp", true, 10 },
		{ "wait-serial", true, 9 },
		{ "wait-branch", false, 3000 },
	};
	struct report_options o = { .symfs = "" };
	struct report *r = calloc(1, sizeof(*r));
	uint32_t stack;
	char *text;

	r->o = &o;
	r->path = "profile";
	r->p = profile_new();
	for (unsigned n = 0; n < TAP_NR(events); n++)
		profile_add_event(r->p, events[n].name, events[n].exact);
	stack = profile_add_object(r->p, PROFILE_UNKNOWN, "[unknown]", NULL, 0);
	stack = profile_add_place(r->p, profile_add_process(r->p, 1, "a"), stack, BASE);
	stack = profile_add_stack(r->p, stack, PROFILE_NONE);
	for (unsigned n = 0; n < TAP_NR(events); n++)
		profile_add(r->p, stack, n, events[n].weight, 1);
	ok(report_resolve(r));
	text = text_of(r, report_out_text, REPORT_COMM, false);
	ok(strstr(text, "# cycles: 10,000, all of them\n"
			"# of these cycles: 52.8% issuing, 25.0% wait-read, 12.0% wait-load, "
			"5.0% wait-fetch, 5.0% wait-int, 0.1% wait-fp\n"));
	free(text);
	/* Without a cause there is nothing to tell. */
	for (unsigned n = 2; n < TAP_NR(events); n++)
		r->p->events.at[n].total = 0;
	text = text_of(r, report_out_text, REPORT_COMM, false);
	ok(strstr(text, "# cycles: 10,000, all of them\n") && !strstr(text, "issuing"));
	free(text);
	report_free(r);
}

/* What there is one of has no s. */
static void one_of_them(void)
{
	static struct perf_build records, file;
	static const char *const samples[] = { "from 1 sample\n", "from 2 samples\n",
					       "from 3 samples\n" };
	static const char *const rows[] = { "1  0x1010\n", "# 1 more row with smaller counts",
					    "# 2 more rows with smaller counts" };
	struct report_options o = { .symfs = "" };
	struct report_view v = { .keys = REPORT_ADDR, .inlined = true, .max_rows = 1 };

	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, PLAIN, 100);
	build_comm(&records, 7, 7, "x", false, 1);
	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct report *r;
		char *text = NULL;
		size_t len;
		FILE *to = open_memstream(&text, &len);

		build_sample(&records, PERF_RECORD_MISC_USER, 7, 0x1010 + 16 * n, 2);
		memset(&file, 0, sizeof(file));
		build_file(&file, &records, NULL, 0);
		new_file(data_path, file.bytes, file.len);
		r = report_load(data_path, &o);
		unlink(data_path);
		ok(r && report_resolve(r) && report_choose_events(r, NULL, &v.events));
		ok(report_out_text(r, &v, to));
		fclose(to);
		ok(strstr(text, samples[n]) && strstr(text, rows[n]));
		free(text);
		report_free(r);
	}
}

/* Long numbers of the notes have commas. */
static void notes_with_numbers(void)
{
	struct report_options o;
	struct report *r = load(&o, false);

	r->p->lost = 1234567;
	r->p->throttled = 1000;
	r->p->stack_copies = 70000;
	r->p->stacks_unwound = 1;
	is_output(r, report_out_text, REPORT_COMM, false,
		  "# cycles: about 400, from 4 samples\n"
		  "# 1,234,567 samples were lost, and are not in these numbers\n"
		  "# the kernel held back samples 1,000 times; a longer period avoids that\n"
		  "# callers in programs are missing in 69,999 of 70,000 samples: their files, or "
		  "what these say of frames (.eh_frame), are not here; see --symfs\n"
		  "#\n"
		  "   Share         Samples  Command\n"
		  " 100.00%               4  x\n");
	report_free(r);
}

static void names_that_command(void)
{
	static struct perf_build records, file;
	struct report_options o = { .symfs = "" };
	struct report *r;
	char *text;

	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, PLAIN, 100);
	build_comm(&records, 7, 7, "x\033[2J", false, 1);
	build_mmap(&records, 7, 0x1000, 0x1000, 0, "/none/a\033]0;b\007", 0);
	build_sample(&records, PERF_RECORD_MISC_USER, 7, 0x1010, 2);
	build_file(&file, &records, NULL, 0);
	new_file(data_path, file.bytes, file.len);
	r = report_load(data_path, &o);
	unlink(data_path);
	ok(r && report_resolve(r));
	text = text_of(r, report_out_text, REPORT_COMM | REPORT_OBJECT, false);
	ok(strstr(text, "100.00%               1  x?[2J    a?]0;b?\n"));
	ok(!strpbrk(text, "\033\007"));
	free(text);
	report_free(r);
	/* JSON escapes them, and loses none. */
	o.json = true;
	new_file(data_path, file.bytes, file.len);
	r = report_load(data_path, &o);
	unlink(data_path);
	ok(r && report_resolve(r));
	text = text_of(r, report_out_json, REPORT_COMM | REPORT_OBJECT, false);
	ok(strstr(text, "\"comm\": \"x\\u001b[2J\""));
	ok(strstr(text, "/none/a\\u001b]0;b\\u0007\""));
	ok(!strpbrk(text, "\033\007"));
	free(text);
	report_free(r);
}

static void calls(void)
{
	struct report_options o;
	struct report *r = load(&o, true);

	/* outer calls itself, and has what that has once. */
	is_output(r, report_out_text, REPORT_SYMBOL, false,
		  "# cycles: about 400, from 4 samples\n"
		  "#\n"
		  "   Total      Self         Samples  Symbol\n"
		  "  50.00%    50.00%               2  inner\n"
		  " 100.00%    25.00%               1  outer\n"
		  "  25.00%    25.00%               1  a;b</script>\n");
	is_output(r, report_out_text, REPORT_SYMBOL, true,
		  "# cycles: about 400, from 4 samples\n"
		  "#\n"
		  "   Total      Self  Calls\n"
		  " 100.00%     0.00%  x\n"
		  " 100.00%     0.00%    outer\n"
		  "  75.00%     0.00%      outer\n"
		  "  50.00%    50.00%      | inner\n"
		  "  25.00%    25.00%      | outer\n"
		  "  25.00%    25.00%      a;b</script>\n");
	is_output(r, report_out_folded, 0, false,
		  "x;outer_[k];outer_[k];inner_[k] 200\n"
		  "x;outer_[k];outer_[k];outer_[k] 100\n"
		  "x;outer_[k];a:b</script>_[k] 100\n");
	report_free(r);
}

static void callgrind(void)
{
	struct report_options o;
	struct report *r = load(&o, true);

	is_output(r, report_out_callgrind, 0, false,
		  "# callgrind format\n"
		  "version: 1\n"
		  "creator: holter\n"
		  "positions: line\n"
		  "events: cycles\n"
		  "summary: 400\n"
		  "\nob=[kernel]\nfl=???\nfn=outer\n"
		  "fe=???\n0 100\n"
		  "fi=???\ncob=[kernel]\ncfi=???\ncfn=outer\ncalls=3 0\n0 300\n"
		  "fi=???\ncob=[kernel]\ncfi=???\ncfn=inner\ncalls=2 0\n0 200\n"
		  "fi=???\ncob=[kernel]\ncfi=???\ncfn=a;b</script>\ncalls=1 0\n0 100\n"
		  "\nob=[kernel]\nfl=???\nfn=inner\nfe=???\n0 200\n"
		  "\nob=[kernel]\nfl=???\nfn=a;b</script>\nfe=???\n0 100\n");
	report_free(r);
}

static void json(void)
{
	struct report_options o;
	struct report *r = load(&o, true);
	char *text;

	text = text_of(r, report_out_json, REPORT_SYMBOL, false);
	ok(strstr(text,
		  "{\"symbol\": \"outer\", \"self\": [100], \"samples\": [1], \"total\": [400]}") !=
	   NULL);
	ok(strstr(text, "\"events\": [\n") != NULL);
	free(text);
	text = text_of(r, report_out_json, REPORT_SYMBOL, true);
	ok(strstr(text, "{\"kind\": \"all\", \"name\": \"all\", \"parent\": null, \"self\": [0], "
			"\"total\": [400]}") != NULL);
	ok(strstr(text, "{\"kind\": \"function\", \"name\": \"inner\", \"object\": \"[kernel]\", "
			"\"parent\": 3, \"self\": [200], \"total\": [200]}") != NULL);
	free(text);
	report_free(r);
}

static unsigned occurrences(const char *text, const char *what)
{
	unsigned n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

/* No name can end the page's data, and nothing of the page is missing. */
static void html(void)
{
	struct report_options o;
	struct report *r = load(&o, true);
	char *text;

	text = text_of(r, report_out_html, 0, false);
	is(occurrences(text, "</script>"), 3); /* the profile, the code and the scripts */
	is(occurrences(text, "a;b\\u003c/script>"), 1);
	is(occurrences(text, "@DATA@") + occurrences(text, "@CODE@") +
		   occurrences(text, "@SCRIPTS@"),
	   0);
	is(occurrences(text, "http"), 2); /* http-equiv, and the name of SVG */
	ok(strlen(text) > 7 && !strcmp(text + strlen(text) - 8, "</html>\n"));
	free(text);
	report_free(r);
}

__attribute__((noinline)) static int known_function(volatile int *x)
{
	return *x + *x;
}

enum { KNOWN_LINE = __LINE__ - 4 };

static void this_program(void)
{
	const struct symbol_table *t;
	const struct symbol *s = NULL;
	struct source_line lines[8];
	struct elf_image *e;
	const char *why = "";
	volatile int x = 21;
	uint64_t offset = 0, rest, addr;
	char code[4];

	is(known_function(&x), 42);
	e = elf_image_open("/proc/self/exe", "", NULL, 0, &why);
	ok(e != NULL);
	if (!e)
		return;
	t = elf_image_symbols(e);
	for (size_t i = 0; i < t->nr; i++) {
		if (!strcmp(t->at[i].name, "known_function"))
			s = &t->at[i];
	}
	ok(s != NULL);
	ok(s && elf_image_offset(e, s->addr, &offset, &rest));
	ok(s && elf_image_address(e, offset, &addr) && addr == s->addr);
	ok(s && elf_image_code(e, s->addr, code, sizeof(code)) == sizeof(code) &&
	   !memcmp(code, (const void *)known_function, sizeof(code)));
	is(s ? elf_image_lines(e, s->addr, lines, 8) : 0, 1);
	is_str(lines[0].function, "known_function");
	is(lines[0].line, KNOWN_LINE);
	ok(strstr(lines[0].file, "test_report.c") != NULL);
	is(elf_image_is_riscv(e), 0);
	elf_image_close(e);
	ok(!elf_image_open("/proc/self/exe", "", (const uint8_t *)"none", 4, &why));
	is_str(why, "it is another build than the one that ran");
	ok(!elf_image_open("/proc/self/status", "", NULL, 0, &why));
	is_str(why, "it is not an ELF file");
	ok(!elf_image_open("not/there", "", NULL, 0, &why));
}

#define MOVED_TO (BASE + 0x12340) /* the address of the symbol that the kernel's record names */

static struct report *load_with_vmlinux(struct report_options *o, const char *symbol)
{
	static struct perf_build records, file;
	struct report *r;
	char name[64];

	memset(&records, 0, sizeof(records));
	memset(&file, 0, sizeof(file));
	snprintf(name, sizeof(name), "[kernel.kallsyms]%s", symbol);
	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, PLAIN, 100);
	build_comm(&records, 7, 7, "x", false, 1);
	build_mmap(&records, UINT32_MAX, BASE, 0x1000000, MOVED_TO, name, 0);
	build_sample(&records, KERNEL, 7, MOVED_TO, 2);
	build_file(&file, &records, NULL, 0);
	new_file(data_path, file.bytes, file.len);
	*o = (struct report_options){ .symfs = "", .vmlinux = "/proc/self/exe", .lines = true };
	r = report_load(data_path, o);
	unlink(data_path);
	return r && report_resolve(r) ? r : NULL;
}

static void keep_note(void *cookie, const char *text)
{
	snprintf(cookie, 256, "%s", text);
}

/* This program takes the place of a kernel that was moved when it started. */
static void the_kernels_own_file(void)
{
	struct report_options o;
	struct report *r = load_with_vmlinux(&o, "known_function");
	char note[256] = "";

	ok(r != NULL);
	is_str(report_text(r, r->functions.at[0].name), "known_function");
	is(r->functions.at[0].addr, MOVED_TO);
	is(r->frames.nr, 1);
	is(r->frames.at[0].line, KNOWN_LINE);
	ok(strstr(report_text(r, r->frames.at[0].file), "test_report.c") != NULL);
	report_notes(r, keep_note, note);
	is_str(note, "");
	report_free(r);

	r = load_with_vmlinux(&o, "_text_of_another");
	ok(r != NULL);
	is_str(report_text(r, r->functions.at[0].name), "[no symbol]");
	report_notes(r, keep_note, note);
	is_str(note,
	       "[kernel] has no symbols: its file lacks the symbol that tells where it was loaded");
	report_free(r);
}

static void code_that_programs_write(void)
{
	struct symbol_table t = { 0 };
	const struct symbol *s;

	ok(jit_parse(&t, "1000 20 LazyCompile:*loop /srv/x.js:3\n"
			 "rubbish\n"
			 "2000 0 empty\n"
			 "3000 10\n"
			 "4000 8 last"));
	is(t.nr, 2);
	s = symbols_find(&t, 0x101f);
	is_str(s ? s->name : "none", "LazyCompile:*loop /srv/x.js:3");
	ok(!symbols_find(&t, 0x1020));
	s = symbols_find(&t, 0x4000);
	is_str(s ? s->name : "none", "last");
	symbols_free(&t);
}

/* A jitdump file with one function, "loop": c.addi a0,1; c.j to itself. */
static void write_jitdump(const char *path)
{
	static const unsigned char code[] = { 0x05, 0x05, 0x01, 0xa0 };
	FILE *f = jitdump_create(path);

	jitdump_add(f, "loop", 0x2000, code, sizeof(code));
	fclose(f);
}

/* The map and the jitdump file lie beside the profile. */
static void files_of_generated_code(void)
{
	static struct perf_build records, file;
	static const struct report_options o = { .symfs = "" };
	char folder[] = "test_jit.XXXXXX", path[64];
	struct annotate a;
	struct report *r;
	uint32_t function;

	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, PLAIN, 100);
	build_comm(&records, 7, 7, "vm", false, 1);
	build_mmap(&records, 7, 0x1000, 0x2000, 0, "//anon", 1);
	build_mmap(&records, 7, 0x9000, 0x1000, 0, "/nowhere/jit-7.dump", 1);
	build_sample(&records, PERF_RECORD_MISC_USER, 7, 0x1010, 3);
	build_sample(&records, PERF_RECORD_MISC_USER, 7, 0x2002, 4);
	build_file(&file, &records, NULL, 0);
	ok(mkdtemp(folder) != NULL);
	scratch_text(folder, "perf-7.map", "1000 20 interpreted\n");
	snprintf(path, sizeof(path), "%s/jit-7.dump", folder);
	write_jitdump(path);
	snprintf(path, sizeof(path), "%s/perf.data", folder);
	{
		FILE *f = fopen(path, "w");

		fwrite(file.bytes, file.len, 1, f);
		fclose(f);
	}
	r = report_load(path, &o);
	ok(r && report_resolve(r));
	is(r->functions.nr, 2);
	is_str(report_text(r, r->functions.at[0].name), "interpreted");
	is_str(report_text(r, r->functions.at[1].name), "loop");
	is_str(report_object_name(r, r->functions.at[1].object), "jit-7.dump");
	is(annotate_find(r, "loop", 0, &function, 1), 1);
	ok(annotate_make(r, function, &a));
	ok(!a.partly);
	is(a.insns.nr, 2);
	is(a.insns.at[0].self[0], 0);
	is(a.insns.at[1].self[0], 100);
	is(a.insns.at[0].raw, 0x0505);
	annotate_free(&a);
	report_free(r);
	for (const char *const *name =
		     (const char *const[]){ "perf.data", "perf-7.map", "jit-7.dump", NULL };
	     *name; name++) {
		snprintf(path, sizeof(path), "%s/%s", folder, *name);
		unlink(path);
	}
	rmdir(folder);
}

static void names_as_they_were_written(void)
{
	struct report_options o;
	struct report *r;

	symbols = "ffffffff80000000 T _text\n"
		  "ffffffff80001000 T outer\n"
		  "ffffffff80002000 t _ZN5shape6circle4areaEd\n";
	r = load(&o, false);
	symbols = kallsyms;
	is_str(report_text(r, r->functions.at[0].name), "shape::circle::area(double)");
	is(r->functions.at[0].addr, BASE + 0x2000);
	report_free(r);
}

static void bad_choices(void)
{
	struct report_options o;
	struct report *r = load(&o, false);
	struct report_events events;

	ok(r != NULL);
	is(report_parse_keys("symbol,object"), REPORT_SYMBOL | REPORT_OBJECT);
	is(report_parse_keys("srcline,comm"), REPORT_LINE | REPORT_COMM);
	is(report_parse_keys("symbol,colour"), 0);
	ok(has_said("--sort 'colour': the keys are comm, pid, object, symbol, line, addr, data, "
		    "offset, member and sharing, with commas between them"));
	is(report_parse_keys(""), 0);
	if (!r)
		return;
	ok(report_choose_events(r, "c*", &events));
	is(events.nr, 1);
	free(r->p->events.at[0].name);
	r->p->events.at[0].name = strdup("cycles:u");
	ok(report_choose_events(r, "cycles", &events));
	is(events.nr, 1);
	ok(!report_choose_events(r, "cycles,instructions", &events));
	ok(has_said("perf.data has no event 'instructions'; --events lists those that it has"));
	report_free(r);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a table", a_table },
		{ "one, and more than one", one_of_them },
		{ "where all cycles go", where_cycles_go },
		{ "notes with numbers", notes_with_numbers },
		{ "names with control characters", names_that_command },
		{ "calls", calls },
		{ "callgrind", callgrind },
		{ "json", json },
		{ "html", html },
		{ "symbols, lines and code of this program", this_program },
		{ "code that programs generate", code_that_programs_write },
		{ "files of it beside a profile", files_of_generated_code },
		{ "the kernel's own file", the_kernels_own_file },
		{ "C++ names as in the source", names_as_they_were_written },
		{ "bad choices", bad_choices },
	};

	return tap_run(cases, TAP_NR(cases));
}
