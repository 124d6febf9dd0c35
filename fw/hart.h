/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hart.h - what the firmware knows of one hart; usable from assembly, too.
 *
 * While a hart is in M-mode, tp points to its struct hart and mscratch is 0; below M-mode,
 * mscratch points to it.  The hart's stack lies directly below the struct and grows down, so
 * that entering the firmware needs no second pointer.
 */
#ifndef FW_HART_H
#define FW_HART_H

#include <rv/csr.h>
#include <rv/trap.h>

#define HART_MAX       64
#define HART_SLOT_SIZE 8192

/* Offsets for trap.S, checked in trap.c. */
#if __riscv_xlen == 32
#define HART_XB	    4
#define ECALL_SCALE 2 /* log2 of a pointer */
#else
#define HART_XB	    8
#define ECALL_SCALE 3
#endif
#define HART_X(n)     ((n)*HART_XB)
#define HART_MEPC     (32 * HART_XB)
#define HART_MSTATUS  (33 * HART_XB)
#define HART_MSTATUSH (34 * HART_XB)
#define HART_NR_CALLS (36 * HART_XB)

/* struct trap_info */
#define INFO_CAUSE (0 * HART_XB)
#define INFO_TVAL  (1 * HART_XB)

/* struct sbi_ext */
#define EXT_EID	   (0 * HART_XB)
#define EXT_HANDLE (1 * HART_XB)

/*
 * The place of an extension in ecall_table: distinct for every extension on RV64 and RV32
 * (a collision fails to compile).  trap.S computes the same.
 */
#define ECALL_SLOTS	32
#define ECALL_HASH	11
#define ECALL_SLOT(eid) ((((eid) ^ ((eid) >> ECALL_HASH)) >> ECALL_SCALE) % ECALL_SLOTS)

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

/* What one hart asks of others (rfence.c).  Stable until every one of them has done it. */
struct rfence {
	unsigned fid;
	rv_ulong start, size;
	rv_ulong id; /* ASID or VMID */
	rv_ulong vmid; /* of the sender, for the HFENCE.VVMA family */
	rv_ulong todo; /* harts that have not done it yet; atomic */
};

/* Reasons for a machine software interrupt: bits of hart.ipi. */
#define IPI_SOFT   1 /* S-mode's software interrupt */
#define IPI_RFENCE 2 /* hart.rfence_from is not empty */

/* What the device tree says of a hart. */
struct hart_dt {
	uint32_t intc; /* phandle of its interrupt controller */
	bool svadu, svade; /* in its ISA string */
	volatile uint32_t *msip; /* its MSWI register, or NULL */
	volatile void *mtimecmp; /* or NULL */
	volatile void *mtime; /* or NULL */
};

#define HART_WORDS (HART_MAX / RV_XLEN)

struct hart {
	/* What trap.S saves; x[0] is not used. */
	rv_ulong x[32];
	rv_ulong mepc, mstatus, mstatush, unused;
	uint64_t nr_calls;

	/* The two other implementation-specific firmware events (ext_pmu.c). */
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
	rv_ulong present; /* has arrived in the firmware and can be started; atomic */
	rv_ulong unfit; /* has arrived and has no S-mode; atomic */

	/* Others set bits here, then ring MSWI. */
	rv_ulong ipi;
	rv_ulong rfence_from[HART_WORDS];
	struct rfence rfence;

	/* Found on the hart itself. */
	bool has_h, has_sstc, has_time, has_menvcfg, has_pmp;
	bool ran; /* has entered S-mode since reset */
	bool fatal; /* the firmware has trapped on it */
	uint64_t pmp_open; /* a bit for each of platform.closed that PMP does not close */
	rv_ulong fwft_locked; /* a bit for each feature */
} __attribute__((aligned(16))); /* the stack begins here */
#endif

#endif
