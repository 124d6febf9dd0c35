/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * device_tree.h - the events of this machine's CPU to which its device tree gives names, read when
 * they are first needed.
 *
 * These functions do not take the library's lock, and work before pmc_init().
 */
#ifndef LPMC_DEVICE_TREE_H
#define LPMC_DEVICE_TREE_H

#include "event.h"

/* They stay valid.  NULL with ENOMEM; if the device tree names none, there are 0. */
const struct lpmc_cpu_events *lpmc_cpu_events(void);
/*
 * lpmc_spec_parse_here() with these events: they are read only if a name is unknown without them,
 * so that a signal handler which counts a usual event allocates no memory here.
 */
int lpmc_spec_read(const char *text, struct lpmc_spec *spec);
/* lpmc_event_of() with these events. */
const struct lpmc_event *lpmc_event_here(uint32_t ev);

#endif
