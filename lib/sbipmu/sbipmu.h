/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sbipmu.h - the SBI PMU extension (SBI 3.0 chapter 11) as a freestanding library.
 * The door of lib/sbipmu.
 *
 * For firmware, hypervisors and emulators.  The library decodes, validates and carries out
 * every call of the extension (FIDs 0 to 8) for RV64 and RV32.  It allocates nothing, prints
 * nothing, keeps no global state and needs no libc.  It may call memset, memcpy and the
 * compiler's own arithmetic helpers, as all code of a freestanding C compiler may.
 *
 * How a host uses it:
 *
 *	static struct sbipmu pmu;			// the tables; all harts share them
 *	static struct sbipmu_hart hart[NR_HARTS];	// one for each hart
 *
 *	sbipmu_init(&pmu, &ops, ctx0, &config);		// on the boot hart, once
 *	sbipmu_hart_init(&hart[i], &pmu, ctx_i);	// on each hart, before S-mode runs there
 *	ret = sbipmu_call(a0, a1, a2, a3, a4, a5, a6, &hart[i]); // for each ecall, a7 = "PMU"
 *	sbipmu_fw_event(&hart[i], SBI_PMU_FW_SET_TIMER);	// where a firmware event happens
 *
 * Who may call what: a function that takes a hart must be called on that hart with M-mode
 * interrupts off.  Two harts never share a struct sbipmu_hart.  Only sbipmu_init writes struct
 * sbipmu, so that calls on different harts need no lock.
 *
 * Counter numbers: index 0 to 31 is the hardware counter whose CSR is cycle + index (0 cycle,
 * 2 instret, 3..31 hpmcounter; 1 is the time CSR, which is not a counter).  An index is therefore
 * also a bit number of mcountinhibit and scountovf.  The SBIPMU_FW_CTRS firmware counters come
 * after the highest hardware counter.
 *
 * The cost of a call is bounded: no call scans an event table, and a set of counters is one
 * 64-bit mask.  The longest call is event_get_info with SBIPMU_EVENT_INFO_MAX entries: it keeps
 * interrupts off for less than 100,000 instructions, trap included, on every CPU of cpu/
 * (bench/info counts them on RV64).  An entry costs
 *	28 instructions	for a general or cache event,
 *	54		for a firmware event,
 *	65		for a raw event whose row stands for one selector,
 *	90		for a raw event whose row stands for many selectors: the library then
 *			writes the selector to a counter to see whether the hart keeps it,
 *	67 more		for each counter that does not keep it; no CPU of cpu/ has one.
 *
 * Values in shared memory are little-endian, as RISC-V is; the host must be little-endian, too.
 */
#ifndef SBIPMU_H
#define SBIPMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rv/csr.h>
#include <rv/pmu_event.h>
#include <rv/sbi.h>
#include <rv/xlen.h>

/* Firmware counters of each hart; all are 64 bits wide. */
#define SBIPMU_FW_CTRS 16

/* The most entries of one event_get_info call.  A call with more returns SBI_ERR_FAILED. */
#define SBIPMU_EVENT_INFO_MAX 1024

/* The most distinct select_mask values of riscv,raw-event-to-mhpmcounters. */
#define SBIPMU_RAW_MASKS 8

/*
 * The CSR field that counter_get_info returns for firmware counters.  SBI 3.0 §11.7 tells S-mode
 * to ignore it, but Linux hands it to programs as the index of a counter to read.  With 0 they
 * would read the cycle counter; a number beyond hpmcounter31 makes them read nothing.
 */
#define SBIPMU_FW_CSR 0xc20

/*
 * One diagnostic about the platform's device tree.  The library passes it to ops->diag at boot.
 * property: the faulty device-tree property or CSR; never NULL.
 * row: the faulty row of that property, from 0; -1: the whole property.
 * text: what is wrong and what the library did about it; a constant string.
 * value: the faulty number; text says what it is (an event_idx, a mask of counters, a length).
 */
