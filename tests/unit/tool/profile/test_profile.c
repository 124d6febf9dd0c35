// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_profile.c - where events happened: which places are equal, sums, kallsyms, symbols; sets of
 * keys.
 */
#include <stdlib.h>

#include "keyset.h"
#include "profile.h"
#include "tap.h"

static void what_is_equal_is_one(void)
{
	struct profile *p = profile_new();
	uint32_t event = profile_add_event(p, "cycles", true);
	uint32_t process = profile_add_process(p, 7, "prog");
	uint32_t a = profile_add_object(p, PROFILE_USER, "/bin/a", "\1\2", 2);
	uint32_t place, stack;

	is(profile_add_object(p, PROFILE_USER, "/bin/a", "\1\2", 2), a);
	ok(profile_add_object(p, PROFILE_USER, "/bin/a", "\1\3", 2) != a);
	ok(profile_add_object(p, PROFILE_USER, "/bin/a", NULL, 0) != a);
	ok(profile_add_object(p, PROFILE_FIRMWARE, "/bin/a", "\1\2", 2) != a);
	ok(profile_add_process(p, 7, "prog") != process);
	place = profile_add_place(p, process, a, 0x1000);
	is(profile_add_place(p, process, a, 0x1000), place);
	ok(profile_add_place(p, process, a, 0x1002) != place);
	stack = profile_add_stack(p, place, PROFILE_NONE);
	is(profile_add_stack(p, place, PROFILE_NONE), stack);
	ok(!p->has_chains);
	ok(profile_add_stack(p, place, stack) != stack);
	ok(p->has_chains);
	is(event, 0);
	profile_free(p);
}

static void nothing_is_added_to_nothing(void)
{
	struct profile *p = profile_new();
	uint32_t event = profile_add_event(p, "cycles", false);

	is(profile_add_place(p, PROFILE_NONE, 0, 1), PROFILE_NONE);
	is(profile_add_stack(p, PROFILE_NONE, PROFILE_NONE), PROFILE_NONE);
	profile_add(p, PROFILE_NONE, event, 1, 1);
	is(p->events.at[event].total, 0);
	is(p->places.nr + p->stacks.nr, 0);
	profile_free(p);
}

static void many_are_found_again(void)
{
	struct profile *p = profile_new();
	uint32_t e0 = profile_add_event(p, "a", true), e1 = profile_add_event(p, "b", true);
	uint32_t process = profile_add_process(p, 1, "x");
	uint32_t object = profile_add_object(p, PROFILE_KERNEL, "[kernel]", NULL, 0);

	for (unsigned round = 0; round < 3; round++) {
		for (uint64_t i = 0; i < 5000; i++) {
			uint32_t place = profile_add_place(p, process, object, i << 12);
			uint32_t stack = profile_add_stack(p, place, PROFILE_NONE);

			profile_add(p, stack, e0, i, 1);
			profile_add(p, stack, e1, 1, 0);
		}
	}
	is(p->places.nr, 5000);
	is(p->stacks.nr, 5000);
	is(profile_weight(p, 4999, e0).weight, 3 * 4999);
	is(profile_weight(p, 4999, e0).samples, 3);
	is(profile_weight(p, 4999, e1).weight, 3);
	is(p->events.at[e0].total, 3ull * 4999 * 5000 / 2);
	is(p->events.at[e1].total, 15000);
	is(profile_add_event(p, "late", true), PROFILE_NONE);
	ok(!p->no_memory);
	profile_free(p);
}

static void put(struct leb_bytes *b, uint64_t n)
{
	ok(leb_bytes_put(b, n));
}

/* A profile with 40 stacks, and parts: one with distances, a dense one, and one of both events. */
static struct profile *in_parts(struct leb_bytes *bytes)
{
	struct profile *p = profile_new();
	uint32_t process = profile_add_process(p, 1, "x");
	uint32_t object = profile_add_object(p, PROFILE_KERNEL, "[kernel]", NULL, 0);

	for (unsigned n = 0; n < 40; n++)
		profile_add_stack(p, profile_add_place(p, process, object, n), PROFILE_NONE);
	p->stacks.nr = 0; /* events come first, but then stacks have weights */
	profile_add_event(p, "a", true);
	profile_add_event(p, "b", true);
	p->stacks.nr = 40;
	for (unsigned n = 3; n < 35; n++) { /* stacks 3 to 24, then one of two */
		put(&bytes[0], n == 3 ? 3 : n < 25 ? 1 : n % 2);
		put(&bytes[1], n == 20 ? 1000 : n);
	}
	for (unsigned n = 0; n < 40; n++)
		put(&bytes[2], n < 10 || n == 30 ? 0 : n == 12 ? 1ull << 40 : 1 + n % 3);
	put(&bytes[3], 0);
	put(&bytes[4], 5);
	p->has_parts = true;
	ok(VEC_PUSH(&p->parts, (struct profile_part){ 0, bytes[0], bytes[1], false }));
	ok(VEC_PUSH(&p->parts, (struct profile_part){ 1, { NULL, 0, 0 }, bytes[2], true }));
	ok(VEC_PUSH(&p->parts, (struct profile_part){ 0, bytes[3], bytes[4], false }));
	return p;
}

