/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vector.h - RISC-V vectors (V 1.0, Zvfh, Zvbb, Zvbc, Zvk; XTheadVector), bit-exact: the state of a
 * vector unit, and what each instruction does to it.  The door of sim/vector.  It knows no hart:
 * whoever calls it has checked that the hart has the instruction, and that vectors (and floating
 * point, where an instruction needs it) are on, and accesses memory.
 *
 *	vector_set()		vsetvli, vsetivli, vsetvl
 *	vector_execute()	all that computes: table.c says for each instruction which
 *				registers it reads and writes, and which function (a kernel)
 *				does it; execute.c checks
 *	vector_memory()		loads, stores, AMOs: memory.c checks, and says what is to be
 *				accessed; vector_atomic() computes
 *
 * Where the specification leaves a choice:
 *  - Agnostic elements (tail and inactive ones) keep their values, as if they were undisturbed.
 *  - vl is the smaller one of AVL and VLMAX.
 *  - Reserved encodings and combinations of operands are illegal instructions.  A reserved vtype
 *    sets vill, and so does vsetvli x0, x0 if it would change VLMAX.
 *  - Computing instructions accept any vstart, except those for which the specification says that
 *    they trap if it is not 0.
 *  - Unordered sums of floating point are done in the order of the elements.
 *
 * A unit has either V or XTheadVector, whose instructions are those of V where the meaning is the
 * same (vector_like).  thead/ has what differs: the layout of masks, zeros after vl, which
 * registers may overlap, elements in memory that are narrower than in registers.
 *
 * Implements: Unpriv 20240411 chapter 31; Vector Cryptography 1.0; RISC-V vectors 0.7.1 without
 * chapter 19 (T-Head ISA extension specification, XTheadVector and XTheadZvamo).
 */
#ifndef SIM_VECTOR_H
#define SIM_VECTOR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct isa_set;

#define VECTOR_REGS	  32
#define VECTOR_BYTES_MIN  16 /* of a register */
#define VECTOR_BYTES_MAX  128
#define VECTOR_GROUP_MAX  (8 * VECTOR_BYTES_MAX)
#define VECTOR_VILL	  (1ull << 63)
#define VECTOR_VTYPE_BITS 0xffull
/* Registers after the others: masks of XTheadVector with a bit an element, as those of V. */
#define VECTOR_SPARE	  3

/* What a load, store or AMO accesses: elements v->vstart to nr - 1, each with `fields` fields. */
struct vector_memory {
	bool store, masked, indexed, strided, first_only; /* first_only: fault-only-first */
	bool plain; /* unit stride */
	bool direct; /* plain, one field, without a mask, and as wide in memory as in registers */
	bool by_bits; /* nr is the bytes of vl bits */
	bool whole; /* nr is `places`, whatever vl is */
	bool sign; /* what is loaded extends signs */
	bool tail; /* what is after vl becomes 0 (vector_tail) */
	bool atomic; /* an AMO; with `store` it writes no register */
	uint8_t fields, step; /* step: registers from one field to the next */
	uint8_t bytes, index_bytes; /* of an element in memory, of an index */
	uint8_t wide; /* bytes of an element in a register: more than in memory, or as many */
	uint8_t shift; /* logarithm of bytes */
	uint8_t vd, vs2;
	uint8_t index_nr; /* registers with indexes */
	uint8_t eighths; /* of a register, that the groups of all fields have */
	uint32_t nr;
	uint32_t places; /* the greatest nr */
};

struct vector_state;
struct vector_args;

/* What was found out about an instruction under one vtype; a private matter of sim/vector. */
struct vector_plan {
	uint64_t key, vtype; /* key: the instruction; 0: nothing yet */
	bool legal;
	uint8_t moved; /* registers that vmv1r.v to vmv8r.v copy */
	union {
		struct {
			void (*all)(struct vector_state *v, struct vector_args *a);
			bool (*host)(struct vector_state *v, struct vector_args *a); /* or NULL */
		} kernel;
		struct vector_memory memory;
	} is;
};

#define VECTOR_PLANS_BITS 8
#define VECTOR_PLANS	  (1u << VECTOR_PLANS_BITS)

struct vector_state {
	const struct isa_set *has; /* extensions, on which the SEW of some instructions depends */
	bool thead; /* it has XTheadVector */
	uint32_t bytes; /* of a register (vlenb): a power of two */
	uint32_t mask_at; /* where vector_active() finds the mask in this struct */
	uint32_t vl, vstart;
	uint64_t vtype; /* as the CSR, VECTOR_VILL too */
	uint8_t vxrm, vxsat;
	/* Decoded from vtype by vector_type(). */
	int8_t sew, lmul; /* logarithms: of the bytes of an element, of the registers of a group */
	uint32_t max; /* VLMAX; 0 if vill */
	/* Register n begins at n * bytes, so that the registers of a group are contiguous. */
	_Alignas(64) uint8_t reg[(VECTOR_REGS + VECTOR_SPARE) * VECTOR_BYTES_MAX];
	struct vector_plan plan[VECTOR_PLANS]; /* of the last instructions; follows from the rest */
	uint8_t mask
		[VECTOR_BYTES_MAX]; /* XTheadVector: v0 as a mask of V, by vector_mask_ready() */
};

/* A new state in memory that free() frees; NULL: there is none. */
struct vector_state *vector_new(void);

/* Makes the state that of reset: vill, all registers 0.  has must live as long as the state. */
void vector_reset(struct vector_state *v, unsigned bytes, const struct isa_set *has);

