/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kallsyms.h - symbols of the guest's kernel, kept beside the booted guest (cache.h): lines as those
 * of /proc/kallsyms, before them one that is no symbol and has the kernel's ELF notes as its name.
 */
#ifndef TOOL_KALLSYMS_H
#define TOOL_KALLSYMS_H

#include <stddef.h>
#include <stdint.h>

#define KALLSYMS_NOTES	"0000000000000000 n " /* and the notes in hexadecimal digits */
#define KALLSYMS_SUFFIX ".kallsyms"

/*
 * What is kept of the kernel with this build id, of the guest that was used last: *len bytes, which
 * the caller frees.  NULL: nothing is.
 */
char *kallsyms_kept(const uint8_t *build_id, size_t size, size_t *len);

#endif
