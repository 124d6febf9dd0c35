/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json_read.h - reads JSON that anybody may have written; json-c parses it.  A question to a value
 * of another type, or to NULL, has the answer NULL, 0 or false.  (print/json.h writes JSON.)
 */
#ifndef TOOL_COUNTS_JSON_READ_H
#define TOOL_COUNTS_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error_text;
struct json_object;

/*
 * Reads a file with one value.  NULL: see *why; errno is ENOMEM if there is no memory.
 * json_read_free() frees it.
 */
struct json_object *json_read_file(const char *path, struct error_text *why);
void json_read_free(struct json_object *all);

/* All that these return lives as long as the whole. */
const struct json_object *json_read_member(const struct json_object *of, const char *key);
bool json_read_is_array(const struct json_object *o);
size_t json_read_length(const struct json_object *array);
const struct json_object *json_read_element(const struct json_object *array, size_t n);
const char *json_read_text(const struct json_object *o);
bool json_read_bool(const struct json_object *o);

bool json_read_real(const struct json_object *o, double *to);
/* A number from 0 to 2^63; one that is not an integer is rounded. */
bool json_read_number(const struct json_object *o, uint64_t *to);

#endif
