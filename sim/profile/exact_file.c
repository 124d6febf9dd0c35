// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_file.c - writes an exact profile to a file.  holter-profile(5) describes the format.
 *
 * Uses libzstd.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "cpu_models.h"
#include "exact.h"
#include "exact_data.h"
#include "exact_format.h"
#include "cluster.h"
#include "errtext.h"
#include "hart.h"

#define LEVEL	     3
#define BUFFER	     65536u
#define NUMBER_BYTES 10 /* of put_number, at most */

struct writer {
	FILE *to;
	ZSTD_CStream *zstd;
	uint8_t in[BUFFER], out[BUFFER];
	size_t used;
	bool failed; /* host_error tells why; 0: zstd had no memory */
	int host_error;
	/* The last page and address in the file. */
	bool any;
	struct exact_page page;
	uint64_t va;
	uint32_t call; /* of the instructions that follow */
	uint64_t total[HARTS_MAX][4][EVENT_NR];
};

static void squeeze(struct writer *w, ZSTD_EndDirective how)
{
	ZSTD_inBuffer in = { w->in, w->used, 0 };
	size_t left;

	do {
		ZSTD_outBuffer out = { w->out, BUFFER, 0 };

		left = ZSTD_compressStream2(w->zstd, &out, &in, how);
		if (ZSTD_isError(left)) {
			w->failed = true;
		} else if (!w->failed && fwrite(w->out, 1, out.pos, w->to) != out.pos) {
			w->failed = true;
			w->host_error = errno;
		}
	} while (!w->failed && (how == ZSTD_e_end ? left : in.pos < in.size));
	w->used = 0;
}

static void put_bytes(struct writer *w, const void *data, size_t len)
{
	const uint8_t *p = data;

	while (len) {
		size_t part = BUFFER - w->used < len ? BUFFER - w->used : len;

		memcpy(w->in + w->used, p, part);
		w->used += part;
		p += part;
		len -= part;
		if (w->used == BUFFER)
			squeeze(w, ZSTD_e_continue);
	}
}

/* LEB128 */
static void put_number(struct writer *w, uint64_t n)
{
	if (BUFFER - w->used <= NUMBER_BYTES)
		squeeze(w, ZSTD_e_continue);
	for (; n > 0x7f; n >>= 7)
		w->in[w->used++] = (n & 0x7f) | 0x80;
	w->in[w->used++] = n;
}

static void put_text(struct writer *w, const void *text, uint64_t len)
{
	put_number(w, len);
	put_bytes(w, text, len);
}

static void put_page(void *arg, const struct exact_page *p)
{
	struct writer *w = arg;
	const struct exact_page *before = &w->page;
	static const enum exact_tag tag[] = {
		[EXACT_PROCESS] = EXACT_SPACE,
		[EXACT_THREADS] = EXACT_SPACE_THREADS,
		[EXACT_INTERRUPTS] = EXACT_SPACE_INTERRUPTS,
		[EXACT_STARTER] = EXACT_SPACE_STARTER,
	};

	if (!w->any || p->hart != before->hart || p->mode != before->mode ||
	    p->satp != before->satp || p->owner != before->owner) {
		put_number(w, tag[p->owner]);
		put_number(w, p->hart);
		put_number(w, p->mode);
		put_number(w, p->satp);
	}
	put_number(w, EXACT_PAGE);
	put_number(w, p->va >> PAGE_SHIFT);
	put_number(w, p->known);
	if (p->known)
		put_number(w, p->content);
	w->any = true;
	w->page = *p;
	w->va = p->va;
	w->call = 0;
}

static void put_row(void *arg, const struct exact_row *r)
{
	struct writer *w = arg;
	uint64_t *total = w->total[w->page.hart][w->page.mode];
	unsigned cells = 0;

	for (unsigned n = 0; n < EVENT_WORDS; n++)
		cells += __builtin_popcountll(r->set.word[n]);
	if (r->call != w->call) {
		put_number(w, EXACT_CALLED);
		put_number(w, r->call);
		w->call = r->call;
		w->va = w->page.va;
	}
	put_number(w, EXACT_ROW);
	put_number(w, (r->va - w->va) / 2);
	put_number(w, r->raw);
	put_number(w, cells);
	for (unsigned e = event_set_next(&r->set, 0); e < EVENT_NR;
	     e = event_set_next(&r->set, e + 1)) {
		put_number(w, e);
		put_number(w, r->count[e]);
		total[e] += r->count[e];
	}
	w->va = r->va;
}

static void put_calls(struct writer *w, const struct cluster *cl)
{
	uint64_t folded;
	uint32_t nr;
	const struct exact_call *call = exact_calls(cl, &nr, &folded);

	put_number(w, EXACT_CALLS);
	put_number(w, folded);
	put_number(w, nr - 1);
	for (uint32_t n = 1; n < nr; n++) {
		put_number(w, call[n].caller);
		put_number(w, call[n].va);
	}
}

static void put_slice(struct writer *w, const struct exact_slice *s, const struct event_set *set)
{
	unsigned cells = 0;

	for (unsigned e = event_set_next(set, 0); e < EVENT_NR; e = event_set_next(set, e + 1))
		cells += s->count[e] != 0;
	put_number(w, s->interval);
	put_number(w, s->hart);
	put_number(w, s->owner);
	put_number(w, s->satp);
	put_number(w, cells);
	for (unsigned e = event_set_next(set, 0); e < EVENT_NR; e = event_set_next(set, e + 1)) {
		if (!s->count[e])
			continue;
		put_number(w, e);
		put_number(w, s->count[e]);
	}
}

