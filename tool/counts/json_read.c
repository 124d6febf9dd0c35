// SPDX-License-Identifier: BSD-2-Clause
/*
 * json_read.c - see json_read.h.
 */
#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>

#include "errtext.h"
#include "file.h"
#include "json_read.h"

#define FILE_MAX (64 << 20)

/*
 * Parses one JSON value: strict, so that nothing may follow it.  NULL: see errno, and *why unless
 * that is ENOMEM.
 */
static struct json_object *parse(const char *text, size_t len, const char **why)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *all;

	if (!tokener) {
		errno = ENOMEM;
		return NULL;
	}
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	/* With the zero after it: a number at the end is then complete. */
	all = json_tokener_parse_ex(tokener, text, (int)len + 1);
	/* The value null has no object. */
	*why = json_tokener_get_error(tokener) == json_tokener_success
		       ? "it is null"
		       : json_tokener_error_desc(json_tokener_get_error(tokener));
	json_tokener_free(tokener);
	errno = EBADMSG;
	return all;
}

struct json_object *json_read_file(const char *path, struct error_text *why)
{
	size_t len = 0;
	char *text = file_read("", path, FILE_MAX, &len);
	struct json_object *all;
	const char *error = "";

	all = text ? parse(text, len, &error) : NULL;
	free(text);
	if (!text || (!all && errno == ENOMEM))
		error_set(why, "%s: %s", path, file_text(errno));
	else if (!all)
		error_set(why, "%s: this is not a JSON object of one run: %s", path, error);
	return all;
}

void json_read_free(struct json_object *all)
{
	json_object_put(all);
}

const struct json_object *json_read_member(const struct json_object *of, const char *key)
{
	struct json_object *found = NULL;

	if (!json_object_is_type(of, json_type_object))
		return NULL;
	json_object_object_get_ex(of, key, &found);
	return found;
}

bool json_read_is_array(const struct json_object *o)
{
	return json_object_is_type(o, json_type_array);
}

size_t json_read_length(const struct json_object *array)
{
	return json_read_is_array(array) ? json_object_array_length(array) : 0;
}

const struct json_object *json_read_element(const struct json_object *array, size_t n)
{
	return json_read_is_array(array) ? json_object_array_get_idx(array, n) : NULL;
}

const char *json_read_text(const struct json_object *o)
{
	return json_object_is_type(o, json_type_string)
		       ? json_object_get_string((struct json_object *)o)
		       : NULL;
}

bool json_read_bool(const struct json_object *o)
{
	return json_object_is_type(o, json_type_boolean) && json_object_get_boolean(o);
}

bool json_read_real(const struct json_object *o, double *to)
{
	if (!json_object_is_type(o, json_type_int) && !json_object_is_type(o, json_type_double))
		return false;
	*to = json_object_get_double(o);
	return true;
}

bool json_read_number(const struct json_object *o, uint64_t *to)
{
	double value;

	if (!json_read_real(o, &value) || !(value >= 0 && value < 0x1p63))
		return false;
	*to = json_object_is_type(o, json_type_int) ? (uint64_t)json_object_get_int64(o)
						    : (uint64_t)llround(value);
	return true;
}
