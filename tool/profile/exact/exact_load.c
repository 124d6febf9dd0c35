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
#include <stdlib.h>
#include <string.h>

#include "data_load.h"
#include "exact_choose.h"
#include "exact_jit.h"
#include "exact_kept.h"
#include "exact_load.h"
#include "exact_merge.h"
#include "exact_paths.h"
#include "exact_places.h"
#include "exact_rows.h"
#include "exact_summary.h"
#include "term.h"

#define PAGE 4096

struct loader {
	struct profile *p;
	const struct exact_load_options *o;
	struct error_text *why;
	struct exact_files *files;
	struct exact_spaces *spaces;
	/* From the head: */
	struct exact_head *head;
	struct exact_sources from;
	uint64_t left_out; /* instructions of the program that starts the command */
	unsigned events, instructions; /* number of events; index of the event "instructions" */
	struct exact_rows code_rows;
	bool is_named; /* all code has its names: the rest of the file follows */
	bool totals; /* a profile of totals: a row has no address */
	/* The passes through the rows: */
	struct exact_places places;
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

static void take_head(struct loader *l)
{
	const struct exact_head *head = l->head;
	const struct exact_text *kallsyms = exact_note(head, "kallsyms");
	bool has_kallsyms = l->o->has_kallsyms;

	l->events = head->events;
	l->p->no_memory |= !exact_merged_init(&l->merged, head->events);
	while (l->instructions < head->events &&
	       strcmp(head->event[l->instructions].name.at, "instructions") != 0)
		l->instructions++;
	exact_sources_take(&l->from, l->p, head);
	l->totals = exact_note(head, "totals");
	if (l->totals)
		profile_add_note(l->p, "a profile of totals does not tell where events happened: "
				       "holter run --profile without --totals makes one that does");
	if (kallsyms && !has_kallsyms)
		has_kallsyms = profile_add_kallsyms(l->p, kallsyms->at, kallsyms->len);
	exact_places_take_kallsyms(&l->places, has_kallsyms);
}

/* The user did not ask for the program of the guest that starts the command, unless with --all. */
static bool is_left_out(const struct loader *l, const struct exact_code *code)
{
	return code->whose == EXACT_OF_STARTER && !l->o->all;
}

/* The address space of the process that ran the code, or an EXACT_SPACE_ value for other code. */
static uint64_t runner_of(const struct loader *l, const struct exact_code *code)
{
	static const uint64_t other[] = {
		[EXACT_OF_THREADS] = EXACT_SPACE_THREADS_OF,
		[EXACT_OF_INTERRUPTS] = EXACT_SPACE_INTERRUPTS_OF,
		[EXACT_OF_STARTER] = EXACT_SPACE_STARTER_OF,
	};

	if (l->totals && code->whose != EXACT_OF_STARTER)
		return EXACT_SPACE_COMMAND;
	return code->whose == EXACT_OF_PROCESS ? exact_spaces_of(code) : other[code->whose];
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
	if (exact_spaces_look_for(code) && code->known)
		exact_spaces_add(l->spaces, exact_spaces_of(code), code->va, code->content);
}

static void see_insn(void *cookie, const struct exact_code *code, const struct exact_insn *insn)
{
	struct loader *l = cookie;

	show_progress(l);
	l->p->no_memory |= l->p->no_memory || !exact_rows_add(&l->code_rows, insn);
}

/* Places */

/* Reads what programs wrote about the code that they generated. */
static void open_jit(struct loader *l)
{
	struct exact_jit *jit = exact_jit_new(l->p);

	l->places.jit = jit;
	l->p->no_memory |= !jit;
	if (!jit)
		return;
	exact_jit_add_folder(jit, l->o->beside);
	exact_jit_add_folder(jit, l->from.share);
	for (size_t n = 0; n < l->o->nr_folders; n++)
		exact_jit_add_folder(jit, l->o->folders[n]);
}

/* Finds the file of a page, which may also have calls. */
static void enter_page(struct loader *l, const struct exact_code *code)
{
	exact_places_enter(&l->places, code);
	l->p->no_memory |= !exact_paths_page(&l->paths, code, exact_spaces_of(code));
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
	struct exact_places *x = &l->places;
	const struct exact_code *code = &x->code;
	uint64_t va = code->va + row->offset;

	show_progress(l);
	if (is_left_out(l, code))
		l->left_out += row->instructions;
	exact_places_compare(x, va, row->raw);
	if (exact_places_is_generated(x) && !is_left_out(l, code)) {
		if (!x->jit)
			open_jit(l);
		if (x->jit)
			exact_jit_ran(x->jit, code->satp, va, row->raw);
	}
	if (x->home.path)
		exact_spaces_ran(l->spaces, runner_of(l, code), x->home.file,
				 x->home.offset + row->offset, row->instructions);
}

static void take_code(struct loader *l, const struct exact_code *code)
{
	bool firmware = code->mode == EXACT_MODE_M && l->from.has_firmware;

	exact_places_enter(&l->places, code);
	if (is_left_out(l, code))
		return;
	exact_places_name(&l->places, exact_spaces_process(l->spaces, l->p, runner_of(l, code),
							   firmware ? NULL : l->from.program));
	memset(l->here, 0xff, sizeof(l->here)); /* PROFILE_NONE */
	exact_paths_enter(&l->paths, code);
}

/* The place of a call, which is often in another page than the present one. */
static uint32_t place_of_call(void *cookie, uint64_t va)
{
	struct loader *l = cookie;
	const struct exact_code *code = &l->places.code;
	const struct exact_code of_call = exact_paths_code(&l->paths, code, exact_spaces_of(code),
							   va);

	return exact_places_find_in(&l->places, &of_call, va);
}

/* The place of the totals of the present page's mode. */
static uint32_t place_of_total(struct loader *l)
{
	static const struct {
		const char *name;
		enum profile_kind kind;
	} of_mode[] = {
		[EXACT_MODE_U] = { "[programs]", PROFILE_ANON },
		[EXACT_MODE_S] = { "[kernel]", PROFILE_KERNEL },
		[EXACT_MODE_M] = { "[firmware]", PROFILE_FIRMWARE },
	};
	unsigned mode = l->places.code.mode;
	const char *name = of_mode[mode].name;

	if (!name)
		return PROFILE_NONE;
	return profile_add_place(l->p, l->places.process,
				 profile_add_object(l->p, of_mode[mode].kind, name, NULL, 0), 0);
}

/* The place of an instruction of the present page. */
static uint32_t place_here(struct loader *l, const struct exact_row *row)
{
	uint32_t *place = &l->here[row->offset / 2];

	if (l->totals)
		return place_of_total(l);
	if (*place == PROFILE_NONE || exact_places_is_generated(&l->places))
		*place = exact_places_find(&l->places, l->places.code.va + row->offset, row->raw);
	if (row->raw)
		profile_set_code(l->p, *place, row->raw);
	return *place;
}

/* The stack of a row of the present page; PROFILE_NONE: it is left out, or has no counts. */
static uint32_t stack_of(struct loader *l, const struct exact_row *row)
{
	uint32_t caller = PROFILE_NONE, place;

	show_progress(l);
	if (is_left_out(l, &l->places.code))
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
	exact_places_note_differences(&l->places);
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
	const struct exact_code code = { slice->whose, slice->hart, EXACT_MODE_U, slice->satp };
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
		exact_spaces_process(l->spaces, p, runner_of(l, &code), l->from.program),
		slice->hart,
	};
}