static void put_times(struct writer *w, struct cluster *cl)
{
	const struct exact_times t = exact_times(cl);

	if (!t.ns)
		return;
	put_number(w, EXACT_TIMES);
	put_number(w, t.ns);
	put_number(w, t.full);
	put_number(w, t.nr);
	for (size_t n = 0; n < t.nr; n++)
		put_slice(w, &t.slice[n], &t.events);
}

static void put_one(void *arg, uint64_t n)
{
	put_number(arg, n);
}

static void put_data(struct writer *w, struct cluster *cl)
{
	if (!exact_of(cl)->data)
		return;
	put_number(w, EXACT_DATA);
	exact_data_write(exact_of(cl), put_one, w);
}

static void put_totals(struct writer *w, unsigned harts)
{
	put_number(w, EXACT_END);
	for (unsigned hart = 0; hart < harts; hart++) {
		for (unsigned mode = 0; mode < 4; mode++) {
			for (unsigned e = 0; e < EVENT_NR; e++)
				put_number(w, w->total[hart][mode][e]);
		}
	}
}

/* The events that a selector counts, in the first counter that has it.  Empty: no counter has. */
static struct event_set selected(const struct cluster *cl, uint64_t value)
{
	struct event_set set = { 0 };

	for (unsigned ctr = COUNTER_HPM_FIRST; ctr < COUNTERS; ctr++) {
		if (selector_events(&cl->pmu, cl->models, ctr, value, &set))
			break;
	}
	return set;
}

static void put_sum(struct writer *w, const char *name, const struct event_set *set)
{
	unsigned nr = 0;

	for (unsigned n = 0; n < EVENT_WORDS; n++)
		nr += __builtin_popcountll(set->word[n]);
	put_text(w, name, strlen(name));
	put_number(w, nr);
	for (unsigned e = event_set_next(set, 0); e < EVENT_NR; e = event_set_next(set, e + 1))
		put_number(w, e);
}

/*
 * For an event of the SBI that the CPU cannot count: sets the events of the models that it means.
 * False: the CPU can count it, or the models lack them.
 */
static bool modelled(const struct cluster *cl, const struct event_sbi *sbi, struct event_set *set)
{
	for (unsigned n = 0; n < cl->pmu.eidx_nr; n++) {
		if (cl->pmu.eidx[n].eidx == sbi->eidx)
			return false;
	}
	*set = (struct event_set){ 0 };
	event_sbi_set(sbi, cl->shape && cl->shape->hierarchy.ll.sets, set);
	return !event_set_empty(set) && !(event_set_needs(set) & ~cl->models);
}

static void put_modelled(struct writer *w, const struct cluster *cl)
{
	struct event_set set;

	for (unsigned n = 0; n < event_sbi_nr; n++) {
		if (modelled(cl, &event_sbi_table[n], &set))
			put_sum(w, event_sbi_table[n].name, &set);
	}
}

/* Writes the sums of events that software can count on this CPU: perf's names, raw selectors. */
static void put_sums(struct writer *w, const struct cluster *cl)
{
	const struct pmu_table *t = &cl->pmu;
	struct event_set set;
	unsigned more = 0;
	char raw[24];

	for (unsigned n = 0; n < event_sbi_nr; n++)
		more += modelled(cl, &event_sbi_table[n], &set);
	put_number(w, t->eidx_nr + t->nr + more);
	for (unsigned n = 0; n < t->eidx_nr; n++) {
		set = selected(cl, t->eidx[n].value);
		put_sum(w, event_sbi_find(t->eidx[n].eidx)->name, &set);
	}
	for (unsigned n = 0; n < t->nr; n++) {
		set = selected(cl, t->selector[n].value);
		snprintf(raw, sizeof(raw), "r%" PRIx64, t->selector[n].value);
		put_sum(w, raw, &set);
	}
	put_modelled(w, cl);
}

static void put_head(struct writer *w, const struct cluster *cl, const struct exact_note *notes,
		     unsigned nr)
{
	put_number(w, nr);
	for (unsigned n = 0; n < nr; n++) {
		put_text(w, notes[n].name, strlen(notes[n].name));
		put_text(w, notes[n].text, notes[n].len);
	}
	put_number(w, cl->harts);
	put_number(w, EVENT_NR);
	for (unsigned e = 0; e < EVENT_NR; e++) {
		put_text(w, event_table[e].name, strlen(event_table[e].name));
		put_number(w, !(event_table[e].needs & ~cl->models));
	}
	put_sums(w, cl);
}

bool exact_write(struct cluster *cl, FILE *to, const struct exact_note *notes, unsigned nr,
		 struct error_text *why)
{
	struct writer *w = calloc(1, sizeof(*w));
	struct exact_reader reader = { put_page, put_row, w };
	/* As this host has it: little-endian. */
	uint64_t version = exact_of(cl)->data ? EXACT_VERSION : EXACT_VERSION_CALLS;
	bool whole = false, ok = false;

	if (w)
		w->zstd = ZSTD_createCStream();
	if (w && w->zstd) {
		w->to = to;
		ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, LEVEL);
		ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
		if (fwrite(EXACT_MAGIC, 8, 1, to) != 1 || fwrite(&version, 8, 1, to) != 1) {
			w->failed = true;
			w->host_error = errno;
		}
		put_head(w, cl, notes, nr);
		put_calls(w, cl);
		whole = exact_read(cl, &reader);
		put_times(w, cl);
		put_data(w, cl);
		put_totals(w, cl->harts);
		squeeze(w, ZSTD_e_end);
		if (!w->failed && fflush(to)) {
			w->failed = true;
			w->host_error = errno;
		}
		ok = whole && !w->failed;
	}
	if (!ok)
		error_set(why, "the profile cannot be written: %s",
			  w && w->host_error ? strerror(w->host_error) : "out of memory");
	if (w)
		ZSTD_freeCStream(w->zstd);
	free(w);
	return ok;
}
