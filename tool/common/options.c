// SPDX-License-Identifier: BSD-2-Clause
/*
 * options.c - reads the options of a command by its table (options.h); options_help.c prints it.
 *
 * Uses getopt_long(3), which also takes unambiguous beginnings of long names.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "holter.h"
#include "near.h"
#include "number.h"
#include "options.h"
#include "options_help.h"
#include "vec.h"

#define FIRST_ROW 256 /* getopt_long()'s code of row 0; letters have lower ones */
#define NAME_SIZE 48

/* The row of a name or of a letter; -1: there is none. */
static int find_row(const struct option_row *rows, const char *name, size_t len)
{
	for (int n = 0; rows[n].kind != OPTION_END; n++) {
		const struct option_row *row = &rows[n];

		if (row->name && strlen(row->name) == len && !memcmp(row->name, name, len))
			return n;
		if (row->letter && len == 1 && row->letter == *name)
			return n;
	}
	return -1;
}

/* "--smp", or "-d" if it was given so or has no name. */
static const char *shown(char to[NAME_SIZE], const struct option_row *row, bool letter)
{
	if (row->kind == OPTION_FACT)
		snprintf(to, NAME_SIZE, "%s", row->help);
	else if (row->name && !(letter && row->letter))
		snprintf(to, NAME_SIZE, "--%s", row->name);
	else
		snprintf(to, NAME_SIZE, "-%c", row->letter);
	return to;
}

/*
 * Values
 */

static int bad_number(const char *what, const char *text, uint64_t low, uint64_t high, bool units)
{
	unsigned form = units ? NUMBER_UNITS : NUMBER_DECIMAL;
	const bool digits = *text && !text[strspn(text, "0123456789")];
	char from[24], to[24], meant[24];
	uint64_t number;

	number_print(from, form, low);
	number_print(to, form, high);
	if (high == OPTION_OPEN && !(digits && strlen(text) >= strlen(to)))
		return holter_error("%s '%s': must be a number, %s or more", what, text, from);
	/* --memory 64 is meant to be 64M. */
	if (units && number_parse(text, NUMBER_C, 1, low >> 1, &number) && number <= high >> 20 &&
	    number >= low >> 20)
		return holter_error("%s '%s': must be a number from %s to %s; did you mean %sM?",
				    what, text, from, to, text);
	if (units && number_size_meant(text, low, high, meant))
		return holter_error("%s '%s': must be a number from %s to %s; did you mean %s?",
				    what, text, from, to, meant);
	return holter_error("%s '%s': must be a number from %s to %s", what, text, from, to);
}

int options_number(const char *what, const char *text, uint64_t low, uint64_t high, bool units,
		   uint64_t *value)
{
	uint64_t number;

	if (!number_parse(text, NUMBER_C | (units ? NUMBER_UNITS : 0), low, high, &number))
		return bad_number(what, text, low, high, units);
	*value = number;
	return 0;
}

/* The letters of names: Debian Policy 5.6.1. */
int options_packages(void *with, const struct option_row *row, const char *list)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789+-.";
	const char **to = with, *name = list;

	for (size_t len;; name += len + 1) {
		len = strspn(name, letters);
		if (len < 2 || !strchr(",", name[len]) || strchr("+-.", *name))
			return holter_error(
				"--with '%s': must be names of Debian's packages, as in "
				"python3,sqlite3",
				list);
		if (!name[len])
			break;
	}
	*to = list;
	return 0;
}

static int real(const char *what, const char *text, const struct option_row *row, double *to)
{
	const char *at = text;
	double value;

	if (!number_real(&at, &value) || *at || value < (double)row->low ||
	    value > (double)row->high)
		return bad_number(what, text, row->low, row->high, false);
	*to = value;
	return 0;
}

static int guest_time(const char *what, const char *text, uint64_t *to)
{
	uint64_t ns;

	if (!number_time(text, UINT64_MAX >> 2, &ns))
		return holter_error("%s '%s': must be a guest time, as in 500ms, 2s, 100us or 30ns",
				    what, text);
	*to = ns;
	return 0;
}

