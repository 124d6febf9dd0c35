// SPDX-License-Identifier: BSD-2-Clause
/*
 * engine_timed.c - the engine of harts with models (timing.h): blocks and events have costs.
 *
 *	engine_body.h + timed == true	->  engine_run_timed
 */
#include <stdbool.h>

static const bool timed = true;
#define ENGINE_RUN engine_run_timed
#include "engine_body.h"
