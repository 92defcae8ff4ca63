#!/usr/bin/env python3
"""Runs two builds of the program alternately on the inputs of all other measurements, to check that a change costs nothing.

    benches/builds.py OLD NEW [LIST]... [--folder FOLDER] [--lines 2000000] [--runs 7] [--only WORD]

LIST: files of sudokus, each repeated until it has 50,000. FOLDER keeps the generated files (default: a temporary folder); it needs about
6 GB. Prints a table with the medians of both builds, by wall time and by processor time, and the median of OLD : NEW over all pairs of runs
(above 1 means that NEW is faster) with the range of its middle half. Rows with either median below 0.97 are marked with a star. A second
table says what one bad puzzle in each chunk costs NEW: each LIST is validated alternately as it is and with 16 clues in every 6,300th puzzle,
fewer than any puzzle with one solution has. Below 0.95 of the speed, its row has a star. `--bench` also runs `gridmill bench` of both builds alternately.
"""
import argparse
import json
import os
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Iterator

PUZZLES = 50_000
CHUNK = 6_300  # puzzles, of 82 bytes, in a chunk of 512 KiB


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("lists", metavar="LIST", nargs="*", type=Path)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--lines", type=int, default=2_000_000)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--only", default="", help="only rows whose description contains this")
    parser.add_argument("--bench", action="store_true")
    return parser.parse_args()


