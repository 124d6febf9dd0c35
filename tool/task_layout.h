/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * task_layout.h - where a Linux kernel has the fields of its tasks, as the type information in its
 * own image says (BTF, Documentation/bpf/btf.rst).
 */
#ifndef TOOL_TASK_LAYOUT_H
#define TOOL_TASK_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "exact.h"

/* flags, tgid and comm of struct task_struct.  False: the image has no BTF, or no such fields. */
bool task_layout(const void *image, size_t size, struct exact_tasks *t);

/* The same of the image in a file, which may be anything. */
bool task_layout_of(const char *path, struct exact_tasks *t);

#endif
