/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * engine_access.h - part of engine_body.h: loads, stores and atomics, from the fastest path to the
 * slowest one:
 *
 *	READ, WRITE					    access.c
 *	    |						    access_load, access_store
 *	    v		  miss			   miss		^
 *	L0 hit table ------------> software TLB -----------------+
 *	(with models)			|
 *	    |				| hit
 *	    | hit			v	      no
 *	    |			     cache_l0_hit ------> l1_slow, l1_miss: timing_soft
 *	    |			 (engine_timed.c)	   |
 *	    v				| yes (or no models)	   |
 *	  done				v			   v
 *				      done			 done
 */

/* Must be called before and after an access that leaves the engine (access.h). */
static void open_access(struct hart *h, const struct block_run *r, const struct insn *i)
{
	h->run = r;
	h->at = i;
	if (timed)
		timing_open(h);
}

static void close_access(struct hart *h, const struct insn *i, bool ok)
{
	if (timed)
		timing_close(h, i, ok);
	h->run = NULL;
}

/*
 * va has hit in the software TLB; host is its host address.  True: it also hits in L1D, and changes
 * nothing there (hierarchy_read_hit, hierarchy_write_hit).  False: the caller must call l1_miss.
 */
static inline __attribute__((always_inline)) bool l1_hit(struct hart *h, uint64_t va, uint64_t host,
							 bool write)
{
	uint64_t pa = host - h->ram_bias;

	report_hit(h, va, write);
	return likely(write ? hierarchy_write_hit(h->caches, pa)
			    : hierarchy_read_hit(h->caches, pa));
}

static void __attribute__((noinline, cold))
l1_miss(struct hart *h, const struct block_run *r, const struct insn *i, uint64_t host,
	enum hierarchy_kind kind)
{
	h->run = r;
	h->at = i;
	timing_soft(h, kind, host - h->ram_bias);
	h->run = NULL;
}

/*
 * The software TLB's entry for a misaligned access within one line of L1D (without models: within
 * one page).  The models and the TLB treat it like an aligned one.  NULL: access_load or
 * access_store.
 */
static const struct soft_line *misaligned_hit(const struct hart *h, const struct soft_line *lines,
					      uint64_t va, unsigned bytes)
{
	const struct soft_line *l = &lines[(va >> PAGE_SHIFT) % SOFT_NR];
	uint64_t line = timed ? h->caches->l1d.line_mask : PAGE_MASK;

	if (l->tag != (va & PAGE_MASK) || (va ^ (va + bytes - 1)) & line || h->cl->trap_misaligned)
		return NULL;
	return l;
}

static void misaligned(struct hart *h, const struct block_run *r, const struct insn *i)
{
	h->run = r;
	h->at = i;
	pmu_happens(h, EVENT_MISALIGNED);
	h->run = NULL;
}

bool ENGINE(slow_load)(struct hart *h, const struct block_run *r, const struct insn *i,
		       unsigned bytes, uint64_t va, uint64_t *value)
{
	const struct soft_line *l = misaligned_hit(h, h->lines->read, va, bytes);
	bool ok;

	if (l) {
		misaligned(h, r, i);
		memcpy(value, (void *)(va + l->addend), bytes);
		if (timed && !l1_hit(h, va, va + l->addend, false))
			l1_miss(h, r, i, va + l->addend, HIERARCHY_READ);
		return true;
	}
	open_access(h, r, i);
	ok = access_load(h, va, bytes, value);
	close_access(h, i, ok);
	return ok;
}

bool ENGINE(slow_store)(struct hart *h, const struct block_run *r, const struct insn *i,
			unsigned bytes, uint64_t va, uint64_t value)
{
	const struct soft_line *l = misaligned_hit(h, h->lines->write, va, bytes);
	bool ok;

	if (l) {
		misaligned(h, r, i);
		memcpy((void *)(va + l->addend), &value, bytes);
		if (timed && !l1_hit(h, va, va + l->addend, true))
			l1_miss(h, r, i, va + l->addend, HIERARCHY_WRITE);
		return true;
	}
	open_access(h, r, i);
	ok = access_store(h, va, bytes, value);
	close_access(h, i, ok);
	return ok;
}

/*
 * The host address of the aligned bytes at va.  Without models, kind says only whether they are
 * written.  *pa: as of atomic_at.
 */
