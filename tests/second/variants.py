# SPDX-License-Identifier: BSD-2-Clause
"""variants.py - descriptions of CPUs with random changes, for tests/second/check.

A change is made twice: by --set for the machine, and in the device tree for the second implementation,
which has no --set.  holter-cpu(7) says what a name of --set means.
"""
import subprocess

CPU, MEMORY = "/cpus/cpu@0", "/cpus/cpu@0/holter,memory"
PREDICTOR, PIPELINE = "/cpus/cpu@0/holter,predictor", "/cpus/cpu@0/holter,pipeline"
VECTOR, VECTOR_CLASSES = "/cpus/cpu@0/holter,vector", 17
CLASSES = ("alu mul div load store amo branch fp-add fp-mul fp-fma fp-div fp-sqrt fp-misc csr fence "
           "mul-32 div-32 fp-add-32 fp-mul-32 fp-fma-32 fp-div-32 fp-sqrt-32 fp-sign fp-convert fp-move "
           "vset").split()
UNITS = "alu mul div memory branch fp fp-div system".split()
POLICIES = ["lru", "plru", "fifo", "random"]
TAGE_HISTORY = {1: [16], 2: [8, 32], 3: [6, 18, 54], 4: [5, 15, 44, 128], 5: [4, 10, 24, 56, 128], 6: [4, 8, 16, 32, 64, 128]}


def get(dtb, node, prop):
    """The cells of a property; None if it is not there."""
    p = subprocess.run(["fdtget", "-t", "u", dtb, node, prop], capture_output=True, text=True)
    return [int(n) for n in p.stdout.split()] if p.returncode == 0 else None