struct sbipmu_diag {
	const char *property;
	int row;
	const char *text;
	uint64_t value;
};

/*
 * What the library needs from its host.  ctx is the pointer that the host gave to sbipmu_init or
 * sbipmu_hart_init; it identifies the calling hart.  An operation must not call the library.
 */
struct sbipmu_ops {
	/*
	 * Read or write CSR num of the calling hart.  The library accesses these CSRs, if
	 * csr_probe has found them: mcycle, minstret, mhpmcounter3..31, mhpmevent3..31,
	 * mcyclecfg, minstretcfg and, on RV32, the high halves of all of them; mcountinhibit,
	 * scountovf.  It accesses mcounteren and mip without probing: every hart with S-mode
	 * has them.  It probes scountinhibit, but never accesses it.
	 */
	rv_ulong (*csr_read)(void *ctx, unsigned num);
	void (*csr_write)(void *ctx, unsigned num, rv_ulong value);

	/*
	 * Write CSR num and return the value that it then holds.  num is one of mhpmevent3..31
	 * or, on RV32, of their high halves.  May be NULL: the library then calls csr_write and
	 * csr_read, which takes more instructions.
	 */
	rv_ulong (*csr_update)(void *ctx, unsigned num, rv_ulong value);

	/*
	 * Set or clear mip.LCOFIP of the calling hart.  It must be one atomic set or clear of
	 * that bit: a read of mip and a write of the whole value would latch an external SEIP.
	 * The library calls it only on harts with Sscofpmf.
	 */
	void (*set_lcofip)(void *ctx, bool pending);

	/* Read CSR num into *value; false if the hart does not have it.  Called at init only. */
	bool (*csr_probe)(void *ctx, unsigned num, rv_ulong *value);

	/*
	 * Shared memory (SBI 3.0 §3.2).  Returns a pointer through which the library may read
	 * and write the size bytes at supervisor physical address addr.  Returns NULL unless
	 * S-mode may write all of these bytes: none of them is the host's own memory, none is
	 * outside RAM.  addr + size does not wrap.  The library keeps the pointer to a snapshot
	 * page until S-mode disables the page or the host calls sbipmu_hart_init; it keeps any
	 * other pointer for one call only.
	 * May be NULL: there is no shared memory, so neither snapshots nor event_get_info.
	 */
	void *(*shmem)(void *ctx, uint64_t addr, uint64_t size);

	/*
	 * Find an implementation-specific firmware event (code 256 to 65534, data 0) or a
	 * platform firmware event (code SBI_PMU_FW_PLATFORM, data is the encoding).  Returns a
	 * key that the host chooses, 0 to 32767, or -1 if there is no such event.  May be NULL:
	 * the host has no such events.
	 */
	int (*fw_find)(void *ctx, unsigned code, uint64_t data);

	/*
	 * The total of the event with that key on the calling hart.  It never stops, never
	 * decreases, and wraps at 2^64.  The library takes differences; the host only counts.
	 */
	uint64_t (*fw_total)(void *ctx, int key);

	/* Take one diagnostic.  May be NULL.  Called at init only. */
	void (*diag)(void *ctx, const struct sbipmu_diag *d);
};

/*
 * The properties of the device tree's riscv,pmu node (Linux's binding riscv,pmu.yaml) as they are
 * in the blob: big-endian cells, lengths in bytes.  NULL and 0: the property is absent.
 */
struct sbipmu_dt {
	const void *event_to_mhpmevent;
	size_t event_to_mhpmevent_len;
	const void *event_to_mhpmcounters;
	size_t event_to_mhpmcounters_len;
	const void *raw_event_to_mhpmcounters;
	size_t raw_event_to_mhpmcounters_len;
};

/* One slot of the index of raw events.  The host needs its size only. */
struct sbipmu_raw_slot {
	uint64_t key; /* select, with the tag of its mask in bits 63:56; 0: free */
	uint32_t ctrs;
	uint32_t inexact; /* the row stands for more than one selector */
};

