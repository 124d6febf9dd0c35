// SPDX-License-Identifier: BSD-2-Clause
/*
 * report_data.c - writes a small perf.data with calls and two events, and a kallsyms file with the
 * names of its functions, for tests/tool/report.
 *
 * usage: report_data PERF.DATA KALLSYMS
 */
#include <stdio.h>

#include "perf_build.h"

#define BASE 0xffffffff80000000
#define TYPE                                                                                       \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)

static struct perf_build records, file;

/* The functions, outermost first; a caller continues after its call. */
static void sample(unsigned event, uint64_t period, const char *functions)
{
	unsigned nr = strlen(functions);

	build_record(&records, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	build64(&records, records.ids[event]);
	build64(&records, BASE + 0x1000 * (functions[nr - 1] - '0'));
	build64(&records, 7ull << 32 | 7);
	build64(&records, records.len);
	build64(&records, period);
	build64(&records, nr + 1);
	build64(&records, PERF_CONTEXT_KERNEL);
	for (unsigned i = nr; i--;)
		build64(&records, BASE + 0x1000 * (functions[i] - '0') + (i + 1 < nr ? 4 : 0));
	build_record_end(&records);
}

static int write_file(const char *path, const void *data, size_t len)
{
	FILE *to = fopen(path, "w");

	if (!to || fwrite(data, 1, len, to) != len || fclose(to)) {
		perror(path);
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const char kallsyms[] = "ffffffff80000000 T _text\n"
				       "ffffffff80001000 T outer\n"
				       "ffffffff80002000 t inner\n"
				       "ffffffff80003000 T other\n";

	if (argc != 3)
		return 2;
	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, TYPE, 1);
	build_event(&records, PERF_COUNT_HW_CACHE_MISSES, TYPE, 1);
	build_comm(&records, 7, 7, "x", false, 1);
	sample(0, 100, "112");
	sample(0, 100, "112");
	sample(0, 100, "111");
	sample(0, 100, "13");
	sample(1, 15, "13");
	sample(1, 5, "112");
	build_file(&file, &records, NULL, 0);
	return write_file(argv[1], file.bytes, file.len) ||
	       write_file(argv[2], kallsyms, strlen(kallsyms));
}
