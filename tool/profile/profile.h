/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h - where events happened, as holter report and holter annotate show it.  A reader fills
 * it from a file: the samples of a perf.data, or the counts of an exact profile.  profile.c and
 * kallsyms.c define its functions.
 *
 *	event	  what was counted; its weights are exact counts, or estimates from samples
 *	process	  an address space: pid and command
 *	object	  something that has code: a program, library, kernel, kernel module or firmware
 *	place	  (process, object, address in the object)
 *	stack	  (place, the stack of its caller): a path through the tree of calls.  Without call
 *		  chains every stack is one place deep
 *
 * For each event, a stack has a weight and a number of samples.  They are those of its innermost
 * place, without the functions that this place called.
 *
 * Indices from 0 name events, processes and so on.  Objects, places and stacks exist once: adding
 * one again returns its index, so a reader need not search.
 *
 * The only error is lack of memory.  Then the adding functions return PROFILE_NONE and set
 * profile->no_memory.  They also accept PROFILE_NONE as argument, so a reader checks no_memory only
 * once, at its end.
 *
 * Calls symbols.h, idmap.h and lib/util, and otherwise nothing but the C library.
 */
#ifndef TOOL_PROFILE_H
#define TOOL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"
#include "idmap.h"
#include "leb.h"
#include "symbols.h"
#include "vec.h"

#define PROFILE_NONE	 UINT32_MAX
#define PROFILE_BUILD_ID 20 /* most bytes of a build id; build_id_size has its size */

enum profile_kind {
	PROFILE_USER, /* a file that processes map: a program or a library */
	PROFILE_KERNEL,
	PROFILE_MODULE,
	PROFILE_FIRMWARE, /* firmware, a bare-metal program, or a kernel at its linked addresses */
	PROFILE_VDSO, /* the library that the kernel maps into each process, without a file */
	PROFILE_ANON, /* code without a file: the program generated it */
	PROFILE_JIT, /* the same, and the program wrote it to a jitdump file */
	PROFILE_UNKNOWN, /* we do not know what was at the address */
};

struct profile_event {
	char *name;
	bool exact; /* weights are exact counts; false: sums of sampling periods */
	uint64_t total; /* sum of all weights */
	uint64_t samples;
};

struct profile_process {
	int64_t pid; /* -1: not known */
	char *comm;
};

/*
 * Addresses of a PROFILE_USER, PROFILE_VDSO or PROFILE_JIT object are offsets in its file: they do
 * not depend on where a process has the code, or on what was there before.  All others are the
 * addresses at which the code ran: those in kallsyms, those that the firmware is linked at.
 */
struct profile_object {
	enum profile_kind kind;
	char *path; /* or [kernel], [module], [vdso], [unknown] */
	uint8_t build_id[PROFILE_BUILD_ID];
	uint8_t build_id_size; /* 0: not known */
	int64_t bias; /* address here - address in the ELF file, unless they are offsets */
	struct symbol_table symbols; /* those in the profile, sorted; empty: use the ELF file's */
	struct symbol_table variables; /* of data; the same */
	char *jitdump; /* of PROFILE_JIT: the file; NULL: none */
	size_t jitdump_size;
	bool jitdump_riscv; /* its code is of RISC-V */
};

static inline bool profile_has_offsets(const struct profile_object *o)
{
	return o->kind == PROFILE_USER || o->kind == PROFILE_VDSO || o->kind == PROFILE_JIT;
}

struct profile_place {
	uint32_t process, object;
	uint64_t addr;
};

/*
 * Tells functions apart: of() returns the same number for all places of one function of an object,
 * and different ones for those of two.  A function is of one process and one object.
 */
struct profile_functions {
	uint64_t (*of)(void *cookie, const struct profile_place *place); /* NULL: not known */
	void *cookie;
};

struct profile_stack {
	uint32_t place; /* PROFILE_NONE: neither it nor what it calls has a count */
	uint32_t caller; /* a stack; PROFILE_NONE: outermost place, or callers not known */
};

struct profile_weight {
	uint64_t weight;
	uint64_t samples; /* always 0 in an exact profile */
};

/* Counts of an event.  An event may have several parts: then their counts are added. */
struct profile_part {
	uint32_t event;
	/*
	 * Numbers in LEB128: how far each stack is from the one before, and its count.  dense:
	 * there are counts alone, those of all stacks, and some are 0.
	 */
	struct leb_bytes stacks, counts;
	bool dense;
};

/* What a process did on a hart in an interval of time: counts by event, in profile.slice_counts. */
struct profile_slice {
	uint64_t interval;
	uint32_t process;
	unsigned hart;
};

