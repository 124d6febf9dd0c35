// SPDX-License-Identifier: BSD-2-Clause
/*
 * block.c - makes blocks of instructions (decode.h), and keeps the blocks (block.h).
 *
 *	block_at(pa):	look pa up in the hash table
 *			not there: decode until an instruction or the page ends the block, sum
 *			up events, append the block to the arena, enter it in the hash table
 *	block_run_of(b):	look the run up in b's list
 *			not there: append it to the arena, compute its costs (timing_run.c)
 *
 * Blocks are in one arena.  An invalid block is unlinked, but its memory is not used again.  When
 * the arena is full, all blocks are freed and it starts from its beginning.  block_epoch then tells
 * the engine not to link a block that it still has in hand.
 */
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "cluster.h"
#include "decode.h"
#include "engine.h"
#include "hart.h"
#include "native.h"
#include "tally.h"
#include "timing.h"

#define ARENA_MAX (24u << 20)
#define HASH_NR	  (1u << 16)

struct block_cache {
	struct block *hash[HASH_NR];
	uint8_t *arena;
	size_t size, used;
	bool crowded; /* block_run_of has found no room */
};

bool block_cache_create(struct cluster *cl)
{
	cl->blocks = calloc(1, sizeof(*cl->blocks));
	if (!cl->blocks)
		return false;
	/* Little RAM has little code, and tests create small machines often. */
	cl->blocks->size = cl->ram_size / 2 < ARENA_MAX ? cl->ram_size / 2 : ARENA_MAX;
	cl->blocks->arena = aligned_alloc(RUN_ALIGN, cl->blocks->size);
	return cl->blocks->arena && tally_create(cl) &&
	       (!cl->native_after ||
		native_create(&cl->native, cl->models ? &timed_stencils : &plain_stencils,
			      cl->native_bytes, cl->models ? &cl->shape->bpred : NULL));
}

void block_cache_destroy(struct cluster *cl)
{
	if (cl->blocks)
		free(cl->blocks->arena);
	free(cl->blocks);
	tally_destroy(cl);
	native_destroy(cl->native);
}

static uint64_t bit(enum event e)
{
	return 1ull << e;
}

#define READS  (1ull << EVENT_L1D_READ | 1ull << EVENT_DTLB_READ)
#define WRITES (1ull << EVENT_L1D_WRITE | 1ull << EVENT_DTLB_WRITE)
#define LOADS  (1ull << EVENT_LOAD | 1ull << EVENT_INT_LOAD | READS)

/* A jump that pushes a return address is a call, one that pops one a return; a swap is both. */
static uint64_t jump_events(const struct insn *i)
{
	static const uint64_t more[BPRED_KINDS] = {
		[BPRED_CALL] = 1ull << EVENT_CALL,
		[BPRED_INDIRECT_CALL] = 1ull << EVENT_CALL,
		[BPRED_RETURN] = 1ull << EVENT_RETURN,
		[BPRED_SWAP] = 1ull << EVENT_CALL | 1ull << EVENT_RETURN,
	};
	uint64_t kind = decode_goes_anywhere(i->op) ? bit(EVENT_INDIRECT) : bit(EVENT_JAL);

	if (isa_table[i->op].format == ISA_FMT_POP)
		kind |= LOADS;
	return bit(EVENT_CONTROL) | bit(EVENT_JUMP) | kind | more[decode_jump_kind(i)];
}

static bool adds(const struct insn *i)
{
	switch (i->op) {
	case ISA_add:
	case ISA_addi:
	case ISA_addiw:
	case ISA_addw:
	case ISA_sub:
	case ISA_subw:
		return true;
	default:
		return false;
	}
}

/* Unpriv §6.1: csrrs and csrrc do not write if rs1 is x0 or the immediate is 0. */
static bool writes_csr(const struct insn *i)
{
	return i->op == ISA_csrrw || i->op == ISA_csrrwi || i->rs1;
}

