"""A million sudokus from a CSV file to arrays to learn from: checked, solved, each once.

    pip install ./crates/python numpy pyarrow
    python crates/python/examples/dataset.py                    # makes sudokus.csv first
    python crates/python/examples/dataset.py sudoku.csv --puzzle quizzes --solution solutions
    python crates/python/examples/dataset.py sudoku.csv --copies 9 --seed 1

Writes puzzles.npy and solutions.npy, uint8 of shape (n, 81), and clues.svg, which cells are clues most often. The puzzles are in the order
of the file, each once; with --copies, each is followed by its symmetric copies, with their solutions. A board that comes again, because a
puzzle of the file is a copy of another one, is left out. The same file, number and seed give the same arrays. rows.npy has for each board
the row of the file, from 0, that it comes from: split data to train and to test with by rows, so that copies stay together.
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


def first_rows(keys: pa.Array | pa.ChunkedArray) -> pa.Array:
    """The row of each key that is the first to have it, in order."""
    table = pa.table({"key": keys, "row": np.arange(len(keys))})
    return table.group_by("key").aggregate([("row", "min")])["row_min"].combine_chunks().sort()


def with_copies(puzzles: np.ndarray, solutions: np.ndarray, copies: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Each puzzle and its symmetric copies after it, and the solutions in the same order; the seed is that of the whole data."""
    since, total = time.monotonic(), len(puzzles)
    new = [np.empty((total, copies + 1, 81), np.uint8) for _ in range(2)]
    size = max(BLOCK // copies, 1)  # copying takes some 2 kB per copy
    for start in range(0, total, size):
        part = slice(start, start + size)
        block_seed = int(np.random.SeedSequence((seed, start)).generate_state(1, np.uint64)[0])
        made = gridmill.dataset.symmetric(puzzles[part], solutions[part], copies=copies, seed=block_seed)[:2]
        for array, old, copied in zip(new, (puzzles, solutions), made):
            array[part, 0] = old[part]
            array[part, 1:] = copied.reshape(-1, copies, 81)
        show("copying", min(start + size, total), total, since)
    return new[0].reshape(-1, 81), new[1].reshape(-1, 81)


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
    parser.add_argument("--copies", type=int, default=0, help="symmetric copies of each puzzle [default: 0]")
    parser.add_argument("--seed", type=int, default=1, help="which copies these are [default: 1]")
    arguments = parser.parse_args()
    if arguments.copies < 0 or arguments.seed < 0:
        parser.error("--copies and --seed are 0 or more")
    if not arguments.csv.exists():
        make(arguments.csv, arguments.count)

    since = time.monotonic()
    names = [arguments.puzzle, arguments.solution]
    as_text = pa.csv.ConvertOptions(include_columns=names, column_types=dict.fromkeys(names, pa.string()))
    table = pa.csv.read_csv(arguments.csv, convert_options=as_text).rename_columns(["puzzle", "solution"])
    rows = len(table)

    first = first_rows(table["puzzle"])  # each string once
    table = table.append_column("row", pa.array(np.arange(rows))).take(first)
    once = len(table)

    puzzles, solutions, sources = [], [], [np.empty(0, np.int64)]
    for start in range(0, once, BLOCK):
        part = table.slice(start, BLOCK)
        solved = gridmill.solve(part["puzzle"])  # null where there is not exactly one solution
        right = pc.fill_null(pc.equal(solved, part["solution"]), False)
        puzzles.append(gridmill.to_numpy(part["puzzle"].filter(right)))
        solutions.append(gridmill.to_numpy(part["solution"].filter(right)))
        sources.append(part["row"].filter(right).to_numpy())
        show("solving", min(start + BLOCK, once), once, since)
    x = np.concatenate(puzzles) if puzzles else np.empty((0, 81), np.uint8)
    y = np.concatenate(solutions) if solutions else np.empty((0, 81), np.uint8)
    of = np.concatenate(sources)
    solved = f"{len(x):,} with exactly one solution, which is the given one"
    if arguments.copies:
        x, y = with_copies(x, y, arguments.copies, arguments.seed)
        boards = pa.FixedSizeBinaryArray.from_buffers(pa.binary(81), len(x), [None, pa.py_buffer(x)])
        different = first_rows(boards).to_numpy()
        of = np.repeat(of, arguments.copies + 1)
        if len(different) < len(x):
            x, y, of = x[different], y[different], of[different]
        solved += f", {len(x):,} with their copies"
    for name, array in [("puzzles", x), ("solutions", y), ("rows", of)]:
        np.save(f"{name}.npy", array)
    print(f"{rows:,} rows, {once:,} different, {solved}; {time.monotonic() - since:.1f} s")
    picture((x > 0).sum(axis=0), Path("clues.svg"))


if __name__ == "__main__":
    main()