struct profile {
	VEC(struct profile_event) events;
	VEC(struct profile_process) processes;
	VEC(struct profile_object) objects;
	VEC(struct profile_place) places;
	VEC(uint32_t) code; /* by place; may have fewer elements: profile_code() */
	VEC(struct profile_stack) stacks;
	/*
	 * By place: its function, when the stacks were made.  Then the first place of a function
	 * stands for all of them in stacks.  Empty: each stack has its own place.
	 */
	VEC(uint32_t) function;
	/*
	 * The counts: of each stack and event, [stack * events.nr + event]; or, of an exact
	 * profile, only those that are not 0, in parts.  profile_column() reads both.
	 */
	VEC(struct profile_weight) weights;
	VEC(struct profile_part) parts;
	bool has_parts; /* weights is empty */
	VEC(void *) memory; /* what parts of the profile are in; freed with it */
	void *mapped; /* a file that parts are in; NULL: none; unmapped with the profile */
	size_t mapped_size;
	/* profile_pack() */
	uint8_t *packed; /* of each stack, event and weight in LEB128 */
	size_t *packed_at; /* by stack, and the end; NULL: not packed */
	bool has_chains; /* some stack has a caller */
	bool no_memory;
	uint64_t lost; /* samples that did not reach the file */
	uint64_t throttled; /* times that the kernel throttled sampling */
	/* Samples with a copy of the stack; those of them whose callers the unwinder found. */
	uint64_t stack_copies, stacks_unwound;
	/* Facts about the recorded machine and the recording; NULL: not in the file. */
	char *hostname, *release, *arch, *command;
	char *cpu; /* of the machine of an exact profile, with what --set has changed */
	char *extensions; /* of the recorded CPU: names with a space between them */
	char *kernel_symbol; /* a symbol of the kernel */
	uint64_t kernel_addr; /* its address during the recording */
	VEC(char *) sums; /* names of other events, which the reader adds if they are asked for */
	VEC(char *) notes; /* lines that the report shows to its reader */
	/* The time line of an exact profile, with intervals of slice_ns nanoseconds; or 0. */
	uint64_t slice_ns;
	VEC(struct profile_slice) slices;
	VEC(uint64_t) slice_counts; /* [slice * events.nr + event] */
	struct profile_data *data; /* of an exact profile (profile_data.h); NULL: not loaded */
	bool has_data; /* the file has such data, loaded or not */
	struct idmap object_index, place_index, stack_index; /* by hash; private to profile.c */
};

struct profile *profile_new(void); /* NULL: no memory */
void profile_free(struct profile *p); /* NULL is fine */

/* Whether the recording says that its CPU has this extension. */
bool profile_cpu_has(const struct profile *p, const char *extension);

/*
 * Adds an event.  Add all events before the first stack; later, it returns PROFILE_NONE.  Two
 * events may have the same name.  This and the functions below copy their strings.
 */
uint32_t profile_add_event(struct profile *p, const char *name, bool exact);

/* Adds a new process each time.  The caller knows which are the same: pids are used again. */
uint32_t profile_add_process(struct profile *p, int64_t pid, const char *comm);

/*
 * build_id: size bytes, of which at most PROFILE_BUILD_ID are kept; size 0: not known.  Objects
 * with the same kind, path and build id are the same.
 */
uint32_t profile_add_object(struct profile *p, enum profile_kind kind, const char *path,
			    const void *build_id, size_t size);

uint32_t profile_add_place(struct profile *p, uint32_t process, uint32_t object, uint64_t addr);

/* Sets the instruction that ran at a place: its encoding, 16 or 32 bits, not 0. */
void profile_set_code(struct profile *p, uint32_t place, uint32_t raw);

/* The instruction that ran at a place; 0: not known. */
static inline uint32_t profile_code(const struct profile *p, uint32_t place)
{
	return place < p->code.nr ? p->code.at[place] : 0;
}

uint32_t profile_add_stack(struct profile *p, uint32_t place, uint32_t caller);

/*
 * Adds to a stack's weight and samples of one event.  Does nothing if one is PROFILE_NONE.  The
 * profile must have no parts.
 */
void profile_add(struct profile *p, uint32_t stack, uint32_t event, uint64_t weight,
		 uint64_t samples);

/* A count of an event that is not 0. */
struct profile_stack_count {
	uint32_t stack;
	uint64_t weight, samples;
};

/* Goes through the counts of an event. */
struct profile_column {
	const struct profile *p;
	uint32_t event;
	size_t next; /* part; of weights: stack */
	bool dense;
	uint64_t stack; /* the last one; before the first one of a dense part: UINT64_MAX */
	struct leb_in stacks, counts;
};

static inline struct profile_column profile_column(const struct profile *p, uint32_t event)
{
	return (struct profile_column){ .p = p, .event = event };
}

/* Goes to the next part of the event.  False: there is none. */
bool profile_column_part(struct profile_column *c);

/* The next count of weights.  False: there is none. */
bool profile_column_weight(struct profile_column *c, struct profile_stack_count *cell);

