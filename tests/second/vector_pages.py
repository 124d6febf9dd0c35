# SPDX-License-Identifier: BSD-2-Clause
"""vector_pages.py - random vector loads and stores for program/vector_pages.S: unit stride, segments, fault-only-first,
whole registers, masks, strided and indexed; at any alignment, most of them near the bounds of pages."""
import random

LENGTH = 700
POOL = 0x80200000   # RAM that the program does not use
V, R, W, U, AD = 1, 2, 4, 16, 0xc0
NC, IO = 1 << 61, 2 << 61
CLINT, NOTHING, RAM_END = 0x2000000, 0x1f000000, 0x84000000
# Pages by their virtual addresses: their rights and types; an address in place of that in POOL.
PAGES = [(R | W | AD,), (R | W | AD,), (0,), (R | W | AD,), (R | W | AD | NC,), (R | W | AD,), (R | AD,), (R | W,), (R | W | AD, CLINT),
         (R | W | AD,), (R | W | AD, NOTHING), (R | W | AD,), (R | W | AD,), (R | W | AD,), (R | W | AD | IO,), (R | W | AD,), (0,)]
NONE_PAGE, READ_PAGE = 12, 13   # those that PMP divides
OF_S, OF_U, MEGA = 0x40000000, 0x40100000, 0x40200000


def pa(n):
    return PAGES[n][1] if len(PAGES[n]) > 1 else POOL + n * 5 % 32 * 4096


def leaves():
    entries = [0] * 512
    for n, page in enumerate(PAGES):
        for first, user in ((0, 0), (256, U)):
            entries[first + n] = pa(n) >> 12 << 10 | page[0] | user | V if page[0] else 0
    return entries


def napot(base, size):
    return (base | size // 2 - 1) >> 2


def constants():
    return {"PMP_NONE": napot(pa(NONE_PAGE) + 1024, 64), "PMP_READ": napot(pa(READ_PAGE) + 2048, 512)}


class Stream:
    def __init__(self, seed, thead):
        self.r, self.thead, self.text, self.mode = random.Random(seed), thead, [], 3

    def say(self, text, *args):
        self.text.append("\t" + text % args)

    def word(self, w):
        self.say(".word 0x%08x", w)

    def vset(self, sew, lmul, avl):
        """vsetvli t1, t0 or zero; avl None: VLMAX."""
        if avl is not None:
            self.say("li t0, %d", avl)
        vtype = lmul | sew << 2 if self.thead else lmul & 7 | sew << 3
        self.word(0x7057 | vtype << 20 | (0 if avl is None else 5) << 15 | 6 << 7)

    def switch(self):
        self.mode = self.r.choice([0, 1, 1, 3])
        self.say("li a0, %d", self.mode)
        self.say("ecall")
        if self.mode == 3 and self.r.random() < 0.5:
            self.mode = "MPRV"
        if self.mode == 1: # SUM
            self.say("li t0, 0x40000")
            self.say("csr%s sstatus, t0", self.r.choice("sc"))

    def place(self):
        r = self.r
        off = r.choice([r.randrange(-150, 150), r.randrange(-150, 20), r.randrange(4096)])
        if r.random() < 0.4:
            off &= ~7
        if self.mode == 3:
            return r.choice([POOL, POOL + 4096 * r.randrange(20), CLINT + 4096, RAM_END, RAM_END, NOTHING]) + off
        page = r.choice([r.randrange(len(PAGES) + 1), NONE_PAGE, READ_PAGE, 2, 3, 4])
        if page in (NONE_PAGE, READ_PAGE) and r.random() < 0.7:
            off += 1024 if page == NONE_PAGE else 2048
        base = r.choice([OF_S, OF_S, OF_U] if self.mode == 1 else [OF_U, OF_U, OF_U, OF_S, MEGA] if self.mode == 0 else [OF_S, OF_U])
        return base + page * 4096 + off

    def mask(self):
        bits = self.r.choice([0, 1, (1 << 64) - 2, (1 << 64) - 1, 0xffff << self.r.randrange(49), *(self.r.getrandbits(64) for _ in range(4))])
        self.vset(3, 0, None)
        self.say("li t2, 0x%x", bits)
        self.word(0x5e004057 | 7 << 15) # vmv.v.x v0, t2

    def one(self):
        r = self.r
        if r.random() < 0.08:
            self.switch()
        masked, store = r.random() < 0.4, r.random() < 0.45
        if masked:
            self.mask()
        sew, lmul = r.randrange(4), r.choice([0, 0, 1, 2, 3] if self.thead else [-1, 0, 0, 1, 2, 3])
        kind = r.choice(["unit"] * 5 + ["segment"] * 5 + ["first"] * 3 + ["strided", "indexed"] + ([] if self.thead else ["whole", "mask"]))
        if kind == "indexed": # v8, ...: small indexes
            self.vset(sew, lmul, None)
            self.word(0x5208a057 | 8 << 7) # vid.v v8
            self.word(0x96003057 | 8 << 20 | r.randrange(8) << 15 | 8 << 7) # vsll.vi v8, v8
        self.vset(sew, lmul, r.choice([None, r.randrange(1, 9), r.randrange(64)]))
        nf = r.randrange(1, 8) if kind == "segment" or (kind != "unit" and r.random() < 0.3) else 0
        if kind == "whole":
            nf = r.choice([0, 1, 3, 7])
        width = (7, 7, 7, 0, 5, 6)[r.randrange(6)] if self.thead else (0, 5, 6, 7)[sew if r.random() < 0.8 else r.randrange(4)]
        mop = {"strided": 2, "indexed": 3}.get(kind, 0)
        special = {"whole": 8, "mask": 11}.get(kind, 16 if kind == "first" or (kind == "segment" and not store and r.random() < 0.2) else 0)
        if kind == "first":
            store = False
        if kind == "mask" or (kind == "whole" and store):
            width, nf = 0, nf if kind == "whole" else 0
        if kind == "strided":
            self.say("li t2, %d", r.choice([0, 1, 8, 24, -8, 65, 300]))
        self.say("li a0, 0x%x", self.place())
        if r.random() < 0.1:
            self.say("csrwi 0x008, %d", r.randrange(4))
        w = (0x27 if store else 0x07) | r.choice([8, 16, 24]) << 7 | width << 12 | 10 << 15 | mop << 26 | nf << 29
        w |= {"strided": 7, "indexed": 8}.get(kind, special) << 20
        w |= (not masked or kind in ("whole", "mask")) << 25
        if self.thead and not store and width != 7 and r.random() < 0.5:
            w |= 1 << 28 # with a sign
        if self.mode == "MPRV": # MPP S or U, which a trap changes
            self.say("li t0, 0x1800")
            self.say("csrc mstatus, t0")
            self.say("li t0, 0x%x", 0x20000 | r.choice([0, 0x800]))
            self.say("csrs mstatus, t0")
        self.word(w)
        if self.mode == "MPRV":
            self.say("li t0, 0x20000")
            self.say("csrc mstatus, t0")
        self.say("csrwi 0x008, 0")

    def all(self):
        for _ in range(LENGTH):
            self.one()
        return "\n".join(self.text) + "\n"


def write(folder, seed, thead):
    with open(f"{folder}/stream.S", "w") as f:
        f.write(Stream(seed, thead).all())
    with open(f"{folder}/leaves.S", "w") as f:
        f.writelines("\t.dword 0x%x\n" % entry for entry in leaves())
