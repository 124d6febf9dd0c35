// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_load.c - turns an exact profile into a struct profile (exact_load.h).
 *
 * It reads the file three times.  The first pass collects the events and the pages of code; then
 * exact_spaces_resolve() finds the files of the pages.  The second pass collects which code of the
 * files ran, which gives the processes their names.  The third pass adds the counts.
 */
#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exact_choose.h"
#include "exact_files.h"
#include "exact_jit.h"
#include "exact_load.h"
#include "exact_paths.h"
#include "exact_spaces.h"
#include "file.h"
#include "fit.h"
#include "idmap.h"
#include "term.h"

enum { MODE_U, MODE_S, MODE_M = 3 };
enum { SAME, DIFFERS };

struct linked { /* the file of code that is linked at fixed addresses: firmware, a kernel */
	const char *path, *otherwise; /* NULL: not known; otherwise: shown instead ([firmware]) */
	uint32_t file; /* or EXACT_NO_FILE */
};

struct loader {
	struct profile *p;
	const struct exact_load_options *o;
	struct error_text *why;
	struct exact_files *files;
	struct exact_spaces *spaces;
	struct exact_jit *jit; /* NULL: no code without a file ran yet */
	/* From the head: */
	char *firmware, *program, *kernel; /* files with symbols, or NULL */
	char *share; /* or NULL */
	uint32_t firmware_file, program_file, kernel_file; /* their numbers, or EXACT_NO_FILE */
	bool has_firmware, has_program; /* the guest had one, with or without symbols */
	uint64_t *total; /* by event of the file */
	uint64_t left_out; /* instructions of the program that starts the command */
	unsigned events, instructions; /* number of events; index of the event "instructions" */
	uint8_t *chosen; /* [event of the profile * events + event of the file] */
	bool has_kallsyms;
	uint64_t kernel_start; /* address of the Image's first byte, by kallsyms; 0: not known */
	struct idmap compared; /* by page address and mode: is its code SAME as in its file? */
	/* The second and third pass: */
	struct exact_code code;
	struct exact_home home; /* the file of its page */
	struct linked linked;
	uint64_t shift;
	uint32_t process, object;
	struct exact_paths paths;
	/* Progress: records read in all passes so far; how many there are in all, 0: not known */
	struct progress progress;
	uint64_t read, rows;
};

static void show_progress(struct loader *l)
{
	progress_step(&l->progress, l->read++, l->rows);
}

/* The head */

static char *copy(struct loader *l, const struct exact_text *t)
{
	char *text = t ? strndup(t->at, t->len) : NULL;

	l->p->no_memory |= t && !text;
	return text;
}

/*
 * The path of a file with symbols: the path itself if it is an ELF file; NAME.elf if it is
 * NAME.bin; or NULL.
 */
static char *with_symbols(struct loader *l, const struct exact_text *path)
{
	char *name = copy(l, path), magic[SELFMAG] = "";
	size_t len = name ? strlen(name) : 0;
	int fd = name ? file_open("", name) : -1;
	bool elf = fd >= 0 && read(fd, magic, SELFMAG) == SELFMAG &&
		   !memcmp(magic, ELFMAG, SELFMAG);

	if (fd >= 0)
		close(fd);
	if (!elf && len > 4 && !strcmp(name + len - 4, ".bin")) {
		strcpy(name + len - 4, ".elf");
		elf = !access(name, R_OK);
	}
	if (elf)
		return name;
	free(name);
	return NULL;
}

/*
 * Adds the files of the shared folder that the command names.  They come before other files with
 * the same code, so the process gets the name from the command, the same name that perf shows.
 */
static void add_command(struct loader *l, const char *share, char *words)
{
	char *rest = NULL, path[PATH_MAX];

	for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		while (!strncmp(word, "./", 2))
			word += 2;
		int len = snprintf(path, sizeof(path), "%s/%s", share, word);

		if (*word != '/' && len < (int)sizeof(path))
			exact_files_add_file(l->files, path, EXACT_PROGRAM);
	}
}

