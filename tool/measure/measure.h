/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * measure.h - exact counts of one command in the guest: holter run makes a profile of it, from
 * which other commands read what the command itself did.  This header is the door of tool/measure.
 *
 * The name of an event may end with :u (user code), :k (the kernel) or :m (firmware).
 */
#ifndef TOOL_MEASURE_H
#define TOOL_MEASURE_H

#include "report.h"

struct json;

struct measure_words {
	char **at;
	size_t nr, size; /* vec.h */
};

/* Copies the word.  False: there is no memory. */
bool measure_add_word(struct measure_words *words, const char *word);
void measure_clear_words(struct measure_words *words);

/* Writes the words as an array, a member of the object that is open in j. */
void measure_write_words(struct json *j, const char *key, const struct measure_words *words);

/* Makes a file in memory for a profile, and its path.  Returns -1 after printing an error. */
#define MEASURE_PATH_SIZE 32
int measure_profile(char path[MEASURE_PATH_SIZE]);

/*
 * Runs a command on a machine, both as holter run takes them, and writes its exact profile to the
 * file path, which is open as fd.  Its output goes to the descriptor out, its errors to standard
 * error.  Returns its status; -1: there is no profile, and an error was printed.
 */
int measure_run(const struct measure_words *machine, const struct measure_words *command,
		const char *path, int fd, int out);

/* Sums an event of a loaded profile.  False: the profile has no such event. */
bool measure_event(const struct report *r, const char *name, uint64_t *count);

struct measure_function {
	char *name;
	uint64_t count;
};

struct measure_functions {
	struct measure_function *at; /* the highest counts first; equal ones by name */
	size_t nr, size; /* vec.h */
};

/* Copies the name.  False: there is no memory. */
bool measure_add_function(struct measure_functions *to, const char *name, uint64_t count);
void measure_clear_functions(struct measure_functions *functions);

/*
 * Lists the functions of an event of a loaded profile that is resolved: those of one name are one.
 * False: there is no memory.
 */
bool measure_functions(struct report *r, const char *name, struct measure_functions *to);

/* The length of an event's name without its modifier. */
size_t measure_plain(const char *name);

#endif
