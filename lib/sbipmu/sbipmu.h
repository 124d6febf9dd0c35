/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sbipmu.h - the SBI PMU extension (SBI 3.0 chapter 11) as a freestanding library.
 *
 * For firmware, hypervisors and emulators.  The library decodes, validates and carries out
 * every call of the extension (FIDs 0 to 8) for RV64 and RV32.  It allocates nothing, prints
 * nothing, keeps no global state and needs no libc (but for memset, memcpy and
 * the compiler's own arithmetic helpers, which every freestanding C compiler may call).
 *
 * How a host uses it:
 *
 *	static struct sbipmu pmu;			// one: tables, the same for all harts
 *	static struct sbipmu_hart hart[NR_HARTS];	// one a hart
 *
 *	sbipmu_init(&pmu, &ops, ctx0, &config);		// on the boot hart, once
 *	sbipmu_hart_init(&hart[i], &pmu, ctx_i);	// on each hart, before S-mode runs there
 *	ret = sbipmu_call(a0, a1, a2, a3, a4, a5, a6, &hart[i]);	// for each ecall, a7 = "PMU"
 *	sbipmu_fw_event(&hart[i], SBI_PMU_FW_SET_TIMER);	// where a firmware event happens
 *
 * Who may call what, when: every function that takes a hart is called on that hart with
 * M-mode interrupts off; two harts never share a struct sbipmu_hart.  struct sbipmu is written
 * by sbipmu_init alone and only read afterwards, so calls on different harts need no lock.
 *
 * Counter numbers: index 0 to 31 is the hardware counter whose CSR is cycle + index (0 cycle,
 * 2 instret, 3..31 hpmcounter; 1 is the time CSR and nobody's counter), so that an index is
 * also a bit of mcountinhibit and scountovf.  The SBIPMU_FW_CTRS firmware counters follow the
 * highest hardware counter.
 *
 * What a call costs is bounded: no call scans an event table; a set of counters is one 64-bit
 * mask.  The longest time that a call keeps interrupts off is event_get_info with
 * SBIPMU_EVENT_INFO_MAX entries: less than 100,000 instructions, the trap included, on every CPU of
 * cpu/ (bench/info counts them on RV64).  An entry costs 28 instructions for a general or cache
 * event, 54 for a firmware event, 65 for a raw event, 90 for one whose row stands for many
 * selectors, so that a counter is asked whether it takes this one, and 67 more for each counter that
 * refuses it, which none of those CPUs does.
 *
 * Values in shared memory are little-endian, as RISC-V's are; the host must be, too.
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

/* The most entries that one event_get_info call may have; more is SBI_ERR_FAILED. */
#define SBIPMU_EVENT_INFO_MAX 1024

/* The most distinct select_mask values of riscv,raw-event-to-mhpmcounters. */
#define SBIPMU_RAW_MASKS 8

/*
 * The CSR field that counter_get_info gives for firmware counters (SBI 3.0 §11.7 says: to be
 * ignored).  Linux passes it on to programs as a counter index for user-space reads; 0 would
 * make them read the cycle counter in silence, a number past hpmcounter31 reads nothing.
 */
#define SBIPMU_FW_CSR 0xc20

/*
 * One line of complaint about the platform's description, given to ops->diag at boot.
 * property: the device-tree property, or the CSR, that it is about; never NULL.
 * row: the row of that property, from 0, or -1 for the whole of it.
 * text: what is wrong and what was done about it; a constant string.
 * value: the offending number (an event_idx, a mask of counters, a length), see text.
 */
struct sbipmu_diag {
	const char *property;
	int row;
	const char *text;
	uint64_t value;
};

/*
 * What the library needs of its host.  ctx is the pointer given to sbipmu_init or
 * sbipmu_hart_init and stands for the calling hart.  None may call back into the library.
 */
struct sbipmu_ops {
	/*
	 * Read or write CSR num of the calling hart.  The library asks only for CSRs that
	 * csr_probe found, of these: mcycle, minstret, mhpmcounter3..31, mhpmevent3..31,
	 * mcyclecfg, minstretcfg and, on RV32, the high halves of all of them; mcountinhibit,
	 * scountovf.  mcounteren and mip, which every hart with S-mode has, it does not probe.
	 */
	rv_ulong (*csr_read)(void *ctx, unsigned num);
	void (*csr_write)(void *ctx, unsigned num, rv_ulong value);

	/*
	 * Write CSR num, one of mhpmevent3..31 (on RV32 or a high half of them), and return what
	 * it then holds.  May be NULL: csr_write and csr_read do it, in more instructions.
	 */
	rv_ulong (*csr_update)(void *ctx, unsigned num, rv_ulong value);

	/*
	 * Set or clear mip.LCOFIP of the calling hart, with an atomic set or clear of that one
	 * bit: writing back what was read of mip would latch an external SEIP.  Asked for only
	 * on harts with Sscofpmf.
	 */
	void (*set_lcofip)(void *ctx, bool pending);

	/* Read CSR num into *value; false if the hart does not have it.  Used at init only. */
	bool (*csr_probe)(void *ctx, unsigned num, rv_ulong *value);

	/*
	 * Shared memory (SBI 3.0 §3.2).  Returns a pointer through which the library may read
	 * and write the size bytes at supervisor physical address addr, or NULL unless all of
	 * them are memory that S-mode may write: never the host's own memory, never outside
	 * RAM.  addr + size does not wrap.  A snapshot page's pointer is kept until S-mode
	 * disables the page or sbipmu_hart_init is called; every other only for one call.
	 * May be NULL: no shared memory, so neither snapshots nor event_get_info.
	 */
	void *(*shmem)(void *ctx, uint64_t addr, uint64_t size);

	/*
	 * Implementation-specific firmware events (code 256 to 65534, data 0) and platform
	 * events (code SBI_PMU_FW_PLATFORM, data the encoding): return a key of the host's
	 * choice, 0 to 32767, or -1 if there is no such event.  May be NULL: none.
	 */
	int (*fw_find)(void *ctx, unsigned code, uint64_t data);

	/*
	 * The running total of the event with that key on the calling hart: never stops, never
	 * goes back, wraps at 2^64.  The library subtracts; the host only counts.
	 */
	uint64_t (*fw_total)(void *ctx, int key);

	/* Takes one complaint.  May be NULL.  Used at init only. */
	void (*diag)(void *ctx, const struct sbipmu_diag *d);
};

/*
 * The riscv,pmu node of the device tree (reference/001): its properties as they stand in the
 * blob, big-endian cells, lengths in bytes; NULL and 0 for one that is not there.
 */
struct sbipmu_dt {
	const void *event_to_mhpmevent;
	size_t event_to_mhpmevent_len;
	const void *event_to_mhpmcounters;
	size_t event_to_mhpmcounters_len;
	const void *raw_event_to_mhpmcounters;
	size_t raw_event_to_mhpmcounters_len;
};

/* One place of the raw-event index.  Private but for its size. */
struct sbipmu_raw_slot {
	uint64_t key; /* select, and the tag of its mask above it; 0: free */
	uint32_t ctrs;
	uint32_t inexact; /* the row stands for more than one selector */
};

/*
 * What the host decides at boot.
 * raw_slots: memory of the caller for the raw-event index, kept for ever; nr_raw_slots of
 *	them, a power of two (of another number, the power of two below it is used; the library
 *	takes at most half as many rows; each row that does not fit gets its line).  NULL and 0:
 *	no raw events.
 * snapshot: offer snapshot_set_shmem.  Linux up to 7.2 loses its page over CPU hotplug.
 * dt: the platform's tables; NULL if it has none.  Read during sbipmu_init only.
 */
struct sbipmu_config {
	struct sbipmu_raw_slot *raw_slots;
	size_t nr_raw_slots;
	bool snapshot;
	const struct sbipmu_dt *dt;
};

/*
 * What one hart's hardware has, as probed.  For the host to read.  Masks of counter indexes:
 * a counter that exists is in hw_ctrs, unstoppable or closed.
 */
struct sbipmu_facts {
	uint32_t hw_ctrs; /* hardware counters offered */
	uint32_t unstoppable; /* there, but mcountinhibit cannot stop them: not offered */
	uint32_t closed; /* there, but mcounteren cannot open them: not offered */
	bool mcountinhibit; /* present and not hard-wired to zero */
	bool sscofpmf; /* overflow interrupts and mode filters; a hart: as the boot hart */
	bool smcntrpmf; /* mode filters of the fixed counters; likewise */
	uint8_t width[COUNTER_HW_MAX]; /* in bits; 0: not there */
};

/* One of the distinct select_mask values.  Private. */
struct sbipmu_raw_mask {
	uint64_t mask;
	uint64_t tag; /* in bits 63:56, not 0: tells the masks' rows apart */
	uint64_t alike; /* bits that all selects of its rows have alike, ... */
	uint64_t value; /* ... and what they are */
	const struct sbipmu_raw_slot *only; /* its row if it has no other, else NULL */
};

/* Places for general events, by code, and behind them as many for cache events.  Private. */
#define SBIPMU_EVENTS 128

/* One general or cache event.  Private. */
struct sbipmu_event {
	uint64_t selector; /* for mhpmevent */
	uint32_t ctrs; /* programmable counters that can count it */
};

/*
 * The tables, the same for all harts; read-only once sbipmu_init has returned.  facts and the
 * nr_ fields are for the host to read, the rest is private.
 */
struct sbipmu {
	struct sbipmu_facts facts; /* of the boot hart: what counters are numbered by */
	unsigned nr_events; /* general and cache events that some counter can count */
	unsigned nr_raw_rows; /* raw rows taken */
	unsigned nr_diags; /* complaints given to ops->diag */

	const struct sbipmu_ops *ops;
	struct sbipmu_raw_slot *raw_slot;
	unsigned raw_shift; /* 64 - log2(slots) */
	uint64_t raw_mult;
	unsigned raw_longest; /* the most slots that a lookup looks at */
	unsigned nr_raw_masks;
	struct sbipmu_raw_mask raw_mask[SBIPMU_RAW_MASKS];
	const struct sbipmu_raw_mask *raw_mask_end; /* behind the last */
	unsigned fw_first; /* index of the first firmware counter */
	unsigned nr_classes;
	uint32_t class[COUNTER_HW_MAX]; /* programmable counters, least flexible first */
	bool snapshot;
	struct sbipmu_event event[SBIPMU_EVENTS];
};

/*
 * The state of one hart, under 1 KiB.  facts is for the host to read, the rest is private.
 * Sets of counters are masks of counter indexes.  started is a subset of mapped, mapped of
 * valid.
 */
struct sbipmu_hart {
	struct sbipmu_facts facts;
	const struct sbipmu *pmu;
	const struct sbipmu_ops *ops; /* pmu's */
	void *ctx;
	unsigned char *shmem; /* the snapshot page, or NULL */
	uint64_t valid; /* counters that S-mode may name on this hart */
	uint64_t hw; /* the hardware counters among them */
	uint64_t mapped; /* configured for an event */
	uint64_t started;
	uint64_t event[COUNTER_HW_MAX]; /* mhpmevent, mcyclecfg, minstretcfg as last written */
	uint64_t saved[COUNTER_HW_MAX]; /* values over a suspend */
	bool saved_lcofip;
	uint64_t fw_value[SBIPMU_FW_CTRS]; /* stopped: the value; running: value - total */
	int32_t fw_key[SBIPMU_FW_CTRS];
	uint64_t fw_total[SBI_PMU_FW_COUNT];
};

/*
 * Probes the calling hart's counters and compiles the platform's tables.
 *
 * Expects: the boot hart, in M-mode, before S-mode has run anywhere; ops, config->raw_slots
 * and ctx outlive pmu.  Writes mhpmevent and mhpmcounter of every programmable counter and
 * leaves them zero and inhibited.
 * Complaints about the tables go to ops->diag, one a fault; a faulty row never takes another
 * one with it, and what is left out counts as unsupported.  Cannot fail: a platform with
 * nothing usable offers its firmware counters.
 *
 * Implements: SBI 3.0 §11; device-tree bindings of reference/001; Priv 1.13 §3.1.10-12.
 */
void sbipmu_init(struct sbipmu *pmu, const struct sbipmu_ops *ops, void *ctx,
		 const struct sbipmu_config *config);

/*
 * Brings the calling hart's counters to the state in which S-mode starts: every counter
 * stopped and unmapped, the fixed ones free-running and filtered by nothing, mcounteren open
 * for each counter that counter_get_info reports, no snapshot page, firmware totals zero.
 *
 * Expects: sbipmu_init has returned.  To be called again each time that S-mode starts anew on
 * the hart (HSM start after stop).  ctx is handed to ops for this hart.
 */
void sbipmu_hart_init(struct sbipmu_hart *h, const struct sbipmu *pmu, void *ctx);

/*
 * Carries out one call of the PMU extension.
 *
 * a0 to a5 and fid (a6) are the registers of S-mode, any values.  Returns what goes into a0
 * and a1.  An unknown fid is SBI_ERR_NOT_SUPPORTED.  A refused call has changed nothing;
 * ALREADY_STARTED and ALREADY_STOPPED are reported after the other counters of the set were
 * acted on.  The order of arguments lets a trap handler pass its registers on unmoved.
 *
 * Implements: SBI 3.0 §11.6 to §11.14.
 */
struct sbiret sbipmu_call(rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3, rv_ulong a4,
			  rv_ulong a5, rv_ulong fid, struct sbipmu_hart *h);

/*
 * Before and after the calling hart loses its counters (a non-retentive suspend): keeps and
 * writes back values, event selectors, filters, overflows that S-mode has not cleared with a
 * pending LCOFIP, and which counters run.  The counters stand still in between, so a suspend
 * that fails after save wants its restore, too.  A retentive suspend needs neither.
 */
void sbipmu_hart_save(struct sbipmu_hart *h);
void sbipmu_hart_restore(struct sbipmu_hart *h);

/*
 * Counts one firmware event on the calling hart: code is one of enum sbi_pmu_fw.  The cost
 * does not depend on how many counters run: totals always advance, counters take differences.
 *
 * Implements: SBI 3.0 §11.5.
 */
static inline void sbipmu_fw_event(struct sbipmu_hart *h, enum sbi_pmu_fw code)
{
	h->fw_total[code]++;
}

#endif
