/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * build_id.h - reads the build id that the linker put into a program, a library, a module or the
 * kernel, as an ELF note.  The files are not trusted.
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

/* From notes without ELF headers, as in /sys/kernel/notes.  The first is global for tests. */
struct build_id build_id_of_notes(const void *notes, size_t size);
struct build_id build_id_of_notes_file(const char *path);

/* From an ELF file with this machine's byte order, 32 or 64 bits. */
struct build_id build_id_of_elf(const char *path);

/* From this process's vDSO; processes of the same ABI have the same vDSO. */
struct build_id build_id_of_vdso(void);

#endif
