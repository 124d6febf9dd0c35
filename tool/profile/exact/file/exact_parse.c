// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_parse.c - reads an exact profile, holter-profile(5) (exact_parse.h).
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "bytes.h"
#include "data_parse.h"
#include "exact_format.h"
#include "exact_parse.h"
#include "vec.h"

#define HEAD	  16 /* magic and version */
#define BUFFER	  65536
#define HARTS_MAX 8
#define MODES	  4
#define PAGE	  4096

struct parser {
	ZSTD_DStream *zstd;
	ZSTD_inBuffer in;
	uint8_t out[BUFFER];
	size_t at, end; /* of out */
	bool over; /* the zstd frame has ended */
	struct exact_head *head;
	const struct exact_visitor *v;
	struct error_text *why; /* says something as soon as something is wrong */
	struct exact_code code;
	bool in_space, in_page, has_data;
	bool code_over; /* no code may follow */
	uint64_t va; /* of the last instruction */
	uint32_t call; /* of the instructions that follow */
	VEC(struct exact_node) nodes;
	struct exact_cell cell[EXACT_EVENTS_MAX];
	uint64_t *total; /* [hart][mode][event] */
};

/* Writes the error text, unless there is one already.  Returns false. */
__attribute__((format(printf, 2, 3))) static bool wrong(struct parser *p, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!p->why->text[0])
		error_vset(p->why, format, args);
	va_end(args);
	return false;
}

static bool fill(struct parser *p)
{
	ZSTD_outBuffer out = { p->out, sizeof(p->out), 0 };
	size_t left = 1;

	while (!p->over && !out.pos) {
		left = ZSTD_decompressStream(p->zstd, &out, &p->in);
		if (ZSTD_isError(left))
			return wrong(p, "the profile is damaged (%s)", ZSTD_getErrorName(left));
		p->over = !left;
		if (left && !out.pos && p->in.pos == p->in.size)
			return wrong(p, "the profile is cut off");
	}
	p->at = 0;
	p->end = out.pos;
	return out.pos || wrong(p, "the profile is damaged: it ends before its last record");
}

static bool get_bytes(struct parser *p, void *to, size_t len)
{
	uint8_t *at = to;

	while (len) {
		size_t part;

		if (p->at == p->end && !fill(p))
			return false;
		part = p->end - p->at < len ? p->end - p->at : len;
		memcpy(at, p->out + p->at, part);
		p->at += part;
		at += part;
		len -= part;
	}
	return true;
}

/* Reads a number in unsigned LEB128 of any length; 0 on an error. */
static uint64_t get_long_number(struct parser *p)
{
	uint64_t n = 0;

	for (unsigned shift = 0;; shift += 7) {
		uint8_t byte;

		if (p->at == p->end && !fill(p))
			return 0;
		byte = p->out[p->at++];
		if (shift == 63 && byte > 1) {
			wrong(p, "the profile is damaged: a number has more than 64 bits");
			return 0;
		}
		n |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return n;
	}
}

/* The same; most numbers have one byte. */
static inline uint64_t get_number(struct parser *p)
{
	if (p->at < p->end && p->out[p->at] < 0x80)
		return p->out[p->at++];
	return get_long_number(p);
}

/* Reads a number of at most max; what names it in the error text. */
static inline uint64_t get_below(struct parser *p, uint64_t max, const char *what)
{
	uint64_t n = get_number(p);

	if (n <= max)
		return n;
	wrong(p, "the profile is damaged: %s %llu, more than %llu", what, (unsigned long long)n,
	      (unsigned long long)max);
	return 0;
}

static bool parse_good(const struct parser *p)
{
	return !p->why->text[0];
}

static bool parse_no_memory(struct parser *p)
{
	return wrong(p, "out of memory for the profile");
}

/* Reads in steps, so that a wrong length does not allocate more memory than there is text. */
static bool get_text(struct parser *p, struct exact_text *t, size_t max)
{
	size_t len = get_below(p, max, "a text of length"), done = 0, size = 0;

	while (!p->why->text[0]) {
		size_t step = len - done < BUFFER ? len - done : BUFFER;

		if (!vec_room(&t->at, done, step + 1, &size, 1))
			return wrong(p, "out of memory for the profile");
		if (!get_bytes(p, t->at + done, step))
			return false;
		done += step;
		t->len = done;
		t->at[done] = '\0';
		if (done == len)
			return true;
	}
	return false;
}

