/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * engine_vector.h - part of engine_body.h: vector loads, stores and AMOs, and what vector
 * instructions count.
 *
 *	vector_access		checks; then its elements in order, from vstart on
 *	  vector_unit_stride	page by page: one access for each line of L1D (without models:
 *				page) that has bytes of active elements
 *	    vector_span		by the software TLB, or access_range
 *	  vector_elements	all others, elements in two pages, and what vector_span cannot do:
 *				one access for each field of each element
 *	    vector_stride_hits	several that hit in the software TLB and in L1D
 *	    several_one		by the software TLB, or access_load, access_store
 *	    vector_atomic_one	the same of AMOs, or access_atomic
 *
 * An access that faults leaves the number of its element in vstart.
 *
 * Implements: Unpriv 20240411 §31.7, §31.17 (traps); vectors 0.7.1 chapters 7 and 8.
 */

/* The element n of a load, store or AMO at base. */
static uint64_t vector_address(const struct hart *h, const struct insn *i,
			       const struct vector_memory *m, unsigned n)
{
	uint64_t base = h->x[i->rs1];

	if (m->indexed)
		return base + vector_index(h->vector, m, n);
	return base + n * (m->strided ? h->x[i->rs2] : (uint64_t)m->fields * m->bytes);
}

/* The elements from n to end - 1.  False: it faults at element v->vstart. */
static bool vector_elements(struct hart *h, const struct insn *i, const struct vector_memory *m,
			    unsigned n, unsigned end)
{
	struct vector_state *v = h->vector;

	for (; n < end; n++) {
		uint64_t va;

		if (m->masked && !vector_active(v, n))
			continue;
		va = vector_address(h, i, m, n);
		for (unsigned field = 0; field < m->fields; field++) {
			v->vstart = n;
			uint8_t *element = vector_element(v, m, field, n);

			if (!several_one(h, va + field * m->bytes, element, m->bytes, m->store))
				return false;
			if (m->wide > m->bytes && !m->store)
				vector_extend(m, element);
		}
	}
	return true;
}

/* The aligned bytes at va, for an AMO: as atomic_at, between open_access and close_access. */
static void *vector_atomic_at(struct hart *h, uint64_t va, unsigned bytes, uint64_t *pa)
{
	const struct soft_line *l = soft_hit(h->lines->write, va, bytes);

	if (!l)
		return access_atomic(h, va, bytes, true, pa);
	*pa = ACCESS_NO_PA;
	several_hit(h, va, va + l->addend, HIERARCHY_ATOMIC);
	return (void *)(va + l->addend);
}

static int64_t vector_signed(const void *p, unsigned bytes)
{
	return bytes == 8 ? *(const int64_t *)p : *(const int32_t *)p;
}

/* An element of an AMO, whose source is in the register and is overwritten there. */
static bool vector_atomic_one(struct hart *h, const struct insn *i, const struct vector_memory *m,
			      uint64_t va, uint8_t *element)
{
	uint64_t pa, value;
	void *p = vector_atomic_at(h, va, m->bytes, &pa);
	int64_t old;

	if (!p)
		return false;
	old = vector_signed(p, m->bytes);
	value = vector_atomic(i->raw, old, vector_signed(element, m->bytes));
	memcpy(p, &value, m->bytes);
	if (pa != ACCESS_NO_PA)
		access_wrote(h, pa, m->bytes);
	if (!m->store)
		memcpy(element, &old, m->wide);
	return true;
}

/* As vector_elements. */
static bool __attribute__((noinline))
vector_atomics(struct hart *h, const struct insn *i, const struct vector_memory *m, unsigned n,
	       unsigned end)
{
	struct vector_state *v = h->vector;

	for (; n < end; n++) {
		if (m->masked && !vector_active(v, n))
			continue;
		v->vstart = n;
		if (!vector_atomic_one(h, i, m, vector_address(h, i, m, n),
				       vector_element(v, m, 0, n)))
			return false;
	}
	return true;
}

static inline void vector_move_one(void *memory, void *element, unsigned bytes, bool store)
{
	switch (bytes) {
	case 1:
		several_move(memory, element, 1, store);
		break;
	case 2:
		several_move(memory, element, 2, store);
		break;
	case 4:
		several_move(memory, element, 4, store);
		break;
	default:
		several_move(memory, element, 8, store);
	}
}

