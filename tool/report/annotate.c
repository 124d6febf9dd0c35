// SPDX-License-Identifier: BSD-2-Clause
/*
 * annotate.c - lists the instructions of a function with their events (annotate.h).
 */
#include <stdlib.h>
#include <string.h>

#include "annotate.h"
#include "isa.h"
#include "number.h"
#include "term.h"

#define CODE_MAX (4 << 20) /* bytes of one function */

/* Returns the function that contains a place: the outermost one, if others are inlined. */
static uint32_t outer(const struct report *r, uint32_t place)
{
	return r->frames.at[r->spans[place].first + r->spans[place].nr - 1].function;
}

/* Compares the name of a function; the arguments of a C++ name may be left out. */
static bool is_called(const char *text, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(text, name, len) && (!text[len] || text[len] == '(');
}

static bool is_named(const struct report *r, uint32_t function, const char *name)
{
	const char *text = report_text(r, r->functions.at[function].name);
	char *shown;
	bool named;

	if (is_called(text, name))
		return true;
	if (!r->o->json)
		return false;
	/* Perhaps the user has the name from a table. */
	shown = strdup(text);
	term_printable(shown);
	named = shown && is_called(shown, name);
	free(shown);
	return named;
}

/* Whether a function has code of its own: it was not only inlined. */
static bool has_code(const struct report *r, uint32_t function)
{
	return r->functions.at[function].end > r->functions.at[function].addr;
}

struct found {
	uint32_t function;
	uint64_t weight;
};

static int by_weight(const void *left, const void *right)
{
	const struct found *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->function < b->function ? -1 : a->function > b->function;
}

size_t annotate_find(struct report *r, const char *name, uint32_t event, uint32_t *functions,
		     size_t max)
{
	struct found *found = calloc(r->functions.nr + 1, sizeof(*found));
	struct profile_column column = profile_column(r->p, event);
	struct profile_stack_count c;
	size_t nr = 0;

	char *shown = name ? strdup(name) : NULL;

	if (!found || (name && !shown)) {
		r->p->no_memory = true;
		free(found);
		free(shown);
		return 0;
	}
	/* The names of functions are printable, but for JSON; name may be the one of the file. */
	if (!r->o->json)
		term_printable(shown);
	for (uint32_t i = 0; i < r->functions.nr; i++)
		found[i].function = i;
	while (profile_column_next(&column, &c))
		found[outer(r, r->p->stacks.at[c.stack].place)].weight += c.weight;
	for (uint32_t i = 0; i < r->functions.nr; i++) {
		if (has_code(r, i) && (!shown || is_named(r, i, shown)))
			found[nr++] = found[i];
	}
	qsort(found, nr, sizeof(*found), by_weight);
	if (!name && nr > 1)
		nr = 1;
	for (size_t i = 0; i < nr && i < max; i++)
		functions[i] = found[i].function;
	free(found);
	free(shown);
	return nr;
}

const char *annotate_inlined_into(const struct report *r, const char *name, uint32_t event)
{
	uint64_t most = 0;
	uint32_t best = PROFILE_NONE;

	for (uint32_t i = 0; profile_pack(r->p) && i < r->p->stacks.nr; i++) {
		uint32_t place = r->p->stacks.at[i].place;
		const struct report_frame *frame;
		uint64_t weight = profile_weight(r->p, i, event).weight;

		if (place == PROFILE_NONE)
			continue;
		frame = &r->frames.at[r->spans[place].first];
		for (; frame->inlined; frame++) {
			if (!is_named(r, frame->function, name) || !has_code(r, outer(r, place)) ||
			    (weight <= most && best != PROFILE_NONE))
				continue;
			most = weight;
			best = outer(r, place);
		}
	}
	return best == PROFILE_NONE ? NULL : report_text(r, r->functions.at[best].name);
}

/* An address or a source line, as a user writes it. */
struct named_place {
	uint64_t number; /* the address or the line */
	size_t file_len; /* of the file's name, with which the text begins; 0: it is an address */
	const char *text;
};

/* *sure: it is a place and nothing else; without a 0x, it may be the name of a function. */
static bool read_place(const char *text, struct named_place *p, bool *sure)
{
	const char *colon = strrchr(text, ':');
	bool good;

	if (!strncmp(text, "./", 2))
		text += 2;
	*p = (struct named_place){ .text = text };
	if (colon && colon > text)
		p->file_len = colon - text;
	good = p->file_len ? number_parse(colon + 1, NUMBER_DECIMAL, 1, INT_MAX, &p->number)
			   : number_parse(text, NUMBER_HEX | NUMBER_0X, 0, UINT64_MAX, &p->number);
	*sure = good && (p->file_len || !strncmp(text, "0x", 2));
	return good;
}

