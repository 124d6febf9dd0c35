// SPDX-License-Identifier: BSD-2-Clause
/*
 * state.c - the state of a machine as a stream of bytes (state.h).
 *
 * The order: the machine, each hart, RAM, each device, and then the models: TLBs and the other
 * models of each hart, caches.  Devices come after time and RAM, which they need.  The models are
 * last, so that a machine with other models can leave them (state.h).  Save and restore use the
 * same tables of fields.
 */
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "clock.h"
#include "common.h"
#include "csr.h"
#include "reservation.h"
#include "state.h"
#include "timing.h"
#include "vector.h"

/* The maximum of cycles and of nanoseconds, of machine and harts: the sum of two does not wrap. */
#define TIME_MAX (1ull << 62)

#define END_MARK 0x646e6521u

/* A field that is saved as its bytes.  most: the highest value of a one-byte field; 0: any. */
struct field {
	size_t offset, size;
	uint8_t most;
};

#define FIELD(type, field) offsetof(struct type, field), sizeof(((struct type *)0)->field)
#define MACHINE(field)                                                                             \
	{                                                                                          \
		FIELD(machine, field), 0                                                           \
	}
#define MACHINE_TO(field, most)                                                                    \
	{                                                                                          \
		FIELD(machine, field), most                                                        \
	}
#define HART(field)                                                                                \
	{                                                                                          \
		FIELD(hart, field), 0                                                              \
	}
#define HART_TO(field, most)                                                                       \
	{                                                                                          \
		FIELD(hart, field), most                                                           \
	}

static const struct field machine_fields[] = {
	MACHINE(now),		MACHINE(next_poll),	    MACHINE(htif.tohost),
	MACHINE(htif.fromhost), MACHINE(htif.answer),	    MACHINE_TO(htif.reading, 1),
	MACHINE(entry),		MACHINE(boot_arg),	    MACHINE(rom),
	MACHINE(status),	MACHINE_TO(cl.finished, 1), MACHINE_TO(reboot, 1),
};

/*
 * csr_restored and pmu_restored compute the other fields from these; devices restore the interrupt
 * lines.
 */
static const struct field hart_fields[] = {
	HART(x),
	HART(f),
	HART(pc),
	HART(now),
	HART(mstatus),
	HART(fflags),
	HART_TO(frm, 7),
	HART_TO(mode, PRV_M),
	HART_TO(idle, HART_WAITS),
	HART(reserved),
	HART(reservation),
	HART(pmu.total),
	HART(pmu.ctr),
	HART(pmu.inhibit),
	HART_TO(pmu.all, 1),
	HART(mip_soft),
	HART(mie),
	HART(mideleg),
	HART(medeleg),
	HART(mtvec),
	HART(mepc),
	HART(mcause),
	HART(mtval),
	HART(mscratch),
	HART(stvec),
	HART(sepc),
	HART(scause),
	HART(stval),
	HART(sscratch),
	HART(satp),
	HART(stimecmp),
	HART(stimer_at),
	HART(again.pc),
	HART(again.retired),
	HART(again.nr),
	HART(again.nested),
	HART(menvcfg),
	HART(senvcfg),
	HART(mseccfg),
	HART(entropy),
	HART(mstateen0),
	HART(sstateen0),
	HART(miselect),
	HART_TO(elp, 1),
	HART(ssp),
	HART(jvt),
	HART(tselect),
	HART(trigger),
	HART(siselect),
	HART(mcounteren),
	HART(scounteren),
	HART(pmpcfg),
	HART(pmpaddr),
};

/* Of a hart with vectors: what vector_restored does not compute. */
#define VECTOR(field)                                                                              \
	{                                                                                          \
		FIELD(vector_state, field), 0                                                      \
	}

static const struct field vector_fields[] = {
	VECTOR(vl), VECTOR(vstart), VECTOR(vtype), VECTOR(vxrm), VECTOR(vxsat), VECTOR(reg),
};

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static bool fields_save(const void *of, const struct field *f, size_t nr, const struct stream *s)
{
	for (; nr; f++, nr--) {
		if (!stream_write(s, (const char *)of + f->offset, f->size))
			return false;
	}
	return true;
}

static bool fields_restore(void *of, const struct field *f, size_t nr, const struct stream *s)
{
	for (; nr; f++, nr--) {
		uint8_t *to = (uint8_t *)of + f->offset;

		/* A byte other than 0 and 1 must not stay in a bool: to read it is undefined. */
		if (!stream_read(s, to, f->size))
			return false;
		if (f->most && *to > f->most) {
			*to = 0;
			return false;
		}
	}
	return true;
}

/* RAM: ranges of pages that are not all zero, each as { first page, number of pages }, pages. */
struct page_run {
	uint32_t first, nr;
};

#define RUN_MAX 256

static bool page_is_zero(const uint8_t *p)
{
	return !*(const uint64_t *)p && !memcmp(p, p + 8, PAGE_SIZE - 8);
}