class Variant:
    """The device tree dtb with changes; sets: the same as options of holter run."""

    def __init__(self, dtb, rng):
        self.dtb, self.rng, self.sets = dtb, rng, []

    def text(self, node, prop):
        p = subprocess.run(["fdtget", self.dtb, node, prop], capture_output=True, text=True)
        return p.stdout.strip()

    def put(self, node, prop, value):
        kind, values = ("s", value) if isinstance(value, str) else ("u", value)
        values = [values] if isinstance(values, (str, int)) else values
        kind = "s" if values and isinstance(values[0], str) else kind
        subprocess.run(["fdtput", "-p", "-t", kind, self.dtb, node, prop, *map(str, values)], check=True)

    def set(self, name, value):
        if isinstance(value, list):
            value = ",".join(map(str, value))
        given = [s for s in self.sets[1::2] if not s.startswith(name + "=")]
        self.sets = [word for s in [*given, "%s=%s" % (name, value)] for word in ("--set", s)]

    def number(self, name, node, prop, value):
        self.set(name, value)
        self.put(node, prop, value)

    def cell(self, name, node, prop, at, value):
        cells = get(self.dtb, node, prop)
        if cells[at] == value: # all texts of --set must be short
            return
        cells[at] = value
        self.set(name, value)
        self.put(node, prop, cells)

    def outer(self):
        """The nodes of the caches behind L1, with their names for --set."""
        nodes = subprocess.run(["fdtget", "-l", self.dtb, "/cpus"], capture_output=True, text=True).stdout.split()
        return [("l%d" % (n + 2), "/cpus/" + node) for n, node in enumerate(sorted(x for x in nodes if "cache" in x))]

    def policy(self, name, node, prop, ways):
        policy = self.rng.choice([p for p in POLICIES if p != "plru" or ways & (ways - 1) == 0])
        self.number(name, node, prop, policy)

    def cache(self, name, node, side, line, kinds):
        r = self.rng
        sets, ways = r.choice([1, 2, 4, 16, 64]), r.choice([1, 2, 3, 4, 8])
        part = side + "cache-"
        prop = "holter," + (part if side else "")
        self.set(name + ".sets", sets)
        self.set(name + ".ways", ways)
        self.put(node, part + "sets", sets)
        self.put(node, part + "size", sets * ways * line)
        self.policy(name + ".policy", node, prop + "policy", ways)
        kind = r.choice(kinds)
        self.number(name + ".prefetch", node, prop + "prefetch", kind)
        if kind in ("stream", "stride"):
            self.number(name + ".prefetch-entries", node, prop + "prefetch-entries", r.choice([1, 4, 16]))
            self.number(name + ".prefetch-degree", node, prop + "prefetch-degree", r.randint(1, 4))
            self.number(name + ".prefetch-distance", node, prop + "prefetch-distance", r.choice([1, 2, 8, 20]))
            self.number(name + ".prefetch-pages", node, prop + "prefetch-pages", r.choice([1, 2, 4, 16]))

    def caches(self):
        r = self.rng
        line = get(self.dtb, CPU, "d-cache-block-size")[0]
        # Zic64b needs lines of 64 bytes.
        if "zic64b" not in self.text(CPU, "riscv,isa-extensions").split() and r.random() < 0.5:
            line = r.choice([16, 32, 64, 128])
            self.set("line", line)
            self.put(CPU, "i-cache-block-size", line)
            self.put(CPU, "d-cache-block-size", line)
            for _, node in self.outer():
                self.put(node, "cache-block-size", line)
        self.cache("l1i", CPU, "i-", line, ["none", "on-miss", "tagged"])
        self.cache("l1d", CPU, "d-", line, ["none", "on-miss", "tagged", "stream", "stride"])
        if r.random() < 0.3:
            self.set("l1d.write-through", "on")
            self.put(CPU, "holter,d-cache-write-through", [])
        for name, node in self.outer():
            self.cache(name, node, "", line, ["none", "on-miss", "tagged", "stream"])
            self.number(name + ".latency", node, "holter,cycles", r.choice([1, 9, 40]))
        self.number("memory.snoop", MEMORY, "snoop-cycles", r.choice([0, 7, 30]))
        self.number("memory.uncached", MEMORY, "uncached-cycles", r.choice([0, 5, 60]))
        self.number("memory.latency", MEMORY, "dram-ns", r.choice([50, 133]))

    def tlbs(self):
        r = self.rng
        for name, size, sets_prop, policy in (
                ("itlb", "i-tlb-size", "i-tlb-sets", "holter,i-tlb-policy"),
                ("dtlb", "d-tlb-size", "d-tlb-sets", "holter,d-tlb-policy"),
                ("stlb", "holter,second-tlb-size", "holter,second-tlb-sets", "holter,second-tlb-policy")):
            if get(self.dtb, CPU, size) is None:
                continue
            sets, ways = r.choice([1, 2, 4, 8]), r.choice([1, 2, 4, 5])
            self.set(name + ".sets", sets)
            self.set(name + ".ways", ways)
            self.put(CPU, sets_prop, sets)
            self.put(CPU, size, sets * ways)
            self.policy(name + ".policy", CPU, policy, ways)
        pages = ["4k"] + [p for p in ("64k", "2m", "1g") if r.random() < 0.5]
        self.number("tlb.pages", CPU, "holter,tlb-pages", pages)
        self.number("tlb.walk", PIPELINE, "walk-cycles", r.choice([0, 3, 20]))
        if get(self.dtb, CPU, "holter,second-tlb-size") is not None:
            self.number("stlb.latency", PIPELINE, "second-tlb-cycles", r.choice([0, 2, 9]))

    def predictor(self):
        r = self.rng
        kind = r.choice(["static", "bimodal", "gshare", "bimode", "tage"])
        self.number("bpred.kind", PREDICTOR, "direction", kind)
        if kind != "static":
            self.number("bpred.counters", PREDICTOR, "counters", r.choice([16, 256, 2048]))
        if kind in ("gshare", "bimode"):
            self.number("bpred.history", PREDICTOR, "history", r.choice([1, 3, 4]))
        if kind == "bimode":
            self.number("bpred.choices", PREDICTOR, "choices", r.choice([16, 512]))
        if kind == "tage":
            tables = r.randint(1, 6)
            self.number("bpred.tage-tables", PREDICTOR, "tage-tables", tables)
            self.put(PREDICTOR, "tage-history", TAGE_HISTORY[tables])
            self.number("bpred.tage-entries", PREDICTOR, "tage-entries", r.choice([16, 64, 512]))
            self.number("bpred.tage-tag-bits", PREDICTOR, "tage-tag-bits", r.choice([4, 7, 12]))
        self.number("bpred.btb-sets", PREDICTOR, "btb-sets", r.choice([1, 2, 16, 128]))
        self.number("bpred.btb-ways", PREDICTOR, "btb-ways", r.choice([1, 2, 4]))
        targets = r.choice([0, 16, 256])
        self.number("bpred.targets", PREDICTOR, "targets", targets)
        self.number("bpred.target-history", PREDICTOR, "target-history", r.choice([1, 3]) if targets else 0)
        self.number("bpred.returns", PREDICTOR, "returns", r.choice([0, 1, 2, 8]))

    def pipeline(self):
        r = self.rng
        self.number("pipe.width", PIPELINE, "width", r.randint(1, 4))
        for at, name in enumerate(UNITS):
            if r.random() < 0.3:
                most = 1 if name == "div" and any(get(self.dtb, PIPELINE, "div-bits") or []) else 3
                self.cell("units." + name, PIPELINE, "units", at, r.randint(1, most))
        for at, name in enumerate(CLASSES[:len(get(self.dtb, PIPELINE, "latency"))]):
            latency = r.choice([1, 2, 3, 7, 25])
            self.cell("latency." + name, PIPELINE, "latency", at, latency)
            self.cell("busy." + name, PIPELINE, "busy", at, r.randint(1, latency))
        for name in ("taken", "btb-miss", "bad-direction", "bad-target", "bad-return"):
            self.number("pipe." + name, PIPELINE, name, r.choice([0, 1, 2, 3, 9]))

    def division(self):
        r, at = self.rng, UNITS.index("div")
        self.cell("units.div", PIPELINE, "units", at, 1)
        for name in ("div", "div-32"):
            at, latency = CLASSES.index(name), r.choice([1, 2, 7])
            self.cell("latency." + name, PIPELINE, "latency", at, latency)
            self.cell("busy." + name, PIPELINE, "busy", at, r.randint(1, latency))
        self.number("pipe.div-bits", PIPELINE, "div-bits", r.choice([1, 1, 2, 3, 4, 64]))
        self.number("pipe.div-cycles", PIPELINE, "div-cycles", r.choice([0, 1, 3, 30, 255]))
        self.number("pipe.div-sign", PIPELINE, "div-sign", r.choice([0, 0, 1, 20]))

    def late_alu(self):
        if self.text(PIPELINE, "order") != "out":
            self.number("pipe.late-alu", PIPELINE, "late-alu", self.rng.choice([0, 1, 2, 5]))

    def order(self):
        r = self.rng
        queues = [r.choice([1, 2, 5, 12]) for _ in UNITS]
        self.number("pipe.order", PIPELINE, "order", "out")
        if get(self.dtb, PIPELINE, "late-alu"):
            self.number("pipe.late-alu", PIPELINE, "late-alu", 0)
        self.number("pipe.window", PIPELINE, "window", r.choice([1, 4, 20, 100]))
        self.put(PIPELINE, "queues", queues)
        for name, n in zip(UNITS, queues):
            self.set("queues." + name, n)

    def forward(self):
        if self.text(PIPELINE, "order") == "out":
            self.number("pipe.forward", PIPELINE, "forward-cycles", self.rng.choice([0, 1, 3, 6, 20, 63]))

    def recovery(self):
        if self.text(PIPELINE, "order") == "out":
            self.number("pipe.recovery", PIPELINE, "recovery-cycles", self.rng.choice([0, 1, 5, 7, 12, 40, 255]))

    def overlap(self):
        r = self.rng
        for name in ("stores", "loads", "misses"):
            self.number("pipe." + name, PIPELINE, name, r.choice([0, 1, 2, 3, 9]))
        self.number("pipe.fill-cycles", PIPELINE, "fill-cycles", r.choice([0, 1, 7, 40]))

    def bandwidth(self):
        r = self.rng
        self.number("memory.bandwidth", MEMORY, "dram-mb-s", r.choice([500, 3000, 20000]))
        for name, node in self.outer():
            self.number(name + ".line-cycles", node, "holter,line-cycles", r.choice([1, 5, 30]))
            self.number(name + ".banks", node, "holter,banks", r.choice([1, 2, 4, 8]))

    def rows(self):
        r, latency = self.rng, get(self.dtb, MEMORY, "dram-ns")[0]
        line = get(self.dtb, CPU, "d-cache-block-size")[0]
        self.number("memory.row-latency", MEMORY, "dram-row-hit-ns", r.choice([1, latency // 2, latency - 1]))
        if r.random() < 0.7:
            self.number("memory.row-bytes", MEMORY, "dram-row-bytes", r.choice([line, 512, 2048, 1 << 20]))
        row = (get(self.dtb, MEMORY, "dram-row-bytes") or [4096])[0]
        # One that the description has may not fit the new line and row.
        if r.random() < 0.6 or get(self.dtb, MEMORY, "dram-interleave-bytes"):
            interleave = r.choice([n for n in (line, 2 * line, 256, 1024, 4096, row) if line <= n <= row])
            self.number("memory.interleave", MEMORY, "dram-interleave-bytes", interleave)
        if r.random() < 0.7:
            self.number("memory.banks", MEMORY, "dram-banks", r.choice([1, 2, 4, 64]))

    def write_stream(self):
        self.number("l1d.write-stream", CPU, "holter,d-cache-write-stream", self.rng.choice([0, 1, 3, 9]))

    def vectors(self):
        """The vector units, for which there are no names: only in the device tree."""
        r = self.rng
        self.put(VECTOR, "cycles", [r.choice([1, 1, 2, 3, 9, 40]) for _ in range(4 * VECTOR_CLASSES)])
        self.put(VECTOR, "latency", [r.choice([1, 2, 3, 7, 25]) for _ in range(VECTOR_CLASSES)])
        self.put(VECTOR, "masked", r.choice([1, 2, 5]))
        self.put(VECTOR, "element", r.choice([1, 2, 5]))
        if r.random() < 0.5:
            subprocess.run(["fdtput", "-d", self.dtb, VECTOR, "chaining"], check=True)

    def change(self, always=()):
        """Some of the parts, and those of the names in always."""
        parts = [self.caches, self.tlbs, self.predictor, self.pipeline, self.division, self.order, self.overlap, self.bandwidth,
                 self.write_stream, self.late_alu, self.forward, self.recovery]
        # The last three depend on the order.
        some = {*self.rng.sample(parts, self.rng.randint(1, len(parts))), *(getattr(self, name) for name in always)}
        for part in sorted(some, key=parts.index):
            part()
        if self.rng.random() < 0.5:
            self.number("random-seed", CPU, "holter,random-seed", self.rng.randrange(1 << 31))
        # A description that has rows gets others, less than its new dram-ns.
        if self.rng.random() < 0.4 or get(self.dtb, MEMORY, "dram-row-hit-ns"):
            self.rows()
