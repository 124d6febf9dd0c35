// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_calls.c - the call stacks of an exact profile (exact.h).
 *
 * A call is a jal or jalr that writes ra or t0, a return a jalr that reads one of them (Unpriv
 * 20240411, table 3).  A return ends the call with its target and its stack pointer, so what lies
 * between was left by longjmp or an exception.  A return through t0 changes the stack pointer
 * (-msave-restore): its target suffices.
 *
 *	node	a path of calls: the addresses of its call instructions, outermost first
 *	frame	a call that has not returned
 *	strand	the frames on one memory stack: a thread or coroutine of those below
 *	stack	the strands of one (task, address space) in U-mode, of one task in S-mode, of the
 *		interrupts of a hart, or of a hart in other kernels and in M-mode
 *
 * A transfer through a register whose stack pointer is far from that of the last call has changed
 * the memory stack: the profile then looks for the strand that it continues.  Traps push nothing.
 * The stack of a mode is empty when a trap from a lower mode enters it.
 *
 * Memory is bounded.  A call that is on a path REPEATS_MAX times leads back to the node of its last
 * occurrence, so a recursion has as many nodes as its paths up to that depth.  Without room for a
 * node, a call stays in the node of its caller, and is counted (calls.folded).
 */
#include <stdlib.h>
#include <string.h>

#include "bpred.h"
#include "exact_keys.h"
#include "hash.h"
#include "vec.h"

#define REPEATS_MAX 4
#define NODES_MAX   (1u << 18) /* calls from different nodes and addresses */
#define LEVELS_MAX  512 /* calls of a node */
#define FRAMES_MAX  65536 /* of a strand */
#define STRANDS_MAX 64 /* of a stack */
#define KNOWN_NR    8192
#define SETS	    128 /* of stacks */
#define WAYS	    8
#define STACK_MAX   (8u << 20) /* bytes of a program's stack */
#define NEAR	    16384 /* bytes: most of what a function has on its stack, and between threads */

#define RA 1
#define SP 2
#define T0 5

/*
 * A strand, a frame and an edge keep the key of their node, for the next time: NULL, or a key of
 * any context.
 */
struct frame {
	uint64_t target, sp; /* where it returns to */
	struct key *key;
	uint32_t call; /* and the node there */
};

struct strand {
	struct frame *frame;
	size_t size;
	uint32_t nr;
	uint32_t call; /* the node of the code that runs */
	struct key *key;
	uint64_t used; /* calls.clock when it was last entered */
};

struct call_stack {
	uint64_t key[2];
	uint64_t used; /* 0: free */
	struct strand *now; /* of strand */
	unsigned nr;
	struct strand strand[STRANDS_MAX];
};

/* Where a call leads. */
struct callee {
	uint32_t to;
	bool folded; /* there was no room for a node: `to` is the caller's */
};

/* A call from a node. */
struct call_edge {
	struct node node; /* the number of the caller's node, the address of the call */
	struct callee callee;
};

/* A cache of edges. */
struct known_edge {
	uint64_t site;
	uint32_t caller;
	struct callee callee;
	struct key *key;
};

struct calls {
	struct table edges;
	struct known_edge known[KNOWN_NR];
	struct exact_call *node; /* node 0 is not a call */
	size_t size;
	uint32_t nr;
	uint64_t clock, folded;
	struct call_stack stack[SETS][WAYS];
};

/* Nodes */

/* The node of a call that leads back, or 0: its address is on the path too seldom. */
static uint32_t repeated(const struct calls *c, uint32_t caller, uint64_t site)
{
	uint32_t last = 0;
	unsigned times = 0;

	for (uint32_t n = caller; n; n = c->node[n].caller) {
		if (c->node[n].va != site)
			continue;
		last = last ? last : n;
		times++;
	}
	return times >= REPEATS_MAX ? last : 0;
}

/* A new node.  0: no memory. */
static uint32_t node_new(struct exact *x, uint32_t caller, uint64_t site)
{
	struct calls *c = x->calls;

	if (!vec_room(&c->node, c->nr, 1, &c->size, sizeof(*c->node))) {
		x->no_memory = true;
		return 0;
	}
	c->node[c->nr] = (struct exact_call){ caller, c->node[caller].level + 1, site };
	return c->nr++;
}

