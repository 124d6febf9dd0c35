// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_sweep.c - the values of a sweep and the order of its jobs; the plan as a file; results,
 * their columns and the page, with hostile names.
 */
#include <fcntl.h>
#include <stdlib.h>

#include "said.h"
#include "scratch.h"
#include "sweep.h"

const char holter_commit[] = "test"; /* dist/commit makes it for holter */

/* The values of an axis with commas between them; static. */
static const char *values_of(const struct sweep *s, unsigned axis)
{
	static char text[512];
	size_t len = 0;

	text[0] = '\0';
	for (size_t n = 0; n < s->axes[axis].values.nr; n++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", n ? "," : "",
					s->axes[axis].values.at[n]);
	return text;
}

static void ranges(void)
{
	static const struct {
		const char *text, *values;
	} rows[] = {
		{ "x=256K..2M", "256K,512K,1M,2M" },
		{ "x=3..24", "3,6,12,24" },
		{ "x=0x10..64", "16,32,64" },
		{ "x=7..7", "7" },
		{ "x=1..4:1", "1,2,3,4" },
		{ "x=0..8:4", "0,4,8" },
		{ "x=1..8:3", "1,4,7" },
		{ "x=64K..192K:64K", "64K,128K,192K" },
		{ "x=tage,1M..2M,5", "tage,1M,2M,5" },
		{ "x=4611686018427387904..4611686018427387904", "4294967296G" },
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct sweep s = { 0 };

		tap_context("%s", rows[n].text);
		is(sweep_add_axes(&s, rows[n].text), 0);
		is(s.nr_axes, 1);
		is_str(s.axes[0].name, "x");
		is_str(values_of(&s, 0), rows[n].values);
		sweep_free(&s);
	}
}

static void refused(void)
{
	static const struct {
		const char *text, *words;
	} rows[] = {
		{ "", "is not PROPERTY=VALUE" },
		{ "x", "'x' is not PROPERTY=VALUE" },
		{ "=1", "'=1' is not PROPERTY=VALUE" },
		{ "x=", "x=: a value is missing" },
		{ "x=1,", "x=: a value is missing" },
		{ "x=1,2,1", "the value 1 is given twice" },
		{ "x=1..4,2", "the value 2 is given twice" },
		{ "x=1,y=2,x=3", "x is given twice" },
		{ "x=1..3", "gives 2 and 4" },
		{ "x=256K..3M", "gives 2M and 4M" },
		{ "x=4..2", "a range goes up: 2..4" },
		{ "x=0..4", "0 doubled is 0" },
		{ "x=1..4:0", "the step is 0" },
		{ "x=a..b", "a range is A..B or A..B:STEP" },
		{ "x=1..", "a range is A..B or A..B:STEP" },
		{ "x=..4", "a range is A..B or A..B:STEP" },
		{ "x=1..4:x", "a range is A..B or A..B:STEP" },
		{ "x=-1..4", "a range is A..B or A..B:STEP" },
		{ "x=1..2000:1", "more than 1024 values" },
		{ "a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1", "more than 8 properties" },
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct sweep s = { 0 };

		tap_context("%s", rows[n].text);
		says(sweep_add_axes(&s, rows[n].text), 2, rows[n].words);
		sweep_free(&s);
	}
}

static void order(void)
{
	struct sweep s = { 0 };
	char name[SWEEP_NAME_SIZE];

	is(sweep_add_axes(&s, "a=1,2,3"), 0);
	is(sweep_add_axes(&s, "b=x,y,c=4"), 0);
	is(sweep_count_jobs(&s), 0);
	is(s.jobs, 6);
	is_str(sweep_name(&s, 1, name), "a=1 b=x c=4");
	is_str(sweep_name(&s, 2, name), "a=1 b=y c=4");
	is_str(sweep_name(&s, 6, name), "a=3 b=y c=4");
	sweep_free(&s);
	is(sweep_add_axes(&s, "a=1..100:1,b=1..100:1"), 0);
	says(sweep_count_jobs(&s), 2, "more than 4096 machines");
	sweep_free(&s);
}

/* The words of a job's machine, with blanks. */
static const char *machine_of(const struct sweep *s, unsigned job)
{
	static char text[512];
	struct measure_words words = { 0 };
	size_t len = 0;

	ok(sweep_machine(s, job, &words));
	for (size_t n = 0; n < words.nr; n++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", n ? " " : "",
					words.at[n]);
	measure_clear_words(&words);
	return text;
}

static struct sweep made(void)
{
	struct sweep s = { .jobs = 0 };

	ok(measure_add_word(&s.machine, "--cpu") && measure_add_word(&s.machine, "u74"));
	ok(measure_add_word(&s.command, "./x") && measure_add_word(&s.command, "<b>\033[1m"));
	is(sweep_add_axes(&s, "l2.size=1M,2M,clock=1G,2G"), 0);
	s.axes[1].at_boot = true;
	is(sweep_count_jobs(&s), 0);
	return s;
}

static void plan(void)
{
	char dir[] = "test_sweep.XXXXXX";
	struct sweep s = made(), t;

	ok(mkdtemp(dir));
	is_str(machine_of(&s, 2), "--model all --cpu u74 --what-if l2.size=1M --set clock=2G");
	is(sweep_begin(&s, dir), 0);
	is(sweep_read(&t, dir), 0);
	is(t.jobs, 4);
	is_str(machine_of(&t, 2), "--model all --cpu u74 --what-if l2.size=1M --set clock=2G");
	is_str(t.command.at[1], "<b>\033[1m");
	free(t.dir);
	is(sweep_begin(&t, dir), 0); /* the same one */
	strcpy(t.program, "0x1");
	free(t.dir);
	says(sweep_begin(&t, dir), 2, "another build of the program");
	t.program[0] = '\0';
	t.axes[0].values.at[0][0] = '4';
	free(t.dir);
	says(sweep_begin(&t, dir), 2, "another sweep, or of another build of holter");
	sweep_free(&t);
	sweep_free(&s);
	ok(scratch_remove(dir));
}

