/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * task_layout.h - finds the offsets of fields in Linux's struct task_struct.  The kernel's image
 * contains them as type information (BTF; Linux, Documentation/bpf/btf.rst).
 */
#ifndef TOOL_TASK_LAYOUT_H
#define TOOL_TASK_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "exact.h"

/*
 * Finds flags, tgid and comm of struct task_struct.  Returns false if the image has no BTF or no
 * such fields.
 */
bool task_layout(const void *image, size_t size, struct exact_tasks *t);

/* The same for a file, whose content is not trusted. */
bool task_layout_of(const char *path, struct exact_tasks *t);

#endif
