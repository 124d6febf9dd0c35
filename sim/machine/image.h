/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.h - tells what kind of file the machine is asked to start.
 */
#ifndef SIM_IMAGE_H
#define SIM_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool image_is_elf(const uint8_t *data, uint64_t size);

/*
 * Returns true if these size > 0 bytes are certainly nothing that this machine can start.  *why,
 * room bytes, then says what they are.
 */
bool image_refused(const uint8_t *data, uint64_t size, char *why, size_t room);

/*
 * How much memory a raw image takes.  That is size, or the image_size in the header of a Linux
 * Image, which includes its bss (Linux, Documentation/arch/riscv/boot-image-header.rst), if this
 * is more.  The value is as untrusted as the image.
 */
uint64_t image_memory(const uint8_t *data, uint64_t size);

#endif
