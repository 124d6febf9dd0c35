// SPDX-License-Identifier: BSD-2-Clause
/*
 * table.c - the table of the instructions that compute (row.def).
 */
#include "parts.h"

/* For each word of sizes: the kernels of a name as an initializer. */
#define OF(k) vector_##k
#define TABLE_ANY(k)                                                                               \
	{                                                                                          \
		OF(k), OF(k), OF(k), OF(k)                                                         \
	}
#define TABLE_ALL(k)                                                                               \
	{                                                                                          \
		OF(k##_8), OF(k##_16), OF(k##_32), OF(k##_64)                                      \
	}
#define TABLE_TO32(k)                                                                              \
	{                                                                                          \
		OF(k##_8), OF(k##_16), OF(k##_32), NULL                                            \
	}
#define TABLE_FROM16(k)                                                                            \
	{                                                                                          \
		NULL, OF(k##_16), OF(k##_32), OF(k##_64)                                           \
	}
#define TABLE_FROM32(k)                                                                            \
	{                                                                                          \
		NULL, NULL, OF(k##_32), OF(k##_64)                                                 \
	}
#define TABLE_FLOATS(k) TABLE_FROM32(k)
#define TABLE_ONLY32(k)                                                                            \
	{                                                                                          \
		NULL, NULL, OF(k##_32), NULL                                                       \
	}
#define TABLE_ONLY64(k)                                                                            \
	{                                                                                          \
		NULL, NULL, NULL, OF(k##_64)                                                       \
	}
#define TABLE_ONLY16_32(k)                                                                         \
	{                                                                                          \
		NULL, OF(k##_16), OF(k##_32), NULL                                                 \
	}

const struct vector_row vector_rows[ISA_NR] = {
#define ROW(name, vd, vs2, vs1, flags, sizes, kernel)                                              \
	[ISA_##name] = { PLACE_##vd, PLACE_##vs2, PLACE_##vs1, flags, TABLE_##sizes(kernel) },
#include "row.def"
};
