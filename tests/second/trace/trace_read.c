// SPDX-License-Identifier: BSD-2-Clause
/*
 * trace_read.c - reads a recorded trace (trace_read.h).
 */
#include <errno.h>
#include <string.h>

#include "bytes.h"
#include "trace_read.h"

#define HARTS 8

static bool get(struct trace_reader *t, void *to, size_t len, struct error_text *why)
{
	errno = 0;
	if (fread(to, 1, len, t->from) == len)
		return true;
	if (ferror(t->from))
		return error_set(why, "the trace cannot be read: %s", strerror(errno));
	return error_set(why, "the trace is incomplete: it ends after %llu records",
			 (unsigned long long)t->nr);
}

bool trace_read_header(struct trace_reader *t, struct trace_header *h, struct error_text *why)
{
	uint8_t in[RECORD_HEADER];
	uint32_t size;

	if (!get(t, in, sizeof(in), why))
		return false;
	if (memcmp(in, RECORD_MAGIC, strlen(RECORD_MAGIC)) != 0)
		return error_set(why, "the file is not a recorded trace");
	if (le32(in + RECORD_AT_VERSION) != RECORD_VERSION)
		return error_set(why, "the trace has version %u; this reader knows version %d",
				 le32(in + RECORD_AT_VERSION), RECORD_VERSION);
	*h = (struct trace_header){
		.harts = le32(in + RECORD_AT_HARTS),
		.hz = le64(in + RECORD_AT_HZ),
		.seed = le64(in + RECORD_AT_SEED),
		.quantum = le64(in + RECORD_AT_QUANTUM),
		.ram = le64(in + RECORD_AT_RAM),
		.ram_size = le64(in + RECORD_AT_RAM_SIZE),
	};
	size = le32(in + RECORD_AT_SIZE);
	if (size != sizeof(in) || h->harts < 1 || h->harts > HARTS)
		return error_set(why, "the header of the trace is damaged");
	t->harts = h->harts;
	return true;
}

static bool damaged(const struct trace_reader *t, struct error_text *why)
{
	return error_set(why, "the trace is damaged at record %llu", (unsigned long long)t->nr);
}

/* Whether the file is over, as it must be. */
static bool over(struct trace_reader *t, struct error_text *why)
{
	if (fgetc(t->from) != EOF)
		return error_set(why, "the trace goes on after its end");
	return !ferror(t->from) || error_set(why, "the trace cannot be read: %s", strerror(errno));
}

/* The least number of fields of a type; 0: it is not known. */
static unsigned fields_of(unsigned type)
{
	static const uint8_t least[] = {
		[RECORD_RESET] = 3, [RECORD_TURN] = 2,	    [RECORD_INSN] = 3,
		[RECORD_WALK] = 2,  [RECORD_ACCESS] = 2,    [RECORD_CSR] = 3,
		[RECORD_FENCE] = 2, [RECORD_EXCEPTION] = 3, [RECORD_INTERRUPT] = 3,
		[RECORD_WAKE] = 1,  [RECORD_END] = 1,
	};

	return type < sizeof(least) ? least[type] : 0;
}

bool trace_read(struct trace_reader *t, struct trace_record *r, struct error_text *why)
{
	uint8_t in[8 * (1 + TRACE_FIELDS_MAX)];

	if (t->ended)
		return false;
	if (!get(t, in, 8, why))
		return false;
	r->type = in[0];
	r->hart = in[1];
	r->flags = in[3];
	r->more = le32(in + 4);
	if (!in[2] || in[2] < 1 + fields_of(r->type) || r->hart >= t->harts)
		return damaged(t, why);
	r->fields = in[2] - 1;
	if (!get(t, in + 8, 8 * r->fields, why))
		return false;
	memset(r->field, 0, 4 * sizeof(r->field[0]));
	for (unsigned n = 0; n < r->fields; n++)
		r->field[n] = le64(in + 8 + 8 * n);
	if (r->type == RECORD_END) {
		if (r->field[0] != t->nr)
			return damaged(t, why);
		t->ended = true;
		if (!over(t, why))
			return false;
	}
	t->nr++;
	return true;
}
