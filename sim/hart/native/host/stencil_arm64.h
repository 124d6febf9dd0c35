/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stencil_arm64.h - the form of stencils on aarch64 (stencil.h).
 *
 *	st_add:		movz x1, #hole_rs1	a movn if the value is negative
 *			add  x0, x19, #136	h->x
 *			ldr  x1, [x0, x1]
 *			...
 *
 * The compiler by itself would compute the address of a symbol from that of the code (adrp and
 * add), and so never a small number.  native_arm64.c puts the values in.
 */
#define HOST_H	  "x19"
#define HOST_PC	  "x20"
#define HOST_R	  "x21"
#define HOST_LEFT "x22"
#define HOST_PINS "native_pin_none.def"

#define HOST_HOLE_17(name)                                                                         \
	({                                                                                         \
		intptr_t v_;                                                                       \
		__asm__("movz %0, #:abs_g0_s:hole_" #name : "=r"(v_));                             \
		v_;                                                                                \
	})
#define HOST_HOLE_33(name)                                                                         \
	({                                                                                         \
		intptr_t v_;                                                                       \
		__asm__("movz %0, #:abs_g1_s:hole_" #name "\n\tmovk %0, #:abs_g0_nc:hole_" #name   \
			: "=r"(v_));                                                               \
		v_;                                                                                \
	})
