/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * words.h - the words of op/ that mean the same in the interpreter and in native code.  Both define
 * before it what an operand is, and where control goes:
 *
 *	RD RS1 RS2 RS3 IMM FRD FRS1 FRS2 FRS3	registers and the immediate
 *	SHAMT RM KIND				a shift amount, a rounding mode, an enum bpred_kind
 *	HERE BEHIND SELF			the instruction's address, the next one's; itself
 *	OP NEXT GO GO_ANYWHERE			labels and control (engine_body.h)
 *	fault illegal leave_after		labels to which an instruction goes
 *	ENGINE(name)				the function of this engine, timed or not
 */
#define SIGN16 0x8000u
#define SIGN32 0x80000000u
#define SIGN64 0x8000000000000000ull

static uint64_t divide(int64_t a, int64_t b)
{
	if (!b)
		return UINT64_MAX;
	return b == -1 ? -(uint64_t)a : (uint64_t)(a / b);
}

static uint64_t remainder_of(int64_t a, int64_t b)
{
	if (!b)
		return a;
	return b == -1 ? 0 : a % b;
}

static uint64_t rotate_right(uint64_t a, unsigned by)
{
	return a >> (by & 63) | a << (-by & 63);
}

static uint32_t rotate_right32(uint32_t a, unsigned by)
{
	return a >> (by & 31) | a << (-by & 31);
}

/* Bits first to last of a. */
static uint64_t field_of(uint64_t a, unsigned last, unsigned first)
{
	return a << (63 - last) >> (63 - last + first);
}

static int64_t signed_field_of(uint64_t a, unsigned last, unsigned first)
{
	return (int64_t)(a << (63 - last)) >> (63 - last + first);
}

static uint64_t or_bytes(uint64_t a)
{
	for (unsigned n = 1; n < 8; n *= 2)
		a |= (a >> n & 0x0101010101010101ull * (0xff >> n)) |
		     (a << n & 0x0101010101010101ull * (0xff << n & 0xff));
	return a;
}

static uint64_t reverse_in_bytes(uint64_t a)
{
	a = (a >> 1 & 0x5555555555555555) | (a & 0x5555555555555555) << 1;
	a = (a >> 2 & 0x3333333333333333) | (a & 0x3333333333333333) << 2;
	return (a >> 4 & 0x0f0f0f0f0f0f0f0f) | (a & 0x0f0f0f0f0f0f0f0f) << 4;
}

/* The next two words of an AES key: each is the one before it and one of the last round's. */
static uint64_t aes64_ks2(uint64_t a, uint64_t b)
{
	uint32_t low = (uint32_t)(a >> 32) ^ (uint32_t)b;

	return low | (uint64_t)(low ^ (uint32_t)(b >> 32)) << 32;
}

/* Two or three rotations of one value, xored. */
#define XOR2(rotate, value, a, b)    (rotate(value, a) ^ rotate(value, b))
#define XOR3(rotate, value, a, b, c) (rotate(value, a) ^ rotate(value, b) ^ rotate(value, c))

