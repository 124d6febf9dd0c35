/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * int.h - part of engine_run: integer instructions that neither jump nor access memory.
 *
 *	OP(name) RD = an expression of RS1, RS2, IMM; NEXT;
 *
 * Implements: Unpriv 20240411 chapters 2, 4 (I), 12 (M), 28 (Zba, Zbb, Zbc, Zbs), 31 (Zbkb, Zbkx,
 * Zknd, Zkne, Zknh, Zksed, Zksh), 28.14 (Zcmp); Zicond 1.0; Zimop 1.0; Zicfiss 1.0.
 */
/* clang-format off */

OP(lui) RD = IMM; NEXT;
OP(auipc) RD = HERE + IMM; NEXT;

OP(addi) RD = RS1 + IMM; NEXT;
OP(slti) RD = (int64_t)RS1 < IMM; NEXT;
OP(sltiu) RD = RS1 < (uint64_t)IMM; NEXT;
OP(xori) RD = RS1 ^ IMM; NEXT;
OP(ori) RD = RS1 | IMM; NEXT;
OP(andi) RD = RS1 & IMM; NEXT;
OP(slli) RD = SHIFTED_LEFT(RS1); NEXT;
OP(srli) RD = SHIFTED_RIGHT(RS1); NEXT;
OP(srai) RD = SHIFTED_RIGHT((int64_t)RS1); NEXT;

OP(add) RD = RS1 + RS2; NEXT;
OP(sub) RD = RS1 - RS2; NEXT;
OP(sll) RD = RS1 << (RS2 & 63); NEXT;
OP(slt) RD = (int64_t)RS1 < (int64_t)RS2; NEXT;
OP(sltu) RD = RS1 < RS2; NEXT;
OP(xor) RD = RS1 ^ RS2; NEXT;
OP(srl) RD = RS1 >> (RS2 & 63); NEXT;
OP(sra) RD = (int64_t)RS1 >> (RS2 & 63); NEXT;
OP(or) RD = RS1 | RS2; NEXT;
OP(and) RD = RS1 & RS2; NEXT;

/* Zcmp */
OP(cm_mvsa01)
OP(cm_mva01s)
	RD = RS1;
	RS3 = RS2;
	NEXT;

OP(addiw) RD = (int32_t)(RS1 + IMM); NEXT;
OP(slliw) RD = (int32_t)SHIFTED_LEFT((uint32_t)RS1); NEXT;
OP(srliw) RD = (int32_t)SHIFTED_RIGHT((uint32_t)RS1); NEXT;
OP(sraiw) RD = SHIFTED_RIGHT((int32_t)RS1); NEXT;
OP(addw) RD = (int32_t)(RS1 + RS2); NEXT;
OP(subw) RD = (int32_t)(RS1 - RS2); NEXT;
OP(sllw) RD = (int32_t)((uint32_t)RS1 << (RS2 & 31)); NEXT;
OP(srlw) RD = (int32_t)((uint32_t)RS1 >> (RS2 & 31)); NEXT;
OP(sraw) RD = (int32_t)RS1 >> (RS2 & 31); NEXT;

OP(mul) RD = RS1 * RS2; NEXT;
OP(mulh) RD = ((__int128)(int64_t)RS1 * (int64_t)RS2) >> 64; NEXT;
OP(mulhsu) RD = ((__int128)(int64_t)RS1 * (unsigned __int128)RS2) >> 64; NEXT;
OP(mulhu) RD = ((unsigned __int128)RS1 * RS2) >> 64; NEXT;
OP(mulw) RD = (int32_t)((uint32_t)RS1 * (uint32_t)RS2); NEXT;
OP(div) DIVIDE(divide(RS1, RS2)); NEXT;
OP(divu) DIVIDE(RS2 ? RS1 / RS2 : UINT64_MAX); NEXT;
OP(rem) DIVIDE(remainder_of(RS1, RS2)); NEXT;
OP(remu) DIVIDE(RS2 ? RS1 % RS2 : RS1); NEXT;
OP(divw) DIVIDE((int32_t)divide((int32_t)RS1, (int32_t)RS2)); NEXT;
OP(divuw) DIVIDE((uint32_t)RS2 ? (int32_t)((uint32_t)RS1 / (uint32_t)RS2) : -1); NEXT;
OP(remw) DIVIDE((int32_t)remainder_of((int32_t)RS1, (int32_t)RS2)); NEXT;
OP(remuw) DIVIDE((int32_t)((uint32_t)RS2 ? (uint32_t)RS1 % (uint32_t)RS2 : (uint32_t)RS1)); NEXT;

