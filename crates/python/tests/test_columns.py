"""Columns of all libraries: the result has the type of the input."""

import pickle
import subprocess
import sys

import arro3.core
import nanoarrow as na
import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import gridmill
import gridmill.batches

PUZZLE = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
SOLUTION = "174385962293467158586192734451923876928674315367851249719548623635219487842736591"
V2 = gridmill.convert([PUZZLE])[0].as_py()
ROWS = [PUZZLE, None, "", PUZZLE]
NEW = [V2, None, "", V2]
CONVERTING = {"to": "v2", "notes": "keep", "lossy": False, "level": "syntax", "str8ts_write": None, "errors": "raise"}

TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]


@pytest.mark.parametrize("type_", TYPES, ids=str)
def test_pyarrow(type_: pa.DataType) -> None:
    plain = type_ == TYPES[-1]
    whole = pa.array(["no", *ROWS, "no"]).dictionary_encode() if plain else pa.array(["no", *ROWS, "no"], type_)
    array = whole.slice(1, 4)
    new = gridmill.convert(array, errors="null")
    assert isinstance(new, pa.Array) and new.to_pylist() == NEW
    assert new.type == array.type
    new.validate(full=True)
    chunked = pa.chunked_array([array, array.slice(0, 0), array.slice(1)])
    new = gridmill.convert(chunked, errors="null")
    assert isinstance(new, pa.ChunkedArray) and [len(chunk) for chunk in new.chunks] == [4, 0, 3]
    assert new.to_pylist() == NEW + NEW[1:]
    none = gridmill.convert(pa.chunked_array([], array.type))
    assert (none.num_chunks, none.type) == (0, array.type)
    assert gridmill.solve(array, threads=1).to_pylist() == [SOLUTION, None, None, SOLUTION]


def test_binary_becomes_string() -> None:
    binary = {pa.binary(): pa.string(), pa.large_binary(): pa.large_string(), pa.binary_view(): pa.string_view()}
    for old, new in binary.items():
        assert gridmill.convert(pa.array([PUZZLE.encode()], old)).type == new


def test_polars() -> None:
    series = pl.concat([pl.Series("board", ROWS), pl.Series("board", ROWS)], rechunk=False)
    new = gridmill.convert(series)
    assert isinstance(new, pl.Series) and new.name == "board" and new.dtype == pl.String
    assert new.to_list() == NEW + NEW
    assert gridmill.validate(series).struct.field("ok").to_list() == [True, None, None, True] * 2


def test_other_libraries() -> None:
    for given in (na.Array(pa.array(ROWS)), arro3.core.Array.from_arrow(pa.array(ROWS, pa.string_view()))):
        assert gridmill.convert(given).to_pylist() == NEW
    chunked = arro3.core.ChunkedArray([pa.array(ROWS), pa.array(ROWS[:1])])
    new = gridmill.convert(chunked)
    assert isinstance(new, pa.ChunkedArray) and [len(chunk) for chunk in new.chunks] == [4, 1]


def test_new_strings_are_no_json() -> None:
    array = pa.ExtensionArray.from_storage(pa.json_(pa.large_string()), pa.array(ROWS, pa.large_string()))
    assert gridmill.convert(array).equals(pa.array(NEW, pa.large_string()))


def test_columns_export_what_they_are() -> None:
    """The requested schema does not matter; a column is never both an array and a stream."""
    column, chunks = (gridmill._gridmill.convert(given, gridmill._reading(), CONVERTING) for given in (pa.array(ROWS), pa.chunked_array([ROWS])))
    for given, has, has_not in ((column[0], "array", "stream"), (chunks[0], "stream", "array")):
        assert not hasattr(given, f"__arrow_c_{has_not}__")
        getattr(given, f"__arrow_c_{has}__")(pa.large_string().__arrow_c_schema__())
        assert pa.field(given).type == pa.string()
    assert pa.array(column[0]).to_pylist() == pa.chunked_array(chunks[0]).to_pylist() == NEW
    assert [list(chunk) for chunk in chunks[0].chunks] == [NEW] and len(chunks[0]) == 4


