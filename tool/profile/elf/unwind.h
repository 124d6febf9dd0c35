/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwind.h - finds the callers of a sample: unwinds its copy of registers and stack with the call
 * frame information of the program's files (DWARF 5, section 6.4).  Calls libdw.
 *
 * The copies and the files may be malicious: no address outside the copy is read, and the number of
 * frames is limited to what the caller has room for.
 */
#ifndef REPORT_UNWIND_H
#define REPORT_UNWIND_H

#include "perf_reader.h"

struct unwind;

/*
 * An unwinder for the samples of p.  elf_image_find() finds the files.  NULL: no memory.  If memory
 * is missing later, unwinding ends early and p->no_memory is set.
 */
struct unwind *unwind_new(struct profile *p, const char *symfs);
void unwind_free(struct unwind *u); /* NULL is fine */

/* Is unwind() of a struct perf_unwinder; its cookie is u. */
size_t unwind_copy(void *u, const struct perf_copy *c, uint64_t *ips, size_t max);

#endif
