/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sys/pmclog.h - where programs of FreeBSD look for what pmclog.h declares.
 */
#include <pmclog.h>
