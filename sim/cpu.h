/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu.h - a CPU, read from its description: a device tree (holter-cpu(7)).
 *
 * The description is either one of Holter's own, whose root is compatible with "holter,cpu" and
 * which says everything, or a board's: what that does not say has a default, and a note tells so.
 */
#ifndef SIM_CPU_H
#define SIM_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "selector.h"

#define CPU_NAME_SIZE 256

struct cpu_models;

/* The widest translation that satp can turn on; all narrower ones are there, too. */
enum cpu_mmu { CPU_MMU_NONE, CPU_MMU_SV39, CPU_MMU_SV48, CPU_MMU_NR };
extern const char *const cpu_mmu_type[CPU_MMU_NR]; /* as mmu-type says it: "riscv,sv39" */

struct cpu {
	char name[CPU_NAME_SIZE]; /* what a person calls it */
	uint64_t identity; /* of the description: another one has another */
	char model[80]; /* what it is, in a line */
	char compatible[64]; /* of the cpu node: "vendor,core" */
	uint64_t mvendorid, marchid, mimpid;
	uint64_t isa; /* CPU_ISA bits: what it has; what it has not traps */
	uint64_t isa_added; /* those of them that the core lacks */
	char *lacking; /* what the core has and the machine lacks: names after spaces, or NULL */
	enum cpu_mmu mmu;
	struct pmu_table pmu;
	const struct cpu_models *models; /* cpu_models.h */
	/* What was left out, or is a default: lines without the file's name. */
	char **note;
	unsigned notes;
};

/* What is wrong, in one line: file, node, property. */
struct cpu_why {
	char text[540];
};

/*
 * Reads a blob, which may be anything; file is for messages, and is the CPU's name until it is
 * given another.  NULL, with *why, unless every part of it is sound.  The caller frees with
 * cpu_free; the blob is not kept.
 */
struct cpu *cpu_read(const void *blob, size_t size, const char *file, struct cpu_why *why);
void cpu_free(struct cpu *cpu);

/* The bit of an ISA_EXT_ of isa.h, all of which the machine implements. */
#define CPU_ISA(ext) (1ull << (ext))

/*
 * Extensions that the machine implements, in canonical order: the name of the n-th, NULL past
 * the last.
 */
const char *cpu_isa_name(unsigned n);
uint64_t cpu_isa_all(void);

/*
 * cpu_fdt.c: adds to a guest's tree what software may know of the caches and TLBs, to the cpu
 * node of each hart and beside /cpus.  Phandles are taken from phandle on.  0, or a negative
 * libfdt error.
 */
int cpu_fdt(const struct cpu *cpu, void *fdt, unsigned harts, uint32_t phandle);

#endif
