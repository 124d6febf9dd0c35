// SPDX-License-Identifier: BSD-2-Clause
/*
 * guest_parts.c - the files of which a prepared guest consists (guest_parts.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache.h"
#include "cpio.h"
#include "find.h"
#include "guest_parts.h"
#include "hash.h"
#include "holter.h"
#include "packages.h"
#include "write.h"

/*
 * Finds the kernel of the guest: beside the program, or where a user of packages, who cannot write
 * there, has prepared one.
 */
static bool find_image(char image[PATH_MAX], const char *guest)
{
	char cache[PATH_MAX], prepare[PATH_MAX];
	struct error_text why;

	if (guest ? find_in(image, guest, "Image")
		  : find_beside(image, "guest/trixie/Image") ||
			    (cache_folder_there(cache) &&
			     find_in(image, cache, "guest/trixie/Image")))
		return true;
	if (guest || !find_beside(prepare, "share/holter/guest/prepare") ||
	    !cache_folder(cache, &why))
		holter_error("no guest is prepared%s%s: run guest/prepare (or `make guest`)",
			     guest ? " in " : "", guest ? guest : "");
	else
		holter_error("no guest is prepared: run %s --cache %s/guest", prepare, cache);
	return false;
}

static uint64_t size_of(const char *path)
{
	struct stat st;

	return *path && !stat(path, &st) ? (uint64_t)st.st_size : 0;
}

/*
 * Returns whether the guest with its packages has enough RAM.  The archives are in RAM, and Linux
 * unpacks them into a tmpfs, which may have half of the rest of the RAM.
 */
static bool packages_fit(const struct guest_parts *p, uint64_t memory)
{
	const uint64_t kernel = 64 << 20, step = 64 << 20;
	uint64_t need = kernel + 3 * (size_of(p->initrd) + size_of(p->modules) +
				      size_of(p->packages) + size_of(p->holter));

	need = (need + step - 1) / step * step;
	if (!*p->packages || memory >= need)
		return true;
	holter_error("--memory %" PRIu64 "M is too little for this guest: it takes %" PRIu64 "M",
		     memory >> 20, need >> 20);
	return false;
}

bool guest_parts_find(struct guest_parts *p, const struct guest_choice *c)
{
	char image[PATH_MAX], *slash;

	if (!find_image(image, c->folder))
		return false;
	snprintf(p->kernel, sizeof(p->kernel), "%s", c->kernel ? c->kernel : image);
	slash = strrchr(image, '/');
	*slash = '\0';
	if (!find_in(p->initrd, image, "initrd") || !find_in(p->modules, image, "modules")) {
		holter_error("%s: this guest is incomplete: run guest/prepare again", image);
		return false;
	}
	if (c->firmware) {
		snprintf(p->firmware, sizeof(p->firmware), "%s", c->firmware);
	} else if (!find_beside(p->firmware, "fw/holter-rv64.bin")) {
		holter_error("there is no firmware: build it (make), or name one with --firmware");
		return false;
	}
	if (c->with && !packages_find(p->packages, c->with, image))
		return false;
	/* The program holter for the guest is optional. */
	if (!find_beside(p->holter, "rv64-linux/tool/holter"))
		p->holter[0] = '\0';
	return packages_fit(p, c->memory);
}

/* Adds a file's identity to the hash, so that another or a changed file gives another hash. */
static bool hash_file(uint64_t *sum, const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0) {
		holter_error("%s: %s", path, strerror(errno));
		return false;
	}
	*sum = fnv_add(*sum, path, strlen(path));
	*sum = fnv_add(*sum, &st.st_size, sizeof(st.st_size));
	*sum = fnv_add(*sum, &st.st_mtim, sizeof(st.st_mtim));
	*sum = fnv_add(*sum, &st.st_ino, sizeof(st.st_ino));
	return true;
}

bool guest_parts_hash(const struct guest_parts *p, uint64_t *sum)
{
	return hash_file(sum, p->firmware) && hash_file(sum, p->kernel) &&
	       hash_file(sum, p->initrd) && hash_file(sum, p->modules) &&
	       (!*p->packages || hash_file(sum, p->packages)) &&
	       (!*p->holter || hash_file(sum, p->holter));
}

static bool no_room(void)
{
	holter_error("the initrd cannot be joined: %s", strerror(errno));
	return false;
}

static bool copy(int to, const char *path)
{
	int from = open(path, O_RDONLY | O_CLOEXEC);
	char buffer[1 << 16];
	ssize_t len = from < 0 ? -1 : 1;

	while (len > 0) {
		len = read(from, buffer, sizeof(buffer));
		if (len > 0 && !write_all(to, buffer, (size_t)len)) {
			close(from);
			return no_room();
		}
	}
	if (len < 0)
		holter_error("%s: %s", path, strerror(errno));
	if (from >= 0)
		close(from);
	return !len;
}

/* Appends an archive with the program holter for the guest. */
static bool add_holter(int to, const struct guest_parts *p)
{
	struct stat st;

	if (!*p->holter)
		return true;
	if (stat(p->holter, &st)) {
		holter_error("%s: %s", p->holter, strerror(errno));
		return false;
	}
	if (!cpio_put_head(to, "usr/bin/holter", S_IFREG | 0755, (size_t)st.st_size))
		return no_room();
	if (!copy(to, p->holter))
		return false;
	return (cpio_put_end(to, (size_t)st.st_size) && cpio_put_last(to)) || no_room();
}

int guest_parts_join(const struct guest_parts *p)
{
	int to = memfd_create("initrd", MFD_CLOEXEC);

	if (to < 0) {
		no_room();
		return -1;
	}
	if (copy(to, p->initrd) && copy(to, p->modules) &&
	    (!*p->packages || copy(to, p->packages)) && add_holter(to, p))
		return to;
	close(to);
	return -1;
}
