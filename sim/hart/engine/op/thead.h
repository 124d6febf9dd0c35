/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * thead.h - part of engine_run: T-Head's extensions, written as int.h and mem.h are.  Their cache
 * instructions and th.sync are fences (decode.c); th.sfence.vmas is in sys.h.
 *
 *	RS3	what else the place of rd names: what mac, mveqz and mvnez add to or keep, what
 *		indexed stores store; of loads and stores that step, where the new base goes
 *
 * Implements: T-Head ISA extension specification 2.3, chapters 3 (XTheadBa, Bb, Bs), 5 (CondMov),
 * 6 (FMemIdx), 9 (Mac), 10 (MemIdx), 11 (MemPair).
 */
/* clang-format off */

OP(th_addsl) RD = RS1 + (RS2 << SHAMT); NEXT;
OP(th_srri) RD = rotate_right(RS1, SHAMT); NEXT;
OP(th_srriw) RD = (int32_t)rotate_right32(RS1, SHAMT); NEXT;
OP(th_ff0) SET_RD(~RS1 ? __builtin_clzll(~RS1) : 64); NEXT;
OP(th_ff1) SET_RD(RS1 ? __builtin_clzll(RS1) : 64); NEXT;
OP(th_rev) RD = __builtin_bswap64(RS1); NEXT;
OP(th_revw) RD = (int32_t)__builtin_bswap32(RS1); NEXT;
OP(th_tstnbz) SET_RD(~or_bytes(RS1)); NEXT;
OP(th_tst) RD = RS1 >> SHAMT & 1; NEXT;

/* A field that ends before it begins changes nothing. */
OP(th_ext)
	if (SHAMT >> 6 >= (SHAMT & 63))
		RD = signed_field_of(RS1, SHAMT >> 6, SHAMT & 63);
	NEXT;

OP(th_extu)
	if (SHAMT >> 6 >= (SHAMT & 63))
		RD = field_of(RS1, SHAMT >> 6, SHAMT & 63);
	NEXT;

OP(th_mveqz) SET_RD(RS2 ? RS3 : RS1); NEXT;
OP(th_mvnez) SET_RD(RS2 ? RS1 : RS3); NEXT;

OP(th_mula) RD = RS3 + RS1 * RS2; NEXT;
OP(th_muls) RD = RS3 - RS1 * RS2; NEXT;
OP(th_mulaw) RD = (int32_t)((uint32_t)RS3 + (uint32_t)RS1 * (uint32_t)RS2); NEXT;
OP(th_mulsw) RD = (int32_t)((uint32_t)RS3 - (uint32_t)RS1 * (uint32_t)RS2); NEXT;
OP(th_mulah) RD = (int32_t)((uint32_t)RS3 + (uint32_t)((int16_t)RS1 * (int16_t)RS2)); NEXT;
OP(th_mulsh) RD = (int32_t)((uint32_t)RS3 - (uint32_t)((int16_t)RS1 * (int16_t)RS2)); NEXT;

/* The base steps after the access, or before it. */
OP(th_ldia) READ_AT(RS1, int64_t, 8, (RD = value, RS3 = RS1 + IMM)); NEXT;
OP(th_ldib) READ_AT(RS1 + IMM, int64_t, 8, (RD = value, RS3 = RS1 + IMM)); NEXT;
OP(th_lwia) READ_AT(RS1, int32_t, 4, (RD = value, RS3 = RS1 + IMM)); NEXT;
OP(th_lwib) READ_AT(RS1 + IMM, int32_t, 4, (RD = value, RS3 = RS1 + IMM)); NEXT;
OP(th_lwuia) READ_AT(RS1, uint32_t, 4, (RD = value, RS3 = RS1 + IMM)); NEXT;
OP(th_lwuib) READ_AT(RS1 + IMM, uint32_t, 4, (RD = value, RS3 = RS1 + IMM)); NEXT;
OP(th_lhia) READ_AT(RS1, int16_t, 2, (RD = value, RS3 = RS1 + IMM)); NEXT;
OP(th_lhib) READ_AT(RS1 + IMM, int16_t, 2, (RD = value, RS3 = RS1 + IMM)); NEXT;
OP(th_lhuia) READ_AT(RS1, uint16_t, 2, (RD = value, RS3 = RS1 + IMM)); NEXT;
OP(th_lhuib) READ_AT(RS1 + IMM, uint16_t, 2, (RD = value, RS3 = RS1 + IMM)); NEXT;
OP(th_lbia) READ_AT(RS1, int8_t, 1, (RD = value, RS3 = RS1 + IMM)); NEXT;
OP(th_lbib) READ_AT(RS1 + IMM, int8_t, 1, (RD = value, RS3 = RS1 + IMM)); NEXT;
OP(th_lbuia) READ_AT(RS1, uint8_t, 1, (RD = value, RS3 = RS1 + IMM)); NEXT;
OP(th_lbuib) READ_AT(RS1 + IMM, uint8_t, 1, (RD = value, RS3 = RS1 + IMM)); NEXT;
OP(th_sdia) WRITE_AT(RS1, uint64_t, 8, RS2, RS3 = RS1 + IMM); NEXT;
OP(th_sdib) WRITE_AT(RS1 + IMM, uint64_t, 8, RS2, RS3 = RS1 + IMM); NEXT;
OP(th_swia) WRITE_AT(RS1, uint32_t, 4, RS2, RS3 = RS1 + IMM); NEXT;
OP(th_swib) WRITE_AT(RS1 + IMM, uint32_t, 4, RS2, RS3 = RS1 + IMM); NEXT;
OP(th_shia) WRITE_AT(RS1, uint16_t, 2, RS2, RS3 = RS1 + IMM); NEXT;
OP(th_shib) WRITE_AT(RS1 + IMM, uint16_t, 2, RS2, RS3 = RS1 + IMM); NEXT;
OP(th_sbia) WRITE_AT(RS1, uint8_t, 1, RS2, RS3 = RS1 + IMM); NEXT;
OP(th_sbib) WRITE_AT(RS1 + IMM, uint8_t, 1, RS2, RS3 = RS1 + IMM); NEXT;

