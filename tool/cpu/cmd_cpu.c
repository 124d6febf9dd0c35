// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_cpu.c - holter cpu: lists the CPUs, or shows the models and events of one.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_file.h"
#include "cpu_models.h"
#include "fit.h"
#include "holter.h"
#include "json.h"
#include "cmd_cpu.h"
#include "options.h"
#include "term.h"

struct input {
	bool json, properties;
	struct option_texts set;
	const char *cpu; /* NULL: list the CPUs */
};

#define IN(member) OPTION_FIELD(struct input, member)

static const struct option_row rows[] = {
	{ OPTION_ON, "json", 0, NULL, "print JSON", IN(json) },
	{ OPTION_ON, "properties", 0, NULL,
	  "list what --set can change, with values and units (default CPU: max)", IN(properties) },
	{ OPTION_TEXTS, "set", 0, "PROPERTY=VALUE", CPU_FILE_SET_HELP, IN(set) },
	{ OPTION_FACT, "CPU", 0, NULL, "a CPU", IN(cpu) },
	{ 0 },
};

static const struct option_rule rules[] = {
	{ "json", OPTION_NEEDS, "CPU properties", "the list of CPUs is only text" },
	{ "set", OPTION_NEEDS, "CPU properties", "it changes one CPU" },
	{ 0 },
};

static const struct option_habit habits[] = {
	{ "-l --list", "holter cpu without a name lists the CPUs" },
	{ "--cpu", "the name stands without an option" },
	{ "-e --event", "holter cpu NAME shows which events its counters count" },
	{ "-j", "--json" },
	{ "--dts --dtb", "holter run --cpu NAME --dump-dtb FILE writes the device tree" },
	{ 0 },
};

static const struct options options = {
	.usage = "cpu\ncpu [OPTION]... NAME|FILE\ncpu --properties [OPTION]... [NAME|FILE]",
	.about =
		"Lists the CPUs, or shows one: caches, TLBs, predictors, pipeline, counters and "
		"events.  FILE is a CPU description (holter-cpu(7)) or the device tree of a board, "
		"as .dts or .dtb.",
	.rows = rows,
	.rules = rules,
	.habits = habits,
};

static const char *policy(unsigned n)
{
	return (const char *const[]){ "LRU", "tree-PLRU", "FIFO", "random" }[n];
}

#define TEXT_AT 14 /* the column after "pipeline" */

static void show_size(FILE *to, uint64_t bytes)
{
	if (bytes % (1 << 10))
		fprintf(to, "%" PRIu64 " bytes", bytes);
	else if (bytes % (1 << 20))
		fprintf(to, "%" PRIu64 " KiB", bytes >> 10);
	else
		fprintf(to, "%" PRIu64 " MiB", bytes >> 20);
}

static void show_cache(FILE *to, const char *name, const struct cache_config *c, const char *more)
{
	static const char *const prefetch[] = {
		"",
		", prefetches after a miss",
		", prefetches ahead",
		", prefetches streams",
		", prefetches strides",
	};

	if (!c->sets)
		return;
	fprintf(to, "  %-12s", name);
	show_size(to, (uint64_t)c->line * c->sets * c->ways);
	fprintf(to, ", %u way%s of %u line%s of %u bytes, %s%s%s%s\n", c->ways,
		term_plural(c->ways), c->sets, term_plural(c->sets), c->line, policy(c->policy),
		prefetch[c->prefetch], c->write_through ? ", write-through" : "", more);
}

static void show_tlb(FILE *to, const char *name, const struct tlb_shape *t)
{
	if (!t->sets)
		return;
	fprintf(to, "  %-12s%u entr%s", name, t->sets * t->ways,
		t->sets * t->ways == 1 ? "y" : "ies");
	if (t->sets == 1)
		fprintf(to, ", fully associative");
	else
		fprintf(to, ", %u way%s of %u", t->ways, term_plural(t->ways), t->sets);
	fprintf(to, ", %s\n", policy(t->policy));
}

