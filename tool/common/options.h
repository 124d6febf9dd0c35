/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options.h - the options of a command, as one table of rows.
 *
 * Parsing, error messages, --help, the completion of a shell and the test of the manual pages all
 * read the table: an option stands in it once.  An option with a value is refused when it is given
 * again, so that no value is ignored silently, unless its kind may be repeated.  --help=options
 * lists the rows for programs: option, TAB, argument.
 */
#ifndef TOOL_COMMON_OPTIONS_H
#define TOOL_COMMON_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_kind {
	OPTION_END, /* after the last row */
	OPTION_ON, /* no value: the field, a bool, becomes true */
	OPTION_OFF, /* no value: it becomes false */
	OPTION_SET, /* no value: the field, an integer, becomes low */
	OPTION_TEXT, /* the field, a const char *, points to the value */
	OPTION_CHOICE, /* the same; the value is one of the words in argument: "all|none" */
	OPTION_TEXTS, /* may be repeated: the value is appended to a struct option_texts */
	OPTION_NUMBER, /* an integer from low to high; the field has any size */
	OPTION_SIZE, /* the same, with K, M or G (1024) after it */
	OPTION_TIME, /* nanoseconds of the guest, a uint64_t: 500ms, 2s, 100us, 30ns or 30 */
	OPTION_REAL, /* a double from low to high */
	OPTION_CALL, /* call() takes the value */
	OPTION_CALLS, /* the same; may be repeated: call() adds each value to the others */
	OPTION_FACT, /* no option: true if a byte of the field is not 0; for rules */
};

struct option_row {
	enum option_kind kind;
	const char *name; /* without dashes; NULL: there is only a letter */
	char letter; /* 0: there is only a name */
	const char *argument; /* the value's name in --help; NULL: there is no value */
	const char *help; /* of OPTION_FACT: how a message names it */
	size_t offset, size; /* the field: OPTION_FIELD() */
	uint64_t low, high; /* both included; high OPTION_OPEN: no bound that is worth showing */
	const char *standard; /* the default, as --help shows it; or NULL */
	const char *group; /* a heading of --help; NULL: the one of the row before */
	/* OPTION_CALL and OPTION_CALLS: 0, or 2 after an error message. */
	int (*call)(void *field, const struct option_row *row, const char *value);
};

#define OPTION_FIELD(type, member)                                                                 \
	.offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define OPTION_OPEN INT64_MAX

struct option_texts {
	const char **at; /* the caller frees this array */
	size_t nr, size; /* vec.h */
};

/* Options that exclude or need each other, so that nothing is ignored silently. */
struct option_rule {
	const char *option; /* a row's name or letter, as all here; NULL: the rule always holds */
	enum { OPTION_EXCLUDES, OPTION_NEEDS } how;
	const char *others; /* separated by blanks: none of them, or at least one of them */
	const char *text; /* why; without an option the whole message */
};

/*
 * Options of other programs, and what does the same here; or our own ones that have a value there
 * but not here, and what they do.
 */
struct option_habit {
	const char *options; /* separated by blanks: "-n --show-nr-samples", "-nographic" */
	const char *instead; /* the text after the colon */
};

struct options {
	const char *usage; /* the forms of the command line, one a line, without "holter" */
	const char *about; /* what the command does */
	const struct option_row *rows;
	const char *end; /* the last lines of --help; NULL: none */
	const struct option_rule *rules; /* up to one without others; NULL: none */
	const struct option_habit *habits; /* up to one without options; NULL: none */
	bool first; /* the first operand ends the options: it is a command with its own options */
	/*
	 * Takes each operand before "--": 0, or 2 after an error message.  NULL: they stay in argv.
	 */
	int (*operand)(void *to, const char *word);
};

#define OPTIONS_MAX 64 /* rows of a table */

struct options_read {
	const struct options *options;
	void *to; /* the struct that has the fields */
	const char *command; /* argv[0] */
	bool given[OPTIONS_MAX]; /* by row */
	bool letter[OPTIONS_MAX]; /* it was given as a letter */
};

/*
 * Reads argv's options into to; argv[0] is the command.  -1: go on with argv[optind].  Else the
 * command ends with this status, after --help or an error message.
 */
int options_read(struct options_read *r, const struct options *o, void *to, int argc, char **argv);

/* Checks the rules: 0, or 2 after the message of the first that is broken. */
int options_check(const struct options_read *r);

/* Whether an option was given, or a fact is true; name is a row's name or letter. */
bool options_given(const struct options_read *r, const char *name);

/*
 * Refuses the operand that *operand points to in argv, if it is a value that another program takes
 * after this option: one of the words in values, perhaps with a comma and more after it.  A file
 * of that name, or "--" before it, makes it an operand.  0, or 2 after an error message.
 */
int options_no_value(const struct options_read *r, const char *name, const char *values,
		     char *const *operand);

/* The last value of one option, before anything else is read; NULL: it is not in argv. */
const char *options_value(const struct options *o, const char *name, int argc, char **argv);

/*
 * An integer from low to high; with units K, M or G may follow.  0, or 2 after an error message
 * that begins with what.
 */
int options_number(const char *what, const char *text, uint64_t low, uint64_t high, bool units,
		   uint64_t *value);

/* The call of a row --with: takes a list of names of Debian's packages as a const char *. */
int options_packages(void *with, const struct option_row *row, const char *list);

/* What a list of habits says of an option, which ends at its =; NULL: nothing. */
const char *options_instead(const struct option_habit *habits, const char *option);

/* What is wrong with a table, for --help=options and tests; NULL: nothing. */
const char *options_fault(const struct options *o);

#endif
