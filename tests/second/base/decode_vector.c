// SPDX-License-Identifier: BSD-2-Clause
/*
 * decode_vector.c - what the models need to know of a vector instruction: rules V1, V3, V4 and the
 * first list of EVENTS in holter-model(7); encodings from the unprivileged architecture.  For those
 * of XTheadVector that V has elsewhere see decode_thead_vector.c.
 */
#include "decode.h"

enum { AMO = 0x2f };

static void event(struct insn *i, enum event ev)
{
	i->events[i->nr_events++] = ev;
}

/* Width of the elements in a load or store, log2 of bytes. */
static unsigned width(unsigned f3)
{
	return f3 ? f3 - 4 : 0;
}

static void issue_memory(struct insn *i, uint32_t bits)
{
	bool store = (bits & 0x7f) == 0x27;
	unsigned mop = bits >> 26 & 3;

	if ((bits & 0x7f) == AMO) {
		i->class = CLASS_AMO;
		i->rs1 = bits >> 15 & 31;
		event(i, EV_AMOS);
		return;
	}
	i->class = store ? CLASS_STORE : CLASS_LOAD;
	i->rs1 = bits >> 15 & 31;
	i->rs2 = mop == 2 ? bits >> 20 & 31 : 0;
	event(i, store ? EV_VECTOR_STORES : EV_VECTOR_LOADS);
	event(i, mop == 0   ? EV_VECTOR_UNIT_STRIDE
		 : mop == 2 ? EV_VECTOR_STRIDED
			    : EV_VECTOR_INDEXED);
}

static void issue_config(struct insn *i, uint32_t bits)
{
	i->class = CLASS_VSET;
	i->vector = false;
	i->rd = bits >> 7 & 31;
	if (bits >> 30 != 3) /* not vsetivli */
		i->rs1 = bits >> 15 & 31;
	if (bits >> 30 == 2) /* vsetvl */
		i->rs2 = bits >> 20 & 31;
	event(i, EV_VECTOR_CONFIG);
}

static enum event event_int(unsigned f6, unsigned f3)
{
	if (f6 == 0x0c || f6 == 0x0e || f6 == 0x0f || (f6 == 0x27 && f3 == OPIVI))
		return EV_VECTOR_PERMUTE;
	if ((f6 >= 0x20 && f6 <= 0x24) || f6 == 0x26 || f6 == 0x27 || f6 == 0x2a || f6 == 0x2b ||
	    f6 == 0x2e || f6 == 0x2f || f6 >= 0x3c)
		return EV_VECTOR_FIXED;
	return f6 == 0x30 || f6 == 0x31 ? EV_VECTOR_REDUCTIONS : EV_VECTOR_INT;
}

static enum event event_multiply(unsigned f6, unsigned f3, unsigned rs1)
{
	if (f3 == OPMVV && f6 < 8)
		return EV_VECTOR_REDUCTIONS;
	if (f6 >= 8 && f6 <= 11)
		return EV_VECTOR_FIXED;
	if (f6 == 0x10 && f3 == OPMVV)
		return rs1 ? EV_VECTOR_MASK : EV_VECTOR_PERMUTE;
	if (f6 == 0x10 || f6 == F6_INDEXED || f6 == 0x0e || f6 == 0x0f || f6 == 0x17)
		return EV_VECTOR_PERMUTE;
	return f6 == 0x14 || (f6 >= 0x18 && f6 <= 0x1f) ? EV_VECTOR_MASK : EV_VECTOR_INT;
}

static enum event event_float(unsigned f6, unsigned f3)
{
	if (f6 == 0x10 || f6 == 0x0e || f6 == 0x0f)
		return EV_VECTOR_PERMUTE;
	if (f3 == OPFVV && (f6 == 1 || f6 == 3 || f6 == 5 || f6 == 7 || f6 == 0x31 || f6 == 0x33))
		return EV_VECTOR_REDUCTIONS;
	return EV_VECTOR_FLOAT;
}

