/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stencil_x86.h - the form of stencils on x86-64 (stencil.h).
 *
 * The compiler makes a hole a displacement or an immediate operand of 32 bits, which is extended
 * with its sign (-mcmodel=kernel).
 */
#define HOST_H	  "rbx"
#define HOST_PC	  "r12"
#define HOST_R	  "r13"
#define HOST_LEFT "r14"
#define HOST_PINS "native_pin_x86.def"

/* RD = value, by an instruction whose operand can be a pinned register (extract_x86.h). */
#define HOST_SET_RD(value, x)                                                                      \
	__asm__ volatile("movq %0, hole_rd + %c1(%%rbx)"                                           \
			 :                                                                         \
			 : "r"((uint64_t)(value)), "i"(x)                                          \
			 : "memory")

#define HOST_HOLE_17(name) ((intptr_t)hole_##name)
#define HOST_HOLE_33(name) ((intptr_t)hole_##name)

/* reg -= the hole, in one instruction.  HOST_TAKEN: the same, and whether it is then <= 0. */
#define HOST_TAKE(name, reg) __asm__ volatile("subq $hole_" #name ", %0" : "+r"(reg) : : "cc")
#define HOST_TAKEN(name, reg)                                                                      \
	({                                                                                         \
		bool taken_;                                                                       \
		__asm__ volatile("subq $hole_" #name ", %0" : "+r"(reg), "=@ccle"(taken_));        \
		taken_;                                                                            \
	})

/* value, shifted by the hole: its type decides the bits and, to the right, the kind. */
#define HOST_SHIFT(insn, name, value)                                                              \
	({                                                                                         \
		__typeof__(value) v_ = (value);                                                    \
		__asm__(insn " $hole_" #name ", %0" : "+r"(v_) : : "cc");                          \
		v_;                                                                                \
	})
#define HOST_SHIFTED_LEFT(name, value) HOST_SHIFT("shl", name, value)
#define HOST_SHIFTED_RIGHT(name, value)                                                            \
	((__typeof__(value))-1 < 1 ? HOST_SHIFT("sar", name, value)                                \
				   : HOST_SHIFT("shr", name, value))
