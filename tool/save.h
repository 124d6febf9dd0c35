/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * save.h - holter run --save: running a machine that is saved on its way.
 */
#ifndef TOOL_SAVE_H
#define TOOL_SAVE_H

#include "machine.h"

struct save {
	const char *file; /* NULL: --save was not given */
	uint64_t at; /* guest time, UINT64_MAX: when a key says so */
};

/* Guest time as in 500ms, 2s, 100us, 30ns or 30; false after a line that says what is wrong. */
bool save_time(const char *text, uint64_t *ns);

/* As machine_run; 2 after a line if what should have been saved was not, and the guest ended well. */
int save_run(struct machine *m, const struct save *save);

/* ^A s: saves as soon as it can be. */
void save_now(struct machine *m, const struct save *save);

#endif
