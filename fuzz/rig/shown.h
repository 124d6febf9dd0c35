/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shown.h - checks that holter's output is safe to print, whatever was in the files that it read.
 * The checks follow RFC 3629 (UTF-8) and RFC 8259 (JSON), and use no code of the tool.
 */
#ifndef FUZZ_SHOWN_H
#define FUZZ_SHOWN_H

#include <stdbool.h>

#include "fuzz.h"

/* Reads a code point of UTF-8 at *at, and moves *at after it. */
static inline uint32_t shown_point(const char **at, const char *end)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint8_t first = (uint8_t)*(*at)++;
	unsigned len = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : 4;
	uint32_t point = first & (len == 1 ? 0x7f : 0xff >> (len + 1));

	must(len < 4 || first >> 3 == 30);
	for (unsigned n = 1; n < len; n++) {
		must(*at < end && ((uint8_t)**at & 0xc0) == 0x80);
		point = point << 6 | (*(*at)++ & 0x3f);
	}
	must(point >= least[len] && point < 0x110000 && (point < 0xd800 || point > 0xdfff));
	return point;
}

/*
 * Checks: no control character but those allowed, none that ends a line or changes its direction.
 */
static inline void must_be_shown(const char *text, size_t len, const char *allowed)
{
	const char *end = text + len;

	while (text < end) {
		uint32_t point = shown_point(&text, end);

		must(point || !*allowed);
		if (point < 0x20)
			must(point && strchr(allowed, (int)point));
		must(point < 0x7f || point > 0x9f);
		must(point != 0x2028 && point != 0x2029 && point != 0x61c);
		must((point < 0x200e || point > 0x200f) && (point < 0x202a || point > 0x202e));
		must(point < 0x2066 || point > 0x2069);
	}
}

static inline void json_blank(const char **at)
{
	*at += strspn(*at, " \t\r\n");
}

static inline void json_string(const char **at, const char *end)
{
	must(*(*at)++ == '"');
	while (*at < end && **at != '"') {
		must(shown_point(at, end) >= 0x20);
		if ((*at)[-1] != '\\')
			continue;
		must(**at && strchr("\"\\/bfnrtu", **at));
		if (*(*at)++ == 'u')
			for (unsigned n = 0; n < 4; n++)
				must(**at && strchr("0123456789abcdefABCDEF", *(*at)++));
	}
	must(*at < end);
	++*at;
}

static inline void json_value(const char **at, const char *end, unsigned depth);

static inline void json_members(const char **at, const char *end, unsigned depth, bool keys)
{
	char close = keys ? '}' : ']';

	++*at;
	json_blank(at);
	for (bool first = true; **at != close; first = false) {
		must(first || *(*at)++ == ',');
		json_blank(at);
		if (keys) {
			json_string(at, end);
			json_blank(at);
			must(*(*at)++ == ':');
		}
		json_value(at, end, depth + 1);
		json_blank(at);
	}
	++*at;
}

static inline void json_value(const char **at, const char *end, unsigned depth)
{
	static const char *const words[] = { "null", "true", "false" };
	char *behind;

	must(depth < 100);
	json_blank(at);
	if (**at == '{' || **at == '[') {
		json_members(at, end, depth, **at == '{');
		return;
	}
	if (**at == '"') {
		json_string(at, end);
		return;
	}
	for (unsigned n = 0; n < 3; n++) {
		if (!strncmp(*at, words[n], strlen(words[n]))) {
			*at += strlen(words[n]);
			return;
		}
	}
	must(**at == '-' || (**at >= '0' && **at <= '9'));
	strtod(*at, &behind);
	*at = behind;
}

/* Checks that text is one JSON value and a newline.  There must be a zero at text[len]. */
static inline void must_be_json(const char *text, size_t len)
{
	const char *at = text;

	json_value(&at, text + len, 0);
	must(!strcmp(at, "\n") && at + 1 == text + len);
}

#endif
