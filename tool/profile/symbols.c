// SPDX-License-Identifier: BSD-2-Clause
/*
 * symbols.c - finds the function at an address (symbols.h).
 */
#include <stdlib.h>
#include <string.h>

#include "symbols.h"
#include "vec.h"

/*
 * True for local labels of the compiler (.L1, .Ltmp2) and for mapping symbols ($x: code begins,
 * $d: data begins; RISC-V ELF psABI).  Linux adds __pi_ to all names, these too, of code that runs
 * before the kernel is mapped.
 */
static bool is_marker(const char *name, size_t len)
{
	if (len > 5 && !memcmp(name, "__pi_", 5)) {
		name += 5;
		len -= 5;
	}
	return !len || name[0] == '$' || (len > 1 && name[0] == '.' && name[1] == 'L');
}

bool symbols_add(struct symbol_table *t, uint64_t addr, uint64_t size, const char *name, size_t len,
		 enum symbol_binding binding)
{
	struct symbol *s;

	if (is_marker(name, len))
		return true;
	if (!VEC_ROOM(t, 1))
		return false;
	s = &t->at[t->nr];
	*s = (struct symbol){ addr, size, strndup(name, len), binding };
	if (!s->name)
		return false;
	t->nr++;
	return true;
}

static unsigned underscores(const char *name)
{
	return strspn(name, "_");
}

/* Orders by address.  At one address, the name to keep comes first: the one that perf shows. */
static int compare(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	if (!a->size != !b->size)
		return a->size ? -1 : 1;
	if (a->binding != b->binding)
		return a->binding < b->binding ? -1 : 1;
	if (underscores(a->name) != underscores(b->name))
		return underscores(a->name) < underscores(b->name) ? -1 : 1;
	if (strlen(a->name) != strlen(b->name))
		return strlen(a->name) > strlen(b->name) ? -1 : 1;
	return strcmp(a->name, b->name);
}

void symbols_sort(struct symbol_table *t)
{
	size_t kept = 0;

	if (!t->nr)
		return;
	VEC_SORT(t, compare);
	for (size_t i = 1; i < t->nr; i++) {
		if (t->at[i].addr == t->at[kept].addr)
			free(t->at[i].name);
		else
			t->at[++kept] = t->at[i];
	}
	t->nr = kept + 1;
}

uint64_t symbols_end(const struct symbol_table *t, const struct symbol *s)
{
	if (s->size)
		return s->size < UINT64_MAX - s->addr ? s->addr + s->size : UINT64_MAX;
	return s + 1 < t->at + t->nr ? s[1].addr : UINT64_MAX;
}

const struct symbol *symbols_find(const struct symbol_table *t, uint64_t addr)
{
	size_t low = 0, high = t->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (t->at[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low && addr < symbols_end(t, &t->at[low - 1]) ? &t->at[low - 1] : NULL;
}

void symbols_free(struct symbol_table *t)
{
	for (size_t i = 0; i < t->nr; i++)
		free(t->at[i].name);
	free(t->at);
	*t = (struct symbol_table){ 0 };
}
