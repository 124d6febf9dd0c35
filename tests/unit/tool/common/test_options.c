// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_options.c - tables of options (options.h): each kind of row, each error, the rules, the
 * --help of a table.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include <options.h>
#include <options_help.h>
#include <tap.h>

#include "said.h"

/* A field of each kind, between words that must not change. */
struct all {
	unsigned before;
	bool on, off;
	uint8_t byte;
	unsigned set, number;
	uint64_t size, time;
	double real;
	const char *text, *choice;
	struct option_texts texts;
	char called[32];
	const char *fact, *operands[4];
	unsigned nr_operands, after;
};

static int called(void *field, const struct option_row *row, const char *value)
{
	snprintf(field, row->size, "%s=%s", row->name, value);
	return strcmp(value, "bad") ? 0 : 2;
}

static int call_again(void *field, const struct option_row *row, const char *value)
{
	strncat(field, value, row->size - strlen(field) - 1);
	return 0;
}

static int operand(void *to, const char *word)
{
	struct all *a = to;

	a->operands[a->nr_operands++] = word;
	return a->nr_operands == 4 ? 2 : 0;
}

#define IN(member) OPTION_FIELD(struct all, member)

static const struct option_row rows[] = {
	{ OPTION_ON, "on", 'o', NULL, "turn it on", IN(on), .group = "Switches" },
	{ OPTION_OFF, "off", 0, NULL, "turn it off", IN(off) },
	{ OPTION_SET, "seven", 0, NULL, "set it to 7", IN(set), .low = 7 },
	{ OPTION_SET, "nine", '9', NULL, "set it to 9", IN(set), .low = 9 },
	{ OPTION_NUMBER, "number", 'n', "N", "a number", IN(number), 1, 8, "1", "Values" },
	{ OPTION_NUMBER, "byte", 0, "N", "a byte", IN(byte), 0, 255 },
	{ OPTION_SIZE, "size", 0, "SIZE", "bytes", IN(size), 8 << 20, 1ull << 38 },
	{ OPTION_NUMBER, "open", 0, "N", "a number without a bound", IN(time), 1, OPTION_OPEN },
	{ OPTION_TIME, "time", 0, "TIME", "guest time", IN(time) },
	{ OPTION_REAL, "real", 0, "P", "percent", IN(real), 0, 100 },
	{ OPTION_TEXT, "text", 't', "FILE", "a file", IN(text) },
	{ OPTION_TEXT, NULL, 'L', "DIR", "a letter alone", IN(text) },
	{ OPTION_CHOICE, "choice", 0, "all|none", "one of two", IN(choice) },
	{ OPTION_TEXTS, "texts", 0, "WORD", "words", IN(texts) },
	{ OPTION_CALL, "call", 0, "WORD", "what a function takes", IN(called), .call = called },
	{ OPTION_CALLS, "calls", 'c', "WORD", "what it adds", IN(called), .call = call_again },
	{ OPTION_FACT, "FACT", 0, NULL, "a fact", IN(fact) },
	{ 0 },
};

static const struct option_rule rules[] = {
	{ "on", OPTION_EXCLUDES, "off text", "they are for two things" },
	{ "number", OPTION_NEEDS, "text FACT", "it counts them" },
	{ "FACT", OPTION_EXCLUDES, "L", "there is one" },
	{ NULL, OPTION_NEEDS, "on off number nine FACT L text", "nothing to do: give --on" },
	{ 0 },
};

static const struct option_habit habits[] = { { "--stdio", "a table is what there is" },
					      { "-q --silent -noisy", "it is quiet already" },
					      { "-machine", "there is one" },
					      { "-o", "it turns it on" },
					      { 0 } };

static const struct options table = {
	.usage = "test [OPTION]...\ntest WORD",
	.about = "Tests.",
	.rows = rows,
	.end = "That is all.",
	.rules = rules,
	.habits = habits,
};

static struct options_read given;