static void add_files(struct loader *l, const struct exact_head *head)
{
	char *command = copy(l, exact_note(head, "command"));
	char *initrd = copy(l, exact_note(head, "initrd")),
	     *packages = copy(l, exact_note(head, "packages"));
	char *kernel = copy(l, exact_note(head, "kernel"));

	l->share = copy(l, exact_note(head, "share"));
	/* Files that are added first are found first: first add those that certainly ran. */
	l->firmware_file = exact_files_add_file(l->files, l->firmware, EXACT_FIRMWARE);
	l->program_file = exact_files_add_file(l->files, l->program,
					       EXACT_PROGRAM | EXACT_KERNEL | EXACT_FIRMWARE);
	l->kernel_file = exact_files_add_kernel(l->files, kernel);
	for (size_t n = 0; n < l->o->nr_folders; n++)
		exact_files_add_folder(l->files, l->o->folders[n]);
	if (l->share && command)
		add_command(l, l->share, command);
	exact_files_add_folder(l->files, l->share);
	exact_files_add_archive(l->files, initrd);
	exact_files_add_archive(l->files, packages);
	free(command);
	free(initrd);
	free(packages);
	free(kernel);
}

/* The kernel's address of the first byte of its Image: _start or _text.  0: not known. */
static uint64_t kernel_start(const struct profile *p)
{
	for (size_t n = 0; n < p->objects.nr; n++) {
		const struct profile_object *o = &p->objects.at[n];

		for (size_t i = 0; o->kind == PROFILE_KERNEL && i < o->symbols.nr; i++) {
			const struct symbol *s = &o->symbols.at[i];

			if (!strcmp(s->name, "_start") || !strcmp(s->name, "_text"))
				return s->addr;
		}
	}
	return 0;
}

/* "x60", or "x60 with l2.size=8M". */
static char *cpu_text(struct loader *l, const struct exact_head *head)
{
	char *cpu = copy(l, exact_note(head, "cpu")), *set = copy(l, exact_note(head, "set"));
	char *text = cpu;

	if (cpu && set && asprintf(&text, "%s with %s", cpu, set) < 0) {
		l->p->no_memory = true;
		text = NULL;
	}
	if (text != cpu)
		free(cpu);
	free(set);
	return text;
}

static void take_head(void *cookie, const struct exact_head *head)
{
	struct loader *l = cookie;
	const struct exact_text *kallsyms = exact_note(head, "kallsyms");

	l->events = head->events;
	l->total = calloc(head->events, sizeof(*l->total));
	l->p->no_memory |= !l->total;
	while (l->instructions < head->events &&
	       strcmp(head->event[l->instructions].name.at, "instructions") != 0)
		l->instructions++;
	l->has_firmware = exact_note(head, "firmware");
	l->has_program = exact_note(head, "program");
	l->firmware = with_symbols(l, exact_note(head, "firmware"));
	l->program = with_symbols(l, exact_note(head, "program"));
	l->kernel = with_symbols(l, exact_note(head, "kernel"));
	l->p->command = copy(l, exact_note(head, "command"));
	l->p->cpu = cpu_text(l, head);
	l->p->arch = strdup("riscv64");
	l->p->no_memory |= !l->p->arch;
	add_files(l, head);
	l->has_kallsyms = l->o->has_kallsyms;
	if (kallsyms && !l->has_kallsyms)
		l->has_kallsyms = profile_add_kallsyms(l->p, kallsyms->at, kallsyms->len);
	l->kernel_start = kernel_start(l->p);
}

static uint64_t space_of(const struct exact_code *code)
{
	return code->mode == MODE_M ? EXACT_SPACE_M : code->satp;
}

/*
 * Whether the content of a page tells its file.  The code of a kernel with an address space is
 * known by its addresses instead.
 */
static bool is_looked_for(const struct exact_code *code)
{
	return code->mode == MODE_U ? code->satp : code->mode == MODE_M || !code->satp;
}