/* Refuses 1s where milliseconds are asked for.  The status. */
static int with_unit(const char *what, const char *text, const struct option_row *row)
{
	const uint64_t ms = 1000000;
	uint64_t ns;

	if (!text[strspn(text, "0123456789")] || !number_time(text, UINT64_MAX >> 2, &ns) ||
	    ns % ms || ns / ms < row->low || ns / ms > row->high)
		return 0;
	return holter_error("%s '%s': must be a number of milliseconds; did you mean %s %" PRIu64
			    "?",
			    what, text, what, ns / ms);
}

static int choice(const char *what, const char *text, const struct option_row *row, const char **to)
{
	size_t len;

	for (const char *word = row->argument; *word; word += len + (word[len] == '|')) {
		len = strcspn(word, "|");
		if (strlen(text) == len && !memcmp(word, text, len)) {
			*to = text;
			return 0;
		}
	}
	return holter_error("%s '%s': must be one of %s", what, text, row->argument);
}

static int append(struct option_texts *list, const char *text)
{
	return VEC_PUSH(list, text) ? 0 : holter_error("out of memory");
}

/* An integer into a field of any size. */
static void store(void *field, size_t size, uint64_t value)
{
	const uint32_t word = (uint32_t)value;
	const uint8_t byte = (uint8_t)value;

	memcpy(field,
	       size == 8   ? (const void *)&value
	       : size == 4 ? (const void *)&word
			   : &byte,
	       size);
}

/* Takes one option; what is how messages name it. */
static int take(const struct option_row *row, void *to, const char *what, const char *value)
{
	void *field = (char *)to + row->offset;
	uint64_t number = row->kind == OPTION_SET ? row->low : row->kind == OPTION_ON;

	switch (row->kind) {
	case OPTION_TEXT:
		if (!*value &&
		    (!strcmp(row->argument, "FILE") || !strcmp(row->argument, "SAMPLES")))
			return holter_error("%s '': must be the name of a file", what);
		*(const char **)field = value;
		return 0;
	case OPTION_CHOICE:
		return choice(what, value, row, field);
	case OPTION_TEXTS:
		return append(field, value);
	case OPTION_TIME:
		return guest_time(what, value, field);
	case OPTION_REAL:
		return real(what, value, row, field);
	case OPTION_CALL:
	case OPTION_CALLS:
		return row->call(field, row, value);
	case OPTION_NUMBER:
	case OPTION_SIZE:
		if (row->argument && !strcmp(row->argument, "MS") && with_unit(what, value, row))
			return 2;
		if (options_number(what, value, row->low, row->high, row->kind == OPTION_SIZE,
				   &number))
			return 2;
		break;
	default: /* OPTION_ON, _OFF and _SET have no value */
		break;
	}
	store(field, row->size, number);
	return 0;
}

/*
 * The command line
 */

/* The table as getopt_long() wants it. */
struct parser {
	char letters[2 * OPTIONS_MAX + 8];
	struct option longs[OPTIONS_MAX + 2];
};

static void parser_make(struct parser *p, const struct options *o)
{
	char *letter = p->letters;
	struct option *l = p->longs;

	if (o->first || o->operand)
		*letter++ = o->first ? '+' : '-';
	*letter++ = ':';
	*letter++ = 'h';
	for (int n = 0; o->rows[n].kind != OPTION_END; n++) {
		const struct option_row *row = &o->rows[n];

		if (row->kind == OPTION_FACT)
			continue;
		if (row->name)
			*l++ = (struct option){ row->name, row->argument != NULL, NULL,
						FIRST_ROW + n };
		if (row->letter)
			*letter++ = row->letter;
		if (row->letter && row->argument)
			*letter++ = ':';
	}
	*letter = '\0';
	*l++ = (struct option){ "help", optional_argument, NULL, 'h' };
	*l = (struct option){ 0 };
}

/* Unknown long option: suggests a similar name. */
static int unknown_name(const struct parser *p, const char *option, const char *command)
{
	char name[NAME_SIZE];
	const char *first = NULL;
	struct near near;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(option + 2, "="), option + 2);
	near = near_to(name);
	for (const struct option *l = p->longs; l->name; l++) {
		if (strncmp(l->name, name, strlen(name)))
			near_try(&near, l->name);
		else if (first)
			return holter_error("'%s' is the beginning of --%s and of --%s: write more "
					    "of it",
					    option, first, l->name);
		else
			first = l->name;
	}
	if (near.best)
		return holter_error("there is no option '%s'; did you mean --%s? (see holter %s "
				    "--help)",
				    option, near.best, command);
	return holter_error("there is no option '%s'; see holter %s --help", option, command);
}

