"""What surrounds the strings in a Parquet or Arrow file: stays as it was, or it is said."""

import json
import os
import subprocess
import zlib
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from footers import ABOUT, CHUNKS, CREATED_BY, GROUPS, KEYS_AND_VALUES, ORDERS, SCHEMA, STATISTICS, VERSION, footer, pages

import gridmill

PROGRAM = os.environ.get("GRIDMILL_PROGRAM", "")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="GRIDMILL_PROGRAM names no program")

ROWS = 900
BOARDS: list[str] = gridmill.gen(ROWS, seed=5, mix="clues", format="plain", unique=True).to_pylist()
BAD = [*BOARDS[:7], "bad", *BOARDS[8:]]

#: The fields of a chunk, and of its metadata, that say where something is.
PLACES = [{2, 4, 5, 6, 7}, {9, 10, 11, 14, 15}]


def program(*arguments: object, code: int = 0) -> str:
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert done.returncode == code, done.stderr
    return done.stderr


def table(boards: list[str] = BOARDS, half: bool = True) -> pa.Table:
    others: dict[str, Any] = {
        "id": list(range(ROWS)),
        "rating": [i / 7 - 5 for i in range(ROWS)],
        "note": [str(i % 17) for i in range(ROWS)],
        "good": [i % 3 == 0 for i in range(ROWS)],
        "list": [[i, i + 1] for i in range(ROWS)],
        "place": [{"x": i, "y": None} for i in range(ROWS)],
        "exact": pa.array([b"%04d" % i for i in range(ROWS)], pa.binary(4)),
    }
    if half:
        others["half"] = pa.array([i / 4 for i in range(ROWS)], pa.float16())
    return pa.table({**others, "board": boards}).replace_schema_metadata({"z": "1", "a": "2"})


def write(path: Path, by: str, boards: list[str] = BOARDS) -> None:
    rows = table(boards, half=by == "pyarrow")
    match by:
        case "pyarrow":
            pq.write_table(rows, path, row_group_size=300)
        case "index":
            pq.write_table(rows, path, row_group_size=300, write_page_index=True, version="1.0", data_page_version="2.0")
        case "old dates":
            pq.write_table(rows, path, row_group_size=300, use_deprecated_int96_timestamps=True, use_dictionary=False)
        case "sorted":
            pq.write_table(rows, path, row_group_size=300, sorting_columns=[pq.SortingColumn(0)])
        case "polars":
            pl.from_arrow(rows).write_parquet(path, row_group_size=300)
        case "duckdb":
            duckdb.sql(f"copy (from rows) to '{path}' (format parquet, row_group_size 2048, kv_metadata {{a: 'b'}})")


def without(fields: dict[int, Any], *numbers: int) -> dict[int, Any]:
    return {number: value for number, value in fields.items() if number not in numbers}


@pytest.mark.parametrize("by", ["pyarrow", "index", "old dates", "sorted", "polars", "duckdb"])
def test_what_is_copied_is_described_as_it_was(tmp_path: Path, by: str) -> None:
    old, new = tmp_path / "old.parquet", tmp_path / "new.parquet"
    write(old, by)
    program("convert", "--column", "board", old, "-o", new)
    before, after = footer(old), footer(new)
    assert without(after, GROUPS) == without(before, GROUPS)
    for old_group, new_group in zip(before[GROUPS], after[GROUPS], strict=True):
        assert without(new_group, 1, 2, 5, 6) == without(old_group, 1, 2, 5, 6)
        for one, other in zip(old_group[CHUNKS], new_group[CHUNKS], strict=True):
            if one[ABOUT][3] != [b"board"]:
                assert without(other, ABOUT, *PLACES[0]) == without(one, ABOUT, *PLACES[0])
                assert without(other[ABOUT], *PLACES[1]) == without(one[ABOUT], *PLACES[1])
                assert set(other) == set(one)


