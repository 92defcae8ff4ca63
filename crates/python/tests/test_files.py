"""Parquet and Arrow files in the program, as other libraries write them. `GRIDMILL_PROGRAM` is a build with the feature `parquet`."""

import base64
import io
import json
import os
import subprocess
from pathlib import Path

import duckdb
import polars
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pyarrow.parquet.encryption
import pytest
from chunks import other_chunks

import gridmill

PROGRAM = os.environ.get("GRIDMILL_PROGRAM", "")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="GRIDMILL_PROGRAM names no program")

ROWS = 3000


def program(*arguments: object, code: int = 0, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run([PROGRAM, *map(str, arguments)], input=stdin, capture_output=True, timeout=120)
    assert done.returncode == code, done.stderr.decode()
    return done


def boards(bad: bool = False) -> list[str | None]:
    made: list[str | None] = list(gridmill.gen(ROWS, seed=5, format="v1").to_pylist())
    made[3], made[ROWS // 2] = None, ""
    if bad:
        made[7], made[ROWS - 1] = "not a board", made[8][:-1]
    return made


def table(column: pa.Array) -> pa.Table:
    rows = len(column)
    others = {
        "id": pa.array(range(rows)),
        "rating": pa.array([None if i % 3 == 0 else i / 7 for i in range(rows)]),
        "tags": pa.array([None if i % 11 == 0 else ["a", None, str(i)][: i % 4] for i in range(rows)]),
        "place": pa.array([{"x": i % 5, "names": [str(i)]} if i % 2 else None for i in range(rows)]),
        "day": pa.array([i * 86400000 for i in range(rows)], pa.timestamp("ms", "UTC")),
        "kind": pa.array([str(i % 9) for i in range(rows)]).dictionary_encode(),
        "exact": pa.array([None if i % 4 == 0 else bytes([i % 256] * 16) for i in range(rows)], pa.binary(16)),
        "good": pa.array([i % 3 == 0 for i in range(rows)]),
    }
    fields = pa.table({"board": column, **others})
    return fields.replace_schema_metadata({"owner": "someone"})


def converted(column: list[str | None]) -> list[str | None]:
    return gridmill.convert(pa.array(column), errors="null").to_pylist()


@pytest.mark.parametrize("codec", ["none", "snappy", "zstd", "gzip", "brotli", "lz4"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_what_pyarrow_writes(tmp_path: Path, codec: str, version: str) -> None:
    old, new = tmp_path / "old.parquet", tmp_path / "new.parquet"
    column = boards()
    before = table(pa.array(column))
    pq.write_table(before, old, compression=codec, data_page_version=version, row_group_size=700, write_page_index=version == "1.0",
                   use_dictionary=["kind", "id"] if version == "1.0" else True)
    program("convert", "--framing", "parquet", "--column", "board", old, "-o", new)
    before, after = pq.read_table(old), pq.read_table(new)
    assert after.schema.equals(before.schema, check_metadata=True)
    assert after["board"].to_pylist() == converted(column)
    assert after.drop(["board"]).equals(before.drop(["board"]))
    assert other_chunks(new) == other_chunks(old)
    old_footer, new_footer = pq.read_metadata(old), pq.read_metadata(new)
    sizes = [[f.row_group(g).num_rows for g in range(f.num_row_groups)] for f in (old_footer, new_footer)]
    assert sizes[0] == sizes[1] and len(sizes[0]) == 5
    chunks = [f.row_group(0).column(0) for f in (old_footer, new_footer)]
    assert chunks[0].compression == chunks[1].compression
    assert new_footer.created_by == old_footer.created_by  # by which some programs read dates and trust minima


@pytest.mark.parametrize("bad", ["reject", "keep", "null"])
def test_rejects_by_row(tmp_path: Path, bad: str) -> None:
    old, new, rejects, report = (tmp_path / name for name in ("old.parquet", "new.parquet", "bad.tsv", "report.json"))
    column = boards(bad=True)
    before = table(pa.array(column))
    pq.write_table(before, old, row_group_size=700, compression="zstd")
    program("convert", "--column", "board", "--bad", bad, "--rejects", rejects, "--report", report, old, "-o", new, code=1)
    lines = [line.split("\t") for line in rejects.read_text().splitlines()]
    assert [(line[1], line[2], line[4]) for line in lines[1:]] == [("8", "-", "length"), (str(ROWS), "-", "length")]
    said = json.loads(report.read_text())
    assert (said["lines"], said["records"], said["rejected"], said["rows_without_string"]) == (ROWS, ROWS - 2, 2, 2)
    before, after, expected = pq.read_table(old), pq.read_table(new), converted(column)
    if bad == "reject":
        stay = [i for i in range(ROWS) if i not in (7, ROWS - 1)]
        before, expected = before.take(stay), [expected[i] for i in stay]
    if bad == "keep":
        expected[7], expected[ROWS - 1] = column[7], column[ROWS - 1]
    assert after["board"].to_pylist() == expected
    # If rows are left out, dictionaries differ.
    assert after.drop(["board"]).to_pylist() == before.drop(["board"]).to_pylist()


def test_a_new_column(tmp_path: Path) -> None:
    old, new = tmp_path / "old.parquet", tmp_path / "new.parquet"
    column = boards(bad=True)
    before = table(pa.array(column))
    pq.write_table(before, old, row_group_size=1000)
    program("convert", "--column", "board", "--to-column", "new", "--bad", "null", old, "-o", new, code=1)
    after = pq.read_table(new)
    assert after["new"].to_pylist() == converted(column)
    assert after.drop(["new"]).equals(before)
    assert after.schema.field("kind").type == before.schema.field("kind").type
    assert other_chunks(new) == other_chunks(old)
    program("convert", "--column", "board", "--to-column", "id", old, "-o", tmp_path / "x", code=2)


def test_types_of_the_column(tmp_path: Path) -> None:
    column = boards()
    text = pa.array(column)
    for at, array in enumerate([
        text.cast(pa.large_string()), text.cast(pa.string_view()), text.cast(pa.binary()), text.dictionary_encode(),
        pa.StructArray.from_arrays([text, pa.array(range(ROWS))], ["text", "n"]),
    ]):
        old, new = tmp_path / f"old{at}.parquet", tmp_path / f"new{at}.parquet"
        before = table(array)
        pq.write_table(before, old)
        name = "board.text" if pa.types.is_struct(array.type) else "board"
        program("convert", "--column", name, old, "-o", new)
        after = pq.read_table(new)
        assert after.schema == before.schema
        found = after["board"].combine_chunks()
        found = found.field("text") if pa.types.is_struct(array.type) else found
        assert [v.decode() if isinstance(v, bytes) else v for v in found.to_pylist()] == converted(column)


def test_no_rows_and_no_row_groups(tmp_path: Path) -> None:
    empty = table(pa.array(boards()))[:0]
    for at, write in enumerate([lambda w: None, lambda w: w.write_table(empty)]):
        old, new = tmp_path / f"old{at}.parquet", tmp_path / f"new{at}.parquet"
        with pq.ParquetWriter(old, empty.schema) as writer:
            write(writer)
        program("convert", "--column", "board", old, "-o", new)
        assert pq.read_table(new).equals(pq.read_table(old))


def test_row_groups_without_rows_stay(tmp_path: Path) -> None:
    old, new = tmp_path / "old.parquet", tmp_path / "new.parquet"
    rows = table(pa.array(boards()))
    with pq.ParquetWriter(old, rows.schema) as writer:
        for part in (rows[:0], rows[:50], rows[:0], rows[50:]):
            writer.write_table(part)
    for flags in ([], ["--add", "clues,format"], ["--to-column", "new"], ["--bad", "reject", "--add", "clues"]):
        program("convert", "-f", "--column", "board", *flags, old, "-o", new)
        footer = pq.read_metadata(new)
        assert [footer.row_group(group).num_rows for group in range(footer.num_row_groups)] == [0, 50, 0, ROWS - 50]
        after = pq.read_table(new)
        assert after.select(["id"]).equals(rows.select(["id"]))
        assert after["new" if "--to-column" in flags else "board"].to_pylist() == converted(boards())


def test_what_polars_and_duckdb_write(tmp_path: Path) -> None:
    column = boards()
    frame = polars.DataFrame({"id": range(ROWS), "board": column, "list": [[i] for i in range(ROWS)]})
    by_polars, by_duckdb, new = (tmp_path / name for name in ("polars.parquet", "duckdb.parquet", "new.parquet"))
    frame.write_parquet(by_polars, row_group_size=999)
    frames = frame.to_arrow()  # found by its name
    assert frames.num_rows == ROWS
    duckdb.sql("select * from frames").write_parquet(str(by_duckdb), compression="zstd")
    for old in (by_polars, by_duckdb):
        program("convert", "-f", "--column", "board", old, "-o", new)
        after = polars.read_parquet(new)
        assert after["board"].to_list() == converted(column)
        assert after.drop("board").equals(polars.read_parquet(old).drop("board"))
        assert other_chunks(new) == other_chunks(old)
        assert duckdb.sql(f"select count(board) from '{new}'").fetchall() == [(ROWS - 1,)]


def test_several_inputs_threads_and_stdout(tmp_path: Path) -> None:
    column = boards()
    pq.write_table(table(pa.array(column)), tmp_path / "a.parquet", row_group_size=400)
    outputs = [
        program("convert", "--column", "board", "-j", threads, tmp_path / "a.parquet", tmp_path / "a.parquet").stdout
        for threads in (1, 4)
    ]
    assert outputs[0] == outputs[1]
    assert pq.read_table(io.BytesIO(outputs[0]))["board"].to_pylist() == converted(column) * 2
    pq.write_table(pa.table({"board": column}), tmp_path / "b.parquet")
    done = program("convert", "--column", "board", tmp_path / "a.parquet", tmp_path / "b.parquet", code=2)
    assert b"its columns are not those of" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="Windows has no /dev/full")
@pytest.mark.parametrize("rows", [1, ROWS])
def test_a_full_disk_and_a_closed_pipe(tmp_path: Path, rows: int) -> None:
    old = tmp_path / "old.parquet"
    pq.write_table(table(pa.array(boards()))[:rows], old)
    command = [PROGRAM, "convert", "--quiet", "--column", "board", old]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=120)
    assert done.returncode == 2 and b"No space left" in done.stderr and b"cannot be written" not in done.stderr
    reads, writes = os.pipe()
    os.close(reads)
    done = subprocess.run(command, stdout=writes, stderr=subprocess.PIPE, timeout=120)
    os.close(writes)
    assert (done.returncode, done.stderr) == (0, b"")


def test_other_commands(tmp_path: Path) -> None:
    puzzles = gridmill.gen(200, seed=1, unique=True, mix="clues", format="plain").to_pylist() + ["22" + "0" * 79, None]
    old, new = tmp_path / "old.parquet", tmp_path / "new.parquet"
    pq.write_table(pa.table({"n": range(202), "puzzle": puzzles}), old)
    done = program("validate", "--level", "unique", "--column", "puzzle", old, code=1)
    assert done.stdout.decode().splitlines()[1].split("\t")[1:5] == ["201", "-", "r1c2", "duplicate"]
    program("validate", "--level", "unique", "--column", "puzzle", old, "-o", new, "--rejects", tmp_path / "bad.tsv", code=1)
    assert pq.read_table(new)["n"].to_pylist() == [*range(200), 201]
    program("solve", "--column", "puzzle", old, "-o", new, "-f", code=1)
    assert pq.read_table(new)["solution"].to_pylist() == [*gridmill.solve(puzzles[:200]).to_pylist(), None]
    program("canon", "--column", "puzzle", "--to-column", "form", old, "-o", new, "-f", code=1)
    assert len(set(pq.read_table(new)["form"].to_pylist())) == 201


def test_what_is_refused(tmp_path: Path) -> None:
    old = tmp_path / "old.parquet"
    column = boards()
    pq.write_table(table(pa.array(column)), old)
    out = tmp_path / "out.parquet"
    for arguments, words in [
        (["--column", "nothing"], "columns of strings: board, tags.list.element, place.names.list.element, kind"),
        ([], "use --column"),
        (["--column", "tags.list.element", "--to-column", "new"], "are strings in lists"),
        (["--column", "board", "--delimiter", ";"], "--delimiter is only for"),
        (["--column", "board", "--zstd"], "--zstd is only for text"),
        (["--column", "board", "--add", "clues=id"], 'column "id" already exists; use --add clues=NAME to choose another name'),
        (["--column", "board", "--add", "clues=x,nodes=x"], "would have the same name"),
    ]:
        assert words in program("convert", *arguments, old, "-o", out, code=2).stderr.decode()
    program("convert", "--column", "board", "-", "--framing", "parquet", code=2, stdin=old.read_bytes())
    data = old.read_bytes()
    for at, damaged in enumerate([data[: len(data) // 2], data[:-8] + b"\xff\xff\xff\x7f" + data[-4:], b"PAR1" * 3, data[:50] + data[70:]]):
        path = tmp_path / f"damaged{at}.parquet"
        path.write_bytes(damaged)
        assert b"internal error" not in program("convert", "--column", "board", path, "-o", out, code=2).stderr
    assert not out.exists() and sorted(tmp_path.iterdir()) == sorted([old, *(tmp_path / f"damaged{i}.parquet" for i in range(4))])
    # If a bad row ends the run, there is no output.
    pq.write_table(table(pa.array(boards(bad=True))), old, row_group_size=500)
    assert b"row 8:" in program("convert", "--column", "board", "--bad", "stop", old, "-o", out, code=1).stderr
    assert not out.exists()


@pytest.mark.parametrize("codec", [None, "lz4", "zstd"])
@pytest.mark.parametrize("is_file", [True, False])
def test_arrow(tmp_path: Path, codec: str | None, is_file: bool) -> None:
    column = boards()
    text = pa.array(column)
    options = pa.ipc.IpcWriteOptions(compression=codec)
    for array in [
        text, text.cast(pa.large_string()), text.cast(pa.string_view()), text.cast(pa.binary()), text.cast(pa.large_binary()),
        text.dictionary_encode(),
    ]:
        before = table(array)
        sink = io.BytesIO()
        make = pa.ipc.new_file if is_file else pa.ipc.new_stream
        with make(sink, before.schema, options=options) as writer:
            for batch in before.to_batches(max_chunksize=700):
                writer.write_batch(batch)
        data = sink.getvalue()
        (tmp_path / "old").write_bytes(data)
        if is_file:
            new = program("convert", "--column", "board", tmp_path / "old").stdout
        else:
            new = program("convert", "--framing", "arrow", "--column", "board", stdin=data).stdout
            assert program("convert", "--framing", "auto", "--column", "board", stdin=data).stdout == new
        after = pa.ipc.open_file(new).read_all() if is_file else pa.ipc.open_stream(new).read_all()
        assert after.schema.equals(before.schema, check_metadata=True)
        found = [v.decode() if isinstance(v, bytes) else v for v in after["board"].to_pylist()]
        assert found == converted(column)
        assert after.drop(["board"]).equals(before.drop(["board"]))
        assert len(after["id"].chunks) == 5
        # Compression is kept: otherwise the sizes would differ more.
        assert array is not text or 0.8 < len(new) / len(data) < 1.2


@pytest.mark.parametrize("bad", ["reject", "keep", "null"])
def test_arrow_rejects(tmp_path: Path, bad: str) -> None:
    column = boards(bad=True)
    for array in [pa.array(column), pa.array(column).dictionary_encode()]:
        before = table(array)
        pyarrow.feather.write_feather(before, tmp_path / "old.feather", chunksize=700)
        new, rejects = tmp_path / "new.feather", tmp_path / "bad.tsv"
        program("convert", "-f", "--column", "board", "--to-column", "new", "--bad", bad, "--rejects", rejects,
                tmp_path / "old.feather", "-o", new, code=1)
        assert [line.split("\t")[1] for line in rejects.read_text().splitlines()] == ["line", "8", str(ROWS)]
        after, expected = pyarrow.feather.read_table(new), converted(column)
        if bad == "reject":
            stay = [i for i in range(ROWS) if i not in (7, ROWS - 1)]
            before, expected = before.take(stay), [expected[i] for i in stay]
        assert after["new"].to_pylist() == expected
        assert after.drop(["new"]).equals(before)
    data = (tmp_path / "old.feather").read_bytes()
    for damaged in (data[: len(data) // 2], data[:100]):
        (tmp_path / "damaged.feather").write_bytes(damaged)
        program("convert", "--column", "board", tmp_path / "damaged.feather", "-o", tmp_path / "x", code=2)
    assert not (tmp_path / "x").exists()


def test_str8ts_as_lines_have_them(tmp_path: Path) -> None:
    strings = gridmill.gen(3000, kind="str8ts", seed=4, format="v2").to_pylist()
    (tmp_path / "lines.txt").write_text("\n".join(strings) + "\n")
    lines = program("convert", "--to", "v0", "--lossy", tmp_path / "lines.txt", "--bad", "keep", "--str8ts-write", "spec").stdout.decode().splitlines()
    before = pa.table({"b": strings})
    pq.write_table(before, tmp_path / "a.parquet", row_group_size=500)
    pyarrow.feather.write_feather(before, tmp_path / "a.arrow", chunksize=500)
    for name, read in (("a.parquet", pq.read_table), ("a.arrow", pyarrow.feather.read_table)):
        program("convert", "-f", "--to", "v0", "--lossy", "--column", "b", "--bad", "keep", tmp_path / name, "-o", tmp_path / "out")
        assert read(tmp_path / "out")["b"].to_pylist() == lines


def test_encrypted_files_are_refused(tmp_path: Path) -> None:
    class Keys(pyarrow.parquet.encryption.KmsClient):
        def wrap_key(self, key: bytes, name: str) -> bytes:
            return base64.b64encode(key)

        def unwrap_key(self, key: bytes, name: str) -> bytes:
            return base64.b64decode(key)

    before = pa.table({"secret": ["a", "b"], "board": gridmill.gen(2, seed=5)})
    for plaintext_footer, words in ((True, 'column "secret" is encrypted'), (False, "encrypted footer")):
        how = pyarrow.parquet.encryption.EncryptionConfiguration(
            footer_key="one", column_keys={"two": ["secret"]}, plaintext_footer=plaintext_footer)
        factory = pyarrow.parquet.encryption.CryptoFactory(lambda _: Keys())
        keys = factory.file_encryption_properties(pyarrow.parquet.encryption.KmsConnectionConfig(), how)
        with pq.ParquetWriter(tmp_path / "in.parquet", before.schema, encryption_properties=keys) as writer:
            writer.write_table(before)
        told = program("convert", "--column", "board", tmp_path / "in.parquet", "-o", tmp_path / "x", code=2).stderr
        assert words in told.decode()
        assert not (tmp_path / "x").exists()


def test_a_name_that_several_columns_have_is_refused(tmp_path: Path) -> None:
    column = gridmill.gen(2, seed=5)
    before = pa.table([column, column, pa.array([1, 2])], names=["board", "board", "id"])
    pq.write_table(before, tmp_path / "in.parquet")
    pyarrow.feather.write_feather(before, tmp_path / "in.arrow")
    for name in ("in.parquet", "in.arrow"):
        told = program("convert", "--column", "board", tmp_path / name, "-o", tmp_path / "x", code=2).stderr
        assert 'several columns "board"' in told.decode()
        assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("kind", ["file", "stream"])
def test_damaged_arrow_files_are_errors_of_the_file(tmp_path: Path, kind: str) -> None:
    few = pa.table({"board": boards()[:6], "n": range(6), "tags": [["a"], [], None, ["b", None], ["c"], ["d"]]})
    whole = io.BytesIO()
    with (pa.ipc.new_file if kind == "file" else pa.ipc.new_stream)(whole, few.schema) as writer:
        writer.write_table(few)
    bytes_of, old = whole.getvalue(), tmp_path / "old.arrow"
    codes = set()
    for at in range(0, len(bytes_of), 4):
        old.write_bytes(bytes_of[:at] + bytes([bytes_of[at] ^ 0x55, 0x7F]) + bytes_of[at + 2 :])
        done = subprocess.run([PROGRAM, "convert", "-f", "--framing", "arrow", "--column", "board", old, "-o", tmp_path / "new"], capture_output=True, timeout=60)
        codes.add(done.returncode)
        assert done.returncode in (0, 1, 2) and b"internal error" not in done.stderr, (at, done.stderr)
    assert codes >= {0, 2}


@pytest.mark.parametrize("bad", [False, True])
@pytest.mark.parametrize("threads", [1, 4])
def test_memory(tmp_path: Path, bad: bool, threads: int) -> None:
    """The limit of tests/suite/memory.rs: 64 MiB, and 4 MiB for each thread with its stack."""
    resource = pytest.importorskip("resource")
    limit = (64 + 4 * threads) << 20
    strings = ["a"] * 300_000 if bad else boards()[8:1008] * 200
    pq.write_table(pa.table({"board": strings}), tmp_path / "in.parquet", row_group_size=20_000, use_dictionary=False)
    files = [tmp_path / name for name in ("in.parquet", "out.parquet", "rejects")]
    done = subprocess.run(
        [PROGRAM, "convert", "-q", f"-j{threads}", "--column", "board", files[0], "-o", files[1], "--rejects", files[2]],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)),
        capture_output=True,
        timeout=120,
    )
    assert done.returncode == bad, done.stderr.decode()
    assert pq.read_metadata(files[1]).num_rows == (0 if bad else len(strings))
    assert not bad or files[2].read_bytes().count(b"\n") == 1 + len(strings)
