// SPDX-License-Identifier: BSD-2-Clause
/*
 * resolve.c - maps places to functions, source lines and inlined calls (report.h).
 *
 * Symbols in the profile take precedence: those of the kernel are from the kernel that ran.
 * Symbols of a file are used only if the file is the build that ran.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "demangle.h"
#include "file.h"
#include "fit.h"
#include "hash.h"
#include "holter.h"
#include "report.h"
#include "term.h"

#define INLINED_MAX 32
#define VDSO_PAGES  16 /* more than any vDSO has */

/* Notes whether there was memory. */
static bool enough(struct report *r, bool memory)
{
	r->p->no_memory |= !memory;
	return memory;
}

/* If two texts have the same hash, the second uses the next free number. */
uint32_t report_string(struct report *r, const char *text)
{
	uint64_t hash;
	uint32_t i;
	char *copy;

	if (!text)
		return PROFILE_NONE;
	hash = fnv_text(text);
	while ((i = idmap_get(&r->string_index, hash)) != IDMAP_NONE) {
		if (!strcmp(r->strings.at[i], text))
			return i;
		hash++;
	}
	copy = strdup(text);
	if (!enough(r, copy && VEC_ROOM(&r->strings, 1) &&
			       idmap_set(&r->string_index, hash, r->strings.nr))) {
		free(copy);
		return PROFILE_NONE;
	}
	r->strings.at[r->strings.nr] = copy;
	return r->strings.nr++;
}

static uint32_t function_text(struct report *r, const char *name)
{
	char *plain = demangle(name);
	uint32_t text = report_string(r, plain ? plain : name);

	free(plain);
	return text;
}

uint32_t report_add_function(struct report *r, uint32_t object, const char *name, uint64_t addr,
			     uint64_t end)
{
	uint32_t text = function_text(r, name), first, i;
	uint64_t key = (uint64_t)object << 32 | text;

	first = idmap_get(&r->function_index, key);
	for (i = first; i != IDMAP_NONE; i = r->functions.at[i].next) {
		if (r->functions.at[i].addr == addr)
			return i;
	}
	i = r->functions.nr;
	if (text == PROFILE_NONE ||
	    !enough(r, VEC_ROOM(&r->functions, 1) && idmap_set(&r->function_index, key, i)))
		return PROFILE_NONE;
	r->functions.at[r->functions.nr++] = (struct report_function){ object, text, addr, end,
								       first };
	return i;
}

/* Looks below symfs for a kernel with debugging information, where distributions install it. */
static bool find_vmlinux(const struct report *r, const struct profile_object *o, char *path,
			 size_t room)
{
	static const char *const places[] = {
		"/usr/lib/debug/boot/vmlinux-%s",
		"/usr/lib/debug/lib/modules/%s/vmlinux",
		"/lib/modules/%s/build/vmlinux",
		"/boot/vmlinux-%s",
	};

	if (elf_image_by_id(path, room, r->o->symfs, o->build_id, o->build_id_size))
		return true;
	for (size_t i = 0; r->p->release && i < sizeof(places) / sizeof(*places); i++) {
		snprintf(path, room, places[i], r->p->release);
		if (file_is_there(r->o->symfs, path))
			return true;
	}
	return false;
}

/* Computes the KASLR offset of the kernel from the address of one of its symbols. */
static bool kernel_bias(const struct report *r, struct elf_image *elf, int64_t *bias)
{
	const struct symbol_table *t = elf_image_symbols(elf);

	*bias = 0;
	if (!r->p->kernel_symbol)
		return true;
	for (size_t i = 0; i < t->nr; i++) {
		if (!strcmp(t->at[i].name, r->p->kernel_symbol)) {
			*bias = r->p->kernel_addr - t->at[i].addr;
			return true;
		}
	}
	return false;
}

static void open_kernel(struct report *r, const struct profile_object *o,
			struct report_image *image)
{
	char path[4096];

	image->why = "there is no kernel with symbols here; --kallsyms names those of its machine";
	if (r->o->vmlinux)
		image->elf = elf_image_open(r->o->vmlinux, r->o->symfs, o->build_id,
					    o->build_id_size, &image->why);
	else if (find_vmlinux(r, o, path, sizeof(path)))
		image->elf = elf_image_open_under(r->o->symfs, path, o->build_id, o->build_id_size,
						  &image->why);
	if (image->elf && !kernel_bias(r, image->elf, &image->bias)) {
		image->why = elf_image_lacks_memory(image->elf)
				     ? elf_no_memory
				     : "its file lacks the symbol that tells where it was loaded";
		elf_image_close(image->elf);
		image->elf = NULL;
	}
}

static void open_file(struct report *r, const struct profile_object *o, struct report_image *image)
{
	image->elf = elf_image_find(o->path, r->o->symfs, o->build_id, o->build_id_size,
				    &image->why);
	image->bias = o->bias;
	/* No remark on stripped libraries: their dynamic symbols still give names. */
	if (image->elf && (!elf_image_symbols(image->elf)->nr ||
			   (o->kind == PROFILE_FIRMWARE && elf_image_is_stripped(image->elf))))
		image->why = "it is stripped, and no file with its symbols is there";
}