bool decode_vector_is_later(uint32_t bits)
{
	unsigned f3 = bits >> 12 & 7, f6 = bits >> 26, rs1 = bits >> 15 & 31;

	if ((bits & 0x7f) != 0x57)
		return (bits & 0x7f) == 0x77;
	if (f3 == OPMVV && f6 == 0x12)
		return rs1 >= 8;
	if (f3 == OPMVV || f3 == OPMVX)
		return f6 == 0x0c || f6 == 0x0d;
	return (f3 == OPIVV || f3 == OPIVX || f3 == OPIVI) &&
	       (f6 == 1 || f6 == 0x14 || f6 == 0x15 || f6 == 0x35);
}

void decode_vector_issue(struct insn *i, uint32_t bits)
{
	unsigned f3 = bits >> 12 & 7, f6 = bits >> 26, rd = bits >> 7 & 31, rs1 = bits >> 15 & 31;

	event(i, EV_VECTOR);
	i->vector = true;
	if ((bits & 0x7f) == 0x77) {
		i->class = CLASS_FP_MISC;
		event(i, EV_VECTOR_CRYPTO);
		return;
	}
	if ((bits & 0x7f) != 0x57) {
		issue_memory(i, bits);
		return;
	}
	if (f3 == OPCFG) {
		issue_config(i, bits);
		return;
	}
	i->class = CLASS_FP_MISC;
	if (f3 == OPIVX || f3 == OPMVX || (f3 == OPMVV && f6 == F6_INDEXED))
		i->rs1 = rs1;
	if (f3 == OPFVF)
		i->rs1 = REG_F + rs1;
	if (f3 == OPMVV && (f6 == 0x10 || f6 == F6_INDEXED)) /* vmv.x.s, vcpop, vfirst */
		i->rd = rd;
	if (f3 == OPFVV && f6 == 0x10) /* vfmv.f.s */
		i->rd = REG_F + rd;
	event(i, f3 == OPMVV || f3 == OPMVX   ? event_multiply(f6, f3, rs1)
		 : f3 == OPFVV || f3 == OPFVF ? event_float(f6, f3)
					      : event_int(f6, f3));
}

/* What the operands of an instruction are. */
enum operand { NO, GROUP, WIDE, HALF, QUARTER, EIGHTH, BYTES2, MASK, ONE };

struct shape {
	enum vector_class class;
	enum operand vd, vs2, vs1;
	bool reads_vd, carries;
};

static struct shape shape_int(unsigned f6, unsigned f3)
{
	struct shape s = { V_LOGIC, GROUP, GROUP, f3 == OPIVV ? GROUP : NO, false, false };

	if ((f6 <= 7 && f6 != 1) || (f6 >= 0x20 && f6 <= 0x24) || f6 == 0x26)
		s.class = V_ADD;
	else if (f6 == 0x0e && f3 == OPIVV) {
		s.class = V_GATHER;
		s.vs1 = BYTES2;
	} else if (f6 == 0x0c && f3 == OPIVV) {
		s.class = V_GATHER;
	} else if (f6 == 0x0c || f6 == 0x0e || f6 == 0x0f) {
		s.class = V_PERMUTE;
	} else if (f6 >= 0x10 && f6 <= 0x13) {
		s.carries = true; /* if v0 is read at all */
		if (f6 & 1)
			s.vd = MASK;
	} else if (f6 == 0x35) { /* vwsll */
		s.vd = WIDE;
	} else if (f6 == 0x17) {
		s.carries = true;
	} else if (f6 >= 0x18 && f6 <= 0x1f) {
		s.vd = MASK;
	} else if (f6 == 0x27) {
		s.class = V_MUL;
	} else if (f6 >= 0x2c && f6 <= 0x2f) {
		s.vs2 = WIDE;
	} else if (f6 == 0x30 || f6 == 0x31) {
		s.class = V_REDUCE;
		s.vd = s.vs1 = ONE;
	} else if (f6 >= 0x3c) { /* th.vwsmacc and its kind */
		s.class = V_MUL;
		s.vd = WIDE;
		s.reads_vd = true;
	}
	return s;
}

