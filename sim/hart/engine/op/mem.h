/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mem.h - part of engine_run: loads, stores, atomics, cache-block operations.
 *
 *	READ, WRITE	L0 hit table, software TLB or access.h (engine_access.h)
 *	AMO		software TLB or access.h
 *	a fault		goto fault: the instruction has not retired
 *	h->stop		goto leave_after: the instruction has retired
 *
 * Implements: Unpriv 20240411 §2.6, chapter 13 (A), 15 (Zacas), 19 (Zicbom, Zicboz), 20-22 (F, D,
 * Zfhmin accesses); Zabha 1.0; Zalasr 1.0; Zicfiss 1.0.
 */
/* clang-format off */

OP(lb) READ(int8_t, 1, RD = value); NEXT;
OP(lh) READ(int16_t, 2, RD = value); NEXT;
OP(lw) READ(int32_t, 4, RD = value); NEXT;
OP(ld) READ(int64_t, 8, RD = value); NEXT;
OP(lbu) READ(uint8_t, 1, RD = value); NEXT;
OP(lhu) READ(uint16_t, 2, RD = value); NEXT;
OP(lwu) READ(uint32_t, 4, RD = value); NEXT;
OP(sb) WRITE(uint8_t, 1, RS2); NEXT;
OP(sh) WRITE(uint16_t, 2, RS2); NEXT;
OP(sw) WRITE(uint32_t, 4, RS2); NEXT;
OP(sd) WRITE(uint64_t, 8, RS2); NEXT;

OP(flh) FP_ON; READ(uint16_t, 2, FRD = box16(value)); NEXT;
OP(fsh) FP_ON; WRITE(uint16_t, 2, FRS2); NEXT;
OP(flw) FP_ON; READ(uint32_t, 4, FRD = box(value)); NEXT;
OP(fld) FP_ON; READ(uint64_t, 8, FRD = value); NEXT;
OP(fsw) FP_ON; WRITE(uint32_t, 4, FRS2); NEXT;
OP(fsd) FP_ON; WRITE(uint64_t, 8, FRS2); NEXT;

OP(lr_w)
OP(lr_d)
	if (!ENGINE(load_reserved)(h, r, SELF))
		goto fault;
	if (unlikely(h->stop))
		goto leave_after;
	NEXT;

OP(sc_w)
OP(sc_d)
	if (!ENGINE(store_conditional)(h, r, SELF))
		goto fault;
	if (unlikely(h->stop))
		goto leave_after;
	NEXT;

OP(amoswap_w) AMO(int32_t, source);
OP(amoadd_w) AMO(int32_t, (uint32_t)old + (uint32_t)source);
OP(amoxor_w) AMO(int32_t, old ^ source);
OP(amoand_w) AMO(int32_t, old & source);
OP(amoor_w) AMO(int32_t, old | source);
OP(amomin_w) AMO(int32_t, old < source ? old : source);
OP(amomax_w) AMO(int32_t, old > source ? old : source);
OP(amominu_w) AMO(int32_t, (uint32_t)old < (uint32_t)source ? old : source);
OP(amomaxu_w) AMO(int32_t, (uint32_t)old > (uint32_t)source ? old : source);
OP(amoswap_d) AMO(int64_t, source);
OP(amoadd_d) AMO(int64_t, (uint64_t)old + (uint64_t)source);
OP(amoxor_d) AMO(int64_t, old ^ source);
OP(amoand_d) AMO(int64_t, old & source);
OP(amoor_d) AMO(int64_t, old | source);
OP(amomin_d) AMO(int64_t, old < source ? old : source);
OP(amomax_d) AMO(int64_t, old > source ? old : source);
OP(amominu_d) AMO(int64_t, (uint64_t)old < (uint64_t)source ? old : source);
OP(amomaxu_d) AMO(int64_t, (uint64_t)old > (uint64_t)source ? old : source);

