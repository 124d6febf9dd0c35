/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fit.h - makes texts and tables as narrow as a terminal.  Pure, but for what fit_wrap() prints.
 *
 * A width is a number of columns; each character (RFC 3629) takes one.
 */
#ifndef TOOL_FIT_H
#define TOOL_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The columns that a text takes. */
unsigned fit_width(const char *text);

/*
 * Writes text to `to`, at most width columns of it.  A text that is wider loses the arguments of
 * templates first (std::vector<...>), and then its middle, for which "..." stands, or one character
 * if utf8.  Returns to.  room is the size of `to`: 4 * width + 16 are enough.
 */
char *fit_text(char *to, size_t room, const char *text, unsigned width, bool utf8);

/* The same for a path: it loses its beginning. */
char *fit_path(char *to, size_t room, const char *path, unsigned width, bool utf8);

/*
 * Makes columns narrower until their sum is at most width: the widest ones lose most.  No column
 * gets narrower than least.
 */
void fit_columns(unsigned *widths, unsigned nr, unsigned width, unsigned least);

/*
 * Prints text, which begins at column `at`, with lines broken at blanks where it would get wider
 * than width; 0: it is not broken.  Each new line, also after a \n of the text, begins at
 * `column`, or at column 4 if that leaves less than FIT_LEAST.  A longer word is not cut.  Returns
 * the column after the text.
 */
#define FIT_LEAST 16
unsigned fit_wrap(FILE *to, const char *text, unsigned at, unsigned column, unsigned width);

/* Writes a number with commas, 1,234,567, to `to`.  Returns to. */
#define FIT_NUMBER_SIZE 28
char *fit_number(char to[FIT_NUMBER_SIZE], unsigned long long number);

/* The same for a real number with at most six decimals: -1,234.5.  NaN and infinity have none. */
#define FIT_REAL_SIZE 420
char *fit_real(char to[FIT_REAL_SIZE], double number, unsigned decimals);

#endif
