// SPDX-License-Identifier: BSD-2-Clause
/*
 * cpu.c - reads a CPU's description: its node, its identity, its extensions (cpu.h).
 *
 * The blob is hostile until fdt_check_full has walked all of it.  The values in it stay hostile.
 *
 * Bindings: devicetree specification 0.4 §3.8, riscv/cpus.yaml, riscv/extensions.yaml.
 */
#include <ctype.h>
#include <libfdt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "isa.h"
#include "set.h"

const char *cpu_isa_name(unsigned n)
{
	return n < ISA_EXT_NR ? isa_ext_name[n] : NULL;
}

/* The extension with this name; ISA_EXT_NR: the machine does not implement it. */
static unsigned find_ext(const char *name, size_t len)
{
	unsigned n = 0;

	while (n < ISA_EXT_NR &&
	       (strlen(isa_ext_name[n]) != len || strncmp(isa_ext_name[n], name, len)))
		n++;
	return n;
}

/* The extensions that one of them needs. */
static const struct {
	uint8_t ext, needs;
} needs[] = {
#define NEEDS(a, b) { ISA_EXT_##a, ISA_EXT_##b },
#include "ext.def"
};

#define NEEDS_NR (sizeof(needs) / sizeof(*needs))

/* V and XTheadVector, and what needs one of them. */
static bool is_vector(unsigned ext)
{
	unsigned n = 0;

	while (n < NEEDS_NR && (needs[n].ext != ext || (needs[n].needs != ISA_EXT_V &&
							needs[n].needs != ISA_EXT_XTHEADVECTOR)))
		n++;
	return ext == ISA_EXT_V || ext == ISA_EXT_XTHEADVECTOR || n < NEEDS_NR;
}

/* Those that exclude each other. */
static const struct {
	uint8_t ext, with;
	const char *why;
} excludes[] = {
#define EXCLUDES(a, b, why) { ISA_EXT_##a, ISA_EXT_##b, why },
#include "ext.def"
};

#define EXCLUDES_NR (sizeof(excludes) / sizeof(*excludes))

static bool excludes_any(unsigned ext)
{
	unsigned n = 0;

	while (n < EXCLUDES_NR && excludes[n].ext != ext)
		n++;
	return n < EXCLUDES_NR;
}

struct isa_set cpu_isa_all(void)
{
	struct isa_set all = { 0 };

	for (unsigned n = 0; n < ISA_EXT_NR; n++) {
		if (!is_vector(n) && !excludes_any(n) && strncmp(isa_ext_name[n], "xthead", 6))
			isa_set_add(&all, n);
	}
	return all;
}

bool cpu_isa_any(const struct isa_set *s)
{
	uint64_t any = 0;

	for (unsigned n = 0; n < ISA_EXT_WORDS; n++)
		any |= s->word[n];
	return any;
}

/* The length of a vector register: ours in bits; T-Head's, which boards have, in bytes. */
static const char vlen_property[] = "holter,vlen", vlenb_property[] = "thead,vlenb";

/* As find_ext, for a description: ISA_EXT_NR also for vectors if it does not say VLEN. */
static unsigned described_ext(struct reader *r, int node, const char *name, size_t len)
{
	unsigned ext = find_ext(name, len);

	if (!is_vector(ext) || reader_has(r, node, vlen_property) ||
	    reader_has(r, node, vlenb_property))
		return ext;
	r->lacks_vlen = true;
	return ISA_EXT_NR;
}

/* V or XTheadVector, of an extension of vectors. */
static unsigned vectors_of(unsigned ext)
{
	return ext == ISA_EXT_XTHEADVECTOR || ext == ISA_EXT_XTHEADZVAMO ? ISA_EXT_XTHEADVECTOR
									 : ISA_EXT_V;
}

/* Whether the description names an extension, perhaps one that described_ext does not find. */
static bool is_said(struct reader *r, int node, unsigned ext)
{
	static const char *const lists[] = { "riscv,isa-extensions", "holter,added-extensions" };
	bool said = false;

	for (unsigned n = 0; n < 2; n++) {
		const char *name = reader_string(r, node, lists[n]);

		for (; name; name = reader_string_after(r, node, lists[n], name))
			said |= !strcmp(name, isa_ext_name[ext]);
	}
	return said;
}