/* Whether a frame is at the line; the file's name may be the end of its path. */
static bool is_line(const struct report *r, const struct report_frame *frame,
		    const struct named_place *p)
{
	const char *file = report_text(r, frame->file);
	size_t len = file ? strlen(file) : 0;

	return len >= p->file_len && (uint64_t)frame->line == p->number &&
	       !strncmp(file + len - p->file_len, p->text, p->file_len) &&
	       (len == p->file_len || file[len - p->file_len - 1] == '/');
}

static bool is_at(struct report *r, uint32_t place, const struct named_place *p)
{
	const struct report_frame *frame = &r->frames.at[r->spans[place].first];
	const struct report_function *f = &r->functions.at[outer(r, place)];
	uint64_t begin = f->addr;

	if (p->file_len) {
		while (!is_line(r, frame, p) && frame->inlined)
			frame++;
		return is_line(r, frame, p);
	}
	if (profile_has_offsets(&r->p->objects.at[f->object]) &&
	    !report_elf_address(r, f->object, f->addr, &begin))
		return false;
	return p->number - begin < f->end - f->addr;
}

const char *annotate_function_at(struct report *r, const char *place, uint32_t event,
				 bool *is_place)
{
	uint32_t best = PROFILE_NONE;
	struct named_place p;
	uint64_t most = 0;

	if (!read_place(place, &p, is_place))
		return NULL;
	for (uint32_t i = 0; profile_pack(r->p) && i < r->p->stacks.nr; i++) {
		uint32_t at = r->p->stacks.at[i].place;
		uint64_t weight = profile_weight(r->p, i, event).weight;

		if (at == PROFILE_NONE || !has_code(r, outer(r, at)) ||
		    (weight <= most && best != PROFILE_NONE) || !is_at(r, at, &p))
			continue;
		most = weight;
		best = outer(r, at);
	}
	return best == PROFILE_NONE ? NULL : report_text(r, r->functions.at[best].name);
}

/* The weights at one address. */
struct point {
	uint64_t place;
	uint32_t raw; /* the encoded instruction; 0: unknown */
	uint64_t *self; /* weights by event, then samples by event */
};

static int by_place(const void *left, const void *right)
{
	const struct point *a = left, *b = right;

	return a->place < b->place ? -1 : a->place > b->place;
}

struct work {
	struct report *r;
	struct annotate *a;
	const struct report_function *f;
	VEC(struct point) points; /* sorted */
};

/* Sums up the weights at each address, over all processes. */
static bool make_points(struct work *w)
{
	const struct profile *p = w->r->p;
	size_t nr = p->events.nr;
	uint32_t *point_of = calloc(p->places.nr + 1, sizeof(*point_of));
	struct idmap index = { 0 };
	bool good = point_of != NULL;
	size_t own = 0; /* places of the function */

	for (uint32_t i = 0; i < p->places.nr; i++)
		own += outer(w->r, i) == w->a->function;
	w->points.at = calloc(own + 1, sizeof(*w->points.at));
	w->a->numbers = calloc(2 * nr * (own + 2), sizeof(*w->a->numbers));
	w->a->total = calloc(nr + 1, sizeof(*w->a->total));
	good = good && w->points.at && w->a->numbers && w->a->total;
	for (uint32_t i = 0; good && i < p->places.nr; i++) {
		point_of[i] = PROFILE_NONE;
		if (outer(w->r, i) != w->a->function)
			continue;
		point_of[i] = idmap_get(&index, p->places.at[i].addr);
		if (point_of[i] != IDMAP_NONE)
			continue;
		point_of[i] = w->points.nr++;
		w->points.at[point_of[i]] = (struct point){ p->places.at[i].addr,
							    profile_code(p, i),
							    w->a->numbers + 2 * nr * w->points.nr };
		good = idmap_set(&index, p->places.at[i].addr, point_of[i]);
	}
	for (uint32_t e = 0; good && e < nr; e++) {
		struct profile_column column = profile_column(p, e);
		struct profile_stack_count c;

		while (profile_column_next(&column, &c)) {
			uint32_t point = point_of[p->stacks.at[c.stack].place];

			if (point == PROFILE_NONE)
				continue;
			w->points.at[point].self[e] += c.weight;
			w->points.at[point].self[nr + e] += c.samples;
			w->a->total[e] += c.weight;
		}
	}
	if (good)
		VEC_SORT(&w->points, by_place);
	idmap_free(&index);
	free(point_of);
	return good;
}

