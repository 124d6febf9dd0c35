/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * number.h - reads numbers in texts from a user or a file.  A sign or a space is an error.
 *
 * The functions return false if the text is not such a number, or the number is out of its bounds.
 * What they would have set is then undefined.  The caller writes the error message; number_print()
 * writes a bound for it, in a form that number_parse() reads.
 */
#ifndef UTIL_NUMBER_H
#define UTIL_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a number is written; bits. */
enum number_form {
	NUMBER_DECIMAL = 0,
	NUMBER_C = 1, /* as in C: hexadecimal with a leading 0x, octal with a leading 0 */
	NUMBER_HEX = 2, /* hexadecimal */
	NUMBER_0X = 8, /* hexadecimal with a leading 0x */
	NUMBER_UNITS = 4, /* K, M or G may follow: times 2^10, 2^20 or 2^30 */
};

/* Reads a text that is one number, with low <= *value <= high. */
bool number_parse(const char *text, unsigned form, uint64_t low, uint64_t high, uint64_t *value);

/*
 * Reads the digits at *at, with *value <= high, and moves *at after them; any text may follow.
 * False with *at unchanged: there is no digit.  False with *at moved: the number is too great.
 */
bool number_read(const char **at, unsigned form, uint64_t high, uint64_t *value);

/*
 * Reads one entry of a decimal list such as "0-3,8", with *first <= *last <= high; they are equal
 * if the entry is one number.  Moves *at after the entry and its comma.  A comma must not be the
 * last character.  A newline may end the list, as it does in files of /sys.
 */
bool number_range(const char **at, uint64_t high, uint64_t *first, uint64_t *last);

/* Reads a time such as 500ms, 2s, 100us, 30ns or 30 (nanoseconds), with *ns <= high. */
bool number_time(const char *text, uint64_t high, uint64_t *ns);

/* Reads a frequency such as 1.85G, 100M or 32768, with *hz <= high; K, M, G: powers of 1000. */
bool number_hertz(const char *text, uint64_t high, uint64_t *hz);

/* Like number_read(), but first moves *at after blanks and tabs. */
bool number_field(const char **at, unsigned form, uint64_t high, uint64_t *value);

/* Reads len hexadecimal digits, and nothing else; the text need not be terminated. */
bool number_hex(const char *text, size_t len, uint64_t *value);

/*
 * Reads the text of a setting in /proc or /sys: decimal, perhaps with a minus.  A newline may
 * follow.
 */
bool number_setting(const char *text, int *value);

/*
 * Reads the real number at *at, such as 12, 0.5, .5 or 1e-3, and moves *at after it; any text may
 * follow.  It is finite.  False: *at is unchanged.
 */
bool number_real(const char **at, double *value);

/* The value of a hexadecimal digit; -1 for other characters. */
int number_digit(char c);

/*
 * What a size that number_parse() refuses was probably meant to be: 8MB, 8MiB and 8m are 8M.
 * Writes it as number_print() does.  False: it is no such size, or not from low to high.
 */
bool number_size_meant(const char *text, uint64_t low, uint64_t high, char meant[24]);

/* Prints value for number_parse(); with NUMBER_UNITS, in the largest unit that divides it. */
void number_print(char text[24], unsigned form, uint64_t value);

#endif
