/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * same_machine.h - compares two machines that must have done the same: registers, CSRs, totals,
 * RAM, and the saved state of models and devices.
 */
#ifndef FUZZ_SAME_MACHINE_H
#define FUZZ_SAME_MACHINE_H

#include "csr.h"
#include "fuzz.h"
#include "machine.h"
#include "timing.h"
#include "vector.h"

static inline void same_csrs(struct hart *a, struct hart *b)
{
	a->mode = b->mode = PRV_M;
	for (unsigned num = 0; num < 4096; num++) {
		uint64_t x = 0, y = 0;

		if (!csr_is_known(num))
			continue;
		must(csr_read(a, num, false, &x) == csr_read(b, num, false, &y));
		if (x != y)
			printf("# CSR %x: %llx, %llx\n", num, (unsigned long long)x,
			       (unsigned long long)y);
		must(x == y);
	}
}

/*
 * Totals of CODE and EDGE events, of static stalls and of vector elements are kept only while
 * something reads them.
 */
static inline bool same_added_up(const struct pmu *p, unsigned e)
{
	if (e >= EVENT_VECTOR_ELEMENT && e <= EVENT_VECTOR_LANE && !p->elements)
		return p->all;
	return p->all || event_table[e].kind == EVENT_KIND_TIME ||
	       event_table[e].kind == EVENT_KIND_RARE;
}

static inline void same_totals(const struct pmu *a, const struct pmu *b)
{
	for (unsigned e = 0; e < EVENT_NR; e++) {
		for (unsigned mode = 0; same_added_up(a, e) && mode < 4; mode++)
			must(a->total[mode][e] == b->total[mode][e]);
	}
}

/* The saved state of models or devices: a buffer that same_keep() appends to. */
struct same_saved {
	uint8_t data[1 << 20];
	size_t used;
};

static inline bool same_keep(void *opaque, const void *data, size_t len)
{
	struct same_saved *v = opaque;

	must(len <= sizeof(v->data) - v->used);
	memcpy(v->data + v->used, data, len);
	v->used += len;
	return true;
}

/* Compares the state of the TLBs and the other models. */
static inline void same_models(const struct hart *a, const struct hart *b)
{
	static struct same_saved x, y;
	const struct stream to_x = { .opaque = &x, .write = same_keep };
	const struct stream to_y = { .opaque = &y, .write = same_keep };

	x.used = y.used = 0;
	must(mmu_save(a, &to_x) && mmu_save(b, &to_y));
	if (a->timing)
		must(timing_save(a, &to_x) && timing_save(b, &to_y));
	must(x.used == y.used && !memcmp(x.data, y.data, x.used));
}

static inline void same_harts(struct hart *a, struct hart *b)
{
	must(a->pc == b->pc);
	must(a->mode == b->mode);
	must(a->now == b->now);
	must(a->idle == b->idle);
	must(a->reservation == b->reservation);
	must(!memcmp(a->x, b->x, 32 * sizeof(*a->x)));
	must(!memcmp(a->f, b->f, sizeof(a->f)));
	must(!a->vector == !b->vector);
	must(!a->vector || !memcmp(a->vector->reg, b->vector->reg, sizeof(a->vector->reg)));
	same_models(a, b);
	same_totals(&a->pmu, &b->pmu);
	same_csrs(a, b);
}

static inline void same_devices(const struct machine *a, const struct machine *b)
{
	static struct same_saved x, y;

	x.used = y.used = 0;
	if (a->cl.hierarchy) {
		const struct stream to_x = { .opaque = &x, .write = same_keep };
		const struct stream to_y = { .opaque = &y, .write = same_keep };

		must(hierarchy_save(a->cl.hierarchy, &to_x));
		must(hierarchy_save(b->cl.hierarchy, &to_y));
		must(x.used == y.used && !memcmp(x.data, y.data, x.used));
	}
	for (unsigned n = 0; n < a->devices; n++) {
		const struct stream to_x = { .opaque = &x, .write = same_keep };
		const struct stream to_y = { .opaque = &y, .write = same_keep };

		must(a->device[n]->save(a->device[n], &to_x));
		must(b->device[n]->save(b->device[n], &to_y));
		must(x.used == y.used && !memcmp(x.data, y.data, x.used));
	}
}

/* Both have run the same, and must be in the same state. */
static inline void same_machine(struct machine *a, struct machine *b)
{
	must(a->cl.ram_size == b->cl.ram_size);
	must(a->status == b->status);
	must(a->now == b->now);
	for (unsigned n = 0; n < a->cl.harts; n++)
		same_harts(a->cl.hart[n], b->cl.hart[n]);
	must(!memcmp(a->cl.ram, b->cl.ram, a->cl.ram_size));
	same_devices(a, b);
}

#endif