static struct annotate_insn *add_insn(struct work *w, uint64_t place)
{
	struct annotate *a = w->a;
	struct annotate_insn *insn;
	struct source_line lines[1];
	uint64_t addr = place;

	if (!VEC_ROOM(&a->insns, 1))
		return NULL;
	insn = &a->insns.at[a->insns.nr++];
	*insn = (struct annotate_insn){ .place = place };
	if (report_elf_address(w->r, w->f->object, place, &addr) &&
	    elf_image_lines(report_image(w->r, w->f->object), addr, lines, 1)) {
		insn->file = lines[0].file;
		insn->line = lines[0].line;
	}
	insn->addr = profile_has_offsets(&w->r->p->objects.at[w->f->object]) ? addr : place;
	/* The first numbers are all 0, for instructions without events. */
	insn->self = a->numbers;
	insn->samples = a->numbers + w->r->p->events.nr;
	return insn;
}

static void set_numbers(const struct work *w, struct annotate_insn *insn, const struct point *point)
{
	insn->self = point->self;
	insn->samples = point->self + w->r->p->events.nr;
}

/*
 * Adds all instructions of the code.  Skips points inside an instruction: these are addresses of
 * callers, which have no weight of their own.
 */
static bool add_code(struct work *w, const unsigned char *code, size_t len)
{
	size_t point = 0;

	for (size_t at = 0; at + 2 <= len;) {
		uint32_t bits = code[at] | code[at + 1] << 8;
		unsigned size = isa_length(bits);
		struct annotate_insn *insn = add_insn(w, w->f->addr + at);

		if (!insn)
			return false;
		if (at + size > len)
			size = 2;
		else if (size == 4)
			bits |= (uint32_t)code[at + 2] << 16 | (uint32_t)code[at + 3] << 24;
		insn->raw = bits;
		insn->has_raw = true;
		while (point < w->points.nr && w->points.at[point].place < insn->place)
			point++;
		if (point < w->points.nr && w->points.at[point].place == insn->place)
			set_numbers(w, insn, &w->points.at[point]);
		at += size;
	}
	return true;
}

/* Returns whether a point has events.  The address of a caller may have none. */
static bool has_some(const struct work *w, const struct point *point)
{
	for (size_t e = 0; e < w->r->p->events.nr; e++) {
		if (point->self[e])
			return true;
	}
	return false;
}

/* Adds only instructions that are known to have run.  An exact profile contains their encoding. */
static bool add_points(struct work *w)
{
	for (size_t i = 0; i < w->points.nr; i++) {
		struct annotate_insn *insn;

		if (!has_some(w, &w->points.at[i]) && !w->points.at[i].raw)
			continue;
		insn = add_insn(w, w->points.at[i].place);
		if (!insn)
			return false;
		insn->raw = w->points.at[i].raw;
		insn->has_raw = insn->raw;
		set_numbers(w, insn, &w->points.at[i]);
	}
	return true;
}

/*
 * Returns the size of the function's code.  The last function of a symbol table has no end; it is
 * then taken to end at the last address that has a point.
 */
static size_t code_size(const struct work *w)
{
	uint64_t end = w->f->end, last = w->points.at[w->points.nr - 1].place;

	if (end == UINT64_MAX)
		end = last + 4;
	return end - w->f->addr < CODE_MAX ? end - w->f->addr : CODE_MAX;
}

/* The code of a function that a program generated is in its jitdump file. */
static bool add_generated(struct work *w, const struct profile_object *o)
{
	size_t at = w->f->addr, size = code_size(w);

	w->a->partly = "only RISC-V is disassembled";
	if (!o->jitdump_riscv)
		return add_points(w);
	w->a->partly = NULL;
	if (at >= o->jitdump_size)
		return add_points(w);
	if (size > o->jitdump_size - at)
		size = o->jitdump_size - at;
	return add_code(w, (const unsigned char *)o->jitdump + at, size);
}

