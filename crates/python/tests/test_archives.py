"""Compressed output of the program, as other programs read it. `GRIDMILL_PROGRAM` is a build of it."""

import io
import os
import subprocess
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow.csv
import pytest
import zstandard

PROGRAM = os.environ.get("GRIDMILL_PROGRAM", "")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="GRIDMILL_PROGRAM names no program")

ROWS = 200_000


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table in several frames."""
    folder = tmp_path_factory.mktemp("archives")
    strings = subprocess.run([PROGRAM, "gen", "-q", "--count", "100"], capture_output=True, check=True).stdout.decode().split()
    rows = "".join(f"{number},{strings[number % 100]}\n" for number in range(ROWS))
    command = [PROGRAM, "convert", "-q", "--framing", "csv", "--column", "board", "-o", folder / "table.csv.zst"]
    subprocess.run(command, input=b"id,board\n" + rows.encode(), check=True)
    return folder / "table.csv.zst"


def test_tables_are_read_to_their_last_row(table: Path) -> None:
    assert polars.read_csv(table).height == ROWS
    assert polars.scan_csv(table).collect()["id"].to_list() == list(range(ROWS))
    assert polars.scan_csv(table).select(polars.len()).collect().item() == ROWS
    assert len(pandas.read_csv(table)) == ROWS
    assert duckdb.sql(f"SELECT count(*), sum(id) FROM read_csv('{table}')").fetchall() == [(ROWS, ROWS * (ROWS - 1) // 2)]
    assert pyarrow.csv.read_csv(table).num_rows == ROWS


def test_streams_are_read_to_their_end(table: Path) -> None:
    packed = table.read_bytes()
    text = subprocess.run([PROGRAM, "convert", "-q", "--framing", "csv", "--column", "board", table], capture_output=True, check=True).stdout
    decoder = zstandard.ZstdDecompressor()
    assert decoder.stream_reader(io.BytesIO(packed), read_across_frames=True).read() == text
    assert decoder.decompressobj(read_across_frames=True).decompress(packed) == text
    with zstandard.open(table, "rb") as stream:
        assert stream.read() == text
    # This function reads one frame.
    first = decoder.decompress(packed)
    assert 0 < len(first) < len(text) and text.startswith(first)


@pytest.mark.parametrize("lines", [0, 1, 1000])
def test_short_output_is_one_frame(lines: int, tmp_path: Path) -> None:
    strings = subprocess.run([PROGRAM, "gen", "-q", "--count", str(lines)], capture_output=True, check=True).stdout if lines else b""
    (tmp_path / "in").write_bytes(strings)
    packed = subprocess.run([PROGRAM, "convert", "-q", "--zstd", tmp_path / "in"], capture_output=True, check=True).stdout
    text = subprocess.run([PROGRAM, "convert", "-q", tmp_path / "in"], capture_output=True, check=True).stdout
    assert packed.startswith(b"\x28\xb5\x2f\xfd")
    assert zstandard.ZstdDecompressor().decompress(packed, max_output_size=1 << 20) == text
