// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_annotate.c - which function is annotated, which line gets which number, source lines, and
 * which instructions an encoding is.
 */
#include <fcntl.h>
#include <libelf.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "annotate.h"
#include "isa.h"
#include "scratch.h"

/* Functions of a profile built here, in two processes, without any file. */
static struct report *make(bool json)
{
	static struct report_options o = { .symfs = "" };
	static const char kallsyms[] = "ffffffff80000000 T f\033r\302\233st\n"
				       "ffffffff80001000 T second\n"
				       "ffffffff80002000 T third\n";
	static const struct {
		uint64_t addr, weight;
		unsigned process;
	} counts[] = {
		{ 0xffffffff80001008, 30, 0 }, { 0xffffffff80001000, 5, 0 },
		{ 0xffffffff80001008, 4, 1 },  { 0xffffffff80002004, 70, 1 },
		{ 0xffffffff80000004, 0, 0 },  { 0xffffffff80001006, 0, 1 },
	};
	struct report *r = calloc(1, sizeof(*r));
	uint32_t event, kernel, process[2];

	o.json = json;
	r->o = &o;
	r->path = "profile";
	r->p = profile_new();
	event = profile_add_event(r->p, "cycles", true);
	process[0] = profile_add_process(r->p, 1, "a");
	process[1] = profile_add_process(r->p, 2, "b");
	ok(profile_add_kallsyms(r->p, kallsyms, strlen(kallsyms)));
	kernel = profile_find_kernel(r->p, 0xffffffff80000000);
	for (unsigned i = 0; i < TAP_NR(counts); i++) {
		uint32_t place = profile_add_place(r->p, process[counts[i].process], kernel,
						   counts[i].addr);

		profile_add(r->p, profile_add_stack(r->p, place, PROFILE_NONE), event,
			    counts[i].weight, 0);
	}
	ok(report_resolve(r));
	return r;
}

static void which_function(void)
{
	struct report *r = make(false);
	uint32_t functions[4];

	is(annotate_find(r, NULL, 0, functions, 4), 1);
	is_str(report_text(r, r->functions.at[functions[0]].name), "third");
	is(annotate_find(r, "second", 0, functions, 4), 1);
	is(r->functions.at[functions[0]].addr, 0xffffffff80001000);
	is(annotate_find(r, "secon", 0, functions, 4), 0);
	is(annotate_find(r, "third", 0, functions, 0), 1);
	/* As reports print it, and as the file has it. */
	is(annotate_find(r, "f?r??st", 0, functions, 4), 1);
	is(r->functions.at[functions[0]].addr, 0xffffffff80000000);
	is(annotate_find(r, "f\033r\302\233st", 0, functions, 4), 1);
	is(annotate_find(r, "f\033r\302\233", 0, functions, 4), 0);
	report_free(r);
	r = make(true); /* the same in JSON, which escapes the name */
	is(annotate_find(r, "f?r??st", 0, functions, 4), 1);
	is_str(report_text(r, r->functions.at[functions[0]].name), "f\033r\302\233st");
	is(annotate_find(r, "f\033r\302\233st", 0, functions, 4), 1);
	is(annotate_find(r, "f\033r\302\233", 0, functions, 4), 0);
	is(annotate_find(r, "second", 0, functions, 4), 1);
	report_free(r);
}

/* A profile without a sample. */
static void nothing(void)
{
	static const struct report_options o = { .symfs = "" };
	struct report *empty = calloc(1, sizeof(*empty));
	uint32_t function;

	empty->o = &o;
	empty->p = profile_new();
	profile_add_event(empty->p, "cycles", true);
	ok(report_resolve(empty));
	is(annotate_find(empty, NULL, 0, &function, 1), 0);
	is(annotate_find(empty, "first", 0, &function, 1), 0);
	report_free(empty);
}

static void where_the_numbers_go(void)
{
	struct report *r = make(false);
	struct annotate a;
	char text[ANNOTATE_TEXT];
	uint32_t function;

	is(annotate_find(r, "second", 0, &function, 1), 1);
	ok(annotate_make(r, function, &a));
	is(a.total[0], 39);
	is(a.insns.nr, 2);
	is(a.insns.at[0].addr, 0xffffffff80001000);
	is(a.insns.at[0].self[0], 5);
	is(a.insns.at[1].addr, 0xffffffff80001008);
	is(a.insns.at[1].self[0], 34);
	is(a.insns.at[1].samples[0], 0);
	annotate_plain(&a, 1, text);
	is_str(text, "");
	is(a.columns, 0);
	is_str(a.partly, "the file with its code is not here");
	annotate_free(&a);
	report_free(r);
}