/* described_ext has not found an extension that this property names. */
static void refuse_extension(struct reader *r, int node, const char *property, const char *name,
			     size_t len)
{
	unsigned ext = find_ext(name, len);
	int shown = len < 24 ? len : 24;

	if (is_vector(ext) && !is_said(r, node, vectors_of(ext)))
		reader_refuse(r, node, property, "'%.*s' needs '%s'", shown, name,
			      isa_ext_name[vectors_of(ext)]);
	else if (is_vector(ext))
		reader_refuse(r, node, vlen_property,
			      "missing property, which '%.*s' needs: the bits of a register", shown,
			      name);
	else
		reader_refuse(r, node, property, "the machine does not implement '%.*s'", shown,
			      name);
}

/* One extension that the description names. */
static void take_extension(struct reader *r, int node, const char *name, size_t len)
{
	unsigned ext = described_ext(r, node, name, len);

	if (ext < ISA_EXT_NR && r->complete && isa_set_has(&r->cpu->isa, ext))
		reader_refuse(r, node, "riscv,isa-extensions", "names '%s' twice",
			      isa_ext_name[ext]);
	else if (ext < ISA_EXT_NR)
		isa_set_add(&r->cpu->isa, ext);
	else if (r->complete)
		refuse_extension(r, node, "riscv,isa-extensions", name, len);
	else
		fprintf(r->left_out, " %.*s", (int)(len < 24 ? len : 24), name);
}

/* rv64imafdc_zicsr_...: letters, then words. */
static void read_isa_string(struct reader *r, int node, const char *text)
{
	if (strncmp(text, "rv64", 4)) {
		reader_refuse(r, node, "riscv,isa", "'%.20s' is not an rv64 ISA", text);
		return;
	}
	for (text += 4; islower((unsigned char)*text); text++)
		take_extension(r, node, text, 1);
	while (*text == '_') {
		size_t len = strcspn(++text, "_");

		take_extension(r, node, text, len);
		text += len;
	}
}

static void read_extensions(struct reader *r, int node)
{
	static const char property[] = "riscv,isa-extensions";
	const char *name = reader_string(r, node, property);
	const char *text = reader_string(r, node, "riscv,isa");

	if (!name && text && !r->complete) {
		read_isa_string(r, node, text);
		/* Older strings say i where these were part of it. */
		isa_set_add(&r->cpu->isa, ISA_EXT_ZICSR);
		isa_set_add(&r->cpu->isa, ISA_EXT_ZICNTR);
		isa_set_add(&r->cpu->isa, ISA_EXT_ZIFENCEI);
		isa_set_add(&r->cpu->isa, ISA_EXT_ZIHPM);
	} else if (!name) {
		reader_refuse(r, node, property, "missing property");
	}
	for (; name; name = reader_string_after(r, node, property, name))
		take_extension(r, node, name, strlen(name));
}

/* What the machine adds to the core, which riscv,isa-extensions describes as it is. */
static void read_added(struct reader *r, int node)
{
	static const char property[] = "holter,added-extensions";
	const char *name = reader_string(r, node, property);

	for (; name && !r->failed; name = reader_string_after(r, node, property, name)) {
		unsigned ext = described_ext(r, node, name, strlen(name));

		if (ext == ISA_EXT_NR) {
			refuse_extension(r, node, property, name, strlen(name));
			return;
		}
		if (isa_set_has(&r->cpu->isa, ext))
			reader_refuse(r, node, property, "the core has '%.24s' itself", name);
		isa_set_add(&r->cpu->isa_added, ext);
		isa_set_add(&r->cpu->isa, ext);
	}
}

/* Reads the extensions that the core has and the machine lacks. */
static void read_lacking(struct reader *r, int node)
{
	static const char property[] = "holter,lacking-extensions";
	const char *name = reader_string(r, node, property);

	for (; name && !r->failed; name = reader_string_after(r, node, property, name)) {
		if (described_ext(r, node, name, strlen(name)) < ISA_EXT_NR)
			reader_refuse(r, node, property, "the machine implements '%.24s'", name);
		fprintf(r->left_out, " %s", name);
	}
}

