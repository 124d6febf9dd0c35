// SPDX-License-Identifier: BSD-2-Clause
/*
 * engine_timed.c - the engine of harts with models (timing.h): blocks and events have costs.
 *
 *	engine_body.h + timed == true	->  engine_run_timed
 */
#include <stdbool.h>

static const bool timed = true;
#define ENGINE(name) timed_##name
#define ENGINE_RUN engine_run_timed
#include "engine_body.h"

ENGINE_DEFINE_ACCESSES(1)
ENGINE_DEFINE_ACCESSES(2)
ENGINE_DEFINE_ACCESSES(4)
ENGINE_DEFINE_ACCESSES(8)

#include "timing_fold.h"
#include "stencil_timed.inc"

const struct native_stencils timed_stencils = NATIVE_STENCILS;