/*
 * The elements from n on of a load or store with a stride, up to the first that misses in the
 * software TLB or in L1D; returns that, or end.
 */
static unsigned vector_stride_hits(struct hart *h, const struct insn *i,
				   const struct vector_memory *m, unsigned n, unsigned end)
{
	const struct soft_line *lines = m->store ? h->lines->write : h->lines->read;
	const uint64_t stride = h->x[i->rs2];
	uint64_t va = h->x[i->rs1] + n * stride;
	uint8_t *element = vector_element(h->vector, m, 0, n);
	unsigned from = n;

	for (; n < end; n++, va += stride, element += m->bytes) {
		const struct soft_line *l = soft_hit(lines, va, m->bytes);

		if (!l || (timed && !cache_near_hit(&h->caches->l1d, va + l->addend - h->ram_bias,
						    m->store)))
			break;
		vector_move_one((void *)(va + l->addend), element, m->bytes, m->store);
	}
	if (timed) {
		h->timing->seen[m->store ? SEEN_L1D_WRITE : SEEN_L1D_READ] += n - from;
		if (h->translated)
			h->timing->seen[m->store ? SEEN_DTLB_WRITE : SEEN_DTLB_READ] += n - from;
	}
	return n;
}

/* As vector_elements. */
static bool vector_each(struct hart *h, const struct insn *i, const struct vector_memory *m,
			unsigned n, unsigned end)
{
	if (!m->strided || m->masked || m->fields > 1 || m->wide != m->bytes ||
	    (timed && h->tlb_wants_hits))
		return m->atomic ? vector_atomics(h, i, m, n, end)
				 : vector_elements(h, i, m, n, end);
	while (n < end) {
		n = vector_stride_hits(h, i, m, n, end);
		if (n < end && !vector_elements(h, i, m, n, n + 1))
			return false;
		n++;
	}
	return true;
}

/* vl becomes smaller instead, if a later element than the first faults. */
static bool vector_shortened(struct hart *h, const struct vector_memory *m)
{
	struct vector_state *v = h->vector;

	if (!m->first_only || !v->vstart || h->fault.cause == FAULT_DEBUG)
		return false;
	v->vl = v->vstart;
	return true;
}

/* Unit stride: elements with all their fields in one page.  The first and the last are active. */
struct vector_span {
	uint64_t va;
	unsigned n, nr; /* the first one, and how many */
	unsigned step; /* bytes from one to the next */
};

/* One field of all elements of a span, in memory and in its registers. */
static inline __attribute__((always_inline)) void vector_move_field(uint8_t *memory,
								    uint8_t *element,
								    const struct vector_span *s,
								    unsigned bytes, bool store)
{
	for (unsigned n = 0; n < s->nr; n++)
		several_move(memory + n * s->step, element + n * bytes, bytes, store);
}

static void vector_move_fields(struct vector_state *v, const struct vector_memory *m,
			       const struct vector_span *s, uint8_t *host)
{
	for (unsigned field = 0; field < m->fields; field++) {
		uint8_t *element = vector_element(v, m, field, s->n);

		switch (m->bytes) {
		case 1:
			vector_move_field(host + field, element, s, 1, m->store);
			break;
		case 2:
			vector_move_field(host + field * 2, element, s, 2, m->store);
			break;
		case 4:
			vector_move_field(host + field * 4, element, s, 4, m->store);
			break;
		default:
			vector_move_field(host + field * 8, element, s, 8, m->store);
		}
	}
}

/* Those of a mask, or that are wider in registers. */
static void vector_move_active(struct vector_state *v, const struct vector_memory *m,
			       const struct vector_span *s, uint8_t *host)
{
	for (unsigned n = s->n; n < s->n + s->nr; n++, host += s->step) {
		if (m->masked && !vector_active(v, n))
			continue;
		for (unsigned field = 0; field < m->fields; field++) {
			uint8_t *element = vector_element(v, m, field, n);

			several_move(host + field * m->bytes, element, m->bytes, m->store);
			if (m->wide > m->bytes && !m->store)
				vector_extend(m, element);
		}
	}
}