static void *aligned_at(struct hart *h, const struct block_run *r, const struct insn *i,
			enum hierarchy_kind kind, uint64_t va, unsigned bytes, uint64_t *pa)
{
	bool write = kind != HIERARCHY_READ;
	const struct soft_line *l = soft_hit(write ? h->lines->write : h->lines->read, va, bytes);
	void *p;

	*pa = ACCESS_NO_PA;
	if (l) {
		if (timed && !l1_hit(h, va, va + l->addend, write))
			l1_miss(h, r, i, va + l->addend, kind);
		return (void *)(va + l->addend);
	}
	open_access(h, r, i);
	p = access_atomic(h, va, bytes, write, pa);
	close_access(h, i, p);
	return p;
}

void *ENGINE(atomic_at)(struct hart *h, const struct block_run *r, const struct insn *i,
			uint64_t va, unsigned bytes, uint64_t *pa)
{
	return aligned_at(h, r, i, HIERARCHY_ATOMIC, va, bytes, pa);
}

static unsigned word_bytes(const struct insn *i)
{
	return i->raw & 0x1000 ? 8 : 4;
}

bool ENGINE(load_reserved)(struct hart *h, const struct block_run *r, const struct insn *i)
{
	unsigned bytes = word_bytes(i);
	uint64_t pa;
	void *p;

	open_access(h, r, i);
	p = access_atomic(h, h->x[i->rs1], bytes, false, &pa);
	close_access(h, i, p);
	if (!p)
		return false;
	h->reservation = pa;
	h->reserved = bytes;
	h->x[i->rd] = bytes == 8 ? *(int64_t *)p : *(int32_t *)p;
	return true;
}

bool ENGINE(store_conditional)(struct hart *h, const struct block_run *r, const struct insn *i)
{
	unsigned bytes = word_bytes(i);
	uint64_t pa, value = h->x[i->rs2];
	bool holds;
	void *p;

	open_access(h, r, i);
	p = access_atomic(h, h->x[i->rs1], bytes, true, &pa);
	close_access(h, i, p);
	if (!p)
		return false;
	holds = h->reservation == pa && h->reserved == bytes;
	h->reservation = RESERVATION_NONE;
	if (holds) {
		memcpy(p, &value, bytes);
		access_wrote(h, pa, bytes);
	}
	h->x[i->rd] = !holds;
	return true;
}

/* Zalasr: loads and stores that must be aligned. */
static unsigned ordered_bytes(const struct insn *i)
{
	return 1u << (i->raw >> 12 & 3);
}

bool ENGINE(load_acquire)(struct hart *h, const struct block_run *r, const struct insn *i)
{
	unsigned bytes = ordered_bytes(i);
	uint64_t pa, value = 0;
	const void *p = aligned_at(h, r, i, HIERARCHY_READ, h->x[i->rs1], bytes, &pa);

	if (!p)
		return false;
	memcpy(&value, p, bytes);
	h->x[i->rd] = (uint64_t)((int64_t)(value << (64 - 8 * bytes)) >> (64 - 8 * bytes));
	return true;
}

bool ENGINE(store_release)(struct hart *h, const struct block_run *r, const struct insn *i)
{
	unsigned bytes = ordered_bytes(i);
	uint64_t pa, value = h->x[i->rs2];
	void *p = aligned_at(h, r, i, HIERARCHY_WRITE, h->x[i->rs1], bytes, &pa);

	if (!p)
		return false;
	memcpy(p, &value, bytes);
	if (pa != ACCESS_NO_PA)
		access_wrote(h, pa, bytes);
	return true;
}

/* amocas.q: pairs of registers, the lower half in the even one; the pair x0 is zero. */
bool ENGINE(compare_and_swap)(struct hart *h, const struct block_run *r, const struct insn *i)
{
	uint64_t pa, *p = ENGINE(atomic_at)(h, r, i, h->x[i->rs1], 16, &pa);
	uint64_t low, high;

	if (!p)
		return false;
	low = p[0];
	high = p[1];
	if (low == h->x[i->rs3] && high == (i->rs3 ? h->x[i->rs3 + 1] : 0)) {
		p[0] = h->x[i->rs2];
		p[1] = i->rs2 ? h->x[i->rs2 + 1] : 0;
	}
	if (pa != ACCESS_NO_PA)
		access_wrote(h, pa, 16);
	if (i->rs3) {
		h->x[i->rs3] = low;
		h->x[i->rs3 + 1] = high;
	}
	return true;
}

