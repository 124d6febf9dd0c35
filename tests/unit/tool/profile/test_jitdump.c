// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_jitdump.c - jitdump files made here (jitdump.h), and the names that their code has in the
 * profile of a perf.data.
 */
#include <elf.h>
#include <time.h>

#include "jitdump.h"
#include "perf_read.h"

#define MAGIC 0x4a695444u

enum { LOAD, MOVE, DEBUG_INFO, CLOSE };

static struct perf_build dump;

static void put_header(uint32_t magic, uint32_t version, uint64_t flags)
{
	memset(&dump, 0, sizeof(dump));
	build32(&dump, magic);
	build32(&dump, version);
	build32(&dump, 40);
	build32(&dump, EM_RISCV);
	build32(&dump, 0);
	build32(&dump, 7);
	build64(&dump, 1);
	build64(&dump, flags);
}

static void put_begin(uint32_t id, uint64_t time)
{
	dump.record = dump.len;
	build32(&dump, id);
	build32(&dump, 0);
	build64(&dump, time);
}

static void put_end(void)
{
	uint32_t size = (uint32_t)(dump.len - dump.record);

	memcpy(dump.bytes + dump.record + 4, &size, sizeof(size));
}

/* Code of 16 bytes. */
static void put_load(uint64_t time, uint64_t addr, uint64_t index, const char *name)
{
	put_begin(LOAD, time);
	build64(&dump, 7ull << 32 | 7);
	build64(&dump, addr);
	build64(&dump, addr);
	build64(&dump, 16);
	build64(&dump, index);
	build_bytes(&dump, name, strlen(name) + 1);
	build_bytes(&dump, "0123456789abcdef", 16);
	put_end();
}

static void put_move(uint64_t time, uint64_t from, uint64_t to, uint64_t index)
{
	put_begin(MOVE, time);
	build64(&dump, 7ull << 32 | 7);
	build64(&dump, to);
	build64(&dump, from);
	build64(&dump, to);
	build64(&dump, 16);
	build64(&dump, index);
	put_end();
}

static void put_other(void)
{
	put_begin(DEBUG_INFO, 0);
	build_bytes(&dump, "whatever it is", 14);
	put_end();
}

static bool parse(struct jitdump *d, size_t len)
{
	memset(&why, 0, sizeof(why));
	*d = (struct jitdump){ 0 };
	return jitdump_parse(d, dump.bytes, len, &why);
}

static void records_of_a_file(void)
{
	struct jitdump d;

	put_header(MAGIC, 1, 0);
	put_load(10, 0x1000, 1, "one");
	put_other();
	put_load(20, 0x2000, 2, "two");
	put_move(30, 0x1000, 0x3000, 1);
	put_move(40, 0x1000, 0x3000, 9); /* of code that the file does not have */
	put_begin(CLOSE, 50);
	put_end();
	ok(jitdump_knows(dump.bytes, dump.len));
	ok(parse(&d, dump.len));
	is(d.codes.nr, 3);
	is(d.machine, EM_RISCV);
	ok(!d.tsc);
	is_str(d.codes.at[0].name, "one");
	is(d.codes.at[0].addr, 0x1000);
	is(d.codes.at[0].size, 16);
	is(d.codes.at[0].time, 10);
	ok(!memcmp(dump.bytes + d.codes.at[0].offset, "0123456789abcdef", 16));
	is_str(d.codes.at[2].name, "one");
	is(d.codes.at[2].addr, 0x3000);
	is(d.codes.at[2].time, 30);
	is(d.codes.at[2].offset, d.codes.at[0].offset);
	jitdump_free(&d);
	put_header(MAGIC, 1, 1);
	ok(parse(&d, dump.len));
	ok(d.tsc);
	jitdump_free(&d);
}

/* A file that is cut has the code that is whole; nothing after it is read. */
static void cut(void)
{
	struct jitdump d;
	size_t first;

	put_header(MAGIC, 1, 0);
	put_load(10, 0x1000, 1, "one");
	first = dump.len;
	put_load(20, 0x2000, 2, "two");
	for (size_t len = 0; len <= dump.len; len++) {
		char *copy = malloc(len + 1);

		memcpy(copy, dump.bytes, len);
		memset(&why, 0, sizeof(why));
		d = (struct jitdump){ 0 };
		is(jitdump_parse(&d, copy, len, &why), len >= 40);
		is(d.codes.nr, (len >= first) + (len == dump.len));
		jitdump_free(&d);
		free(copy);
	}
}

static void refused(const char *text)
{
	struct jitdump d;

	ok(!parse(&d, dump.len));
	is_str(why.text, text);
	jitdump_free(&d);
}

static void patch(size_t at, uint64_t value, size_t len)
{
	memcpy(dump.bytes + at, &value, len);
}

static void damaged(void)
{
	put_header(MAGIC, 2, 0);
	refused("version 2 of the format, and only 1 is known");
	put_header(__builtin_bswap32(MAGIC), 1, 0);
	ok(jitdump_knows(dump.bytes, dump.len));
	refused("of a machine of the other byte order");
	put_header(0, 1, 0);
	ok(!jitdump_knows(dump.bytes, dump.len));
	refused("not a jitdump file");
	put_header(MAGIC, 1, 0);
	patch(8, 41, 4);
	refused("its header is truncated");
	patch(8, 39, 4);
	refused("its header is truncated");
	put_header(MAGIC, 1, 0);
	put_load(10, 0x1000, 1, "one");
	patch(44, 15, 4); /* the record's size */
	refused("damaged at byte 40");
	put_header(MAGIC, 1, 0);
	put_load(10, 0x1000, 1, "one");
	patch(80, 17, 8); /* the code's size */
	refused("damaged at byte 40");
	patch(80, UINT64_MAX, 8);
	refused("damaged at byte 40");
	put_header(MAGIC, 1, 0);
	put_load(10, UINT64_MAX - 8, 1, "beyond the end of memory");
	refused("damaged at byte 40");
	put_header(MAGIC, 1, 0);
	put_begin(LOAD, 1);
	put_end();
	refused("damaged at byte 40");
	put_header(MAGIC, 1, 0);
	put_load(10, 0x1000, 1, "one");
	put_move(20, 0x1000, UINT64_MAX, 1);
	refused("damaged at byte 116");
}

