/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sys/pmclog.h - includes pmclog.h: programs for FreeBSD include this path.
 */
#include <pmclog.h>
