// SPDX-License-Identifier: BSD-2-Clause
/*
 * save.c - holter run --save: runs a machine, and saves it before its end.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "holter.h"
#include "save.h"
#include "snapshot.h"

/* Returns whether a file can be made beside the one at path, which the new one replaces. */
static bool folder_is_writable(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = strndup(path, slash ? (size_t)(slash - path) + 1 : 0);
	bool good = folder && !access(*folder ? folder : ".", W_OK | X_OK);

	free(folder);
	return good;
}

/* Opens what is not a regular file, as machine_save() will.  Returns 0 or errno. */
static int try_to_open(struct save *save)
{
	char *real = realpath(save->file, NULL);
	int error = 0, fd = -1;
	struct stat st;

	if (!real || stat(real, &st) || S_ISREG(st.st_mode)) {
		error = folder_is_writable(real ? real : save->file) ? 0 : errno;
	} else {
		fd = open(real, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		error = fd < 0 ? errno : 0;
	}
	free(real);
	/* Its reader would take a close for the end. */
	if (fd >= 0 && S_ISFIFO(st.st_mode))
		save->pipe = fd;
	else if (fd >= 0)
		close(fd);
	return error;
}

int save_open(struct save *save, const char *share)
{
	int error;

	if (!save->file)
		return 0;
	error = file_is_safe(save->file, share) ? try_to_open(save) : errno;
	return error ? holter_error("--save %s: %s", save->file, file_text(error)) : 0;
}

void save_close(struct save *save)
{
	if (save->pipe >= 0)
		close(save->pipe);
	save->pipe = -1;
}

int save_run(struct machine *m, const struct save *save)
{
	struct error_text why = { "" };
	bool due = save->file && save->at != UINT64_MAX, failed = false;
	int status;

	if (due)
		machine_pause_at(m, save->at);
	for (status = machine_run(m); m->paused; status = machine_run(m)) {
		due = false;
		if (!file_is_safe(save->file, m->o.share)) {
			holter_error("%s: %s; nothing is saved", save->file, file_text(errno));
			failed = true;
		} else if (!machine_save(m, save->file, &why)) {
			holter_error("%s", why.text);
			failed = true;
		} else if (m->o.realtime) {
			fprintf(stderr, "holter: saved to %s\n", save->file);
		}
	}
	if (due)
		holter_error("%s: nothing is saved: the machine ended before a round of turns "
			     "had reached --save-at (a smaller --quantum makes them shorter)",
			     save->file);
	return (due || failed) && !status ? 2 : status;
}

void save_now(struct machine *m, const struct save *save)
{
	if (save->file)
		machine_pause(m);
	else
		holter_error("^A s needs --save FILE, which names the file");
}