def test_columns_without_a_type() -> None:
    """Nothing but nulls, for which libraries have a type of its own. The result is a column of strings."""
    nulls = pa.nulls(3)
    new = gridmill.convert(nulls)
    assert new.type == pa.string() and new.to_pylist() == [None] * 3
    chunked = pa.chunked_array([nulls, nulls.slice(0, 0)])
    new = gridmill.solve(chunked)
    assert new.type == pa.string() and [len(chunk) for chunk in new.chunks] == [3, 0]
    assert gridmill.convert(pa.chunked_array([], pa.null())).type == pa.string()
    assert [verdict["ok"] for verdict in gridmill.validate(nulls).to_pylist()] == [None] * 3
    assert gridmill.detect(nulls).to_pylist() == gridmill.detect([None] * 3).to_pylist()
    series = gridmill.convert(pl.Series("board", [None, None]))
    assert series.dtype == pl.String and series.to_list() == [None, None] and series.name == "board"
    assert gridmill.evidence(nulls) == gridmill.Evidence()
    with pytest.raises(gridmill.RejectError):
        gridmill.to_numpy(nulls)


def test_sequences() -> None:
    assert gridmill.convert(tuple(ROWS)).to_pylist() == NEW
    assert gridmill.convert(np.array(ROWS, dtype=object)).to_pylist() == NEW
    for wrong in (3, PUZZLE, [1], pa.array([1]), pa.table({"board": ROWS}), [b"1"]):
        with pytest.raises(TypeError):
            gridmill.convert(wrong)


