/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * self.h - runs a command of this program as another process: commands do not call each other.
 */
#ifndef TOOL_COMMON_SELF_H
#define TOOL_COMMON_SELF_H

/*
 * Runs holter with these words (up to a NULL; words[0] is the command) and waits for its end.  Its
 * standard input is /dev/null, its standard output is the descriptor out.  Returns its exit status,
 * 128 plus the number of the signal that ended it, or -1 after printing an error.
 */
int self_run(const char *const *words, int out);

#endif
