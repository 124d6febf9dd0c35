/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * annotate.h - lists the instructions of a function with the counts of each event.
 * annotate.c and sources.c define the functions.
 */
#ifndef REPORT_ANNOTATE_H
#define REPORT_ANNOTATE_H

#include <limits.h>

#include "report.h"

struct annotate_insn {
	uint64_t place; /* the address in struct profile_place */
	uint64_t addr; /* the address to show: in the ELF file, or where the kernel ran */
	uint32_t raw; /* the encoded instruction */
	bool has_raw;
	const char *file; /* NULL: unknown */
	int line;
	const uint64_t *self, *samples; /* by event of the profile */
};

/* A loop: the last branch backwards to an instruction. */
struct annotate_loop {
	size_t first, last; /* index of insns */
	unsigned column; /* 0: the innermost */
};

#define ANNOTATE_TEXT	 80 /* bytes of assembly */
#define ANNOTATE_COLUMNS 4 /* most columns of loops */

struct annotate {
	uint32_t function;
	VEC(struct annotate_loop)
	loops; /* longer ones later; those without a column are left out */
	unsigned columns; /* of loops */
	struct isa_index *isa;
	VEC(struct annotate_insn) insns; /* in the order of addresses */
	const char *partly; /* why insns only has addresses with events; NULL: it has all */
	uint64_t *total; /* of the function, by event of the profile */
	uint64_t *numbers;
};

/*
 * Finds the functions of a name in the profile, those with the highest counts of the event first.
 * Functions that were only inlined are left out.  name NULL: finds the function with the highest
 * count.  Returns how many there are; at most max of them are written to functions.  Without
 * memory it returns 0, and r->p->no_memory is set.
 */
size_t annotate_find(struct report *r, const char *name, uint32_t event, uint32_t *functions,
		     size_t max);

/*
 * The name of the function that has the instruction with most of the event, of those in which the
 * compiler has inlined a function of this name.  NULL: there is none.
 */
const char *annotate_inlined_into(const struct report *r, const char *name, uint32_t event);

/*
 * The name of the function at a place, which is an address as annotate shows it (10552 or 0x10552)
 * or a source line (FILE:LINE): the one with most of the event, if there are several.  NULL: there
 * is none.  *is_place: the text can only be a place, and no name of a function.
 */
const char *annotate_function_at(struct report *r, const char *place, uint32_t event,
				 bool *is_place);

/*
 * Chooses what encodings with two meanings are: with Zcmp or Zcmt some instructions of C are
 * others, and with XTheadVector those of V.  The attributes of the file decide, if they name one of
 * the two; else the CPU of the recording.  elf: NULL if the file is not here.
 */
void annotate_choose_isa(struct isa_index *isa, const struct profile *p,
			 const struct elf_image *elf);

/* Makes the list for a function.  Returns false if there is no memory. */
bool annotate_make(struct report *r, uint32_t function, struct annotate *a);

/* Writes the plain assembly of an instruction; "" if it is not known. */
void annotate_plain(const struct annotate *a, size_t insn, char to[ANNOTATE_TEXT]);

/*
 * Writes it for people: pseudo-instructions, as objdump has them.  Returns the symbol to which it
 * branches or jumps, and the distance from its begin; NULL: none.
 */
const char *annotate_assembly(struct report *r, const struct annotate *a, size_t insn,
			      char to[ANNOTATE_TEXT], uint64_t *distance);

/*
 * Writes what stands before an instruction: a line for each loop that it is in, with an arrow to
 * the first instruction.  "" if the function has no loop.
 */
#define ANNOTATE_MARGIN (3 * (ANNOTATE_COLUMNS + 3) + 1)
void annotate_margin(const struct annotate *a, size_t insn, bool utf8, char to[ANNOTATE_MARGIN]);

void annotate_free(struct annotate *a);

/* Source files that have been read, until sources_free(). */
struct source_file {
	char *path, *text;
	VEC(const char *) lines; /* strings */
};

struct sources {
	const char *symfs;
	VEC(struct source_file) files;
};

/*
 * Returns a line of a source file, made printable (term.h) except for tabs.  NULL: the file does
 * not exist, or has fewer lines.
 */
const char *sources_line(struct sources *s, const char *path, int line);
void sources_free(struct sources *s);

/* Writes the last part of a file's path to `to`, made printable.  Returns to. */
const char *sources_file_name(const char *file, char to[NAME_MAX + 1]);

#endif