/*
 * Instructions that make several accesses: each counts for itself (timing_seen), between
 * open_access and close_access.  several_hit: one has hit in the software TLB.  several_one: one
 * access between memory and p.
 */
static void several_hit(struct hart *h, uint64_t va, uint64_t host, enum hierarchy_kind kind)
{
	const bool write = kind != HIERARCHY_READ;

	if (!timed)
		return;
	h->timing->seen[write ? SEEN_L1D_WRITE : SEEN_L1D_READ]++;
	if (h->translated)
		h->timing->seen[write ? SEEN_DTLB_WRITE : SEEN_DTLB_READ]++;
	if (!l1_hit(h, va, host, write))
		timing_soft(h, kind, host - h->ram_bias);
}

static void several_move(void *memory, void *p, unsigned bytes, bool store)
{
	if (store)
		memcpy(memory, p, bytes);
	else
		memcpy(p, memory, bytes);
}

static bool several_one(struct hart *h, uint64_t va, void *p, unsigned bytes, bool store)
{
	const struct soft_line *l = soft_hit(store ? h->lines->write : h->lines->read, va, bytes);
	uint64_t value = 0;

	if (l) {
		several_move((void *)(va + l->addend), p, bytes, store);
		several_hit(h, va, va + l->addend, store ? HIERARCHY_WRITE : HIERARCHY_READ);
		return true;
	}
	if (store) {
		memcpy(&value, p, bytes);
		return access_store(h, va, bytes, value);
	}
	if (!access_load(h, va, bytes, &value))
		return false;
	memcpy(p, &value, bytes);
	return true;
}

/* XTheadMemPair: its bytes and its address. */
static unsigned pair_at(const struct hart *h, const struct insn *i, uint64_t *va)
{
	unsigned bytes = i->op == ISA_th_ldd || i->op == ISA_th_sdd ? 8 : 4;

	*va = h->x[i->rs1] + (uint64_t)i->imm * 2 * bytes;
	return bytes;
}

bool ENGINE(load_pair)(struct hart *h, const struct block_run *r, const struct insn *i)
{
	uint64_t va, value[2] = { 0 };
	unsigned bytes = pair_at(h, i, &va);
	bool ok;

	open_access(h, r, i);
	ok = !access_watched(h, va, 2 * bytes, DEBUG_READS) &&
	     several_one(h, va, &value[0], bytes, false) &&
	     several_one(h, va + bytes, &value[1], bytes, false);
	close_access(h, i, ok);
	if (!ok)
		return false;
	h->x[i->rd] = i->op == ISA_th_lwd ? (uint64_t)(int32_t)value[0] : value[0];
	h->x[i->rs2] = i->op == ISA_th_lwd ? (uint64_t)(int32_t)value[1] : value[1];
	return true;
}

bool ENGINE(store_pair)(struct hart *h, const struct block_run *r, const struct insn *i)
{
	uint64_t va;
	unsigned bytes = pair_at(h, i, &va);
	bool ok;

	open_access(h, r, i);
	ok = !access_watched(h, va, 2 * bytes, DEBUG_WRITES) &&
	     several_one(h, va, &h->x[i->rs3], bytes, true) &&
	     several_one(h, va + bytes, &h->x[i->rs2], bytes, true);
	close_access(h, i, ok);
	return ok;
}

/*
 * Zcmp: from the highest register to ra.  sp changes last, so that the instruction can be executed
 * again after a fault; what was stored or loaded before it stays.
 */
bool ENGINE(push)(struct hart *h, const struct block_run *r, const struct insn *i)
{
	uint64_t va = h->x[i->rs1];
	bool ok;

	open_access(h, r, i);
	ok = !access_watched(h, va - 8 * i->rs2, 8 * i->rs2, DEBUG_WRITES);
	for (unsigned n = i->rs2; ok && n--;) {
		va -= 8;
		ok = several_one(h, va, &h->x[isa_saved(n)], 8, true);
	}
	close_access(h, i, ok);
	if (ok)
		h->x[i->rd] -= (uint64_t)i->imm;
	return ok;
}

