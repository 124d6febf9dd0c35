/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_places.h - the places of the code of an exact profile: in which file the code of a page is,
 * at which address of the file, and which object of the report that is.
 */
#ifndef REPORT_EXACT_PLACES_H
#define REPORT_EXACT_PLACES_H

#include "exact_jit.h"
#include "exact_parse.h"
#include "exact_sources.h"
#include "exact_spaces.h"
#include "idmap.h"
#include "profile.h"

struct exact_linked { /* the file of code that is linked at fixed addresses: firmware, a kernel */
	const char *path, *otherwise; /* NULL: not known; otherwise: shown instead ([firmware]) */
	uint32_t file; /* or EXACT_NO_FILE */
};

struct exact_places {
	/* The caller sets these before the first page. */
	struct profile *p; /* lack of memory is noted in it */
	const struct exact_sources *from;
	struct exact_files *files;
	struct exact_spaces *spaces;
	/* NULL: no code without a file ran yet.  The caller makes it when some does. */
	struct exact_jit *jit;
	/* exact_places_take_kallsyms() */
	bool has_kallsyms;
	uint64_t kernel_start; /* address of the Image's first byte, by kallsyms; 0: not known */
	struct idmap compared; /* by page address and mode: is its code the same as in its file? */
	/* The present page: */
	struct exact_code code;
	struct exact_home home; /* its file */
	struct exact_linked linked;
	uint64_t shift; /* from the addresses at which it ran to those of its object */
	uint32_t process, object;
};

/* Frees jit, too. */
void exact_places_free(struct exact_places *x);

/* has: the names of the kernel are in the profile. */
void exact_places_take_kallsyms(struct exact_places *x, bool has);

/* This page is the present one: finds its file.  Call it after exact_spaces_resolve(). */
void exact_places_enter(struct exact_places *x, const struct exact_code *code);

/* Whether code of the present page is in no file: then a program has generated it. */
bool exact_places_is_generated(const struct exact_places *x);

/*
 * Compares an instruction that ran with the file: a file of another build would give wrong names.
 */
void exact_places_compare(struct exact_places *x, uint64_t va, uint32_t insn);

/* Notes in the profile which files differ from what ran.  Call it after the last comparison. */
void exact_places_note_differences(struct exact_places *x);

/* The process that ran the present page.  Call it before the functions below. */
void exact_places_name(struct exact_places *x, uint32_t process);

/* The place of an address of the present page.  raw: the instruction; 0: not known. */
uint32_t exact_places_find(struct exact_places *x, uint64_t va, uint32_t raw);

/* The same for an address of another page; the present page stays the same. */
uint32_t exact_places_find_in(struct exact_places *x, const struct exact_code *other, uint64_t va);

#endif
