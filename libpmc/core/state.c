// SPDX-License-Identifier: BSD-2-Clause
/*
 * state.c - the library's state in this process.
 */
#include "state.h"

struct lpmc_state lpmc = {
	.sys = &lpmc_sys_linux,
	.lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP,
	.log_changing = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP,
	.log_writing = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP,
	.log_fd = -1,
	.log_ending = -1,
	.helper_wake = -1,
};

bool lpmc_is_ours(void)
{
	struct lpmc_own *own = __atomic_load_n(&lpmc.own, __ATOMIC_ACQUIRE);

	return own && atomic_load_explicit(&own->alive, memory_order_acquire) == LPMC_ALIVE;
}
