// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_perf_file.c - everything around the records: the header of a perf.data file, pipes,
 * compressed records, and what is refused.
 */
#include <zstd.h>

#include "perf_read.h"

static void hostname(struct perf_build *b)
{
	build_string(b, "board");
}

static void command(struct perf_build *b)
{
	build32(b, 3);
	build_string(b, "perf");
	build_string(b, "record");
	build_string(b, "./x");
}

static void event_desc(struct perf_build *b)
{
	build32(b, 1);
	build32(b, sizeof(records.attrs[0]));
	build_bytes(b, &records.attrs[0], sizeof(records.attrs[0]));
	build32(b, 1);
	build_string(b, "my-event:u");
	build64(b, 100);
}

static void build_ids(struct perf_build *b)
{
	struct perf_data_build_id id = { .header = { 0, PERF_DATA_MISC_BUILD_ID_SIZE, 48 },
					 .build_id = { 1, 2, 3, 4 },
					 .size = 4 };

	build_bytes(b, &id, sizeof(id));
	build_text(b, "/bin/prog");
}

static const struct build_feature features[] = {
	{ PERF_DATA_BUILD_ID, build_ids },
	{ PERF_DATA_HOSTNAME, hostname },
	{ PERF_DATA_CMDLINE, command },
	{ PERF_DATA_EVENT_DESC, event_desc },
};

static void build_with_features(void)
{
	begin();
	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, PLAIN, 10);
	build_comm(&records, 7, 7, "prog", false, 1);
	build_mmap(&records, 7, 0x10000, 0x2000, 0x1000, "/bin/prog", 2);
	build_sample(&records, USER, 7, 0x10010, 10);
	build_file(&file, &records, features, TAP_NR(features));
}

static void what_the_file_says(void)
{
	struct profile *p;

	build_with_features();
	p = read_bytes(file.bytes, file.len);
	is_str(why.text, "");
	if (!p)
		return;
	is_str(p->hostname, "board");
	is_str(p->command, "perf record ./x");
	is_str(p->events.at[0].name, "my-event:u");
	is(p->objects.at[0].build_id_size, 4);
	ok(!memcmp(p->objects.at[0].build_id, "\1\2\3\4", 4));
	profile_free(p);
}

static void lost_and_throttled(void)
{
	struct profile *p;

	begin();
	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, PLAIN, 10);
	build_record(&records, PERF_RECORD_LOST, 0);
	build64(&records, 100);
	build64(&records, 17);
	build_sample_id(&records, 1);
	build_record(&records, PERF_RECORD_LOST_SAMPLES, 0);
	build64(&records, 3);
	build_sample_id(&records, 2);
	build_record(&records, PERF_RECORD_THROTTLE, 0);
	build64(&records, 2);
	build64(&records, 100);
	build64(&records, 100);
	build_sample_id(&records, 2);
	p = read_records();
	is_str(why.text, "");
	if (!p)
		return;
	is(p->lost, 20);
	is(p->throttled, 1);
	is(p->stacks.nr, 0);
	profile_free(p);
}

static void a_pipe(void)
{
	struct perf_data_pipe_header h = { PERF_DATA_MAGIC, sizeof(h) };
	struct profile *p;

	begin();
	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, PLAIN, 10);
	build_bytes(&file, &h, sizeof(h));
	build_record(&file, PERF_DATA_RECORD_ATTR, 0);
	build_bytes(&file, &records.attrs[0], sizeof(records.attrs[0]));
	build64(&file, 100);
	build_record_end(&file);
	build_record(&file, PERF_DATA_RECORD_FEATURE, 0);
	build64(&file, PERF_DATA_HOSTNAME);
	build_string(&file, "board");
	build_record_end(&file);
	build_record(&file, PERF_DATA_RECORD_TRACING_DATA, 0);
	build32(&file, 13); /* bytes that are not records, up to 16 */
	build_record_end(&file);
	build_bytes(&file, "0123456789abcdef", 16);
	build_sample(&file, USER, 7, 0x10010, 10);
	p = read_bytes(file.bytes, file.len);
	is_str(why.text, "");
	if (!p)
		return;
	is_str(p->hostname, "board");
	is(p->events.at[0].total, 10);
	profile_free(p);
}