/* The user did not ask for the program of the guest that starts the command, unless with --all. */
static bool is_left_out(const struct loader *l, const struct exact_code *code)
{
	return code->whose == EXACT_OF_STARTER && !l->o->all;
}

/* The address space of the process that ran the code, or an EXACT_SPACE_ value for other code. */
static uint64_t runner_of(const struct exact_code *code)
{
	static const uint64_t other[] = {
		[EXACT_OF_THREADS] = EXACT_SPACE_THREADS_OF,
		[EXACT_OF_INTERRUPTS] = EXACT_SPACE_INTERRUPTS_OF,
		[EXACT_OF_STARTER] = EXACT_SPACE_STARTER_OF,
	};

	return code->whose == EXACT_OF_PROCESS ? space_of(code) : other[code->whose];
}

static void take_nodes(void *cookie, const struct exact_nodes *nodes)
{
	struct loader *l = cookie;

	l->p->no_memory |= !exact_paths_nodes(&l->paths, nodes);
}

static void see_code(void *cookie, const struct exact_code *code)
{
	struct loader *l = cookie;

	if (is_looked_for(code) && code->known)
		exact_spaces_add(l->spaces, space_of(code), code->va, code->content);
}

static void see_insn(void *cookie, const struct exact_code *code, const struct exact_insn *insn)
{
	struct loader *l = cookie;

	show_progress(l);
	if (is_left_out(l, code)) {
		for (unsigned n = 0; n < insn->nr; n++)
			l->left_out += insn->cell[n].event == l->instructions ? insn->cell[n].count
									      : 0;
		return;
	}
	for (unsigned n = 0; l->total && n < insn->nr; n++)
		l->total[insn->cell[n].event] += insn->cell[n].count;
}

static void choose_events(void *cookie, const struct exact_head *head)
{
	struct loader *l = cookie;

	if (l->chosen)
		return;
	if (l->total)
		l->chosen = exact_choose(l->p, head, l->o->events, l->total);
	else
		l->p->no_memory = true;
}

/* Places */

/* Finds the file of code that is linked at fixed addresses: firmware, a program or a kernel. */
static struct linked linked_of(const struct loader *l, const struct exact_code *code)
{
	bool program = l->has_program && (code->mode != MODE_M || !l->has_firmware);

	if (code->mode == MODE_U && l->home.path)
		return (struct linked){ NULL, NULL, EXACT_NO_FILE };
	if (program)
		return (struct linked){ l->program, "[program]", l->program_file };
	/* Firmware without a file of its own may be in a file of the folders. */
	if (code->mode == MODE_M && !l->firmware)
		return (struct linked){ l->home.path, "[firmware]", l->home.file };
	if (code->mode == MODE_M)
		return (struct linked){ l->firmware, "[firmware]", l->firmware_file };
	if (code->mode == MODE_S && l->kernel && (!code->satp || !l->has_kallsyms))
		return (struct linked){ l->kernel, "[kernel]", l->kernel_file };
	return (struct linked){ NULL, NULL, EXACT_NO_FILE };
}

/*
 * The difference to add to an address at which code of the page ran, to get its object's address.
 */
static uint64_t shift_of(const struct loader *l, const struct exact_code *code)
{
	const struct exact_file *x;

	if (!l->home.path)
		return 0;
	x = exact_files_at(l->files, l->home.file);
	if (x->image)
		return l->kernel_start ? l->kernel_start + l->home.offset - code->va : 0;
	if (code->mode == MODE_U && code->satp)
		return l->home.offset - code->va;
	return exact_file_address(x, l->home.offset) - code->va;
}

/* Whether code of the page is in no file: then a program has generated it. */
static bool is_generated(const struct loader *l, const struct exact_code *code)
{
	return code->mode == MODE_U && code->satp && !l->home.path && !l->linked.otherwise;
}

