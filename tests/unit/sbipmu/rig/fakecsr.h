/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fakecsr.h - a hart's counter CSRs in memory: the host of lib/sbipmu for tests and fuzzing.
 *
 * The fake is a hart as M-mode sees it: its counters and their widths, the selectors that mhpmevent
 * keeps (WARL), the writable bits of mcountinhibit and mcounteren, Sscofpmf and Smcntrpmf if the
 * test wants them, the high halves on RV32.  It counts: fake_tick advances counters as a running
 * program does, with inhibit bits, mode filters and the overflows of Sscofpmf.  It is strict: an
 * access that would trap or lose an event on hardware ends the test program with a message.
 *
 * Implements: Priv 1.13 §3.1.10 to §3.1.12, Sscofpmf 1.0, Smcntrpmf 1.0, Smcdeleg 1.0.  It shares
 * only constants with the library.
 */
#ifndef FAKECSR_H
#define FAKECSR_H

#include "sbipmu.h"

#define FAKE_CTRS 32
#define FAKE_LOG  2048

/* S-mode's memory, for shared memory: FAKE_RAM_SIZE bytes at FAKE_RAM_BASE. */
#define FAKE_RAM_BASE 0x80200000u
#define FAKE_RAM_SIZE 0x8000u
#define FAKE_CANARY   0xa5

/* Firmware events of the host: codes 256..263 (keys 0..7) and platform data 0xb0..0xb7 (8..15) */
#define FAKE_FW_EVENTS	 16
#define FAKE_FW_PLATFORM 0xb0

/* The mode that fake_tick counts in. */
enum fake_mode { FAKE_M, FAKE_S, FAKE_U, FAKE_VS, FAKE_VU };

/* What mhpmevent of a counter keeps: bits of mask; if there is a list, only its selectors. */
struct fake_warl {
	uint64_t mask;
	const uint64_t *list; /* NULL: every value of mask */
	unsigned nr_list;
};

/* What the hart has; the test sets it before the library starts. */
struct fake_hw {
	uint32_t exists; /* counters whose CSRs can be accessed */
	uint32_t zero; /* those of them that are hard-wired to zero */
	uint8_t width[FAKE_CTRS];
	struct fake_warl warl[FAKE_CTRS];
	bool mcountinhibit; /* the CSR exists */
	uint32_t inhibit_mask; /* its writable bits */
	uint32_t counteren_mask;
	bool sscofpmf;
	bool smcntrpmf;
	bool smcdeleg; /* menvcfg.CDE is 1: S-mode configures counters that mcounteren opens */
	bool no_cfgh; /* RV32: Smcntrpmf's high halves are missing, so it is incomplete */
};

/* What the hart's registers hold. */
struct fake_regs {
	uint64_t value[FAKE_CTRS];
	uint64_t event[FAKE_CTRS]; /* mhpmevent as written; mcyclecfg, minstretcfg */
	uint32_t inhibit;
	uint32_t counteren;
	bool lcofip;
};

struct fake_access {
	unsigned num;
	bool write;
	rv_ulong value;
};

struct fake {
	struct fake_hw hw;
	struct fake_regs regs;

	/* After fake_live the library must not write a running counter, nor set OF, */
	bool live;
	bool may_set_of; /* except while a suspended hart's state is restored */

	struct fake_access log[FAKE_LOG];
	unsigned nr_log; /* since fake_log_clear */

	/* inject is called just before access number inject_at; 0: never. */
	unsigned inject_at;
	void (*inject)(struct fake *f);

	unsigned char ram[FAKE_RAM_SIZE];
	unsigned nr_shmem; /* how often the library has asked for memory */

	uint64_t fw_total[FAKE_FW_EVENTS];

	struct sbipmu_diag diag[128];
	unsigned nr_diags;
};

/* The operations; ctx is a struct fake. */
extern const struct sbipmu_ops fake_ops;

/* The same without shared memory, firmware events of the host and complaints. */
extern const struct sbipmu_ops fake_bare_ops;

/*
 * A hart with mcycle, minstret and the programmable counters 3 to 3 + programmable - 1, all
 * width bits wide, every register full of garbage as after reset.
 */
void fake_init(struct fake *f, unsigned programmable, unsigned width);

/* Fills every register with the garbage that a power cycle leaves. */
void fake_scramble(struct fake *f);

/* Call this when the library has initialised the hart: S-mode runs. */
void fake_live(struct fake *f);

/* Counter ctr sees n events in that mode, whatever its selector is. */
void fake_tick(struct fake *f, unsigned ctr, uint64_t n, enum fake_mode mode);

/* n events of that selector happen: every programmable counter that selects it may count. */
void fake_happen(struct fake *f, uint64_t selector, uint64_t n, enum fake_mode mode);

/* The value of mhpmevent of ctr. */
uint64_t fake_event(const struct fake *f, unsigned ctr);
uint32_t fake_scountovf(const struct fake *f);
bool fake_inhibited(const struct fake *f, unsigned ctr);

/* S-mode writes the event CSR of a delegated counter (sireg2): MINH stays as it is. */
void fake_delegated_event(struct fake *f, unsigned ctr, uint64_t event);

void fake_log_clear(struct fake *f);
/* Number of accesses in the log: to one CSR, to all. */
unsigned fake_reads(const struct fake *f, unsigned num);
unsigned fake_writes(const struct fake *f, unsigned num);
unsigned fake_all_writes(const struct fake *f);
/* The position in the log, from 1, of the n-th write of num; 0 if there is none. */
unsigned fake_write_place(const struct fake *f, unsigned num, unsigned n);

/* The physical address of an offset in ram. */
static inline rv_ulong fake_addr(unsigned offset)
{
	return FAKE_RAM_BASE + offset;
}
/* Is ram outside [from, to) unchanged? */
bool fake_ram_clean(const struct fake *f, unsigned from, unsigned to);

/* A little-endian word of ram. */
uint64_t fake_ram64(const struct fake *f, unsigned offset);
uint32_t fake_ram32(const struct fake *f, unsigned offset);
void fake_ram_set64(struct fake *f, unsigned offset, uint64_t value);
void fake_ram_set32(struct fake *f, unsigned offset, uint32_t value);

#endif
