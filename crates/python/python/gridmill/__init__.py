"""Convert, check and solve columns of number-puzzle strings, by the million.

A column is a pyarrow array, a Polars or pandas Series, anything else that exports itself through the Arrow PyCapsule interface, or a
sequence of ``str`` and ``None``. The result has the type of the input.

>>> import gridmill
>>> gridmill.convert(["1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"])[0]
<pyarrow.StringScalar: 'S9B010000000000000002000900040000000500000006000000070000000500090003000000000000000700000000000000080500000400070000000000060000000300000009000800000002000000000001'>

docs/FORMATS.md of the project describes the strings, and docs/PYTHON.md this package.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from gridmill import _gridmill, _like
from gridmill._errors import RejectError, refusal
from gridmill._gridmill import Column, Columns, Evidence, InternalError, __version__

__all__ = [
    "Column",
    "Columns",
    "Evidence",
    "InternalError",
    "RejectError",
    "__version__",
    "canonical",
    "convert",
    "dedupe",
    "detect",
    "evidence",
    "facts",
    "formats",
    "from_numpy",
    "gen",
    "groups",
    "kernels",
    "keys",
    "solve",
    "to_numpy",
    "validate",
]


def _reading(
    from_: str | None = None,
    kind: str | None = None,
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> dict[str, Any]:
    """How strings are read."""
    return {
        "from_": from_,
        "kind": kind,
        "alphabet": alphabet,
        "str8ts_layout": str8ts_layout,
        "str8ts_flags": str8ts_flags,
        "evidence": evidence,
        "threads": threads,
    }


def _error(refused: tuple[int, str, str | None, str, int, list[tuple[str, int]]]) -> RejectError:
    row, code, cell, message, count, codes = refused
    return refusal(row, code, cell, message, count, dict(codes))


def convert(
    strings: Any,
    to: str = "v2",
    *,
    from_: str | None = None,
    kind: str | None = None,
    notes: str = "keep",
    lossy: bool = False,
    errors: str = "raise",
    level: str = "syntax",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    str8ts_write: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> Any:
    """Convert strings of any format to one format.

    The arguments are the flags of ``gridmill convert`` (docs/CLI.md).

    :param strings: the column.
    :param to: the new format: plain, v0, v1, offset32, v2, wolfram, hodoku, pencilmarks, fpuzzles, ps-killer, sgt-solo, sgt-keen, puzzlink, sudokupad, sudokucoach or link.
    :param from_: the format of the strings; None to detect it for each one.
    :param kind: the kind of strings that do not name their kind.
    :param notes: what to do with candidates: keep, none, full or auto.
    :param lossy: convert boards even if something is lost.
    :param errors: what to do with rejected strings. ``"raise"`` raises `RejectError` for the first one; ``"null"`` makes them null;
        ``"keep"`` leaves them unchanged; ``"report"`` returns a pair: the column as with ``"null"``, and a table with the row,
        code, cell, message and record of each.
    :param level: what to check: syntax, rules or unique.
    :param alphabet: the alphabet of plain sudokus of other sides than 9, read and written: auto, digits, letters, zero, ascii or pairs.
    :param str8ts_layout: the layout of v2 Str8ts strings: auto, spec, site, first or nine.
    :param str8ts_flags: the layout of v1 Str8ts strings: auto, site or snippet.
    :param str8ts_write: the layout in which v2 Str8ts strings are written: spec or site.
    :param evidence: what decides the layout of Str8ts strings that do not reveal it: None for the first 4 MiB of this column, as in a
        file; an `Evidence`; False for nothing, so that such strings are rejected as ``ambiguous``.
    :param threads: the number of threads; 0 for one per core, or the number in ``GRIDMILL_THREADS``.
    :returns: a column of the type of the input. Null stays null, and an empty string stays empty.

    >>> import pyarrow as pa
    >>> convert(pa.array(["." * 81, None, "12"]), "v1", errors="null").is_null().to_pylist()
    [False, True, True]
    >>> convert(["." * 81, None, "12"])
    Traceback (most recent call last):
    ...
    gridmill.RejectError: row 2: length: 2 characters: no format has strings of this length (81 plain, 162 v1, 165 v2 S9B, and others; 'gridmill formats' lists them)
    """
    column, back = _like.given(strings)
    reading = _reading(from_, kind, alphabet, str8ts_layout, str8ts_flags, evidence, threads)
    converting = {
        "to": to,
        "notes": notes,
        "lossy": lossy,
        "level": level,
        "str8ts_write": str8ts_write,
        "errors": errors,
    }
    new, refused, rows = _gridmill.convert(column, reading, converting)
    if errors == "raise" and refused is not None:
        raise _error(refused)
    if rows is not None:
        return back(new), _like.table(rows)
    return back(new)


def detect(strings: Any, *, from_: str | None = None, kind: str | None = None) -> Any:
    """Detect what strings are by their lengths and headers, without decoding them.

    :param strings: the column.
    :param from_: the format of the strings; None to detect it for each one.
    :param kind: the kind of strings that do not name their kind.
    :returns: a column of structs (a DataFrame for a pandas Series): format, kind and side, or code and message for strings of no
        format. All are null if the string is null or empty.

    >>> detect(["." * 81, "S9B", None]).to_pylist()[0]
    {'format': 'plain', 'kind': 'sudoku', 'side': 9, 'code': None, 'message': None}
    """
    column, back = _like.given(strings)
    return back(_gridmill.detect(column, _reading(from_, kind)))


def validate(
    strings: Any,
    *,
    level: str = "rules",
    solutions: Any = None,
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    max_solutions: int = 2,
    givens: str = "clues",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> Any:
    """Check strings.

    :param strings: the column.
    :param level: what to check: that they can be read (syntax); that they also obey the rules of their kind (rules); that the givens
        also have exactly one solution, with which the rest agrees (unique).
    :param solutions: the solutions that came with the strings, a column of as many rows: digits or strings of any format. Each must be
        complete, contain the givens and break no rule; at level unique, it must be the only one. Levels are rules and unique then.
    :param effort: the maximum number of search nodes for each puzzle.
    :param max_solutions: stop counting solutions at this number, at least 2.
    :param givens: what is given: the clues (in formats without clues, all digits), all digits (placed), or also candidates: a
        solution then has one of the candidates of each cell.
    :param from_: and the others: as for `convert`.
    :returns: a column of structs (a DataFrame for a pandas Series): ok, null if the string is null or empty; code, cell (r4c7) and
        message of the first problem, null if ok; warnings, a list; at level unique, the number of solutions, null if undecided.

    >>> twice = "11" + "." * 79
    >>> validate([twice, None])[0].as_py()["code"], validate([twice, None])[1].as_py()["ok"]
    ('duplicate', None)
    >>> validate(["." * 81], level="unique", max_solutions=10)[0].as_py()["solutions"]
    10
    """
    column, back = _like.given(strings)
    given = None if solutions is None else _like.given(solutions)[0]
    reading = _reading(from_, kind, alphabet, str8ts_layout, str8ts_flags, evidence, threads)
    return back(_gridmill.validate(column, given, reading, level, _searching(effort, max_solutions, givens)))


def solve(
    strings: Any,
    *,
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> Any:
    """Solve puzzles.

    :param strings: the column.
    :param effort: the maximum number of search nodes for each puzzle.
    :param givens: as for `validate`.
    :param from_: and the others: as for `convert`.
    :returns: a column of the type of the input, with the digit of each cell: the letters A to P above 9, and a dot for a black cell
        without a digit. Null where ``validate(..., level="unique")`` is not ok: there is not exactly one solution, the progress on the
        board contradicts it, or the string cannot be read.

    >>> solve(["1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1", "." * 81]).to_pylist()
    ['174385962293467158586192734451923876928674315367851249719548623635219487842736591', None]
    """
    column, back = _like.given(strings)
    reading = _reading(from_, kind, alphabet, str8ts_layout, str8ts_flags, evidence, threads)
    return back(_gridmill.solve(column, reading, _searching(effort, 2, givens)))


def facts(
    strings: Any,
    *,
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    max_solutions: int = 2,
    givens: str = "clues",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> Any:
    """Find facts about puzzles: what ``gridmill validate --add`` appends.

    :param strings: the column.
    :param effort: and the others: as for `validate`.
    :returns: a column of structs (a DataFrame for a pandas Series): clues, the number of givens; symmetric, whether their pattern is
        unchanged by half a turn; solutions, up to ``max_solutions``; nodes of the search for them, 1 if nothing had to be guessed, null
        if it stopped early; grade, the techniques that a sudoku of side 9 needs, from 1 to 11, and grade_name, box to beyond: null for
        other kinds and without exactly one solution (docs/GRADE.md). All are null if the string is null, empty or rejected at level
        rules.

    >>> found = facts(["1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"])[0].as_py()
    >>> found["clues"], found["symmetric"], found["solutions"], found["grade"], found["grade_name"]
    (21, False, 1, 11, 'beyond')
    """
    column, back = _like.given(strings)
    reading = _reading(from_, kind, alphabet, str8ts_layout, str8ts_flags, evidence, threads)
    return back(_gridmill.facts(column, reading, _searching(effort, max_solutions, givens)))


def canonical(
    strings: Any,
    to: str = "v2",
    *,
    form: str = "solution",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: str = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> Any:
    """Replace puzzles by their canonical forms, as ``gridmill canon`` does: equal strings mean the same puzzle up to symmetry.

    Progress is left out.

    :param strings: the column.
    :param to: the format of the new strings.
    :param form: solution, for puzzles with exactly one solution, or puzzle, for any.
    :param effort: the maximum number of search nodes for each puzzle; beyond it, the puzzle is rejected.
    :param givens: what is given: the clues (in formats without clues, all digits), or all digits (placed).
    :param errors: what to do with rejected strings: raise, null or keep, as for `convert`.
    :param from_: and the others: as for `convert`.
    :returns: a column of the type of the input. Null stays null, and an empty string stays empty.

    >>> puzzle = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
    >>> one, turned = canonical([puzzle, puzzle[::-1]], "plain")
    >>> one == turned
    True
    """
    column, back = _like.given(strings)
    reading = _reading(from_, kind, alphabet, str8ts_layout, str8ts_flags, evidence, threads)
    new, refused = _gridmill.canonical(column, reading, _comparing("puzzle", form, givens, effort), to, errors)
    if errors == "raise" and refused is not None:
        raise _error(refused)
    return back(new)


def keys(
    strings: Any,
    *,
    by: str = "puzzle",
    form: str = "auto",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: str = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> Any:
    """Return keys of 32 characters: equal keys mean the same puzzle. With ``form="solution"`` they are those of ``gridmill canon --key``.

    :param strings: the column.
    :param by: what counts as the same: the puzzle up to symmetry; the grid of its only solution up to symmetry; the string, which is
        the exact board in whatever format.
    :param form: the canonical form that is compared: solution, for puzzles with exactly one solution; puzzle, for any; auto for the
        first where possible. Puzzles of one form are not compared with those of the other.
    :param effort: and the others: as for `canonical`.
    :returns: a column of the type of the input. Null stays null, and an empty string stays empty.

    >>> puzzle = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
    >>> one, turned, other = keys([puzzle, puzzle[::-1], "." * 81]).to_pylist()
    >>> one == turned, one == other
    (True, False)
    """
    column, back = _like.given(strings)
    reading = _reading(from_, kind, alphabet, str8ts_layout, str8ts_flags, evidence, threads)
    new, refused = _gridmill.canonical(column, reading, _comparing(by, form, givens, effort), None, errors)
    if errors == "raise" and refused is not None:
        raise _error(refused)
    return back(new)


def dedupe(
    strings: Any,
    *,
    by: str = "puzzle",
    form: str = "auto",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: str = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> Any:
    """Return which rows to keep, so that no puzzle comes twice: a mask for ``table.filter(mask)`` or ``frame[mask]``.

    :param strings: the column.
    :param by: and form: as for `keys`.
    :param errors: what to do with rejected strings: raise or null, which is null in the mask, so that filters leave them out.
    :param effort: and the others: as for `canonical`.
    :returns: a column of bool: true for the first row of each class, and for rows without a string, as in ``gridmill dedupe``.

    >>> puzzle = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
    >>> dedupe([puzzle, None, puzzle[::-1], "." * 81]).to_pylist()
    [True, True, False, True]
    """
    column, back = _like.given(strings)
    reading = _reading(from_, kind, alphabet, str8ts_layout, str8ts_flags, evidence, threads)
    return back(_duplicates(column, reading, _comparing(by, form, givens, effort), errors, groups=False))


def groups(
    strings: Any,
    *,
    by: str = "puzzle",
    form: str = "auto",
    from_: str | None = None,
    kind: str | None = None,
    effort: int = 100_000,
    givens: str = "clues",
    errors: str = "raise",
    alphabet: str | None = None,
    str8ts_layout: str | None = None,
    str8ts_flags: str | None = None,
    evidence: Evidence | bool | None = None,
    threads: int = 0,
) -> Any:
    """Return for each row the number, from 0, of the first row with the same puzzle.

    :param strings: the column.
    :param by: and the others: as for `dedupe`.
    :returns: a column of int64, null for rows without a string and, with ``errors="null"``, for rejected ones.

    >>> puzzle = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
    >>> groups([puzzle, None, puzzle[::-1], "." * 81]).to_pylist()
    [0, None, 0, 3]
    """
    column, back = _like.given(strings)
    reading = _reading(from_, kind, alphabet, str8ts_layout, str8ts_flags, evidence, threads)
    return back(_duplicates(column, reading, _comparing(by, form, givens, effort), errors, groups=True))


def _duplicates(column: Any, reading: dict[str, Any], comparing: dict[str, Any], errors: str, *, groups: bool) -> Any:
    if errors not in ("raise", "null"):
        raise ValueError(f"errors must be one of raise, null, not {errors!r}")
    found, refused = _gridmill.duplicates(column, reading, comparing, groups)
    if errors == "raise" and refused is not None:
        raise _error(refused)
    return found


def _comparing(by: str, form: str, givens: str, effort: int) -> dict[str, Any]:
    return {"by": by, "form": form, "givens": givens, "effort": effort}


def _searching(effort: int, max_solutions: int, givens: str) -> dict[str, Any]:
    return {"effort": effort, "max_solutions": max_solutions, "givens": givens}


def to_numpy(
    strings: Any,
    what: str = "digits",
    *,
    out: Any = None,
    from_: str | None = None,
    kind: str | None = None,
    threads: int = 0,
) -> Any:
    """Return boards as an array, with one row per board and one number per cell.

    All boards must have the same side. A row that is null, empty or rejected raises a `RejectError`: drop such rows first.

    :param strings: the column.
    :param what: digits (placed digits, or 0), given (bool), codes (the cell codes of docs/FORMATS.md), masks (candidates, digit d as
        bit d - 1; for a placed digit, its bit; 0 if empty), regions, colours, contents (of cages) or black (bool).
    :param out: an array to fill instead of a new one, in C order, with the shape and type of the result.
    :param from_: the format of the strings; None to detect it for each one.
    :param kind: the kind of strings that do not name their kind.
    :param threads: as for `convert`.
    :returns: an array of shape (boards, side * side): uint8; for contents uint16; for codes and masks uint16, or uint32 above side 9.

    >>> to_numpy(["1" + "." * 79 + "2"])[0, [0, 1, 80]]
    array([1, 0, 2], dtype=uint8)
    """
    import numpy

    column, _ = _like.given(strings)
    array, refused = _gridmill.to_numpy(column, _reading(from_, kind, threads=threads), what, out, numpy.empty)
    if refused is not None:
        raise _error(refused)
    return array


def from_numpy(
    digits: Any,
    *,
    given: Any = True,
    masks: Any = None,
    kind: str = "sudoku",
    regions: Any = None,
    to: str = "v2",
    threads: int = 0,
) -> Any:
    """Return the boards of an array as strings.

    :param digits: placed digits, or 0, of shape (boards, cells) or (boards, side, side). An array of uint8 is not copied.
    :param given: whether digits are clues rather than solved: one value for all, or an array of that shape.
    :param masks: candidates of the cells without a digit, digit d as bit d - 1: an array of that shape.
    :param kind: the kind of the boards: one without cages and black cells.
    :param regions: for kinds with regions, the region numbers, 1 to side: those of one board for all, or of each board.
    :param to: the format.
    :param threads: as for `convert`.
    :returns: an array of strings, from pyarrow if that can be imported. None is null.

    >>> import numpy
    >>> from_numpy(numpy.zeros((1, 81), "uint8"), to="plain")[0].as_py() == "0" * 81
    True
    """
    import numpy

    digits = _numbers(digits, numpy.uint8, "digits")
    if digits.ndim not in (2, 3) or digits.ndim == 3 and digits.shape[1] != digits.shape[2]:
        raise ValueError(f"digits must have the shape (boards, cells) or (boards, side, side), not {digits.shape}")
    cells = digits.shape[1] if digits.ndim == 2 else digits.shape[1] * digits.shape[2]
    side = round(cells**0.5)
    if side * side != cells:
        raise ValueError(f"boards must have as many rows as columns, so {cells} cells are impossible")
    if isinstance(given, bool | numpy.bool_):
        given = numpy.full(1, given, dtype=bool)
    else:
        given = numpy.ascontiguousarray(given, dtype=bool)
        if given.size != digits.size:
            raise ValueError(f"given must have the shape of digits, {digits.shape}, not {given.shape}")
    arrays = {
        "digits": digits.reshape(-1),
        "given": given.reshape(-1),
        "masks": None if masks is None else _numbers(masks, numpy.uint32, "masks").reshape(-1),
        "regions": None if regions is None else _numbers(regions, numpy.uint8, "regions").reshape(-1),
        "kind": kind,
        "side": side,
        "to": to,
    }
    column, refused = _gridmill.from_numpy(_reading(threads=threads), arrays)
    if refused is not None:
        raise _error(refused)
    return _like.arrow(column)


def _numbers(array: Any, dtype: Any, name: str) -> Any:
    """Return an array in C order of a type, which must be able to hold all of its numbers."""
    import numpy

    array = numpy.asarray(array)
    if array.dtype.kind not in "iub":
        raise TypeError(f"{name} must be integers, not {array.dtype}")
    if array.dtype != dtype and array.size > 0:
        most = numpy.iinfo(dtype).max
        if array.min() < 0 or array.max() > most:
            raise ValueError(f"{name} must be 0 to {most}, not {array.min()} to {array.max()}")
    return numpy.ascontiguousarray(array, dtype=dtype)


def gen(
    count: int,
    *,
    kind: str = "sudoku",
    side: int | None = None,
    format: str = "v2",
    seed: int,
    start: int = 0,
    unique: bool = False,
    minimal: bool = False,
    mix: str = "progress",
    grids: int | None = None,
    open: int = 0,
    threads: int = 0,
) -> Any:
    """Generate boards from a seed: the same as ``gridmill gen`` with the same flags.

    :param count: the number of boards. If their strings have more than 2 GiB, an OverflowError is raised.
    :param kind: their kind.
    :param side: their side; None for 9, or 6 for kenken and kendoku.
    :param format: the format of the strings.
    :param seed: the same seed gives the same boards.
    :param start: the number of the first board, so that boards can be generated in parts.
    :param unique: only puzzles with exactly one solution.
    :param minimal: with unique: puzzles in which no clue can be left out.
    :param mix: what the cells hold: clues, progress or solved.
    :param grids: at most this many classes of solution grids; None for as many as boards, as far as there are that many.
    :param open: killers: this many cages of each board have no sum.
    :param threads: as for `convert`.
    :returns: an array of strings, from pyarrow if that can be imported. None is null.

    >>> whole = gen(5, seed=7)
    >>> whole[2:] == gen(3, seed=7, start=2)
    True
    """
    if side is None:
        side = 6 if kind in ("kenken", "kendoku") else 9
    # Only Wolfram's strings can have fewer characters than cells.
    if count * (1 if format == "wolfram" else side * side) >= 1 << 31:
        raise OverflowError("the strings have more than the 2 GiB of an array of type string; make them in parts")
    making = {
        "count": _whole("count", count),
        "shape": (kind, _whole("side", side)),
        "format": format,
        "seed": _whole("seed", seed),
        "start": _whole("start", start),
        "unique": unique,
        "minimal": minimal,
        "mix": mix,
        "grids": None if grids is None else _whole("grids", grids),
        "open": min(_whole("open", open), 625),
    }
    return _like.arrow(_gridmill.gen(_reading(threads=threads), making))


def _whole(name: str, number: int) -> int:
    """Return a number, which must have at most 64 bits."""
    number = operator.index(number)
    if not 0 <= number < 1 << 64:
        raise ValueError(f"{name} must be 0 to {(1 << 64) - 1}, not {number}")
    return number


def evidence(strings: Any, *, from_: str | None = None) -> Evidence:
    """Gather the evidence of all strings of a column for the layouts of Str8ts strings.

    Gather it from all parts of a data set, or from a sample, add it up, and pass it to `convert`: the result then does not depend on
    how columns are split. It can be pickled.

    :param strings: the column.
    :param from_: the format of the strings; None to detect it for each one.

    >>> evidence([None, "." * 81]) == Evidence()
    True
    """
    column, _ = _like.given(strings)
    return _gridmill.evidence(column, _reading(from_))


def formats() -> list[dict[str, Any]]:
    """Return the formats: name, summary, and layouts with kinds, body and length.

    >>> [format["name"] for format in formats()]
    ['plain', 'v0', 'v1', 'offset32', 'v2', 'wolfram', 'hodoku', 'pencilmarks', 'fpuzzles', 'ps-killer', 'sumocue', 'arrow-killer', 'sgt-solo', 'sgt-keen', 'puzzlink', 'sudokupad', 'sudokumaker', 'jigsaw-pair', 'sudokucoach', 'kenken-text', 'opensudoku-cells', 'ksudoku', 'gnome-sudoku', 'link', 'penpa']
    """
    return _gridmill.formats()


def kernels() -> Mapping[str, Any]:
    """Return the kernels that are compiled in, those that this machine can run, and the one in use.

    >>> kernels()["compiled"][-1]
    'scalar'
    """
    return _gridmill.kernels()
