// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_heap.c - follows the allocations of programs (exact_heap.h).
 *
 * Allocations are in a treap: a search tree by space and address, and a heap by priorities, which
 * are pseudo-random numbers, the same each time.
 */
#include <stdlib.h>
#include <string.h>

#include "exact_heap.h"
#include "hash.h"
#include "vec.h"

#define CODE_MAX   256 /* bytes of a function that are compared */
#define ALLOCATIONS_MAX (1u << 22)
#define SITES_MAX  (1u << 16)
#define CALLS_MAX  64 /* calls of allocators that have not returned */
#define NEAR	   4096 /* bytes of stack that an allocator has */

#define SYS_exit_group 94
#define SYS_execve     221
#define SYS_execveat   281

enum { RA = 1, SP = 2, A0 = 10, A1, A2, A7 = 17 };

struct tree {
	struct tree *left, *right;
	uint64_t priority, satp;
	struct heap_allocation is;
};

/* A call of an allocator that has not returned. */
struct open_call {
	uint64_t satp, sp, returns, size;
	uint64_t old; /* realloc: the old address; posix_memalign: where the new one is stored */
	uint32_t call;
	enum exact_allocates kind;
};

struct function {
	struct exact_allocator is;
	uint8_t code[CODE_MAX];
};

struct heap {
	struct function *function;
	unsigned functions;
	uint64_t at[PAGE_SIZE / 2 / 64]; /* bits: a function begins at this half-word of a page */
	struct open_call open[CALLS_MAX];
	unsigned opened;
	struct tree *tree, *spare; /* spare: a list, linked by `right` */
	size_t nr;
	uint64_t made;
	struct table sites;
	VEC(struct heap_site *) all_sites;
};

struct heap *exact_heap_new(const struct exact_allocator *a, unsigned nr)
{
	struct heap *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->function = calloc(nr + 1, sizeof(*w->function));
	if (!w->function) {
		free(w);
		return NULL;
	}
	for (unsigned n = 0; n < nr; n++) {
		struct function *f = &w->function[w->functions++];
		unsigned half = a[n].offset % PAGE_SIZE / 2;

		f->is = a[n];
		f->is.len = a[n].len < CODE_MAX ? a[n].len : CODE_MAX;
		memcpy(f->code, a[n].code, f->is.len);
		f->is.code = f->code;
		w->at[half / 64] |= 1ull << half % 64;
	}
	return w;
}

const uint64_t *exact_heap_targets(const struct heap *w)
{
	return w->at;
}

static void free_tree(struct tree *t)
{
	while (t) {
		struct tree *left = t->left;

		free_tree(t->right);
		free(t);
		t = left;
	}
}

void exact_heap_free(struct heap *w)
{
	if (!w)
		return;
	free_tree(w->tree);
	for (struct tree *t = w->spare, *next; t; t = next) {
		next = t->right;
		free(t);
	}
	free(w->sites.bucket);
	free(w->all_sites.at);
	free(w->function);
	free(w);
}

/* Allocations */

static bool is_before(const struct tree *t, uint64_t satp, uint64_t address)
{
	return t->satp != satp ? t->satp < satp : t->is.address < address;
}

/* Splits a tree into what is before a key, and the rest. */
static void split(struct tree *t, uint64_t satp, uint64_t address, struct tree **before,
		  struct tree **rest)
{
	while (t) {
		if (is_before(t, satp, address)) {
			*before = t;
			before = &t->right;
			t = t->right;
		} else {
			*rest = t;
			rest = &t->left;
			t = t->left;
		}
	}
	*before = *rest = NULL;
}

/* All of a is before b. */
static struct tree *join(struct tree *a, struct tree *b)
{
	struct tree *all, **to = &all;

	while (a && b) {
		if (a->priority > b->priority) {
			*to = a;
			to = &a->right;
			a = a->right;
		} else {
			*to = b;
			to = &b->left;
			b = b->left;
		}
	}
	*to = a ? a : b;
	return all;
}