/* The head */

static void get_notes(struct parser *p)
{
	struct exact_head *h = p->head;
	unsigned nr = get_below(p, EXACT_NOTES_MAX, "a number of notes");

	for (; h->notes < nr; h->notes++) {
		if (!get_text(p, &h->note[h->notes].name, EXACT_NAME_MAX) ||
		    !get_text(p, &h->note[h->notes].text, EXACT_NOTE_MAX)) {
			h->notes++;
			return;
		}
	}
}

static void get_events(struct parser *p)
{
	struct exact_head *h = p->head;
	unsigned nr = get_below(p, EXACT_EVENTS_MAX, "a number of events");

	while (h->events < nr && !p->why->text[0]) {
		get_text(p, &h->event[h->events].name, EXACT_NAME_MAX);
		h->event[h->events++].counted = get_below(p, 1, "a truth value");
	}
	if (!nr)
		wrong(p, "the profile is damaged: it has no events");
}

static void get_sums(struct parser *p)
{
	struct exact_head *h = p->head;
	unsigned nr = get_below(p, EXACT_SUMS_MAX, "a number of sums");

	while (h->sums < nr && !p->why->text[0]) {
		unsigned n = h->sums++;

		get_text(p, &h->sum[n].name, EXACT_NAME_MAX);
		h->sum[n].nr = get_below(p, EXACT_SUM_MAX, "a number of events");
		for (unsigned e = 0; e < h->sum[n].nr; e++)
			h->sum[n].event[e] = get_below(p, h->events - 1, "an event");
	}
}

static bool get_head(struct parser *p)
{
	struct exact_head *h = p->head;

	get_notes(p);
	if (!p->why->text[0])
		h->harts = get_below(p, HARTS_MAX, "a number of harts");
	if (!p->why->text[0])
		get_events(p);
	if (!p->why->text[0])
		get_sums(p);
	if (!p->why->text[0] && !h->harts)
		wrong(p, "the profile is damaged: it has no harts");
	if (p->why->text[0])
		return false;
	p->total = calloc((size_t)h->harts * MODES * h->events, sizeof(*p->total));
	if (!p->total)
		return wrong(p, "out of memory for the profile");
	if (p->v->head)
		p->v->head(p->v->cookie, h);
	return true;
}

void exact_head_free(struct exact_head *h)
{
	if (!h)
		return;
	for (unsigned n = 0; n < h->notes; n++) {
		free(h->note[n].name.at);
		free(h->note[n].text.at);
	}
	for (unsigned n = 0; n < h->events; n++)
		free(h->event[n].name.at);
	for (unsigned n = 0; n < h->sums; n++)
		free(h->sum[n].name.at);
	free(h);
}

/* Records */

static uint64_t *totals(const struct parser *p)
{
	return p->total + (size_t)(p->code.hart * MODES + p->code.mode) * p->head->events;
}

static bool get_space(struct parser *p, enum exact_whose whose)
{
	if (p->code_over)
		return wrong(p, "the profile is damaged: code after the time line or data");
	p->code.whose = whose;
	p->code.hart = get_below(p, p->head->harts - 1, "a hart");
	p->code.mode = get_below(p, MODES - 1, "a mode");
	p->code.satp = get_number(p);
	p->in_space = true;
	p->in_page = false;
	return !p->why->text[0];
}

static bool get_page(struct parser *p)
{
	if (!p->in_space)
		return wrong(p, "the profile is damaged: a page in no address space");
	p->code.va = get_below(p, UINT64_MAX / PAGE, "a page") * PAGE;
	p->code.known = get_below(p, 1, "a truth value");
	p->code.content = p->code.known ? get_number(p) : 0;
	p->va = p->code.va;
	p->call = 0;
	p->in_page = true;
	if (!p->why->text[0] && p->v->code)
		p->v->code(p->v->cookie, &p->code);
	return !p->why->text[0];
}

/* The time line or data begins: code may not follow. */
static void end_code(struct parser *p)
{
	p->in_space = p->in_page = false;
	p->code_over = true;
}

/* Reads counts into p->cell.  Returns how many. */
static unsigned get_cells(struct parser *p)
{
	unsigned nr = get_below(p, p->head->events, "a number of counts");

	for (unsigned n = 0; n < nr && !p->why->text[0]; n++) {
		p->cell[n].event = get_below(p, p->head->events - 1, "an event");
		p->cell[n].count = get_number(p);
	}
	return nr;
}