static uint64_t vector_events(const struct insn *i)
{
	static const uint8_t class[] = {
		[ISA_CLASS_VSET] = EVENT_VECTOR_CONFIG,	   [ISA_CLASS_VLOAD] = EVENT_VECTOR_LOAD,
		[ISA_CLASS_VSTORE] = EVENT_VECTOR_STORE,   [ISA_CLASS_VINT] = EVENT_VECTOR_INT,
		[ISA_CLASS_VFIXED] = EVENT_VECTOR_FIXED,   [ISA_CLASS_VFLOAT] = EVENT_VECTOR_FLOAT,
		[ISA_CLASS_VMASK] = EVENT_VECTOR_MASK,	   [ISA_CLASS_VPERM] = EVENT_VECTOR_PERMUTE,
		[ISA_CLASS_VRED] = EVENT_VECTOR_REDUCE,	   [ISA_CLASS_VFRED] = EVENT_VECTOR_REDUCE,
		[ISA_CLASS_VCRYPTO] = EVENT_VECTOR_CRYPTO, [ISA_CLASS_VAMO] = EVENT_AMO,
	};
	uint64_t events = bit(EVENT_VECTOR) | bit(class[isa_table[i->op].class]);

	switch (isa_table[i->op].format) {
	case ISA_FMT_VLS:
	case ISA_FMT_VLR:
		return events | bit(EVENT_VECTOR_UNIT);
	case ISA_FMT_VLSS:
		return events | bit(EVENT_VECTOR_STRIDED);
	case ISA_FMT_VLX:
		return events | bit(EVENT_VECTOR_INDEXED);
	default:
		return events;
	}
}

uint64_t block_insn_events(const struct insn *i)
{
	static const uint64_t fp[] = {
		[ISA_CLASS_FLOAD] = 1ull << EVENT_FP_LOAD | 1ull << EVENT_LOAD | READS,
		[ISA_CLASS_FSTORE] = 1ull << EVENT_FP_STORE | 1ull << EVENT_STORE | WRITES,
		[ISA_CLASS_FADD] = 1ull << EVENT_FP_ADD,
		[ISA_CLASS_FMUL] = 1ull << EVENT_FP_MUL,
		[ISA_CLASS_FMA] = 1ull << EVENT_FP_FMA,
		[ISA_CLASS_FDIV] = 1ull << EVENT_FP_DIV,
		[ISA_CLASS_FCVT] = 1ull << EVENT_FP_CVT,
		[ISA_CLASS_FMISC] = 1ull << EVENT_FP_MISC,
	};

	if (i->op >= ISA_NR)
		return 0;
	if (isa_table[i->op].class >= ISA_CLASS_VSET)
		return vector_events(i);
	switch ((enum isa_class)isa_table[i->op].class) {
	case ISA_CLASS_ALU:
		return bit(EVENT_ALU) | (adds(i) ? bit(EVENT_INT_ADD) : 0);
	case ISA_CLASS_MUL:
		return bit(EVENT_MUL);
	case ISA_CLASS_DIV:
		return bit(EVENT_DIV);
	case ISA_CLASS_LOAD:
		return LOADS;
	case ISA_CLASS_STORE:
		return bit(EVENT_STORE) | bit(EVENT_INT_STORE) | WRITES;
	case ISA_CLASS_LR:
		return bit(EVENT_LR) | bit(EVENT_LOAD) | READS;
	case ISA_CLASS_SC:
		return bit(EVENT_SC) | bit(EVENT_STORE) | WRITES;
	case ISA_CLASS_AMO:
		return bit(EVENT_AMO) | WRITES;
	case ISA_CLASS_BRANCH:
		return bit(EVENT_CONTROL) | bit(EVENT_BRANCH);
	case ISA_CLASS_JUMP:
		return jump_events(i);
	case ISA_CLASS_CSR:
		return bit(EVENT_CSR) | (writes_csr(i) ? bit(EVENT_CSR_WRITE) : 0);
	case ISA_CLASS_SYSTEM:
		return bit(EVENT_SYSTEM);
	case ISA_CLASS_FENCE:
		return bit(EVENT_FENCE);
	case ISA_CLASS_CBO:
		return 0;
	default:
		return bit(EVENT_FP) | fp[isa_table[i->op].class];
	}
}

unsigned block_find(const struct block *b, uint64_t events, unsigned each, uint64_t n)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < b->nr; i++) {
		sum += each + __builtin_popcountll(block_insn_events(&b->insn[i]) & events);
		if (sum >= n)
			return i + 1;
	}
	return b->nr;
}

/* Sums up the events of the instructions, and puts ENGINE_END after them. */
static void finish(struct block *b, unsigned bytes)
{
	memset(b->count, 0, sizeof(b->count));
	for (unsigned i = 0; i < b->nr; i++) {
		uint64_t events = block_insn_events(&b->insn[i]);

		for (; events; events &= events - 1)
			b->count[__builtin_ctzll(events)]++;
	}
	b->insn[b->nr] = (struct insn){ .op = ENGINE_END, .at = bytes };
	b->last = bytes - 2;
	b->branches = b->nr && b->count[EVENT_BRANCH];
	b->valid = true;
}

