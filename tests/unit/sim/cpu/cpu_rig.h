/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu_rig.h - machines with the models of the CPUs of cpu/, for programs whose counts follow from
 * the descriptions.  Every event can be counted, whatever selectors the CPU has; the counts are the
 * totals that --stats prints.
 */
#ifndef SIM_CPU_RIG_H
#define SIM_CPU_RIG_H

#include "cpu_blobs.h"
#include "cpu_models.h"
#include "rig.h"

#define CODE	   RAM_BASE
#define RIG_MEMORY (32ull << 20)
#define TABLES	   (RAM_BASE + 0x200000)
#define PAGES_VA   0x40000000ull /* where pages() maps pages of 4 KiB */
#define PAGES_MAX  32768

enum { T3 = 28, T4, T5, T6, S2 = 18, S3 };

static inline uint32_t add(unsigned rd, unsigned rs1, unsigned rs2)
{
	return r_type(0x33, rd, rs1, rs2);
}

static inline struct machine *cpu_machine(const struct cpu *cpu, bool paranoid)
{
	struct machine_options o = {
		.cpu = cpu,
		.models = true,
		.paranoid = paranoid,
		.memory = RIG_MEMORY,
		.counters = MACHINE_AS_CPU,
		.width = MACHINE_AS_CPU,
	};
	struct machine *m = rig_create(&o);

	pmu_count_all(m->cl.hart[0]);
	return m;
}

/* The caches and other models of a CPU, with the counters of one that has every event. */
static inline struct cpu *load_every(const char *name)
{
	struct cpu *cpu = load(name);

	selector_every(&cpu->pmu);
	return cpu;
}

/* Runs from the beginning of the code until the hart waits. */
static inline void restart(struct machine *m)
{
	m->cl.hart[0]->pc = CODE;
	rig_run(m, 1000000000);
}

/* The count of all modes since the last forget(). */
static inline uint64_t total(struct machine *m, enum event e)
{
	struct hart *h = m->cl.hart[0];

	return h->pmu.total[PRV_M][e] + h->pmu.total[PRV_S][e] + h->pmu.total[PRV_U][e];
}

static inline void forget(struct machine *m)
{
	memset(m->cl.hart[0]->pmu.total, 0, sizeof(m->cl.hart[0]->pmu.total));
}

/*
 * S-mode: one leaf maps 2 GiB and up to itself; from PAGES_VA on there are PAGES_MAX pages of 4
 * KiB, which map the same 16 pages of memory again and again.
 */
static inline void pages(struct machine *m)
{
	struct hart *h = m->cl.hart[0];
	uint64_t *root = cluster_ram(&m->cl, TABLES, PAGE_SIZE);
	uint64_t *mid = cluster_ram(&m->cl, TABLES + PAGE_SIZE, PAGE_SIZE);
	uint64_t *leaf = cluster_ram(&m->cl, TABLES + 2 * PAGE_SIZE, PAGES_MAX * 8);

	root[1] = (TABLES + PAGE_SIZE) >> 2 | 1;
	root[2] = RAM_BASE >> 2 | 0xcf;
	for (unsigned n = 0; n < PAGES_MAX / 512; n++)
		mid[n] = (TABLES + (2 + n) * PAGE_SIZE) >> 2 | 1;
	for (unsigned n = 0; n < PAGES_MAX; n++)
		leaf[n] = (RAM_BASE + 0x800000 + n % 16 * PAGE_SIZE) >> 2 | 0xc7;
	rig_open_memory(h);
	csr_write(h, CSR_SATP, (uint64_t)SATP64_MODE_SV39 << 60 | TABLES >> 12);
	rig_set_mode(h, PRV_S);
}

#endif