static bool get_slice(struct parser *p)
{
	struct exact_timeline_slice s;

	s.interval = get_below(p, EXACT_INTERVALS_MAX, "an interval");
	s.hart = get_below(p, p->head->harts - 1, "a hart");
	s.whose = get_below(p, EXACT_OF_STARTER, "an owner");
	s.satp = get_number(p);
	s.nr = get_cells(p);
	s.cell = p->cell;
	if (!p->why->text[0] && p->v->slice)
		p->v->slice(p->v->cookie, &s);
	return !p->why->text[0];
}

static bool get_times(struct parser *p)
{
	struct exact_timeline t;
	uint64_t nr;

	end_code(p);
	t.ns = get_below(p, EXACT_INTERVAL_NS_MAX, "an interval of");
	t.full = get_below(p, 1, "a truth value");
	nr = get_number(p);
	if (!p->why->text[0] && !t.ns)
		wrong(p, "the profile is damaged: an interval of 0");
	if (!p->why->text[0] && p->v->times)
		p->v->times(p->v->cookie, &t);
	for (uint64_t n = 0; n < nr && !p->why->text[0]; n++)
		get_slice(p);
	return !p->why->text[0];
}

static bool get_insn(struct parser *p)
{
	struct exact_insn insn;

	if (!p->in_page)
		return wrong(p, "the profile is damaged: an instruction on no page");
	p->va += 2 * get_below(p, (p->code.va + PAGE - 2 - p->va) / 2, "an offset of");
	insn.va = p->va;
	insn.call = p->call;
	insn.raw = get_below(p, UINT32_MAX, "an instruction");
	insn.nr = get_cells(p);
	insn.cell = p->cell;
	for (unsigned n = 0; n < insn.nr && !p->why->text[0]; n++)
		totals(p)[p->cell[n].event] += p->cell[n].count;
	if (!p->why->text[0] && p->v->insn)
		p->v->insn(p->v->cookie, &p->code, &insn);
	return !p->why->text[0];
}

static bool get_nodes(struct parser *p)
{
	uint64_t folded = get_number(p), nr = get_below(p, EXACT_CALLS_MAX, "a number of calls");
	struct exact_nodes nodes;

	if (p->nodes.nr)
		return wrong(p, "the profile is damaged: it has calls twice");
	for (uint64_t n = 0; n <= nr && !p->why->text[0]; n++) {
		struct exact_node node = { 0, 0 };

		if (n)
			node.caller = get_below(p, n - 1, "a caller");
		if (n)
			node.va = get_number(p);
		if (!VEC_PUSH(&p->nodes, node))
			return wrong(p, "out of memory for the profile");
	}
	nodes = (struct exact_nodes){ p->nodes.at, p->nodes.nr, folded };
	if (!p->why->text[0] && p->v->nodes)
		p->v->nodes(p->v->cookie, &nodes);
	return !p->why->text[0];
}

static bool get_called(struct parser *p)
{
	if (!p->in_page)
		return wrong(p, "the profile is damaged: calls on no page");
	p->call = get_below(p, p->nodes.nr ? p->nodes.nr - 1 : 0, "a call");
	p->va = p->code.va;
	return !p->why->text[0];
}

static bool get_data(struct parser *p)
{
	const struct data_source source = {
		p,
		get_below,
		parse_good,
		parse_no_memory,
		p->head->harts,
		p->head->events,
		(uint32_t)p->nodes.nr,
	};
	struct exact_data d;
	bool good;

	if (p->has_data)
		return wrong(p, "the profile is damaged: it has data twice");
	p->has_data = true;
	end_code(p);
	good = data_get(&source, &d);
	if (good && p->v->data)
		p->v->data(p->v->cookie, &d);
	data_free(&d);
	return good;
}

static bool get_end(struct parser *p)
{
	size_t nr = (size_t)p->head->harts * MODES * p->head->events;

	for (size_t n = 0; n < nr && !p->why->text[0]; n++) {
		if (get_number(p) != p->total[n])
			return wrong(p, "the profile is damaged: its counts are not what they "
					"add up to");
	}
	/* Only the checksum of the zstd frame may follow. */
	if (!p->why->text[0] && p->at == p->end && !p->over) {
		ZSTD_outBuffer out = { p->out, sizeof(p->out), 0 };
		size_t left = ZSTD_decompressStream(p->zstd, &out, &p->in);

		if (ZSTD_isError(left))
			return wrong(p, "the profile is damaged (%s)", ZSTD_getErrorName(left));
		p->end = p->at = 0;
		p->end = out.pos;
		p->over = !left;
	}
	if (!p->why->text[0] && (!p->over || p->at != p->end || p->in.pos != p->in.size))
		wrong(p, "the profile is damaged: something follows its end");
	return !p->why->text[0];
}

