// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_nomem.c - a perf.data is written while an allocation fails: the error is ENOMEM, and no
 * record or feature is missing silently.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <record.h>

#include "nomem.h"
#include "scratch.h"

static uint64_t ids[] = { 5 };
static const struct perf_file_event event = {
	"cycles:u", { .type = 0, .size = sizeof(struct perf_event_attr) }, ids, 1
};

static void put_mapping(int fd, const char *name)
{
	char body[64 + 16] = "";
	struct perf_event_header h = { .type = PERF_RECORD_MMAP2,
				       .size = sizeof(h) + sizeof(body) };

	strcpy(body + 64, name);
	is(write(fd, &h, sizeof(h)), sizeof(h));
	is(write(fd, body, sizeof(body)), sizeof(body));
}

/* All of a file but its beginning: the summary, the features, the form for pipes. */
static bool ends(struct perf_file *f, struct record_found *found)
{
	static char name[] = "./x", *argv[] = { name, NULL };
	int null = open("/dev/null", O_WRONLY), error;
	bool good = record_find(f, found);

	if (good)
		record_features(f, found, 1, argv);
	good = good && perf_file_end(f, found->size) && perf_file_pipe(f, null);
	error = errno;
	close(null);
	errno = error;
	return good;
}

static bool writes(void *arg)
{
	struct perf_file f = { .events = &event, .nr_events = 1 };
	struct record_found found;
	bool good;

	(void)arg;
	nomem_pause();
	f.fd = memfd_create("perf.data", 0);
	ok(perf_file_begin(&f));
	put_mapping(f.fd, "/bin/true");
	put_mapping(f.fd, "[vdso]");
	nomem_resume();
	good = ends(&f, &found);
	if (!good)
		is(errno, ENOMEM);
	nomem_pause();
	ok(good || !f.features);
	record_found_free(&found);
	close(f.fd);
	return good;
}

static void file(void)
{
	nomem_each(writes, NULL, NOMEM_NEEDS_ALL);
}

static bool kernel(FILE *to, const char *folder)
{
	return record_kernel(to, folder, folder);
}

static bool process(FILE *to, const char *folder)
{
	return record_process(to, folder, 77);
}

static bool owner(FILE *to, const char *folder)
{
	return record_owner(to, folder, 80);
}

struct synthesized {
	bool (*put)(FILE *to, const char *folder);
	const char *folder;
	char *text; /* with enough memory */
	size_t len;
};

static bool synthesizes(void *arg)
{
	struct synthesized *s = arg;
	char *text = NULL;
	size_t len;
	FILE *to = nomem_stream(&text, &len);
	bool good = s->put(to, s->folder);

	nomem_pause();
	fclose(to);
	if (good && s->text)
		ok(len == s->len && !memcmp(text, s->text, len));
	if (good && !s->text) {
		s->text = text;
		s->len = len;
		return true;
	}
	free(text);
	return good;
}

static void records(void)
{
	char folder[] = "test_nomem.XXXXXX";
	struct synthesized of[] = { { kernel, folder },
				    { process, folder },
				    { owner, folder },
				    { record_processes, folder } };

	ok(mkdtemp(folder));
	scratch_text(folder, "kallsyms", "80000000 T _text\n80001000 T _edata\n");
	scratch_text(folder, "modules", "one 4096 0 - Live 0x90000000\n");
	scratch_text(folder, "modules.dep", "kernel/one.ko:\n");
	scratch_text(folder, "77/task/77/comm", "parent\n");
	scratch_text(folder, "77/task/77/children", "80 ");
	scratch_text(folder, "77/maps", "10000-20000 r-xp 00000000 fe:01 1234  /bin/prog\n");
	scratch_text(folder, "80/task/80/comm", "child\n");
	scratch_text(folder, "80/status", "Name:\tchild\nTgid:\t80\n");
	for (size_t n = 0; n < TAP_NR(of); n++) {
		ok(synthesizes(&of[n]) && of[n].len);
		nomem_each(synthesizes, &of[n], NOMEM_NEEDS_ALL);
		free(of[n].text);
	}
	ok(scratch_remove(folder));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the file", file },
		{ "synthesized records", records },
	};

	return tap_run(cases, TAP_NR(cases));
}