static struct callee callee_of(struct exact *x, uint32_t caller, uint64_t site)
{
	struct calls *c = x->calls;
	struct call_edge *e = (void *)exact_find(&c->edges, caller, site);
	uint32_t to = 0;

	if (e)
		return e->callee;
	if (c->edges.used < NODES_MAX)
		e = exact_new(x, &c->edges, sizeof(*e), caller, site);
	if (!e)
		return (struct callee){ caller, true };
	if (c->node[caller].level < LEVELS_MAX)
		to = repeated(c, caller, site);
	if (!to && c->node[caller].level < LEVELS_MAX)
		to = node_new(x, caller, site);
	e->callee = to ? (struct callee){ to, false } : (struct callee){ caller, true };
	return e->callee;
}

static struct known_edge *edge_of(struct exact *x, uint32_t caller, uint64_t site)
{
	struct known_edge *k =
		&x->calls->known[(site >> 1 ^ caller * 0x9e3779b1u >> 8) & (KNOWN_NR - 1)];

	if (unlikely(k->site != site || k->caller != caller))
		*k = (struct known_edge){ site, caller, callee_of(x, caller, site), NULL };
	return k;
}

/* Stacks */

static void stack_empty(struct call_stack *s)
{
	for (unsigned n = 0; n < s->nr; n++) {
		s->strand[n].nr = 0;
		s->strand[n].call = 0;
		s->strand[n].key = NULL;
	}
	s->nr = 1;
	s->now = s->strand;
}

/* Finds a stack, or takes that of its set which was not used for the longest time. */
static struct call_stack *stack_of(struct calls *c, uint64_t a, uint64_t b)
{
	struct call_stack *set = c->stack[hash_pair(a, b) & (SETS - 1)], *oldest = set;

	for (unsigned n = 0; n < WAYS; n++) {
		if (set[n].used && set[n].key[0] == a && set[n].key[1] == b) {
			set[n].used = ++c->clock;
			return &set[n];
		}
		if (set[n].used < oldest->used)
			oldest = &set[n];
	}
	stack_empty(oldest);
	oldest->key[0] = a;
	oldest->key[1] = b;
	oldest->used = ++c->clock;
	return oldest;
}

/* Strands */

static inline void leave_to(struct strand *s, uint32_t nr)
{
	s->call = s->frame[nr].call;
	s->key = s->frame[nr].key;
	s->nr = nr;
}

/* Ends the calls of functions whose memory stack ended at sp or below: one of them goes on. */
static void leave_below(struct strand *s, uint64_t sp)
{
	while (s->nr && s->frame[s->nr - 1].sp <= sp)
		leave_to(s, s->nr - 1);
}

/* If a call that has not returned returns to here, ends it. */
static inline bool ends_call(struct strand *s, uint64_t target, uint64_t sp)
{
	for (uint32_t n = s->nr; n && s->frame[n - 1].sp <= sp; n--) {
		if (s->frame[n - 1].sp == sp && s->frame[n - 1].target == target) {
			leave_to(s, n - 1);
			return true;
		}
	}
	return false;
}

/* Whether sp can be on the memory stack of a strand that has a frame. */
static bool reaches(const struct strand *s, uint64_t sp)
{
	return s->nr && sp <= s->frame[0].sp && sp + NEAR >= s->frame[s->nr - 1].sp;
}

/* An empty strand: the present one, a new one, or that which was not used for the longest time. */
static struct strand *strand_new(struct call_stack *stack)
{
	struct strand *s = stack->strand;

	if (!stack->now->nr)
		s = stack->now;
	else if (stack->nr < STRANDS_MAX)
		s += stack->nr++;
	else
		for (unsigned n = 1; n < STRANDS_MAX; n++)
			s = stack->strand[n].used < s->used ? &stack->strand[n] : s;
	s->nr = 0;
	s->call = 0;
	s->key = NULL;
	return s;
}

static void strand_enter(struct calls *c, struct call_stack *stack, struct strand *s)
{
	stack->now = s;
	s->used = ++c->clock;
}

