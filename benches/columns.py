#!/usr/bin/env python3
"""Columns against the program and Python: `columns.py PROGRAM [STRINGS]`, in a Python with gridmill, numpy and pyarrow.

CPU seconds, medians of RUNS; one thread but where another number is said. Rows are printed as they go into RESULTS.md.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import gridmill

RUNS = int(os.environ.get("RUNS", "5"))
program = sys.argv[1]
count = int(sys.argv[2]) if len(sys.argv) > 2 else 5_000_000


def cpu(work: Callable[[], object]) -> float:
    def once() -> float:
        before = time.process_time()
        work()
        return time.process_time() - before

    once()
    return statistics.median(once() for _ in range(RUNS))


def command(*arguments: object) -> float:
    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    once()
    return statistics.median(once() for _ in range(RUNS))


def row(what: str, found: float, against: float, limit: str, more: str = "") -> None:
    print(f"| {what} | {found:.3f} s | {against:.3f} s | {found / against:.2f} x | {limit} | {more} |", flush=True)


with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
    lines, out = Path(folder, "v1.txt"), Path(folder, "out.txt")
    subprocess.run([program, "gen", "-q", "--format", "v1", "--count", str(count), "--seed", "7", "-o", lines], check=True)
    strings = pa.array(lines.read_text().split("\n")[:-1], pa.large_string())
    print("| what | found | against | ratio | must be | |\n|---|--:|--:|--:|--:|---|")
    convert = cpu(lambda: gridmill.convert(strings, threads=1))
    row("convert, against `convert -j1 --no-sync` to tmpfs", convert, command("convert", "-f", "-j1", "--no-sync", lines, "-o", out),
        "1.0", f"{count / convert / 1e6:.1f} M/s")
    out.unlink()
    row("convert, against `convert -j1` to /dev/null", convert, command("convert", "-j1", lines), "2.0")
    lines.unlink()
    row("convert with two threads, against one", cpu(lambda: gridmill.convert(strings, threads=2)), convert, "1.1")
    row("`string_view`, against `large_string`", cpu(lambda views=strings.cast(pa.string_view()): gridmill.convert(views, threads=1)), convert, "1.1")
    digits = np.zeros((count, 81), np.uint8)
    digits[:] = 1
    found = cpu(lambda: gridmill.to_numpy(strings, out=digits, threads=1))
    print(f"| to_numpy digits, into touched memory | {found:.3f} s | | {count / found / 1e6:.1f} M/s | 20 M/s | |", flush=True)
    few = min(count // 5, 1_000_000)
    puzzles = gridmill.gen(few, seed=3, mix="clues", unique=True, format="plain") if few <= 200_000 else None
    puzzles = puzzles if puzzles is not None else pa.concat_arrays([gridmill.gen(100_000, seed=3, mix="clues", unique=True, format="plain")] * (few // 100_000))
    lines.write_text("\n".join(puzzles.to_pylist()) + "\n")
    solve = cpu(lambda: gridmill.solve(puzzles, threads=1))
    row("solve, against `validate --level unique -j1`", solve, command("validate", "--level", "unique", "-j1", lines), "1.2", f"{few / solve / 1e6:.2f} M/s")
    table = pa.table({"id": range(few), "board": strings[:few], "rating": np.random.default_rng(1).random(few)})
    old, new = Path(folder, "old.parquet"), Path(folder, "new.parquet")
    pq.write_table(table, old, compression="zstd", row_group_size=100_000, use_dictionary=False)
    pa.set_cpu_count(1)
    if subprocess.run([program, "convert", "-q", "--no-sync", "--column", "board", old, "-o", new], capture_output=True).returncode == 0:
        def both() -> None:
            pq.write_table(pq.read_table(old), new, compression="zstd", row_group_size=100_000, use_dictionary=False)

        row(f"Parquet, {few:,} rows, zstd, against pyarrow reading and writing it", command("convert", "-f", "-j1", "--no-sync", "--column", "board", old, "-o", new), cpu(both), "0.6")
    else:
        print("| Parquet: the program was built without | | | | 0.6 | |")