/* Resolves the profile again, which has more code now, and lists the instructions of second. */
static void annotate_second(struct report *r, struct annotate *a)
{
	uint32_t function;

	free(r->images);
	free(r->spans);
	ok(report_resolve(r));
	is(annotate_find(r, "second", 0, &function, 1), 1);
	ok(annotate_make(r, function, a));
}

/* An exact profile has all code that ran, even if no other event happened there. */
static void what_ran(void)
{
	struct report *r = make(false);
	uint32_t kernel = profile_find_kernel(r->p, 0xffffffff80000000);
	char text[ANNOTATE_TEXT];
	uint64_t distance;
	struct annotate a;

	profile_set_code(r->p, 0, 0x0001); /* at 0xffffffff80001008 */
	profile_set_code(r->p, profile_add_place(r->p, 0, kernel, 0xffffffff8000100a), 0x00a28293);
	is(profile_code(r->p, 0), 1);
	is(profile_code(r->p, 1), 0);
	is(profile_code(r->p, 1000), 0);
	annotate_second(r, &a);
	is(a.insns.nr, 3);
	annotate_plain(&a, 0, text);
	is_str(text, "");
	annotate_plain(&a, 1, text);
	is_str(text, "c:addi zero,zero,0");
	is(annotate_assembly(r, &a, 1, text, &distance), NULL);
	is_str(text, "nop");
	is(a.insns.at[1].self[0], 34);
	is(a.insns.at[2].addr, 0xffffffff8000100a);
	annotate_plain(&a, 2, text);
	is_str(text, "addi t0,t0,10");
	is(a.insns.at[2].self[0], 0);
	annotate_free(&a);

	/* The same word is another instruction on a CPU with XTheadVector. */
	profile_set_code(r->p, profile_add_place(r->p, 0, kernel, 0xffffffff8000100e), 0x00807657);
	annotate_second(r, &a);
	annotate_plain(&a, 3, text);
	is_str(text, "vsetvli a2,zero,e16,m1,tu,mu");
	annotate_free(&a);
	r->p->extensions = strdup("i c xtheadvector");
	annotate_second(r, &a);
	annotate_plain(&a, 3, text);
	is_str(text, "th.vsetvli a2,zero,e32,m1,d1");
	annotate_free(&a);
	report_free(r);
}

/* Two loops, one in the other, a branch out of the function, and a call of itself. */
static void loops(void)
{
	static const struct {
		uint64_t at;
		uint32_t raw;
		const char *text, *target, *ascii, *utf8;
		unsigned distance;
	} rows[] = {
		{ 0x1000, 0x00000513, "li a0,0", NULL, "    ", "    " },
		{ 0x1004, 0x00000593, "li a1,0", NULL, "+-> ", "┌─> " },
		{ 0x1008, 0x00158593, "addi a1,a1,1", NULL, "|+> ", "│┌> " },
		{ 0x100c, 0xfea5cee3, "blt a1,a0,ffffffff80001008", "second", "|+- ", "│└─ ", 8 },
		{ 0x1010, 0x00050463, "beqz a0,ffffffff80001018", "second", "|   ", "│   ", 0x18 },
		{ 0x1014, 0xfedff0ef, "jal ffffffff80001000", "second", "|   ", "│   " },
		{ 0x1018, 0xfedff06f, "j ffffffff80001004", "second", "+-- ", "└── ", 4 },
		{ 0x101c, 0x7e50006f, "j ffffffff80002000", "third", "    ", "    " },
	};
	struct report *r = make(false);
	uint32_t kernel = profile_find_kernel(r->p, 0xffffffff80000000);
	char text[ANNOTATE_TEXT], margin[ANNOTATE_MARGIN];
	struct annotate a;

	for (unsigned i = 0; i < TAP_NR(rows); i++)
		profile_set_code(r->p,
				 profile_add_place(r->p, 0, kernel,
						   0xffffffff80000000 + rows[i].at),
				 rows[i].raw);
	annotate_second(r, &a);
	is(a.loops.nr, 2);
	is(a.columns, 2);
	for (unsigned i = 0, n = 0; i < TAP_NR(rows) && n < a.insns.nr; i++, n++) {
		uint64_t distance = 0;
		const char *target;

		while (n + 1 < a.insns.nr && (a.insns.at[n].place & 0xffff) != rows[i].at)
			n++;
		tap_context("%s", rows[i].text);
		target = annotate_assembly(r, &a, n, text, &distance);
		is_str(text, rows[i].text);
		is_str(target ? target : "", rows[i].target ? rows[i].target : "");
		is(distance, rows[i].distance);
		annotate_margin(&a, n, false, margin);
		is_str(margin, rows[i].ascii);
		annotate_margin(&a, n, true, margin);
		is_str(margin, rows[i].utf8);
	}
	annotate_free(&a);
	report_free(r);
}

