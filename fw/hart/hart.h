/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hart.h - the state of one hart, and the table of harts; usable from assembly, too.
 *
 * While a hart is in M-mode, tp points to its struct hart and mscratch is 0.  Below M-mode,
 * mscratch points to the struct.  The hart's stack ends where the struct begins, so that the trap
 * entry needs one pointer only.
 */
#ifndef FW_HART_H
#define FW_HART_H

#include <rv/csr.h>
#include <rv/trap.h>

#define HART_MAX       64
#define HART_SLOT_SIZE 8192

/* Offsets for trap.S; trap.c checks them. */
#if __riscv_xlen == 32
#define HART_XB 4
#else
#define HART_XB 8
#endif
#define HART_X(n)     ((n)*HART_XB)
#define HART_MEPC     (32 * HART_XB)
#define HART_MSTATUS  (33 * HART_XB)
#define HART_MSTATUSH (34 * HART_XB)
#define HART_NR_CALLS (36 * HART_XB)

/* struct trap_info */
#define INFO_CAUSE (0 * HART_XB)
#define INFO_TVAL  (1 * HART_XB)

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sbipmu.h>

/* A trap's registers, as mcause and its companions give them. */
struct trap_info {
	rv_ulong cause;
	rv_ulong tval;
	rv_ulong tval2; /* mtval2, mtinst: 0 without the H extension */
	rv_ulong tinst;
	bool gva; /* tval is a guest virtual address */
};

/*
 * A fence that one hart asks others to execute (ext_rfence.c, rfence.c).  It does not change until
 * all of them have executed it.
 */
struct rfence {
	unsigned fid;
	rv_ulong start, size;
	rv_ulong id; /* ASID or VMID */
	rv_ulong vmid; /* the sender's, for HFENCE.VVMA */
	rv_ulong todo; /* how many harts have not executed it; atomic */
};

/* Reasons for a machine software interrupt: bits of hart.ipi. */
#define IPI_SOFT   1 /* S-mode's software interrupt */
#define IPI_RFENCE 2 /* hart.rfence_from is not empty */

/* What the device tree says about a hart. */
struct hart_dt {
	uint32_t intc; /* phandle of its interrupt controller */
	bool svadu, svade; /* in its ISA string */
	volatile uint32_t *msip; /* its MSWI register; NULL: none */
	volatile void *mtimecmp; /* NULL: none */
	volatile void *mtime; /* NULL: none */
};

#define HART_WORDS (HART_MAX / RV_XLEN)

struct hart {
	/* Saved by trap.S; x[0] is not used. */
	rv_ulong x[32];
	rv_ulong mepc, mstatus, mstatush, unused;
	uint64_t nr_calls;

	/* With nr_calls: the implementation-specific firmware events (ext_pmu.c). */
	uint64_t nr_redirects;
	uint64_t nr_emulated;

	struct sbipmu_hart pmu;

	rv_ulong id; /* mhartid */
	unsigned index; /* in the hart table */
	struct hart_dt dt;

	/* HSM (ext_hsm.c): state is an SBI_HSM_STATE_, atomic. */
	rv_ulong state;
	rv_ulong start_go; /* 1: start_addr and start_arg are valid; atomic */
	rv_ulong start_addr, start_arg;
	rv_ulong present; /* 1: it has reached the firmware and can be started; atomic */
	rv_ulong unfit; /* 1: it has reached the firmware and has no S-mode; atomic */

	/* Other harts set bits here, then raise this hart's software interrupt (MSWI). */
	rv_ulong ipi;
	rv_ulong rfence_from[HART_WORDS];
	struct rfence rfence;

	/* Probed on the hart. */
	bool has_h, has_sstc, has_time, has_menvcfg, has_pmp;
	bool has_fsdsp; /* C with D; otherwise these encodings may be those of Zcmp and Zcmt */
	bool ran; /* has entered S-mode since reset */
	bool fatal; /* the firmware has trapped on it */
	uint64_t pmp_open; /* bit n: PMP does not protect platform.closed[n] */
	rv_ulong fwft_locked; /* bit n: FWFT feature n is locked */
} __attribute__((aligned(16))); /* the stack begins here */

/* One hart and its stack.  trap.S needs struct hart at the end. */
union hart_slot {
	struct {
		unsigned char stack[HART_SLOT_SIZE - sizeof(struct hart)];
		struct hart h;
	};
	unsigned char size[HART_SLOT_SIZE];
};

/* ---- the hart table; boot_cold() completes it before the other harts may read it ---- */

extern union hart_slot hart_slot[HART_MAX];
/* mhartid of each entry; start.S searches it. */
extern rv_ulong hart_ids[HART_MAX];
/* How many entries there are. */
extern unsigned hart_nr;

static inline struct hart *hart_at(unsigned index)
{
	return &hart_slot[index].h;
}

/* The hart with that mhartid, or NULL. */
struct hart *hart_find(rv_ulong id);

/*
 * Decodes a hart mask of an SBI call (SBI 3.0 §3.1): harts[] gets a bit for each index in the
 * table.  False if one of the harts does not exist.
 */
bool hart_mask(rv_ulong mask, rv_ulong base, rv_ulong harts[HART_WORDS]);

/* True if the hart is in S-mode, or will return to it without HSM's hart_start. */
bool hart_is_running(const struct hart *h);
#endif

#endif