/* Moves the active elements of a span, whose host address is host. */
static void vector_move_span(struct vector_state *v, const struct vector_memory *m,
			     const struct vector_span *s, uint8_t *host)
{
	if (m->direct)
		several_move(host, vector_element(v, m, 0, s->n), s->nr << m->shift, m->store);
	else if (m->masked || m->wide > m->bytes)
		vector_move_active(v, m, s, host);
	else
		vector_move_fields(v, m, s, host);
}

/*
 * The next line, *to bytes after the begin of a span or later, that has bytes of active elements:
 * *from and *to become the first of them and what follows the last one.  False: there is none.
 */
static bool vector_line(const struct hart *h, const struct vector_memory *m,
			const struct vector_span *s, unsigned *from, unsigned *to)
{
	const uint64_t line = timed ? h->caches->l1d.line_mask : PAGE_MASK;

	while (*to < s->nr * s->step) {
		uint64_t left = -((s->va + *to) | line);
		unsigned first, end;

		*from = *to;
		*to = left < s->nr * s->step - *from ? *from + left : s->nr * s->step;
		if (!m->masked)
			return true;
		first = *from / s->step;
		end = (*to - 1) / s->step + 1;
		while (first < end && !vector_active(h->vector, s->n + first))
			first++;
		while (first < end && !vector_active(h->vector, s->n + end - 1))
			end--;
		if (first == end)
			continue;
		*from = first * s->step > *from ? first * s->step : *from;
		*to = end * s->step < *to ? end * s->step : *to;
		return true;
	}
	return false;
}

/* Whether a debugger or a trigger stops the hart before an active element of a span. */
static bool vector_stops(struct hart *h, const struct vector_memory *m, const struct vector_span *s)
{
	if (!h->cl->watched && !h->trigger_kinds)
		return false;
	for (unsigned n = 0; n < s->nr * m->fields; n++) {
		if ((!m->masked || vector_active(h->vector, s->n + n / m->fields)) &&
		    access_stops(h, s->va + n * m->bytes, m->bytes,
				 m->store ? DEBUG_WRITES : DEBUG_READS))
			return true;
	}
	return false;
}

/* vector_span of a page that the software TLB does not have. */
static bool __attribute__((noinline))
vector_span_slow(struct hart *h, const struct insn *i, const struct vector_memory *m,
		 const struct vector_span *s)
{
	const unsigned bytes = s->nr * s->step;
	unsigned from, to = 0;
	uint8_t *host = NULL;
	uint64_t pa = 0;

	h->vector->vstart = s->n;
	if (vector_stops(h, m, s))
		return false;
	while (vector_line(h, m, s, &from, &to)) {
		enum access_range range = access_range(h, s->va + from, to - from, bytes - from,
						       m->store, &pa);

		if (range == ACCESS_RANGE_FAULT)
			return false;
		if (range == ACCESS_RANGE_NOT)
			return vector_elements(h, i, m, s->n, s->n + s->nr);
		if (!host) {
			host = cluster_ram(h->cl, pa - from, bytes);
			vector_move_span(h->vector, m, s, host);
		}
		if (m->store)
			access_wrote(h, pa, to - from);
	}
	return true;
}

/* All accesses of a span.  False: it faults at element v->vstart. */
static bool vector_span(struct hart *h, const struct insn *i, const struct vector_memory *m,
			const struct vector_span *s)
{
	const struct soft_line *lines = m->store ? h->lines->write : h->lines->read;
	const struct soft_line *l = &lines[(s->va >> PAGE_SHIFT) % SOFT_NR];
	unsigned from, to = 0;

	if (unlikely(l->tag != (s->va & PAGE_MASK)))
		return vector_span_slow(h, i, m, s);
	vector_move_span(h->vector, m, s, (uint8_t *)(s->va + l->addend));
	while (timed && vector_line(h, m, s, &from, &to))
		several_hit(h, s->va + from, s->va + from + l->addend,
			    m->store ? HIERARCHY_WRITE : HIERARCHY_READ);
	return true;
}

