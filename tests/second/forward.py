# SPDX-License-Identifier: BSD-2-Clause
"""forward.py - random stores whose data is late, and loads of what they store, for program/forward.S: rules W12 and O11
of holter-model(7).  Frames at sp, s0, a4 and s2; operands of all sizes that overlap; bases that change in between."""
import random

LENGTH = 900
BASES = ["sp", "s0", "a4", "s2"]
DATA = ["a0", "a1", "a2", "a3", "t0", "s1"]
FP = ["fa0", "fa1", "ft0"]
LOADS = [("lb", 1), ("lbu", 1), ("lh", 2), ("lhu", 2), ("lw", 4), ("lwu", 4), ("ld", 8), ("ld", 8)]
STORES = [("sb", 1), ("sh", 2), ("sw", 4), ("sd", 8), ("sd", 8)]
FP_LOADS, FP_STORES = [("flw", 4), ("fld", 8)], [("fsw", 4), ("fsd", 8)]
# cm.push, cm.pop, cm.popretz, cm.popret
PUSH, POP, POPRETZ, POPRET = 0xb802, 0xba02, 0xbc02, 0xbe02


class Stream:
    def __init__(self, seed, zcm):
        self.r, self.zcm, self.text, self.labels = random.Random(seed), zcm, [], 0

    def emit(self, *lines):
        self.text += ["\t" + line for line in lines]

    def operand(self, size, base=None):
        r = self.r
        at = r.randrange(0, 33, size) + (r.randrange(1, 8) if r.random() < 0.03 else 0)
        return f"{at}({base or r.choice(BASES)})"

    def slow(self, to=None):
        """A register that is late: a product, a quotient, a load that misses, or one of these and a move."""
        r, a, b = self.r, self.r.choice(DATA), self.r.choice(DATA)
        to = to or r.choice(DATA)
        kind = r.randrange(6)
        if kind == 0:
            self.emit(f"mul {to}, {a}, {b}")
        elif kind == 1:
            self.emit(f"{r.choice(['div', 'remu', 'divw'])} {to}, {a}, {b}")
        elif kind < 5:
            self.emit("add s3, s3, s4", "and s3, s3, s5", "add t5, s6, s3", f"{r.choice(['ld', 'lw', 'lbu'])} {to}, 0(t5)")
        else:
            self.emit(f"fdiv.d {r.choice(FP)}, {r.choice(FP)}, {r.choice(FP)}")
        if r.random() < 0.3:
            self.emit(f"addi {to}, {to}, {r.choice([0, 1, 8])}")
        return to

    def store(self, data=None, base=None):
        r = self.r
        if not data and r.random() < 0.2:
            name, size = r.choice(FP_STORES)
            data = r.choice(FP)
        else:
            name, size = r.choice(STORES)
        self.emit(f"{name} {data or r.choice(DATA + ['x0'])}, {self.operand(size, base)}")

    def load(self, base=None):
        r, fp = self.r, self.r.random() < 0.2
        name, size = r.choice(FP_LOADS if fp else LOADS)
        self.emit(f"{name} {r.choice(FP if fp else DATA)}, {self.operand(size, base)}")

    def moves(self):
        """A base changes."""
        r, base = self.r, self.r.choice(BASES)
        kind = r.randrange(8)
        if kind < 4:
            self.emit(*(f"addi {base}, {base}, {n}" for n in self.r.choice([(8, -8), (-16,), (16,), (4, 4), (-8, 0), (0,)])))
        elif kind == 4:
            self.emit(f"mv {base}, {base}", f"or {base}, {base}, x0")
        elif kind == 5:
            self.emit(f"sd {base}, 0({base})", f"ld {base}, 0({base})")
        elif kind == 6:
            self.emit(f"addi {r.choice(BASES[1:])}, {base}, {r.choice([0, 8, 16])}")
        else:    # th.ldia a0, th.sdia a1: of a CPU that has them
            number = BASES.index(base)
            access = r.choice([0x4000 | 10 << 7, 0x5000 | 11 << 7])
            self.emit(".4byte 0x%x" % (0x7810000b | 8 << 20 | [2, 8, 14, 18][number] << 15 | access))

    def other(self):
        r = self.r
        self.emit(*r.choice([["ecall"], ["ebreak"], ["fence rw, rw"], ["csrr a0, mscratch"], [".4byte 0"],
                             ["amoadd.d a0, a1, (s7)"], [".4byte 0x004ba00f"],    # cbo.zero (s7)
                             ["lr.d a0, (s7)", "sc.d a1, a0, (s7)"], ["fence.i"], ["ld a0, 0(x0)"], ["sd a0, 0(x0)"]]))

    def branch(self):
        self.labels += 1
        self.emit(f"{self.r.choice(['beq', 'bltu', 'bge'])} {self.r.choice(DATA)}, {self.r.choice(DATA)}, .L{self.labels}", "nop")
        self.text.append(f".L{self.labels}:")

    def frame(self):
        """cm.push of registers that are late, and what pops them."""
        r, rlist = self.r, self.r.randrange(4, 16)
        pops, spare = r.choice([POP, POPRETZ, POPRET]), r.randrange(4)
        registers = 13 if rlist == 15 else rlist - 3
        slots = (registers * 8 + 15 & ~15) + 16 * spare - 8 * registers
        self.labels += 1
        self.emit(f"la ra, .L{self.labels}")
        if r.random() < 0.7:
            late = self.slow()
            self.emit(f"mul {late}, {late}, x0", f"add {r.choice(['ra', 's0', 's1', 's2'])}, x0, {late}" if r.random() < 0.3 else
                      f"add ra, ra, {late}")
            if r.random() < 0.3:
                self.emit(f"la ra, .L{self.labels}")
        if self.text[-1].startswith("\tadd ra, x0"):
            self.emit(f"la ra, .L{self.labels}")
        self.emit(".2byte 0x%x" % (PUSH | rlist << 4 | spare << 2))
        for _ in range(r.randrange(4)):
            name, size = r.choice(LOADS)
            self.emit(f"{name} {r.choice(DATA)}, {slots + r.randrange(0, 8 * registers, size)}(sp)")
        if slots >= 8 and r.random() < 0.3:
            self.emit(f"sd {self.slow()}, 0(sp)")
        self.emit(".2byte 0x%x" % (pops | rlist << 4 | spare << 2))
        if pops != POP:
            self.emit("nop")
        self.text.append(f".L{self.labels}:")
        self.emit("la s0, frames + 1024", "la s2, frames + 3072", "call again")

    def one(self):
        r, kind = self.r, self.r.random()
        if kind < 0.15:
            self.slow()
        elif kind < 0.5:    # what the rules are about
            base = r.choice(BASES)
            self.store(self.slow() if r.random() < 0.7 else None, base)
            if r.random() < 0.3:
                self.moves()
            self.load(base)
        elif kind < 0.65:
            self.store()
        elif kind < 0.82:
            self.load()
        elif kind < 0.9:
            self.moves()
        elif kind < 0.94:
            self.branch()
        elif self.zcm and kind < 0.98:
            self.frame()
        elif kind > 0.985:
            self.other()


def write_stream(folder, s, length):
    """So many parts of a stream; the bases are set anew now and then."""
    for n in range(length):
        if n % 30 == 0:
            s.emit("la sp, frames + 2048", "la s0, frames + 1024", "la a4, frames + 2064", "la s2, frames + 3072")
        s.one()
    with open(f"{folder}/stream.S", "w") as f:
        f.write("\n".join(s.text) + "\n")


def write(folder, seed, zcm):
    write_stream(folder, Stream(seed, zcm), LENGTH)
