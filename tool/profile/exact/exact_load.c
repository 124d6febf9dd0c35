// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_load.c - turns an exact profile into a struct profile (exact_load.h).
 *
 * It reads the file once.  The code comes first, and is collected (exact_rows.h); then
 * exact_spaces_resolve() finds the files of the pages.  A pass through the rows sees which code of
 * the files ran, which gives the processes their names.  A second one finds places and stacks, to
 * which the counts of all events are added (exact_merge.h).  Time line and data follow in the file.
 * What came of it is kept (exact_kept.h); if it is there, the file is not read.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data_load.h"
#include "exact_choose.h"
#include "exact_files.h"
#include "exact_jit.h"
#include "exact_kept.h"
#include "exact_load.h"
#include "exact_merge.h"
#include "exact_paths.h"
#include "exact_rows.h"
#include "exact_sources.h"
#include "exact_spaces.h"
#include "fit.h"
#include "idmap.h"
#include "term.h"

#define PAGE 4096

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
	struct exact_head *head;
	struct exact_sources from;
	uint64_t left_out; /* instructions of the program that starts the command */
	unsigned events, instructions; /* number of events; index of the event "instructions" */
	bool has_kallsyms;
	uint64_t kernel_start; /* address of the Image's first byte, by kallsyms; 0: not known */
	struct idmap compared; /* by page address and mode: is its code SAME as in its file? */
	struct exact_rows code_rows;
	bool is_named; /* all code has its names: the rest of the file follows */
	/* The passes through the rows: */
	struct exact_code code;
	struct exact_home home; /* the file of its page */
	struct linked linked;
	uint64_t shift;
	uint32_t process, object;
	uint32_t here[PAGE / 2]; /* the places of the page's instructions, or PROFILE_NONE */
	struct exact_paths paths;
	struct exact_merged merged;
	/* Progress: rows seen in all passes so far; how many there are in all, 0: not known */
	struct progress progress;
	uint64_t seen, all;
};

static void show_progress(struct loader *l)
{
	progress_step(&l->progress, l->seen++, l->all);
}

/* The head */

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

static void take_head(struct loader *l)
{
	const struct exact_head *head = l->head;
	const struct exact_text *kallsyms = exact_note(head, "kallsyms");

	l->events = head->events;
	l->p->no_memory |= !exact_merged_init(&l->merged, head->events);
	while (l->instructions < head->events &&
	       strcmp(head->event[l->instructions].name.at, "instructions") != 0)
		l->instructions++;
	exact_sources_take(&l->from, l->p, head);
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

	l->p->no_memory |= !exact_rows_add_page(&l->code_rows, code);
	if (is_looked_for(code) && code->known)
		exact_spaces_add(l->spaces, space_of(code), code->va, code->content);
}

static void see_insn(void *cookie, const struct exact_code *code, const struct exact_insn *insn)
{
	struct loader *l = cookie;

	show_progress(l);
	l->p->no_memory |= l->p->no_memory || !exact_rows_add(&l->code_rows, insn);
}

/* Places */

/* Finds the file of code that is linked at fixed addresses: firmware, a program or a kernel. */
static struct linked linked_of(const struct loader *l, const struct exact_code *code)
{
	bool program = l->from.has_program && (code->mode != MODE_M || !l->from.has_firmware);

