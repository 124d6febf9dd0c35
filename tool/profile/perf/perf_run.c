// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf_run.c - follows the records of a perf.data file in the order of their time (perf_reader.h).
 */
#include <stdio.h>
#include <string.h>

#include "perf_internal.h"
#include "term.h"

/* Turns "/lib/modules/6.1/kernel/fs/ext4/ext4.ko.xz" into "[ext4]", the name in kallsyms. */
static void module_name(const char *path, char *name, size_t size)
{
	const char *base = strrchr(path, '/'), *end;

	base = base ? base + 1 : path;
	if (*base == '[') {
		snprintf(name, size, "%s", base);
		return;
	}
	end = strstr(base, ".ko");
	snprintf(name, size, "[%.*s]", (int)(end ? end - base : (int)strlen(base)), base);
	for (char *c = name; *c; c++) {
		if (*c == '-')
			*c = '_';
	}
}

static uint32_t kernel_object(struct perf_reader *r, const char *path)
{
	char name[256];

	if (!strncmp(path, PERF_DATA_KERNEL, strlen(PERF_DATA_KERNEL)))
		return profile_add_object(r->p, PROFILE_KERNEL, "[kernel]", NULL, 0);
	module_name(path, name, sizeof(name));
	return profile_add_object(r->p, PROFILE_MODULE, name, NULL, 0);
}

/* False: the path names no file on a disk, but anonymous or shared memory. */
static bool is_file(const char *path)
{
	static const char *const no_files[] = { "//anon", "/dev/zero", "/anon_hugepage",
						"/memfd:", "/SYSV" };

	if (path[0] != '/')
		return false;
	for (size_t i = 0; i < sizeof(no_files) / sizeof(*no_files); i++) {
		if (!strncmp(path, no_files[i], strlen(no_files[i])))
			return false;
	}
	return true;
}

static uint32_t user_object(struct perf_reader *r, const char *path, const uint8_t *id, size_t size)
{
	if (is_file(path))
		return profile_add_object(r->p, PROFILE_USER, path, id, size);
	if (!strcmp(path, "[vdso]"))
		return profile_add_object(r->p, PROFILE_VDSO, path, id, size);
	if (!strncmp(path, "//anon", 6) || !*path)
		path = "[anonymous memory]";
	return profile_add_object(r->p, PROFILE_ANON, path, NULL, 0);
}

/* Adds the mapping of a PERF_RECORD_MMAP or PERF_RECORD_MMAP2. */
static bool mmap_record(struct perf_reader *r, const struct perf_event_header *h, struct in *in)
{
	int32_t pid = get32(in);
	struct perf_space *space = &r->kernel;
	struct perf_map map;
	uint8_t id[24] = { 0 };
	uint64_t len;

	get32(in);
	map.start = get64(in);
	len = get64(in);
	map.pgoff = get64(in);
	if (h->type == PERF_RECORD_MMAP2) {
		in_get(in, id, sizeof(id));
		get64(in); /* protection and flags */
		if (!(h->misc & PERF_DATA_MISC_MMAP_BUILD_ID))
			id[0] = 0;
	}
	if (in->bad || !memchr(in->at, '\0', in->end - in->at))
		return perf_damaged(r, in->at, "a record of a mapping is truncated");
	if (!len || map.start + len - 1 < map.start || h->misc & PERF_RECORD_MISC_MMAP_DATA)
		return true;
	map.end = map.start + len - 1;
	switch (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_KERNEL:
		map.object = kernel_object(r, in->at);
		break;
	case PERF_RECORD_MISC_USER:
		map.object = user_object(r, in->at, id + 4, id[0]);
		space = perf_space(r, pid);
		break;
	default:
		return true;
	}
	if (map.object == PROFILE_NONE)
		return perf_refuse(r, "out of memory");
	if (!space || !perf_map_add(r, space, &map))
		return false;
	if (space == &r->kernel)
		return true;
	if (perf_is_jitdump(in->at))
		return perf_jit_open(r, pid, in->at);
	return r->p->objects.at[map.object].kind != PROFILE_USER ||
	       perf_generated_replace(r, space, &map);
}

/*
 * Notes the code of a PERF_RECORD_KSYMBOL.  add_ksymbols() adds its symbol only after the last
 * sample: other code may get the same address later, and samples must not find the old symbol
 * there.
 */