/* Reads up to three words into *a, which starts with the defaults. */
static int parse(const struct options *o, struct all *a, const char *one, const char *two,
		 const char *three)
{
	char command[] = "test";
	char *argv[] = { command, (char *)one, (char *)two, (char *)three, NULL };
	int argc = 1;

	while (argv[argc])
		argc++;
	free(a->texts.at);
	*a = (struct all){ .before = 0x55555555, .off = true, .after = 0xaaaaaaaa };
	return options_read(&given, o, a, argc, argv);
}

#define PARSE(one, two, three) parse(&table, &a, one, two, three)

static void refused(const char *word, const char *line)
{
	struct all a = { 0 };

	tap_context("%s", word);
	says(PARSE(word, NULL, NULL), 2, line);
	ok(a.before == 0x55555555 && a.after == 0xaaaaaaaa);
	tap_context(" ");
}

static void switches(void)
{
	struct all a = { 0 };

	is(PARSE("--on", NULL, NULL), -1);
	ok(a.on && a.off && !a.set);
	is(PARSE("-o9", "--off", NULL), -1);
	ok(a.on && !a.off);
	is(a.set, 9);
	is(PARSE("-9", "--seven", NULL), -1);
	is(a.set, 7);
	is(PARSE("--sev", NULL, NULL), -1); /* the beginning of only one name */
	is(a.set, 7);
	ok(a.before == 0x55555555 && a.after == 0xaaaaaaaa && a.number == 0 && a.byte == 0);
	refused("--on=1", "--on=1: --on takes no value");
	refused("-o=1", "-o=1: -o takes no value: it turns it on");
	refused("-9=1", "-9=1: -9 takes no value");
	refused("-z=1", "there is no option '-z'");
}

/* Reads two words as those of another program, and asks for one that is not a value here. */
static int valued(const char *one, const char *two)
{
	char command[] = "test", words[2][16], *argv[] = { command, words[0], words[1], NULL };
	struct all a = { .off = true };

	snprintf(words[0], sizeof(words[0]), "%s", one);
	snprintf(words[1], sizeof(words[1]), "%s", two);
	is(options_read(&given, &table, &a, 3, argv), -1);
	return options_no_value(&given, "on", "fast slow", argv + optind);
}

static void no_values(void)
{
	says(valued("-o", "slow"), 2, "-o slow: -o takes no value: it turns it on");
	says(valued("-o", "fast,1"), 2, "-o fast,1: -o takes no value: it turns it on");
	says(valued("--on", "fast"), 2, "--on fast: --on takes no value");
	is(valued("-o", "slower"), 0);
	is(valued("-o", "fas"), 0);
	is(valued("-o", "-9"), 0);
	is(valued("-9", "slow"), 0);
	is(valued("--", "slow"), 0);
}

static void numbers(void)
{
	struct all a = { 0 };

	is(PARSE("--number", "8", NULL), -1);
	is(a.number, 8);
	is(PARSE("-n1", "--byte=0xff", NULL), -1);
	is(a.number, 1);
	is(a.byte, 255);
	ok(a.set == 0 && a.before == 0x55555555);
	is(PARSE("--byte=010", NULL, NULL), -1); /* as in C */
	is(a.byte, 8);
	is(PARSE("--open=9223372036854775807", NULL, NULL), -1);
	ok(a.time == INT64_MAX);
	refused("--number=9", "--number '9': must be a number from 1 to 8");
	refused("-n0", "-n '0': must be a number from 1 to 8");
	refused("--number=", "--number '': must be");
	refused("--number=-1", "--number '-1': must be");
	refused("--number=+1", "--number '+1': must be");
	refused("--number= 1", "--number ' 1': must be");
	refused("--number=1x", "--number '1x': must be");
	refused("--number=1K", "--number '1K': must be");
	refused("--number=0x", "--number '0x': must be");
	refused("--number=4294967297", "must be a number from 1 to 8");
	refused("--byte=256", "--byte '256': must be a number from 0 to 255");
	refused("--open=0", "--open '0': must be a number, 1 or more");
	refused("--open=9223372036854775808",
		"--open '9223372036854775808': must be a number from 1 to 9223372036854775807");
	refused("--open=99999999999999999999", "must be a number from 1 to 9223372036854775807");
	refused("--open=9999999999999999999x", "must be a number, 1 or more");
}