void annotate_choose_isa(struct isa_index *isa, const struct profile *p,
			 const struct elf_image *elf)
{
	isa->zcm = profile_cpu_has(p, "zcmp") || profile_cpu_has(p, "zcmt");
	isa->thead = profile_cpu_has(p, "xtheadvector");
	if (!elf)
		return;
	if (elf_image_uses(elf, "zcmp") || elf_image_uses(elf, "zcmt"))
		isa->zcm = true;
	else if (elf_image_uses(elf, "c") || elf_image_uses(elf, "zcd"))
		isa->zcm = false;
	if (elf_image_uses(elf, "xtheadvector") || elf_image_uses(elf, "v0p7"))
		isa->thead = true;
	else if (elf_image_uses(elf, "v") || elf_image_uses(elf, "zve32x"))
		isa->thead = false;
}

static bool add_insns(struct work *w)
{
	const struct profile_object *o = &w->r->p->objects.at[w->f->object];
	struct elf_image *elf = report_image(w->r, w->f->object);
	unsigned char *code;
	uint64_t addr;
	size_t size;
	bool good;

	annotate_choose_isa(w->a->isa, w->r->p, NULL);
	if (o->jitdump)
		return add_generated(w, o);
	w->a->partly = "the file with its code is not here";
	if (!elf || !report_elf_address(w->r, w->f->object, w->f->addr, &addr))
		return add_points(w);
	w->a->partly = "only RISC-V is disassembled";
	if (!elf_image_is_riscv(elf))
		return add_points(w);
	annotate_choose_isa(w->a->isa, w->r->p, elf);
	size = code_size(w);
	code = malloc(size);
	if (!code)
		return false;
	size = elf_image_code(elf, addr, code, size);
	w->a->partly = size ? NULL : "the file with its symbols has no code";
	good = size ? add_code(w, code, size) : add_points(w);
	free(code);
	return good;
}

void annotate_plain(const struct annotate *a, size_t insn, char to[ANNOTATE_TEXT])
{
	const struct annotate_insn *i = &a->insns.at[insn];

	*to = '\0';
	if (i->has_raw)
		isa_disassemble(a->isa, i->raw, i->addr, to, ANNOTATE_TEXT);
}

/*
 * The target of a far call or jump: auipc r,HIGH directly before jalr ra,LOW(r).  False: the
 * instruction is no such jalr.
 */
static bool far_target(const struct annotate *a, size_t insn, uint64_t *target)
{
	const struct annotate_insn *jalr = &a->insns.at[insn], *auipc = jalr - 1;

	if (!insn || !auipc->has_raw || auipc->place + 4 != jalr->place ||
	    (auipc->raw & 0x7f) != 0x17 || (jalr->raw & 0x707f) != 0x67 ||
	    (auipc->raw >> 7 & 31) != (jalr->raw >> 15 & 31))
		return false;
	*target = auipc->place + (uint64_t)(int32_t)(auipc->raw & 0xfffff000) +
		  (uint64_t)((int32_t)jalr->raw >> 20);
	return true;
}

const char *annotate_assembly(struct report *r, const struct annotate *a, size_t insn,
			      char to[ANNOTATE_TEXT], uint64_t *distance)
{
	const struct annotate_insn *i = &a->insns.at[insn];
	uint64_t target;

	*to = '\0';
	if (!i->has_raw)
		return NULL;
	isa_assembly(a->isa, i->raw, i->addr, to, ANNOTATE_TEXT);
	if (!isa_target(a->isa, i->raw, i->place, &target) && !far_target(a, insn, &target))
		return NULL;
	return report_symbol(r, r->functions.at[a->function].object, target, distance);
}

/* Returns the instruction at a place; insns.nr: there is none. */
static size_t insn_at(const struct annotate *a, uint64_t place)
{
	size_t low = 0, high = a->insns.nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (a->insns.at[mid].place < place)
			low = mid + 1;
		else
			high = mid;
	}
	return low < a->insns.nr && a->insns.at[low].place == place ? low : a->insns.nr;
}

/* The column of a loop: the first in which no shorter loop shares an instruction with it. */
static unsigned free_column(const struct annotate *a, const struct annotate_loop *l)
{
	unsigned column = 0;

	for (size_t n = 0; n < a->loops.nr; n++) {
		const struct annotate_loop *other = &a->loops.at[n];

		if (other->column >= column && other->first <= l->last && l->first <= other->last)
			column = other->column + 1;
	}
	return column;
}

static int by_length(const void *left, const void *right)
{
	const struct annotate_loop *a = left, *b = right;
	size_t x = a->last - a->first, y = b->last - b->first;

	return x < y ? -1 : x > y ? 1 : a->first < b->first ? -1 : a->first > b->first;
}

