// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_bytes.c - little-endian fields: read in order, and at addresses.
 */
#include "bytes.h"
#include "tap.h"

static void in_order(void)
{
	struct {
		uint32_t a;
		uint64_t b;
		char text[3];
	} __attribute__((packed)) record = { 0x12345678, 0x1122334455667788, "ab" };
	struct in in = { (const char *)&record, (const char *)(&record + 1), false };
	char text[3];

	is(get32(&in), 0x12345678);
	is(get64(&in), 0x1122334455667788); /* not aligned */
	in_get(&in, text, sizeof(text));
	is_str(text, "ab");
	ok(!in.bad && in.at == in.end);
}

static void beyond(void)
{
	static const char data[6] = "\1\1\1\1\1\1";
	struct in in = { data, data + 6, false };

	ok(get32(&in) != 0 && !in.bad);
	is(get64(&in), 0);
	ok(in.bad);
	ok(in.at == data + 4); /* the position does not move past the end */
}

static void little_endian(void)
{
	uint8_t bytes[9] = { 0, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11 }, copy[9] = { 0 };

	is(le16(bytes + 1), 0x7788);
	is(le32(bytes + 1), 0x55667788);
	is(le64(bytes + 1), 0x1122334455667788);
	is(le32(bytes + 5), 0x11223344);
	put_le64(copy + 1, 0x1122334455667788);
	ok(!memcmp(bytes, copy, 9));
	put_le16(copy, 0xfeff);
	put_le32(copy + 2, 0xf1f2f3f4);
	ok(!memcmp(copy, "\xff\xfe\xf4\xf3\xf2\xf1\x33\x22\x11", 9));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "fields in order, at any alignment", in_order },
		{ "a read beyond the end gives zeros and sets bad", beyond },
		{ "little-endian fields at addresses", little_endian },
	};

	return tap_run(cases, TAP_NR(cases));
}
