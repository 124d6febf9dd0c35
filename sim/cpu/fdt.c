// SPDX-License-Identifier: BSD-2-Clause
/*
 * fdt.c - a CPU's caches and TLBs in the guest's device tree (cpu.h), where Linux's cacheinfo
 * finds them.
 *
 * Bindings: devicetree specification 0.4 §3.8.2, §3.8.3, §3.9.
 */
#include <libfdt.h>
#include <stdio.h>

#include "cpu.h"
#include "cpu_models.h"

/* The first error stays. */
static void set(void *fdt, const char *path, const char *name, uint32_t value, int *error)
{
	int node = fdt_path_offset(fdt, path);

	if (!*error)
		*error = node < 0 ? node : fdt_setprop_u32(fdt, node, name, value);
}

static void set_flag(void *fdt, const char *path, const char *name, int *error)
{
	int node = fdt_path_offset(fdt, path);

	if (!*error)
		*error = node < 0 ? node : fdt_setprop(fdt, node, name, NULL, 0);
}

/* The three properties of a cache, whose names begin with prefix. */
static void set_cache(void *fdt, const char *path, const char *prefix, const struct cache_config *c,
		      int *error)
{
	const struct {
		const char *name;
		uint32_t value;
	} rows[] = {
		{ "cache-block-size", c->line },
		{ "cache-sets", c->sets },
		{ "cache-size", c->line * c->sets * c->ways },
	};

	for (unsigned n = 0; n < 3; n++) {
		char name[32];

		snprintf(name, sizeof(name), "%s%s", prefix, rows[n].name);
		set(fdt, path, name, rows[n].value, error);
	}
}

static void set_tlb(void *fdt, const char *path, const char *prefix, const struct tlb_shape *t,
		    int *error)
{
	char name[32];

	snprintf(name, sizeof(name), "%stlb-sets", prefix);
	set(fdt, path, name, t->sets, error);
	snprintf(name, sizeof(name), "%stlb-size", prefix);
	set(fdt, path, name, t->sets * t->ways, error);
}

/* A cache node of its own. */
static void add_cache(void *fdt, const char *name, unsigned level, const struct cache_config *c,
		      uint32_t phandle, uint32_t next, int *error)
{
	char path[24];
	int node;

	if (*error)
		return;
	snprintf(path, sizeof(path), "/%s", name);
	node = fdt_add_subnode(fdt, 0, name);
	*error = node < 0 ? node : fdt_setprop_string(fdt, node, "compatible", "cache");
	set_flag(fdt, path, "cache-unified", error);
	set(fdt, path, "cache-level", level, error);
	set_cache(fdt, path, "", c, error);
	if (next)
		set(fdt, path, "next-level-cache", next, error);
	set(fdt, path, "phandle", phandle, error);
}

int cpu_fdt(const struct cpu *cpu, void *fdt, unsigned harts, uint32_t phandle)
{
	const struct hierarchy_config *m = &cpu->models->hierarchy;
	const struct tlb_config *t = &cpu->models->tlb;
	uint32_t ll = m->ll.sets ? phandle + harts : 0;
	char name[24], path[32];
	int error = 0;

	for (unsigned h = 0; h < harts; h++) {
		uint32_t next = m->l2.sets ? phandle + h : ll;

		snprintf(path, sizeof(path), "/cpus/cpu@%x", h);
		set_cache(fdt, path, "i-", &m->l1i, &error);
		set_cache(fdt, path, "d-", &m->l1d, &error);
		set_tlb(fdt, path, "i-", &t->part[TLB_I], &error);
		set_tlb(fdt, path, "d-", &t->part[TLB_D], &error);
		set_flag(fdt, path, "tlb-split", &error);
		if (next)
			set(fdt, path, "next-level-cache", next, &error);
		if (m->l2.sets) {
			snprintf(name, sizeof(name), "l2-cache%u", h);
			add_cache(fdt, name, 2, &m->l2, next, ll, &error);
		}
	}
	if (ll) {
		snprintf(name, sizeof(name), "l%u-cache", m->l2.sets ? 3 : 2);
		add_cache(fdt, name, m->l2.sets ? 3 : 2, &m->ll, ll, 0, &error);
	}
	return error;
}