static void sizes(void)
{
	struct all a = { 0 };
	uint64_t value = 5;

	is(PARSE("--size=8M", NULL, NULL), -1);
	ok(a.size == 8 << 20);
	is(PARSE("--size=16384K", NULL, NULL), -1);
	ok(a.size == 16 << 20);
	is(PARSE("--size=256G", NULL, NULL), -1);
	ok(a.size == 1ull << 38);
	is(PARSE("--size=8388608", NULL, NULL), -1);
	ok(a.size == 8 << 20);
	refused("--size=1M", "--size '1M': must be a number from 8M to 256G");
	refused("--size=64", "--size '64': must be a number from 8M to 256G; did you mean 64M?");
	refused("--size=7", "--size '7': must be a number from 8M to 256G");
	refused("--size=300000", "--size '300000': must be a number from 8M to 256G");
	refused("--size=16MB",
		"--size '16MB': must be a number from 8M to 256G; did you mean 16M?");
	refused("--size=4MB", "--size '4MB': must be a number from 8M to 256G");
	refused("--size=K", "--size 'K': must be");
	refused("--size=257G", "must be");
	refused("--size=99999999999G", "must be");
	says(options_number("HOLTER_SEED", "x", 0, OPTION_OPEN, false, &value), 2,
	     "HOLTER_SEED 'x': must be a number, 0 or more");
	is(value, 5);
}

static void times(void)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = { { "500ms", 500000000 }, { "2s", 2000000000 }, { "100us", 100000 },
		     { "30ns", 30 },	     { "30", 30 },	   { "0", 0 } };
	struct all a = { 0 };

	for (unsigned i = 0; i < TAP_NR(good); i++) {
		is(PARSE("--time", good[i].text, NULL), -1);
		ok(a.time == good[i].ns);
	}
	refused("--time=5 minutes", "--time '5 minutes': must be a guest time, as in 500ms, 2s, ");
	refused("--time=", "must be a guest time");
	refused("--time=s", "must be a guest time");
	refused("--time=-1s", "must be a guest time");
	refused("--time=1.5s", "must be a guest time");
	refused("--time=4611686019s", "must be a guest time");
	is(PARSE("--time=4611686018s", NULL, NULL), -1);
}

static void reals(void)
{
	struct all a = { 0 };

	is(PARSE("--real=0.5", NULL, NULL), -1);
	ok(a.real == 0.5);
	is(PARSE("--real=100", NULL, NULL), -1);
	ok(a.real == 100);
	refused("--real=100.1", "--real '100.1': must be a number from 0 to 100");
	refused("--real=-1", "must be");
	refused("--real=", "must be");
	refused("--real=nan", "must be");
	refused("--real=1x", "must be");
}

static void texts(void)
{
	struct all a = { 0 };

	is(PARSE("--text", "--on", NULL), -1);
	is_str(a.text, "--on");
	ok(!a.on);
	is(PARSE("-tf", "--choice=none", NULL), -1);
	is(PARSE("-t", "-t", NULL), -1); /* a value may look like an option */
	is_str(a.text, "-t");
	is(PARSE("-tf", "--choice=none", NULL), -1);
	is_str(a.text, "f");
	is_str(a.choice, "none");
	refused("--choice=al", "--choice 'al': must be one of all|none");
	refused("--choice=all|none", "must be one of");
	refused("--choice=", "must be one of");
	is(PARSE("--texts=a", "--texts=b", "--texts=a"), -1);
	is(a.texts.nr, 3);
	is_str(a.texts.at[1], "b");
	is(PARSE("--call=x", NULL, NULL), -1);
	is_str(a.called, "call=x");
	is(PARSE("--call=bad", "--on", NULL), 2);
	ok(!a.on); /* reading stops at the first error */
	free(a.texts.at);
}

