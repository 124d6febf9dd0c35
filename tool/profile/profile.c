// SPDX-License-Identifier: BSD-2-Clause
/*
 * profile.c - where events happened (profile.h).
 *
 * Maps from hashes to indices find objects, places and stacks that exist.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "hash.h"
#include "profile.h"
#include "profile_data.h"

#define NR_MAX (PROFILE_NONE - 1)

struct profile *profile_new(void)
{
	return calloc(1, sizeof(struct profile));
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->events.nr; i++)
		free(p->events.at[i].name);
	for (size_t i = 0; i < p->processes.nr; i++)
		free(p->processes.at[i].comm);
	for (size_t i = 0; i < p->objects.nr; i++) {
		free(p->objects.at[i].path);
		symbols_free(&p->objects.at[i].symbols);
		symbols_free(&p->objects.at[i].variables);
		free(p->objects.at[i].jitdump);
	}
	for (size_t i = 0; i < p->notes.nr; i++)
		free(p->notes.at[i]);
	free(p->notes.at);
	free(p->slices.at);
	free(p->slice_counts.at);
	profile_data_free(p->data);
	for (size_t i = 0; i < p->sums.nr; i++)
		free(p->sums.at[i]);
	free(p->sums.at);
	free(p->events.at);
	free(p->processes.at);
	free(p->objects.at);
	free(p->places.at);
	free(p->code.at);
	free(p->stacks.at);
	free(p->function.at);
	free(p->weights.at);
	for (size_t i = 0; i < p->memory.nr; i++)
		free(p->memory.at[i]);
	free(p->memory.at);
	free(p->parts.at);
	if (p->mapped)
		munmap(p->mapped, p->mapped_size);
	free(p->packed);
	free(p->packed_at);
	free(p->hostname);
	free(p->release);
	free(p->arch);
	free(p->command);
	free(p->cpu);
	free(p->extensions);
	free(p->kernel_symbol);
	idmap_free(&p->object_index);
	idmap_free(&p->place_index);
	idmap_free(&p->stack_index);
	free(p);
}

bool profile_cpu_has(const struct profile *p, const char *extension)
{
	const char *at = p->extensions;
	size_t len = strlen(extension);

	while (at && *at) {
		size_t word = strcspn(at, " ");

		if (word == len && !strncmp(at, extension, len))
			return true;
		at += word + strspn(at + word, " ");
	}
	return false;
}

/* Notes whether there was memory. */
static bool enough(struct profile *p, bool memory)
{
	p->no_memory |= !memory;
	return memory;
}

/* Makes room for one more element. */
#define GROW(p, array) enough(p, (array)->nr < NR_MAX && VEC_ROOM(array, 1))

static char *copied(struct profile *p, const char *text)
{
	char *new = strdup(text);

	enough(p, new);
	return new;
}

uint32_t profile_add_event(struct profile *p, const char *name, bool exact)
{
	char *copy;

	if (p->stacks.nr || !GROW(p, &p->events) || !(copy = copied(p, name)))
		return PROFILE_NONE;
	p->events.at[p->events.nr] = (struct profile_event){ copy, exact, 0, 0 };
	return p->events.nr++;
}

uint32_t profile_add_process(struct profile *p, int64_t pid, const char *comm)
{
	char *copy;

	if (!GROW(p, &p->processes) || !(copy = copied(p, comm)))
		return PROFILE_NONE;
	p->processes.at[p->processes.nr] = (struct profile_process){ pid, copy };
	return p->processes.nr++;
}

static uint64_t hash_of(const struct profile *p, const struct idmap *index, uint32_t i)
{
	if (index == &p->object_index)
		return hash_pair(fnv_text(p->objects.at[i].path), p->objects.at[i].kind);
	return hash_pair(p->places.at[i].addr,
			 (uint64_t)p->places.at[i].process << 32 | p->places.at[i].object);
}

