# SPDX-License-Identifier: BSD-2-Clause
"""programs.py - the programs that tests/second/check records: those of bench/ and tests/isa, made small."""
import os
import runpy
import subprocess
import sys

import forward
import recovery
import vector_pages

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
GCC = ("riscv64-unknown-elf-gcc -O2 -march=rv64gc -mabi=lp64d -mcmodel=medany -nostdlib -static -ffreestanding "
       "-fno-builtin -fno-tree-loop-distribute-patterns -Wl,--build-id=none -Wl,--no-warn-rwx-segments "
       f"-T {ROOT}/tests/isa/bare.ld").split()

# The programs of bench/ in C, and what makes them small.
SMALL = {
    "machine/chase": [("N (1 << 20)", "N (1 << 12)"), ("20000000", "10000")],
    "machine/core": [("RUNS 15000", "RUNS 1")],
    "machine/dhry": [("RUNS 12000000", "RUNS 200")],
    "machine/matmul": [("N 200", "N 12"), ("RUNS 32", "RUNS 8")],
    "machine/qsort": [("N 200000", "N 300"), ("RUNS 60", "RUNS 10")],
    "silicon/branch": [("TURNS = 16384", "TURNS = 512")],
    "silicon/chase": [("LARGEST = 8 << 20, SIZES = 12, DRAWS = 16, WARM = 65536, LOADS = 8192",
                       "LARGEST = 128 << 10, SIZES = 6, DRAWS = 1, WARM = 200, LOADS = 128"),
                      ("? 2048 : 8192", "? 256 : 256"), ("? 24 :", "? 1 :"), ("? 6 : 2", "? 1 : 1")],
    "silicon/ops": [("LOOPS = 24", "LOOPS = 2"), ("li t0, 24", "li t0, 2")],
    "silicon/stream": [("SIZE = 6 << 20", "SIZE = 20 << 10")],
    "silicon/vector": [("LOOPS = 32", "LOOPS = 1"), ('"li t0, 32', '"li t0, 1'), ("16384, 65536, 131072, 4 << 20", "4096, 4096, 4096, 8192")],
}


def changed(path, changes):
    text = open(path).read()
    for old, new in changes:
        assert old in text, f"{path}: {old}"
        text = text.replace(old, new)
    return text


def of_bench(name, folder, elf):
    """A program of bench/machine or bench/silicon."""
    kind, _, base = name.partition("/")
    with open(f"{folder}/{base}.c", "w") as f:
        f.write(changed(f"{ROOT}/bench/{name}.c", SMALL[name]))
    with_ = [f"{ROOT}/bench/{kind}/start.S"] + ([f"{ROOT}/bench/silicon/lib.c"] if kind == "silicon" else [])
    subprocess.run([*GCC, f"-I{ROOT}/bench/{kind}", *with_, f"{folder}/{base}.c", "-o", elf], check=True)


def of_streams(name, seed, folder, elf):
    """A program of tests/isa/random_streams or privileged_streams."""
    path = list(sys.path)
    sys.path.insert(0, f"{ROOT}/tests/isa")
    import streams

    def main(source, write, *_, **__):
        write(folder, seed)
        # Fewer sums of memory at the end: they are millions of equal instructions.
        with open(f"{folder}/main.S", "w") as f:
            few = [("li\ts1, 64\n", "li\ts1, 1\n")] if source == "privileged.S" else []
            f.write(changed(f"{ROOT}/tests/isa/{source}", few))
        streams.build(folder, f"{folder}/main.S")
        os.rename(f"{folder}/prog.elf", elf)
        return 0

    streams.main = main
    try:
        runpy.run_path(f"{ROOT}/tests/isa/{name}_streams")
    except SystemExit as end:
        assert not end.code
    sys.path[:] = path


def of_newer(name, options, seed, folder, elf):
    """A program of a script of tests/isa that has options, as if it compared with a QEMU."""
    path, argv = list(sys.path), sys.argv
    sys.path.insert(0, f"{ROOT}/tests/isa")
    import streams

    def main(source, write, *_, **__):
        write(folder, seed)
        streams.build(folder, source)
        os.rename(f"{folder}/prog.elf", elf)
        return 0

    streams.main = main
    sys.argv = [name, "--newer", "", *options]
    try:
        runpy.run_path(f"{ROOT}/tests/isa/{name}")
    except SystemExit as end:
        assert not end.code
    sys.path[:], sys.argv = path, argv


def of_vectors(seed, folder, elf):
    """Random vector instructions, legal or not."""
    of_newer("vector_streams", ["", ""], seed, folder, elf)


def of_thead(seed, folder, elf):
    """Random instructions of T-Head's extensions."""
    of_newer("random_streams", ["--thead"], seed, folder, elf)


def of_thead_vectors(seed, folder, elf):
    """Random instructions of XTheadVector, legal or not."""
    sys.path.insert(0, f"{ROOT}/tests/isa")
    import streams
    runpy.run_path(f"{ROOT}/tests/isa/thead_vector_streams")["write"](folder, seed)
    streams.build(folder, "vector.S", ["-DTHEAD"])
    os.rename(f"{folder}/prog.elf", elf)
    sys.path.remove(f"{ROOT}/tests/isa")


def of_vector_pages(seed, thead, folder, elf):
    """Random vector loads and stores at pages of all kinds."""
    vector_pages.write(folder, seed, thead)
    options = [f"-D{name}=0x{value:x}" for name, value in vector_pages.constants().items()] + ["-DTHEAD"] * thead
    subprocess.run([*GCC, *options, f"-Wa,-I{folder}", f"{HERE}/program/vector_pages.S", "-o", elf], check=True)


def of_forward(seed, zcm, folder, elf):
    """Random stores with late data, and loads of it; with instructions of Zcmp, too."""
    forward.write(folder, seed, zcm)
    subprocess.run([*GCC, *["-DZCM"] * zcm, f"-Wa,-I{folder}", f"{HERE}/program/forward.S", "-o", elf], check=True)


def of_recovery(seed, folder, elf):
    """Random mispredictions while loads miss."""
    recovery.write(folder, seed)
    subprocess.run([*GCC, f"-Wa,-I{folder}", f"{HERE}/program/forward.S", "-o", elf], check=True)


def of_zcm(seed, folder, elf):
    """Random instructions of Zcmp and Zcmt."""
    of_newer("random_streams", ["--zcm", "CPU"], seed, folder, elf)


def mixed(harts, seed, runs, elf):
    subprocess.run([*GCC, f"-DHARTS={harts}", f"-DSEED={seed}", f"-DRUNS={runs}",
                    f"{HERE}/program/mix_start.S", f"{HERE}/program/mix.c", "-o", elf], check=True)


def recorded(harts, elf):
    """The program of tests/tool/record_trace."""
    subprocess.run([*GCC, f"-DHARTS={harts}", f"{ROOT}/tests/tool/record_trace_prog.S", "-o", elf], check=True)
