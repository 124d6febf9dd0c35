// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_exact_kept_bad.c - what is kept of an exact profile, and is damaged, hostile or of another
 * build or user: it is not used.
 */
#include "exact_kept_rig.h"

/* Whatever byte is wrong, or missing: the profile is read instead. */
static void is_not_damaged_for(const struct run *run,
			       char *(*of_run)(const struct made *m, const struct run *r))
{
	char path[PATH_MAX], *want, *text;
	size_t len, bad = 0;
	struct made m;
	uint8_t *data;

	make_profile(&m, 1000);
	free(of_run(&m, run));
	want = of_run(&m, run);
	is(kept_files(path), 1);
	data = read_kept(path, &len);
	for (size_t n = 0; n < len; n++) {
		if (run->summary != is_of_summary(data, n))
			continue;
		data[n] ^= (uint8_t)(1 + n % 255);
		write_kept(path, data, len);
		data[n] ^= (uint8_t)(1 + n % 255);
		text = of_run(&m, run);
		bad += strcmp(text, want) != 0;
		free(text);
	}
	for (size_t n = 0; n < len; n += run->summary ? 70 : 7) {
		write_kept(path, data, n);
		text = of_run(&m, run);
		bad += strcmp(text, want) != 0;
		free(text);
	}
	is(bad, 0);
	free(data);
	free(want);
	ok(is_used(&m, run));
	forget();
}

static void is_not_damaged(void)
{
	make_elf("program", 10);
	is_not_damaged_for(&plain, text_of_run);
	is_not_damaged_for(&(struct run){ .keep = true, .summary = true }, sums_of_run);
}

/* With a right checksum, too: no number of it is trusted.  The sanitizers look. */
static void is_not_hostile(void)
{
	static const struct run all = { "*", .code = true, .keep = true, .data = true };
	static const struct run summary = { "*", .keep = true, .summary = true };
	static const uint8_t values[] = { 0, 0x7f, 0xff };
	char path[PATH_MAX], *text;
	struct made m;
	uint8_t *data;
	size_t len;

	make_profile(&m, 1000);
	free(text_of_run(&m, &plain));
	is(kept_files(path), 1);
	data = read_kept(path, &len);
	for (size_t n = HEAD; n < len; n++) {
		bool of_summary = is_of_summary(data, n);
		uint8_t old = data[n];

		for (unsigned v = 0; v < sizeof(values); v++) {
			data[n] = values[v];
			write_forged(path, data, len);
			text = text_of_run(&m, &all);
			free(text);
			if (!of_summary)
				continue;
			write_forged(path, data, len);
			text = sums_of_run(&m, &summary);
			free(text);
		}
		data[n] = old;
	}
	write_kept(path, data, len);
	ok(is_used(&m, &plain));
	/* of another build */
	data[BUILD_AT]++;
	change_name(data, len);
	write_forged(path, data, len);
	ok(is_same(&m, plain));
	free(data);
	forget();
}

/* A file or folder to which others can write, or a link. */
static void is_our_own(void)
{
	char path[PATH_MAX], moved[PATH_MAX], cache[PATH_MAX];
	struct made m;
	uint8_t *data;
	size_t len;

	make_profile(&m, 1000);
	free(text_of_run(&m, &plain));
	is(kept_files(path), 1);
	data = read_kept(path, &len);
	change_name(data, len);
	write_forged(path, data, len);
	ok(!is_same(&m, plain)); /* it is used */
	chmod(path, 0622);
	ok(is_same(&m, plain));
	write_forged(path, data, len);
	snprintf(cache, sizeof(cache), "%s/holter", home);
	chmod(cache, 0777);
	ok(is_same(&m, plain));
	chmod(cache, 0700);
	snprintf(moved, sizeof(moved), "%s/moved", folder);
	ok(!rename(path, moved) && !symlink(moved, path));
	ok(is_same(&m, plain));
	free(data);
	unlink(moved);
	forget();
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "any wrong byte, any missing end", is_not_damaged },
		{ "any number, with a right checksum; another build", is_not_hostile },
		{ "files and folders to which others can write", is_our_own },
	};

	return run_kept(cases, TAP_NR(cases));
}