/* Each count once, whether one by one, by eights or by stack. */
static void parts_give_their_counts(void)
{
	struct leb_bytes bytes[5] = { 0 };
	struct profile *p = in_parts(bytes);
	uint64_t want[2][40] = { { 0 } }, eights = 0;
	struct profile_stack_count c;

	for (uint32_t e = 0; e < 2; e++) {
		struct profile_column column = profile_column(p, e);
		uint64_t sum = 0, all = 0;

		while (profile_column_next(&column, &c)) {
			ok(c.weight && !c.samples);
			want[e][c.stack] += c.weight;
			all += c.weight;
		}
		column = profile_column(p, e);
		while (profile_column_next(&column, &c)) {
			sum += c.weight;
			while (profile_column_eight(&column, 38, &sum)) {
				eights++;
				ok(column.stack < 38);
			}
		}
		is(sum, all);
	}
	ok(eights >= 3);
	is(want[0][0], 5);
	is(want[0][3], 3);
	is(want[0][20], 1000);
	is(want[0][39], 0);
	is(want[1][9], 0);
	is(want[1][12], 1ull << 40);
	is(want[1][30], 0);
	is(want[1][39], 1);
	ok(profile_pack(p) && profile_pack(p));
	for (uint32_t n = 0; n < 40; n++) {
		is(profile_weight(p, n, 0).weight, want[0][n]);
		is(profile_weight(p, n, 1).weight, want[1][n]);
	}
	for (unsigned n = 0; n < 5; n++)
		free(bytes[n].at);
	profile_free(p);
}

/* A part that names a stack that there is not ends there. */
static void parts_have_an_end(void)
{
	struct leb_bytes bytes[5] = { 0 };
	struct profile *p = in_parts(bytes);

	for (size_t nr = 0; nr < 40; nr++) {
		struct profile_column column = profile_column(p, 1);
		struct profile_stack_count c;
		uint64_t sum = 0;

		p->stacks.nr = nr;
		while (profile_column_next(&column, &c)) {
			ok(c.stack < nr);
			while (profile_column_eight(&column, UINT32_MAX, &sum))
				ok(column.stack < nr);
		}
	}
	for (unsigned n = 0; n < 5; n++)
		free(bytes[n].at);
	profile_free(p);
}

static const char *at(const struct profile *p, uint32_t object, uint64_t addr)
{
	const struct symbol *s = symbols_find(&p->objects.at[object].symbols, addr);

	return s ? s->name : "none";
}

static void kallsyms(void)
{
	static const char text[] = "ffffffff80002000 T _start\n"
				   "ffffffff80002000 t $x\n"
				   "ffffffff80003000 t local\n"
				   "ffffffff80003000 W weak\n"
				   "ffffffff80003800 D data\n"
				   "ffffffff80003880 t __pi_$xrv64i2p1\n"
				   "ffffffff80003890 t __pi_.Ltmp1\n"
				   "ffffffff80004000 t alpha.isra.0\n"
				   "ffffffff01000000 t read_one\t[sr_mod]\n"
				   "ffffffff01000100 t other\t[ext4]\n";
	struct profile *p = profile_new();
	uint32_t kernel, sr, ext4;

	ok(profile_add_kallsyms(p, text, strlen(text)));
	is(p->objects.nr, 3);
	kernel = profile_find_kernel(p, 0xffffffff80002004);
	sr = profile_find_kernel(p, 0xffffffff010000fe);
	ext4 = profile_find_kernel(p, 0xffffffff01000100);
	is(profile_find_kernel(p, 0x10000), PROFILE_NONE);
	is_str(p->objects.at[kernel].path, "[kernel]");
	is_str(p->objects.at[sr].path, "[sr_mod]");
	is_str(p->objects.at[ext4].path, "[ext4]");
	is(p->objects.at[ext4].kind, PROFILE_MODULE);
	is_str(at(p, kernel, 0xffffffff80002ffe), "_start");
	is_str(at(p, kernel, 0xffffffff80003900), "weak");
	is_str(at(p, kernel, 0xffffffff80004000), "alpha.isra.0");
	is_str(at(p, kernel, 0xffffffff80001fff), "none");
	profile_free(p);
}