/* Without a function of the compiler's library. */
static unsigned ones(uint64_t a)
{
	a -= a >> 1 & 0x5555555555555555;
	a = (a & 0x3333333333333333) + (a >> 2 & 0x3333333333333333);
	a = (a + (a >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return a * 0x0101010101010101 >> 56;
}

static uint64_t box(uint32_t single)
{
	return single | 0xffffffff00000000ull;
}

static uint32_t unbox(uint64_t reg)
{
	return reg >> 32 == 0xffffffff ? (uint32_t)reg : FP32_NAN;
}

static uint64_t box16(uint16_t half)
{
	return half | 0xffffffffffff0000ull;
}

static uint16_t unbox16(uint64_t reg)
{
	return reg >> 16 == 0xffffffffffff ? (uint16_t)reg : FP16_NAN;
}

static const struct soft_line *soft_hit(const struct soft_line *lines, uint64_t va, unsigned bytes)
{
	const struct soft_line *l = &lines[(va >> PAGE_SHIFT) % SOFT_NR];

	return likely((va & (PAGE_MASK | (bytes - 1))) == l->tag) ? l : NULL;
}

/* va has hit in the L0 hit table or the software TLB: tells the modelled TLB, if it needs hits. */
static inline __attribute__((always_inline)) void report_hit(struct hart *h, uint64_t va,
							     bool write)
{
	const struct soft_tlb *s = h->lines;
	unsigned line = (va >> PAGE_SHIFT) % SOFT_NR;

	if (unlikely(h->tlb_wants_hits))
		tlb_use(&h->tlb, TLB_D, write ? s->write_slot[line] : s->read_slot[line]);
}

#define S1 unbox(FRS1)
#define S2 unbox(FRS2)
#define S3 unbox(FRS3)
#define H1 unbox16(FRS1)
#define H2 unbox16(FRS2)
#define H3 unbox16(FRS3)

#define BRANCH(condition)                                                                          \
	do {                                                                                       \
		uint64_t at = HERE, there = at + IMM;                                              \
		if (condition)                                                                     \
			GO(1, there, predict_branch(h, r, at, true, there));                       \
		GO(0, BEHIND, predict_branch(h, r, at, false, there));                             \
	} while (0)

/* An integer division with this result. */
#define DIVIDE(result)                                                                             \
	do {                                                                                       \
		if (timed && unlikely(h->divides)) {                                               \
			timing_divides(h, r, SELF);                                                \
			SET_RD(result);                                                            \
			if (unlikely(h->stop))                                                     \
				goto leave_after;                                                  \
		} else {                                                                           \
			SET_RD(result);                                                            \
		}                                                                                  \
	} while (0)

/* Loads value, which has this type of so many bytes; the statement assign then uses it. */
#define READ_AT(address, type, bytes, assign)                                                      \
	do {                                                                                       \
		uint64_t va = (address), bits;                                                     \
		const struct soft_line *l;                                                         \
		type value;                                                                        \
		if (timed) {                                                                       \
			unsigned at = l0_at(va);                                                   \
			if (likely(h->l0.read[at] == l0_tag(va, bytes))) {                         \
				value = *(type *)(va + h->l0.addend[at]);                          \
				assign;                                                            \
				report_hit(h, va, false);                                          \
				break;                                                             \
			}                                                                          \
			if (!ENGINE(load_##bytes)(h, r, SELF, va, &bits))                          \
				goto fault;                                                        \
		} else {                                                                           \
			l = soft_hit(h->lines->read, va, bytes);                                   \
			if (likely(l)) {                                                           \
				value = *(type *)(va + l->addend);                                 \
				assign;                                                            \
				break;                                                             \
			}                                                                          \
			if (!ENGINE(slow_load)(h, r, SELF, bytes, va, &bits))                      \
				goto fault;                                                        \
		}                                                                                  \
		value = bits;                                                                      \
		assign;                                                                            \
		if (unlikely(h->stop))                                                             \
			goto leave_after;                                                          \
	} while (0)

#define READ(type, bytes, assign) READ_AT(RS1 + IMM, type, bytes, assign)

/* Stores from at an address; the statement then follows, unless it faults. */
#define WRITE_AT(address, type, bytes, from, then)                                                 \
	do {                                                                                       \
		uint64_t va = (address);                                                           \
		const struct soft_line *l;                                                         \
		if (timed) {                                                                       \
			unsigned at = l0_at(va);                                                   \
			if (likely(h->l0.write[at] == l0_tag(va, bytes))) {                        \
				*(type *)(va + h->l0.addend[at]) = from;                           \
				report_hit(h, va, true);                                           \
				then;                                                              \
				break;                                                             \
			}                                                                          \
			if (!ENGINE(store_##bytes)(h, r, SELF, va, from))                          \
				goto fault;                                                        \
		} else {                                                                           \
			l = soft_hit(h->lines->write, va, bytes);                                  \
			if (likely(l)) {                                                           \
				*(type *)(va + l->addend) = from;                                  \
				then;                                                              \
				break;                                                             \
			}                                                                          \
			if (!ENGINE(slow_store)(h, r, SELF, bytes, va, from))                      \
				goto fault;                                                        \
		}                                                                                  \
		then;                                                                              \
		if (unlikely(h->stop))                                                             \
			goto leave_after;                                                          \
	} while (0)

#define WRITE(type, bytes, from) WRITE_AT(RS1 + IMM, type, bytes, from, )

/* new_value is an expression of old (memory) and source (rs2), which have this type. */
#define AMO(type, new_value)                                                                       \
	do {                                                                                       \
		uint64_t pa;                                                                       \
		type *p = ENGINE(atomic_at)(h, r, SELF, RS1, sizeof(type), &pa);                   \
		type old, source = RS2;                                                            \
		if (unlikely(!p))                                                                  \
			goto fault;                                                                \
		old = *p;                                                                          \
		*p = (type)(new_value);                                                            \
		RD = old;                                                                          \
		if (unlikely(pa != ACCESS_NO_PA))                                                  \
			access_wrote(h, pa, sizeof(type));                                         \
		if (unlikely(h->stop))                                                             \
			goto leave_after;                                                          \
		NEXT;                                                                              \
	} while (0)

#define FP_ON                                                                                      \
	do {                                                                                       \
		if (unlikely((h->mstatus & MSTATUS_FS) != MSTATUS_FS)) {                           \
			if (!(h->mstatus & MSTATUS_FS))                                            \
				goto illegal;                                                      \
			h->mstatus |= MSTATUS_FS;                                                  \
		}                                                                                  \
	} while (0)

#define FP_RM                                                                                      \
	FP_ON;                                                                                     \
	rm = RM == FP_DYNAMIC ? h->frm : RM;                                                       \
	if (unlikely(rm > FP_RMM))                                                                 \
		goto illegal;
