// SPDX-License-Identifier: BSD-2-Clause
/*
 * decode_thead_vector.c - instructions of XTheadVector that V has elsewhere; encodings from version
 * 0.7.1 of the vector extension.  Averaging ones, and th.vwsmacc with its kind, have encodings that
 * are free in V: decode_vector.c knows them.
 */
#include "decode.h"

#define KEPT 32 /* the field of vs1 or rs1 */

static const struct {
	uint8_t f3, f6, to, rs1;
} moved[] = {
	{ OPMVV, 0x0c, F6_INDEXED, KEPT }, /* th.vext.x.v */
	{ OPMVX, 0x0d, 0x10, KEPT }, /* th.vmv.s.x */
	{ OPMVV, 0x14, 0x10, 0x10 }, /* th.vmpopc.m */
	{ OPMVV, 0x15, 0x10, 0x11 }, /* th.vmfirst.m */
	{ OPMVV, 0x16, 0x14, KEPT }, /* th.vmsbf.m to th.vid.v */
	{ OPFVV, 0x0c, 0x10, KEPT }, /* th.vfmv.f.s */
	{ OPFVF, 0x0d, 0x10, KEPT }, /* th.vfmv.s.f */
	{ OPFVV, 0x22, 0x12, KEPT }, /* conversions */
	{ OPFVV, 0x23, 0x13, KEPT }, /* th.vfsqrt.v, th.vfclass.v */
};

uint32_t decode_thead_vector(uint32_t bits)
{
	unsigned f3 = bits >> 12 & 7, f6 = bits >> 26;

	if ((bits & 0x7f) != 0x57 || f3 == OPCFG)
		return bits;
	if ((f3 == OPIVV || f3 == OPIVX || f3 == OPIVI) && f6 >= 0x10 && f6 <= 0x13)
		return bits & ~(1u << 25); /* th.vadc and its kind read v0 */
	for (unsigned n = 0; n < sizeof(moved) / sizeof(moved[0]); n++) {
		if (moved[n].f3 != f3 || moved[n].f6 != f6)
			continue;
		bits = (bits & 0x3ffffff) | (uint32_t)moved[n].to << 26;
		return moved[n].rs1 == KEPT ? bits : (bits & ~(31u << 15)) | moved[n].rs1 << 15;
	}
	return bits;
}
