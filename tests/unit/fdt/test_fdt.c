// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_fdt.c - lib/fdt: reading, refusing malformed trees, editing in place.
 */
#include "tap.h"
#include "dtbgen.h"

/* A small machine. */
static void machine(void)
{
	dtbgen_start();
	begin("");
	CELLS("#address-cells", 2);
	CELLS("#size-cells", 2);
	prop_string("model", "test");
	begin("cpus");
	CELLS("#address-cells", 1);
	CELLS("#size-cells", 0);
	begin("cpu@0");
	CELLS("reg", 0);
	prop("compatible", "vendor,core\0riscv", 18);
	begin("interrupt-controller");
	CELLS("phandle", 7);
	end();
	end();
	begin("cpu@5");
	CELLS("reg", 5);
	prop_string("status", "disabled");
	end();
	end();
	begin("memory@80000000");
	prop_string("device_type", "memory");
	CELLS("reg", 0, 0x80000000, 0, 0x10000000, 1, 0, 0, 0x1000);
	end();
	begin("pmu");
	prop_string("compatible", "riscv,pmu");
	CELLS("table", 1, 2, 3);
	prop("empty", NULL, 0);
	end();
	end();
}

static void reads(void)
{
	int order;

	for (order = 0; order < 2; order++) {
		uint32_t total, node, value, len;
		unsigned char *blob;
		uint64_t addr, size;
		struct dtb t;

		machine();
		blob = dtbgen_finish(order, 0, &total);
		tap_context("order %d", order);
		is_str(dtb_open(&t, blob, total), NULL);
		is_str(dtb_string(&t, dtb_root(&t), "model"), "test");
		is(dtb_path(&t, "/"), dtb_root(&t));
		is(dtb_path(&t, "/nothing"), DTB_NONE);
		is(dtb_path(&t, "cpus"), DTB_NONE);
		node = dtb_path(&t, "/cpus/cpu@0/interrupt-controller");
		ok(node != DTB_NONE && dtb_cell(&t, node, "phandle", 0, &value) && value == 7);
		is(dtb_phandle(&t, 7), node);
		is(dtb_phandle(&t, 8), DTB_NONE);
		is_str(dtb_name(&t, dtb_parent(&t, node)), "cpu@0");
		is(dtb_parent(&t, dtb_root(&t)), DTB_NONE);
		ok(!dtb_cell(&t, node, "phandle", 1, &value));
		ok(!dtb_cell(&t, node, "phandle", 0x40000000, &value));
		node = dtb_path(&t, "/memory");
		ok(dtb_reg(&t, node, 0, &addr, &size));
		is(addr, 0x80000000);
		is(size, 0x10000000);
		ok(dtb_reg(&t, node, 1, &addr, &size));
		is(addr, 0x100000000);
		ok(!dtb_reg(&t, node, 2, &addr, &size));
		ok(!dtb_reg(&t, node, 0xffffffff, &addr, &size));
		node = dtb_path(&t, "/cpus/cpu@5");
		ok(dtb_reg(&t, node, 0, &addr, &size));
		is(addr, 5);
		is(size, 0);
		ok(!dtb_enabled(&t, node));
		ok(dtb_enabled(&t, dtb_path(&t, "/cpus")));
		node = dtb_path(&t, "/cpus/cpu@0");
		ok(dtb_compatible(&t, node, "riscv"));
		ok(dtb_compatible(&t, node, "vendor,core"));
		ok(!dtb_compatible(&t, node, "vendor"));
		node = dtb_compatible_next(&t, DTB_NONE, "riscv,pmu");
		is_str(dtb_name(&t, node), "pmu");
		ok(dtb_prop(&t, node, "empty", &len) && len == 0);
		is_str(dtb_string(&t, node, "table"), NULL);
		is(dtb_compatible_next(&t, node, "riscv,pmu"), DTB_NONE);
		free(blob);
	}
}

static void walks_in_document_order(void)
{
	static const char *const names[] = { "cpus",  "cpu@0",		 "interrupt-controller",
					     "cpu@5", "memory@80000000", "pmu" };
	static const int depths[] = { 1, 2, 3, 2, 1, 1 };
	uint32_t total, node;
	unsigned char *blob;
	struct dtb t;
	int depth = 0;
	unsigned i;

	machine();
	blob = dtbgen_finish(false, 0, &total);
	is_str(dtb_open(&t, blob, total), NULL);
	node = dtb_root(&t);
	for (i = 0; i < 6; i++) {
		node = dtb_next(&t, node, &depth);
		is_str(dtb_name(&t, node), names[i]);
		is(depth, depths[i]);
	}
	is(dtb_next(&t, node, &depth), DTB_NONE);
	free(blob);
}

