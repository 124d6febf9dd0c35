/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main.c - runs a fuzz target without libFuzzer: replays corpora, and tries inputs made from them.
 *
 * usage: TARGET [-runs=N] [-seed=N] [FILE | DIRECTORY | ARCHIVE ...]
 *
 * Prints TAP: a line for each path, and a line for the -runs inputs that it makes (mutate.h).
 * Equal seeds give equal inputs in the same order.  If HOLTER_FUZZ_SEED is set, it replaces -seed;
 * it may be "random".
 *
 * When a target finds a fault, the program ends.  It first prints which input it was.  If it
 * made the input, it writes it to the file TARGET.fault.
 *
 * A build with libFuzzer (clang, -Dfuzzer=true) does not contain this file.
 */
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "corpus.h"
#include "mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* It is absent from builds without sanitizers. */
#pragma weak __sanitizer_set_death_callback

#define INPUT_MAX 65536
#define LEN_MIN	  600

struct options {
	unsigned long runs, seed;
	int paths;
};

/* The current input, for the report of a fault. */
static struct {
	char name[300];
	const uint8_t *data; /* NULL: the input is from the corpus */
	size_t size;
	char fault[4096];
} trying;

static void leave_fault(void)
{
	FILE *f = trying.data ? fopen(trying.fault, "wb") : NULL;

	if (!f)
		return;
	fwrite(trying.data, 1, trying.size, f);
	fclose(f);
	trying.data = NULL;
	printf("# %s is in %s\n", trying.name, trying.fault);
	fflush(stdout);
}

static void ended(int number)
{
	leave_fault();
	raise(number);
}

/* libubsan has no death callback. */
const char *__ubsan_default_options(void);

const char *__ubsan_default_options(void)
{
	return "abort_on_error=1";
}

static void watch_faults(const char *program)
{
	const struct sigaction sa = { .sa_handler = ended, .sa_flags = SA_RESETHAND };

	snprintf(trying.fault, sizeof(trying.fault), "%s.fault", program);
	sigaction(SIGABRT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL); /* the test runner ends a test that takes too long */
	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(leave_fault);
}

static void run(const uint8_t *data, size_t size)
{
	/* A copy of the exact size: a sanitizer then detects an access right after it. */
	uint8_t *copy = malloc(size ? size : 1);

	memcpy(copy, data, size);
	setenv("FUZZ_INPUT", trying.name, 1); /* for a debugger's or a sanitizer's report */
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

/* Adds the inputs of a path to the corpus, and runs each. */
static int replay(struct corpus *c, const char *path)
{
	size_t first = c->nr;
	int nr = corpus_add(c, path);

	for (; first < c->nr; first++) {
		snprintf(trying.name, sizeof(trying.name), "%s", c->at[first].name);
		run(c->at[first].data, c->at[first].size);
	}
	return nr;
}

/*
 * The longest input to make: somewhat longer than those of the corpus (fuzz/run has the same rule).
 */
static size_t len_of(const struct corpus *c)
{
	size_t len = LEN_MIN;

	for (size_t n = 0; n < c->nr; n++)
		if (len < c->at[n].size * 5 / 4)
			len = c->at[n].size * 5 / 4;
	return len < INPUT_MAX ? len : INPUT_MAX;
}

/* Makes inputs from the corpus and runs each. */
static void make(const struct corpus *c, const struct options *o)
{
	static uint8_t input[INPUT_MAX];
	size_t len = len_of(c);

	for (unsigned long n = 0; n < o->runs; n++) {
		trying.size = mutate(c, o->seed, n, input, len);
		trying.data = input;
		snprintf(trying.name, sizeof(trying.name), "input %lu of seed %lu", n, o->seed);
		run(input, trying.size);
	}
	trying.data = NULL;
}

static int usage(const char *program)
{
	fprintf(stderr, "usage: %s [-runs=N] [-seed=N] [PATH ...]\n", program);
	return 2;
}

/* Moves the paths to the front of argv. */
static int read_options(struct options *o, int argc, char **argv)
{
	const char *seed = getenv("HOLTER_FUZZ_SEED");

	for (int i = 1; i < argc; i++) {
		if (sscanf(argv[i], "-runs=%lu", &o->runs) == 1 ||
		    sscanf(argv[i], "-seed=%lu", &o->seed) == 1)
			continue;
		if (argv[i][0] == '-')
			return usage(argv[0]);
		argv[++o->paths] = argv[i];
	}
	if (seed && !strcmp(seed, "random")) {
		uint32_t any;

		if (getrandom(&any, sizeof(any), 0) != sizeof(any))
			abort();
		o->seed = any;
	} else if (seed && *seed && sscanf(seed, "%lu", &o->seed) != 1) {
		fprintf(stderr, "HOLTER_FUZZ_SEED=%s: not a number and not \"random\"\n", seed);
		return 2;
	}
	return 0;
}

static const char *last_part(const char *path)
{
	return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

static void print_repeat(const struct options *o, char **argv)
{
	printf("# to repeat: %s -runs=%lu -seed=%lu", argv[0], o->runs, o->seed);
	for (int i = 1; i <= o->paths; i++)
		printf(" %s", argv[i]);
	printf("\n");
}

int main(int argc, char **argv)
{
	struct options o = { .seed = 1 };
	struct corpus c = { 0 };
	int failed = 0, test = 0, bad = read_options(&o, argc, argv);

	if (bad)
		return bad;
	setvbuf(stdout, NULL, _IOLBF, 0);
	watch_faults(argv[0]);
	printf("1..%d\n", o.paths + (o.runs > 0));
	for (int i = 1; i <= o.paths; i++) {
		int done = replay(&c, argv[i]);

		failed |= done <= 0;
		printf("%sok %d - %d inputs of %s\n", done > 0 ? "" : "not ", ++test,
		       done < 0 ? 0 : done, last_part(argv[i]));
	}
	if (o.runs) {
		print_repeat(&o, argv);
		make(&c, &o);
		printf("ok %d - %lu inputs made of them, seed %lu\n", test + 1, o.runs, o.seed);
	}
	corpus_free(&c);
	return failed;
}
