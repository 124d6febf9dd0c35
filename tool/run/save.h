/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * save.h - holter run --save: runs a machine, and saves it before its end.
 */
#ifndef TOOL_SAVE_H
#define TOOL_SAVE_H

#include "machine.h"

struct save {
	const char *file; /* NULL: --save was not given */
	uint64_t at; /* guest time; UINT64_MAX: only at ^A s */
	int pipe; /* a pipe with this name, which stays open to the end; -1: not a pipe */
};

/*
 * Checks before the run that the machine can be saved to the file: no link of a guest, no folder,
 * no pipe without a reader, and a folder to which it can be written.  Returns 0, or 2 after
 * printing an error.
 */
int save_open(struct save *save, const char *share);

/* Closes what save_open() has opened. */
void save_close(struct save *save);

/*
 * Runs the machine, as machine_run() does.  Returns 2 after printing an error if the machine could
 * not be saved but the guest's status is 0.
 */
int save_run(struct machine *m, const struct save *save);

/* ^A s: saves the machine as soon as possible. */
void save_now(struct machine *m, const struct save *save);

#endif
