/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json.h - writes JSON (RFC 8259) to a stream, value by value.
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
 * In an object each value has a key; in arrays and at the top the key is NULL.  The output is valid
 * JSON whatever the texts hold: bytes that are not UTF-8 become U+FFFD.  A value at the top ends
 * its line.  Each object in an array stands on its own line, unless compact.  ferror(3) of the
 * stream tells write errors.
 */
#ifndef TOOL_JSON_H
#define TOOL_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *to;
	bool compact; /* no line breaks inside */
	bool later; /* a value precedes the next one */
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

void json_text(struct json *j, const char *key, const char *text); /* NULL becomes null */
void json_bytes(struct json *j, const char *key, const char *text, size_t len);
void json_number(struct json *j, const char *key, uint64_t value);
void json_integer(struct json *j, const char *key, int64_t value);
void json_hex(struct json *j, const char *key, uint64_t value); /* as text: "0x1f" */
void json_real(struct json *j, const char *key, double value); /* NaN and infinity become null */
void json_bool(struct json *j, const char *key, bool value);
void json_null(struct json *j, const char *key);

#endif