const char *options_instead(const struct option_habit *h, const char *option)
{
	size_t len = strcspn(option, "="), at;

	for (; h && h->options; h++) {
		for (const char *word = h->options; *word; word += at + (word[at] == ' ')) {
			at = strcspn(word, " ");
			if (at == len && !strncmp(word, option, len))
				return h->instead;
		}
	}
	return NULL;
}

/* The long option of a word with one dash, -json or -smp; NULL: there is none. */
static const char *long_of(const struct parser *p, const char *word, bool about)
{
	char name[NAME_SIZE];
	struct near near;

	if (strlen(word) < 4)
		return NULL;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 1, "="), word + 1);
	near = near_to(name);
	for (const struct option *l = p->longs; l->name; l++) {
		if (!strcmp(l->name, name))
			return l->name;
		if (about)
			near_try(&near, l->name);
	}
	return near.best;
}

/*
 * The word with the letter that is not an option: getopt_long() goes on to the next word when it
 * has read all letters of one.
 */
static const char *word_of(char letter, char **argv)
{
	const char *last = argv[optind - 1];
	const bool read = last[0] == '-' && last[1] != '-' && last[strlen(last) - 1] == letter;

	return read || !argv[optind] ? last : argv[optind];
}

/*
 * An option without a value has got one, as in -g=dwarf.  The habits table says what to use
 * instead.
 */
static int takes_no_value(const struct options *o, const char *word, const char *option)
{
	const char *use = options_instead(o->habits, option);

	return holter_error("%s: %s takes no value%s%s", word, option, use ? ": " : "",
			    use ? use : "");
}

/* A letter that is not an option.  Many programs have long options with one dash: -smp. */
static int unknown_letter(const struct options *o, const struct parser *p, char letter, char **argv)
{
	const char option[] = { '-', letter, '\0' }, *word = word_of(letter, argv);
	const char *use = options_instead(o->habits, word), *name;
	const char before[] = { '-', word[1], '\0' };

	if (letter == '=' && word[2] == '=' && find_row(o->rows, word + 1, 1) >= 0)
		return takes_no_value(o, word, before);
	if (use)
		return holter_error("there is no option '%s': %s", word, use);
	name = long_of(p, word, word[1] == letter);
	if (name)
		return holter_error("there is no option '%s'; did you mean --%s? (see holter %s "
				    "--help)",
				    word, name, argv[0]);
	use = options_instead(o->habits, option);
	if (use)
		return holter_error("there is no option '%s': %s", option, use);
	return holter_error("there is no option '%s'; see holter %s --help", option, argv[0]);
}

static int unknown(const struct options *o, const struct parser *p, const char *option,
		   const char *command)
{
	const char *use = options_instead(o->habits, option);

	if (use)
		return holter_error("there is no option '%.*s': %s", (int)strcspn(option, "="),
				    option, use);
	return unknown_name(p, option, command);
}

static int needs_value(const char *what, const char *command)
{
	return holter_error("%s needs a value after it; see holter %s --help", what, command);
}

/* c: what getopt_long() has returned, '?' or ':'. */
static int bad_option(const struct options *o, const struct parser *p, int c, char **argv)
{
	const char letter[] = { '-', (char)optopt, '\0' };
	/* (A long option has no letter of its own.) */
	const bool is_letter = optopt && argv[optind - 1][1] != '-';
	char what[NAME_SIZE];

	if (c == ':')
		return needs_value(is_letter ? letter : argv[optind - 1], argv[0]);
	if (optopt >= FIRST_ROW)
		return takes_no_value(o, argv[optind - 1],
				      shown(what, &o->rows[optopt - FIRST_ROW], false));
	if (optopt)
		return unknown_letter(o, p, (char)optopt, argv);
	return unknown(o, p, argv[optind - 1], argv[0]);
}

