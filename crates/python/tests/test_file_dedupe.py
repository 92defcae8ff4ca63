"""`dedupe` of Parquet and Arrow files, against the same rows as CSV. `GRIDMILL_PROGRAM` is a build with the feature `parquet`."""

import csv
import json
import subprocess
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from chunks import other_chunks
from test_files import PROGRAM, program, table

import gridmill

pytestmark = pytest.mark.skipif(not PROGRAM, reason="GRIDMILL_PROGRAM names no program")

ROWS = 1200
FRAMINGS = ["parquet", "arrow"]


def boards() -> list[str | None]:
    """Boards, most of them twice or more, unchanged or with exchanged digits; two refused, one null, one empty; the first 150 once each."""
    made = gridmill.gen(500, seed=3, unique=True, mix="clues", format="plain").to_pylist()
    other = str.maketrans("123456789", "456789123")
    made = made + [board.translate(other) for board in made[150:]] + made[300:]
    made += made[: ROWS - len(made)] if len(made) < ROWS else []
    made[4], made[5], made[7], made[1000] = None, "", "bad", "22" + "0" * 79
    return made[:ROWS]


def rows(strings: list[str | None]) -> pa.Table:
    return table(pa.array(strings))


def write(rows: pa.Table, path: Path, framing: str) -> Path:
    if framing == "parquet":
        pq.write_table(rows, path, row_group_size=170, compression="zstd")
    elif framing == "arrow":
        pyarrow.feather.write_feather(rows, path, chunksize=170)
    else:
        with path.open("w", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(["board", "id"])
            out.writerows([(row["board"] or "", row["id"]) for row in rows.select(["board", "id"]).to_pylist()])
    return path


def read(path: Path, framing: str) -> pa.Table:
    return pq.read_table(path) if framing == "parquet" else pyarrow.feather.read_table(path)


def both(folder: Path, framing: str, inputs: list[pa.Table], *flags: object, code: int = 1, others: list[pa.Table] = []) -> tuple[pa.Table, str]:
    """The output of a run for files with columns, and its report. Both are compared with those for the same rows as CSV."""
    said, made = [], []
    for of in (framing, "csv"):
        files = [write(rows, folder / f"in{at}.{of}", of) for at, rows in enumerate(inputs)]
        against = [write(rows, folder / f"other{at}.{of}", of) for at, rows in enumerate(others)]
        new, which, report, rejects = (folder / f"{name}.{of}" for name in ("new", "which", "report", "rejects"))
        rejects.unlink(missing_ok=True)
        program("dedupe", "-f", "--framing", of, "--column", "board", *flags, *(word for file in against for word in ("--against", file)),
                *files, "-o", new, "--groups", which, "--report", report, "--rejects", rejects, code=code)
        # The first line of a table is its header.
        header = int(of == "csv")
        left = [line.split("\t") for line in which.read_text().splitlines()[1:]]
        refused = [line.split("\t") for line in rejects.read_text().splitlines()[1:]] if rejects.exists() else []
        place = lambda name, line: (Path(name).stem, int(line) - header)  # noqa: E731
        counted = json.loads(report.read_text())
        said.append({
            "groups": [(row[0], *place(row[1], row[2]), *place(row[3], row[4]), row[6]) for row in left],
            "refused": [(*place(row[0], row[1]), *row[3:6]) for row in refused],
            "found": counted["dedupe"],
            "counts": [counted[name] for name in ("records", "rejected")],
        })
        if of != "csv":
            assert {row[5] for row in left} <= {"-"}
        made.append(new)
    assert said[0] == said[1], flags
    new = read(made[0], framing)
    with made[1].open(newline="") as file:
        expected = list(csv.DictReader(file))
    assert [str(row) for row in new["id"].to_pylist()] == [row["id"] for row in expected], flags
    assert [row or "" for row in new["board"].to_pylist()] == [row["board"] for row in expected]
    every = pa.concat_tables(read(folder / f"in{at}.{framing}", framing) for at in range(len(inputs)))
    rest = new.drop_columns([name for name in ("count", "n") if name in new.column_names])
    assert rest.schema == every.schema and rest.to_pylist() == every.take(pc.index_in(new["id"], every["id"])).to_pylist(), flags
    for name in {"count", "n"} & set(new.column_names):
        assert [str(count or "") for count in new[name].to_pylist()] == [row[name] for row in expected]
    return new, made[0]


@pytest.mark.parametrize("framing", FRAMINGS)
def test_rows_are_those_of_csv(tmp_path: Path, framing: str) -> None:
    every = rows(boards())
    for flags in (
        [],
        ["-j1"],
        ["-j3", "--memory", "1K"],
        ["--count"],
        ["--count=n", "--memory", "1K"],
        ["--by", "string"],
        ["--by", "grid", "--count"],
        ["--form", "puzzle"],
        ["--invert"],
        ["--invert", "--count"],
        ["--bad", "keep"],
        ["--fail-on-duplicates"],
    ):
        new, _ = both(tmp_path, framing, [every], *flags)
        assert 200 < len(new) < ROWS
    # Several inputs are treated as one, and rows of other files count.
    parts = [every[:300], every[300:301], every[301:900], every[900:]]
    whole, _ = both(tmp_path, framing, [every])
    several, _ = both(tmp_path, framing, parts)
    assert several.schema == whole.schema and several.to_pylist() == whole.to_pylist()
    fewer, _ = both(tmp_path, framing, parts[1:3], "--count", code=0, others=[rows(boards())[8:200], rows(boards())[600:700]])
    assert 100 < len(fewer) < 300
    both(tmp_path, framing, [every], others=[every])
    both(tmp_path, framing, [every[:0]], "--count", code=0)


@pytest.mark.parametrize("framing", FRAMINGS)
def test_other_files_are_no_part_of_the_output(tmp_path: Path, framing: str) -> None:
    train = pa.table({"quiz": boards()[:600], "n": range(600)})
    test = rows(boards())[600:]
    old, other = write(test, tmp_path / "test", framing), tmp_path / "train"
    pq.write_table(train, other) if framing == "parquet" else pyarrow.feather.write_feather(train, other)
    arguments = ["dedupe", "--column", "board", "--against", other, "--against-column", "quiz"]
    done = program(*arguments, "--invert", old, "-o", tmp_path / "leaks", code=1)
    leaks = read(tmp_path / "leaks", framing)
    assert b"in other files (598 records, 1 rejected" in done.stderr and 0 < len(leaks) < 600
    program(*arguments, old, "-o", tmp_path / "clean", code=1)
    clean = read(tmp_path / "clean", framing)
    both_ids = leaks["id"].to_pylist() + clean["id"].to_pylist()
    assert sorted(both_ids) == test["id"].to_pylist()
    assert leaks.schema == clean.schema == read(old, framing).schema


def test_row_groups_of_which_all_rows_stay_are_not_written_anew(tmp_path: Path) -> None:
    every = rows(boards())
    old, new = write(every, tmp_path / "old.parquet", "parquet"), tmp_path / "new.parquet"
    program("dedupe", "--column", "board", "--bad", "keep", "--by", "string", old, "-o", new, code=1)
    # The first rows are all different.
    rows_of = [pq.ParquetFile(new).metadata.row_group(group).num_rows for group in range(3)]
    assert rows_of[:2] == [170, 170]
    per_group = len(other_chunks(old)) // pq.ParquetFile(old).num_row_groups
    assert other_chunks(new)[: 2 * per_group] == other_chunks(old)[: 2 * per_group]


def test_streams_are_put_aside(tmp_path: Path) -> None:
    every = rows(boards())
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, every.schema) as writer:
        writer.write_table(every, max_chunksize=100)
    done = program("dedupe", "--framing", "arrow", "--column", "board", "--temp", tmp_path, stdin=sink.getvalue().to_pybytes(), code=1)
    from_file = write(every, tmp_path / "old", "arrow")
    program("dedupe", "--column", "board", from_file, "-o", tmp_path / "new", code=1)
    assert pa.ipc.open_stream(done.stdout).read_all().equals(read(tmp_path / "new", "arrow"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "new.rejects.tsv", "old"]
    fifo = subprocess.run(["bash", "-c", '"$0" dedupe -q --framing arrow --column board <(cat "$1")', PROGRAM, tmp_path / "stream"], capture_output=True)
    assert fifo.returncode == 2


@pytest.mark.parametrize("framing", FRAMINGS)
def test_dictionaries_and_lists(tmp_path: Path, framing: str) -> None:
    strings = boards()[150:450] * 2
    column = pa.array(strings).dictionary_encode()
    old = write(pa.table({"board": column, "id": range(600)}), tmp_path / "old", framing)
    program("dedupe", "--column", "board", "--count", old, "-o", tmp_path / "new")
    new = read(tmp_path / "new", framing)
    assert new["id"].to_pylist() == list(range(300)) and set(new["count"].to_pylist()) == {2}
    if framing == "parquet":
        one, other = strings[:2]
        lists = [[one, other], [other, one], None, [one, None, other], [], [one], ["bad", one], [one]]
        old = write(pa.table({"boards": lists, "id": range(8)}), tmp_path / "lists", framing)
        program("dedupe", "--column", "boards.list.element", old, "-o", tmp_path / "of_lists", code=1)
        assert read(tmp_path / "of_lists", framing)["id"].to_pylist() == [0, 1, 2, 4, 5]


@pytest.mark.parametrize("framing", FRAMINGS)
def test_keys(tmp_path: Path, framing: str) -> None:
    old = write(pa.table({"board": boards()[150:], "id": range(1050)}), tmp_path / "old", framing)
    program("canon", "--column", "board", "--key", old, "-o", tmp_path / "keys", code=1)
    program("dedupe", "--column", "key", "--keyed", tmp_path / "keys", "-o", tmp_path / "by_key")
    program("dedupe", "--column", "board", "--form", "solution", old, "-o", tmp_path / "new", code=1)
    assert read(tmp_path / "by_key", framing)["id"].equals(read(tmp_path / "new", framing)["id"])


def test_what_cannot_be(tmp_path: Path) -> None:
    every = rows(boards()[:20])
    old, text = write(every, tmp_path / "old.parquet", "parquet"), tmp_path / "a.txt"
    text.write_text("1\n")
    for flags, words in (
        ([], "columns of strings: board"),
        (["--column", "board", "--count=id"], 'column "id" already exists'),
        (["--column", "board", "--against", text], "text, but the input is read with --framing parquet"),
        (["--column", "board", "--column", "id"], "one string per record"),
        (["--column", "board", "--zstd"], "--zstd is only for text"),
        (["--column", "board", "--rejects-as", "rows"], "--rejects-as rows is only for"),
    ):
        done = program("dedupe", *flags, old, "-o", tmp_path / "new", code=2)
        assert words in done.stderr.decode(), done.stderr
    done = program("dedupe", "--against", old, text, code=2)
    assert b"Parquet files, but the input is read with --framing lines" in done.stderr
    done = program("dedupe", "--framing", "parquet", "--column", "board", stdin=old.read_bytes(), code=2)
    assert b"cannot be read from stdin" in done.stderr
    stopped = program("dedupe", "--column", "board", "--bad", "stop", old, "-o", tmp_path / "new", code=1)
    assert b"row 8" in stopped.stderr and not (tmp_path / "new").exists()
