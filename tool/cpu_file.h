/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu_file.h - CPUs by name: the descriptions beside the program, or a file.
 */
#ifndef TOOL_CPU_FILE_H
#define TOOL_CPU_FILE_H

#include "cpu.h"

/*
 * The CPU that a person calls name: one of those beside the program, or a .dtb or .dts file.
 * NULL after one line that says what is wrong.  For cpu_free.
 */
struct cpu *cpu_file_load(const char *name);

/* The names of those beside the program, sorted; -1 after a line.  For cpu_file_free_names. */
int cpu_file_names(char ***names);
void cpu_file_free_names(char **names, int nr);

#endif
