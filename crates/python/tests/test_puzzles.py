"""Facts, canonical forms, keys and duplicates, and solutions that came with strings."""

import subprocess
from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from test_files import PROGRAM

import gridmill
import gridmill.batches
import gridmill.dataset
import gridmill.duckdb
import gridmill.polars

EASY = "070400000000070600950000001001600070087520000290300400400000080000080007000000060"
WING = "061200700009001002030900000000506000070000000400000081890040000000600400300059007"
BEYOND = "100000002090400050006000700050903000000070000000850040700000600030009080002000001"
EMPTY = "." * 81
WRONG = "11" + "." * 79
ROWS = [EASY, None, WING, "bad", WRONG, EMPTY, "", BEYOND, EASY[::-1]]
NOTHING = dict.fromkeys(["clues", "symmetric", "solutions", "nodes", "grade", "grade_name"])
# A list comes back as an array, and all others as what they are.
KINDS: list[Callable[[list[str | None]], Any]] = [
    list,
    pa.array,
    lambda rows: pa.chunked_array([rows[:2], [], rows[2:]], pa.string()),
    lambda rows: pa.array(rows).dictionary_encode(),
    lambda rows: pa.array(rows, pa.string_view()),
    lambda rows: pl.Series("board", rows),
    lambda rows: pd.Series(rows, index=range(10, 10 + len(rows)), name="board"),
]


def values(column: Any) -> list[Any]:
    if isinstance(column, pd.DataFrame):
        rows = column.astype(object).where(column.notna(), None).to_dict("records")
        return [{name: int(value) if isinstance(value, float | np.integer) else value for name, value in row.items()} for row in rows]
    if isinstance(column, pd.Series):
        return [None if value is pd.NA or value is None or value != value else value for value in column]
    return column.to_list() if isinstance(column, pl.Series) else column.to_pylist()


@pytest.mark.parametrize("kind", KINDS)
def test_facts(kind: Callable[[list[str | None]], Any]) -> None:
    found = values(gridmill.facts(kind(ROWS), max_solutions=5))
    assert [found[row] for row in (1, 3, 4, 6)] == [NOTHING] * 4
    assert found[5] == {**NOTHING, "clues": 0, "symmetric": True, "solutions": 5}
    assert [(found[row]["grade"], found[row]["grade_name"]) for row in (0, 2, 7, 8)] == [(1, "box"), (8, "wing"), (11, "beyond"), (1, "box")]
    assert [(found[row]["clues"], found[row]["solutions"]) for row in (0, 2, 7)] == [(81 - str(ROWS[row]).count("0"), 1) for row in (0, 2, 7)]
    assert found[0]["nodes"] == 1 and found[7]["nodes"] > 1
    # A search that was given up is none, and one rung may solve it all the same.
    short = values(gridmill.facts(kind([EASY, BEYOND]), effort=1))
    assert (short[0]["grade"], short[1]) == (1, {**NOTHING, "clues": 81 - BEYOND.count("0"), "symmetric": False})
    killer = gridmill.gen(1, kind="killer", seed=1, mix="clues").to_pylist()
    assert values(gridmill.facts(kind(killer)))[0]["grade"] is None


@pytest.mark.skipif(not PROGRAM, reason="GRIDMILL_PROGRAM names no program")
def test_facts_and_keys_are_those_of_the_program() -> None:
    rows = gridmill.gen(500, seed=9, unique=True, minimal=True, mix="clues", format="plain").to_pylist()
    text = "".join(f"{row}\n" for row in rows).encode()
    added = [PROGRAM, "validate", "-q", "--add", "clues,symmetric,solutions,nodes,grade,grade-name"]
    said = [line.split("\t")[1:] for line in subprocess.run(added, input=text, capture_output=True, check=True).stdout.decode().splitlines()]
    found = [[str(value).lower() for value in fact.values()] for fact in gridmill.facts(rows).to_pylist()]
    assert found == said
    canon = subprocess.run([PROGRAM, "canon", "-q", "--key"], input=text, capture_output=True, check=True).stdout.decode().splitlines()
    assert [line.split("\t") for line in canon] == [list(pair) for pair in zip(gridmill.canonical(rows).to_pylist(), gridmill.keys(rows).to_pylist())]