/* --help, and --help=options: the exit status. */
static int help(const struct options *o, const char *what)
{
	const char *fault;

	if (!what) {
		options_help(o, stdout);
		return 0;
	}
	if (strcmp(what, "options"))
		return holter_error("--help='%s': must be --help or --help=options", what);
	fault = options_fault(o);
	if (fault)
		return holter_error("%s", fault);
	options_list(o, stdout);
	return 0;
}

static bool may_repeat(const struct option_row *row)
{
	return row->kind == OPTION_TEXTS || row->kind == OPTION_CALLS;
}

/* Refuses -output FILE, which is not -o with the value utput.  The status. */
static int one_dash_missing(const struct options *o, const char *word, const char *value)
{
	size_t len = *word ? strcspn(word + 1, "=") : 0;
	const char *use;

	if (len < 3 || value != word + 2)
		return 0;
	if (find_row(o->rows, word + 1, len) >= 0)
		return holter_error("there is no option '%s'; did you mean -%s?", word, word);
	use = options_instead(o->habits, word);
	return use ? holter_error("there is no option '%s': %s", word, use) : 0;
}

static int take_option(struct options_read *r, int c, const char *value, const char *word)
{
	const struct options *o = r->options;
	const char letter = c < FIRST_ROW ? (char)c : 0;
	int n = letter ? find_row(o->rows, &letter, 1) : c - FIRST_ROW;
	const bool again = r->given[n] && value && !may_repeat(&o->rows[n]);
	char what[NAME_SIZE];

	if (letter && one_dash_missing(o, word, value))
		return 2;
	shown(what, &o->rows[n], letter);
	/* The value was forgotten, and this ends the options. */
	if (value == word && !strcmp(word, "--"))
		return needs_value(what, r->command);
	if (again)
		return holter_error("%s '%s': %s was given before, and takes one value", what,
				    value, what);
	r->given[n] = true;
	r->letter[n] = letter;
	return take(&o->rows[n], r->to, what, value);
}

int options_read(struct options_read *r, const struct options *o, void *to, int argc, char **argv)
{
	struct parser p;
	int c, status;

	*r = (struct options_read){ .options = o, .to = to, .command = argv[0] };
	parser_make(&p, o);
	opterr = 0;
	optind = 0; /* from the beginning: another command line may have been read before */
	while ((c = getopt_long(argc, argv, p.letters, p.longs, NULL)) != -1) {
		if (c == 'h')
			return help(o, optarg);
		if (c == '?' || c == ':')
			return bad_option(o, &p, c, argv);
		status = c == 1 ? o->operand(to, optarg)
				: take_option(r, c, optarg, argv[optind - 1]);
		if (status)
			return status;
	}
	return -1;
}

int options_no_value(const struct options_read *r, const char *name, const char *values,
		     char *const *operand)
{
	const int n = find_row(r->options->rows, name, strlen(name));
	char option[NAME_SIZE], word[2 * NAME_SIZE];
	size_t len = *operand ? strcspn(*operand, ",") : 0, at;

	if (!len || !r->given[n] || !strcmp(operand[-1], "--") || !access(*operand, F_OK))
		return 0;
	for (; *values; values += at + (values[at] == ' ')) {
		at = strcspn(values, " ");
		if (at != len || strncmp(values, *operand, len))
			continue;
		shown(option, &r->options->rows[n], r->letter[n]);
		snprintf(word, sizeof(word), "%s %.40s", option, *operand);
		return takes_no_value(r->options, word, option);
	}
	return 0;
}

const char *options_value(const struct options *o, const char *name, int argc, char **argv)
{
	int c, row = find_row(o->rows, name, strlen(name));
	const char *value = NULL;
	struct parser p;

	parser_make(&p, o);
	opterr = 0;
	optind = 0;
	while ((c = getopt_long(argc, argv, p.letters, p.longs, NULL)) != -1) {
		if (c == FIRST_ROW + row || (c && c == o->rows[row].letter))
			value = optarg;
	}
	return value;
}

/*
 * Rules
 */

static bool is_given(const struct options_read *r, int n)
{
	const struct option_row *row = &r->options->rows[n];
	const unsigned char *field = (const unsigned char *)r->to + row->offset;

	if (row->kind != OPTION_FACT)
		return r->given[n];
	for (size_t i = 0; i < row->size; i++) {
		if (field[i])
			return true;
	}
	return false;
}

