/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.h - the records of a trace, one after the other, through the models.
 */
#ifndef SECOND_RUN_H
#define SECOND_RUN_H

#include "machine.h"
#include "trace_read.h"

/* An instruction with the records that belong to it. */
struct step {
	struct trace_record insn;
	struct trace_record *more;
	unsigned n, room;
	uint64_t nr; /* of the record of the instruction */
	/* Of a vector instruction that is legal: */
	struct vector_insn vector;
	uint64_t elements; /* when it begins */
	struct parts parts; /* of one of Zcmp */
};

void machine_init(struct machine *m, const struct trace_header *header);
void machine_free(struct machine *m);

/* ONE INSTRUCTION of holter-model(7), but for interrupts. */
void run_insn(struct machine *m, struct step *s);
/* A record between instructions: RESET, TURN, INTERRUPT, WAKE. */
void run_between(struct machine *m, const struct trace_record *r, uint64_t nr);

/* Of an instruction: its EXCEPTION record or NULL; its fetch; its accesses (rd: its register). */
const struct trace_record *run_exception(const struct step *s);
void run_fetch(struct machine *m, struct hart *h, const struct step *s);
void run_accesses(struct machine *m, struct hart *h, const struct step *s, unsigned rd);

/* The translation of va by a TLB of a hart, rule T3.  True: it is permitted. */
struct asked {
	uint64_t va;
	struct tlb_rights rights;
	const struct trace_record *walk; /* what the trace says of its walk; NULL: there was none */
	uint64_t nr; /* of the record, for a complaint */
};
bool translate(struct machine *m, struct hart *h, const struct asked *a);
bool is_canonical(uint64_t satp, uint64_t va);

/* The trace says what cannot be by the rules. */
__attribute__((format(printf, 3, 4))) void complain(struct machine *m, uint64_t nr,
						    const char *format, ...);

#endif
