// SPDX-License-Identifier: BSD-2-Clause
/*
 * libeu.c - the search trees that a static libdw wants of elfutils' own libeu (lib/eu-search.h, since
 * 0.191), which Debian's libdw-dev does not have.  Only for builds that link libdw statically; here,
 * one thread at a time uses it, so that a tree's lock stays as it is.
 */
#include <search.h>
#include <stddef.h>

struct search_tree {
	void *root;
	/* and a lock */
};

typedef int compare(const void *, const void *);

void *eu_tsearch(const void *key, struct search_tree *tree, compare *order);
void *eu_tfind(const void *key, struct search_tree *tree, compare *order);
void *eu_tdelete(const void *key, struct search_tree *tree, compare *order);
void eu_tdestroy(struct search_tree *tree, void (*free_node)(void *));
void eu_search_tree_init(struct search_tree *tree);
void eu_search_tree_fini(struct search_tree *tree, void (*free_node)(void *));

void *eu_tsearch(const void *key, struct search_tree *tree, compare *order)
{
	return tsearch(key, &tree->root, order);
}

void *eu_tfind(const void *key, struct search_tree *tree, compare *order)
{
	return tfind(key, &tree->root, order);
}

void *eu_tdelete(const void *key, struct search_tree *tree, compare *order)
{
	return tdelete(key, &tree->root, order);
}

void eu_tdestroy(struct search_tree *tree, void (*free_node)(void *))
{
	tdestroy(tree->root, free_node);
	tree->root = NULL;
}

void eu_search_tree_init(struct search_tree *tree)
{
	tree->root = NULL;
}

void eu_search_tree_fini(struct search_tree *tree, void (*free_node)(void *))
{
	eu_tdestroy(tree, free_node);
}
