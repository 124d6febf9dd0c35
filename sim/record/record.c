// SPDX-License-Identifier: BSD-2-Clause
/*
 * record.c - writes the recorded trace (record.h).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "cluster.h"
#include "hart.h"
#include "record.h"
#include "record_format.h"
#include "vec.h"
#include "vector.h"

#define FIELDS 8 /* at most; a page walk reads up to four entries */

/* A record without its hart. */
struct line {
	uint8_t type, flags, fields;
	uint32_t more;
	uint64_t field[FIELDS];
};

/* What is known about the two halves of the instruction that is being fetched. */
struct fetch {
	bool seen[2]; /* it has been translated now; otherwise it is in the line fetched last */
	bool past[2]; /* its page is not cached */
	uint64_t pa[2]; /* 0: the translation has faulted */
};

struct record {
	struct cluster *cl;
	FILE *to;
	int error; /* errno of the first write that failed, or 0 */
	uint64_t nr; /* records written */

	/* The turn that has begun.  It is written when its hart does something. */
	struct line turn;
	bool announced;

	/* The current instruction */
	struct fetch fetch;
	struct line insn;
	bool begun; /* it has been fetched and is being executed */
	uint16_t op;
	uint8_t rd;
	struct line walk; /* the page walk of the current translation; type 0: none */
	VEC(struct line) parts; /* the records that follow insn */

	/* By hart: of the last translation of code */
	struct {
		bool past;
		uint64_t bias; /* physical minus virtual address */
	} code[HARTS_MAX];
};

static struct record *record_of(const struct hart *h)
{
	return h->cl->recorded;
}

static void fails(struct record *r, int error)
{
	if (!r->error)
		r->error = error;
}

static void put_bytes(struct record *r, const void *data, size_t len)
{
	errno = 0;
	if (!r->error && fwrite(data, 1, len, r->to) != len)
		fails(r, errno ? errno : EIO);
}

static void put_line(struct record *r, unsigned hart, const struct line *l)
{
	uint8_t out[8 + 8 * FIELDS] = { l->type, hart, 1 + l->fields, l->flags };

	put_le32(out + 4, l->more);
	for (unsigned n = 0; n < l->fields; n++)
		put_le64(out + 8 + 8 * n, l->field[n]);
	put_bytes(r, out, 8 + 8 * l->fields);
	r->nr++;
}

/* Writes a record of h, and before it that of its turn. */
static void put(const struct hart *h, const struct line *l)
{
	struct record *r = record_of(h);

	if (!r->announced)
		put_line(r, h->id, &r->turn);
	r->announced = true;
	put_line(r, h->id, l);
}

/* The record belongs to the current instruction. */
static void keep(struct record *r, struct line l)
{
	if (!VEC_PUSH(&r->parts, l))
		fails(r, ENOMEM);
}

/* Writes the current instruction and what belongs to it. */
static void put_insn(const struct hart *h)
{
	struct record *r = record_of(h);

	put(h, &r->insn);
	for (size_t n = 0; n < r->parts.nr; n++)
		put(h, &r->parts.at[n]);
	r->parts.nr = 0;
	r->fetch = (struct fetch){ 0 };
	r->begun = false;
}

/* Turns */

static void turns(struct hart *h, uint64_t end)
{
	struct record *r = record_of(h);

	r->turn = (struct line){ RECORD_TURN, .fields = 2, .field = { h->now, end } };
	r->announced = false;
}

static void wakes(struct hart *h)
{
	put(h, &(struct line){ RECORD_WAKE, .fields = 1, .field = { h->now } });
}

/* Instructions */

/* Whether an instruction at pc has its last two bytes in the next page. */
static bool crosses(uint64_t pc)
{
	return !(~pc & ~PAGE_MASK & ~1ull);
}

/* Begins the record of an instruction at pc.  both: it has the field of its last two bytes. */
static void start_insn(const struct hart *h, uint64_t pc, unsigned mode, bool both)
{
	struct record *r = record_of(h);
	struct fetch *f = &r->fetch;
	bool past = f->seen[0] ? f->past[0] : r->code[h->id].past;
	bool last = f->seen[1] ? f->past[1] : past;

	r->insn = (struct line){
		.type = RECORD_INSN,
		.flags = mode | (past ? RECORD_PAST_FIRST : 0) | (last ? RECORD_PAST_LAST : 0),
		.fields = both ? 4 : 3,
		.field = { pc, f->seen[0] ? f->pa[0] : pc + r->code[h->id].bias },
	};
	r->insn.field[3] = f->seen[1] ? f->pa[1] : r->insn.field[1] + 2;
}

static void begins(struct hart *h, const struct block *b)
{
	struct record *r = record_of(h);
	const struct insn *i = b->insn;

	start_insn(h, h->pc, h->mode, i[1].at == 4 && crosses(h->pc));
	r->insn.flags |= RECORD_FETCHED;
	r->insn.more = i->raw;
	r->insn.field[1] = b->pa;
	r->op = i->op;
	r->rd = i->rd;
	r->begun = true;
}

