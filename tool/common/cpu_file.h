/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu_file.h - CPUs by name: the descriptions beside the program, or a file.
 */
#ifndef TOOL_CPU_FILE_H
#define TOOL_CPU_FILE_H

#include "cpu.h"

/*
 * Reads the CPU that the user calls name: a CPU that was built with the program, or a .dtb or .dts
 * file.  NULL after an error message.  The caller frees it with cpu_free().
 */
struct cpu *cpu_file_load(const char *name);

/*
 * The sorted names of the CPUs that were built with the program; their number, or -1 after an error
 * message.  The caller frees them with cpu_file_free_names().
 */
int cpu_file_names(char ***names);
void cpu_file_free_names(char **names, int nr);

#endif