/* An option with a value is refused the second time, or adds the value. */
static void again(void)
{
	struct all a = { 0 };

	says(PARSE("--text=a", "--text=b", NULL), 2,
	     "--text 'b': --text was given before, and takes one value");
	is_str(a.text, "a");
	says(PARSE("-ta", "--text", "a"), 2, "--text 'a': --text was given before");
	says(PARSE("--text=a", "-tb", NULL), 2, "-t 'b': -t was given before");
	says(PARSE("-n1", "-n2", NULL), 2, "-n '2': -n was given before");
	says(PARSE("--size=8M", "--size=9M", NULL), 2, "--size was given before");
	says(PARSE("--time=1s", "--time=2s", NULL), 2, "--time was given before");
	says(PARSE("--real=1", "--real=2", NULL), 2, "--real was given before");
	says(PARSE("--choice=all", "--choice=none", NULL), 2, "--choice was given before");
	says(PARSE("--call=a", "--call=b", NULL), 2, "--call was given before");
	is_str(a.called, "call=a");
	is(PARSE("--texts=a", "--texts=b", "--on"), -1);
	is(PARSE("--calls=a", "-cb", "--calls=c"), -1);
	is_str(a.called, "abc");
	is(PARSE("-oo", "--on", "--off"), -1); /* without a value nothing is lost */
	free(a.texts.at);
}

static void forgotten_value(void)
{
	struct all a = { 0 };

	says(PARSE("-n", "--", "a"), 2, "-n needs a value after it; see holter test --help");
	says(PARSE("--number", "--", "a"), 2,
	     "--number needs a value after it; see holter test --help");
	is(PARSE("--text=--", NULL, NULL), -1);
	is_str(a.text, "--");
}

static void unknown(void)
{
	refused("--nonsense", "there is no option '--nonsense'; see holter test --help");
	refused("--txet=x", "there is no option '--txet=x'; did you mean --text? (see holter test "
			    "--help)");
	refused("-x", "there is no option '-x'; see holter test --help");
	refused("-ox", "there is no option '-x'; see holter test --help");
	refused("--o", "'--o' is the beginning of --on and of --off: write more of it");
	refused("--number", "--number needs a value after it; see holter test --help");
	refused("-n", "-n needs a value after it; see holter test --help");
	refused("--stdio", "there is no option '--stdio': a table is what there is");
	refused("--stdio=1", "there is no option '--stdio': a table is what there is");
	refused("-q", "there is no option '-q': it is quiet already");
	refused("--silent", "there is no option '--silent': it is quiet already");
	refused("--silen", "there is no option '--silen'; did you mean --seven?");
	/* One dash in front of a long name, as other programs have them. */
	refused("-choice=all", "there is no option '-choice=all'; did you mean --choice=all?");
	refused("-size", "there is no option '-size'; did you mean --size? (see holter test");
	refused("-sizes=8M", "there is no option '-sizes=8M'; did you mean --size?");
	refused("-text=f", "there is no option '-text=f'; did you mean --text=f?");
	refused("-off", "there is no option '-off'; did you mean --off?");
	refused("-machine", "there is no option '-machine': there is one");
	refused("-noisy", "there is no option '-noisy': it is quiet already");
	refused("-zz", "there is no option '-z'; see");
	refused("--text=", "--text '': must be the name of a file");
	refused("--FACT", "there is no option '--FACT'");
	refused("--help=x", "--help='x': must be --help or --help=options");
}