OP(add_uw) RD = (uint32_t)RS1 + RS2; NEXT;
OP(sh1add) RD = (RS1 << 1) + RS2; NEXT;
OP(sh2add) RD = (RS1 << 2) + RS2; NEXT;
OP(sh3add) RD = (RS1 << 3) + RS2; NEXT;
OP(sh1add_uw) RD = ((uint64_t)(uint32_t)RS1 << 1) + RS2; NEXT;
OP(sh2add_uw) RD = ((uint64_t)(uint32_t)RS1 << 2) + RS2; NEXT;
OP(sh3add_uw) RD = ((uint64_t)(uint32_t)RS1 << 3) + RS2; NEXT;
OP(slli_uw) RD = SHIFTED_LEFT((uint64_t)(uint32_t)RS1); NEXT;

OP(andn) RD = RS1 & ~RS2; NEXT;
OP(orn) RD = RS1 | ~RS2; NEXT;
OP(xnor) RD = ~(RS1 ^ RS2); NEXT;
OP(clz) SET_RD(RS1 ? __builtin_clzll(RS1) : 64); NEXT;
OP(clzw) SET_RD((uint32_t)RS1 ? __builtin_clz((uint32_t)RS1) : 32); NEXT;
OP(ctz) RD = RS1 ? __builtin_ctzll(RS1) : 64; NEXT;
OP(ctzw) RD = (uint32_t)RS1 ? __builtin_ctz((uint32_t)RS1) : 32; NEXT;
OP(cpop) RD = ones(RS1); NEXT;
OP(cpopw) RD = ones((uint32_t)RS1); NEXT;
OP(max) RD = (int64_t)RS1 > (int64_t)RS2 ? RS1 : RS2; NEXT;
OP(maxu) RD = RS1 > RS2 ? RS1 : RS2; NEXT;
OP(min) RD = (int64_t)RS1 < (int64_t)RS2 ? RS1 : RS2; NEXT;
OP(minu) RD = RS1 < RS2 ? RS1 : RS2; NEXT;
OP(sext_b) RD = (int8_t)RS1; NEXT;
OP(sext_h) RD = (int16_t)RS1; NEXT;
OP(zext_h) RD = (uint16_t)RS1; NEXT;
OP(rol) RD = rotate_right(RS1, -RS2); NEXT;
OP(ror) RD = rotate_right(RS1, RS2); NEXT;
OP(rori) RD = rotate_right(RS1, SHAMT); NEXT;
OP(rolw) RD = (int32_t)rotate_right32(RS1, -RS2); NEXT;
OP(rorw) RD = (int32_t)rotate_right32(RS1, RS2); NEXT;
OP(roriw) RD = (int32_t)rotate_right32(RS1, SHAMT); NEXT;
OP(orc_b) SET_RD(or_bytes(RS1)); NEXT;
OP(rev8) RD = __builtin_bswap64(RS1); NEXT;

OP(bclr) RD = RS1 & ~(1ull << (RS2 & 63)); NEXT;
OP(bclri) RD = RS1 & ~(1ull << SHAMT); NEXT;
OP(bext) RD = RS1 >> (RS2 & 63) & 1; NEXT;
OP(bexti) RD = RS1 >> SHAMT & 1; NEXT;
OP(binv) RD = RS1 ^ 1ull << (RS2 & 63); NEXT;
OP(binvi) RD = RS1 ^ 1ull << SHAMT; NEXT;
OP(bset) RD = RS1 | 1ull << (RS2 & 63); NEXT;
OP(bseti) RD = RS1 | 1ull << SHAMT; NEXT;

