"""What the program appends to Parquet and Arrow files, and strings in lists. `GRIDMILL_PROGRAM` is a build with the feature `parquet`."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from test_files import PROGRAM, program

import gridmill

pytestmark = pytest.mark.skipif(not PROGRAM, reason="GRIDMILL_PROGRAM names no program")

ROWS = 300
ADDED = "clues,solutions,nodes,kind,format,solution,symmetric,grade,grade-name"


def puzzles() -> list[str | None]:
    made: list[str | None] = list(gridmill.gen(ROWS, seed=3, unique=True, mix="clues", format="plain").to_pylist())
    made[4], made[5], made[7] = None, "", "22" + "0" * 79
    return made


def said_of(strings: list[str | None], folder: Path) -> dict[str, list[object]]:
    """The columns that the program appends to a CSV file of these strings."""
    (folder / "old.csv").write_text("row,puzzle\n" + "".join(f"{at},{string or ''}\n" for at, string in enumerate(strings)))
    program("validate", "-f", "--level", "unique", "--framing", "csv", "--column", "puzzle", "--add", ADDED, folder / "old.csv", "-o",
            folder / "new.csv", "--rejects", folder / "of_table.tsv", code=1)
    header, *rows = [line.split(",") for line in (folder / "new.csv").read_text().splitlines()]
    of_row = {int(row[0]): row[2:] for row in rows}
    values: dict[str, list[object]] = {}
    for at, name in enumerate(header[2:]):
        texts = [of_row.get(row, [""] * 9)[at] for row in range(len(strings))]
        as_value = {"clues": int, "solutions": int, "nodes": int, "grade": int, "symmetric": lambda text: text == "true"}.get(name, str)
        values[name] = [as_value(text) if text else None for text in texts]
    return values


@pytest.mark.parametrize("framing", ["parquet", "arrow", "dictionary"])
def test_what_is_said_of_strings(tmp_path: Path, framing: str) -> None:
    strings = puzzles()
    expected = said_of(strings, tmp_path)
    assert expected["clues"][0] and expected["solutions"][0] == 1
    column = pa.array(strings).dictionary_encode() if framing == "dictionary" else pa.array(strings)
    before = pa.table({"id": range(ROWS), "puzzle": column})
    old, new, bad = (tmp_path / name for name in ("old", "new", "bad.tsv"))
    if framing == "parquet":
        pq.write_table(before, old, row_group_size=70)
    else:
        pyarrow.feather.write_feather(before, old, chunksize=70)
    read = pq.read_table if framing == "parquet" else pyarrow.feather.read_table
    # Bad rows are left out.
    program("validate", "--level", "unique", "--column", "puzzle", "--add", ADDED, old, "-o", new, "--rejects", bad, code=1)
    stay = [row for row in range(ROWS) if row != 7]
    after = read(new)
    assert after.select(["id", "puzzle"]).to_pylist() == before.take(stay).to_pylist()
    for name, values in expected.items():
        assert after[name].to_pylist() == [values[row] for row in stay], name
    types = [str(after.schema.field(name).type) for name in ADDED.split(",")]
    assert types == ["int64", "int64", "int64", "string", "string", "string", "bool", "int64", "string"]
    # Bad rows stay, with nulls in the new columns; strings are replaced, or new ones are in a column beside them.
    program("convert", "-f", "--check", "rules", "--column", "puzzle", "--bad", "null", "--add", "clues=n", "--add-kind", "--rejects", bad, old, "-o", new, code=1)
    after = read(new)
    assert after.column_names == ["id", "puzzle", "n", "format", "kind"]
    converted = gridmill.convert(pa.array(strings), errors="null", level="rules").to_pylist()
    assert after["puzzle"].to_pylist() == converted
    program("solve", "-f", "--column", "puzzle", "--bad", "keep", "--add", "nodes", "--rejects", bad, old, "-o", new, code=1)
    after = read(new)
    assert after.column_names == ["id", "puzzle", "solution", "nodes"]
    assert after["puzzle"].to_pylist() == strings
    assert after["solution"].to_pylist() == [value or ("" if string == "" else None) for value, string in zip(expected["solution"], strings)]
    assert after["nodes"].to_pylist() == expected["nodes"]
    program("validate", "-f", "--level", "unique", "--solutions", "--column", "puzzle", old, "-o", new, "--rejects", bad, code=1)
    assert read(new)["solution"].to_pylist() == [expected["solution"][row] for row in stay]
    program("canon", "-f", "--column", "puzzle", "--key", "--automorphisms", old, "-o", new, "--rejects", bad, code=1)


@pytest.mark.parametrize("framing", ["parquet", "arrow", "dictionary"])
def test_rows_of_other_grades_are_left_out(tmp_path: Path, framing: str) -> None:
    strings = puzzles()
    strings[8::2] = gridmill.gen(ROWS, seed=3, unique=True, minimal=True, mix="clues", format="plain").to_pylist()[8::2]
    grades = said_of(strings, tmp_path)["grade"]
    wanted = [row for row in range(ROWS) if strings[row] in (None, "") or grades[row] in range(2, 9)]
    assert ROWS / 10 < len(wanted) < ROWS * 9 / 10
    column = pa.array(strings).dictionary_encode() if framing == "dictionary" else pa.array(strings)
    before = pa.table({"id": range(ROWS), "puzzle": column})
    old, new, report = (tmp_path / name for name in ("old", "new", "report.json"))
    if framing == "parquet":
        pq.write_table(before, old, row_group_size=70)
    else:
        pyarrow.feather.write_feather(before, old, chunksize=70)
    read = pq.read_table if framing == "parquet" else pyarrow.feather.read_table
    program("validate", "--column", "puzzle", "--grade", "hidden..wing", "--add", "grade", old, "-o", new, "--rejects", tmp_path / "bad.tsv",
            "--report", report, code=1)
    after = read(new)
    assert after["id"].to_pylist() == wanted
    assert after["grade"].to_pylist() == [grades[row] for row in wanted]
    assert after.select(["id", "puzzle"]).to_pylist() == before.take(wanted).to_pylist()
    said = json.loads(report.read_text())
    assert said["passed_over"] == ROWS - len(wanted) - 1
    # All rows of some row groups, and of the file.
    program("validate", "-f", "--column", "puzzle", "--grade", "beyond", old, "-o", new, "--rejects", tmp_path / "bad.tsv", code=1)
    left = [row for row in range(ROWS) if strings[row] in (None, "") or grades[row] == 11]
    assert read(new)["id"].to_pylist() == left


@pytest.mark.parametrize("framing", ["parquet", "arrow"])
def test_rows_with_several_strings_are_left_out_as_a_whole(tmp_path: Path, framing: str) -> None:
    easy = "070400000000070600950000001001600070087520000290300400400000080000080007000000060"
    wing = "061200700009001002030900000000506000070000000400000081890040000000600400300059007"
    rows = [(easy, easy), (easy, wing), (None, wing), (easy, "bad"), (wing, easy), (easy, None), (None, None), ("bad", wing)]
    before = pa.table({"a": [a for a, _ in rows], "b": [b for _, b in rows], "id": range(len(rows))})
    old, new, report = (tmp_path / name for name in ("old", "new", "report.json"))
    if framing == "parquet":
        pq.write_table(before, old, row_group_size=3)
    else:
        pyarrow.feather.write_feather(before, old, chunksize=3)
    read = pq.read_table if framing == "parquet" else pyarrow.feather.read_table
    program("validate", "--column", "a", "--column", "b", "--grade", "box", old, "-o", new, "--rejects", tmp_path / "bad.tsv", "--report", report, code=1)
    assert read(new)["id"].to_pylist() == [0, 5, 6]
    # Both strings of the second and the fifth row, and the only one of the third.
    assert json.loads(report.read_text())["passed_over"] == 5


def lists(strings: list[str | None]) -> list[list[str | None] | None]:
    """Lists of 0 to 4 strings, some of them null."""
    made: list[list[str | None] | None] = []
    at = 0
    while at < len(strings):
        length = len(made) % 5
        made.append(None if len(made) % 7 == 3 else strings[at : at + length])
        at += length if made[-1] is not None else 0
    return made


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_strings_in_lists(tmp_path: Path, version: str) -> None:
    strings = puzzles()
    strings[7] = strings[8]
    nested = lists(strings)
    deep = [None if row is None else [{"text": row, "n": 1}, None, {"text": None, "n": 2}] for row in nested]
    before = pa.table({"id": range(len(nested)), "puzzles": pa.array(nested, pa.list_(pa.string())), "deep": deep})
    old, new = tmp_path / "old.parquet", tmp_path / "new.parquet"
    pq.write_table(before, old, row_group_size=33, data_page_version=version, compression="zstd")
    before = pq.read_table(old)

    def converted(row: list[str | None] | None) -> list[str | None] | None:
        return None if row is None else gridmill.convert(pa.array(row, pa.string()), errors="null").to_pylist()

    done = program("convert", "--column", "puzzles.list.element", old, "-o", new)
    assert f"{sum(bool(string) for string in strings)} records, 0 rejected" in done.stderr.decode()
    after = pq.read_table(new)
    assert after.schema.equals(before.schema, check_metadata=True)
    assert after["puzzles"].to_pylist() == [converted(row) for row in nested]
    assert after.drop(["puzzles"]).equals(before.drop(["puzzles"]))
    program("convert", "-f", "--column", "deep.list.element.text.list.element", old, "-o", new)
    after = pq.read_table(new)["deep"].to_pylist()
    assert [row and row[0]["text"] for row in after] == [converted(row) for row in nested]
    assert [row and row[1:] for row in after] == [row and row[1:] for row in deep]


@pytest.mark.parametrize("bad", ["reject", "keep", "null"])
def test_refused_strings_in_lists(tmp_path: Path, bad: str) -> None:
    nested = [[gridmill.gen(1, seed=1, format="plain", mix="clues")[0].as_py(), "?", None], None, [], ["22" + "0" * 79, "12"], [""], ["22" + "0" * 79]]
    good = [[gridmill.convert(pa.array([string]), errors="null")[0].as_py() if string else string for string in row] if row else row for row in nested]
    before = pa.table({"n": range(6), "list": pa.array(nested, pa.list_(pa.string()))})
    old, new, rejects = tmp_path / "old.parquet", tmp_path / "new.parquet", tmp_path / "bad.tsv"
    pq.write_table(before, old)
    done = program("convert", "--column", "list.list.element", "--bad", bad, "--rejects", rejects, old, "-o", new, code=1)
    rows = [(line[1], line[4], line[6]) for line in map(lambda line: line.split("\t"), rejects.read_text().splitlines()[1:])]
    after = pq.read_table(new)
    if bad == "reject":
        # A row is left out as a whole, and each string of its list is a reject.
        assert rows == [("1", "length", nested[0][0]), ("1", "length", "?"), ("4", "length", nested[3][0]), ("4", "length", "12")]
        assert after.to_pylist() == [{"n": n, "list": good[n]} for n in (1, 2, 4, 5)]
        assert b"5 records, 4 rejected" in done.stderr
    else:
        assert rows == [("1", "length", "?"), ("4", "length", "12")]
        if bad == "keep":
            good[0][1], good[3][1] = "?", "12"
        assert after["list"].to_pylist() == good
        assert b"5 records, 2 rejected" in done.stderr
    program("convert", "-f", "--column", "list.list.element", "--bad", "stop", old, "-o", new, code=1)
    program("validate", "--level", "syntax", "--column", "list.list.element", old, code=1)


def test_arrays(tmp_path: Path) -> None:
    strings = puzzles()
    good = [string for string in strings if string and string != "22" + "0" * 79]
    expected = gridmill.to_numpy(good)
    for at, column in enumerate([pa.array(strings), pa.array(strings).dictionary_encode(), pa.array([strings, None, []])]):
        old, new = tmp_path / f"old{at}", tmp_path / f"new{at}.npy"
        if at < 2:
            pyarrow.feather.write_feather(pa.table({"puzzle": column}), old, chunksize=70)
            program("convert", "--check", "rules", "--column", "puzzle", old, "--to-numpy", new, code=1)
            assert np.array_equal(np.load(new), expected)
        pq.write_table(pa.table({"puzzle": column}), old, row_group_size=70)
        if at < 2:
            program("convert", "-f", "--check", "rules", "--column", "puzzle", old, "--to-numpy", new, code=1)
            assert np.array_equal(np.load(new, mmap_mode="r"), expected)
        else:
            # A list is left out as a whole.
            program("convert", "--check", "rules", "--column", "puzzle.list.element", old, "--to-numpy", new, code=1)
            assert np.load(new).shape == (0, 81)
            program("convert", "-f", "--column", "puzzle.list.element", old, "--to-numpy", new)
            assert np.array_equal(np.load(new), gridmill.to_numpy([string for string in strings if string]))


@pytest.mark.parametrize("framing", ["parquet", "arrow"])
def test_titles_and_authors(tmp_path: Path, framing: str) -> None:
    string = "scf5NlQ19j9mGca3OIN1bWGk2m41TjS79"
    strings = [string, None, f"{string}*tOne*aAnn", f"https://sudokupad.app/{string}*ta%09b%0Ac%22%C3%A9*"]
    old, new = tmp_path / "old", tmp_path / "new"
    if framing == "parquet":
        pq.write_table(pa.table({"puzzle": strings}), old)
    else:
        pyarrow.feather.write_feather(pa.table({"puzzle": strings}), old)
    said = program("convert", "--column", "puzzle", "--keep-names", old, "-o", new)
    after = (pq.read_table if framing == "parquet" else pyarrow.feather.read_table)(new)
    assert after["title"].to_pylist() == [None, None, "One", 'a\tb\nc"\u00e9']
    assert after["author"].to_pylist() == [None, None, "Ann", None]
    assert b"no losses" in said.stderr
