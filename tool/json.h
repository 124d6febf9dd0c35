/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json.h - writes JSON (RFC 8259), one value after the other, to a stream.
 *
 *	struct json j = json_to(stdout);
 *
 *	json_open(&j, NULL, '{');
 *	json_text(&j, "name", "x");
 *	json_open(&j, "list", '[');
 *	json_number(&j, NULL, 1);
 *	json_close(&j, ']');
 *	json_close(&j, '}');
 *
 * A key is given in objects and NULL in arrays and at the top.  What is written is valid whatever
 * the texts hold: bytes that are no UTF-8 become U+FFFD.  A value at the top ends its line.  The
 * objects of an array stand on lines of their own, unless compact.  Errors of writing are the
 * stream's.
 */
#ifndef TOOL_JSON_H
#define TOOL_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *to;
	bool compact; /* no line breaks inside */
	bool later; /* a value stands in front */
	bool rows; /* the last value closed was an object on its own line */
	unsigned depth;
	uint64_t in_array; /* bit n: depth n is an array's; 64 levels at most */
};

static inline struct json json_to(FILE *to)
{
	return (struct json){ .to = to };
}

/* bracket is '{' or '[', and '}' or ']'. */
void json_open(struct json *j, const char *key, char bracket);
void json_close(struct json *j, char bracket);

void json_text(struct json *j, const char *key, const char *text); /* NULL: null */
void json_bytes(struct json *j, const char *key, const char *text, size_t len);
void json_number(struct json *j, const char *key, uint64_t value);
void json_integer(struct json *j, const char *key, int64_t value);
void json_hex(struct json *j, const char *key, uint64_t value); /* as a text: "0x1f" */
void json_real(struct json *j, const char *key, double value); /* none: null */
void json_bool(struct json *j, const char *key, bool value);
void json_null(struct json *j, const char *key);

#endif
