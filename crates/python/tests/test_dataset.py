"""Symmetric copies, and the example that makes arrays from a CSV file."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gridmill
import gridmill.dataset

EXAMPLE = Path(__file__).parents[1] / "examples" / "dataset.py"


def test_copies_are_puzzles_with_their_solutions() -> None:
    strings = gridmill.gen(200, seed=3, unique=True, mix="clues", format="plain")
    puzzles, solutions = gridmill.to_numpy(strings), gridmill.to_numpy(gridmill.solve(strings))
    copies, solved, of = gridmill.dataset.symmetric(puzzles, solutions, copies=20, seed=9)
    assert solved is not None and copies.shape == solved.shape == (4000, 81)
    assert (gridmill.to_numpy(gridmill.solve(gridmill.from_numpy(copies))) == solved).all()
    assert len({copy.tobytes() for copy in copies}) == 4000
    assert ((copies > 0).sum(axis=1) == (puzzles[of] > 0).sum(axis=1)).all()
    fewer, _, _ = gridmill.dataset.symmetric(puzzles, copies=5, seed=9)
    assert (fewer.reshape(200, 5, 81) == copies.reshape(200, 20, 81)[:, :5]).all()
    assert not (gridmill.dataset.symmetric(puzzles, copies=5, seed=8)[0] == fewer).all()


def test_a_puzzle_that_is_symmetric_itself() -> None:
    one = np.zeros((1, 81), np.uint8)
    one[0, 0] = 1  # has 729 images
    copies, _, _ = gridmill.dataset.symmetric(one, copies=700, seed=1)
    assert len({copy.tobytes() for copy in copies}) == 700
    with pytest.raises(ValueError, match="fewer than 2"):
        gridmill.dataset.symmetric(np.zeros((1, 81), np.uint8), copies=2, seed=1)
    with pytest.raises(ValueError, match="shape"):
        gridmill.dataset.symmetric(np.zeros((1, 9, 9), np.uint8), copies=2, seed=1)


def example(folder: Path, rows: list[tuple[str, str]], *more: str) -> tuple[str, tuple[np.ndarray, ...]]:
    """What the example says of a CSV file, and its arrays: puzzles, solutions and rows."""
    (folder / "in.csv").write_text("a,quizzes,solutions\n" + "".join(f"x,{puzzle},{solution}\n" for puzzle, solution in rows))
    done = subprocess.run([sys.executable, EXAMPLE, "in.csv", *more], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout, tuple(np.load(folder / f"{name}.npy") for name in ["puzzles", "solutions", "rows"])


def test_the_example(tmp_path: Path) -> None:
    good = gridmill.gen(500, seed=3, unique=True, mix="clues", format="plain")
    pairs = list(zip(good.to_pylist(), gridmill.solve(good).to_pylist()))
    rows = [*pairs, *pairs[:50], ("1" * 81, "1" * 81), ("0" * 81, pairs[0][1])]
    rows[7] = (rows[7][0], pairs[4][1])  # not its solution; the same puzzle comes again, too late
    said, (once, solved, of) = example(tmp_path, rows)
    assert "552 rows, 502 different, 499 with exactly one solution" in said
    assert once.shape == solved.shape == (499, 81) and of.tolist() == [at for at in range(500) if at != 7]
    assert (tmp_path / "clues.svg").read_text().count("<rect") == 81

    said, (puzzles, solutions, sources) = example(tmp_path, rows, "--copies", "4", "--seed", "5")
    assert "499 with exactly one solution, which is the given one, 2,495 with their copies" in said
    assert (puzzles[::5] == once).all() and (solutions[::5] == solved).all() and (sources == np.repeat(of, 5)).all()
    assert len({puzzle.tobytes() for puzzle in puzzles}) == 2495
    assert (gridmill.to_numpy(gridmill.solve(gridmill.from_numpy(puzzles))) == solutions).all()
    assert (example(tmp_path, rows, "--copies", "4", "--seed", "5")[1][0] == puzzles).all()
    assert not (example(tmp_path, rows, "--copies", "4", "--seed", "6")[1][0] == puzzles).all()

    # A puzzle that is the first copy of another one is there once, as that copy.
    image = tuple("".join(map(str, board)) for board in [puzzles[1], solutions[1]])
    said, (puzzles, _, sources) = example(tmp_path, [*rows, image], "--copies", "4", "--seed", "5")
    assert "500 with exactly one solution, which is the given one, 2,499 with their copies" in said
    assert (sources == np.array([*np.repeat(of, 5), *[552] * 4])).all()
    assert len({puzzle.tobytes() for puzzle in puzzles}) == 2499
