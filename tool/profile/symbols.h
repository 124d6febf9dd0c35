/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symbols.h - finds the function at an address: a sorted table, filled from an ELF file or from
 * kallsyms.  Calls nothing but the C library.
 */
#ifndef TOOL_SYMBOLS_H
#define TOOL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* If an address has several names, the name whose binding comes first here is shown. */
enum symbol_binding {
	SYMBOL_GLOBAL,
	SYMBOL_WEAK,
	SYMBOL_LOCAL,
};

struct symbol {
	uint64_t addr;
	uint64_t size; /* 0: up to the next symbol */
	char *name;
	enum symbol_binding binding;
};

struct symbol_table { /* all zero: empty */
	struct symbol *at;
	size_t nr, size; /* vec.h */
};

/*
 * Adds a symbol and copies its name.  Ignores names that compilers and assemblers add (.L1, $x):
 * they are not functions.  False: no memory.
 */
bool symbols_add(struct symbol_table *t, uint64_t addr, uint64_t size, const char *name, size_t len,
		 enum symbol_binding binding);

/* Call it after the last symbols_add(): sorts the symbols, and keeps one name for each address. */
void symbols_sort(struct symbol_table *t);

/* Finds the symbol of an address in a sorted table.  NULL: none. */
const struct symbol *symbols_find(const struct symbol_table *t, uint64_t addr);

/* The end of a symbol: from its size, or else the next symbol's address (UINT64_MAX: none). */
uint64_t symbols_end(const struct symbol_table *t, const struct symbol *s);

void symbols_free(struct symbol_table *t); /* frees the contents, not t itself */

#endif