@pytest.mark.parametrize("by", ["pyarrow", "index", "old dates", "sorted", "polars", "duckdb"])
def test_other_columns_without_some_rows(tmp_path: Path, by: str) -> None:
    old, new = tmp_path / "old.parquet", tmp_path / "new.parquet"
    write(old, by, BAD)
    program("convert", "--column", "board", old, "-o", new, code=1)
    before, after = footer(old), footer(new)
    same = (VERSION, SCHEMA, KEYS_AND_VALUES, CREATED_BY, ORDERS)
    assert [after.get(field) for field in same] == [before.get(field) for field in same]
    assert [group.get(4) for group in after[GROUPS]] == [group.get(4) for group in before[GROUPS]]
    statistics = [pq.ParquetFile(path).metadata.row_group(0).column(1).statistics for path in (old, new)]
    assert statistics[0].has_min_max and (statistics[0].min, statistics[0].max) == (statistics[1].min, statistics[1].max)
    # Polars does not say in the metadata which pages there are.
    assert encodings(new) == encodings(old)
    stay = [row for row in range(ROWS) if row != 7]
    assert pq.read_table(new).drop(["board"]).to_pylist() == pq.read_table(old).drop(["board"]).take(stay).to_pylist()
    found = duckdb.sql(f"select count(*) from '{new}' where rating > 0").fetchall()
    assert found == [(len([row for row in stay if row / 7 - 5 > 0]),)]


def encodings(path: Path) -> dict[int, set[int]]:
    """The encodings of the data pages of each column, with the old number of that of dictionaries."""
    found: dict[int, set[int]] = {}
    for leaf, header, _, _ in pages(path):
        if header[1] != 2:
            encoding = header[5][2] if 5 in header else header[8][4]
            found.setdefault(leaf, set()).add(2 if encoding == 8 else encoding)
    return found


def test_encodings_of_other_columns(tmp_path: Path) -> None:
    old, new = tmp_path / "old.parquet", tmp_path / "new.parquet"
    encodings = {"board": "DELTA_BYTE_ARRAY", "id": "DELTA_BINARY_PACKED", "rating": "BYTE_STREAM_SPLIT", "note": "DELTA_LENGTH_BYTE_ARRAY"}
    pq.write_table(table(BAD), old, use_dictionary=False, column_encoding=encodings)
    program("convert", "--column", "board", old, "-o", new, code=1)
    chunks = pq.read_metadata(new).row_group(0)
    found = {chunks.column(i).path_in_schema: chunks.column(i).encodings for i in range(chunks.num_columns)}
    assert all(encoding in found[name] for name, encoding in encodings.items()), found


CHECKED = {
    "first": {"use_dictionary": False, "compression": "none"},
    "second": {"data_page_version": "2.0", "compression": "zstd"},
    "dictionary": {"use_dictionary": True, "compression": "snappy"},
}


@pytest.mark.parametrize("bad", ["keep", "reject"])
@pytest.mark.parametrize("kind", CHECKED)
def test_checksums(tmp_path: Path, kind: str, bad: str) -> None:
    old, new = tmp_path / "old.parquet", tmp_path / "new.parquet"
    pq.write_table(table(BAD), old, row_group_size=500, write_page_checksum=True, **CHECKED[kind])
    program("convert", "--column", "board", "--bad", bad, "--add", "clues", old, "-o", new, code=1)
    found = pages(new)
    assert all(zlib.crc32(contents) == header[4] & 0xFFFFFFFF for _, header, _, contents in found)
    assert pq.read_table(new, page_checksum_verification=True).num_rows == (ROWS if bad == "keep" else ROWS - 1)
    # A file without checksums stays one.
    pq.write_table(table(BAD), old, row_group_size=500, **CHECKED[kind])
    program("convert", "--column", "board", "--bad", bad, "-f", old, "-o", new, code=1)
    assert all(4 not in header for _, header, _, _ in pages(new))


@pytest.mark.parametrize("kind", CHECKED)
def test_a_damaged_page_ends_every_command(tmp_path: Path, kind: str) -> None:
    old, good, new = (tmp_path / f"{name}.parquet" for name in ("old", "good", "new"))
    others = gridmill.gen(ROWS, seed=6, mix="clues", format="plain", unique=True).to_pylist()
    pq.write_table(table(others), good)
    pq.write_table(table(), old, row_group_size=500, write_page_checksum=True, **CHECKED[kind])
    whole = old.read_bytes()
    board = next(i for i, field in enumerate(pq.ParquetFile(old).schema) if field.name == "board")
    for leaf in (0, 1, board):
        # The last page of the last row group.
        _, _, at, contents = [page for page in pages(old) if page[0] == leaf][-1]
        old.write_bytes(whole[:at] + bytes([contents[0] ^ 1]) + whole[at + 1 :])
        for command in (["convert"], ["validate"], ["solve"], ["canon"], ["dedupe"], ["convert", good], ["dedupe", "--against", good]):
            said = program(*command, "--column", "board", old, "-o", new, code=2)
            assert "checksum" in said and "old.parquet" in said and not new.exists(), said
        if leaf == board:
            assert "checksum" in program("validate", "--column", "board", old, code=2)
        old.write_bytes(whole)