	if (code->mode == MODE_U && l->home.path)
		return (struct linked){ NULL, NULL, EXACT_NO_FILE };
	if (program)
		return (struct linked){ l->from.program, "[program]", l->from.program_file };
	/* Firmware without a file of its own may be in a file of the folders. */
	if (code->mode == MODE_M && !l->from.firmware)
		return (struct linked){ l->home.path, "[firmware]", l->home.file };
	if (code->mode == MODE_M)
		return (struct linked){ l->from.firmware, "[firmware]", l->from.firmware_file };
	if (code->mode == MODE_S && l->from.kernel && (!code->satp || !l->has_kallsyms))
		return (struct linked){ l->from.kernel, "[kernel]", l->from.kernel_file };
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
	exact_jit_add_folder(l->jit, l->from.share);
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
static void enter_page(struct loader *l, const struct exact_code *code)
{
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
static void compare_code(struct loader *l, uint64_t va, uint32_t insn)
{
	const uint8_t raw[] = { insn, insn >> 8, insn >> 16, insn >> 24 };
	size_t len = (insn & 3) == 3 ? 4 : 2;
	const uint8_t *code = NULL;

	if (insn && l->linked.file != EXACT_NO_FILE)
		code = exact_file_code(exact_files_at(l->files, l->linked.file), va + l->shift,
				       len);
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
	const char *upper = l->from.has_firmware ? l->from.firmware : l->from.program;
	const char *lower = l->from.has_program ? l->from.program : l->from.kernel;

	if (upper)
		note_difference(l, upper, MODE_M);
	if (lower)
		note_difference(l, lower, MODE_S);
}

static void note_numbers(struct loader *l)
{
	exact_add_note(l->p, l->o->all ? 0 : l->left_out,
		       "instructions that start the command are left out (--all shows them)");
	exact_add_note(l->p, l->paths.folded,
		       "calls had no place in the profile: what they did is shown in their "
		       "callers' stacks");
}

/* Sees that an instruction of the present page ran. */
static void see_run(struct loader *l, const struct exact_row *row)
{
	const struct exact_code *code = &l->code;
	uint64_t va = code->va + row->offset;

	show_progress(l);
	if (is_left_out(l, code))
		l->left_out += row->instructions;
	compare_code(l, va, row->raw);
	if (is_generated(l, code) && !is_left_out(l, code)) {
		if (!l->jit)
			open_jit(l);
		if (l->jit)
			exact_jit_ran(l->jit, code->satp, va, row->raw);
	}
	if (l->home.path)
		exact_spaces_ran(l->spaces, runner_of(code), l->home.file,
				 l->home.offset + row->offset, row->instructions);
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

static void take_code(struct loader *l, const struct exact_code *code)
{
	find_home(l, code);
	if (is_left_out(l, code))
		return;
	l->process = exact_spaces_process(l->spaces, l->p, runner_of(code),
					  code->mode == MODE_M && l->from.has_firmware
						  ? NULL
						  : l->from.program);
	l->object = page_object(l, code);
	memset(l->here, 0xff, sizeof(l->here)); /* PROFILE_NONE */
	exact_paths_enter(&l->paths, code);
}

/* raw: the instruction; 0: not known. */
static uint32_t place_of(struct loader *l, uint64_t va, uint32_t raw)
{
	uint32_t object = l->object;
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
	return profile_add_place(l->p, l->process, object, addr);
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

/* The place of an instruction of the present page. */
static uint32_t place_here(struct loader *l, const struct exact_row *row)
{
	uint32_t *place = &l->here[row->offset / 2];

	if (*place == PROFILE_NONE || is_generated(l, &l->code))
		*place = place_of(l, l->code.va + row->offset, row->raw);
	if (row->raw)
		profile_set_code(l->p, *place, row->raw);
	return *place;
}

/* The stack of a row of the present page; PROFILE_NONE: it is left out, or has no counts. */
static uint32_t stack_of(struct loader *l, const struct exact_row *row)
{
	uint32_t caller = PROFILE_NONE, place;

	show_progress(l);
	if (is_left_out(l, &l->code))
		return PROFILE_NONE;
	if (row->nr)
		caller = exact_paths_caller(&l->paths, l->p, row->call, place_of_call, l);
	place = place_here(l, row);
	return row->nr ? profile_add_stack(l->p, place, caller) : PROFILE_NONE;
}

/* The passes through the rows */

static void see_runs(struct loader *l)
{
	const struct exact_rows *r = &l->code_rows;

	for (size_t page = 0; page < r->pages.nr; page++) {
		enter_page(l, &r->pages.at[page].code);
		for (size_t n = r->pages.at[page].first; n < exact_rows_end(r, page); n++)
			see_run(l, &r->rows.at[n]);
	}
}

static void take_rows(struct loader *l)
{
	const struct exact_rows *r = &l->code_rows;
	uint32_t *stack = malloc((r->rows.nr + 1) * sizeof(*stack));

	for (size_t page = 0; stack && page < r->pages.nr; page++) {
		take_code(l, &r->pages.at[page].code);
		for (size_t n = r->pages.at[page].first; n < exact_rows_end(r, page); n++)
			stack[n] = stack_of(l, &r->rows.at[n]);
	}
	l->p->no_memory |= !stack || l->p->no_memory ||
			   !exact_merged_add_rows(&l->merged, r, stack, (uint32_t)l->p->stacks.nr);
	free(stack);
}

/* Names the code and adds its counts, when all of it is there. */
static void name_code(struct loader *l)
{
	if (l->is_named)
		return;
	l->is_named = true;
	l->all = 3 * l->seen;
	l->p->no_memory |= l->p->no_memory || !exact_spaces_resolve(l->spaces);
	if (l->p->no_memory)
		return;
	see_runs(l);
	note_differences(l);
	note_numbers(l);
	take_rows(l);
	exact_rows_free(&l->code_rows);
	l->code_rows = (struct exact_rows){ 0 };
}

/* The time line */

static void take_times(void *cookie, const struct exact_timeline *times)
{
	struct loader *l = cookie;

	name_code(l);
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

	if (is_left_out(l, &code))
		return;
	if (!VEC_ROOM(&p->slices, 1) ||
	    !exact_merged_add_slice(&l->merged, (uint32_t)p->slices.nr, slice->cell, slice->nr)) {
		p->no_memory = true;
		return;
	}
	p->slices.at[p->slices.nr++] = (struct profile_slice){
		slice->interval,
		exact_spaces_process(l->spaces, p, runner_of(&code), l->from.program),
		slice->hart,
	};
}

/* Data */

/* The place of an instruction of a space; PROFILE_NONE: the report leaves it out. */
static uint32_t place_anywhere(struct loader *l, const struct exact_code *space, uint64_t va,
			       uint32_t raw)
{
	struct exact_code code = exact_paths_code(&l->paths, space, space_of(space), va);

	if (is_left_out(l, &code))
		return PROFILE_NONE;
	take_code(l, &code);
	return place_of(l, va, raw);
}

static uint32_t place_of_user(void *cookie, const struct exact_user *u)
{
	const struct exact_code code = { u->whose, u->hart, u->mode, u->satp };

	return place_anywhere(cookie, &code, u->va, u->raw);
}

static uint32_t place_of_site(void *cookie, const struct exact_site *s)
{
	const struct exact_code code = { s->whose, s->hart, MODE_U, s->satp };
	struct loader *l = cookie;

	if (!s->call || s->call >= l->paths.nodes.nr)
		return PROFILE_NONE;
	return place_anywhere(l, &code, l->paths.nodes.at[s->call].va, 0);
}

static void take_data(void *cookie, const struct exact_data *data)
{
	struct loader *l = cookie;
	const struct data_finder f = {
		.cookie = l,
		.place = place_of_user,
		.call = place_of_site,
		.spaces = l->spaces,
		.files = l->files,
		.linked = { { l->from.program, l->from.program_file },
			    { l->from.firmware, l->from.firmware_file } },
		.program = l->from.program,
	};

	name_code(l);
	if (!l->p->no_memory)
		data_load(l->p, data, &f);
}

static bool read_file(struct loader *l, const void *data, size_t len)
{
	const struct exact_visitor v = { NULL,	     see_code,	 see_insn,   l,
					 take_nodes, take_times, take_slice, take_data };

	l->code_rows.instructions = l->instructions;
	exact_sources_add(&l->from, l->files, l->p, l->head, l->o->folders, l->o->nr_folders);
	if (l->p->no_memory || !exact_parse(data, len, &v, l->why))
		return false;
	name_code(l);
	exact_merged_take(&l->merged, l->p);
	l->p->no_memory |= exact_spaces_lack_memory(l->spaces) || exact_files_lack_memory(l->files);
	return !l->p->no_memory;
}

/* What is kept */

/* The stamp of all files that are looked at for code and for its names. */
static struct exact_stamp stamp_of(struct loader *l)
{
	struct exact_files *files = exact_files_new();
	struct exact_sources from = l->from;
	struct exact_stamp s = { 0 };

	if (!files)
		return s;
	exact_files_stamp_only(files);
	exact_sources_add(&from, files, l->p, l->head, l->o->folders, l->o->nr_folders);
	s = *exact_files_stamp(files);
	exact_files_free(files);
	exact_jit_stamp_folder(&s, l->o->beside);
	exact_jit_stamp_folder(&s, l->from.share);
	for (size_t n = 0; n < l->o->nr_folders; n++)
		exact_jit_stamp_folder(&s, l->o->folders[n]);
	return s;
}

/* Whether what is kept has the columns of the events of the report. */
static bool is_whole(struct loader *l)
{
	struct profile *scratch = profile_new();
	uint8_t *chosen = NULL;
	bool whole = false;

	if (scratch)
		chosen = exact_choose(scratch, l->head, l->o->events, l->merged.total);
	if (chosen)
		whole = exact_merged_measure(&l->merged, chosen, scratch->events.nr);
	free(chosen);
	profile_free(scratch);
	return whole;
}

/* Reads what is kept.  False: nothing; the profile has not changed. */
static bool read_kept(struct loader *l, const struct exact_kept_key *key, struct exact_kept *kept)
{
	if (exact_kept_read(kept, key, &l->merged, l->p) && is_whole(l)) {
		exact_kept_give(kept, l->p);
		return true;
	}
	exact_merged_free(&l->merged);
	l->p->no_memory |= !exact_merged_init(&l->merged, l->events);
	return false;
}

/* Whether an object has names that came from a file beside the profile. */
static bool has_generated_names(const struct profile *p, size_t first)
{
	bool some = false;

	for (size_t n = first; n < p->objects.nr; n++)
		some |= p->objects.at[n].symbols.nr || p->objects.at[n].jitdump;
	return some;
}

/* Reads the file, or what is kept of it; then that is kept. */
static bool read_or_keep(struct loader *l, const void *data, size_t len, struct exact_kept *kept)
{
	/* The stamp is from before the files are read: a later change makes what is kept old. */
	struct exact_stamp stamp = stamp_of(l);
	bool settled = exact_stamp_is_settled(&stamp);
	const struct exact_kept_key key = { exact_checksum(0, data, len), len, stamp.sum,
					    l->p->objects.nr, l->o->all };

	if (read_kept(l, &key, kept))
		return true;
	if (!read_file(l, data, len))
		return false;
	if (settled && !has_generated_names(l->p, key.objects))
		exact_kept_write(&key, &l->merged, l->p);
	return true;
}

static bool load(struct loader *l, const void *data, size_t len, struct exact_kept *kept)
{
	uint8_t *chosen;
	bool good;

	l->head = exact_parse_head(data, len, l->why);
	if (!l->head)
		return false;
	take_head(l);
	good = l->o->keep && !l->o->has_kallsyms ? read_or_keep(l, data, len, kept)
						 : read_file(l, data, len);
	if (!good)
		return false;
	chosen = exact_choose(l->p, l->head, l->o->events, l->merged.total);
	if (chosen && !l->p->no_memory)
		exact_merged_give(&l->merged, l->p, chosen, l->o->code, l->o->data);
	free(chosen);
	return !l->p->no_memory;
}

bool exact_load(struct profile *p, const void *data, size_t len, const struct exact_load_options *o,
		struct error_text *why)
{
	struct loader l = { .p = p, .o = o, .why = why, .files = exact_files_new() };
	struct exact_kept kept = { 0 };
	bool ok = false;

	why->text[0] = '\0';
	l.spaces = l.files ? exact_spaces_new(l.files) : NULL;
	if (l.spaces) {
		l.progress = progress_begin("reading the profile");
		ok = load(&l, data, len, &kept);
		progress_end(&l.progress);
	}
	if (!ok && !why->text[0])
		error_set(why, "no memory for the profile");
	exact_jit_free(l.jit);
	exact_spaces_free(l.spaces);
	exact_files_free(l.files);
	exact_head_free(l.head);
	exact_sources_free(&l.from);
	exact_merged_free(&l.merged);
	exact_kept_free(&kept);
	idmap_free(&l.compared);
	exact_paths_free(&l.paths);
	exact_rows_free(&l.code_rows);
	return ok;
}