static void branched(struct hart *h, bool taken)
{
	if (taken)
		record_of(h)->insn.flags |= RECORD_TAKEN;
}

/* sc has written its result by now. */
static void note_success(const struct hart *h)
{
	struct record *r = record_of(h);

	for (size_t n = 0; n < r->parts.nr; n++) {
		if (r->parts.at[n].type == RECORD_ACCESS && !h->x[r->rd])
			r->parts.at[n].flags |= RECORD_SUCCEEDED;
	}
}

static void ends(struct hart *h)
{
	struct record *r = record_of(h);

	if (!r->begun)
		return;
	if (r->op == ISA_sc_w || r->op == ISA_sc_d)
		note_success(h);
	r->insn.flags |= RECORD_RETIRED;
	r->insn.field[2] = h->pc;
	put_insn(h);
}

static void traps(struct hart *h, const struct trap_entry *t)
{
	struct record *r = record_of(h);

	if (!t->interrupt) {
		if (!r->begun)
			start_insn(h, t->pc, t->mode, t->tval == t->pc + 2);
		put_insn(h);
	}
	put(h, &(struct line){ .type = t->interrupt ? RECORD_INTERRUPT : RECORD_EXCEPTION,
			       .flags = t->mode | h->mode << RECORD_TO_SHIFT,
			       .more = t->cause,
			       .fields = 3,
			       .field = { t->pc, h->pc, t->tval } });
}

static void csr_written(struct hart *h, unsigned num, uint64_t written, uint64_t before,
			uint64_t after)
{
	keep(record_of(h), (struct line){ RECORD_CSR, .more = num, .fields = 3,
					  .field = { written, before, after } });
}

static void fenced(struct hart *h, const uint64_t *va, const uint64_t *asid)
{
	keep(record_of(h),
	     (struct line){ RECORD_FENCE,
			    .flags = (va ? RECORD_FENCE_VA : 0) | (asid ? RECORD_FENCE_ASID : 0),
			    .fields = 2, .field = { va ? *va : 0, asid ? *asid : 0 } });
}

/* Translation and accesses */

static void walk_reads(struct hart *h, uint64_t pa, uint64_t pte)
{
	struct line *w = &record_of(h)->walk;

	w->field[1] = pte;
	w->field[2 + w->fields++] = pa;
}

_Static_assert((int)ACCESS_LOAD == RECORD_WALK_LOAD && (int)ACCESS_STORE == RECORD_WALK_STORE,
	       "the order of enum access");

static void walked(struct hart *h, uint64_t va, enum access access, const struct tlb_entry *leaf)
{
	struct line *w = &record_of(h)->walk;

	w->type = RECORD_WALK;
	w->flags = access;
	w->more = (uint32_t)(uint16_t)(h->satp >> 44) << 16;
	w->fields += 2;
	w->field[0] = va;
	if (!leaf)
		return;
	w->flags |= RECORD_FOUND | (leaf->pte != w->field[1] ? RECORD_WROTE : 0);
	w->more |= tlb_shift(leaf->leaf);
}

static enum record_kind kind_of(const struct insn *i, enum access access)
{
	switch (i->op) {
	case ISA_lr_w:
	case ISA_lr_d:
		return RECORD_LR;
	case ISA_sc_w:
	case ISA_sc_d:
		return RECORD_SC;
	case ISA_cbo_inval:
		return RECORD_CBO_INVAL;
	case ISA_cbo_clean:
		return RECORD_CBO_CLEAN;
	case ISA_cbo_flush:
		return RECORD_CBO_FLUSH;
	case ISA_cbo_zero:
		return RECORD_CBO_ZERO;
	default:
		if (i->op < ISA_NR && (isa_table[i->op].class == ISA_CLASS_AMO ||
				       isa_table[i->op].class == ISA_CLASS_VAMO))
			return RECORD_AMO;
		return access == ACCESS_STORE  ? RECORD_STORE
		       : access == ACCESS_LOAD ? RECORD_LOAD
					       : RECORD_TABLE;
	}
}

static void fetch_translated(struct hart *h, uint64_t va, const uint64_t *pa)
{
	struct record *r = record_of(h);
	unsigned half = va != h->pc;

	r->fetch.seen[half] = true;
	r->fetch.past[half] = pa && h->past_caches;
	r->fetch.pa[half] = pa ? *pa : 0;
	if (pa) {
		r->code[h->id].past = h->past_caches;
		r->code[h->id].bias = *pa - va;
	}
}

/* All parts of an access are translated before the first of them reaches the memory. */
static bool continues(const struct record *r, uint64_t va)
{
	for (size_t n = r->parts.nr; n--;) {
		const struct line *l = &r->parts.at[n];

		if (l->type == RECORD_ACCESS)
			return (l->flags & RECORD_ALLOWED) && !(l->flags & RECORD_REACHED) &&
			       l->field[0] + (l->more >> 16) == va;
	}
	return false;
}

