// SPDX-License-Identifier: BSD-2-Clause
/*
 * dhry.c - integers, records and strings passed through small procedures: the mix of Dhrystone, not
 * its code.
 */
#ifndef RUNS
#define RUNS 12000000
#endif

struct record {
	struct record *other;
	int kind, number;
	char text[32];
};

static struct record first, second;
static int table[50], grid[50][50];
static char letter;

static int text_compare(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a - *b;
}

static void text_copy(char *to, const char *from)
{
	while ((*to++ = *from++))
		;
}

static int __attribute__((noinline)) pick(int kind)
{
	switch (kind) {
	case 0:
		return 3;
	case 1:
		return letter > 'C' ? 2 : 0;
	case 2:
		return 1;
	default:
		return 4;
	}
}

static void __attribute__((noinline)) fill(int *row, int at, int value)
{
	row[at] = value;
	row[at + 1] = row[at];
	for (int i = at; i <= at + 1; i++)
		grid[at][i] = at;
	grid[at][at - 1]++;
	row[at + 20] = row[at];
}

static void __attribute__((noinline)) follow(struct record *r)
{
	struct record *next = r->other;

	*next = *r;
	next->number = r->number + 5;
	next->kind = pick(r->kind);
	next->other = r;
	if (next->kind != r->kind)
		letter = letter == 'Z' ? 'A' : letter + 1;
}

int main(void)
{
	char text[32];
	int sum = 0;

	first.other = &second;
	text_copy(first.text, "THE FIRST STRING OF THE RECORD");
	letter = 'A';
	for (int run = 1; run <= RUNS; run++) {
		int a = run % 7, b = run * 3 / (a + 1);

		text_copy(text, run & 1 ? "THE FIRST STRING OF THE RECORD" : "THE OTHER STRING");
		first.kind = a & 3;
		follow(&first);
		fill(table, a + 2, b);
		if (text_compare(text, second.text) > 0)
			sum += b - a;
		else
			sum += pick(a & 3) * second.number;
	}
	return sum & 0x7f;
}