/* Calls and jumps through a register that auipc has set. */
static void far_calls(void)
{
	static const struct {
		uint32_t raw;
		const char *target;
		unsigned distance;
	} rows[] = {
		{ 0x00001097, NULL, 0 }, /* auipc ra,0x1 */
		{ 0x000080e7, "third", 0 }, /* jalr ra,0(ra) */
		{ 0x00001317, NULL, 0 }, /* auipc t1,0x1 */
		{ 0x00030067, "third", 8 }, /* jr t1 */
		{ 0x00001097, NULL, 0 },	 { 0xff0080e7, "third", 0 }, /* jalr ra,-16(ra) */
		{ 0xfffff097, NULL, 0 }, /* auipc ra,0xfffff */
		{ 0x010080e7, "f?r??st", 0x28 }, /* jalr ra,16(ra) */
		{ 0x00001317, NULL, 0 },	 { 0x000080e7, NULL, 0 }, /* another register */
		{ 0x00001097, NULL, 0 },	 { 0x00000013, NULL, 0 },
		{ 0x000080e7, NULL, 0 }, /* not directly after it */
	};
	struct report *r = make(false);
	uint32_t kernel = profile_find_kernel(r->p, 0xffffffff80000000);
	uint64_t begin = 0xffffffff80001000;
	char text[ANNOTATE_TEXT];
	struct annotate a;

	for (unsigned i = 0; i < TAP_NR(rows); i++)
		profile_set_code(r->p, profile_add_place(r->p, 0, kernel, begin + 4 * i),
				 rows[i].raw);
	annotate_second(r, &a);
	for (size_t n = 0, i; n < a.insns.nr; n++) {
		uint64_t distance = 0;
		const char *target = annotate_assembly(r, &a, n, text, &distance);

		i = (a.insns.at[n].place - begin) / 4;
		if ((a.insns.at[n].place & 3) || i >= TAP_NR(rows))
			continue;
		tap_context("instruction %zu", i);
		is_str(target ? target : "", rows[i].target ? rows[i].target : "");
		is(distance, rows[i].distance);
	}
	annotate_free(&a);
	report_free(r);
}

static void lines_of_sources(void)
{
	static const char text[] = "one\n\n  three\nfour without an end";
	char path[] = "test_sources.XXXXXX";
	struct sources s = { .symfs = "" }, in_folder = { .symfs = "." };
	char far[64];

	scratch_file(path, text, strlen(text));
	is_str(sources_line(&s, path, 1), "one");
	is_str(sources_line(&s, path, 2), "");
	is_str(sources_line(&s, path, 3), "  three");
	is_str(sources_line(&s, path, 4), "four without an end");
	ok(!sources_line(&s, path, 5));
	ok(!sources_line(&s, path, 0));
	ok(!sources_line(&s, "not/there.c", 1));
	snprintf(far, sizeof(far), "/build/far/%s", path);
	ok(!sources_line(&s, far, 1));
	is_str(sources_line(&in_folder, far, 3), "  three");
	unlink(path);
	is_str(sources_line(&s, path, 3), "  three");
	sources_free(&s);
	sources_free(&in_folder);
}

