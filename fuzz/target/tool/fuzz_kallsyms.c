// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_kallsyms.c - any text as a kernel's /proc/kallsyms.
 *
 * Must hold: a refused text changes nothing.  An accepted text gives symbols of the kernel and its
 * modules, which are sorted; each has a word of the text as name, and is found at its own address.
 */
#include "fuzz.h"
#include "profile.h"

static void check_table(const struct profile *p, const struct symbol_table *t)
{
	for (size_t n = 0; n < t->nr; n++) {
		const struct symbol *s = &t->at[n];
		uint32_t found;

		must(*s->name && !strpbrk(s->name, " \t\n"));
		must(s->addr && !s->size);
		must(!n || s[-1].addr < s->addr);
		if (s->addr == UINT64_MAX)
			continue;
		must(symbols_find(t, s->addr) == s);
		found = profile_find_kernel(p, s->addr);
		must(found != PROFILE_NONE);
		must(symbols_find(&p->objects.at[found].symbols, s->addr)->addr == s->addr);
	}
}

static void check(const struct profile *p)
{
	for (size_t n = 0; n < p->objects.nr; n++) {
		const struct profile_object *o = &p->objects.at[n];

		must(o->kind == PROFILE_KERNEL || o->kind == PROFILE_MODULE);
		must(*o->path && !strchr(o->path, '\n'));
		check_table(p, &o->symbols);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile *p = profile_new();

	must(p != NULL);
	if (!profile_add_kallsyms(p, (const char *)data, size))
		must(!p->objects.nr);
	check(p);
	profile_free(p);
	return 0;
}