/* Opens this process's own vDSO, if it has the build id of the profile's. */
static void open_vdso(struct report *r, const struct profile_object *o, struct report_image *image)
{
	const char *own = (const char *)getauxval(AT_SYSINFO_EHDR);
	long size = own ? VDSO_PAGES * sysconf(_SC_PAGESIZE) : 0;
	int fd = memfd_create("vdso", MFD_CLOEXEC);
	char path[32];

	image->why = "it is of another kernel than this machine's, or it is not said of which";
	if (fd >= 0 && size && o->build_id_size) {
		/* Its size is unknown: write(2) stops at the first unmapped page. */
		ssize_t len = write(fd, own, size);

		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		if (len > 0)
			image->elf = elf_image_open(path, r->o->symfs, o->build_id,
						    o->build_id_size, &image->why);
	}
	if (fd >= 0)
		close(fd);
}

/* Returns whether the user named the file: then a remark tells why it cannot be used. */
static bool is_named(const struct report *r, const struct profile_object *o)
{
	return r->o->vmlinux && o->kind == PROFILE_KERNEL;
}

struct elf_image *report_image(struct report *r, uint32_t object)
{
	struct report_image *image = &r->images[object];
	const struct profile_object *o = &r->p->objects.at[object];

	if (image->tried)
		return image->elf;
	image->tried = true;
	switch (o->kind) {
	case PROFILE_USER:
	case PROFILE_FIRMWARE:
		open_file(r, o, image);
		break;
	case PROFILE_KERNEL:
		open_kernel(r, o, image);
		break;
	case PROFILE_VDSO:
		open_vdso(r, o, image);
		break;
	default:
		break;
	}
	r->p->no_memory |= image->why == elf_no_memory || elf_image_lacks_memory(image->elf);
	if (o->symbols.nr && !is_named(r, o))
		image->why = NULL;
	return image->elf;
}

bool report_elf_address(struct report *r, uint32_t object, uint64_t addr, uint64_t *elf_addr)
{
	struct elf_image *elf = report_image(r, object);

	if (!elf)
		return false;
	if (profile_has_offsets(&r->p->objects.at[object]))
		return elf_image_address(elf, addr, elf_addr);
	*elf_addr = addr - r->images[object].bias;
	return true;
}

const char *report_symbol(struct report *r, uint32_t object, uint64_t addr, uint64_t *distance)
{
	const struct symbol_table *t = &r->p->objects.at[object].symbols;
	const struct symbol *s;
	uint32_t text;

	if (!t->nr) {
		if (!report_elf_address(r, object, addr, &addr))
			return NULL;
		t = elf_image_symbols(report_image(r, object));
	}
	s = symbols_find(t, addr);
	text = s ? function_text(r, s->name) : PROFILE_NONE;
	if (text == PROFILE_NONE)
		return NULL;
	if (!r->o->json)
		term_printable(r->strings.at[text]);
	*distance = addr - s->addr;
	return r->strings.at[text];
}

/* Returns the function that contains a place, without regard to inlining. */
static uint32_t function_of(struct report *r, const struct profile_place *place)
{
	const struct profile_object *o = &r->p->objects.at[place->object];
	const struct symbol_table *t = &o->symbols;
	const struct symbol *s = symbols_find(t, place->addr);
	uint64_t elf_addr, start, end;

	if (o->kind == PROFILE_ANON && !t->nr) {
		t = NULL;
		s = jit_find(&r->jit, r->o->symfs, r->p->processes.at[place->process].pid,
			     place->addr);
		enough(r, !r->jit.no_memory);
	}
	if (s)
		return report_add_function(r, place->object, s->name, s->addr,
					   t ? symbols_end(t, s) : s->addr + s->size);
	if (t && !t->nr && report_elf_address(r, place->object, place->addr, &elf_addr)) {
		t = elf_image_symbols(report_image(r, place->object));
		s = symbols_find(t, elf_addr);
		if (s) {
			start = place->addr - (elf_addr - s->addr);
			end = symbols_end(t, s);
			end = end == UINT64_MAX ? end : start + (end - s->addr);
			return report_add_function(r, place->object, s->name, start, end);
		}
	}
	if (o->kind == PROFILE_UNKNOWN || o->kind == PROFILE_ANON || o->kind == PROFILE_VDSO)
		return report_add_function(r, place->object, o->path, 0, 0);
	return report_add_function(r, place->object, "[no symbol]", 0, 0);
}

uint64_t report_function_number(void *cookie, const struct profile_place *place)
{
	struct report *r = cookie;
	const struct symbol_table *t = &r->p->objects.at[place->object].symbols;
	uint64_t addr = place->addr;
	const struct symbol *s;

	if (!r->images)
		r->images = calloc(r->p->objects.nr + 1, sizeof(*r->images));
	if (!enough(r, r->images))
		return 0;
	if (!t->nr) {
		if (!report_elf_address(r, place->object, addr, &addr))
			return 0;
		t = elf_image_symbols(report_image(r, place->object));
	}
	s = symbols_find(t, addr);
	return s ? s->addr + 1 : 0;
}

