/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host.h - kernels that use the host's FPU.
 */
#ifndef SIM_VECTOR_HOST_H
#define SIM_VECTOR_HOST_H

#include "parts.h"

/* Returns false, and changes nothing, if it is not able to do it. */
typedef bool (*vector_host_kernel)(struct vector_state *v, struct vector_args *a);

/*
 * For an instruction that rounds to nearest-even and has no mask, when vstart is 0, with elements
 * of 1 << sew bytes; NULL: there is none.
 */
vector_host_kernel vector_host(unsigned op, int sew);

#endif
