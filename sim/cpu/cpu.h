/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu.h - a CPU, read from its description, which is a device tree (holter-cpu(7)).  The door
 * of sim/cpu.
 *
 * There are two kinds of descriptions.  The root of Holter's own is compatible with "holter,cpu",
 * and it must tell everything.  A board's device tree may leave out facts: each has a default, and
 * a note says so.
 */
#ifndef SIM_CPU_H
#define SIM_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "errtext.h"
#include "isa.h"
#include "selector.h"
#include "vec.h"

#define CPU_NAME_SIZE 256
#define CPU_HZ	      1000000000 /* the clock, if nothing tells it */
#define CPU_HZ_MIN    1000000
#define CPU_HZ_MAX    10000000000ull
#define CPU_SETS_SIZE 2048 /* of all texts of --set, each with its end */

struct cpu_models;

/* The widest translation mode of satp.  All narrower modes exist too. */
enum cpu_mmu { CPU_MMU_NONE, CPU_MMU_SV39, CPU_MMU_SV48, CPU_MMU_SV57, CPU_MMU_NR };
extern const char *const cpu_mmu_type[CPU_MMU_NR]; /* as mmu-type says it: "riscv,sv39" */

#define CPU_VLEN_MIN 128
#define CPU_VLEN_MAX 1024

struct cpu {
	char name[CPU_NAME_SIZE]; /* the name that the user gives it */
	uint64_t identity; /* hash of the description, with the changes of --set */
	char model[80]; /* one line of description */
	char compatible[64]; /* of the cpu node: "vendor,core" */
	uint64_t mvendorid, marchid, mimpid;
	uint64_t hz; /* the frequency of its clock; 0: nothing tells it */
	struct isa_set isa; /* its extensions; instructions of others trap */
	struct isa_set isa_added; /* the extensions among them that the real core lacks */
	char *lacking; /* what the core has and the machine lacks: names after spaces, or NULL */
	unsigned vlen; /* the bits of a vector register, if it has V or XTheadVector */
	bool trap_misaligned; /* a misaligned access traps, and software emulates it */
	enum cpu_mmu mmu;
	struct pmu_table pmu;
	const struct cpu_models *models; /* cpu_models.h */
	/* What was left out, and what has a default: lines without the file's name. */
	VEC(char *) notes;
	VEC(char *) sets; /* the texts of --set, sorted */
	void *fdt; /* the description, with the changes of --set */
};

/*
 * Reads a blob, which may be anything; file is for messages, and is the CPU's name until it is
 * given another.  NULL, with *why, unless every part of it is sound.  The caller frees with
 * cpu_free; the blob is not kept.
 *
 * sets: the changes of --set, nr texts PROPERTY=VALUE (holter-cpu(7)), made before anything is
 * checked.  An error of a changed property names the text.
 */
struct cpu *cpu_read(const void *blob, size_t size, const char *file, const char *const *sets,
		     size_t nr, struct error_text *why);
void cpu_free(struct cpu *cpu);

/*
 * The first fact that software depends on and that two CPUs do not share: "the clock".  NULL: they
 * differ at most in their models, which change no result of software, and in their names.
 */
const char *cpu_difference(const struct cpu *a, const struct cpu *b);

/* A property that --set can change by a name. */
struct cpu_property {
	const char *name; /* "l2.size" */
	char value[160]; /* what the description says; "": nothing */
	char unit[64]; /* "bytes", or the possible words: "none, on-miss, tagged" */
	char node[160]; /* path of the node: "/cpus/l2-cache" */
	const char *property; /* that it changes there: "cache-size" */
};

/* Property n, from 0 on, of those that this CPU can have.  False: there is no such one. */
bool cpu_property(const struct cpu *cpu, unsigned n, struct cpu_property *p);

/* The frequency of the clock of a CPU, or of a machine without one (NULL). */
static inline uint64_t cpu_hz(const struct cpu *cpu)
{
	return cpu && cpu->hz ? cpu->hz : CPU_HZ;
}

/*
 * Extensions that the machine implements, in canonical order: the name of the n-th, NULL past
 * the last.
 */
const char *cpu_isa_name(unsigned n);
struct isa_set cpu_isa_all(void); /* all but V, of which a description must say VLEN */
bool cpu_isa_any(const struct isa_set *s); /* it is not empty */

/*
 * fdt.c: adds the caches and TLBs to a guest's device tree, in the cpu node of each hart and beside
 * /cpus.  The new phandles begin at phandle.  Returns 0, or a negative libfdt error.
 */
int cpu_fdt(const struct cpu *cpu, void *fdt, unsigned harts, uint32_t phandle);

#endif
