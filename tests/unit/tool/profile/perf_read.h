/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf_read.h - for tests: builds a perf.data file record by record, reads it, and prints its
 * stacks as text.
 */
#ifndef TOOL_PERF_READ_H
#define TOOL_PERF_READ_H

#include <stdlib.h>

#include "perf_build.h"
#include "perf_reader.h"

#define KERNEL PERF_RECORD_MISC_KERNEL
#define USER   PERF_RECORD_MISC_USER
#define PLAIN  (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

static struct perf_build records, file;
static struct error_text why;
static const struct perf_unwinder *unwinder;

static inline void begin(void)
{
	memset(&records, 0, sizeof(records));
	memset(&file, 0, sizeof(file));
	memset(&why, 0, sizeof(why));
}

static inline struct profile *read_bytes(const void *data, size_t len)
{
	struct profile *p = profile_new();
	struct perf_reader *r = perf_reader_open(p, data, len, &why);
	bool good = r && perf_reader_run(r, unwinder, &why);

	perf_reader_close(r);
	if (good)
		return p;
	profile_free(p);
	return NULL;
}

static inline struct profile *read_records(void)
{
	build_file(&file, &records, NULL, 0);
	return read_bytes(file.bytes, file.len);
}

/* A stack as text: "comm/object+address<its caller's". */
static inline const char *stack_text(const struct profile *p, uint32_t stack)
{
	static char text[512];
	size_t len = 0;

	*text = '\0';
	for (; stack != PROFILE_NONE; stack = p->stacks.at[stack].caller) {
		const struct profile_place *place = &p->places.at[p->stacks.at[stack].place];

		len += snprintf(text + len, sizeof(text) - len, "%s%s/%s+%llx", len ? "<" : "",
				p->processes.at[place->process].comm,
				p->objects.at[place->object].path, (unsigned long long)place->addr);
	}
	return text;
}

#define is_stack(p, n, text) is_str(stack_text(p, n), text)

#endif