bool ENGINE(pop)(struct hart *h, const struct block_run *r, const struct insn *i)
{
	uint64_t va = h->x[i->rs1] + (uint64_t)i->imm;
	bool ok;

	open_access(h, r, i);
	ok = !access_watched(h, va - 8 * i->rs2, 8 * i->rs2, DEBUG_READS);
	for (unsigned n = i->rs2; ok && n--;) {
		va -= 8;
		if (timed)
			h->timing->loads = isa_saved(n);
		ok = several_one(h, va, &h->x[isa_saved(n)], 8, false);
	}
	if (timed && ok && i->op != ISA_cm_pop)
		timing_returns(h);
	close_access(h, i, ok);
	if (!ok)
		return false;
	h->x[i->rd] += (uint64_t)i->imm;
	if (i->op == ISA_cm_popretz)
		h->x[10] = 0;
	return true;
}

/* Zcmt: the entry of the table is fetched as code is, and not as data. */
static bool table_entry(struct hart *h, const struct block_run *r, const struct insn *i,
			uint64_t *target)
{
	uint64_t va = h->jvt + 8 * (uint64_t)i->imm, pa;
	const uint64_t *p = NULL;

	open_access(h, r, i);
	if (mmu_translate(h, va, 8, ACCESS_FETCH, h->mode, &pa, NULL)) {
		p = cluster_ram(h->cl, pa, 8);
		if (p && timed)
			timing_table(h, pa);
		if (!p)
			h->fault = (struct fault){ CAUSE_FETCH_ACCESS, va };
	}
	close_access(h, i, p);
	if (p)
		*target = *p & ~1ull;
	return p;
}

bool ENGINE(shadow_push)(struct hart *h, const struct block_run *r, const struct insn *i)
{
	uint64_t pa, *p;

	open_access(h, r, i);
	p = access_shadow_stack(h, h->ssp - 8, 8, true, &pa);
	close_access(h, i, p);
	if (!p)
		return false;
	*p = h->x[i->rs2];
	access_wrote(h, pa, 8);
	h->ssp -= 8;
	return true;
}

bool ENGINE(shadow_pop)(struct hart *h, const struct block_run *r, const struct insn *i)
{
	const uint64_t *p;
	uint64_t pa;
	bool same;

	open_access(h, r, i);
	p = access_shadow_stack(h, h->ssp, 8, false, &pa);
	same = p && *p == h->x[i->rs1];
	close_access(h, i, same);
	if (same)
		h->ssp += 8;
	else if (p)
		h->fault = (struct fault){ CAUSE_SOFTWARE_CHECK, SOFTWARE_CHECK_SHADOW_STACK };
	return same;
}

bool ENGINE(shadow_swap)(struct hart *h, const struct block_run *r, const struct insn *i)
{
	unsigned bytes = word_bytes(i);
	uint64_t pa, value = h->x[i->rs2];
	void *p;

	open_access(h, r, i);
	p = access_shadow_stack(h, h->x[i->rs1], bytes, true, &pa);
	close_access(h, i, p);
	if (!p)
		return false;
	h->x[i->rd] = bytes == 8 ? *(int64_t *)p : *(int32_t *)p;
	memcpy(p, &value, bytes);
	access_wrote(h, pa, bytes);
	return true;
}

/* Whether menvcfg and senvcfg allow it in this mode.  bits: one bit, or cbo.inval's two. */
static bool cbo_enabled(const struct hart *h, uint64_t bits)
{
	if (h->mode < PRV_M && !(h->menvcfg & bits))
		return false;
	return h->mode > PRV_U || (h->senvcfg & bits);
}

enum cbo ENGINE(cache_block)(struct hart *h, const struct block_run *r, const struct insn *i)
{
	uint64_t va = h->x[i->rs1];
	uint64_t bits = i->op == ISA_cbo_zero	 ? MENVCFG_CBZE
			: i->op == ISA_cbo_inval ? MENVCFG_CBIE
						 : MENVCFG_CBCFE;
	bool ok;

	if (!cbo_enabled(h, bits))
		return CBO_ILLEGAL;
	open_access(h, r, i);
	ok = i->op == ISA_cbo_zero ? access_cbo_zero(h, va) : access_cbo_check(h, va);
	close_access(h, i, ok);
	return ok ? CBO_DONE : CBO_FAULT;
}
