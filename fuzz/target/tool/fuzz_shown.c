// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_shown.c - any bytes as a text that holter prints: in a table, as JSON, in an error message.
 *
 * Must hold: the output has no control character, and none that changes the direction of a line.
 * Making a text printable keeps its length; doing it again changes nothing.  JSON is valid JSON.
 */
#include "holter.h"
#include "json.h"
#include "shown.h"
#include "temp.h"
#include "term.h"

static void for_a_person(const char *text, size_t len)
{
	char *shown = strdup(text), *again;

	must(shown != NULL);
	term_printable(shown);
	must(strlen(shown) == len);
	must_be_shown(shown, len, "");
	again = strdup(shown);
	must(again != NULL);
	term_printable(again);
	must(!strcmp(again, shown));
	free(again);
	free(shown);
}

static void as_json(const char *text, const uint8_t *data, size_t size)
{
	char *out = NULL;
	size_t len = 0;
	FILE *to = open_memstream(&out, &len);
	struct json j = json_to(to);

	json_open(&j, NULL, '{');
	json_text(&j, "text", text);
	json_open(&j, "bytes", '[');
	json_bytes(&j, NULL, (const char *)data, size);
	json_real(&j, NULL, size ? 1.0 / data[0] : 0);
	json_close(&j, ']');
	json_close(&j, '}');
	must(!fclose(to));
	must_be_json(out, len);
	free(out);
}

static void as_error(const char *text)
{
	struct temp_memory f;
	size_t len;
	char *line;
	int was;

	temp_memory(&f, "", 0);
	was = temp_divert(STDERR_FILENO, &f);
	must(holter_error("%s: no such file", text) == 2);
	temp_restore(STDERR_FILENO, was);
	line = temp_read(&f, &len);
	must(len > 8 && !strncmp(line, "holter: ", 8) && line[len - 1] == '\n');
	must_be_shown(line, len - 1, "");
	free(line);
	close(f.fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	must(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	for_a_person(text, strlen(text));
	as_json(text, data, size);
	as_error(text);
	free(text);
	return 0;
}