static bool ksymbol_record(struct perf_reader *r, struct in *in)
{
	uint64_t addr = get64(in), words = get64(in), size = (uint32_t)words;
	bool is_bpf = (words >> 32 & 0xffff) == PERF_RECORD_KSYMBOL_TYPE_BPF;
	struct perf_map map = { addr, addr + size - 1, 0, PROFILE_NONE };

	if (in->bad || !memchr(in->at, '\0', in->end - in->at))
		return perf_damaged(r, in->at, "the name of a kernel symbol is truncated");
	if (words >> 48 & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER || !size || map.end < addr)
		return true;
	map.object = profile_add_object(r->p, PROFILE_MODULE, is_bpf ? "[bpf]" : "[trampolines]",
					NULL, 0);
	if (map.object == PROFILE_NONE)
		return perf_refuse(r, "out of memory");
	if (!PERF_GROW(r, &r->ksymbols))
		return false;
	r->ksymbols.at[r->ksymbols.nr++] = (struct perf_ksymbol){ addr, size, in->at, map.object };
	return perf_map_add(r, &r->written, &map);
}

static void add_ksymbols(struct perf_reader *r)
{
	for (size_t i = 0; i < r->ksymbols.nr; i++) {
		const struct perf_ksymbol *k = &r->ksymbols.at[i];

		if (!symbols_add(&r->p->objects.at[k->object].symbols, k->addr, k->size, k->name,
				 strlen(k->name), SYMBOL_GLOBAL))
			r->p->no_memory = true;
	}
	for (size_t i = 0; r->ksymbols.nr && i < r->p->objects.nr; i++)
		symbols_sort(&r->p->objects.at[i].symbols);
}

static bool comm_record(struct perf_reader *r, const struct perf_event_header *h, struct in *in)
{
	int32_t pid = get32(in), tid = get32(in);

	if (in->bad || !memchr(in->at, '\0', in->end - in->at))
		return perf_damaged(r, in->at, "the name of a process is truncated");
	return perf_comm(r, pid, tid, in->at, h->misc & PERF_RECORD_MISC_COMM_EXEC);
}

static bool fork_record(struct perf_reader *r, struct in *in)
{
	int32_t pid = get32(in), ppid = get32(in), tid = get32(in), ptid = get32(in);

	return in->bad ? perf_damaged(r, in->at, "a record of a fork is truncated")
		       : perf_fork(r, pid, ppid, tid, ptid);
}

static bool run_record(struct perf_reader *r, const struct perf_event_header *at)
{
	struct perf_event_header h;
	struct in in;

	memcpy(&h, at, sizeof(h));
	in = (struct in){ (const char *)at + sizeof(h), (const char *)at + h.size, false };
	switch (h.type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return mmap_record(r, &h, &in);
	case PERF_RECORD_COMM:
		return comm_record(r, &h, &in);
	case PERF_RECORD_FORK:
		return fork_record(r, &in);
	case PERF_RECORD_KSYMBOL:
		return ksymbol_record(r, &in);
	case PERF_RECORD_SAMPLE:
		return perf_sample(r, at);
	case PERF_RECORD_LOST:
		get64(&in); /* the event's id; how many is next */
		r->p->lost += get64(&in);
		return true;
	case PERF_RECORD_LOST_SAMPLES:
		r->p->lost += get64(&in);
		return true;
	case PERF_RECORD_THROTTLE:
		r->p->throttled++;
		return true;
	default:
		return true;
	}
}

/* Takes build ids from the file's table for the objects whose mappings had none. */
static void set_build_ids(struct perf_reader *r)
{
	for (size_t i = 0; i < r->build_ids.nr; i++) {
		const struct perf_build_id *b = &r->build_ids.at[i];
		bool kernel = !strcmp(b->path, PERF_DATA_KERNEL);

		for (size_t j = 0; j < r->p->objects.nr; j++) {
			struct profile_object *o = &r->p->objects.at[j];

			if (o->build_id_size ||
			    (kernel ? o->kind != PROFILE_KERNEL : strcmp(o->path, b->path) != 0))
				continue;
			memcpy(o->build_id, b->id, b->size);
			o->build_id_size = b->size;
		}
	}
}

const uint8_t *perf_reader_kernel_id(const struct perf_reader *r, size_t *size)
{
	for (size_t i = 0; i < r->build_ids.nr; i++) {
		*size = r->build_ids.at[i].size;
		if (!strcmp(r->build_ids.at[i].path, PERF_DATA_KERNEL))
			return r->build_ids.at[i].id;
	}
	return NULL;
}

bool perf_reader_run(struct perf_reader *r, const struct perf_unwinder *unwinder,
		     struct error_text *why)
{
	struct progress progress = progress_begin("reading samples");
	bool good = true;

	r->why = why;
	r->unwinder = unwinder;
	for (size_t i = 0; good && i < r->records.nr; i++) {
		good = run_record(r, r->records.at[i].at);
		progress_step(&progress, i, r->records.nr);
	}
	progress_end(&progress);
	set_build_ids(r);
	add_ksymbols(r);
	return good && (!r->p->no_memory || perf_refuse(r, "out of memory"));
}
