"""Series and frames of pandas 3 and, where Spark is installed, pandas 2."""

import subprocess
import sys

import pandas as pd
import pyarrow as pa
import pytest

import gridmill

PUZZLE = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
V2 = gridmill.convert([PUZZLE])[0].as_py()
ROWS = [PUZZLE, None, "", PUZZLE]
NEW = [V2, None, "", V2]


@pytest.mark.parametrize(
    "dtype",
    [object, "str", "string", pd.ArrowDtype(pa.string()), pd.ArrowDtype(pa.large_string()), "category"],
    ids=str,
)
def test_pandas(dtype: object) -> None:
    series = pd.Series(ROWS, dtype=dtype, index=[3, 5, 7, 9], name="board")
    new = gridmill.convert(series)
    assert [None if gone else board for board, gone in zip(new, new.isna(), strict=True)] == NEW
    assert list(new.index) == [3, 5, 7, 9] and new.name == "board"
    assert new.dtype == series.dtype or dtype == "category" and new.dtype.name == "category"
    verdicts = gridmill.validate(series)
    assert isinstance(verdicts, pd.DataFrame) and list(verdicts.index) == [3, 5, 7, 9]
    assert verdicts["ok"].tolist() == [True, None, None, True]


@pytest.mark.parametrize("ordered", [False, True])
def test_categories(ordered: bool) -> None:
    """Each category is converted once. Refused ones are removed, and those that become equal are merged."""
    other = "2" + PUZZLE[1:]
    dtype = pd.CategoricalDtype([other, "bad", PUZZLE, PUZZLE.replace(".", "0")], ordered)
    series = pd.Series([PUZZLE, "bad", None, PUZZLE.replace(".", "0"), other], dtype=dtype, index=[3, 5, 7, 9, 11], name="board")
    new = gridmill.convert(series, errors="null")
    assert [None if gone else board for board, gone in zip(new, new.isna(), strict=True)][:4] == [V2, None, None, V2]
    assert list(new.cat.categories) == [new[11], V2] and new.cat.ordered == ordered
    assert new.cat.categories.dtype == series.cat.categories.dtype
    assert list(new.index) == [3, 5, 7, 9, 11] and new.name == "board"
    kept = gridmill.convert(series, errors="keep")
    assert list(kept.cat.categories) == [new[11], "bad", V2] and kept[5] == "bad"
    same, table = gridmill.convert(series, errors="report")
    assert same.equals(new) and table["row"].to_pylist() == [1]
    with pytest.raises(gridmill.RejectError) as caught:
        gridmill.convert(series)
    assert (caught.value.row, caught.value.count) == (1, 1)
    solved = gridmill.solve(series)
    assert solved.isna().tolist() == [False, True, True, False, True] and len(solved.cat.categories) == 1


def test_categories_without_pyarrow() -> None:
    code = f"""
import sys
sys.modules["pyarrow"] = None
import pandas as pd
import gridmill
series = pd.Series([{PUZZLE!r}, "bad", None, {PUZZLE.replace(".", "0")!r}], dtype="category")
new = gridmill.convert(series, errors="null")
assert new.isna().tolist() == [False, True, True, False] and list(new.cat.categories) == [{V2!r}], new
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("dtype", [object, "category", pd.ArrowDtype(pa.null())], ids=str)
@pytest.mark.parametrize("rows", [[None, None], []], ids=["nulls", "empty"])
def test_series_without_strings(dtype: object, rows: list[None]) -> None:
    series = pd.Series(rows, dtype=dtype, name="board")
    for new in (gridmill.convert(series), gridmill.solve(series)):
        assert len(new) == len(rows) and new.isna().all() and new.name == "board"
        assert new.dtype == series.dtype or dtype == pd.ArrowDtype(pa.null()) and new.dtype == pd.ArrowDtype(pa.string())
    assert gridmill.validate(series)["ok"].isna().all()


@pytest.mark.parametrize("value", [5, 1.5, True, [PUZZLE], pd.Timestamp("2020")], ids=str)
def test_objects_that_are_no_strings_are_named(value: object) -> None:
    words = f"^row 2 is of type {type(value).__name__}, not str or None$"
    for function in (gridmill.convert, gridmill.validate, gridmill.solve, gridmill.detect):
        with pytest.raises(TypeError, match=words):
            function(pd.Series([PUZZLE, None, value, float("nan")], dtype=object))
    with pytest.raises(TypeError, match="^row 0 is of type"):
        gridmill.convert(pd.Series([value, value], dtype=object))


def test_objects_that_are_strings() -> None:
    """Bytes beside strings, and all that pandas takes for missing."""
    series = pd.Series([PUZZLE, PUZZLE.encode(), None, float("nan"), pd.NA], dtype=object)
    assert gridmill.convert(series).tolist() == [V2, V2, None, None, None]
