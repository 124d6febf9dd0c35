// SPDX-License-Identifier: BSD-2-Clause
/*
 * native.c - copies stencils into a region of code, and links what is there (native.h).
 *
 *	the region	| C calls | routines | hot code --> ...		 <-- cold code |
 *	a run, hot	| insn 0 | insn 1 | ... | the end: branch | way 1 | way 0 |
 *	way 1, way 0	branch taken, not taken: the link to the successor (STENCIL_link), or
 *			STENCIL_unlinked
 *
 * Code that counts (native_counts) has STENCIL_begin in front of a run, and STENCIL_count in front
 * of each link.
 *
 * Consecutive simple vector instructions (native_vector.h) are there twice: STENCIL_vectors chooses
 * between code of the host's vectors, which follows it, and their stencils, in the cold code.
 *
 * native_copy.c copies a stencil, and lets it use pinned registers.
 *
 * When a successor gets code, native_link writes the end again, at the same address: each way has
 * the room of the largest stencils.  The region is mapped twice, so that no page is both writable
 * and executable: native.rw is where this file writes, native.rx where the code runs.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "block.h"
#include "bpred.h"
#include "decode.h"
#include "fp.h"
#include "hart.h"
#include "listener.h"
#include "native.h"
#include "native_copy.h"
#include "native_host.h"
#include "native_vector.h"
#include "tally.h"
#include "vector.h"

/* The most bytes that a run can need. */
#define ROOM_MAX (64u << 10)

/* Routines begin with a cache line of the host. */
#define ROUTINE_ALIGN 64

static bool map_region(struct native *n, size_t bytes)
{
	int fd = memfd_create("holter", MFD_CLOEXEC);

	n->size = bytes;
	n->rw = n->rx = MAP_FAILED;
	if (fd >= 0 && !ftruncate(fd, bytes)) {
		n->rw = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		n->rx = mmap(NULL, bytes, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	}
	if (fd >= 0)
		close(fd);
	return n->rw != MAP_FAILED && n->rx != MAP_FAILED;
}

/* Lets branches call the routines for this predictor. */
static void choose_routines(struct native *n, const struct bpred_config *predictor)
{
	const uint16_t *named = n->s->named;
	enum native_routine taken = ROUTINE_taken;

	if (predictor->direction == BPRED_BIMODAL || predictor->direction == BPRED_GSHARE)
		taken = ROUTINE_simple_taken;
	else if (predictor->direction == BPRED_BIMODE)
		taken = ROUTINE_bimode_taken;
	else if (predictor->direction == BPRED_TAGE && predictor->tage.tables <= TAGE_FEW)
		taken = ROUTINE_tagged_taken;
	n->routine[named[ROUTINE_taken] - 1] = n->routine[named[taken] - 1];
	n->routine[named[ROUTINE_passed] - 1] = n->routine[named[taken + 1] - 1];
}

static size_t aligned(size_t bytes)
{
	return (bytes + ROUTINE_ALIGN - 1) & ~(size_t)(ROUTINE_ALIGN - 1);
}

static size_t routine_bytes(const struct native_code *c)
{
	return aligned(c->hot + c->cold);
}

static bool copy_routines(struct native *n, const struct bpred_config *predictor)
{
	const struct native_stencils *s = n->s;
	size_t at = aligned(s->calls * NATIVE_FAR_BYTES), hot = at;
	bool ok = true;

	for (unsigned i = 0; i < s->calls; i++) {
		uint8_t *p = n->rw + i * NATIVE_FAR_BYTES;

		if (s->call[i].knows_none)
			native_far_jump(p, s->call[i].to);
		else
			native_far_call(p, s->call[i].to, offsetof(struct hart, countdown),
					offsetof(struct hart, x));
	}
	for (unsigned i = 0; i < s->routines; i++) {
		n->routine[i] = at;
		at += routine_bytes(&s->routine[i]);
	}
	n->fixed = at;
	if (at + ROOM_MAX > n->size)
		return false;
	if (predictor)
		choose_routines(n, predictor);
	for (unsigned i = 0; i < s->routines; i++) {
		ok &= native_copy(n, &(struct place){ .code = &s->routine[i],
						      .hot = hot,
						      .cold = hot + s->routine[i].hot });
		hot += routine_bytes(&s->routine[i]);
	}
	native_wrote(n->rx, n->fixed);
	return ok;
}

static void size_ways(struct native *n)
{
	static const unsigned all[] = { STENCIL_unlinked, STENCIL_link, STENCIL_link_self,
					STENCIL_link_lines, STENCIL_link_told };

	n->way_hot = n->way_cold = 0;
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		const struct native_code *c = &n->s->code[all[i]];

		n->way_hot = c->hot > n->way_hot ? c->hot : n->way_hot;
		n->way_cold = c->cold > n->way_cold ? c->cold : n->way_cold;
	}
	for (unsigned i = STENCIL_count; n->counts && i <= STENCIL_jumped; i++) {
		n->way_hot += n->s->code[i].hot;
		n->way_cold += n->s->code[i].cold;
	}
}