/* Whether a block ends with this instruction: it can jump or change the state of the machine. */
static bool ends_block(const struct insn *i)
{
	if (i->op >= ISA_NR)
		return true;
	switch ((enum isa_class)isa_table[i->op].class) {
	case ISA_CLASS_BRANCH:
	case ISA_CLASS_JUMP:
	case ISA_CLASS_CSR:
	case ISA_CLASS_SYSTEM:
		return true;
	case ISA_CLASS_FENCE:
		return i->op != ISA_fence && i->op != ISA_pause;
	default:
		return false;
	}
}

static uint32_t fetch_raw(const uint8_t *p, unsigned left)
{
	uint32_t raw = p[0] | p[1] << 8;

	if (isa_length(raw) == 4 && left >= 4)
		raw |= (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
	return raw;
}

/*
 * How many of the left bytes from pa on one block may take.  It is more if the first instruction
 * straddles the boundary: that one is alone in its block.
 */
static unsigned cut_at(const struct cluster *cl, uint64_t pa, unsigned left)
{
	unsigned cut = cl->models ? timing_cut(cl) : 0, room = cut - (pa & (cut - 1));

	return cut && room < left ? room : left;
}

static unsigned block_bytes(const struct block *b)
{
	return b->insn[b->nr].at;
}

/* Sets the lines of L1I in which b lies. */
static void find_lines(const struct cluster *cl, struct block *b)
{
	const struct cache *l1i = &cl->hierarchy->hart[0].l1i;

	b->fetch_line = b->pa & l1i->line_mask;
	b->fetch_set = cache_set(l1i, b->pa);
	b->lines = (((b->pa + b->last) & l1i->line_mask) - b->fetch_line) / l1i->config.line + 1;
}

/* Takes size bytes from the arena, which has room for them. */
static void *take(struct cluster *cl, size_t size)
{
	void *p = cl->blocks->arena + cl->blocks->used;

	cl->blocks->used += (size + 15) & ~(size_t)15;
	return p;
}

static bool has_room(const struct cluster *cl)
{
	return cl->blocks->used + BLOCK_BYTES + RUN_ALIGN + RUN_BYTES <= cl->blocks->size;
}

void *block_memory(struct cluster *cl, size_t size)
{
	struct block_cache *c = cl->blocks;

	/* Blocks find the room that has_room has told them. */
	return c->used + size + BLOCK_BYTES + RUN_ALIGN + RUN_BYTES <= c->size ? take(cl, size)
									       : NULL;
}

/* Takes from the arena the memory of b, which was built at its end. */
static void keep(struct cluster *cl, const struct block *b)
{
	take(cl, (const char *)&b->insn[b->nr + 1] - (const char *)b);
}

static struct block *decode_block(struct cluster *cl, uint64_t pa, bool shadow_stacks,
				  const uint8_t *p, unsigned left)
{
	struct block *b;
	unsigned at = 0, room = cut_at(cl, pa, left);

	if (!has_room(cl))
		block_flush(cl);
	b = (struct block *)(cl->blocks->arena + cl->blocks->used);
	*b = (struct block){ .pa = pa, .chained = true, .shadow_stacks = shadow_stacks };
	while (b->nr < BLOCK_MAX && at + 2 <= room) {
		uint32_t raw = fetch_raw(p + at, left - at);

		if (isa_length(raw) > left - at || (b->nr && at + isa_length(raw) > room))
			break;
		decode_insn(cl, b->shadow_stacks, raw, at, &b->insn[b->nr]);
		at += isa_length(raw);
		if (ends_block(&b->insn[b->nr++]))
			break;
	}
	if (!b->nr)
		return NULL;
	finish(b, at);
	if (cl->models)
		find_lines(cl, b);
	keep(cl, b);
	return b;
}

static unsigned hash(uint64_t pa)
{
	return (pa >> 1 ^ pa >> 17) & (HASH_NR - 1);
}

/* The bits in struct page for len > 0 bytes at pa, all in one page. */
static uint64_t pieces(uint64_t pa, uint64_t len)
{
	unsigned first = pa >> 6 & 63, last = (pa + len - 1) >> 6 & 63;

	return (~0ull >> (63 - (last - first))) << first;
}

static struct block *find_block(const struct block_cache *c, uint64_t pa, bool shadow_stacks)
{
	struct block *b = c->hash[hash(pa)];

	while (b && (b->pa != pa || b->shadow_stacks != shadow_stacks))
		b = b->next_hash;
	return b;
}

/* Makes r a run of b, which begins with this state, without its costs. */
static void start_run(struct block_run *r, struct block *b, uint32_t state)
{
	const struct insn *last = &b->insn[b->nr - 1];

	*r = (struct block_run){
		.insn = b->insn,
		.tally = (struct tally *)&tally_none,
		.entry = b->insn[0].op,
		.nr = b->nr,
		.branches = b->branches,
		.ends = ends_block(last),
		.last = b->last,
		.goes = { last[1].at, last->at + last->imm },
		.lines = b->lines,
		.fetch_set = b->fetch_set,
		.fetch_line = b->fetch_line,
		.block = b,
		.in = state,
		.after = { { STATES_NONE, STATES_NONE, STATES_NONE },
			   { STATES_NONE, STATES_NONE, STATES_NONE } },
	};
}

/* The arena has room for the run. */
static struct block_run *make_run(struct cluster *cl, struct block *b, uint32_t state)
{
	struct block_run *r;

	cl->blocks->used = (cl->blocks->used + RUN_ALIGN - 1) & ~(size_t)(RUN_ALIGN - 1);
	r = take(cl, sizeof(*r) + (cl->models ? (b->nr + 1) * sizeof(r->before[0]) : 0));
	start_run(r, b, state);
	if (cl->native)
		r->entry = ENGINE_COUNT;
	if (cl->models)
		timing_sum(cl, r);
	r->next = b->runs;
	b->runs = r;
	return r;
}

static struct block *make_block(struct cluster *cl, uint64_t pa, bool shadow_stacks)
{
	struct block_cache *c = cl->blocks;
	const uint8_t *p = cluster_ram(cl, pa, 2);
	struct block *b;
	struct page *page;

	if (!p)
		return NULL;
	b = decode_block(cl, pa, shadow_stacks, p, PAGE_SIZE - (pa & ~PAGE_MASK));
	if (!b)
		return NULL;
	if (!cl->models)
		make_run(cl, b, STATES_EMPTY);
	b->next_hash = c->hash[hash(pa)];
	c->hash[hash(pa)] = b;
	page = cluster_page(cl, pa);
	b->next_page = page->blocks;
	page->blocks = b;
	if (!(page->code | page->watch)) {
		for (unsigned i = 0; i < cl->harts; i++)
			soft_tlb_guard_page(cl->hart[i], pa);
	}
	page->code |= pieces(pa, block_bytes(b));
	return b;
}

/* Appends to w the instructions of next, which follows it, with their events. */
static void append(struct block *w, const struct block *next)
{
	unsigned at = block_bytes(w);

	for (unsigned n = 0; n <= next->nr; n++) {
		w->insn[w->nr + n] = next->insn[n];
		w->insn[w->nr + n].at += at;
	}
	w->nr += next->nr;
	w->branches = next->branches;
	w->last = block_bytes(w) - 2;
	for (unsigned n = 0; n < EVENT_CODE_NR; n++)
		w->count[n] += next->count[n];
}

/* The block after b in the same page, if control can go on there after b. */
static struct block *behind(struct cluster *cl, const struct block *b)
{
	uint64_t pa = b->pa + block_bytes(b);
	struct block *next;

	if (ends_block(&b->insn[b->nr - 1]) || !(pa & ~PAGE_MASK))
		return NULL;
	next = find_block(cl->blocks, pa, b->shadow_stacks);
	return next ? next : make_block(cl, pa, b->shadow_stacks);
}

/* Makes b->superblock, if a block can follow b and the arena has room. */
static void join(struct cluster *cl, struct block *b)
{
	struct block *row[BLOCK_LINES * 2], *w;
	uint64_t epoch = cl->block_epoch;
	unsigned nr = 1, insns = b->nr;

	row[0] = b;
	while (nr < BLOCK_LINES * 2) {
		struct block *next = behind(cl, row[nr - 1]);

		if (epoch != cl->block_epoch)
			return;
		if (!next || insns + next->nr > BLOCK_MAX)
			break;
		insns += next->nr;
		row[nr++] = next;
	}
	b->superblock_tried = true;
	if (nr == 1 || !has_room(cl))
		return;
	w = (struct block *)(cl->blocks->arena + cl->blocks->used);
	memcpy(w, b, sizeof(*b) + (b->nr + 1) * sizeof(struct insn));
	w->runs = NULL;
	w->regs = NULL;
	w->first = b;
	for (unsigned n = 1; n < nr; n++) {
		append(w, row[n]);
		find_lines(cl, w);
		if (w->lines >= BLOCK_LINES)
			break;
	}
	keep(cl, w);
	b->superblock = w;
}

struct block *block_at(struct cluster *cl, uint64_t pa, bool shadow_stacks)
{
	struct block *b = find_block(cl->blocks, pa, shadow_stacks);
	uint64_t epoch;

	if (!b)
		b = make_block(cl, pa, shadow_stacks);
	if (!b || !cl->models || b->superblock_tried)
		return b;
	epoch = cl->block_epoch;
	join(cl, b);
	return epoch == cl->block_epoch ? b : make_block(cl, pa, shadow_stacks);
}

struct block_run *block_run_of(struct cluster *cl, struct block *b, uint32_t state)
{
	struct block_run **at = &b->runs, *r;

	while (*at && (*at)->in != state)
		at = &(*at)->next;
	r = *at;
	if (!r && !has_room(cl)) {
		cl->blocks->crowded = true;
		return NULL;
	}
	if (!r)
		return make_run(cl, b, state);
	*at = r->next;
	r->next = b->runs;
	b->runs = r;
	return r;
}

bool block_crowded(const struct cluster *cl)
{
	return cl->blocks->crowded;
}

void block_link(const struct cluster *cl, struct block_run *r, unsigned way, unsigned outcome,
		struct block_run *next)
{
	const struct block *b = next->block;
	uint64_t last = r->block->pa + r->last;

	r->to[way][outcome] = next;
	r->splits[way] = cl->models && r->to[way][BLOCK_RIGHT] != r->to[way][BLOCK_WRONG];
	if (cl->models)
		r->next_lines[way] = b->lines - !((last ^ b->pa) & cl->hart[0]->fetch_mask);
}

struct block *block_scratch_new(void)
{
	struct block *s = malloc(BLOCK_BYTES);

	if (!s)
		return NULL;
	s->runs = malloc(RUN_BYTES);
	if (s->runs)
		return s;
	free(s);
	return NULL;
}

void block_scratch_free(struct block *s)
{
	if (s)
		free(s->runs);
	free(s);
}

/* Makes s, which has its instructions, a block for one use. */
static void finish_scratch(struct block *s, unsigned bytes)
{
	finish(s, bytes);
	start_run(s->runs, s, STATES_NONE);
}

void block_single(struct cluster *cl, struct block *s, uint64_t pa, bool shadow_stacks,
		  uint32_t raw)
{
	*s = (struct block){ .pa = pa, .shadow_stacks = shadow_stacks, .runs = s->runs, .nr = 1 };
	decode_insn(cl, shadow_stacks, raw, 0, &s->insn[0]);
	finish_scratch(s, isa_length(raw));
}

void block_prefix(struct block *s, const struct block *b, unsigned nr)
{
	*s = (struct block){
		.pa = b->pa, .shadow_stacks = b->shadow_stacks, .runs = s->runs, .nr = nr
	};
	memcpy(s->insn, b->insn, nr * sizeof(struct insn));
	finish_scratch(s, b->insn[nr].at);
}

static void unlink_block(struct block_cache *c, struct block *b)
{
	struct block **at = &c->hash[hash(b->pa)];

	while (*at != b)
		at = &(*at)->next_hash;
	*at = b->next_hash;
	b->valid = false;
	if (b->superblock)
		b->superblock->valid = false;
}

bool block_written(struct cluster *cl, uint64_t pa, uint64_t len)
{
	struct page *page = cluster_page(cl, pa);
	uint64_t touched = pieces(pa, len);

	if (!(page->code & touched))
		return false;
	if (listener_hears_runs(cl->listener))
		cl->listener->code_written(cl, pa);
	for (struct block *b = page->blocks; b; b = b->next_page)
		unlink_block(cl->blocks, b);
	page->blocks = NULL;
	page->code = 0;
	for (unsigned i = 0; i < cl->harts; i++)
		hart_forget_jumps(cl->hart[i]);
	return true;
}

void block_flush(struct cluster *cl)
{
	struct block_cache *c = cl->blocks;

	tally_flush(cl);
	if (listener_hears_runs(cl->listener))
		cl->listener->flush(cl);
	for (unsigned n = 0; n < HASH_NR; n++) {
		for (struct block *b = c->hash[n]; b; b = b->next_hash) {
			struct page *page = cluster_page(cl, b->pa);

			page->blocks = NULL;
			page->code = 0;
		}
		c->hash[n] = NULL;
	}
	c->used = 0;
	c->crowded = false;
	if (cl->native)
		native_flush(cl->native);
	cl->block_epoch++;
	for (unsigned i = 0; i < cl->harts; i++)
		hart_forget_jumps(cl->hart[i]);
}
