/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * term.h - output for a user at a terminal: colour, width, progress, and texts without
 * control characters.
 *
 * (tool/run/terminal.c has the keys of the guest's terminal.)
 */
#ifndef TOOL_TERM_H
#define TOOL_TERM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Escape sequences around words; all are "" without colour. */
struct style {
	const char *bold, *dim, *red, *green, *yellow, *blue;
	const char *end;
};

/*
 * Colour if the stream is a terminal, the environment has no NO_COLOR (no-color.org: set and not
 * empty) and its TERM is not "dumb".
 */
const struct style *style_of(FILE *to);

/* The columns of the terminal that the stream is; 0: not a terminal, or it does not tell. */
unsigned term_width(FILE *to);

/* Whether the stream is a terminal that shows UTF-8: LC_ALL, LC_CTYPE or LANG names it. */
bool term_has_utf8(FILE *to);

/*
 * Makes text from a file safe to print: it must neither control the terminal nor deceive the user.
 * These bytes become a ?: control characters (ASCII, and U+0080 to U+009F), characters that change
 * the direction of text (U+202E and others) or end a line (U+2028, U+2029), and bytes that are not
 * UTF-8, because some terminals take a byte of 0x80 to 0x9f for a control character.  text may be
 * NULL.
 */
void term_printable(char *text);

/* The s of "3 rows": "" if nr is 1. */
const char *term_plural(uint64_t nr);

/*
 * The length of the UTF-8 sequence (RFC 3629) at s, which has room bytes; 0: it is not valid.
 * *shown: term_printable() does not change it.
 */
size_t term_utf8(const unsigned char *s, size_t room, bool *shown);

/*
 * A progress line on stderr, if that is a terminal or HOLTER_PROGRESS is set and not empty.  It
 * appears after a second, changes at most ten times a second, and is erased at the end.
 *
 *	struct progress p = progress_begin("reading samples");
 *
 *	while (...)
 *		progress_step(&p, done, total);
 *	progress_end(&p);
 */
struct progress {
	const char *what; /* must live until progress_end() */
	uint64_t next; /* when to show it, in nanoseconds of CLOCK_MONOTONIC */
	bool on, shown;
};

struct progress progress_begin(const char *what);
/* total 0: not known. */
void progress_step(struct progress *p, uint64_t done, uint64_t total);
/* Shows this text instead, when it is time. */
__attribute__((format(printf, 2, 3))) void progress_say(struct progress *p, const char *format,
							...);
/* Erases the line; call it before anything else is printed. */
void progress_end(struct progress *p);

#endif
