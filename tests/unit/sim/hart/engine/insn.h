/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * insn.h - what the files of test_insn share: one machine, one instruction at a time, and the
 * record of the rows of lib/isa/insn.def that have been executed.
 *
 * Every expected value is computed by hand from the manual (Unpriv 20240411, Priv 1.13); the
 * comment of a table names the chapter.
 */
#ifndef TEST_INSN_H
#define TEST_INSN_H

#include "rig.h"

#define M1    0xffffffffffffffffull
#define MIN64 0x8000000000000000ull
#define MAX64 0x7fffffffffffffffull
#define MIN32 0xffffffff80000000ull

#define HANDLER (RAM_BASE + 0x2000) /* M-mode's traps go here, and the program ends */
#define CODE	(RAM_BASE + 0x1000) /* the instruction under test */
#define NO_TRAP UINT64_MAX

/* The rows that a test has executed. */
extern bool insn_seen[ISA_NR];

/* id with its operands; imm as in assembly, for U formats the value of the whole register. */
uint32_t insn_encode(enum isa_insn id, unsigned rd, unsigned rs1, unsigned rs2, int64_t imm);

/* A machine whose lower modes may access all memory; traps go to HANDLER. */
struct machine *insn_machine(void);

/*
 * Executes one instruction at CODE in a mode, with the given mstatus except for MPP.  It ends at
 * the handler; returns the cause of its trap, or NO_TRAP.
 */
uint64_t insn_execute(struct machine *m, uint32_t insn, unsigned mode);

/*
 * want = a op b; b is the immediate if the format has one, and ignored if there is none.  The upper
 * half of id is the number of a byte or of an operation, if an instruction has one beside its
 * registers.
 */
struct insn_int_row {
	uint32_t id;
	uint64_t a, b, want;
};

#define NUMBER(n) ((n) << 16)

/* Checks each row: results in another register, over the operands, in x0. */
void insn_int_rows(const struct insn_int_row *rows, unsigned nr);

/* The parts; each checks its tables. */
void insn_int_tests(void);
void insn_crypto_tests(void);
void insn_jump_tests(void);
void insn_mem_tests(void);
void insn_amo_tests(void);
void insn_cas_tests(void);
void insn_ordered_tests(void);
void insn_reservation_tests(void);
void insn_fp_tests(void);
void insn_half_tests(void);
void insn_fp_off_tests(void);
void insn_fp_rm_tests(void);
void insn_csr_tests(void);
void insn_privilege_tests(void);
void insn_hint_tests(void);
void insn_wait_tests(void);
void insn_seed_tests(void);
void insn_thead_tests(void);
void insn_zcm_tests(void);
void insn_rvc_tests(void);
void insn_rvc_all_tests(void);

#endif
