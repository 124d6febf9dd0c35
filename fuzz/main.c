/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main.c - runs a fuzz target without a fuzzer: replays corpora, or tries random inputs.
 *
 * usage: TARGET [-runs=N] [-seed=S] [-len=BYTES] [FILE | DIRECTORY ...]
 *
 * Prints TAP: a line for each file or directory, and one for the random inputs.  A target that
 * finds a fault ends the program; the line "# input" before it says with which input.
 * With libFuzzer (clang, -Dfuzzer=true) this file is left out.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define INPUT_MAX 65536

static uint8_t input[INPUT_MAX];

static void run(size_t size)
{
	/* a copy of its exact size, so that a sanitizer sees the first byte beyond it */
	uint8_t *copy = malloc(size ? size : 1);

	memcpy(copy, input, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static int replay_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	size_t size;

	if (!f) {
		printf("# %s: %s\n", path, strerror(errno));
		return -1;
	}
	size = fread(input, 1, sizeof(input), f);
	fclose(f);
	setenv("FUZZ_INPUT", path, 1); /* for a debugger's or a sanitizer's report */
	run(size);
	return 1;
}

/* Every file of a directory; returns how many, or -1. */
static int replay(const char *path)
{
	struct dirent **names;
	struct stat st;
	int nr, done = 0;

	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		return replay_file(path);
	nr = scandir(path, &names, NULL, alphasort);
	for (int i = 0; i < nr; i++) {
		char name[4096];

		snprintf(name, sizeof(name), "%s/%s", path, names[i]->d_name);
		if (names[i]->d_name[0] != '.' && done >= 0)
			done = replay_file(name) < 0 ? -1 : done + 1;
		free(names[i]);
	}
	if (nr >= 0)
		free(names);
	return nr < 0 ? -1 : done;
}

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Random bytes, with many small ones, since structured inputs are made of small numbers. */
static void random_input(unsigned long seed, size_t max)
{
	uint64_t state = 0x9e3779b97f4a7c15ull * (seed + 1);
	size_t size = next(&state) % (max + 1);

	for (size_t i = 0; i < size; i++) {
		uint64_t x = next(&state);

		input[i] = (uint8_t)(x >> 8 >> (x & 7));
	}
	run(size);
}

int main(int argc, char **argv)
{
	unsigned long runs = 0, seed = 1, len = 400;
	int paths = 0, failed = 0, test = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++) {
		if (sscanf(argv[i], "-runs=%lu", &runs) == 1 ||
		    sscanf(argv[i], "-seed=%lu", &seed) == 1 ||
		    sscanf(argv[i], "-len=%lu", &len) == 1)
			continue;
		if (argv[i][0] == '-') {
			fprintf(stderr, "usage: %s [-runs=N] [-seed=S] [-len=BYTES] [PATH ...]\n",
				argv[0]);
			return 2;
		}
		argv[++paths] = argv[i];
	}
	if (len > INPUT_MAX)
		len = INPUT_MAX;
	printf("1..%d\n", paths + (runs > 0));
	for (int i = 1; i <= paths; i++) {
		int done = replay(argv[i]);

		failed |= done <= 0;
		printf("%sok %d - %d inputs of %s\n", done > 0 ? "" : "not ", ++test,
		       done < 0 ? 0 : done,
		       strrchr(argv[i], '/') ? strrchr(argv[i], '/') + 1 : argv[i]);
	}
	for (unsigned long i = 0; i < runs; i++)
		random_input(seed + i, len);
	if (runs)
		printf("ok %d - %lu random inputs, seed %lu\n", ++test, runs, seed);
	return failed;
}
