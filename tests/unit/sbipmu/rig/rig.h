/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rig.h - a hart that the library runs on, for unit tests.
 *
 * 	struct rig r;
 *
 * 	rig_init(&r, 16, 64);		// a full hart: Sscofpmf, Smcntrpmf, counters 3 to 18
 * 	r.fake.hw.sscofpmf = false;	// change what the test needs
 * 	rig_table(...);			// device-tree tables other than the usual ones
 * 	rig_boot(&r);			// sbipmu_init, sbipmu_hart_init
 * 	ret = rig_start(&r, 3, 1, 0, 0);	// calls, as S-mode makes them
 *
 * The usual tables: general event n has selector 0x100 + n, cache event 0x10000 + n has selector
 * 0x200 + n, and every programmable counter can count all of them.  It can also count raw events
 * 0x1000 to 0x1fff (a row for a range) and 0x2001 (a row for one event).
 */
#ifndef RIG_H
#define RIG_H

#include "fakecsr.h"
#include "tap.h"

#define RIG_CELLS 512
#define RIG_SLOTS 64

#define RIG_GENERAL 0x100 /* selectors of the usual tables */
#define RIG_CACHE   0x200

/* A device-tree property: big-endian cells. */
struct rig_table {
	unsigned char bytes[4 * RIG_CELLS];
	size_t len;
};

struct rig {
	struct fake fake;
	const struct sbipmu_ops *ops;
	bool snapshot;
	bool no_dt;
	struct rig_table selectors, counters, raw; /* len 0: property absent */
	size_t nr_slots;
	struct sbipmu_raw_slot slots[RIG_SLOTS];
	struct sbipmu pmu;
	struct sbipmu_hart h;
};

/* All state that a refused call must leave unchanged. */
struct rig_state {
	struct sbipmu_hart h;
	struct fake_regs regs;
	unsigned char ram[FAKE_RAM_SIZE];
};

void rig_init(struct rig *r, unsigned programmable, unsigned width);
void rig_cells(struct rig_table *t, const uint32_t *cells, size_t nr);
void rig_cell(struct rig_table *t, uint32_t cell);
void rig_no_tables(struct rig *r);
void rig_boot(struct rig *r);
void rig_usual(struct rig *r); /* of four programmable counters: rig_init, rig_boot */
/* sbipmu_init alone; and sbipmu_hart_init of one more hart on that platform. */
void rig_compile(struct rig *r);
void rig_hart(const struct rig *r, struct sbipmu_hart *h, struct fake *f);

void rig_state_save(const struct rig *r, struct rig_state *s);
bool rig_state_same(const struct rig *r, const struct rig_state *s);

/* Any call, with the registers as given. */
struct sbiret rig_call(struct rig *r, unsigned fid, rv_ulong a0, rv_ulong a1, rv_ulong a2,
		       rv_ulong a3, rv_ulong a4, rv_ulong a5);

/* Calls whose 64-bit arguments are split as XLEN requires. */
struct sbiret rig_config(struct rig *r, rv_ulong base, rv_ulong mask, rv_ulong flags, rv_ulong eidx,
			 uint64_t data);
struct sbiret rig_start(struct rig *r, rv_ulong base, rv_ulong mask, rv_ulong flags,
			uint64_t value);
struct sbiret rig_stop(struct rig *r, rv_ulong base, rv_ulong mask, rv_ulong flags);
struct sbiret rig_info(struct rig *r, rv_ulong ctr);
struct sbiret rig_set_shmem(struct rig *r, rv_ulong lo, rv_ulong hi, rv_ulong flags);
struct sbiret rig_event_info(struct rig *r, rv_ulong lo, rv_ulong hi, rv_ulong entries,
			     rv_ulong flags);
/* The whole value of a firmware counter, read with FIDs 5 and 6. */
uint64_t rig_fw_read(struct rig *r, rv_ulong ctr);

/* The counter that config_matching chooses, or its error. */
int rig_choose(struct rig *r, rv_ulong base, rv_ulong mask, rv_ulong flags, rv_ulong eidx,
	       uint64_t data);

/* Does event_get_info say that an event is supported?  Uses ram at 0x7000. */
bool rig_supported(struct rig *r, uint32_t eidx, uint64_t data);

/* The first firmware counter, and the mask of all counters, by counter_get_info. */
unsigned rig_fw_first(struct rig *r);
uint64_t rig_valid(struct rig *r);

/* Is there a complaint with this property, this row and this part of its text? */
bool rig_said(const struct rig *r, const char *property, int row, const char *text);

/* Failed checks show as lines of TAP: an answer's error and value. */
#define is_ret(ret, want_error, want_value)                                                        \
	rig_is_ret(ret, want_error, want_value, __FILE__, __LINE__, #ret)
#define is_error(ret, want_error) rig_is_ret(ret, want_error, 0, __FILE__, __LINE__, #ret)
bool rig_is_ret(struct sbiret ret, enum sbi_err error, rv_ulong value, const char *file, int line,
		const char *what);

#define EIDX_CYCLES	  SBI_PMU_HW_CPU_CYCLES
#define EIDX_INSTRUCTIONS SBI_PMU_HW_INSTRUCTIONS
#define EIDX_RAW	  SBI_PMU_EIDX(SBI_PMU_TYPE_RAW, 0)
#define EIDX_RAW_V2	  SBI_PMU_EIDX(SBI_PMU_TYPE_RAW_V2, 0)
#define EIDX_FW(code)	  (SBI_PMU_EIDX(SBI_PMU_TYPE_FW, 0) | (code))

#define SELECTORS_PROPERTY "riscv,event-to-mhpmevent"
#define COUNTERS_PROPERTY  "riscv,event-to-mhpmcounters"
#define RAW_PROPERTY	   "riscv,raw-event-to-mhpmcounters"

#endif