/* Unit stride: page by page, and elements in two pages by themselves. */
static bool vector_unit_stride(struct hart *h, const struct insn *i, const struct vector_memory *m)
{
	const struct vector_state *v = h->vector;
	const unsigned step = m->fields * m->bytes;
	bool ok = true;

	for (unsigned n = v->vstart, next; ok && n < m->nr; n = next) {
		uint64_t va = vector_address(h, i, m, n);
		unsigned in_page = (PAGE_SIZE - (va & ~PAGE_MASK)) / step, first = n, end;

		next = n + (in_page ? in_page : 1);
		end = next = next < m->nr ? next : m->nr;
		while (m->masked && first < end && !vector_active(v, first))
			first++;
		while (m->masked && first < end && !vector_active(v, end - 1))
			end--;
		if (first == end)
			continue;
		ok = in_page ? vector_span(h, i, m,
					   &(struct vector_span){ va + (first - n) * step, first,
								  end - first, step })
			     : vector_elements(h, i, m, first, end);
	}
	return ok;
}

/* How many elements from `from` to end - 1 are active. */
static unsigned vector_used_elements(const struct vector_state *v, bool masked, unsigned from,
				     unsigned end)
{
	unsigned n = 0;

	if (from >= end)
		return 0;
	if (!masked)
		return end - from;
	for (; from < end; from++)
		n += vector_active(v, from);
	return n;
}

/*
 * If h->counts_elements: h->at has worked on nr elements, so many of them active, and had room for
 * `places`.  Counts them, and tells the recorder.
 */
static void vector_worked(struct hart *h, unsigned nr, unsigned used, unsigned places)
{
	pmu_adds(h, EVENT_VECTOR_ELEMENT, nr);
	pmu_adds(h, EVENT_VECTOR_ACTIVE, used);
	pmu_adds(h, EVENT_VECTOR_LANE, places);
	if (h->cl->recorder)
		h->cl->recorder->vectored(h, false, nr, used);
}

/* h->at has computed; it began at element `from`, and `used` of those up to vl were active. */
static void vector_computed(struct hart *h, unsigned from, unsigned used)
{
	struct vector_use u;
	unsigned nr;

	vector_used(h->vector, h->at->op, h->at->raw, &u);
	nr = u.elements > from ? u.elements - from : 0;
	vector_worked(h, nr, u.masked ? used : nr, u.places);
}

bool ENGINE(vector_computes)(struct hart *h, const struct block_run *r, const struct insn *i)
{
	struct vector_state *v = h->vector;
	unsigned from = v->vstart, used = 0;

	/* The instruction may write v0. */
	if (h->counts_elements) {
		vector_mask_ready(v);
		used = vector_used_elements(v, !(i->raw >> 25 & 1), from, v->vl);
	}
	if (!vector_compute(h, i))
		return false;
	h->run = r;
	h->at = i;
	if (h->counts_elements)
		vector_computed(h, from, used);
	if (timed)
		timing_vector_computes(h);
	h->run = NULL;
	return true;
}

/* The accesses of a vector load or store to L1D, which are told by timing_close. */
static void vector_count_lines(struct hart *h)
{
	int64_t n = h->timing->seen[SEEN_L1D_READ] + h->timing->seen[SEEN_L1D_WRITE];

	if (n)
		pmu_adds(h, EVENT_VECTOR_LINE, n);
}

/* What follows the last element of m, of which those before v->vl are done. */
static unsigned vector_end(const struct hart *h, const struct vector_memory *m)
{
	return m->first_only && h->vector->vl < m->nr ? h->vector->vl : m->nr;
}

static void vector_accessed(struct hart *h, const struct vector_memory *m, unsigned from)
{
	unsigned end = vector_end(h, m);
	unsigned used = vector_used_elements(h->vector, m->masked, from, end);

	vector_worked(h, from < end ? end - from : 0, used, m->places);
}

/* Misaligned elements with unit stride: the instruction counts once, if it accesses any. */
static void vector_misaligned(struct hart *h, const struct vector_memory *m, unsigned from)
{
	if (vector_used_elements(h->vector, m->masked, from, vector_end(h, m)))
		pmu_happens(h, EVENT_MISALIGNED);
}

/*
 * With models: the lines of a load or store that has hit in the software TLB, from pa on.  The
 * first `hits` have hit in L1D (cache_near_hits); asks L1D for the others.
 */
