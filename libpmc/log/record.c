// SPDX-License-Identifier: BSD-2-Clause
/*
 * record.c - parses a perf record (perf_event_open(2), "PERF_RECORD_*").  Pure.
 *
 * A sample has the fields that attr.c asks for: IP, TID, TIME, CPU, and then the values of a group
 * or a call chain.  All other records end with TID, TIME, CPU.  With PMC_F_RECORDS records also
 * have an IDENTIFIER: it is the first field of a sample and the last of other records.  Of these
 * records the library only uses the type, the time and the number of lost records.
 */
#include <string.h>

#include "bytes.h"
#include "record.h"

/* The rest of the record as a name, which must contain a NUL. */
static const char *get_name(struct in *in)
{
	const char *name = in->at;

	if (name == in->end || !memchr(name, 0, (size_t)(in->end - name)))
		in->bad = true;
	in->at = in->end;
	return name;
}

static void get_task(struct in *in, struct lpmc_record *r)
{
	r->pid = get32(in);
	r->tid = get32(in);
}

/* Reads the fields at the end of the record, and cuts them off. */
static void get_trailer(struct in *in, enum lpmc_layout layout, struct lpmc_record *r)
{
	const ptrdiff_t size = layout == LPMC_RECORDS ? 32 : 24;
	struct in tail = *in;

	if (in->end - in->at < size) {
		in->bad = true;
		return;
	}
	tail.at = in->end - size;
	get_task(&tail, r);
	r->time = get64(&tail);
	r->cpu = get32(&tail);
	in->end -= size;
}

static void get_sample(struct in *in, enum lpmc_layout layout, struct lpmc_record *r)
{
	uint64_t nr;

	if (layout == LPMC_RECORDS)
		get64(in); /* the identifier */
	r->ip = get64(in);
	get_task(in, r);
	r->time = get64(in);
	r->cpu = get32(in);
	get32(in);
	if (layout == LPMC_SWITCH) {
		nr = get64(in);
		get64(in); /* enabled */
		get64(in); /* running */
		get64(in); /* the number of switches */
		r->value = get64(in);
		in->bad |= nr != 2;
	} else if (layout == LPMC_CHAIN) {
		nr = get64(in);
		if (nr > (uint64_t)(in->end - in->at) / 8) {
			in->bad = true;
			return;
		}
		r->chain = (const uint64_t *)in->at;
		r->nr_chain = (uint32_t)nr;
	}
}

static void get_other(struct in *in, enum lpmc_layout layout, struct lpmc_record *r)
{
	get_trailer(in, layout, r);
	switch (r->type) {
	case PERF_RECORD_MMAP2:
		get_task(in, r);
		r->addr = get64(in);
		get64(in); /* length */
		r->offset = get64(in);
		get64(in); /* the file's device, */
		get64(in); /* inode */
		get64(in); /* and its generation */
		r->prot = get32(in);
		get32(in); /* flags */
		r->name = get_name(in);
		break;
	case PERF_RECORD_COMM:
		get_task(in, r);
		r->name = get_name(in);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		r->pid = get32(in);
		r->ppid = get32(in);
		r->tid = get32(in);
		r->ptid = get32(in);
		break;
	case PERF_RECORD_READ:
		get_task(in, r);
		r->value = get64(in);
		break;
	case PERF_RECORD_LOST:
		get64(in); /* id */
		r->lost = get64(in);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		r->lost = get64(in);
		break;
	default:
		break;
	}
}

int lpmc_record_parse(const void *data, size_t size, enum lpmc_layout layout, struct lpmc_record *r)
{
	struct in in = { .at = data, .end = (const char *)data + size };
	struct perf_event_header header;

	memset(r, 0, sizeof(*r));
	if (size < sizeof(header))
		return -1;
	memcpy(&header, data, sizeof(header));
	in.at += sizeof(header);
	r->type = header.type;
	r->misc = header.misc;
	if (r->type == PERF_RECORD_SAMPLE)
		get_sample(&in, layout, r);
	else
		get_other(&in, layout, r);
	return in.bad ? -1 : 0;
}
