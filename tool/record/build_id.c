// SPDX-License-Identifier: BSD-2-Clause
/*
 * build_id.c - see build_id.h.
 */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "build_id.h"
#include "file.h"

#define NOTES_MAX    65536
#define SEGMENTS_MAX 4096

static size_t aligned(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

struct build_id build_id_of_notes(const void *notes, size_t size)
{
	const char *at = notes;
	struct build_id none = { .size = 0 }, id = none;
	Elf64_Nhdr note;

	while (size >= sizeof(note)) {
		memcpy(&note, at, sizeof(note));
		at += sizeof(note);
		size -= sizeof(note);
		if (note.n_namesz > size || aligned(note.n_namesz) > size ||
		    note.n_descsz > size - aligned(note.n_namesz))
			return none;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(ELF_NOTE_GNU) &&
		    memcmp(at, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) == 0) {
			id.size = note.n_descsz < BUILD_ID_MAX ? (uint8_t)note.n_descsz
							       : BUILD_ID_MAX;
			memcpy(id.id, at + aligned(note.n_namesz), id.size);
			return id;
		}
		if (aligned(note.n_descsz) > size - aligned(note.n_namesz))
			return none;
		size -= aligned(note.n_namesz) + aligned(note.n_descsz);
		at += aligned(note.n_namesz) + aligned(note.n_descsz);
	}
	return none;
}

/* Reads the build id from the notes in a part of a file. */
static struct build_id of_part(int fd, uint64_t offset, uint64_t size)
{
	struct build_id id = { .size = 0 };
	char notes[NOTES_MAX];

	if (size && size <= sizeof(notes) && offset <= INT64_MAX &&
	    pread(fd, notes, size, (off_t)offset) == (ssize_t)size)
		id = build_id_of_notes(notes, size);
	return id;
}

/* Reads program header n.  Returns false if there is none. */
static bool segment(int fd, const Elf64_Ehdr *e, unsigned n, Elf64_Phdr *p)
{
	bool wide = e->e_ident[EI_CLASS] == ELFCLASS64;
	size_t size = wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	Elf32_Phdr p32;

	if (e->e_phentsize != size || e->e_phoff > INT64_MAX - (uint64_t)SEGMENTS_MAX * size)
		return false;
	if (pread(fd, wide ? (void *)p : (void *)&p32, size, (off_t)(e->e_phoff + n * size)) !=
	    (ssize_t)size)
		return false;
	if (!wide)
		*p = (Elf64_Phdr){ .p_type = p32.p_type,
				   .p_offset = p32.p_offset,
				   .p_filesz = p32.p_filesz };
	return true;
}

static bool header(int fd, Elf64_Ehdr *e)
{
	Elf32_Ehdr e32;

	if (pread(fd, e, sizeof(*e), 0) != sizeof(*e) || memcmp(e->e_ident, ELFMAG, SELFMAG) != 0 ||
	    e->e_ident[EI_DATA] !=
		    (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB))
		return false;
	if (e->e_ident[EI_CLASS] == ELFCLASS64)
		return true;
	memcpy(&e32, e, sizeof(e32));
	e->e_phoff = e32.e_phoff;
	e->e_phentsize = e32.e_phentsize;
	e->e_phnum = e32.e_phnum;
	return true;
}

struct build_id build_id_of_elf(const char *path)
{
	int fd = file_open("", path);
	struct build_id id = { .size = 0 };
	Elf64_Ehdr e;
	Elf64_Phdr p;

	if (fd >= 0 && header(fd, &e)) {
		for (unsigned n = 0; n < e.e_phnum && n < SEGMENTS_MAX && !id.size; n++) {
			if (!segment(fd, &e, n, &p))
				break;
			if (p.p_type == PT_NOTE)
				id = of_part(fd, p.p_offset, p.p_filesz);
		}
	}
	if (fd >= 0)
		close(fd);
	return id;
}

struct build_id build_id_of_vdso(void)
{
	const char *at = (const char *)getauxval(AT_SYSINFO_EHDR);
	struct build_id id = { .size = 0 };
	const ElfW(Ehdr) *e = (const void *)at;
	const ElfW(Phdr) * p;

	if (!at)
		return id;
	p = (const void *)(at + e->e_phoff);
	for (unsigned n = 0; n < e->e_phnum && !id.size; n++) {
		if (p[n].p_type == PT_NOTE)
			id = build_id_of_notes(at + p[n].p_offset, p[n].p_filesz);
	}
	return id;
}

struct build_id build_id_of_notes_file(const char *path)
{
	int fd = file_open("", path);
	struct build_id id = { .size = 0 };
	char notes[4096];
	ssize_t n;

	if (fd < 0)
		return id;
	n = read(fd, notes, sizeof(notes));
	close(fd);
	return n > 0 ? build_id_of_notes(notes, (size_t)n) : id;
}
