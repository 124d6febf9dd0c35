// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_report.c - the output of holter report and holter annotate for hostile files.
 *
 * Input: a byte that chooses the command and its options; the length of the profile, in three
 * bytes; the profile; the program that it names, which is /prog below --symfs.
 *
 * Must hold: the exit status is 0 or 2.  With 2, only error lines are printed.  The output has no
 * control characters, but that of pprof, which is binary.  JSON output is valid JSON.
 */
#include <getopt.h>

#include "cmd_annotate.h"
#include "cmd_report.h"
#include "shown.h"
#include "temp.h"

#define ARGS 8

struct form {
	int (*command)(int argc, char **argv);
	const char *arg[ARGS];
	bool json, binary;
};

static const struct form forms[] = {
	{ cmd_report, { "report" } },
	{ cmd_report, { "report", "-g", "-s", "comm,symbol,line,addr" } },
	{ cmd_report, { "report", "--json" }, true },
	{ cmd_report, { "report", "--format", "folded" } },
	{ cmd_report, { "report", "--format", "callgrind" } },
	{ cmd_report, { "report", "--format", "html" } },
	{ cmd_report, { "report", "--events" } },
	{ cmd_annotate, { "annotate" } },
	{ cmd_annotate, { "annotate", "--json" }, true },
	{ cmd_report, { "report", "--format", "csv", "-s", "comm,symbol,line,addr" } },
	{ cmd_report, { "report", "--format", "pprof" }, false, true },
	{ cmd_report, { "report", "--format", "speedscope" }, true },
	{ cmd_report, { "report", "--format", "svg" } },
};

static int run(const struct form *form, const char *root, const char *profile)
{
	const char *argv[ARGS + 8] = { 0 };
	char symbols[128];
	int argc = 0;

	snprintf(symbols, sizeof(symbols), "%s/kallsyms", root);

	for (; form->arg[argc]; argc++)
		argv[argc] = form->arg[argc];
	argv[argc++] = "--symfs";
	argv[argc++] = root;
	argv[argc++] = "--kallsyms"; /* otherwise it might take those of this machine */
	argv[argc++] = symbols;
	argv[argc++] = "-i";
	argv[argc++] = profile;
	optind = 0;
	return form->command(argc, (char **)argv);
}

static void check(const struct form *form, int status, const char *out, size_t len, const char *err,
		  size_t err_len)
{
	must(status == 0 || status == 2);
	must_be_shown(err, err_len, "\n");
	if (status) {
		must(!len && err_len && err[err_len - 1] == '\n');
		return;
	}
	if (form->binary)
		return;
	must_be_shown(out, len,
		      form->arg[1] && form->arg[2] && !strcmp(form->arg[2], "html") ? "\n\t"
										    : "\n");
	if (form->json)
		must_be_json(out, len);
}

static void begin(void)
{
	static const char symbols[] = "ffffffff80000000 T _text\nffffffff80001000 t inner\n";
	static bool begun;
	char empty[128];

	if (begun)
		return;
	begun = true;
	snprintf(empty, sizeof(empty), "%s/home", temp_folder());
	setenv("HOME", empty, 1);
	setenv("XDG_CACHE_HOME", empty, 1);
	unsetenv("DEBUGINFOD_URLS");
	temp_write("kallsyms", symbols, strlen(symbols));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, data + size };
	const struct form *form = &forms[input_byte(&in) % (sizeof(forms) / sizeof(*forms))];
	size_t len = input_bytes(&in, 3), room = (size_t)(in.end - in.at), out_len, err_len;
	struct temp_memory profile, out, err;
	int was_out, was_err, status;
	char *text, *words;

	begin();
	if (len > room)
		len = room;
	temp_memory(&profile, in.at, len);
	temp_memory(&out, "", 0);
	temp_memory(&err, "", 0);
	temp_write("prog", in.at + len, room - len);
	fflush(stdout);
	was_out = temp_divert(STDOUT_FILENO, &out);
	was_err = temp_divert(STDERR_FILENO, &err);
	status = run(form, temp_folder(), profile.path);
	fflush(stdout);
	temp_restore(STDERR_FILENO, was_err);
	temp_restore(STDOUT_FILENO, was_out);
	text = temp_read(&out, &out_len);
	words = temp_read(&err, &err_len);
	check(form, status, text, out_len, words, err_len);
	free(text);
	free(words);
	close(profile.fd);
	close(out.fd);
	close(err.fd);
	return 0;
}
