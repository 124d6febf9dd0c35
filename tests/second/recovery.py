# SPDX-License-Identifier: BSD-2-Clause
"""recovery.py - random branches, jumps and returns that are mispredicted while loads miss, for program/forward.S: rules
W10 and O6 of holter-model(7).  Some wait for these loads themselves, some only for a product or for nothing."""
import random

import forward

LENGTH = 500


class Stream(forward.Stream):
    def label(self):
        self.labels += 1
        return f".L{self.labels}"

    def chance(self):
        """t3: 0 or 1 from a generator in s9; it is also late sometimes, as what it waits for in t5 is 0."""
        r = self.r
        self.emit("mul s9, s9, s10", "addi s9, s9, 11", f"srli t3, s9, {r.randrange(20, 60)}")
        if r.random() < 0.5:
            self.emit(f"and t5, {self.slow()}, x0", "xor t3, t3, t5")
        self.emit("andi t3, t3, 1")

    def skipped(self, after):
        for _ in range(self.r.randrange(4)):
            self.r.choice([self.slow, self.store, self.load])()
        self.text.append(after + ":")

    def branches(self):
        self.chance()
        after = self.label()
        self.emit(f"{self.r.choice(['beqz', 'bnez'])} t3, {after}")
        self.skipped(after)

    def jumps(self):
        """To one of two places."""
        after, other = self.label(), self.label()
        self.chance()
        self.emit(f"la t4, {after}", f"la t5, {other}", "sub t5, t5, t4", "neg t3, t3", "and t5, t5, t3", "add t4, t4, t5",
                  "jr t4")
        self.text.append(other + ":")
        self.skipped(after)

    def returns(self):
        """From a call, to behind it or further."""
        callee, after = self.label(), self.label()
        self.chance()
        self.emit(f"j {after}")
        self.text.append(callee + ":")
        if self.r.random() < 0.5:
            self.slow()
        self.emit("slli t3, t3, 2", "add ra, ra, t3", "ret")
        self.text.append(after + ":")
        self.emit(f"jal ra, {callee}", ".option push", ".option norvc", "nop", "nop", ".option pop")

    def one(self):
        r, kind = self.r, self.r.random()
        if kind < 0.3:
            self.slow()
        elif kind < 0.4:
            r.choice([self.store, self.load])()
        elif kind < 0.75:
            self.branches()
        elif kind < 0.85:
            self.jumps()
        elif kind < 0.97:
            self.returns()
        else:
            self.other()


def write(folder, seed):
    s = Stream(seed, False)
    s.emit("la s9, turns", "ld s9, 0(s9)", "li s10, 0x5851f42d4c957f2d")
    forward.write_stream(folder, s, LENGTH)