/* Whether the address of such an access is translated. */
static bool paged(const struct hart *h, enum access access)
{
	if (access == ACCESS_FETCH)
		return h->mode != PRV_M && h->satp >> 60;
	return h->translated;
}

static void data_translated(struct hart *h, uint64_t va, unsigned bytes, enum access access,
			    unsigned mode, const uint64_t *pa)
{
	struct record *r = record_of(h);
	uint32_t rights = (h->mstatus & MSTATUS_SUM ? RECORD_SUM : 0) |
			  (h->mstatus & MSTATUS_MXR ? RECORD_MXR : 0);

	keep(r, (struct line){ RECORD_ACCESS,
			       .flags = mode | (paged(h, access) ? RECORD_PAGED : 0) |
					(pa ? RECORD_ALLOWED : 0) |
					(pa && h->past_caches ? RECORD_PAST : 0) |
					(continues(r, va) ? RECORD_CONTINUES : 0),
			       .more = kind_of(h->at, access) | rights << 8 | bytes << 16,
			       .fields = 2, .field = { va, pa ? *pa : 0 } });
}

static void translated(struct hart *h, uint64_t va, unsigned bytes, enum access access,
		       unsigned mode, const uint64_t *pa)
{
	struct record *r = record_of(h);

	if (access == ACCESS_FETCH && !h->run)
		fetch_translated(h, va, pa);
	else
		data_translated(h, va, bytes, access, mode, pa);
	if (r->walk.type)
		keep(r, r->walk);
	r->walk = (struct line){ 0 };
}

static void reached(struct hart *h, uint64_t pa, bool past)
{
	struct record *r = record_of(h);

	/* Backwards: at pa may also be an access of vectors that was not possible as a whole. */
	for (size_t n = r->parts.nr; n--;) {
		struct line *l = &r->parts.at[n];

		if (l->type != RECORD_ACCESS || l->field[1] != pa || l->flags & RECORD_REACHED)
			continue;
		l->flags |= RECORD_REACHED | (past ? RECORD_PAST : 0);
		return;
	}
}

static void vectored(struct hart *h, bool begins, unsigned nr, unsigned used)
{
	keep(record_of(h), (struct line){ RECORD_VECTOR, .flags = begins ? RECORD_BEGINS : 0,
					  .more = (uint32_t)h->vector->vtype & VECTOR_VTYPE_BITS,
					  .fields = 2, .field = { nr, used } });
}

static void divides(struct hart *h, uint64_t dividend, uint64_t divisor)
{
	keep(record_of(h),
	     (struct line){ RECORD_DIVISION, .fields = 2, .field = { dividend, divisor } });
}

/* Start and end */

static const struct recorder recorder = {
	.turns = turns,
	.wakes = wakes,
	.begins = begins,
	.branched = branched,
	.ends = ends,
	.traps = traps,
	.csr_written = csr_written,
	.fenced = fenced,
	.walk_reads = walk_reads,
	.walked = walked,
	.translated = translated,
	.reached = reached,
	.vectored = vectored,
	.divides = divides,
};

static void put_header(struct record *r, const struct record_about *about)
{
	uint8_t header[RECORD_HEADER] = RECORD_MAGIC;

	put_le32(header + RECORD_AT_VERSION, RECORD_VERSION);
	put_le32(header + RECORD_AT_SIZE, RECORD_HEADER);
	put_le32(header + RECORD_AT_HARTS, r->cl->harts);
	put_le64(header + RECORD_AT_HZ, about->hz);
	put_le64(header + RECORD_AT_SEED, about->seed);
	put_le64(header + RECORD_AT_QUANTUM, about->quantum);
	put_le64(header + RECORD_AT_RAM, RAM_BASE);
	put_le64(header + RECORD_AT_RAM_SIZE, r->cl->ram_size);
	put_bytes(r, header, sizeof(header));
}

struct record *record_start(struct cluster *cl, const struct record_about *about, FILE *to)
{
	struct record *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->cl = cl;
	r->to = to;
	r->announced = true; /* there is no turn yet */
	put_header(r, about);
	cl->recorder = &recorder;
	cl->recorded = r;
	for (unsigned n = 0; n < cl->harts; n++) {
		struct hart *h = cl->hart[n];

		put_line(r, n,
			 &(struct line){ RECORD_RESET, .fields = 3,
					 .field = { h->pc, h->now, h->menvcfg } });
		pmu_translation_changed(h);
	}
	return r;
}

bool record_end(struct record *r)
{
	int error;

	put_line(r, 0, &(struct line){ RECORD_END, .fields = 1, .field = { r->nr } });
	if (fflush(r->to))
		fails(r, errno);
	error = r->error;
	r->cl->recorder = NULL;
	r->cl->recorded = NULL;
	for (unsigned n = 0; n < r->cl->harts; n++)
		pmu_translation_changed(r->cl->hart[n]);
	free(r->parts.at);
	free(r);
	errno = error;
	return !error;
}