static void operands(void)
{
	struct options o = table;
	struct all a = { 0 };

	is(parse(&o, &a, "word", "--on", NULL), -1); /* between operands, too */
	ok(a.on);
	is(optind, 2);
	o.first = true;
	is(parse(&o, &a, "word", "--on", NULL), -1);
	ok(!a.on);
	is(optind, 1);
	o.first = false;
	o.operand = operand;
	is(parse(&o, &a, "word", "--on", "more"), -1);
	ok(a.on);
	is(a.nr_operands, 2);
	is_str(a.operands[1], "more");
	is(parse(&o, &a, "word", "--", "--on"), -1);
	is(a.nr_operands, 1);
	ok(!a.on);
	is(optind, 3);
	{
		char *argv[] = { (char *)"test", (char *)"--text=a", (char *)"--nonsense",
				 (char *)"-t",	 (char *)"b",	     NULL };

		is_str(options_value(&o, "text", 5, argv), "b");
		ok(!options_value(&o, "size", 5, argv));
	}
}

/* The rules, with two words and perhaps the fact. */
static int checked(const char *one, const char *two, const char *fact)
{
	struct all a = { 0 };

	is(PARSE(one, two, NULL), -1);
	a.fact = fact;
	return options_check(&given);
}

static void ruled(void)
{
	is(checked("--on", NULL, NULL), 0);
	ok(options_given(&given, "on") && options_given(&given, "o"));
	ok(!options_given(&given, "off") && !options_given(&given, "nonsense"));
	says(checked("--on", "--off", NULL), 2,
	     "--on does not go with --off: they are for two things");
	says(checked("-tx", "-o", NULL), 2, "-o does not go with -t: they are for two things");
	says(checked("-n1", NULL, NULL), 2, "-n needs --text FILE or a fact: it counts them");
	is(checked("-n1", "-tx", NULL), 0);
	is(checked("-n1", NULL, "x"), 0);
	is(checked("-Lx", NULL, NULL), 0);
	says(checked("-Lx", NULL, "x"), 2, "a fact does not go with -L: there is one");
	says(checked("--seven", NULL, NULL), 2, "nothing to do: give --on");
}

/* What a function prints of the table. */
static char *printed(void (*print)(const struct options *o, FILE *to), const struct options *o)
{
	size_t size;
	char *text;
	FILE *to = open_memstream(&text, &size);

	print(o, to);
	fclose(to);
	return text;
}

static void help(void)
{
	char *text = printed(options_help, &table);

	is_str(text, "usage: holter test [OPTION]...\n"
		     "       holter test WORD\n"
		     "Tests.\n"
		     "\n"
		     "Switches:\n"
		     "  -o, --on               turn it on\n"
		     "      --off              turn it off\n"
		     "      --seven            set it to 7\n"
		     "  -9, --nine             set it to 9\n"
		     "\n"
		     "Values:\n"
		     "  -n, --number N         a number, 1 to 8 (default 1)\n"
		     "      --byte N           a byte, 0 to 255\n"
		     "      --size SIZE        bytes, 8M to 256G\n"
		     "      --open N           a number without a bound\n"
		     "      --time TIME        guest time\n"
		     "      --real P           percent\n"
		     "  -t, --text FILE        a file\n"
		     "  -L DIR                 a letter alone\n"
		     "      --choice all|none  one of two\n"
		     "      --texts WORD       words\n"
		     "      --call WORD        what a function takes\n"
		     "  -c, --calls WORD       what it adds\n"
		     "\n"
		     "That is all.\n");
	free(text);
}

static void help_wraps(void)
{
	static const struct option_row wide[] = {
		{ OPTION_ON, "a", 0, NULL,
		  "a text of exactly so many words as there is room for in one line, and no "
		  "more\nof\nthem",
		  IN(on) },
		{ OPTION_TEXT, "a-name-that-is-too-long", 0, "FILE", "below it", IN(text) },
		{ 0 },
	};
	const struct options o = { .usage = "wide", .about = "Wide.", .rows = wide };
	char *text = printed(options_help, &o);

	is_str(text,
	       "usage: holter wide\n"
	       "Wide.\n"
	       "\n"
	       "  --a  a text of exactly so many words as there is room for in one line, and no\n"
	       "       more\n"
	       "       of\n"
	       "       them\n"
	       "  --a-name-that-is-too-long FILE\n"
	       "       below it\n");
	free(text);
}

