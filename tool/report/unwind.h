/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwind.h - the callers in a program, from a sample's copy of its registers and stack, by what the
 * program's files say of their frames (DWARF 5, 6.4).  Calls libdw.
 *
 * Both the copies and the files may be made to do harm: what is read is in the copy, and of frames
 * there are as many as the caller has room for.
 */
#ifndef REPORT_UNWIND_H
#define REPORT_UNWIND_H

#include "perf_reader.h"

struct unwind;

/* For the samples of p, whose files are looked for as elf_image_find does.  NULL: no memory. */
struct unwind *unwind_new(const struct profile *p, const char *symfs);
void unwind_free(struct unwind *u); /* NULL is fine */

/* A perf_unwinder's; cookie is u. */
size_t unwind_copy(void *u, const struct perf_copy *c, uint64_t *ips, size_t max);

#endif
