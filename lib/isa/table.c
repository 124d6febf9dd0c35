// SPDX-License-Identifier: BSD-2-Clause
/*
 * table.c - the instruction table (insn.def), the search in it, and the fields of each format
 * (isa.h).  Pure; calls nothing.
 *
 * Implements: Unpriv 20240411 §2.2, §2.3 (formats and immediates).
 */
#include "isa.h"

const struct isa_row isa_table[ISA_NR] = {
	[ISA_NONE] = { "unknown", 1, 0, ISA_FMT_NONE, ISA_CLASS_SYSTEM, ISA_EXT_I },
#define INSN(name, match, mask, format, class, ext)                                                \
	[ISA_##name] = { #name, match, mask, ISA_FMT_##format, ISA_CLASS_##class, ISA_EXT_##ext },
#include "insn.def"
};

const char *const isa_ext_name[ISA_EXT_NR] = {
#define EXT(id, name) [ISA_EXT_##id] = name,
#include "ext.def"
};

/* What the numbers from ISA_EXT_NR on need. */
static const struct {
	uint8_t a, b;
	bool both;
} needs[ISA_EXT_NEEDS - ISA_EXT_NR] = {
#define EITHER(id, x, y) [ISA_EXT_##id - ISA_EXT_NR] = { ISA_EXT_##x, ISA_EXT_##y, false },
#define BOTH(id, x, y)	 [ISA_EXT_##id - ISA_EXT_NR] = { ISA_EXT_##x, ISA_EXT_##y, true },
#include "ext.def"
};

bool isa_has(const struct isa_set *has, unsigned ext)
{
	unsigned n = ext - ISA_EXT_NR;
	bool a, b;

	if (ext < ISA_EXT_NR)
		return isa_set_has(has, ext);
	if (ext == ISA_EXT_S)
		return true;
	a = isa_has(has, needs[n].a);
	b = isa_has(has, needs[n].b);
	return needs[n].both ? a && b : a || b;
}

bool isa_parts(unsigned ext, unsigned *a, unsigned *b, bool *both)
{
	if (ext <= ISA_EXT_S)
		return false;
	*a = needs[ext - ISA_EXT_NR].a;
	*b = needs[ext - ISA_EXT_NR].b;
	*both = needs[ext - ISA_EXT_NR].both;
	return true;
}

void isa_set_close(struct isa_set *s)
{
	static const struct {
		uint8_t ext, part;
	} rows[] = {
#define CONTAINS(a, b) { ISA_EXT_##a, ISA_EXT_##b },
#include "ext.def"
	};

	for (unsigned n = 0; n < sizeof(rows) / sizeof(*rows); n++) {
		if (isa_set_has(s, rows[n].ext))
			isa_set_add(s, rows[n].part);
	}
}

/* The index of an instruction: opcode[6:2] and funct3, which almost every mask includes. */
static unsigned bucket_bits(uint32_t insn)
{
	return (insn >> 2 & 31) << 3 | (insn >> 12 & 7);
}

static bool belongs(const struct isa_row *r, unsigned bucket)
{
	uint32_t bits = (bucket >> 3) << 2 | (bucket & 7) << 12, care = r->mask & 0x707c;

	return (bits & care) == (r->match & care);
}

void isa_index_init(struct isa_index *index)
{
	unsigned nr = 0;

	index->zcm = index->thead = false;
	for (unsigned bucket = 0; bucket < 256; bucket++) {
		index->first[bucket] = nr;
		for (unsigned id = 1; id < ISA_NR; id++) {
			if (belongs(&isa_table[id], bucket) && nr < ISA_INDEX_ROWS)
				index->row[nr++] = id;
		}
	}
	index->first[256] = nr;
}

/* Whether a row is one of those that the index chooses: vectors are V's or T-Head's. */
static bool is_chosen(const struct isa_index *index, const struct isa_row *r)
{
	return r->class < ISA_CLASS_VSET || isa_is_thead_vector(r) == index->thead;
}

enum isa_insn isa_find(const struct isa_index *index, uint32_t insn)
{
	unsigned bucket = bucket_bits(insn);

	for (unsigned n = index->first[bucket]; n < index->first[bucket + 1]; n++) {
		const struct isa_row *r = &isa_table[index->row[n]];

		if ((insn & r->mask) == r->match && is_chosen(index, r))
			return index->row[n];
	}
	return ISA_NONE;
}

uint32_t isa_wide(const struct isa_index *index, uint32_t insn)
{
	if (isa_length(insn) == 4)
		return insn;
	insn &= 0xffff;
	return index->zcm && isa_find(index, insn) != ISA_NONE ? insn : isa_expand(insn, 64);
}

static int32_t imm_b(uint32_t insn)
{
	return (int32_t)(((insn & 0x80000000) >> 19 | (insn & 0x80) << 4 | (insn >> 20 & 0x7e0) |
			  (insn >> 7 & 0x1e))
			 << 19) >>
	       19;
}

static int32_t imm_j(uint32_t insn)
{
	return (int32_t)(((insn & 0x80000000) >> 11 | (insn & 0xff000) | (insn >> 9 & 0x800) |
			  (insn >> 20 & 0x7fe))
			 << 11) >>
	       11;
}

static int32_t imm_s(uint32_t insn)
{
	return ((int32_t)insn >> 25) * 32 + (int32_t)(insn >> 7 & 31);
}

/* Zcmp: how many registers the list of cm.push has; 0: it is reserved. */
static unsigned list_registers(uint32_t insn)
{
	unsigned list = insn >> 4 & 15;

	return list < 4 ? 0 : list < 15 ? list - 3 : 13;
}

/* By how much cm.push lowers sp on RV64: registers in steps of 16 bytes, and what it adds. */
static int32_t list_bytes(uint32_t insn)
{
	return ((list_registers(insn) * 8 + 15) & ~15u) + (insn >> 2 & 3) * 16;
}

/* Of the accesses of T-Head's extensions, and of vectors. */
static int32_t other_immediate(enum isa_format format, uint32_t insn)
{
	switch (format) {
	case ISA_FMT_TRR:
	case ISA_FMT_TSR:
	case ISA_FMT_TFL:
	case ISA_FMT_TFS:
	case ISA_FMT_TLP:
	case ISA_FMT_TLQ:
	case ISA_FMT_TSP:
	case ISA_FMT_TSQ:
		return insn >> 25 & 3;
	case ISA_FMT_TLI:
	case ISA_FMT_TSI:
		return ((int32_t)(insn << 7) >> 27) * 4 + (int32_t)(insn >> 25 & 3);
	case ISA_FMT_VSETVLI:
	case ISA_FMT_TVSETVLI:
		return insn >> 20 & 0x7ff;
	case ISA_FMT_VSETIVLI:
		return insn >> 20 & 0x3ff;
	case ISA_FMT_VVI:
	case ISA_FMT_VVIM:
	case ISA_FMT_VVIN:
	case ISA_FMT_VMVI:
		return (int32_t)(insn << 12) >> 27;
	case ISA_FMT_VVU:
	case ISA_FMT_VVUN:
	case ISA_FMT_VVUB:
		return insn >> 15 & 31;
	case ISA_FMT_TVAMO:
		return insn >> 26 & 1;
	case ISA_FMT_VVU6:
		return (insn >> 15 & 31) | (insn >> 21 & 32);
	case ISA_FMT_VLS:
	case ISA_FMT_VLSS:
	case ISA_FMT_VLX:
		return insn >> 29;
	default:
		return 0;
	}
}

static int32_t immediate(enum isa_format format, uint32_t insn)
{
	switch (format) {
	case ISA_FMT_PUSH:
	case ISA_FMT_POP:
		return list_bytes(insn);
	case ISA_FMT_TABLE:
		return insn >> 2 & 255;
	case ISA_FMT_I:
	case ISA_FMT_L:
	case ISA_FMT_JR:
	case ISA_FMT_FL:
		return (int32_t)insn >> 20;
	case ISA_FMT_S:
	case ISA_FMT_FS:
		return imm_s(insn);
	case ISA_FMT_PF:
		return (int32_t)(insn & 0xfe000000) >> 20;
	case ISA_FMT_B:
		return imm_b(insn);
	case ISA_FMT_U:
		return (int32_t)(insn & 0xfffff000);
	case ISA_FMT_J:
		return imm_j(insn);
	case ISA_FMT_SH6:
	case ISA_FMT_TI6:
		return insn >> 20 & 63;
	case ISA_FMT_SH5:
	case ISA_FMT_TI5:
		return insn >> 20 & 31;
	case ISA_FMT_CSR:
	case ISA_FMT_CSRI:
	case ISA_FMT_TBF:
		return insn >> 20;
	case ISA_FMT_FENCE:
		return insn >> 20 & 0xff;
	case ISA_FMT_MOPR:
		return (insn >> 30 & 1) << 4 | (insn >> 26 & 3) << 2 | (insn >> 20 & 3);
	case ISA_FMT_MOPRR:
		return (insn >> 30 & 1) << 2 | (insn >> 26 & 3);
	case ISA_FMT_RNUM:
		return insn >> 20 & 15;
	case ISA_FMT_BS:
		return insn >> 30;
	case ISA_FMT_FLI:
		return insn >> 15 & 31;
	default:
		return other_immediate(format, insn);
	}
}

/* Which of rd, rs1, rs2, rs3, rm and vm a format has. */
#define HAS_RD	1
#define HAS_RS1 2
#define HAS_RS2 4
#define HAS_RS3 8
#define HAS_RM	16
#define HAS_VM	32
#define HAS_RD3 64 /* rs3 in the place of rd */

static const uint8_t has[] = {
	[ISA_FMT_NONE] = 0,
	[ISA_FMT_R] = HAS_RD | HAS_RS1 | HAS_RS2,
	[ISA_FMT_R1] = HAS_RD | HAS_RS1,
	[ISA_FMT_I] = HAS_RD | HAS_RS1,
	[ISA_FMT_SH6] = HAS_RD | HAS_RS1,
	[ISA_FMT_SH5] = HAS_RD | HAS_RS1,
	[ISA_FMT_L] = HAS_RD | HAS_RS1,
	[ISA_FMT_S] = HAS_RS1 | HAS_RS2,
	[ISA_FMT_JR] = HAS_RD | HAS_RS1,
	[ISA_FMT_B] = HAS_RS1 | HAS_RS2,
	[ISA_FMT_U] = HAS_RD,
	[ISA_FMT_J] = HAS_RD,
	[ISA_FMT_CSR] = HAS_RD | HAS_RS1,
	[ISA_FMT_CSRI] = HAS_RD | HAS_RS1,
	[ISA_FMT_FENCE] = 0,
	[ISA_FMT_FV] = HAS_RS1 | HAS_RS2,
	[ISA_FMT_LR] = HAS_RD | HAS_RS1,
	[ISA_FMT_AMO] = HAS_RD | HAS_RS1 | HAS_RS2,
	[ISA_FMT_RS1] = HAS_RS1,
	[ISA_FMT_X1] = HAS_RS1,
	[ISA_FMT_X2] = HAS_RS2,
	[ISA_FMT_RD] = HAS_RD,
	[ISA_FMT_PF] = HAS_RS1,
	[ISA_FMT_SRL] = HAS_RS1 | HAS_RS2,
	[ISA_FMT_CAS] = HAS_RD | HAS_RS1 | HAS_RS2,
	[ISA_FMT_MOPR] = HAS_RD | HAS_RS1,
	[ISA_FMT_MOPRR] = HAS_RD | HAS_RS1 | HAS_RS2,
	[ISA_FMT_RNUM] = HAS_RD | HAS_RS1,
	[ISA_FMT_BS] = HAS_RD | HAS_RS1 | HAS_RS2,
	[ISA_FMT_PUSH] = 0,
	[ISA_FMT_POP] = 0,
	[ISA_FMT_MV2S] = 0,
	[ISA_FMT_MV2A] = 0,
	[ISA_FMT_TABLE] = 0,
	[ISA_FMT_RRD] = HAS_RD | HAS_RS1 | HAS_RS2 | HAS_RD3,
	[ISA_FMT_TI6] = HAS_RD | HAS_RS1,
	[ISA_FMT_TI5] = HAS_RD | HAS_RS1,
	[ISA_FMT_TBF] = HAS_RD | HAS_RS1,
	[ISA_FMT_TRR] = HAS_RD | HAS_RS1 | HAS_RS2,
	[ISA_FMT_TSR] = HAS_RD3 | HAS_RS1 | HAS_RS2,
	[ISA_FMT_TLI] = HAS_RD | HAS_RS1,
	[ISA_FMT_TSI] = HAS_RD3 | HAS_RS1,
	[ISA_FMT_TLP] = HAS_RD | HAS_RS1 | HAS_RS2,
	[ISA_FMT_TLQ] = HAS_RD | HAS_RS1 | HAS_RS2,
	[ISA_FMT_TSP] = HAS_RD3 | HAS_RS1 | HAS_RS2,
	[ISA_FMT_TSQ] = HAS_RD3 | HAS_RS1 | HAS_RS2,
	[ISA_FMT_FL] = HAS_RD | HAS_RS1,
	[ISA_FMT_FS] = HAS_RS1 | HAS_RS2,
	[ISA_FMT_FR] = HAS_RD | HAS_RS1 | HAS_RS2,
	[ISA_FMT_FRM] = HAS_RD | HAS_RS1 | HAS_RS2 | HAS_RM,
	[ISA_FMT_R4] = HAS_RD | HAS_RS1 | HAS_RS2 | HAS_RS3 | HAS_RM,
	[ISA_FMT_F1RM] = HAS_RD | HAS_RS1 | HAS_RM,
	[ISA_FMT_FCMP] = HAS_RD | HAS_RS1 | HAS_RS2,
	[ISA_FMT_XF] = HAS_RD | HAS_RS1,
	[ISA_FMT_XFRM] = HAS_RD | HAS_RS1 | HAS_RM,
	[ISA_FMT_FX] = HAS_RD | HAS_RS1,
	[ISA_FMT_FXRM] = HAS_RD | HAS_RS1 | HAS_RM,
	[ISA_FMT_FLI] = HAS_RD,
	[ISA_FMT_TFL] = HAS_RD | HAS_RS1 | HAS_RS2,
	[ISA_FMT_TFS] = HAS_RD3 | HAS_RS1 | HAS_RS2,
	[ISA_FMT_VSETVLI] = HAS_RD | HAS_RS1,
	[ISA_FMT_VSETIVLI] = HAS_RD | HAS_RS1,
	[ISA_FMT_TVSETVLI] = HAS_RD | HAS_RS1,
	[ISA_FMT_VLS] = HAS_RD | HAS_RS1 | HAS_VM,
	[ISA_FMT_VLSS] = HAS_RD | HAS_RS1 | HAS_RS2 | HAS_VM,
	[ISA_FMT_VLX] = HAS_RD | HAS_RS1 | HAS_RS2 | HAS_VM,
	[ISA_FMT_VLR] = HAS_RD | HAS_RS1,
	[ISA_FMT_VVV] = HAS_RD | HAS_RS1 | HAS_RS2 | HAS_VM,
	[ISA_FMT_VVX] = HAS_RD | HAS_RS1 | HAS_RS2 | HAS_VM,
	[ISA_FMT_VVF] = HAS_RD | HAS_RS1 | HAS_RS2 | HAS_VM,
	[ISA_FMT_VVI] = HAS_RD | HAS_RS2 | HAS_VM,
	[ISA_FMT_VVU] = HAS_RD | HAS_RS2 | HAS_VM,
	[ISA_FMT_VVVA] = HAS_RD | HAS_RS1 | HAS_RS2 | HAS_VM,
	[ISA_FMT_VXVA] = HAS_RD | HAS_RS1 | HAS_RS2 | HAS_VM,
	[ISA_FMT_VFVA] = HAS_RD | HAS_RS1 | HAS_RS2 | HAS_VM,
	[ISA_FMT_VVVM] = HAS_RD | HAS_RS1 | HAS_RS2 | HAS_VM,
	[ISA_FMT_VVXM] = HAS_RD | HAS_RS1 | HAS_RS2 | HAS_VM,
	[ISA_FMT_VVIM] = HAS_RD | HAS_RS2 | HAS_VM,
	[ISA_FMT_VVFM] = HAS_RD | HAS_RS1 | HAS_RS2 | HAS_VM,
	[ISA_FMT_VVVN] = HAS_RD | HAS_RS1 | HAS_RS2,
	[ISA_FMT_VVXN] = HAS_RD | HAS_RS1 | HAS_RS2,
	[ISA_FMT_VVIN] = HAS_RD | HAS_RS2,
	[ISA_FMT_VV1] = HAS_RD | HAS_RS2 | HAS_VM,
	[ISA_FMT_VV] = HAS_RD | HAS_RS2,
	[ISA_FMT_VD] = HAS_RD | HAS_VM,
	[ISA_FMT_VMVV] = HAS_RD | HAS_RS1,
	[ISA_FMT_VMVX] = HAS_RD | HAS_RS1,
	[ISA_FMT_VMVF] = HAS_RD | HAS_RS1,
	[ISA_FMT_VMVI] = HAS_RD,
	[ISA_FMT_VXV] = HAS_RD | HAS_RS2,
	[ISA_FMT_VXVM] = HAS_RD | HAS_RS2 | HAS_VM,
	[ISA_FMT_VXVX] = HAS_RD | HAS_RS1 | HAS_RS2,
	[ISA_FMT_VFV] = HAS_RD | HAS_RS2,
	[ISA_FMT_VVU6] = HAS_RD | HAS_RS2 | HAS_VM,
	[ISA_FMT_VVUN] = HAS_RD | HAS_RS2,
	[ISA_FMT_VVB] = HAS_RD | HAS_RS2,
	[ISA_FMT_VVUB] = HAS_RD | HAS_RS2,
	[ISA_FMT_VVVB] = HAS_RD | HAS_RS1 | HAS_RS2,
	[ISA_FMT_TVAMO] = HAS_RD | HAS_RS1 | HAS_RS2 | HAS_VM,
};

/* s0 to s7 by their number in three bits. */
static unsigned saved_by_number(unsigned n)
{
	return isa_saved(1 + (n & 7));
}

/* Registers of Zcmp and Zcmt, which are not where others have them. */
static void short_fields(enum isa_insn id, uint32_t insn, struct isa_fields *f)
{
	unsigned first = saved_by_number(insn >> 7), second = saved_by_number(insn >> 2);

	switch (isa_table[id].format) {
	case ISA_FMT_PUSH:
	case ISA_FMT_POP:
		f->rd = f->rs1 = 2;
		f->rs2 = list_registers(insn);
		break;
	case ISA_FMT_MV2S:
		f->rd = first;
		f->rs3 = second;
		f->rs1 = 10;
		f->rs2 = 11;
		break;
	case ISA_FMT_MV2A:
		f->rd = 10;
		f->rs3 = 11;
		f->rs1 = first;
		f->rs2 = second;
		break;
	case ISA_FMT_TABLE:
		f->rd = id == ISA_cm_jalt;
		break;
	}
}

void isa_fields(enum isa_insn id, uint32_t insn, struct isa_fields *f)
{
	enum isa_format format = isa_table[id].format;

	*f = (struct isa_fields){
		.rd = has[format] & HAS_RD ? insn >> 7 & 31 : 0,
		.rs1 = has[format] & HAS_RS1 ? insn >> 15 & 31 : 0,
		.rs2 = has[format] & HAS_RS2 ? insn >> 20 & 31 : 0,
		.rs3 = has[format] & HAS_RS3   ? insn >> 27
		       : has[format] & HAS_RD3 ? insn >> 7 & 31
					       : 0,
		.rm = has[format] & HAS_RM ? insn >> 12 & 7 : 0,
		.masked = has[format] & HAS_VM && !(insn >> 25 & 1),
		.imm = immediate(format, insn),
	};
	if (isa_length(insn) == 2)
		short_fields(id, insn, f);
}