/* Data */

/* The place of an instruction of a space; PROFILE_NONE: the report leaves it out. */
static uint32_t place_anywhere(struct loader *l, const struct exact_code *space, uint64_t va,
			       uint32_t raw)
{
	struct exact_code code = exact_paths_code(&l->paths, space, exact_spaces_of(space), va);

	if (is_left_out(l, &code))
		return PROFILE_NONE;
	take_code(l, &code);
	return exact_places_find(&l->places, va, raw);
}

static uint32_t place_of_user(void *cookie, const struct exact_user *u)
{
	const struct exact_code code = { u->whose, u->hart, u->mode, u->satp };

	return place_anywhere(cookie, &code, u->va, u->raw);
}

static uint32_t place_of_site(void *cookie, const struct exact_site *s)
{
	const struct exact_code code = { s->whose, s->hart, EXACT_MODE_U, s->satp };
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
static bool is_whole(struct loader *l, const struct exact_kept *kept)
{
	struct profile *scratch = profile_new();
	uint8_t *chosen = NULL;
	bool whole = false;

	if (scratch)
		chosen = exact_choose(scratch, l->head, l->o->events, l->merged.total);
	if (chosen)
		whole = exact_kept_has_columns(kept, &l->merged, chosen, scratch->events.nr) &&
			exact_merged_find_used(&l->merged, chosen, scratch->events.nr) &&
			(!l->merged.function ||
			 exact_summary_is_whole(&l->merged, chosen, scratch->events.nr));
	free(chosen);
	profile_free(scratch);
	return whole;
}

/* Reads what is kept.  False: nothing; the profile has not changed. */
static bool read_kept(struct loader *l, const struct exact_kept_key *key, struct exact_kept *kept)
{
	if (exact_kept_read(kept, key, l->o->summary, &l->merged, l->p) && is_whole(l, kept)) {
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

static void keep(struct loader *l, const struct exact_kept_key *key)
{
	struct exact_merged summary;
	bool some = exact_summary_make(&summary, &l->merged, &l->o->functions);

	exact_kept_write(key, &l->merged, some ? &summary : NULL, l->p);
	exact_summary_free(&summary);
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
		keep(l, &key);
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
		l.places = (struct exact_places){ p, &l.from, l.files, l.spaces };
		l.progress = progress_begin("reading the profile");
		ok = load(&l, data, len, &kept);
		progress_end(&l.progress);
	}
	if (!ok && !why->text[0])
		error_set(why, "out of memory for the profile");
	exact_places_free(&l.places);
	exact_spaces_free(l.spaces);
	exact_files_free(l.files);
	exact_head_free(l.head);
	exact_sources_free(&l.from);
	exact_merged_free(&l.merged);
	exact_kept_free(&kept);
	exact_paths_free(&l.paths);
	exact_rows_free(&l.code_rows);
	return ok;
}