static void show_predictor(FILE *to, const struct bpred_config *b)
{
	fprintf(to, "  %-12s%s", "predictor", bpred_direction_name[b->direction]);
	if (b->counters)
		fprintf(to, ", %s%u counter%s", b->direction == BPRED_BIMODE ? "twice " : "",
			b->counters, term_plural(b->counters));
	if (b->direction == BPRED_BIMODE)
		fprintf(to, ", %u that choose", b->choices);
	if (b->direction == BPRED_TAGE)
		fprintf(to, ", %u table%s of %u", b->tage.tables, term_plural(b->tage.tables),
			b->tage.entries);
	fprintf(to, ", %u BTB entr%s, %u indirect target%s, %u return%s\n",
		b->btb_sets * b->btb_ways, b->btb_sets * b->btb_ways == 1 ? "y" : "ies", b->targets,
		term_plural(b->targets), b->returns, term_plural(b->returns));
}

/* The cycles of the longest division. */
static unsigned division_most(const struct cost_config *c)
{
	static const struct cost_division longest = { UINT64_MAX, 1, 2 };

	return c->latency[COST_DIV] + cost_division(c, COST_DIV, &longest);
}

static void show_division(FILE *to, const struct cost_config *c)
{
	fprintf(to, "div %u", c->latency[COST_DIV]);
	if (c->div_bits)
		fprintf(to, " to %u", division_most(c));
}

static void show_shape(FILE *to, const struct cpu_models *m, unsigned vlen)
{
	const struct cost_config *c = &m->cost;

	show_cache(to, "L1I", &m->hierarchy.l1i, "");
	show_cache(to, "L1D", &m->hierarchy.l1d, "");
	show_cache(to, "L2", &m->hierarchy.l2, "");
	show_cache(to, "last level", &m->hierarchy.ll, ", shared");
	show_tlb(to, "ITLB", &m->tlb.part[TLB_I]);
	show_tlb(to, "DTLB", &m->tlb.part[TLB_D]);
	show_tlb(to, "second TLB", &m->tlb.part[TLB_SECOND]);
	show_predictor(to, &m->bpred);
	fprintf(to, "  %-12s%u instruction%s a cycle; load %u, mul %u, ", "pipeline", c->width,
		term_plural(c->width), c->latency[COST_LOAD], c->latency[COST_MUL]);
	show_division(to, c);
	fprintf(to, ", misprediction %u\n", c->bad_direction);
	if (vlen)
		fprintf(to, "  %-12sregisters of %u bits%s\n", "vectors", vlen,
			m->vunit.chaining ? ", chaining" : "");
	fprintf(to, "  %-12s", "a miss");
	if (m->hierarchy.l2.sets)
		fprintf(to, "%u cycle%s to L2, ", m->hierarchy.l2_cycles,
			term_plural(m->hierarchy.l2_cycles));
	if (m->hierarchy.ll.sets)
		fprintf(to, "%u cycle%s to the last level, ", m->hierarchy.ll_cycles,
			term_plural(m->hierarchy.ll_cycles));
	fprintf(to, "%u cycle%s to memory; uncached %u\n", m->hierarchy.bus_cycles,
		term_plural(m->hierarchy.bus_cycles), m->hierarchy.uncached_cycles);
}

/* Writes a set of counters as ranges, like 3-6,9. */
static void counters_text(uint32_t counters, char *to, size_t size)
{
	size_t len = 0;

	*to = '\0';
	for (unsigned first = 0; first < 32; first++) {
		unsigned last = first;

		if (!(counters >> first & 1))
			continue;
		while (last < 31 && counters >> (last + 1) & 1)
			last++;
		len += snprintf(to + len, size - len, last > first ? "%s%u-%u" : "%s%u",
				len ? "," : "", first, last);
		first = last;
	}
}

