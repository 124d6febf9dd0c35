/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * linux_image.h - the header of Linux's Image for RISC-V (Linux,
 * Documentation/arch/riscv/boot-image-header.rst).
 */
#ifndef SIM_LINUX_IMAGE_H
#define SIM_LINUX_IMAGE_H

#define LINUX_IMAGE_MAGIC    "RSC\x05"
#define LINUX_IMAGE_MAGIC_AT 56
#define LINUX_IMAGE_HEADER   64 /* bytes */

#endif
