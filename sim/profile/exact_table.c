// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_table.c - the hash tables of an exact profile, and the memory of their elements
 * (exact_parts.h).
 */
#include <stdlib.h>

#include "exact_parts.h"
#include "hash.h"

struct node *exact_find(const struct table *t, uint64_t a, uint64_t b)
{
	struct node *n = t->size ? t->bucket[hash_pair(a, b) & (t->size - 1)] : NULL;

	while (n && (n->key[0] != a || n->key[1] != b))
		n = n->next;
	return n;
}

static void put(struct node **bucket, size_t size, struct node *n)
{
	struct node **at = &bucket[hash_pair(n->key[0], n->key[1]) & (size - 1)];

	n->next = *at;
	*at = n;
}

static bool table_add(struct table *t, struct node *n)
{
	if (t->used == t->size) {
		size_t size = t->size ? 2 * t->size : 1024;
		struct node **bucket = calloc(size, sizeof(struct node *)), *next;

		if (!bucket)
			return false;
		for (size_t old = 0; old < t->size; old++) {
			for (struct node *each = t->bucket[old]; each; each = next) {
				next = each->next;
				put(bucket, size, each);
			}
		}
		free(t->bucket);
		t->bucket = bucket;
		t->size = size;
	}
	put(t->bucket, t->size, n);
	t->used++;
	return true;
}

void *exact_alloc(struct exact *x, size_t bytes)
{
	struct chunk *c = x->chunk;

	bytes = (bytes + 7) & ~(size_t)7;
	if (!c || c->used + bytes > EXACT_CHUNK) {
		c = calloc(1, sizeof(*c));
		if (!c) {
			x->no_memory = true;
			return NULL;
		}
		c->next = x->chunk;
		x->chunk = c;
	}
	c->used += bytes;
	return (uint8_t *)c->data + c->used - bytes;
}

void *exact_new(struct exact *x, struct table *t, size_t bytes, uint64_t a, uint64_t b)
{
	struct node *n = exact_alloc(x, bytes);

	if (!n)
		return NULL;
	n->key[0] = a;
	n->key[1] = b;
	if (table_add(t, n))
		return n;
	x->no_memory = true;
	return NULL;
}