static void __attribute__((noinline))
vector_ask_lines(struct hart *h, const struct vector_memory *m, uint64_t va, uint64_t pa,
		 unsigned nr, unsigned hits)
{
	struct cache *l1d = &h->caches->l1d;

	timing_vector_accesses(h, m);
	for (unsigned n = 0; h->tlb_wants_hits && n < nr; n++)
		report_hit(h, va, m->store);
	for (unsigned n = hits; n < nr; n++) {
		uint64_t at = n ? (pa & l1d->line_mask) + ((uint64_t)n << l1d->shift) : pa;

		/* It also makes the line a near one, where it hits. */
		if (!cache_rehit(l1d, at, m->store))
			timing_soft(h, m->store ? HIERARCHY_WRITE : HIERARCHY_READ, at);
		if (n + 1 < nr)
			n += cache_near_hits(l1d, (at & l1d->line_mask) + (1ull << l1d->shift),
					     nr - n - 1, m->store);
	}
	timing_vector_lines(h, m->store, nr);
	timing_vector_done(h);
}

/* The same for one of so many bytes, whose lines mostly hit in L1D. */
static inline void vector_page_lines(struct hart *h, const struct vector_memory *m, uint64_t va,
				     uint64_t host, unsigned bytes)
{
	struct cache *l1d = &h->caches->l1d;
	uint64_t pa = host - h->ram_bias;
	unsigned nr = ((pa + bytes - 1) >> l1d->shift) - (pa >> l1d->shift) + 1;
	unsigned hits = cache_near_hits(l1d, pa, nr, m->store);

	if (likely(hits == nr && !h->tlb_wants_hits))
		timing_vector_hits(h, m, nr);
	else
		vector_ask_lines(h, m, va, pa, nr, hits);
}

/* All elements from 0 on, in one page that the software TLB has.  False: nothing has changed. */
static inline bool vector_in_page(struct hart *h, const struct block_run *r, const struct insn *i,
				  const struct vector_memory *m)
{
	struct vector_state *v = h->vector;
	uint64_t va = h->x[i->rs1], last = va + ((uint64_t)m->nr << m->shift) - 1;
	const struct soft_line *lines = m->store ? h->lines->write : h->lines->read;
	const struct soft_line *l = &lines[(va >> PAGE_SHIFT) % SOFT_NR];

	if (!m->direct || v->vstart || !m->nr || h->counts_elements ||
	    l->tag != (va & (PAGE_MASK | (m->bytes - 1))) || (va ^ last) & PAGE_MASK)
		return false;
	several_move((void *)(va + l->addend), vector_element(v, m, 0, 0), m->nr << m->shift,
		     m->store);
	if (m->tail)
		vector_tail(v, m, 0);
	if (timed) {
		h->run = r;
		h->at = i;
		vector_page_lines(h, m, va, va + l->addend, m->nr << m->shift);
		h->run = NULL;
	}
	return true;
}

/* Those that vector_in_page cannot do. */
static bool __attribute__((noinline))
vector_anywhere(struct hart *h, const struct block_run *r, const struct insn *i,
		const struct vector_memory *m)
{
	struct vector_state *v = h->vector;
	unsigned from = v->vstart;
	bool ok;

	open_access(h, r, i);
	if (timed)
		timing_vector_accesses(h, m);
	ok = m->plain && !(h->x[i->rs1] & (m->bytes - 1) && h->cl->trap_misaligned)
		     ? vector_unit_stride(h, i, m)
		     : vector_each(h, i, m, v->vstart, m->nr);
	if (timed)
		vector_count_lines(h);
	if (ok && m->tail)
		vector_tail(v, m, from);
	ok = ok || vector_shortened(h, m);
	if (ok && m->plain && h->x[i->rs1] & (m->bytes - 1))
		vector_misaligned(h, m, from);
	if (ok && h->counts_elements)
		vector_accessed(h, m, from);
	if (ok && timed)
		timing_vector_done(h);
	close_access(h, i, ok);
	if (ok)
		v->vstart = 0;
	return ok;
}

enum vector_access ENGINE(vector_access)(struct hart *h, const struct block_run *r,
					 const struct insn *i)
{
	const struct vector_memory *m;

	if (!vector_on(h))
		return VECTOR_ILLEGAL;
	m = vector_memory(h->vector, i->op, i->raw);
	if (!m)
		return VECTOR_ILLEGAL;
	return likely(vector_in_page(h, r, i, m)) || vector_anywhere(h, r, i, m) ? VECTOR_DONE
										 : VECTOR_FAULT;
}
