// SPDX-License-Identifier: BSD-2-Clause
/*
 * json.c - see json.h.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "json.h"
#include "term.h"

/* Writes a control character as \u and four digits, so that no terminal obeys it. */
static void escaped(FILE *to, const unsigned char *s, size_t len)
{
	unsigned character = s[0];

	if (len == 2)
		character = (s[0] & 0x1f) << 6 | (s[1] & 0x3f);
	else if (len == 3)
		character = (s[0] & 0xf) << 12 | (s[1] & 0x3f) << 6 | (s[2] & 0x3f);
	fprintf(to, "\\u%04x", character);
}

static void quoted(FILE *to, const char *text, size_t room)
{
	const unsigned char *s = (const unsigned char *)text;

	putc('"', to);
	while (room) {
		bool shown;
		size_t len = term_utf8(s, room, &shown);

		if (*s == '"' || *s == '\\')
			fprintf(to, "\\%c", *s);
		else if (*s == '\n')
			fputs("\\n", to);
		else if (!len)
			fputs("\\ufffd", to);
		else if (!shown)
			escaped(to, s, len);
		else
			fwrite(s, 1, len, to);
		s += len ? len : 1;
		room -= len ? len : 1;
	}
	putc('"', to);
}

/* Writes what precedes a value: comma, line break, key. */
static void before(struct json *j, const char *key, bool object)
{
	bool array = j->depth && j->in_array >> (j->depth - 1) & 1;

	if (j->later)
		putc(',', j->to);
	if (array && object && !j->compact)
		fprintf(j->to, "\n%*s", (int)j->depth, "");
	else if (j->later)
		putc(' ', j->to);
	if (key) {
		quoted(j->to, key, strlen(key));
		fputs(": ", j->to);
	}
	j->later = true;
	j->rows = false;
}

static void after(struct json *j)
{
	if (j->depth)
		return;
	putc('\n', j->to);
	j->later = false;
}

void json_open(struct json *j, const char *key, char bracket)
{
	before(j, key, bracket == '{');
	putc(bracket, j->to);
	j->in_array &= ~(1ull << j->depth);
	j->in_array |= (uint64_t)(bracket == '[') << j->depth;
	j->depth++;
	j->later = false;
}

void json_close(struct json *j, char bracket)
{
	j->depth--;
	if (bracket == ']' && j->rows)
		fprintf(j->to, "\n%*s", (int)j->depth - 1 > 0 ? (int)j->depth - 1 : 0, "");
	putc(bracket, j->to);
	j->later = true;
	j->rows = bracket == '}' && !j->compact;
	after(j);
}

void json_bytes(struct json *j, const char *key, const char *text, size_t len)
{
	before(j, key, false);
	quoted(j->to, text, len);
	after(j);
}

void json_text(struct json *j, const char *key, const char *text)
{
	if (text)
		json_bytes(j, key, text, strlen(text));
	else
		json_null(j, key);
}

void json_number(struct json *j, const char *key, uint64_t value)
{
	before(j, key, false);
	fprintf(j->to, "%" PRIu64, value);
	after(j);
}

void json_integer(struct json *j, const char *key, int64_t value)
{
	before(j, key, false);
	fprintf(j->to, "%" PRId64, value);
	after(j);
}

void json_hex(struct json *j, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	json_text(j, key, text);
}

void json_real(struct json *j, const char *key, double value)
{
	if (!isfinite(value)) {
		json_null(j, key);
		return;
	}
	before(j, key, false);
	fprintf(j->to, "%.9g", value);
	after(j);
}

static void word(struct json *j, const char *key, const char *text)
{
	before(j, key, false);
	fputs(text, j->to);
	after(j);
}

void json_bool(struct json *j, const char *key, bool value)
{
	word(j, key, value ? "true" : "false");
}

void json_null(struct json *j, const char *key)
{
	word(j, key, "null");
}