/*
 * VLEN, which V and XTheadVector need and nothing else has.  Vectors of V hold binary64; so do
 * those of XTheadVector, which check_needs finds.
 */
static void read_vlen(struct reader *r, int node)
{
	bool bits = reader_has(r, node, vlen_property);
	const char *property = bits ? vlen_property : vlenb_property;
	unsigned unit = bits ? 1 : 8; /* the bits that the property counts */
	uint32_t size = 0;

	if (!reader_has(r, node, property) || (!bits && !isa_has(&r->cpu->isa, ISA_EXT_VECTORS)))
		return;
	reader_cells(r, node, property, 1, UINT32_MAX, &size);
	if (r->failed)
		return;
	if (!isa_has(&r->cpu->isa, ISA_EXT_VECTORS))
		reader_refuse(r, node, property,
			      "riscv,isa-extensions names neither v nor xtheadvector");
	else if (isa_set_has(&r->cpu->isa, ISA_EXT_V) && !isa_set_has(&r->cpu->isa, ISA_EXT_D))
		reader_refuse(r, node, "riscv,isa-extensions", "'v' needs 'd'");
	else if (size < CPU_VLEN_MIN / unit || size > CPU_VLEN_MAX / unit || size & (size - 1))
		reader_refuse_number(r, node, property, size,
				     "%u is not a power of two from %u to %u", size,
				     CPU_VLEN_MIN / unit, CPU_VLEN_MAX / unit);
	r->cpu->vlen = size * unit;
}

/* Returns the names that read leaves out, each after a space; NULL if there are none. */
static char *left_out(struct reader *r, int node, void (*read)(struct reader *r, int node))
{
	char *text = NULL;
	size_t len = 0;

	r->left_out = open_memstream(&text, &len);
	if (!r->left_out) {
		reader_no_memory(r);
		return NULL;
	}
	read(r, node);
	if (fclose(r->left_out))
		reader_no_memory(r);
	if (len)
		return text;
	free(text);
	return NULL;
}

#define QUOTED_SIZE 40

/* 'd'; or, what needs two or one of two: 'c' and 'd', 'c' or 'zca' */
static const char *quoted(unsigned ext, char to[QUOTED_SIZE])
{
	unsigned a, b;
	bool both;

	if (isa_parts(ext, &a, &b, &both))
		snprintf(to, QUOTED_SIZE, "'%s' %s '%s'", isa_ext_name[a], both ? "and" : "or",
			 isa_ext_name[b]);
	else
		snprintf(to, QUOTED_SIZE, "'%s'", isa_ext_name[ext]);
	return to;
}

static void check_needs(struct reader *r, int node)
{
	const struct isa_set *has = &r->cpu->isa;
	char name[QUOTED_SIZE];

	for (size_t n = 0; n < NEEDS_NR && !r->failed; n++) {
		if (isa_set_has(has, needs[n].ext) && !isa_has(has, needs[n].needs))
			reader_refuse(r, node, "riscv,isa-extensions", "'%s' needs %s",
				      isa_ext_name[needs[n].ext], quoted(needs[n].needs, name));
	}
}

static void check_excludes(struct reader *r, int node)
{
	const struct isa_set *has = &r->cpu->isa;

	for (size_t n = 0; n < EXCLUDES_NR && !r->failed; n++) {
		if (isa_set_has(has, excludes[n].ext) && isa_has(has, excludes[n].with))
			reader_refuse(r, node, "riscv,isa-extensions", "'%s' %s",
				      isa_ext_name[excludes[n].ext], excludes[n].why);
	}
}

/* Extensions of page tables, which riscv,none has not. */
static void check_paging(struct reader *r, int node)
{
	static const uint8_t paging[] = { ISA_EXT_SVNAPOT, ISA_EXT_SVPBMT, ISA_EXT_SVVPTC };

	for (size_t n = 0; n < sizeof(paging) && r->cpu->mmu == CPU_MMU_NONE; n++) {
		if (isa_set_has(&r->cpu->isa, paging[n]))
			reader_refuse(r, node, "mmu-type",
				      "'riscv,none' has no page tables, which '%s' needs",
				      isa_ext_name[paging[n]]);
	}
}

