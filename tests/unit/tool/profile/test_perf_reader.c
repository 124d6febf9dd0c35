// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_perf_reader.c - records of perf.data files built here, and the profiles that they must give.
 */
#include "perf_internal.h"
#include "perf_read.h"

/* Records that are shorter than the fields of their event: no field, and not what lies before. */
static void records_without_their_fields(void)
{
	static const struct perf_event event = {
		.attr = { .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
			  .sample_id_all = 1 },
	};
	struct {
		uint64_t before[2];
		struct perf_event_header h;
		uint64_t fields[3]; /* tid, time, cpu */
	} r = { { 11, 12 }, { .type = PERF_RECORD_COMM }, { 21, 22, 23 } };
	static const uint64_t want[] = { 0, 0, 21,
					 22 }; /* the time is the second word from the end */

	for (unsigned n = 0; n < TAP_NR(want); n++) {
		r.h.size = 8 + 8 * n;
		tap_context("%u bytes", r.h.size);
		is(perf_time_of(&event, &r.h), want[n]);
	}
}

static void samples_of_a_program(void)
{
	struct profile *p;

	begin();
	build_event(&records, PERF_COUNT_HW_INSTRUCTIONS, PLAIN, 1000);
	build_comm(&records, 7, 7, "prog", true, 1);
	build_mmap(&records, 7, 0x10000, 0x2000, 0x1000, "/bin/prog", 2);
	build_mmap(&records, UINT32_MAX, 0xffffffff80000000, 0x1000000, 0xffffffff80002000,
		   "[kernel.kallsyms]_text", 0);
	build_sample(&records, USER, 7, 0x10010, 10);
	build_sample(&records, USER, 7, 0x10010, 11);
	build_sample(&records, KERNEL, 7, 0xffffffff80004000, 12);
	build_sample(&records, USER, 7, 0x12000, 13);
	p = read_records();
	is_str(why.text, "");
	if (!p)
		return;
	is(p->events.nr, 1);
	is_str(p->events.at[0].name, "instructions");
	is(p->events.at[0].total, 4000);
	is(p->events.at[0].samples, 4);
	is(p->stacks.nr, 3);
	is_stack(p, 0, "prog//bin/prog+1010");
	is(profile_weight(p, 0, 0).weight, 2000);
	is(profile_weight(p, 0, 0).samples, 2);
	is_stack(p, 1, "prog/[kernel]+ffffffff80004000");
	is_stack(p, 2, "prog/[unknown]+12000");
	is_str(p->kernel_symbol, "_text");
	is(p->kernel_addr, 0xffffffff80002000);
	profile_free(p);
}

static void records_are_in_the_order_of_time(void)
{
	struct profile *p;

	begin();
	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, PLAIN, 1);
	build_sample(&records, USER, 7, 0x10010, 10);
	build_sample(&records, USER, 7, 0x10010, 30);
	build_mmap(&records, 7, 0x10000, 0x2000, 0, "/bin/b", 20);
	build_mmap(&records, 7, 0x10000, 0x2000, 0, "/bin/a", 5);
	build_comm(&records, 7, 7, "x", false, 1);
	p = read_records();
	is_str(why.text, "");
	if (!p)
		return;
	is(p->stacks.nr, 2);
	is_stack(p, 0, "x//bin/a+10");
	is_stack(p, 1, "x//bin/b+10");
	profile_free(p);
}