#define INDEXED	   (RS1 + (RS2 << SHAMT))
#define INDEXED_UW (RS1 + ((uint64_t)(uint32_t)RS2 << SHAMT))
OP(th_lrd) READ_AT(INDEXED, int64_t, 8, RD = value); NEXT;
OP(th_lrw) READ_AT(INDEXED, int32_t, 4, RD = value); NEXT;
OP(th_lrwu) READ_AT(INDEXED, uint32_t, 4, RD = value); NEXT;
OP(th_lrh) READ_AT(INDEXED, int16_t, 2, RD = value); NEXT;
OP(th_lrhu) READ_AT(INDEXED, uint16_t, 2, RD = value); NEXT;
OP(th_lrb) READ_AT(INDEXED, int8_t, 1, RD = value); NEXT;
OP(th_lrbu) READ_AT(INDEXED, uint8_t, 1, RD = value); NEXT;
OP(th_srd) WRITE_AT(INDEXED, uint64_t, 8, RS3, ); NEXT;
OP(th_srw) WRITE_AT(INDEXED, uint32_t, 4, RS3, ); NEXT;
OP(th_srh) WRITE_AT(INDEXED, uint16_t, 2, RS3, ); NEXT;
OP(th_srb) WRITE_AT(INDEXED, uint8_t, 1, RS3, ); NEXT;
OP(th_lurd) READ_AT(INDEXED_UW, int64_t, 8, RD = value); NEXT;
OP(th_lurw) READ_AT(INDEXED_UW, int32_t, 4, RD = value); NEXT;
OP(th_lurwu) READ_AT(INDEXED_UW, uint32_t, 4, RD = value); NEXT;
OP(th_lurh) READ_AT(INDEXED_UW, int16_t, 2, RD = value); NEXT;
OP(th_lurhu) READ_AT(INDEXED_UW, uint16_t, 2, RD = value); NEXT;
OP(th_lurb) READ_AT(INDEXED_UW, int8_t, 1, RD = value); NEXT;
OP(th_lurbu) READ_AT(INDEXED_UW, uint8_t, 1, RD = value); NEXT;
OP(th_surd) WRITE_AT(INDEXED_UW, uint64_t, 8, RS3, ); NEXT;
OP(th_surw) WRITE_AT(INDEXED_UW, uint32_t, 4, RS3, ); NEXT;
OP(th_surh) WRITE_AT(INDEXED_UW, uint16_t, 2, RS3, ); NEXT;
OP(th_surb) WRITE_AT(INDEXED_UW, uint8_t, 1, RS3, ); NEXT;

OP(th_flrd) FP_ON; READ_AT(INDEXED, uint64_t, 8, FRD = value); NEXT;
OP(th_flrw) FP_ON; READ_AT(INDEXED, uint32_t, 4, FRD = box(value)); NEXT;
OP(th_fsrd) FP_ON; WRITE_AT(INDEXED, uint64_t, 8, FRS3, ); NEXT;
OP(th_fsrw) FP_ON; WRITE_AT(INDEXED, uint32_t, 4, FRS3, ); NEXT;
OP(th_flurd) FP_ON; READ_AT(INDEXED_UW, uint64_t, 8, FRD = value); NEXT;
OP(th_flurw) FP_ON; READ_AT(INDEXED_UW, uint32_t, 4, FRD = box(value)); NEXT;
OP(th_fsurd) FP_ON; WRITE_AT(INDEXED_UW, uint64_t, 8, FRS3, ); NEXT;
OP(th_fsurw) FP_ON; WRITE_AT(INDEXED_UW, uint32_t, 4, FRS3, ); NEXT;
#undef INDEXED
#undef INDEXED_UW

OP(th_ldd)
OP(th_lwd)
OP(th_lwud)
	if (!ENGINE(load_pair)(h, r, SELF))
		goto fault;
	if (unlikely(h->stop))
		goto leave_after;
	NEXT;

OP(th_sdd)
OP(th_swd)
	if (!ENGINE(store_pair)(h, r, SELF))
		goto fault;
	if (unlikely(h->stop))
		goto leave_after;
	NEXT;