/* Control has gone to target on another memory stack: finds the strand that goes on. */
static __attribute__((noinline)) void change_strand(struct calls *c, struct call_stack *stack,
						    uint64_t target, uint64_t sp)
{
	struct strand *now = stack->now, *other = NULL;

	for (unsigned n = 0; n < stack->nr; n++) {
		struct strand *s = &stack->strand[n];

		if (s != now && s->nr && s->frame[s->nr - 1].sp == sp && ends_call(s, target, sp)) {
			other = s;
			break;
		}
	}
	if (!other && reaches(now, sp)) {
		leave_below(now, sp);
		return;
	}
	for (unsigned n = 0; !other && n < stack->nr; n++) {
		if (reaches(&stack->strand[n], sp))
			other = &stack->strand[n];
	}
	if (!other)
		other = strand_new(stack);
	leave_below(other, sp);
	strand_enter(c, stack, other);
}

/* Room for another frame.  False: there is none. */
static __attribute__((noinline)) bool strand_grow(struct exact *x, struct strand *s)
{
	if (s->nr < FRAMES_MAX && vec_room(&s->frame, s->nr, 1, &s->size, sizeof(*s->frame)))
		return true;
	x->no_memory |= s->nr < FRAMES_MAX;
	x->calls->folded++;
	return false;
}

/* Returns where the key of the callee is kept.  NULL: the call is not kept. */
static inline struct key **call(struct exact *x, struct strand *s, uint64_t site, uint64_t target,
				uint64_t sp)
{
	struct known_edge *e;

	if (unlikely(s->nr >= s->size || s->nr == FRAMES_MAX) && !strand_grow(x, s))
		return NULL;
	e = edge_of(x, s->call, site);
	s->frame[s->nr++] = (struct frame){ target, sp, s->key, s->call };
	x->calls->folded += e->callee.folded;
	s->call = e->callee.to;
	s->key = e->key;
	return &e->key;
}

static void returns(struct calls *c, struct call_stack *stack, uint64_t target, uint64_t sp)
{
	if (!ends_call(stack->now, target, sp))
		change_strand(c, stack, target, sp);
}

/* A jump through another register: by a table, a tail call, or like a return. */
static void jumps(struct calls *c, struct call_stack *stack, uint64_t at, uint64_t target,
		  uint64_t sp)
{
	const struct strand *s = stack->now;
	const struct frame *last;

	if (!s->nr)
		return;
	last = &s->frame[s->nr - 1];
	if (unlikely((last->target == target && last->sp == sp) ||
		     (last->sp - sp > NEAR && target - at + NEAR > 2 * NEAR)))
		returns(c, stack, target, sp);
}

/*
 * The jump i, which is at this address, has gone to target.  Returns where the key of the new node
 * is kept besides in the strand, or NULL.
 */
static inline struct key **jumped(struct hart *h, const struct insn *i, uint64_t at,
				  uint64_t target)
{
	struct exact *x = exact_of(h->cl);
	struct call_stack *stack = heard(h)->calls.stack;
	uint64_t sp = h->x[SP];
	struct strand *s = stack->now;

	switch (i->rs3) {
	case BPRED_INDIRECT:
		jumps(x->calls, stack, at, target, sp);
		break;
	case BPRED_RETURN:
	case BPRED_SWAP:
		if (i->rs1 == T0 && s->nr && s->frame[s->nr - 1].target == target)
			leave_to(s, s->nr - 1);
		else
			returns(x->calls, stack, target, sp);
		break;
	default:
		break;
	}
	if (i->rs3 == BPRED_CALL || i->rs3 == BPRED_INDIRECT_CALL || i->rs3 == BPRED_SWAP)
		return call(x, stack->now, at, at + (i->raw % 4 == 3 ? 4 : 2), sp);
	return NULL;
}

/* Finds the key of a strand's node in context c, which is not the one that the strand has. */
static __attribute__((noinline)) const struct tally_key *
other_key(struct hart *h, const struct context *c, struct strand *s, struct key **also)
{
	struct key *k = exact_find_key(h, c, s->call);

	s->key = k;
	if (also)
		*also = k;
	return k ? &k->tally : &h->keys[h->mode][h->translated];
}

