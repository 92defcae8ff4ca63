#!/usr/bin/env python3
"""Compares columns in Python with the program and with plain Python: `columns.py PROGRAM [--strings N] [ROW...]`.

Needs a Python with gridmill, numpy and pyarrow. Prints medians of RUNS runs: processor time, and wall time in brackets. Runs use one
thread unless the row names another number. Ratios are of processor time. Rows are printed in the format of RESULTS.md. The row about
Parquet needs a PROGRAM with the feature `parquet`.
"""

import argparse
import os
import resource
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import gridmill

RUNS = int(os.environ.get("RUNS", "7"))


class Took(NamedTuple):
    cpu: float
    wall: float

    def __str__(self) -> str:
        return f"{self.cpu:.3f} s ({self.wall:.3f})"


def took(work: Callable[[], object]) -> Took:
    """The time of a call, including the processes that it starts and waits for, after one warm-up call."""

    def once() -> Took:
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        began = time.perf_counter()
        work()
        wall = time.perf_counter() - began
        now = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return Took(sum(b.ru_utime + b.ru_stime - a.ru_utime - a.ru_stime for a, b in zip(used, now)), wall)

    once()
    runs = [once() for _ in range(RUNS)]
    return Took(statistics.median(run.cpu for run in runs), statistics.median(run.wall for run in runs))


def row(what: str, found: Took, against: Took, limit: str, more: str = "") -> None:
    print(f"| {what} | {found} | {against} | {found.cpu / against.cpu:.2f} x | {limit} | {more} |", flush=True)


class Bench:
    def __init__(self, program: str, count: int, folder: Path) -> None:
        self.program, self.count = program, count
        self.lines, self.out = folder / "v1.txt", folder / "out"
        self.run("gen", "-q", "--format", "v1", "--count", count, "--seed", 7, "-o", self.lines)
        self.strings = pa.array(self.lines.read_text().split("\n")[:-1], pa.large_string())

    def run(self, *arguments: object) -> None:
        command = [self.program, *map(str, arguments)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def convert(self) -> Took:
        return took(lambda: gridmill.convert(self.strings, threads=1))

    def tmpfs(self) -> None:
        found = self.convert()
        against = took(lambda: self.run("convert", "-f", "-j1", "--no-sync", self.lines, "-o", self.out))
        row("convert, against `convert -j1 --no-sync` to tmpfs", found, against, "<= 1.0 x", f"{self.count / found.cpu / 1e6:.1f} M/s")
        self.out.unlink()

    def null(self) -> None:
        row("convert, against `convert -j1` to /dev/null", self.convert(), took(lambda: self.run("convert", "-j1", self.lines)), "<= 2.0 x")

    def python(self) -> None:
        """Looks each pair of characters up in a table of results: the fastest loop without a library."""
        few = self.strings[:100_000]
        listed = few.to_pylist()
        new = gridmill.convert(few).to_pylist()
        places = [slice(at, at + 2) for at in range(0, 162, 2)]
        table = {old[at]: made[at.start + 3 : at.stop + 3] for old, made in zip(listed, new) for at in places}

        def loop() -> list[str]:
            return ["S9B" + "".join([table[string[place]] for place in places]) for string in listed]

        assert loop() == new
        found, against = self.convert(), took(loop)
        speed = (self.count / found.cpu) / (len(listed) / against.cpu)
        print(f"| convert, against a Python loop over {len(listed):,} | {found} | {against} | {speed:.0f} x as fast | >= 60 x | {len(listed) / against.cpu / 1e3:.0f} k/s |", flush=True)

    def threads(self) -> None:
        row("convert with two threads, against one", took(lambda: gridmill.convert(self.strings, threads=2)), self.convert(), "<= 1.1 x")

    def views(self) -> None:
        views = self.strings.cast(pa.string_view())
        row("`string_view`, against `large_string`", took(lambda: gridmill.convert(views, threads=1)), self.convert(), "<= 1.1 x")

    def numpy(self) -> None:
        digits = np.ones((self.count, 81), np.uint8)
        found = took(lambda: gridmill.to_numpy(self.strings, out=digits, threads=1))
        print(f"| `to_numpy` digits, into touched memory | {found} | | {self.count / found.cpu / 1e6:.1f} M/s | >= 20 M/s | |", flush=True)

    def solve(self) -> None:
        puzzles = pa.concat_arrays([gridmill.gen(10_000, seed=3, mix="clues", unique=True, format="plain")] * max(self.count // 50_000, 1))
        file = self.out.with_suffix(".txt")
        file.write_text("\n".join(puzzles.to_pylist()) + "\n")
        found = took(lambda: gridmill.solve(puzzles, threads=1))
        against = took(lambda: self.run("validate", "--level", "unique", "-j1", file))
        row("solve, against `validate --level unique -j1`", found, against, "<= 1.2 x", f"{len(puzzles) / found.cpu / 1e6:.2f} M/s")
        file.unlink()

    def parquet(self) -> None:
        few = self.count // 5
        ratings = np.random.default_rng(1).random(few)
        others = {
            "rating": pa.array(ratings, mask=ratings < 0.1),
            "tags": pa.array([["a", "b", str(row)][: row % 4] for row in range(few)]),
            "day": pa.array(np.arange(few) * 86_400_000, pa.timestamp("ms", "UTC")),
        }
        table = pa.table({"id": range(few), "board": self.strings[:few], **others})
        old, new = self.out.with_suffix(".parquet"), self.out.with_suffix(".new.parquet")
        written = {"compression": "zstd", "row_group_size": 100_000}
        pq.write_table(table, old, **written)
        pa.set_cpu_count(1)
        found = took(lambda: self.run("convert", "-f", "-j1", "--no-sync", "--column", "board", old, "-o", new))
        against = took(lambda: pq.write_table(pq.read_table(old), new, **written))
        row(f"Parquet, {few:,} rows of five columns, zstd, against pyarrow reading and writing it", found, against, "<= 0.6 x")


ROWS = ["tmpfs", "null", "python", "threads", "views", "numpy", "solve", "parquet"]

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--strings", type=int, default=5_000_000)
    parser.add_argument("rows", nargs="*", metavar="ROW", default=ROWS, help=", ".join(ROWS))
    arguments = parser.parse_intermixed_args()
    if not set(arguments.rows) <= set(ROWS):
        parser.error(f"rows are {', '.join(ROWS)}")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        bench = Bench(arguments.program, arguments.strings, Path(folder))
        print("| what | found | against | ratio | must be | |\n|---|--:|--:|--:|--:|---|", flush=True)
        for name in arguments.rows:
            getattr(bench, name)()
