"""A million sudokus from a CSV file to arrays to learn from: checked, solved, each once.

    pip install ./crates/python numpy pyarrow
    python crates/python/examples/dataset.py                    # makes sudokus.csv first
    python crates/python/examples/dataset.py sudoku.csv --puzzle quizzes --solution solutions

Writes puzzles.npy and solutions.npy, uint8 of shape (n, 81), and clues.svg, which cells are clues most often.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

import gridmill
import gridmill.dataset

BLOCK = 100_000
COPIES = 50


def show(what: str, done: int, total: int, since: float) -> None:
    """A bar, where somebody looks."""
    if sys.stderr.isatty() or done == total:
        bar = "#" * (30 * done // max(total, 1))
        end = "\n" if done == total else "\r"
        print(f"{what:<9} [{bar:<30}] {done:>9,} of {total:,}, {time.monotonic() - since:.1f} s", end=end, file=sys.stderr, flush=True)


def make(path: Path, count: int) -> None:
    """Puzzles of a seed, and symmetric copies of them."""
    since = time.monotonic()
    with pa.csv.CSVWriter(path, pa.schema({"quizzes": pa.string(), "solutions": pa.string()})) as writer:
        for start in range(0, count, BLOCK):
            size = min(BLOCK, count - start)
            boards = gridmill.gen(-(-size // COPIES), seed=1, start=start // COPIES, unique=True, mix="clues", format="plain")
            puzzles, solutions = gridmill.to_numpy(boards), gridmill.to_numpy(gridmill.solve(boards))
            both = gridmill.dataset.symmetric(puzzles, solutions, copies=COPIES, seed=start)[:2]
            names = ["quizzes", "solutions"]
            writer.write_table(pa.table([gridmill.from_numpy(array[:size], to="plain") for array in both], names))
            show("making", start + size, count, since)


def picture(counts: np.ndarray, path: Path) -> None:
    share = (counts - counts.min()) / max(np.ptp(counts), 1)
    cells = [
        f'<rect x="{20 * (i % 9)}" y="{20 * (i // 9)}" width="19" height="19" fill="rgb({int(255 - 200 * s)},{int(255 - 120 * s)},255)"/>'
        for i, s in enumerate(share)
    ]
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="180" height="180">{"".join(cells)}</svg>\n')
    for row in share.reshape(9, 9):
        print(" ".join(" ░▒▓█"[min(int(5 * s), 4)] * 2 for s in row))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", nargs="?", type=Path, default=Path("sudokus.csv"))
    parser.add_argument("--puzzle", default="quizzes", help="the column of puzzles [default: quizzes]")
    parser.add_argument("--solution", default="solutions", help="the column of solutions, which are checked [default: solutions]")
    parser.add_argument("--count", type=int, default=1_000_000, help="how many to make, if there is no file")
    arguments = parser.parse_args()
    if not arguments.csv.exists():
        make(arguments.csv, arguments.count)

    since = time.monotonic()
    names = [arguments.puzzle, arguments.solution]
    as_text = pa.csv.ConvertOptions(include_columns=names, column_types=dict.fromkeys(names, pa.string()))
    table = pa.csv.read_csv(arguments.csv, convert_options=as_text).rename_columns(["puzzle", "solution"])
    rows = len(table)

    # Each string once: the first row that has it.
    table = table.append_column("row", pa.array(range(rows)))
    first = table.group_by("puzzle").aggregate([("row", "min")])["row_min"]
    table = table.take(first.combine_chunks().sort())
    once = len(table)

    puzzles, solutions = [], []
    for start in range(0, once, BLOCK):
        part = table.slice(start, BLOCK)
        solved = gridmill.solve(part["puzzle"])  # null where there is not exactly one solution
        right = pc.fill_null(pc.equal(solved, part["solution"]), False)
        puzzles.append(gridmill.to_numpy(part["puzzle"].filter(right)))
        solutions.append(gridmill.to_numpy(part["solution"].filter(right)))
        show("solving", min(start + BLOCK, once), once, since)
    x = np.concatenate(puzzles) if puzzles else np.empty((0, 81), np.uint8)
    y = np.concatenate(solutions) if solutions else np.empty((0, 81), np.uint8)
    np.save("puzzles.npy", x)
    np.save("solutions.npy", y)
    print(f"{rows:,} rows, {once:,} different, {len(x):,} with exactly one solution, which is the given one; {time.monotonic() - since:.1f} s")
    picture((x > 0).sum(axis=0), Path("clues.svg"))


if __name__ == "__main__":
    main()