static bool ram_save(struct machine *m, const struct stream *s)
{
	uint64_t pages = m->cl.ram_size >> PAGE_SHIFT;
	struct page_run run = { 0, 0 };

	for (uint64_t n = 0; n <= pages; n++) {
		bool kept = n < pages && !page_is_zero(m->cl.ram + (n << PAGE_SHIFT));
		const uint8_t *from = m->cl.ram + ((uint64_t)run.first << PAGE_SHIFT);

		if (run.nr && (!kept || run.nr == RUN_MAX)) {
			if (!stream_write(s, &run, sizeof(run)) ||
			    !stream_write(s, from, (size_t)run.nr << PAGE_SHIFT))
				return false;
			run.nr = 0;
		}
		if (kept && !run.nr++)
			run.first = (uint32_t)n;
	}
	run.nr = 0;
	return stream_write(s, &run, sizeof(run));
}

static bool ram_restore(struct machine *m, const struct stream *s)
{
	uint64_t pages = m->cl.ram_size >> PAGE_SHIFT, next = 0;
	struct page_run run;

	block_flush(&m->cl);
	/* The mapping is private and has no file: after this it reads as zeros. */
	if (madvise(m->cl.ram, m->cl.ram_size, MADV_DONTNEED))
		return false;
	while (stream_read(s, &run, sizeof(run))) {
		if (!run.nr)
			return true;
		if (run.first < next || run.first >= pages || run.nr > pages - run.first ||
		    !stream_read(s, m->cl.ram + ((uint64_t)run.first << PAGE_SHIFT),
				 (size_t)run.nr << PAGE_SHIFT))
			return false;
		next = (uint64_t)run.first + run.nr;
	}
	return false;
}

static bool time_is_possible(const struct machine *m, uint64_t cycles)
{
	return cycles <= TIME_MAX && clock_ns(m->hz, cycles) <= TIME_MAX;
}

static bool machine_part_restore(struct machine *m, const struct stream *s)
{
	bool ok;

	htif_watch(m, false);
	ok = fields_restore(m, machine_fields, NR(machine_fields), s) &&
	     time_is_possible(m, m->now);
	ok &= htif_restored(m);
	m->stuck = NULL;
	m->paused = false;
	return ok;
}

static bool vector_restore(struct hart *h, const struct stream *s)
{
	return !h->vector || (fields_restore(h->vector, vector_fields, NR(vector_fields), s) &&
			      vector_restored(h->vector));
}

static bool hart_save(const struct hart *h, const struct stream *s)
{
	return fields_save(h, hart_fields, NR(hart_fields), s) &&
	       (!h->vector || fields_save(h->vector, vector_fields, NR(vector_fields), s));
}

static bool hart_restore(struct hart *h, const struct stream *s)
{
	hart_reset(h, 0, machine_of(h)->now);
	if (!fields_restore(h, hart_fields, NR(hart_fields), s) || h->x[0] || h->pc & 1 ||
	    !time_is_possible(machine_of(h), h->now) || !vector_restore(h, s))
		return false;
	return csr_restored(h) && pmu_restored(h) && reservation_restored(h);
}

static bool models_save(struct machine *m, const struct stream *s)
{
	const uint32_t end = END_MARK;

	for (unsigned n = 0; n < m->cl.harts; n++) {
		if (!mmu_save(m->cl.hart[n], s) ||
		    (m->cl.hart[n]->timing && !timing_save(m->cl.hart[n], s)))
			return false;
	}
	return (!m->cl.hierarchy || hierarchy_save(m->cl.hierarchy, s)) &&
	       stream_write(s, &end, sizeof(end));
}

static bool models_restore(struct machine *m, const struct stream *s, struct error_text *why)
{
	uint32_t end;

	for (unsigned n = 0; n < m->cl.harts; n++) {
		struct hart *h = m->cl.hart[n];

		if (!mmu_restore(h, s) || (h->timing && !timing_restore(h, s)))
			return dev_refuse(why, "of hart %u", n);
	}
	if (m->cl.hierarchy && !hierarchy_restore(m->cl.hierarchy, s))
		return dev_refuse(why, "of the caches");
	if (!stream_read(s, &end, sizeof(end)) || end != END_MARK)
		return dev_refuse(why, "at its end");
	return true;
}

bool state_save(struct machine *m, const struct stream *s)
{
	if (!fields_save(m, machine_fields, NR(machine_fields), s))
		return false;
	for (unsigned n = 0; n < m->cl.harts; n++) {
		if (!hart_save(m->cl.hart[n], s))
			return false;
	}
	if (!ram_save(m, s))
		return false;
	for (unsigned n = 0; n < m->devices; n++) {
		if (!m->device[n]->save(m->device[n], s))
			return false;
	}
	return models_save(m, s);
}

bool state_restore(struct machine *m, const struct stream *s, struct error_text *why)
{
	if (!machine_part_restore(m, s))
		return dev_refuse(why, "of the machine as a whole");
	for (unsigned n = 0; n < m->cl.harts; n++) {
		if (!hart_restore(m->cl.hart[n], s))
			return dev_refuse(why, "of hart %u", n);
	}
	if (!ram_restore(m, s))
		return dev_refuse(why, "of the memory");
	htif_watch(m, true);
	m->turn = m->cl.harts; /* between rounds, as it was saved */
	for (unsigned n = 0; n < m->devices; n++) {
		if (!m->device[n]->restore(m->device[n], s))
			return dev_refuse(why, "of the device at %llx",
					  (unsigned long long)m->device[n]->base);
	}
	if (!m->o.booted)
		return models_restore(m, s, why);
	if (m->cl.hierarchy)
		hierarchy_reset(m->cl.hierarchy);
	return true;
}