static void list(void)
{
	char *text = printed(options_list, &table);

	ok(strstr(text, "-o\t-\n--on\t-\n--off\t-\n"));
	ok(strstr(text, "-L\tDIR\n--choice\tall|none\n"));
	ok(!strstr(text, "FACT"));
	free(text);
}

static const char *fault_of(const struct option_row *row, const struct option_rule *rule)
{
	struct option_row two[] = { rows[0], *row, { 0 } };
	const struct option_rule one[] = { *rule, { 0 } };
	const struct options o = { .rows = two, .rules = one };
	const char *fault = options_fault(&o);

	return fault ? fault : "";
}

static void faults(void)
{
	static const struct option_rule good = { "on", OPTION_EXCLUDES, "x", "why" };
	static const struct {
		struct option_row row;
		const char *fault;
	} bad[] = {
		{ { OPTION_ON, "on", 'x', NULL, "twice", IN(off) }, "a name stands twice" },
		{ { OPTION_ON, "x", 'o', NULL, "twice", IN(off) }, "a letter stands twice" },
		{ { OPTION_ON, "x", 0, "N", "no value", IN(off) }, "an argument that" },
		{ { OPTION_TEXT, "x", 0, NULL, "a value", IN(text) }, "an argument that" },
		{ { OPTION_TEXT, "x", 0, "F", "no field" }, "a row without a field" },
		{ { OPTION_NUMBER, "x", 0, "N", "range", IN(number), 2, 1 }, "an empty range" },
		{ { OPTION_CALL, "x", 0, "N", "no call", IN(called) }, "call without" },
		{ { OPTION_CALLS, "x", 0, "N", "no call", IN(called) }, "call without" },
		{ { OPTION_ON, "x", 0, NULL, NULL, IN(off) }, "a row without a name" },
		{ { OPTION_ON, NULL, 0, NULL, "no name", IN(off) }, "a row without a name" },
	};
	static const struct option_row row = { OPTION_ON, "x", 0, NULL, "fine", IN(off) };

	ok(!options_fault(&table));
	is_str(fault_of(&row, &good), "");
	for (unsigned i = 0; i < TAP_NR(bad); i++) {
		tap_context("%s", bad[i].row.help ? bad[i].row.help : "no help");
		ok(!strncmp(fault_of(&bad[i].row, &good), bad[i].fault, strlen(bad[i].fault)));
	}
	tap_context(" ");
	ok(*fault_of(&row, &(struct option_rule){ "y", OPTION_NEEDS, "x", "why" }));
	ok(*fault_of(&row, &(struct option_rule){ "x", OPTION_NEEDS, "on y", "why" }));
	ok(*fault_of(&row, &(struct option_rule){ "x", OPTION_NEEDS, "y on", "why" }));
	ok(*fault_of(&row, &(struct option_rule){ "x", OPTION_NEEDS, "y", "why" }));
	ok(*fault_of(&row, &(struct option_rule){ "x", OPTION_NEEDS, "on", NULL }));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "switches", switches },
		{ "values of another program after a switch", no_values },
		{ "numbers", numbers },
		{ "sizes", sizes },
		{ "times", times },
		{ "real numbers", reals },
		{ "texts, choices, lists and calls", texts },
		{ "options that are given twice", again },
		{ "options that do not exist", unknown },
		{ "a value is forgotten before --", forgotten_value },
		{ "operands", operands },
		{ "options that exclude or need each other", ruled },
		{ "--help", help },
		{ "--help in 80 columns", help_wraps },
		{ "--help=options", list },
		{ "tables with a fault", faults },
	};

	return tap_run(cases, TAP_NR(cases));
}
