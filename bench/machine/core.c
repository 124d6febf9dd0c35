// SPDX-License-Identifier: BSD-2-Clause
/*
 * core.c - lists, integer matrices, a state machine and checksums: the mix of CoreMark, not its
 * code.
 */
#ifndef RUNS
#define RUNS 15000
#endif

typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned char u8;
struct node {
	struct node *next;
	short v;
};
static struct node nodes[64];
static short ma[32 * 32], mb[32 * 32];
static int mc[32 * 32];
static u16 crc8(u8 d, u16 c)
{
	for (int i = 0; i < 8; i++) {
		u8 x = (d & 1) ^ (c & 1);
		d >>= 1;
		if (x) {
			c ^= 0x4002;
		}
		c >>= 1;
		if (x)
			c |= 0x8000;
		else
			c &= 0x7fff;
	}
	return c;
}
static u16 crc16(u16 d, u16 c)
{
	return crc8(d >> 8, crc8(d, c));
}
static const char *strs[] = { "5012",	  "-1234",   "+874",	 "35.54400", "0.1234500",
			      "-110.700", "1.23e-5", "T0.3e-1F", "-T.T++Tq", "1T3.4e4z" };
static int state(const char *s)
{
	int st = 0;
	for (; *s; s++) {
		char c = *s;
		switch (st) {
		case 0:
			if (c >= '0' && c <= '9')
				st = 1;
			else if (c == '+' || c == '-')
				st = 2;
			else if (c == '.')
				st = 3;
			else
				st = 9;
			break;
		case 1:
			if (c == '.')
				st = 3;
			else if (!(c >= '0' && c <= '9'))
				st = 9;
			break;
		case 2:
			st = (c >= '0' && c <= '9') ? 1 : c == '.' ? 3 : 9;
			break;
		case 3:
			if (c == 'e' || c == 'E')
				st = 4;
			else if (!(c >= '0' && c <= '9'))
				st = 9;
			break;
		case 4:
			st = (c == '+' || c == '-') ? 5 : 9;
			break;
		case 5:
			st = (c >= '0' && c <= '9') ? 6 : 9;
			break;
		default:
			break;
		}
	}
	return st;
}
int main(void)
{
	u16 crc = 0;
	for (int i = 0; i < 64; i++) {
		nodes[i].next = &nodes[(i * 7 + 1) & 63];
		nodes[i].v = i * 13;
	}
	for (int i = 0; i < 1024; i++) {
		ma[i] = i * 3;
		mb[i] = i ^ 5;
	}
	for (int it = 0; it < RUNS; it++) {
		struct node *n = &nodes[it & 63];
		for (int i = 0; i < 400; i++) {
			if (n->v & 1)
				crc ^= n->v;
			else
				n->v += it;
			n = n->next;
		}
		for (int i = 0; i < 32; i++)
			for (int j = 0; j < 32; j++) {
				int s = 0;
				for (int k = 0; k < 32; k++)
					s += ma[i * 32 + k] * mb[k * 32 + j];
				mc[i * 32 + j] = s;
			}
		crc = crc16(mc[it & 1023], crc);
		for (int i = 0; i < 40; i++)
			crc = crc16(state(strs[i % 10]), crc);
		for (int i = 0; i < 200; i++)
			crc = crc16(mc[i], crc);
	}
	return crc;
}