/* Reads what programs wrote about the code that they generated. */
static void open_jit(struct loader *l)
{
	l->jit = exact_jit_new(l->p);
	l->p->no_memory |= !l->jit;
	if (!l->jit)
		return;
	exact_jit_add_folder(l->jit, l->o->beside);
	exact_jit_add_folder(l->jit, l->share);
	for (size_t n = 0; n < l->o->nr_folders; n++)
		exact_jit_add_folder(l->jit, l->o->folders[n]);
}

static void find_home(struct loader *l, const struct exact_code *code)
{
	l->code = *code;
	l->home = (struct exact_home){ NULL, EXACT_NO_FILE, 0 };
	if (is_looked_for(code))
		l->home = exact_spaces_find(l->spaces, space_of(code), code->va, code->content);
	l->linked = linked_of(l, code);
	l->shift = shift_of(l, code);
}

/* Finds the home of a page, which may also have calls. */
static void enter_page(void *cookie, const struct exact_code *code)
{
	struct loader *l = cookie;

	find_home(l, code);
	l->p->no_memory |= !exact_paths_page(&l->paths, code, space_of(code));
}

/*
 * Names a page for l->compared.  In exact_spaces.h a page has another identity whenever its content
 * has changed; here it stays the same.
 */
static uint64_t page_id(const struct exact_code *code)
{
	return code->va | code->mode;
}

/*
 * Compares an instruction that ran with the file: a file of another build would give wrong names.
 */
static void compare_code(struct loader *l, const struct exact_insn *insn)
{
	const uint8_t raw[] = { insn->raw, insn->raw >> 8, insn->raw >> 16, insn->raw >> 24 };
	size_t len = (insn->raw & 3) == 3 ? 4 : 2;
	const uint8_t *code = NULL;

	if (insn->raw && l->linked.file != EXACT_NO_FILE)
		code = exact_file_code(exact_files_at(l->files, l->linked.file),
				       insn->va + l->shift, len);
	if (!code)
		return;
	if (memcmp(code, raw, len) != 0)
		l->p->no_memory |= !idmap_set(&l->compared, page_id(&l->code), DIFFERS);
	else if (idmap_get(&l->compared, page_id(&l->code)) == IDMAP_NONE)
		l->p->no_memory |= !idmap_set(&l->compared, page_id(&l->code), SAME);
}

static void note_difference(struct loader *l, const char *path, uint32_t mode)
{
	size_t same = 0, differs = 0;
	char text[PATH_MAX + 192], changed[FIT_NUMBER_SIZE], all[FIT_NUMBER_SIZE];

	for (size_t n = 0; n < l->compared.size; n++) {
		if (l->compared.slot[n].index == IDMAP_NONE || (l->compared.slot[n].id & 3) != mode)
			continue;
		same += l->compared.slot[n].index == SAME;
		differs += l->compared.slot[n].index == DIFFERS;
	}
	if (!differs)
		return;
	snprintf(text, sizeof(text),
		 "%s is not what ran: %s of %s page%s of code %s no names; it may have been built "
		 "anew since",
		 path, fit_number(changed, differs), fit_number(all, same + differs),
		 term_plural(same + differs),
		 differs == 1 ? "is another, and has" : "are others, and have");
	profile_add_note(l->p, text);
}

static void note_differences(struct loader *l)
{
	const char *upper = l->has_firmware ? l->firmware : l->program;
	const char *lower = l->has_program ? l->program : l->kernel;

	if (upper)
		note_difference(l, upper, MODE_M);
	if (lower)
		note_difference(l, lower, MODE_S);
}

static void note_left_out(struct loader *l)
{
	char text[160], number[FIT_NUMBER_SIZE];

	if (!l->left_out || l->o->all)
		return;
	snprintf(text, sizeof(text),
		 "%s instructions that start the command are left out (--all shows them)",
		 fit_number(number, l->left_out));
	profile_add_note(l->p, text);
}

static void note_folded(struct loader *l)
{
	char text[160], number[FIT_NUMBER_SIZE];

	if (!l->paths.folded)
		return;
	snprintf(text, sizeof(text),
		 "%s calls had no place in the profile: what they did is shown in their callers' "
		 "stacks",
		 fit_number(number, l->paths.folded));
	profile_add_note(l->p, text);
}

