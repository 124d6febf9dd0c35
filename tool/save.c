// SPDX-License-Identifier: BSD-2-Clause
/*
 * save.c - holter run --save: running a machine that is saved on its way.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "holter.h"
#include "save.h"

bool save_time(const char *text, uint64_t *ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "", 1 }, { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 }
	};
	unsigned n = 0;
	char *end;

	errno = 0;
	*ns = strtoull(text, &end, 10);
	while (n < 5 && strcmp(end, units[n].name))
		n++;
	if (end == text || *text == '-' || errno || n == 5 ||
	    *ns > (UINT64_MAX >> 2) / units[n].ns) {
		holter_error("--save-at '%s': wants a guest time as in 500ms, 2s, 100us or 30ns",
			     text);
		return false;
	}
	*ns *= units[n].ns;
	return true;
}

int save_run(struct machine *m, const struct save *save)
{
	struct dev_why why = { "" };
	bool due = save->file && save->at != UINT64_MAX, failed = false;
	int status;

	if (due)
		machine_pause_at(m, save->at);
	for (status = machine_run(m); m->paused; status = machine_run(m)) {
		due = false;
		if (!file_is_safe(save->file, m->o.share)) {
			holter_error("%s: %s; nothing is saved", save->file, file_text(errno));
			failed = true;
		} else if (!machine_save(m, save->file, &why)) {
			holter_error("%s", why.text);
			failed = true;
		} else if (m->o.realtime) {
			fprintf(stderr, "holter: saved to %s\n", save->file);
		}
	}
	if (due)
		holter_error("%s: nothing is saved: the machine ended before a round of turns "
			     "had reached --save-at (a smaller --quantum makes them shorter)",
			     save->file);
	return (due || failed) && !status ? 2 : status;
}

void save_now(struct machine *m, const struct save *save)
{
	if (save->file)
		machine_pause(m);
	else
		holter_error("^A s saves to the file of --save, which was not given");
}