def test_without_libraries() -> None:
    """No library needs to be installed, and none is imported unless a column of it was passed."""
    code = f"""
import sys
sys.modules["pyarrow"] = None
import gridmill
new = gridmill.convert([{PUZZLE!r}, None])
assert type(new) is gridmill.Column and list(new) == [{V2!r}, None], new
assert gridmill.validate(["x"])[0]["code"] == "length"
assert gridmill.convert(gridmill.gen(3, seed=1), "v2")[-1] == gridmill.gen(1, seed=1, start=2)[0]
assert not any(hasattr(new, name) for name in ("__arrow_c_stream__", "__dict__"))
assert not {{"numpy", "pandas", "polars"}} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_errors_four_ways() -> None:
    column = pa.chunked_array([[PUZZLE, "bad"], [None, "S9B?" + V2[4:], ""]])
    with pytest.raises(gridmill.RejectError) as caught:
        gridmill.convert(column)
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.row, error.code, error.cell, error.count) == (1, "length", None, 2)
    assert error.codes == {"length": 1, "digit": 1} and str(error) == str(caught.value)
    assert isinstance(error, ValueError)
    nulls = gridmill.convert(column, errors="null")
    assert nulls.to_pylist() == [V2, None, None, None, ""]
    kept = gridmill.convert(column, errors="keep")
    assert kept.to_pylist() == [V2, "bad", None, "S9B?" + V2[4:], ""]
    same, table = gridmill.convert(column, errors="report")
    assert same == nulls and table.column_names == ["row", "code", "cell", "message", "record"]
    assert table["row"].to_pylist() == [1, 3] and table["cell"].to_pylist() == [None, "r1c1"]
    assert table["record"].to_pylist() == ["bad", "S9B?" + V2[4:]]


def test_wrong_values_say_which_there_are() -> None:
    for arguments, words in {
        ("to", "v9"): "formats: plain",
        ("to", "sumocue"): "formats that are written: plain",
        ("kind", "v9"): "kinds: sudoku",
        ("errors", "v9"): "raise, null, keep, report",
        ("level", "v9"): "syntax, rules, unique",
        ("notes", "v9"): "keep, none, full, auto",
        ("str8ts_layout", "v9"): "spec, site, first, nine",
        ("threads", -1): "0 to 1024",
    }.items():
        with pytest.raises(ValueError, match=words):
            gridmill.convert([PUZZLE], **dict([arguments]))
    with pytest.raises(ValueError, match="max_solutions must be at least 2"):
        gridmill.validate([PUZZLE], max_solutions=1)
    with pytest.raises(TypeError, match="Evidence"):
        gridmill.convert([PUZZLE], evidence=True)


def test_detect_and_validate() -> None:
    twice = "11" + "." * 79
    verdicts = gridmill.validate([PUZZLE, twice, None, "." * 81], level="unique", max_solutions=3).to_pylist()
    assert [verdict["ok"] for verdict in verdicts] == [True, False, None, False]
    assert [verdict["solutions"] for verdict in verdicts] == [1, 0, None, 3]
    assert (verdicts[1]["code"], verdicts[1]["cell"]) == ("duplicate", "r1c2")
    found = gridmill.detect(pl.Series([V2, "x", None])).struct.unnest()
    assert found["format"].cast(pl.String).to_list() == ["v2", None, None]


def test_evidence_settles_strings_one_by_one() -> None:
    boards = gridmill.gen(300, kind="str8ts", seed=3)
    site = gridmill.convert(boards, str8ts_write="site", str8ts_layout="spec").to_pylist()
    # A board with one solved cell, which is a different digit in each layout.
    site.append("T9B" + "0p" + "00" * 80)
    whole = gridmill.convert(site).to_pylist()
    assert whole[:300] == boards.to_pylist()
    evidence = gridmill.evidence(site[:100]) + gridmill.evidence(site[100:])
    assert evidence == gridmill.evidence(site) == pickle.loads(pickle.dumps(evidence))
    assert [gridmill.convert([string], evidence=evidence)[0].as_py() for string in site] == whole
    with pytest.raises(gridmill.RejectError, match="ambiguous"):
        gridmill.convert(site[-1:], evidence=False)


def test_to_and_from_numpy() -> None:
    for kind, side in [("sudoku", 9), ("jigsaw", 9), ("sudoku", 16)]:
        boards = gridmill.gen(50, kind=kind, side=side, seed=3)
        digits, given, masks, codes = (gridmill.to_numpy(boards, what) for what in ("digits", "given", "masks", "codes"))
        assert digits.shape == (50, side * side)
        wide = np.uint16 if side == 9 else np.uint32
        assert [array.dtype for array in (digits, given, masks, codes)] == [np.uint8, np.bool_, wide, wide]
        regions = gridmill.to_numpy(boards, "regions") if kind == "jigsaw" else None
        square = digits.astype(np.int64).reshape(50, side, side)
        back = gridmill.from_numpy(square, given=given, masks=masks, kind=kind, regions=regions)
        assert back.to_pylist() == boards.to_pylist()
    out = np.zeros((50, 256), np.uint8)
    assert gridmill.to_numpy(boards, out=out) is out and (out == digits).all()
    assert gridmill.to_numpy([], "black").shape == (0, 81)
    for wrong in (out[:, ::2], out[:10], out.astype(np.uint16)):
        with pytest.raises(ValueError, match="C order"):
            gridmill.to_numpy(boards, out=wrong)
    for row in (None, "", "x", V2):
        with pytest.raises(gridmill.RejectError) as caught:
            gridmill.to_numpy([*boards.to_pylist(), row])
        assert caught.value.row == 50
    with pytest.raises(gridmill.RejectError, match="r1c2"):
        gridmill.from_numpy(np.array([[0, 10] + [0] * 79]))
    for array in (np.full((1, 81), 300), np.full((1, 81), -1), np.zeros((1, 80), int), np.zeros(81, int)):
        with pytest.raises(ValueError):
            gridmill.from_numpy(array)
    with pytest.raises(TypeError, match="float"):
        gridmill.from_numpy(np.zeros((1, 81)))


def test_gen_adds_up() -> None:
    whole = gridmill.gen(5000, seed=7)
    assert whole.to_pylist() == [board for start in (0, 2500) for board in gridmill.gen(2500, seed=7, start=start).to_pylist()]
    puzzles = gridmill.gen(20, seed=7, unique=True, mix="clues", format="plain")
    assert gridmill.solve(puzzles).null_count == 0
    assert gridmill.gen(5000, seed=7, grids=1 << 40) == whole
    few, more = (gridmill.gen(20, seed=7, unique=True, mix="clues", format="plain", grids=grids) for grids in (2, None))
    assert few[:2] == more[:2] and few != more
    with pytest.raises(ValueError, match="plain"):
        gridmill.gen(1, seed=7, kind="kenken", format="plain")
    with pytest.raises(ValueError, match="at least 1"):
        gridmill.gen(1, seed=7, grids=0)


def test_gen_of_killers_with_open_cages() -> None:
    boards = gridmill.gen(20, seed=7, kind="killer")
    assert gridmill.gen(20, seed=7, kind="killer", open=0) == boards
    opened = gridmill.gen(20, seed=7, kind="killer", open=3)
    assert opened.null_count == 0 and opened != boards
    # Version 1 has no cages without a sum.
    assert gridmill.convert(boards, "v1", lossy=True, errors="null").null_count == 0
    assert gridmill.convert(opened, "v1", lossy=True, errors="null").null_count == 20
    with pytest.raises(ValueError, match="open"):
        gridmill.gen(1, seed=7, kind="killer", open=-1)


def test_what_is_given() -> None:
    # A solved digit that the solution does not have: as progress it is wrong, and if it is given there is no solution.
    wrong = gridmill.convert([PUZZLE])[0].as_py().replace("S9B0100", "S9B010d")
    codes = [gridmill.validate([wrong], level="unique", givens=givens)[0].as_py()["code"] for givens in ("clues", "placed")]
    assert codes == ["wrong-progress", "no-solution"]
    for givens in ("clues", "placed", "candidates"):
        assert gridmill.solve([PUZZLE], givens=givens).to_pylist() == [SOLUTION]
    with pytest.raises(ValueError, match="givens must be one of"):
        gridmill.solve([PUZZLE], givens="some")
    with pytest.raises(ValueError, match="givens must be one of"):
        gridmill.validate([PUZZLE], givens="some")


def test_gen_of_numbers_that_cannot_be() -> None:
    for wrong in ({"count": -1}, {"seed": -1}, {"seed": 1 << 64}, {"start": -1}, {"grids": -1}):
        name = next(iter(wrong))
        with pytest.raises(ValueError, match=f"{name} must be 0 to 18446744073709551615, not {wrong[name]}"):
            gridmill.gen(**{"count": 1, "seed": 1, **wrong})
    with pytest.raises(ValueError, match="not -1"):
        gridmill.gen(1, seed=1, side=-1)
    with pytest.raises(TypeError):
        gridmill.gen(1.5, seed=1)  # type: ignore[arg-type]
    for format_ in ("v2", "wolfram"):
        for count in (1 << 31, 1 << 63, 1 << 64):
            with pytest.raises(OverflowError, match="2 GiB"):
                gridmill.gen(count, seed=1, format=format_)
    with pytest.raises(ValueError, match="that many"):
        gridmill.gen(2, seed=1, start=(1 << 64) - 1)


def test_what_there_is() -> None:
    assert "v2" in [about["name"] for about in gridmill.formats()]
    kernels = gridmill.kernels()
    assert kernels["used"] in kernels["usable"] and set(kernels["usable"]) <= set(kernels["compiled"])
    assert gridmill.__version__.count(".") == 2
    assert all(hasattr(gridmill, name) for name in gridmill.__all__)


class Extension(pa.ExtensionType):
    """Strings that a program knows as boards, with metadata that are no text."""

    def __init__(self, data: bytes = b"\xff") -> None:
        self.data = data
        super().__init__(pa.string(), "gridmill.test")

    def __arrow_ext_serialize__(self) -> bytes:
        return self.data

    @classmethod
    def __arrow_ext_deserialize__(cls, storage: pa.DataType, data: bytes) -> "Extension":
        return cls(data)


@pytest.mark.parametrize("data", [b"text", b"\xff\0"])
def test_extension_types(data: bytes) -> None:
    extension = Extension(data)
    pa.register_extension_type(extension)
    try:
        array = pa.ExtensionArray.from_storage(extension, pa.array(ROWS))
        new = gridmill.convert(array)
        assert new.type == extension and new.storage.to_pylist() == NEW
        chunked = pa.chunked_array([array, array.slice(0, 0), array.slice(1)])
        new = gridmill.convert(chunked)
        assert (new.type, new.num_chunks) == (extension, 3) and len(new) == 7
        assert gridmill.validate(chunked).type == gridmill.validate(ROWS).type
        table = pa.table([array], schema=pa.schema([pa.field("b", extension, metadata={"k": "v"})]))
        assert gridmill.batches.convert(table, column="b").schema.equals(table.schema, check_metadata=True)
    finally:
        pa.unregister_extension_type("gridmill.test")


def test_dictionaries_stay_ordered() -> None:
    for ordered in (False, True):
        array = pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 0], pa.int8()), pa.array([PUZZLE, ""]), ordered=ordered)
        for given in (array, pa.chunked_array([array, array.slice(1)])):
            assert gridmill.convert(given).type == given.type and given.type.ordered == ordered
            assert gridmill.solve(given).type.ordered == ordered
        assert na.Array(gridmill._gridmill.convert(array, gridmill._reading(), CONVERTING)[0]).schema.dictionary_ordered == ordered


def test_enums_of_polars() -> None:
    other = "2" + PUZZLE[1:]
    series = pl.Series("board", [PUZZLE, "bad", None, other, PUZZLE], dtype=pl.Enum([other, "bad", "unused", PUZZLE]))
    new = gridmill.convert(series, errors="null")
    assert new.to_list() == [V2, None, None, *gridmill.convert([other]).to_pylist(), V2] and new.name == "board"
    assert new.dtype == pl.Enum([new[3], V2])


def test_objects_are_strings_or_named() -> None:
    for given in ([PUZZLE, 5], np.array([PUZZLE, 5], object), pl.Series([PUZZLE, 5], dtype=pl.Object)):
        with pytest.raises(TypeError, match="^row 1 is of type int, not str or None$"):
            gridmill.convert(given)
    assert gridmill.convert(pl.Series([PUZZLE, None], dtype=pl.Object)).to_list() == [V2, None]
