/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symbols.h - which function is at an address: a sorted table, filled from an ELF file or from
 * kallsyms.  Calls nothing but the C library.
 */
#ifndef TOOL_SYMBOLS_H
#define TOOL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of several names for one address the first of these is shown. */
enum symbol_binding {
	SYMBOL_GLOBAL,
	SYMBOL_WEAK,
	SYMBOL_LOCAL,
};

struct symbol {
	uint64_t addr;
	uint64_t size; /* 0: up to the next one */
	char *name;
	enum symbol_binding binding;
};

struct symbol_table { /* all zero: empty */
	struct symbol *at;
	size_t nr, room;
};

/*
 * Adds a symbol, unless its name is one that the tools put in (.L1, $x): those are not functions.
 * The name is copied.  False: no memory.
 */
bool symbols_add(struct symbol_table *t, uint64_t addr, uint64_t size, const char *name, size_t len,
		 enum symbol_binding binding);

/* When all are there: sorts them, and leaves one name for each address. */
void symbols_sort(struct symbol_table *t);

/* Of a sorted table, the symbol that has the address; NULL if none has. */
const struct symbol *symbols_find(const struct symbol_table *t, uint64_t addr);

/* Where a symbol ends: by its size, or where the next one begins (UINT64_MAX if none does). */
uint64_t symbols_end(const struct symbol_table *t, const struct symbol *s);

void symbols_free(struct symbol_table *t); /* what it holds */

#endif