OP(czero_eqz) SET_RD(RS2 ? RS1 : 0); NEXT;
OP(czero_nez) SET_RD(RS2 ? 0 : RS1); NEXT;
OP(mop_r) RD = 0; NEXT;
OP(mop_rr) RD = 0; NEXT;
OP(ssrdp) RD = h->ssp; NEXT;

OP(clmul) SET_RD(crypto_clmul(RS1, RS2)); NEXT;
OP(clmulh) SET_RD(crypto_clmulh(RS1, RS2)); NEXT;
OP(clmulr) RD = crypto_clmulh(RS1, RS2) << 1 | crypto_clmul(RS1, RS2) >> 63; NEXT;
OP(pack) RD = (uint32_t)RS1 | RS2 << 32; NEXT;
OP(packh) RD = (RS1 & 0xff) | (RS2 & 0xff) << 8; NEXT;
OP(packw) RD = (int32_t)((uint16_t)RS1 | (uint32_t)RS2 << 16); NEXT;
OP(brev8) RD = reverse_in_bytes(RS1); NEXT;
OP(xperm4) SET_RD(crypto_xperm4(RS1, RS2)); NEXT;
OP(xperm8) SET_RD(crypto_xperm8(RS1, RS2)); NEXT;

OP(aes64es) SET_RD(crypto_aes64es(RS1, RS2)); NEXT;
OP(aes64esm) SET_RD(crypto_aes64mix(crypto_aes64es(RS1, RS2))); NEXT;
OP(aes64ds) SET_RD(crypto_aes64ds(RS1, RS2)); NEXT;
OP(aes64dsm) SET_RD(crypto_aes64im(crypto_aes64ds(RS1, RS2))); NEXT;
OP(aes64im) SET_RD(crypto_aes64im(RS1)); NEXT;
OP(aes64ks1i) SET_RD(crypto_aes64ks1i(RS1, SHAMT)); NEXT;
OP(aes64ks2) RD = aes64_ks2(RS1, RS2); NEXT;
OP(sha256sum0) RD = (int32_t)XOR3(rotate_right32, RS1, 2, 13, 22); NEXT;
OP(sha256sum1) RD = (int32_t)XOR3(rotate_right32, RS1, 6, 11, 25); NEXT;
OP(sha256sig0) RD = (int32_t)(XOR2(rotate_right32, RS1, 7, 18) ^ (uint32_t)RS1 >> 3); NEXT;
OP(sha256sig1) RD = (int32_t)(XOR2(rotate_right32, RS1, 17, 19) ^ (uint32_t)RS1 >> 10); NEXT;
OP(sha512sum0) RD = XOR3(rotate_right, RS1, 28, 34, 39); NEXT;
OP(sha512sum1) RD = XOR3(rotate_right, RS1, 14, 18, 41); NEXT;
OP(sha512sig0) RD = XOR2(rotate_right, RS1, 1, 8) ^ RS1 >> 7; NEXT;
OP(sha512sig1) RD = XOR2(rotate_right, RS1, 19, 61) ^ RS1 >> 6; NEXT;
OP(sm3p0) RD = (int32_t)((uint32_t)RS1 ^ XOR2(rotate_right32, RS1, 23, 15)); NEXT;
OP(sm3p1) RD = (int32_t)((uint32_t)RS1 ^ XOR2(rotate_right32, RS1, 17, 9)); NEXT;
OP(sm4ed) SET_RD(crypto_sm4ed(RS1, RS2, SHAMT)); NEXT;
OP(sm4ks) SET_RD(crypto_sm4ks(RS1, RS2, SHAMT)); NEXT;

/* Harts take turns on one host thread and memory is coherent: fences have nothing to order. */
OP(fence)
	if (timed && (h->timing->waits.stores || h->timing->waits.loads)) {
		h->run = r;
		h->at = SELF;
		timing_drain(h);
		h->run = NULL;
		if (unlikely(h->stop))
			goto leave_after;
	}
	NEXT;
OP(pause) NEXT;
OP(prefetch_i) NEXT;
OP(prefetch_r) NEXT;
OP(prefetch_w) NEXT;