static struct shape shape_multiply(unsigned f6, unsigned f3, unsigned rs1)
{
	struct shape s = { V_ADD, GROUP, GROUP, f3 == OPMVV ? GROUP : NO, false, false };

	if (f6 < 8) {
		s.class = V_REDUCE;
		s.vd = s.vs1 = ONE;
	} else if (f6 == 0x0c || f6 == 0x0d) { /* vclmul, vclmulh */
		s.class = V_MUL;
	} else if (f6 == 0x0e || f6 == 0x0f) {
		s.class = V_PERMUTE;
	} else if (f6 == 0x10 || f6 == F6_INDEXED) {
		s.class = V_SCALAR;
		s.vd = f3 == OPMVX ? ONE : NO;
		s.vs2 = f3 == OPMVX ? NO : rs1 && f6 == 0x10 ? MASK : ONE;
		s.vs1 = NO;
	} else if (f6 ==
		   0x12) { /* extensions, and from 8 on bit manipulation, by the field of vs1 */
		s.class = V_LOGIC;
		s.vs1 = NO;
		s.vs2 = rs1 < 4 ? EIGHTH : rs1 < 6 ? QUARTER : rs1 < 8 ? HALF : GROUP;
	} else if (f6 == 0x14) {
		s.vs1 = NO;
		s.class = rs1 < 16 ? V_MASK : V_PERMUTE;
		s.vd = rs1 < 16 ? MASK : GROUP;
		s.vs2 = rs1 == 17 ? NO : MASK;
	} else if (f6 == 0x17) {
		s.class = V_GATHER;
		s.vs1 = MASK;
	} else if (f6 >= 0x18 && f6 <= 0x1f) {
		s.class = V_MASK;
		s.vd = s.vs2 = s.vs1 = MASK;
	} else if (f6 >= 0x20 && f6 <= 0x23) {
		s.class = V_DIV;
	} else if (f6 >= 0x24 && f6 <= 0x2f) {
		s.class = V_MUL;
		s.reads_vd = f6 >= 0x28;
	} else if (f6 >= 0x30 && f6 <= 0x37) {
		s.vd = WIDE;
		s.vs2 = f6 >= 0x34 ? WIDE : GROUP;
	} else if (f6 >= 0x38) {
		s.class = V_MUL;
		s.vd = WIDE;
		s.reads_vd = f6 >= 0x3c;
	}
	return s;
}

static struct shape shape_float(unsigned f6, unsigned f3, unsigned rs1)
{
	struct shape s = { V_FP_ADD, GROUP, GROUP, f3 == OPFVV ? GROUP : NO, false, false };

	if (f3 == OPFVV && (f6 == 1 || f6 == 3 || f6 == 5 || f6 == 7 || f6 == 0x31 || f6 == 0x33)) {
		s.class = f6 == 3 || f6 == 0x33 ? V_FP_ORDERED : V_FP_REDUCE;
		s.vd = s.vs1 = ONE;
	} else if (f6 >= 8 && f6 <= 10) {
		s.class = V_FP_MISC;
	} else if (f6 == 0x0e || f6 == 0x0f) {
		s.class = V_PERMUTE;
	} else if (f6 == 0x10) {
		s.class = V_SCALAR;
		s.vd = f3 == OPFVF ? ONE : NO;
		s.vs2 = f3 == OPFVF ? NO : ONE;
		s.vs1 = NO;
	} else if (f6 == 0x12) { /* conversions: 8 and more widen, 16 and more narrow */
		s.class = V_FP_MISC;
		s.vs1 = NO;
		s.vd = rs1 >= 8 && rs1 < 16 ? WIDE : GROUP;
		s.vs2 = rs1 >= 16 ? WIDE : GROUP;
	} else if (f6 == 0x13) {
		s.class = rs1 == 0 ? V_FP_DIV : V_FP_MISC;
		s.vs1 = NO;
	} else if (f6 == 0x17) {
		s.class = V_FP_MISC;
		s.carries = true;
	} else if (f6 >= 0x18 && f6 <= 0x1f) {
		s.class = V_FP_MISC;
		s.vd = MASK;
	} else if (f6 == 0x20 || f6 == 0x21) {
		s.class = V_FP_DIV;
	} else if (f6 >= 0x28 && f6 <= 0x2f) {
		s.reads_vd = true;
	} else if (f6 >= 0x30) {
		s.vd = WIDE;
		s.vs2 = f6 >= 0x34 && f6 <= 0x37 ? WIDE : GROUP;
		s.reads_vd = f6 >= 0x3c;
	}
	return s;
}

