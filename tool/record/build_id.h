/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * build_id.h - the identifier that the linker gave to a program, a library, a module or the kernel:
 * a note of ELF.  Reads files that anybody may have written.
 */
#ifndef TOOL_BUILD_ID_H
#define TOOL_BUILD_ID_H

#include <stddef.h>
#include <stdint.h>

#define BUILD_ID_MAX 20

struct build_id {
	uint8_t id[BUILD_ID_MAX];
	uint8_t size; /* 0: there is none */
};

/* Of the notes themselves, as /sys/kernel/notes has them. */
struct build_id build_id_of_notes(const void *notes, size_t size);
struct build_id build_id_of_notes_file(const char *path);

/* Of an ELF file of this machine's byte order, 32 or 64 bits. */
struct build_id build_id_of_elf(const char *path);

/* Of the vDSO that the kernel has given this process, and gives others of its kind. */
struct build_id build_id_of_vdso(void);

#endif