/* Writes the SBI events that use a selector, with perf's names. */
static void eidx_text(const struct pmu_table *t, uint64_t value, char *to, size_t size)
{
	size_t len = 0;

	*to = '\0';
	for (unsigned n = 0; n < t->eidx_nr; n++) {
		const struct event_sbi *sbi = event_sbi_find(t->eidx[n].eidx);

		if (t->eidx[n].value == value && sbi && len < size)
			len += snprintf(to + len, size - len, "%s%s", len ? " " : "", sbi->name);
	}
}

static void sum_text(const struct event_set *set, const char *plus, char *to, size_t size)
{
	size_t len = 0;

	*to = '\0';
	for (unsigned e = event_set_next(set, 0); e < EVENT_NR && len < size;
	     e = event_set_next(set, e + 1))
		len += snprintf(to + len, size - len, "%s%s", len ? plus : "", event_table[e].name);
}

/* A selector: one line of the table, or one object of the JSON list. */
struct line {
	uint64_t value;
	char counters[80], eidx[120], sum[400];
	const char *label;
};

static struct line line_of(const struct pmu_table *t, uint64_t value, const char *label)
{
	struct line l = { .value = value, .label = label };
	uint32_t counters = selector_counters(t, UINT32_MAX, value);
	const struct selector *row = selector_row(t, value);
	struct event_set set = { 0 };

	if (row)
		set = row->set; /* even if no counter can count it */
	else if (counters)
		selector_events(t, UINT32_MAX, __builtin_ctz(counters), value, &set);
	counters_text(counters, l.counters, sizeof(l.counters));
	eidx_text(t, value, l.eidx, sizeof(l.eidx));
	sum_text(&set, " + ", l.sum, sizeof(l.sum));
	return l;
}

/* Calls show for every selector, also for selectors that combine several bits of a class. */
static void each_selector(const struct pmu_table *t, void (*show)(const struct line *l, void *arg),
			  void *arg)
{
	for (unsigned n = 0; n < t->nr; n++) {
		struct line l = line_of(t, t->selector[n].value, t->selector[n].label);

		show(&l, arg);
	}
	for (unsigned n = 0; n < t->eidx_nr; n++) {
		uint64_t value = t->eidx[n].value;
		unsigned earlier = 0;

		while (t->eidx[earlier].value != value)
			earlier++;
		if (!selector_row(t, value) && earlier == n) {
			struct line l = line_of(t, value, "the events of its bits together");

			show(&l, arg);
		}
	}
}

/* A row of the table; arg: the terminal's width. */
static void show_line(const struct line *l, void *arg)
{
	const unsigned *width = arg, room = 26, text_at = 51;
	unsigned begin = (unsigned)printf("  0x%-9" PRIx64 " %-9s ", l->value,
					  l->counters[0] ? l->counters : "none");
	unsigned at = fit_wrap(stdout, l->eidx[0] ? l->eidx : "-", begin, begin, *width);

	at += (unsigned)printf("%*s ", at < begin + room ? (int)(begin + room - at) : 0, "");
	fit_wrap(stdout, l->label, at, text_at, *width);
	printf("\n%*s= ", (int)text_at + 2, "");
	fit_wrap(stdout, l->sum[0] ? l->sum : "0", text_at + 4, text_at + 4, *width);
	putchar('\n');
}

/* Prints the names of extensions, with a space before each. */
static void show_isa(FILE *to, const struct isa_set *isa)
{
	for (unsigned n = 0; cpu_isa_name(n); n++) {
		if (isa_set_has(isa, n))
			fprintf(to, " %s", cpu_isa_name(n));
	}
}

