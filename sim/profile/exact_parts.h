/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_parts.h - the data of an exact profile.  exact.c and exact_tasks.c collect it, in the
 * tables of exact_table.c; exact_read.c reads it.
 *
 *	context	an address space, and whether data accesses are translated in it
 *		(EVENTS_TRANSLATED count only if they are)
 *	site	a virtual page of code in a context
 *	version	the content of a site for some time; a site has several if its code was
 *		overwritten
 *	sheet	what a run does and costs, instruction by instruction: a copy, which stays when the
 *		run is freed; runs that are alike share one
 *	place	an instruction of a version, called on one path: its counts, and how often the runs
 *		that begin there have run, by their sheets; that is resolved into instructions
 *		only when the profile is read
 *	key	what counts belong to (tally.h): a context, and a path of calls
 *
 * exact_runs.c resolves how often runs have run.  exact_calls.c keeps the call stacks: which path
 * led to the code that runs.  exact_time.c keeps the time line, exact_data.c what is known of data.
 * A profile of totals has none of these: exact_sums.c keeps it.
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

/* A hash table with chains. */
struct table {
	struct node **bucket;
	size_t size, used;
};

/* A count: the event has happened n times. */
struct cell {
	uint64_t event, n;
};

struct sheet {
	struct node node; /* a hash of the rest; the number of those with this hash before it */
	const struct cost_sum *each; /* with models: the cost of each instruction */
	uint16_t nr;
	bool branches; /* it ends with a conditional branch */
	uint16_t way_cycles[2][BLOCK_RARE];
	struct insn insn[]; /* nr, and one that tells where the last one ends */
};

/*
 * How often runs with this sheet have come to their end, and so on (struct tally).  head: all but
 * their last instruction has retired, besides; last: their last instruction has.
 */
struct times {
	struct times *next; /* the next times of the same place */
	const struct sheet *sheet;
	uint64_t ran[2], head, last, went[2][BLOCK_RARE], fetched[2];
};

struct place {
	struct node node; /* va; the numbers of the version and of the call's node */
	struct place *sibling; /* the next place of the version */
	struct version *version;
	struct times *times; /* of the runs that begin here; the last one that ran is first */
	struct cell *cell;
	uint32_t raw; /* the instruction */
	uint32_t call; /* the node of exact_calls.c */
	uint16_t cells, room; /* used and allocated elements of cell */
};

struct version {
	struct site *site;
	struct version *older;
	struct place *places;
	uint32_t id; /* the versions of a profile have different ones */
	bool known; /* the fields below are set */
	uint64_t content, pa; /* hash of the page; its physical address */
	uint64_t epoch; /* content is valid while cluster.block_epoch has this value, and */
	uint32_t written; /* exact.written of the page has this one */
};

struct site {
	struct node node; /* va, context */
	const struct context *context;
	struct version *now; /* the newest one */
	unsigned versions;
};

struct slot;
struct known_place;
struct exact;
struct calls;
struct call_stack;
struct time_line;
struct time_hart;
struct sums_hart;
struct data;

struct context {
	struct node node; /* satp; the other fields packed into a number */
	uint8_t hart, mode, owner;
	bool translated;
};

struct key {
	struct node node; /* context; the node of exact_calls.c */
	struct tally_key tally;
	const struct context *context;
	uint32_t call;
};

/* The virtual page at which a page of code last ran, in an address space. */
struct frame_at {
	struct node node; /* the page's number, hart and mode; satp */
	uint64_t va;
};

/* The address space in which a task last ran in U-mode. */
struct home {
	struct node node; /* task, 0 */
	uint64_t satp;
};

/* The task that runs on a hart. */
struct exact_task {
	uint8_t owner; /* who owns the present events: an enum exact_owner */
	uint8_t mode; /* of the hart when exact_task_ask() last ran */
	/* The last answer of Linux's memory: */
	uint64_t task, satp; /* the task_struct and satp for which it was asked */
	uint64_t home; /* the address space of the task's process, if the task has left it; or 0 */
	uint8_t owner_of; /* the owner of the task's own work */
	bool ran; /* it was asked in U-mode */
	/* An interrupt is being handled, and this is where it returns to: */
	bool interrupted;
	uint8_t to_mode;
	uint64_t to_pc, to_sp, to_task;
};

/* The calls of the code that runs on a hart, and for which code they were looked up. */
struct exact_calls {
	uint64_t task, satp;
	uint8_t mode, owner;
	uint32_t call; /* the node; 0: none */
	struct call_stack *stack;
};

struct exact_hart {
	struct exact_task task;
	struct exact_calls calls;
	struct time_hart *time; /* exact_time.c; NULL: there is no time line */
	struct sums_hart *sums; /* exact_sums.c; NULL: the profile has places */
	bool process_changed; /* since `time` was last told */
	struct known_place *known; /* a cache of places, by version */
	const struct context *recent[4][2]; /* by mode and `translated` */
	struct slot *slot; /* a cache of places, by context */
};