@pytest.mark.parametrize("kind", KINDS)
def test_forms_keys_and_duplicates(kind: Callable[[list[str | None]], Any]) -> None:
    rows = kind(ROWS)
    forms = values(gridmill.canonical(rows, "plain", errors="null"))
    assert forms[0] == forms[8] and forms[0] not in (None, forms[2])
    assert [forms[row] for row in (1, 3, 4, 5, 6)] == [None, None, None, None, ""]
    keys = values(gridmill.keys(rows, errors="null"))
    assert keys[0] == keys[8] and len({key for key in keys if key}) == 5 and keys[5] and keys[3] is None
    assert values(gridmill.dedupe(rows, errors="null")) == [True, True, True, None, True, True, True, True, False]
    assert values(gridmill.groups(rows, errors="null")) == [0, None, 2, None, 4, 5, None, 7, 0]
    # By the exact board, in whatever format; and without rejected rows.
    same = kind([EASY, gridmill.convert([EASY])[0].as_py(), EASY[::-1], None])
    assert values(gridmill.dedupe(same)) == [True, False, False, True]
    assert values(gridmill.dedupe(same, by="string")) == [True, False, True, True]
    assert values(gridmill.groups(same, by="grid")) == [0, 0, 0, None]
    with pytest.raises(gridmill.RejectError, match="row 3: length"):
        gridmill.dedupe(rows)
    with pytest.raises(gridmill.RejectError, match="row 3: length"):
        gridmill.keys(rows)


def test_masks_filter() -> None:
    table = pa.table({"board": ROWS})
    assert table.filter(gridmill.dedupe(table["board"], errors="null")).num_rows == 7
    frame = pl.DataFrame({"board": ROWS})
    assert frame.filter(gridmill.dedupe(frame["board"], errors="null")).height == 7
    good = pd.DataFrame({"board": [EASY, EASY[::-1], None]}, index=[5, 6, 7])
    assert good[gridmill.dedupe(good["board"])].index.tolist() == [5, 7]
    assert good[gridmill.dedupe(good["board"])].equals(good[gridmill.groups(good["board"]).isin([0]) & (good.index == 5) | good["board"].isna()])


def test_wrong_values_say_which_there_are() -> None:
    for call, words in (
        (lambda: gridmill.canonical([EASY], form="auto"), "form must be one of solution, puzzle, not 'auto'"),
        (lambda: gridmill.keys([EASY], form="all"), "form must be one of auto, solution, puzzle, not 'all'"),
        (lambda: gridmill.keys([EASY], by="clue"), "by must be one of puzzle, grid, string, not 'clue'"),
        (lambda: gridmill.keys([EASY], by="grid", form="puzzle"), "form is only for by='puzzle'"),
        (lambda: gridmill.dedupe([EASY], errors="keep"), "errors must be one of raise, null, not 'keep'"),
        (lambda: gridmill.canonical([EASY], errors="report"), "errors must be one of raise, null, keep, not 'report'"),
        (lambda: gridmill.keys([EASY], givens="candidates"), "unsupported"),
        (lambda: gridmill.keys([EASY], givens="all"), "givens must be one of clues, placed, not 'all'"),
        (lambda: gridmill.facts([EASY], effort=0), "effort must be 1"),
        (lambda: gridmill.validate([EASY], solutions=[]), "there are 0 solutions for 1 strings"),
        (lambda: gridmill.validate([EASY], solutions=[EASY], level="syntax"), "level syntax does not check solutions"),
    ):
        with pytest.raises(ValueError, match=words):
            call()


