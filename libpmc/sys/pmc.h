/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sys/pmc.h - where programs of FreeBSD look for what pmc.h declares.
 */
#include <pmc.h>
