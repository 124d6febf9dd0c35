// SPDX-License-Identifier: BSD-2-Clause
/*
 * json.c - see json.h.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "json.h"

/* The length of the UTF-8 sequence at s (RFC 3629), or 0 if it is none. */
static size_t utf8_len(const unsigned char *s, size_t room)
{
	size_t len = *s < 0x80	 ? 1
		     : *s < 0xc2 ? 0
		     : *s < 0xe0 ? 2
		     : *s < 0xf0 ? 3
		     : *s < 0xf5 ? 4
				 : 0;

	if (len > room)
		return 0;
	for (size_t n = 1; n < len; n++) {
		if ((s[n] & 0xc0) != 0x80)
			return 0;
	}
	/* Too long a form, a surrogate, beyond the last character. */
	if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f) ||
	    (*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] > 0x8f))
		return 0;
	return len;
}

static void quoted(FILE *to, const char *text, size_t room)
{
	const unsigned char *s = (const unsigned char *)text;

	putc('"', to);
	while (room) {
		size_t len = utf8_len(s, room);

		if (*s == '"' || *s == '\\')
			fprintf(to, "\\%c", *s);
		else if (*s == '\n')
			fputs("\\n", to);
		else if (*s < 0x20 || *s == 0x7f)
			fprintf(to, "\\u%04x", *s);
		else if (!len)
			fputs("\\ufffd", to);
		else
			fwrite(s, 1, len, to);
		s += len ? len : 1;
		room -= len ? len : 1;
	}
	putc('"', to);
}

/* What stands in front of a value. */
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