static void spare(struct heap *w, struct tree *t)
{
	while (t) {
		struct tree *left = t->left;

		spare(w, t->right);
		t->right = w->spare;
		w->spare = t;
		w->nr--;
		t = left;
	}
}

/* Forgets the allocations of a space that begin from `from` on and before `to`. */
static void forget(struct heap *w, uint64_t satp, uint64_t from, uint64_t to)
{
	struct tree *before, *rest, *middle;

	split(w->tree, satp, from, &before, &rest);
	split(rest, satp, to, &middle, &rest);
	spare(w, middle);
	w->tree = join(before, rest);
}

static const struct tree *find(const struct heap *w, uint64_t satp, uint64_t va)
{
	const struct tree *found = NULL;

	for (const struct tree *t = w->tree; t;) {
		bool after = t->satp != satp ? t->satp > satp : t->is.address > va;

		if (!after)
			found = t;
		t = after ? t->left : t->right;
	}
	if (!found || found->satp != satp || va - found->is.address >= found->is.size)
		return NULL;
	return found;
}

bool exact_heap_find(const struct heap *w, uint64_t satp, uint64_t va, struct heap_allocation *b)
{
	const struct tree *t = find(w, satp, va);

	if (t)
		*b = t->is;
	return t;
}

static void add_allocation(struct exact *x, struct heap *w, uint64_t satp,
			   const struct heap_allocation *b)
{
	const struct tree *over = find(w, satp, b->address);
	struct tree *t = w->spare, *before, *rest;

	/* An older one that overlaps was freed by a call that we did not see. */
	if (over)
		forget(w, satp, over->is.address, over->is.address + 1);
	forget(w, satp, b->address, b->address + (b->size ? b->size : 1));
	if (w->nr == ALLOCATIONS_MAX)
		return;
	if (t)
		w->spare = t->right;
	else
		t = malloc(sizeof(*t));
	if (!t) {
		x->no_memory = true;
		return;
	}
	w->nr++;
	*t = (struct tree){ NULL, NULL, hash_pair(++w->made, 0x9e3779b97f4a7c15), satp, *b };
	split(w->tree, satp, b->address, &before, &rest);
	w->tree = join(join(before, t), rest);
}

/* Sites */

static struct heap_site *site_of(struct hart *h, struct heap *w, const struct open_call *c)
{
	struct exact *x = exact_of(h->cl);
	uint64_t key = (uint64_t)c->kind << 32 | c->call;
	struct heap_site *s = (void *)exact_find(&w->sites, key, c->satp);

	if (s || w->all_sites.nr == SITES_MAX)
		return s;
	s = exact_new(x, &w->sites, sizeof(*s), key, c->satp);
	if (!s || !VEC_PUSH(&w->all_sites, s)) {
		x->no_memory = true;
		return NULL;
	}
	s->id = w->all_sites.nr - 1;
	s->call = c->call;
	s->who.hart = h->id;
	s->who.owner = heard(h)->task.owner;
	return s;
}

struct heap_site *const *exact_heap_sites(const struct heap *w, size_t *nr)
{
	*nr = w->all_sites.nr;
	return w->all_sites.at;
}

/* Calls and returns */

/* The function that begins at va; NULL: none that is known. */
static const struct function *function_at(const struct heap *w, struct hart *h, uint64_t va)
{
	uint8_t code[CODE_MAX];

	for (unsigned n = 0; n < w->functions; n++) {
		const struct function *f = &w->function[n];

		if (f->is.offset == (va & ~PAGE_MASK) && mmu_peek_ram(h, va, code, f->is.len) &&
		    !memcmp(code, f->code, f->is.len))
			return f;
	}
	return NULL;
}