#define COUNTS                                                                                     \
	"{\"machine\": {\"cpu\": {\"name\": \"u74\"}}, \"harts\": [{\"events\": ["                 \
	"{\"event\": \"cycles\", \"count\": %u, \"m\": 0, \"s\": 0, \"u\": %u},"                   \
	"{\"event\": \"instructions\", \"count\": 90, \"m\": 0, \"s\": 40, \"u\": 50}%s]}]}"

static void put_result(const char *dir, const char *name, unsigned cycles, const char *more)
{
	char text[1024];

	snprintf(text, sizeof(text), COUNTS, cycles + 11, cycles, more);
	scratch_text(dir, name, text);
}

/* What one of the writers writes; the caller frees it. */
static char *written(const struct sweep_results *r,
		     void (*write)(const struct sweep_results *r, FILE *to))
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	write(r, f);
	fclose(f);
	return text;
}

static void results(void)
{
	char dir[] = "test_sweep.XXXXXX", *text;
	struct sweep s = made();
	struct sweep_results r;

	ok(mkdtemp(dir));
	s.events = strdup("cycles,instructions:u,snoops*,uncached-*");
	is(sweep_begin(&s, dir), 0);
	is(sweep_results(&r, &s, "nonsense"), 0); /* nothing is known of the names yet */
	is(r.done, 0);
	sweep_results_free(&r);
	put_result(dir, "0001.json", 100, "");
	put_result(
		dir, "0003.json", 25,
		", {\"event\": \"snoops<i>\\u001b\", \"count\": 7, \"m\": 0, \"s\": 0, \"u\": 7}");
	scratch_text(dir, "0002.failed", "it \033[2Jfailed <script>\nmore\n");
	is(sweep_results(&r, &s, NULL), 0);
	is(r.done, 2);
	text = written(&r, sweep_csv);
	is_str(text, "job,l2.size,clock,cycles,instructions:u,snoops<i>?,state\n"
		     "1,1M,1G,111,50,0,done\n"
		     "2,1M,2G,,,,failed: it ?[2Jfailed <script>\n"
		     "3,2M,1G,36,50,7,done\n"
		     "4,2M,2G,,,,has not run\n");
	free(text);
	sweep_results_free(&r);
	free(s.events);
	s.events = NULL;
	is(sweep_results(&r, &s, NULL), 0);
	text = written(&r, sweep_csv);
	is_str(text, "job,l2.size,clock,cycles:u,instructions:u,IPC,state\n"
		     "1,1M,1G,100,50,0.5,done\n"
		     "2,1M,2G,,,,failed: it ?[2Jfailed <script>\n"
		     "3,2M,1G,25,50,2,done\n"
		     "4,2M,2G,,,,has not run\n");
	free(text);
	sweep_results_free(&r);
	s.events = strdup("cycles,instructions:u,snoops*,uncached-*");
	is(sweep_results(&r, &s, "snoops*,uncached-reads,c*:u,instructions"), 0);
	text = written(&r, sweep_csv);
	is_str(text, "job,l2.size,clock,snoops<i>?,uncached-reads,cycles:u,instructions,state\n"
		     "1,1M,1G,0,0,100,90,done\n"
		     "2,1M,2G,,,,,failed: it ?[2Jfailed <script>\n"
		     "3,2M,1G,7,0,25,90,done\n"
		     "4,2M,2G,,,,,has not run\n");
	free(text);
	text = written(&r, sweep_page);
	ok(!strpbrk(text, "\033") && !strstr(text, "<script") && !strstr(text, "<i>") &&
	   !strstr(text, "<b>"));
	ok(strstr(text, "&#60;b&#62;?[1m"));
	free(text);
	text = written(&r, sweep_text);
	ok(!strpbrk(text, "\033") && strstr(text, "2 without a result"));
	free(text);
	sweep_results_free(&r);
	says(sweep_results(&r, &s, "cycle"), 2, "did you mean cycles?");
	sweep_results_free(&r);
	says(sweep_results(&r, &s, "fences"), 2, "they have the events that -e named");
	sweep_results_free(&r);
	scratch_text(dir, "0004.json", "{}");
	is(sweep_results(&r, &s, "cycles:u"), 0);
	is(r.done, 2);
	text = written(&r, sweep_csv);
	ok(strstr(text, "4,2M,2G,,\"failed: its result is damaged; remove 0004.json, and run it "
			"again\"\n"));
	free(text);
	sweep_results_free(&r);
	sweep_free(&s);
	ok(scratch_remove(dir));
}

static void events(void)
{
	is(sweep_check_events("cycles,ll-*:u,LLC-loads:k,r1c0:m,instructions"), 0);
	says(sweep_check_events("cycels"), 2,
	     "'cycels': there is no such event; did you mean cycles?");
	says(sweep_check_events("q-*"), 2, "'q-*': there is no such event");
	says(sweep_check_events("cycles,"), 2, "an event without a name");
	says(sweep_check_events("cycles:"), 2, "after the name comes :u");
	says(sweep_check_events("cycles:uk"), 2, "after the name comes :u");
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "ranges and lists", ranges },	    { "values that are refused", refused },
		{ "the order of the jobs", order }, { "the plan", plan },
		{ "names of events", events },	    { "results", results },
	};

	return tap_run(cases, TAP_NR(cases));
}