/*
 * What the host decides at boot.
 * raw_slots: nr_raw_slots slots of the caller's memory for the index of raw events; the library
 *	uses them for ever.  nr_raw_slots is a power of two; the library rounds another number
 *	down.  It takes at most half as many rows as slots, and reports each row that does not
 *	fit.  NULL and 0: no raw events.
 * snapshot: offer snapshot_set_shmem.  Linux up to 7.2 loses its snapshot page over CPU hotplug.
 * dt: the platform's tables; NULL: there are none.  Read in sbipmu_init only.
 */
struct sbipmu_config {
	struct sbipmu_raw_slot *raw_slots;
	size_t nr_raw_slots;
	bool snapshot;
	const struct sbipmu_dt *dt;
};

/*
 * What the hardware of one hart has, as probed.  The host may read it.  The masks are of counter
 * indexes; each counter that exists is in one of hw_ctrs, unstoppable and closed.
 */
struct sbipmu_facts {
	uint32_t hw_ctrs; /* hardware counters that S-mode is offered */
	uint32_t unstoppable; /* not offered, because mcountinhibit cannot stop them */
	uint32_t closed; /* not offered, because mcounteren cannot open them */
	bool mcountinhibit; /* present and not hard-wired to zero */
	bool sscofpmf; /* overflow interrupts and mode filters; false if the boot hart has none */
	bool smcntrpmf; /* mode filters of cycle and instret; false if the boot hart has none */
	bool delegated; /* S-mode can configure counters itself (Smcdeleg): scountinhibit exists */
	uint8_t width[COUNTER_HW_MAX]; /* in bits; 0: absent */
};

/* One of the distinct select_mask values.  Private. */
struct sbipmu_raw_mask {
	uint64_t mask;
	uint64_t tag; /* in bits 63:56, not 0: part of the key of this mask's rows */
	uint64_t alike; /* the bits that are equal in the selects of all its rows, ... */
	uint64_t value; /* ... and their values */
	const struct sbipmu_raw_slot *only; /* its row if it has one only, else NULL */
};

/* Rows of the event table: one half general events, the other cache events.  Private. */
#define SBIPMU_EVENTS 128

/* One general or cache event.  Private. */
struct sbipmu_event {
	uint64_t selector; /* for mhpmevent */
	uint32_t ctrs; /* programmable counters that can count it */
};

/*
 * The tables, which all harts share; read-only after sbipmu_init has returned.  The host may read
 * facts, nr_events, nr_raw_rows and nr_diags; the rest is private.
 */
struct sbipmu {
	struct sbipmu_facts facts; /* of the boot hart; they decide the numbers of counters */
	unsigned nr_events; /* general and cache events that some counter can count */
	unsigned nr_raw_rows; /* rows in the index of raw events */
	unsigned nr_diags; /* diagnostics passed to ops->diag */

	const struct sbipmu_ops *ops;
	struct sbipmu_raw_slot *raw_slot;
	unsigned raw_shift; /* 64 - log2(slots) */
	uint64_t raw_mult;
	unsigned raw_longest; /* the most slots that a lookup reads */
	unsigned nr_raw_masks;
	struct sbipmu_raw_mask raw_mask[SBIPMU_RAW_MASKS];
	const struct sbipmu_raw_mask *raw_mask_end; /* one past the last */
	unsigned fw_first; /* index of the first firmware counter */
	unsigned nr_classes;
	uint32_t class[COUNTER_HW_MAX]; /* programmable counters, least flexible first */
	bool snapshot;
	struct sbipmu_event event[SBIPMU_EVENTS];
};

/*
 * The state of one hart, less than 1 KiB.  The host may read facts; the rest is private.
 * Sets of counters are masks of counter indexes.  started is a subset of mapped, and mapped is
 * a subset of valid.
 */