/* Records that cross the border of two pieces; the newer kind gives its length without padding. */
static void compressed_as(unsigned kind)
{
	bool has_size = kind == PERF_DATA_RECORD_COMPRESSED2;
	struct perf_build plain = { .len = 0 };
	char out[4096];
	size_t len, half;
	struct profile *p;

	begin();
	build_event(&records, PERF_COUNT_HW_CPU_CYCLES, PLAIN, 10);
	for (unsigned i = 0; i < 100; i++)
		build_sample(&plain, USER, 7, 0x10000 + i * 4, i + 1);
	len = ZSTD_compress(out, sizeof(out), plain.bytes, plain.len, 1);
	ok(!ZSTD_isError(len));
	half = len / 2;
	build_record(&records, kind, 0);
	if (has_size)
		build64(&records, half);
	build_bytes(&records, out, half);
	while (has_size && records.len % 8)
		build_bytes(&records, "", 1);
	build_record_end(&records);
	build_record(&records, kind, 0);
	if (has_size)
		build64(&records, len - half);
	build_bytes(&records, out + half, len - half);
	while (has_size && records.len % 8)
		build_bytes(&records, "", 1);
	build_record_end(&records);
	p = read_records();
	is_str(why.text, "");
	if (p) {
		is(p->stacks.nr, 100);
		is(p->events.at[0].total, 1000);
		profile_free(p);
	}
	records.bytes[records.len - 17] ^= 0x55;
	records.bytes[28] ^= 0x55;
	ok(!read_records());
	ok(!strncmp(why.text, "its compressed records are damaged: ", 36) ||
	   !strncmp(why.text, "is damaged: in its compressed records, ", 39));
}

static void compressed(void)
{
	compressed_as(PERF_DATA_RECORD_COMPRESSED);
	compressed_as(PERF_DATA_RECORD_COMPRESSED2);
}

static void refused(const char *want, const void *data, size_t len)
{
	memset(&why, 0, sizeof(why));
	ok(!read_bytes(data, len));
	is_str(why.text, want);
}

static void what_is_refused(void)
{
	struct perf_data_header *h = (void *)file.bytes;

	refused("is not a perf.data file", "", 0);
	refused("is not a perf.data file", "PERFILE", 7);
	refused("is not a perf.data file", "PERFFILE and more, as it once was", 33);
	refused("is of a machine of the other byte order; report it there",
		"2ELIFREP\0\0\0\0\0\0\0\150", 16);
	build_with_features();
	h->data.size = 0;
	refused("has no records: what recorded it has not ended properly", file.bytes, file.len);
	build_with_features();
	h->attrs.size = 0;
	refused("says of no event what was recorded", file.bytes, file.len);
	build_with_features();
	h->attrs.offset = UINT64_MAX;
	refused("is damaged or cut short: its list of events is not there", file.bytes, file.len);
	build_with_features();
	file.bytes[h->data.offset + 6] = 4; /* the size of the first record */
	refused("is damaged or cut short: at byte 256, a record is truncated", file.bytes,
		file.len);
}

/* A file that is cut anywhere causes one error line. */
static void cut_short(void)
{
	size_t len;

	build_with_features();
	len = file.len;
	for (size_t cut = 0; cut < len; cut++) {
		char *copy = malloc(cut + 1);

		memcpy(copy, file.bytes, cut);
		memset(&why, 0, sizeof(why));
		tap_context("cut at %zu", cut);
		ok(!read_bytes(copy, cut));
		ok(*why.text && !strchr(why.text, '\n'));
		free(copy);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the facts in the header", what_the_file_says },
		{ "lost and throttled", lost_and_throttled },
		{ "a pipe", a_pipe },
		{ "compressed", compressed },
		{ "refused files", what_is_refused },
		{ "cut short", cut_short },
	};

	return tap_run(cases, TAP_NR(cases));
}
