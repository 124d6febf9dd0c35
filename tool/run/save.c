// SPDX-License-Identifier: BSD-2-Clause
/*
 * save.c - holter run --save: runs a machine, and saves it before its end.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "holter.h"
#include "save.h"
#include "snapshot.h"

int save_run(struct machine *m, const struct save *save)
{
	struct error_text why = { "" };
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
		holter_error("^A s needs --save FILE, which names the file");
}
