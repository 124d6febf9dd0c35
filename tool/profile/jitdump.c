// SPDX-License-Identifier: BSD-2-Clause
/*
 * jitdump.c - see jitdump.h.
 */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "jitdump.h"

#define MAGIC	      0x4a695444u /* "JiTD" */
#define MAGIC_SWAPPED 0x4454694au
#define VERSION	      1
#define HEADER_SIZE   40
#define RECORD_SIZE   16 /* of a record's own header */
#define FLAG_TSC      1

enum { CODE_LOAD, CODE_MOVE };

static uint32_t magic_of(const void *data, size_t len)
{
	struct in in = { data, (const char *)data + len, false };

	return len < HEADER_SIZE ? 0 : get32(&in);
}

bool jitdump_knows(const void *data, size_t len)
{
	uint32_t magic = magic_of(data, len);

	return magic == MAGIC || magic == MAGIC_SWAPPED;
}

/* Returns the size of the file's header; 0 after setting why. */
static size_t take_header(struct jitdump *d, const char *data, size_t len, struct error_text *why)
{
	struct in in = { data, data + len, false };
	uint32_t version, size;

	if (magic_of(data, len) == MAGIC_SWAPPED)
		return error_set(why, "of a machine of the other byte order");
	if (magic_of(data, len) != MAGIC)
		return error_set(why, "not a jitdump file");
	get32(&in);
	version = get32(&in);
	size = get32(&in);
	d->machine = get32(&in);
	get32(&in);
	get32(&in); /* pid: the record of the mapping has it, too */
	get64(&in);
	d->tsc = get64(&in) & FLAG_TSC;
	if (version != VERSION)
		return error_set(why, "version %u of the format, and only 1 is known", version);
	if (size < HEADER_SIZE || size > len)
		return error_set(why, "its header is truncated");
	return size;
}

/* JIT_CODE_LOAD: pid, tid, vma, address, size and number of the code, its name, its bytes. */
static bool take_load(struct jitdump *d, struct in *in, const char *data, uint64_t time)
{
	struct jitdump_code c = { .time = time };
	const char *end;

	get64(in);
	get64(in);
	c.addr = get64(in);
	c.size = get64(in);
	c.index = get64(in);
	end = in->bad ? NULL : memchr(in->at, '\0', (size_t)(in->end - in->at));
	if (!end || c.size > (size_t)(in->end - end - 1) || c.addr + c.size < c.addr) {
		in->bad = true;
		return true;
	}
	c.name = in->at;
	c.offset = (uint64_t)(end + 1 - data);
	return !c.size || VEC_PUSH(&d->codes, c);
}

/* JIT_CODE_MOVE: pid, tid, vma, old and new address, size and number of the code. */
static bool take_move(struct jitdump *d, struct in *in, uint64_t time)
{
	struct jitdump_code c;
	uint64_t addr, index;

	get64(in);
	get64(in);
	get64(in);
	addr = get64(in);
	get64(in);
	index = get64(in);
	if (in->bad)
		return true;
	for (size_t n = d->codes.nr; n-- > 0;) {
		c = d->codes.at[n];
		if (c.index != index)
			continue;
		c.addr = addr;
		c.time = time;
		in->bad = c.addr + c.size < c.addr;
		return in->bad || VEC_PUSH(&d->codes, c);
	}
	return true;
}

bool jitdump_parse(struct jitdump *d, const char *data, size_t len, struct error_text *why)
{
	size_t at = take_header(d, data, len, why);

	if (!at)
		return false;
	while (len - at >= RECORD_SIZE) {
		struct in in = { data + at, data + len, false };
		uint32_t id = get32(&in), size = get32(&in);
		uint64_t time = get64(&in);
		bool memory = true;

		if (size < RECORD_SIZE)
			return error_set(why, "damaged at byte %zu", at);
		if (size > len - at)
			break;
		in.end = data + at + size;
		if (id == CODE_LOAD)
			memory = take_load(d, &in, data, time);
		else if (id == CODE_MOVE)
			memory = take_move(d, &in, time);
		if (!memory)
			return error_set(why, "out of memory");
		if (in.bad)
			return error_set(why, "damaged at byte %zu", at);
		at += size;
	}
	return true;
}

void jitdump_free(struct jitdump *d)
{
	free(d->codes.at);
	*d = (struct jitdump){ 0 };
}
