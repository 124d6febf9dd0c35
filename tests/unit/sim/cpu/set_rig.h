/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * set_rig.h - a shipped description with --set, for tests.
 */
#ifndef SET_RIG_H
#define SET_RIG_H

#include "cpu_blobs.h"

#define SETS_MAX 4

/* Reads a description with changes; NULL: *why says why not. */
static inline struct cpu *read_with(const char *name, const char *const sets[SETS_MAX],
				    struct error_text *why)
{
	size_t size, nr = 0;
	char *blob = blob_of(name, &size);
	struct cpu *cpu;

	while (nr < SETS_MAX && sets[nr])
		nr++;
	*why = (struct error_text){ "" };
	cpu = cpu_read(blob, size, name, sets, nr, why);
	free(blob);
	ok(!cpu == !!why->text[0]);
	return cpu;
}

#endif
