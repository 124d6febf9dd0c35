/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.h - telling what a file is that is to be started.
 */
#ifndef SIM_IMAGE_H
#define SIM_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool image_is_elf(const uint8_t *data, uint64_t size);

/*
 * Whether the size > 0 bytes are certainly nothing that this machine can start; then *why (room
 * bytes) says what they are instead.
 */
bool image_refused(const uint8_t *data, uint64_t size, char *why, size_t room);

/*
 * How much memory a raw image takes: size, or more if it is Linux's Image, which says so, bss
 * included (Linux, Documentation/arch/riscv/boot-image-header.rst).  As hostile as the image.
 */
uint64_t image_memory(const uint8_t *data, uint64_t size);

#endif