bool native_create(struct native **to, const struct native_stencils *s, size_t bytes,
		   const struct bpred_config *predictor)
{
	struct native *n;

	*to = NULL;
	if (!native_host || !s->routines)
		return true;
	n = calloc(1, sizeof(*n) + s->routines * sizeof(n->routine[0]));
	if (!n)
		return false;
	n->s = s;
	n->timed = predictor;
	if (!map_region(n, bytes) || !copy_routines(n, predictor)) {
		native_destroy(n);
		return true;
	}
	*(const void **)&n->enter = n->rx + n->routine[s->named[ROUTINE_enter] - 1];
	native_flush(n);
	*to = n;
	return true;
}

void native_destroy(struct native *n)
{
	if (!n)
		return;
	if (n->rw && n->rw != MAP_FAILED)
		munmap(n->rw, n->size);
	if (n->rx && n->rx != MAP_FAILED)
		munmap(n->rx, n->size);
	free(n);
}

bool native_full(const struct native *n)
{
	return n->full;
}

void native_flush(struct native *n)
{
	n->full = false;
	n->hot = n->fixed;
	n->cold = n->size;
	n->counts = n->wanted;
	size_ways(n);
}

/* What code must count for a listener; NULL: for the hart alone. */
static enum counts counts_for(const struct listener *listener)
{
	return !listener ? COUNTS_RUNS : listener->runs ? COUNTS_ALL : COUNTS_JUMPS;
}

void native_counts(struct native *n, const struct listener *listener)
{
	enum counts wanted = counts_for(listener);

	if (wanted < n->wanted ||
	    (wanted == n->wanted && (!listener || listener->targets == n->targets)))
		return;
	n->wanted = wanted;
	n->targets = listener ? listener->targets : NULL;
	if (n->hot == n->fixed)
		native_flush(n);
	else
		n->full = true;
}

/* Whether the operands of i are those of this variant. */
static bool fits(const struct insn *i, enum native_variant variant)
{
	switch (variant) {
	case NATIVE_SINK:
		return i->rd == REG_SINK;
	case NATIVE_SAME:
		return i->rd == i->rs1;
	case NATIVE_ZERO1:
		return !i->rs1;
	case NATIVE_ZERO2:
		return !i->rs2;
	default:
		return i->imm == FP_DYNAMIC;
	}
}

/* The stencil of i: the first variant that there is for its operands, or the general one. */
static const struct native_code *stencil(const struct native *n, const struct insn *i)
{
	const struct native_code *c;

	if (i->op >= ENGINE_OP_NR)
		return NULL;
	for (enum native_variant v = 0; v < NATIVE_VARIANTS; v++) {
		c = &n->s->code[NATIVE_VARIANT(v, i->op)];
		if (c->hot && fits(i, v))
			return c;
	}
	c = &n->s->code[i->op];
	return c->hot ? c : NULL;
}

/* The values of instruction k of r for its stencil, p->code. */
static void set_holes(const struct native *n, struct place *p, const struct block_run *r,
		      unsigned k)
{
	const struct insn *i = &r->insn[k];

	p->hole[HOLE_rd] = p->hole[HOLE_frd] = i->rd * 8;
	p->hole[HOLE_rs1] = p->hole[HOLE_frs1] = i->rs1 * 8;
	p->hole[HOLE_rs2] = p->hole[HOLE_frs2] = i->rs2 * 8;
	p->hole[HOLE_rs3] = p->hole[HOLE_frs3] = i->rs3 * 8;
	p->hole[HOLE_imm] = i->imm;
	p->hole[HOLE_kind] = i->rs3;
	p->hole[HOLE_at] = i->at;
	p->hole[HOLE_behind] = i->op == ENGINE_END ? i->at : i[1].at;
	p->hole[HOLE_self] = k * sizeof(*i);
	p->hole[HOLE_leave] = k << NATIVE_INSN;
	p->hole[HOLE_nr] = r->nr;
	native_find_pins(n, p);
}

/* The number of the instruction that ends r: the last one, or ENGINE_END after it. */
static unsigned end_of(const struct block_run *r)
{
	return r->ends ? r->nr - 1 : r->nr;
}

