// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_json.c - JSON, byte for byte.
 */
#include <math.h>
#include <stdlib.h>
#include <tap.h>

#include <json.h>

static char *text;
static size_t size;
static struct json j;

static void begin(void)
{
	j = json_to(open_memstream(&text, &size));
}

static void end_is(const char *want)
{
	fclose(j.to);
	is_str(text, want);
	free(text);
}

static void values(void)
{
	begin();
	json_open(&j, NULL, '{');
	json_text(&j, "text", "words");
	json_text(&j, "none", NULL);
	json_number(&j, "most", UINT64_MAX);
	json_integer(&j, "least", INT64_MIN);
	json_hex(&j, "hex", 0xdeadbeef);
	json_real(&j, "real", 0.25);
	json_real(&j, "nan", NAN);
	json_real(&j, "inf", INFINITY);
	json_bool(&j, "yes", true);
	json_bool(&j, "no", false);
	json_close(&j, '}');
	end_is("{\"text\": \"words\", \"none\": null, \"most\": 18446744073709551615, "
	       "\"least\": -9223372036854775808, \"hex\": \"0xdeadbeef\", \"real\": 0.25, "
	       "\"nan\": null, \"inf\": null, \"yes\": true, \"no\": false}\n");
}

static void nests(void)
{
	begin();
	json_open(&j, NULL, '{');
	json_open(&j, "empty", '[');
	json_close(&j, ']');
	json_open(&j, "numbers", '[');
	json_number(&j, NULL, 1);
	json_number(&j, NULL, 2);
	json_close(&j, ']');
	json_open(&j, "rows", '[');
	for (int n = 0; n < 2; n++) {
		json_open(&j, NULL, '{');
		json_number(&j, "n", n);
		json_open(&j, "in", '[');
		json_close(&j, ']');
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_number(&j, "last", 3);
	json_close(&j, '}');
	end_is("{\"empty\": [], \"numbers\": [1, 2], \"rows\": [\n"
	       "  {\"n\": 0, \"in\": []},\n  {\"n\": 1, \"in\": []}\n], \"last\": 3}\n");
}

static void compact(void)
{
	begin();
	j.compact = true;
	for (int n = 0; n < 2; n++) {
		json_open(&j, NULL, '[');
		json_open(&j, NULL, '{');
		json_number(&j, "n", n);
		json_close(&j, '}');
		json_open(&j, NULL, '{');
		json_close(&j, '}');
		json_close(&j, ']');
	}
	end_is("[{\"n\": 0}, {}]\n[{\"n\": 1}, {}]\n");
}

static void one(const char *in, size_t len, const char *want)
{
	tap_context("%s", want);
	begin();
	json_bytes(&j, NULL, in, len);
	end_is(want);
}

#define ONE(in, want) one(in, sizeof(in) - 1, want)

static void texts(void)
{
	ONE("", "\"\"\n");
	ONE("say \"\\\"", "\"say \\\"\\\\\\\"\"\n");
	ONE("a\nb\tc\033\177\0", "\"a\\nb\\u0009c\\u001b\\u007f\\u0000\"\n");
	ONE("\xc2\x9b|\xe2\x80\xae|\x9b", "\"\\u009b|\\u202e|\\ufffd\"\n");
	ONE("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x99\x82",
	    "\"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x99\x82\"\n");
	/* Latin 1; cut; an overlong form; a surrogate; past the last code point */
	ONE("\xe4.", "\"\\ufffd.\"\n");
	ONE("\xe2\x82", "\"\\ufffd\\ufffd\"\n");
	ONE("\xc0\x80", "\"\\ufffd\\ufffd\"\n");
	ONE("\xe0\x80\x80", "\"\\ufffd\\ufffd\\ufffd\"\n");
	ONE("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"\n");
	ONE("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"\n");
}

static void keys_are_texts(void)
{
	begin();
	json_open(&j, NULL, '{');
	json_number(&j, "a\"b", 1);
	json_close(&j, '}');
	end_is("{\"a\\\"b\": 1}\n");
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "every kind of value", values },
		{ "nested objects and arrays", nests },
		{ "compact: one line each", compact },
		{ "strings, and bytes that are not UTF-8", texts },
		{ "keys are quoted, too", keys_are_texts },
	};

	return tap_run(cases, TAP_NR(cases));
}
