# SPDX-License-Identifier: BSD-2-Clause
#
# streams.py - shared by random_streams and privileged_streams: the table of instructions, and the loop
# that makes a program for each seed, runs it on both machines, and compares the outputs.
import os, random, re, shutil, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))

# Extensions that QEMU 7.2 does not have, or not unless it is told.
NEWER_EXT = {"ZCMP", "ZCMT", "ZICFISS", "ZICOND", "ZIMOP", "ZAWRS", "ZBC", "ZBC_ZBKC", "ZBKB", "ZBKX", "ZKND", "ZKNE", "ZKND_ZKNE", "ZKNH", "ZKSED",
             "ZKSH", "ZACAS", "ZALASR", "ZABHA", "ZABHA_ZACAS", "ZFHMIN", "ZFHMIN_D", "ZFH", "ZFA", "ZFA_D", "ZFA_ZFH"}

# The vectors 0.7.1 of T-Head's cores.
THEAD_VECTORS = {"XTHEADVECTOR", "XTHEADZVAMO"}

def table():
    """insn.def, vector.def, thead.def and xtheadvector.def as {name: (match, mask, format, class, ext)}"""
    rows = {}
    isa = os.path.join(here, "../../lib/isa/")
    for line in open(isa + "insn.def").readlines() + open(isa + "vector.def").readlines() + \
            open(isa + "thead.def").readlines() + open(isa + "xtheadvector.def").readlines():
        m = re.match(r"(INSN|LOAD|STORE|VSET|VMEM|VARITH)\((\w+), (0x\w+), (0x\w+), (.*)\)$", line)
        if m:
            rest = [s.strip() for s in m.group(5).split(",")]
            rows[m.group(2)] = (int(m.group(3), 16), int(m.group(4), 16)) + tuple(rest[-3:])
        m = re.match(r"TH_V(\w+)\((\w+), (0x\w+), (0x\w+), (\w+), (\w+)", line)
        if m:
            rows[m.group(2)] = (int(m.group(3), 16), int(m.group(4), 16), m.group(5), m.group(6),
                                "XTHEADZVAMO" if m.group(1) == "AMO" else "XTHEADVECTOR")
    return rows

def build(folder, source, options=[]):
    subprocess.run(["riscv64-unknown-elf-gcc"] + options + ["-nostdlib", "-static", "-march=rv64gc", "-mabi=lp64d",
                    "-Wl,-T," + os.path.join(here, "bare.ld"), "-Wl,--build-id=none", "-Wl,--no-warn-rwx-segments",
                    "-I", folder, "-Wa,-I" + folder, "-Wa,-I" + here, os.path.join(here, source), "-o", folder + "/prog.elf"],
                   check=True)

LIMIT = 200 # a stream takes a tenth of a second on an idle host

def run(cmd):
    try:
        p = subprocess.run(cmd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           timeout=LIMIT)
        return p.stdout.decode("latin1").replace("\r", "")
    except subprocess.TimeoutExpired:
        return "did not end within %d s\n" % LIMIT

# The options of a newer QEMU (guest/qemu): all extensions.
NEWER = ["-cpu", "max"]

def seeds(first, counts):
    """
    counts: "COUNT" or "COUNT/ALL".  The seeds from first on: COUNT of them, or ALL with HOLTER_SAMPLE=all; with
    HOLTER_SAMPLE=N another COUNT of ALL.
    """
    few, every = [int(n) for n in (counts.split("/") * 2)[:2]]
    sample = os.environ.get("HOLTER_SAMPLE", "")
    if sample == "all":
        return range(first, first + every)
    if sample:
        return sorted(random.Random(int(sample)).sample(range(first, first + every), few))
    return range(first, first + few)

def main(source, write, complete, report, qemu=[], newer=None, options=None, excuse=None):
    """
    write(folder, seed) writes the files that source includes, and returns known; complete(text) tells
    whether a program has printed everything; report(known, ours, theirs) prints the differences.
    newer: the program of a newer QEMU, or None: the host's.  options(seed): those of holter run and of QEMU.
    excuse(ours, theirs, command, their_command): why the two may differ, or None; the commands run the program on
    the machine and on QEMU.
    """
    args, more = sys.argv[1:], []
    if "--" in args:
        more = args[args.index("--") + 1:]
        args = args[:args.index("--")]
    if newer:
        args = args[2:]
        qemu = qemu + ([] if options else NEWER)
    program = newer or "qemu-system-riscv64"
    holter, of = args[0], seeds(int(args[1]) if len(args) > 1 else 1, args[2] if len(args) > 2 else "20")
    print("1..%d" % len(of))
    if not shutil.which(program):
        for n in range(len(of)):
            print("ok %d # SKIP no QEMU: make peers fetches the newer one" % (n + 1) if newer
                  else "ok %d # SKIP no QEMU" % (n + 1))
        return 0
    bad = 0
    for n, seed in enumerate(of):
        folder = tempfile.mkdtemp(prefix="holter-isa.")
        known = write(folder, seed)
        build(folder, source)
        our_options, their_options = options(seed) if options else ([], [])
        command = [holter, "run", "--memory", "16M"] + our_options + more + [folder + "/prog.elf"]
        out = run(command)
        # Into a file: QEMU loses what a full pipe has not taken when it exits.
        open(folder + "/qemu.out", "w").close()
        their_command = [program, "-M", "virt", "-m", "16M", "-display", "none", "-serial",
                         "file:" + folder + "/qemu.out", "-monitor", "none"] + qemu + their_options
        their_command += ["-bios", folder + "/prog.elf"]
        end = run(their_command)
        with open(folder + "/qemu.out", encoding="latin1", newline="") as f:
            theirs = f.read().replace("\r", "") + end
        if out == theirs and complete(out):
            print("ok %d - seed %d" % (n + 1, seed))
            shutil.rmtree(folder)
            continue
        why = excuse(out, theirs, command, their_command) if excuse and complete(out) else None
        if why:
            print("# seed %d: %s" % (seed, why))
            print("ok %d - seed %d" % (n + 1, seed))
            shutil.rmtree(folder)
            continue
        bad = 1
        print("not ok %d - seed %d, see %s" % (n + 1, seed, folder))
        report(known, out, theirs)
    return bad
