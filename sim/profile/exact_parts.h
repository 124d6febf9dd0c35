/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_parts.h - what an exact profile is made of, for those who collect it (exact.c) and read it
 * (exact_read.c).
 * exact_tasks.c defines its functions.
 *
 *	context	an address space, and whether data is translated in it (which decides what counts)
 *	site	where a context has a page of code; it has one version of it, or more over time
 *	place	an instruction of a version: what happened there, and the runs of the block that
 *		begins there, not yet resolved
 */
#ifndef SIM_EXACT_PARTS_H
#define SIM_EXACT_PARTS_H

#include "exact.h"
#include "cluster.h"
#include "hart.h"

#define EXACT_CHUNK (1u << 20)

struct node {
	struct node *next;
	uint64_t key[2];
};

struct table {
	struct node **bucket;
	size_t size, used;
};

struct cell {
	uint64_t event, n;
};

struct place {
	struct node node; /* va, version */
	struct place *sibling; /* in the same version */
	struct version *version;
	const struct block *b; /* whose runs these are: */
	uint64_t ran[2]; /* not taken, taken */
	struct cell *cell;
	uint32_t raw;
	uint16_t cells, room;
};

struct version {
	struct site *site;
	struct version *older;
	struct place *places;
	bool known; /* what follows is */
	uint64_t content, pa;
	uint64_t epoch; /* pa and content hold while these two stay what they were */
	uint32_t written;
};

struct site {
	struct node node; /* va, context */
	const struct context *context;
	struct version *now;
	unsigned versions;
};

struct slot;
struct exact;

struct context {
	struct node node; /* satp, the rest */
	uint8_t hart, mode, owner;
	bool translated;
};

/* A task, and the address space in which it last ran its program. */
struct home {
	struct node node; /* task, 0 */
	uint64_t satp;
};

/* Who runs on a hart. */
struct exact_task {
	uint8_t owner, mode; /* mode: when it was asked */
	uint64_t task, satp; /* of which these were the answer: */
	uint64_t home; /* the address space of its process, if it no longer has it; else 0 */
	uint8_t owner_of;
	bool ran; /* it was asked in the task's program */
	/* An interrupt that has not returned: to here. */
	bool interrupted;
	uint8_t to_mode;
	uint64_t to_pc, to_sp, to_task;
};

struct exact_hart {
	uint64_t pc; /* of the block under way */
	struct exact_task task;
	const struct context *recent[4][2]; /* by mode and translated */
	struct slot *slot;
};

/* exact.c: as of a table; NULL: there is none, or no memory. */
struct node *exact_find(const struct table *t, uint64_t a, uint64_t b);
void *exact_new(struct exact *x, struct table *t, size_t bytes, uint64_t a, uint64_t b);

/* exact_tasks.c: asks who runs now; an interrupt is taken; an instruction at va is next. */
void exact_task_ask(struct hart *h);
void exact_task_interrupted(struct hart *h);
void exact_task_at(struct hart *h, uint64_t va);

/* Memory for all of these. */
struct chunk {
	struct chunk *next;
	size_t used;
	uint64_t data[EXACT_CHUNK / 8];
};

struct exact {
	struct cluster *cl;
	struct chunk *chunk;
	struct table contexts, sites, places, homes;
	uint32_t *written; /* how often code of a page of RAM was */
	uint64_t code; /* CODE events that there are */
	/* Linux's tasks, if it is known where they are (exact_tasks.c): */
	struct exact_tasks tasks;
	bool knows_tasks;
	bool found, started, over; /* the starter was seen; the command has its own space; is over */
	int32_t first; /* process of the command */
	uint64_t starter_satp;
	bool no_memory;
	struct place lost; /* for what found no memory */
};

/* The profile of a machine; what it has of a hart. */
static inline struct exact *exact_of(const struct cluster *cl)
{
	return cl->heard;
}

static inline struct exact_hart *heard(const struct hart *h)
{
	return h->heard;
}

/* Where counts go: to places, one after the other, or to the rows of a reader. */
struct sink {
	void (*add)(struct sink *s, uint64_t va, uint32_t raw, unsigned event, uint64_t n);
	struct exact *x;
	struct place *place;
	struct rows *rows;
};
/* The runs of the block that begins at p, as counts of its instructions. */
void exact_resolve(const struct place *p, struct sink *s);

#endif