static void show_head(FILE *to, const struct cpu *cpu, const char *name)
{
	char counters[80];

	fprintf(to, "%s: %s\n", name, cpu->model);
	fprintf(to, "  %-12smvendorid 0x%" PRIx64 ", marchid 0x%" PRIx64 ", mimpid 0x%" PRIx64 "\n",
		"identity", cpu->mvendorid, cpu->marchid, cpu->mimpid);
	fprintf(to, "  %-12s%.10g %s\n", "clock", cpu->hz / (cpu->hz < 1000000000 ? 1e6 : 1e9),
		cpu->hz < 1000000000 ? "MHz" : "GHz");
	fprintf(to, "  %-12s%s", "extensions",
		cpu->mmu ? cpu_mmu_type[cpu->mmu] + strlen("riscv,") : "(no MMU)");
	show_isa(to, &cpu->isa);
	fputc('\n', to);
	if (cpu_isa_any(&cpu->isa_added)) {
		fprintf(to, "  %-11s", "added");
		show_isa(to, &cpu->isa_added);
		fprintf(to, ", which the core lacks\n");
	}
	if (cpu->lacking)
		fprintf(to, "  %-11s%s, which the core has\n", "lacking", cpu->lacking);
	if (cpu->trap_misaligned)
		fprintf(to, "  %-12sloads and stores trap\n", "misaligned");
	show_shape(to, cpu->models, cpu->vlen);
	for (size_t n = 0; n < cpu->sets.nr; n++)
		fprintf(to, "  %-12s%s\n", n ? "" : "set", cpu->sets.at[n]);
	counters_text(cpu->pmu.counters, counters, sizeof(counters));
	fprintf(to, "  %-12s%s of %u bit%s; 0 and 2 count cycles and instructions\n", "counters",
		counters[0] ? counters : "none", cpu->pmu.width, term_plural(cpu->pmu.width));
	for (size_t n = 0; n < cpu->notes.nr; n++)
		fprintf(to, "  note: %s\n", cpu->notes.at[n]);
	fprintf(to, "\n  %-11s %-9s %-26s %s\n", "selector", "counters", "event of the SBI",
		"counts");
}

/* Prints lines whose words go on after the first column. */
static void show_lines(char *text, unsigned width)
{
	for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		fit_wrap(stdout, line, 0, TEXT_AT, width);
		putchar('\n');
	}
}

static int show(const struct cpu *cpu, const char *name)
{
	unsigned width = term_width(stdout);
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (to)
		show_head(to, cpu, name);
	if (!to || fclose(to)) {
		free(text);
		return holter_error("out of memory");
	}
	show_lines(text, width);
	free(text);
	each_selector(&cpu->pmu, show_line, &width);
	return 0;
}

static void json_line(const struct line *l, void *arg)
{
	struct json *j = arg;

	json_open(j, NULL, '{');
	json_hex(j, "selector", l->value);
	json_text(j, "counters", l->counters);
	json_text(j, "sbi", l->eidx);
	json_text(j, "counts", l->sum);
	json_text(j, "label", l->label);
	json_close(j, '}');
}

static void json_cache(struct json *j, const char *name, const struct cache_config *c)
{
	if (!c->sets)
		return;
	json_open(j, name, '{');
	json_number(j, "sets", c->sets);
	json_number(j, "ways", c->ways);
	json_number(j, "line", c->line);
	json_text(j, "policy", cpu_policy_name[c->policy]);
	json_text(j, "prefetch", cpu_prefetch_name[c->prefetch]);
	if (c->prefetch >= CACHE_PREFETCH_STREAM) {
		json_number(j, "prefetch-entries", c->ahead.entries);
		json_number(j, "prefetch-degree", c->ahead.degree);
		json_number(j, "prefetch-distance", c->ahead.distance);
		json_number(j, "prefetch-pages", c->ahead.pages);
	}
	json_bool(j, "write-through", c->write_through);
	json_close(j, '}');
}

/* Writes a TLB as a cache whose lines are pages. */
static void json_tlb(struct json *j, const char *name, const struct tlb_shape *t)
{
	const struct cache_config c = {
		.sets = t->sets, .ways = t->ways, .line = 4096, .policy = t->policy
	};

	json_cache(j, name, &c);
}