static void forks_and_execs(void)
{
	struct profile *p;

	begin();
	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, PLAIN, 1);
	build_comm(&records, 7, 7, "sh", true, 1);
	build_mmap(&records, 7, 0x10000, 0x2000, 0, "/bin/sh", 2);
	build_fork(&records, 8, 7, 8, 3);
	build_sample(&records, USER, 8, 0x10020, 4);
	build_comm(&records, 8, 8, "ls", true, 5);
	build_sample(&records, USER, 8, 0x10020, 6);
	build_mmap(&records, 8, 0x10000, 0x1000, 0, "/bin/ls", 7);
	build_sample(&records, USER, 8, 0x10020, 8);
	build_sample(&records, USER, 7, 0x10020, 9);
	build_sample(&records, KERNEL, 0, 0x10020, 10);
	build_sample(&records, USER, 55, 0x10020, 11);
	p = read_records();
	is_str(why.text, "");
	if (!p)
		return;
	is(p->stacks.nr, 6);
	is_stack(p, 0, "sh//bin/sh+20");
	is(p->processes.at[p->places.at[0].process].pid, 8);
	is_stack(p, 1, "ls/[unknown]+10020");
	is_stack(p, 2, "ls//bin/ls+20");
	is_stack(p, 3, "sh//bin/sh+20");
	is(p->processes.at[p->places.at[3].process].pid, 7);
	is_stack(p, 4, "swapper/[unknown in the kernel]+10020");
	is_stack(p, 5, ":55/[unknown]+10020");
	profile_free(p);
}

static void maps_over_maps(void)
{
	static const struct {
		uint64_t ip;
		const char *stack;
	} want[] = {
		{ 0xfff, "x/[unknown]+fff" }, { 0x1000, "x//a+0" },
		{ 0x1fff, "x//a+fff" },	      { 0x2000, "x//b+100000" },
		{ 0x2fff, "x//b+100fff" },    { 0x3000, "x//a+2000" },
		{ 0x4fff, "x//a+3fff" },      { 0x5000, "x//c+0" },
		{ 0x6000, "x//c+1000" },      { 0x7000, "x//d+0" },
		{ 0x9000, "x//e+1000" },      { 0xa000, "x/[unknown]+a000" },
		{ 0xb010, "x/[vdso]+10" },    { 0xc010, "x/[anonymous memory]+c010" },
		{ ~0ull - 5, "x//end+ffa" },
	};
	struct profile *p;

	begin();
	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, PLAIN, 1);
	build_comm(&records, 7, 7, "x", false, 1);
	build_mmap(&records, 7, 0x1000, 0x5000, 0, "/a", 2);
	build_mmap(&records, 7, 0x2000, 0x1000, 0x100000, "/b", 3); /* in the middle */
	build_mmap(&records, 7, 0x5000, 0x2000, 0, "/c", 4); /* beyond the end */
	build_mmap(&records, 7, 0x8000, 0x2000, 0, "/e", 5);
	build_mmap(&records, 7, 0x7000, 0x2000, 0, "/d", 6); /* before the beginning */
	build_mmap(&records, 7, 0xb000, 0x1000, 0, "[vdso]", 7);
	build_mmap(&records, 7, 0xc000, 0x1000, 0, "//anon", 7);
	build_mmap(&records, 7, ~0ull - 0xfff, 0x1000, 0, "/end", 7);
	build_mmap(&records, 7, ~0ull - 0xfff, 0x2000, 0, "/beyond", 8); /* wraps: is not there */
	build_mmap(&records, 7, 0x1000, 0, 0, "/empty", 8);
	for (unsigned i = 0; i < TAP_NR(want); i++)
		build_sample(&records, USER, 7, want[i].ip, 10 + i);
	p = read_records();
	is_str(why.text, "");
	if (!p)
		return;
	for (unsigned i = 0; i < TAP_NR(want); i++) {
		tap_context("%llx", (unsigned long long)want[i].ip);
		is_stack(p, i, want[i].stack);
	}
	profile_free(p);
}

static void two_events(uint64_t second_id)
{
	begin();
	build_event(&records, PERF_COUNT_HW_CPU_CYCLES,
		    PLAIN | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_PERIOD, 1);
	build_event(&records, PERF_COUNT_HW_CACHE_MISSES,
		    PLAIN | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD, 1);
	build_record(&records, PERF_RECORD_SAMPLE, USER);
	build64(&records, 100);
	build64(&records, 0x10);
	build64(&records, 7);
	build64(&records, 5); /* time */
	build64(&records, 300); /* period */
	build_record_end(&records);
	build_record(&records, PERF_RECORD_SAMPLE, USER);
	build64(&records, second_id);
	build64(&records, 0x10);
	build64(&records, 7);
	build64(&records, 6);
	build64(&records, 1); /* CPU */
	build64(&records, 70);
	build_record_end(&records);
}