/* Zabha */
OP(amoswap_b) AMO(int8_t, source);
OP(amoadd_b) AMO(int8_t, (uint8_t)old + (uint8_t)source);
OP(amoxor_b) AMO(int8_t, old ^ source);
OP(amoand_b) AMO(int8_t, old & source);
OP(amoor_b) AMO(int8_t, old | source);
OP(amomin_b) AMO(int8_t, old < source ? old : source);
OP(amomax_b) AMO(int8_t, old > source ? old : source);
OP(amominu_b) AMO(int8_t, (uint8_t)old < (uint8_t)source ? old : source);
OP(amomaxu_b) AMO(int8_t, (uint8_t)old > (uint8_t)source ? old : source);
OP(amoswap_h) AMO(int16_t, source);
OP(amoadd_h) AMO(int16_t, (uint16_t)old + (uint16_t)source);
OP(amoxor_h) AMO(int16_t, old ^ source);
OP(amoand_h) AMO(int16_t, old & source);
OP(amoor_h) AMO(int16_t, old | source);
OP(amomin_h) AMO(int16_t, old < source ? old : source);
OP(amomax_h) AMO(int16_t, old > source ? old : source);
OP(amominu_h) AMO(int16_t, (uint16_t)old < (uint16_t)source ? old : source);
OP(amomaxu_h) AMO(int16_t, (uint16_t)old > (uint16_t)source ? old : source);

/* Zacas: RS3 is rd before the instruction. */
OP(amocas_b) AMO(int8_t, old == (int8_t)RS3 ? source : old);
OP(amocas_h) AMO(int16_t, old == (int16_t)RS3 ? source : old);
OP(amocas_w) AMO(int32_t, old == (int32_t)RS3 ? source : old);
OP(amocas_d) AMO(int64_t, old == (int64_t)RS3 ? source : old);
OP(amocas_q)
	if (!ENGINE(compare_and_swap)(h, r, SELF))
		goto fault;
	if (unlikely(h->stop))
		goto leave_after;
	NEXT;

/* Zalasr */
OP(lb_aq)
OP(lh_aq)
OP(lw_aq)
OP(ld_aq)
	if (!ENGINE(load_acquire)(h, r, SELF))
		goto fault;
	if (unlikely(h->stop))
		goto leave_after;
	NEXT;

OP(sb_rl)
OP(sh_rl)
OP(sw_rl)
OP(sd_rl)
	if (!ENGINE(store_release)(h, r, SELF))
		goto fault;
	if (unlikely(h->stop))
		goto leave_after;
	NEXT;

OP(cbo_inval)
OP(cbo_clean)
OP(cbo_flush)
OP(cbo_zero)
	switch (ENGINE(cache_block)(h, r, SELF)) {
	case CBO_ILLEGAL:
		goto illegal;
	case CBO_FAULT:
		goto fault;
	default:
		break;
	}
	if (unlikely(h->stop))
		goto leave_after;
	NEXT;

/* Zcmp */
OP(cm_push)
	if (!ENGINE(push)(h, r, SELF))
		goto fault;
	if (unlikely(h->stop))
		goto leave_after;
	NEXT;

OP(cm_pop)
	if (!ENGINE(pop)(h, r, SELF))
		goto fault;
	if (unlikely(h->stop))
		goto leave_after;
	NEXT;

/* Zicfiss: the first two exist while shadow stacks are on (decode.c). */
OP(sspush)
	if (!ENGINE(shadow_push)(h, r, SELF))
		goto fault;
	if (unlikely(h->stop))
		goto leave_after;
	NEXT;

OP(sspopchk)
	if (!ENGINE(shadow_pop)(h, r, SELF))
		goto fault;
	if (unlikely(h->stop))
		goto leave_after;
	NEXT;

OP(ssamoswap_w)
OP(ssamoswap_d)
	if (unlikely(h->mode != PRV_M && !h->shadow_stacks))
		goto illegal;
	if (!ENGINE(shadow_swap)(h, r, SELF))
		goto fault;
	if (unlikely(h->stop))
		goto leave_after;
	NEXT;