static void json_predictor(struct json *j, const struct bpred_config *b)
{
	json_open(j, "predictor", '{');
	json_text(j, "direction", bpred_direction_name[b->direction]);
	json_number(j, "counters", b->counters);
	if (b->direction == BPRED_BIMODE)
		json_number(j, "choices", b->choices);
	json_number(j, "history", b->history);
	if (b->direction == BPRED_TAGE) {
		json_number(j, "tage-tables", b->tage.tables);
		json_number(j, "tage-entries", b->tage.entries);
	}
	json_number(j, "btb", b->btb_sets * b->btb_ways);
	json_number(j, "targets", b->targets);
	json_number(j, "returns", b->returns);
	json_close(j, '}');
}

static void json_pipeline(struct json *j, const struct cost_config *c)
{
	json_open(j, "pipeline", '{');
	json_number(j, "width", c->width);
	json_number(j, "load", c->latency[COST_LOAD]);
	json_number(j, "mul", c->latency[COST_MUL]);
	json_number(j, "div", c->latency[COST_DIV]);
	json_number(j, "div-most", division_most(c));
	json_number(j, "misprediction", c->bad_direction);
	json_close(j, '}');
}

/* Writes the cycles that a miss takes. */
static void json_cycles(struct json *j, const struct hierarchy_config *m)
{
	json_open(j, "cycles", '{');
	if (m->l2.sets)
		json_number(j, "l2", m->l2_cycles);
	if (m->ll.sets)
		json_number(j, "ll", m->ll_cycles);
	json_number(j, "memory", m->bus_cycles);
	json_number(j, "uncached", m->uncached_cycles);
	json_close(j, '}');
}

static void json_shape(struct json *j, const struct cpu_models *m)
{
	json_open(j, "caches", '{');
	json_cache(j, "l1i", &m->hierarchy.l1i);
	json_cache(j, "l1d", &m->hierarchy.l1d);
	json_cache(j, "l2", &m->hierarchy.l2);
	json_cache(j, "ll", &m->hierarchy.ll);
	json_close(j, '}');
	json_open(j, "tlbs", '{');
	json_tlb(j, "i", &m->tlb.part[TLB_I]);
	json_tlb(j, "d", &m->tlb.part[TLB_D]);
	json_tlb(j, "second", &m->tlb.part[TLB_SECOND]);
	json_close(j, '}');
	json_predictor(j, &m->bpred);
	json_pipeline(j, &m->cost);
	json_cycles(j, &m->hierarchy);
}

static void json_isa(struct json *j, const char *name, const struct isa_set *isa)
{
	json_open(j, name, '[');
	for (unsigned n = 0; cpu_isa_name(n); n++) {
		if (isa_set_has(isa, n))
			json_text(j, NULL, cpu_isa_name(n));
	}
	json_close(j, ']');
}

static int json(const struct cpu *cpu, const char *name)
{
	struct json j = json_to(stdout);

	json_open(&j, NULL, '{');
	json_text(&j, "name", name);
	json_text(&j, "model", cpu->model);
	json_open(&j, "set", '[');
	for (size_t n = 0; n < cpu->sets.nr; n++)
		json_text(&j, NULL, cpu->sets.at[n]);
	json_close(&j, ']');
	json_hex(&j, "mvendorid", cpu->mvendorid);
	json_hex(&j, "marchid", cpu->marchid);
	json_hex(&j, "mimpid", cpu->mimpid);
	json_text(&j, "mmu", cpu_mmu_type[cpu->mmu]);
	json_number(&j, "hz", cpu->hz);
	json_number(&j, "vlen", cpu->vlen);
	json_bool(&j, "misaligned-trap", cpu->trap_misaligned);
	json_isa(&j, "extensions", &cpu->isa);
	json_isa(&j, "added", &cpu->isa_added);
	json_text(&j, "lacking", cpu->lacking ? cpu->lacking + 1 : "");
	json_number(&j, "counters", cpu->pmu.counters);
	json_number(&j, "width", cpu->pmu.width);
	json_shape(&j, cpu->models);
	json_open(&j, "notes", '[');
	for (size_t n = 0; n < cpu->notes.nr; n++)
		json_text(&j, NULL, cpu->notes.at[n]);
	json_close(&j, ']');
	json_open(&j, "selectors", '[');
	each_selector(&cpu->pmu, json_line, &j);
	json_close(&j, ']');
	json_close(&j, '}');
	return 0;
}

