"""The package and the program give the same results. `GRIDMILL_PROGRAM` is a build of the program."""

import pytest
from test_files import PROGRAM, program

import gridmill

pytestmark = pytest.mark.skipif(not PROGRAM, reason="GRIDMILL_PROGRAM names no program")


@pytest.mark.parametrize("kind", ["sudoku", "killer", "str8ts", "kenken"])
def test_boards_out_of_a_seed(kind: str) -> None:
    lines = program("gen", "-q", "--count", 300, "--seed", 7, "--kind", kind).stdout.decode().splitlines()
    parts = [gridmill.gen(100, seed=7, kind=kind, start=start) for start in (0, 100, 200)]
    assert [board for part in parts for board in part.to_pylist()] == lines


def test_unique_puzzles_and_their_solutions() -> None:
    arguments = ["gen", "-q", "--count", 50, "--seed", 3, "--unique", "--minimal", "--mix", "clues", "--format", "plain"]
    puzzles = gridmill.gen(50, seed=3, unique=True, minimal=True, mix="clues", format="plain")
    assert puzzles.to_pylist() == program(*arguments).stdout.decode().splitlines()
    lines = program("validate", "-q", "--level", "unique", "--solutions", stdin="\n".join(puzzles.to_pylist()).encode())
    both = zip(puzzles.to_pylist(), gridmill.solve(puzzles).to_pylist(), strict=True)
    assert ["\t".join(row) for row in both] == lines.stdout.decode().splitlines()