static void what_is_no_kallsyms(void)
{
	static const char *const bad[] = {
		"",
		"\n",
		"0000000000000000 T _text\n",
		"ffffffff80002000 T _start\nhello\n",
		"ffffffff80002000 Txx _start\n",
		"ffffffff80002000 T\n",
		"1ffffffff80002000 T _start\n",
		"gfffffff80002000 T _start\n",
		"\177ELF",
	};
	struct profile *p = profile_new();

	for (unsigned i = 0; i < TAP_NR(bad); i++) {
		tap_context("row %u", i);
		ok(!profile_add_kallsyms(p, bad[i], strlen(bad[i])));
	}
	is(p->objects.nr, 0);
	profile_free(p);
}

static void add(struct symbol_table *t, uint64_t addr, uint64_t size, const char *name,
		enum symbol_binding binding)
{
	ok(symbols_add(t, addr, size, name, strlen(name), binding));
}

static const char *named(const struct symbol_table *t, uint64_t addr)
{
	const struct symbol *s = symbols_find(t, addr);

	return s ? s->name : "none";
}

static void which_symbol(void)
{
	struct symbol_table t = { 0 };

	add(&t, 0x40, 0x10, "late", SYMBOL_LOCAL);
	add(&t, 0x10, 0x10, "__read", SYMBOL_GLOBAL);
	add(&t, 0x10, 0x10, "read", SYMBOL_GLOBAL);
	add(&t, 0x10, 0x10, "areadlocal", SYMBOL_LOCAL);
	add(&t, 0x10, 0, "asize", SYMBOL_GLOBAL);
	add(&t, 0x30, 0, "open", SYMBOL_GLOBAL);
	add(&t, 0x38, 8, "__calloc", SYMBOL_GLOBAL);
	add(&t, 0x38, 8, "__libc_calloc", SYMBOL_GLOBAL);
	add(&t, 0x38, 8, "calloc", SYMBOL_WEAK);
	add(&t, 0x12, 0, ".L12", SYMBOL_LOCAL);
	add(&t, 0x12, 0, "$d", SYMBOL_LOCAL);
	add(&t, UINT64_MAX - 1, 16, "end", SYMBOL_GLOBAL);
	symbols_sort(&t);
	is(t.nr, 5);
	is_str(named(&t, 0xf), "none");
	is_str(named(&t, 0x10), "read");
	is_str(named(&t, 0x1f), "read");
	is_str(named(&t, 0x20), "none");
	is_str(named(&t, 0x37), "open");
	is_str(named(&t, 0x3f), "__libc_calloc");
	is_str(named(&t, 0x40), "late");
	is_str(named(&t, 0x50), "none");
	is_str(named(&t, UINT64_MAX - 1), "end");
	symbols_free(&t);
	is_str(named(&t, 0x10), "none");
}

/* Two slices of a process become one, although another hart's earlier interval is between them. */
static void slices_of_harts(void)
{
	static const struct profile_slice made[] = { { 2, 0, 0 }, { 1, 0, 1 }, { 2, 0, 1 },
						     { 2, 0, 0 }, { 2, 1, 0 }, { 3, 0, 0 },
						     { 2, 0, 1 } };
	static const uint64_t want[] = { 1 + 8, 2, 4 + 64, 16, 32 };
	struct profile *p = profile_new();

	profile_add_event(p, "cycles", true);
	for (unsigned n = 0; n < TAP_NR(made); n++) {
		ok(VEC_PUSH(&p->slices, made[n]));
		ok(VEC_PUSH(&p->slice_counts, 1u << n));
	}
	profile_join_slices(p);
	is(p->slices.nr, TAP_NR(want));
	is(p->slice_counts.nr, TAP_NR(want));
	for (unsigned n = 0; n < TAP_NR(want); n++)
		is(p->slice_counts.at[n], want[n]);
	is(p->slices.at[4].interval, 3);
	profile_free(p);
}

static void keys_have_numbers(void)
{
	struct key {
		uint32_t high, low;
	};
	struct keyset s = KEYSET(struct key);

	for (unsigned round = 0; round < 2; round++) {
		for (uint32_t n = 0; n < 1000; n++) {
			const struct key key = { n % 10, n / 10 };

			is(keyset_add(&s, &key), n);
		}
	}
	is(s.nr, 1000);
	for (uint32_t n = 0; n < s.nr; n++) {
		const struct key *key = keyset_at(&s, n);

		ok(key->high == n % 10 && key->low == n / 10);
	}
	keyset_free(&s);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "equal places are one", what_is_equal_is_one },
		{ "adding an empty profile adds nothing", nothing_is_added_to_nothing },
		{ "many places are found again, and summed up", many_are_found_again },
		{ "counts in parts", parts_give_their_counts },
		{ "parts with stacks that there are not", parts_have_an_end },
		{ "kallsyms", kallsyms },
		{ "files that are not kallsyms", what_is_no_kallsyms },
		{ "the symbol of an address", which_symbol },
		{ "slices of two harts", slices_of_harts },
		{ "keys have numbers", keys_have_numbers },
	};

	return tap_run(cases, TAP_NR(cases));
}
