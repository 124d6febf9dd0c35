/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kallsyms_kept.h - the symbols of the guest's kernel, kept beside the booted guest (cache.h).  The
 * file has the lines of /proc/kallsyms; the first line is not a symbol: its name is the kernel's
 * ELF notes.
 */
#ifndef TOOL_KALLSYMS_KEPT_H
#define TOOL_KALLSYMS_KEPT_H

#include <stddef.h>
#include <stdint.h>

#define KALLSYMS_NOTES	"0000000000000000 n " /* then the notes as hexadecimal digits */
#define KALLSYMS_SUFFIX ".kallsyms"

/*
 * Reads the kept symbols of the kernel with this build id; of several guests, the one used last.
 * *len bytes, which the caller frees.  NULL: none are kept.
 */
char *kallsyms_kept(const uint8_t *build_id, size_t size, size_t *len);

#endif
