// SPDX-License-Identifier: BSD-2-Clause
/*
 * image.c - tells by its first bytes what a file is that is given as firmware, kernel or program
 * (image.h).  Pure: no state and no I/O.
 *
 * A file of no known kind may be a raw image for this machine: U-Boot's has no magic number at all.
 */
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cpio.h"
#include "image.h"
#include "linux_image.h"

/* Kinds of files that cannot be started: the bytes that tell the kind, and the message. */
static const struct {
	uint32_t offset, len;
	const char *bytes, *text;
} known[] = {
	{ 0, 2, "\x1f\x8b", "compressed (gzip); unpack it first" },
	{ 0, 6, "\xfd\x37zXZ", "compressed (xz); unpack it first" },
	{ 0, 4, "\x28\xb5\x2f\xfd", "compressed (zstd); unpack it first" },
	{ 0, 3, "BZh", "compressed (bzip2); unpack it first" },
	{ 0, 4, "\x02\x21\x4c\x18", "compressed (lz4); unpack it first" },
	{ 0, 4, "\x04\x22\x4d\x18", "compressed (lz4); unpack it first" },
	{ 0, 5, "\x5d\0\0\x80\0", "compressed (lzma); unpack it first" },
	{ 4, 4, "zimg", "a compressed EFI image; use the Image that is packed in it" },
	{ 0x202, 4, "HdrS", "a Linux kernel for x86 (bzImage)" },
	{ 56, 4, "ARM\x64", "a Linux kernel for arm64" },
	{ 0x24, 4, "\x18\x28\x6f\x01", "a Linux kernel for arm (zImage)" },
	{ 0, 4, "\x27\x05\x19\x56", "a U-Boot image (uImage); use what is packed in it" },
	{ 0, 4, "\xd0\x0d\xfe\xed", "a device tree or FIT image (see --dtb for a tree)" },
	{ 0, 6, CPIO_MAGIC, "a cpio archive (see --initrd)" },
	{ 0, 4, "!<ar", "an archive of object files" },
	{ 0, 4, "PK\3\4", "a zip archive" },
	{ 0, 4, "QFI\xfb", "a qcow2 disk image" },
	{ 0, 4, "\xcf\xfa\xed\xfe", "a Mach-O file" },
	{ 0, 8, "HOLTSNAP", "a snapshot of a machine (see --restore)" },
	{ 0, 8, "HOLTPROF", "an exact profile (see holter report)" },
	{ 0, 8, "PERFILE2", "a profile of perf (see holter report)" },
};

#define TEXT_LOOK 4096 /* a file is text if its first TEXT_LOOK bytes are */

static bool is_text(const uint8_t *data, uint64_t size)
{
	for (uint64_t n = 0; n < size && n < TEXT_LOOK; n++) {
		if (!data[n] || data[n] >= 0x7f)
			return false;
		if (data[n] < ' ' && !strchr("\t\n\v\f\r", data[n]))
			return false;
	}
	return true;
}

static const char *elf_machine(unsigned machine)
{
	static const struct {
		uint16_t machine;
		const char *name;
	} names[] = {
		{ EM_X86_64, "x86-64" }, { EM_386, "x86" },	 { EM_AARCH64, "arm64" },
		{ EM_ARM, "arm" },	 { EM_RISCV, "RISC-V" }, { EM_PPC64, "ppc64" },
		{ EM_MIPS, "mips" },	 { EM_S390, "s390" },	 { 258, "loongarch" },
	};

	for (unsigned n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		if (names[n].machine == machine)
			return names[n].name;
	}
	return "another machine";
}

bool image_is_elf(const uint8_t *data, uint64_t size)
{
	return size >= SELFMAG && !memcmp(data, ELFMAG, SELFMAG);
}

/* Checks the header of an ELF file; load.c checks the rest. */
static bool elf_refused(const uint8_t *data, uint64_t size, char *why, size_t room)
{
	const Elf64_Ehdr *e = (const void *)data;
	bool big;

	if (size < EI_NIDENT + 4) {
		snprintf(why, room, "a truncated ELF file");
		return true;
	}
	big = data[EI_DATA] == ELFDATA2MSB;
	if (data[EI_CLASS] == ELFCLASS64 && !big && e->e_machine == EM_RISCV)
		return false;
	snprintf(why, room, "a %s%s ELF file for %s; this machine runs 64-bit RISC-V",
		 data[EI_CLASS] == ELFCLASS32 ? "32-bit" : "64-bit", big ? " big-endian" : "",
		 elf_machine(big ? __builtin_bswap16(e->e_machine) : e->e_machine));
	return true;
}

bool image_refused(const uint8_t *data, uint64_t size, char *why, size_t room)
{
	if (image_is_elf(data, size))
		return elf_refused(data, size, why, room);
	if (size < 4) {
		snprintf(why, room, "too short to be a program");
		return true;
	}
	for (unsigned n = 0; n < sizeof(known) / sizeof(known[0]); n++) {
		if (size >= known[n].offset + known[n].len &&
		    !memcmp(data + known[n].offset, known[n].bytes, known[n].len)) {
			snprintf(why, room, "%s", known[n].text);
			return true;
		}
	}
	if (is_text(data, size)) {
		snprintf(why, room, "text, not a program");
		return true;
	}
	return false;
}

uint64_t image_memory(const uint8_t *data, uint64_t size)
{
	uint64_t wanted = 0;

	if (size >= LINUX_IMAGE_HEADER &&
	    !memcmp(data + LINUX_IMAGE_MAGIC_AT, LINUX_IMAGE_MAGIC, 4))
		memcpy(&wanted, data + 16, 8);
	return wanted > size ? wanted : size;
}