/* Lines of a hostile file have no control characters, and come from the file in the root. */
static void hostile_sources(void)
{
	char root[] = "test_root.XXXXXX", path[64], name[NAME_MAX + 1];
	struct sources s = { .symfs = root };
	FILE *f;

	ok(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/a.c", root);
	f = fopen(path, "w");
	fputs("\tint x; // \033]0;title\007\x9b"
	      "31m\xe2\x80\xae"
	      "txt\r\n",
	      f);
	fclose(f);
	is_str(sources_line(&s, "/build/../a.c", 1), "\tint x; // ?]0;title??31m???txt");
	is_str(sources_file_name("/a/\033]0;b\007\x9b/\033[31mfile.c", name), "?[31mfile.c");
	ok(!sources_line(&s, "../../../../../../../../../etc/passwd", 1));
	ok(!sources_line(&s, "/../etc/passwd", 1));
	unlink(path);
	mkfifo(path, 0644);
	alarm(10);
	ok(!sources_line(&s, "a.c", 1));
	alarm(0);
	unlink(path);
	rmdir(root);
	sources_free(&s);
}

/* Two places of "second" get an inlined "inner", the one with less events first. */
static void inlined_into(void)
{
	struct report *r = make(false);
	uint32_t inner = r->functions.nr - 1, second, third;

	ok(!annotate_inlined_into(r, "third", 0));
	is(annotate_find(r, "second", 0, &second, 1), 1);
	is(annotate_find(r, "third", 0, &third, 1), 1);
	ok(VEC_ROOM(&r->frames, 4));
	for (uint32_t place = 0; place < 4; place += 3) {
		r->spans[place] = (struct report_span){ r->frames.nr, 2 };
		r->frames.at[r->frames.nr++] = (struct report_frame){ .function = inner,
								      .file = PROFILE_NONE,
								      .inlined = true };
		r->frames.at[r->frames.nr++] = (struct report_frame){ .function = place ? third
											: second,
								      .file = PROFILE_NONE };
	}
	is_str(annotate_inlined_into(r, report_text(r, r->functions.at[inner].name), 0), "third");
	ok(!annotate_inlined_into(r, "second", 0));
	report_free(r);
}

/* An address or a source line instead of a function's name. */
static void functions_at(void)
{
	static const struct {
		const char *text, *function;
		bool is_place;
	} rows[] = {
		{ "0xffffffff80001008", "second", true },
		{ "ffffffff80001008", "second", false },
		{ "0xffffffff80001ffe", "second", true },
		{ "0xffffffff80002004", "third", true },
		{ "0xffffffff80000000", "f?r??st", true }, /* nothing was counted there */
		{ "0x1008", NULL, true },
		{ "face", NULL, false },
		{ "second", NULL, false },
		{ "mix.c:7", "third", true },
		{ "./mix.c:7", "third", true },
		{ "src/mix.c:7", "third", true },
		{ "t.c:3", "second", true },
		{ "x.c:7", NULL, true },
		{ "other/src/mix.c:7", NULL, true },
		{ "mix.c:8", NULL, true },
		{ "mix.c:0", NULL, false },
		{ "mix.c:7x", NULL, false },
		{ "mix.c:", NULL, false },
		{ ":7", NULL, false },
		{ "std::mix", NULL, false },
	};
	struct report *r = make(false);
	uint32_t mix = report_string(r, "/home/src/mix.c"), second, third;

	is(annotate_find(r, "second", 0, &second, 1), 1);
	is(annotate_find(r, "third", 0, &third, 1), 1);
	ok(VEC_ROOM(&r->frames, 4));
	/* Place 0 is in second, place 3 in third; more happened at the latter. */
	for (uint32_t place = 0; place < 4; place += 3) {
		r->spans[place] = (struct report_span){ r->frames.nr, 2 };
		r->frames.at[r->frames.nr++] = (struct report_frame){
			.function = place ? second : third, .file = mix, .line = 7, .inlined = true
		};
		r->frames.at[r->frames.nr++] = (struct report_frame){
			.function = place ? third : second,
			.file = place ? PROFILE_NONE : report_string(r, "t.c"),
			.line = 3,
		};
	}
	for (unsigned i = 0; i < TAP_NR(rows); i++) {
		bool is_place;
		const char *name = annotate_function_at(r, rows[i].text, 0, &is_place);

		tap_context("%s", rows[i].text);
		is_str(name ? name : "", rows[i].function ? rows[i].function : "");
		is(is_place, rows[i].is_place);
	}
	report_free(r);
}

/* Writes a file for RISC-V with this ISA string among its attributes. */
static void write_attributes(const char *path, const char *isa)
{
	static char names[] = "\0.shstrtab\0.riscv.attributes";
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	Elf *elf = elf_begin(fd, ELF_C_WRITE, NULL);
	Elf64_Ehdr *h = elf64_newehdr(elf);

	h->e_ident[EI_DATA] = ELFDATA2LSB;
	h->e_machine = EM_RISCV;
	for (unsigned n = 0; n < 2; n++) {
		Elf_Scn *scn = elf_newscn(elf);
		Elf_Data *data = elf_newdata(scn);
		Elf64_Shdr *section = elf64_getshdr(scn);

		section->sh_type = n ? SHT_RISCV_ATTRIBUTES : SHT_STRTAB;
		section->sh_name = n ? 11 : 1;
		data->d_buf = n ? (void *)isa : names;
		data->d_size = n ? strlen(isa) + 1 : sizeof(names);
		data->d_align = 1;
	}
	h->e_shstrndx = 1;
	ok(elf_update(elf, ELF_C_WRITE) > 0);
	elf_end(elf);
	close(fd);
}

static void attributes(void)
{
	char path[] = "/tmp/holter-attributes.XXXXXX";
	const char *why = "";
	struct elf_image *e;

	close(mkstemp(path));
	elf_version(EV_CURRENT);
	write_attributes(path, "A2riscv rv64i2p1_v0p7_zca1p0_zcmp1p0_zcmtx1p0_xtheadvector1p0");
	e = elf_image_open(path, "", NULL, 0, &why);
	ok(e != NULL);
	ok(e && elf_image_uses(e, "zcmp"));
	ok(e && elf_image_uses(e, "zca"));
	ok(e && elf_image_uses(e, "v0p7"));
	ok(e && elf_image_uses(e, "xtheadvector"));
	ok(e && !elf_image_uses(e, "zcm"));
	ok(e && !elf_image_uses(e, "zcmt"));
	elf_image_close(e);
	unlink(path);
}

/* What an encoding is, the file says, or else the CPU of the recording. */
static void encodings(void)
{
	static const struct {
		const char *attributes, *extensions;
		bool thead, zcm;
	} cases[] = {
		{ NULL, NULL, false, false },
		{ NULL, "i c zca xtheadvector", true, false },
		{ NULL, "i zca zcmp", false, true },
		{ NULL, "i zcmt v", false, true },
		{ "rv64i2p1_m2p0_c2p0_zca1p0_zcd1p0", "i c xtheadvector", true, false },
		{ "rv64i2p1_v1p0_zve32x1p0", "xtheadvector", false, false },
		{ "rv64i2p1_zve32x1p0", "xtheadvector", false, false },
		{ "rv64i2p1_v0p7", "i v", true, false },
		{ "rv64i2p1_xtheadvector1p0", NULL, true, false },
		{ "rv64i2p1_zca1p0", "zcmp", false, true },
		{ "rv64i2p1_c2p0_zca1p0", "zcmp", false, false },
		{ "rv64i2p1_zca1p0_zcmp1p0", NULL, false, true },
		{ "rv64i2p1_zca1p0_zcmt1p0", "c zcd", false, true },
	};
	char path[] = "/tmp/holter-encodings.XXXXXX";
	const char *why = "";

	close(mkstemp(path));
	elf_version(EV_CURRENT);
	for (unsigned n = 0; n < TAP_NR(cases); n++) {
		struct profile *p = profile_new();
		struct elf_image *e = NULL;
		static struct isa_index isa;

		tap_context("case %u", n);
		p->extensions = cases[n].extensions ? strdup(cases[n].extensions) : NULL;
		if (cases[n].attributes) {
			write_attributes(path, cases[n].attributes);
			e = elf_image_open(path, "", NULL, 0, &why);
			ok(e != NULL);
		}
		annotate_choose_isa(&isa, p, e);
		is(isa.thead, cases[n].thead);
		is(isa.zcm, cases[n].zcm);
		elf_image_close(e);
		profile_free(p);
	}
	unlink(path);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "which function", which_function },
		{ "the function at a place", functions_at },
		{ "nothing to annotate", nothing },
		{ "into which function another is inlined", inlined_into },
		{ "the line of each number", where_the_numbers_go },
		{ "code that ran and whose file is missing", what_ran },
		{ "loops, pseudo-instructions and targets", loops },
		{ "far calls, by auipc and jalr", far_calls },
		{ "lines of sources", lines_of_sources },
		{ "lines of hostile sources", hostile_sources },
		{ "extensions that a file uses", attributes },
		{ "encodings with two meanings", encodings },
	};

	return tap_run(cases, TAP_NR(cases));
}