static bool same(const struct profile *p, const struct idmap *index, uint32_t i, uint32_t j)
{
	const struct profile_object *a, *b;

	if (index == &p->place_index)
		return !memcmp(&p->places.at[i], &p->places.at[j], sizeof(struct profile_place));
	a = &p->objects.at[i];
	b = &p->objects.at[j];
	return a->kind == b->kind && !strcmp(a->path, b->path) &&
	       a->build_id_size == b->build_id_size &&
	       !memcmp(a->build_id, b->build_id, PROFILE_BUILD_ID);
}

/*
 * The caller has written element i after the others of its array.  Returns the index of an equal
 * element that was there before; if there is none, adds i to the map and returns i.  If two
 * elements have the same hash, the second uses the next free number.
 */
static uint32_t intern(struct profile *p, struct idmap *index, uint32_t i)
{
	uint64_t hash = hash_of(p, index, i);
	uint32_t old;

	while ((old = idmap_get(index, hash)) != IDMAP_NONE) {
		if (same(p, index, old, i))
			return old;
		hash++;
	}
	return enough(p, idmap_set(index, hash, i)) ? i : PROFILE_NONE;
}

uint32_t profile_add_object(struct profile *p, enum profile_kind kind, const char *path,
			    const void *build_id, size_t size)
{
	struct profile_object *o;
	uint32_t i;

	if (!GROW(p, &p->objects))
		return PROFILE_NONE;
	o = &p->objects.at[p->objects.nr];
	*o = (struct profile_object){ .kind = kind, .path = copied(p, path) };
	if (!o->path)
		return PROFILE_NONE;
	o->build_id_size = size < PROFILE_BUILD_ID ? size : PROFILE_BUILD_ID;
	if (size)
		memcpy(o->build_id, build_id, o->build_id_size);
	i = intern(p, &p->object_index, p->objects.nr);
	if (i == p->objects.nr)
		p->objects.nr++;
	else
		free(o->path);
	return i;
}

uint32_t profile_add_place(struct profile *p, uint32_t process, uint32_t object, uint64_t addr)
{
	uint32_t i;

	if (process == PROFILE_NONE || object == PROFILE_NONE || !GROW(p, &p->places))
		return PROFILE_NONE;
	p->places.at[p->places.nr] = (struct profile_place){ process, object, addr };
	i = intern(p, &p->place_index, p->places.nr);
	if (i == p->places.nr)
		p->places.nr++;
	return i;
}

void profile_set_code(struct profile *p, uint32_t place, uint32_t raw)
{
	if (place == PROFILE_NONE)
		return;
	while (p->code.nr <= place) {
		if (!GROW(p, &p->code))
			return;
		p->code.at[p->code.nr++] = 0;
	}
	p->code.at[place] = raw;
}

/* Makes room for the weights of one more stack, all 0. */
static bool grow_weights(struct profile *p)
{
	size_t nr = p->events.nr;

	if (!enough(p, VEC_ROOM(&p->weights, nr)))
		return false;
	if (nr)
		memset(&p->weights.at[p->weights.nr], 0, nr * sizeof(*p->weights.at));
	p->weights.nr += nr;
	return true;
}

uint32_t profile_add_stack(struct profile *p, uint32_t place, uint32_t caller)
{
	/* Both numbers of a stack fit into a key of the map. */
	uint64_t key = (uint64_t)place << 32 | caller;
	uint32_t i = idmap_get(&p->stack_index, key);

	if (i != IDMAP_NONE)
		return i;
	i = p->stacks.nr;
	if (place == PROFILE_NONE || !GROW(p, &p->stacks) ||
	    !enough(p, idmap_set(&p->stack_index, key, i)) || !grow_weights(p))
		return PROFILE_NONE;
	p->stacks.at[p->stacks.nr++] = (struct profile_stack){ place, caller };
	p->has_chains |= caller != PROFILE_NONE;
	return i;
}

void profile_add(struct profile *p, uint32_t stack, uint32_t event, uint64_t weight,
		 uint64_t samples)
{
	struct profile_weight *w;

	if (stack == PROFILE_NONE || event == PROFILE_NONE)
		return;
	w = &p->weights.at[(size_t)stack * p->events.nr + event];
	w->weight += weight;
	w->samples += samples;
	p->events.at[event].total += weight;
	p->events.at[event].samples += samples;
}