/*
 * The next count.  Stacks ascend within a part, and one may come several times.  False: there is
 * none.
 */
static inline bool profile_column_next(struct profile_column *c, struct profile_stack_count *cell)
{
	if (!c->p->has_parts)
		return profile_column_weight(c, cell);
	for (;;) {
		const struct leb_in *in = c->dense ? &c->counts : &c->stacks;

		if (in->at == in->end) {
			if (!profile_column_part(c))
				return false;
			continue;
		}
		c->stack += c->dense ? 1 : leb_in_get(&c->stacks);
		if (c->stack >= c->p->stacks.nr)
			return false;
		*cell = (struct profile_stack_count){ (uint32_t)c->stack, leb_in_get(&c->counts),
						      0 };
		if (cell->weight)
			return true;
	}
}

/*
 * Adds the next eight counts to *sum if they are small, and of stacks one after the other that
 * come before `end`: most are.
 */
static inline bool profile_column_eight(struct profile_column *c, uint32_t end, uint64_t *sum)
{
	uint64_t counts;

	if (c->counts.end - c->counts.at < 8 || c->stack + 8 >= end ||
	    c->stack + 8 >= c->p->stacks.nr)
		return false;
	counts = le64(c->counts.at);
	if (!leb_are_small(counts) ||
	    (!c->dense && (c->stacks.end - c->stacks.at < 8 || le64(c->stacks.at) != LEB_ONES)))
		return false;
	*sum += leb_sum(counts);
	c->stack += 8;
	c->stacks.at += c->dense ? 0 : 8;
	c->counts.at += 8;
	return true;
}

/*
 * Sorts the counts of an exact profile by stack, for profile_counts() and profile_weight().  Takes
 * time and memory: who can goes through columns.  False: no memory.
 */
bool profile_pack(struct profile *p);

/* A count of a stack that is not 0. */
struct profile_count {
	uint32_t event;
	uint64_t weight, samples;
};

/* Goes through the counts of a stack, after profile_pack(). */
struct profile_counts {
	const struct profile_weight *weight; /* NULL: packed */
	uint32_t event, events;
	struct leb_in in;
};

static inline struct profile_counts profile_counts(const struct profile *p, uint32_t stack)
{
	size_t nr = p->events.nr;

	if (!p->has_parts)
		return (struct profile_counts){ .weight = p->weights.at + stack * nr,
						.events = (uint32_t)nr };
	return (struct profile_counts){ .in = { p->packed + p->packed_at[stack],
						p->packed + p->packed_at[stack + 1], false } };
}

/* The next count; events ascend, and one may come several times.  False: there is none. */
static inline bool profile_next(struct profile_counts *c, struct profile_count *count)
{
	if (!c->weight) {
		if (c->in.at == c->in.end)
			return false;
		count->event = (uint32_t)leb_in_get(&c->in);
		count->weight = leb_in_get(&c->in);
		count->samples = 0;
		return true;
	}
	for (; c->event < c->events; c->event++) {
		const struct profile_weight *w = &c->weight[c->event];

		if (!w->weight && !w->samples)
			continue;
		*count = (struct profile_count){ c->event++, w->weight, w->samples };
		return true;
	}
	return false;
}

/* The count of a stack and an event, after profile_pack(). */
static inline struct profile_weight profile_weight(const struct profile *p, uint32_t stack,
						   uint32_t event)
{
	struct profile_counts counts = profile_counts(p, stack);
	struct profile_weight sum = { 0, 0 };
	struct profile_count c;

	if (!p->has_parts)
		return p->weights.at[(size_t)stack * p->events.nr + event];
	while (profile_next(&counts, &c) && c.event <= event)
		sum.weight += c.event == event ? c.weight : 0;
	return sum;
}

void profile_add_note(struct profile *p, const char *text);

/*
 * Adds up the slices of one interval, hart and process, of which there may be several, such as the
 * interrupts of each task.  Those of each hart are in the order of intervals; the harts take turns.
 */
void profile_join_slices(struct profile *p);
void profile_add_sum(struct profile *p, const char *name);

/*
 * Reads text in the format of /proc/kallsyms (address, type, name, [module]).  Adds the objects
 * "[kernel]" (PROFILE_KERNEL) and "[name]" (PROFILE_MODULE) with their symbols.  False, and
 * nothing is added: the format is another one, or all addresses are 0, as the kernel shows them to
 * users without the privilege.
 */
bool profile_add_kallsyms(struct profile *p, const char *text, size_t len);

/* The PROFILE_KERNEL or PROFILE_MODULE object whose symbols have the address, or PROFILE_NONE. */
uint32_t profile_find_kernel(const struct profile *p, uint64_t addr);

/* The same by their symbols of data. */
uint32_t profile_find_kernel_variable(const struct profile *p, uint64_t addr);

#endif
