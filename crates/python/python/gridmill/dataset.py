"""Sudokus as training data: symmetric copies of arrays. Needs NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["SYMMETRIES", "symmetric"]

#: The symmetries of a sudoku of side 9: permutations of digits, bands, stacks, rows and columns, and the reflection in the diagonal.
SYMMETRIES = 362_880 * 6**8 * 2


def symmetric(
    puzzles: Any,
    solutions: Any = None,
    *,
    copies: int,
    seed: int,
) -> tuple[Any, Any, NDArray[np.int64]]:
    """Make symmetric copies of sudokus of side 9; all copies of a puzzle are different.

    `puzzles` are digits as `gridmill.to_numpy` returns them, of shape (n, 81) with 0 for empty cells; `solutions` are their solutions,
    which are transformed in the same way. Returns (n * copies, 81) puzzles, their solutions (or None), and for each the row that it is
    a copy of. The same seed gives the same copies. A puzzle with too few different images raises a ValueError.

    Both may be columns of strings instead, as `gridmill.to_numpy` takes them, of which the digits count; the copies are then columns of
    plain strings, as `gridmill.from_numpy` returns them.

    >>> import gridmill, gridmill.dataset
    >>> puzzles = gridmill.to_numpy(gridmill.gen(10, seed=1, mix="clues"))
    >>> copies, _, of = gridmill.dataset.symmetric(puzzles, copies=8, seed=7)
    >>> copies.shape, len({copy.tobytes() for copy in copies}), of[:3].tolist()
    ((80, 81), 80, [0, 0, 0])
    """
    import numpy as np

    import gridmill

    if not isinstance(puzzles, np.ndarray):
        digits, solved = (None if strings is None else gridmill.to_numpy(strings) for strings in (puzzles, solutions))
        made, made_solutions, sources = symmetric(digits, solved, copies=copies, seed=seed)
        as_strings = [None if copied is None else gridmill.from_numpy(copied, to="plain") for copied in (made, made_solutions)]
        return as_strings[0], as_strings[1], sources
    if puzzles.ndim != 2 or puzzles.shape[1] != 81 or (solutions is not None and solutions.shape != puzzles.shape):
        raise ValueError(f"puzzles and solutions must be arrays of shape (n, 81), not {puzzles.shape}")
    if not 0 < copies <= SYMMETRIES:
        raise ValueError(f"copies must be 1 to {SYMMETRIES}, not {copies}")
    n = len(puzzles)
    of = np.repeat(np.arange(n), copies)
    number = np.tile(np.arange(copies), n)
    # A sequence of its own for each puzzle, which meets every symmetry once: the step has no factor 2, 3, 5 or 7 of their number.
    random = np.random.default_rng(seed)
    start = random.integers(0, SYMMETRIES, n)
    step = random.integers(0, SYMMETRIES // 210, n) * 210 + 11
    new = np.empty((len(of), 81), np.uint8)
    new_solutions = None if solutions is None else np.empty_like(new)
    rows = np.arange(len(of))
    later = np.full(n, copies)
    while len(rows):
        source = of[rows]
        sequence = zip(start[source].tolist(), step[source].tolist(), number[rows].tolist())
        which = np.array([(first + each * at) % SYMMETRIES for first, each, at in sequence], np.int64)
        digits, cells = _maps(which)
        new[rows] = _apply(puzzles[source], digits, cells)
        if solutions is not None and new_solutions is not None:
            new_solutions[rows] = _apply(solutions[source], digits, cells)
        # A puzzle that is symmetric itself has images that are the same; those get later symmetries.
        whole = np.concatenate([of[:, None].astype(">i8").view(np.uint8).reshape(-1, 8), new], axis=1)
        _, first = np.unique(whole.view(f"V{whole.shape[1]}").ravel(), return_index=True)
        again = np.ones(len(of), bool)
        again[first] = False
        rows = np.flatnonzero(again)
        for row in rows:
            number[row] = later[of[row]]
            later[of[row]] += 1
            if later[of[row]] > SYMMETRIES or later[of[row]] > 1000 * copies + 1000:
                raise ValueError(f"puzzle {of[row]} has fewer than {copies} different images")
    return new, new_solutions, of


def _maps(which: NDArray[np.int64]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Symmetries by their numbers: for each what becomes of the digits 0 to 9, and the cell that comes to each place."""
    import itertools

    import numpy as np

    rest = which.copy()

    def take(count: int) -> NDArray[np.int64]:
        nonlocal rest
        rest, taken = np.divmod(rest, count)
        return taken

    three = np.array(list(itertools.permutations(range(3))))
    all_digits = np.zeros((len(which), 10), np.uint8)
    left = np.tile(np.arange(1, 10, dtype=np.uint8), (len(which), 1))
    each = np.arange(len(which))
    for digit in range(1, 10):
        pick = take(10 - digit)
        all_digits[:, digit] = left[each, pick]
        keep = np.ones(left.shape, bool)
        keep[each, pick] = False
        left = left[keep].reshape(len(which), -1)
    lines = []
    for _ in range(2):
        bands = three[take(6)]
        inner = np.stack([three[take(6)] for _ in range(3)], axis=1)
        lines.append((bands[:, :, None] * 3 + inner).reshape(len(which), 9))
    rows, columns = lines
    cells = rows[:, :, None] * 9 + columns[:, None, :]
    mirrored = columns[:, None, :] * 9 + rows[:, :, None]
    cells = np.where(take(2)[:, None, None] == 1, mirrored, cells)
    return all_digits, cells.reshape(len(which), 81)


def _apply(boards: NDArray[np.uint8], digits: NDArray[np.uint8], cells: NDArray[np.int64]) -> NDArray[np.uint8]:
    import numpy as np

    return np.take_along_axis(digits, np.take_along_axis(boards, cells, axis=1).astype(np.int64), axis=1)