static void refuses_broken_headers(void)
{
	static const struct {
		unsigned field;
		uint32_t value;
	} rows[] = {
		{ 0, 0 },	    { 4, 39 },		{ 4, 0x7fffffff },  { 4, 0xffffffff },
		{ 8, 1 },	    { 8, 0 },		{ 8, 0xfffffffc },  { 12, 8 },
		{ 12, 0xffffffff }, { 16, 44 },		{ 16, 0xfffffff8 }, { 16, 0 },
		{ 20, 16 },	    { 24, 18 },		{ 32, 0xffffffff }, { 32, 3 },
		{ 32, 0 },	    { 36, 0xffffffff }, { 36, 4 },	    { 36, 0 },
		{ 12, 56 },	    { 16, 56 },
	};
	unsigned i;

	for (i = 0; i < TAP_NR(rows); i++) {
		unsigned char *blob;
		uint32_t total;
		struct dtb t;

		machine();
		blob = dtbgen_finish(false, 0, &total);
		dtb_put32(blob + rows[i].field, rows[i].value);
		tap_context("offset %u value %x", rows[i].field, rows[i].value);
		ok(dtb_open(&t, blob, total) != NULL);
		free(blob);
	}
}

static void refuses_what_is_cut_off(void)
{
	uint32_t total, n;
	unsigned char *blob, *cut;
	struct dtb t;

	machine();
	blob = dtbgen_finish(false, 0, &total);
	for (n = 0; n < total; n++) {
		cut = malloc(n + 1);
		memcpy(cut, blob, n);
		tap_context("%u bytes", n);
		ok(dtb_open(&t, cut, n) != NULL);
		free(cut);
	}
	ok(dtb_open(&t, NULL, total) != NULL);
	ok(dtb_open(&t, blob + 4, total - 4) != NULL);
	free(blob);
}

/* With any one word of the structure block replaced, the tree is refused or read within bounds. */
static void survives_any_word(void)
{
	static const uint32_t values[] = { 0, 1,	  2,	      3,	  4,
					   9, 0x7fffffff, 0x80000000, 0xfffffff4, 0xffffffff };
	uint32_t total, off, v, node;
	unsigned char *blob;
	struct dtb t;

	machine();
	blob = dtbgen_finish(false, 0, &total);
	for (off = 56; off < 56 + dtbgen.st_len; off += 4) {
		for (v = 0; v < TAP_NR(values); v++) {
			uint32_t old = dtb_be32(blob + off);

			dtb_put32(blob + off, values[v]);
			if (!dtb_open(&t, blob, total)) {
				int depth = 0;
				uint64_t a, s;

				for (node = dtb_root(&t); node != DTB_NONE;
				     node = dtb_next(&t, node, &depth)) {
					dtb_reg(&t, node, 0, &a, &s);
					dtb_compatible(&t, node, "x");
					dtb_enabled(&t, node);
				}
			}
			dtb_put32(blob + off, old);
		}
	}
	free(blob);
}

static void refuses_deep_trees(void)
{
	uint32_t total;
	unsigned char *blob;
	struct dtb t;
	int i, n;

	for (n = DTB_DEPTH_MAX; n <= DTB_DEPTH_MAX + 1; n++) {
		dtbgen_start();
		for (i = 0; i < n; i++)
			begin(i ? "n" : "");
		for (i = 0; i < n; i++)
			end();
		blob = dtbgen_finish(false, 0, &total);
		is(dtb_open(&t, blob, total) == NULL, n == DTB_DEPTH_MAX);
		if (n == DTB_DEPTH_MAX) {
			uint32_t node = dtb_root(&t), next;

			while ((next = dtb_next(&t, node, NULL)) != DTB_NONE)
				node = next;
			ok(dtb_parent(&t, node) != DTB_NONE);
		}
		free(blob);
	}
}

static void drops_properties(void)
{
	uint32_t total, pmu, len;
	unsigned char *blob;
	struct dtb t;

	machine();
	blob = dtbgen_finish(false, 0, &total);
	is_str(dtb_open(&t, blob, total), NULL);
	pmu = dtb_path(&t, "/pmu");
	ok(dtb_prop_drop(&t, pmu, "table"));
	ok(!dtb_prop_drop(&t, pmu, "table"));
	ok(!dtb_prop(&t, pmu, "table", &len));
	ok(dtb_prop(&t, pmu, "empty", &len) != NULL);
	ok(dtb_compatible(&t, pmu, "riscv,pmu"));
	is_str(dtb_open(&t, blob, total), NULL);
	free(blob);
}

