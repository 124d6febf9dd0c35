/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sys/pmc.h - includes pmc.h: programs for FreeBSD include this path.
 */
#include <pmc.h>
