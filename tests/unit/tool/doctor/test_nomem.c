// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_nomem.c - holter doctor while an allocation fails: the diagnosis is the same as with enough
 * memory, or it is known that it is not complete.
 */
#include <errno.h>
#include <stdlib.h>

#include "doctor_machine.h"
#include "nomem.h"
#include "tap.h"

const char holter_commit[] = "test"; /* dist/commit makes it for holter */

struct patient {
	struct machine machine;
	char *text; /* the diagnosis with enough memory */
};

static char *shown(const struct doctor *d)
{
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	doctor_show_text(d, to);
	doctor_show_json(d, to);
	fclose(to);
	return text;
}

static bool examines(void *arg)
{
	static char event[] = "cycles", *given[] = { event };
	struct patient *p = arg;
	struct doctor d;
	char *text;
	bool good;

	doctor_examine(&d, &p->machine.ops, given, 1);
	nomem_pause();
	good = !d.no_memory;
	text = good ? shown(&d) : NULL;
	if (good && p->text)
		is_str(text, p->text);
	doctor_free(&d);
	if (good && !p->text)
		p->text = text;
	else
		free(text);
	return good;
}

static void machines(void)
{
	static const struct machine_file sandboxed[] = {
		{ "/proc/self/status", "Uid:\t1\t1\t1\t1\nCapEff:\t0\nSeccomp:\t2\n" },
		{ "/.dockerenv", "" },
		{ 0 },
	};
	struct patient all[] = { { machine_healthy(), NULL },
				 { machine_with(sandboxed), NULL },
				 { machine_laptop(NULL), NULL } };

	all[1].machine.overflow = all[1].machine.user_reads = false;
	all[1].machine.user = true;
	for (size_t n = 0; n < TAP_NR(all); n++) {
		ok(examines(&all[n]));
		nomem_each(examines, &all[n], NOMEM_NEEDS_ALL);
		free(all[n].text);
	}
}

/* The files of the machine on which the test runs. */
static bool looks(void *arg)
{
	const struct doctor_ops *ops = arg;
	char **names, *data;
	int nr = ops->list(ops, "/proc/self", &names), error = errno;
	bool listed = nr >= 0, read = false;

	if (listed)
		read = ops->read(ops, "/proc/self/status", &data) > 0;
	if (listed && !read)
		error = errno;
	nomem_pause();
	if (!read)
		is(error, ENOMEM);
	doctor_free_names(names, nr);
	if (read)
		free(data);
	return read;
}

static void files(void)
{
	nomem_each(looks, (void *)doctor_ops_linux(), NOMEM_NEEDS_ALL);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "machines", machines },
		{ "files", files },
	};

	return tap_run(cases, TAP_NR(cases));
}