/* Copies a stencil in front of what follows it; p moves after it. */
static bool copy_before(struct native *n, struct place *p, unsigned kind)
{
	bool ok;

	p->code = &n->s->code[kind];
	p->next = p->hot + native_hot_bytes(n, p->code);
	ok = native_copy(n, p);
	p->hot = p->next;
	p->cold += p->code->cold;
	return ok;
}

/* Whether r ends with a jal of which a listener wants to know (pmu_jumped). */
static bool calls(const struct native *n, const struct block_run *r)
{
	const struct insn *last = &r->insn[r->nr - 1];

	return last->op == ISA_jal &&
	       decode_is_heard(last, r->block->pa + last->at + last->imm, n->targets);
}

/* Copies what counts that r has gone on at this way. */
static bool copy_counts(struct native *n, struct place *p, const struct block_run *r, unsigned way)
{
	bool ok = true;

	p->hole[HOLE_ran] = offsetof(struct block_run, ways) + way * sizeof(uint64_t);
	p->hole[HOLE_nr] = r->nr;
	p->hole[HOLE_pc_step] = r->goes[way];
	if (n->counts)
		ok &= copy_before(n, p, STENCIL_count);
	if (n->counts >= COUNTS_JUMPS && calls(n, r))
		ok &= copy_before(n, p, STENCIL_jumped);
	return ok;
}

static unsigned link_kind(const struct native *n, const struct block_run *r, unsigned way)
{
	if (!n->timed || !r->next_lines[way])
		return r->to[way][BLOCK_RIGHT] == r ? STENCIL_link_self : STENCIL_link;
	return n->counts == COUNTS_ALL ? STENCIL_link_told : STENCIL_link_lines;
}

static bool copy_way(struct native *n, struct block_run *r, unsigned way, size_t hot, size_t cold)
{
	const struct block_run *next = r->to[way][BLOCK_RIGHT];
	bool both = next && !r->splits[way]; /* right or wrong, it goes to next */
	struct place p = { .hot = hot, .cold = cold };
	unsigned kind = STENCIL_unlinked;
	bool ok = copy_counts(n, &p, r, way);
	int64_t step;

	r->code_others[way] = both ? BLOCK_RARE : BLOCK_WRONG | BLOCK_RARE;
	p.hole[HOLE_way] = way;
	p.hole[HOLE_nr] = r->nr;
	r->code_linked[way] = next && next->code;
	if (r->code_linked[way]) {
		step = (const char *)next - (const char *)r;
		kind = link_kind(n, r, way);
		p.hole[HOLE_need] = n->timed ? next->cycles : next->nr;
		p.hole[HOLE_r_step] = step;
		p.hole[HOLE_seen] = step + offsetof(struct block_run, seen);
		p.hole[HOLE_fetch_set] = next->fetch_set * sizeof(uint64_t);
		p.hole[HOLE_lines] = r->next_lines[way];
		p.hole[HOLE_fetched] = offsetof(struct tally, fetched) +
				       (r->next_lines[way] != next->lines) * sizeof(uint64_t);
		p.next = (const uint8_t *)next->code - n->rx;
	}
	p.code = &n->s->code[kind];
	return ok & native_copy(n, &p);
}

/* Copies the end of r, and both ways, to code_end and code_cold. */
static bool copy_end(struct native *n, struct block_run *r)
{
	unsigned end = end_of(r);
	const struct native_code *c = stencil(n, &r->insn[end]);
	struct place p = { .code = c, .hot = r->code_end, .cold = r->code_cold };
	bool first = native_last_jump(n, c) == NATIVE_TO_WAY1;
	size_t hot = r->code_end + native_hot_bytes(n, c), cold = r->code_cold + c->cold;
	bool ok;

	set_holes(n, &p, r, end);
	p.way[first] = hot;
	p.way[!first] = hot + n->way_hot;
	ok = native_copy(n, &p);
	ok &= copy_way(n, r, first, hot, cold);
	ok &= copy_way(n, r, !first, hot + n->way_hot, cold + n->way_cold);
	native_wrote(n->rx + r->code_end, hot + 2 * n->way_hot - r->code_end);
	native_wrote(n->rx + r->code_cold, cold + 2 * n->way_cold - r->code_cold);
	return ok;
}

/* The simple vector instructions of a run: at each instruction `nr` of them begin, or none. */
struct vectors {
	uint8_t nr[BLOCK_MAX];
	uint8_t vtype[BLOCK_MAX];
	struct native_vector insn[BLOCK_MAX];
	struct native_vector_place place;
};

/* The fewest consecutive ones for which it pays. */
static unsigned vectors_least(const struct native *n)
{
	return n->timed ? 4 : 1;
}

