// SPDX-License-Identifier: BSD-2-Clause
/*
 * engine_timed.c - the engine of harts with models (engine_body.h, timing.h).
 */
#include <stdbool.h>

static const bool timed = true;
#define ENGINE_RUN engine_run_timed
#include "engine_body.h"
