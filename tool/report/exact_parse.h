/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_parse.h - reads an exact profile, holter-profile(5), record by record.
 *
 * The file may be damaged or made to do harm: nothing in it is believed before it is checked, and
 * what it makes this hold in memory is bounded (EXACT_NOTE_MAX a note, and no more than a page of
 * records).
 *
 * Calls libzstd.
 */
#ifndef REPORT_EXACT_PARSE_H
#define REPORT_EXACT_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXACT_EVENTS_MAX 4096
#define EXACT_SUMS_MAX	 4096
#define EXACT_SUM_MAX	 256 /* events of a sum */
#define EXACT_NOTES_MAX	 64
#define EXACT_NAME_MAX	 256
#define EXACT_NOTE_MAX	 (64u << 20)

struct exact_why {
	char text[256]; /* what is wrong with the file; one line without its name */
};

struct exact_text { /* and a zero behind it */
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
		bool counted; /* on that machine */
	} event[EXACT_EVENTS_MAX];
	unsigned events;
	struct { /* other names */
		struct exact_text name;
		unsigned nr;
		uint16_t event[EXACT_SUM_MAX];
	} sum[EXACT_SUMS_MAX];
	unsigned sums;
};

enum exact_whose {
	EXACT_OF_PROCESS, /* of the process whose address space it is */
	EXACT_OF_THREADS, /* of the kernel's own threads */
	EXACT_OF_INTERRUPTS,
	EXACT_OF_STARTER, /* of what starts the command, and carries its streams */
};

struct exact_code { /* a page of it */
	enum exact_whose whose;
	unsigned hart, mode; /* 0: U, 1: S, 3: M */
	uint64_t satp, va;
	bool known; /* content is */
	uint64_t content;
};

struct exact_cell {
	unsigned event;
	uint64_t count;
};

struct exact_insn {
	uint64_t va;
	uint32_t raw; /* 0: none was executed */
	unsigned nr;
	const struct exact_cell *cell;
};

/* Each may be NULL. */
struct exact_visitor {
	void (*head)(void *cookie, const struct exact_head *head);
	void (*code)(void *cookie, const struct exact_code *code);
	void (*insn)(void *cookie, const struct exact_code *code, const struct exact_insn *insn);
	void *cookie;
};

/* Whether this is the beginning of such a file. */
bool exact_knows(const void *data, size_t len);

/*
 * Reads it all; false: why says what is wrong, and what was visited is of no use.  What the visitor
 * is given lives until its function returns.
 */
bool exact_parse(const void *data, size_t len, const struct exact_visitor *v,
		 struct exact_why *why);

/* The text of a note, NULL if there is none of that name. */
const struct exact_text *exact_note(const struct exact_head *head, const char *name);

#endif