/* Sets vtype, whose reserved values become vill, and what is decoded from it.  Global for tests. */
void vector_type(struct vector_state *v, uint64_t vtype);

/* Whether a state that was read from a file is one that a unit can have.  Decodes vtype. */
bool vector_restored(struct vector_state *v);

/*
 * A vsetvl instruction with this new vtype.  avl: the application vector length; keep: it is the
 * present vl (rd and rs1 are x0).  Returns the new vl.
 */
uint64_t vector_set(struct vector_state *v, uint64_t vtype, uint64_t avl, bool keep);

/* The operands of an instruction other than those in vector registers. */
struct vector_args {
	uint16_t op; /* enum isa_insn */
	uint8_t vd, vs1, vs2;
	bool masked;
	uint8_t rm; /* frm */
	uint64_t scalar; /* x or f rs1, or the immediate */
	uint64_t result; /* for x or f rd */
	uint32_t *flags; /* fflags */
};

/* Indexed by enum isa_insn; 0: the instruction itself (vector_like). */
extern const uint16_t vector_likes[];

/* The instruction with the same operands and results (xtheadvector.def); of V: itself. */
static inline unsigned vector_like(unsigned op)
{
	return vector_likes[op] ? vector_likes[op] : op;
}

/* XTheadVector: copies the mask v0. */
void vector_copy_mask(struct vector_state *v);

/* Makes ready what vector_active() reads. */
static inline void vector_mask_ready(struct vector_state *v)
{
	if (v->thead)
		vector_copy_mask(v);
}

/* Whether an instruction needs floating point on and a valid frm. */
bool vector_floats(unsigned op);

/* Executes an instruction of class VINT to VFRED.  False: it is illegal; nothing has changed. */
bool vector_execute(struct vector_state *v, struct vector_args *a);

/* The entry for the plan of an instruction.  known: it has that of this key and vtype. */
static inline struct vector_plan *vector_plan_of(struct vector_state *v, uint64_t key, bool *known)
{
	struct vector_plan *p = &v->plan[key * 0x9e3779b97f4a7c15 >> (64 - VECTOR_PLANS_BITS)];

	*known = p->key == key && p->vtype == v->vtype;
	if (!*known)
		*p = (struct vector_plan){ .key = key, .vtype = v->vtype };
	return p;
}

/* Makes p of an instruction of class VLOAD, VSTORE or VAMO. */
void vector_memory_plan(const struct vector_state *v, unsigned op, uint32_t insn,
			struct vector_plan *p);

/*
 * op is an instruction of class VLOAD, VSTORE or VAMO, insn its 32 bits.  Returns what it accesses,
 * valid until the next call; NULL: it is illegal.
 */
static inline const struct vector_memory *vector_memory(struct vector_state *v, unsigned op,
							uint32_t insn)
{
	bool known;
	struct vector_plan *p = vector_plan_of(v, 1ull << 63 | (uint64_t)op << 32 | insn, &known);
	struct vector_memory *m = &p->is.memory;

	if (!known)
		vector_memory_plan(v, op, insn, p);
	if (!p->legal)
		return NULL;
	m->nr = m->whole ? m->places : m->by_bits ? (v->vl + 7) / 8 : v->vl;
	if (m->masked)
		vector_mask_ready(v);
	return m;
}

/* Where an element of a field is, and the index of an element. */
static inline uint8_t *vector_element(struct vector_state *v, const struct vector_memory *m,
				      unsigned field, unsigned n)
{
	return v->reg + (m->vd + field * m->step) * v->bytes + n * m->wide;
}

/* Extends an element whose m->bytes have been loaded. */
static inline void vector_extend(const struct vector_memory *m, uint8_t *element)
{
	memset(element + m->bytes, m->sign && element[m->bytes - 1] >> 7 ? 0xff : 0,
	       m->wide - m->bytes);
}

/* m->tail: the end of a load that began at element `from`. */
void vector_tail(struct vector_state *v, const struct vector_memory *m, unsigned from);

uint64_t vector_index(const struct vector_state *v, const struct vector_memory *m, unsigned n);

/*
 * What an AMO, whose 32 bits are insn, writes to memory, which has old.  old and source are
 * sign-extended, which keeps their order also as numbers without a sign; of the result only the
 * bytes of the element count.
 */
uint64_t vector_atomic(uint32_t insn, int64_t old, int64_t source);

/* Registers that an instruction uses together; nr 0: none. */
struct vector_group {
	uint8_t first, nr;
};

/* What an instruction that is legal, and whose 32 bits are insn, uses. */
struct vector_use {
	struct vector_group vd, vs1, vs2;
	bool reads_vd; /* a store, a multiply and add, a step of a cipher */
	bool reads_v0; /* as a mask or as carries */
	bool masked; /* v0 says which elements are active */
	uint8_t eighths; /* of a register, that the widest group has; 0: masks and scalars only */
	uint32_t elements; /* it works on elements from vstart to this one; vl, or a fixed number */
	uint32_t places; /* elements for which it has room: the most that vl can be, or as many */
};

void vector_used(const struct vector_state *v, unsigned op, uint32_t insn, struct vector_use *u);

/* Element n of the mask v0, as it was at the last vector_mask_ready(). */
static inline bool vector_active(const struct vector_state *v, unsigned n)
{
	return ((const uint8_t *)v)[v->mask_at + n / 8] >> n % 8 & 1;
}

#endif