static bool get_records(struct parser *p)
{
	for (;;) {
		uint64_t tag = get_number(p);

		if (p->why->text[0])
			return false;
		switch (tag) {
		case EXACT_END:
			return get_end(p);
		case EXACT_SPACE:
			if (!get_space(p, EXACT_OF_PROCESS))
				return false;
			break;
		case EXACT_SPACE_THREADS:
			if (!get_space(p, EXACT_OF_THREADS))
				return false;
			break;
		case EXACT_SPACE_INTERRUPTS:
			if (!get_space(p, EXACT_OF_INTERRUPTS))
				return false;
			break;
		case EXACT_SPACE_STARTER:
			if (!get_space(p, EXACT_OF_STARTER))
				return false;
			break;
		case EXACT_CALLS:
			if (!get_nodes(p))
				return false;
			break;
		case EXACT_CALLED:
			if (!get_called(p))
				return false;
			break;
		case EXACT_TIMES:
			if (!get_times(p))
				return false;
			break;
		case EXACT_DATA:
			if (!get_data(p))
				return false;
			break;
		case EXACT_PAGE:
			if (!get_page(p))
				return false;
			break;
		case EXACT_ROW:
			if (!get_insn(p))
				return false;
			break;
		default:
			return wrong(p, "the profile is damaged: a record of kind %llu",
				     (unsigned long long)tag);
		}
	}
}

bool exact_knows(const void *data, size_t len)
{
	return len >= 8 && !memcmp(data, EXACT_MAGIC, 8);
}

/* Begins to read a file.  If *why says something, it is of no use; close_file() takes it, too. */
static struct parser *open_file(const void *data, size_t len, const struct exact_visitor *v,
				struct error_text *why)
{
	struct parser *p = calloc(1, sizeof(*p));
	uint64_t version = 0;

	why->text[0] = '\0';
	if (len >= HEAD)
		version = le64((const uint8_t *)data + 8);
	if (p) {
		p->why = why;
		p->v = v;
		p->head = calloc(1, sizeof(*p->head));
		p->zstd = ZSTD_createDStream();
	}
	if (!p || !p->head || !p->zstd) {
		error_set(why, "out of memory for the profile");
	} else if (!exact_knows(data, len)) {
		wrong(p, "this is not an exact profile");
	} else if (len < HEAD) {
		wrong(p, "the profile is cut off");
	} else if (version < 1 || version > EXACT_VERSION) {
		wrong(p, "an exact profile of version %llu, and this program reads version %d",
		      (unsigned long long)version, EXACT_VERSION);
	} else {
		p->in = (ZSTD_inBuffer){ (const uint8_t *)data + HEAD, len - HEAD, 0 };
	}
	return p;
}

/* NULL is fine. */
static void close_file(struct parser *p)
{
	if (!p)
		return;
	ZSTD_freeDStream(p->zstd);
	exact_head_free(p->head);
	free(p->nodes.at);
	free(p->total);
	free(p);
}

bool exact_parse(const void *data, size_t len, const struct exact_visitor *v,
		 struct error_text *why)
{
	struct parser *p = open_file(data, len, v, why);
	bool ok = !why->text[0] && get_head(p) && get_records(p);

	close_file(p);
	return ok;
}

struct exact_head *exact_parse_head(const void *data, size_t len, struct error_text *why)
{
	static const struct exact_visitor none = { .head = NULL };
	struct parser *p = open_file(data, len, &none, why);
	struct exact_head *head = NULL;

	if (!why->text[0] && get_head(p)) {
		head = p->head;
		p->head = NULL;
	}
	close_file(p);
	return head;
}

const struct exact_text *exact_note(const struct exact_head *head, const char *name)
{
	for (unsigned n = 0; n < head->notes; n++) {
		if (!strcmp(head->note[n].name.at, name))
			return &head->note[n].text;
	}
	return NULL;
}
