// SPDX-License-Identifier: BSD-2-Clause
/*
 * engine_timed.c - the engine of harts with models (timing.h): blocks and events have costs.
 *
 *	engine_body.h + timed == true	->  engine_run_timed
 */
#include <stdbool.h>

static const bool timed = true;
#define ENGINE_RUN   engine_run_timed
#define ENGINE(name) timed_##name
#include "engine_body.h"

ENGINE_DEFINE_ACCESSES(1)
ENGINE_DEFINE_ACCESSES(2)
ENGINE_DEFINE_ACCESSES(4)
ENGINE_DEFINE_ACCESSES(8)

#include "stencil_timed.inc"

const struct native_stencils timed_stencils = {
	.bytes = native_bytes,
	.reloc = native_reloc,
	.code = native_code,
	.routine = native_routine,
	.routines = sizeof(native_routine) / sizeof(native_routine[0]),
	.enter = NATIVE_ENTER,
	.call = native_call,
	.calls = sizeof(native_call) / sizeof(native_call[0]),
};