@pytest.mark.parametrize("kind", KINDS)
def test_solutions_that_came_with_strings(kind: Callable[[list[str | None]], Any]) -> None:
    right = gridmill.solve(ROWS).to_pylist()
    given = [right[0], None, right[0], None, None, right[0], None, None, gridmill.convert([right[8]])[0].as_py()]
    found = values(gridmill.validate(kind(ROWS), solutions=given, level="unique"))
    codes = [row["code"] for row in found]
    assert [row["ok"] for row in found] == [True, None, False, False, False, False, None, False, True], codes
    assert (codes[2], codes[3], codes[7]) == ("wrong-solution", "length", "incomplete-solution"), codes
    # At level rules they must fit, and chunks need not be those of the strings.
    chunks = pa.chunked_array([given[:5], given[5:]], pa.string())
    assert [row["ok"] for row in values(gridmill.validate(kind(ROWS), solutions=chunks))][:3] == [True, None, False]


def test_engines() -> None:
    frame = pl.DataFrame({"board": ROWS})
    facts = frame.lazy().select(pl.col("board").map_batches(gridmill.polars.facts(), return_dtype=gridmill.facts(frame["board"]).dtype, is_elementwise=True)).collect()
    assert facts["board"].to_list() == gridmill.facts(ROWS).to_pylist()
    keys = pl.col("board").map_batches(gridmill.polars.keys(errors="null"), return_dtype=pl.String, is_elementwise=True)
    assert frame.select(keys)["board"].to_list() == gridmill.keys(ROWS, errors="null").to_pylist()
    table = pa.table({"board": ROWS})
    assert gridmill.batches.facts(table, column="board")["facts"].to_pylist() == gridmill.facts(ROWS).to_pylist()
    assert gridmill.batches.keys(table, column="board", errors="null")["key"].to_pylist() == gridmill.keys(ROWS, errors="null").to_pylist()

    connection = duckdb.connect()
    connection.register("boards", pa.table({"id": range(len(ROWS)), "board": ROWS, "solution": gridmill.solve(ROWS)}))
    gridmill.duckdb.register(connection)

    def column(sql: str) -> list[Any]:
        return [value for _, value in connection.sql(f"select id, {sql} from boards order by id").fetchall()]

    assert column("gridmill_facts(board)") == gridmill.facts(ROWS).to_pylist()
    assert column("gridmill_key(board)") == gridmill.keys(ROWS, errors="null").to_pylist()
    assert column("gridmill_canonical(board)") == gridmill.canonical(ROWS, errors="null").to_pylist()
    levels = ["syntax", "rules", "unique"]
    expected = {level: gridmill.validate(ROWS, level=level).to_pylist() for level in levels}
    assert column("gridmill_validate_level(board, 'unique')") == expected["unique"]
    mixed = column("gridmill_validate_level(board, ['syntax', 'rules', 'unique'][1 + id % 3])")
    assert mixed == [expected[levels[row % 3]][row] for row in range(len(ROWS))]
    given = column("gridmill_validate_given(board, solution)")
    assert given == gridmill.validate(ROWS, solutions=gridmill.solve(ROWS), level="unique").to_pylist()


def test_copies_of_strings() -> None:
    strings = [EASY, WING]
    copies, solutions, of = gridmill.dataset.symmetric(strings, gridmill.solve(strings), copies=3, seed=5)
    arrays, _, _ = gridmill.dataset.symmetric(gridmill.to_numpy(strings), copies=3, seed=5)
    assert (gridmill.to_numpy(copies) == arrays).all() and of.tolist() == [0, 0, 0, 1, 1, 1]
    assert gridmill.solve(copies).to_pylist() == solutions.to_pylist()
    assert gridmill.groups(copies).to_pylist() == [0, 0, 0, 3, 3, 3]
    assert np.array_equal(gridmill.to_numpy(gridmill.dataset.symmetric(pl.Series(strings), copies=3, seed=5)[0]), arrays)
