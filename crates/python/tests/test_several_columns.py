"""Several columns of Parquet and Arrow files in one run, and solutions that came with strings, against the same rows as CSV.
`GRIDMILL_PROGRAM` is a build with the feature `parquet`."""

import csv
import json
from pathlib import Path
from subprocess import run

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from test_files import PROGRAM, program

import gridmill

pytestmark = pytest.mark.skipif(not PROGRAM, reason="GRIDMILL_PROGRAM names no program")

ROWS = 400
FRAMINGS = ["parquet", "arrow"]
Rows = list[dict[str, object]]


def pairs(bad: bool = True) -> pa.Table:
    """Questions and answers, as datasets have them; some lack one or both, some are bad."""
    question = gridmill.gen(ROWS, seed=3, unique=True, mix="clues", format="plain").to_pylist()
    answer = gridmill.solve(pa.array(question)).to_pylist()
    if bad:
        question[4] = answer[4] = question[30] = answer[31] = None
        question[5], answer[6], question[7], answer[7] = "bad", answer[6][:-1], "22" + "0" * 79, "12"
        answer[8] = answer[9]
        question[399] = "?"
    return pa.table({"id": range(ROWS), "answer": answer, "n": [row % 3 for row in range(ROWS)], "question": question})


def write(table: pa.Table, path: Path, framing: str) -> Path:
    if framing == "parquet":
        pq.write_table(table, path, row_group_size=90, compression="zstd")
    elif framing == "arrow":
        pyarrow.feather.write_feather(table, path, chunksize=90)
    else:
        with path.open("w", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(table.column_names)
            rows.writerows([("" if value is None else value for value in row.values()) for row in table.to_pylist()])
    return path


def read(path: Path, framing: str) -> Rows:
    """The rows of a file, as text."""
    if framing == "csv":
        with path.open(newline="") as file:
            return list(csv.DictReader(file))
    rows = pq.read_table(path) if framing == "parquet" else pyarrow.feather.read_table(path)
    text = {None: "", True: "true", False: "false"}
    return [{name: value if isinstance(value, str) else text.get(value, str(value)) if value not in (0, 1) or isinstance(value, bool) else str(value)
             for name, value in row.items()} for row in rows.to_pylist()]


def both(folder: Path, framing: str, table: pa.Table, *arguments: str, code: int = 1) -> tuple[Rows, Rows]:
    """The result of a run for a file with columns, and the result for the same rows as CSV."""
    made = []
    for of in (framing, "csv"):
        old, new, rejects = write(table, folder / f"old.{of}", of), folder / f"new.{of}", folder / f"bad.{of}"
        command, *flags = arguments
        program(command, "-f", "--framing", of, *flags, old, "-o", new, "--rejects", rejects, code=code)
        made.append(read(new, of))
    return made[0], made[1]


COLUMNS = ["--column", "question", "--column", "answer"]


@pytest.mark.parametrize("framing", FRAMINGS)
def test_rows_are_those_of_csv(tmp_path: Path, framing: str) -> None:
    table = pairs()
    for arguments in (
        ["convert", *COLUMNS],
        ["convert", *COLUMNS, "--to-column", "q", "--to-column", "a"],
        ["convert", *COLUMNS, "--to-column", "q", "--to-column", "a", "--add", "clues,kind", "--check", "rules"],
        ["validate", *COLUMNS, "--level", "unique", "--add", "clues,nodes,symmetric"],
        ["solve", *COLUMNS],
        ["validate", "--column", "question", "--solution-column", "answer", "--level", "unique", "--solutions", "--add", "nodes"],
        ["validate", "--column", "question", "--solution-column", "answer", "--level", "rules", "--add", "clues"],
        ["validate", "--column", "answer", "--column", "question", "--solution-column", "answer2", "--solution-column", "answer3", "--add", "clues"],
    ):
        made, expected = both(tmp_path, framing, table.append_column("answer2", table["answer"]).append_column("answer3", table["answer"]), *arguments)
        assert made == expected, arguments
        assert 300 < len(made) < ROWS, arguments
    made, expected = both(tmp_path, framing, pairs(bad=False), "convert", *COLUMNS, code=0)
    assert made == expected and len(made) == ROWS


@pytest.mark.parametrize("framing", FRAMINGS)
def test_each_string_of_a_row_is_told(tmp_path: Path, framing: str) -> None:
    old, new, rejects = write(pairs(), tmp_path / "old", framing), tmp_path / "new", tmp_path / "bad.tsv"
    done = program("convert", *COLUMNS, "--rejects", rejects, old, "-o", new, code=1)
    rows = [line.split("\t") for line in rejects.read_text().splitlines()[1:]]
    assert [(row[1], row[4]) for row in rows] == [
        (line, "length") for line in ("6", "6", "7", "7", "8", "8", "400", "400")
    ]
    names = [row[5].split(": ")[0] for row in rows]
    assert names == ["answer", "question", "answer", "question", "answer", "question", "answer", "question"] or names == ["question", "answer"] * 4
    assert f"{2 * ROWS - 4} records, 8 rejected".encode() in done.stderr
    # A bad string is replaced by null, or kept, without affecting the others of its row.
    question, answer = (gridmill.convert(pairs()[name].combine_chunks(), errors="null").to_pylist() for name in ("question", "answer"))
    program("convert", "-f", *COLUMNS, "--bad", "null", "--rejects", rejects, old, "-o", new, code=1)
    assert [(row["question"], row["answer"]) for row in read(new, framing)] == [(q or "", a or "") for q, a in zip(question, answer)]
    assert len(rejects.read_text().splitlines()) == 1 + 4
    question, answer = (gridmill.convert(pairs()[name].combine_chunks(), errors="keep").to_pylist() for name in ("question", "answer"))
    program("convert", "-f", *COLUMNS, "--bad", "keep", "--rejects", rejects, old, "-o", new, code=1)
    assert [(row["question"], row["answer"]) for row in read(new, framing)] == [(q or "", a or "") for q, a in zip(question, answer)]
    program("convert", "-f", *COLUMNS, "--bad", "stop", "--rejects", rejects, old, "-o", new, code=1)


@pytest.mark.parametrize("framing", FRAMINGS)
def test_arrays_of_several_columns(tmp_path: Path, framing: str) -> None:
    old, new, rejects = write(pairs(), tmp_path / "old", framing), tmp_path / "new.npy", tmp_path / "bad.tsv"
    program("convert", *COLUMNS, "--rejects", rejects, old, "--to-numpy", new, "--report", tmp_path / "report.json", code=1)
    assert json.loads((tmp_path / "report.json").read_text())["bytes"]["written"] == new.stat().st_size
    table = write(pairs(), tmp_path / "old.csv", "csv")
    program("convert", "--framing", "csv", *COLUMNS, "--rejects", tmp_path / "bad2.tsv", table, "--to-numpy", tmp_path / "csv.npy", code=1)
    made = np.load(new)
    assert made.shape[1:] == (2, 81) and np.array_equal(made, np.load(tmp_path / "csv.npy"))
    codes = {line.split("\t")[1]: line.split("\t")[4] for line in rejects.read_text().splitlines()[1:]}
    assert codes["31"] == codes["32"] == "column" and "5" not in codes


def test_what_does_not_go_together(tmp_path: Path) -> None:
    table = pairs().append_column("list", pa.array([[str(row)] for row in range(ROWS)]))
    old = write(table, tmp_path / "old.parquet", "parquet")
    for arguments, words in (
        (["convert", *COLUMNS, "--to-column", "q"], "once for each column"),
        (["convert", "--column", "question", "--column", "question"], "named twice"),
        (["convert", "--column", "question", "--column", "missing"], "there is no column of strings"),
        (["convert", "--column", "question", "--column", "list.list.element"], "in a separate run"),
        (["validate", "--column", "question", "--column", "answer", "--solution-column", "answer"], "a --solution-column"),
        (["validate", "--column", "question", "--solution-column", "list.list.element"], "strings in lists"),
    ):
        done = program(*arguments, old, code=2)
        assert words in done.stderr.decode(), (arguments, done.stderr)
    dictionary = write(table.drop_columns(["list"]).set_column(1, "answer", table["answer"].dictionary_encode()), tmp_path / "old.arrow", "arrow")
    assert "is a dictionary" in program("convert", *COLUMNS, dictionary, code=2).stderr.decode()
    program("validate", "--level", "rules", "--column", "answer", "--column", "question", dictionary, code=1)
    program("validate", "--level", "rules", "--column", "question", "--solution-column", "answer", dictionary, code=1)


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_a_column_that_is_not_there_is_told_with_the_file_and_its_columns(tmp_path: Path, kind: str) -> None:
    strings = pa.array(["x"])
    old = write(pa.table({"question": strings, "a\nb": strings, "": strings, "two words": strings}), tmp_path / f"old.{kind}", kind)
    said = program("convert", "-q", "--column", "board", old, code=2).stderr.decode()
    assert said == f'gridmill: {old}: there is no column of strings "board"; columns of strings: question, "a\\nb", "", "two words"\n'
    missing = tmp_path / "missing"
    for inputs in ([old, missing], [missing, old]):
        said = program("convert", "--column", "question", *inputs, code=2).stderr.decode()
        assert f"gridmill: {missing}: cannot open: No such file" in said
    said = program("dedupe", "--column", "question", old, "--against", missing, code=2).stderr.decode()
    assert f"gridmill: {missing}: cannot open: No such file" in said


def test_words_for_arrow_files(tmp_path: Path) -> None:
    """Different dictionaries cannot become one file, and damage is reported in one line."""
    old = [tmp_path / name for name in ("a.arrow", "b.arrow")]
    for at, path in enumerate(old):
        board = gridmill.gen(3, seed=1)
        write(pa.table({"board": board, "of": pa.array([f"{at}"] * 3).dictionary_encode()}), path, "arrow")
    words = program("convert", "--column", "board", *old, "-o", tmp_path / "new", code=2).stderr.decode()
    assert "another dictionary" in words and "use streams" in words
    whole = old[0].read_bytes()
    for at in range(100, len(whole), 41):
        old[1].write_bytes(whole[:at] + b"\xff" * 4 + whole[at + 4 :])
        done = run([PROGRAM, "convert", "-q", "-f", "--column", "board", old[1], "-o", tmp_path / "new"], capture_output=True)
        assert done.returncode in (0, 1) or len(done.stderr.splitlines()) == 1 and len(done.stderr) < 500, (at, done.stderr)
