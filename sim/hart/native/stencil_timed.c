// SPDX-License-Identifier: BSD-2-Clause
/*
 * stencil_timed.c - the stencils of the engine with models (engine_timed.c).
 * It is compiled for extract.c, and not linked.
 */
#include <stdbool.h>

static const bool timed = true;
#define ENGINE(name) timed_##name
#include "stencil.h"
