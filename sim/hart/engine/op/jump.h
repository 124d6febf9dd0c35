/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jump.h - part of engine_run: branches, jumps, and the end of a block that has neither.
 *
 *	target in the same page		GO: r->to[way], linked after the first time
 *	any target (jalr)		GO_ANYWHERE: the jump cache
 *
 * Implements: Unpriv 20240411 §2.5.
 */
/* clang-format off */

OP(END) GO(0, HERE, predict_none(h, r));

OP(jal)
	target = HERE + IMM;
	RD = BEHIND;
	GO(1, target, predict_jump(h, r, KIND, HERE, target, BEHIND));

OP(jalr)
	target = (RS1 + IMM) & ~1ull;
	RD = BEHIND;
	GO_ANYWHERE(target);

OP(beq) BRANCH(RS1 == RS2);
OP(bne) BRANCH(RS1 != RS2);
OP(blt) BRANCH((int64_t)RS1 < (int64_t)RS2);
OP(bge) BRANCH((int64_t)RS1 >= (int64_t)RS2);
OP(bltu) BRANCH(RS1 < RS2);
OP(bgeu) BRANCH(RS1 >= RS2);
