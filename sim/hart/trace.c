// SPDX-License-Identifier: BSD-2-Clause
/*
 * trace.c - the log that -d turns on: one line for each thing that it names.  The same
 * machine writes the same lines each time.
 *
 *	HART TIME CATEGORY ...
 *
 * TIME is the hart's time in cycles.
 */
#include <inttypes.h>

#include "cluster.h"
#include "csr.h"
#include "hart.h"
#include "trace.h"

static bool on(const struct hart *h, unsigned category)
{
	return h->cl->trace & category;
}

static FILE *begin(const struct hart *h, const char *category)
{
	fprintf(h->cl->trace_to, "%u %" PRIu64 " %s ", h->id, hart_now(h), category);
	return h->cl->trace_to;
}

/* Has no TIME: inside a block, hart_now does not include the block's earlier instructions. */
void trace_insn(struct hart *h, uint64_t pc, const struct insn *i)
{
	char text[80];

	isa_disassemble(&h->cl->isa, i->raw, pc, text, sizeof(text));
	fprintf(h->cl->trace_to, "%u insn %c %016" PRIx64 " %08" PRIx32 " %s\n", h->id,
		"US?M"[h->mode], pc, i -> raw, text);
}

void trace_csr(struct hart *h, unsigned num, uint64_t old, uint64_t new)
{
	char name[ISA_CSR_NAME_SIZE];

	if (!on(h, TRACE_CSR))
		return;
	isa_csr_name(num, name);
	fprintf(begin(h, "csr"), "%03x %s %" PRIx64 " -> %" PRIx64 "\n", num, name, old, new);
}

void trace_trap(struct hart *h, bool interrupt, unsigned cause, uint64_t tval, unsigned to)
{
	if (on(h, TRACE_TRAP))
		fprintf(begin(h, "trap"), "%s %u %c -> %c pc %" PRIx64 " tval %" PRIx64 "\n",
			interrupt ? "interrupt" : "exception", cause, "US?M"[h->mode], "US?M"[to],
			h -> pc, tval);
}

void trace_return(struct hart *h, const char *what)
{
	if (on(h, TRACE_TRAP))
		fprintf(begin(h, "trap"), "%s from %" PRIx64 "\n", what, h->pc);
}

void trace_pmu(struct hart *h, unsigned ctr, uint64_t value)
{
	const struct counter *c = &h->pmu.ctr[ctr];

	unsigned e = event_set_next(&c->set, 0);
	const char *plus = "";

	fprintf(begin(h, "pmu"), "%u value %" PRIx64 " config %" PRIx64 " modes %x ", ctr, value,
		c->config, c->modes);
	if (e == EVENT_NONE)
		fputc('-', h->cl->trace_to);
	for (; e < EVENT_NR; e = event_set_next(&c->set, e + 1), plus = "+")
		fprintf(h->cl->trace_to, "%s%s", plus, event_table[e].name);
	fputc('\n', h->cl->trace_to);
}

void trace_walk(struct hart *h, uint64_t va, unsigned access, uint64_t pte, bool ok)
{
	static const char *const name[] = { "fetch", "load", "store" };

	if (on(h, TRACE_MMU))
		fprintf(begin(h, "mmu"), "%s %" PRIx64 " pte %" PRIx64 " %s\n", name[access], va,
			pte, ok ? "ok" : "fault");
}