/* The vtype after i; VECTOR_VILL: that is not known. */
static uint64_t vtype_behind(const struct insn *i, uint64_t vtype)
{
	if (isa_table[i->op].class != ISA_CLASS_VSET)
		return vtype;
	return i->op == ISA_vsetvl || i->op == ISA_th_vsetvl || (uint32_t)i->imm > VECTOR_VTYPE_BITS
		       ? VECTOR_VILL
		       : (uint32_t)i->imm;
}

/* Finds them in the first nr instructions of r; vtype: that of the hart. */
static void find_vectors(const struct native *n, const struct hart *h, const struct block_run *r,
			 unsigned nr, struct vectors *v)
{
	uint64_t vtype = h->vector ? h->vector->vtype : VECTOR_VILL;
	unsigned first = 0;

	memset(v->nr, 0, sizeof(v->nr));
	if (!h->vector)
		return;
	v->place = (struct native_vector_place){
		.x = offsetof(struct hart, x),
		.state = offsetof(struct hart, vector),
		.reg = offsetof(struct vector_state, reg),
		.bytes = h->vector->bytes,
	};
	for (unsigned k = 0; k < nr; k++) {
		const struct insn *i = &r->insn[k];

		v->vtype[k] = vtype;
		if (vtype <= VECTOR_VTYPE_BITS &&
		    native_vector_of(i, vtype, h->vector->thead, &v->insn[k])) {
			v->nr[first]++;
			continue;
		}
		if (v->nr[first] < vectors_least(n))
			v->nr[first] = 0;
		first = k + 1;
		vtype = vtype_behind(i, vtype);
	}
	if (first < nr && v->nr[first] < vectors_least(n))
		v->nr[first] = 0;
}

/* The bytes of the code before and after the copy of instruction k of r, for pinned registers. */
static unsigned pin_bytes(const struct native *n, const struct block_run *r, unsigned k)
{
	struct place p = { .code = stencil(n, &r->insn[k]) };

	set_holes(n, &p, r, k);
	return NATIVE_PIN_BYTES * (__builtin_popcount(p.in_memory) + __builtin_popcount(p.written));
}

/* Whether instruction k of r can be native. */
static bool can(const struct native *n, const struct block_run *r, unsigned k)
{
	struct place p = { .code = stencil(n, &r->insn[k]) };

	if (!p.code)
		return false;
	set_holes(n, &p, r, k);
	/* After the last one nothing loads pinned registers again. */
	return k == end_of(r) ? !p.in_memory : !native_loses(n, &p);
}

/* How many instructions of r have stencils, from the first one on; with ENGINE_END one more. */
static unsigned count(const struct native *n, const struct block_run *r)
{
	unsigned end = end_of(r), k = 0;

	while (k <= end && can(n, r, k))
		k++;
	return k;
}

/* Adds what the host's code for vectors changes. */
static void measure_vectors(const struct native *n, const struct block_run *r,
			    const struct vectors *v, size_t *hot, size_t *cold)
{
	const struct native_code *choose = &n->s->code[STENCIL_vectors];

	for (unsigned k = 0; k < r->nr; k++) {
		if (!v->nr[k])
			continue;
		*hot += native_pins * NATIVE_PIN_BYTES + choose->hot +
			native_vector_code(NULL, &v->place, &v->insn[k], v->nr[k]);
		*cold += choose->cold;
		for (unsigned i = k; i < k + v->nr[k]; i++) {
			const struct native_code *c = stencil(n, &r->insn[i]);

			*hot -= c->hot;
			*cold += c->hot;
		}
	}
}

/* The bytes of the first nr instructions of r; with its ways, if all have stencils. */
static void measure(const struct native *n, const struct block_run *r, unsigned nr, size_t *hot,
		    size_t *cold)
{
	const struct native_code *here = &n->s->code[STENCIL_here];
	bool whole = nr > end_of(r);

	*hot = whole ? 2 * n->way_hot : here->hot;
	*cold = whole ? 2 * n->way_cold : here->cold;
	if (n->counts) {
		*hot += n->s->code[STENCIL_begin].hot;
		*cold += n->s->code[STENCIL_begin].cold;
	}
	for (unsigned k = 0; k < nr; k++) {
		const struct native_code *c = stencil(n, &r->insn[k]);

		*hot += c->hot + pin_bytes(n, r, k);
		*cold += c->cold;
	}
}

/*
 * Copies the simple vector instructions that begin at instruction k of r: the choice and the host's
 * code to *hot, their stencils to *cold.  Both go on at the hot code after them.  Moves *hot and
 * *cold after what was written.
 */