static void see_run(void *cookie, const struct exact_code *code, const struct exact_insn *insn)
{
	struct loader *l = cookie;

	show_progress(l);
	compare_code(l, insn);
	if (is_generated(l, code) && !is_left_out(l, code)) {
		if (!l->jit)
			open_jit(l);
		if (l->jit)
			exact_jit_ran(l->jit, code->satp, insn->va, insn->raw);
	}
	for (unsigned n = 0; l->home.path && n < insn->nr; n++) {
		if (insn->cell[n].event == l->instructions)
			exact_spaces_ran(l->spaces, runner_of(code), l->home.file,
					 l->home.offset + (insn->va - code->va),
					 insn->cell[n].count);
	}
}

/* The object of all code of a page; PROFILE_NONE: place_of() finds it for each address. */
static uint32_t page_object(struct loader *l, const struct exact_code *code)
{
	const struct linked *linked = &l->linked;
	bool differs = idmap_get(&l->compared, page_id(code)) == DIFFERS;

	if (code->mode == MODE_U && l->home.path)
		return profile_add_object(l->p, PROFILE_USER, l->home.path, NULL, 0);
	if (linked->path && !differs)
		return profile_add_object(l->p, PROFILE_FIRMWARE, linked->path, NULL, 0);
	if (linked->otherwise)
		return profile_add_object(l->p, PROFILE_UNKNOWN, linked->otherwise, NULL, 0);
	if (code->mode == MODE_U)
		return profile_add_object(l->p, PROFILE_ANON, "[anon]", NULL, 0);
	if (l->has_kallsyms)
		return PROFILE_NONE;
	return profile_add_object(l->p, PROFILE_KERNEL, "[kernel]", NULL, 0);
}

static void take_code(void *cookie, const struct exact_code *code)
{
	struct loader *l = cookie;

	find_home(l, code);
	if (is_left_out(l, code))
		return;
	l->process = exact_spaces_process(l->spaces, l->p, runner_of(code),
					  code->mode == MODE_M && l->has_firmware ? NULL
										  : l->program);
	l->object = page_object(l, code);
	exact_paths_enter(&l->paths, code);
}

/* raw: the instruction; 0: not known. */
static uint32_t place_of(struct loader *l, uint64_t va, uint32_t raw)
{
	uint32_t object = l->object, place;
	uint64_t addr = va + l->shift;

	if (l->jit && is_generated(l, &l->code)) {
		struct exact_generated g = exact_jit_find(l->jit, l->code.satp, va, raw);

		if (g.object != PROFILE_NONE) {
			object = g.object;
			addr = g.addr;
		}
	}
	if (object == PROFILE_NONE) {
		object = profile_find_kernel(l->p, addr);
		if (object == PROFILE_NONE)
			object = profile_add_object(l->p, PROFILE_KERNEL, "[kernel]", NULL, 0);
	}
	place = profile_add_place(l->p, l->process, object, addr);
	if (l->o->code && raw)
		profile_set_code(l->p, place, raw);
	return place;
}

/* The place of a call, which is often in another page than the present one. */
static uint32_t place_of_call(void *cookie, uint64_t va)
{
	struct loader *l = cookie;
	const struct exact_code code = l->code;
	struct exact_code of_call = exact_paths_code(&l->paths, &code, space_of(&code), va);
	uint32_t object = l->object, place;

	find_home(l, &of_call);
	l->object = page_object(l, &of_call);
	place = place_of(l, va, 0);
	find_home(l, &code);
	l->object = object;
	return place;
}

static uint32_t stack_of(struct loader *l, const struct exact_insn *insn)
{
	uint32_t caller = exact_paths_caller(&l->paths, l->p, insn->call, place_of_call, l);

	return profile_add_stack(l->p, place_of(l, insn->va, insn->raw), caller);
}

