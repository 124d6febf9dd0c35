// SPDX-License-Identifier: BSD-2-Clause
/*
 * table.c - the table of the instructions that compute (row.def).
 */
#include "parts.h"

/* For each word of sizes: the kernels of a name, and what a SEW needs, as initializers. */
#define OF(k) vector_##k
#define TABLE_ANY(k)                                                                               \
	{ OF(k), OF(k), OF(k), OF(k) },                                                            \
	{                                                                                          \
		0                                                                                  \
	}
#define TABLE_ALL(k)                                                                               \
	{ OF(k##_8), OF(k##_16), OF(k##_32), OF(k##_64) },                                         \
	{                                                                                          \
		0                                                                                  \
	}
#define TABLE_TO32(k)                                                                              \
	{ OF(k##_8), OF(k##_16), OF(k##_32), NULL },                                               \
	{                                                                                          \
		0                                                                                  \
	}
#define TABLE_FROM16(k)                                                                            \
	{ NULL, OF(k##_16), OF(k##_32), OF(k##_64) },                                              \
	{                                                                                          \
		0                                                                                  \
	}
#define TABLE_FROM32(k)                                                                            \
	{ NULL, NULL, OF(k##_32), OF(k##_64) },                                                    \
	{                                                                                          \
		0                                                                                  \
	}
#define TABLE_ONLY32(k)                                                                            \
	{ NULL, NULL, OF(k##_32), NULL },                                                          \
	{                                                                                          \
		0                                                                                  \
	}
#define TABLE_ONLY64(k)                                                                            \
	{ NULL, NULL, NULL, OF(k##_64) },                                                          \
	{                                                                                          \
		0                                                                                  \
	}
#define TABLE_FLOATS(k)                                                                            \
	{ NULL, OF(k##_16), OF(k##_32), OF(k##_64) },                                              \
	{                                                                                          \
		0, ISA_EXT_ZVFH                                                                    \
	}
#define TABLE_FLOATS_WIDE(k)                                                                       \
	{ NULL, OF(k##_16), OF(k##_32), NULL },                                                    \
	{                                                                                          \
		0, ISA_EXT_ZVFH                                                                    \
	}
#define TABLE_FLOATS_MIN(k)                                                                        \
	{ NULL, OF(k##_16), OF(k##_32), NULL },                                                    \
	{                                                                                          \
		0, ISA_EXT_ZVFHMIN                                                                 \
	}
#define TABLE_FLOATS_TO32(k)                                                                       \
	{ OF(k##_8), OF(k##_16), OF(k##_32), NULL },                                               \
	{                                                                                          \
		ISA_EXT_ZVFH                                                                       \
	}
#define TABLE_HASH(k)                                                                              \
	{ NULL, NULL, OF(k##_32), OF(k##_64) },                                                    \
	{                                                                                          \
		0, 0, 0, ISA_EXT_ZVKNHB                                                            \
	}

_Static_assert(!ISA_EXT_I, "every hart has what needs nothing");

const uint16_t vector_likes[ISA_NR] = {
#define TH_VARITH(name, match, mask, format, class, like) [ISA_##name] = ISA_##like,
#include "xtheadvector.def"
};

const struct vector_row vector_rows[ISA_NR] = {
#define ROW(name, vd, vs2, vs1, flags, sizes, kernel)                                              \
	[ISA_##name] = { PLACE_##vd, PLACE_##vs2, PLACE_##vs1, flags, TABLE_##sizes(kernel) },
#include "row.def"
};