/* Whether the code that runs was called by an allocator. */
static bool is_inner(const struct heap *w, const struct hart *h)
{
	for (unsigned n = 0; n < w->opened; n++) {
		if (w->open[n].satp == h->satp && w->open[n].sp - h->x[SP] < NEAR)
			return true;
	}
	return false;
}

/* Forgets calls whose functions have left the stack without a return, by longjmp. */
static void forget_left(struct heap *w, const struct hart *h)
{
	unsigned kept = 0;

	for (unsigned n = 0; n < w->opened; n++) {
		const struct open_call *c = &w->open[n];

		if (c->satp != h->satp || h->x[SP] - c->sp - 1 >= NEAR)
			w->open[kept++] = *c;
	}
	w->opened = kept;
}

static void enters(struct heap *w, struct hart *h, const struct function *f, uint64_t link)
{
	const uint64_t *x = h->x;
	struct open_call c = { .satp = h->satp,
			       .sp = x[SP],
			       .returns = link ? link : x[RA],
			       .call = heard(h)->calls.call,
			       .kind = f->is.kind };

	forget_left(w, h);
	if (is_inner(w, h))
		return;
	switch (c.kind) {
	case EXACT_FREES:
		forget(w, c.satp, x[A0], x[A0] + 1);
		return;
	case EXACT_MALLOC:
		c.size = x[A0];
		break;
	case EXACT_CALLOC:
		c.size = x[A0] * x[A1];
		break;
	case EXACT_REALLOC:
		c.old = x[A0];
		c.size = x[A1];
		break;
	case EXACT_ALIGNED:
		c.size = x[A1];
		break;
	case EXACT_POSIX_MEMALIGN:
		c.old = x[A0];
		c.size = x[A2];
	}
	/* Some never return: the oldest makes room. */
	if (w->opened == CALLS_MAX)
		memmove(w->open, w->open + 1, --w->opened * sizeof(*w->open));
	w->open[w->opened++] = c;
}

static void returned(struct heap *w, struct hart *h, const struct open_call *c)
{
	struct exact *x = exact_of(h->cl);
	struct heap_allocation b = { h->x[A0], c->size, NULL };

	if (c->kind == EXACT_POSIX_MEMALIGN &&
	    (b.address || !mmu_peek_ram(h, c->old, &b.address, sizeof(b.address))))
		return;
	if (c->kind == EXACT_REALLOC && c->old && (b.address || !c->size))
		forget(w, c->satp, c->old, c->old + 1);
	if (!b.address)
		return;
	b.site = site_of(h, w, c);
	if (!b.site)
		return;
	b.site->times++;
	b.site->bytes += c->size;
	add_allocation(x, w, c->satp, &b);
}

void exact_heap_jumped(struct heap *w, struct hart *h, uint64_t target, uint64_t link)
{
	unsigned half = (target & ~PAGE_MASK) / 2;
	const struct function *f = NULL;

	if (h->mode != PRV_U)
		return;
	for (unsigned n = w->opened; n-- > 0;) {
		const struct open_call c = w->open[n];

		if (c.returns != target || c.satp != h->satp || c.sp != h->x[SP])
			continue;
		memmove(w->open + n, w->open + n + 1, (--w->opened - n) * sizeof(*w->open));
		returned(w, h, &c);
		break;
	}
	if (w->at[half / 64] >> half % 64 & 1)
		f = function_at(w, h, target);
	if (f)
		enters(w, h, f, link);
}

void exact_heap_calls_kernel(struct heap *w, const struct hart *h)
{
	uint64_t call = h->x[A7];
	unsigned kept = 0;

	if (h->mode != PRV_U ||
	    (call != SYS_exit_group && call != SYS_execve && call != SYS_execveat))
		return;
	forget(w, h->satp, 0, UINT64_MAX);
	for (unsigned n = 0; n < w->opened; n++) {
		if (w->open[n].satp != h->satp)
			w->open[kept++] = w->open[n];
	}
	w->opened = kept;
}