/* What --set can change */

#define CHANGES_AT 35 /* the column of what the property changes */
#define UNIT_AT	   68

/* A row.  A unit that the line has no room for stands in the next one. */
static void show_property(const struct cpu_property *p, unsigned width)
{
	unsigned at = (unsigned)printf("  %-21s %-10s %s ", p->name, *p->value ? p->value : "-",
				       p->property);
	unsigned column = at < UNIT_AT ? UNIT_AT : at;

	if (width && column + fit_width(p->unit) > width) {
		putchar('\n');
		column = CHANGES_AT;
		at = 0;
	}
	printf("%*s", (int)(column - at), "");
	fit_wrap(stdout, p->unit, column, column, width);
	putchar('\n');
}

/* A table for each node of the description. */
static int properties(const struct cpu *cpu)
{
	unsigned width = term_width(stdout);
	struct cpu_property p, last = { 0 };

	for (unsigned n = 0; cpu_property(cpu, n, &p); n++, last = p) {
		if (strcmp(p.node, last.node) != 0)
			printf("%s%s\n", n ? "\n" : "", p.node);
		show_property(&p, width);
	}
	return 0;
}

static int json_properties(const struct cpu *cpu)
{
	struct json j = json_to(stdout);
	struct cpu_property p;

	json_open(&j, NULL, '[');
	for (unsigned n = 0; cpu_property(cpu, n, &p); n++) {
		json_open(&j, NULL, '{');
		json_text(&j, "property", p.name);
		json_text(&j, "value", p.value);
		json_text(&j, "unit", p.unit);
		json_text(&j, "node", p.node);
		json_text(&j, "changes", p.property);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	return 0;
}

static int list(void)
{
	char **names;
	int nr = cpu_file_names(&names), status = 0;

	if (nr < 0)
		return 2;
	for (int n = 0; n < nr && !status; n++) {
		struct cpu *cpu = cpu_file_load(names[n], NULL);
		unsigned at;

		if (!cpu) {
			status = 2;
			break;
		}
		at = (unsigned)printf("%-10s ", names[n]);
		fit_wrap(stdout, cpu->model, at, at, term_width(stdout));
		putchar('\n');
		cpu_free(cpu);
	}
	cpu_file_free_names(names, nr);
	return status;
}

/* Shows what the options ask for.  Returns the exit status. */
static int show_chosen(const struct input *in)
{
	const char *name = in->cpu ? in->cpu : "max";
	struct cpu *cpu;
	int status;

	if (!in->cpu && !in->properties)
		return list();
	cpu = cpu_file_load(name, &in->set);
	if (!cpu)
		return 2;
	if (in->properties)
		status = (in->json ? json_properties : properties)(cpu);
	else
		status = (in->json ? json : show)(cpu, name);
	cpu_free(cpu);
	return status;
}

int cmd_cpu(int argc, char **argv)
{
	struct options_read read;
	struct input input = { 0 };
	int status = options_read(&read, &options, &input, argc, argv);

	if (status < 0) {
		input.cpu = argv[optind];
		if (argc - optind > 1)
			status = holter_error("unexpected argument '%s': only one CPU is allowed",
					      argv[optind + 1]);
		else
			status = options_check(&read) ? 2 : show_chosen(&input);
	}
	free(input.set.at);
	return status;
}
