/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * engine_access.h - part of engine_body.h: what loads, stores and atomics ask, from the filter and
 * the soft TLB, which answer at once, to mmu.h and the models.
 */

/* Around what an instruction does out of the engine. */
static void open_access(struct hart *h, const struct block *b, const struct insn *i)
{
	h->block = b;
	h->at = i;
	if (timed)
		timing_open(h);
}

static void close_access(struct hart *h, const struct insn *i, bool ok)
{
	if (timed)
		timing_close(h, i, ok);
	h->block = NULL;
}

static const struct soft_line *soft_hit(const struct soft_line *lines, uint64_t va, unsigned bytes)
{
	const struct soft_line *l = &lines[(va >> PAGE_SHIFT) % SOFT_NR];

	return likely((va & (PAGE_MASK | (bytes - 1))) == l->tag) ? l : NULL;
}

/* A soft line, or the filter, has answered for va: the TLB is told, if it wants to know. */
static inline __attribute__((always_inline)) void told(struct hart *h, uint64_t va, bool write)
{
	const struct soft_tlb *s = h->lines;
	unsigned line = (va >> PAGE_SHIFT) % SOFT_NR;

	if (unlikely(h->touches))
		tlb_use(&h->tlb, TLB_D, write ? s->write_slot[line] : s->read_slot[line]);
}

/*
 * The soft line of va has answered for an access to the host's address.  True: the models have
 * nothing more to say (memory.h).
 */
static inline __attribute__((always_inline)) bool settled(struct hart *h, uint64_t va,
							  uint64_t host, bool write)
{
	uint64_t pa = host - h->ram_bias;

	told(h, va, write);
	return likely(write ? memory_write_hit(h->caches, pa) : memory_read_hit(h->caches, pa));
}

static void __attribute__((noinline, cold))
settle(struct hart *h, const struct block *b, const struct insn *i, uint64_t host,
       enum memory_kind kind)
{
	h->block = b;
	h->at = i;
	timing_soft(h, kind, host - h->ram_bias);
	h->block = NULL;
}

/*
 * The soft line of an access that is not at its natural boundary, but within one line of L1D: to
 * the models, and to the TLB, it is as any other.
 */
static const struct soft_line *misaligned_hit(const struct hart *h, const struct soft_line *lines,
					      uint64_t va, unsigned bytes)
{
	const struct soft_line *l = &lines[(va >> PAGE_SHIFT) % SOFT_NR];
	uint64_t line = timed ? h->caches->l1d.line_mask : PAGE_MASK;

	if (l->tag != (va & PAGE_MASK) || (va ^ (va + bytes - 1)) & line || h->m->o.trap_misaligned)
		return NULL;
	return l;
}

static void misaligned(struct hart *h, const struct block *b, const struct insn *i)
{
	h->block = b;
	h->at = i;
	pmu_happens(h, EVENT_MISALIGNED);
	h->block = NULL;
}

static bool __attribute__((noinline, cold))
slow_load(struct hart *h, const struct block *b, const struct insn *i, unsigned bytes, uint64_t va,
	  uint64_t *value)
{
	const struct soft_line *l = misaligned_hit(h, h->lines->read, va, bytes);
	bool ok;

	if (l) {
		misaligned(h, b, i);
		memcpy(value, (void *)(va + l->addend), bytes);
		if (timed && !settled(h, va, va + l->addend, false))
			settle(h, b, i, va + l->addend, MEMORY_READ);
		return true;
	}
	open_access(h, b, i);
	ok = mmu_load(h, va, bytes, value);
	close_access(h, i, ok);
	return ok;
}

static bool __attribute__((noinline, cold))
slow_store(struct hart *h, const struct block *b, const struct insn *i, unsigned bytes, uint64_t va,
	   uint64_t value)
{
	const struct soft_line *l = misaligned_hit(h, h->lines->write, va, bytes);
	bool ok;

	if (l) {
		misaligned(h, b, i);
		memcpy((void *)(va + l->addend), &value, bytes);
		if (timed && !settled(h, va, va + l->addend, true))
			settle(h, b, i, va + l->addend, MEMORY_WRITE);
		return true;
	}
	open_access(h, b, i);
	ok = mmu_store(h, va, bytes, value);
	close_access(h, i, ok);
	return ok;
}

/*
 * An access that the filter did not answer, of a hart with models.
 */
static inline __attribute__((always_inline)) bool timed_load(struct hart *h, const struct block *b,
							     const struct insn *i, unsigned bytes,
							     uint64_t va, uint64_t *value)
{
	const struct soft_line *l = soft_hit(h->lines->read, va, bytes);
	uint64_t host;

	if (unlikely(!l))
		return slow_load(h, b, i, bytes, va, value);
	host = va + l->addend;
	memcpy(value, (void *)host, bytes);
	if (!settled(h, va, host, false))
		settle(h, b, i, host, MEMORY_READ);
	cache_filter_enter(&h->caches->l1d, va, host - h->ram_bias, l->addend, false);
	return true;
}

