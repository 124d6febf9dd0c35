// SPDX-License-Identifier: BSD-2-Clause
/*
 * libeu.c - functions that a static libdw needs and that Debian's libdw-dev does not have.  Only
 * builds that link libdw statically contain this file.
 *
 * The search trees are those of libeu in elfutils (lib/eu-search.h, since 0.191).  Here only one
 * thread uses libdw, so the lock of a tree is never taken.
 *
 * The functions of debuginfod always fail: a report takes nothing from a network, and a static
 * program should not call dlopen.
 */
#include <errno.h>
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

int __libdwfl_debuginfod_find_executable(void *dwfl, const unsigned char *id, size_t len);
int __libdwfl_debuginfod_find_debuginfo(void *dwfl, const unsigned char *id, size_t len);
void __libdwfl_debuginfod_end(void *client);

int __libdwfl_debuginfod_find_executable(void *dwfl, const unsigned char *id, size_t len)
{
	(void)dwfl, (void)id, (void)len;
	return -ENOSYS;
}

int __libdwfl_debuginfod_find_debuginfo(void *dwfl, const unsigned char *id, size_t len)
{
	(void)dwfl, (void)id, (void)len;
	return -ENOSYS;
}

void __libdwfl_debuginfod_end(void *client)
{
	(void)client;
}