static void events_by_their_ids(void)
{
	struct profile *p;

	two_events(101);
	p = read_records();
	is_str(why.text, "");
	if (p) {
		is(p->events.at[0].total, 300);
		is_str(p->events.at[1].name, "cache-misses");
		is(p->events.at[1].total, 70);
		is(p->stacks.nr, 1);
		profile_free(p);
	}
	two_events(999);
	ok(!read_records());
	ok(strstr(why.text, "a sample is of no event of the file") != NULL);
	begin();
	build_event(&records, 0, PLAIN, 1);
	build_event(&records, 1, PLAIN, 1);
	build_sample(&records, USER, 7, 0x10, 1);
	ok(!read_records());
	is_str(why.text, "has several events, and samples that do not tell which they are of");
}

static void dummies_are_no_events(void)
{
	struct profile *p;

	two_events(101);
	records.attrs[0].type = PERF_TYPE_SOFTWARE;
	records.attrs[0].config = PERF_COUNT_SW_DUMMY;
	p = read_records();
	is_str(why.text, "");
	if (p) {
		is(p->events.nr, 1);
		is_str(p->events.at[0].name, "cache-misses");
		is(p->events.at[0].total, 70);
		profile_free(p);
	}
	records.attrs[1] = records.attrs[0];
	ok(!read_records());
	is_str(why.text, "has only dummy events, which count nothing");
}

static void group_sample(uint64_t cycles, uint64_t misses, uint64_t time)
{
	build_record(&records, PERF_RECORD_SAMPLE, USER);
	build64(&records, 100);
	build64(&records, 0x10);
	build64(&records, 7);
	build64(&records, time);
	build64(&records, 2); /* values */
	build64(&records, 1000); /* time enabled */
	build64(&records, cycles);
	build64(&records, 100);
	build64(&records, misses);
	build64(&records, 101);
	build_record_end(&records);
}

static void groups_bring_what_they_grew_by(void)
{
	struct profile *p;

	begin();
	for (unsigned i = 0; i < 2; i++) {
		build_event(&records, i ? PERF_COUNT_HW_CACHE_MISSES : PERF_COUNT_HW_CPU_CYCLES,
			    PLAIN | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_READ, 1);
		records.attrs[i].read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID |
					       PERF_FORMAT_TOTAL_TIME_ENABLED;
	}
	group_sample(1000, 5, 1);
	group_sample(2100, 5, 2);
	group_sample(3000, 25, 3);
	p = read_records();
	is_str(why.text, "");
	if (!p)
		return;
	is(p->events.at[0].total, 3000);
	is(p->events.at[0].samples, 3);
	is(p->events.at[1].total, 25);
	is(p->events.at[1].samples, 2);
	profile_free(p);
}

static void call_chains(void)
{
	static const uint64_t chain[] = {
		PERF_CONTEXT_KERNEL,
		0xffffffff80004000,
		0xffffffff80003000,
		PERF_CONTEXT_USER,
		0x10010,
		0x10100,
	};
	struct profile *p;

	begin();
	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, PLAIN | PERF_SAMPLE_CALLCHAIN, 10);
	build_comm(&records, 7, 7, "x", false, 1);
	build_mmap(&records, 7, 0x10000, 0x2000, 0, "/x", 2);
	build_mmap(&records, UINT32_MAX, 0xffffffff80000000, 0x1000000, 0xffffffff80002000,
		   "[kernel.kallsyms]_text", 0);
	build_record(&records, PERF_RECORD_SAMPLE, KERNEL);
	build64(&records, 0xffffffff80004000);
	build64(&records, 7ull << 32 | 7);
	build64(&records, 3);
	build64(&records, TAP_NR(chain));
	build_bytes(&records, chain, sizeof(chain));
	build_record_end(&records);
	p = read_records();
	is_str(why.text, "");
	if (!p)
		return;
	ok(p->has_chains);
	is(p->stacks.nr, 4);
	is_stack(p, 3, "x/[kernel]+ffffffff80004000<x/[kernel]+ffffffff80002fff<x//x+f<x//x+ff");
	is(profile_weight(p, 3, 0).weight, 10);
	is(profile_weight(p, 2, 0).weight, 0);
	profile_free(p);
}

