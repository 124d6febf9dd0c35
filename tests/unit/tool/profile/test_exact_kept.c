// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_exact_kept.c - what is kept of an exact profile: it gives the same profile as the file, and
 * what is old or of another profile is not used.
 */
#include "exact_kept_rig.h"

static void gives_the_same(void)
{
	static const struct run runs[] = {
		{ NULL },
		{ "*" },
		{ "misses", .code = true },
		{ "some" },
		{ "cycles,some" },
		{ "cycles" },
		{ "instructions" },
		{ "instructions", .code = true },
		{ "no-such-event" },
		{ "*", .data = true },
		{ "misses", .data = true, .code = true },
		{ NULL, .all = true },
	};
	char path[PATH_MAX];
	struct stat st;
	struct made m;

	make_elf("program", 10);
	make_profile(&m, 1000);
	is(kept_files(path), 0);
	ok(is_same(&m, plain));
	is(kept_files(path), 1);
	ok(!stat(path, &st) && (st.st_mode & 0777) == 0600);
	ok(dense_columns(path) > 0 && dense_columns(path) < EVENTS); /* both kinds */
	for (unsigned n = 0; n < sizeof(runs) / sizeof(*runs); n++)
		ok(is_same(&m, runs[n]));
	is(kept_files(path), 2); /* with all, it is another one */
	forget();
	ok(is_same(&m, plain));
	ok(is_used(&m, &plain));
	ok(is_used(&m, &(struct run){ "misses", .code = true, .keep = true }));
	ok(is_used(&m, &(struct run){ "misses", .data = true, .keep = true }));
	ok(is_used(&m, &(struct run){ "misses", .summary = true, .keep = true }));
	ok(!is_used(&m, &(struct run){ "misses" }));
	forget();
}

/* Whether the summary has the sums of all, in fewer stacks. */
static bool is_summed(const struct made *m, const char *events)
{
	struct profile *whole = load(m, &(struct run){ events, .keep = true });
	struct profile *sums = load(m, &(struct run){ events, .keep = true, .summary = true });
	char *want = sums_of(whole), *got = sums_of(sums);
	bool same = !strcmp(want, got) && sums->function.nr == sums->places.nr &&
		    !whole->function.nr && sums->stacks.nr < whole->stacks.nr;

	free(want);
	free(got);
	profile_free(whole);
	profile_free(sums);
	return same;
}

static void gives_sums(void)
{
	struct run summary = { .keep = true, .summary = true };
	struct profile *p;
	struct made m;

	make_profile(&m, 1000);
	/* The first time it is read. */
	p = load(&m, &summary);
	ok(!p->function.nr);
	profile_free(p);
	ok(is_summed(&m, NULL));
	ok(is_summed(&m, "*"));
	ok(is_summed(&m, "misses"));
	ok(is_summed(&m, "cycles"));
	ok(is_summed(&m, "some"));
	ok(is_used(&m, &summary));
	forget();
}

/* A file changes, comes or goes after what was read was kept. */
static void is_not_old(void)
{
	char path[PATH_MAX], other[64];
	struct run beside = { .other = other, .keep = true };
	struct made m, changed;

	make_profile(&m, 1000);
	make_profile(&changed, 1001);
	ok(is_same(&m, plain));
	ok(is_used(&m, &plain));
	ok(is_same(&changed, plain));
	forget();
	make_elf("program", 20); /* other code */
	ok(is_same(&m, plain));
	make_elf("program", 10);
	ok(is_same(&m, plain));
	make_elf("a-copy", 10); /* found before the program */
	ok(is_same(&m, plain));
	scratch_text(folder, "notes", "no program");
	ok(is_used(&m, &plain));
	snprintf(path, sizeof(path), "%s/a-copy", folder);
	unlink(path);
	ok(is_same(&m, plain));
	snprintf(other, sizeof(other), "%.40s/other", folder);
	mkdir(other, 0700);
	forget();
	ok(is_same(&m, beside));
	ok(is_used(&m, &beside));
	scratch_text(other, "perf-1.map", "1000 10 generated\n");
	ok(is_same(&m, beside));
	ok(scratch_remove(other));
	forget();
}

/* The cache is in the shared folder: a copy that is put there is no other program. */
static void is_not_its_own(void)
{
	char before[sizeof(home)], files[128];
	struct made m;

	strcpy(before, home);
	snprintf(home, sizeof(home), "%.40s/cache", folder);
	setenv("XDG_CACHE_HOME", home, 1);
	make_profile(&m, 1000);
	ok(is_same(&m, plain));
	snprintf(files, sizeof(files), "%s/holter/files", home);
	ok(!mkdir(files, 0700));
	make_elf("cache/holter/files/a-copy", 10);
	ok(is_used(&m, &plain));
	ok(scratch_remove(home));
	strcpy(home, before);
	setenv("XDG_CACHE_HOME", home, 1);
}

static void is_bounded(void)
{
	char path[PATH_MAX], left[PATH_MAX];
	struct made m;

	for (unsigned n = 0; n < CACHE_PROFILES + 3; n++) {
		make_profile(&m, 1000 + n);
		free(text_of_run(&m, &plain));
	}
	is(kept_files(path), CACHE_PROFILES);
	/* what a killed process has left */
	snprintf(left, sizeof(left), "%.200s/holter/" CACHE_PROFILE "0123456789abcdef.999999999",
		 home);
	write_kept(left, (const uint8_t *)"x", 1);
	make_profile(&m, 5000);
	free(text_of_run(&m, &plain));
	ok(access(left, F_OK));
	forget();
	is(kept_files(path), 0);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "what is kept gives the same profile, for any events", gives_the_same },
		{ "the sums of functions", gives_sums },
		{ "a file that changes, comes or goes", is_not_old },
		{ "the cache in the shared folder", is_not_its_own },
		{ "how many are kept, and what a killed process has left", is_bounded },
	};

	return run_kept(cases, TAP_NR(cases));
}
