// SPDX-License-Identifier: BSD-2-Clause
/*
 * kallsyms.c - reads the kernel's symbols in the format of /proc/kallsyms (profile.h).
 *
 * A line is "ffffffff80002000 T name", or "ffffffff01234000 t name\t[module]" for a module's
 * symbol.
 */
#include <string.h>

#include "number.h"
#include "profile.h"

struct line {
	uint64_t addr;
	char type;
	const char *name, *module; /* module with its brackets; empty: the symbol is the kernel's */
	size_t name_len, module_len;
};

static size_t word(const char **at, const char *end)
{
	const char *start;

	while (*at < end && (**at == ' ' || **at == '\t'))
		++*at;
	start = *at;
	while (*at < end && **at != ' ' && **at != '\t')
		++*at;
	return *at - start;
}

static bool parse_line(const char *at, const char *end, struct line *l)
{
	size_t len = word(&at, end);

	if (memchr(at, '\0', end - at))
		return false;
	if (!number_hex(at - len, len, &l->addr))
		return false;
	if (word(&at, end) != 1)
		return false;
	l->type = at[-1];
	l->name_len = word(&at, end);
	l->name = at - l->name_len;
	l->module_len = word(&at, end);
	l->module = at - l->module_len;
	return l->name_len > 0;
}

static uint32_t object_of(struct profile *p, const struct line *l)
{
	char name[128];

	if (!l->module_len)
		return profile_add_object(p, PROFILE_KERNEL, "[kernel]", NULL, 0);
	if (l->module_len >= sizeof(name))
		return PROFILE_NONE;
	memcpy(name, l->module, l->module_len);
	name[l->module_len] = '\0';
	return profile_add_object(p, PROFILE_MODULE, name, NULL, 0);
}

/*
 * Type t, T: code.  Type w, W: a weak symbol of code.  Weak names are as good as global ones:
 * memcpy is weak, and __memcpy at the same address is global.
 */
static enum symbol_binding binding_of(char type)
{
	return strchr("TWDBR", type) ? SYMBOL_GLOBAL : SYMBOL_LOCAL;
}

/* Type d, D, b, B, r, R, v, V: data. */
static bool add_line(struct profile *p, const struct line *l)
{
	bool code = strchr("tTwW", l->type), data = strchr("dDbBrRvV", l->type);
	struct profile_object *o;
	uint32_t object;

	if (!(code || data) || !l->addr)
		return true;
	object = object_of(p, l);
	if (object == PROFILE_NONE)
		return false;
	o = &p->objects.at[object];
	return symbols_add(code ? &o->symbols : &o->variables, l->addr, 0, l->name, l->name_len,
			   binding_of(l->type));
}

/* True: all lines have the format, and at least one address is not 0. */
static bool is_kallsyms(const char *text, const char *end)
{
	bool some = false;

	while (text < end) {
		const char *eol = memchr(text, '\n', end - text);
		struct line l;

		if (!eol)
			eol = end;
		if (!parse_line(text, eol, &l))
			return false;
		some |= l.addr != 0;
		text = eol + 1;
	}
	return some;
}

bool profile_add_kallsyms(struct profile *p, const char *text, size_t len)
{
	const char *end = text + len;

	if (!is_kallsyms(text, end))
		return false;
	while (text < end) {
		const char *eol = memchr(text, '\n', end - text);
		struct line l;

		if (!eol)
			eol = end;
		if (parse_line(text, eol, &l) && !add_line(p, &l)) {
			p->no_memory = true;
			break;
		}
		text = eol + 1;
	}
	for (size_t i = 0; i < p->objects.nr; i++) {
		symbols_sort(&p->objects.at[i].symbols);
		symbols_sort(&p->objects.at[i].variables);
	}
	return true;
}

static uint32_t find(const struct profile *p, uint64_t addr, bool data)
{
	uint32_t found = PROFILE_NONE;
	uint64_t nearest = 0;

	for (size_t i = 0; i < p->objects.nr; i++) {
		const struct profile_object *o = &p->objects.at[i];
		const struct symbol *s;

		if (o->kind != PROFILE_KERNEL && o->kind != PROFILE_MODULE)
			continue;
		s = symbols_find(data ? &o->variables : &o->symbols, addr);
		if (s && (found == PROFILE_NONE || s->addr >= nearest)) {
			found = i;
			nearest = s->addr;
		}
	}
	return found;
}

uint32_t profile_find_kernel(const struct profile *p, uint64_t addr)
{
	return find(p, addr, false);
}

uint32_t profile_find_kernel_variable(const struct profile *p, uint64_t addr)
{
	return find(p, addr, true);
}
