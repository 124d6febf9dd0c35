// SPDX-License-Identifier: BSD-2-Clause
/*
 * task_layout.c - offsets of Linux's struct task_struct, from BTF (task_layout.h).
 */
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "task_layout.h"

/* The formats are in btf.rst, "BTF Type and String Encoding". */
struct btf_header {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t hdr_len, type_off, type_len, str_off, str_len;
};

struct btf_type {
	uint32_t name, info, size;
};

struct btf_member {
	uint32_t name, type, offset;
};

#define BTF_MAGIC 0xeb9f
#define KIND_MAX  20

/* The size of the data after a type: fixed bytes, and bytes for each of its vlen elements. */
static const struct {
	uint8_t fixed, each;
} kind_size[KIND_MAX] = {
	[1] = { 4, 0 }, /* INT */
	[3] = { 12, 0 }, /* ARRAY */
	[4] = { 0, 12 }, /* STRUCT */
	[5] = { 0, 12 }, /* UNION */
	[6] = { 0, 8 }, /* ENUM */
	[13] = { 0, 8 }, /* FUNC_PROTO */
	[14] = { 4, 0 }, /* VAR */
	[15] = { 0, 12 }, /* DATASEC */
	[17] = { 4, 0 }, /* DECL_TAG */
	[19] = { 0, 12 }, /* ENUM64 */
};

#define KIND_STRUCT 4

struct btf {
	const uint8_t *types, *strings;
	uint32_t type_len, str_len;
};

static bool is_name(const struct btf *b, uint32_t at, const char *name)
{
	size_t len = strlen(name) + 1;

	return at < b->str_len && len <= b->str_len - at && !memcmp(b->strings + at, name, len);
}

/* Finds a member's offset in bytes.  bits: the struct has bit fields, and offsets have 24 bits. */
static bool find_member(const struct btf *b, const uint8_t *members, uint32_t nr, bool bits,
			const char *name, uint32_t *offset)
{
	for (uint32_t n = 0; n < nr; n++) {
		struct btf_member m;

		memcpy(&m, members + n * sizeof(m), sizeof(m));
		if (!is_name(b, m.name, name))
			continue;
		*offset = (bits ? m.offset & 0xffffff : m.offset) / 8;
		return true;
	}
	return false;
}

static bool find_task(const struct btf *b, struct exact_tasks *t)
{
	struct btf_type type;

	for (uint32_t at = 0; sizeof(type) <= b->type_len - at;) {
		uint32_t kind, nr, size;

		memcpy(&type, b->types + at, sizeof(type));
		kind = type.info >> 24 & 0x1f;
		nr = type.info & 0xffff;
		at += sizeof(type);
		if (kind >= KIND_MAX)
			return false;
		size = kind_size[kind].fixed + nr * kind_size[kind].each;
		if (size > b->type_len - at)
			return false;
		if (kind == KIND_STRUCT && is_name(b, type.name, "task_struct")) {
			const uint8_t *m = b->types + at;
			bool bits = type.info >> 31;

			return find_member(b, m, nr, bits, "flags", &t->flags) &&
			       find_member(b, m, nr, bits, "tgid", &t->tgid) &&
			       find_member(b, m, nr, bits, "comm", &t->comm);
		}
		at += size;
	}
	return false;
}

/* Opens the BTF that begins at data, of at most size bytes.  Returns false if it is not BTF. */
static bool open_btf(const uint8_t *data, size_t size, struct btf *b)
{
	struct btf_header h;

	if (size < sizeof(h))
		return false;
	memcpy(&h, data, sizeof(h));
	if (h.magic != BTF_MAGIC || h.version != 1 || h.hdr_len < sizeof(h) || h.hdr_len > size)
		return false;
	size -= h.hdr_len;
	data += h.hdr_len;
	if (h.type_off > size || h.type_len > size - h.type_off || h.str_off > size ||
	    h.str_len > size - h.str_off || !h.str_len)
		return false;
	*b = (struct btf){ data + h.type_off, data + h.str_off, h.type_len, h.str_len };
	return true;
}

bool task_layout(const void *image, size_t size, struct exact_tasks *t)
{
	static const uint8_t magic[] = { BTF_MAGIC & 0xff, BTF_MAGIC >> 8, 1, 0 };
	const uint8_t *at = image, *end = at + size;
	struct btf b;

	while ((at = memmem(at, end - at, magic, sizeof(magic)))) {
		if (open_btf(at, end - at, &b) && find_task(&b, t))
			return true;
		at++;
	}
	return false;
}

bool task_layout_of(const char *path, struct exact_tasks *t)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	void *image = MAP_FAILED;
	struct stat st;
	bool known = false;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size)
		image = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (image != MAP_FAILED) {
		known = task_layout(image, st.st_size, t);
		munmap(image, st.st_size);
	}
	if (fd >= 0)
		close(fd);
	return known;
}