def test_the_index_of_pandas(tmp_path: Path) -> None:
    old, new = tmp_path / "old.parquet", tmp_path / "new.parquet"
    convert = ("convert", "--column", "bd", "-f", old, "-o", new)
    frame = pd.DataFrame({"bd": [BOARDS[0], "bad", BOARDS[2]]}, index=pd.RangeIndex(10, 40, 10, name="k"))
    frame.to_parquet(old)
    said = program(*convert, code=1)
    assert 'pandas\' index of the rows ("k": 10 up to 40 in steps of 10)' in said and "reset_index()" in said
    assert "pandas' index" not in program(*convert, "--bad", "keep", code=1)
    # As the message says.
    frame.reset_index().to_parquet(old)
    program(*convert, code=1)
    assert list(pd.read_parquet(new)["k"]) == [10, 30]
    # A usual index, of one file and of several.
    frame.reset_index(drop=True).to_parquet(old)
    assert "(0 up to 3)" in program(*convert, code=1)
    frame.iloc[[0]].reset_index(drop=True).to_parquet(old)
    assert "pandas' index" not in program("convert", "--column", "bd", old, old, "-f", "-o", new)
    arrow, new_arrow = tmp_path / "old.arrow", tmp_path / "new.arrow"
    with pa.ipc.new_file(arrow, (rows := pa.Table.from_pandas(frame)).schema) as file:
        file.write_table(rows)
    assert "pandas' index" in program("convert", "--column", "bd", arrow, "-o", new_arrow, code=1)
    assert "pandas' index" in program("dedupe", "--column", "bd", arrow, arrow, "-f", "-o", new_arrow, code=1)


@pytest.mark.parametrize("extension", ["parquet", "arrow", "arrows"])
def test_metadata_of_another_input(tmp_path: Path, extension: str) -> None:
    paths = [tmp_path / f"{name}.{extension}" for name in ("first", "second", "new")]
    for path, value in zip(paths, ("one", "two"), strict=False):
        rows = pa.table({"board": BOARDS[:2]}).replace_schema_metadata({"origin": value, "same": "x"})
        match extension:
            case "parquet":
                pq.write_table(rows, path)
            case "arrow":
                with pa.ipc.new_file(path, rows.schema) as file:
                    file.write_table(rows)
            case "arrows":
                with pa.ipc.new_stream(path, rows.schema) as stream:
                    stream.write_table(rows)
    for command in ("convert", "dedupe"):
        said = program(command, "--column", "board", "-q", "-f", *paths[:2], "-o", paths[2])
        assert 'its metadata "' in said and '"origin"' in said and '"same"' not in said and str(paths[1]) in said, said
    assert "its metadata" not in program("convert", "--column", "board", "-f", paths[0], paths[0], "-o", paths[2])
    assert "its metadata" not in program("validate", "--column", "board", *paths[:2])


def test_new_columns_are_in_the_schemas_of_other_programs(tmp_path: Path) -> None:
    old, new = tmp_path / "old.parquet", tmp_path / "new.parquet"
    key = b"org.apache.spark.sql.parquet.row.metadata"
    board = {"name": "board", "type": "string", "nullable": True, "metadata": {"k": 1}}
    schema = {"type": "struct", "fields": [board]}
    rows = pa.table({"board": BOARDS[:3]}).replace_schema_metadata({key: json.dumps(schema)})
    pq.write_table(rows, old)
    program("validate", "--column", "board", "--add", "clues,symmetric,kind", old, "-o", new)
    fields = json.loads({pair[1]: pair[2] for pair in footer(new)[KEYS_AND_VALUES]}[key])["fields"]
    assert fields[0] == board
    assert [(field["name"], field["type"], field["nullable"]) for field in fields[1:]] == [
        ("clues", "long", True), ("symmetric", "boolean", True), ("kind", "string", True)
    ]
    assert pq.read_schema(new).names == ["board", "clues", "symmetric", "kind"]
    chunks = footer(new)[GROUPS][0][CHUNKS]
    assert len(chunks) == len(footer(new)[ORDERS]) == 4 and all(STATISTICS in chunk[ABOUT] for chunk in chunks)
