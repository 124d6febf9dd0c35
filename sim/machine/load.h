/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * load.h - loads what the machine starts.
 */
#ifndef SIM_LOAD_H
#define SIM_LOAD_H

#include "machine.h"

/* The files and the command line that the machine starts with; each may be NULL. */
struct boot {
	const char *firmware, *kernel, *initrd, *append, *program;
	const char *dtb; /* a file that replaces the machine's own device tree */
	bool memory; /* as in struct boot_words (machine_fdt.h) */
};
/*
 * Loads b and sets m->entry and m->boot_arg; m->boot_arg[0] is the address of the device tree.
 * Returns false, with one line in *why, when it cannot.
 */
bool machine_load(struct machine *m, const struct boot *b, struct error_text *why);

#endif
