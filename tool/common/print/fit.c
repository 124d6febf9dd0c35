// SPDX-License-Identifier: BSD-2-Clause
/*
 * fit.c - see fit.h.
 */
#include <stdio.h>
#include <string.h>

#include "fit.h"

/* Whether a byte begins a character; the others follow one. */
static bool is_first(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

unsigned fit_width(const char *text)
{
	unsigned width = 0;

	for (; *text; text++)
		width += is_first(*text);
	return width;
}

/* The length of the name of an operator that has < or >: operator<<, operator->.  0: none. */
static size_t operator_len(const char *s)
{
	static const char word[] = "operator";

	if (strncmp(s, word, strlen(word)))
		return 0;
	return strlen(word) + strspn(s + strlen(word), "<>-=");
}

/* The length of the template arguments that s begins with, <...>.  0: they have no end. */
static size_t arguments_len(const char *s)
{
	unsigned depth = 0;

	for (size_t i = 0; s[i]; i++) {
		size_t skip = operator_len(s + i);

		if (skip) {
			i += skip - 1;
		} else if (s[i] == '<') {
			depth++;
		} else if (s[i] == '>' && s[i - 1] != '-') {
			if (!--depth)
				return i + 1;
		}
	}
	return 0;
}

/* Writes text without the arguments of its templates. */
static void shorten(char *to, size_t room, const char *text)
{
	static const char instead[] = "<...>";
	size_t used = 0;

	while (*text && used + sizeof(instead) < room) {
		size_t skip = operator_len(text);
		size_t arguments = !skip && *text == '<' ? arguments_len(text) : 0;

		if (arguments > strlen(instead)) {
			memcpy(to + used, instead, strlen(instead));
			used += strlen(instead);
			text += arguments;
			continue;
		}
		do
			to[used++] = *text++;
		while (skip-- > 1 && used + 1 < room);
	}
	to[used] = '\0';
}

/* The bytes of the first characters of text. */
static size_t bytes_of(const char *text, unsigned characters)
{
	size_t i = 0;

	while (text[i] && (characters || !is_first(text[i])))
		characters -= is_first(text[i++]);
	return i;
}

static void cut_middle(char *to, size_t room, const char *text, unsigned width, bool utf8)
{
	const char *gap = utf8 ? "\xe2\x80\xa6" : "...";
	unsigned all = fit_width(text), gap_width = fit_width(gap), begin, end;

	if (width <= gap_width) {
		snprintf(to, room, "%.*s", (int)bytes_of(text, width), text);
		return;
	}
	end = (width - gap_width) / 2;
	begin = width - gap_width - end;
	snprintf(to, room, "%.*s%s%s", (int)bytes_of(text, begin), text, gap,
		 text + bytes_of(text, all - end));
}

char *fit_text(char *to, size_t room, const char *text, unsigned width, bool utf8)
{
	char shorter[4096];

	if (fit_width(text) > width) {
		shorten(shorter, sizeof(shorter), text);
		text = shorter;
	}
	if (fit_width(text) > width)
		cut_middle(to, room, text, width, utf8);
	else
		snprintf(to, room, "%s", text);
	return to;
}

char *fit_path(char *to, size_t room, const char *path, unsigned width, bool utf8)
{
	const char *gap = utf8 ? "\xe2\x80\xa6" : "...";
	unsigned all = fit_width(path), gap_width = fit_width(gap);

	if (all <= width)
		snprintf(to, room, "%s", path);
	else if (width <= gap_width)
		snprintf(to, room, "%s", path + bytes_of(path, all - width));
	else
		snprintf(to, room, "%s%s", gap, path + bytes_of(path, all - width + gap_width));
	return to;
}

void fit_columns(unsigned *widths, unsigned nr, unsigned width, unsigned least)
{
	for (;;) {
		unsigned sum = 0, widest = 0;

		for (unsigned i = 0; i < nr; i++) {
			sum += widths[i];
			if (widths[i] >= widths[widest])
				widest = i;
		}
		if (sum <= width || !nr || widths[widest] <= least)
			return;
		widths[widest]--;
	}
}

unsigned fit_wrap(FILE *to, const char *text, unsigned at, unsigned column, unsigned width)
{
	bool begins = true;

	if (width && column > 4 && column + FIT_LEAST > width)
		column = 4;
	while (*text) {
		size_t len = strcspn(text, " \n");
		unsigned wide = (unsigned)len;

		for (size_t i = 0; i < len; i++)
			wide -= !is_first(text[i]);
		if (width && at > column && at + !begins + wide > width) {
			fprintf(to, "\n%*s", (int)column, "");
			at = column;
			begins = true;
		}
		fprintf(to, "%s%.*s", begins ? "" : " ", (int)len, text);
		at += wide + !begins;
		begins = false;
		text += len;
		if (*text == '\n') {
			fprintf(to, "\n%*s", (int)column, "");
			at = column;
			begins = true;
		}
		text += *text != '\0';
	}
	return at;
}

/* Copies a printed number, with a comma before each three digits of its whole part. */
static void group_digits(char *to, const char *plain)
{
	size_t first = *plain == '-', whole = strcspn(plain, ".");

	for (size_t i = 0; plain[i]; i++) {
		if (i > first && i < whole && (whole - i) % 3 == 0)
			*to++ = ',';
		*to++ = plain[i];
	}
	*to = '\0';
}

char *fit_number(char to[FIT_NUMBER_SIZE], unsigned long long number)
{
	char plain[24];

	snprintf(plain, sizeof(plain), "%llu", number);
	group_digits(to, plain);
	return to;
}

char *fit_real(char to[FIT_REAL_SIZE], double number, unsigned decimals)
{
	char plain[320]; /* of DBL_MAX: 309 digits */

	snprintf(plain, sizeof(plain), "%.*f", decimals < 6 ? (int)decimals : 6, number);
	group_digits(to, plain);
	return to;
}