/*
 * A copy of registers 0 (the program counter) and 2 (the stack pointer), and of 16 of 32 bytes of
 * stack.
 */
static void copied(uint64_t kept)
{
	begin();
	build_event(&records, PERF_COUNT_HW_CPU_CYCLES,
		    PLAIN | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK |
			    PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
		    10);
	records.attrs[0].sample_regs_user = 5;
	build_comm(&records, 7, 7, "x", false, 1);
	build_mmap(&records, 7, 0x10000, 0x2000, 0x1000, "/x", 2);
	build_record(&records, PERF_RECORD_SAMPLE, KERNEL);
	build64(&records, 0xffffffff80004000);
	build64(&records, 7ull << 32 | 7);
	build64(&records, 3);
	build64(&records, 2);
	build64(&records, PERF_CONTEXT_KERNEL);
	build64(&records, 0xffffffff80004000);
	build32(&records, 12); /* raw */
	build_bytes(&records, "abcdefghijkl", 12);
	build64(&records, 1); /* branches */
	build_bytes(&records, &(struct perf_branch_entry){ 0 }, sizeof(struct perf_branch_entry));
	build64(&records, PERF_SAMPLE_REGS_ABI_64);
	build64(&records, 0x10010);
	build64(&records, 0x7f000);
	build64(&records, 32);
	build_bytes(&records, "0123456789abcdefxxxxxxxxxxxxxxxx", 32);
	build64(&records, kept);
	build_record_end(&records);
}

/* Three frames, if the copy is the one built above. */
static size_t unwind(void *cookie, const struct perf_copy *c, uint64_t *ips, size_t max)
{
	struct perf_mapped m;

	ok(cookie == &records && max > 3);
	is(c->mask, 5);
	is(c->reg[0], 0x10010);
	is(c->reg[2], 0x7f000);
	is(c->stack_len, 16);
	ok(!memcmp(c->stack, "0123456789abcdef", 16));
	ok(!perf_copy_mapped(c, 0xffff, &m));
	ok(perf_copy_mapped(c, 0x11fff, &m));
	is(m.start, 0x10000);
	is(m.pgoff, 0x1000);
	ips[0] = 0x10010;
	ips[1] = 0x10100;
	ips[2] = 0x99999;
	return 3;
}

static void copies_of_stacks(void)
{
	static const struct perf_unwinder by = { unwind, &records };
	struct profile *p;

	unwinder = &by;
	copied(16);
	p = read_records();
	is_str(why.text, "");
	is(p->stack_copies, 1);
	is(p->stacks_unwound, 1);
	is(p->stacks.nr, 4);
	is_stack(
		p, 3,
		"x/[unknown in the kernel]+ffffffff80004000<x//x+1010<x//x+10ff<x/[unknown]+99998");
	profile_free(p);
	unwinder = NULL;
	copied(16);
	p = read_records();
	is(p->stacks.nr, 1);
	profile_free(p);
	copied(33);
	ok(!read_records());
	ok(strstr(why.text, "a sample is truncated") != NULL);
}

static void c910(struct perf_build *b)
{
	build_string(b, "0x5b7-0x0-0x0");
}

static void c908(struct perf_build *b)
{
	build_string(b, "0x5b7-0x8000000009140d00-0x0");
}