def make(program: Path, folder: Path, lines: int, lists: list[Path]) -> None:
    """Creates the inputs that do not exist yet."""

    def gen(name: str, *flags: object) -> None:
        if not (folder / name).exists():
            subprocess.run([program, "gen", "-q", "--seed", "3", *map(str, flags), "--no-sync", "-o", folder / name], check=True)

    gen("v1.txt", "--format", "v1", "--mix", "progress", "--lossy", "--count", lines)
    gen("v2.txt", "--mix", "progress", "--count", lines)
    gen("plain.txt", "--format", "plain", "--mix", "clues", "--count", lines)
    gen("killer.txt", "--kind", "killer", "--mix", "progress", "--count", lines // 4)
    gen("str8ts.txt", "--kind", "str8ts", "--mix", "progress", "--format", "v1", "--lossy", "--count", lines // 4)
    for kind in ("jigsaw", "killer", "str8ts"):
        gen(f"unique-{kind}.txt", "--kind", kind, "--unique", "--mix", "clues", "--count", 20_000)
    gen("easy.txt", "--unique", "--mix", "clues", "--format", "plain", "--count", PUZZLES)
    gen("minimal.txt", "--unique", "--minimal", "--mix", "clues", "--format", "plain", "--count", PUZZLES)
    if not (folder / "v2.zst").exists():
        subprocess.run([program, "convert", "-q", folder / "v2.txt", "-o", folder / "v2.zst"], check=True)
    for name, form in (("b.csv", '{},{},user {}\n'), ("q.csv", '{},{},"user, {}"\n'), ("b.tsv", '{}\t{}\tuser {}\n'), ("b.jsonl", '{{"id":{},"bd":"{}","name":"user {}"}}\n')):
        if not (folder / name).exists():
            with (folder / "v1.txt").open() as strings, (folder / name).open("w") as table:
                table.write({"b.tsv": "id\tbd\tname\n", "b.jsonl": ""}.get(name, "id,bd,name\n"))
                plain = form.replace('"user, {}"', "user {}") if name == "q.csv" else form
                table.writelines((plain if row % 50 else form).format(row, string[:-1], row % 1000) for row, string in enumerate(strings))
    few = [with_clues(puzzle, 10) for puzzle in (folder / "minimal.txt").read_text().splitlines()[:20_000]]
    (folder / "few.txt").write_text("\n".join(few) + "\n")
    for path in lists:
        puzzles = [line[:81] for line in path.read_text().splitlines() if len(line) >= 81 and not line.startswith("#")]
        puzzles *= -(-PUZZLES // len(puzzles))
        (folder / f"list-{path.name}.txt").write_text("\n".join(puzzles) + "\n")
        puzzles[CHUNK // 2::CHUNK] = [with_clues(puzzle, 16) for puzzle in puzzles[CHUNK // 2::CHUNK]]
        (folder / f"bad-list-{path.name}.txt").write_text("\n".join(puzzles) + "\n")


def with_clues(puzzle: str, count: int) -> str:
    """A puzzle with its first clues only."""
    clues = [at for at, sign in enumerate(puzzle) if sign in "123456789"]
    end = clues[count] if count < len(clues) else len(puzzle)
    return puzzle[:end] + "0" * (len(puzzle) - end)


def rows(folder: Path) -> Iterator[tuple[str, str]]:
    """The measurements: a description, and a shell command in which G stands for the program."""
    for name in ("v1.txt", "plain.txt", "killer.txt", "str8ts.txt"):
        yield f"convert -j1 {name}", f"G convert -q -j1 {name} > /dev/null"
        yield f"convert {name}", f"G convert -q {name} > /dev/null"
    yield "convert --no-mmap v1.txt", "G convert -q --no-mmap v1.txt > /dev/null"
    yield "cat v1.txt | convert | cat", "cat v1.txt | G convert -q | cat > /dev/null"
    yield "convert v1.txt -o out --no-sync", "G convert -q v1.txt -o out --no-sync"
    yield "convert --lossy --to v1 v2.txt", "G convert -q --lossy --to v1 v2.txt > /dev/null"
    yield "convert v1.txt -o out.zst --no-sync", "G convert -q v1.txt -o out.zst --no-sync"
    yield "convert v2.zst", "G convert -q v2.zst > /dev/null"
    for flags, name in (("csv --column bd", "b.csv"), ("csv --column bd", "q.csv"), ("tsv --column bd", "b.tsv"), ("jsonl --field /bd", "b.jsonl")):
        yield f"convert --framing {flags} {name}", f"G convert -q --framing {flags} {name} > /dev/null"
        yield f"the same, -j1 ({name})", f"G convert -q -j1 --framing {flags} {name} > /dev/null"
    yield "relink < v1.txt", "G relink -q < v1.txt > /dev/null"
    yield "validate --level syntax v1.txt", "G validate -q --level syntax v1.txt > /dev/null"
    yield "validate --level rules v1.txt", "G validate -q --level rules v1.txt > /dev/null"
    for path in sorted(folder.glob("unique-*.txt")) + [folder / "easy.txt", folder / "minimal.txt", folder / "few.txt"] + sorted(folder.glob("*list-*.txt")):
        yield f"validate --level unique -j1 {path.name}", unique(path.name)
    yield "one line", "for _ in $(seq 50); do head -n 1 v1.txt | G convert -q > /dev/null; done"


def unique(name: str) -> str:
    return f"G validate -q --level unique -j1 {name} > /dev/null"


def took(program: Path, command: str, folder: Path) -> tuple[float, float]:
    """Returns the seconds of wall time and of processor time."""
    for name in ("out", "out.zst"):
        (folder / name).unlink(missing_ok=True)
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(["bash", "-c", f"G() {{ {program} \"$@\"; }}; {command}"], cwd=folder, stderr=subprocess.DEVNULL)
    clock, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode in (0, 1), (program, command, done.returncode)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(olds: list[float], news: list[float]) -> tuple[str, float]:
    ratios = [old / new for old, new in zip(olds, news)]
    low, _, high = quantiles(ratios, n=4)
    return f"{median(olds):.3f} s | {median(news):.3f} s | {median(ratios):.2f} | {low:.2f} to {high:.2f}", median(ratios)


def alternate(one: tuple[Path, str], other: tuple[Path, str], folder: Path, runs: int) -> list[tuple[str, float]]:
    """Compares two commands, each of a program, by wall time and by processor time. The first pair of runs does not count."""
    pairs = []
    for number in range(runs + 1):
        first = took(*(other, one)[number % 2], folder)
        second = took(*(one, other)[number % 2], folder)
        pairs.append((first, second) if number % 2 else (second, first))
    return [compare([run[at] for run, _ in pairs[1:]], [run[at] for _, run in pairs[1:]]) for at in (0, 1)]


def bench(old: Path, new: Path, runs: int) -> None:
    rates: dict[tuple[str, ...], tuple[list[float], list[float]]] = {}
    for _ in range(runs):
        for at, program in enumerate((old, new)):
            done = subprocess.run([program, "bench", "--json", "--runs", "3", "--size", "32"], check=True, capture_output=True)
            for row in json.loads(done.stdout)["rows"]:
                key = tuple(str(row[name]) for name in ("data", "task", "kernel", "threads"))
                rates.setdefault(key, ([], []))[at].append(row["lines_per_second"])
    print("\n| `gridmill bench`: data | task | kernel | threads | old, M/s | new, M/s | ratio |\n|---|---|---|--:|--:|--:|--:|")
    for key, (olds, news) in rates.items():
        if olds and news:
            ratio = median(news) / median(olds)
            print("|", " | ".join(key), f"| {median(olds) / 1e6:.3f} | {median(news) / 1e6:.3f} | {ratio:.2f}{' *' if ratio < 0.97 else ''} |")


def main() -> None:
    given = arguments()
    folder = given.folder or Path(tempfile.mkdtemp())
    folder.mkdir(exist_ok=True)
    old, new = given.old.resolve(), given.new.resolve()
    make(new, folder, given.lines, given.lists)
    print("| what | old | new | ratio | middle half | old, processor | new | ratio | middle half |\n|---|--:|--:|--:|---|--:|--:|--:|---|")
    for what, command in rows(folder):
        if given.only in what:
            clock, processor = alternate((old, command), (new, command), folder, given.runs)
            slow = " *" if min(clock[1], processor[1]) < 0.97 else ""
            print(f"| `{what}`{slow} | {clock[0]} | {processor[0]} |", flush=True)
    print("\n| one bad puzzle in a chunk, `--level unique -j1` | without | with | ratio | middle half | without, processor | with | ratio | middle half |")
    print("|---|--:|--:|--:|---|--:|--:|--:|---|")
    for path in given.lists:
        without, one = (new, unique(f"list-{path.name}.txt")), (new, unique(f"bad-list-{path.name}.txt"))
        clock, processor = alternate(without, one, folder, given.runs)
        print(f"| `{path.name}`{' *' if processor[1] < 0.95 else ''} | {clock[0]} | {processor[0]} |")
    if given.bench:
        bench(old, new, given.runs)
    if given.folder is None:
        shutil.rmtree(folder)


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    main()