static inline const struct tally_key *key_of(struct hart *h, struct strand *s, struct key **also)
{
	const struct context *c = exact_context_now(h);
	struct key *k = s->key;

	return likely(k && k->context == c) ? &k->tally : other_key(h, c, s, also);
}

const struct tally_key *exact_key(struct hart *h)
{
	exact_call_now(h);
	return key_of(h, heard(h)->calls.stack->now, NULL);
}

void exact_jumped(struct hart *h, const struct block_run *r, uint64_t target)
{
	const struct insn *last = &r->insn[r->nr - 1];
	uint64_t va = r->block == h->scratch ? h->scratch_pc : r->tally->va;
	struct exact_calls *now = &heard(h)->calls;
	struct key **also;

	if (exact_of(h->cl)->knows_tasks)
		exact_task_ask(h);
	exact_call_now(h);
	also = jumped(h, last, va + last->at, target);
	now->call = now->stack->now->call;
	h->key = key_of(h, now->stack->now, also);
	if (unlikely(heard(h)->process_changed))
		exact_time_process(h);
}

bool exact_calls_on_stack(const struct hart *h, uint64_t va)
{
	const struct strand *s = heard(h)->calls.stack->now;
	uint64_t most = h->mode == PRV_U ? STACK_MAX : NEAR;

	return s->nr && va - h->x[SP] < most && va < s->frame[0].sp;
}

/* The kinds of stacks but U-mode's, whose second key is satp: no satp has one of these values. */
enum { OF_MACHINE = 1, OF_KERNEL, OF_TASK, OF_INTERRUPTS };

void exact_calls_switch(struct hart *h)
{
	struct exact_calls *now = &heard(h)->calls;
	const struct exact_task *t = &heard(h)->task;
	struct exact *x = exact_of(h->cl);
	bool interrupts = x->knows_tasks && h->mode == PRV_S && t->owner == EXACT_INTERRUPTS;
	bool enters = h->mode > now->mode || (interrupts && now->owner != EXACT_INTERRUPTS);
	uint64_t kind = h->mode == PRV_M ? OF_MACHINE
			: interrupts	 ? OF_INTERRUPTS
			: !t->task	 ? OF_KERNEL
					 : OF_TASK;

	now->mode = h->mode;
	now->owner = t->owner;
	now->task = t->task;
	now->satp = h->satp;
	if (h->mode == PRV_U)
		now->stack = stack_of(x->calls, t->task ? t->task : h->id, h->satp);
	else
		now->stack = stack_of(x->calls, kind == OF_TASK ? t->task : h->id, kind);
	/* A kernel whose tasks are not known may have threads, whose strands stay. */
	if (enters && kind == OF_KERNEL)
		strand_enter(x->calls, now->stack, strand_new(now->stack));
	else if (enters)
		stack_empty(now->stack);
	now->call = now->stack->now->call;
}

/* Start, read and end */

bool exact_calls_start(struct exact *x)
{
	struct calls *c = calloc(1, sizeof(*c));

	x->calls = c;
	if (!c)
		return false;
	if (!vec_room(&c->node, 0, 1, &c->size, sizeof(*c->node)))
		return false;
	c->node[0] = (struct exact_call){ 0 };
	c->nr = 1;
	for (unsigned n = 0; n < KNOWN_NR; n++)
		c->known[n].site = 1; /* no instruction has this address */
	return true;
}

const struct exact_call *exact_calls(const struct cluster *cl, uint32_t *nr, uint64_t *folded)
{
	const struct calls *c = exact_of(cl)->calls;

	*nr = c ? c->nr : 1;
	*folded = c ? c->folded : 0;
	return c ? c->node : NULL;
}

void exact_calls_free(struct exact *x)
{
	struct calls *c = x->calls;

	for (unsigned n = 0; c && n < SETS * WAYS * STRANDS_MAX; n++)
		free(c->stack[n / STRANDS_MAX / WAYS][n / STRANDS_MAX % WAYS]
			     .strand[n % STRANDS_MAX]
			     .frame);
	if (c) {
		free(c->edges.bucket);
		free(c->node);
	}
	free(c);
}