/* Steps of ciphers and hashes. */
static struct shape shape_crypto(unsigned f6)
{
	struct shape s = { V_CRYPTO, GROUP, GROUP, NO, true, false };

	if (f6 == 0x29) /* a key for all */
		s.vs2 = ONE;
	if (f6 == 0x20 || f6 >= 0x2c) /* vsm3me, vghsh, vsha2 */
		s.vs1 = GROUP;
	s.reads_vd = f6 > 0x22; /* not vsm3me, vsm4k, vaeskf1 */
	return s;
}

/* LMUL in eighths. */
static unsigned lmul8(unsigned vtype)
{
	return (vtype & 7) < 4 ? 8u << (vtype & 7) : 8u >> (8 - (vtype & 7));
}

static struct vector_regs regs(enum operand o, unsigned first, unsigned vtype, unsigned *widest)
{
	unsigned e = lmul8(vtype), size = vtype >> 3 & 7;

	switch (o) {
	case NO:
		return (struct vector_regs){ first, 0 };
	case MASK:
	case ONE:
		return (struct vector_regs){ first, 1 };
	case GROUP:
		break;
	case WIDE:
		e *= 2;
		break;
	case HALF:
		e /= 2;
		break;
	case QUARTER:
		e /= 4;
		break;
	case EIGHTH:
		e /= 8;
		break;
	case BYTES2:
		e = e * 2 >> size;
		break;
	}
	if (e > *widest)
		*widest = e;
	return (struct vector_regs){ first, e > 8 ? e / 8 : 1 };
}

static unsigned vlmax(unsigned vtype, unsigned vlen)
{
	return vlen / 8 * lmul8(vtype) / 8 >> (vtype >> 3 & 7);
}

/* Of XTheadZvamo: each element is read and written, as two fields are. */
static struct vector_insn amo(uint32_t bits, unsigned vtype, unsigned vlen)
{
	bool wd = bits >> 26 & 1;
	unsigned e = lmul8(vtype), n = e > 8 ? e / 8 : 1;
	struct vector_insn v = { .class = wd ? V_LOAD : V_STORE,
				 .size = bits >> 12 & 1 ? 3 : 2,
				 .eighths = e,
				 .fields = 2,
				 .masked = !(bits >> 25 & 1),
				 .each = true,
				 .lanes = vlmax(vtype, vlen) };

	v.from[1] = (struct vector_regs){ bits >> 20 & 31, n };
	v.from[2] = (struct vector_regs){ bits >> 7 & 31, n };
	v.from[3].n = v.masked;
	if (wd)
		v.to = v.from[2];
	return v;
}

