/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine_fdt.h - the device tree: the machine's own (fdt.c), or a given one (fdt_given.c).
 */
#ifndef SIM_MACHINE_FDT_H
#define SIM_MACHINE_FDT_H

#include "machine.h"

/* What the command line adds to a device tree. */
struct boot_words {
	const char *append; /* the kernel's command line, or NULL */
	uint64_t initrd, initrd_end; /* physical addresses, or 0 */
	bool memory; /* --memory was given: its size replaces the memory nodes of a given tree */
};

/* Writes the machine's own device tree to to[size].  Returns 0 or a negative libfdt error. */
int machine_fdt(struct machine *m, const struct boot_words *w, void *to, int size);

/*
 * Sets rng-seed in /chosen from the machine's seed; Linux seeds its random numbers with it.
 * Returns 0 or a negative libfdt error.
 */
int machine_fdt_seed(const struct machine *m, void *fdt, int chosen);

/*
 * Checks the device tree from[from_size], copies it to to[size] and adds *w.  Returns false, with
 * the reason in *why, when it cannot; *why does not name the file.
 */
bool machine_fdt_given(struct machine *m, const struct boot_words *w, const void *from,
		       uint64_t from_size, void *to, int size, struct error_text *why);

#endif