static void take_insn(void *cookie, const struct exact_code *code, const struct exact_insn *insn)
{
	struct loader *l = cookie;
	uint32_t stack = PROFILE_NONE;

	show_progress(l);
	if (is_left_out(l, code))
		return;
	if (l->o->code && insn->raw)
		place_of(l, insn->va, insn->raw);
	for (unsigned n = 0; n < insn->nr; n++) {
		const struct exact_cell *c = &insn->cell[n];

		for (uint32_t e = 0; e < l->p->events.nr; e++) {
			if (!l->chosen[e * l->events + c->event])
				continue;
			if (stack == PROFILE_NONE)
				stack = stack_of(l, insn);
			profile_add(l->p, stack, e, c->count, 0);
		}
	}
}

/* The time line */

static void take_times(void *cookie, const struct exact_timeline *times)
{
	struct loader *l = cookie;

	l->p->slice_ns = times->ns;
	if (times->full)
		profile_add_note(l->p, "the time line had no room for all of the run: --timeline "
				       "with more milliseconds shows all of it");
}

static void take_slice(void *cookie, const struct exact_timeline_slice *slice)
{
	const struct exact_code code = { slice->whose, slice->hart, MODE_U, slice->satp };
	struct loader *l = cookie;
	struct profile *p = l->p;
	uint64_t *count;

	if (is_left_out(l, &code))
		return;
	if (!VEC_ROOM(&p->slices, 1) || !VEC_ROOM(&p->slice_counts, p->events.nr)) {
		p->no_memory = true;
		return;
	}
	p->slices.at[p->slices.nr++] = (struct profile_slice){
		slice->interval,
		exact_spaces_process(l->spaces, p, runner_of(&code), l->program),
		slice->hart,
	};
	count = p->slice_counts.at + p->slice_counts.nr;
	p->slice_counts.nr += p->events.nr;
	for (uint32_t e = 0; e < p->events.nr; e++) {
		count[e] = 0;
		for (unsigned n = 0; n < slice->nr; n++)
			count[e] += l->chosen[e * l->events + slice->cell[n].event]
					    ? slice->cell[n].count
					    : 0;
	}
}

/* The three passes */

static bool load(struct loader *l, const void *data, size_t len)
{
	const struct exact_visitor first = { take_head, see_code, see_insn, l, take_nodes };
	const struct exact_visitor second = { NULL, enter_page, see_run, l, NULL };
	const struct exact_visitor third = { choose_events, take_code,	take_insn, l,
					     NULL,	    take_times, take_slice };

	if (!exact_parse(data, len, &first, l->why))
		return false;
	l->rows = 3 * l->read;
	l->p->no_memory |= !exact_spaces_resolve(l->spaces);
	if (l->p->no_memory || !exact_parse(data, len, &second, l->why))
		return false;
	note_differences(l);
	note_left_out(l);
	note_folded(l);
	if (!exact_parse(data, len, &third, l->why))
		return false;
	l->p->no_memory |= exact_spaces_lack_memory(l->spaces) || exact_files_lack_memory(l->files);
	return !l->p->no_memory;
}

bool exact_load(struct profile *p, const void *data, size_t len, const struct exact_load_options *o,
		struct error_text *why)
{
	struct loader l = { .p = p, .o = o, .why = why, .files = exact_files_new() };
	bool ok = false;

	why->text[0] = '\0';
	l.spaces = l.files ? exact_spaces_new(l.files) : NULL;
	if (l.spaces) {
		l.progress = progress_begin("reading the profile");
		ok = load(&l, data, len);
		progress_end(&l.progress);
	}
	if (!ok && !why->text[0])
		error_set(why, "no memory for the profile");
	exact_jit_free(l.jit);
	exact_spaces_free(l.spaces);
	exact_files_free(l.files);
	free(l.firmware);
	free(l.program);
	free(l.kernel);
	free(l.share);
	free(l.total);
	free(l.chosen);
	idmap_free(&l.compared);
	exact_paths_free(&l.paths);
	return ok;
}
