// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_exports.c - the formats that viewers of other projects open: CSV, pprof, speedscope and SVG,
 * to the letter for a small profile, and for one with hostile names.
 */
#include <stdlib.h>
#include <zlib.h>

#include "out.h"
#include "report.h"
#include "tap.h"

#define BASE 0xffffffff80000000ull

static const char plain[] = "ffffffff80000000 T outer\n"
			    "ffffffff80001000 t inner\n";
static const char hostile[] = "ffffffff80000000 T </script><b>&'\"\n"
			      "ffffffff80001000 t =1+1,\"x\"\n";

/* outer: 100 cycles, 1 miss; inner, which outer calls: 300 cycles. */
static struct report *make(const char *kallsyms, const char *comm)
{
	static const struct report_options o = { .symfs = "" };
	struct report *r = calloc(1, sizeof(*r));
	uint32_t process, kernel, outer, inner, stack;

	r->o = &o;
	r->path = "perf.data";
	r->p = profile_new();
	profile_add_event(r->p, "cycles", false);
	profile_add_event(r->p, "misses", false);
	ok(profile_add_kallsyms(r->p, kallsyms, strlen(kallsyms)));
	kernel = profile_find_kernel(r->p, BASE);
	process = profile_add_process(r->p, 7, comm);
	outer = profile_add_place(r->p, process, kernel, BASE + 4);
	inner = profile_add_place(r->p, process, kernel, BASE + 0x1010);
	stack = profile_add_stack(r->p, outer, PROFILE_NONE);
	profile_add(r->p, stack, 0, 100, 1);
	profile_add(r->p, stack, 1, 1, 1);
	profile_add(r->p, profile_add_stack(r->p, inner, stack), 0, 300, 3);
	ok(report_resolve(r));
	return r;
}

typedef bool output(struct report *r, const struct report_view *v, FILE *to);

/* The output, with a zero after its *len bytes. */
static char *text_of(struct report *r, output *out, unsigned keys, size_t *len)
{
	struct report_view v = { .keys = keys, .inlined = true };
	char *text = NULL;
	FILE *to = open_memstream(&text, len);

	ok(report_choose_events(r, NULL, &v.events));
	ok(out(r, &v, to));
	fclose(to);
	return text;
}

static void is_output(struct report *r, output *out, unsigned keys, const char *want)
{
	size_t len;
	char *text = text_of(r, out, keys, &len);

	is_str(text, want);
	free(text);
}

static void csv(void)
{
	struct report *r = make(plain, "x");

	is_output(r, report_out_csv, REPORT_COMM | REPORT_OBJECT | REPORT_SYMBOL,
		  "comm,object,symbol,cycles self,cycles samples,cycles total,misses self,misses "
		  "samples,misses total\n"
		  "x,[kernel],inner,300,3,300,0,0,0\n"
		  "x,[kernel],outer,100,1,400,1,1,1\n");
	is_output(r, report_out_csv, REPORT_PID | REPORT_ADDR | REPORT_LINE,
		  "pid,object,addr,source,line,cycles self,cycles samples,cycles total,misses "
		  "self,misses samples,misses total\n"
		  "7,[kernel],0xffffffff80001010,,0,300,3,300,0,0,0\n"
		  "7,[kernel],0xffffffff80000004,,0,100,1,400,1,1,1\n");
	report_free(r);
	r = make(hostile, "a\033[2J\nb");
	is_output(r, report_out_csv, REPORT_COMM | REPORT_SYMBOL,
		  "comm,symbol,cycles self,cycles samples,cycles total,misses self,misses "
		  "samples,misses total\n"
		  "a?[2J?b,\"'=1+1,\"\"x\"\"\",300,3,300,0,0,0\n"
		  "a?[2J?b,\"</script><b>&'\"\"\",100,1,400,1,1,1\n");
	report_free(r);
}

static void speedscope(void)
{
	struct report *r = make(plain, "x");

	is_output(r, report_out_speedscope, 0,
		  "{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\", "
		  "\"exporter\": \"holter\", \"name\": \"perf.data\", \"activeProfileIndex\": 0, "
		  "\"shared\": {\"frames\": [{\"name\": \"x\"}, {\"name\": \"outer\", \"file\": "
		  "\"[kernel]\"}, {\"name\": \"inner\", \"file\": \"[kernel]\"}]}, \"profiles\": ["
		  "{\"type\": \"sampled\", \"name\": \"cycles\", \"unit\": \"none\", "
		  "\"startValue\": 0, "
		  "\"endValue\": 400, \"samples\": [[0, 1], [0, 1, 2]], \"weights\": [100, 300]}, "
		  "{\"type\": \"sampled\", \"name\": \"misses\", \"unit\": \"none\", "
		  "\"startValue\": 0, "
		  "\"endValue\": 1, \"samples\": [[0, 1]], \"weights\": [1]}]}\n");
	report_free(r);
}

