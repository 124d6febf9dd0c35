/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * person.h - what only a person at a terminal sees: colour, and that something goes on; and what a
 * terminal must not see.
 *
 * (terminal.c is about the keys of one that the guest has.)
 */
#ifndef TOOL_PERSON_H
#define TOOL_PERSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What to print around words; all of them "" where there is no colour. */
struct style {
	const char *bold, *dim, *red, *green, *yellow, *blue;
	const char *end;
};

/*
 * Colour if the stream is a terminal, the environment has no NO_COLOR (no-color.org: set and not
 * empty) and its TERM is not "dumb".
 */
const struct style *style_of(FILE *to);

/*
 * What a file says goes to a terminal, which it must not command, and to a person, whom it must not
 * deceive.  In text each byte becomes a ? that is of a control character (of ASCII, or U+0080 to
 * U+009F), of one that changes the direction of what follows (U+202E and its like) or ends a line
 * (U+2028, U+2029), or that is not UTF-8: some terminals take a byte of 0x80 to 0x9f for a control
 * character by itself.  NULL is fine.
 */
void person_printable(char *text);

/*
 * The length of the UTF-8 sequence (RFC 3629) at s, where room bytes are; 0: it is none.  *shown: it is
 * one that person_printable leaves as it is.
 */
size_t person_utf8(const unsigned char *s, size_t room, bool *shown);

/* The columns of a terminal, or of $COLUMNS; 0: it is none, and lines are as long as they are. */
unsigned person_columns(FILE *to);

/*
 * A line on stderr, if that is a terminal, about what takes more than a second.  It is there from the
 * first second on, renewed ten times a second at most, and gone in the end.
 *
 *	struct progress p = progress_begin("reading samples");
 *
 *	while (...)
 *		progress_step(&p, done, total);
 *	progress_end(&p);
 */
struct progress {
	const char *what; /* as long as it goes on */
	uint64_t next; /* when to show it, in nanoseconds of CLOCK_MONOTONIC */
	bool on, shown;
};

struct progress progress_begin(const char *what);
/* total 0: it is not known. */
void progress_step(struct progress *p, uint64_t done, uint64_t total);
/* Before anything else is printed on the terminal. */
void progress_end(struct progress *p);

#endif
