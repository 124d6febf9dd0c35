/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_parse.h - reads an exact profile, holter-profile(5), record by record.
 *
 * The file may be damaged or malicious: every value is checked before it is used.  Memory use is
 * bounded by the limits below: at most EXACT_NOTE_MAX bytes for a note, and one record at a time.
 *
 * Calls libzstd.
 */
#ifndef REPORT_EXACT_PARSE_H
#define REPORT_EXACT_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "errtext.h"

#define EXACT_EVENTS_MAX 4096
#define EXACT_SUMS_MAX	 4096
#define EXACT_SUM_MAX	 256 /* events of a sum */
#define EXACT_NOTES_MAX	 64
#define EXACT_NAME_MAX	 256
#define EXACT_NOTE_MAX	 (64u << 20)

struct exact_text { /* len bytes, then a zero */
	char *at;
	size_t len;
};

struct exact_head {
	struct {
		struct exact_text name, text;
	} note[EXACT_NOTES_MAX];
	unsigned notes, harts;
	struct {
		struct exact_text name;
		bool counted; /* the recorded machine can count it */
	} event[EXACT_EVENTS_MAX];
	unsigned events;
	struct { /* names that stand for the sum of several events */
		struct exact_text name;
		unsigned nr;
		uint16_t event[EXACT_SUM_MAX];
	} sum[EXACT_SUMS_MAX];
	unsigned sums;
};

enum exact_whose {
	EXACT_OF_PROCESS, /* the process that has the address space */
	EXACT_OF_THREADS, /* kernel threads */
	EXACT_OF_INTERRUPTS, /* interrupt handlers */
	EXACT_OF_STARTER, /* the program that starts the command and copies its input and output */
};

enum { EXACT_MODE_U, EXACT_MODE_S, EXACT_MODE_M = 3 };

struct exact_code { /* a page of code that ran */
	enum exact_whose whose;
	unsigned hart, mode; /* EXACT_MODE_ */
	uint64_t satp, va;
	bool known; /* content is valid */
	uint64_t content;
};

struct exact_cell {
	unsigned event;
	uint64_t count;
};

struct exact_node { /* a path of calls: that of its caller, and one more */
	uint32_t caller; /* a node before this one; 0: none */
	uint64_t va; /* of the call instruction, in the address space of the code that ran */
};

struct exact_nodes { /* node 0 is not a call */
	const struct exact_node *at;
	uint32_t nr;
	uint64_t folded; /* calls that are counted in the node of their caller */
};

struct exact_insn {
	uint64_t va;
	uint32_t call; /* the node on whose path it ran */
	uint32_t raw; /* its encoding; 0: none was executed */
	unsigned nr;
	const struct exact_cell *cell;
};

/* What ran on a hart for one owner in an interval of the time line. */
struct exact_timeline_slice {
	enum exact_whose whose;
	unsigned hart;
	uint64_t interval, satp;
	unsigned nr;
	const struct exact_cell *cell;
};

struct exact_timeline {
	uint64_t ns; /* of an interval */
	bool full; /* what happened after the last slice is not there */
};

struct exact_data;

/*
 * What exact_parse() calls for the head, the nodes, each page and each instruction; each may be
 * NULL.  A file without nodes has no calls.
 */
struct exact_visitor {
	void (*head)(void *cookie, const struct exact_head *head);
	void (*code)(void *cookie, const struct exact_code *code);
	void (*insn)(void *cookie, const struct exact_code *code, const struct exact_insn *insn);
	void *cookie;
	void (*nodes)(void *cookie, const struct exact_nodes *nodes);
	/* The time line, if there is one: after all code, and each slice after that. */
	void (*times)(void *cookie, const struct exact_timeline *times);
	void (*slice)(void *cookie, const struct exact_timeline_slice *slice);
	/* What is known of data (data_parse.h), if anything is: after all code. */
	void (*data)(void *cookie, const struct exact_data *data);
};

/* Whether data begins like an exact profile. */
bool exact_knows(const void *data, size_t len);

/*
 * Reads the whole file.  False: see *why; what the visitor saw is then of no use.  Pointers that
 * the visitor gets are valid until its function returns.
 */
bool exact_parse(const void *data, size_t len, const struct exact_visitor *v,
		 struct error_text *why);

/* Reads only the head, which the caller frees with exact_head_free().  NULL: see *why. */
struct exact_head *exact_parse_head(const void *data, size_t len, struct error_text *why);
void exact_head_free(struct exact_head *head); /* NULL is fine */

/* The text of the note with this name; NULL: there is none. */
const struct exact_text *exact_note(const struct exact_head *head, const char *name);

#endif