/* In a profile */

static unsigned asked;

static char *read_dump(void *cookie, const char *path, size_t *len)
{
	char *copy = malloc(dump.len + 1);

	asked++;
	is_str(path, "/tmp/x/jit-7.dump");
	memcpy(copy, dump.bytes, dump.len);
	*len = dump.len;
	return copy;
}

static struct profile *read_with_dump(void)
{
	static const struct perf_jitdumps from = { read_dump, NULL };
	struct profile *p = profile_new();
	struct perf_reader *r;
	bool good;

	asked = 0;
	build_file(&file, &records, NULL, 0);
	r = perf_reader_open(p, file.bytes, file.len, &why);
	if (r)
		perf_reader_jitdumps(r, &from);
	good = r && perf_reader_run(r, NULL, &why);
	ok(good);
	perf_reader_close(r);
	return p;
}

/* The name of the code of a stack. */
static const char *name_of(const struct profile *p, uint32_t stack)
{
	const struct profile_place *place = &p->places.at[p->stacks.at[stack].place];
	const struct profile_object *o = &p->objects.at[place->object];
	const struct symbol *s = symbols_find(&o->symbols, place->addr);

	return s ? s->name : o->path;
}

static void begin_jit(bool clock)
{
	begin();
	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, PLAIN, 1);
	records.attrs[0].use_clockid = clock;
	records.attrs[0].clockid = clock ? CLOCK_MONOTONIC : 0;
	build_comm(&records, 7, 7, "vm", true, 1);
	build_mmap(&records, 7, 0x9000, 0x1000, 0, "/tmp/x/jit-7.dump", 2);
	build_mmap(&records, 7, 0x1000, 0x4000, 0, "//anon", 3);
	put_header(MAGIC, 1, 0);
	put_load(10, 0x1000, 1, "first");
	put_load(20, 0x1008, 2, "second"); /* over the second half of the first */
	put_move(30, 0x1008, 0x2000, 2);
}

static void code_in_the_order_of_time(void)
{
	struct profile *p;

	begin_jit(true);
	build_sample(&records, USER, 7, 0x1008, 5);
	build_sample(&records, USER, 7, 0x1008, 15);
	build_sample(&records, USER, 7, 0x1008, 25);
	build_sample(&records, USER, 7, 0x1004, 26);
	build_sample(&records, USER, 7, 0x2001, 31);
	build_sample(&records, USER, 7, 0x2010, 32);
	p = read_with_dump();
	is(asked, 1);
	is(p->stacks.nr, 6);
	is_str(name_of(p, 0), "[anonymous memory]");
	is_str(name_of(p, 1), "first");
	is_str(name_of(p, 2), "second");
	is_str(name_of(p, 3), "first");
	is_str(name_of(p, 4), "second");
	is_str(name_of(p, 5), "[anonymous memory]");
	is(p->objects.at[p->places.at[1].object].kind, PROFILE_JIT);
	ok(p->objects.at[p->places.at[1].object].jitdump_riscv);
	profile_free(p);
}

/* Without the clock of the dump, the last code at an address has its samples. */
static void code_without_a_clock(void)
{
	struct profile *p;

	begin_jit(false);
	build_sample(&records, USER, 7, 0x1008, 5);
	build_sample(&records, USER, 7, 0x1004, 6);
	p = read_with_dump();
	is_str(name_of(p, 0), "second");
	is_str(name_of(p, 1), "first");
	profile_free(p);
}

static void code_of_forks_and_execs(void)
{
	struct profile *p;

	begin_jit(true);
	build_sample(&records, USER, 7, 0x1001, 15);
	build_fork(&records, 8, 7, 8, 16);
	build_sample(&records, USER, 8, 0x1001, 17);
	build_mmap(&records, 8, 0x1000, 0x1000, 0, "/lib/x.so", 18);
	build_sample(&records, USER, 8, 0x1001, 19);
	build_comm(&records, 7, 7, "next", true, 40);
	build_sample(&records, USER, 7, 0x1001, 41);
	p = read_with_dump();
	is(p->stacks.nr, 4);
	is_str(name_of(p, 0), "first");
	is_str(name_of(p, 1), "first");
	is_stack(p, 2, "vm//lib/x.so+1");
	is_stack(p, 3, "next/[unknown]+1001");
	profile_free(p);
}

static void a_damaged_dump_is_noted(void)
{
	struct profile *p;

	begin_jit(true);
	patch(44, 1, 4);
	build_sample(&records, USER, 7, 0x1001, 15);
	p = read_with_dump();
	is(p->notes.nr, 1);
	is_str(p->notes.nr ? p->notes.at[0] : "",
	       "/tmp/x/jit-7.dump: damaged at byte 40; code after that has no names");
	is_str(name_of(p, 0), "[anonymous memory]");
	profile_free(p);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "records of a file", records_of_a_file },
		{ "a file that is cut", cut },
		{ "damaged files", damaged },
		{ "code in the order of time", code_in_the_order_of_time },
		{ "code without a clock", code_without_a_clock },
		{ "forks, execs, files mapped over code", code_of_forks_and_execs },
		{ "a damaged dump is noted", a_damaged_dump_is_noted },
	};

	return tap_run(cases, TAP_NR(cases));
}