bool profile_column_part(struct profile_column *c)
{
	const struct profile_part *part;

	while (c->next < c->p->parts.nr && c->p->parts.at[c->next].event != c->event)
		c->next++;
	if (c->next == c->p->parts.nr)
		return false;
	part = &c->p->parts.at[c->next++];
	c->dense = part->dense;
	c->stack = part->dense ? UINT64_MAX : 0;
	c->stacks = leb_in_of(&part->stacks);
	c->counts = leb_in_of(&part->counts);
	return true;
}

bool profile_column_weight(struct profile_column *c, struct profile_stack_count *cell)
{
	const struct profile_weight *w;

	while (c->next < c->p->stacks.nr) {
		w = &c->p->weights.at[c->next * c->p->events.nr + c->event];
		c->next++;
		if (!w->weight && !w->samples)
			continue;
		*cell = (struct profile_stack_count){ (uint32_t)c->next - 1, w->weight,
						      w->samples };
		return true;
	}
	return false;
}

/* Where the counts of a stack begin is in packed_at of the next one, until they are there. */
bool profile_pack(struct profile *p)
{
	struct profile_stack_count cell;
	size_t *at;

	if (!p->has_parts || p->packed_at)
		return true;
	at = calloc(p->stacks.nr + 2, sizeof(*at));
	if (!enough(p, at))
		return false;
	for (uint32_t e = 0; e < p->events.nr; e++) {
		for (struct profile_column c = profile_column(p, e);
		     profile_column_next(&c, &cell);)
			at[cell.stack + 2] += leb_size(e) + leb_size(cell.weight);
	}
	for (size_t n = 2; n < p->stacks.nr + 2; n++)
		at[n] += at[n - 1];
	p->packed_at = at;
	p->packed = malloc(at[p->stacks.nr + 1] + 1);
	for (uint32_t e = 0; enough(p, p->packed) && e < p->events.nr; e++) {
		for (struct profile_column c = profile_column(p, e);
		     profile_column_next(&c, &cell);) {
			uint8_t *to = p->packed + at[cell.stack + 1];

			to = leb_write(leb_write(to, e), cell.weight);
			at[cell.stack + 1] = (size_t)(to - p->packed);
		}
	}
	return !p->no_memory;
}

void profile_add_note(struct profile *p, const char *text)
{
	char *copy;

	if (GROW(p, &p->notes) && (copy = copied(p, text)))
		p->notes.at[p->notes.nr++] = copy;
}

void profile_add_sum(struct profile *p, const char *name)
{
	char *copy;

	if (GROW(p, &p->sums) && (copy = copied(p, name)))
		p->sums.at[p->sums.nr++] = copy;
}

/* The slice below `nr` that has the interval, hart and process of s; nr: none. */
static size_t same_slice(const struct profile *p, size_t nr, const struct profile_slice *s)
{
	for (size_t n = nr; n-- > 0;) {
		const struct profile_slice *at = &p->slices.at[n];

		if (at->hart != s->hart)
			continue;
		if (at->interval < s->interval)
			break;
		if (at->process == s->process)
			return n;
	}
	return nr;
}

void profile_join_slices(struct profile *p)
{
	const size_t events = p->events.nr, bytes = events * sizeof(uint64_t);
	uint64_t *counts = p->slice_counts.at;
	size_t nr = 0;

	for (size_t n = 0; n < p->slices.nr; n++) {
		const struct profile_slice s = p->slices.at[n];
		size_t to = same_slice(p, nr, &s);

		if (to == nr) {
			p->slices.at[nr++] = s;
			memmove(&counts[to * events], &counts[n * events], bytes);
			continue;
		}
		for (size_t e = 0; e < events; e++)
			counts[to * events + e] += counts[n * events + e];
	}
	p->slices.nr = nr;
	p->slice_counts.nr = nr * events;
}