/* A chunk of memory, from which the elements of tables are taken. */
struct chunk {
	struct chunk *next;
	size_t used;
	uint64_t data[EXACT_CHUNK / 8];
};

struct exact {
	struct cluster *cl;
	struct chunk *chunk;
	struct table contexts, sites, places, homes, keys, frames, sheets;
	uint32_t versions; /* their number */
	struct calls *calls; /* exact_calls.c */
	struct time_line *time; /* exact_time.c; NULL: none */
	struct data *data; /* exact_data.c; NULL: events are not told by data address */
	bool sums; /* exact_sums.c: the profile has totals only */
	uint32_t *written; /* for each page of RAM: how often its code was overwritten */
	uint64_t code; /* the CODE events that this machine has, as bits */
	/* exact_tasks.c: */
	struct exact_tasks tasks;
	bool knows_tasks; /* tasks is set */
	bool found; /* the starter was seen */
	bool started; /* the command has its own address space */
	bool over; /* the command has ended */
	int32_t first; /* process number of the command */
	uint64_t starter_satp;
	bool no_memory; /* an allocation has failed: the profile is not complete */
	struct place lost; /* takes the counts for which there was no memory */
};

/*
 * exact_table.c: memory for the elements of tables.  It is zeroed and lives as long as the profile.
 * NULL: no memory, and x->no_memory is set.
 */
void *exact_alloc(struct exact *x, size_t bytes);

/* exact_table.c: finds the node with the key (a, b) in a table; NULL: there is none. */
struct node *exact_find(const struct table *t, uint64_t a, uint64_t b);

/*
 * exact_table.c: adds an element of so many bytes with the key (a, b), which must be new.  The
 * element begins with its struct node and is zero after it.  NULL: as exact_alloc().
 */
void *exact_new(struct exact *x, struct table *t, size_t bytes, uint64_t a, uint64_t b);

/*
 * exact_tasks.c keeps exact_hart.task.  Call _ask when the task may have changed, _interrupted when
 * the hart takes an interrupt, and _at when the instruction at va is the next one.
 */
void exact_task_ask(struct hart *h);
void exact_task_interrupted(struct hart *h);
void exact_task_at(struct hart *h, uint64_t va);

/* exact_calls.c.  False: no memory. */
bool exact_calls_start(struct exact *x);
void exact_calls_free(struct exact *x);

/* Looks up the calls of the code that runs on a hart, which has another mode, task or space. */
void exact_calls_switch(struct hart *h);

/* The key of the code that runs.  Without memory: one without a listener's fields. */
const struct tally_key *exact_key(struct hart *h);

/* listener.jumped */
void exact_jumped(struct hart *h, const struct block_run *r, uint64_t target);

/*
 * exact_time.c.  _ticks: an interval has ended.  _changed: the mode, task or address space has
 * changed; _process: what runs now belongs to the new one.
 */
void exact_time_ticks(struct hart *h);
void exact_time_changed(struct hart *h);
void exact_time_process(struct hart *h);
void exact_time_free(struct exact *x);

/* exact_sums.c: exact_read() of totals. */
void exact_sums_read(struct cluster *cl, const struct exact_reader *r);

/* exact_read.c: whose work the events of a context are. */
enum exact_owner exact_owner_of(const struct exact *x, const struct context *c);

/* exact_calls.c: whether va is on the memory stack of the code that runs. */
bool exact_calls_on_stack(const struct hart *h, uint64_t va);

/* The profile of a machine, and its data of one hart. */
static inline struct exact *exact_of(const struct cluster *cl)
{
	return cl->heard;
}

static inline struct exact_hart *heard(const struct hart *h)
{
	return h->heard;
}

/* Where exact_resolve() adds its counts. */
struct sink {
	void (*add)(struct sink *s, uint64_t va, uint32_t raw, unsigned event, uint64_t n);
	struct exact *x;
	struct place *place; /* exact.c: of the last instruction */
	struct rows *rows; /* exact_read.c */
};

/*
 * exact_runs.c.  _resolve: the runs that begin at p as counts of their instructions.
 * _add_retired: instruction i, at va, has retired so many times; with models without its cycles,
 * which _add_cost adds.  _lines_at: how many lines of L1I instruction n of a run, which is at va,
 * reaches and those before it do not.  _find_times: the times of r at p, which are then the first
 * ones; NULL: no memory.
 */
void exact_resolve(const struct place *p, struct sink *s);
void exact_add_retired(struct sink *s, uint64_t va, const struct insn *i, bool translated,
		       uint64_t runs);
void exact_add_cost(struct sink *s, uint64_t va, const struct insn *i, const struct cost_sum *sum,
		    uint64_t runs);
unsigned exact_lines_at(const struct cluster *cl, const struct insn insn[], uint64_t va,
			unsigned n);
bool exact_is_paged(const struct context *c);
struct times *exact_find_times(struct hart *h, struct place *p, struct block_run *r);

#endif
