/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu_file.h - CPUs by name: the descriptions beside the program, or a file.
 */
#ifndef TOOL_CPU_FILE_H
#define TOOL_CPU_FILE_H

#include "cpu.h"
#include "options.h"

/*
 * Reads the CPU that the user calls name: a CPU that was built with the program, or a .dtb or .dts
 * file; with the changes of --set, if sets is not NULL.  NULL after an error message.  The caller
 * frees it with cpu_free().
 */
struct cpu *cpu_file_load(const char *name, const struct option_texts *sets);

/*
 * The sorted names of the CPUs that were built with the program; their number, or -1 after an error
 * message.  The caller frees them with cpu_file_free_names().
 */
int cpu_file_names(char ***names);
void cpu_file_free_names(char **names, int nr);

/* The help text of --set, whose field is a struct option_texts. */
#define CPU_FILE_SET_HELP                                                                          \
	"change the CPU's description, as in l2.size=4M; holter cpu --properties lists what "      \
	"there is; may be repeated"

#endif
