/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dt.c - reads from the device tree what a payload needs: boot arguments, RAM, hart ids, timebase.
 *
 * One pass over the structure block of the flattened tree that the firmware has passed.  Only sizes
 * are checked: none may exceed the total size in the header.  Devicetree Specification 0.4 §5
 * (flattened format), §3.4, §3.6, §3.8 (the nodes).
 */
#include "rt.h"

#define FDT_MAGIC      0xd00dfeed
#define FDT_BEGIN_NODE 1
#define FDT_END_NODE   2
#define FDT_PROP       3
#define FDT_NOP	       4

enum node { OTHER, CHOSEN, MEMORY, CPUS, CPU };

static uint32_t be32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static bool starts_with(const char *s, const char *prefix)
{
	while (*prefix)
		if (*s++ != *prefix++)
			return false;
	return true;
}

static bool same(const char *a, const char *b)
{
	return starts_with(a, b) && starts_with(b, a);
}

static enum node node_kind(const char *name, unsigned depth, enum node parent)
{
	if (depth == 2 && same(name, "chosen"))
		return CHOSEN;
	if (depth == 2 && starts_with(name, "memory@"))
		return MEMORY;
	if (depth == 2 && same(name, "cpus"))
		return CPUS;
	if (depth == 3 && parent == CPUS && starts_with(name, "cpu@"))
		return CPU;
	return OTHER;
}

/* Does riscv,isa ("rv64imac_zkr") or riscv,isa-extensions (a list) of a cpu name extension word? */
static bool names_extension(const unsigned char *data, uint32_t len, const char *word)
{
	for (uint32_t i = 1; i < len; i++) {
		const char *s = (const char *)data + i;
		uint32_t n = 0;

		if (s[-1] != '_' && s[-1] != '\0')
			continue;
		while (word[n] && i + n < len && s[n] == word[n])
			n++;
		if (!word[n] && i + n < len && (s[n] == '_' || s[n] == '\0'))
			return true;
	}
	return false;
}

/* virt-like machines have two address cells and two size cells at the root, one for a cpu. */
static void take_prop(struct boot_info *b, enum node kind, const char *name,
		      const unsigned char *data, uint32_t len)
{
	if (kind == CHOSEN && same(name, "bootargs")) {
		for (uint32_t i = 0; i < len && i < sizeof(b->args) - 1; i++)
			b->args[i] = (char)data[i];
	} else if (kind == MEMORY && same(name, "reg") && len >= 16 && !b->ram_size) {
		b->ram_base = (uint64_t)be32(data) << 32 | be32(data + 4);
		b->ram_size = (uint64_t)be32(data + 8) << 32 | be32(data + 12);
	} else if (kind == CPUS && same(name, "timebase-frequency") && len == 4) {
		b->timebase = be32(data);
	} else if (kind == CPU && starts_with(name, "riscv,isa")) {
		b->zkr |= names_extension(data, len, "zkr");
		b->ssccfg |= names_extension(data, len, "ssccfg");
	} else if (kind == CPU && same(name, "reg") && len >= 4 && b->nr_cpus < RT_MAX_HARTS) {
		b->cpu[b->nr_cpus++] = be32(data + len - 4);
	}
}

static const unsigned char *align4(const unsigned char *p, const unsigned char *base)
{
	return base + (((size_t)(p - base) + 3) & ~(size_t)3);
}

void dt_read(const void *dtb, struct boot_info *b)
{
	const unsigned char *base = dtb;
	const unsigned char *p, *end;
	const char *strings;
	enum node kind[8] = { OTHER };
	unsigned depth = 0;

	b->timebase = 10000000;
	if (!base || (rv_ulong)base % 4 || be32(base) != FDT_MAGIC)
		return;
	p = base + be32(base + 8);
	end = base + be32(base + 4);
	strings = (const char *)base + be32(base + 12);
	while (p + 12 <= end) {
		uint32_t token = be32(p);

		p += 4;
		if (token == FDT_BEGIN_NODE) {
			const char *name = (const char *)p;

			if (++depth < 8)
				kind[depth] = node_kind(name, depth, kind[depth - 1]);
			while (*p)
				p++;
			p = align4(p + 1, base);
		} else if (token == FDT_END_NODE) {
			if (--depth == 0)
				return;
		} else if (token == FDT_PROP) {
			uint32_t len = be32(p);

			if (depth < 8)
				take_prop(b, kind[depth], strings + be32(p + 4), p + 8, len);
			p = align4(p + 8 + len, base);
		} else if (token != FDT_NOP) {
			return;
		}
	}
}
