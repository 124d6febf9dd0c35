/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu_blobs.h - the compiled CPU descriptions, for tests: cpu_folder is where they are.
 */
#ifndef CPU_BLOBS_H
#define CPU_BLOBS_H

#include <stdlib.h>

#include "tap.h"
#include "cpu.h"

#define ROOM 65536

static const char *const cpus[] = { "ax45mp", "c908",  "c910", "max",  "p550",
				    "rocket", "rva23", "u74",  "x100", "x60" };
static const char *cpu_folder;

/* A description's bytes, with room for edits; *size is that of the tree. */
static inline char *blob_of(const char *name, size_t *size)
{
	char path[500], *blob = calloc(1, ROOM);
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s.dtb", cpu_folder, name);
	f = fopen(path, "rb");
	if (!f) {
		printf("Bail out! %s cannot be read\n", path);
		exit(1);
	}
	*size = fread(blob, 1, ROOM, f);
	fclose(f);
	return blob;
}

static inline struct cpu *load(const char *name)
{
	struct error_text why = { "" };
	size_t size;
	char *blob = blob_of(name, &size);
	struct cpu *cpu = cpu_read(blob, size, name, NULL, 0, &why);

	is_str(why.text, "");
	ok(cpu);
	if (!cpu) {
		printf("Bail out! %s is refused\n", name);
		exit(1);
	}
	free(blob);
	return cpu;
}

#endif