static struct vector_insn memory(uint32_t bits, unsigned vtype, unsigned vlen, bool thead)
{
	bool store = (bits & 0x7f) == 0x27;
	unsigned mop = bits >> 26 & 3, f3 = bits >> 12 & 7, nf = (bits >> 29) + 1;
	unsigned special = mop == 0 ? bits >> 20 & 31 : 0, sew = vtype >> 3 & 7, e;
	/* XTheadVector has elements, and indexes, of SEW in registers. */
	unsigned in_memory = thead && f3 == 7 ? sew : width(f3), eew = thead ? sew : in_memory;
	struct vector_insn v = { .class = store ? V_STORE : V_LOAD,
				 .size = eew,
				 .fields = nf,
				 .masked = !(bits >> 25 & 1),
				 .each = mop != 0 };
	struct vector_regs data = { bits >> 7 & 31, 1 };

	if (special == 8) { /* whole registers */
		v.fields = 1;
		v.eighths = 8 * nf;
		data.n = nf;
		v.lanes = nf * (vlen / 8) >> eew;
	} else if (special == 11) { /* a mask */
		v.eighths = 8;
		v.lanes = (vlmax(vtype, vlen) + 7) / 8;
	} else {
		if (mop & 1)
			v.size = sew;
		e = (lmul8(vtype) << v.size) >> sew;
		data.n = nf * (e > 8 ? e / 8 : 1);
		v.eighths = e * nf;
		v.lanes = vlmax(vtype, vlen);
	}
	if (thead)
		v.size = in_memory;
	if (mop & 1) {
		e = (lmul8(vtype) << eew) >> sew;
		v.from[1] = (struct vector_regs){ bits >> 20 & 31, e > 8 ? e / 8 : 1 };
	}
	if (store)
		v.from[2] = data;
	else
		v.to = data;
	v.from[3].n = v.masked;
	return v;
}

struct vector_insn decode_vector(uint32_t bits, unsigned vtype, unsigned vlen, bool thead)
{
	unsigned f3 = bits >> 12 & 7, f6 = bits >> 26, rs1 = bits >> 15 & 31, rd = bits >> 7 & 31;
	bool vm = bits >> 25 & 1;
	struct vector_insn v = { .fields = 1 };
	struct shape s;

	if (thead)
		vtype = (vtype & 3) | (vtype >> 2 & 7) << 3;
	v.size = vtype >> 3 & 7;
	if ((bits & 0x7f) == AMO)
		return amo(bits, vtype, vlen);
	if ((bits & 0x7f) != 0x57 && (bits & 0x7f) != 0x77)
		return memory(bits, vtype, vlen, thead);
	s = (bits & 0x7f) == 0x77	 ? shape_crypto(f6)
	    : f3 == OPMVV || f3 == OPMVX ? shape_multiply(f6, f3, rs1)
	    : f3 == OPFVV || f3 == OPFVF ? shape_float(f6, f3, rs1)
					 : shape_int(f6, f3);
	v.lanes = vlmax(vtype, vlen);
	if (f6 == 0x27 && f3 == OPIVI) { /* vmv1r.v to vmv8r.v */
		v.class = V_LOGIC;
		v.eighths = 8 * (rs1 + 1);
		v.to = (struct vector_regs){ rd, rs1 + 1 };
		v.from[1] = (struct vector_regs){ bits >> 20 & 31, rs1 + 1 };
		v.lanes = (rs1 + 1) * (vlen / 8) >> v.size;
		return v;
	}
	if (f6 == 0x17 && vm && f3 != OPMVV) /* vmv.v.*, vfmv.v.f */
		s.vs2 = NO;
	v.class = s.class;
	v.masked = !vm && !s.carries;
	v.to = regs(s.vd, rd, vtype, &v.eighths);
	v.from[0] = regs(s.vs1, rs1, vtype, &v.eighths);
	v.from[1] = regs(s.vs2, bits >> 20 & 31, vtype, &v.eighths);
	if (s.reads_vd)
		v.from[2] = v.to;
	v.from[3].n = !vm;
	if (s.class == V_SCALAR && s.vd != MASK && s.vs2 != MASK)
		v.lanes = 1;
	return v;
}