static void svg(void)
{
	struct report *r = make(plain, "x");
	size_t len;
	char *text = text_of(r, report_out_svg, 0, &len);

	/* inner has three quarters of 1180 pixels, below outer. */
	ok(strstr(text,
		  "<title>inner: 300 (75.00%)</title><rect x=\"10.0\" y=\"98\" width=\"885.0\" "
		  "height=\"17\" fill=\"#"));
	ok(strstr(text, "<title>outer: 400 (100.00%)</title><rect x=\"10.0\" y=\"80\" "
			"width=\"1180.0\""));
	ok(strstr(text, ">cycles: about 400</text>"));
	free(text);
	report_free(r);
	r = make(hostile, "a\033[2J\xef\xbf\xbf");
	text = text_of(r, report_out_svg, 0, &len);
	ok(strstr(text,
		  "<title>&#60;/script&#62;&#60;b&#62;&#38;&#39;&#34;: 400 (100.00%)</title>"));
	ok(strstr(text, "<title>a?[2J?: 400 (100.00%)</title>"));
	ok(!strstr(text, "<script") && !strstr(text, "<b>") && !strchr(text, '\033'));
	free(text);
	report_free(r);
}

/* The Profile message */

struct bytes {
	const unsigned char *at, *end;
};

static uint64_t varint(struct bytes *b)
{
	uint64_t value = 0;
	unsigned shift = 0;

	while (b->at < b->end) {
		value |= (uint64_t)(*b->at & 0x7f) << shift;
		shift += 7;
		if (!(*b->at++ & 0x80))
			return value;
	}
	ok(!"a varint is cut short");
	return 0;
}

/* Prints each field as NUMBER:VALUE; a message in braces; strings are level 0's field 6. */
static void print_fields(struct bytes b, unsigned level, FILE *to)
{
	while (b.at < b.end) {
		uint64_t key = varint(&b), value = varint(&b);

		if ((key & 7) == 0) {
			fprintf(to, " %llu:%llx", (unsigned long long)key >> 3,
				(unsigned long long)value);
			continue;
		}
		is(key & 7, 2);
		ok(value <= (size_t)(b.end - b.at));
		if (!level && key >> 3 == 6) {
			fprintf(to, " '%.*s'", (int)value, (const char *)b.at);
		} else {
			fprintf(to, "%s%llu{", level ? " " : "\n", (unsigned long long)key >> 3);
			print_fields((struct bytes){ b.at, b.at + value }, level + 1, to);
			fputs(" }", to);
		}
		b.at += value;
	}
}

static void pprof(void)
{
	struct report *r = make(plain, "x");
	static unsigned char plain_bytes[4096];
	size_t len, text_len;
	char *packed = text_of(r, report_out_pprof, 0, &len), *text = NULL;
	z_stream z = { .next_in = (unsigned char *)packed,
		       .avail_in = (unsigned)len,
		       .next_out = plain_bytes,
		       .avail_out = sizeof(plain_bytes) };
	FILE *to = open_memstream(&text, &text_len);

	is(inflateInit2(&z, 16 + MAX_WBITS), Z_OK);
	is(inflate(&z, Z_FINISH), Z_STREAM_END);
	is(z.avail_in, 0);
	print_fields((struct bytes){ plain_bytes, plain_bytes + z.total_out }, 0, to);
	inflateEnd(&z);
	fclose(to);
	is_str(text, "\n1{ 1:3 2:4 }\n1{ 1:5 2:4 }"
		     "\n2{ 1:1 2:64 2:1 3{ 1:6 2:7 } 3{ 1:8 3:7 } }"
		     "\n2{ 1:2 1:1 2:12c 2:0 3{ 1:6 2:7 } 3{ 1:8 3:7 } }"
		     "\n4{ 1:1 2:1 3:ffffffff80000004 4{ 1:1 } }"
		     "\n4{ 1:2 2:1 3:ffffffff80001010 4{ 1:2 } }"
		     "\n3{ 1:1 3:ffffffff80001011 5:9 7:1 8:1 9:1 10:1 }"
		     "\n5{ 1:1 2:1 3:1 }\n5{ 1:2 2:2 3:2 }"
		     " '' 'outer' 'inner' 'cycles' 'count' 'misses' 'comm' 'x' 'pid' '[kernel]'");
	free(text);
	free(packed);
	report_free(r);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "csv", csv },
		{ "speedscope", speedscope },
		{ "svg", svg },
		{ "pprof", pprof },
	};

	return tap_run(cases, TAP_NR(cases));
}
