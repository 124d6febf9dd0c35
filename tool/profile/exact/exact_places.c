// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_places.c - the places of the code of an exact profile (exact_places.h).
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "exact_jit.h"
#include "exact_places.h"
#include "fit.h"
#include "term.h"

enum { SAME, DIFFERS };

void exact_places_free(struct exact_places *x)
{
	exact_jit_free(x->jit);
	idmap_free(&x->compared);
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

void exact_places_take_kallsyms(struct exact_places *x, bool has)
{
	x->has_kallsyms = has;
	x->kernel_start = kernel_start(x->p);
}

/* Finds the file of code that is linked at fixed addresses: firmware, a program or a kernel. */
static struct exact_linked linked_of(const struct exact_places *x, const struct exact_code *code)
{
	bool program = x->from->has_program &&
		       (code->mode != EXACT_MODE_M || !x->from->has_firmware);

	if (code->mode == EXACT_MODE_U && x->home.path)
		return (struct exact_linked){ NULL, NULL, EXACT_NO_FILE };
	if (program)
		return (struct exact_linked){ x->from->program, "[program]",
					      x->from->program_file };
	/* Firmware without a file of its own may be in a file of the folders. */
	if (code->mode == EXACT_MODE_M && !x->from->firmware)
		return (struct exact_linked){ x->home.path, "[firmware]", x->home.file };
	if (code->mode == EXACT_MODE_M)
		return (struct exact_linked){ x->from->firmware, "[firmware]",
					      x->from->firmware_file };
	if (code->mode == EXACT_MODE_S && x->from->kernel && (!code->satp || !x->has_kallsyms))
		return (struct exact_linked){ x->from->kernel, "[kernel]", x->from->kernel_file };
	return (struct exact_linked){ NULL, NULL, EXACT_NO_FILE };
}

/*
 * The difference to add to an address at which code of the page ran, to get its object's address.
 */
static uint64_t shift_of(const struct exact_places *x, const struct exact_code *code)
{
	const struct exact_file *file;

	if (!x->home.path)
		return 0;
	file = exact_files_at(x->files, x->home.file);
	if (file->image)
		return x->kernel_start ? x->kernel_start + x->home.offset - code->va : 0;
	if (code->mode == EXACT_MODE_U && code->satp)
		return x->home.offset - code->va;
	return exact_file_address(file, x->home.offset) - code->va;
}

bool exact_places_is_generated(const struct exact_places *x)
{
	return x->code.mode == EXACT_MODE_U && x->code.satp && !x->home.path &&
	       !x->linked.otherwise;
}

void exact_places_enter(struct exact_places *x, const struct exact_code *code)
{
	x->code = *code;
	x->home = (struct exact_home){ NULL, EXACT_NO_FILE, 0 };
	if (exact_spaces_look_for(code))
		x->home = exact_spaces_find(x->spaces, exact_spaces_of(code), code->va,
					    code->content);
	x->linked = linked_of(x, code);
	x->shift = shift_of(x, code);
}

/*
 * Names a page for x->compared.  In exact_spaces.h a page has another identity whenever its content
 * has changed; here it stays the same.
 */
static uint64_t page_id(const struct exact_code *code)
{
	return code->va | code->mode;
}

void exact_places_compare(struct exact_places *x, uint64_t va, uint32_t insn)
{
	const uint8_t raw[] = { insn, insn >> 8, insn >> 16, insn >> 24 };
	size_t len = (insn & 3) == 3 ? 4 : 2;
	const uint8_t *code = NULL;

	if (insn && x->linked.file != EXACT_NO_FILE)
		code = exact_file_code(exact_files_at(x->files, x->linked.file), va + x->shift,
				       len);
	if (!code)
		return;
	if (memcmp(code, raw, len) != 0)
		x->p->no_memory |= !idmap_set(&x->compared, page_id(&x->code), DIFFERS);
	else if (idmap_get(&x->compared, page_id(&x->code)) == IDMAP_NONE)
		x->p->no_memory |= !idmap_set(&x->compared, page_id(&x->code), SAME);
}

static void note_difference(struct exact_places *x, const char *path, uint32_t mode)
{
	size_t same = 0, differs = 0;
	char text[PATH_MAX + 192], changed[FIT_NUMBER_SIZE], all[FIT_NUMBER_SIZE];

	for (size_t n = 0; n < x->compared.size; n++) {
		if (x->compared.slot[n].index == IDMAP_NONE || (x->compared.slot[n].id & 3) != mode)
			continue;
		same += x->compared.slot[n].index == SAME;
		differs += x->compared.slot[n].index == DIFFERS;
	}
	if (!differs)
		return;
	snprintf(text, sizeof(text),
		 "%s is not what ran: %s of %s page%s of code %s no names; it may have been built "
		 "anew since",
		 path, fit_number(changed, differs), fit_number(all, same + differs),
		 term_plural(same + differs),
		 differs == 1 ? "is another, and has" : "are others, and have");
	profile_add_note(x->p, text);
}

void exact_places_note_differences(struct exact_places *x)
{
	const char *upper = x->from->has_firmware ? x->from->firmware : x->from->program;
	const char *lower = x->from->has_program ? x->from->program : x->from->kernel;

	if (upper)
		note_difference(x, upper, EXACT_MODE_M);
	if (lower)
		note_difference(x, lower, EXACT_MODE_S);
}

/* The object of all code of a page; PROFILE_NONE: exact_places_find() does for each address. */
static uint32_t page_object(struct exact_places *x, const struct exact_code *code)
{
	const struct exact_linked *linked = &x->linked;
	bool differs = idmap_get(&x->compared, page_id(code)) == DIFFERS;

	if (code->mode == EXACT_MODE_U && x->home.path)
		return profile_add_object(x->p, PROFILE_USER, x->home.path, NULL, 0);
	if (linked->path && !differs)
		return profile_add_object(x->p, PROFILE_FIRMWARE, linked->path, NULL, 0);
	if (linked->otherwise)
		return profile_add_object(x->p, PROFILE_UNKNOWN, linked->otherwise, NULL, 0);
	if (code->mode == EXACT_MODE_U)
		return profile_add_object(x->p, PROFILE_ANON, "[anon]", NULL, 0);
	if (x->has_kallsyms)
		return PROFILE_NONE;
	return profile_add_object(x->p, PROFILE_KERNEL, "[kernel]", NULL, 0);
}

void exact_places_name(struct exact_places *x, uint32_t process)
{
	x->process = process;
	x->object = page_object(x, &x->code);
}

uint32_t exact_places_find(struct exact_places *x, uint64_t va, uint32_t raw)
{
	uint32_t object = x->object;
	uint64_t addr = va + x->shift;

	if (x->jit && exact_places_is_generated(x)) {
		struct exact_generated g = exact_jit_find(x->jit, x->code.satp, va, raw);

		if (g.object != PROFILE_NONE) {
			object = g.object;
			addr = g.addr;
		}
	}
	if (object == PROFILE_NONE) {
		object = profile_find_kernel(x->p, addr);
		if (object == PROFILE_NONE)
			object = profile_add_object(x->p, PROFILE_KERNEL, "[kernel]", NULL, 0);
	}
	return profile_add_place(x->p, x->process, object, addr);
}

uint32_t exact_places_find_in(struct exact_places *x, const struct exact_code *other, uint64_t va)
{
	const struct exact_code here = x->code;
	uint32_t object = x->object, place;

	exact_places_enter(x, other);
	x->object = page_object(x, other);
	place = exact_places_find(x, va, 0);
	exact_places_enter(x, &here);
	x->object = object;
	return place;
}
