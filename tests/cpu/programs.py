# SPDX-License-Identifier: BSD-2-Clause
#
# programs.py - programs for the guest whose counts follow from the sizes of a CPU's caches, TLBs and
# predictors (holter cpu --json).
#
# They have no libc and no startup code but their own, so that each instruction in user space is known:
# all are four bytes long, the number of rounds of each loop is known, and ecall does not retire.
import subprocess

ONE_PAGE, SMALL_PAGES = 14, 15  # MADV_HUGEPAGE, MADV_NOHUGEPAGE

# s0: a buffer; s2: the number of items, s1: of rounds; s3: the distance of items.  mmap(2) and madvise(2):
# one page of 2 MiB, or small pages that are mapped from the beginning, no more than are needed.
#
# The first store maps the page of 2 MiB.  Linux clears it then, and ends with the part that is touched
# (folio_zero_user): L1D is full of that part's lines.  So the store is to the last line of the page, and L1D has
# none of the lines at the beginning, which the programs read.
HEAD = """
	.option norvc
	.option norelax
	.globl _start, loop, done, end
_start:
	li	a0, 0
	li	a1, %(mapped)d
	li	a2, 3
	li	a3, %(flags)d
	li	a4, -1
	li	a5, 0
	li	a7, 222
	ecall
	li	t0, %(page)d
	addi	t1, t0, -1
	add	s0, a0, t1
	not	t1, t1
	and	s0, s0, t1
	mv	a0, s0
	li	a1, %(used)d
	li	a2, %(advice)d
	li	a7, 233
	ecall
	li	t0, %(touched)d
	add	t0, t0, s0
	sd	zero, 0(t0)
	li	s2, %(n)d
	li	s1, %(times)d
	li	s3, %(apart)d
loop:
%(body)s
done:
	li	a0, 0
	li	a7, 93
	ecall
end:
"""

WALK = """
	mv	t0, s0
	mv	t2, s2
1:	ld	t1, 0(t0)
	.globl missed
missed:	add	t0, t0, s3
	addi	t2, t2, -1
	bnez	t2, 1b
	addi	s1, s1, -1
	bnez	s1, loop
"""

LOOPS = """
	mv	t2, s2
1:	addi	t2, t2, -1
	bnez	t2, 1b
	addi	s1, s1, -1
	bnez	s1, loop
"""

CALLS = """
	mv	t2, s2
	lui	t3, 0x100
	add	sp, s0, t3
	jal	ra, 1f
	addi	s1, s1, -1
	bnez	s1, loop
	j	done
1:	addi	sp, sp, -16
	sd	ra, 0(sp)
	addi	t2, t2, -1
	beqz	t2, 2f
	jal	ra, 1b
2:	ld	ra, 0(sp)
	addi	sp, sp, 16
	ret
"""

# A mix of instructions, for a given number of rounds.
BUSY = """
	mv	t2, s2
1:	ld	t1, 0(s0)
	mul	t3, t1, t2
	sd	t3, 8(s0)
	andi	t3, t3, 1
	beqz	t3, 2f
	add	t1, t1, t3
2:	addi	t2, t2, -1
	bnez	t2, 1b
	addi	s1, s1, -1
	bnez	s1, loop
"""


class Program:
    """
    exact: events whose count in user mode is known; within: events that the kernel disturbs, as
    (least, most without interrupts, more for each interrupt).  Events have the machine's names.
    """

    def __init__(self, name, body, n, times, advice=SMALL_PAGES, apart=0):
        self.name, self.n, self.times = name, n, times
        one = advice == ONE_PAGE
        used = 2 << 20 if one else n * apart + 4096
        self.source = HEAD % dict(flags=0x22 if one else 0x8022, n=n, times=times, advice=advice, apart=apart, body=body,
                                  page=2 << 20 if one else 4096, used=used, mapped=2 * used if one else used,
                                  touched=used - 64 if one else 0)
        self.exact, self.within = {}, {}

    def build(self, folder):
        file = "%s/%s" % (folder, self.name)
        with open(file + ".S", "w") as f:
            f.write(self.source)
        subprocess.run(["riscv64-linux-gnu-gcc", "-nostdlib", "-static", "-Wl,--build-id=none",
                        file + ".S", "-o", file], check=True)
        out = subprocess.run(["riscv64-linux-gnu-nm", file], check=True, stdout=subprocess.PIPE, text=True).stdout
        self.symbols = {line.split()[2]: int(line.split()[0], 16) for line in out.splitlines()}

    def around(self):
        """Instructions before and after the loop, without the three ecalls."""
        s = self.symbols
        return (s["loop"] - s["_start"]) // 4 + (s["end"] - s["done"]) // 4 - 3


