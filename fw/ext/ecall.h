/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ecall.h - struct sbi_ext and the table of extensions; usable from assembly, too.
 */
#ifndef FW_ECALL_H
#define FW_ECALL_H

#include "hart.h"

/* Offsets in struct sbi_ext for trap.S; trap.c checks them. */
#define EXT_EID	   (0 * HART_XB)
#define EXT_HANDLE (1 * HART_XB)

#if __riscv_xlen == 32
#define ECALL_SCALE 2 /* log2 of a pointer */
#else
#define ECALL_SCALE 3
#endif

/*
 * The slot of an extension in ecall_table.  trap.S computes the same.  Two extensions with the same
 * slot, on RV64 or RV32, do not compile.
 */
#define ECALL_SLOTS	32
#define ECALL_HASH	11
#define ECALL_SLOT(eid) ((((eid) ^ ((eid) >> ECALL_HASH)) >> ECALL_SCALE) % ECALL_SLOTS)

#ifndef __ASSEMBLER__
#include <rv/sbi.h>

/*
 * One SBI extension.  handle gets a0 to a5, fid (a6) and, in the register of a7, the hart.  It runs
 * on the calling hart with interrupts off.
 * probe: returns the value of probe_extension; NULL: the value is 1.
 */
struct sbi_ext {
	rv_ulong eid;
	struct sbiret (*handle)(rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3, rv_ulong a4,
				rv_ulong a5, rv_ulong fid, struct hart *h);
	rv_ulong (*probe)(const struct hart *h);
	const char *name;
};

extern const struct sbi_ext *const ecall_table[ECALL_SLOTS];

/* The extension with that id; NULL if there is none. */
const struct sbi_ext *ecall_find(rv_ulong eid);
/* Handles every call whose id is not in the table: legacy calls and unknown ones. */
struct sbiret ecall_other(rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3, rv_ulong a4,
			  rv_ulong a5, rv_ulong fid, struct hart *h);
#endif

#endif