static void adds_nodes_and_properties(void)
{
	int order;

	for (order = 0; order < 2; order++) {
		uint32_t total, node, child, len, value;
		unsigned char *blob;
		uint64_t addr, size;
		struct dtb t;
		unsigned char reg[16] = { 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0 };

		machine();
		blob = dtbgen_finish(order, 512, &total);
		tap_context("order %d", order);
		is_str(dtb_open(&t, blob, total), NULL);
		node = dtb_node_add(&t, total + 512, dtb_root(&t), "reserved-memory");
		ok(node != DTB_NONE);
		ok(dtb_prop_add(&t, total + 512, node, "ranges", NULL, 0));
		ok(dtb_prop_add(&t, total + 512, node, "#address-cells", "\0\0\0\2", 4));
		ok(dtb_prop_add(&t, total + 512, node, "#size-cells", "\0\0\0\2", 4));
		child = dtb_node_add(&t, total + 512, node, "firmware@80000000");
		ok(child != DTB_NONE);
		ok(dtb_prop_add(&t, total + 512, child, "reg", reg, 16));
		ok(dtb_prop_add(&t, total + 512, child, "no-map", NULL, 0));
		/* Open the tree again, as the next program does. */
		is_str(dtb_open(&t, blob, total + 512), NULL);
		child = dtb_path(&t, "/reserved-memory/firmware");
		ok(dtb_reg(&t, child, 0, &addr, &size));
		is(addr, 0x80000000);
		is(size, 0x100000);
		ok(dtb_prop(&t, child, "no-map", &len) && len == 0);
		ok(dtb_cell(&t, dtb_path(&t, "/cpus"), "#address-cells", 0, &value) && value == 1);
		is_str(dtb_string(&t, dtb_root(&t), "model"), "test");
		free(blob);
	}
}

/* A tree without properties has no strings: the first name makes the block. */
static void adds_the_first_property(void)
{
	for (int order = 0; order < 2; order++) {
		uint32_t total, value;
		unsigned char *blob;
		struct dtb t;

		dtbgen_start();
		begin("");
		begin("node");
		end();
		end();
		blob = dtbgen_finish(order, 64, &total);
		tap_context("order %d", order);
		is_str(dtb_open(&t, blob, total), NULL);
		ok(dtb_prop_add(&t, total + 64, dtb_path(&t, "/node"), "reg", "\0\0\1\2", 4));
		is_str(dtb_open(&t, blob, total + 64), NULL);
		ok(dtb_cell(&t, dtb_path(&t, "/node"), "reg", 0, &value) && value == 0x102);
		free(blob);
	}
}

/* An empty strings block in the middle of another block: an added name would divide that block. */
static void refuses_strings_inside(void)
{
	uint32_t total;
	unsigned char *blob;
	struct dtb t;

	dtbgen_start();
	begin("");
	end();
	blob = dtbgen_finish(false, 0, &total);
	for (uint32_t at = 40; at <= total; at++) {
		/* at the borders of the blocks: reservations at 40, the structure at 56 */
		bool border = at == 40 || at == 56 || at == total;

		dtb_put32(blob + 12, at);
		tap_context("at %u", at);
		is(dtb_open(&t, blob, total) == NULL, border);
	}
	free(blob);
}

static void refuses_edits_without_room(void)
{
	uint32_t total, node;
	unsigned char *blob;
	struct dtb t;
	size_t room;

	for (room = 0; room < 64; room += 4) {
		machine();
		blob = dtbgen_finish(false, room, &total);
		is_str(dtb_open(&t, blob, total), NULL);
		node = dtb_node_add(&t, total + room, dtb_root(&t), "reserved-memory");
		is(node != DTB_NONE, room >= 24);
		if (node != DTB_NONE)
			dtb_prop_add(&t, total + room, node, "a-name-that-is-new", "12345", 5);
		is_str(dtb_open(&t, blob, total + room), NULL);
		free(blob);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "reads properties, paths, phandles and reg, in both block orders", reads },
		{ "walks nodes in document order", walks_in_document_order },
		{ "refuses broken headers", refuses_broken_headers },
		{ "refuses a blob that is cut off anywhere", refuses_what_is_cut_off },
		{ "stays in bounds with any one word of the structure changed", survives_any_word },
		{ "refuses trees that are too deep", refuses_deep_trees },
		{ "drops a property in place", drops_properties },
		{ "adds nodes and properties, in both block orders", adds_nodes_and_properties },
		{ "adds the first property of a tree", adds_the_first_property },
		{ "refuses an empty strings block inside another", refuses_strings_inside },
		{ "refuses edits that do not fit", refuses_edits_without_room },
	};

	return tap_run(cases, TAP_NR(cases));
}
