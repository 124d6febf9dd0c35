// SPDX-License-Identifier: BSD-2-Clause
/*
 * native_no_vector.c - a host whose native code has no vectors (native_vector.h).
 */
#include "native_vector.h"

bool native_vector_host(const struct native_vector *v)
{
	(void)v;
	return false;
}

size_t native_vector_code(uint8_t *p, const struct native_vector_place *place,
			  const struct native_vector *v, unsigned nr)
{
	(void)p, (void)place, (void)v, (void)nr;
	return 0;
}