static void read_isa(struct reader *r, int node)
{
	const char *base = reader_string(r, node, "riscv,isa-base");
	static const uint8_t least[] = { ISA_EXT_I, ISA_EXT_M, ISA_EXT_A, ISA_EXT_ZICSR,
					 ISA_EXT_ZICNTR };
	char *names;

	if (base && strcmp(base, "rv64i"))
		reader_refuse(r, node, "riscv,isa-base", "'%.20s' is not rv64i", base);
	r->lacks_vlen = false;
	names = left_out(r, node, read_extensions);
	if (names)
		reader_note(r, node, "left out: extension%s%s%s", strchr(names + 1, ' ') ? "s" : "",
			    names,
			    r->lacks_vlen ? "; vectors need holter,vlen, the bits of a register"
					  : "");
	free(names);
	isa_set_close(&r->cpu->isa);
	read_added(r, node);
	isa_set_close(&r->cpu->isa);
	if (!r->failed)
		read_vlen(r, node);
	r->cpu->lacking = left_out(r, node, read_lacking);
	if (r->cpu->lacking)
		reader_printable(r->cpu->lacking);
	for (size_t n = 0; n < sizeof(least); n++) {
		if (!isa_set_has(&r->cpu->isa, least[n]) && !r->failed)
			reader_refuse(r, node, "riscv,isa-extensions",
				      "the machine always has i, m, a, zicsr and zicntr");
	}
	if (!r->failed)
		check_needs(r, node);
	if (!r->failed)
		check_excludes(r, node);
	if (!r->failed)
		check_paging(r, node);
}

const char *const cpu_mmu_type[CPU_MMU_NR] = {
	[CPU_MMU_NONE] = "riscv,none",
	[CPU_MMU_SV39] = "riscv,sv39",
	[CPU_MMU_SV48] = "riscv,sv48",
	[CPU_MMU_SV57] = "riscv,sv57",
};

static void read_identity(struct reader *r, int node)
{
	const char *text = reader_string(r, node, "compatible");
	struct cpu *cpu = r->cpu;
	uint8_t mmu = CPU_MMU_SV39;

	if (!text && r->complete)
		reader_refuse(r, node, "compatible", "missing property");
	snprintf(cpu->compatible, sizeof(cpu->compatible), "%s", text ? text : "riscv");
	text = reader_string(r, 0, "model");
	if (!text && r->complete)
		reader_refuse(r, 0, "model", "missing property");
	snprintf(cpu->model, sizeof(cpu->model), "%s", text ? text : cpu->compatible);
	reader_printable(cpu->model);
	reader_printable(cpu->compatible);
	reader_needs(r, node, "holter,mvendorid", 0, UINT32_MAX, &cpu->mvendorid);
	reader_needs(r, node, "holter,marchid", 0, UINT64_MAX, &cpu->marchid);
	reader_needs(r, node, "holter,mimpid", 0, UINT64_MAX, &cpu->mimpid);
	if (!reader_has(r, node, "mmu-type") && !r->complete)
		reader_note(r, node, "no mmu-type: riscv,sv39");
	else if (!reader_has(r, node, "mmu-type"))
		reader_refuse(r, node, "mmu-type", "missing property");
	reader_choice(r, node, "mmu-type", cpu_mmu_type, CPU_MMU_NR, &mmu);
	cpu->mmu = mmu;
	cpu->trap_misaligned = reader_flag(r, node, "holter,misaligned-trap");
	for (unsigned n = 0; n < 3; n++) {
		static const char *const blocks[] = { "riscv,cbom-block-size",
						      "riscv,cboz-block-size",
						      "riscv,cbop-block-size" };
		uint64_t bytes = CPU_CBO_BYTES;

		if (reader_number(r, node, blocks[n], &bytes) && bytes != CPU_CBO_BYTES)
			reader_refuse(r, node, blocks[n], "the machine has only blocks of %u",
				      CPU_CBO_BYTES);
	}
}