/* T-Head's older cores have XTheadVector. */
static void extensions_of_a_cpu(void)
{
	static const struct build_feature features[] = {
		{ PERF_DATA_CPUID, c910 },
		{ PERF_DATA_CPUID, c908 },
	};

	for (unsigned n = 0; n < TAP_NR(features); n++) {
		struct profile *p;

		begin();
		build_event(&records, PERF_COUNT_HW_CPU_CYCLES, PLAIN, 1);
		build_comm(&records, 7, 7, "a", true, 1);
		build_file(&file, &records, &features[n], 1);
		p = read_bytes(file.bytes, file.len);
		ok(p && profile_cpu_has(p, "xtheadvector") == !n);
		profile_free(p);
	}
}

static void build_ksymbol(uint64_t addr, uint32_t size, uint16_t flags, const char *name,
			  uint64_t time)
{
	build_record(&records, PERF_RECORD_KSYMBOL, 0);
	build64(&records, addr);
	build32(&records, size);
	build32(&records, PERF_RECORD_KSYMBOL_TYPE_BPF | (uint32_t)flags << 16);
	build_text(&records, name);
	build_sample_id(&records, time);
}

/*
 * An address that later belongs to another program; kallsyms is from a time when neither existed.
 */
static void code_that_the_kernel_writes(void)
{
	static const char kallsyms[] = "ffffffff80000000 T _text\n";
	struct profile *p = profile_new();
	struct perf_reader *r;

	begin();
	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, PLAIN, 10);
	build_comm(&records, 7, 7, "x", false, 1);
	build_ksymbol(0xffffffff90000000, 0x80, 0, "bpf_prog_1_first", 2);
	build_ksymbol(0xffffffff90000100, 0, 0, "bpf_prog_of_no_size", 2);
	build_sample(&records, KERNEL, 7, 0xffffffff90000010, 3);
	build_sample(&records, KERNEL, 7, 0xffffffff90000080, 4);
	build_ksymbol(0xffffffff90000000, 0x80, PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER,
		      "bpf_prog_1_first", 5);
	build_sample(&records, KERNEL, 7, 0xffffffff80000010, 6);
	build_file(&file, &records, NULL, 0);
	r = perf_reader_open(p, file.bytes, file.len, &why);
	ok(r && profile_add_kallsyms(p, kallsyms, strlen(kallsyms)));
	ok(perf_reader_run(r, NULL, &why));
	perf_reader_close(r);
	is(p->stacks.nr, 3);
	is_stack(p, 0, "x/[bpf]+ffffffff90000010");
	is_stack(p, 1, "x/[kernel]+ffffffff90000080");
	is_stack(p, 2, "x/[kernel]+ffffffff80000010");
	is_str(symbols_find(&p->objects.at[p->places.at[0].object].symbols, 0xffffffff90000010)
		       ->name,
	       "bpf_prog_1_first");
	profile_free(p);

	begin();
	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, PLAIN, 10);
	build_record(&records, PERF_RECORD_KSYMBOL, 0);
	build64(&records, 0xffffffff90000000);
	build_record_end(&records);
	ok(!read_records());
	ok(strstr(why.text, "the name of a kernel symbol is truncated") != NULL);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "records without their fields", records_without_their_fields },
		{ "samples of a program", samples_of_a_program },
		{ "records are in the order of time", records_are_in_the_order_of_time },
		{ "forks and execs", forks_and_execs },
		{ "maps over maps", maps_over_maps },
		{ "events by their ids", events_by_their_ids },
		{ "dummies are not events", dummies_are_no_events },
		{ "groups count what they grew by", groups_bring_what_they_grew_by },
		{ "call chains", call_chains },
		{ "copies of stacks", copies_of_stacks },
		{ "extensions of a CPU", extensions_of_a_cpu },
		{ "code that the kernel writes", code_that_the_kernel_writes },
	};

	return tap_run(cases, TAP_NR(cases));
}