static inline __attribute__((always_inline)) bool timed_store(struct hart *h, const struct block *b,
							      const struct insn *i, unsigned bytes,
							      uint64_t va, uint64_t value)
{
	const struct soft_line *l = soft_hit(h->lines->write, va, bytes);
	uint64_t host;

	if (unlikely(!l))
		return slow_store(h, b, i, bytes, va, value);
	host = va + l->addend;
	memcpy((void *)host, &value, bytes);
	if (!settled(h, va, host, true))
		settle(h, b, i, host, MEMORY_WRITE);
	cache_filter_enter(&h->caches->l1d, va, host - h->ram_bias, l->addend, true);
	return true;
}

#define TIMED_ACCESSES(bytes)                                                                      \
	static bool __attribute__((noinline))                                                      \
	timed_load_##bytes(struct hart *h, const struct block *b, const struct insn *i,            \
			   uint64_t va, uint64_t *value)                                           \
	{                                                                                          \
		return timed_load(h, b, i, bytes, va, value);                                      \
	}                                                                                          \
	static bool __attribute__((noinline))                                                      \
	timed_store_##bytes(struct hart *h, const struct block *b, const struct insn *i,           \
			    uint64_t va, uint64_t value)                                           \
	{                                                                                          \
		return timed_store(h, b, i, bytes, va, value);                                     \
	}

TIMED_ACCESSES(1)
TIMED_ACCESSES(2)
TIMED_ACCESSES(4)
TIMED_ACCESSES(8)

/* Memory to modify at va, and its physical address when the TLB did not know it (else *pa 1). */
static void *atomic_at(struct hart *h, const struct block *b, const struct insn *i, uint64_t va,
		       unsigned bytes, uint64_t *pa)
{
	const struct soft_line *l = soft_hit(h->lines->write, va, bytes);
	void *p;

	*pa = 1;
	if (l) {
		if (timed && !settled(h, va, va + l->addend, true))
			settle(h, b, i, va + l->addend, MEMORY_ATOMIC);
		return (void *)(va + l->addend);
	}
	open_access(h, b, i);
	p = mmu_atomic(h, va, bytes, true, pa);
	close_access(h, i, p);
	return p;
}

static unsigned word_bytes(const struct insn *i)
{
	return i->raw & 0x1000 ? 8 : 4;
}

static bool load_reserved(struct hart *h, const struct block *b, const struct insn *i)
{
	unsigned bytes = word_bytes(i);
	uint64_t pa;
	void *p;

	open_access(h, b, i);
	p = mmu_atomic(h, h->x[i->rs1], bytes, false, &pa);
	close_access(h, i, p);
	if (!p)
		return false;
	h->reservation = pa;
	h->reserved = bytes;
	h->x[i->rd] = bytes == 8 ? *(int64_t *)p : *(int32_t *)p;
	return true;
}

static bool store_conditional(struct hart *h, const struct block *b, const struct insn *i)
{
	unsigned bytes = word_bytes(i);
	uint64_t pa, value = h->x[i->rs2];
	bool holds;
	void *p;

	open_access(h, b, i);
	p = mmu_atomic(h, h->x[i->rs1], bytes, true, &pa);
	close_access(h, i, p);
	if (!p)
		return false;
	holds = h->reservation == pa && h->reserved == bytes;
	h->reservation = 1;
	if (holds) {
		memcpy(p, &value, bytes);
		mmu_wrote(h, pa, bytes);
	}
	h->x[i->rd] = !holds;
	return true;
}

enum cbo { CBO_DONE, CBO_ILLEGAL, CBO_FAULT };

/* Whether menvcfg and senvcfg let the mode do it: a bit, or for cbo.inval a field of two. */
static bool cbo_enabled(const struct hart *h, uint64_t bits)
{
	if (h->mode < PRV_M && !(h->menvcfg & bits))
		return false;
	return h->mode > PRV_U || (h->senvcfg & bits);
}

static enum cbo cache_block(struct hart *h, const struct block *b, const struct insn *i)
{
	uint64_t va = h->x[i->rs1];
	uint64_t bits = i->op == ISA_cbo_zero	 ? MENVCFG_CBZE
			: i->op == ISA_cbo_inval ? MENVCFG_CBIE
						 : MENVCFG_CBCFE;
	bool ok;

	if (!cbo_enabled(h, bits))
		return CBO_ILLEGAL;
	open_access(h, b, i);
	ok = i->op == ISA_cbo_zero ? mmu_cbo_zero(h, va) : mmu_cbo_check(h, va);
	close_access(h, i, ok);
	return ok ? CBO_DONE : CBO_FAULT;
}
