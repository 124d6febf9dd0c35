// SPDX-License-Identifier: BSD-2-Clause
/*
 * state.c - the state of a machine as a stream of bytes (snapshot.h).
 *
 * In this order, so that a device finds time and memory restored: the machine, each hart with its
 * TLBs and what else models know, caches, memory, each device.  One table of fields serves both
 * ways.
 */
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "dev/common.h"
#include "snapshot.h"
#include "timing.h"

/* Guest time and a hart's; 146 years, and sums of two do not wrap. */
#define TIME_MAX (1ull << 62)

#define END_MARK 0x646e6521u

/* A field that is kept as it stands; most: the highest value of one of one byte, 0: any. */
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
	MACHINE(now),	 MACHINE(next_poll),	  MACHINE(htif.tohost),
	MACHINE(htif.fromhost), MACHINE(htif.answer), MACHINE_TO(htif.reading, 1),
	MACHINE(entry),	 MACHINE(boot_arg),	  MACHINE(rom),
	MACHINE(status), MACHINE_TO(finished, 1), MACHINE_TO(reboot, 1),
};

/* What else there is follows from these: csr_restored, pmu_restored; lines are the devices'. */
static const struct field hart_fields[] = {
	HART(x),
	HART(f),
	HART(pc),
	HART(now),
	HART(mstatus),
	HART(fflags),
	HART_TO(frm, 7),
	HART_TO(mode, PRV_M),
	HART_TO(idle, 1),
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
	HART(mstateen0),
	HART(sstateen0),
	HART(mcounteren),
	HART(scounteren),
	HART(pmpcfg),
	HART(pmpaddr),
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

		/* A bool that is neither must not even be looked at as one. */
		if (!stream_read(s, to, f->size))
			return false;
		if (f->most && *to > f->most) {
			*to = 0;
			return false;
		}
	}
	return true;
}

/* Memory: runs of pages that are not all zero, each { first page, number of pages }. */
struct run {
	uint32_t first, nr;
};

#define RUN_MAX 256

static bool page_is_zero(const uint8_t *p)
{
	return !*(const uint64_t *)p && !memcmp(p, p + 8, PAGE_SIZE - 8);
}

static bool ram_save(struct machine *m, const struct stream *s)
{
	uint64_t pages = m->ram_size >> PAGE_SHIFT;
	struct run run = { 0, 0 };

	for (uint64_t n = 0; n <= pages; n++) {
		bool kept = n < pages && !page_is_zero(m->ram + (n << PAGE_SHIFT));
		const uint8_t *from = m->ram + ((uint64_t)run.first << PAGE_SHIFT);

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
	uint64_t pages = m->ram_size >> PAGE_SHIFT, next = 0;
	struct run run;

	block_flush(m);
	/* Private and without a file: it is all zeros again. */
	if (madvise(m->ram, m->ram_size, MADV_DONTNEED))
		return false;
	while (stream_read(s, &run, sizeof(run))) {
		if (!run.nr)
			return true;
		if (run.first < next || run.first >= pages || run.nr > pages - run.first ||
		    !stream_read(s, m->ram + ((uint64_t)run.first << PAGE_SHIFT),
				 (size_t)run.nr << PAGE_SHIFT))
			return false;
		next = (uint64_t)run.first + run.nr;
	}
	return false;
}

static bool machine_part_restore(struct machine *m, const struct stream *s)
{
	bool ok;

	htif_watch(m, false);
	ok = fields_restore(m, machine_fields, NR(machine_fields), s) && m->now <= TIME_MAX;
	ok &= htif_restored(m);
	m->stuck = NULL;
	m->paused = false;
	return ok;
}

static bool hart_restore(struct hart *h, const struct stream *s)
{
	hart_reset(h, 0);
	if (!fields_restore(h, hart_fields, NR(hart_fields), s) || h->x[0] || h->pc & 1 ||
	    h->now > TIME_MAX)
		return false;
	return csr_restored(h) && pmu_restored(h) && mmu_restore(h, s) &&
	       (!h->timing || timing_restore(h, s));
}

bool state_save(struct machine *m, const struct stream *s)
{
	const uint32_t end = END_MARK;

	if (!fields_save(m, machine_fields, NR(machine_fields), s))
		return false;
	for (unsigned n = 0; n < m->harts; n++) {
		if (!fields_save(m->hart[n], hart_fields, NR(hart_fields), s) ||
		    !mmu_save(m->hart[n], s) || (m->hart[n]->timing && !timing_save(m->hart[n], s)))
			return false;
	}
	if (m->memory && !memory_save(m->memory, s))
		return false;
	if (!ram_save(m, s))
		return false;
	for (unsigned n = 0; n < m->devices; n++) {
		if (!m->device[n]->save(m->device[n], s))
			return false;
	}
	return stream_write(s, &end, sizeof(end));
}

bool state_restore(struct machine *m, const struct stream *s, struct dev_why *why)
{
	uint32_t end;

	if (!machine_part_restore(m, s))
		return dev_why(why, "of the machine as a whole");
	for (unsigned n = 0; n < m->harts; n++) {
		if (!hart_restore(m->hart[n], s))
			return dev_why(why, "of hart %u", n);
	}
	if (m->memory && !memory_restore(m->memory, s))
		return dev_why(why, "of the caches");
	if (!ram_restore(m, s))
		return dev_why(why, "of the memory");
	htif_watch(m, true);
	m->turn = m->harts; /* it was saved between rounds */
	for (unsigned n = 0; n < m->devices; n++) {
		if (!m->device[n]->restore(m->device[n], s))
			return dev_why(why, "of the device at %llx",
				       (unsigned long long)m->device[n]->base);
	}
	if (!stream_read(s, &end, sizeof(end)) || end != END_MARK)
		return dev_why(why, "at its end");
	return true;
}
