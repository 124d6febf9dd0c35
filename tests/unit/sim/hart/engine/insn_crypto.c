// SPDX-License-Identifier: BSD-2-Clause
/*
 * insn_crypto.c - Zicond, Zimop, Zbc and scalar cryptography (insn.h).
 *
 * Values with many digits are random operands, and what a second implementation, of the text of the
 * manual bit by bit, made of them.
 */
#include "insn.h"

static const struct insn_int_row rows[] = {
	/* Zicond */
	{ ISA_czero_eqz, 7, 0, 0 },
	{ ISA_czero_nez, 7, 0, 7 },
	{ ISA_czero_eqz, 7, 1, 7 },
	{ ISA_czero_nez, 7, 1, 0 },
	{ ISA_czero_eqz, M1, MIN64, M1 },
	{ ISA_czero_nez, M1, MIN64, 0 },

	/* Zimop: they write 0 */
	{ ISA_mop_r | NUMBER(0), 5, 0, 0 },
	{ ISA_mop_r | NUMBER(31), 5, 0, 0 },
	{ ISA_mop_r | NUMBER(12), M1, 0, 0 },
	{ ISA_mop_rr | NUMBER(0), 5, 6, 0 },
	{ ISA_mop_rr | NUMBER(7), 5, 6, 0 },

	/* Unpriv 28.4.3: Zbc */
	{ ISA_clmul, 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0x2f5fdcd8e4df8e6e },
	{ ISA_clmulh, 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0x5f008896ee4299a },
	{ ISA_clmulr, 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0xbe01112ddc85334 },
	{ ISA_clmul, 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0x71f7ea8f5ffda2a },
	{ ISA_clmulh, 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0x15d423b24c5a0ed6 },
	{ ISA_clmulr, 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0x2ba8476498b41dac },
	{ ISA_clmul, M1, M1, 0x5555555555555555 },
	{ ISA_clmulh, M1, M1, 0x5555555555555555 },
	{ ISA_clmulr, M1, M1, 0xaaaaaaaaaaaaaaaa },
	{ ISA_clmul, 3, 3, 5 },
	{ ISA_clmulh, 3, 3, 0 },
	{ ISA_clmulr, 3, 3, 0 },
	{ ISA_clmul, MIN64, MIN64, 0 },
	{ ISA_clmulh, MIN64, MIN64, 0x4000000000000000 },
	{ ISA_clmulr, MIN64, MIN64, MIN64 },

	/* Unpriv 31: Zbkb, Zbkx */
	{ ISA_pack, 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0xa95383222e675fc7 },
	{ ISA_packh, 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0x22c7 },
	{ ISA_packw, 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0xffffffff83225fc7 },
	{ ISA_brev8, 0x1f70d5dc2e675fc7, 0, 0xf80eab3b74e6fae3 },
	{ ISA_xperm4, 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0x2ffe55025d65c5ff },
	{ ISA_xperm8, 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0 },
	{ ISA_pack, 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0x32ac2b6255a5b465 },
	{ ISA_packh, 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0x6265 },
	{ ISA_packw, 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0x2b62b465 },
	{ ISA_brev8, 0x3d4fa08455a5b465, 0, 0xbcf20521aaa52da6 },
	{ ISA_xperm4, 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0x3ba54358b40f4a54 },
	{ ISA_xperm8, 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0 },
	{ ISA_pack, M1, M1, M1 },
	{ ISA_packh, M1, M1, 0xffff },
	{ ISA_packw, M1, M1, M1 },
	{ ISA_brev8, M1, 0, M1 },
	{ ISA_xperm4, M1, M1, M1 },
	{ ISA_xperm8, M1, M1, 0 },
	{ ISA_packw, 0x1111, 0x8000, 0xffffffff80001111 },
	{ ISA_xperm8, 0x8877665544332211, 0x1020304050607, 0x1122334455667788 },
	{ ISA_xperm8, M1, 0x810ff0708f000, 0xff000000ff0000ff },
	{ ISA_xperm4, 0xfedcba9876543210, 0x123456789abcdef, 0x123456789abcdef },

	/* Unpriv 31: Zkne, Zknd; first the state of FIPS 197 appendix B in round 1 */
	{ ISA_aes64es, 0x2be2f4a0bee33d19, 0x848f8e92a8dc69a, 0xae52b4e0305dbfd4 },
	{ ISA_aes64es, 0x848f8e92a8dc69a, 0x2be2f4a0bee33d19, 0xe598271ef11141b8 },
	{ ISA_aes64esm, 0x2be2f4a0bee33d19, 0x848f8e92a8dc69a, 0x9a19cbe0e5816604 },
	{ ISA_aes64esm, 0x848f8e92a8dc69a, 0x2be2f4a0bee33d19, 0x4c2606287ad3f848 },
	{ ISA_aes64ds, 0xae52b4e0305dbfd4, 0xe598271ef11141b8, 0x2be2f4a0bee33d19 },
	{ ISA_aes64ds, 0xe598271ef11141b8, 0xae52b4e0305dbfd4, 0x848f8e92a8dc69a },
	{ ISA_aes64im, 0x9a19cbe0e5816604, 0, 0xae52b4e0305dbfd4 },
	{ ISA_aes64im, 0x4c2606287ad3f848, 0, 0xe598271ef11141b8 },
	{ ISA_aes64es, 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0x318eec8640ed03c6 },
	{ ISA_aes64esm, 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0x913efd873fc4ac3f },
	{ ISA_aes64ds, 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0xb7f58493cb50a231 },
	{ ISA_aes64dsm, 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0xf83961f5d3aaaadb },
	{ ISA_aes64im, 0x1f70d5dc2e675fc7, 0, 0xfc53fa333b40f359 },
	{ ISA_aes64ks2, 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0xc4c56c39b62356fe },
	{ ISA_aes64es, 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0xfce7f15f0d91e04d },
	{ ISA_aes64esm, 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0x146468adbc83333d },
	{ ISA_aes64ds, 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0xa1fcc64f8baa73bc },
	{ ISA_aes64dsm, 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0xcf921b92f76fc8be },
	{ ISA_aes64im, 0x3d4fa08455a5b465, 0, 0xc67af71dae410dc3 },
	{ ISA_aes64ks2, 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0xfc53048f0fe38be6 },
	{ ISA_aes64es, M1, M1, 0x1616161616161616 },
	{ ISA_aes64esm, M1, M1, 0x1616161616161616 },
	{ ISA_aes64ds, M1, M1, 0x7d7d7d7d7d7d7d7d },
	{ ISA_aes64dsm, M1, M1, 0x7d7d7d7d7d7d7d7d },
	{ ISA_aes64im, M1, 0, M1 },
	{ ISA_aes64ks2, M1, M1, 0xffffffff00000000 },
	{ ISA_aes64ks1i, 0x3c4fcf098815f7ab, 0, 0x1eb848b01eb848b },
	{ ISA_aes64ks2, 0x1eb848b01eb848b, 0xa6d2ae2816157e2b, 0xb12c548817fefaa0 },
	{ ISA_aes64ks1i, 0x1f70d5dc2e675fc7, 1, 0x86c0510186c05101 },
	{ ISA_aes64ks1i, 0x1f70d5dc2e675fc7, 8, 0x86c0511886c05118 },
	{ ISA_aes64ks1i, 0x1f70d5dc2e675fc7, 9, 0x86c0513586c05135 },
	{ ISA_aes64ks1i, 0x1f70d5dc2e675fc7, 0xa, 0xc0510386c0510386 },

	/* Unpriv 31: Zknh */
	{ ISA_sha256sum0, 0x1f70d5dc2e675fc7, 0, 0xffffffffa8dfb872 },
	{ ISA_sha256sum1, 0x1f70d5dc2e675fc7, 0, 0xffffffffd7f3b203 },
	{ ISA_sha256sig0, 0x1f70d5dc2e675fc7, 0, 0x5c61eede },
	{ ISA_sha256sig1, 0x1f70d5dc2e675fc7, 0, 0x4410eb28 },
	{ ISA_sha512sum0, 0x1f70d5dc2e675fc7, 0, 0x55b0e53fbeef891e },
	{ ISA_sha512sum1, 0x1f70d5dc2e675fc7, 0, 0x46fa89b081880a6e },
	{ ISA_sha512sig0, 0x1f70d5dc2e675fc7, 0, 0x4899fb9073410603 },
	{ ISA_sha512sig1, 0x1f70d5dc2e675fc7, 0, 0x10038e581938e68b },
	{ ISA_sha256sum0, 0x3d4fa08455a5b465, 0, 0x60925562 },
	{ ISA_sha256sum1, 0x3d4fa08455a5b465, 0, 0xffffffffcb2610cd },
	{ ISA_sha256sig0, 0x3d4fa08455a5b465, 0, 0xffffffffad06a88d },
	{ ISA_sha256sig1, 0x3d4fa08455a5b465, 0, 0x6cab690b },
	{ ISA_sha512sum0, 0x3d4fa08455a5b465, 0, 0x4799602251d37f25 },
	{ ISA_sha512sum1, 0x3d4fa08455a5b465, 0, 0xfea768b758aee42f },
	{ ISA_sha512sig0, 0x3d4fa08455a5b465, 0, 0xfbe000a3a62c34ee },
	{ ISA_sha512sig1, 0x3d4fa08455a5b465, 0, 0x5c049d09486bbf4c },
	{ ISA_sha256sum0, M1, 0, M1 },
	{ ISA_sha256sum1, M1, 0, M1 },
	{ ISA_sha256sig0, M1, 0, 0x1fffffff },
	{ ISA_sha256sig1, M1, 0, 0x3fffff },
	{ ISA_sha512sum0, M1, 0, M1 },
	{ ISA_sha512sum1, M1, 0, M1 },
	{ ISA_sha512sig0, M1, 0, 0x1ffffffffffffff },
	{ ISA_sha512sig1, M1, 0, 0x3ffffffffffffff },

	/* Unpriv 31: Zksed, Zksh */
	{ ISA_sm4ed | NUMBER(0), 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0x6f260ed7 },
	{ ISA_sm4ed | NUMBER(1), 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0x65b6c58c },
	{ ISA_sm4ed | NUMBER(2), 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0xffffffff9e1d950d },
	{ ISA_sm4ed | NUMBER(3), 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0xffffffffa3c3fbee },
	{ ISA_sm4ks | NUMBER(0), 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0x2e6d7797 },
	{ ISA_sm4ks | NUMBER(1), 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0x340e8d87 },
	{ ISA_sm4ks | NUMBER(2), 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0x77d51fd1 },
	{ ISA_sm4ks | NUMBER(3), 0x1f70d5dc2e675fc7, 0x72e63ac7a9538322, 0x747dad3 },
	{ ISA_sm3p0, 0x1f70d5dc2e675fc7, 0, 0x5f568d55 },
	{ ISA_sm3p1, 0x1f70d5dc2e675fc7, 0, 0x6213fb5b },
	{ ISA_sm4ed | NUMBER(0), 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0x6d9dba53 },
	{ ISA_sm4ed | NUMBER(1), 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0x58e7fb68 },
	{ ISA_sm4ed | NUMBER(2), 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0x589c8051 },
	{ ISA_sm4ed | NUMBER(3), 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0x39d5c479 },
	{ ISA_sm4ks | NUMBER(0), 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0xffffffff95a4b36b },
	{ ISA_sm4ks | NUMBER(1), 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0xffffffffdd84f705 },
	{ ISA_sm4ks | NUMBER(2), 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0x53a814e4 },
	{ ISA_sm4ks | NUMBER(3), 0x3d4fa08455a5b465, 0xf3b08f6932ac2b62, 0x4925b76b },
	{ ISA_sm3p0, 0x3d4fa08455a5b465, 0, 0x7607d585 },
	{ ISA_sm3p1, 0x3d4fa08455a5b465, 0, 0xffffffffbd3dcc6d },
	{ ISA_sm4ed | NUMBER(0), M1, M1, 0xffffffffdedeb697 },
	{ ISA_sm4ed | NUMBER(1), M1, M1, 0xffffffffdeb697de },
	{ ISA_sm4ed | NUMBER(2), M1, M1, 0xffffffffb697dede },
	{ ISA_sm4ed | NUMBER(3), M1, M1, 0xffffffff97dedeb6 },
	{ ISA_sm4ks | NUMBER(0), M1, M1, 0xfffffffffff6dbb7 },
	{ ISA_sm4ks | NUMBER(1), M1, M1, 0xfffffffff6dbb7ff },
	{ ISA_sm4ks | NUMBER(2), M1, M1, 0xffffffffdbb7fff6 },
	{ ISA_sm4ks | NUMBER(3), M1, M1, 0xffffffffb7fff6db },
	{ ISA_sm3p0, M1, 0, M1 },
	{ ISA_sm3p1, M1, 0, M1 },
};

/* Reserved: a round above 10 (Unpriv 31). */
static void reserved(void)
{
	struct machine *m = insn_machine();

	for (unsigned round = 0; round < 16; round++) {
		tap_context("round %u", round);
		is(insn_execute(m, insn_encode(ISA_aes64ks1i, A0, A0, 0, round), PRV_U),
		   round > 10 ? CAUSE_ILLEGAL_INSN : NO_TRAP);
	}
	machine_destroy(m);
}

void insn_crypto_tests(void)
{
	insn_int_rows(rows, TAP_NR(rows));
	reserved();
}