struct sbipmu_hart {
	struct sbipmu_facts facts;
	const struct sbipmu *pmu;
	const struct sbipmu_ops *ops; /* the operations of pmu */
	void *ctx;
	unsigned char *shmem; /* the snapshot page, or NULL */
	uint64_t valid; /* counters that S-mode may name on this hart */
	uint64_t hw; /* the hardware counters among them */
	uint64_t mapped; /* configured for an event */
	uint64_t started;
	uint64_t event[COUNTER_HW_MAX]; /* mhpmevent, mcyclecfg, minstretcfg as last written */
	uint64_t saved[COUNTER_HW_MAX]; /* counter values during a suspend */
	bool saved_lcofip;
	uint64_t fw_value[SBIPMU_FW_CTRS]; /* stopped: the value; running: value - total */
	int32_t fw_key[SBIPMU_FW_CTRS];
	uint64_t fw_total[SBI_PMU_FW_COUNT];
};

/*
 * Probes the calling hart's counters and compiles the platform's tables.
 *
 * Expects: the boot hart, in M-mode, before S-mode has run on any hart; ops, config->raw_slots
 * and ctx outlive pmu.  Writes mhpmevent and mhpmcounter of every programmable counter and
 * leaves them zero and inhibited.
 * Reports each fault of the tables to ops->diag.  A faulty row does not affect other rows; events
 * without a good row are not supported.  Cannot fail: if nothing of the tables is usable, the
 * firmware counters are offered.
 *
 * Implements: SBI 3.0 §11; Linux's binding riscv,pmu.yaml; Priv 1.13 §3.1.10-12.
 */
void sbipmu_init(struct sbipmu *pmu, const struct sbipmu_ops *ops, void *ctx,
		 const struct sbipmu_config *config);

/*
 * Brings the calling hart's counters to the state in which S-mode starts: every counter is
 * stopped and unmapped; cycle and instret run without mode filters; mcounteren is open for each
 * counter that counter_get_info reports; there is no snapshot page; firmware totals are zero.
 * If S-mode can configure counters itself (Smcdeleg), a counter that is not mapped does not count
 * in M-mode, if it has mode filters: S-mode can neither read nor change MINH.
 *
 * Expects: sbipmu_init has returned; the host has set menvcfg.CDE before, if it delegates counters.
 *  The host calls it again each time S-mode starts anew on the
 * hart (HSM start after stop).  The library passes ctx to ops for this hart.
 */
void sbipmu_hart_init(struct sbipmu_hart *h, const struct sbipmu *pmu, void *ctx);

/*
 * Carries out one call of the PMU extension.
 *
 * a0 to a5 and fid (a6) are the registers of S-mode with any values.  Returns the new a0 and a1.
 * An unknown fid returns SBI_ERR_NOT_SUPPORTED.  A call that fails changes nothing, with two
 * exceptions: ALREADY_STARTED and ALREADY_STOPPED are returned after the other counters of the
 * set were started or stopped.  The order of the arguments lets a trap handler leave S-mode's
 * registers where they are.
 *
 * Implements: SBI 3.0 §11.6 to §11.14.
 */
struct sbiret sbipmu_call(rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3, rv_ulong a4,
			  rv_ulong a5, rv_ulong fid, struct sbipmu_hart *h);

/*
 * Save and restore the calling hart's counters around a non-retentive suspend, which loses them:
 * values, event selectors, mode filters, overflows that S-mode has not cleared, a pending LCOFIP,
 * and the set of running counters.  save stops all counters, so a suspend that fails after save
 * must call restore, too.  A retentive suspend needs neither.
 */
void sbipmu_hart_save(struct sbipmu_hart *h);
void sbipmu_hart_restore(struct sbipmu_hart *h);

/*
 * Counts one firmware event on the calling hart; code is one of enum sbi_pmu_fw.  The cost does
 * not depend on the number of running counters: the total always advances, and a counter is a
 * difference of totals.
 *
 * Implements: SBI 3.0 §11.5.
 */
static inline void sbipmu_fw_event(struct sbipmu_hart *h, enum sbi_pmu_fw code)
{
	h->fw_total[code]++;
}

#endif