static bool copy_vectors(struct native *n, const struct block_run *r, const struct vectors *v,
			 unsigned k, size_t *hot, size_t *cold)
{
	const struct native_code *choose = &n->s->code[STENCIL_vectors];
	/* Its last jump may be the one to the stencils: what follows is the other code. */
	unsigned bytes = native_last_jump(n, choose) == NATIVE_TO_NEXT ? native_hot_bytes(n, choose)
								       : choose->hot;
	/* All pinned registers are in hart.x, where the host's code and the stencils find them. */
	unsigned all = (1u << native_pins) - 1;
	size_t at = native_put_pins(n, *hot, true, all);
	size_t fast = at + bytes, slow = *cold + choose->cold;
	struct place p = { .code = choose, .hot = at, .cold = *cold, .next = fast };
	bool ok;

	set_holes(n, &p, r, k);
	p.hole[HOLE_imm] = v->vtype[k];
	p.hole[HOLE_need] = v->place.bytes * v->insn[k].regs >> v->insn[k].size;
	p.hole[HOLE_nr] = v->nr[k];
	p.way[1] = slow;
	ok = native_copy(n, &p);
	*hot = fast + native_vector_code(n->rw + fast, &v->place, &v->insn[k], v->nr[k]);
	for (unsigned i = 0; i < v->nr[k]; i++) {
		const struct native_code *c = stencil(n, &r->insn[k + i]);

		p = (struct place){ .code = c, .hot = slow, .cold = slow + c->hot };
		slow += c->hot + c->cold;
		p.next = i + 1 < v->nr[k] ? slow : *hot;
		set_holes(n, &p, r, k + i);
		p.in_memory = all;
		ok &= native_copy(n, &p);
	}
	*cold = slow;
	return ok;
}

/* Copies the first nr instructions of r, or all but its end. */
static bool copy_body(struct native *n, struct block_run *r, const struct vectors *v, unsigned nr,
		      size_t hot, size_t cold)
{
	unsigned end = end_of(r);
	struct place p = { .hot = hot, .cold = cold };
	bool ok = !n->counts || copy_before(n, &p, STENCIL_begin);

	hot = p.hot;
	cold = p.cold;
	for (unsigned k = 0; k < nr && k < end; k++) {
		if (v->nr[k]) {
			ok &= copy_vectors(n, r, v, k, &hot, &cold);
			k += v->nr[k] - 1;
			continue;
		}
		p = (struct place){ .code = stencil(n, &r->insn[k]), .cold = cold };
		set_holes(n, &p, r, k);
		p.hot = native_put_pins(n, hot, true, p.in_memory);
		p.next = p.hot + native_hot_bytes(n, p.code);
		cold += p.code->cold;
		ok &= native_copy(n, &p);
		hot = native_put_pins(n, p.next, false, p.written);
	}
	if (nr > end) {
		r->code_end = hot;
		r->code_cold = cold;
		return ok;
	}
	p = (struct place){ .code = &n->s->code[STENCIL_here], .hot = hot, .cold = cold };
	p.hole[HOLE_leave] = nr << NATIVE_INSN;
	return ok && native_copy(n, &p);
}

void native_translate(struct native *n, const struct hart *h, struct block_run *r)
{
	unsigned nr = count(n, r);
	struct vectors v;
	size_t hot, cold;

	r->ran = 0;
	if (n->full)
		return;
	if (!nr) {
		r->entry = r->insn[0].op;
		return;
	}
	find_vectors(n, h, r, nr < end_of(r) ? nr : end_of(r), &v);
	measure(n, r, nr, &hot, &cold);
	measure_vectors(n, r, &v, &hot, &cold);
	if (hot + cold > n->cold - n->hot) {
		n->full = true;
		return;
	}
	n->cold -= cold;
	if (!copy_body(n, r, &v, nr, n->hot, n->cold)) {
		r->entry = r->insn[0].op;
		return;
	}
	r->code = n->rx + n->hot;
	if (r->code_end && !copy_end(n, r)) {
		r->code = NULL;
		r->entry = r->insn[0].op;
		return;
	}
	r->entry = ENGINE_NATIVE;
	native_wrote(n->rx + n->hot, hot);
	native_wrote(n->rx + n->cold, cold);
	n->hot += hot;
}

void native_link(struct native *n, struct block_run *r)
{
	if (r->code_end)
		copy_end(n, r);
}

unsigned native_run(struct native *n, struct hart *h, struct block_run **r, uint64_t *pc)
{
	if (h->counts_code && n->counts < counts_for(h->listener))
		return NATIVE_HERE;
	return n->enter(h, r, pc, (*r)->code);
}