def stay(cache, n):
    """Whether n adjacent lines stay in the cache, do not, or it is unknown (test_cpu_walks.c)"""
    each = -(-n // cache["sets"])
    if each <= cache["ways"]:
        return "fits"
    if n % cache["sets"] or cache["policy"] == "random" or cache["policy"] == "plru" and each % cache["ways"]:
        return "unruly"
    return "thrashes"


def walk(cpu, name, n, times):
    """Reads line after line of one page"""
    p = Program(name, WALK, n, times, advice=ONE_PAGE, apart=64)
    l1d, n, times = cpu["caches"]["l1d"], p.n, p.times
    misses = n // 64 if l1d["prefetch"] == "tagged" else n
    rounds = {"fits": 1, "thrashes": times}[stay(l1d, n)]
    lines = l1d["sets"] * l1d["ways"]

    p.exact = {"int-loads": n * times, "loads": n * times, "l1d-reads": n * times, "int-stores": 1,
               "stores": 1, "l1d-writes": 1, "cond-branches": (n + 1) * times,
               "cond-taken": n * times - 1, "branch-instructions": (n + 1) * times,
               "direct-jumps": 0, "indirect-jumps": 0, "amos": 0, "lr": 0, "sc": 0}
    p.instructions = lambda: p.around() + times * (4 * n + 4)
    # Lines that an interrupt evicts miss once more: at most all; and if no line stays, those that a prefetcher
    # had fetched.
    p.within = {"l1d-read-misses": (misses * rounds, misses * rounds, lines if rounds == 1 else 64),
                "l1d-write-misses": (0, 1, 0), "uncached-reads": (0, 0, 0), "uncached-writes": (0, 0, 0)}
    return p


def pages(cpu, name, n, times):
    """Reads page after page"""
    p = Program(name, WALK, n, times, apart=4096)
    d, n, times = cpu["tlbs"]["d"], p.n, p.times
    entries = d["sets"] * d["ways"]
    rounds = {"fits": 1, "thrashes": times}[stay(d, n)]
    second = cpu["tlbs"].get("second")

    p.exact = {"int-loads": n * times, "l1d-reads": n * times, "cond-branches": (n + 1) * times}
    p.instructions = lambda: p.around() + times * (4 * n + 4)
    # The kernel uses the same TLB, but it does not access our pages.
    p.within = {"dTLB-load-misses": (n * rounds - entries, n * rounds, entries if rounds == 1 else 4),
                "dTLB-store-misses": (0, 3, 1), "iTLB-load-misses": (0, 3, 2)}
    if second:
        p.within["stlb-reads"] = p.within["dTLB-load-misses"]
        # Twice the first level fits the second.
        p.within["stlb-read-misses"] = (0, n, second["sets"] * second["ways"])
        p.within["stlb-write-misses"] = (0, 3, 1)
        p.within["stlb-fetch-misses"] = (0, 3, 2)
    return p


def loops(cpu, name, times):
    """A loop whose end gshare and bi-mode cannot predict, or one that TAGE can (test_cpu_branches.c)"""
    predictor = cpu["predictor"]
    tage = predictor["direction"] == "tage"
    p = Program(name, LOOPS, 5 if tage else predictor["history"] + 6, times)
    n, times = p.n, p.times
    wrong = 0 if tage else times

    p.exact = {"cond-branches": (n + 1) * times, "cond-taken": n * times - 1,
               "cond-not-taken": times + 1, "branch-instructions": (n + 1) * times, "direct-jumps": 0,
               "indirect-jumps": 0, "returns": 0, "jumps": 0, "int-mul": 0, "fp-add": 0}
    p.instructions = lambda: p.around() + times * (2 * n + 3)
    # To learn it again takes as many mispredictions as there are histories, or a little more.
    p.within = {"cond-mispredicts": (wrong - 100, wrong + 100, 200), "target-mispredicts": (0, 0, 0),
                "return-mispredicts": (0, 0, 0)}
    return p


def calls(cpu, name, times):
    """Nested calls, eight more than the return stack has entries"""
    returns = cpu["predictor"]["returns"]
    p = Program(name, CALLS, returns + 8, times, advice=ONE_PAGE)
    n, times = p.n, p.times

    p.exact = {"returns": n * times, "calls": n * times, "indirect-jumps": n * times,
               "direct-jumps": n * times + 1, "int-loads": n * times, "int-stores": n * times + 1,
               "cond-branches": (n + 1) * times, "jumps": 2 * n * times + 1,
               "branch-instructions": (3 * n + 1) * times + 1}
    p.instructions = lambda: p.around() + times * (8 * n + 5) + 1
    # After an interrupt, the return stack may be full of the kernel's calls.
    p.within = {"return-mispredicts": (8 * times, 8 * times, returns), "target-mispredicts": (0, 0, 0)}
    return p


def busy(times):
    """A hundred thousand rounds, TIMES times; each load reads 0"""
    p = Program("busy", BUSY, 100000, times, advice=ONE_PAGE)
    n, times = p.n, p.times

    p.exact = {"int-loads": n * times, "int-stores": n * times + 1, "int-mul": n * times,
               "cond-branches": (2 * n + 1) * times, "cond-taken": 2 * n * times - 1}
    p.instructions = lambda: p.around() + times * (7 * n + 3)
    return p
