/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h - where events happened: what holter report and holter annotate show, whatever kind of
 * file it was read from (the samples of a perf.data, the counts of an exact profile).
 *
 *	event	  what was counted, and whether its weights are counts or samples that stand for some
 *	process	  an address space: pid and command
 *	object	  what has code: a program, a library, the kernel, a module, the firmware
 *	place	  (process, object, address in the object)
 *	stack	  (place, the stack of its caller): a path through a tree of calls.  Without call chains
 *		  every stack is one place deep
 *
 * Each stack has for each event a weight and a number of samples: those of its innermost place, not
 * of what it called.  All are named by index, from 0; adding what is there already returns its
 * index, so that a reader need not look.
 *
 * The one error is that memory ran out: then the adding functions return PROFILE_NONE, which they
 * take, too, and profile->no_memory is set; a reader looks at it once, at its end.
 *
 * Calls symbols.h, and otherwise nothing but the C library.
 */
#ifndef TOOL_PROFILE_H
#define TOOL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols.h"

#define PROFILE_NONE	 UINT32_MAX
#define PROFILE_BUILD_ID 20 /* bytes; shorter ones are padded with zeros by no one: size says */

enum profile_kind {
	PROFILE_USER, /* a file that processes map */
	PROFILE_KERNEL,
	PROFILE_MODULE,
	PROFILE_FIRMWARE, /* in M-mode, or a program without an operating system */
	PROFILE_VDSO, /* a library that the kernel gives to each process, and is no file */
	PROFILE_ANON, /* code that is in no file: written by the program itself */
	PROFILE_UNKNOWN, /* nothing is known to have been at the address */
};

struct profile_event {
	char *name;
	bool exact; /* weights are counts of what happened; else periods of samples */
	uint64_t total; /* sum of all weights */
	uint64_t samples;
};

struct profile_process {
	int64_t pid; /* -1: not known */
	char *comm;
};

/*
 * Addresses of a PROFILE_USER or PROFILE_VDSO object are offsets in its file, which say the same wherever a process
 * maps it; all others are the addresses at which the code ran (those that kallsyms has, those that
 * the firmware is linked at).
 */
struct profile_object {
	enum profile_kind kind;
	char *path; /* or [kernel], [module], [vdso], [unknown] */
	uint8_t build_id[PROFILE_BUILD_ID];
	uint8_t build_id_size; /* 0: not known */
	int64_t bias; /* address here - address in the ELF file, for those that are no offsets */
	struct symbol_table
		symbols; /* that the profile brings, sorted; else the ELF file's are taken */
};

static inline bool profile_has_offsets(const struct profile_object *o)
{
	return o->kind == PROFILE_USER || o->kind == PROFILE_VDSO;
}

struct profile_place {
	uint32_t process, object;
	uint64_t addr;
};

struct profile_stack {
	uint32_t place;
	uint32_t caller; /* a stack, or PROFILE_NONE: the outermost, or callers are not known */
};

struct profile_weight {
	uint64_t weight;
	uint64_t samples; /* 0 throughout in an exact profile */
};

struct profile_index { /* finds what is there already; profile.c's */
	uint32_t *slot;
	size_t size, used;
};

/* An array of the profile: nr elements, room for size. */
#define PROFILE_ARRAY(type)                                                                        \
	struct {                                                                                   \
		type *at;                                                                          \
		size_t nr, size;                                                                   \
	}

struct profile {
	PROFILE_ARRAY(struct profile_event) events;
	PROFILE_ARRAY(struct profile_process) processes;
	PROFILE_ARRAY(struct profile_object) objects;
	PROFILE_ARRAY(struct profile_place) places;
	PROFILE_ARRAY(uint32_t) code; /* by place, as far as it reaches: profile_set_code */
	PROFILE_ARRAY(struct profile_stack) stacks;
	PROFILE_ARRAY(struct profile_weight) weights; /* [stack * events.nr + event] */
	bool has_chains; /* some stack has a caller */
	bool no_memory;
	uint64_t lost; /* samples that did not reach the file */
	uint64_t throttled; /* times that the kernel held back samples */
	uint64_t stack_copies,
		stacks_unwound; /* samples with one, and those whose callers it told */
	/* What the file says of its machine and making; NULL where it does not. */
	char *hostname, *release, *arch, *command;
	char *kernel_symbol; /* a symbol of the kernel, and where it was when this was recorded */
	uint64_t kernel_addr;
	PROFILE_ARRAY(char *) notes; /* what a person must know of it: a line each */
	struct profile_index object_index, place_index, stack_index;
};

struct profile *profile_new(void); /* NULL: no memory */
void profile_free(struct profile *p); /* NULL is fine */

/*
 * An event; all before the first stack (PROFILE_NONE after it).  Two events of one name are two.
 * Names are copied here and below.
 */
uint32_t profile_add_event(struct profile *p, const char *name, bool exact);

/* A process, a new one each time: who adds knows when two are the same (pids come again). */
uint32_t profile_add_process(struct profile *p, int64_t pid, const char *comm);

/* build_id: size bytes (cut at PROFILE_BUILD_ID), or size 0.  The same kind, path and id are one. */
uint32_t profile_add_object(struct profile *p, enum profile_kind kind, const char *path,
			    const void *build_id, size_t size);

uint32_t profile_add_place(struct profile *p, uint32_t process, uint32_t object, uint64_t addr);

/* The instruction that ran at a place, as in memory: 16 or 32 bits, not 0. */
void profile_set_code(struct profile *p, uint32_t place, uint32_t raw);

/* 0: not known. */
static inline uint32_t profile_code(const struct profile *p, uint32_t place)
{
	return place < p->code.nr ? p->code.at[place] : 0;
}

uint32_t profile_add_stack(struct profile *p, uint32_t place, uint32_t caller);

/* Adds to a stack's weight and samples of one event.  PROFILE_NONE for the stack adds nothing. */
void profile_add(struct profile *p, uint32_t stack, uint32_t event, uint64_t weight,
		 uint64_t samples);

static inline struct profile_weight *profile_weight(const struct profile *p, uint32_t stack,
						    uint32_t event)
{
	return &p->weights.at[(size_t)stack * p->events.nr + event];
}

void profile_add_note(struct profile *p, const char *text);

/*
 * Reads kallsyms text (what /proc/kallsyms has: address, type, name, [module]) into the symbols of
 * the objects "[kernel]" (PROFILE_KERNEL) and "[name]" (PROFILE_MODULE), which it adds.  False if it
 * is none, or if all addresses are 0, which is what those see who may not: then nothing is added.
 */
bool profile_add_kallsyms(struct profile *p, const char *text, size_t len);

/* The PROFILE_KERNEL or PROFILE_MODULE object that kallsyms says the address is in, or NONE. */
uint32_t profile_find_kernel(const struct profile *p, uint64_t addr);

#endif