/* Whether it is a jump that writes a return address. */
static bool is_call(const struct annotate *a, uint32_t raw)
{
	uint32_t wide = isa_wide(a->isa, raw);
	struct isa_fields f;

	isa_fields(isa_find(a->isa, wide), wide, &f);
	return f.rd;
}

/*
 * Finds the loops: jumps and branches to an earlier instruction of the function, except calls.
 * Several branches to one instruction are one loop.
 */
static bool find_loops(struct annotate *a)
{
	size_t *last_to = calloc(a->insns.nr + 1, sizeof(*last_to)), nr = 0;
	struct annotate_loop *found;

	for (size_t i = 0; last_to && i < a->insns.nr; i++) {
		uint64_t target;
		size_t first;

		if (!a->insns.at[i].has_raw || is_call(a, a->insns.at[i].raw) ||
		    !isa_target(a->isa, a->insns.at[i].raw, a->insns.at[i].place, &target))
			continue;
		first = insn_at(a, target);
		if (first > i)
			continue;
		nr += !last_to[first];
		last_to[first] = i + 1;
	}
	found = calloc(nr + 1, sizeof(*found));
	if (!last_to || !found || !VEC_ROOM(&a->loops, nr + 1)) {
		free(last_to);
		free(found);
		return false;
	}
	nr = 0;
	for (size_t i = 0; i < a->insns.nr; i++) {
		if (last_to[i])
			found[nr++] = (struct annotate_loop){ i, last_to[i] - 1, 0 };
	}
	qsort(found, nr, sizeof(*found), by_length);
	for (size_t i = 0; i < nr; i++) {
		found[i].column = free_column(a, &found[i]);
		if (found[i].column < ANNOTATE_COLUMNS)
			a->loops.at[a->loops.nr++] = found[i];
		if (found[i].column < ANNOTATE_COLUMNS && found[i].column >= a->columns)
			a->columns = found[i].column + 1;
	}
	free(last_to);
	free(found);
	return true;
}

/* What a cell of the margin shows. */
enum margin { MARGIN_EMPTY, MARGIN_LINE, MARGIN_TOP, MARGIN_END, MARGIN_ACROSS, MARGIN_ARROW };

/* Draws the first or the last instruction of a loop: a corner, and a line to the instruction. */
static void draw_corner(enum margin *cells, unsigned columns, unsigned corner, bool top)
{
	cells[corner] = top ? MARGIN_TOP : MARGIN_END;
	for (unsigned n = corner + 1; n < columns + 1; n++) {
		if (cells[n] == MARGIN_EMPTY)
			cells[n] = MARGIN_ACROSS;
	}
	if (top)
		cells[columns] = MARGIN_ARROW;
}

void annotate_margin(const struct annotate *a, size_t insn, bool utf8, char to[ANNOTATE_MARGIN])
{
	static const char *const shapes[2][6] = {
		{ " ", "|", "+", "+", "-", ">" },
		{ " ", "\xe2\x94\x82", "\xe2\x94\x8c", "\xe2\x94\x94", "\xe2\x94\x80", ">" },
	};
	enum margin cells[ANNOTATE_COLUMNS + 2] = { MARGIN_EMPTY };

	*to = '\0';
	if (!a->columns)
		return;
	for (size_t n = 0; n < a->loops.nr; n++) {
		const struct annotate_loop *l = &a->loops.at[n];
		unsigned corner = a->columns - 1 - l->column;

		if (insn == l->first)
			draw_corner(cells, a->columns, corner, true);
		else if (insn == l->last)
			draw_corner(cells, a->columns, corner, false);
		else if (insn > l->first && insn < l->last)
			cells[corner] = MARGIN_LINE;
	}
	for (unsigned n = 0; n < a->columns + 2; n++)
		to = stpcpy(to, shapes[utf8][cells[n]]);
}

bool annotate_make(struct report *r, uint32_t function, struct annotate *a)
{
	struct work w = { .r = r, .a = a, .f = &r->functions.at[function] };
	bool good;

	*a = (struct annotate){ .function = function, .isa = malloc(sizeof(*a->isa)) };
	if (a->isa)
		isa_index_init(a->isa);
	good = a->isa && make_points(&w) && add_insns(&w) && find_loops(a) &&
	       !elf_image_lacks_memory(report_image(r, w.f->object));
	free(w.points.at);
	return good;
}

void annotate_free(struct annotate *a)
{
	free(a->insns.at);
	free(a->loops.at);
	free(a->isa);
	free(a->total);
	free(a->numbers);
}
