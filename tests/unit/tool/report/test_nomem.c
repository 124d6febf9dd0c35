// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_nomem.c - a report, when an allocation fails: whichever it is, holter says so in a line, or
 * the report is the one that there is with all the memory.
 */
#include <stdlib.h>
#include <unistd.h>

#include "nomem.h"
#include "out.h"
#include "perf_build.h"
#include "report.h"
#include "said.h"

#define PLAIN  (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN)
#define KERNEL PERF_RECORD_MISC_KERNEL
#define BASE   0xffffffff80000000

static const char kallsyms[] = "ffffffff80000000 T _text\n"
			       "ffffffff80001000 T outer\n"
			       "ffffffff80002000 t inner\n"
			       "ffffffff01000000 t probe\t[mod]\n";
static char data_path[] = "test_nomem.XXXXXX", kallsyms_path[] = "test_nomem.XXXXXX";

static void write_file(char *path, const void *data, size_t len)
{
	int fd = mkstemp(path);

	ok(fd >= 0 && write(fd, data, len) == (ssize_t)len);
	close(fd);
}

static void sample(struct perf_build *b, uint64_t time, uint64_t ip, uint64_t caller)
{
	build_record(b, PERF_RECORD_SAMPLE, KERNEL);
	build64(b, ip);
	build64(b, 7ull << 32 | 7);
	build64(b, time);
	build64(b, 3);
	build64(b, PERF_CONTEXT_KERNEL);
	build64(b, ip);
	build64(b, caller);
	build_record_end(b);
}

static void make_files(void)
{
	static struct perf_build records, file;

	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, PLAIN, 100);
	build_comm(&records, 7, 7, "x", false, 1);
	sample(&records, 2, BASE + 0x2000, BASE + 0x1004);
	sample(&records, 3, BASE + 0x2008, BASE + 0x1004);
	sample(&records, 4, BASE + 0x1010, BASE + 0x2004);
	build_file(&file, &records, NULL, 0);
	write_file(data_path, file.bytes, file.len);
	write_file(kallsyms_path, kallsyms, strlen(kallsyms));
}

struct form {
	bool (*put)(struct report *r, const struct report_view *v, FILE *to);
	bool graph;
	char *text; /* as it is with all the memory */
};

static char *put(struct report *r, const struct form *f)
{
	struct report_view v = {
		.keys = REPORT_COMM | REPORT_SYMBOL, .graph = f->graph, .inlined = true
	};
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);
	bool good;

	good = report_choose_events(r, NULL, &v.events) && f->put(r, &v, to);
	nomem_pause();
	fclose(to);
	if (good)
		return text;
	free(text);
	return NULL;
}

static bool reports(void *arg)
{
	const struct report_options o = { .symfs = "", .kallsyms = kallsyms_path };
	struct form *f = arg;
	struct report *r;
	char *text = NULL;

	said[0] = '\0';
	r = report_load(data_path, &o);
	if (r)
		r->path = "perf.data";
	if (r && report_resolve(r))
		text = put(r, f);
	nomem_pause();
	if (!text)
		ok(nomem_failed());
	else if (f->text)
		is_str(text, f->text);
	report_free(r);
	if (text && !f->text)
		f->text = text;
	else
		free(text);
	return text;
}

static void each_form(void)
{
	struct form forms[] = {
		{ report_out_text, false }, { report_out_text, true }, { report_out_json, false },
		{ report_out_html, false }, { report_out_folded, false }, { report_out_callgrind, false },
	};

	make_files();
	for (unsigned n = 0; n < TAP_NR(forms); n++) {
		ok(reports(&forms[n]));
		nomem_each(reports, &forms[n], NOMEM_NEEDS_ALL);
		free(forms[n].text);
	}
	unlink(data_path);
	unlink(kallsyms_path);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "each form of output", each_form },
	};

	return tap_run(cases, TAP_NR(cases));
}