void report_close_images(struct report *r)
{
	for (uint32_t i = 0; r->images && i < r->p->objects.nr; i++)
		elf_image_close(r->images[i].elf);
	free(r->images);
	r->images = NULL;
}

static bool add_frame(struct report *r, const struct report_frame *frame)
{
	return enough(r, VEC_PUSH(&r->frames, *frame));
}

static bool resolve_place(struct report *r, uint32_t n)
{
	const struct profile_place *place = &r->p->places.at[n];
	uint32_t function = function_of(r, place);
	struct source_line lines[INLINED_MAX];
	uint64_t elf_addr;
	size_t nr = 0;

	r->spans[n] = (struct report_span){ r->frames.nr, 1 };
	if (r->o->lines && report_elf_address(r, place->object, place->addr, &elf_addr))
		nr = elf_image_lines(report_image(r, place->object), elf_addr, lines, INLINED_MAX);
	r->p->no_memory |= elf_image_lacks_memory(r->images[place->object].elf);
	for (size_t i = 0; i + 1 < nr; i++) {
		const char *name = lines[i].function ? lines[i].function : "[inlined]";
		struct report_frame frame = { report_add_function(r, place->object, name, 0, 0),
					      report_string(r, lines[i].file), lines[i].line,
					      true };

		if (!add_frame(r, &frame))
			return false;
		r->spans[n].nr++;
	}
	return add_frame(r, &(struct report_frame){ function,
						    nr ? report_string(r, lines[nr - 1].file)
						       : PROFILE_NONE,
						    nr ? lines[nr - 1].line : 0, false });
}

/* Makes names and paths printable.  From here on they are only shown; no files are opened. */
static void make_printable(struct report *r)
{
	for (size_t i = 0; i < r->strings.nr; i++)
		term_printable(r->strings.at[i]);
	for (size_t i = 0; i < r->p->objects.nr; i++)
		term_printable(r->p->objects.at[i].path);
}

bool report_resolve(struct report *r)
{
	struct progress progress = progress_begin("looking up symbols");
	bool good = true;

	r->images = calloc(r->p->objects.nr + 1, sizeof(*r->images));
	r->spans = calloc(r->p->places.nr + 1, sizeof(*r->spans));
	good = r->images && r->spans;
	for (uint32_t i = 0; good && i < r->p->places.nr; i++) {
		good = resolve_place(r, i) && !r->p->no_memory;
		progress_step(&progress, i, r->p->places.nr);
	}
	progress_end(&progress);
	if (!r->o->json)
		make_printable(r);
	if (!good)
		holter_error("%s: out of memory for its symbols", r->path);
	return good;
}

bool report_is_summed_right(const struct report *r)
{
	const struct profile *p = r->p;
	struct idmap first = { 0 }; /* the first place of a function */
	bool right = true;

	for (uint32_t n = 0; right && n < p->function.nr; n++) {
		uint32_t place = idmap_get(&first, p->function.at[n]);
		const struct report_span *span = &r->spans[n], *other;

		if (place == IDMAP_NONE) {
			right = idmap_set(&first, p->function.at[n], n);
			continue;
		}
		other = &r->spans[place];
		right = r->frames.at[span->first + span->nr - 1].function ==
			r->frames.at[other->first + other->nr - 1].function;
	}
	idmap_free(&first);
	return right;
}

const char *report_object_name(const struct report *r, uint32_t object)
{
	const char *path = r->p->objects.at[object].path, *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

void report_notes(const struct report *r, void (*line)(void *cookie, const char *text),
		  void *cookie)
{
	char text[4608], number[FIT_NUMBER_SIZE], all[FIT_NUMBER_SIZE];

	if (r->p->lost) {
		snprintf(text, sizeof(text), "%s samples were lost, and are not in these numbers",
			 fit_number(number, r->p->lost));
		line(cookie, text);
	}
	if (r->p->throttled) {
		snprintf(text, sizeof(text),
			 "the kernel held back samples %s times; a longer period avoids that",
			 fit_number(number, r->p->throttled));
		line(cookie, text);
	}
	if (r->p->stacks_unwound < r->p->stack_copies) {
		snprintf(text, sizeof(text),
			 "callers in programs are missing in %s of %s samples: their files, or "
			 "what these say of frames (.eh_frame), are not here; see --symfs",
			 fit_number(number, r->p->stack_copies - r->p->stacks_unwound),
			 fit_number(all, r->p->stack_copies));
		line(cookie, text);
	}
	for (size_t i = 0; i < r->p->notes.nr; i++)
		line(cookie, r->p->notes.at[i]);
	for (uint32_t i = 0; r->images && i < r->p->objects.nr; i++) {
		if (!r->images[i].why)
			continue;
		snprintf(text, sizeof(text), "%s has no %s: %s", r->p->objects.at[i].path,
			 r->p->objects.at[i].symbols.nr ? "source lines" : "symbols",
			 r->images[i].why);
		line(cookie, text);
	}
}