/* The clock.  Trees of boards say 0 if their firmware sets it. */
static void read_clock(struct reader *r, int node)
{
	static const char property[] = "clock-frequency";
	uint64_t hz = CPU_HZ, found = 0;

	if (!r->complete && reader_number(r, node, property, &found) && !found)
		reader_note(r, node, "%s is 0: %u", property, CPU_HZ);
	else
		reader_needs(r, node, property, CPU_HZ_MIN, CPU_HZ_MAX, &hz);
	r->cpu->hz = hz;
}

/* Zic64b is a promise about the size of cache lines, and of the blocks of cbo instructions. */
static void check_blocks(struct reader *r, int node)
{
	unsigned line = r->models->hierarchy.l1d.line;

	if (!isa_set_has(&r->cpu->isa, ISA_EXT_ZIC64B) || line == CPU_CBO_BYTES)
		return;
	if (r->complete)
		reader_refuse(r, node, "riscv,isa-extensions",
			      "zic64b needs lines of %u bytes, not of %u", CPU_CBO_BYTES, line);
	isa_set_remove(&r->cpu->isa, ISA_EXT_ZIC64B);
}

/* Copies a checked blob to cpu->fdt, and makes the changes of --set in the copy. */
static void take_tree(struct reader *r, const void *blob, const char *const *sets, size_t nr)
{
	size_t size = fdt_totalsize(blob), room = size + cpu_set_room(sets, nr);
	struct cpu *cpu = r->cpu;

	cpu->fdt = malloc(room);
	if (!cpu->fdt) {
		reader_no_memory(r);
		return;
	}
	r->fdt = memcpy(cpu->fdt, blob, size);
	r->complete = !fdt_node_check_compatible(r->fdt, 0, "holter,cpu");
	if (nr && fdt_open_into(blob, cpu->fdt, (int)room))
		reader_refuse(r, 0, NULL, "--set cannot change this tree: dtc can repair it");
	else if (nr)
		cpu_set(r, cpu->fdt, sets, nr);
	if (!r->failed)
		cpu->identity = fnv_add(FNV_START, cpu->fdt, fdt_totalsize(cpu->fdt));
}

/* Reads everything.  Stops at the first error. */
static void read_all(struct reader *r)
{
	int node = r->failed ? -1 : reader_cpu(r);

	if (!r->failed)
		read_identity(r, node);
	if (!r->failed)
		read_isa(r, node);
	if (!r->failed)
		read_clock(r, node);
	if (!r->failed)
		cpu_read_shape(r, node);
	if (!r->failed)
		check_blocks(r, node);
	if (!r->failed)
		cpu_read_pmu(r);
	reader_refuse_unread(r);
	if (r->complete)
		reader_refuse_unknown(r);
}

struct cpu *cpu_read(const void *blob, size_t size, const char *file, const char *const *sets,
		     size_t nr, struct error_text *why)
{
	struct reader r = { .fdt = blob, .file = file, .why = why };

	/* Versions older than 17, which Linux refuses too, can crash libfdt 1.6. */
	if (size < sizeof(struct fdt_header) || fdt_version(blob) < 17 ||
	    fdt_check_full(blob, size)) {
		error_set(why, "%.200s: not a device tree, or a damaged one", file);
		return NULL;
	}
	r.cpu = calloc(1, sizeof(*r.cpu));
	r.models = calloc(1, sizeof(*r.models));
	if (!r.cpu || !r.models) {
		reader_no_memory(&r);
		free(r.cpu);
		free(r.models);
		return NULL;
	}
	r.cpu->models = r.models;
	snprintf(r.cpu->name, sizeof(r.cpu->name), "%s", file);
	take_tree(&r, blob, sets, nr);
	read_all(&r);
	free(r.changes.at);
	if (!r.failed)
		return r.cpu;
	cpu_free(r.cpu);
	return NULL;
}

void cpu_free(struct cpu *cpu)
{
	for (size_t n = 0; n < cpu->notes.nr; n++)
		free(cpu->notes.at[n]);
	free(cpu->notes.at);
	for (size_t n = 0; n < cpu->sets.nr; n++)
		free(cpu->sets.at[n]);
	free(cpu->sets.at);
	free(cpu->fdt);
	free(cpu->lacking);
	free((void *)cpu->models);
	free(cpu);
}
