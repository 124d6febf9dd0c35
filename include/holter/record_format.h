/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record_format.h - constants of the format of a recorded trace, for its writer
 * (sim/record/record.c) and its readers.  holter-trace(5) describes the format.
 */
#ifndef HOLTER_RECORD_FORMAT_H
#define HOLTER_RECORD_FORMAT_H

#define RECORD_MAGIC   "HOLTRACE"
#define RECORD_VERSION 1

/* Offsets in the header, and its size. */
enum {
	RECORD_AT_VERSION = 8,
	RECORD_AT_SIZE = 12,
	RECORD_AT_HARTS = 16,
	RECORD_AT_HZ = 24,
	RECORD_AT_SEED = 32,
	RECORD_AT_QUANTUM = 40,
	RECORD_AT_RAM = 48,
	RECORD_AT_RAM_SIZE = 56,
	RECORD_HEADER = 64
};

/* Types of records. */
enum record_type {
	RECORD_RESET = 1, /* pc, time, menvcfg */
	RECORD_TURN, /* time, end */
	RECORD_INSN, /* pc, pa, next pc, (pa of the last two bytes); more: the instruction */
	RECORD_WALK, /* va, page-table entry, pa of each read */
	RECORD_ACCESS, /* va, pa */
	RECORD_CSR, /* written, before, after; more: its number */
	RECORD_FENCE, /* va, asid */
	RECORD_EXCEPTION, /* pc, pc of the handler, tval; more: the cause */
	RECORD_INTERRUPT, /* the same */
	RECORD_WAKE, /* time */
	RECORD_END, /* number of records before it */
	RECORD_VECTOR, /* elements, active ones; more: vtype */
	RECORD_DIVISION, /* dividend, divisor */
};

#define RECORD_MODE 3 /* INSN, ACCESS, EXCEPTION, INTERRUPT: the mode, in the lowest bits */

/* Flags of INSN. */
#define RECORD_RETIRED	  0x04
#define RECORD_FETCHED	  0x08
#define RECORD_PAST_FIRST 0x10 /* its first two bytes are not cached; or the last two: */
#define RECORD_PAST_LAST  0x20
#define RECORD_TAKEN	  0x40

/* Flags of WALK; the lowest bits are the access. */
#define RECORD_WALK_ACCESS 3
enum { RECORD_WALK_FETCH, RECORD_WALK_LOAD, RECORD_WALK_STORE };
#define RECORD_FOUND 0x04 /* it does not fault */
#define RECORD_WROTE 0x08 /* A or D */

/* Flags of ACCESS. */
#define RECORD_PAGED	 0x04
#define RECORD_ALLOWED	 0x08
#define RECORD_REACHED	 0x10
#define RECORD_PAST	 0x20 /* it passes by the caches */
#define RECORD_CONTINUES 0x40
#define RECORD_SUCCEEDED 0x80 /* sc */

/* Byte 4 of ACCESS. */
enum record_kind {
	RECORD_LOAD,
	RECORD_STORE,
	RECORD_LR,
	RECORD_SC,
	RECORD_AMO,
	RECORD_CBO_INVAL,
	RECORD_CBO_CLEAN,
	RECORD_CBO_FLUSH,
	RECORD_CBO_ZERO,
	RECORD_TABLE, /* the entry that cm.jt or cm.jalt fetches, as code */
};

/* Byte 5 of ACCESS. */
#define RECORD_SUM 1
#define RECORD_MXR 2

/* Flags of FENCE. */
#define RECORD_FENCE_VA	  1
#define RECORD_FENCE_ASID 2

/* Flag of VECTOR: before its accesses. */
#define RECORD_BEGINS 1

/* Bits 2 and 3 of the flags of EXCEPTION and INTERRUPT are the mode after it. */
#define RECORD_TO_SHIFT 2

#endif