bool options_given(const struct options_read *r, const char *name)
{
	int n = find_row(r->options->rows, name, strlen(name));

	return n >= 0 && is_given(r, n);
}

/* The row of the list's next word, which *at passes; -1: the list ends, or no row has it. */
static int next_row(const struct option_row *rows, const char **at)
{
	const char *word = *at + strspn(*at, " ");
	size_t len = strcspn(word, " ");

	*at = word + len;
	return len ? find_row(rows, word, len) : -1;
}

/* "--save FILE or a terminal": what a rule needs. */
static void alternatives(const struct options_read *r, const char *others, char *to, size_t size)
{
	const struct option_row *rows = r->options->rows;
	size_t len = 0;
	int n;

	*to = '\0';
	while ((n = next_row(rows, &others)) >= 0 && len < size) {
		char name[NAME_SIZE];
		const char *argument = rows[n].argument;

		len += (size_t)snprintf(to + len, size - len, "%s%s%s%s", len ? " or " : "",
					shown(name, &rows[n], r->letter[n]), argument ? " " : "",
					argument ? argument : "");
	}
}

static int broken(const struct options_read *r, const struct option_rule *rule, int option,
		  int other)
{
	const struct option_row *rows = r->options->rows;
	char first[NAME_SIZE], second[NAME_SIZE], all[256];

	if (option < 0)
		return holter_error("%s", rule->text);
	shown(first, &rows[option], r->letter[option]);
	if (rule->how == OPTION_EXCLUDES)
		return holter_error("%s does not go with %s: %s", first,
				    shown(second, &rows[other], r->letter[other]), rule->text);
	alternatives(r, rule->others, all, sizeof(all));
	return holter_error("%s needs %s: %s", first, all, rule->text);
}

static int check_rule(const struct options_read *r, const struct option_rule *rule)
{
	const struct option_row *rows = r->options->rows;
	int option = rule->option ? find_row(rows, rule->option, strlen(rule->option)) : -1, other;
	const char *at = rule->others;

	if (option >= 0 && !is_given(r, option))
		return 0;
	while ((other = next_row(rows, &at)) >= 0) {
		if (is_given(r, other))
			return rule->how == OPTION_NEEDS ? 0 : broken(r, rule, option, other);
	}
	return rule->how == OPTION_NEEDS ? broken(r, rule, option, -1) : 0;
}

int options_check(const struct options_read *r)
{
	for (const struct option_rule *rule = r->options->rules; rule && rule->others; rule++) {
		if (check_rule(r, rule))
			return 2;
	}
	return 0;
}

/*
 * Tables
 */

static const char *row_fault(const struct option_row *rows, int n)
{
	const struct option_row *row = &rows[n];
	const bool none = row->kind <= OPTION_SET || row->kind == OPTION_FACT;
	const bool calls = row->kind == OPTION_CALL || row->kind == OPTION_CALLS;

	if (!row->help || (!row->name && !row->letter))
		return "a row without a name or a help text";
	if (row->name && find_row(rows, row->name, strlen(row->name)) != n)
		return "a name stands twice";
	if (row->letter && find_row(rows, &row->letter, 1) != n)
		return "a letter stands twice";
	if (!calls && none == (row->argument != NULL))
		return "an argument that the kind has not, or none where it has one";
	if (row->kind >= OPTION_NUMBER && row->kind <= OPTION_SIZE && row->low > row->high)
		return "an empty range";
	if (calls != (row->call != NULL))
		return "call without OPTION_CALL, or the other way round";
	return row->size ? NULL : "a row without a field";
}

const char *options_fault(const struct options *o)
{
	const char *fault;

	for (int n = 0; o->rows[n].kind != OPTION_END; n++) {
		fault = n == OPTIONS_MAX ? "too many rows" : row_fault(o->rows, n);
		if (fault)
			return fault;
	}
	for (const struct option_rule *rule = o->rules; rule && rule->others; rule++) {
		const char *at = rule->others;
		bool known = false;

		while (*at && next_row(o->rows, &at) >= 0)
			known = *at == '\0';
		if (!known || !rule->text)
			return "a rule that names a row that does not exist, or has no text";
		if (rule->option && find_row(o->rows, rule->option, strlen(rule->option)) < 0)
			return "a rule for a row that does not exist";
	}
	return NULL;
}
